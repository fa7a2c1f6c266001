"""Quality: each number is what its link lists, by day, agent, language and what it is told apart by."""

import re
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from consolidation.queries.alarms import alarms
from consolidation.queries.queue import QueueFilters
from memory_app.actions.decisions import approve, decline
from memory_app.actions.rulings import Ruling
from memory_app.actions.undo import undo
from memory_app.models import Block, Decision, Injection, Memory, Operator, Session, Turn, Workspace
from memory_app.models.decision import WAITING_SINCE
from memory_app.navigation import shell_numbers
from memory_app.queries.measuring import MOST_AGENTS, Measured, Scope, measured
from memory_app.queries.measuring import listed as read_rows
from memory_app.queries.metrics import BY_NAME, METRICS
from memory_app.queries.overview import Span, waiting_of
from memory_app.recall import recall
from tests import factories as make

pytestmark = pytest.mark.django_db
PAGE, ONE = "/w/travel/quality/", "/w/travel/quality/metric/"
NUMBER = re.compile(r'<a href="(/w/travel/quality/metric/\?[^"]+)">([\d,]+)</a>')


@pytest.fixture
def operator(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "viewer")


def decided(workspace: Workspace, action: str, said: str = "I like tea.", days: float = 0, **fields: Any) -> Decision:
    """A decision of that action, so many days ago, on what was said in a session of its own."""
    agent = fields.pop("agent", "travel-assistant")
    session = make.make_session(workspace, agent=agent)
    make.make_turn(session, said)
    memory = make.make_memory(workspace, "Likes early flights") if action in ("override", "dedupe") else None
    note = make.make_note(session, f"Note of {action}: {said}", said)
    made = make.make_decision(note, action, memory=memory, **({"hold": False} | fields))
    at = timezone.now() - timedelta(days=days)
    Decision.objects.filter(pk=made.pk).update(created_at=at)
    Session.objects.filter(pk=session.pk).update(started_at=at)
    made.refresh_from_db()
    return made


@pytest.fixture
def history(workspace: Workspace) -> None:
    """Something of every metric, of two agents, in two languages, over some days."""
    admin = make.actor_of(make.make_operator(workspace, "admin"), "admin")
    decided(workspace, "promote")
    decided(workspace, "promote", "我喜欢喝茶。", agent="booking-bot", days=1)
    decided(workspace, "dedupe", days=2)
    decided(workspace, "session_only", days=3)
    decided(workspace, "reject", "天气真好。", days=40)
    decided(workspace, "reject", days=4)
    undo(workspace, admin, decided(workspace, "override", days=1).pk)
    decline(workspace, admin, decided(workspace, "promote", hold=True, days=5).pk, Ruling(reason_code="wrong_fact"))
    approve(workspace, admin, decided(workspace, "session_only", hold=True, days=2).pk, Ruling(action="promote"))
    decided(workspace, "promote", hold=True, days=6)
    decided(workspace, "promote", "我不吃花生。", hold=True, days=3, agent=None)
    session = make.make_session(workspace)
    make.make_turn(session, "My card is 4111 1111 1111 1111")
    for stage, status in (("capture", "blocked"), ("capture", "released"), ("consolidation", "kept")):
        Block.objects.create(workspace=workspace, session=session, user=session.user, stage=stage, category="payment",
                             rule="payment.card", rule_set="1", status=status, masked="My card is •")  # fmt: skip
    shown = Memory.objects.filter(workspace=workspace).first()
    assert shown is not None
    for tokens in (120, 80, None):
        Injection.objects.create(workspace=workspace, purpose="context" if tokens else "recall", user=session.user,
                                 session=session, moment=timezone.now(), tokens=tokens, memory_ids=[shown.pk])  # fmt: skip


def listed(client: Client, href: str) -> tuple[int, int, Any]:
    """The total that a list shows, the rows on it, and its context."""
    response = client.get(unescape(href))
    assert response.status_code == 200
    text = response.content.decode()
    total = re.search(r'id="row-total">([\d,]+)<', text)
    assert total is not None
    return int(total[1].replace(",", "")), len(response.context["rows"]), response.context


