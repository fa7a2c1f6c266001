"""Decisions for the tests of the review queue, and how its forms are sent."""

from typing import Any

from django.test import Client
from django.urls import reverse

from memory_app.models import Decision, Workspace
from tests import factories as make

HTMX = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "decision"}
REVIEW = "/w/travel/review/"
LIVE = "/w/travel/live/"


def a_promotion(workspace: Workspace, text: str = "Prefers rail for short trips", **fields: Any) -> Decision:
    session = make.make_session(workspace)
    make.make_turn(session, f"Next week again. {text}, as I said.")
    return make.make_decision(make.make_note(session, text, text, key="short_trips", value="rail"), **fields)


def an_override(workspace: Workspace, **fields: Any) -> Decision:
    memory = make.make_memory(workspace, "倾向早班机", key="flight_time", value="morning", updated_at=make.days_ago(30))
    session = make.make_session(workspace)
    make.make_turn(session, "上次太累了。以后别订早班机了，优先晚班，到酒店晚一点没关系。")
    note = make.make_note(session, "优先晚班机", "以后别订早班机了，优先晚班", key="flight_time", value="evening")
    return make.make_decision(note, "override", memory=memory, params={"old": "倾向早班机"}, **fields)


def a_contradiction(workspace: Workspace) -> Decision:
    """The user names another budget, and does not say that something has changed."""
    memory = make.make_memory(workspace, "Hotel budget is 180 USD", key="hotel_budget", value="180 USD")
    session = make.make_session(workspace)
    make.make_turn(session, "The hotel budget is 220 dollars a night.")
    note = make.make_note(
        session, "Hotel budget is 220 USD", "The hotel budget is 220 dollars", key="hotel_budget", value="220 USD"
    )
    return make.make_decision(
        note, "review", memory=memory, after={}, rule="review.conflict", params={"old": "180 USD"},
        neighbours=[{"memory": str(memory.pk), "similarity": 0.9}],
    )  # fmt: skip


def some_facts(workspace: Workspace) -> list[Decision]:
    """Four that wait, the newest first as in the list."""
    return [a_promotion(workspace, text=f"Fact number {n} holds", confidence=0.5) for n in range(4)][::-1]


def url(name: str, decision: Decision) -> str:
    return reverse(f"decision_{name}", args=["travel", decision.pk])


def post(client: Client, name: str, decision: Decision, htmx: bool = True, **data: Any) -> Any:
    if decision.base_version:
        data.setdefault("base_version", decision.base_version)
    return client.post(url(name, decision), data, **(HTMX if htmx else {}))


def status_of(decision: Decision) -> str:
    decision.refresh_from_db()
    return decision.status
