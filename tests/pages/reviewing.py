"""Decisions for the tests of the review queue, and how its forms are sent."""

from typing import Any

from django.test import Client
from django.urls import reverse

from memory_app.models import Decision, Operator, Workspace
from tests import factories as make

HTMX = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "decision"}
REVIEW = "/w/travel/review/"
LIVE = "/w/travel/live/"


def signed_in(operator: Operator) -> Client:
    other = Client()
    other.force_login(operator)
    return other


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


def url(name: str, decision: Decision) -> str:
    return reverse(f"decision_{name}", args=["travel", decision.pk])


def post(client: Client, name: str, decision: Decision, htmx: bool = True, **data: Any) -> Any:
    if decision.base_version:
        data.setdefault("base_version", decision.base_version)
    return client.post(url(name, decision), data, **(HTMX if htmx else {}))


def status_of(decision: Decision) -> str:
    decision.refresh_from_db()
    return decision.status
