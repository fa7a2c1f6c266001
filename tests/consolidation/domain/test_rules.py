"""Each rule by an example and its nearest counter-example, in the order of the rules."""

from dataclasses import replace
from datetime import timedelta

import pytest

from consolidation.domain.decisions import Evidence, Slot
from consolidation.domain.policy import Policy

from .build import BEFORE, NOW, SAID, memory, note, run


def rule(notes, memories=None, **more):
    return run(notes if isinstance(notes, list) else [notes], memories, **more).decisions[-1]


AISLE = memory("Prefers aisle seats", key="seat_preference", value="aisle")
WINDOW = note("Prefers window seats", "From now on window seats, please.", key="seat_preference", value="window")


def test_unsafe_is_rejected_whatever_else_holds():
    assert rule(replace(WINDOW, blocked="secret"), [AISLE]).rule == "reject.unsafe"


def test_value_of_a_secret_slot_is_rejected_without_any_detector():
    decided = rule(note("Server login is known", key="server_password", value="x"))
    assert decided.rule == "reject.unsafe"
    assert decided.params["value"] == ""


def test_recalled_text_is_no_source():
    decided = rule(note("Prefers aisle seats", key="seat_preference", value="aisle", recalled=True), [AISLE])
    assert decided.rule == "reject.recalled"


@pytest.mark.parametrize("role", ["assistant", "tool", "system", "developer"])
def test_other_roles_are_no_evidence(role):
    assert rule(note("Prefers aisle seats", role=role)).rule == "reject.not_from_user"


def test_quoted_message_is_no_evidence():
    assert rule(note("Prefers tea", "> I prefer tea")).rule == "reject.quoted"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("May move to Oslo", "I might move to Oslo."),
        ("Lives in Oslo", "I'm thinking about Oslo."),
        ("可能搬去杭州", "我在考虑要不要去杭州"),
    ],
)
def test_guess_is_rejected(text, quote):
    assert rule(note(text, quote)).rule == "reject.speculation"


@pytest.mark.parametrize(
    ("text", "quote"), [("Team has about 40 people", "We're about 40."), ("会议尽量在上午", "会议尽量安排在上午")]
)
def test_approximation_is_no_guess(text, quote):
    assert rule(note(text, quote)).action == "promote"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Has 3 cats", "My cats are asleep."),
        ("Works at Umbrella in Dublin", "I work at Umbrella."),
        ("Has a 5-year-old son", "My son is 4 years old and always travels with me"),
        ("有一个5岁的女儿，出行同行", "我有个3岁的女儿，每次都跟我一起出门"),
        ("Error E1042 happens daily", "That error happens daily."),
    ],
)
def test_more_than_the_quote_says_is_rejected(text, quote):
    assert rule(note(text, quote)).rule == "reject.adds_to_quote"


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("Has a 4-year-old son", "My son is 4 years old and always travels with me", "promote.durable"),
        (
            "Has a 4-year-old son who travels along",
            "My son is 4 years old and always travels with me",
            "promote.durable",
        ),
        ("有个4岁的儿子", "我有个儿子，四岁了", "promote.durable"),
        ("有个4岁的儿子", "I have a son who is 4 years old", "promote.durable"),
        ("有一个3岁的女儿，出行同行", "我有个3岁的女儿，每次都跟我一起出门", "review.adds_part"),
        ("Vegetarian and allergic to nuts", "I'm vegetarian.", "review.adds_part"),
        ("喜欢游泳和滑雪", "我喜欢游泳", "review.adds_part"),
    ],
)
def test_the_same_amount_in_other_words_is_no_addition_and_a_part_in_other_words_waits(text, quote, found):
    assert rule(note(text, quote)).rule == found


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Lives in Oslo", "Should I move to Oslo?"),
        ("想去冰岛", "冰岛冬天冷吗？"),
        ("Uses a standing desk", "What if I had a standing desk?"),
    ],
)
def test_question_states_nothing(text, quote):
    assert rule(note(text, quote)).rule == "reject.not_stated"


def test_polite_question_states_a_wish():
    assert rule(note("Wants replies in English", "Can you always reply in English?")).action == "promote"


