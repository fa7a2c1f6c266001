"""Personal contact data: phone, e-mail, messenger account, home address, birth date; ids are in `identity`.

What a company publishes (role mailboxes, hotlines, offices) is allowed: the words around a number decide.
"""

import re
from collections.abc import Iterator

import phonenumbers

from memory_app.guardrails import identity, second_opinion
from memory_app.guardrails.findings import RECORD, Hit
from memory_app.guardrails.gate import gated
from memory_app.guardrails.opaque import without_opaque

_CN_MOBILE = gated(
    r"(?<![\d.])(?<![A-Za-z])(?:\+?\(?(?:0{0,2}86)\)?[ \-]?)?1[3-9]\d(?:[ \-.·]?\d){8}(?![\d])(?!\.\d)(?!-\d)(?![A-Za-z])"
)
_NANP = gated(
    r"(?<![A-Za-z0-9.\-/+])(?:\+?1[ .\-]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .\-])[2-9]\d{2}[ .\-]\d{4}(?![A-Za-z0-9\-]|\.\d)"
)
_PLUS = gated(
    r"(?<![A-Za-z0-9+\-.])(?:\+|00)[1-9]\d{0,2}[ \-.]?(?:\(\d{1,4}\)[ \-.]?)?\d(?:[ \-.]{0,2}\d){5,12}(?!\d)(?!\.\d)"
)
_CN_LANDLINE = gated(r"(?<![\d\-])0\d{2,3}[ \-]\d{7,8}(?![\d\-])")
# A number as it is dialled within a country: a nought, then groups. Who answers it makes it a person's.
_TRUNK = gated(r"(?<![\w.\-/])0\d{1,5}(?:[ \-]\d{2,8}){1,4}(?![\w\-/]|\.\d)")
_ANSWERED = re.compile(
    r"\b(?:answers?|answering|picks? up|pick(?:ed|ing) up|rings?|dial|catch|get (?:him|her|them)|available|numbers?|line)\b|接电话|打得通|找[他她]",
    re.I,
)
_NAMED = gated(
    r"(?:\b(?:phone|mobile|cell(?:phone)?|tel(?:ephone)?|call|text|sms|reach(?:ed|able)?|ring|contact|whatsapp|signal|viber|handy|number is)\b|手机号?|电话|联系方式|致电|拨打|打给|号码|微信)"
    r"[^\d\n]{0,40}?(?<![A-Za-z0-9.])(\(?\+?\d(?:[ .\-()]{0,2}\d){6,14})(?!\d)(?!\.\d)", re.I
)  # fmt: skip
_PHONE_WORD = re.compile(
    r"\b(?:phone|mobile|cell|tel|call|text|sms|whatsapp|ring|reach(?:ed|able)?)\b|手机|电话|联系|致电|拨打|打给|微信",
    re.I,
)
_OTHER_NUMBER = re.compile(
    r"(?:\b(?:order|ticket|tracking|parcel|serial|invoice|part|sku|case|issue|build|version|isbn|account|timestamp|ref|id|sim|meter|batch|pr|bug|commit|port|error|code)|订单号?|单号|快递|运单|流水号?|序列号|编号|工单号?|批次|时间戳|端口|错误码)"
    r"\s*(?:number|no\.?|id|#|号码?)?\s*(?:is|was|[:=#]|是|为)?\s*#?$", re.I
)  # fmt: skip
_GLUED = re.compile(r"^[A-Za-z0-9_.\-/](?=\d)|\d[A-Za-z0-9_\-/]$")
_SSN = re.compile(r"\d{3}-\d{2}-\d{4}")
_SOCIAL = re.compile(r"\bssn\b|social|itin|tax", re.I)
_COMPANY = re.compile(
    r"\b(?:support|hotline|help ?desk|service desk|front desk|reception|concierge|customer (?:service|care)|switchboard|office (?:line|number|phone)|company(?:'s)?|shared|public(?:ly)?|published|listed|main line|toll[- ]free|sales (?:team|line|desk)|clinic|restaurant|hotel|hospital|airline|bank'?s?|shop|store|vendor|supplier|carrier|website|on-call line|IT desk|embassy|police|emergency services)\b"
    r"|客服|热线|总机|前台|服务台|公司(?:电话|总机|邮箱|联系|地址|座机|官网)|官网|公开|对外|公共邮箱|共享邮箱|值班电话|酒店电话|餐厅电话|门店|供应商|售后|投诉|医院|报修|办公电话|公司在|公司位于|办公室|总部|门店|(?:酒|饭|书|药|本|总|分|网|花)店(?:的)?(?:电话|微信|公众号|客服|座机|号码)|店(?:里|内)?(?:电话|座机)",
    re.I,
)
_PERSONAL = re.compile(
    r"\b(?:personal|private|home|her|his|my own|cell|mobile|own)\b|私人|个人|本人|自己|家里|手机|他的|她的", re.I
)
_TOLL_FREE = re.compile(r"^(?:\+?1[ .\-]?)?\(?8(?:00|33|44|55|66|77|88)\b|^(?:\+?86[ \-]?)?[48]00[ \-]?\d|^\+?0?800")
_EMAIL = gated(
    r"(?<![A-Za-z0-9._%+\-])([A-Za-z0-9][A-Za-z0-9._%+\-]{0,63})(?:@| @ )((?:[A-Za-z0-9\-]{1,63}\.){1,6}[A-Za-z]{2,24})(?![A-Za-z0-9\-])(?![:/]\w)"
)
_EMAIL_SPELLED = gated(
    r"(?<![A-Za-z0-9.])([A-Za-z0-9][\w.+\-]{1,63})\s?(?:(?:\(at\)|\[at\]|\{at\}|艾特)\s?([A-Za-z0-9\-]{1,63}(?:\s?(?:\(dot\)|\[dot\]|\{dot\}|\s+dot\s+|\.|点)\s?[A-Za-z]{2,24}){1,3})|at\s+[A-Za-z0-9\-]{1,63}(?:\s+dot\s+[A-Za-z]{2,24}){1,3})\b", re.I
)  # fmt: skip
# An address as it is said aloud, after the word for one: "邮箱是 zhang san at 163 点 com".
_EMAIL_ALOUD = gated(
    r"(?:邮箱|邮件地址|电邮|电子邮件|\be-?mail(?: address)?\b)[^\n。；;A-Za-z0-9]{0,8}(?:\s?(?:is|address is|was)\s|\s?[:：]\s?)?[^\n。；;A-Za-z0-9]{0,4}"
    r"(([A-Za-z0-9][\w.+\-]{0,40}(?:\s?(?:点|下划线|[零〇一二三四五六七八九]{1,8})|\s[A-Za-z0-9][\w.+\-]{0,30}){0,5}?)\s?(?:@|\bat\b|艾特|爱特|圈\s?[aA]|小老鼠)\s?[A-Za-z0-9\-]{1,40}"
    r"(?:\s?(?:点|\bdot\b|\.)\s?(?:com|cn|net|org|edu|gov|io|me|co|hk|tw|uk|de|fr|jp|cc|xyz|info|top)(?![A-Za-z])){1,3})", re.I
)  # fmt: skip
# A role and nothing of a person: the word alone, with a number, or with another such word. Whoever has a box at a free
# mail service is a person, whatever the box is called.
_ROLE_WORD = (
    r"(?:support|info|information|sales|billing|help|helpdesk|contact|admin|administrator|no-?reply|do-?not-?reply|noc|hr|press|media|security|abuse|teams?|office|reception|careers|jobs|recruit\w*|hello|hi"
    r"|service|services|customerservice|customer-?care|customers?|feedback|marketing|postmaster|webmaster|hostmaster|legal|privacy|dev|devops|developers?|ops|oncall|on-call|it|git|root|ci|bot|build|audit|boss|ceo|alerts?|notifications?"
    r"|reports?|reporting|records?|intake|inbox|mailbox|archive|backup|analytics|research|data|desk|orders?|booking|bookings|reservations?|accounts?|accounting|finance|invoices?|payments?|payroll|procurement|partners?|community|events?|newsletter|news|enquiries|inquiries|api|sre|platform|eng|engineering|design|product|qa|kefu|fapiao)"
)
_ROLE_PLACE = (
    r"(?:eu|uk|us|cn|hk|emea|apac|dach|intl|global|north|south|east|west|list|group|cent(?:er|re)|line|tickets?)"
)
_ROLE = re.compile(rf"{_ROLE_WORD}(?:[._+\-]?\d{{1,4}}|[._+\-](?:{_ROLE_WORD}|{_ROLE_PLACE})){{0,3}}", re.I)
_FREE_MAIL = re.compile(
    r"\b(?:g(?:oogle)?mail|outlook|hotmail|ymail|yahoo|icloud|qq|163|126|139|189|188|yeah|foxmail|sina|sohu|tom|aliyun|gmx|proton(?:mail)?|pm|aol|yandex|zoho|fastmail|tutanota|naver|daum|hey|freenet|t-online|laposte|orange|libero|wp|rediffmail"
    r"|(?:live|me|mac|msn|mail|email)(?=\W{0,3}(?:dot|点)?\W{0,3}com\b)|mail(?=\W{1,3}ru\b)|web(?=\W{1,3}de\b))(?:\s?(?:\.|[(\[{]dot[)\]}]|\bdot\b|点)\s?[a-z]{2,4}\b){1,2}(?![.\w])",
    re.I,
)
_CODE_BEFORE = re.compile(r"(?:\bssh|scp|sftp|rsync|git clone|@|://[^\s]*)\s+[^\s]*$|://$", re.I)
_MESSENGER = gated(
    r"(?:\b(?:we ?chat|weixin|telegram|tg|whatsapp|(?-i:LINE)|line(?= (?:id|account|handle))|skype|signal(?= (?:id|handle|account|number|is|at|name|username)|:)|discord|kakao ?talk|viber|snapchat|instagram|messenger|imessage|qq)\b"
    r"(?:\s*(?:id|handle|account|user ?name|user|number|name|contact))?\s*(?:is|was|[:=#]|as|under|at|@)\s*|"
    r"(?:微信号?|飞书号?|钉钉号?|抖音号?|(?<![A-Za-z0-9])(?:VX|QQ号?|we ?chat|weixin|telegram|whatsapp|skype)(?![A-Za-z])|Q号|扣扣|威信|小红书号?)(?:[\s,，、]*(?:账号|帐号|ID|号码|号))?\s*(?:是|为|:|=|加|叫)?\s*[:：]?\s*)"
    r"[\"'`“「]?((?:live:)?@?[A-Za-z0-9][\w.\-#]{4,40})", re.I
)  # fmt: skip
_HANDLE = gated(
    r"(?<![A-Za-z0-9])(?:telegram|tg|discord|signal|line|skype|wechat|whatsapp)\b[^\n.;]{0,24}?(@[A-Za-z0-9_]{4,40}|[a-z0-9_.]{3,32}#\d{4})",
    re.I,
)
# A handle beside the name of a messenger, in whatever order: "as rook_77 on Telegram", 加 V 信 rook_77.
_MESSENGERS = r"(?:we ?chat|weixin|telegram|whatsapp|skype|signal|discord|kakao ?talk|viber|snapchat|snap|instagram|insta|messenger|qq|line)"
_MESSENGERS_ZH = (
    r"(?:[微薇威徽维唯]\s?信|(?<![A-Za-z])v\s?[x信]|企鹅号?|扣扣|(?<![A-Za-z])q\s?q|飞书|钉钉|电报|小红书|抖音)"
)
_CALLED = r"(@?[A-Za-z](?=[\w.\-]{0,39}[\d_]|[\w\-]{0,39}\.\w)[\w.\-]{3,39}|@[A-Za-z]\w{3,39})"
_FOUND = (
    gated(rf"(?<![\w.@/\-]){_CALLED}\s(?:on|in|via|over|at)\s(?:his|her|my|the)?\s?{_MESSENGERS}\b", re.I),
    gated(
        rf"\b(?:add|ping|dm|message|reach|write|find|text)\b[^\n.;]{{0,30}}?\b{_MESSENGERS}\b[^\n.;]{{0,20}}?(?<![\w.@/\-]){_CALLED}",
        re.I,
    ),
    gated(rf"{_MESSENGERS_ZH}(?:账号|号|是|叫|上|找|搜|[:：\s“「]){{0,4}}{_CALLED}", re.I),
)
_BIRTH = gated(
    r"(?:\b(?:born|came into (?:the|this) world|birth ?date|date of birth|d\.?o\.?b\.?|birthday|birth)\b[^\n.;]{0,24}?|(?:出生(?:于|日期|年月日|日)?|生[于在]|降生|生日|生辰|诞生于|出生年月)[^\n。；]{0,8}?)"
    r"((?:19|20)\d{2}\s?[年\-/.]\s?\d{1,2}\s?[月\-/.]\s?\d{1,2}\s?[日号]?|\d{1,2}(?:st|nd|rd|th)?[\-/. ]+(?:of )?(?:\d{1,2}|jan\w*|feb\w*|mar\w*|apr\w*|may|jun\w*|jul\w*|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)[\-/., ]+(?:19|20)\d{2}"
    r"|(?:jan\w*|feb\w*|mar\w*|apr\w*|may|jun\w*|jul\w*|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d{2}|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d))", re.I
)  # fmt: skip
_BIRTH_AFTER = gated(
    r"((?:19|20)\d{2}\s?[年\-/.]\s?\d{1,2}\s?[月\-/.]\s?\d{1,2}\s?[日号]?)\s?(?:出生|生人|生的|生(?!产|效|成|活|日))"
)
_THING_BORN = re.compile(r"\b(?:company|project|repo|startup|product|founded)\b|公司|项目|产品", re.I)
_EN_STREET = gated(
    r"(?<![\w.\-])\d{1,5}[A-Za-z]?(?:-\d{1,4})?,?\s+(?:(?:N|S|E|W|North|South|East|West|NE|NW|SE|SW)\.?\s+)?(?:(?:[A-Z][\w'’.\-]{0,24}|\d{1,3}(?:st|nd|rd|th))\s+){1,4}"
    r"(?:St|Street|Ave|Avenue|Rd|Road|Ln|Lane|Dr|Drive|Blvd|Boulevard|Ct|Court|Way|Pl|Place|Ter|Terrace|Close|Crescent|Cres|Square|Sq|Parkway|Pkwy|Circle|Cir|Trail|Gardens|Mews|Row|Hill|Grove|Walk|Quay)\b\.?"
    r"(?:,?\s*(?:Apt|Apartment|Unit|Flat|Suite|Ste|#|Floor|Fl)\.?\s*#?\w{1,6})?(?:,\s*[A-Z][A-Za-z .'\-]{1,30}){0,3}(?:,?\s*[A-Z]{2}\s+\d{5}(?:-\d{4})?|,?\s*[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|,?\s*\d{5})?"
)  # fmt: skip
_FLAT = gated(r"\b(?:Flat|Apt\.?|Apartment|Unit)\s+#?\w{1,5},\s*\d{1,5}\s+[A-Z][\w'’\-]{1,24}")
_EU_STREET = gated(
    r"\b[A-ZÄÖÜ][a-zäöüß\-]{2,24}(?:straße|strasse|str\.|weg|gasse|platz|allee|laan|straat)\s+\d{1,4}[a-z]?\b|\b\d{1,4},? (?:rue|avenue|boulevard|via|calle) (?:de |du |des |la |di |del )?[A-Z][\w\-]+"
)
_HOME = re.compile(
    r"\b(?:live[sd]?|living|resid\w+|home|house|apartment|flat|address(?:ed)?|ship\w*|deliver\w*|mail(?:ing)?|send (?:it|parcels?|packages?)|moved (?:in)?to|stays at|parcels?|packages?)\b",
    re.I,
)
_UNIT = re.compile(r"\b(?:apt|apartment|unit|flat|#)\.?\s*#?\w", re.I)
_ZIP = re.compile(r"[A-Z]{2}\s+\d{5}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$")
_ZH_STREET = gated(
    r"(?:[\u4e00-\u9fff]{1,12}(?:路|街|道|巷|弄|胡同|里|村|苑|园|小区|花园|公寓|新村|家园|大厦|广场|镇|屯|庄)[\u4e00-\u9fff]{0,4}\s*)(?:[东西南北中]?[一二三四五段]{0,3}\s*)?[\d一二三四五六七八九十百零]{1,6}(?:\s*-\s*\d{1,4}){0,3}\s*(?:号楼|号院|号|弄|栋|幢|座|单元|室|层|楼|户)?"
    r"(?:[\s,，]*(?:[A-Za-z\u4e00-\u9fff]{0,8}?)?[\dA-Za-z一二三四五六七八九十]{1,6}\s*(?:号楼|号院|号|弄|栋|幢|座|单元|室|层|楼|户|门)){0,5}"
)  # fmt: skip
_ZH_HOME = re.compile(r"家|住|寄|收货|收件|送到|送货|地址|邮寄|搬到|宿舍|租在|租的|快递到")
_ZH_NUMBER = re.compile(r"\d\s*(?:号|弄|栋|幢|座|单元|室)|[一二三四五六七八九十百]+(?:号|栋|幢|单元|室)")
_ZH_ROOM = re.compile(r"[\dA-Za-z一二三四五六七八九十]\s*(?:室|户)|(?:栋|幢|单元|号楼|座)\s*[\dA-Za-z]{2,5}|-\d{3,4}")


