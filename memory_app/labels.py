"""The word and the icon of every value that a badge, a tag or a filter shows. Class names are the API's values."""

from dataclasses import dataclass

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from memory_app.models.choices import (
    Action,
    BlockStatus,
    Category,
    DecisionStatus,
    Kind,
    MemoryStatus,
    NoteStatus,
    Scope,
    Sensitivity,
    SessionStatus,
    Speaker,
)


@dataclass(frozen=True)
class Label:
    """What an operator reads, and the symbol of components/sprite.html that stands before it."""

    name: str
    text: str | Promise
    icon: str = ""


_ICONS = {
    "edit": "edit", "pin": "pin", "unpin": "pin", "archive": "inbox", "restore": "undo", "merge": "dedupe",
    "retract": "x", "active": "check", "archived": "inbox", "superseded": "override", "applied": "check",
    "pending": "clock", "approved": "check", "declined": "x", "undone": "undo", "stale": "warn", "open": "session",
    "ended": "clock", "consolidating": "clock", "consolidated": "check", "failed": "warn", "staged": "clock",
    "blocked": "shield", "decided": "check", "released": "check", "kept": "shield",
}  # fmt: skip


def _labels(choices: type[models.TextChoices], icon: str = "") -> dict[str, Label]:
    """A label for each value; an action without an icon of its own has a symbol of its name."""
    return {
        value: Label(value, text, icon or _ICONS.get(value, value if choices is Action else ""))
        for value, text in choices.choices
        if value
    }


KINDS = _labels(Kind)
SCOPES = {value: Label(value, text, value) for value, text in Scope.choices}
SPEAKERS = _labels(Speaker)
CATEGORIES = _labels(Category, "shield") | {"stale": Label("stale", pgettext_lazy("guardrail", "Stale"), "shield")}
SENSITIVITIES = _labels(Sensitivity)
ACTIONS = _labels(Action)
STATUSES = (
    _labels(SessionStatus)
    | _labels(NoteStatus)
    | _labels(BlockStatus)
    | _labels(MemoryStatus)
    | _labels(DecisionStatus)
    | {
        "expired": Label("expired", _("Expired"), "clock"),
        "expiring": Label("expiring", _("Expiring"), "clock"),
        "pinned": Label("pinned", _("Pinned"), "pin"),
        "proposed": Label("proposed", _("Proposed"), "approve"),
        "contested": Label("contested", _("Contested"), "warn"),
        "drifting": Label("drifting", _("Keeps changing"), "warn"),
        "running": Label("running", _("Running"), "clock"),
        "done": Label("done", _("Done"), "check"),
    }
)
BADGES = STATUSES | ACTIONS


def label_of(labels: dict[str, Label], name: str) -> Label:
    """The label of `name`; a value that is not known here shows as it is, so nothing is ever blank."""
    return labels.get(name) or Label(name, name.replace("_", " "))
