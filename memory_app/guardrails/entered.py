"""Secrets by what is done with them: typed at a prompt, pressed at a door, read from a message, answered to a question.

No word for "password" is needed. Two pieces of evidence in one sentence are: a literal, and an act of getting in.
- a mixed literal (letters, and digits or signs, in one word) beside an act of entering: "types …", "the prompt", 登录;
- a number of four to eight digits beside a thing that opens and an act of opening it: "the gate takes …", 门按 …;
- such a number that came in a message or an app and is to be entered, or lasts some minutes;
- the answers to security questions.
Names of things ("E1042", "iPhone15", "node-04", "10km", hosts, versions, dates) are no literals, and a number that
something else has said what it is ("ticket 4521") opens nothing.
"""

import re
from collections.abc import Iterator

from memory_app.guardrails.findings import Hit
from memory_app.guardrails.gate import gated
from memory_app.guardrails.literal import is_measure, is_reference, trimmed

_REACH = 64
_DIGIT = re.compile(r"\d")
_TOKEN = re.compile(r"(?<![^\s\"'“‘`「『(（,，:：、=\u3400-\u9fff])[!-~]{6,64}")
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.#/:+\-])(?:\d{4,8}|\d{2,4}[ -]\d{2,4}(?:[ -]\d{2,4})?|\d{1,2}(?:-\d{1,4}){2,4})(?![A-Za-z0-9_/:%]|[.\-][A-Za-z0-9_]|,\d{3}(?!\d)|\s?(?:-|–)\s?\d)"
)
_SIGNS = frozenset("!#$%^&*?+~=@|")
_THING = re.compile(
    r"^[A-Za-z]{1,6}[-_ ]?\d{1,6}[a-z]?$|^[A-Za-z][A-Za-z]*\d{1,2}$|^v?\d+(?:[.\-/:_]\d+)+\w*$|^[\d.,:/\-]+[A-Za-z]{1,8}$|^[\w.+-]+@[\w-]+\.[\w.]+$|^@|"
    r"^(?:[\w-]+\.)+[A-Za-z]{2,}(?:[:/].*)?$|^[a-z]+(?:[-_][a-z0-9]+)+$|^[A-Z0-9]+(?:[-_][A-Z0-9]+)+$|^\w+://|^-|[(){}<>\[\]\\]|^0x|^\d{1,2}(?:am|pm)|^[\d\w]+/[\d\w/.]+$|^[A-Z][\w-]*/\S+$|^[0-9a-f]{7,64}$|[A-Za-z]+=\d{1,4}$"
)
# A digit in the place of a letter, in two words put together: Tr0mbone-Quay.
_BENT = re.compile(
    r"^(?=.{8})(?:[A-Za-z]+[-_.])*[A-Za-z]+\d[A-Za-z]{2,}(?:[-_.][A-Za-z]{2,})+$|^(?:[A-Za-z]{2,}[-_.])+[A-Za-z]+\d[A-Za-z]{2,}$"
)
_ENTERED = gated(
    r"\bpass(?:word|code|phrase)s?\b|\b(?:log|sign)(?:s|ged|ging|ned|ning|ing)?[- ]?(?:in|on|into|onto)s?\b|\bpass\b|\bcredentials?\b|\bprompt(?:s|ed)?\b|\bunlock\w*|\bwi-?fi\b|\b(?:guest|home) network\b|\bhotspot\b"
    r"|\b(?:types|typed|typing)\b|\b(?:to|and|then|just|must|you|we|i) (?:type|key in)\b|\b(?:key|punch|type|tap|put)(?:s|es|ed|ting)? in\b|\bopens? (?:with|when|to)\b|\b(?:sudo|root|admin|imap|smtp|ftp|ssh|vpn) (?:thing|user|one|box|account)\b|\bsecret\b|\b(?:it|which|that|box|field|terminal|console|server|machine|router|portal) (?:then )?(?:wants|asks for|takes|expects)\b|\bwhen (?:it|asked|prompted)\b"
    r"|密码|口令|登[录陆入]|输入?(?!出|赢)|敲|键入|开机|解锁|连上|连网|连接?(?:无线|网络)|热点|网盘|验证|密匙|解开|解压|后台|进去|一串|(?<![A-Za-z])wi-?fi|无线|后面那串", re.I
)  # fmt: skip
_NAMED = re.compile(
    r"(?:\b(?:as|user(?:name)?|login name|account|tickets?|version|model|hosts?|node|branch|tag|file|build|commit|release|of type|id|code ?name|order|serial|part|error|issue|section|room|flight|train|bus|route|line|page|chapter|number|no\.|sku|handle|against)"
    r"|用户名|账号|帐号|工单|型号|版本|分支|主机|文件|订单|单号|编号|错误码|航班|车次|房间)\s?(?:名|is|is called|called|为|是|叫|[:：#])?\s?[\"'“「(]?$",
    re.I,
)
_COUNTED = re.compile(
    r"(?:\b(?:tickets?|orders?|flights?|trains?|rooms?|errors?|invoices?|pages?|version|builds?|ports?|lines?|status|http|numbers?|no\.?|ext(?:ension)?\.?|zip|year|(?<!tap )(?<!put )(?<!key )(?<!punch )(?<!type )(?<!ping )(?<!ting )in|since|of|about|around|costs?|paid|pays?|for|bus|route|gates?|seats?|desks?|cases?|issues?|pr|lockers?|items?|parts?|model|series|serial|parcel|order|code name|eur|usd|gbp|cny|[$€£¥#])"
    r"|工单|订单号?|单号|航班|车次|房间|错误码?|报错|发票号?|端口|状态码?|邮编|编号|版本|型号|元|共|约|第|年|尾号|分机|工号|柜号|总机|热线|电话|价|花了?|卖)\s?(?:number |no\.? |号 ?|是 ?|为 ?|[:：#] ?)?$",
    re.I,
)
_OPENED = gated(
    r"\b(?:locks?|locker|padlock|lock ?box|key ?box|doors?|gates?|alarms?|key ?pads?|panel|safe|suitcase|briefcase|garage|entrance|entry|intercom|vault|barrier|turnstile|shed|drawer|cupboard|lift|elevator|voice ?mail|mailbox|phone|tablet|ipad|kindle|laptop|computer|watch|sim)\b"
    r"|锁|门(?!诊|票|店|课)|柜|箱|闸|报警器|手机|平板|电脑|单元楼|电梯|车库|键盘|配对|投屏",
    re.I,
)
_OPENING = re.compile(
    r"(?:\b(?:opens? (?:with|on|to|at)|wakes? (?:up )?(?:with|to|on)|taps? in|put(?:s|ting)? in|(?:numbers?|digits|figures)\b[^\n.;]{0,30}?\b(?:are|is)|takes|press(?:es)?|punch(?:es)?(?: in)?|dials?|enters?|types?|keys? in|combination|combo|turn(?:s|ed)? to|set (?:to|at)|unlocks? (?:with|on|at)|unlocked with|answers to|giving|gives|quot(?:es?|ing)|wants|needs|is (?:on|at|set to)|drawing|swip(?:es?|ing)|pattern)"
    r"|(?:保险[柜箱]|密码箱|锁)[^\n。；]{0,20}?(?:数字|号码|组合|密字)(?:依次|分别)?就?是"
    r"|(?:开机|解锁|锁屏|开门|开锁)的?(?:数字|号码|那串)?就?是|锁就?是|按(?:下)?|输入?|拨(?:到|成)?|转到|转成|拧到|敲|报|填|调到|(?:锁屏?|开机|门禁|柜|箱)[^\n。；]{0,14}?(?:改成|换成|设成|设为|改为)了?)[^\n.;。；]{0,16}$",
    re.I,
)
# "The gate opens at 0730" is an hour, "the lock opens at 3-9-2" is none.
_HOUR, _LOCK = (
    re.compile(r"\bat\s$"),
    gated(r"lock|safe|suitcase|briefcase|combination|锁|保险[柜箱]|密码箱", re.I),
)
_TURN = gated(
    r"(?:\b(?:left|right|clockwise)\b|[左右]|[顺逆]时针)[^\n.;。；\d]{0,20}?(\d{1,2})(?!\d|\s?(?:圈|times|turns))", re.I
)
_PIN = gated(
    r"\b(?:PIN|pin code|passcode|(?:access|entry|unlock|door|gate|alarm) code)\b[^\n.;:\d]{0,24}?(?:\b(?:\d|four|five|six|eight)[- ]digits?\b[^\n.;:\d]{0,8}?)?[:=]\s?(\d{4,8})(?![\w-])",
    re.I,
)
# In capitals it is the code itself, where four digits follow; six are a postal code in India.
_BARE_PIN = gated(r"(?<![A-Za-z])PIN\s(\d{4})(?![\w-])")
# A code of letters and digits, in capitals as such codes are, read from where codes arrive.
_SAID = gated(
    r"\b(?i:guard|authenticator|verification|log-?in|sign-?in|2fa|one-time)\b[^\n.;:]{0,30}?(?:\b(?i:says|reads|shows|is)|:)\s([A-Z0-9]{5,8})(?![\w-])"
)
_SENT = gated(
    r"\b(?:texts?|texted|sms|message|authenticator|(?:six|four|eight|[468])[- ]digits?|digits|push|app|guard)\b|短信|弹出来?的?|的码|码是|发来|收到|发的|验证器|(?:[四六八468]位)数?字?|动态|令牌",
    re.I,
)
_LASTS = gated(
    r"\b(?:enter|type|log ?in|sign ?in|verify|expires?|valid|right now|within|confirm with|read (?:it|that) (?:out|back))\b|登[录陆入]|有效|分钟内|输入|验证|过期|失效|报给|赶紧填|填进?去?",
    re.I,
)
_QUESTION = gated(
    r"\banswers? to (?:the|his|her|my|their) (?:\w+ )?(?:security|secret|recovery|reset|verification) question[^.\n]{0,12}?\b(?:is|was)\s?([^.\n]{3,160})|\b(?:security|secret|recovery|verification|reset)\s(?:questions?|answers?)\b(?:\s(?:and\s)?answers?)?[^.\n]{0,24}?(?::|\bis\b|\bare\b|\bwas\b)\s?([^.\n]{4,160})"
    r"|密保(?:问题)?(?:的?答案)?[^。\n]{0,6}?(?:[:：]|是|为)\s?([^。\n]{2,80})",
    re.I,
)
_ANSWERED = re.compile(
    r"\b(?:first|maiden|mother|father|pet|school|teacher|street|born|city|childhood|favou?rite)\b|[A-Z][a-z]{2,}|姓|叫|小学|老师|第一|妈妈|出生|是",
    re.A,
)
_END = re.compile(r"[.!?](?=\s|$)|[\n。！？；]")


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for m in _END.finditer(text):
        yield at, text[at : m.end()]
        at = m.end()
    yield at, text[at:]


