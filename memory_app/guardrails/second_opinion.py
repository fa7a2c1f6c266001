"""What the argus-redact library recognises as personal, in the rules' terms; `pii` decides what of it is private."""

import re
import warnings
from collections.abc import Iterator

from memory_app.guardrails.findings import Hit

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
# An opaque identifier is nobody's number, whatever its digits look like.
_UUID = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Za-z])")
_GLUED = re.compile(r"[A-Za-z0-9_]")
# The library warns where its own merge and our list of types disagree; it keeps the span then, which is what we want.
warnings.filterwarnings("ignore", message=r".*lost redaction coverage")
# Without a list of types the library also reports foods as medical facts and months as politics.
_TYPES = list(_RULES)


def find(text: str) -> Iterator[Hit]:
    """Every span that the library takes for a personal identifier."""
    from argus_redact import redact  # loaded with the first text: its patterns take a moment

    try:
        entities = redact(text, mode="fast", lang=["zh", "en"], report=True, types=_TYPES).entities
    except (ValueError, Warning):
        return  # text it cannot read (its core is strict about Unicode) is left to the rules of this package
    opaque = [m.span() for m in _UUID.finditer(text)] if entities else []
    for entity in entities:
        hit = Hit(_RULES[entity["type"]], entity["start"], entity["end"])
        if not _is_part(text, hit) and not any(start <= hit.start and hit.end <= end for start, end in opaque):
            yield hit


def _is_part(text: str, hit: Hit) -> bool:
    """True if the span is torn out of a longer run of letters and digits, such as a random key."""
    if hit.rule not in ("pii.social_security", "pii.messenger"):
        return False
    before, after = text[hit.start - 1 : hit.start] if hit.start else "", text[hit.end : hit.end + 1]
    return bool(_GLUED.fullmatch(before) or _GLUED.fullmatch(after))
