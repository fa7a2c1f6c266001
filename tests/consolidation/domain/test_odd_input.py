"""Notes that nobody would expect: each has a decision or a clear error, and never an exception. Hypothesis makes them."""

import json
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from consolidation.distill import SpokenTurn, distill
from consolidation.domain.policy import PolicyError
from consolidation.domain.preview import PreviewError, preview
from memory_app import guardrails
from memory_app.domain.recalled import has_quotation, is_recalled, quotes
from memory_app.domain.words import fold, words

from .build import NOW, dice

SCRIPTS = (
    "Latin",
    "靠过道的座位",
    "الممر",
    "проход",
    "通路側の席",
    "통로 쪽",
    "मार्ग",
    "ทางเดิน",
    "מעבר",
    "διάδρομος",
    "ⅷ①½",
    "ﬁ",
)
MARKS = (
    "🙂👩‍👩‍👧‍👦🏳️‍🌈",
    "\x00\x07\x1b[31m",
    "\u202eabc\u202c",
    "\u200b\ufeff\u00ad",
    "e\u0301\u0323",
    "\ud800",
    "\n\r\t\v\f\x85\u2028",
)
QUOTES = ("“„»‘«'\"`「『", "“a “b ‘c’ d” e”", '"' * 300, "“" * 300, "((((", "[[{{", "> > > x")
CODE = (
    "```py\nfor i in range(9): print(f'{i!r}')\n```", "SELECT 1; DROP TABLE x; --", "<script>alert(1)</script>", "<b>bold</b> &amp; &#x41;",
    "{%s%(a)s%d{}{0.__class__}", "\\d+(a+)+$", "https://x.example/?a=b&c=%00", "--no-verify; rm -rf /", '{"a": [1, null]}',
)  # fmt: skip
LONG = (
    "a" * 2000,
    "的" * 2000,
    "1" * 2000,
    "不" * 2000,
    "a " * 1000,
    "9:" * 1000,
    ", " * 1000,
    "🙂" * 2000,
    "not " * 500,
    "（" * 2000,
)
TIMES = (
    "The trip is on 0001-01-01", "9999-12-31 23:59", "99999-99-99", "3026年13月45日", "on February 30", "25:61", "周八下午", "$-0.00", "1e999 USD",
    "¹²³ years", "٣ kg", "２０００元", "零点五", "十百千万亿", "NaN%", "-٣٤", "半", "1/0", "half past 99",
)  # fmt: skip
SAID = (
    "I like the aisle",
    "From now on ",
    "这次",
    "不再",
    "请忘掉",
    "forget ",
    "我住在",
    "no longer ",
    " instead of ",
    "从",
    "换成",
)
PART = st.one_of(
    st.sampled_from(SCRIPTS + MARKS + QUOTES + CODE + TIMES + SAID + LONG), st.text(max_size=20),
    st.characters(max_codepoint=0x10FFFF).map(lambda c: c * 7),
)  # fmt: skip
TEXT = st.lists(PART, max_size=4).map(lambda parts: "".join(parts)[:2000])
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), TEXT, st.sampled_from(["1e400", "-0", "NaN"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)  # fmt: skip
MOMENTS = st.one_of(
    st.sampled_from([datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC), NOW]),
    st.integers(-400_000, 2_000_000).map(lambda days: NOW + timedelta(days=days)),
).map(datetime.isoformat)
KEYS = st.sampled_from([None, "likes", "home_city", "seat_preference", "allergy", "check_in", "budget", "episode", "x"])
COMMON = {
    "text": TEXT, "key": KEYS, "value": JSON, "condition": st.none() | TEXT, "subject": st.none() | TEXT,
    "kind": st.sampled_from(["semantic", "episodic", "procedural", "working"]), "scope": st.sampled_from(["user", "session", "team"]),
    "occurred_at": st.none() | MOMENTS, "expires_at": st.none() | MOMENTS,
}  # fmt: skip
NOTE = st.fixed_dictionaries(
    COMMON | {
        "said_at": MOMENTS, "retract": st.booleans(), "keywords": st.lists(TEXT, max_size=2),
        "evidence": st.none() | st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool"]), "quote": TEXT}),
    }
)  # fmt: skip
MEMORY = st.fixed_dictionaries(
    COMMON | {"updated_at": MOMENTS, "status": st.sampled_from(["active", "active", "archived", "deleted"]), "deleted_at": st.none() | MOMENTS}
)  # fmt: skip


def said(notes, memories):
    numbered = [
        [one | {"id": f"{name}{i}"} for i, one in enumerate(many)] for name, many in (("n", notes), ("m", memories))
    ]
    return {"notes": numbered[0], "existing": numbered[1], "now": NOW.isoformat()}


@settings(max_examples=300, deadline=None)
@given(st.lists(NOTE, min_size=1, max_size=2), st.lists(MEMORY, max_size=2))
def test_every_note_is_decided(notes, memories):
    document = said(notes, memories)
    first = preview(document, lambda _: None, dice)
    assert sorted(d["note"] for d in first["decisions"]) == [n["id"] for n in document["notes"]]
    assert first == preview(document, lambda _: None, dice) or "nan" in json.dumps(first).lower()


@settings(max_examples=300, deadline=None)
@given(
    NOTE,
    st.sampled_from(
        ["text", "said_at", "occurred_at", "evidence", "keywords", "confidence", "key", "condition", "kind"]
    ),
    JSON,
)
def test_a_document_that_cannot_be_read_says_where(note, field, odd):
    try:
        found = preview(said([note | {field: odd}], []), lambda _: None, dice)
    except (PreviewError, PolicyError):
        return
    assert len(found["decisions"]) == 1


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["user", "user", "assistant", "tool"]), TEXT), max_size=2))
def test_every_turn_is_read(turns):
    spoken = [SpokenTurn(f"t{i}", i, role, text, NOW) for i, (role, text) in enumerate(turns)]
    for draft in distill(spoken, guard=None, retractions=True):
        assert draft.text.strip()
        assert draft.turn in {turn.id for turn in spoken if turn.role == "user"}


@settings(max_examples=200, deadline=None)
@given(TEXT, TEXT)
def test_every_text_is_checked_and_compared(one, other):
    for stage in ("capture", "consolidation", "injection"):
        assert guardrails.check(one, stage).allowed in (True, False)
    assert guardrails.mask(guardrails.mask(one).text).text == guardrails.mask(one).text
    guardrails.sensitivity(one)
    assert words(one) == words(one)
    assert fold(one) == fold(one + "\u200b")
    assert is_recalled("user", one) in (True, False)
    assert has_quotation(one) or not quotes(one, other)
