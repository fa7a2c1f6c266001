"""A memory's value in a text field: written out for a person, and read back in the type that it had."""

import json
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory_app.wording import colon

#: What a procedure's value is made of beside its steps.
PARTS: dict[str, str | Promise] = {"tools": gettext_lazy("Tools")}


def written(value: Any) -> str:
    """Text as it is, anything else as JSON; empty where there is no value."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def told(value: Any) -> str:
    """The value for a person to read and not to edit: yes or no, the steps of a procedure one after another, names
    with what they hold."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(map(told, value))
    if isinstance(value, dict):
        steps, others = value.get("steps"), {k: v for k, v in value.items() if k != "steps" and v}
        parts = [" → ".join(map(told, steps))] if isinstance(steps, list) else []
        return "; ".join([*parts, *(f"{PARTS.get(name, name)}{colon()}{told(one)}" for name, one in others.items())])
    return written(value)


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
