"""What waited for a person at the end of each day, without a look at every decision that ever waited."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import BigIntegerField, Count, Func, Sum
from django.db.models.functions import TruncDate

from memory_app.models.decision import OPEN, WAITING_SINCE

from .metrics import QUEUE
from .sums import Narrows

#: Of an agent and a language, by day.
Moved = dict[tuple[str, str], dict[date, "Moves"]]


class Microseconds(Func):
    """A moment as a whole number, and exact: a double holds it. As seconds with a fraction, a sum takes three times as long."""

    template = "(date_part('epoch', %(expressions)s) * 1000000)::bigint"
    output_field = BigIntegerField()


@dataclass
class Moves:
    """Of one day: what waits now and began to on it; and what was settled on it, less what began on it and was settled."""

    open: int = 0
    open_at: Decimal = Decimal(0)
    settled: int = 0
    settled_at: Decimal = Decimal(0)


def moves_of(scope: Narrows, waited: Mapping[tuple[date, str, str], Mapping[str, Decimal]], nobody: str) -> Moved:
    """What waits now, in one statement, with the days' own numbers of what was settled."""
    moved: Moved = defaultdict(lambda: defaultdict(Moves))
    rows = scope.narrowed(QUEUE.model._default_manager.filter(status__in=OPEN))
    rows = rows.annotate(made=TruncDate(WAITING_SINCE), since=Microseconds(WAITING_SINCE))
    keys = ("made", "session__agent__external_id", "session__language")
    counted: Any = rows.values_list(*keys).annotate(n=Count("pk"), at=Sum("since"))
    for made, agent, language, count, at in counted:
        one = moved[agent or nobody, language or nobody][made]
        one.open, one.open_at = one.open + count, one.open_at + Decimal(at) / 1_000_000
    for (day, agent, language), numbers in waited.items():
        one = moved[agent, language][day]
        one.settled += int(numbers.get("over", 0) - numbers.get("began", 0))
        one.settled_at += numbers.get("over_at", Decimal(0)) - numbers.get("began_at", Decimal(0))
    return moved


def at_ends(dates: Sequence[date], moves: Mapping[date, Moves]) -> Iterator[tuple[date, int, Decimal]]:
    """For each day how many waited at its end, and the sum of the moments since when: of what waits now, what had begun
    by then; of the rest, what was settled later, without what also began later."""
    count, at = sum(one.settled for one in moves.values()), sum(one.settled_at for one in moves.values())
    days = iter(sorted(moves.items()))
    upcoming = next(days, None)
    for day in dates:
        while upcoming is not None and upcoming[0] <= day:
            count += upcoming[1].open - upcoming[1].settled
            at += upcoming[1].open_at - upcoming[1].settled_at
            upcoming = next(days, None)
        if count:
            yield day, count, Decimal(at)
