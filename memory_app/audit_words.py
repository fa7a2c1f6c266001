"""What an audit event says in its reader's language: kinds of objects, names of details, and values that have a word."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from memory_app import labels
from memory_app.models import AlertKind, Cardinality, Exposure, Role
from memory_app.moments import FORMATS, age
from memory_app.reasons import declined_because

#: By the name of a table without its app.
OBJECTS: dict[str, str | Promise] = {
    "agent": pgettext_lazy("audit", "Agent"),
    "alert": pgettext_lazy("audit", "Alert"),
    "apikey": pgettext_lazy("audit", "API key"),
    "apikey_teams": pgettext_lazy("audit", "Team of a key"),
    "block": pgettext_lazy("audit", "Block"),
    "caseset": pgettext_lazy("audit", "Set of cases"),
    "comment": pgettext_lazy("audit", "Comment"),
    "consolidationrun": pgettext_lazy("audit", "Consolidation"),
    "decision": pgettext_lazy("audit", "Decision"),
    "evaluation": pgettext_lazy("audit", "Evaluation"),
    "evaluationcase": pgettext_lazy("audit", "Case of an evaluation"),
    "idempotencyrecord": pgettext_lazy("audit", "Kept answer"),
    "injection": pgettext_lazy("audit", "Record of recall"),
    "membership": pgettext_lazy("audit", "Member"),
    "memory": pgettext_lazy("audit", "Memory"),
    "memorysource": pgettext_lazy("audit", "Source"),
    "memoryversion": pgettext_lazy("audit", "Version"),
    "modelcall": pgettext_lazy("audit", "Call of a model"),
    "note": pgettext_lazy("audit", "Note"),
    "openitem": pgettext_lazy("audit", "Mark of an open decision"),
    "operator": pgettext_lazy("audit", "Operator"),
    "policytrial": pgettext_lazy("audit", "Trial of a policy"),
    "policyversion": pgettext_lazy("audit", "Policy"),
    "savedview": pgettext_lazy("audit", "Saved view"),
    "scan": pgettext_lazy("audit", "Reading of what is stored"),
    "scanfinding": pgettext_lazy("audit", "Finding in what is stored"),
    "searchentry": pgettext_lazy("audit", "Search entry"),
    "session": pgettext_lazy("audit", "Session"),
    "session_teams": pgettext_lazy("audit", "Team of a session"),
    "slot": pgettext_lazy("audit", "Slot"),
    "team": pgettext_lazy("audit", "Team"),
    "turn": pgettext_lazy("audit", "Turn"),
    "turnentry": pgettext_lazy("audit", "Search entry of a turn"),
    "user": pgettext_lazy("audit", "User"),
    "workspace": pgettext_lazy("audit", "Workspace"),
}
DETAILS: dict[str, str | Promise] = {
    "action": pgettext_lazy("audit", "action"),
    "added": pgettext_lazy("audit", "added"),
    "answers": pgettext_lazy("audit", "kept answers"),
    "archived": pgettext_lazy("audit", "archived"),
    "batch": pgettext_lazy("audit", "batch"),
    "before": pgettext_lazy("audit", "before"),
    "blocks": pgettext_lazy("audit", "blocks"),
    "category": pgettext_lazy("audit", "category"),
    "changed": pgettext_lazy("audit", "changed"),
    "count": pgettext_lazy("audit", "number"),
    "counts": pgettext_lazy("audit", "rows"),
    "decisions": pgettext_lazy("audit", "decisions"),
    "digest": pgettext_lazy("audit", "digest of the name"),
    "edited": pgettext_lazy("audit", "edited"),
    "failed": pgettext_lazy("audit", "instead of"),
    "fields": pgettext_lazy("audit", "fields"),
    "filters": pgettext_lazy("audit", "filters"),
    "format": pgettext_lazy("audit", "format"),
    "hours": pgettext_lazy("audit", "hours"),
    "kind": pgettext_lazy("audit", "kind"),
    "limit": pgettext_lazy("audit", "limit"),
    "kept": pgettext_lazy("audit", "kept"),
    "now": pgettext_lazy("audit", "now:"),
    "made_its_agent": pgettext_lazy("audit", "made the key of the agent that proposed it"),
    "masked": pgettext_lazy("audit", "masked"),
    "percent": pgettext_lazy("audit", "percent"),
    "policy": pgettext_lazy("audit", "policy"),
    "reason_code": pgettext_lazy("audit", "reason"),
    "removed": pgettext_lazy("audit", "removed"),
    "role": pgettext_lazy("audit", "role"),
    "rule": pgettext_lazy("audit", "rule"),
    "run": pgettext_lazy("audit", "consolidation"),
    "session": pgettext_lazy("audit", "session"),
    "shared": pgettext_lazy("audit", "shared"),
    "solo": pgettext_lazy("audit", "approve alone"),
    "success": pgettext_lazy("audit", "success"),
    "teams": pgettext_lazy("audit", "teams"),
    "until": pgettext_lazy("audit", "until"),
    "usual": pgettext_lazy("audit", "usual"),
    "version": pgettext_lazy("audit", "version"),
    "was": pgettext_lazy("audit", "before:"),
}
#: Settings of a slot.
SETTINGS: dict[str, str | Promise] = {
    "cardinality": gettext_lazy("How many values"), "values": gettext_lazy("The only values"), "writers": gettext_lazy("Who may fill it"),
    "expires_after": gettext_lazy("Holds for"), "exposure": gettext_lazy("Who sees it"),
}  # fmt: skip
CARDINALITIES: dict[str, Any] = dict(Cardinality.choices)
EXPOSURES: dict[str, Any] = dict(Exposure.choices)
ROLES: dict[str, Any] = dict(Role.choices)
KINDS: dict[str, Any] = dict(AlertKind.choices)


def object_words(name: str) -> str:
    """The word for a kind of object, by its table with or without its app."""
    bare = name.removeprefix("memory_app_").removeprefix("consolidation_")
    return str(OBJECTS.get(bare, bare.replace("_", " ")))


def detail_words(detail: Mapping[str, Any], refs: Mapping[str, str]) -> list[tuple[str, str]]:
    """Names and values of an event's detail, numbers of many kinds one by one; what has a ref shows by it."""
    return [pair for name, value in detail.items() for pair in _pairs(name, value, refs)]