def find(text: str) -> Iterator[Hit]:
    """Every personal identifier in the text."""
    text = without_opaque(text)
    yield from identity.find(text)
    yield from _phones(text)
    yield from _emails(text)
    yield from _accounts(text)
    yield from _births(text)
    yield from _addresses(text)
    yield from _second_opinion(text)


def _around(text: str, start: int, end: int, before: int = 48, after: int = 24) -> str:
    """The words of the same sentence around a span."""
    left = re.split(r"[\n。；;!?！？]|\.\s", text[max(0, start - before) : start])[-1]
    right = re.split(r"[\n。；;!?！？]|\.\s", text[end : end + after])[0]
    return left + " " + right


def _is_company(around: str) -> bool:
    return bool(_COMPANY.search(around)) and not _PERSONAL.search(around)


def _second_opinion(text: str) -> Iterator[Hit]:
    for hit in second_opinion.find(text):
        value = text[hit.start : hit.end]
        around = _around(text, hit.start, hit.end)
        other = _OTHER_NUMBER.search(text[max(0, hit.start - 40) : hit.start])
        if other or (_is_company(around) and hit.rule in ("pii.phone", "pii.email", "pii.messenger")):
            continue
        if hit.rule == "pii.phone" and (
            _TOLL_FREE.match(value) or _GLUED.search(text[max(0, hit.start - 1) : hit.end + 1])
        ):
            continue
        if hit.rule == "pii.email" and (_is_role(*value.split("@", 1)) or _is_code(text, hit.start)):
            continue
        if hit.rule == "pii.social_security" and not (
            _SSN.fullmatch(value) or _SOCIAL.search(around) and value.isascii()
        ):
            continue
        if hit.rule == "pii.phone" and re.fullmatch(r"(?!1[3-9]\d{9}$)\d+", value) and not _PHONE_WORD.search(around):
            continue
        yield hit


