"""Every write of consolidation: a session ended, a run claimed, decided and applied, a stale decision made anew."""

from .bulk import rule_on_many
from .ending import end_session, queue_idle_sessions, queue_session
from .erasing import erase_user
from .gathering import Gathered
from .redeciding import redecide
from .releasing import release_block
from .running import run_consolidation
from .sweeping import retry_run, sweep_runs

__all__ = [
    "Gathered",
    "end_session",
    "erase_user",
    "queue_idle_sessions",
    "queue_session",
    "redecide",
    "release_block",
    "retry_run",
    "rule_on_many",
    "run_consolidation",
    "sweep_runs",
]
