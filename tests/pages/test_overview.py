"""The overview: true numbers, each with the rows behind it, for the days and the agent that are asked for."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from consolidation.models import ConsolidationRun, RunStatus
from memory_app.actions.decisions import approve, decline
from memory_app.actions.memories import edit_memory
from memory_app.actions.undo import undo
from memory_app.models import Action, Block, Decision, Operator, Session, Workspace
from memory_app.queries import overview as read
from memory_app.queries.overview import Span
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/w/travel/overview/"


def decided(
    workspace: Workspace, action: str, days: float = 0, agent: str = "travel-assistant", **fields: Any
) -> Decision:
    """A decision of that action that was made so many days ago."""
    session = make.make_session(workspace, agent=agent)
    make.make_turn(session, f"Something about {action}.")
    memory = None
    if action in ("override", "dedupe"):
        memory = make.make_memory(workspace, "Likes early flights", user=session.user.external_id)
    note = make.make_note(session, f"Note of {action}", f"about {action}")
    made = make.make_decision(note, action, memory=memory, **({"hold": False} | fields))
    at = timezone.now() - timedelta(days=days)
    Decision.objects.filter(pk=made.pk).update(created_at=at)
    Session.objects.filter(pk=session.pk).update(started_at=at)
    made.refresh_from_db()
    return made


def tile(client: Client, label: str, **query: Any) -> dict[str, Any]:
    return next(one for one in client.get(PAGE, query).context["tiles"] if one["label"] == label)


def counts(response: Any) -> dict[str, int]:
    return {one["action"]: one["count"] for one in response.context["legend"]}


# Who -------------------------------------------------------------------------------------------------------------


def test_only_members_see_it(workspace: Workspace, client: Client) -> None:
    assert Client().get(PAGE).status_code == 302
    assert signed_in(make.make_operator(make.make_workspace("other"), "admin")).get(PAGE).status_code == 404
    assert client.get("/w/none/overview/").status_code == 404
    assert client.post(PAGE).status_code == 405
    assert client.get("/w/travel/live/").status_code == 200


def test_the_start_page_leads_to_the_workspace_last_seen(
    workspace: Workspace, operator: Operator, client: Client
) -> None:
    assert Client().get("/").status_code == 302
    assert client.get("/")["Location"] == PAGE
    other = make.make_workspace("alpha", "Alpha")
    other.memberships.create(operator=operator, role="viewer")
    assert client.get("/")["Location"] == "/w/alpha/overview/"  # the first by name
    client.get(PAGE)
    assert client.get("/")["Location"] == PAGE
    nobody = signed_in(make.make_operator(None))
    assert "in no workspace yet" in nobody.get("/").content.decode()


# A fresh workspace -----------------------------------------------------------------------------------------------


def test_a_fresh_workspace_shows_how_to_begin(workspace: Workspace, client: Client) -> None:
    page = client.get(PAGE, HTTP_HOST="testserver").content.decode()
    assert "create_api_key --workspace travel --role agent" in page
    assert "curl -X POST http://testserver/api/v1/sessions/$SESSION/notes" in page
    assert 'class="tiles"' not in page
    make.make_session(workspace)
    assert 'class="tiles"' in client.get(PAGE).content.decode()


# Numbers ---------------------------------------------------------------------------------------------------------


def test_every_number_is_that_of_the_rows_behind_it(workspace: Workspace, client: Client) -> None:
    for action in ("promote", "promote", "override", "dedupe", "session_only", "reject"):
        decided(workspace, action, days=2)
    decided(workspace, "promote", days=20)
    decided(workspace, "promote", days=3, hold=True)
    decided(workspace, "review", days=0, after={})
    response = client.get(PAGE)
    shown = counts(response)
    # Two of the promotions made the memories that the override and the dedupe are about.
    expected = {"promote": 5, "override": 1, "dedupe": 1, "session_only": 1, "reject": 1, "review": 1}
    assert {name: shown[name] for name in expected} == expected
    links = [*response.context["legend"], *response.context["waiting_by_action"]]
    assert len(links) >= 8
    for one in links:
        assert client.get(one["href"]).context["page"].rows.__len__() == one["count"], one
    assert response.context["waiting"].total == 2
    assert response.context["waiting"].late == 1
    assert "1 item has waited longer than 24 hours." in response.content.decode()
    assert sum(count for _name, count, _tone in response.context["ages"]) == 2
    assert len(client.get(response.context["late_url"]).context["page"].rows) == 1
    assert tile(client, "Waiting for review")["value"] == "2"
    assert tile(client, "Override rate")["value"] == "10.0"
    assert tile(client, "Applied automatically")["value"] == "80.0"
    assert counts(client.get(PAGE, {"days": "30"}))["promote"] == 6


def test_the_rate_of_what_was_taken_back(workspace: Workspace, operator: Operator, client: Client) -> None:
    actor = make.actor_of(operator)
    kept, gone = decided(workspace, "promote", hold=True), decided(workspace, "promote", hold=True)
    refused = decided(workspace, "promote", hold=True)
    for one in (kept, gone):
        approve(workspace, actor, one.pk)
    decline(workspace, actor, refused.pk)
    undo(workspace, actor, gone.pk)
    found = tile(client, "Taken back")
    assert (found["value"], found["delta"]) == ("50.0", "1 undone, of 2 carried out")
    assert [row.pk for row in client.get(found["href"]).context["page"].rows] == [gone.pk]


def test_one_agent_alone(workspace: Workspace, client: Client) -> None:
    decided(workspace, "promote")
    decided(workspace, "override", agent="签证助手")
    decided(workspace, "promote", agent="签证助手", hold=True)
    response = client.get(PAGE, {"agent": "签证助手"})
    shown = counts(response)
    assert (shown["promote"], shown["override"]) == (1, 1)
    assert response.context["waiting"].total == 1
    assert [row["row"].name for row in response.context["agents"]] == ["签证助手"]
    for one in response.context["legend"]:
        assert len(client.get(one["href"]).context["page"].rows) == one["count"]
    both = {row["row"].name: row["row"] for row in client.get(PAGE).context["agents"]}
    assert (both["签证助手"].sessions, both["签证助手"].overrides, both["签证助手"].waiting) == (2, 1, 1)
    for row in client.get(PAGE).context["agents"]:
        assert len(client.get(row["sessions_url"]).context["rows"]) == row["row"].sessions
        assert len(client.get(row["waiting_url"]).context["page"].rows) == row["row"].waiting
    assert client.get(PAGE, {"agent": "nobody", "days": "x"}).status_code == 200


def test_blocks_by_category_and_stage(workspace: Workspace, client: Client) -> None:
    session = make.make_session(workspace)
    for text in ("Card 4111 1111 1111 1111", "Visa 4012 8888 8888 1881"):
        make.make_note(session, text)
    old = Block.objects.filter(category="payment").first()
    assert old is not None
    expected = Block.objects.filter(category="payment", stage="capture").count()
    matrix = client.get(PAGE).context["matrix"]
    payment = next(row for row in matrix["rows"] if row["category"] == "payment")
    assert payment["cells"][0]["count"] == expected == payment["total"]
    Block.objects.filter(pk=old.pk).update(created_at=make.days_ago(40))
    assert client.get(PAGE).context["matrix"]["total"] == Block.objects.count() - 1


def test_a_failed_session_is_shown_with_its_error_and_a_retry(workspace: Workspace, client: Client) -> None:
    session = make.make_session(workspace)
    assert "Consolidation failed" not in client.get(PAGE).content.decode()
    ConsolidationRun.objects.create(
        workspace=workspace, session=session, user=session.user, status=RunStatus.FAILED, cause="end",
        error="The engine did not answer.",
    )  # fmt: skip
    Session.objects.filter(pk=session.pk).update(status="failed")
    page = client.get(PAGE).content.decode()
    assert "The engine did not answer." in page
    assert reverse("session_retry", args=["travel", session.pk]) in page
    assert reverse("session", args=["travel", session.pk]) in page
    viewer = signed_in(make.make_operator(workspace, "viewer"))
    assert reverse("session_retry", args=["travel", session.pk]) not in viewer.get(PAGE).content.decode()


def test_what_happened_last(workspace: Workspace, operator: Operator, client: Client) -> None:
    override = decided(workspace, "override", hold=True)
    decided(workspace, "reject")
    approve(workspace, make.actor_of(operator), override.pk)
    memory = make.make_memory(workspace, '<img src=x> "\u202eevil')
    edit_memory(memory, make.BACK_OFFICE, {"text": "Likes trains"})
    response = client.get(PAGE)
    page = response.content.decode()
    recent = [(one["decision"].action, one["who"]) for one in response.context["recent"]]
    assert recent[:4] == [
        ("edit", "back office"), ("promote", "back office"), ("override", "lin.qiao"), ("reject", "Automatic")
    ]  # fmt: skip
    assert "approved as proposed" in page
    assert "<img src=x" not in page
    assert "\u202e" not in page
    assert f"/w/travel/memories/{memory.pk}/" in page
    assert [one["action"] for one in response.context["others"]] == [Action.EDIT]


def test_days_begin_at_midnight_where_the_operator_is(workspace: Workspace, operator: Operator, client: Client) -> None:
    made = decided(workspace, "promote")
    Operator.objects.filter(pk=operator.pk).update(timezone="Pacific/Kiritimati")
    response = client.get(PAGE, {"days": "7"})
    columns = dict(zip(response.context["columns"], dict(response.context["series"])["promote"], strict=True))
    assert list(columns.values()) == [0, 0, 0, 0, 0, 0, 1]
    here = timezone.localtime(made.created_at, timezone.get_fixed_timezone(14 * 60))
    assert list(columns)[-1] == f"{here:%m-%d}"


def test_the_chart_is_drawn_and_said(workspace: Workspace, client: Client) -> None:
    decided(workspace, "promote")
    page = client.get(PAGE).content.decode()
    chart = page.partition('class="chart wide"')[2].partition("</svg>")[0]
    assert re.search(r'<rect class="promote" x="[\d.]+"', chart)
    assert "stacked by decision: 1 in all." in chart
    assert "style=" not in chart


def test_the_number_of_queries_does_not_grow(
    workspace: Workspace, client: Client, django_assert_max_num_queries: Any
) -> None:
    decided(workspace, "override")
    client.get(PAGE)

    def count() -> int:
        with django_assert_max_num_queries(40) as captured:
            client.get(PAGE)
        return len(captured)

    few = count()
    for n in range(6):
        decided(workspace, "promote", days=n, agent=f"agent-{n}")
    assert count() <= few


def test_nothing_of_another_workspace_is_counted(workspace: Workspace, client: Client) -> None:
    other = make.make_workspace("other")
    decided(other, "promote")
    assert read.is_fresh(workspace)
    decided(workspace, "reject")
    span = Span(workspace)
    counted = read.counted_of(span, read.waiting_of(span))
    assert counted.decided.total == 1
    assert [row.name for row in counted.agents] == ["travel-assistant"]
    assert counted.agents[0].sessions == 1


def test_it_speaks_chinese(workspace: Workspace, client: Client) -> None:
    Operator.objects.filter(username="lin.qiao").update(language="zh-hans")
    decided(workspace, "promote", days=2, hold=True)
    page = client.get(PAGE).content.decode()
    assert "有 1 条等待超过 24 小时。" in page
    assert "每日判定" in page
    assert "近 14 天" in page