@pytest.mark.parametrize("narrowed", ["", "agent=booking-bot", "language=zh", "agent=-", "days=90", "days=7"])
def test_every_number_is_what_its_link_lists(client: Client, history: None, narrowed: str) -> None:
    seen, found = set(), NUMBER.findall(client.get(f"{PAGE}?{narrowed}").content.decode())
    assert len(found) >= len(METRICS)
    if narrowed == "":
        for metric in METRICS:
            found += NUMBER.findall(client.get(ONE, {"metric": metric.name}).content.decode())
    for href, number in found:
        if href not in seen:
            seen.add(href)
            total, rows, _context = listed(client, href)
            assert total == rows == int(number), href


def test_the_numbers_are_right(client: Client, workspace: Workspace, history: None) -> None:
    found = measured(Scope(workspace))
    read = {name: found.reading(metric) for name, metric in BY_NAME.items()}
    assert (read["writes"].over, read["writes"].of) == (6, 11)  # two memories came by a key
    assert (read["duplicates"].over, read["overrides"].over, read["duplicates"].of) == (1, 1, 12)
    assert (read["reversals"].over, read["reversals"].of) == (3, 8)
    assert (read["junk"].over, read["blocked"].over) == (1, 3)
    assert (read["missed"].over, read["missed"].of, read["false_alarms"].value) == (1, 3, 50.0)
    assert read["tokens"].value == 100.0
    assert read["review_time"].of == 2
    assert read["review_time"].value == pytest.approx(3.5 * 86_400, abs=60)
    assert read["queue_age"].of == 3  # what was undone waits again
    assert read["queue_age"].value == pytest.approx((6 + 3 + 0) / 3 * 86_400, abs=60)
    assert found.by_language(BY_NAME["writes"])["zh"].over == 1
    assert found.by_agent(BY_NAME["writes"])["booking-bot"].over == 1


def test_what_memory_had_already_shows_in_no_row_of_a_refused_note(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "It rains a lot.")
    kept = make.make_memory(workspace, "Likes early flights")
    make.make_decision(make.make_note(session, "It rains a lot", "It rains a lot."), "reject", memory=kept, hold=False)
    (row,) = client.get(ONE, {"metric": "junk"}).context["rows"]
    assert row["text"] == "It rains a lot"


def test_days_add_up_to_the_whole(workspace: Workspace, history: None) -> None:
    found = measured(Scope(workspace, days=90))
    for metric in METRICS:
        if not metric.over.source.standing:
            whole, days = found.reading(metric), found.by_day(metric)
            assert (sum(d.over for d in days), sum(d.of for d in days)) == (whole.over, whole.of), metric.name
    waiting = [int(reading.of) for reading in found.by_day(BY_NAME["queue_age"])]
    assert waiting[-7:] == [
        1,
        2,
        2,
        3,
        4,
        4,
        3,
    ]  # what was declined or changed today waited until then; what was undone waits since


def test_rows_of_a_past_day_are_as_old_as_they_were_at_its_end(client: Client, workspace: Workspace) -> None:
    decided(workspace, "promote", hold=True, days=6)
    scope = Scope(workspace)
    scope = replace(scope, day=scope.dates[-4])
    (row,) = read_rows(scope, BY_NAME["queue_age"])
    oldest = measured(scope).reading(BY_NAME["queue_age"]).value  # in whole seconds
    assert row.amount.total_seconds() == pytest.approx(oldest, abs=1)
    assert timedelta(days=2) < row.amount < timedelta(days=4)


