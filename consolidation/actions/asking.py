"""Questions to the configured language model: within the session's budget, outside of every transaction, on record.

A call is written down before it is made, so a worker that dies in the middle of one has spent it. What is kept of it
is its purpose, its cost and how it ended, never what was said.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db import connection

from consolidation.domain.policy import Policy
from consolidation.llm import Failed, Model, Prompt, Question, parsed, schema_of
from consolidation.llm.answers import Answer
from consolidation.models import ConsolidationRun
from memory_app.domain.words import count_tokens

from .leases import hold

log = logging.getLogger(__name__)

Shape = TypeVar("Shape", bound=Answer)
#: After these the next question of the same run would most likely end the same way, and cost as much time.
LASTING = frozenset(
    {"not_configured", "timeout", "unreachable", "server_error", "rate_limited", "redirected", "request_refused"}
)
#: Nothing was sent: no call, no tokens.
UNSENT = frozenset({"not_configured", "over_budget"})
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Reply(Generic[Shape]):
    """The answer in its shape, or why there is none; what it cost, and the call's entry in the run."""

    value: Shape | None
    reason: str
    tokens: int
    entry: dict[str, Any]


def configured() -> Model | None:
    """The model that the environment names; None where it names none."""
    there = settings.COMMONPLACE
    if there.llm_url is None or there.llm_model is None:
        return None
    return Model(there.llm_url, there.llm_model, there.llm_key, there.llm_timeout_seconds)


def engine_of(model: Model | None, prompt: Prompt) -> str:
    """How a decision names the model and the version of what it was told."""
    name = "none" if model is None else model.name
    return f"{name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + '…'} ({prompt.label})"


@dataclass
class Asking:
    """The questions of one run. `stopped` is why no more are asked."""

    run: ConsolidationRun
    policy: Policy
    model: Model | None = field(default_factory=configured)
    stopped: str = ""

    def ask(self, prompt: Prompt, data: Mapping[str, Any], shape: type[Shape]) -> "Reply[Shape]":
        """The model's answer to this prompt. Whatever goes wrong is a reason, never an exception."""
        if self.stopped:
            return Reply(None, self.stopped, 0, {})
        messages = prompt.messages(data)
        cost = sum(count_tokens(one["content"]) for one in messages)
        calls, left = self._budget()
        if self.model is None or calls < 1 or cost + prompt.room > left:
            self.stopped = "over_budget" if self.model is not None else "not_configured"
            return Reply(None, self.stopped, 0, self._write(prompt, self.stopped, 0))
        if connection.in_atomic_block:
            raise RuntimeError("a language model is never asked inside of a transaction")
        entry = self._write(prompt, "asked", cost + prompt.room)
        connection.close()  # it may take a minute, and a connection is dear
        try:
            answer = self.model.ask(Question(messages, prompt.name, schema_of(shape), prompt.room))
            tokens = max(answer.tokens, cost + count_tokens(answer.content))
            entry |= {"tokens": tokens, "attempts": answer.attempts}
            value, reason = parsed(shape, answer.content), ""
        except Failed as failed:
            value, reason = None, failed.reason
            if not entry.get("attempts"):
                sent = reason not in LASTING or reason == "timeout"
                entry |= {"tokens": max(failed.tokens, cost if sent else 0), "attempts": failed.attempts}
        self.stopped = reason if reason in LASTING else ""
        entry["outcome"] = reason or "answered"
        log.info("run %s asked a model (%s): %s", self.run.pk, prompt.label, entry["outcome"])
        self.save()
        return Reply(value, reason, int(entry["tokens"]), entry)

    def _budget(self) -> tuple[int, int]:
        """Calls and tokens that are left of the session's budget, over all of its runs."""
        others = ConsolidationRun.objects.filter(session=self.run.session_id).exclude(pk=self.run.pk)
        entries = [
            one for made in (*others.values_list("model_calls", flat=True), self.run.model_calls) for one in made
        ]
        sent = [one for one in entries if one["outcome"] not in UNSENT]
        return self.policy.llm_calls - len(sent), self.policy.llm_tokens - sum(one["tokens"] for one in sent)

    def _write(self, prompt: Prompt, outcome: str, tokens: int) -> dict[str, Any]:
        engine = engine_of(self.model, prompt)
        entry = {"purpose": prompt.name, "engine": engine, "outcome": outcome, "tokens": tokens, "attempts": 0}
        self.run.model_calls = [*self.run.model_calls, entry]
        self.save()
        return entry

    def save(self) -> None:
        """The run's row says what was asked so far. LostClaim when the run is another worker's by now."""
        hold(self.run, model_calls=self.run.model_calls)
