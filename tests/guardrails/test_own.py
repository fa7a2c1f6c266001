"""A workspace's own words, patterns and slots, and the built-in rules that it switches off."""

import time

import pytest

from memory_app.guardrails import BUILT_IN, OwnRule, OwnRuleError, RuleSet, check, mask, mask_json, scan_each
from memory_app.guardrails.findings import MASKED_CATEGORIES
from memory_app.guardrails.own import MOST_RULES, SWITCHES, check_rules


def rule(finds: str, *entries: str, category: str = "secret", **more: object) -> OwnRule:
    return OwnRule.from_json({"name": "ours", "finds": finds, "entries": list(entries), "category": category} | more)


def of(*rules: OwnRule, off: tuple[str, ...] = ()) -> RuleSet:
    return RuleSet.of(rules, off, 7)


WORDS = of(rule("words", "Bluebird", "Project Falcon", "蓝鸟计划", "C++", "résumé", "비밀"))


@pytest.mark.parametrize(
    "text",
    [
        "They call it bluebird.",
        "BLUEBIRD, of course",
        "我们的Bluebird很快上线",
        "ｂｌｕｅｂｉｒｄ is wide",
        "about project  falcon and more",
        "about project-falcon",
        "about project_falcon_v2",
        "他負責藍鳥計劃的预算",
        "writes C++ all day",
        "Her RÉSUMÉ is here",
        "이것은 비밀입니다",
        "blue\u200bbird hides",
        "Qmx1ZWJpcmQgaXMgdGhlIGNvZGUgbmFtZQ==",
    ],
)
def test_words_are_found_whatever_their_case_width_and_script(text: str) -> None:
    verdict = check(text, "capture", WORDS)
    assert (verdict.rule, verdict.category) == ("own.ours", "secret")
    assert not mask(verdict.masked, WORDS).findings
    assert check(text).allowed


@pytest.mark.parametrize(
    "text", ["Bluebirds nest here", "projectfalcon", "project and falcon", "ABC++", "蓝鸟的计划", "C+"]
)
def test_words_are_whole_words(text: str) -> None:
    assert check(text, "capture", WORDS).allowed


def test_all_of_what_is_found_is_masked() -> None:
    told = "Bluebird bluebird, and again Bluebird"
    assert mask(told, WORDS).text == "•••••• ••••••, and again ••••••"
    assert mask_json({"calls": [{"about": "Bluebird", "n": 3}]}, WORDS)[0] == {"calls": [{"about": "••••••", "n": 3}]}
    assert [len(found) for found in scan_each(["a", "Bluebird", "b"], MASKED_CATEGORIES, WORDS)] == [0, 1, 0]


def test_nothing_of_an_own_finding_is_shown_also_where_a_built_in_one_would_keep_its_ends() -> None:
    assert mask("It is EMP-123456 now", of(rule("patterns", r"EMP-\d{6}", category="pii"))).text == "It is •••••• now"


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"EMP-\d{6}", "His number is emp-123456.", True),
        (r"EMP-\d{6}", "His number is ＥＭＰ－123456.", True),
        (r"EMP-\d{6}", "His number is EMP-12345.", False),
        (r"機密.{0,4}文件", "这是机密的文件", True),
        (r"^ticket \d+$", "first line\nTicket 88\nlast", True),
        (r"^ticket \d+$", "a ticket 88 again", False),
    ],
)
def test_patterns(pattern: str, text: str, found: bool) -> None:
    assert check(text, "capture", of(rule("patterns", pattern))).allowed is not found


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|a)*b", r"(a|aa)+c", r"(.*a){12}b", r"(x+x+)+y", r"([a-z]+)*9"])
def test_no_pattern_hangs(pattern: str) -> None:
    try:
        rules = of(rule("patterns", pattern))
    except OwnRuleError:
        return
    started = time.process_time()
    check("a" * 20_000, "capture", rules)
    check("x" * 20_000, "capture", rules)
    assert time.process_time() - started < 4


def test_many_words_cost_little_even_where_all_begin_alike() -> None:
    rules = of(rule("words", *(" ".join(["a"] * 40 + [str(n)]) for n in range(100))))
    started = time.process_time()
    check("a " * 5_000, "capture", rules)
    assert time.process_time() - started < 4


