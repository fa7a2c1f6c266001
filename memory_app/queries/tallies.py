"""What is summed by the hour: the parts of the metrics, and what the overview counts besides."""

import hashlib
import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce, Concat, Extract, TruncHour

from memory_app.models import DecisionStatus, Workspace

from .metrics import BLOCKS, DECISIONS, JUDGED, METRICS, REVERSED, RULINGS, SESSIONS, Part, Source

SETTLED = (DecisionStatus.APPROVED, DecisionStatus.DECLINED)
#: Clocks may disagree by a little; what was settled before it was made has never waited.
_waited = Q(status__in=SETTLED, decided_at__gte=F("created_at"))


def _moment(scope: Any) -> Any:
    return Extract("created_at", "epoch")


#: Of what has waited, how many and the sum of the moments since when: on the day it was made, and on the one it was settled.
WAITED = {
    DECISIONS: {"began": Part(DECISIONS, _waited), "began_at": Part(DECISIONS, _waited, _moment)},
    RULINGS: {"over": Part(RULINGS, _waited), "over_at": Part(RULINGS, _waited, _moment)},
}


@dataclass(frozen=True)
class Tally:
    """Numbers of one source that are counted together, each by its name; `told` is a column by which they are told apart."""

    name: str
    source: Source
    parts: Mapping[str, Part] = field(hash=False)
    told: Any = field(default=None, hash=False)

    def counted(
        self, rows: "QuerySet[Any]", names: Iterable[str], keys: Mapping[str, Any], scope: Any
    ) -> "QuerySet[Any]":
        """Keys, and for each name its number. Where all count the same rows, no others are read."""
        parts = {name: self.parts[name] for name in names}
        same = {id(part.where): part.where for part in parts.values()}
        if len(same) == 1 and isinstance(where := next(iter(same.values())), Q):
            rows = rows.filter(where)
        amounts = {f"{name}_amount": part.value(scope) for name, part in parts.items() if part.value is not None}
        numbers: dict[str, Any] = {}
        for name, part in parts.items():
            where = part.condition(scope)
            if part.value is None:
                numbers[name] = Count("pk", filter=where) if where else Count("pk")
            else:
                numbers[name] = Sum(f"{name}_amount", filter=where)
        found: QuerySet[Any] = rows.annotate(**amounts, **keys).values(*keys).annotate(**numbers)
        return found.order_by().values_list(*keys, *parts)

    def by_hour(self, rows: "QuerySet[Any]", scope: Any) -> "QuerySet[Any]":
        """Hour, agent, language and what it is told apart by, and for each part its number."""
        keys = {
            "hour": TruncHour(self.source.at, tzinfo=UTC),
            "its_agent": F(f"{self.source.session}agent"),
            "its_language": Coalesce(F(f"{self.source.session}language"), Value("")),
            "told": self.told if self.told is not None else Value(""),
        }
        return self.counted(rows, self.parts, keys, scope)


def exact(number: Any) -> Decimal:
    """The number without a loss; a time in seconds."""
    if isinstance(number, timedelta):
        return Decimal(number // timedelta(microseconds=1)) / 1_000_000
    return Decimal(number or 0)


def _of_sources() -> Iterable[Tally]:
    found: dict[Source, dict[str, Part]] = defaultdict(dict)
    for metric in METRICS:
        for name, part in metric.parts().items():
            if not part.source.standing:
                found[part.source][name] = part
    for source, parts in found.items():
        yield Tally(source.name, source, parts | WAITED.get(source, {}))


BY_SOURCE: Mapping[Source, Tally] = {tally.source: tally for tally in _of_sources()}
#: A metric told apart, by its name.
SPLIT: Mapping[str, Tally] = {
    one.name: Tally(one.name, one.over.source, one.parts(), one.split) for one in METRICS if one.split is not None
}
FATES = Tally("fates", DECISIONS, {"count": Part(DECISIONS, Q())}, Concat("action", Value("/"), "status"))
#: What each rule decided, and how people ruled on it, as the reversal rate counts them.
RULES = Tally(
    "rules",
    DECISIONS,
    {
        "count": Part(DECISIONS, Q()),
        "judged": Part(DECISIONS, JUDGED),
        "overruled": Part(DECISIONS, JUDGED & REVERSED),
        "at": Part(DECISIONS, JUDGED & REVERSED, lambda scope: F("confidence")),
    },
    F("rule"),
)
PLACES = Tally("places", BLOCKS, {"count": Part(BLOCKS, Q())}, Concat("category", Value("/"), "stage"))
BEGUN = Tally("begun", SESSIONS, {"count": Part(SESSIONS, Q())})
TALLIES: tuple[Tally, ...] = (*BY_SOURCE.values(), *SPLIT.values(), FATES, RULES, PLACES, BEGUN)


@dataclass(frozen=True)
class Reach:
    """What a condition may ask of where it counts: the workspace, since when, and (none: for ever) until when."""

    workspace: Workspace | None
    start: datetime
    last: datetime | None = None


@cache
def definition() -> str:
    """What the sums mean, as the statements that count them: with any other, they are counted anew."""
    reach = Reach(Workspace(pk=uuid.UUID(int=0)), datetime(2000, 1, 1, tzinfo=UTC))
    said = [
        f"{tally.name} {tally.by_hour(tally.source.model._default_manager.all(), reach).query}" for tally in TALLIES
    ]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:32]