def test_many_agents_are_told_as_the_busiest_and_how_many_more(client: Client, workspace: Workspace) -> None:
    day = Scope(workspace).dates[-1]
    cells = {(day, f"agent-{n:02}", "en"): {"writes_over": n, "writes_of": 1.0} for n in range(40)}
    found = Measured(Scope(workspace), cells)
    assert [int(one.over) for one in found.by_agent(BY_NAME["writes"]).values()][:3] == [39, 38, 37]
    for number in range(MOST_AGENTS + 2):
        make.make_turn(make.make_session(workspace, agent=f"agent-{number}"), "Hello there.")
    page = client.get(ONE, {"metric": "writes"})
    assert len(page.context["tables"][0]["rows"]) == MOST_AGENTS
    assert "2 more agents" in page.content.decode()


def test_what_was_undone_waits_since_then(client: Client, workspace: Workspace) -> None:
    admin = make.actor_of(make.make_operator(workspace, "admin"), "admin")
    undo(workspace, admin, decided(workspace, "promote", days=9).pk)
    just_now = timezone.now() - timedelta(minutes=10)
    assert measured(Scope(workspace)).reading(BY_NAME["queue_age"]).value == pytest.approx(0, abs=600)
    waiting = waiting_of(Span(workspace))
    assert (waiting.late, waiting.by_age[0]) == (0, 1)
    assert shell_numbers(workspace)["oldest"] > just_now
    assert not QueueFilters.read({"age__gt": "24h"}).rows(workspace).exists()
    assert not alarms()


def test_what_was_held_waits_since_then_whatever_was_undone(client: Client, workspace: Workspace) -> None:
    admin = make.actor_of(make.make_operator(workspace, "admin"), "admin")
    held = [decided(workspace, "promote", days=days, hold=True, needs="admin") for days in (27, 17)]
    for one in held:
        approve(workspace, admin, one.pk)
        undo(workspace, admin, one.pk)
    decided_by_itself = decided(workspace, "promote", "I like coffee.", days=40)
    undo(workspace, admin, decided_by_itself.pk)
    waiting = waiting_of(Span(workspace))
    assert (waiting.oldest, waiting.late, waiting.by_age[0]) == (held[0].created_at, 2, 1)
    assert shell_numbers(workspace)["oldest"] == held[0].created_at
    mean = measured(Scope(workspace)).reading(BY_NAME["queue_age"]).value
    assert mean == pytest.approx(86_400 * (27 + 17) / 3, abs=600)
    assert set(QueueFilters.read({"age__gt": "24h"}).rows(workspace)) == set(held)
    assert [alarm["queue", ""]["hours"] for alarm in alarms().values()] == [27 * 24]
    ages = {one.pk: one.open_since for one in Decision.objects.all()}
    assert ages == dict(Decision.objects.values_list("pk", WAITING_SINCE))
    for page in ("review", "approvals"):
        words = client.get(f"/w/travel/{page}/").content.decode()
        assert (">27 d</time>" in words, ">17 d</time>" in words, ">40 d</time>" in words) == (True, True, False), page


def test_turns_until_a_memory_is_first_shown(workspace: Workspace) -> None:
    made = decided(workspace, "promote")
    session = make.make_session(workspace)
    for text in ("Hello there.", "Which flights are there?"):
        make.make_turn(session, text)
    Memory.objects.filter(pk=made.memory_id).update(first_recalled_at=timezone.now())
    make.make_turn(session, "Thanks.")
    Turn.objects.filter(content="Thanks.").update(created_at=timezone.now() + timedelta(minutes=1))
    recorded = timezone.now() - timedelta(hours=1)
    Memory.objects.filter(pk=made.memory_id).update(recorded_at=recorded)
    Turn.objects.filter(content="I like tea.").update(created_at=recorded - timedelta(minutes=1))
    confirmed = make.make_note(session, "Note of promote: I like tea.", "Hello there.")
    make.make_decision(confirmed, "dedupe", memory=Memory.objects.get(pk=made.memory_id), hold=False)  # makes none
    reading = measured(Scope(workspace)).reading(BY_NAME["first_use"])
    assert (reading.value, reading.listed) == (2.0, 1)