def test_bare_yes_is_reviewed():
    assert rule(note("Prefers aisle seats", "Yes, please.")).rule == "review.only_agreed"


def test_quote_about_somebody_else_is_reviewed_unless_the_note_says_so():
    assert rule(note("Allergic to walnuts", "My colleague can't eat walnuts, allergic.")).rule == "review.attribution"
    assert rule(note("Colleague is allergic to walnuts", "My colleague is allergic to walnuts.")).action == "promote"


@pytest.mark.parametrize(
    "text", ["User said hello", "用户打了个招呼", "Thanks a lot!", "User asked to run the tests", "  "]
)
def test_nothing_that_lasts_is_rejected(text):
    assert rule(note(text)).rule == "reject.not_durable"


def test_name_is_no_request():
    assert rule(note("用户叫李国宇", "我叫李国宇")).action == "promote"


def test_working_state_stays_in_the_session():
    for one in (
        note("Step 3 of 5", kind="working"),
        note("Prefers tea", scope="session"),
        note("Order 5", key="current_order"),
    ):
        assert rule(one).rule == "session_only.working"


@pytest.mark.parametrize("quote", ["This time I'd like the window seat", "这次想靠窗"])
def test_what_an_agent_keeps_for_its_session_says_why_in_the_users_words(quote):
    kept = note("Window seat", quote, key="seat_preference", value="window", kind="working", scope="session")
    assert rule(kept, []).rule == "session_only.this_time"
    step = note("Step 3 of 5", "We are at step three", kind="working", scope="session")
    assert rule(step, []).rule == "session_only.working"


@pytest.mark.parametrize(
    "quote",
    ["Window this time.", "Just a window seat tonight", "For this trip I want the window", "这次想靠窗", "今晚靠窗吧"],
)
def test_this_time_stays_in_the_session(quote):
    one = note("Wants a window seat", quote, key="seat_preference", value="window")
    assert rule(one, [AISLE]).rule == "session_only.this_time"


@pytest.mark.parametrize(
    "quote",
    [
        "Window this time, and from now on as well.",
        "From this trip on, window.",
        "从这次起都靠窗",
        "不只是这次，以后都靠窗",
    ],
)
def test_lasting_wish_in_the_same_sentence_is_no_exception(quote):
    one = note("Prefers window seats", quote, key="seat_preference", value="window")
    assert rule(one, [AISLE]).rule.startswith("override.")


def test_each_note_is_judged_by_its_own_clause():
    quote = "Window this time, but normally the aisle."
    this_time = note("Window seat", quote, key="seat_preference", value="window")
    usual = note("Prefers the aisle", quote, id="c2", key="seat_preference", value="aisle")
    assert [d.action for d in run([this_time, usual], [AISLE]).decisions] == ["session_only", "dedupe"]


def test_until_something_happens_is_reviewed():
    one = note(
        "Window seat until the knee heals", "Window seats until my knee heals.", key="seat_preference", value="window"
    )
    assert rule(one, [AISLE]).rule == "review.for_a_while"


def test_ending_note_never_replaces_an_endless_memory():
    one = replace(WINDOW, expires_at=NOW + timedelta(days=20))
    assert rule(one, [AISLE]).rule == "review.for_a_while"


def test_deleted_stays_deleted_until_said_again():
    gone = memory("Likes jazz", key="likes", value="jazz", status="deleted", deleted_at=SAID)
    early = note("Likes jazz", "I like jazz.", key="likes", value="jazz", said_at=BEFORE)
    late = note("Likes jazz", "I like jazz.", key="likes", value="jazz", minutes=5)
    assert rule(early, [gone]).rule == "reject.deleted"
    assert rule(late, [gone]).rule == "promote.said_again"


def test_archived_is_a_tombstone_only_when_it_was_retracted():
    plain = memory("Likes jazz", key="likes", value="jazz", status="archived")
    early = note("Likes jazz", "I like jazz.", key="likes", value="jazz", said_at=BEFORE)
    assert rule(early, [plain]).action == "promote"
    assert rule(early, [replace(plain, deleted_at=SAID)]).rule == "reject.deleted"


