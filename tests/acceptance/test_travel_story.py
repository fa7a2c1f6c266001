"""The travel assistant's story through the API, in Chinese and in English: what is lasting, what is for this time,
what changes, what is refused, and what nobody else may see."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache
from django.db import connection

from consolidation.actions import run_consolidation
from memory_app.models import Workspace
from tests.api.calls import Api, caller

pytestmark = pytest.mark.django_db(transaction=True)

CARD = "4111 1111 1111 1111"


@dataclass(frozen=True)
class Story:
    """What the user says (a turn) and what the agent notes of it."""

    aisle: tuple[str, str]
    window: tuple[str, str]
    rail: tuple[str, str]
    budget: tuple[str, str]
    card: tuple[str, str]
    early: tuple[str, str]
    late: tuple[str, str]
    question: str


ZH = Story(
    aisle=("我一般都坐靠过道的位置。", "一般坐靠过道"),
    window=("这次我想靠窗,路上要休息。", "这次想靠窗"),
    rail=("以后短途都优先高铁吧。", "短途优先高铁"),
    budget=("这次预算不超过 2000 美元。", "本次预算不超过 2000 美元"),
    card=(f"用这张卡付:{CARD}。", f"付款卡号 {CARD}"),
    early=("我喜欢坐早班机。", "喜欢早班机"),
    late=("以后改成晚班机,早上起不来。", "改坐晚班机"),
    question="订机票时座位和时间有什么偏好?",
)
EN = Story(
    aisle=("I usually sit on the aisle.", "Usually prefers aisle seats"),
    window=("This time I'd like a window seat so that I can sleep.", "Wants a window seat this time"),
    rail=("From now on, take high-speed rail for short trips.", "Prefers high-speed rail for short trips"),
    budget=("The budget for this trip is at most 2000 USD.", "Budget of this trip is at most 2000 USD"),
    card=(f"Pay with this card: {CARD}.", f"Pays with card {CARD}"),
    early=("I like early flights.", "Prefers early flights"),
    late=("From now on I'd rather take late flights.", "Prefers late flights"),
    question="Which seat and which flight time does the user prefer?",
)


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> Iterator[None]:
    with mock.patch("consolidation.tasks.consolidate.delay"):
        yield
    cache.clear()


@pytest.fixture
def workspace() -> Workspace:
    return Workspace.objects.create(slug="travel", name="Travel")


@pytest.fixture
def agent(workspace: Workspace) -> Api:
    return caller(workspace, "agent")


@pytest.fixture
def curator(workspace: Workspace) -> Api:
    return caller(workspace, "curator")


class Talk:
    """One session of the user u-1."""

    def __init__(self, agent: Api, started_at: str, user: str = "u-1") -> None:
        self.agent, self.user = agent, user
        self.id = agent.ok("POST", "/sessions", {"user": user, "agent": "travel", "started_at": started_at})["id"]
        self.path = f"/sessions/{self.id}"
        self.at = started_at

    def says(self, words: str) -> str:
        turns = {"turns": [{"role": "user", "content": words, "at": self.at}]}
        return str(self.agent.ok("POST", f"{self.path}/turns", turns)["turns"][0]["id"])

    def notes(self, said: tuple[str, str], key: str, value: Any, **fields: Any) -> dict[str, Any]:
        words, note = said
        turn = self.says(words)
        body = {"text": note, "key": key, "value": value, "turn": turn, "evidence": {"role": "user", "quote": words}}
        return dict(self.agent.ok("POST", f"{self.path}/notes", body | fields))

    def effective(self) -> dict[str, Any]:
        context = self.agent.ok("POST", "/context", {"user": self.user, "session": self.id})
        return {key: one["value"] for key, one in context["effective"].items()}

    def ends(self, **outcome: str) -> dict[str, dict[str, Any]]:
        """Its decisions, by the key of what they are about."""
        run = self.agent.ok("POST", f"{self.path}/end", outcome or None)["run"]
        run_consolidation(run)
        assert self.agent.ok("GET", self.path)["status"] == "consolidated"
        decisions = self.agent.ok("GET", f"{self.path}/decisions")["items"]
        keys = {n["id"]: n["key"] for n in self.agent.ok("GET", f"{self.path}/notes")["items"]}
        return {keys[d["note"]]: d for d in decisions}


def everything_stored() -> str:
    """Every row of every table, as text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        rows = []
        for table in tables:
            cursor.execute(f"SELECT t::text FROM {connection.ops.quote_name(table)} t")
            rows += [row[0] for row in cursor.fetchall()]
    return "\n".join(rows)


