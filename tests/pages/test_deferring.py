"""Decisions put off until later, or handed to an admin: out of the way, in the log, and taken back in one step."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from memory_app.models import AuditEvent, Decision, Needs, Operator, Workspace
from tests import factories as make

from .reviewing import REVIEW, a_promotion, an_override, post, status_of
from .visitors import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "curator", "lin.qiao", timezone="Asia/Shanghai")


def listed(client: Client, **query: Any) -> list[Any]:
    return [row.pk for row in client.get(REVIEW, query).context["page"].rows]


def until(decision: Decision) -> datetime:
    decision.refresh_from_db()
    assert decision.snoozed_until is not None
    return decision.snoozed_until


def test_a_snoozed_one_is_out_of_the_queue_and_comes_back_by_itself(client: Client, workspace: Workspace) -> None:
    decision, other = a_promotion(workspace), a_promotion(workspace, text="Another fact")
    page = post(client, "snooze", decision, until="tomorrow").content.decode()
    assert "is snoozed until" in page
    assert f'id="q-{decision.pk}" hx-swap-oob="delete"' in page
    assert f"/decisions/{decision.pk}/wake/" in page  # the undo of the message
    assert "Another fact" in page
    assert listed(client) == [other.pk]
    assert listed(client, status="snoozed") == [decision.pk]
    assert client.get(REVIEW).context["nav_counts"]["review"] == 1
    assert client.get(REVIEW).context["progress"].waiting == 1
    Decision.objects.filter(pk=decision.pk).update(snoozed_until=timezone.now() - timedelta(seconds=1))
    assert set(listed(client)) == {decision.pk, other.pk}
    assert AuditEvent.objects.filter(action="decision.snoozed", object_id=str(decision.pk)).count() == 1


def test_settled_and_undone_it_is_in_the_queue_again(client: Client, workspace: Workspace) -> None:
    for how, data in (("approve", {}), ("decline", {"reason_code": "wrong"})):
        decision = a_promotion(workspace, text=f"A fact to {how}")
        post(client, "snooze", decision, until="tomorrow")
        post(client, how, decision, **data)
        assert status_of(decision) == ("approved" if how == "approve" else "declined")
        post(client, "undo", decision)
        assert status_of(decision) == "undone"
        assert decision.pk in listed(client)


def test_until_is_in_the_operators_zone(client: Client, workspace: Workspace, time_machine: Any) -> None:
    time_machine.move_to("2026-09-09T13:30:00Z", tick=False)  # Wednesday, 21:30 in Shanghai
    decision = a_promotion(workspace)
    for code, moment in (
        ("today", "2026-09-09T16:00:00+00:00"),
        ("tomorrow", "2026-09-10T01:00:00+00:00"),
        ("week", "2026-09-14T01:00:00+00:00"),
    ):
        assert post(client, "snooze", decision, until=code).status_code == 200
        assert until(decision) == datetime.fromisoformat(moment)
    post(client, "snooze", decision, day="2026-10-01")
    assert until(decision) == datetime.fromisoformat("2026-10-01T01:00:00+00:00")
    for wrong in ("2026-09-09", "2029-01-01", "soon", "", "0001-01-01"):
        answer = post(client, "snooze", decision, day=wrong)
        assert answer.status_code == 422
        assert "Choose a day" in answer.content.decode()


def test_waking_brings_it_back_into_its_place(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    assert post(client, "wake", decision).status_code == 409
    post(client, "snooze", decision, until="week")
    page = client.get(REVIEW, {"status": "snoozed", "item": decision.pk}).content.decode()
    assert "Back into the queue" in page
    assert "Snoozed until" in page
    page = post(client, "wake", decision).content.decode()
    assert "is back in the queue." in page
    assert f'id="q-{decision.pk}"' in page
    assert listed(client) == [decision.pk]
    assert AuditEvent.objects.filter(action="decision.woken").count() == 1


def test_one_handed_to_an_admin_waits_on_approvals(client: Client, workspace: Workspace) -> None:
    decision = an_override(workspace)
    assert post(client, "escalate", decision, comment=" ").status_code == 422
    page = post(client, "escalate", decision, comment="Two bookings contradict each other").content.decode()
    assert "was handed to the admins" in page
    decision.refresh_from_db()
    assert decision.needs == Needs.ADMIN
    for name in ("approve", "decline", "snooze"):
        assert post(client, name, decision, until="week", comment="x").status_code == 403
    assert post(client, "escalate", decision, comment="again").status_code == 409
    assert status_of(decision) == "pending"
    admin = signed_in(make.make_operator(workspace, "admin"))
    page = admin.get("/w/travel/approvals/", {"id": decision.pk}).content.decode()
    assert "Two bookings contradict each other" in page
    assert "a person handed it to an admin" in page
    assert admin.post(f"/w/travel/approvals/{decision.pk}/approve/", {}).status_code == 302
    assert status_of(decision) == "approved"
    assert AuditEvent.objects.filter(action="decision.escalated", object_id=str(decision.pk)).count() == 1


def test_who_handed_it_over_takes_it_back(client: Client, workspace: Workspace) -> None:
    decision = an_override(workspace)
    post(client, "escalate", decision, comment="Please look")
    another = signed_in(make.make_operator(workspace, "curator"))
    assert post(another, "hand_back", decision).status_code == 403
    page = post(client, "hand_back", decision).content.decode()
    assert "waits for a curator again" in page
    decision.refresh_from_db()
    assert decision.needs == Needs.CURATOR
    assert post(client, "hand_back", decision).status_code in (403, 409)
    assert post(client, "approve", decision).status_code == 200


def test_what_waits_for_one_slot_and_for_one_user_is_together(client: Client, workspace: Workspace) -> None:
    first, second = an_override(workspace), a_promotion(workspace)
    note = make.make_note(make.make_session(workspace), "优先早班机", key="flight_time", value="morning")
    rival = make.make_decision(note)
    make.make_decision(
        make.make_note(make.make_session(workspace, "li-si"), "喜欢晚班机", key="flight_time", value="x")
    )
    context = client.get(REVIEW, {"item": first.pk}).context
    assert [one.pk for one, _words, _value in context["rivals"]] == [rival.pk]
    assert context["of_owner"] == 3
    assert set(listed(client, user="zhang-san")) == {first.pk, second.pk, rival.pk}
    assert set(listed(client, user="zhang-san", key="flight_time")) == {first.pk, rival.pk}
    assert client.get(context["rivals_url"]).context["page"].rows != []
    assert client.get(REVIEW, {"item": second.pk}).context["rivals"] == []
