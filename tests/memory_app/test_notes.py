"""A note on its way into its session: guarded, anchored, staged or blocked."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from memory_app.actions.memories import NewMemory, edit_memory, pin_memory, remember
from memory_app.actions.notes import NewNote, retain_note
from memory_app.actions.sessions import NewTurn, add_turns, open_session, put_working
from memory_app.domain.errors import Conflict, Invalid
from memory_app.models import AuditEvent, Memory, Session, Turn, Workspace
from tests import factories as make

from .conftest import ADMIN, AGENT

CARD = "4242 4242 4242 4242"


def test_turns_are_kept_word_for_word_but_masked(session: Session) -> None:
    add_turns(
        session, AGENT, [NewTurn("user", "One"), NewTurn("assistant", f"Card {CARD}", tool_calls=[{"card": CARD}])]
    )
    add_turns(session, AGENT, [NewTurn("user", "Three")])
    assert [(t.index, t.role) for t in session.turns.all()] == [(1, "user"), (2, "assistant"), (3, "user")]
    masked = session.turns.get(index=2)
    assert CARD not in masked.content
    assert CARD not in str(masked.tool_calls)
    assert session.turns.get(index=1).content == "One"
    assert [b.category for b in session.blocks.all()] == ["payment"]


def test_a_staged_note_is_memory_of_its_session_and_audited(session: Session) -> None:
    add_turns(session, AGENT, [NewTurn("user", "这次想靠窗休息；以后短途优先高铁。")])
    note = retain_note(
        session, AGENT,
        NewNote("这次靠窗", key="seat_preference", value="window", kind="working", evidence_role="user",
                evidence_quote="这次想靠窗休息"),
    ).note  # fmt: skip
    assert (note.status, note.scope, note.anchored) == ("staged", "session", True)
    assert note.turn is not None
    assert note.turn.content[note.evidence_start : note.evidence_end] == "这次想靠窗休息"
    memory = Memory.objects.get(session=session, scope="session")
    assert (memory.key, memory.value, memory.owner) == ("seat_preference", "window", session.pk)
    assert memory.sources.get().note == note
    assert AuditEvent.objects.filter(action="note.staged", object_id=str(note.pk)).count() == 1


def test_a_quote_that_nobody_said_is_kept_as_unanchored(session: Session) -> None:
    add_turns(session, AGENT, [NewTurn("user", "Aisle please")])
    note = retain_note(session, AGENT, NewNote("Prefers window", evidence_role="user", evidence_quote="window")).note
    assert (note.anchored, note.turn) == (False, None)


@pytest.mark.parametrize(("quote", "held"), [("WINDOW\u200b seat", "window seat"), ("\uff37indow", "window")])
def test_a_quote_in_other_letters_is_anchored_to_just_what_was_said(session: Session, quote: str, held: str) -> None:
    add_turns(session, AGENT, [NewTurn("user", "A window seat, please")])
    note = retain_note(session, AGENT, NewNote("Prefers window", evidence_role="user", evidence_quote=quote)).note
    assert note.anchored is True
    assert note.turn is not None
    assert note.turn.content[note.evidence_start : note.evidence_end] == held


def test_a_quote_without_a_letter_is_found_nowhere(session: Session) -> None:
    add_turns(session, AGENT, [NewTurn("user", "Aisle please")])
    note = retain_note(session, AGENT, NewNote("Prefers window", evidence_role="user", evidence_quote="\u200b")).note
    assert (note.anchored, note.turn) == (False, None)


def test_the_newest_statement_fills_the_slot_of_the_session(session: Session) -> None:
    now = timezone.now()
    for value, said_at in (
        ("window", now),
        ("aisle", now + timedelta(minutes=1)),
        ("middle", now - timedelta(hours=1)),
    ):
        retain_note(session, AGENT, NewNote(f"{value} seat", key="seat_preference", value=value, said_at=said_at))
    memory = Memory.objects.get(session=session, status="active")
    assert (memory.value, memory.version, memory.sources.count()) == ("aisle", 2, 3)


@pytest.mark.parametrize(
    "keep",
    [lambda one: pin_memory(one, ADMIN), lambda one: edit_memory(one, ADMIN, {"text": "Window, says the doctor"})],
    ids=["pinned", "written"],
)
def test_what_a_person_keeps_in_a_session_is_not_changed_by_its_notes(
    session: Session, keep: Callable[[Memory], object]
) -> None:
    first = make.make_note(session, "Window seat", key="seat_preference", value="window")
    other = make.make_note(session, "Vegetarian meal", key="meal_preference", value="vegetarian")
    keep(Memory.objects.get(session=session, key="seat_preference"))
    kept = Memory.objects.get(session=session, key="seat_preference")
    second = make.make_note(session, "Aisle seat", key="seat_preference", value="aisle")
    make.make_decision(second, "session_only", hold=False)
    assert second.status == "staged"
    for note in (first, other):
        make.make_decision(note, "reject", hold=False)
    now = Memory.objects.get(session=session, key="seat_preference")
    assert (now.state(), now.version, now.status) == (kept.state(), kept.version, "active")
    assert [source.note for source in now.sources.all()] == [first]
    assert Memory.objects.get(session=session, key="meal_preference").status == "archived"


def test_a_procedure_made_for_a_session_is_not_changed_by_its_notes(session: Session) -> None:
    new = NewMemory("session", "procedural", "Verify the passport first", session=session, key="booking_procedure")
    made = remember(session.workspace, ADMIN, new).memory
    make.make_note(session, "Books without looking at passports", key="booking_procedure")
    now = Memory.objects.get(pk=made.pk)
    assert (now.text, now.kind, now.version) == ("Verify the passport first", "procedural", 1)


def test_a_blocked_note_is_recorded_masked_and_is_no_memory(session: Session) -> None:
    kept = retain_note(session, AGENT, NewNote("The wifi password is Blue!Kite77", value="Blue!Kite77"))
    assert kept.block is not None
    assert (kept.note.status, kept.block.category) == ("blocked", "secret")
    stored = f"{kept.note.text} {kept.note.value} {kept.block.excerpt} {kept.block.masked}"
    assert "Kite77" not in stored
    assert not Memory.objects.filter(session=session).exists()


def test_an_identifier_that_holds_a_secret_is_refused(workspace: Workspace, session: Session) -> None:
    with pytest.raises(Invalid, match="external_id"):
        open_session(workspace, AGENT, user="zhang-san", external_id=f"card {CARD}")
    with pytest.raises(Invalid, match="user"):
        open_session(workspace, AGENT, user=CARD)
    with pytest.raises(Invalid, match="team"):
        retain_note(session, AGENT, NewNote("Team rule", scope="team"))


def test_an_ended_session_takes_nothing_more(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(ended_at=timezone.now(), status="ended")
    for write in (
        lambda: add_turns(session, AGENT, [NewTurn("user", "late")]),
        lambda: retain_note(session, AGENT, NewNote("late")),
        lambda: put_working(session, AGENT, {"step": 1}),
    ):
        with pytest.raises(Conflict):
            write()
    assert not Turn.objects.filter(session=session).exists()


def test_working_memory_is_replaced_whole_and_masked(session: Session) -> None:
    put_working(session, AGENT, {"task": "book", "variables": {"card": CARD}})
    put_working(session, AGENT, {"step": 2, "variables": {"token": "ghp_" + "a1B2c3D4e5" * 4}})
    session.refresh_from_db()
    assert set(session.working) == {"step", "variables"}
    assert "a1B2c3" not in str(session.working)


def test_the_same_external_id_is_the_same_session(workspace: Workspace) -> None:
    first, new = open_session(workspace, AGENT, user="u", external_id="a")
    again, newer = open_session(workspace, AGENT, user="u", external_id="a")
    other, _ = open_session(workspace, AGENT, user="v", external_id="a")
    assert (new, newer) == (True, False)
    assert first.pk == again.pk != other.pk


def test_a_hedge_in_the_quote_does_not_block_a_plain_note(session: Session) -> None:
    add_turns(session, AGENT, [NewTurn("user", "名字写错了，应该是李国松。")])
    new = NewNote("姓名是李国松", key="name", value="李国松", evidence_role="user", evidence_quote="应该是李国松")
    assert retain_note(session, AGENT, new).block is None
    guess = NewNote("Probably works in finance", evidence_role="user", evidence_quote="名字写错了")
    assert retain_note(session, AGENT, guess).block.category == "speculation"


def test_nothing_is_said_in_the_future(workspace: Workspace, session: Session) -> None:
    now = timezone.now()
    soon, far = now + timedelta(minutes=3), now + timedelta(days=1)
    [turn] = add_turns(session, AGENT, [NewTurn("user", "Aisle please", soon)])
    note = retain_note(session, AGENT, NewNote("Prefers aisle", said_at=soon)).note
    assert max(turn.at, note.said_at) <= timezone.now()
    for write, field in (
        (lambda: add_turns(session, AGENT, [NewTurn("user", "One"), NewTurn("user", "Two", far)]), "turns.1.at"),
        (lambda: retain_note(session, AGENT, NewNote("Prefers window", said_at=far)), "said_at"),
        (lambda: open_session(workspace, AGENT, user="u", started_at=far), "started_at"),
    ):
        with pytest.raises(Invalid, match=field):
            write()
    assert session.turns.count() == 1
