"""What the agent saw: from a session, a user or a memory to the very bytes, with the versions they were made from."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memory_app.actions.erasing import erase_memory
from memory_app.actions.memories import edit_memory
from memory_app.models import Injection, Session, Workspace
from memory_app.recall import context_for, recall
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/w/travel/seen/"


@pytest.fixture
def session(workspace: Workspace) -> Session:
    return make.make_session(workspace)


@pytest.fixture
def viewer(workspace: Workspace) -> Client:
    return signed_in(make.make_operator(workspace, "viewer", "vic"))


def test_a_session_leads_to_the_bytes_that_its_agent_was_given(
    viewer: Client, workspace: Workspace, session: Session
) -> None:
    memory = make.make_memory(workspace, "Prefers an aisle seat", key="seat", value="aisle")
    made = context_for(workspace, user="zhang-san", session=session.pk, query="which seat")
    edit_memory(memory, make.BACK_OFFICE, {"text": "Prefers a window seat", "value": "window"})
    page = viewer.get(reverse("session", args=["travel", session.pk])).content.decode()
    assert f"{PAGE}?session={session.pk}" in page
    response = viewer.get(PAGE, {"session": session.pk})
    assert response.context["chosen"].text == made.text
    (one,) = response.context["included"]
    assert (one["text"], one["version"], one["ref"]) == ("Prefers an aisle seat", 1, memory.ref)
    assert "- Prefers an aisle seat" in response.content.decode()


def test_a_recall_is_drawn_from_its_versions_and_asked_again(
    viewer: Client, workspace: Workspace, session: Session
) -> None:
    memory = make.make_memory(workspace, "Prefers an aisle seat")
    recall(workspace, user="zhang-san", query="which seat", session=session.pk)
    recall(workspace, user="zhang-san", query="what is for dinner", session=session.pk)
    edit_memory(memory, make.BACK_OFFICE, {"text": "Prefers a window seat"})
    response = viewer.get(PAGE, {"session": session.pk})
    assert [row.query for row, _purpose, _href in response.context["rows"]] == ["what is for dinner", "which seat"]
    first = response.context["rows"][1][2]
    chosen = viewer.get(first)
    (one,) = chosen.context["included"]
    assert (one["text"], one["place"], one["kw_rank"]) == ("Prefers an aisle seat", 1, 1)
    again = viewer.get(chosen.context["again"])
    assert [found["text"] for found in again.context["results"]] == ["Prefers an aisle seat"]


def test_a_memory_leads_to_where_it_was_shown_and_at_which_place(viewer: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Prefers an aisle seat")
    recall(workspace, user="zhang-san", query="which seat")
    (shown,) = viewer.get(reverse("memory", args=["travel", memory.pk])).context["shown"]
    assert shown["place"] == 1
    response = viewer.get(shown["seen"])
    assert response.context["chosen"] == Injection.objects.get()
    assert response.context["person"].external_id == "zhang-san"


def test_what_was_erased_is_not_there_any_more(viewer: Client, workspace: Workspace, session: Session) -> None:
    memory = make.make_memory(workspace, "Owns a xylophone")
    context_for(workspace, user="zhang-san", session=session.pk)
    erase_memory(memory, make.BACK_OFFICE)
    page = viewer.get(PAGE, {"session": session.pk}).content.decode()
    assert "xylophone" not in page
    assert "It has been erased." in page


def test_answers_are_found_by_user_and_day(viewer: Client, workspace: Workspace) -> None:
    make.make_memory(workspace, "Prefers an aisle seat")
    make.make_memory(workspace, "Eats late", user="li-si")
    for user, query in (("zhang-san", "which seat"), ("li-si", "what is for dinner")):
        recall(workspace, user=user, query=query)
    Injection.objects.filter(user__external_id="zhang-san").update(at=datetime(2026, 9, 8, 23, 30, tzinfo=UTC))

    def found(**query: str) -> list[str]:
        response = viewer.get(PAGE, query)
        assert ("No answer matches these filters." in response.content.decode()) is (not response.context["rows"])
        return [row.query for row, _purpose, _href in response.context["rows"]]

    assert found() == ["what is for dinner", "which seat"]
    assert found(who="zhang-san") == ["which seat"]
    assert found(who="ZHANG") == found(who="san") == ["which seat"]
    assert found(day="2026-09-08") == ["which seat"]
    assert found(day="2026-09-07") == []
    assert found(who="nobody") == []
    assert found(day="someday", who="li-si") == ["what is for dinner"]
    response = viewer.get(PAGE, {"who": "zhang-san", "day": "2026-09-08"})
    ((_row, _purpose, href),) = response.context["rows"]
    again = viewer.get(href)
    assert (again.context["chosen"].query, again.context["filters"].who) == ("which seat", "zhang-san")


def test_a_part_that_too_many_names_have_says_so(
    viewer: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user in ("li-si", "li-na"):
        make.make_memory(workspace, "Prefers an aisle seat", user=user)
        recall(workspace, user=user, query="which seat")
    monkeypatch.setattr("memory_app.queries.named.MOST_NAMED", 1)
    said = "the list has the answers of some of them"
    assert said in viewer.get(PAGE, {"who": "li"}).content.decode()
    assert said not in viewer.get(PAGE, {"who": "li-s"}).content.decode()


@pytest.mark.parametrize("day", ["9999-12-31", "2026-02-30", "\x00"])
def test_a_day_that_is_none_narrows_nothing(viewer: Client, day: str) -> None:
    assert not viewer.get(PAGE, {"day": day}).context["filters"].narrowed


@pytest.mark.parametrize("query", [{"session": "x"}, {"id": "x"}, {"user": "00000000-0000-0000-0000-000000000000"}])
def test_what_is_not_there_is_not_found(viewer: Client, workspace: Workspace, query: dict[str, str]) -> None:
    assert viewer.get(PAGE, query).status_code == 404


def test_another_workspaces_answers_are_not_shown(viewer: Client, workspace: Workspace) -> None:
    other = make.make_workspace("other", "Other")
    session = make.make_session(other)
    make.make_memory(other, "Prefers an aisle seat")
    recall(other, user="zhang-san", query="which seat", session=session.pk)
    one = Injection.objects.get()
    for query in ({"session": session.pk}, {"id": one.pk}, {"user": one.user_id}):
        assert viewer.get(PAGE, query).status_code == 404
    mine = make.make_session(workspace).user_id
    assert viewer.get(PAGE, {"user": mine, "id": one.pk}).status_code == 404
    assert viewer.get(PAGE).context["chosen"] is None


def test_as_many_statements_for_many_memories_as_for_one(
    viewer: Client, workspace: Workspace, session: Session
) -> None:
    def statements(**asked: Any) -> int:
        context_for(workspace, user="zhang-san", session=session.pk, **asked)
        viewer.get(PAGE, {"session": session.pk})
        with CaptureQueriesContext(connection) as captured:
            viewer.get(PAGE, {"session": session.pk})
        return len(captured)

    make.make_memory(workspace, "Prefers an aisle seat")
    one = statements()
    for at in range(9):
        make.make_memory(workspace, f"Seat {at} is taken")
    assert statements() == one <= 20