def _phones(text: str) -> Iterator[Hit]:
    for pattern, rule in ((_CN_MOBILE, "mobile"), (_NANP, "nanp"), (_PLUS, "plus"), (_CN_LANDLINE, "landline")):
        for m in pattern.finditer(text):
            before = text[max(0, m.start() - 40) : m.start()]
            around = _around(text, *m.span())
            if _TOLL_FREE.match(m[0]) or _OTHER_NUMBER.search(before) or _is_company(around):
                continue
            if rule == "plus" and not _is_possible(m[0]):
                continue
            if rule == "landline" and not (_PHONE_WORD.search(around) or _PERSONAL.search(around)):
                continue
            yield Hit("pii.phone", *m.span())
    yield from _trunk(text)
    for m in _NAMED.finditer(text):
        digits = re.sub(r"\D", "", m[1])
        around = _around(text, *m.span(1))
        if not 7 <= len(digits) <= 15 or _TOLL_FREE.match(m[1]) or _is_company(around):
            continue
        if _OTHER_NUMBER.search(text[max(0, m.start() - 24) : m.start(1)]) or re.match(r"(?:19|20)\d{2}[ .\-]", m[1]):
            continue
        yield Hit("pii.phone", *m.span(1))


def _trunk(text: str) -> Iterator[Hit]:
    for m in _TRUNK.finditer(text):
        around = _around(text, *m.span())
        dialled = 9 <= sum(c.isdigit() for c in m[0]) <= 11
        if (
            dialled
            and (_ANSWERED.search(around) or _PHONE_WORD.search(around))
            and not (
                _TOLL_FREE.match(m[0])
                or _OTHER_NUMBER.search(text[max(0, m.start() - 40) : m.start()])
                or _is_company(around)
            )
        ):
            yield Hit("pii.phone", *m.span())


