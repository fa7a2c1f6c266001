"""When something is an alert: each rule a comparison of numbers with a limit."""

from dataclasses import dataclass
from datetime import timedelta

INSTRUCTIONS_WITHIN = timedelta(minutes=10)
RUNS_WITHIN = timedelta(hours=1)
WRITES_WITHIN, WRITES_BEFORE = timedelta(days=1), timedelta(days=14)
REVERSALS_WITHIN, REVERSALS_BEFORE = timedelta(days=7), timedelta(days=28)
#: Below these a rate says nothing: one of two is half.
FEWEST_REVERSED, FEWEST_WRITES = 5, 100


@dataclass(frozen=True, slots=True)
class Limits:
    """What the installation's settings say."""

    queue_hours: int = 72
    reversal_percent: int = 20
    writes_times: int = 10
    instruction_blocks: int = 5
    failed_runs: int = 3


def reversals_up(limits: Limits, reversed_now: int, judged_now: int, reversed_before: int, judged_before: int) -> bool:
    """The share of the last days reaches the limit and is at least twice that of the days before them."""
    if reversed_now < FEWEST_REVERSED or reversed_now * 100 < limits.reversal_percent * judged_now:
        return False
    return not judged_before or reversed_now * judged_before >= 2 * reversed_before * judged_now


def writes_up(limits: Limits, now: int, before: int) -> bool:
    """The last day has many times as many as a day of the time before; an agent without a past has no usual."""
    usual = before / (WRITES_BEFORE / WRITES_WITHIN)
    return before > 0 and now >= FEWEST_WRITES and now >= limits.writes_times * usual
