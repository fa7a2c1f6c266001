"""What the argus-redact library recognises as personal, in the rules' terms; `pii` decides what of it is private."""

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
# Without a list of types the library also reports foods as medical facts and months as politics.
_TYPES = list(_RULES)


def find(text: str) -> Iterator[Hit]:
    """Every span that the library takes for a personal identifier."""
    from argus_redact import redact  # loaded with the first text: its patterns take a moment

    try:
        entities = redact(text, mode="fast", lang=["zh", "en"], report=True, types=_TYPES).entities
    except ValueError:
        return  # text it cannot read (its core is strict about Unicode) is left to the rules of this package
    for entity in entities:
        yield Hit(_RULES[entity["type"]], entity["start"], entity["end"])
