"""Versions of a memory as a timeline: what each changed, who or what made it, and the turn that it came from."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from memory_app import labels
from memory_app.actor_words import actor_words, decider_words, proposer_words
from memory_app.addresses import page_url, row_url, turn_url
from memory_app.domain.actor import SYSTEM
from memory_app.models import ActorKind, Decision, DecisionStatus, MemorySource, MemoryState, MemoryVersion, Needs, Note
from memory_app.queries.memory_page import MemoryPage
from memory_app.reasons import sentence
from memory_app.values import told


def versions(page: MemoryPage, slug: str, *, restorable: bool) -> list[dict[str, Any]]:
    """The versions for components/timeline.html, newest first."""
    return [_version(page, version, before, slug, restorable) for version, before in page.versions]


def _version(
    page: MemoryPage, version: MemoryVersion, before: MemoryVersion | None, slug: str, restorable: bool
) -> dict[str, Any]:
    decision, undone = version.decision, version.number in page.undone
    current = version.number == page.memory.version
    changed = before is not None and before.text != version.text
    entry: dict[str, Any] = {
        "title": f"v{version.number}",
        "current": current,
        "at": version.recorded_at,
        # What kept its wording shows it without marks; a first version is all new.
        "before": before.text if before is not None and changed else version.text if before is not None else None,
        "after": version.text,
        "changes": changes(before, version) if before is not None else [],
        "restore": f"restore-{version.number}" if restorable and not current else "",
    }
    if decision is None:
        return entry | {"tone": "edit", "said": _by(version)}
    entry |= {"ref": decision.ref, "href": decision_url(decision, slug)}
    if undone:
        return entry | {"tone": "undone", "badge": True, "said": _taken_back_by(version)}
    entry |= {"tone": decision.action, "badge": True, "said": who_made(page, version, decision),
              "note": sentence(decision.rule, decision.params), "edited": _edited(version, decision)}  # fmt: skip
    reasons = [comment.text for comment in decision.comments.all()]
    if reasons:
        entry["text"] = " · ".join(reasons)
    return entry | (_where(decision.note, slug) if decision.note is not None else {})


def _where(note: Note, slug: str) -> dict[str, str]:
    """The session and the turn of a note, as the small link of an entry."""
    if note.turn is None:
        return {"note_ref": note.session.ref, "note_href": page_url("session", slug, note.session_id)}
    words = _("%(session)s, turn %(turn)s") % {"session": note.session.ref, "turn": note.turn.index}
    return {"note_ref": words, "note_href": turn_url(slug, note.session_id, note.turn.index)}


def who_made(page: MemoryPage, version: MemoryVersion, decision: Decision) -> str:
    """Who is answerable for the version, in a few words: what became of its decision since is another version's."""
    approver = page.approvers.get(version.number)
    if approver is None:
        return who_decided(decision)
    words = _("edited and approved by %(who)s") if _edited(version, decision) else _("approved by %(who)s")
    return words % {"who": actor_words(*approver)}


def _edited(version: MemoryVersion, decision: Decision) -> dict[str, Any] | None:
    """What the person who approved it made of the proposal; None where they changed no word."""
    if not version.author_id or version.author_id == decision.proposed_by_id or version.status != "active":
        return None
    return edit_shown(decision, {"text": version.text, "value": version.value, "key": version.key})


def edit_shown(decision: Decision, content: Mapping[str, Any]) -> dict[str, Any] | None:
    """From what was proposed to this content, for components/edited.html; None where no word differs."""
    names, proposed = decision.edited(content), decision.proposed
    if not names:
        return None
    changed = {"name": content.get("key") or _("Value"), "code": bool(content.get("key")),
               "before": drawn("value", proposed.get("value")), "after": drawn("value", content.get("value"))}  # fmt: skip
    return {
        "before": proposed.get("text", ""),
        "after": content["text"] if "text" in names else "",
        "changes": [changed] if "value" in names else [],
    }


def who_decided(decision: Decision) -> str:
    """Who is answerable for it, in a few words."""
    if decision.status == DecisionStatus.APPROVED:
        edited = decision.params.get("proposal") and decision.edited(decision.after or {})
        words = _("edited and approved by %(who)s") if edited else _("approved by %(who)s")
        return words % {"who": decider_words(decision)}
    if decision.origin == "consolidation":
        return _("automatic, confidence %(confidence)s") % {"confidence": f"{decision.confidence:.2f}"}
    return _("by %(who)s") % {"who": proposer_words(decision)}


def _by(version: MemoryVersion) -> str:
    if version.author == ActorKind.SYSTEM:
        return _("automatic")
    return _("by %(who)s") % {"who": actor_words(version.author, version.author_label) or version.get_author_display()}


def _taken_back_by(version: MemoryVersion) -> str:
    """Who undid it: the version holds the words of its author, and is written by whoever took back what came after."""
    if version.author_label in ("", SYSTEM.label):
        return _("automatic")
    return _("by %(who)s") % {"who": version.author_label}


