"""Many numbers of one workspace in one statement."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Expression, IntegerField, QuerySet, Subquery

from memory_app.models import Workspace

#: Above it a list says "10,000+": counting on would take longer than reading a page of it.
MOST = 10_000


class CountOf(Subquery):
    """How many rows a query finds, its slice included."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


@dataclass(frozen=True)
class UpTo:
    """A number that was counted up to a limit: `more` where there are more than it."""

    number: int
    more: bool = False

    @classmethod
    def of(cls, rows: "QuerySet[Any]", most: int = MOST) -> "UpTo":
        """How many rows there are, as far as is worth reading; one statement."""
        return cls.told(rows.order_by()[: most + 1].count(), most)

    @classmethod
    def told(cls, number: int, most: int = MOST) -> "UpTo":
        """Of what was counted up to one above the limit."""
        return cls(min(number, most), number > most)


def shown(count: UpTo | None, name: str = "count") -> dict[str, Any]:
    """What a template shows of it, under this name; what was not counted is no number at all."""
    return {name: None, "more": False} if count is None else {name: count.number, "more": count.more}


def counted(workspace: Workspace, asked: Mapping[str, "QuerySet[Any] | Expression | Subquery"]) -> dict[str, Any]:
    """What each query counts and what each expression is, by its name; one statement."""
    found = {
        name: CountOf((one if one.query.is_sliced else one.order_by()).values("pk"))
        if isinstance(one, QuerySet)
        else one
        for name, one in asked.items()
    }
    return dict(Workspace.objects.filter(pk=workspace.pk).values(**found).get())
