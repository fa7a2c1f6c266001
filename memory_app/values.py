"""A memory's value in a text field: written out for a person, and read back in the type that it had."""

import json
from typing import Any


def written(value: Any) -> str:
    """Text as it is, anything else as JSON; empty where there is no value."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_as(text: str, before: Any) -> Any:
    """The value in the type that it had: text stays text, a number or yes/no is read as one where it can be."""
    if text == "":
        return None
    if isinstance(before, str):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str | int | float | bool) else text
