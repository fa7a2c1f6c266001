"""A model's word in a decision: void where it is about something else, a proposal where it is not, never a way around."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consolidation.domain.decisions import CHANGES, Candidate, Decided, Existing, Outcome
from consolidation.domain.judging import ASKED, Verdict
from consolidation.domain.policy import Policy

from .build import memory, note, run
from .test_properties import candidates, memories

ENGINE = "small-model (judge-1)"
CHOICES = ("same", "replaces", "combined", "beside", "this_time", "not_kept", "unclear", "nonsense")
WAITING = Policy()
ALONE = Policy(llm_judges=True, llm_proposals_wait=False)
WINDOW = note("Prefers window seats", "My seat is the window", key="seat_preference", value="window")
AISLE = memory("Prefers aisle seats", key="seat_preference", value="aisle")


def about(decided: Decided, texts: dict[str, str], choice: str, **more: object) -> Verdict:
    values = {"rule": decided.rule, "target": decided.target, "target_text": texts.get(decided.target or "", ""),
              "choice": choice, "engine": ENGINE, "why": "So it is."}  # fmt: skip
    return Verdict(**(values | more))  # type: ignore[arg-type]


def judged(choice: str, policy: Policy = WAITING, **more: object) -> Decided:
    left = run([WINDOW], [AISLE]).decisions[0]
    assert left.rule == "review.conflict"
    verdict = about(left, {"m1": AISLE.text}, choice, **more)
    return run([WINDOW], [AISLE], policy=policy, verdicts={"c1": verdict}).decisions[0]


@pytest.mark.parametrize(
    ("choice", "proposed"),
    [("same", "dedupe"), ("replaces", "override"), ("beside", "promote"), ("this_time", "session_only"), ("not_kept", "reject")],
)  # fmt: skip
def test_a_verdict_is_a_proposal(choice: str, proposed: str) -> None:
    made = judged(choice)
    assert (made.action, made.rule, made.proposed_action) == ("review", "review.llm", proposed)
    assert (made.hold, made.needs, made.hold_reason, made.engine) == (True, "curator", "llm", ENGINE)
    assert made.params["decided"] == "review.conflict"


@pytest.mark.parametrize("choice", ["unclear", "nonsense"])
def test_what_says_nothing_leaves_the_review(choice: str) -> None:
    made = judged(choice)
    assert (made.action, made.rule, made.engine) == ("review", "review.conflict", "rules")
    assert made.params["model"]["choice"] == choice


@pytest.mark.parametrize(
    "change",
    [{"rule": "review.unsure"}, {"target": "m2"}, {"target": None}, {"target_text": "Prefers aisle seats, mostly"}],
)
def test_a_verdict_about_something_else_is_void(change: dict[str, object]) -> None:
    made = judged("replaces", ALONE, **change)
    assert made == run([WINDOW], [AISLE], policy=ALONE).decisions[0]


def test_a_combined_wording_holds_no_new_fact() -> None:
    good = judged("combined", text="Prefers window seats or aisle seats", value="window or aisle")
    assert good.result is not None
    assert (good.proposed_action, good.result.text, good.result.value) == (
        "override", "Prefers window seats or aisle seats", "window or aisle",
    )  # fmt: skip
    for text, value in (
        ("Prefers window seats in row 12", "window"),
        ("Prefers window seats on Lufthansa", "window"),
        ("Prefers window seats", "row 12"),
    ):
        bad = judged("combined", text=text, value=value)
        assert (bad.rule, bad.params["model"]["refused"]) == ("review.conflict", "adds_facts")


def test_an_older_note_never_replaces_by_a_models_word() -> None:
    newer = memory("Prefers quiet rooms near the lift", updated_at=WINDOW.said_at, key="seat_preference", value="aisle")
    left = run([WINDOW], [newer]).decisions[0]
    made = run([WINDOW], [newer], policy=ALONE, verdicts={"c1": about(left, {"m1": newer.text}, "replaces")}).decisions[
        0
    ]
    assert made.action in ("review", "reject")
    assert made.engine == "rules"


def verdicts_for(
    outcome: Outcome, notes: list[Candidate], known: list[Existing], choices: list[str]
) -> dict[str, Verdict]:
    texts = {m.id: m.text for m in known} | {n.id: n.text for n in notes}
    found = {}
    for place, decided in enumerate(outcome.decisions):
        choice = choices[place % len(choices)]
        found[decided.candidate] = about(decided, texts, choice, text=texts[decided.candidate], value=None)
    return found


#: Statements of three slots without a word of change, so that most pairs of them are left to a person.
PLAIN = (
    ("seat_preference", "aisle", "Prefers aisle seats", "My seat is the aisle"),
    ("seat_preference", "window", "Prefers window seats", "My seat is the window"),
    ("home_city", "Bern", "Lives in Bern", "My home is Bern"),
    ("home_city", "Oslo", "Lives in Oslo", "My home is Oslo"),
    ("reply_language", "English", "Replies in English", "English is my language"),
    ("reply_language", "中文", "用中文回复", "中文是我的语言"),
)


@st.composite
def open_questions(draw: st.DrawFn) -> tuple[list[Candidate], list[Existing]]:
    """Memories, some of them protected, and notes that mostly contradict them without saying that anything changed."""
    known = []
    for place, (key, value, text, _) in enumerate(
        draw(st.lists(st.sampled_from(PLAIN), max_size=3, unique_by=lambda p: p[0]))
    ):
        more = draw(st.sampled_from([{}, {}, {"pinned": True}, {"protected": True}]))
        known.append(memory(text, id=f"m{place}", key=key, value=value, **more))
    notes = []
    for place, (key, value, text, quote) in enumerate(draw(st.lists(st.sampled_from(PLAIN), min_size=1, max_size=4))):
        when = draw(st.integers(-200_000, 2_000))
        notes.append(note(text, quote, id=f"c{place}", key=key, value=value, minutes=when))
    return notes, known


@settings(max_examples=300, deadline=None)
@given(
    open_questions() | st.tuples(candidates(), memories()), st.lists(st.sampled_from(CHOICES), min_size=1, max_size=6)
)
def test_whatever_a_model_says(case: tuple[list[Candidate], list[Existing]], choices: list[str]) -> None:
    """Without a person nothing changes where proposals wait; where they do not, nothing protected does, and nothing
    is lost. What the rules decide by themselves is what they would have decided without a model."""
    notes, known = case
    plain = run(notes, known)
    verdicts = verdicts_for(plain, notes, known, choices)
    waiting = run(notes, known, verdicts=verdicts)
    alone = run(notes, known, policy=ALONE, verdicts=verdicts)
    protected = {m.id for m in known if m.pinned or m.protected or m.scope == "team" or m.kind == "procedural"}
    for outcome in (waiting, alone):
        assert [d.candidate for d in outcome.decisions] == [d.candidate for d in plain.decisions]
        for decided in outcome.decisions:
            if decided.engine == "rules":
                assert not decided.rule.endswith(".llm")
                continue
            assert decided.params["decided"] in ASKED
            applied = not decided.hold
            assert not (applied and decided.root in protected)
            assert not (applied and decided.action == "reject")
    assert all(d.hold for d in waiting.decisions if d.engine != "rules")
    first = next((d for d in waiting.decisions if d.engine != "rules"), None)
    cut = len(plain.decisions) if first is None else [d.candidate for d in plain.decisions].index(first.candidate)
    strip = [replace(d, params={k: v for k, v in d.params.items() if k != "model"}) for d in waiting.decisions[:cut]]
    assert strip == list(plain.decisions[:cut])
    kept = {m.id for m in alone.active}
    assert {m.id for m in plain.active if m.id in {k.id for k in known}} <= kept


def test_a_models_note_waits_and_never_touches_protected_memory_alone() -> None:
    proposed = replace(note("Likes tea", "I like tea."), origin="llm", engine="small-model (distill-1)")
    made = run([proposed]).decisions[0]
    assert (made.action, made.hold, made.hold_reason, made.engine) == (
        "promote",
        True,
        "llm",
        "small-model (distill-1)",
    )
    assert not run([proposed], policy=ALONE).decisions[0].hold
    pinned = memory("Likes tea", pinned=True, protected=True)
    confirmed = run([proposed], [pinned], policy=ALONE).decisions[0]
    assert (confirmed.action, confirmed.hold, confirmed.needs) == ("dedupe", True, "admin")
    assert confirmed.action in CHANGES
