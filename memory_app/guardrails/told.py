"""Secrets that are told in passing: without a verb, in part, or as a bare "code" whose purpose says what it opens."""

import re
from collections.abc import Iterator

from memory_app.guardrails.findings import Hit
from memory_app.guardrails.gate import gated
from memory_app.guardrails.literal import is_literal, is_measure, is_reference, trimmed

_WORD = r"(?:pass ?(?:word|code|phrase)|passwd|pwd|pin(?: code| number)?|login code)"
_COUNT = r"(?:two|three|four|five|six|eight|\d{1,2})"
# "wifi password guest1234": a noun and its value, side by side.
_BESIDE = gated(
    r"(?<![A-Za-z0-9])(?:(wi-?fi|router|hotspot|network|admin|root|guest|login|vpn|server|database|db|laptop|e-?mail|account|bank|my|his|her|our|their|the)\s)(?:[a-z-]{2,12}\s)?pass(?:word|code|phrase)"
    r"(?:\s(?:for|to|of|at)\s(?:(?:the|my|our|his|her)\s)?[a-z-]{2,16}(?:\s[a-z-]{2,16})?)?\s{1,2}([^\s\"'`,;:()]{6,64})", re.I
)  # fmt: skip
_NAMED_THING = re.compile(
    r"^(?:sha|md|aes|rsa|hmac|pbkdf|argon|bcrypt|scrypt|base|utf|oauth|totp|fips|nist|iso|v)-?\d|^(?:pbkdf|argon|bcrypt|scrypt|oauth|policy|policies|manager|rotation|reset|hint|page|step|form|field|ticket|issue|version|error|http|ipv?)[\w-]*\d+$"
    r"|^[A-Z]{2,10}-\d+$|^[A-Z]{2,10}\d?$|^\d+[a-z]{1,7}$|^v?\d+(?:[.\-/:]\d+)+",
    re.I,
)
# The recipe of a password, and after the colon what it makes: "the dog's name and the year: biscuit2019". Before an @ it is
# a word of an address.
_MADE = gated(
    rf"(?:(?<![A-Za-z0-9])(?:{_WORD}|wi-?fi key)(?![A-Za-z0-9])|密码|口令|暗号)(?![学@])[^\n。.;；:：?？]{{1,60}}?(?:[:：]|\b(?:reads|says)\b|写着)\s?[\"'“「`]?([!-~]{{6,64}})",
    re.I,
)
# "the last four digits of my PIN are 4821", "my password ends in Kite77".
_PART = gated(
    rf"(?<![A-Za-z0-9])(?:first|last|final|middle)\s(?:{_COUNT}\s)?(?:(?:digits?|characters?|letters?|numbers?)\s)?(?:of|in)\s(?:the|my|his|her|our|their|your)\s(?:[\w-]+\s){{0,3}}?{_WORD}\s?(?:is|are|was|were|:|=)\s?[\"'`“]?([^\s\"'`”,;]{{2,64}})"
    rf"|(?<![A-Za-z0-9]){_WORD}(?:\s(?:for|to|of)\s[^\n.,;]{{1,30}}?)?\s(?:starts?|begins?|ends?)\s(?:with|in)\s(?:the\s(?:digits|letters|characters)\s)?[\"'`“]?([^\s\"'`”,;]{{2,64}})", re.I
)  # fmt: skip
_HAN_PART = gated(
    r"(?:密码|口令|暗号|密钥|PIN ?码?)(?:的)?(?:前|后|末|尾|最后|最前|开头|结尾|头|中间)(?:面)?(?:[一二两三四五六七八\d]{0,2})(?:位|个)?(?:数字|字符|字母|数|号)?\s?(?:分别)?(?:是|为|:|=|\s)\s?[\"'“「]?([!-&(-+\--:<-_a-~]{2,64})",
    re.I,
)
# "the code is 483920": what it opens stands in the same sentence.
_CODE = gated(
    r"(?<![A-Za-z0-9])(?:(?:the|my|his|her|our|their|your|today's)\s(?:new\s|current\s)?|(?:my|his|her)\s(?:bank|banking|wallet|account|atm|safe|phone)\s)code(?:\s(?:for|to|of)\s[^\n.,;:\d]{1,30}?)?\s?(?:(?:is|was|will be)(?:\snow)?|:|=)\s?[\"'`“]?(\d{4,8}|\d{3}[ -]\d{3})(?![\w-]|\.\d)"
    r"|(?<![A-Za-z0-9])code\s(\d{4,8})\s(?=(?:for|to|opens|unlocks)\s)",
    re.I,
)
_OPENS = re.compile(
    r"\b(?:log(?:s|ged|ging)?[- ]?(?:in|on)|sign(?:s|ed|ing)?[- ]?in|bank(?:ing)?|2fa|two-factor|verif\w+|authenticat\w+|unlock\w*|doors?|gates?|alarm|safe|garage|locker|lock ?box|entrance|wallet|vault|vpn|paypal|alipay|wechat|account|phone|sim)\b",
    re.I,
)
_SIGNS_IN = re.compile(r"\b(?:log|sign)\w*[- ]?(?:in|on)\b|\b(?:2fa|two-factor|verif\w+|authenticat\w+)", re.I)
_OTHER_CODE = re.compile(
    r"\b(?:errors?|fails?|failed|failure|exception|status|http|returns?|returned|exit|area|postal|zip|country|branch|sort|swift|routing|lines|discount|promo|voucher|product|item|part|order|tracking|serial|model|paint|colou?r|dress)\b",
    re.I,
)
_HAN_CODE = gated(
    r"(?:码|代码|(?<=[门锁箱柜]的)(?:数字|号码))\s?(?:就)?(?:是|为|:|=)\s?[\"“「]?(\d{4,8})(?![\dA-Za-z_.\-]|\s?[元块行个页年])"
)
_HAN_OPENS = re.compile(
    r"(?:登录|登陆|取款|支付|解锁|开锁|开门|进门|门禁|验证|网银|保险箱|保险柜)[^。！？\n，,]{0,10}$"
)
_HAN_OTHER = re.compile(
    r"错误|报错|失败|异常|状态|邮编|邮政|区号|基金|股票|银行代码|机构|产品|项目|版本|订单|卡号|电话|手机|尾号"
)
_END = re.compile(r"[.!?](?=\s)|[\n。！？!?]")