def _is_code(text: str, start: int) -> bool:
    return bool(_CODE_BEFORE.search(text[max(0, start - 60) : start] + " "))


def _is_possible(number: str) -> bool:
    """True if a number in international form has a length its country uses."""
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse("+" + re.sub(r"\D", "", number).removeprefix("00")))
    except phonenumbers.NumberParseException:
        return False


def _is_role(local: str, domain: str = "") -> bool:
    """True for the box of a role at a domain of its own."""
    return bool(_ROLE.fullmatch(local)) and not _FREE_MAIL.search(domain)


def _emails(text: str) -> Iterator[Hit]:
    for pattern in (_EMAIL, _EMAIL_SPELLED):
        for m in pattern.finditer(text):
            if _is_role(m[1], text[m.end(1) : m.end()]) or _is_code(text, m.start()):
                continue
            if _is_company(_around(text, *m.span())):
                continue
            yield Hit("pii.email", *m.span())
    for m in _EMAIL_ALOUD.finditer(text):
        if not _is_role(m[2], text[m.end(2) : m.end(1)]) and not _is_company(_around(text, *m.span(1))):
            yield Hit("pii.email", *m.span(1))


def _accounts(text: str) -> Iterator[Hit]:
    for pattern in (_MESSENGER, _HANDLE, *_FOUND):
        for m in pattern.finditer(text):
            value = m[1]
            if not (re.search(r"[\d_@#.\-]", value[:-1]) or value.startswith("@")) or _is_company(
                _around(text, *m.span())
            ):
                continue
            if re.fullmatch(r"v?\d+(?:\.\d+)+\.?", value) or value.lower().startswith(("pay", "http")):
                continue
            # The key of a slot on the line below a text that ends in "WeChat": meeting_tool is nobody's account.
            if text[: m.start(1)].endswith("\n") and second_opinion.KEY.fullmatch(value):
                continue
            yield Hit("pii.messenger", *m.span(1))


