"""A session run again in the background, where that takes longer than a page may: kept as a trial of one session."""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone

from consolidation.domain.policy import Policy
from consolidation.llm import Prompt
from consolidation.models import ConsolidationRun, PolicyTrial
from memory_app.actions.audit import audit
from memory_app.actions.guard import masked
from memory_app.actions.jobs import SLICE_SECONDS, Hopeless, hold, keep
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden
from memory_app.failures import GONE
from memory_app.models import AuditEvent, Session, Workspace

from .asking import Asking, Reply, Shape, configured
from .policies import current_policy
from .replaying import MODEL, replay
from .trials import kept_trial

#: The audit row of a session that a model runs again.
ASKED = "session.replay"


def may_ask(workspace: Workspace) -> bool:
    """Whether a language model may be asked: there is one, and the policy in force lets it judge."""
    return configured() is not None and current_policy(workspace).llm_judges


def begin_replay(session: Session, actor: Actor, policy: Policy, engine: str, rule_set: str) -> PolicyTrial:
    """A replay of the session, to be run in the background. Forbidden below curator, Conflict where a model has been asked
    as often in a day as the policy in force lets it."""
    if not actor.at_least("curator"):
        raise Forbidden("Running a session again needs the role curator.")
    content = policy.to_json()
    content.pop("version")
    how = {"engine": engine, "rule_set": rule_set}
    with transaction.atomic():
        if engine == MODEL:
            _count(session, actor, policy)
        return kept_trial(
            session.workspace,
            actor,
            base_number=policy.version,
            content=content,
            sessions=[str(session.pk)],
            replay=how,
        )


def _count(session: Session, actor: Actor, policy: Policy) -> None:
    """On record that a model is asked, unless it was asked too often."""
    workspace = Workspace.objects.select_for_update(no_key=True).get(pk=session.workspace_id)  # one at a time
    most = current_policy(workspace).llm_replays
    asked = AuditEvent.objects.filter(workspace=workspace, action=ASKED, at__gt=timezone.now() - timedelta(days=1))
    if asked.count() >= most:
        raise Conflict(f"A language model runs {most} sessions again in 24 hours at the most.")
    audit(workspace, actor, ASKED, session, policy=policy.version)


def replay_steps(trial: PolicyTrial) -> Iterator[None]:
    """The session run again: one step, or several where a model takes its time to answer."""
    how: dict[str, Any] = trial.replay or {}
    session = Session.objects.select_related("workspace", "user").filter(pk=trial.sessions[0]).first()
    if session is None:
        raise Hopeless(GONE)
    policy = Policy.from_json(trial.content | {"version": trial.base_number})
    asked = how["engine"] == MODEL and may_ask(trial.workspace)
    if asked:
        there = current_policy(trial.workspace)
        policy = replace(policy, llm_judges=True, llm_calls=there.llm_calls, llm_tokens=there.llm_tokens)
    while True:
        asking = Rehearsal.of(trial, session, policy) if asked else None
        try:
            made = replay(session, policy, how["engine"], how["rule_set"], asking)
        except Paused:
            yield
            continue
        silent = asking.unanswered if asking is not None else 0
        missing = dict(made.missing) | ({"unanswered": silent} if silent else {})
        keep(
            trial, done=1, compared=len(made.rows), changes=[row.to_json() for row in made.rows],
            replay=how | {"missing": missing},
        )  # fmt: skip
        return


class Paused(Exception):
    """The slice is over before the next question; those before it are answered for good."""


@dataclass
class Rehearsal(Asking):
    """Questions of a run that is none: within one session's budget, no row says for good that they were asked, and what
    an earlier slice asked is not asked again."""

    trial: PolicyTrial = field(kw_only=True)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)
    asked: bool = False

    @classmethod
    def of(cls, trial: PolicyTrial, session: Session, policy: Policy) -> "Rehearsal":
        """The rehearsal as the trial's last slice left it."""
        run = ConsolidationRun(workspace=trial.workspace, session=session, user=session.user)
        run.model_calls = list(trial.state.get("calls", []))
        return cls(
            run,
            policy,
            stopped=trial.state.get("stopped", ""),
            answers=dict(trial.state.get("answers", {})),
            trial=trial,
        )

    @property
    def unanswered(self) -> int:
        return sum(1 for answer in self.answers.values() if answer["reason"])

    def ask(self, prompt: Prompt, data: Mapping[str, Any], shape: type[Shape]) -> "Reply[Shape]":
        """The answer of this slice or of an earlier one. One that masking would change is none: it may not be kept."""
        question = json.dumps([prompt.label, prompt.messages(data)], ensure_ascii=False)
        name = sha256(question.encode()).hexdigest()
        if name not in self.answers:
            if self.asked and time.monotonic() - self.began >= SLICE_SECONDS:
                raise Paused
            self.asked = True
            reply = super().ask(prompt, data, shape)
            said = reply.value.model_dump(mode="json") if reply.value is not None else None
            reason = reply.reason if masked(self.trial.workspace.rules, said) == said else "blocked"
            self.answers[name] = {"said": None if reason else said, "reason": reason, "tokens": reply.tokens}
            keep(self.trial, state=self._state())
        answer = self.answers[name]
        value = shape.model_validate(answer["said"]) if answer["said"] is not None else None
        return Reply(value, answer["reason"], answer["tokens"], {})

    def save(self) -> None:
        """What is about to be asked counts as spent, also if this worker dies of it. LostClaim where the trial is gone,
        as with its user: nothing more is sent."""
        hold(self.trial, state=self._state())

    def _state(self) -> dict[str, Any]:
        return {"calls": self.run.model_calls, "answers": self.answers, "stopped": self.stopped}

    def _budget(self) -> tuple[int, int]:
        spent = sum(int(call["tokens"]) for call in self.run.model_calls)
        return self.policy.llm_calls - len(self.run.model_calls), self.policy.llm_tokens - spent
