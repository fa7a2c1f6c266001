"""A session run again in the background, where that takes longer than a page may: kept as a trial of one session."""

import logging
import uuid
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from consolidation.domain.policy import Policy
from consolidation.models import ConsolidationRun, PolicyTrial, TrialStatus
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Forbidden
from memory_app.models import Session, Workspace

from .asking import Asking, configured
from .leases import LostClaim
from .policies import current_policy
from .replaying import MODEL, replay
from .trials import KEPT, LOST_AFTER

log = logging.getLogger(__name__)

#: How long a worker may be silent while a model thinks.
PATIENCE = timedelta(minutes=3)
MOST_TRIES = 3


def may_ask(workspace: Workspace) -> bool:
    """Whether a language model may be asked: there is one, and the policy in force lets it judge."""
    return configured() is not None and current_policy(workspace).llm_judges


def begin_replay(session: Session, actor: Actor, policy: Policy, engine: str, rule_set: str) -> PolicyTrial:
    """A replay of the session, to be run in the background. Forbidden below curator."""
    if not actor.at_least("curator"):
        raise Forbidden("Running a session again needs the role curator.")
    content = policy.to_json()
    content.pop("version")
    made = PolicyTrial.objects.create(
        workspace=session.workspace, content=content, base_number=policy.version, sessions=[str(session.pk)],
        replay={"engine": engine, "rule_set": rule_set}, author_id=actor.id, author=actor.label,
    )  # fmt: skip
    old = PolicyTrial.objects.filter(workspace=session.workspace).exclude(replay__isnull=True).order_by("-created_at")
    PolicyTrial.objects.filter(pk__in=list(old.values_list("pk", flat=True)[KEPT:])).delete()
    return made


def run_replay(trial_id: uuid.UUID) -> None:
    """The replay done by one worker at a time. An error ends it with nothing found, and so does a worker that dies of it
    again and again."""
    found = PolicyTrial.objects.select_related("workspace").filter(pk=trial_id, status=TrialStatus.RUNNING)
    trial = found.exclude(replay__isnull=True).first()
    if trial is None:
        return
    how: dict[str, Any] = trial.replay or {}
    mine, tries = PolicyTrial.objects.filter(pk=trial.pk), int(how.get("tries", 0))
    if tries and trial.touched_at > timezone.now() - LOST_AFTER:
        return  # another worker has it
    if tries >= (1 if how["engine"] == MODEL else MOST_TRIES):  # what a model was asked is spent
        mine.update(status=TrialStatus.DONE, done=1, skipped=1, touched_at=timezone.now())
        return
    how = how | {"tries": tries + 1}
    free = mine.filter(status=TrialStatus.RUNNING, touched_at=trial.touched_at)
    if not free.update(replay=how, touched_at=timezone.now() + PATIENCE):
        return
    session = Session.objects.select_related("workspace", "user").filter(pk=trial.sessions[0]).first()
    policy = Policy.from_json(trial.content | {"version": trial.base_number})
    try:
        if session is None:
            raise LookupError("the session is gone")
        asking = None
        if how["engine"] == MODEL and may_ask(trial.workspace):
            there = current_policy(trial.workspace)
            policy = replace(policy, llm_judges=True, llm_calls=there.llm_calls, llm_tokens=there.llm_tokens)
            asking = Rehearsal(ConsolidationRun(workspace=trial.workspace, session=session, user=session.user), policy,
                               trial=trial.pk)  # fmt: skip
        made = replay(session, policy, how["engine"], how["rule_set"], asking)
        silent = sum(1 for call in asking.run.model_calls if call["outcome"] != "answered") if asking is not None else 0
        missing = dict(made.missing) | ({"unanswered": silent} if silent else {})
        mine.update(
            status=TrialStatus.DONE, done=1, compared=len(made.rows), changes=[row.to_json() for row in made.rows],
            replay=how | {"missing": missing}, touched_at=timezone.now(),
        )  # fmt: skip
    except Exception:  # whatever it is, the page says that it could not be done
        log.exception("session %s could not be run again", trial.sessions[0])
        mine.update(status=TrialStatus.DONE, done=1, skipped=1, touched_at=timezone.now())


@dataclass
class Rehearsal(Asking):
    """Questions of a run that is none: within one session's budget, and no row says that they were asked."""

    trial: uuid.UUID = field(kw_only=True)

    def _budget(self) -> tuple[int, int]:
        spent = sum(int(call["tokens"]) for call in self.run.model_calls)
        return self.policy.llm_calls - len(self.run.model_calls), self.policy.llm_tokens - spent

    def save(self) -> None:
        """The trial is in good hands for as long as a model may think. LostClaim where it is gone, as with its user:
        nothing more is sent."""
        mine = PolicyTrial.objects.filter(pk=self.trial, status=TrialStatus.RUNNING)
        if not mine.update(touched_at=timezone.now() + PATIENCE):
            raise LostClaim(str(self.trial))
