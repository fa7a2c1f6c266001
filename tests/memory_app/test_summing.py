"""Numbers read from sums by the hour are those that the rows give, whatever happens to the rows afterwards."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from consolidation.actions.erasing import erase_user
from consolidation.queries.alarms import around
from consolidation.tasks import count_hours
from memory_app.actions.decisions import approve, decline
from memory_app.actions.rulings import Ruling
from memory_app.actions.summing import sum_hours, sum_some
from memory_app.actions.undo import undo
from memory_app.domain.actor import Actor
from memory_app.models import (
    Agent,
    Block,
    ChangedHour,
    Decision,
    HourlySum,
    Injection,
    Memory,
    Note,
    Session,
    SummedUntil,
    Turn,
    Workspace,
)
from memory_app.queries.measuring import Scope, by_workspace, measured, split_of
from memory_app.queries.metrics import METRICS
from memory_app.queries.overview import Span, counted_of, waiting_of
from memory_app.queries.sums import hours_of_each
from memory_app.queries.tallies import FATES
from tests import factories as make

pytestmark = pytest.mark.django_db
SINCE = timezone.now() - timedelta(days=5, minutes=7)
HALF_PAST = "Asia/Kolkata"  # its midnight goes through an hour


@pytest.fixture
def workspace() -> Workspace:
    return make.make_workspace()


@pytest.fixture
def admin(workspace: Workspace) -> Actor:
    return make.actor_of(make.make_operator(workspace, "admin"), "admin")


def decided(workspace: Workspace, action: str, days: float, said: str = "I like tea.", **fields: Any) -> Decision:
    """A decision so many days ago, in a session of its own that an answer was given in."""
    session = make.make_session(
        workspace, user=fields.pop("user", "zhang-san"), agent=fields.pop("agent", "booking-bot")
    )
    make.make_turn(session, said)
    memory = make.make_memory(workspace, "Likes early flights") if action in ("override", "dedupe") else None
    note = make.make_note(session, f"Note of {action} {days}: {said}", said)
    made = make.make_decision(note, action, memory=memory, **({"hold": False} | fields))
    at = make.days_ago(days)
    Turn.objects.filter(session=session).update(created_at=at)
    Session.objects.filter(pk=session.pk).update(started_at=at)
    Note.objects.filter(pk=note.pk).update(created_at=at)
    Decision.objects.filter(pk=made.pk).update(created_at=at)
    made.refresh_from_db()
    if made.memory_id is not None:
        Memory.objects.filter(pk=made.memory_id).update(recorded_at=at, first_recalled_at=at + timedelta(hours=3))
        shown = Injection.objects.create(
            workspace=workspace, purpose="context", user=session.user, session=session, moment=at, tokens=100 + int(days),
            memory_ids=[made.memory_id],
        )  # fmt: skip
        Injection.objects.filter(pk=shown.pk).update(at=at + timedelta(hours=2))
    return made


@pytest.fixture
def made(workspace: Workspace, admin: Actor) -> dict[str, Decision]:
    """Decisions of many kinds, agents and languages over two months, some of which wait; blocks."""
    found = {
        "promote": decided(workspace, "promote", 50),
        "chinese": decided(workspace, "promote", 9.3, "我喜欢喝茶。", agent="travel-assistant"),
        "override": decided(workspace, "override", 5.1, "From now on the aisle."),
        "waits": decided(workspace, "promote", 8.2, hold=True, agent=None),
        "waits too": decided(workspace, "override", 4.4, hold=True, user="lin"),
        "held": decided(workspace, "session_only", 3.6, hold=True),
        "reject": decided(workspace, "reject", 2.2),
        "dedupe": decided(workspace, "dedupe", 1.7, agent="night-desk"),
    }
    approve(workspace, admin, decided(workspace, "promote", 20, hold=True).pk)
    decline(workspace, admin, decided(workspace, "override", 12, hold=True).pk, Ruling(reason_code="wrong_fact"))
    Decision.objects.filter(status__in=("approved", "declined")).update(decided_at=make.days_ago(6))
    session = found["chinese"].session
    assert session is not None
    for days, stage, status in ((3, "capture", "blocked"), (3, "capture", "released"), (7.5, "consolidation", "kept")):
        block = Block.objects.create(workspace=workspace, session=session, user=session.user, stage=stage, rule="payment.card",
                                     category="payment", rule_set="1", status=status, masked="My card is •")  # fmt: skip
        Block.objects.filter(pk=block.pk).update(created_at=make.days_ago(days))
    return found


def numbers(workspace: Workspace) -> dict[Any, Any]:
    """Everything that the pages read, for several readers."""
    whole = Scope(workspace, 90)
    found: dict[Any, Any] = {
        m.name: {told: (one.over, one.of) for told, one in split_of(whole, m).items()} for m in METRICS
    }
    for scope in (whole, Scope(workspace, 30, "booking-bot", "en"), Scope(workspace, 30, agent="-"),
                  Scope(workspace, 30, language="zh", day=whole.dates[-6])):  # fmt: skip
        read = measured(scope)
        for metric in METRICS:
            name, told = (metric.name, scope.agent, scope.language), (read.reading(metric), *read.by_day(metric))
            # The age of the queue goes by the clock.
            found[*name] = [(metric.name == "queue_age" or round(one.over, 3), one.of) for one in told]
            found[*name, "by"] = {
                key: one.of for key, one in (read.by_agent(metric) | read.by_language(metric)).items()
            }
    for span in (Span(workspace, 30), Span(workspace, 14, "booking-bot")):
        counted = counted_of(span, waiting_of(span))
        found[f"overview {span.agent}"] = (counted.decided, counted.blocks, counted.turns, counted.agents)
    for slug, readings in by_workspace(None, 30).items():
        found["each", slug] = {
            name: (name == "queue_age" or round(one.over, 3), one.of) for name, one in readings.items()
        }
    hours = hours_of_each([workspace.pk])
    found["alerts"] = around(SINCE, timedelta(days=14), FATES, hours, ("workspace", "agent"), ("count",))
    return found


def both(workspace: Workspace) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The numbers as they are read, and as the rows alone give them."""
    read = numbers(workspace)
    kept = list(SummedUntil.objects.all())
    SummedUntil.objects.all().delete()
    of_rows = numbers(workspace)
    SummedUntil.objects.bulk_create(kept)
    return read, of_rows


