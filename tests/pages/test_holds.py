"""Why a decision waits and who may approve it, on its page, in the queue, among the approvals and in its session."""

from typing import Any

import pytest
from django.test import Client

from consolidation.views.hold import hold_of, why_it_waits
from memory_app.models import Decision, Note, Workspace
from tests import factories as make

pytestmark = pytest.mark.django_db
REVIEW = "/w/travel/review/"


def a_decision(workspace: Workspace, **fields: Any) -> Decision:
    session = make.make_session(workspace)
    make.make_turn(session, "Prefers rail for short trips.")
    note = make.make_note(session, "Prefers rail for short trips", "Prefers rail for short trips")
    return make.make_decision(note, **fields)


def page_of(client: Client, decision: Decision) -> str:
    return str(client.get(REVIEW, {"item": str(decision.pk), "status": "all"}).content.decode())


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"params": {"hold": "uncertain"}}, "uncertain"),
        ({"params": {"hold": "my own"}}, "my own"),
        ({"sensitivity": "health"}, "sensitive"),
        ({"confidence": 0.3}, "uncertain"),
        ({"needs": "admin", "kind": "procedural"}, "procedural"),
        ({"needs": "admin"}, "admin"),
        ({"action": "review", "after": {}}, "undecided"),
        ({}, "curator"),
        ({"hold": False}, ""),
    ],
)
def test_a_decision_that_waits_says_why(workspace: Workspace, fields: dict[str, object], name: str) -> None:
    decision = a_decision(workspace, **fields)
    assert hold_of(decision) == name
    assert bool(why_it_waits(decision)) == bool(name)


def test_the_page_shows_why_and_who_approves(client: Client, workspace: Workspace) -> None:
    page = page_of(client, a_decision(workspace, params={"hold": "sensitive"}, sensitivity="health"))
    assert "It waits because it is a sensitive fact." in page
    assert "<dt>Approval</dt><dd>a curator</dd>" in page
    assert "not needed" not in page
    page = page_of(client, a_decision(workspace, params={"hold": "<b>x</b>"}))
    assert "the policy&#x27;s hold “&lt;b&gt;x&lt;/b&gt;”" in page
    page = page_of(client, a_decision(workspace, hold=False))
    assert "It waits" not in page


def test_a_sessions_report_is_not_said_to_be_the_users_words(client: Client, workspace: Workspace) -> None:
    checks = [{"name": name, "ok": True} for name in ("from_user", "explicit_statement", "no_new_facts", "lasting")]
    decision = a_decision(workspace, checks=checks)
    assert "Said by the user" in page_of(client, decision)
    Note.objects.filter(pk=decision.note_id).update(origin="outcome", turn=None, evidence_quote="")
    page = page_of(client, decision)
    assert "No evidence is recorded." in page
    assert "Reported when its session ended" in page
    assert "Said by the user" not in page
    assert "Explicit statement" not in page


def test_weak_evidence_is_marked_in_the_queue(client: Client, workspace: Workspace) -> None:
    a_decision(workspace, params={"hold": "uncertain"})
    assert ">Uncertain</span>" in client.get(REVIEW).content.decode()


def test_expiry_is_told_in_the_zone_of_the_reader(client: Client, workspace: Workspace) -> None:
    operator = workspace.memberships.get().operator
    operator.timezone = "Asia/Shanghai"
    operator.save()
    decision = a_decision(workspace)
    decision.after = (decision.after or {}) | {"expires_at": "2027-03-31T16:00:00+00:00"}
    decision.save()
    page = page_of(client, decision)
    assert "2027-04-01 00:00</time>" in page
    assert "2027-03-31" not in page.partition("If approved")[2]


def test_the_products_own_parts_are_named_in_the_language_of_the_page(client: Client, workspace: Workspace) -> None:
    operator = workspace.memberships.get().operator
    operator.language = "zh-hans"
    operator.save()
    decision = a_decision(workspace)
    Decision.objects.filter(pk=decision.pk).update(
        proposed_by_kind="system", proposed_by="consolidation", created_at=make.days_ago(3)
    )
    page = page_of(client, decision)
    assert "</code> · 规则" not in page  # the rule is named, and that is all that rules have to say
    assert "consolidation</footer>" not in page
    assert ">3 天</" in page
