"""One pager for pages and API: forward, back, and what becomes of a cursor of another list."""

from datetime import timedelta

import pytest
from django.core import signing
from django.utils import timezone

from memory_app.domain.errors import Invalid
from memory_app.keyset import SALT, Order, page_at, page_of
from memory_app.models import Session, User, Workspace

NEWEST, OLDEST = Order("started_at"), Order("started_at", descending=False)


@pytest.fixture
def places(workspace: Workspace) -> list[Session]:
    """Six sessions, newest first; the last four began at one moment."""
    user, now = User.objects.create(workspace=workspace, external_id="u"), timezone.now()
    made = [
        Session.objects.create(workspace=workspace, user=user, started_at=now - timedelta(hours=min(n, 2)))
        for n in range(6)
    ]
    return sorted(made, key=lambda s: (s.started_at, s.pk), reverse=True)


@pytest.mark.parametrize("order", [NEWEST, OLDEST])
def test_pages_forward_and_back_are_the_same(places: list[Session], order: Order) -> None:
    wanted = places if order.descending else places[::-1]
    rows, seen, cursor = Session.objects.all(), [], ""
    while True:
        page = page_of(rows, order, cursor, 2)
        seen.append(page)
        if not page.next:
            break
        cursor = page.next
    assert [row for page in seen for row in page.rows] == wanted
    assert page_of(rows, order, seen[-1].previous, 2).rows == seen[-2].rows
    assert page_of(rows, order, seen[1].previous, 2).previous == ""


@pytest.mark.parametrize(
    "cursor",
    ["x", "WyJuIiwgMSwgImEiXQ", signing.dumps(["other", "n", 1, "a"], salt=SALT)],
    ids=["letters", "unsigned", "of another list"],
)
def test_a_page_begins_anew_at_a_cursor_that_is_none_and_the_api_refuses_it(places: list[Session], cursor: str) -> None:
    assert page_of(Session.objects.all(), NEWEST, cursor, 2).rows == places[:2]
    with pytest.raises(Invalid):
        page_at(Session.objects.all(), NEWEST, cursor, 2)


def test_a_cursor_is_bound_to_its_order_and_filters(places: list[Session]) -> None:
    rows = Session.objects.all()
    cursor = page_at(rows, NEWEST, "", 2, {"status": "open"}).next
    assert page_at(rows, NEWEST, cursor, 2, {"status": "open"}).rows == places[2:4]
    for order, filters in ((NEWEST, {"status": "ended"}), (OLDEST, {"status": "open"}), (NEWEST, {})):
        with pytest.raises(Invalid):
            page_at(rows, order, cursor, 2, filters)
