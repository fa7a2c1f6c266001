"""Sessions and their workbench: what was said, what became of it, and a run that is followed by itself."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from consolidation.actions import end_session, run_consolidation
from consolidation.models import ConsolidationRun, RunStatus
from memory_app.actions.decisions import approve
from memory_app.models import Decision, DecisionStatus, Memory, Session, SessionStatus, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
ROW = {"HTTP_HX_REQUEST": "true"}
LIST = "/w/travel/sessions/"


def page_of(session: Session, name: str = "session") -> str:
    return reverse(name, args=["travel", session.pk])


def a_trip(workspace: Workspace) -> Session:
    """Turns with a promotion and an override that wait, an applied one for the session, and two blocks."""
    memory = make.make_memory(workspace, "倾向早班机", key="flight_time", value="morning", updated_at=make.days_ago(30))
    session = make.make_session(workspace, external_id="trip-1")
    make.make_turn(session, "帮我安排下周出差。这次想靠窗休息；以后短途优先高铁。")
    make.make_turn(session, "好的，本次按靠窗安排。", "assistant")
    make.make_turn(session, "卡号 4111 1111 1111 1111，先记一下。以后别订早班机了，优先晚班。")
    window = make.make_note(session, "这次想靠窗休息", "这次想靠窗休息", key="seat", value="window")
    rail = make.make_note(session, "短途优先高铁", "以后短途优先高铁", key="short_trips", value="rail")
    late = make.make_note(session, "优先晚班机", "以后别订早班机了，优先晚班", key="flight_time", value="evening")
    make.make_note(session, "银行卡 4111 1111 1111 1111")
    make.make_decision(window, "session_only", hold=False)
    make.make_decision(rail, "promote")
    make.make_decision(late, "override", memory=memory, params={"old": "倾向早班机"})
    return session


def decision_of(session: Session, action: str) -> Decision:
    return Decision.objects.get(session=session, action=action)


# The list --------------------------------------------------------------------------------------------------------


def test_the_list_counts_what_each_holds(client: Client, workspace: Workspace) -> None:
    session = a_trip(workspace)
    ((row, held, actions),) = client.get(LIST).context["rows"]
    assert row == session
    assert (held.turns, held.notes, held.waiting) == (3, 4, 2)
    assert held.blocks == 2
    assert actions == [("promote", 1), ("override", 1), ("session_only", 1)]


def test_a_long_list_is_counted_only_so_far(
    client: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consolidation.queries.sessions.MOST", 2)
    for n in range(4):
        make.make_session(workspace, user=f"u-{n}")
    end_session(Session.objects.earliest("started_at"), make.AGENT, task="Refund the order")

    def tabs(**query: str) -> tuple[Any, ...]:
        response = client.get(LIST, query)
        found = {tab["value"]: (tab["count"], tab["more"]) for tab in response.context["tabs"]}
        return found[""], found["open"], found["ended"], "4 of more than 2" in response.content.decode()

    assert tabs() == ((2, True), (2, True), (1, False), True)
    unknown = None, False  # what was not counted is no number, least of all 0
    assert tabs(q="u-") == ((2, True), unknown, unknown, True)
    assert tabs(q="refund") == ((1, False), (0, False), (1, False), False)


def test_filters_and_pages(client: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    trips = [make.make_session(workspace, user=f"u-{n}", started_at=make.days_ago(n)) for n in range(5)]
    other = make.make_session(workspace, user="li-na", agent="desk", started_at=make.days_ago(9))
    end_session(other, make.AGENT, task="Refund the order")

    def listed(**query: Any) -> list[Session]:
        return [row[0] for row in client.get(LIST, query).context["rows"]]

    assert listed() == [*trips, other]
    assert listed(status="ended") == [other]
    assert listed(agent="desk") == [other]
    assert listed(user="u-3") == [trips[3]]
    assert listed(q="refund") == [other]
    assert listed(q=trips[2].ref) == [trips[2]]
    assert listed(q="nobody") == []
    assert "Clear filters" in client.get(LIST, {"q": "nobody"}).content.decode()
    monkeypatch.setattr("consolidation.queries.sessions.PAGE_SIZE", 2)
    first = client.get(LIST).context["page"]
    second = client.get(LIST, {"cursor": first.next}).context["page"]
    assert first.rows + second.rows == trips[:4]
    assert client.get(LIST, {"cursor": second.previous}).context["page"].rows == first.rows
    table = client.get(LIST, {"q": "li"}, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="session-table").content.decode()
    assert table.lstrip().startswith("<div")
    assert "<html" not in table


def test_a_list_that_looks_for_some_names_only_says_so(
    client: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [make.make_session(workspace, f"guest-{n}") for n in range(3)]
    monkeypatch.setattr("memory_app.queries.named.MOST_NAMED", 2)
    page = client.get(LIST, {"q": "guest"})
    assert [row[0] for row in page.context["rows"]] == made[:0:-1]
    assert "More than 2 users or agents" in page.content.decode()
    assert "users or agents have" not in client.get(LIST, {"q": "guest-1"}).content.decode()


def test_an_empty_list_says_what_comes(client: Client) -> None:
    assert "No sessions yet." in client.get(LIST).content.decode()


def test_neither_page_grows_in_queries(
    client: Client, workspace: Workspace, django_assert_max_num_queries: Any
) -> None:
    session = a_trip(workspace)

    def count(address: str) -> int:
        with django_assert_max_num_queries(40) as captured:
            client.get(address)
        return len(captured)

    pages = (LIST, page_of(session))
    client.get(LIST)
    few = [count(address) for address in pages]
    for n in range(6):
        make.make_turn(session, f"Fact {n} holds.")
        note = make.make_note(session, f"Fact {n} holds", f"Fact {n} holds", key=f"fact_{n}")
        make.make_decision(note, needs="admin" if n % 2 else "curator")
        make.make_session(workspace, user=f"u-{n}")
    assert [count(address) for address in pages] == few


# The workbench ---------------------------------------------------------------------------------------------------


def test_turns_carry_their_notes_and_blocks(client: Client, workspace: Workspace) -> None:
    session = a_trip(workspace)
    page = client.get(page_of(session)).content.decode()
    assert "<mark>这次想靠窗休息</mark>" in page
    assert "4111 1111" not in page
    assert 'class="masked"' in page
    assert page.count('class="anchor blocked"') == 2
    assert 'id="turn-1"' in page
    rail = decision_of(session, "promote").note
    assert rail is not None
    assert f'<tr id="c-{rail.number}">' in page
    assert f'href="#c-{rail.number}"' in page
    assert "<del>倾向早</del>" in page
    assert "2 of 3 decisions pending" in page
    assert "Approve 2 pending" in page


def test_a_row_is_decided_in_place(client: Client, workspace: Workspace) -> None:
    session = a_trip(workspace)
    rail, late = decision_of(session, "promote"), decision_of(session, "override")
    response = client.post(reverse("decision_approve", args=["travel", rail.pk]), {"view": "row"}, **ROW)
    page = response.content.decode()
    assert page.lstrip().startswith("<tr id=")
    assert "Undo" in page
    assert 'id="session-summary" hx-swap-oob="true"' in page
    assert "1 of 3 decisions pending" in page
    assert "is new." in page
    declined = client.post(reverse("decision_decline", args=["travel", late.pk]), {"view": "row"}, **ROW)
    assert "Nothing was written." in declined.content.decode()
    undone = client.post(reverse("decision_undo", args=["travel", rail.pk]), {"view": "row"}, **ROW)
    assert "is open again" in undone.content.decode()
    rail.refresh_from_db()
    assert rail.status == DecisionStatus.UNDONE
    plain = client.post(reverse("decision_approve", args=["travel", rail.pk]), {"view": "row"})
    anchor = f"c-{rail.note.number}"  # type: ignore[union-attr]
    assert plain["Location"] == f"{page_of(session)}?cursor={anchor}#{anchor}"


def test_a_row_that_another_decided_says_so(client: Client, workspace: Workspace) -> None:
    rail = decision_of(a_trip(workspace), "promote")
    admin = make.make_operator(workspace, "admin", "zhou.min")
    approve(workspace, make.actor_of(admin, "admin"), rail.pk)
    response = client.post(reverse("decision_decline", args=["travel", rail.pk]), {"view": "row"}, **ROW)
    assert response.status_code == 409
    assert "zhou.min approved this just now." in response.content.decode()


def test_a_whole_session_is_approved(client: Client, workspace: Workspace) -> None:
    session = a_trip(workspace)
    note = make.make_note(session, "老样子就行")
    make.make_decision(note, "review", after={})
    page = client.get(page_of(session)).content.decode()
    assert "Approve 2 pending decisions?" in page
    assert "1 candidate still needs a choice and stays pending." in page
    response = client.post(page_of(session, "session_approve"), **ROW)
    assert "2 decisions approved." in response.content.decode()
    assert Memory.objects.filter(workspace=workspace, scope="user", text="优先晚班机", version=2).exists()
    assert decision_of(session, "review").is_open
    assert client.post(page_of(session, "session_approve"))["Location"] == page_of(session)


def test_a_workbench_has_pages(client: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consolidation.queries.workbench.PAGE_SIZE", 2)
    monkeypatch.setattr("consolidation.queries.workbench.AT_ONCE", 1)
    session = a_trip(workspace)
    memory = Memory.objects.get(text="倾向早班机")
    loose = make.make_decision(None, "edit", memory=memory, session=session, needs="admin")
    notes = [f"c-{note.number}" for note in session.notes.exclude(status="blocked").order_by("number")]

    def shown(**query: str) -> tuple[list[str], str, str]:
        context = client.get(page_of(session), query).context
        return [row["id"] for row in context["rows"]], context["page"].next, context["page"].previous

    assert shown() == (notes[:2], notes[2], "")
    assert shown(cursor=notes[2]) == ([notes[2], f"d-{loose.number}"], "", notes[0])
    assert shown(cursor=notes[1]) == (notes[1:], f"d-{loose.number}", notes[0])
    assert shown(cursor=f"d-{loose.number}") == ([f"d-{loose.number}"], "", notes[1])
    assert shown(cursor="c-999999") == shown(cursor="x") == shown()
    page = client.get(page_of(session), **ROW, HTTP_HX_TARGET="session-page").content.decode()
    assert page.lstrip().startswith('<div class="page" id="session-page"')
    assert f'href="{page_of(session)}?cursor={notes[2]}#{notes[2]}"' in page  # beside its turn
    assert "3 of 4 decisions pending" in page
    assert "These are the first that wait" in page
    assert "1 decision approved." in client.post(page_of(session, "session_approve"), **ROW).content.decode()
    monkeypatch.setattr("consolidation.queries.workbench.PAGE_SIZE", 4)
    assert shown(cursor=notes[2]) == ([*notes, f"d-{loose.number}"], "", "")  # all of them fit


def test_a_run_is_followed_until_it_is_over(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "From now on I prefer rail for short trips.")
    make.make_note(
        session, "Prefers rail for short trips", "From now on I prefer rail for short trips", key="short_trips"
    )
    page = client.get(page_of(session)).content.decode()
    assert "Not decided yet" in page
    assert 'id="act-consolidate"' in page
    assert 'hx-trigger="every 1s"' not in page
    response = client.post(page_of(session, "session_consolidate"), **ROW)
    assert "Consolidation waits for a worker." in response.content.decode()
    assert 'hx-trigger="every 1s"' in response.content.decode()
    assert client.post(page_of(session, "session_consolidate")).status_code == 302
    run = ConsolidationRun.objects.get()
    status = client.get(page_of(session, "session_status"), **ROW).content.decode()
    assert status.lstrip().startswith("<div")
    assert 'hx-trigger="every 1s"' in status
    run_consolidation(run.pk)
    over = client.get(page_of(session, "session_status"), **ROW)
    assert over["HX-Retarget"] == "#session-page"
    assert "Consolidated: 1 decision." in over.content.decode()
    assert 'id="act-consolidate"' not in over.content.decode()  # nothing waits any more
    assert 'hx-trigger="every 1s"' not in over.content.decode()
    assert client.get(page_of(session, "session_status")).status_code == 302


def test_a_run_records_why_a_decision_waits(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "I'm allergic to peanuts.")
    make.make_note(session, "Allergic to peanuts", "I'm allergic to peanuts", key="allergy", value="peanuts")
    client.post(page_of(session, "session_consolidate"))
    run_consolidation(ConsolidationRun.objects.get().pk)
    decision = Decision.objects.get(session=session)
    assert (decision.status, decision.params["hold"]) == ("pending", "sensitive")
    assert "It waits because it is a sensitive fact." in client.get(page_of(session)).content.decode()


def test_a_session_of_which_nothing_is_known_is_named_once(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    page = client.get(page_of(session)).content.decode()
    assert "<h1" in page
    assert "Untitled session" in page
    assert f"Session {session.ref}" not in page
    assert 'id="act-consolidate"' not in page
    assert f"Session {session.ref}" not in client.get("/w/travel/sessions/").content.decode()


def test_a_failed_run_shows_its_error_and_is_tried_again(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    run = end_session(session, make.AGENT)
    run.status, run.error, run.attempts = RunStatus.FAILED, "stumbled OperationalError", 5
    run.save()
    Session.objects.filter(pk=session.pk).update(status=SessionStatus.FAILED)
    page = client.get(page_of(session)).content.decode()
    assert "Consolidation failed after 5 attempts" in page
    assert "OperationalError in the middle of it" in page
    response = client.post(page_of(session, "session_retry"), **ROW)
    assert "Consolidation waits for a worker." in response.content.decode()
    assert ConsolidationRun.objects.filter(session=session, status=RunStatus.PENDING).count() == 1
    again = client.post(page_of(session, "session_retry"), **ROW)
    assert "has not failed" in again.content.decode()


def test_what_a_run_has_left_out_is_told(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    run = end_session(session, make.AGENT)
    run.status, run.error = RunStatus.DONE, "passed_over 2 200000"
    run.save()
    assert "2 turns were not distilled: one run reads 200,000" in client.get(page_of(session)).content.decode()


def test_a_viewer_reads_only(workspace: Workspace) -> None:
    session = a_trip(workspace)
    viewer = signed_in(make.make_operator(workspace, "viewer"))
    page = viewer.get(page_of(session)).content.decode()
    assert "Consolidate now" not in page
    assert "act-approve" not in page
    for name in ("session_consolidate", "session_retry", "session_approve"):
        assert viewer.post(page_of(session, name)).status_code == 403
        assert viewer.get(page_of(session, name)).status_code == 405


def test_a_stranger_sees_nothing(workspace: Workspace) -> None:
    session = a_trip(workspace)
    other = make.make_workspace("other")
    stranger = signed_in(make.make_operator(other, "admin"))
    for slug in ("travel", "other"):
        for name in ("session", "session_status"):
            assert stranger.get(reverse(name, args=[slug, session.pk])).status_code == 404
        for name in ("session_consolidate", "session_retry", "session_approve"):
            assert stranger.post(reverse(name, args=[slug, session.pk])).status_code == 404
    assert stranger.get(LIST).status_code == 404


def test_a_long_session_shows_a_window_of_turns(
    client: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consolidation.queries.workbench.WINDOW", 10)
    session = make.make_session(workspace)
    for n in range(1, 31):
        make.make_turn(session, f"Turn {n} says it.")
    make.make_note(session, "Turn 20 says it", "Turn 20 says it")
    first = client.get(page_of(session)).content.decode()
    assert 'id="turn-10"' in first
    assert 'id="turn-11"' not in first
    assert "?turn=20#turn-20" in first
    later = client.get(page_of(session), {"turn": 20}).content.decode()
    assert 'id="turn-20"' in later
    assert "Earlier turns" in later
    assert client.get(page_of(session), {"turn": "x"}).status_code == 200


def test_hostile_text_stays_text(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace, user="<b>u</b>")
    make.make_turn(session, "<script>alert(1)</script> is what I like")
    make.make_decision(make.make_note(session, "<script>alert(1)</script>", "<script>alert(1)</script>"))
    for address in (page_of(session), LIST):
        page = client.get(address).content.decode()
        assert "<script>alert" not in page
        assert "<b>u</b>" not in page


def test_chinese(workspace: Workspace) -> None:
    session = a_trip(workspace)
    reader = signed_in(make.make_operator(workspace, "viewer", language="zh-hans"))
    page = reader.get(page_of(session)).content.decode()
    for words in ("整合工作台", "对话轮次", "整合前"):
        assert words in page
