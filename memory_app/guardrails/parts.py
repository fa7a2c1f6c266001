"""Numbers and keys that were told in parts: "the first half is …, the second half is …"."""

import re
from collections.abc import Iterator
from itertools import pairwise

from memory_app.guardrails.findings import Hit, by_record
from memory_app.guardrails.gate import gated
from memory_app.guardrails.opaque import without_opaque

_ORDINAL = r"(?:first|second|third|fourth|last|final|other|1st|2nd|3rd|4th)"
_PART = gated(
    rf"\b(?:{_ORDINAL}\s+(?:half|part|piece|chunk|section|segment|block|group|quarter|(?:\w+\s+)?(?:digits|characters|chars|letters)|two|three|four|six|eight|ten|\d{{1,2}})"
    r"|(?:part|half|piece|chunk|segment|section)\s+(?:one|two|three|four|\d|[ab])|starts?\s+with|begins?\s+with|ends?\s+(?:with|in)|continues\s+with|followed\s+by|then|the\s+rest)\b"
    r"(?:\s+(?:of|in)\b[^\n,;:]{0,30}?)?\s*(?:is|are|was|:|=)?\s*[\"'`]?"
    r"((?=[^\s]*\d|(?-i:[A-Z0-9]{4,}))[A-Za-z0-9+/_\-]{2,64}(?:[ -]\d{2,8}){0,4})"
    r"|(?:前半|后半|上半|下半|前一半|后一半|另一半|第[一二三四1-4](?:部分|段|组|节|截|半)|前[一二三四五六七八九十\d]{1,3}(?:位|个字符)?|后[一二三四五六七八九十\d]{1,3}(?:位|个字符)?|前面(?:是)?|后面(?:是)?|中间[一二三四五六七八\d]{0,3}位?|剩下(?:的)?|其余|开头|结尾|最后[一二三四五六七八\d]{0,3}位?|末[一二三四五六七八\d]位)(?:段|部分)?"
    r"\s*(?:是|为|:|=)?\s*[\"'`“「]?([A-Za-z0-9+/_\-]{2,64}(?:[ -]\d{2,8}){0,4})", re.I
)  # fmt: skip
_SECRET = re.compile(r"\bkey\b|token|secret|pass(?:word|code|phrase)|credential|密码|密钥|秘钥|令牌|口令|私钥", re.I)
_CARD = re.compile(r"\bcards?\b|visa|mastercard|amex|卡号|银行卡|信用卡|储蓄卡|卡", re.I)


# Digits of a card with words between them, and the words that say so.
_SOME_DIGITS = gated(r"(?<![A-Za-z0-9_.])\d(?:[ -]?\d){3,14}(?![A-Za-z0-9_]|\.\d)")
_IN_PARTS = re.compile(
    r"\b(?:half|halves|rest|remain\w+|remainder|first|last|then|next|follow\w*|continu\w+|starts?|begins?|ends?|second|other part)\b"
    r"|前半|后半|前面|后面|剩下|其余|接着|然后|再接|余下|开头|结尾|后头|下半",
    re.I,
)
_APART = 80


def _halves(text: str) -> Iterator[Hit]:
    """Neighbouring numbers which, told as parts of one, are a card number."""
    from memory_app.guardrails.payment import is_card

    if not _IN_PARTS.search(text):
        return
    text = without_opaque(text)
    spans = [m.span() for m in _SOME_DIGITS.finditer(text)][:64]
    for first in range(len(spans)):
        for last in range(first + 1, min(first + 4, len(spans))):
            told = spans[first : last + 1]
            between = [text[a:b] for (_, a), (b, _) in pairwise(told)]
            if any(len(words) > _APART for words in between) or not any(_IN_PARTS.search(words) for words in between):
                continue
            digits = re.sub(r"\D", "", "".join(text[a:b] for a, b in told))
            if 15 <= len(digits) <= 19 and is_card(digits):
                yield from (Hit("payment.card_parts", a, b) for a, b in told)


def find(text: str) -> Iterator[Hit]:
    """The parts of a card number or a key, each as a hit, if together they are one."""
    yield from by_record(_find, text)


def _find(text: str) -> Iterator[Hit]:
    from memory_app.guardrails.payment import is_card

    yield from _halves(text)
    parts = list(_PART.finditer(text))
    if len(parts) < 2 or len(parts) > 64:
        return
    spans = [m.span(1) if m[1] else m.span(2) for m in parts]
    values = [text[a:b] for a, b in spans]
    digits = "".join(re.sub(r"\D", "", v) for v in values)
    if all(re.fullmatch(r"[\d -]+", v) for v in values) and len(digits) >= 12:
        card = is_card(digits) or (bool(_CARD.search(text)) and 13 <= len(digits) <= 19)
        if card:
            yield from (Hit("payment.card_parts", a, b) for a, b in spans)
        return
    joined = "".join(values)
    mixed = any(c.isdigit() for c in joined) and any(c.isalpha() for c in joined)
    if _SECRET.search(text) and len(joined) >= 8 and mixed:
        yield from (Hit("secret.parts", a, b) for a, b in spans)
