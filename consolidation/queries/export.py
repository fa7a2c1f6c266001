"""Everything that is held about one user, and nothing about others, as one document."""

from collections import defaultdict
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from consolidation.models import ConsolidationRun
from memory_app.models import (
    Block,
    Decision,
    Injection,
    Memory,
    MemorySource,
    MemoryVersion,
    Note,
    ScanFinding,
    Session,
    User,
)
from memory_app.queries.blocks import block_whole
from memory_app.queries.decisions import decision_shown
from memory_app.queries.memories import memory_shown, version_shown
from memory_app.queries.sessions import note_shown, sessions_shown, turn_shown
from memory_app.queries.users import profile_shown


def export_user(user: User) -> dict[str, Any]:
    """The user's profile, sessions with turns and notes, memories with versions and sources, decisions, blocks, what
    readings of the store found, and what agents were shown. The number of statements does not grow with what there is."""
    return {
        "format": "commonplace.user/1",
        "exported_at": timezone.now(),
        "user": user.external_id,
        "id": user.pk,
        "created_at": user.created_at,
        "last_seen_at": user.last_seen_at,
        "profile": profile_shown(user),
        "sessions": _sessions(user),
        "memories": _memories(user),
        "decisions": _decisions(user),
        "blocks": [
            block_whole(b)
            for b in Block.objects.filter(user=user).select_related("user", "memory__team").order_by("number")
        ],
        "findings": [_finding(f) for f in ScanFinding.objects.filter(user=user).select_related("scan").order_by("pk")],
        "injections": _injections(user),
    }


def _sessions(user: User) -> list[dict[str, Any]]:
    rows = (
        Session.objects.filter(user=user)
        .select_related("user", "agent")
        .prefetch_related(
            "teams",
            "turns",
            Prefetch("notes", Note.objects.select_related("team").prefetch_related("blocks").order_by("number")),
            Prefetch("runs", ConsolidationRun.objects.order_by("created_at")),
        )
    )
    sessions = list(rows.order_by("started_at", "pk"))
    shown = sessions_shown(sessions)
    for session, document in zip(sessions, shown, strict=True):
        document["turns"] = [turn_shown(turn) for turn in session.turns.all()]
        document["notes"] = [note_shown(note) for note in session.notes.all()]
        document["runs"] = [_run(run) for run in session.runs.all()]
    return shown


def _memories(user: User) -> list[dict[str, Any]]:
    """Also team memory that the user is the author of, but no version of it that came of another user."""
    own: QuerySet[MemoryVersion] = MemoryVersion.objects.filter(
        Q(decision=None) | Q(decision__user=None) | Q(decision__user=user)
    ).order_by("-number")
    rows = Memory.objects.with_contested().filter(user=user).select_related("user", "team")
    memories = list(
        rows.prefetch_related(Prefetch("versions", own), "versions__decision__memory").order_by("created_at", "number")
    )
    sources: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    mine = MemorySource.objects.filter(Q(note=None) | Q(note__user=user), memory__in=memories).order_by("said_at", "pk")
    for source in mine:
        sources[source.memory_id].append(_source(source))
    return [
        memory_shown(memory)
        | {"versions": [version_shown(v) for v in memory.versions.all()], "sources": sources[memory.pk]}
        for memory in memories
    ]


def _decisions(user: User) -> list[dict[str, Any]]:
    rows = Decision.objects.filter(user=user).select_related("user", "team", "memory").prefetch_related("comments")
    shown = []
    for decision in rows.order_by("created_at", "pk"):
        document = decision_shown(decision)
        if decision.memory is not None and decision.memory.user_id not in (None, user.pk):
            document["before"] = None  # what another member of the team had said
        shown.append(document)
    return shown


def _injections(user: User) -> list[dict[str, Any]]:
    """What agents were shown, word for word but where another member of a team said some of it."""
    rows = list(Injection.objects.filter(user=user).order_by("at", "pk"))
    told = {name for row in rows for name in (*row.memory_ids, *row.asked_about)}
    others: set[Any] = set()
    for behind in (Memory.objects, Decision.objects):
        of_others = behind.filter(pk__in=told).exclude(user=None).exclude(user=user)
        others.update(of_others.values_list("pk", flat=True))
    names = ("id", "at", "purpose", "query", "moment", "as_of", "included", "excluded", "tokens")
    return [
        {name: getattr(row, name) for name in names}
        | {
            "session": row.session_id,
            "text": row.text if others.isdisjoint((*row.memory_ids, *row.asked_about)) else None,
        }
        for row in rows
    ]


def _finding(row: ScanFinding) -> dict[str, Any]:
    names = ("id", "memory_id", "note_id", "version", "category", "rule", "field", "excerpt")
    return {name.removesuffix("_id"): getattr(row, name) for name in names} | {"at": row.scan.created_at}


def _run(run: ConsolidationRun) -> dict[str, Any]:
    names = ("id", "status", "cause", "attempts", "counts", "model_calls", "created_at", "finished_at")
    return {name: getattr(run, name) for name in names}


def _source(source: MemorySource) -> dict[str, Any]:
    return {
        "version": source.version,
        "note": source.note_id,
        "turn": source.turn_id,
        "decision": source.decision_id,
        "said_at": source.said_at,
        "withdrawn_at": source.withdrawn_at,
    }
