"""Whose doing a decision is beside whoever proposed it: of the note, the outcomes or the policy that it was made of."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory_app.domain.procedures import FAILING
from memory_app.models import ActorKind, AuditEvent, Decision, MemorySource, Note, NoteOrigin

#: Kind and id of an actor.
Party = tuple[str, str]
#: What a decision was made of, and the id by which that is found.
Ground = tuple[str, str]
#: Whom somebody can stand behind; consolidation and policies are nobody's.
PEOPLE = (ActorKind.OPERATOR, ActorKind.KEY)
NOTE, HABIT, OUTCOMES, POLICY = "note", "habit", "outcomes", "policy"
#: What the audit log calls a note that was sent, and what a session was sent that its other notes are made of.
SENT_NOTE, SENT_TURNS, SENT_OUTCOME = ("note.staged", "note.blocked"), "turns.add", "session.end"


def ground_of(decision: Decision) -> Ground | None:
    """What it was made of; None where it is what somebody wanted, and nothing else."""
    if decision.note_id is not None:
        return NOTE, str(decision.note_id)
    if decision.proposed_by_kind in PEOPLE:
        return None
    if decision.rule == FAILING:
        return OUTCOMES, str(decision.memory_id)
    if "about" in decision.params:
        return HABIT, str(decision.params["about"])
    if decision.policy_version is not None:
        return POLICY, f"{decision.workspace_id} {decision.policy_version}"
    return None


class Authors:
    """Looked up once for all of these decisions: by so many statements as there are kinds of what they were made of."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self._expected = {ground for one in decisions if (ground := ground_of(one)) is not None}
        self._of: dict[Ground, set[Party]] = {}
        #: The notes that spoke for a memory, and since when.
        self._sources: dict[Ground, list[tuple[datetime, Ground]]] = {}
        #: Everybody who was found so far.
        self.met: set[Party] = set()

    def of(self, decision: Decision) -> set[Party]:
        """Who sent the note, the turns or the outcome it came from, reported the failures, or put the policy."""
        ground = ground_of(decision)
        if ground is None:
            return set()
        if ground not in self._of:
            self._know(ground)
        found = set(self._of[ground])
        for since, note in self._sources.get(ground, ()):
            if since <= decision.created_at:  # what was said later is not what it was counted from
                found |= self._of[note]
        return found

    def _know(self, ground: Ground) -> None:
        """With it all that are expected."""
        new, self._expected = ({ground} | self._expected) - self._of.keys(), set()
        self._of |= {one: set() for one in new}
        ids = {kind: [pk for one, pk in new if one == kind] for kind in (NOTE, HABIT, OUTCOMES, POLICY)}
        self._read_notes([*ids[NOTE], *self._read_sources(ids[HABIT])])
        self._read_outcomes(ids[OUTCOMES])
        self._read_policies(ids[POLICY])
        self.met |= {party for one in self._of.values() for party in one}

    def _read_sources(self, memories: list[str]) -> list[str]:
        """The notes that are not known yet of those that ever spoke for these memories."""
        rows = MemorySource.objects.filter(memory__in=[UUID(one) for one in memories]).exclude(note=None)
        new = set()
        for memory, note, since in rows.values_list("memory", "note", "created_at") if memories else ():
            source = (NOTE, str(note))
            self._sources.setdefault((HABIT, str(memory)), []).append((since, source))
            if source not in self._of:
                self._of[source] = set()
                new.add(str(note))
        return sorted(new)

    def _read_notes(self, notes: list[str]) -> None:
        """Whoever sent them, and whoever told their sessions what they were found in or quote."""
        if not notes:
            return
        sent = AuditEvent.objects.filter(object_id__in=notes, object_type="note", action__in=SENT_NOTE)
        for pk, kind, by in sent.filter(actor_kind__in=PEOPLE).values_list("object_id", "actor_kind", "actor_id"):
            self._of[NOTE, pk].add((kind, by))
        self._read_sessions(notes)

    def _read_sessions(self, notes: list[str]) -> None:
        rows = list(Note.objects.filter(pk__in=notes).values_list("pk", "session", "origin")) if notes else []
        told = AuditEvent.objects.filter(
            object_id__in={str(session) for _, session, _ in rows}, object_type="session",
            action__in=(SENT_TURNS, SENT_OUTCOME), actor_kind__in=PEOPLE,
        )  # fmt: skip
        by_session: dict[tuple[str, str], set[Party]] = {}
        for told_to, action, kind, by in (
            told.values_list("object_id", "action", "actor_kind", "actor_id").order_by().distinct() if rows else ()
        ):
            by_session.setdefault((told_to, action), set()).add((kind, by))
        for note, session, origin in rows:
            action = SENT_OUTCOME if origin == NoteOrigin.OUTCOME else SENT_TURNS
            self._of[NOTE, str(note)] |= by_session.get((str(session), action), set())

    def _read_outcomes(self, memories: list[str]) -> None:
        """Whoever reported that they failed; a success made nothing fail."""
        reported = AuditEvent.objects.filter(
            object_id__in=memories, object_type="memory", action="memory.outcome",
            actor_kind__in=PEOPLE, detail__success=False,
        )  # fmt: skip
        rows = reported.values_list("object_id", "actor_kind", "actor_id").order_by().distinct() if memories else ()
        for memory, kind, by in rows:
            self._of[OUTCOMES, memory].add((kind, by))

    def _read_policies(self, versions: list[str]) -> None:
        wanted = Q(pk__in=[])
        for workspace, number in (one.split() for one in versions):
            wanted |= Q(workspace=workspace, detail__version=int(number))
        put = AuditEvent.objects.filter(wanted, action="policy.put", actor_kind__in=PEOPLE)
        rows = put.values_list("workspace", "detail__version", "actor_kind", "actor_id") if versions else ()
        for of, version, kind, by in rows:
            self._of[POLICY, f"{of} {version}"].add((kind, by))
