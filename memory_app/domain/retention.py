"""How long things are kept, and how important a memory is to begin with. Pure: rules, moments, numbers."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from .words import count_tokens

#: A session that nobody ended counts as over after so many days of silence.
ABANDONED_DAYS = 30
BASE, CONFIRMED, SUCCEEDED, FAILED, LONG = 0.5, 0.2, 0.2, 0.15, 0.1
LONG_TOKENS = 60


@dataclass(frozen=True, slots=True)
class Retention:
    """What a policy says about forgetting. A time of 0 days means that nothing is forgotten for its age."""

    turns_days: int = 365
    recall_log_days: int = 90
    archived_days: int = 365
    expired_days: int = 30
    episode_days: int = 90
    episode_importance: float = 0.4
    most_episodes: int = 10_000


@dataclass(frozen=True, slots=True)
class Due:
    """The moments before which something is due to be forgotten; None: never."""

    turns: datetime | None
    recall_logs: datetime | None
    archived: datetime | None
    expired: datetime | None
    episodes: datetime | None
    abandoned: datetime


def due(rules: Retention, now: datetime) -> Due:
    """What the rules mean at this moment."""

    def before(days: int) -> datetime | None:
        return now - timedelta(days=days) if days else None

    return Due(
        before(rules.turns_days), before(rules.recall_log_days), before(rules.archived_days),
        before(rules.expired_days), before(rules.episode_days), now - timedelta(days=ABANDONED_DAYS),
    )  # fmt: skip


def surplus(active: int, rules: Retention) -> int:
    """How many of a user's active episodes are too many."""
    return max(0, active - rules.most_episodes)


def starting_importance(text: str, *, confirmed: bool = False, outcome: str = "") -> float:
    """From what is known when a memory is made: the user's own words, how the task ended, how much there is to say."""
    importance = BASE
    if confirmed:
        importance += CONFIRMED
    importance += {"success": SUCCEEDED, "failure": FAILED}.get(outcome, 0.0)
    if count_tokens(text) >= LONG_TOKENS:
        importance += LONG
    return round(min(importance, 1.0), 4)
