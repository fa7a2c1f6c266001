"""The workbench of a session that holds more than a page shows: what one stroke approves, and where one is in it."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memory_app.actions.combining import merge_memories
from memory_app.models import Decision, Note, Session, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
ROW = {"HTTP_HX_REQUEST": "true"}
MORE, MORE_BESIDE = "These are the first that wait", "Here stand the first candidates"


@pytest.fixture
def session(workspace: Workspace) -> Session:
    return make.make_session(workspace)


def page_of(session: Session, name: str = "session") -> str:
    return reverse(name, args=["travel", session.pk])


def decided(session: Session, name: str, **fields: Any) -> Decision:
    make.make_turn(session, f"Fact {name} holds.")
    return make.make_decision(make.make_note(session, f"Fact {name} holds", f"Fact {name} holds"), **fields)


def approvable(client: Client, session: Session) -> tuple[list[Decision], bool]:
    response = client.get(page_of(session))
    return response.context["approvable"], MORE in response.content.decode()


def test_what_others_have_to_approve_stands_in_nobody_s_way(
    client: Client, workspace: Workspace, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consolidation.queries.workbench.AT_ONCE", 1)
    admin = make.make_operator(workspace, "admin", "zhou.min")
    own = [decided(session, f"own {n}", needs="admin", actor=make.actor_of(admin, "admin")) for n in range(3)]
    weighty = decided(session, "weighty", needs="admin")
    light = [decided(session, f"light {n}") for n in range(2)]
    assert approvable(signed_in(admin), session) == ([weighty], True)
    assert approvable(client, session) == (light[:1], True)
    assert "1 decision approved." in client.post(page_of(session, "session_approve"), **ROW).content.decode()
    assert approvable(client, session) == (light[1:], False)  # as many as one stroke approves, and no more
    assert "1 decision approved." in client.post(page_of(session, "session_approve"), **ROW).content.decode()
    assert approvable(client, session) == ([], False)
    assert approvable(signed_in(admin), session) == ([weighty], False)
    assert all(Decision.objects.get(pk=one.pk).is_open for one in own)


def test_what_is_not_shown_is_not_approved(client: Client, workspace: Workspace, session: Session) -> None:
    hidden, shown = decided(session, "hidden"), decided(session, "shown")
    memory = make.make_memory(workspace, "Takes the train")
    loose = make.make_decision(None, "edit", memory=memory, session=session)
    Note.objects.filter(pk=hidden.note_id).update(status="blocked")
    context = client.get(page_of(session)).context
    assert [row["decision"] for row in context["rows"]] == context["approvable"] == [shown, loose]
    assert context["waiting"] == 2
    client.post(page_of(session, "session_approve"))
    assert Decision.objects.get(pk=hidden.pk).is_open


def test_merges_do_not_grow_the_page_in_queries(client: Client, workspace: Workspace, session: Session) -> None:
    def merged(name: str) -> None:
        into, *others = [make.make_memory(workspace, f"Fact {name} holds, {n}") for n in range(3)]
        made = merge_memories(into, make.BACK_OFFICE, [one.pk for one in others]).decision
        Decision.objects.filter(pk=made.pk).update(session=session)

    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            rows = client.get(page_of(session)).context["rows"]
        assert {(row["decision"].action, row["can"]["undo"]) for row in rows} == {("merge", True)}
        return len(captured)

    merged("one")
    client.get(page_of(session))
    few = count()
    merged("two")
    merged("three")
    assert count() == few
    Workspace.objects.filter(pk=workspace.pk).update(solo=True)
    assert count() <= few


def test_what_stands_beside_the_turns_is_cut_where_there_is_more(
    client: Client, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consolidation.queries.workbench.BESIDE", 2)
    said = []
    for n in range(3):
        make.make_turn(session, f"Fact {n} holds.")
        make.make_note(session, f"Fact {n} holds", f"Fact {n} holds")
        said.append(MORE_BESIDE in client.get(page_of(session)).content.decode())
    assert said == [False, False, True]


def test_a_page_and_its_turns_leave_each_other_be(
    client: Client, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consolidation.queries.workbench.WINDOW", 4)
    monkeypatch.setattr("consolidation.queries.workbench.PAGE_SIZE", 2)
    make.make_turn(session, "What can I do for you?", "assistant")
    loose = make.make_note(session, "Said in no turn")
    rows = [decided(session, str(n)) for n in range(10)]
    second = f"c-{rows[1].note.number}"  # type: ignore[union-attr]
    first = client.get(page_of(session))
    assert [anchor["ref"] for anchor in first.context["loose"]] == [loose.ref]
    query = {"cursor": second, "turn": "9"}
    response = client.get(page_of(session), query)
    page = response.content.decode()
    assert response.context["title"] == first.context["title"] == "Fact 0 holds."
    assert response.context["loose"] == []
    assert next(row["id"] for row in response.context["rows"]) == second
    assert f'href="?cursor={second}&amp;turn=7#turn-7"' in page  # earlier turns, the same rows
    assert f'href="{page_of(session)}?cursor={second}&amp;turn=3#turn-3"' in page  # the turn of a row
    assert f'href="?cursor={response.context["page"].next}"' in page  # other rows, with their turns
    form = f"{page_of(session, 'session_approve')}?cursor={second}&amp;turn=9"
    assert f'hx-post="{form}"' in page
    answer = client.post(form.replace("&amp;", "&"), **ROW)
    assert next(row["id"] for row in answer.context["rows"]) == second
    assert 'id="turn-9"' in answer.content.decode()
    assert client.post(form.replace("&amp;", "&"))["Location"] == f"{page_of(session)}?cursor={second}&turn=9"