@pytest.mark.parametrize("story", [ZH, EN], ids=["zh", "en"])
def test_the_story(agent: Api, curator: Api, story: Story) -> None:
    first = Talk(agent, "2026-03-01T10:00:00+08:00")
    first.notes(story.aisle, "seat_preference", "aisle")
    first.notes(story.early, "departure_time_preference", "early")
    made = first.ends(task="Plan the spring trip", outcome="success", summary="Booked an aisle seat.")
    assert {made[k]["action"] for k in ("seat_preference", "departure_time_preference")} == {"promote"}
    assert {made[k]["status"] for k in ("seat_preference", "departure_time_preference")} == {"applied"}

    second = Talk(agent, "2026-05-01T10:00:00+08:00")
    assert second.effective() == {"seat_preference": "aisle", "departure_time_preference": "early"}
    second.notes(story.window, "seat_preference", "window", scope="session")
    second.notes(story.budget, "budget", "<=2000 USD", scope="session", kind="working")
    second.notes(story.rail, "transport_preference", "high_speed_rail", condition="short_trip")
    blocked = second.notes(story.card, "payment_card", CARD)
    assert blocked["status"] == "blocked"
    assert blocked["block"]["category"] == "payment"
    assert second.effective()["seat_preference"] == "window"
    assert second.effective()["budget"] == "<=2000 USD"
    made = second.ends()
    assert made["seat_preference"]["action"] == "session_only"
    assert made["budget"]["action"] == "session_only"
    assert (made["transport_preference"]["action"], made["transport_preference"]["status"]) == ("promote", "applied")

    third = Talk(agent, "2026-07-01T10:00:00+08:00")
    assert third.effective()["seat_preference"] == "aisle"
    assert "budget" not in third.effective()
    third.notes(story.late, "departure_time_preference", "late")
    made = third.ends()
    change = made["departure_time_preference"]
    assert (change["action"], change["status"]) == ("override", "applied"), change
    assert change["before"]["value"] == "early"
    history = curator.ok("GET", f"/memories/{change['memory']}/history")["items"]
    assert [(v["version"], v["value"]) for v in history] == [(2, "late"), (1, "early")]

    fourth = Talk(agent, "2026-08-01T10:00:00+08:00")
    assert fourth.effective()["departure_time_preference"] == "late"
    found = agent.ok("POST", "/recall", {"user": "u-1", "query": story.question})["results"]
    assert {"aisle", "late"} <= {r["memory"]["value"] for r in found}
    curator.ok("POST", f"/decisions/{change['id']}/undo")
    assert fourth.effective()["departure_time_preference"] == "early"
    history = curator.ok("GET", f"/memories/{change['memory']}/history")["items"]
    assert [v["value"] for v in history] == ["early", "late", "early"]

    nobody = Talk(agent, "2026-08-01T10:00:00+08:00", user="u-2")
    assert nobody.effective() == {}
    assert agent.ok("POST", "/recall", {"user": "u-2", "query": story.question})["results"] == []

    stored = everything_stored()
    for shape in (CARD, CARD.replace(" ", ""), CARD.replace(" ", "-")):
        assert shape not in stored


def test_gone_at_the_exact_second(agent: Api) -> None:
    talk = Talk(agent, "2026-03-01T10:00:00+08:00")
    ends = "2027-01-01T00:00:00Z"
    talk.notes(
        ("I have lounge access until New Year.", "Has lounge access until New Year"), "lounge", True, expires_at=ends
    )
    made = talk.ends()["lounge"]
    assert (made["action"], made["status"]) == ("promote", "applied"), made

    def seen(now: str) -> bool:
        body = {"user": "u-1", "query": "lounge access", "now": now}
        context = agent.ok("POST", "/context", {"user": "u-1", "now": now})
        found = bool(agent.ok("POST", "/recall", body)["results"])
        assert found == ("lounge" in context["effective"])
        return found

    assert seen("2026-12-31T23:59:59Z")
    assert not seen(ends)
    assert seen("2027-01-01T07:59:59+08:00")
    assert not seen("2027-01-01T08:00:00+08:00")


@pytest.mark.parametrize("story", [ZH, EN], ids=["zh", "en"])
def test_the_story_told_in_turns_alone(agent: Api, story: Story) -> None:
    """An agent that saves no notes itself: the turns are distilled."""
    first = Talk(agent, "2026-03-01T10:00:00+08:00")
    first.says(story.aisle[0])
    first.ends()
    second = Talk(agent, "2026-05-01T10:00:00+08:00")
    assert second.effective()["seat_preference"] == "aisle"
    for said in (story.window, story.rail, story.card):
        second.says(said[0])
    made = second.ends()
    assert made["seat_preference"]["action"] == "session_only"
    assert (made["transport_preference"]["action"], made["transport_preference"]["status"]) == ("promote", "applied")
    assert Talk(agent, "2026-07-01T10:00:00+08:00").effective()["seat_preference"] == "aisle"
    assert CARD not in everything_stored()