def _is_mixed(value: str) -> bool:
    """True if the word is made of letters and digits or signs as no name of a thing is."""
    letters, digits = sum(c.isalpha() for c in value), sum(c.isdigit() for c in value)
    signs = sum(c in _SIGNS for c in value)
    if letters < 2 or _THING.search(value) or is_reference(value):
        return False
    return digits >= 2 or bool(digits and (signs or _BENT.search(value)))


def find(text: str) -> Iterator[Hit]:
    """Every secret that the act of using it gives away."""
    for m in _QUESTION.finditer(text):
        group = next(i for i in (1, 2, 3) if m[i])
        if _ANSWERED.search(m[group]):
            yield Hit("secret.password", *m.span(group))
    if _DIGIT.search(text) is None:
        return
    for pattern in (_PIN, _BARE_PIN):
        yield from (Hit("secret.password", *m.span(1)) for m in pattern.finditer(text))
    for m in _SAID.finditer(text):
        if any(c.isdigit() for c in m[1]) and any(c.isalpha() for c in m[1]):
            yield Hit("secret.one_time_code", *m.span(1))
    turned, entered = _LOCK.may_be_in(text) and _TURN.may_be_in(text), _ENTERED.may_be_in(text)
    numbered = _OPENED.may_be_in(text) or (_SENT.may_be_in(text) and _LASTS.may_be_in(text))
    if not (turned or entered or numbered):
        return
    for at, sentence in _sentences(text):
        yield from _turns(sentence, at) if turned else ()
        yield from _words(sentence, at) if entered else ()
        yield from _numbers(sentence, at) if numbered else ()


