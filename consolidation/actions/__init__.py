"""Every write of consolidation: a session ended, a run claimed, decided and applied, a stale decision made anew."""

from .ending import end_session, queue_idle_sessions, queue_session
from .gathering import Gathered
from .redeciding import redecide
from .running import run_consolidation
from .sweeping import retry_run, sweep_runs

__all__ = [
    "Gathered",
    "end_session",
    "queue_idle_sessions",
    "queue_session",
    "redecide",
    "retry_run",
    "run_consolidation",
    "sweep_runs",
]
