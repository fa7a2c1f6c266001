"""An operator's own preferences. They touch no workspace, so no audit row is written."""

from typing import Any

from memory_app.models import Operator


def save_preferences(operator: Operator, **changes: Any) -> None:
    """The operator has these preferences: any of language, theme, timezone, shortcuts."""
    for name, value in changes.items():
        setattr(operator, name, value)
    operator.save(update_fields=[*changes])


def change_password(operator: Operator, password: str) -> None:
    """The operator signs in with this password from now on."""
    operator.set_password(password)
    operator.save(update_fields=["password"])
