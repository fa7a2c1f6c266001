"""What becomes of a fact over several sessions: this time and always, corrections, wishes to forget, echoes."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from memory_app.actions import decisions, undo
from memory_app.models import Decision, Memory, Session, Workspace
from memory_app.queries.approvers import Parties
from memory_app.recall import context_for, recall
from tests.consolidation.conftest import AGENT, consolidated
from tests.factories import AGENT as SENDER
from tests.factories import actor_of, make_note, make_operator, make_session, make_turn, make_workspace

pytestmark = pytest.mark.django_db
USER = "zhang-san"
START = datetime.fromisoformat("2026-03-01T10:00:00+08:00")
SEAT = {"key": "seat_preference"}


@dataclass(frozen=True)
class Words:
    """What the user says about seats, each as the user's turn and as a note's text."""

    aisle: tuple[str, str]
    window: tuple[str, str]
    again: tuple[str, str]
    wrong: tuple[str, str]
    changed: tuple[str, str]
    back: tuple[str, str]
    business: tuple[str, str]
    family: tuple[str, str]
    forget: str
    forget_seat: str
    echoes: tuple[str, ...]


EN = Words(
    aisle=("I usually sit on the aisle.", "Usually sits on the aisle"),
    window=("This time I'd like a window seat.", "Wants a window seat this time"),
    again=("As always, an aisle seat for me.", "Usually sits on the aisle"),
    wrong=("No, that is wrong: I have always preferred the window.", "Prefers window seats"),
    changed=("From now on I want window seats.", "Prefers window seats"),
    back=("I've changed my mind, from now on aisle seats again.", "Prefers aisle seats"),
    business=("On business trips I always want an aisle seat.", "Prefers aisle seats on business trips"),
    family=("On family trips I always want a window seat.", "Prefers window seats on family trips"),
    forget="Forget that.",
    forget_seat="Please forget that I usually sit on the aisle.",
    echoes=("> Usually sits on the aisle", "“Usually sits on the aisle”", 'You wrote: "Usually sits on the aisle"'),
)
ZH = Words(
    aisle=("我一般都坐靠过道的位置。", "一般坐靠过道"),
    window=("这次我想靠窗。", "这次想靠窗"),
    again=("还是老样子，我一般坐靠过道的位置。", "一般坐靠过道"),
    wrong=("不对，你记错了，我一直喜欢靠窗。", "喜欢靠窗"),
    changed=("以后都改成靠窗的位置。", "喜欢靠窗"),
    back=("我改主意了，以后还是靠过道。", "喜欢靠过道"),
    business=("出差我都要靠过道的位置。", "出差时喜欢靠过道"),
    family=("带家人出行我都要靠窗的位置。", "带家人出行时喜欢靠窗"),
    forget="别记了。",
    forget_seat="请忘掉我一般坐靠过道这件事。",
    echoes=("> 一般坐靠过道", "“一般坐靠过道”", "你写的是：“一般坐靠过道”"),
)
LANGUAGES = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with mock.patch("consolidation.tasks.consolidate.delay"):
        yield
    cache.clear()


@pytest.fixture
def workspace() -> Workspace:
    return make_workspace()


class Life:
    """The sessions of one user, ten days apart."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace, self.day = workspace, 0

    def session(self) -> Session:
        self.day += 10
        return make_session(self.workspace, USER, started_at=self.now)

    @property
    def now(self) -> datetime:
        return START + timedelta(days=self.day)

    def says(self, session: Session, quote: str, role: str = "user") -> None:
        make_turn(session, quote, role, self.now)

    def notes(self, session: Session, said: tuple[str, str], value: str | None = None, **fields: Any) -> None:
        self.says(session, said[0])
        given = {"value": value, "key": "seat_preference"} if value else {}
        make_note(session, said[1], said[0], evidence_role="user", **(given | fields))

    def ends(self, session: Session) -> list[Decision]:
        consolidated(session)
        return list(session.decisions.order_by("number"))

    def once(self, said: tuple[str, str], value: str | None = None, **fields: Any) -> Decision:
        """One session in which just this was said and noted."""
        session = self.session()
        self.notes(session, said, value, **fields)
        return self.ends(session)[0]

    def told(self, *turns: tuple[str, str] | str) -> list[Decision]:
        """One session whose agent saves no notes, so that its turns are distilled."""
        session = self.session()
        for turn in turns:
            role, text = ("user", turn) if isinstance(turn, str) else turn
            self.says(session, text, role)
        return self.ends(session)

    def effective(self, session: Session | None = None) -> dict[str, Any]:
        session = session or self.session()
        found = context_for(self.workspace, user=USER, session=session.pk, now=self.now, actor=AGENT)
        return {key: one.value for key, one in found.effective.items()}

    def memory(self) -> Memory:
        return Memory.objects.with_marks(self.now).get(workspace=self.workspace, scope="user", status="active")

    def counting(self) -> int:
        return self.memory().counting_sources().count()

    def approves(self, decision: Decision) -> Decision:
        return decisions.approve(self.workspace, self._admin(), decision.pk)

    def undoes(self, decision: Decision) -> None:
        undo.undo(self.workspace, self._admin(), decision.pk)

    def _admin(self) -> Any:
        return actor_of(make_operator(self.workspace, "admin"), "admin")