@pytest.mark.parametrize(
    ("given", "field", "told"),
    [
        ({"name": "no spaces here"}, "name", "letters"),
        ({"name": 7}, "name", "letters"),
        ({"name": ""}, "name", "letters"),
        ({"finds": "regex"}, "finds", "words, patterns, slots"),
        ({"category": "other"}, "category", "secret, payment, pii"),
        ({"effect": "warn"}, "effect", "refuse, hold"),
        ({"on": "yes"}, "on", "true or false"),
        ({"why": "x" * 501}, "why", "500"),
        ({"since": "now"}, "since", "leave it out"),
        ({"entries": "Bluebird"}, "entries", "list of strings"),
        ({"entries": [1]}, "entries", "list of strings"),
        ({"entries": ["  "]}, "entries", "1 to 100"),
        ({"entries": ["w" * 201]}, "entries", "200"),
        ({"entries": ["a\x00b"]}, "entries", "control"),
        ({"entries": ["!?"]}, "entries", "letter or a digit"),
        ({"finds": "slots", "entries": ["Home Address"]}, "entries", "snake_case"),
        ({"finds": "patterns", "entries": ["("]}, "entries", "missing )"),
        ({"finds": "patterns", "entries": ["a*"]}, "entries", "empty text"),
        ({"finds": "patterns", "entries": [r"(?<=a)b"]}, "entries", "without look-around"),
        ({"finds": "patterns", "entries": [r"(a)\1"]}, "entries", "back-references"),
        ({"finds": "patterns", "entries": [r"(\pL{1,90} ){1,9}"]}, "entries", "too large"),
        ({"colour": "red"}, "colour", "no such part"),
    ],
)
def test_what_cannot_be_used_is_named_with_the_remedy(given: dict[str, object], field: str, told: str) -> None:
    whole = {"name": "ours", "finds": "words", "entries": ["Bluebird"], "category": "secret"} | given
    with pytest.raises(OwnRuleError) as refusal:
        OwnRule.from_json(whole)
    assert refusal.value.field == field
    assert told in refusal.value.problem


def test_rules_together() -> None:
    one = rule("words", "Bluebird")
    for rules, off, told in (
        ([one, one], [], "own_rules.1.name"),
        ([rule("words", "a", name=f"r{n}") for n in range(MOST_RULES + 1)], [], "at most 100"),
        ([rule("words", *(f"{n:0200}" for n in range(99)))], [], "characters"),
        ([], ["secret.token"], "never switched off"),
        ([], ["payment.card"], "never switched off"),
        ([], ["pii.unread"], "can be switched off"),
        ([], ["pii.nothing"], "can be switched off"),
    ):
        with pytest.raises(OwnRuleError, match=told):
            check_rules(rules, off)
    check_rules([one], SWITCHES)


def test_built_in_rules_that_are_off_find_nothing_and_the_others_find_what_they_did() -> None:
    quiet = of(off=("pii.phone", "speculation.guess"))
    said = "My mobile is 13800138000."
    assert not check(said).allowed
    assert check(said, "capture", quiet).allowed
    assert mask(said, quiet).text == said
    assert check("His card is 4111 1111 1111 1111", "capture", quiet).rule == "payment.card"


def test_the_category_says_where_a_rule_acts_and_what_is_masked() -> None:
    guessed = of(rule("words", "Acme", category="speculation"))
    assert not check("Likes Acme", "capture", guessed).allowed
    assert check("Likes Acme", "injection", guessed).allowed
    ordered = of(rule("words", "Acme", category="instruction"))
    assert not check("Likes Acme", "injection", ordered).allowed
    assert check("Likes Acme", "capture", ordered).masked == "Likes Acme"
    assert not mask("Likes Acme", ordered).findings


def test_slots_and_what_waits_for_a_person() -> None:
    rules = of(
        rule("slots", "salary", category="pii"),
        rule("words", "union", name="unions", effect="hold"),
        rule("slots", "faith", name="faiths", effect="hold"),
    )
    assert rules.slot("salary") is not None
    assert rules.slot("salary_day") is None
    assert rules.slot("") is None
    assert rules.slot("faith") is None
    assert check("Is in the union", "capture", rules).allowed
    assert rules.holds(["Is in the Union"]) == "own.unions"
    assert rules.holds(["Nothing"], "faith") == "own.faiths"
    assert rules.holds(["Nothing"], "seat") is None


def test_a_set_is_read_as_it_was_written_and_one_text_is_read_once() -> None:
    rules = of(rule("words", "蓝鸟", why="because"), rule("slots", "salary", name="off", on=False), off=("pii.phone",))
    text = rules.to_text()
    again = RuleSet.read(text)
    assert again == rules
    assert RuleSet.read(text) is again
    assert again.version.endswith("+7")
    assert [one.name for one in again.own] == ["ours"]
    assert of().to_text() == ""
    assert RuleSet.read("") is BUILT_IN
    assert len({rules.mark, BUILT_IN.mark, of(off=("pii.phone",)).mark}) == 3


def test_what_fits_everywhere_is_found_once() -> None:
    everywhere = of(
        rule("words", *("中" * length for length in range(1, 60))), rule("patterns", ".", name="every_sign")
    )
    found = check("中" * 3_000, "capture", everywhere).findings
    assert len(found) <= 2
