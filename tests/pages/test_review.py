"""The review queue: who sees it, what it lists, in which language."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from memory_app.actions.undo import undo
from memory_app.models import Decision, DecisionStatus, Operator, Workspace
from tests import factories as make

from .reviewing import HTMX, REVIEW, a_promotion, an_override, post, status_of
from .visitors import signed_in

pytestmark = pytest.mark.django_db


# Who -------------------------------------------------------------------------------------------------------------


def test_only_members_see_it(workspace: Workspace, operator: Operator) -> None:
    assert Client().get(REVIEW).status_code == 302
    stranger = make.make_operator(make.make_workspace("other"), "admin")
    assert signed_in(stranger).get(REVIEW).status_code == 404
    assert signed_in(make.make_operator(None)).get(REVIEW).status_code == 404
    assert signed_in(operator).get("/w/none/review/").status_code == 404


def test_a_viewer_reads_and_decides_nothing(workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    viewer = signed_in(make.make_operator(workspace, "viewer"))
    page = viewer.get(REVIEW).content.decode()
    assert "curators decide" in page
    assert "data-select-all" not in page
    for name in ("approve", "decline", "undo"):
        assert post(viewer, name, decision).status_code == 403
    assert viewer.post("/w/travel/review/bulk/", {"ids": [decision.pk], "action": "approve"}).status_code == 403
    assert status_of(decision) == DecisionStatus.PENDING


def test_a_decision_of_another_workspace_is_not_there(client: Client, workspace: Workspace) -> None:
    foreign = a_promotion(make.make_workspace("other"))
    assert client.get(REVIEW, {"item": foreign.pk}).status_code == 404
    assert client.get(REVIEW, {"item": "x"}).status_code == 404
    for name in ("approve", "decline", "undo"):
        assert post(client, name, foreign).status_code == 404
    assert post(client, "approve", Decision(pk=uuid4(), workspace=workspace)).status_code == 404
    client.post("/w/travel/review/bulk/", {"ids": [foreign.pk], "action": "decline"})
    assert status_of(foreign) == DecisionStatus.PENDING


# What it shows ---------------------------------------------------------------------------------------------------


def test_an_override_is_shown_as_before_decision_after(client: Client, workspace: Workspace) -> None:
    decision = an_override(workspace, checks=[{"name": "explicit_change", "ok": True}])
    assert decision.memory is not None
    page = client.get(REVIEW, {"item": decision.pk}).content.decode()
    assert "<mark>以后别订早班机了，优先晚班</mark>" in page
    assert "<del>倾向早</del>" in page
    assert "<ins>优先晚</ins>" in page
    assert "<del>morning</del> <ins>evening</ins>" in page
    assert f"{decision.memory.ref} v1" in page
    assert "something has changed" in page
    assert "override.explicit_change" in page
    assert 'data-view="detail"' in page


def test_hostile_text_stays_text(client: Client, workspace: Workspace) -> None:
    a_promotion(workspace, text='<img src=x onerror=alert(1)> "\u202eevil')
    page = client.get(REVIEW).content.decode()
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page
    assert "\u202e" not in page.partition("<textarea")[0]
    assert 'title="Right-to-left override"' in page


def test_filters_and_what_is_open(client: Client, workspace: Workspace) -> None:
    promotion, override = a_promotion(workspace, confidence=0.5), an_override(workspace, sensitivity="health")
    passing = make.make_note(make.make_session(workspace), "老样子就行")
    make.make_decision(passing, "reject", hold=False)

    def listed(**query: Any) -> set[str]:
        rows = client.get(REVIEW, query).context["page"].rows
        return {row.action for row in rows}

    assert listed() == {"promote", "override"}
    assert listed(status="all") == {"promote", "override", "reject"}
    assert listed(status="applied", action="reject") == {"reject"}
    assert listed(action="override") == {"override"}
    assert listed(confidence__lt="0.7") == {"promote"}
    assert listed(sensitive="1") == {"override"}
    assert listed(kind="procedural") == set()
    assert listed(scope="user", agent="travel-assistant") == {"promote", "override"}
    assert listed(agent="nobody") == set()
    assert listed(age__gt="24h") == set()
    assert listed(needs="admin") == set()
    assert listed(status="nonsense", confidence__lt="nan", age__gt="x", sort="; drop") == {"promote", "override"}
    assert [r.pk for r in client.get(REVIEW, {"sort": "confidence"}).context["page"].rows] == [
        promotion.pk,
        override.pk,
    ]
    assert [r.pk for r in client.get(REVIEW, {"sort": "-impact"}).context["page"].rows]
    assert client.get(REVIEW, {"cursor": "rubbish"}).status_code == 200


@pytest.mark.parametrize(("language", "said"), [("en", ["Sensitive", "Undone"]), ("zh-hans", ["敏感", "已撤销"])])
def test_an_undone_row_says_so_also_where_it_is_sensitive(workspace: Workspace, language: str, said: list[str]) -> None:
    admin = make.make_operator(workspace, "admin", language=language)
    made = a_promotion(workspace, sensitivity="health", hold=False)
    undo(workspace, make.actor_of(admin, "admin"), made.pk)
    page = signed_in(admin).get(REVIEW).content.decode()
    row = page.partition(f'id="q-{made.pk}"')[2].partition("</li>")[0]
    assert [word for word in said if word in row] == said
    assert listed_as_contested(signed_in(admin)) == []  # the memory is archived, though its decision is open again


def listed_as_contested(client: Client) -> list[Any]:
    return list(client.get("/w/travel/memories/", {"status": "contested"}).context["rows"])


def test_pages_follow_each_other(client: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consolidation.queries.queue.PAGE_SIZE", 2)
    made = [a_promotion(workspace, text=f"Fact number {n}") for n in range(5)]
    for sort, expected in (("-created", made[::-1]), ("created", made), ("-impact", None)):
        seen, cursor = [], ""
        while True:
            page = client.get(REVIEW, {"sort": sort, "cursor": cursor}).context["page"]
            seen += [row.pk for row in page.rows]
            cursor = page.next
            if not cursor:
                break
        assert len(seen) == len(set(seen)) == 5
        if expected is not None:
            assert seen == [d.pk for d in expected]
    first = client.get(REVIEW).context["page"]
    second = client.get(REVIEW, {"cursor": first.next}).context["page"]
    back = client.get(REVIEW, {"cursor": second.previous}).context["page"]
    assert [r.pk for r in back.rows] == [r.pk for r in first.rows]
    rows = client.get(REVIEW, {"cursor": first.next}, HTTP_HX_REQUEST="true").content.decode()
    assert rows.count('class="qitem"') == 2
    assert "<html" not in rows


def test_what_is_settled_is_counted_only_so_far(
    client: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consolidation.queries.queue.MOST", 2)
    for n in range(3):
        a_promotion(workspace, f"Fact {n}")

    def numbers(**query: str) -> tuple[Any, ...]:
        shown = client.get(REVIEW, query).context
        counts = {one["value"]: one["count"] for one in shown["actions"]}
        return shown["listed"].number, shown["listed"].more, counts["promote"], counts["override"]

    assert numbers() == (3, False, 3, 0)  # what waits is counted whole
    assert numbers(status="all", kind="semantic") == (2, True, None, None)
    assert numbers(status="all", kind="procedural") == (0, False, 0, 0)
    assert "1 / 2+" in client.get(REVIEW, {"status": "all", "kind": "semantic"}).content.decode()


def test_the_number_of_queries_does_not_grow(
    client: Client, workspace: Workspace, django_assert_max_num_queries: Any
) -> None:
    an_override(workspace)
    client.get(REVIEW)

    def count() -> int:
        with django_assert_max_num_queries(40) as captured:
            client.get(REVIEW)
        return len(captured)

    few = count()
    for n in range(12):
        a_promotion(workspace, text=f"Fact number {n}")
    assert count() <= few


def test_regions_are_the_same_fragments(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    queue = client.get(REVIEW, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="queue").content.decode()
    item = client.get(REVIEW, {"item": decision.pk}, **HTMX).content.decode()
    assert queue.lstrip().startswith("<section")
    assert item.lstrip().startswith("<article")
    response = client.get(REVIEW)
    assert "HX-Request" in response["Vary"]
    assert item.strip()[:60] in response.content.decode()


def test_an_empty_queue_says_so(client: Client) -> None:
    page = client.get(REVIEW).content.decode()
    assert page.count("Nothing waits for review.") >= 1


def test_a_queue_that_is_narrowed_and_done_leads_back_to_the_whole(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    page = client.get(REVIEW, {"user": str(decision.user_id), "action": "reject"}).content.decode()
    assert '<a class="btn" href="/w/travel/review/" data-key="u">Show the whole queue' in page
    assert "Show the whole queue" not in client.get(REVIEW).content.decode()


def test_the_page_speaks_chinese(workspace: Workspace) -> None:
    an_override(workspace)
    operator = make.make_operator(workspace, "curator", language="zh-hans")
    page = signed_in(operator).get(REVIEW).content.decode()
    for words in ("审核队列", "批准", "驳回", "证据", "相近记忆"):
        assert words in page
    assert 'lang="zh-Hans"' in page
