"""An own rule as a JSON schema. That its entries can be used, and its name is one, no schema says."""

from typing import Any

from .findings import CATEGORIES
from .own import EFFECTS, FINDS, LONGEST_ENTRY, LONGEST_NAME, LONGEST_WHY, MOST_ENTRIES, SWITCHES


def shaped(required: list[str], **properties: Any) -> dict[str, Any]:
    """An object with these members and no other."""
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def text(most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": most, "pattern": r"^[^\u0000]*$"}


OWN_RULE = shaped(
    ["name", "finds", "entries", "category"],
    name=text(LONGEST_NAME, 1),
    finds={"enum": [*FINDS]},
    entries={"type": "array", "items": text(LONGEST_ENTRY, 1), "minItems": 1, "maxItems": MOST_ENTRIES},
    category={"enum": [*CATEGORIES]},
    effect={"enum": [*EFFECTS]},
    on={"type": "boolean"},
    why=text(LONGEST_WHY),
    since={"type": "integer"},
)
RULES_OFF = {"type": "array", "items": {"enum": [*SWITCHES]}}


def is_unfit(field: str) -> bool:
    """Whether what is wrong with this part of an own rule is what no schema says of it."""
    return field.rpartition(".")[2] in ("entries", "name")