def decision_url(decision: Decision, slug: str) -> str:
    """Where people decide it: among the approvals while it waits for an admin."""
    if decision.is_open and decision.needs == Needs.ADMIN:
        return page_url("approvals", slug, id=decision.pk)
    return page_url("review", slug, status="all", item=decision.pk)


# Provenance -------------------------------------------------------------------------------------------------------


def provenance(page: MemoryPage, slug: str) -> list[dict[str, Any]]:
    """From the very turn over the note and its decision to the version, and what people made of it since."""
    origin, memory = page.origin, page.memory
    if origin is None:
        return []
    chain: list[dict[str, Any]] = []
    decision = origin.decision
    if decision is not None:
        chain += _from_note(decision.note, slug) if decision.note is not None else []
        chain.append(
            {"tone": decision.action, "badge": True, "title": _("Decision"), "title_ref": decision.ref,
             "title_href": decision_url(decision, slug), "rule": decision.rule, "confidence": decision.confidence}
        )  # fmt: skip
    said = who_made(page, origin, decision) if decision is not None else _by(origin)
    chain.append({"tone": "promote", "title": f"{memory.ref} v{origin.number}", "said": said, "at": origin.recorded_at})
    if origin.number != memory.version:
        newest = page.versions[0][0] if page.versions else None
        chain.append({"tone": "active", "title": f"{memory.ref} v{memory.version}",
                      "said": _("the same words"), "at": newest.recorded_at if newest else None})  # fmt: skip
    return chain


def _from_note(note: Note, slug: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if note.turn is not None:
        found.append({
            "tone": "session_only", "title": _("Turn %(turn)s") % {"turn": note.turn.index}, "title_ref": note.session.ref,
            "title_href": turn_url(slug, note.session_id, note.turn.index), "quote": quote_of(note),
        })  # fmt: skip
    elif note.evidence_quote:
        found.append({"tone": "session_only", "title": _("Quote"), "quote": note.evidence_quote})
    origins = {
        "agent": _("note kept by the agent"),
        "distilled": _("found in the turns"),
        "outcome": _("from the session’s outcome"),
    }
    return found + [
        {"tone": "session_only", "title": _("Candidate"), "title_ref": note.ref, "said": origins.get(note.origin, ""),
         "title_href": row_url(slug, note.session_id, f"c-{note.number}")}
    ]  # fmt: skip


def quote_of(note: Note) -> str:
    """The words of the turn that a note stands on; what the agent quoted where they were not found."""
    if note.turn is not None and note.evidence_start is not None and note.evidence_end is not None:
        return note.turn.content[note.evidence_start : note.evidence_end]
    return note.evidence_quote


def sources(rows: Iterable[MemorySource], slug: str) -> list[dict[str, Any]]:
    """Where the memory was said or confirmed, newest first."""
    return [_source(row, slug) for row in rows]


def _source(row: MemorySource, slug: str) -> dict[str, Any]:
    note, decision = row.note, row.decision
    found: dict[str, Any] = {"at": row.said_at, "withdrawn": row.withdrawn_at, "quote": "", "speaker": ""}
    if note is not None:
        found |= _where(note, slug) | {"quote": quote_of(note) or note.text}
    if decision is not None:
        found |= {"ref": decision.ref, "href": decision_url(decision, slug), "action": decision.action,
                  "who": who_decided(decision)}  # fmt: skip
    return found


# Fields -----------------------------------------------------------------------------------------------------------


def changes(before: MemoryState, after: MemoryState) -> list[dict[str, Any]]:
    """The fields beside the text that differ, for components/field_changes.html."""
    key = after.key or before.key
    named = (
        ("key", _("Key"), False), ("value", key or _("Value"), bool(key)), ("condition", _("Condition"), False),
        ("subject", _("Subject"), False), ("kind", _("Kind"), False), ("status", _("Status"), False),
        ("pinned", _("Pinned"), False), ("sensitivity", _("Sensitivity"), False), ("keywords", _("Keywords"), False),
        ("importance", _("Importance"), False), ("priority", _("Priority"), False), ("occurred_at", _("Occurred"), False),
        ("expires_at", _("Expires"), False),
    )  # fmt: skip
    return [
        {"name": title, "code": code, "before": drawn(name, old), "after": drawn(name, new)}
        for name, title, code in named
        if (old := getattr(before, name)) != (new := getattr(after, name))
    ]


def drawn(name: str, value: Any) -> str:
    """A field's value as words of the page; empty where there is none."""
    if name == "pinned":
        return _("yes") if value else _("no")
    if value in (None, "", []):
        return ""
    families = {"kind": labels.KINDS, "status": labels.STATUSES, "sensitivity": labels.SENSITIVITIES}
    if name in families:
        return str(labels.label_of(families[name], value).text)
    if isinstance(value, datetime):
        return timezone.localtime(value).strftime("%Y-%m-%d %H:%M")
    return told(value)
