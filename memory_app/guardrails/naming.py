"""Secrets told in two places: one says what it is ("the wifi password"), another holds it alone."""

import re
from collections.abc import Iterable, Sequence

from memory_app.guardrails import passwords
from memory_app.guardrails.findings import MASKED_CATEGORIES, Finding
from memory_app.guardrails.own import BUILT_IN, RuleSet

_NAME = re.compile(
    r"pass[ _-]?(?:word|code|phrase|wd)|(?<![a-z])(?:pwd|pin|otp|token|secret|credential|ssn|iban|cvv2?|cvc2?|cookie)(?![a-z])"
    r"|(?:api|access|secret|private|signing|encryption|master)[ _-]?key|(?:verification|one[ _-]?time|security|recovery|backup|door|alarm)[ _-]?code"
    r"|(?:card|account|passport|social security|national insurance|driving licence|driver'?s license|phone|mobile)[ _-]?(?:number|no\b)|passport|(?<![a-z])(?:wechat|weixin|telegram|whatsapp|skype|discord|qq)(?![a-z])"
    r"|密码|口令|密钥|秘钥|令牌|验证码|动态码|恢复码|安全码|卡号|银行卡|信用卡|账号|护照号?|身份证号?|手机号?|微信号?"
    rf"|{passwords.ANY}(?![a-z])",
    re.I,
)
#: Names of the member that says what a value is, and of the one that holds it: `{"name": "password", "value": …}`.
LABELS = frozenset("name key field label title type kind id property variable param parameter header".split())
VALUES = frozenset("value val content data default answer text string result".split())
_MOST = 8


def names_in(text: str) -> tuple[str, ...]:
    """What the text says that something is, each once: "password", "card number"."""
    found = (re.sub(r"[_-]", " ", m[0]).lower() for m in _NAME.finditer(text[:4000]))
    return tuple(dict.fromkeys(found))[:_MOST]


def told_by(names: Sequence[str], values: Sequence[str], rules: RuleSet = BUILT_IN) -> list[list[Finding]]:
    """What each value holds, by its offsets in the value, now that it may be what the names say."""
    from memory_app.guardrails.together import scan_each

    pairs = [(place, name) for place in range(len(values)) for name in names]
    found: list[list[Finding]] = [[] for _ in values]
    shown = scan_each([f"{name}: {values[place]}" for place, name in pairs], MASKED_CATEGORIES, rules)
    for (place, name), findings in zip(pairs, shown, strict=True):
        for f in findings:
            start, end = f.start - len(name) - 2, f.end - len(name) - 2
            if start >= 0 and (f.category != "secret" or _is_mixed(name, values[place][start:end])):
                found[place].append(Finding(f.category, f.rule, start, end))
    return found


def _is_mixed(name: str, value: str) -> bool:
    """True if this is no word and no measure ("90_days"): what stands beside a word that names secrets mostly is."""
    if value.isdigit():
        return 4 <= len(value) <= 12 and not re.search("token|secret|credential|cookie|key", name)
    return any(part and not part.isalpha() and not part.isdigit() for part in re.split(r"[_\-\s]", value))


def pieces(items: Sequence[str], mark: str, findings: Iterable[Finding]) -> list[str]:
    """The parts of the items, joined by `mark`, that lie inside the findings."""
    found: list[str] = []
    at = 0
    for item in items:
        for f in findings:
            start, end = max(f.start - at, 0), min(f.end - at, len(item))
            if f.category in MASKED_CATEGORIES and start < end:
                found.append(item[start:end])
        at += len(item) + len(mark)
    return found