@pytest.fixture
def life(workspace: Workspace) -> Life:
    return Life(workspace)


@LANGUAGES
@pytest.mark.parametrize("noted", [True, False], ids=["noted", "distilled"])
def test_always_this_time_and_always_again(life: Life, words: Words, noted: bool) -> None:
    first = life.session()
    life.notes(first, words.aisle, "aisle") if noted else life.says(first, words.aisle[0])
    life.ends(first)
    assert life.effective()["seat_preference"] == "aisle"
    second = life.session()
    if noted:
        life.notes(second, words.window, "window", scope="session")
        assert life.effective(second)["seat_preference"] == "window"
    else:
        life.says(second, words.window[0])
    assert {d.action for d in life.ends(second)} == {"session_only"}
    third = life.session()
    assert life.effective(third)["seat_preference"] == "aisle"
    assert life.memory().version == 1


@LANGUAGES
def test_a_change_starts_counting_anew(life: Life, words: Words) -> None:
    life.once(words.aisle, "aisle")
    assert life.once(words.again, "aisle").action == "dedupe"
    assert life.counting() == 2
    assert life.once(words.changed, "window").action == "override"
    assert life.counting() == 1
    assert life.memory().sources.filter(withdrawn_at=None).count() == 3  # it was true when it was said


@LANGUAGES
def test_a_correction_withdraws_what_was_wrong(life: Life, words: Words) -> None:
    life.once(words.aisle, "aisle")
    life.once(words.again, "aisle")
    before = life.memory()
    made = life.once(words.wrong, "window")
    assert (made.rule, made.status) == ("override.correction", "applied")
    memory = life.memory()
    assert memory.value == "window"
    assert [s.note.value for s in memory.sources.filter(withdrawn_at=None)] == ["window"]
    assert life.counting() == 1
    life.undoes(made)
    memory = life.memory()
    assert (memory.value, memory.confirmed_at) == ("aisle", before.confirmed_at)
    assert [s.note.value for s in memory.sources.filter(withdrawn_at=None)] == ["aisle", "aisle"]
    life.approves(made)
    assert [s.note.value for s in life.memory().sources.filter(withdrawn_at=None)] == ["window"]


@LANGUAGES
def test_conditions_keep_variants_apart(life: Life, words: Words) -> None:
    made = [
        life.once(words.aisle, "aisle"),
        life.once(words.business, "aisle", condition="business_trip"),
        life.once(words.family, "window", condition="family_trip"),
    ]
    assert [d.action for d in made] == ["promote"] * 3
    kept = Memory.objects.filter(workspace=life.workspace, scope="user", status="active")
    assert set(kept.values_list("condition", "value")) == {
        ("", "aisle"), ("business_trip", "aisle"), ("family_trip", "window")
    }  # fmt: skip
    life.once((words.family[0], words.family[1]), "window", condition="family_trip")
    assert kept.count() == 3


@LANGUAGES
def test_conditions_are_found_in_the_turns(life: Life, words: Words) -> None:
    for said in (words.business, words.family):
        assert [d.action for d in life.told(said[0])] == ["promote"]
    kept = Memory.objects.filter(workspace=life.workspace, scope="user", status="active")
    assert set(kept.values_list("condition", "value")) == {("business_trip", "aisle"), ("family_trip", "window")}


@LANGUAGES
def test_forget_that_takes_back_what_was_just_said(life: Life, words: Words) -> None:
    life.told(words.aisle[0], words.forget)
    assert not Memory.objects.live(life.now).beyond_sessions().exists()


