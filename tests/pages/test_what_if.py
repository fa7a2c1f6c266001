"""A session run again from its workbench: what would differ, and what could not be restored."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from consolidation.actions import end_session, run_consolidation
from consolidation.actions.erasing import erase_user
from consolidation.actions.policies import put_policy
from consolidation.domain.policy import Hold, Policy
from consolidation.models import PolicyTrial
from memory_app.models import Decision, Memory, Session, Workspace
from tests import factories as make
from tests.jobs import finished

from .visitors import signed_in

pytestmark = pytest.mark.django_db
HX: Any = {"headers": {"HX-Request": "true"}}
STRICT = replace(Policy(), holds=(Hold("all promotions", "curator", action="promote"),))


def a_flight(workspace: Workspace, notes: int = 1) -> Session:
    session = make.make_session(workspace)
    for n in range(notes):
        quote = f"I always take the <b>aisle</b> seat {n}."
        make.make_turn(session, quote)
        make.make_note(session, f"Always takes the <b>aisle</b> seat {n}", quote, key=f"seat_{n}")
    run_consolidation(end_session(session, make.AGENT).pk)
    return session


def address(session: Session, **query: Any) -> str:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    return reverse("session_what_if", args=["travel", session.pk]) + (f"?{asked}" if asked else "")


def test_it_is_reached_from_the_workbench_and_nothing_differs(client: Client, workspace: Workspace) -> None:
    session = a_flight(workspace)
    assert address(session) in client.get(reverse("session", args=["travel", session.pk])).content.decode()
    at_first = client.get(address(session)).content.decode()
    assert 'hx-get="?now=1" hx-trigger="load"' in at_first
    part = client.get(address(session, now=1), **HX).content.decode()
    assert part.lstrip().startswith('<section class="card" id="found" aria-labelledby="h-found">')
    page = client.get(address(session, now=1)).content.decode()
    assert "Nothing would have been decided otherwise." in page
    assert "The rules of deciding, the slots and the profile are those of today" in page
    assert "Always takes the &lt;b&gt;aisle&lt;/b&gt; seat 0" in page


def test_another_version_is_compared_decision_by_decision(client: Client, workspace: Workspace) -> None:
    session = a_flight(workspace)
    put_policy(workspace, make.BACK_OFFICE, STRICT.to_json(), "strict")
    before = Decision.objects.count(), Memory.objects.count()
    start = reverse("session_what_if_start", args=["travel", session.pk])
    answer = client.post(start, {"policy": "2", "engine": "notes", "rule_set": "today"})
    assert answer["Location"] == address(session, policy=2, engine="notes", rule_set="today")
    page = client.get(answer["Location"] + "&now=1")
    text = page.content.decode()
    assert [len(table["rows"]) for table in page.context["tables"]] == [1, 0]
    assert "waits for a curator" in text
    assert "because of the policy’s hold" in text or "all promotions" in text
    decision = Decision.objects.get(session=session)
    assert f"item={decision.pk}" in text
    assert decision.ref in text
    assert "promote.durable" in text
    assert "Version 1 · decided under" in text
    assert "Version 2 · in force" in text
    same = client.get(address(session, policy=1, now=1)).context["tables"]
    assert [len(table["rows"]) for table in same] == [0, 1]
    assert (Decision.objects.count(), Memory.objects.count()) == before
    assert client.get(address(session, policy=7)).status_code == 404


def test_a_session_that_is_not_consolidated(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    assert "Not consolidated yet" in client.get(address(session)).content.decode()
    assert address(session) not in client.get(reverse("session", args=["travel", session.pk])).content.decode()


def test_a_long_session_is_run_in_the_background(
    client: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consolidation.actions.replaying.QUICK_NOTES", 0)
    session = a_flight(workspace)
    assert "run in the background" in client.get(address(session)).content.decode()
    start = reverse("session_what_if_start", args=["travel", session.pk])
    url = client.post(start, {"engine": "turns"}, **HX)["HX-Redirect"]
    trial = PolicyTrial.objects.get()
    assert 'hx-trigger="every 1s"' in client.get(url, **HX).content.decode()
    finished(trial)
    found = client.get(url, **HX).content.decode()
    assert "<html" not in found
    assert 'hx-trigger="every 1s"' not in found
    assert "Nothing would have been decided otherwise." in found
    PolicyTrial.objects.filter(pk=trial.pk).update(status="failed")
    assert "It could not be run again." in client.get(url).content.decode()
    PolicyTrial.objects.filter(pk=trial.pk).delete()
    assert "no longer kept" in client.get(url).content.decode()
    assert client.get(address(session, run="x")).status_code == 200


def test_of_an_erased_user_nothing_is_left(client: Client, workspace: Workspace) -> None:
    session = a_flight(workspace)
    erase_user(workspace, make.BACK_OFFICE, "zhang-san")
    assert client.get(address(session)).status_code == 404


def test_viewers_may_not(workspace: Workspace) -> None:
    session = a_flight(workspace)
    viewer = signed_in(make.make_operator(workspace, "viewer"))
    assert viewer.get(address(session)).status_code == 403
    assert viewer.post(reverse("session_what_if_start", args=["travel", session.pk])).status_code == 403
    assert address(session) not in viewer.get(reverse("session", args=["travel", session.pk])).content.decode()


def test_queries_do_not_grow(client: Client, workspace: Workspace, django_assert_max_num_queries: Any) -> None:
    a_flight(workspace)  # what the others are compared with
    few, many = a_flight(workspace, 2), a_flight(workspace, 6)
    client.get(address(few))
    counts = []
    for session in (few, many):
        with django_assert_max_num_queries(45) as captured:
            assert client.get(address(session, now=1)).context["done"]
        counts.append(len(captured))
    assert counts[0] == counts[1]