def _sentence(text: str, start: int, end: int) -> str:
    left = _END.split(text[max(0, start - 80) : start])[-1]
    right = _END.split(text[end : end + 80])[0]
    return left + text[start:end] + right


def _beside(text: str) -> Iterator[Hit]:
    for m in _BESIDE.finditer(text):
        value = trimmed(m[2])
        digits, letters = sum(c.isdigit() for c in value), sum(c.isalpha() for c in value)
        signs = sum(c in "!@#$%^&*?+~" for c in value)
        if not digits or not letters or is_reference(value) or _NAMED_THING.search(value):
            continue
        if (digits >= 2 or signs or m[1].lower().startswith("wi")) and is_literal(value, "."):
            yield Hit("secret.password", m.start(2), m.start(2) + len(value))


def _parts(text: str) -> Iterator[Hit]:
    for pattern in (_PART, _HAN_PART):
        for m in pattern.finditer(text):
            group = next(i for i in range(1, m.re.groups + 1) if m[i])
            value = trimmed(m[group])
            after = text[m.start(group) + len(value) : m.start(group) + len(value) + 24]
            if any(c.isdigit() for c in value) and not is_reference(value) and not is_measure(value, after):
                yield Hit("secret.password", m.start(group), m.start(group) + len(value))


def find(text: str) -> Iterator[Hit]:
    """Every password and code that is told in passing."""
    yield from _beside(text)
    yield from _parts(text)
    for m in _MADE.finditer(text):
        value = trimmed(m[1])
        mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
        if mixed and not is_reference(value) and not re.fullmatch(r"[A-Z]{2,10}-\d+", value) and "://" not in value:
            yield Hit("secret.password", m.start(1), m.start(1) + len(value))
    for m in _CODE.finditer(text):
        around = _sentence(text, *m.span())
        group = 1 if m[1] else 2
        counted = is_measure(m[group], text[m.end(group) : m.end(group) + 12])
        if _OPENS.search(around) and not counted and not _OTHER_CODE.search(around):
            signs_in = _SIGNS_IN.search(around)
            yield Hit("secret.one_time_code" if signs_in else "secret.password", *m.span(group))
    for m in _HAN_CODE.finditer(text):
        before = text[max(0, m.start() - 24) : m.start()]
        if _HAN_OPENS.search(before) and not _HAN_OTHER.search(_sentence(text, *m.span())):
            yield Hit("secret.one_time_code", *m.span(1))
