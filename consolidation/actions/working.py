"""The kinds of job that there are, and the steps of each."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from consolidation.models import Evaluation, PolicyTrial
from memory_app.actions.jobs import SLICE_SECONDS, take_back, work
from memory_app.actions.scanning import scan_steps
from memory_app.models import Job, Scan

from .evaluating import evaluation_steps
from .leases import notes_wait
from .replays import replay_steps
from .trials import trial_steps


def _steps_of(trial: PolicyTrial) -> Iterator[None]:
    return trial_steps(trial) if trial.replay is None else replay_steps(trial)


STEPS: Mapping[type[Job], Callable[[Any], Iterator[None]]] = {
    PolicyTrial: _steps_of,
    Evaluation: evaluation_steps,
    Scan: scan_steps,
}
KINDS: Mapping[str, type[Job]] = {kind.__name__: kind for kind in STEPS}


def work_on(kind: type[Job], job_id: uuid.UUID, seconds: float = SLICE_SECONDS) -> bool:
    """The job gone on with for a slice, which is short where somebody's notes wait for a worker; whether the rest of it
    is to be sent."""
    return work(kind, job_id, STEPS[kind], seconds, notes_wait)


def lost_jobs() -> list[tuple[type[Job], uuid.UUID]]:
    """The jobs to send again, of every kind."""
    return [(kind, job_id) for kind in STEPS for job_id in take_back(kind)]
