"""preview() in the caller's vocabulary, and a sentence for each rule that it names."""

import re
from pathlib import Path

import pytest
from django.utils.translation import override

from consolidation.domain import rules
from consolidation.domain.preview import PreviewError, preview
from memory_app.reasons import CHECKS, CONSOLIDATION, NOT_MET, REASONS, check_sentence, sentence

from .build import dice, luhn_guard

SAID = "2026-09-09T10:00:00+08:00"
NOTE = {"id": "n", "text": "Prefers window seats", "key": "seat_preference", "value": "window", "said_at": SAID,
        "evidence": {"role": "user", "quote": "From now on window seats."}}  # fmt: skip
KEPT = {
    "id": "k",
    "text": "Prefers aisle seats",
    "key": "seat_preference",
    "value": "aisle",
    "updated_at": "2026-06-01T10:00:00+08:00",
}


def show(notes, existing=(), **more):
    return preview({"notes": notes, "existing": list(existing), **more}, luhn_guard, dice)


def test_answers_in_the_callers_ids():
    got = show([NOTE], [KEPT])
    assert [(d["note"], d["memory"], d["action"], d["rule"], d["status"]) for d in got["decisions"]] == [
        ("n", "k", "override", "override.explicit_change", "applied")
    ]
    assert [(m["id"], m["sources"], m["value"]) for m in got["active"]] == [("k", ["n"], "window")]


def test_unsafe_text_and_value_are_found():
    card = "4242 4242 4242 4242"
    for note in ({**NOTE, "text": f"Card {card}"}, {**NOTE, "value": card}):
        assert show([note])["decisions"][0]["rule"] == "reject.unsafe"


def test_sensitive_note_waits():
    got = preview({"notes": [NOTE], "existing": []}, luhn_guard, dice, sensitivity=lambda _: "health")
    assert (got["decisions"][0]["status"], got["decisions"][0]["needs"]) == ("pending", "curator")


def test_policy_of_the_caller_is_used():
    plain = {**NOTE, "evidence": {"role": "user", "quote": "Window seats are nice, I like them."}}
    assert show([plain], [KEPT])["decisions"][0]["action"] == "review"
    assert show([plain], [KEPT], policy={"override_without_change_word": True})["decisions"][0]["action"] == "override"


def test_ids_are_made_where_absent():
    got = show([{k: v for k, v in NOTE.items() if k != "id"}])
    assert got["decisions"][0]["note"] == "c1"


@pytest.mark.parametrize(
    ("payload", "field"),
    [
        ({"notes": {}}, "notes"), ({"notes": ["x"]}, "notes.0"), ({"notes": [{"text": "x"}]}, "notes.0.said_at"),
        ({"notes": [{"text": "x", "said_at": "2026-01-01T00:00:00"}]}, "notes.0.said_at"),
        ({"existing": [{"text": "x"}]}, "existing.0.updated_at"), ({"now": "noon"}, "now"),
    ],
)  # fmt: skip
def test_unreadable_document_names_its_field(payload, field):
    with pytest.raises(PreviewError) as caught:
        preview(payload, luhn_guard, dice)
    assert caught.value.field == field


def test_every_rule_has_a_sentence_and_every_sentence_a_rule():
    source = "".join((Path(rules.__file__).parent / name).read_text("utf-8") for name in ("rules.py", "refusing.py"))
    named = set(re.findall(r'"((?:promote|dedupe|override|session_only|reject|review)\.[a-z_]+)"', source))
    assert named == set(CONSOLIDATION)


def test_sentence_is_safe_without_params_and_with_odd_ones():
    with override("en"):
        for rule in REASONS:
            assert "%(" not in sentence(rule, {})
            assert sentence(rule, {"key": None, "value": "%s", "old": 5})
        assert sentence("made.tomorrow", {}) == "made.tomorrow"
        assert "seat preference" in sentence("dedupe.same_value", {"key": "seat_preference", "old": "aisle"})


def test_a_key_is_called_by_words_of_the_language_and_a_name_of_ones_own_is_marked_as_one():
    with override("zh-hans"):
        assert sentence("promote.other_condition", {"key": "episode"}).startswith("已知的情景适用于")
        assert "座位偏好" in sentence("promote.another_value", {"key": "seat_preference"})
        assert "“vault_path”" in sentence("promote.after_expiry", {"key": "vault_path"})
    with override("en"):
        assert sentence("promote.another_value", {"key": "likes"}).startswith("Likes can have")
        assert "“vault_path”" in sentence("review.slot_writers", {"key": "vault_path"})


def test_every_check_has_a_statement():
    names = {c["name"] for d in show([NOTE], [KEPT])["decisions"] for c in d["checks"]}
    assert names <= set(CHECKS)
    assert set(NOT_MET) == set(CHECKS)
    with override("en"):
        assert check_sentence("newer") != "newer"
        assert check_sentence("safe", False) == "Something unsafe was found"
