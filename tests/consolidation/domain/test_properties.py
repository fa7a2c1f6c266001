"""What holds for every input: hypothesis makes the inputs."""

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from consolidation.domain.compare import conditions
from consolidation.domain.decide import decide
from consolidation.domain.decisions import Candidate, Evidence, Existing
from consolidation.domain.policy import Policy
from consolidation.domain.preview import preview
from consolidation.domain.slots import cardinality
from memory_app.domain.words import words

from .build import BEFORE, NOW, dice

PHRASES = st.sampled_from(
    [
        ("seat_preference", "aisle", "Prefers aisle seats", "I like the aisle."), ("seat_preference", "window", "靠窗", "以后靠窗"),
        ("seat_preference", "window", "Window seat this time", "Window this time."), ("home_city", "Bern", "Lives in Bern", "I moved to Bern."),
        ("home_city", "上海", "住在上海", "我住上海"), ("likes", "tea", "Likes tea", "I like tea."), ("dislikes", "tea", "Hates tea", "I hate tea now."),
        ("likes", "coffee", "Used to like coffee", "I gave up coffee."), (None, None, "Uses dark theme", "Dark from now on."),
        (None, None, "对花生过敏", "我对花生过敏"), (None, None, "Standup is at 9:30", "Standup is at 9:30."), ("episode", "refund", "Refund of order 101 done", "It is done."),
        (None, None, "Maybe likes opera", "Maybe opera."), ("hotel_budget", "1000 USD", "预算 1000 美元", "以后预算 1000 美元"),
    ]
)  # fmt: skip
# Few enough that many things are said at the same moment.
MOMENTS = st.integers(0, 8).map(lambda weeks: BEFORE + timedelta(weeks=weeks - 4))
EXTRA = st.fixed_dictionaries(
    {
        "condition": st.sampled_from([None, None, "business_trip"]),
        "subject": st.sampled_from([None, None, "sister"]),
        "kind": st.sampled_from(["semantic", "semantic", "episodic", "procedural"]),
    }
)


@st.composite
def candidates(draw):
    made = []
    for index in range(draw(st.integers(0, 6))):
        key, value, text, quote = draw(PHRASES)
        made.append(
            Candidate(
                id=f"c{index}",
                text=text,
                key=key,
                value=value,
                said_at=draw(MOMENTS),
                evidence=Evidence("user", quote),
                **draw(EXTRA),
            )
        )
    return made


@st.composite
def memories(draw):
    made, taken = [], set()
    for index in range(draw(st.integers(0, 4))):
        key, value, text, _ = draw(PHRASES)
        extra = draw(EXTRA)
        identity = (key, extra["condition"], extra["subject"])
        if key and cardinality(key, {}) == "one" and identity in taken:
            continue
        taken.add(identity)
        made.append(
            Existing(
                id=f"m{index}",
                text=text,
                key=key,
                value=value,
                updated_at=draw(MOMENTS),
                pinned=draw(st.booleans()),
                **extra,
            )
        )
    return made


def go(notes, existing, now=NOW):
    return decide(notes, existing, now, Policy(), {}, dice)


@settings(max_examples=200, deadline=None)
@given(candidates(), memories(), st.randoms(use_true_random=False))
def test_what_holds_of_every_outcome(notes, existing, shuffler: random.Random):
    first = go(notes, existing)
    one_slot_holds_no_two(first)
    every_candidate_is_decided_once_and_sources_are_known(first, notes, existing)
    protected_memory_keeps_its_content(first, existing)
    no_record_is_lost(first, existing)
    no_word_is_in_no_source(first, notes, existing)
    deciding_again_changes_nothing(first, notes)
    mixed, stored = list(notes), list(existing)
    shuffler.shuffle(mixed)
    shuffler.shuffle(stored)
    assert go(mixed, stored) == first, "the order of what is given does not matter"


