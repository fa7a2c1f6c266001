"""A policy tried on sessions that were consolidated: decided again under it and under the one in force, compared,
nothing of it written."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from consolidation.distill import DraftNote, distill
from consolidation.domain.decide import decide
from consolidation.domain.decisions import Candidate, Evidence, Outcome
from consolidation.domain.policy import Policy
from consolidation.domain.trials import Change, changes
from consolidation.models import PolicyTrial
from consolidation.queries.rules import find_version, policy_of
from memory_app import guardrails
from memory_app.actions.content import embed_all
from memory_app.actions.jobs import drop_older, keep
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Forbidden, PreconditionFailed
from memory_app.models import Block, Note, NoteOrigin, NoteStatus, Session, SessionStatus, Workspace

from .distilling import guard_of, spoken_of
from .gathering import Gathered, gather, guarded
from .policies import checked, current_policy

log = logging.getLogger(__name__)

SESSIONS, MOST_SESSIONS = 50, 200
KEPT = 20  # trials of a workspace; older ones are dropped


def begin_trial(
    workspace: Workspace,
    actor: Actor,
    document: Mapping[str, Any],
    *,
    most: int = SESSIONS,
    if_match: int | None = None,
) -> PolicyTrial:
    """A trial of the policy on the newest consolidated sessions, to be run in the background; Invalid names a field of
    the policy that cannot be used, PreconditionFailed when `if_match` is not the version in force."""
    if not actor.at_least("admin"):
        raise Forbidden("The policy needs the role admin.")
    content = checked(document).to_json()
    content.pop("version")
    base = current_policy(workspace).version
    if if_match is not None and if_match != base:
        raise PreconditionFailed(f"The policy is now version {base}, not {if_match}.")
    sessions = Session.objects.filter(workspace=workspace, status=SessionStatus.CONSOLIDATED)
    newest = sessions.order_by("-consolidated_at", "-pk").values_list("pk", flat=True)[: min(most, MOST_SESSIONS)]
    return kept_trial(workspace, actor, base_number=base, content=content, sessions=[str(pk) for pk in newest])


def kept_trial(workspace: Workspace, actor: Actor, **fields: Any) -> PolicyTrial:
    """The trial, or the replay, begun; only the newest of its kind are kept."""
    made = PolicyTrial.objects.create(
        workspace=workspace, total=len(fields["sessions"]), author_id=actor.id, author=actor.label, **fields
    )
    drop_older(PolicyTrial.objects.filter(workspace=workspace, replay__isnull=made.replay is None), KEPT)
    return made


def trial_steps(trial: PolicyTrial) -> Iterator[None]:
    """The trial gone on with, a session a step."""
    before = policy_of(find_version(trial.workspace, trial.base_number))  # also where another was saved since it began
    after = Policy.from_json(trial.content)
    for place in range(trial.done, trial.total):
        count, found, skipped = _tried(trial, trial.sessions[place], before, after)
        keep(
            trial, done=place + 1, compared=trial.compared + count, skipped=trial.skipped + skipped,
            changes=[*trial.changes, *({"session": trial.sessions[place]} | change.to_json() for change in found)],
        )  # fmt: skip
        yield


def _tried(trial: PolicyTrial, session_id: str, before: Policy, after: Policy) -> tuple[int, list[Change], int]:
    """How many notes of the session were compared, what differs, and whether it had to be passed over."""
    session = Session.objects.select_related("workspace", "user").filter(pk=session_id).first()
    if session is None:  # erased meanwhile
        return 0, [], 1
    try:
        return *compared(session, before, after), 0
    except Exception:  # one strange session does not end the trial; it is counted
        log.exception("session %s could not be tried", session.pk)
        return 0, [], 1


def compared(session: Session, before: Policy, after: Policy) -> tuple[int, list[Change]]:
    """How many notes the session has, and those that the second policy decides otherwise than the first."""
    seen = ~Q(status=NoteStatus.BLOCKED)
    if before.rules != after.rules:  # what was refused and not masked can be looked at again
        seen |= Q(Exists(Block.objects.filter(note=OuterRef("pk"), category__in=guardrails.JUDGED_CATEGORIES)))
    notes = list(session.notes.filter(seen).select_related("turn", "team", "session").order_by("said_at", "number"))
    drafted = _drafted(session, notes, after.rules) if "off" != after.distill != before.distill == "off" else []
    run = session.runs.exclude(started_at=None).order_by("started_at").first()
    known_at = run.started_at if run is not None else session.consolidated_at
    quotes = [note.evidence_quote for note in notes if note.evidence_quote]
    vectors = embed_all([*(note.text for note in notes), *quotes, *(draft.text for draft in drafted)])
    gathered = gather(session, notes, vectors, known_at=known_at)
    moment = known_at or timezone.now()
    old = _outcome(gathered, before, notes, [], moment)
    new = _outcome(gathered, after, notes, drafted, moment)
    return len(notes) + len(drafted), changes(old, new)


def _outcome(
    gathered: Gathered, policy: Policy, notes: Sequence[Note], drafted: Sequence[Candidate], moment: Any
) -> Outcome:
    kept = {str(note.pk) for note in notes if policy.distill != "off" or note.origin != NoteOrigin.DISTILLED}
    candidates = [one for one in gathered.candidates if one.id in kept]
    if policy.rules != gathered.rules:
        candidates = [replace(one, **guarded(policy.rules, gathered.notes[one.id])) for one in candidates]
    return decide(
        [*candidates, *drafted], gathered.existing, now=moment, policy=policy, slots=gathered.slots,
        similarity=gathered.similarity, profile=gathered.profile,
    )  # fmt: skip


def _drafted(session: Session, notes: Sequence[Note], rules: guardrails.RuleSet) -> list[Candidate]:
    """What the rules would have noted, had they been asked; named by the turns that it comes from."""
    if any(note.origin != NoteOrigin.OUTCOME for note in notes):
        return []
    turns = session.turns.filter(~Q(content="")).order_by("index")
    found = distill([spoken_of(turn) for turn in turns], guard=guard_of(rules), retractions=True)
    return [candidate_of(draft, place, rules) for place, draft in enumerate(found)]


def candidate_of(draft: DraftNote, place: int, rules: guardrails.RuleSet) -> Candidate:
    """The draft as a note that waits, named by its turn, and what the guardrails say of it."""
    fields = {name: getattr(draft, name) for name in ("text", "value", "condition", "subject")} | {
        "evidence_quote": draft.quote
    }
    verdict = guardrails.check_fields(rules, fields, key=draft.key or "").verdict
    return Candidate(
        id=f"turn:{draft.turn}:{place}", text=draft.text, said_at=draft.said_at, key=draft.key, value=draft.value,
        condition=draft.condition, subject=draft.subject, kind=draft.kind, scope=draft.scope,
        occurred_at=draft.occurred_at, confidence=draft.confidence, retract=draft.retract, origin="distilled",
        evidence=Evidence("user", draft.quote, True), sensitivity=guardrails.sensitivity(draft.text, draft.value), order=place,
        blocked=None if verdict is None else verdict.category,
        found_by="" if verdict is None else verdict.rule or "",
        held=rules.holds(list(guardrails.strings(fields)), draft.key or ""),
    )  # fmt: skip
