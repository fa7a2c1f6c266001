"""Many numbers of one workspace in one statement."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Expression, IntegerField, QuerySet, Subquery

from memory_app.models import Workspace

#: Above it a list says "10,000+": counting on would take longer than reading a page of it.
MOST = 10_000


class CountOf(Subquery):
    """How many rows a query finds, its slice included."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


def counted(workspace: Workspace, asked: Mapping[str, "QuerySet[Any] | Expression | Subquery"]) -> dict[str, Any]:
    """What each query counts and what each expression is, by its name; one statement."""
    found = {
        name: CountOf((one if one.query.is_sliced else one.order_by()).values("pk"))
        if isinstance(one, QuerySet)
        else one
        for name, one in asked.items()
    }
    return dict(Workspace.objects.filter(pk=workspace.pk).values(**found).get())