def same(workspace: Workspace) -> dict[Any, Any]:
    read, of_rows = both(workspace)
    for name in of_rows:
        assert read[name] == of_rows[name], name
    return read


@pytest.mark.parametrize("zone", ["UTC", HALF_PAST])
def test_numbers_are_those_of_the_rows(workspace: Workspace, made: dict[str, Decision], zone: str) -> None:
    with timezone.override(zone):
        before = numbers(workspace)
        count_hours()
        assert HourlySum.objects.exists()
        assert not ChangedHour.objects.exists()
        same(workspace)
        after = numbers(workspace)
        assert after == before
        assert after["each", workspace.slug]["reversals"] == (1, 6)
        assert after["reversals", "", ""][0] == (1, 7)
        assert after["stale", "", ""][0][0] == 2
        assert after["first_use", "", ""][0][1] == 6
    assert not sum_some(workspace)


Change = Callable[[Workspace, Actor, dict[str, Decision]], Any]
CHANGES: dict[str, Change] = {
    "undone": lambda w, admin, made: undo(w, admin, made["override"].pk),
    "approved": lambda w, admin, made: approve(w, admin, made["waits too"].pk),
    "declined": lambda w, admin, made: decline(w, admin, made["waits"].pk, Ruling(reason_code="wrong_fact")),
    "approved as another": lambda w, admin, made: approve(w, admin, made["held"].pk, Ruling(action="promote")),
    "said in an old session": lambda w, admin, made: make.make_turn(made["promote"].session, "One more thing."),
    "told a language": lambda w, admin, made: Session.objects.filter(pk=made["dedupe"].session_id).update(language="zh"),
    "told an agent": lambda w, admin, made: Session.objects.filter(pk=made["waits"].session_id).update(
        agent=Agent.objects.get(external_id="night-desk")
    ),
    "released": lambda w, admin, made: Block.objects.filter(status="blocked").update(status="released"),
    "shown first": lambda w, admin, made: Memory.objects.filter(pk=made["promote"].memory_id).update(
        first_recalled_at=make.days_ago(2)
    ),
    "turns forgotten": lambda w, admin, made: (
        Note.objects.update(turn=None), Turn.objects.filter(created_at__lt=make.days_ago(4)).delete()
    ),
    "answers forgotten": lambda w, admin, made: Injection.objects.filter(at__lt=make.days_ago(4)).delete(),
    "erased": lambda w, admin, made: erase_user(w, admin, "zhang-san"),
    "opened again": lambda w, admin, made: undo(w, admin, Decision.objects.get(status="declined").pk),
    "imported": lambda w, admin, made: decided(w, "promote", 33, agent="importer"),
}  # fmt: skip


@pytest.mark.parametrize(
    "changes", [list(CHANGES)[at : at + 3] for at in range(0, len(CHANGES), 3)], ids=lambda one: one[0]
)
def test_numbers_stay_those_of_the_rows(
    workspace: Workspace, admin: Actor, made: dict[str, Decision], changes: list[str]
) -> None:
    sum_hours()
    before = numbers(workspace)
    for change in changes:
        CHANGES[change](workspace, admin, made)
        assert ChangedHour.objects.exists(), change
        after = same(workspace)
        assert after != before, change
        sum_hours()
        assert not ChangedHour.objects.exists(), change
        before = after
    same(workspace)


def test_another_definition_is_counted_anew(workspace: Workspace, made: dict[str, Decision]) -> None:
    sum_hours()
    HourlySum.objects.update(numbers=[7] * 20)
    SummedUntil.objects.update(definition="of an earlier release")
    same(workspace)
    sum_hours()
    same(workspace)
    HourlySum.objects.update(numbers=[7] * 20)
    call_command("sum_hours", "--anew", stdout=None)
    same(workspace)


def test_an_hour_is_summed_once_it_is_over(workspace: Workspace) -> None:
    decided(workspace, "reject", 0)
    sum_hours()
    assert not HourlySum.objects.exists()
    assert not ChangedHour.objects.exists()
    until = SummedUntil.objects.get().until
    assert timezone.now() - timedelta(hours=2) <= until <= timezone.now() - timedelta(hours=1)


def test_a_workspace_that_comes_while_all_are_counted_is_told_the_next_time(made: dict[str, Decision]) -> None:
    known = set(by_workspace(None, 30))
    came: list[str] = []

    def comes(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        answer = execute(sql, params, many, context)
        if not came:  # the workspaces have been read, and nothing else
            came.append(sql)
            decided(make.make_workspace("another"), "promote", 1, hold=True)
        return answer

    with connection.execute_wrapper(comes):
        assert set(by_workspace(None, 30)) == known
    assert set(by_workspace(None, 30)) == known | {"another"}