def one_slot_holds_no_two(outcome):
    filled = Counter(
        (m.memory.key, m.memory.scope, m.memory.team, m.memory.subject, conditions.normal(m.memory.condition))
        for m in outcome.active
        if m.memory.key and cardinality(m.memory.key, {}) == "one"
    )
    assert all(count == 1 for count in filled.values())


def every_candidate_is_decided_once_and_sources_are_known(outcome, notes, existing):
    assert sorted(d.candidate for d in outcome.decisions) == sorted(c.id for c in notes)
    known = {c.id for c in notes} | {m.id for m in existing}
    assert all(set(m.sources) <= known for m in outcome.active)
    assert all(d.hold == (d.needs != "none") for d in outcome.decisions)
    assert all(d.target is not None for d in outcome.decisions if d.action in ("dedupe", "override"))


def protected_memory_keeps_its_content(outcome, existing):
    by = {m.id: m.memory for m in outcome.active}
    for memory in existing:
        if memory.pinned or memory.kind == "procedural":
            assert (by[memory.id].text, by[memory.id].value) == (memory.text, memory.value)


def no_record_is_lost(outcome, existing):
    assert {m.id for m in existing} <= {m.id for m in outcome.active}


def no_word_is_in_no_source(outcome, notes, existing):
    said = {c.id: (c.text, c.value) for c in notes} | {m.id: (m.text, m.value) for m in existing}
    for memory in outcome.active:
        texts, values = zip(*(said[source] for source in memory.sources), strict=True)
        assert set(words(memory.memory.text)) <= {word for text in texts for word in words(text)}
        assert memory.memory.value in values


def deciding_again_changes_nothing(first, notes):
    stored = [
        Existing(
            id=m.id, text=m.memory.text, key=m.memory.key, value=m.memory.value, condition=m.memory.condition,
            subject=m.memory.subject, kind=m.memory.kind, scope=m.memory.scope, updated_at=m.memory.updated_at,
            confirmed_at=m.memory.confirmed_at, occurred_at=m.memory.occurred_at, pinned=m.pinned,
        )
        for m in first.active
    ]  # fmt: skip
    second = go(notes, stored)
    assert all(d.action not in ("promote", "override") for d in second.decisions)
    assert {(m.id, m.memory.text) for m in second.active} == {(m.id, m.memory.text) for m in first.active}


@settings(max_examples=200, deadline=None)
@given(candidates(), memories(), st.randoms(use_true_random=False))
def test_the_order_of_what_is_said_at_one_moment_does_not_matter(notes, existing, shuffler: random.Random):
    notes = [replace(note, said_at=BEFORE) for note in notes]
    mixed = list(notes)
    shuffler.shuffle(mixed)
    assert go(mixed, existing) == go(notes, existing)


ODD = st.one_of(
    st.text(max_size=60),
    st.sampled_from(["", " ", "不", "\x00", "'" * 50, "一二三四五", "$", "9:", "\U0001f600", "{}%s%(a)s", "((("]),
)
VALUES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), ODD)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(ODD, ODD, VALUES, st.sampled_from([None, "likes", "home_city", "x"])), max_size=4),
    st.lists(st.tuples(ODD, VALUES), max_size=3),
)
def test_no_text_breaks_it(notes, existing):
    payload = {
        "notes": [
            {
                "id": f"c{i}",
                "text": t,
                "key": k,
                "value": v,
                "said_at": BEFORE.isoformat(),
                "evidence": {"role": "user", "quote": q},
            }
            for i, (t, q, v, k) in enumerate(notes)
        ],
        "existing": [
            {"id": f"m{i}", "text": t, "key": None, "value": v, "updated_at": BEFORE.isoformat()}
            for i, (t, v) in enumerate(existing)
        ],
        "now": NOW.isoformat(),
    }
    first = preview(payload, lambda _: None, dice)
    assert first == preview(payload, lambda _: None, dice)
    assert len(first["decisions"]) == len(notes)
