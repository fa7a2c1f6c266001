"""A decision drawn as before → decision → after: the three steps, and the fields that change."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory_app import labels
from memory_app.actions.effects import PROFILE_FIELD
from memory_app.addresses import page_url
from memory_app.models import Action, Decision
from memory_app.models.decision import CARRIED_OUT
from memory_app.values import told

#: Actions that leave the wording of their memory as it is.
KEEPS_WORDING = {"dedupe", "pin", "unpin", "archive", "restore", "retract"}
#: Actions whose content says all of it, also what is empty.
BY_PEOPLE = {"edit", "unpin", "restore", "merge", "split"}
TIMES = ("occurred_at", "expires_at", "confirmed_at")
#: Fields whose values are words of ours.
WORDS = {"kind": labels.KINDS, "status": labels.STATUSES, "sensitivity": labels.SENSITIVITIES}


def effect_of(decision: Decision) -> str:
    """What happens when it is approved: for a review the action it proposes, else its own; `review` if none."""
    if decision.action == Action.REVIEW:
        return decision.proposed_action or Action.REVIEW
    return decision.action


def text_of(decision: Decision) -> str:
    """The words that the decision is about."""
    if decision.note is not None:
        return decision.note.text
    for content in (decision.after, decision.before):
        if content and content.get("text"):
            return str(content["text"])
    return decision.memory.text if decision.memory is not None else ""


def flow_of(decision: Decision) -> dict[str, Any]:
    """The three steps for components/flow.html."""
    effect = effect_of(decision)
    return {
        "action": effect,
        "candidate": _candidate(decision),
        "existing": _existing(decision, effect),
        "nothing": _nothing_near(decision),
        "result": _result(decision, effect),
    }


def _candidate(decision: Decision) -> dict[str, Any]:
    note = decision.note
    if note is not None:
        return {"text": note.text, "when": note.said_at, "scope": note.scope, "kind": note.kind}
    return {"text": text_of(decision), "when": decision.created_at, "scope": decision.scope, "kind": decision.kind}


def _existing(decision: Decision, effect: str) -> dict[str, Any] | None:
    memory, before = decision.memory, decision.before
    if memory is None or before is None:
        return None
    return {
        "ref": memory.ref,
        "version": decision.base_version or memory.version,
        "href": memory_url(decision),
        "text": before.get("text", memory.text),
        "scope": memory.scope,
        "kind": before.get("kind", memory.kind),
        "facts": [_recalls(memory.recall_count)] if memory.recall_count else [],
        "unchanged": effect in ("reject", "session_only"),
    }


def _nothing_near(decision: Decision) -> str:
    alike = [float(one.get("similarity") or 0) for one in decision.neighbours]
    if not alike:
        return ""
    return _("No memory says this. Nearest %(similarity)s.") % {"similarity": f"{max(alike):.2f}"}


def _result(decision: Decision, effect: str) -> dict[str, Any] | None:
    if effect in ("reject", "review"):
        return None
    if effect == "session_only":
        text = text_of(decision)
        return {"text": text, "before": text, "place": _("session notes"), "scope": "session", "kind": decision.kind}
    after, before, memory = decision.after or {}, decision.before, decision.memory
    old = before.get("text") if before else None
    text = old if effect in KEEPS_WORDING and old is not None else after.get("text") or text_of(decision)
    step = {
        "text": text,
        "before": old,
        "scope": memory.scope if memory is not None else decision.scope,
        "kind": after.get("kind") or decision.kind,
        "note": _result_note(decision, effect),
    }
    if decision.rule == PROFILE_FIELD:
        return step | {"place": _("field of the profile"), "kind": "", "scope": decision.scope}
    if memory is None:
        return step | {"place": _("new memory")}
    return step | {"ref": memory.ref, "version": result_version(decision, effect), "href": memory_url(decision)}


def result_version(decision: Decision, effect: str) -> int:
    """The version that holds what the decision says: as it was carried out, else as it would be."""
    if decision.status in CARRIED_OUT and decision.result_version is not None:
        return decision.result_version
    base = decision.base_version or (decision.memory.version if decision.memory else 0)
    return base if effect == "dedupe" else base + 1


def _result_note(decision: Decision, effect: str) -> str:
    if effect == "dedupe":
        return _("One more source; the wording stays.")
    if effect in KEEPS_WORDING:
        return str(labels.label_of(labels.ACTIONS, effect).text)
    return ""


def _recalls(count: int) -> str:
    return ngettext("%(count)s recall", "%(count)s recalls", count) % {"count": f"{count:,}"}


def changes_of(decision: Decision) -> tuple[list[dict[str, Any]], int]:
    """The fields that change, for components/field_changes.html, and how many stay as they are."""
    effect = effect_of(decision)
    if effect in ("reject", "review", "session_only"):
        return [], 0
    if decision.rule == PROFILE_FIELD:
        return [{"name": decision.params["key"], "code": True, "before": None, "after": decision.params["value"]}], 0
    before, after = _comparable(decision.before), _comparable(decision.after)
    if effect == "dedupe":
        after = before | _confirmed_by(decision, before)
    if not before:  # all of it is new; what the steps above show is not repeated
        after = {name: value for name, value in after.items() if name not in ("kind", "status", "confirmed_at")}
        if "value" in after:
            after.pop("key", None)
    # What a person empties is a change as well; consolidation leaves out what it has nothing to say about.
    told = set(after) | (set(decision.after or {}) if effect in BY_PEOPLE else set())
    named = [(name, title, code) for name, title, code in _fields(decision) if name in before or name in after]
    changes = []
    for name, title, code in named:
        if before.get(name) == after.get(name) or name not in told:
            continue
        was, becomes = _told_apart(before.get(name), after.get(name, False if before.get(name) is True else None))
        changes.append({"name": title, "code": code, "before": _drawn(name, was), "after": _drawn(name, becomes)})
    return changes, sum(1 for name, *_rest in named if name in before and before.get(name) == after.get(name))


def _fields(decision: Decision) -> list[tuple[str, str, bool]]:
    key = (decision.after or {}).get("key") or (decision.before or {}).get("key") or ""
    return [
        ("key", _("Key"), False),
        ("value", key or _("Value"), bool(key)),
        ("condition", _("Condition"), False),
        ("subject", _("Subject"), False),
        ("kind", _("Kind"), False),
        ("status", _("Status"), False),
        ("pinned", _("Pinned"), False),
        ("sensitivity", _("Sensitivity"), False),
        ("keywords", _("Keywords"), False),
        ("occurred_at", _("Occurred"), False),
        ("confirmed_at", _("Confirmed"), False),
        ("expires_at", _("Expires"), False),
    ]


def _comparable(content: Mapping[str, Any] | None) -> dict[str, Any]:
    """The content's fields that say something, times as moments."""
    found = {}
    for name, value in (content or {}).items():
        if value in (None, "", [], False):
            continue
        found[name] = parse_datetime(value) or value if name in TIMES and isinstance(value, str) else value
    return found