def test_profile_is_not_contradicted_without_a_person():
    one = note("Gold member", "I'm gold.", key="member_tier", value="gold")
    assert rule(one, profile={"member_tier": {"value": "silver"}}).rule == "review.profile"
    assert rule(one, profile={"member_tier": "gold"}).action == "promote"


def test_slot_that_agents_may_not_write_is_reviewed():
    slots = {"member_tier": Slot("member_tier", writers=("operator", "profile"))}
    one = note("Gold member", "I'm gold.", key="member_tier", value="gold")
    assert rule(one, slots=slots).rule == "review.slot_writers"


def test_value_outside_the_registry_is_reviewed():
    slots = {"seat_preference": Slot("seat_preference", values=("aisle", "window"))}
    assert rule(note("Middle seat", key="seat_preference", value="middle"), slots=slots).rule == "review.slot_value"
    assert rule(note("靠窗", key="seat_preference", value="靠窗"), slots=slots).action == "promote"


def test_same_meaning_is_confirmed_and_time_never_moves_back():
    kept = replace(AISLE, confirmed_at=NOW)
    outcome = run([note("Likes the aisle", key="seat_preference", value="aisle")], [kept])
    assert outcome.decisions[0].rule == "dedupe.same_value"
    assert outcome.active[0].memory.text == "Prefers aisle seats"
    assert outcome.active[0].memory.confirmed_at == NOW


def test_explicit_change_overrides_and_keeps_the_record():
    outcome = run([WINDOW], [AISLE])
    decided = outcome.decisions[0]
    assert (decided.rule, decided.target, decided.base_version) == ("override.explicit_change", "m1", 1)
    assert outcome.active[0].id == "m1"
    assert outcome.active[0].sources == ("c1",)


def test_older_statement_never_overrides():
    assert rule(WINDOW, [replace(AISLE, updated_at=NOW)]).rule == "reject.stale"
    assert rule(WINDOW, [replace(AISLE, confirmed_at=NOW)]).rule == "reject.stale"


def test_contradiction_without_a_change_word_is_reviewed_unless_the_policy_lets_newer_win():
    plain = replace(WINDOW, evidence=Evidence("user", "I like window seats."))
    assert rule(plain, [AISLE]).rule == "review.conflict"
    assert rule(plain, [AISLE], policy=Policy(override_without_change_word=True)).rule == "override.newer"


@pytest.mark.parametrize("guarded", [{"pinned": True}, {"protected": True}, {"kind": "procedural"}, {"scope": "team"}])
def test_protected_memory_waits_for_an_admin_and_says_what_it_would_have_been(guarded):
    kind = {"kind": guarded["kind"]} if "kind" in guarded else {}
    decided = rule(replace(WINDOW, **kind), [replace(AISLE, **guarded)])
    assert (decided.action, decided.rule, decided.needs) == ("review", "review.protected", "admin")
    assert decided.proposed_action == "override"
    same = note("Likes the aisle", key="seat_preference", value="aisle", **kind)
    assert rule(same, [replace(AISLE, **guarded)]).hold is False


def test_no_policy_lets_protected_memory_change():
    open_policy = Policy(holds=(), certain=0.0, override_without_change_word=True)
    assert rule(WINDOW, [replace(AISLE, pinned=True)], policy=open_policy).needs == "admin"


def test_other_condition_subject_or_value_of_many_stand_beside():
    business = replace(AISLE, condition="business_trip")
    assert rule(replace(WINDOW, condition="family_trip"), [business]).rule == "promote.other_condition"
    assert rule(replace(WINDOW, subject="sister"), [AISLE]).action == "promote"
    tea = memory("Likes tea", key="likes", value="tea")
    assert rule(note("Likes coffee", key="likes", value="coffee"), [tea]).rule == "promote.another_value"


def test_condition_in_the_wording_alone_never_costs_the_general_default():
    one = note(
        "Window seat on long trips", "From now on the window on long trips.", key="seat_preference", value="window"
    )
    assert rule(one, [AISLE]).action == "review"


def test_opposites_are_one_question():
    tea = memory("Likes tea", key="likes", value="tea")
    assert rule(note("Hates tea", "I hate tea.", key="dislikes", value="tea"), [tea]).rule == "review.conflict"
    over = note("No longer likes tea", "I'm done with tea.", key="dislikes", value="tea")
    assert rule(over, [tea]).rule == "override.ended"


