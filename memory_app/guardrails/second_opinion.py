"""What the argus-redact library recognises as personal, in the rules' terms; `pii` decides what of it is private."""

import re
import unicodedata
import warnings
from collections.abc import Iterator
from functools import cache, lru_cache

from memory_app.guardrails.findings import Hit
from memory_app.guardrails.gate import Gated, gated

_RULES = {
    "phone": "pii.phone",
    "email": "pii.email",
    "id_number": "pii.national_id",
    "hk_id": "pii.national_id",
    "macau_id": "pii.national_id",
    "tw_id": "pii.national_id",
    "ssn": "pii.social_security",
    "itin": "pii.social_security",
    "passport": "pii.passport",
    "us_passport": "pii.passport",
    "hrp": "pii.passport",
    "eep": "pii.passport",
    "military_id": "pii.licence",
    "wechat": "pii.messenger",
    "qq": "pii.messenger",
    "date_of_birth": "pii.birth_date",
}
KEY = re.compile(r"[a-z]+(?:_[a-z]+)+")  # of a slot, which stands on a line of its own below a memory's text
_GLUED = re.compile(r"[A-Za-z0-9_]")
# Every kind of identifier that the library knows has a digit or an @, or is named.
_NEEDED = re.compile(r"[0-9@]|微信|[Ww][Ee][Cc][Hh][Aa][Tt]|[Vv][Xx]")
# Everything but ASCII, Han characters and their punctuation.
_OTHER = re.compile(r"[^\x00-\x7f\u3000-\u303f\u3400-\u9fff\uff01-\uff5e]")
# The library warns where its own merge and our list of types disagree; it keeps the span then, which is what we want.
warnings.filterwarnings("ignore", message=r".*lost redaction coverage")
# Without a list of types the library also reports foods as medical facts and months as politics.
_TYPES = list(_RULES)
#: The library reads a longer text itself: its engine keeps in step with the length whatever the text.
_ASKED_BY_PATTERN = 4_000


def find(text: str) -> Iterator[Hit]:
    """Every span that the library takes for a personal identifier; a line on which it fails is one as a whole."""
    if not _NEEDED.search(text):
        return
    simple = _simple(text)
    entities = _entities(simple)
    if entities is None:
        yield from _line_by_line(simple)
        return
    yield from (hit for hit in entities if not _is_part(text, hit))


def _simple(text: str) -> str:
    """The text, as long as before, in the characters that the library's rules are about: its core panics on others,
    and says in the log what it was reading."""
    return text if text.isascii() else _OTHER.sub(lambda m: _stand_in(m[0]), text)


@lru_cache(maxsize=4096)
def _stand_in(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return str(value) if value is not None else "字" if character.isalpha() else " "


def _entities(text: str) -> list[Hit] | None:
    """What the library finds, or None where it fails."""
    from argus_redact import redact  # loaded with the first text: its patterns take a moment

    try:
        if not _may_find(text):
            return []
        found = redact(text, mode="fast", lang=["zh", "en"], report=True, types=_TYPES).entities
        return [Hit(_RULES[entity["type"]], entity["start"], entity["end"]) for entity in found]
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException:  # a panic of its core is no Exception, and must not end the process
        return None


@cache
def _patterns() -> tuple[Gated, ...]:
    """What the library looks for, of the kinds that are asked for."""
    from argus_redact.lang.en.patterns import PATTERNS as ENGLISH
    from argus_redact.lang.shared.patterns import PATTERNS as SHARED
    from argus_redact.lang.zh.patterns import PATTERNS as CHINESE

    return tuple(
        gated(each["pattern"])
        for each in (*CHINESE, *ENGLISH, *SHARED)
        if each["type"] in _RULES and each["type"] != "email"
    )


def _may_find(text: str) -> bool:
    """False if none of these patterns is in the text as the library reads it: it looks for sixty more, for persons and
    for places, which takes some milliseconds."""
    from argus_redact.pure.normalize import normalize_text

    if len(text) > _ASKED_BY_PATTERN:
        return True
    read = normalize_text(text)[0]
    return "@" in read or any(pattern.search(read) for pattern in _patterns())


def _line_by_line(text: str) -> Iterator[Hit]:
    at = 0
    for line in text.splitlines(keepends=True):
        entities = _entities(line)
        if entities is None:
            yield Hit("pii.unread", at, at + len(line.rstrip()))
        else:
            yield from (Hit(hit.rule, at + hit.start, at + hit.end) for hit in entities)
        at += len(line)


def _is_part(text: str, hit: Hit) -> bool:
    """True if the span is torn out of a longer run of letters and digits, such as a random key, or is the key of a slot
    on the line below the name of a messenger."""
    if hit.rule not in ("pii.social_security", "pii.messenger"):
        return False
    before, after = text[hit.start - 1 : hit.start] if hit.start else "", text[hit.end : hit.end + 1]
    if before == "\n" and KEY.fullmatch(text, hit.start, hit.end):
        return True
    return bool(_GLUED.fullmatch(before) or _GLUED.fullmatch(after))