@LANGUAGES
def test_a_wish_to_forget_retracts_once_a_person_agrees(life: Life, words: Words) -> None:
    life.told(words.aisle[0])
    (asked,) = life.told(words.forget_seat)
    assert (asked.action, asked.proposed_action, asked.status) == ("review", "retract", "pending")
    assert life.effective()["seat_preference"] == "aisle"
    life.approves(asked)
    assert "seat_preference" not in life.effective()


@LANGUAGES
@pytest.mark.parametrize("echo", [0, 1, 2])
def test_what_was_recalled_and_pasted_back_is_no_source(life: Life, words: Words, echo: int) -> None:
    life.once(words.aisle, "aisle")
    session = life.session()
    recall(life.workspace, user=USER, session=session.pk, query=words.aisle[1], now=life.now, actor=AGENT)
    life.says(session, words.echoes[echo])
    assert all(d.action == "reject" for d in life.ends(session))
    assert life.counting() == 1
    session = life.session()
    life.notes(session, (words.echoes[echo], words.aisle[1]), "aisle")
    assert [d.action for d in life.ends(session)] == ["reject"]
    assert life.counting() == 1


@LANGUAGES
def test_what_the_assistant_makes_of_recall_is_no_source(life: Life, words: Words) -> None:
    life.once(words.aisle, "aisle")
    before = life.memory().confirmed_at
    for text in (words.aisle[1], words.again[0]):
        session = life.session()
        context_for(life.workspace, user=USER, session=session.pk, now=life.now, actor=AGENT)
        make_note(session, text, key="seat_preference", value="aisle", said_at=life.now)
        (made,) = life.ends(session)
        assert (made.action, made.rule) == ("reject", "reject.recalled")
        assert life.told(("assistant", words.again[0]), ("assistant", f"- {words.aisle[1]}")) == []
    assert life.counting() == 1
    assert life.memory().confirmed_at == before
    # The user's own words confirm it, also where it was recalled before.
    session = life.session()
    context_for(life.workspace, user=USER, session=session.pk, now=life.now, actor=AGENT)
    life.notes(session, words.again, "aisle")
    assert [d.action for d in life.ends(session)] == ["dedupe"]
    assert life.counting() == 2


@LANGUAGES
def test_a_value_that_keeps_changing_is_marked(life: Life, words: Words) -> None:
    life.once(words.aisle, "aisle")
    moments = [life.now]
    for said, value in ((words.changed, "window"), (words.back, "aisle"), (words.changed, "window")):
        assert not life.memory().drifting
        assert life.once(said, value).action == "override"
        moments.append(life.now)
    memory = life.memory()
    assert memory.drifting
    kept = memory.versions.order_by("number").values_list("updated_at", flat=True)
    assert list(kept) == moments  # each value keeps its time
    query = "Which seat?" if words is EN else "喜欢坐哪个位置？"
    (found,) = recall(life.workspace, user=USER, query=query, now=life.now, actor=AGENT).results
    assert ("3 times" if words is EN else "3 次") in found.because


@LANGUAGES
@pytest.mark.parametrize("keyed", [True, False], ids=["profile", "slot"])
def test_a_habit_is_proposed_once_to_a_person(life: Life, words: Words, keyed: bool) -> None:
    value = "aisle" if keyed else None
    for said in (words.aisle, words.again):
        life.once(said, value)
    habits = Decision.objects.filter(rule__startswith="edit.habit")
    assert not habits.exists()
    life.once(words.again, value)
    life.once(words.again, value)
    (habit,) = habits
    assert (habit.status, habit.needs) == ("pending", "admin" if keyed else "curator")
    assert Parties(SENDER, [habit]).proposers(habit) == {(SENDER.kind, SENDER.id)}
    client = Client()
    client.force_login(make_operator(life.workspace, "admin"))
    page = reverse("approvals" if keyed else "review", kwargs={"workspace": life.workspace.slug})
    assert habit.ref in client.get(page, {"id": str(habit.pk)}).content.decode()
    user = life.memory().user
    assert user is not None
    assert (life.memory().key, user.profile) == ("seat_preference" if keyed else "", {})
    life.approves(habit)
    user.refresh_from_db()
    assert (life.memory().key, life.memory().value) == ("seat_preference", "aisle")
    assert {k: f["value"] for k, f in user.profile.items()} == ({"seat_preference": "aisle"} if keyed else {})
    life.undoes(habit)
    user.refresh_from_db()
    assert (life.memory().key, user.profile) == ("seat_preference" if keyed else "", {})
