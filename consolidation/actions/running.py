"""One consolidation run: claim, distill, decide, and in one transaction store and apply."""

import logging
import uuid
from collections import Counter
from collections.abc import Mapping
from functools import partial

from django.db import transaction
from django.utils import timezone

from consolidation.domain.decide import decide
from consolidation.domain.decisions import Outcome
from consolidation.domain.judging import Verdict
from consolidation.domain.policy import Policy
from consolidation.models import ConsolidationRun, RunCause, RunStatus
from memory_app.actions.audit import audit
from memory_app.actions.content import TextVector, embed_all
from memory_app.actions.decisions import record
from memory_app.actions.jobs import LostClaim, kept
from memory_app.actions.locks import lock_owners
from memory_app.domain.actor import SYSTEM
from memory_app.failures import passed_over
from memory_app.models import Decision, Note, Session, SessionStatus

from .asking import Asking
from .distilling import BUDGET, distill_session
from .gathering import Gathered, gather
from .habits import propose_habits
from .judging import verdicts_on
from .leases import claim, fail, hold, next_of_user
from .policies import current_policy
from .proposing import proposal_of, proposed_texts

log = logging.getLogger(__name__)


def run_consolidation(run_id: uuid.UUID) -> uuid.UUID | None:
    """The run done, or pending again, or failed; nothing where it is not this worker's to do.

    Returns the id of the run to send next: the same user's next session, or this session's own next run.
    """
    run = claim(run_id)
    if run is None:
        return None
    try:
        policy = current_policy(run.workspace)
        asking = Asking(run, policy)
        with kept(partial(hold, run), f"run {run.pk}"):
            distill_session(run, policy, asking)
            _decide(run, policy, asking)
    except LostClaim:
        log.info("run %s was taken over", run.pk)
        return None
    except Exception as error:
        if not ConsolidationRun.objects.filter(pk=run.pk).exists():
            log.info("run %s was cancelled: its user was erased", run.pk)
            return None
        log.exception("run %s failed", run.pk)
        fail(run, error)
        return None
    return next_of_user(run)


def _decide(run: ConsolidationRun, policy: Policy, asking: Asking) -> None:
    """Every waiting note of the session decided exactly once. Vectors are made, and a model is asked, before the
    transaction; inside it the neighbours are read again under the owner's lock, and decided on again."""
    vectors = _vectors_of_notes(run.session)
    preview = gather(run.session, _waiting(run.session), vectors)
    outcome = _outcome(preview, policy)
    verdicts = verdicts_on(asking, outcome, preview)
    if verdicts:
        outcome = _outcome(preview, policy, verdicts)
    vectors |= embed_all(text for text in proposed_texts(outcome) if text not in preview.vectors)
    with transaction.atomic():
        _lock(run)
        hold(run)
        notes = _waiting(run.session)
        gathered = gather(run.session, notes, vectors)
        outcome = _outcome(gathered, policy, verdicts)
        counts = _record(run, gathered, outcome, policy)
        _finish(run, counts)


def _outcome(gathered: Gathered, policy: Policy, verdicts: Mapping[str, Verdict] | None = None) -> Outcome:
    return decide(
        gathered.candidates,
        gathered.existing,
        now=timezone.now(),
        policy=policy,
        slots=gathered.slots,
        similarity=gathered.similarity,
        profile=gathered.profile,
        verdicts=verdicts,
    )


def _record(run: ConsolidationRun, gathered: Gathered, outcome: Outcome, policy: Policy) -> Counter[str]:
    made: dict[str, Decision] = {}
    counts: Counter[str] = Counter()
    for decided in outcome.decisions:
        proposal, vector = proposal_of(decided, gathered, made, policy=policy)
        made[decided.candidate] = record(run.workspace, SYSTEM, proposal, vector)
        counts[decided.action] += 1
    propose_habits(run, made.values(), policy)
    return counts


def _lock(run: ConsolidationRun) -> None:
    """Owners first, then the session's row: the order that every action keeps."""
    teams = run.session.teams.values_list("pk", flat=True)
    team_notes = run.session.notes.exclude(team=None).values_list("team", flat=True)
    lock_owners({run.user_id, *teams, *team_notes})
    run.session = Session.objects.select_for_update().get(pk=run.session_id)


def _waiting(session: Session) -> list[Note]:
    return list(session.notes.waiting().select_related("turn", "team", "session").order_by("said_at", "number"))


def _vectors_of_notes(session: Session) -> dict[str, TextVector]:
    """Of what the notes say and of what they quote: how alike the two are shows whether a note is grounded."""
    notes = _waiting(session)
    return embed_all([n.text for n in notes] + [n.evidence_quote for n in notes if n.evidence_quote])


def _finish(run: ConsolidationRun, counts: Counter[str]) -> None:
    """The run done and the session consolidated; what came in meanwhile is left to a run of its own."""
    now = timezone.now()
    session = run.session
    run.status, run.finished_at, run.counts = RunStatus.DONE, now, dict(counts)
    run.error = passed_over(run.passed_over, BUDGET) if run.passed_over else ""
    run.claim, run.lease_until = None, None
    run.save(update_fields=["status", "finished_at", "counts", "error", "claim", "lease_until"])
    reopened = session.ended_at is None and session.status == SessionStatus.OPEN
    if not reopened:
        session.status = SessionStatus.CONSOLIDATED
    session.consolidated_at = now
    session.save(update_fields=["status", "consolidated_at"])
    ended_meanwhile = session.ended_at is not None and run.started_at is not None and session.ended_at > run.started_at
    if ended_meanwhile or (session.ended_at is not None and session.notes.waiting().exists()):
        ConsolidationRun.objects.create(workspace=run.workspace, session=session, user=session.user, cause=RunCause.END)
    audit(run.workspace, SYSTEM, "run.done", run, decisions=dict(counts))
