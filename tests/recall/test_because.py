"""`because` quotes nothing but words that say what the memory says now; what a person wrote is said to be a person's."""

import re
from datetime import datetime
from typing import NamedTuple

import pytest
from django.utils import timezone

from memory_app.actions.combining import merge_memories, split_memory
from memory_app.actions.decisions import Ruling, approve
from memory_app.actions.memories import NewMemory, edit_memory, pin_memory, remember, restore_memory
from memory_app.actions.undo import undo
from memory_app.domain.actor import Actor
from memory_app.models import Memory, Workspace
from memory_app.recall import recall
from tests import factories as make

ADMIN, OTHER = Actor("operator", "1", "Ana", "admin"), Actor("operator", "2", "Li", "admin")
AGENT = Actor("key", "k1", "desk", "curator")
DAY = re.compile(r"\d+ [A-Z][a-z]+|\d+月\d+日")


class Words(NamedTuple):
    """What is asked, said and remembered of one seat, of another, and of a meal; and how a sentence begins."""

    query: str
    aisle: tuple[str, str]
    window: tuple[str, str]
    meal: str
    you_said: str
    corrected: str
    corrected_by_key: str


EN = Words(
    "which seat on the plane",
    ("Back to the aisle seat for me, as usual", "Takes aisle seats"),
    ("A window seat on the plane, from now on", "Takes window seats"),
    "Eats vegan on the plane",
    "because you said on …: “{}”",
    "because it was corrected by an operator on …: {}",
    "because it was corrected through the API on …: {}",
)
ZH = Words(
    "飞机上坐哪个座位",
    ("还是老样子，给我过道座位", "飞机坐过道座位"),
    ("以后飞机都要靠窗座位", "飞机坐靠窗座位"),
    "飞机上吃素",
    "因为你在…说过：“{}”",
    "因为…由操作员更正过：{}",
    "因为…通过 API 更正过：{}",
)
LANGUAGES = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])


def noted(
    workspace: Workspace,
    said: tuple[str, str],
    value: str,
    memory: Memory | None = None,
    ruling: Ruling | None = None,
    by: Actor = ADMIN,
) -> Memory:
    """What the user said remembered, as memory of its own, or as a confirmation of this one."""
    session = make.make_session(workspace, "u1")
    make.make_turn(session, said[0])
    note = make.make_note(session, said[1], said[0], key="seat", value=value)
    decision = make.make_decision(note, "dedupe" if memory else "promote", memory=memory, hold=ruling is not None)
    if ruling is not None:
        decision = approve(workspace, by, decision.pk, ruling)
    assert decision.memory is not None
    return Memory.objects.get(pk=decision.memory.pk)


def corrected(memory: Memory, words: Words) -> Memory:
    return edit_memory(memory, ADMIN, {"text": words.window[1], "value": "window"}).memory


def why(workspace: Workspace, words: Words, memory: Memory, as_of: datetime | None = None) -> str:
    """The sentence, without its day: a test may run over midnight."""
    found = recall(workspace, user="u1", query=words.query, as_of=as_of, recorded=False).results
    return DAY.sub("…", next(one.because for one in found if one.memory.pk == memory.pk))


def said(words: Words, quote: str) -> str:
    return words.you_said.format(quote)


def by_a_person(words: Words, text: str) -> str:
    return words.corrected.format(text)


@LANGUAGES
def test_a_correction_has_no_quote_until_the_user_says_so(workspace: Workspace, words: Words) -> None:
    memory = noted(workspace, words.aisle, "aisle")
    assert why(workspace, words, memory) == said(words, words.aisle[0])
    before = timezone.now()
    memory = corrected(memory, words)
    assert why(workspace, words, memory) == by_a_person(words, words.window[1])
    assert why(workspace, words, memory, as_of=before) == said(words, words.aisle[0])
    edited = timezone.now()
    memory = noted(workspace, words.window, "window", memory)
    assert why(workspace, words, memory) == said(words, words.window[0])
    assert why(workspace, words, memory, as_of=edited) == by_a_person(words, words.window[1])


@LANGUAGES
def test_what_a_key_wrote_is_not_what_the_user_said(workspace: Workspace, words: Words) -> None:
    memory = noted(workspace, words.aisle, "aisle")
    edit = edit_memory(memory, AGENT, {"text": words.window[1], "value": "window"})
    told = words.corrected_by_key.format(words.window[1])
    assert why(workspace, words, memory) == told
    pin_memory(edit.memory, AGENT)
    assert why(workspace, words, memory) == told