def _births(text: str) -> Iterator[Hit]:
    for pattern in (_BIRTH, _BIRTH_AFTER):
        for m in pattern.finditer(text):
            if not _THING_BORN.search(text[max(0, m.start() - 24) : m.start()].rpartition(RECORD)[2]):
                yield Hit("pii.birth_date", *m.span(1))


def _addresses(text: str) -> Iterator[Hit]:
    for pattern in (_EN_STREET, _FLAT, _EU_STREET):
        for m in pattern.finditer(text):
            around = _around(text, *m.span(), before=60)
            home = bool(_HOME.search(around))
            if (home or _UNIT.search(m[0]) or _ZIP.search(m[0])) and not _is_office(around):
                yield Hit("pii.home_address", *m.span())
    for m in _ZH_STREET.finditer(text):
        around = _around(text, *m.span(), before=24, after=12)
        numbered = _ZH_NUMBER.search(m[0])
        if (
            numbered
            and (_ZH_ROOM.search(m[0]) or _ZH_HOME.search(around + m[0][:14]))
            and not _is_office(around + m[0])
        ):
            yield Hit("pii.home_address", *m.span())


_OFFICE = re.compile(
    r"\b(?:foundation|inc|ltd|llc|corp|gmbh|university|office|headquarters|hq|venue|restaurant|hotel|store|shop|clinic|warehouse|company|branch|campus|co-?working|gym|museum|showroom|conference)\b"
    r"|公司|办公|总部|前台|收发室|传达室|写字楼|(?:工业|科技|软件|产业|创业)园|(?:采购|财务|人事|市场|销售|行政|法务|技术|客服|售后|运营|物流|仓储)部|酒店|餐厅|饭店|门店|店|医院|仓库|分部|展厅|会议|工厂|机房|健身房|咖啡馆|学校",
    re.I,
)


def _is_office(around: str) -> bool:
    return bool(_OFFICE.search(around)) and not re.search(
        r"\b(?:lives?|home|resid\w+)\b|家住|住在|家庭|住址|我家|他家|她家", around, re.I
    )