def _pairs(name: str, value: Any, refs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    word = str(DETAILS.get(name, name.replace("_", " ")))
    if name in ("was", "now") and isinstance(value, dict):
        for setting, held in value.items():
            yield f"{word} {SETTINGS.get(setting, setting)}", _setting(setting, held)
        return
    if not isinstance(value, dict):
        yield word, _value(name, value, refs)
        return
    for key, count in value.items():
        what = str(labels.label_of(labels.ACTIONS, key).text) if name == "decisions" else object_words(key)
        yield what, _value("", count, refs)


def _setting(name: str, held: Any) -> str:
    """A setting of a slot in words."""
    if isinstance(held, list):
        return ", ".join(map(str, held)) or "–"
    if name == "expires_after":
        return "–" if held is None else age(timedelta(seconds=held), 2)
    return str({"cardinality": CARDINALITIES, "exposure": EXPOSURES}.get(name, {}).get(str(held), held))


def _value(name: str, value: Any, refs: Mapping[str, str]) -> str:
    if name == "teams" and value == 0:  # a key that names none is one for all
        return _("all teams")
    if isinstance(value, list):
        return ", ".join(_value(name, one, refs) for one in value) or "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name == "action":
        return str(labels.label_of(labels.ACTIONS, str(value)).text)
    if name == "category":
        return str(labels.label_of(labels.CATEGORIES, str(value)).text)
    if name == "reason_code":
        return declined_because(str(value)) or _("Another reason")
    if name == "until" and (at := parse_datetime(str(value))) is not None:
        return timezone.localtime(at).strftime(FORMATS["minute"])
    if name == "kind":
        return str(KINDS.get(str(value), value))
    if name in ("role", "before"):
        return str(ROLES.get(str(value), value))
    return "–" if value is None else refs.get(str(value), str(value))