@LANGUAGES
def test_what_a_key_edited_in_approving_is_not_what_the_user_said(workspace: Workspace, words: Words) -> None:
    ruling = Ruling(text=words.window[1], value="window")
    memory = noted(workspace, words.aisle, "aisle", ruling=ruling, by=AGENT)
    assert why(workspace, words, memory) == words.corrected_by_key.format(words.window[1])


def test_what_a_person_or_a_key_wrote_first_is_no_correction(workspace: Workspace) -> None:
    for actor, begins in ((ADMIN, "because it was noted for you"), (AGENT, "because you said")):
        new = NewMemory(scope="user", kind="semantic", text=f"Takes aisle seats with {actor.label}", user="u1")
        memory = remember(workspace, actor, new).memory
        pin_memory(memory, actor)
        assert why(workspace, EN, memory).startswith(begins)


@LANGUAGES
def test_what_is_put_back_has_its_quote_again(workspace: Workspace, words: Words) -> None:
    memory = corrected(noted(workspace, words.aisle, "aisle"), words)
    restored = restore_memory(memory, ADMIN, 1)  # a person's words are protected: a proposal for an admin
    assert why(workspace, words, memory) == by_a_person(words, words.window[1])
    approve(workspace, OTHER, restored.decision.pk)
    assert why(workspace, words, memory) == said(words, words.aisle[0])
    undo(workspace, OTHER, restored.decision.pk)
    assert why(workspace, words, memory) == by_a_person(words, words.window[1])


@LANGUAGES
def test_an_undone_correction_leaves_the_quote(workspace: Workspace, words: Words) -> None:
    change = edit_memory(noted(workspace, words.aisle, "aisle"), ADMIN, {"text": words.window[1], "value": "window"})
    undo(workspace, ADMIN, change.decision.pk)
    assert why(workspace, words, change.memory) == said(words, words.aisle[0])


@LANGUAGES
def test_what_was_edited_when_it_was_approved_has_no_quote(workspace: Workspace, words: Words) -> None:
    edit = Ruling(text=words.window[1], value="window")
    memory = noted(workspace, words.aisle, "aisle", ruling=edit)
    assert why(workspace, words, memory) == by_a_person(words, words.window[1])


@LANGUAGES
def test_what_was_approved_as_it_was_has_its_quote(workspace: Workspace, words: Words) -> None:
    memory = noted(workspace, words.aisle, "aisle", ruling=Ruling())
    assert why(workspace, words, memory) == said(words, words.aisle[0])


@LANGUAGES
def test_a_merge_takes_no_quote_along(workspace: Workspace, words: Words) -> None:
    memory = noted(workspace, words.aisle, "aisle")
    other = make.make_memory(workspace, words.window[1], "u1")
    noted(workspace, words.window, "window", other)
    kept = merge_memories(memory, ADMIN, [other.pk])
    assert why(workspace, words, memory) == said(words, words.aisle[0])
    undo(workspace, ADMIN, kept.decision.pk)
    memory.refresh_from_db()
    merge_memories(memory, ADMIN, [other.pk], text=words.window[1], value="window")
    assert why(workspace, words, memory) == by_a_person(words, words.window[1])


@LANGUAGES
def test_the_parts_of_a_split_are_a_persons(workspace: Workspace, words: Words) -> None:
    whole = noted(workspace, words.aisle, "aisle")
    parts = [{"text": words.window[1], "key": "seat", "value": "window"}, {"text": words.meal}]
    split = split_memory(whole, ADMIN, parts)
    part = Memory.objects.get(text=words.meal)
    assert why(workspace, words, whole) == by_a_person(words, words.window[1])
    assert why(workspace, words, part) == by_a_person(words, words.meal)
    undo(workspace, ADMIN, split.decision.pk)
    assert why(workspace, words, whole) == said(words, words.aisle[0])


def test_a_reason_that_was_taken_back_since_was_one_then(workspace: Workspace) -> None:
    memory = noted(workspace, EN.aisle, "aisle")
    decision, then = memory.decisions.get(), timezone.now()
    undo(workspace, ADMIN, decision.pk)
    assert why(workspace, EN, memory, as_of=then) == said(EN, EN.aisle[0])