def test_an_answer_is_stale_once_the_user_said_otherwise(client: Client, workspace: Workspace) -> None:
    def answer(at: Any) -> None:
        made = Injection.objects.create(workspace=workspace, purpose="recall", user=held.user, session=held.session,
                                        moment=at, memory_ids=[held.memory_id])  # fmt: skip
        Injection.objects.filter(pk=made.pk).update(at=at)

    held = decided(workspace, "override", "From now on the aisle.", hold=True)
    now = timezone.now()
    Turn.objects.update(created_at=now - timedelta(hours=2))
    answer(now - timedelta(hours=3))
    answer(now - timedelta(hours=1))
    reading = measured(Scope(workspace)).reading(BY_NAME["stale"])
    assert (reading.over, reading.of) == (1, 2)
    assert listed(client, f"{ONE}?metric=stale")[:2] == (1, 1)
    decline(workspace, make.actor_of(make.make_operator(workspace)), held.pk, Ruling(reason_code="wrong_fact"))
    assert measured(Scope(workspace)).reading(BY_NAME["stale"]).over == 0


@pytest.mark.parametrize(
    ("query", "said", "text"),
    [("Which seat?", "From now on the window.", "Takes window seats"), ("坐哪个座位", "以后都靠窗。", "坐靠窗座位")],
)
def test_an_answer_that_was_right_stays_right(workspace: Workspace, query: str, said: str, text: str) -> None:
    def stale() -> float:
        return measured(Scope(workspace)).reading(BY_NAME["stale"]).over

    session, admin = make.make_session(workspace), make.actor_of(make.make_operator(workspace, "admin"), "admin")
    make.make_turn(session, said)
    Turn.objects.update(created_at=timezone.now() - timedelta(hours=2))
    memory = make.make_memory(workspace, query)  # found by its own words
    note = make.make_note(session, text, said)
    made = make.make_decision(note, "override", memory=memory, hold=False)
    assert recall(workspace, user="zhang-san", query=text).results
    assert stale() == 0
    undo(workspace, admin, made.pk)
    assert stale() == 0
    assert recall(workspace, user="zhang-san", query=query).results  # the words of before, which were put back
    assert stale() == 0
    approve(workspace, admin, made.pk)
    assert stale() == 1  # what was shown in between, though the user had said otherwise
    assert recall(workspace, user="zhang-san", query=text).results
    assert stale() == 1


def test_a_session_has_the_language_of_what_the_user_said_first(workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "我能帮你什么？", role="assistant")
    make.make_turn(session, "12:30")
    make.make_turn(session, "Book a table please.")
    make.make_turn(session, "谢谢")
    session.refresh_from_db()
    assert session.language == "en"


def test_statements_do_not_grow_with_rows(
    client: Client, workspace: Workspace, django_assert_max_num_queries: Any
) -> None:
    decided(workspace, "promote")
    for number in range(12):
        decided(workspace, "dedupe", agent=f"agent-{number}", days=number)
    with django_assert_max_num_queries(28):
        client.get(PAGE)
    for metric in METRICS:
        with django_assert_max_num_queries(28):
            assert client.get(ONE, {"metric": metric.name}).status_code == 200


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_speaks_both_languages(client: Client, history: None, language: str) -> None:
    client.cookies["commonplace_language"] = language
    text = client.get(PAGE).content.decode()
    assert ("去重率" in text) == (language == "zh-hans")
    assert client.get(ONE, {"metric": "reversals", "days": "7"}).status_code == 200


def test_nonsense_in_the_address(client: Client, history: None) -> None:
    assert client.get(ONE)["Location"] == PAGE
    assert client.get(ONE, {"metric": "nothing"})["Location"] == PAGE
    for query in (
        {"days": "x", "language": "%", "agent": "\x00", "day": "2026-99-99"},
        {"told": "\x00", "cursor": "x"},
    ):
        assert client.get(ONE, {"metric": "reversals"} | query).status_code == 200
    assert client.get(PAGE, {"day": "2026-01-01", "days": "9999"}).status_code == 200