def test_double_negative_changes_nothing():
    never = memory("从不坐红眼航班", key="red_eye", value="never")
    one = note("不是不能坐红眼航班", "以后红眼航班也不是不能坐", key="red_eye", value="acceptable")
    assert rule(one, [never]).rule == "review.double_negative"


def test_part_of_a_compound_is_never_dropped():
    stack = memory("Stack is FastAPI, PostgreSQL and Redis", key="project_stack", value="FastAPI;PostgreSQL;Redis")
    one = note(
        "Database switched from PostgreSQL to MySQL",
        "We switched from PostgreSQL to MySQL.",
        key="project_database",
        value="MySQL",
    )
    outcome = run([one], [stack])
    assert outcome.decisions[0].rule == "review.part_changed"
    assert "Redis" in outcome.active[0].memory.text


def test_several_contradicted_memories_are_left_to_a_person():
    two = [memory("Lives in Bern", id="m1"), memory("Home city is Basel", id="m2")]
    assert rule(note("Lives in Zurich", "I moved to Zurich."), two).rule == "review.several"
    named = note("Lives in Zurich", "I moved from Basel to Zurich.")
    assert rule(named, two).target == "m2"


def test_retraction_proposes_and_never_acts():
    tea = memory("Likes tea", key="likes", value="tea")
    one = note("Forget that I like tea", "Please forget that I like tea.", key="likes", value="tea", retract=True)
    decided = rule(one, [tea])
    assert (decided.action, decided.proposed_action, decided.needs) == ("review", "retract", "curator")
    assert rule(one, [replace(tea, pinned=True)]).needs == "admin"
    assert rule(one, []).rule == "reject.nothing_to_retract"


def test_expired_memory_is_no_conflict_and_expires_on_the_very_moment():
    one = note("Hotel cap is 220 USD", "My hotel cap is 220 USD.", key="hotel_budget", value="220 USD")
    old = memory("Hotel cap is 150 USD", key="hotel_budget", value="150 USD", expires_at=NOW)
    assert rule(one, [old]).rule == "promote.after_expiry"
    assert rule(one, [replace(old, expires_at=NOW + timedelta(seconds=1))]).rule == "review.conflict"


def test_unrelated_memories_change_no_decision():
    others = [
        "Plays chess on Thursdays",
        "Has a sister in Toronto",
        "老家在湖南",
        "家里说粤语",
        "Office is on the fourth floor",
        "跑步时听播客",
    ]
    crowd = [memory(text, id=f"x{i}") for i, text in enumerate(others)]
    for one in (
        WINDOW,
        note("Lives in Zurich", "I moved to Zurich."),
        note("住酒店要安静的房间"),
        note("Works at home on Tuesdays"),
    ):
        alone, among = rule(one, [AISLE]), rule(one, [AISLE, *crowd])
        assert (alone.rule, alone.target) == (among.rule, among.target)


def test_checks_claim_nothing_of_a_quote_that_there_is_not():
    def names(**more):
        return {check.name for check in rule(note("Likes tea", **more)).checks}

    assert {"from_user", "explicit_statement", "no_new_facts"} <= names()
    assert names(evidence=None) & {"from_user", "explicit_statement", "has_evidence"} == {"has_evidence"}
    assert names(evidence=None, origin="outcome") & {"from_user", "has_evidence", "from_outcome"} == {"from_outcome"}


def test_a_request_to_forget_means_what_says_the_same_and_never_another_value():
    held = [
        memory("Likes tea", id="m1", key="likes", value="tea"),
        memory("Likes jazz", id="m2", key="likes", value="jazz"),
    ]
    one = note("Likes jazz", "Forget that I like jazz", key="likes", value="jazz", retract=True)
    assert run([one], held).decisions[0].target == "m2"
    other = note("Window seats", "Forget the window seats", key="seat_preference", value="window", retract=True)
    aisle = memory("Aisle seats", key="seat_preference", value="aisle")
    assert run([other], [aisle]).decisions[0].rule == "reject.nothing_to_retract"
