"""What an open page is told by itself: numbers, news, what became of its item, who else is where; 304 otherwise."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from consolidation.models import OpenItem
from memory_app.actions.decisions import decline
from memory_app.actions.memories import edit_memory
from memory_app.models import Decision, Memory, Operator, SessionStatus, Workspace
from tests import factories as make

from .reviewing import LIVE, REVIEW, a_promotion, an_override
from .visitors import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "curator", "lin.qiao", first_name="Lin", last_name="Qiao")


def shown(client: Client) -> dict[str, str]:
    """What the review page would ask with."""
    page = client.get(REVIEW).context
    item = page["decision"]
    given = {"list": "review", "query": page["queue_query"], "since": page["since"]}
    return given | ({"item": str(item.pk), "was": page["state_token"]} if item else {})


def test_nothing_new_is_304_and_a_change_is_not(client: Client, workspace: Workspace) -> None:
    a_promotion(workspace)
    asked = shown(client)
    tag = client.get(LIVE, asked)["ETag"]
    again = client.get(LIVE, asked, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    a_promotion(workspace, text="Likes quiet rooms")
    told = client.get(LIVE, asked, headers={"If-None-Match": tag})
    assert told.status_code == 200
    assert 'id="nav-review" hx-swap-oob="true">2<' in told.text
    assert "1 new item matches this list." in told.text
    assert client.get(REVIEW, {"item": asked["item"]}).context["decision"].pk  # the open item stays


def test_asking_costs_the_same_however_much_there_is(
    client: Client, workspace: Workspace, django_assert_max_num_queries: Any
) -> None:
    """Sign-in and membership are three of them, what the page watches the rest."""
    a_promotion(workspace)

    def count(asked: dict[str, str]) -> int:
        client.get(LIVE, asked)
        with django_assert_max_num_queries(7) as captured:
            client.get(LIVE, asked)
        return len(captured)

    few = shown(client)
    assert (count({}), before := count(few)) == (4, 7)
    for n in range(8):
        a_promotion(workspace, text=f"Fact number {n}")
        signed_in(make.make_operator(workspace)).get(LIVE, few)
    assert count(few) == before


def test_who_has_an_item_open_is_said_for_a_minute(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    wen = make.make_operator(workspace, "curator", "wen", first_name="Wen")
    signed_in(wen).get(LIVE, {"item": str(decision.pk)})
    words = f'<li data-decision="{decision.pk}">Wen has this open</li>'
    assert words in client.get(LIVE, shown(client)).text
    assert words in client.get(REVIEW).text
    assert "Wen has this open" not in signed_in(wen).get(REVIEW).text  # one's own is no news
    OpenItem.objects.filter(operator=wen).update(at=timezone.now() - timedelta(seconds=61))
    assert "has this open" not in client.get(LIVE, shown(client)).text


def test_an_operator_has_one_item_open_and_only_of_their_workspace(client: Client, workspace: Workspace) -> None:
    first, second = a_promotion(workspace), a_promotion(workspace, text="Likes quiet rooms")
    foreign = a_promotion(make.make_workspace("other"))
    for decision in (first, second, foreign):
        client.get(LIVE, {"item": str(decision.pk)})
    assert [one.decision_id for one in OpenItem.objects.all()] == [second.pk]
    for page, notice in (("", "d-notice"), ("approval", "ap-notice")):
        told = client.get(LIVE, {"item": str(foreign.pk), "page": page}).text
        assert "no longer exists" in told.partition(f'id="{notice}" hx-swap-oob="true"')[2]


def test_an_item_that_changed_says_what_changed(client: Client, workspace: Workspace) -> None:
    decision = an_override(workspace)
    asked = shown(client)
    memory = Memory.objects.get(pk=decision.memory_id)
    edit_memory(memory, make.BACK_OFFICE, {"text": "倾向中午的航班", "value": "noon"})
    told = client.get(LIVE, asked).text
    assert "is now v2" in told
    assert re.search("<del>早班机?</del><ins>中午的航班?</ins>", told)
    assert "<del>morning</del>" in told
    assert 'id="act-approve"' not in told


def test_an_item_that_was_settled_says_by_whom(client: Client, workspace: Workspace) -> None:
    decision: Decision = a_promotion(workspace)
    asked = shown(client)
    decline(workspace, make.actor_of(make.make_operator(workspace, "admin", "zhou.min"), "admin"), decision.pk)
    assert "zhou.min declined this" in client.get(LIVE, asked).text


def test_an_item_that_was_put_off_says_so(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    asked = shown(client)
    Decision.objects.filter(pk=decision.pk).update(snoozed_until=timezone.now() + timedelta(days=1))
    assert "It was put off or handed on meanwhile." in client.get(LIVE, asked).text


def test_lists_of_sessions_and_blocks_are_told_of_theirs(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    addresses = {"sessions": "/w/travel/sessions/?user=li-si", "blocks": "/w/travel/guardrails/?stage=capture"}
    lists = {name: client.get(address).context for name, address in addresses.items()}
    make.make_session(workspace, user="li-si")
    make.make_session(workspace)
    make.make_note(session, "The password is hunter2-Xy77-kl")
    session.status = SessionStatus.CONSOLIDATING
    session.save()
    for name, page in lists.items():
        query = page["list_query"]
        asked = {"list": name, "query": query, "since": page["since"], "sessions": page.get("unsettled", "")}
        told = client.get(LIVE, asked).text
        assert "1 new item matches this list." in told
        assert f'href="{addresses[name]}"' in told  # with its filters, which it asks with from now on
        assert f"list={name}&amp;query={quote(query)}&amp;" in told
        assert 'id="nav-sessions" hx-swap-oob="true">1<' in told
    assert f'id="state-{session.pk}"' in client.get(LIVE, {"list": "sessions", "sessions": str(session.pk)}).text


def test_what_means_nothing_is_no_error(client: Client) -> None:
    for asked in ({"item": "x"}, {"list": "review", "since": "yesterday"}, {"list": "no", "since": "2026-01-01T00:00:00Z"},
                  {"sessions": "a,b"}, {"query": "status=\x00&action=%00"}):  # fmt: skip
        assert client.get(LIVE, asked).status_code == 200