def _confirmed_by(decision: Decision, before: Mapping[str, Any]) -> dict[str, Any]:
    said_at = decision.note.said_at if decision.note is not None else None
    known = before.get("confirmed_at")
    return {"confirmed_at": said_at} if said_at and (known is None or said_at > known) else {}


def _drawn(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in WORDS:
        return str(labels.label_of(WORDS[name], value).text)
    if hasattr(value, "isoformat"):
        return _plain_time(value)
    return told(value)


def _plain_time(moment: Any) -> str:
    local = timezone.localtime(moment) if timezone.is_aware(moment) else moment
    return str(local.strftime("%Y-%m-%d %H:%M"))


def _told_apart(before: Any, after: Any) -> tuple[Any, Any]:
    """Two moments of one minute are told with their seconds."""
    if not (hasattr(before, "isoformat") and hasattr(after, "isoformat")) or _plain_time(before) != _plain_time(after):
        return before, after
    first, second = (timezone.localtime(one) for one in (before, after))
    return first.strftime("%Y-%m-%d %H:%M:%S"), second.strftime("%Y-%m-%d %H:%M:%S")


def memory_url(decision: Decision) -> str:
    """The page of the decision's memory, or nothing while there is no such page."""
    return page_url("memory", decision.workspace.slug, decision.memory_id) if decision.memory_id else ""