def _turns(sentence: str, at: int) -> Iterator[Hit]:
    turns = list(_TURN.compiled.finditer(sentence)) if _LOCK.compiled.search(sentence) else []
    if len(turns) >= 2:
        yield from (Hit("secret.password", at + m.start(1), at + m.end(1)) for m in turns)


def _near(pattern: re.Pattern[str], sentence: str, start: int, end: int) -> bool:
    return pattern.search(sentence[max(0, start - _REACH) : start] + " ￼ " + sentence[end : end + _REACH]) is not None


def _words(sentence: str, at: int) -> Iterator[Hit]:
    if not _ENTERED.compiled.search(sentence):
        return
    for m in _TOKEN.finditer(sentence):
        value = trimmed(m[0])
        start, end = m.start(), m.start() + len(value)
        if not value or not _is_mixed(value) or not _near(_ENTERED.compiled, sentence, start, end):
            continue
        if not _NAMED.search(sentence[max(0, start - 24) : start]):
            yield Hit("secret.password", at + start, at + end)


def _numbers(sentence: str, at: int) -> Iterator[Hit]:
    opened, sent = (
        _OPENED.compiled.search(sentence),
        _SENT.compiled.search(sentence) and _LASTS.compiled.search(sentence),
    )
    if not (opened or sent):
        return
    locked = _LOCK.compiled.search(sentence) is not None
    for m in _NUMBER.finditer(sentence):
        before, after = sentence[max(0, m.start() - 40) : m.start()], sentence[m.end() : m.end() + 16]
        if (
            _COUNTED.search(before)
            or is_measure(m[0], after)
            or re.match(r"\s?(?:[年月元块天人米楼桩路室班车期届家种页字]|号(?!键))", after)
        ):
            continue
        if opened and _OPENING.search(before) and (locked or not _HOUR.search(before)):
            yield Hit("secret.password", at + m.start(), at + m.end())
        elif sent and 4 <= sum(c.isdigit() for c in m[0]) <= 8:
            yield Hit("secret.one_time_code", at + m.start(), at + m.end())
