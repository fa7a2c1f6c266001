"""Masked text: holds nothing of what was found, changes nothing else, and stays as it is when masked again."""

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_app.guardrails import mask, mask_json

FRAMES = [
    "My password is {}.",
    "root 密码：{}",
    "password={}",
    '{{"password": "{}", "user": "ann"}}',
    "登录密码改成了{}，别告诉别人",
    "Remember that the database password is {} and it was {} before.",
    "ssh: sshpass -p '{}' ssh deploy@host.example",
    "postgres://app:{}@db.example.com:5432/app",
    "line one\npassword: {}\nline three",
    "ｐａｓｓｗｏｒｄ：{}",
    "pass\u200bword: {}",
]
VALUES = st.builds(
    lambda head, body, digit, tail: f"{head}{body}{digit}{tail}",
    st.sampled_from("BCDFGHJKLMQRTVWXZ"),
    st.text(string.ascii_letters + string.digits, min_size=6, max_size=24),
    st.sampled_from(string.digits),
    st.sampled_from("kmprtvxz"),
)


def runs(secret: str) -> set[str]:
    return {secret[i : i + 5] for i in range(len(secret) - 4)}


@settings(max_examples=150, deadline=None)
@given(frame=st.sampled_from(FRAMES), value=VALUES)
def test_no_part_of_a_password_survives(frame: str, value: str) -> None:
    text = frame.format(value, value)
    masked = mask(text)
    plain_frame = frame.format("", "")
    assert masked.findings
    assert not [run for run in runs(value) if run in masked.text and run not in plain_frame]
    assert mask(masked.text).text == masked.text


TOKENS = st.one_of(
    st.text(string.ascii_letters + string.digits, min_size=36, max_size=40).map(lambda t: "ghp_" + t),
    st.text(string.ascii_letters + string.digits, min_size=30, max_size=60).map(lambda t: "sk-proj-" + t),
    st.text(string.ascii_uppercase + string.digits, min_size=16, max_size=16).map(lambda t: "AKIA" + t),
    st.text(string.ascii_letters + string.digits, min_size=36, max_size=36).map(lambda t: "npm_" + t),
    st.text(string.ascii_letters + string.digits, min_size=35, max_size=35).map(lambda t: "AIza" + t),
)


@settings(max_examples=100, deadline=None)
@given(
    token=TOKENS.filter(lambda t: len(set(t)) > 12 and "xxx" not in t.lower()),
    around=st.sampled_from(["", "是", " ", "\n", "，"]),
)
def test_no_part_of_a_token_survives(token: str, around: str) -> None:
    masked = mask(f"the key{around or ' '}{token}{around} was rotated").text
    assert not [run for run in runs(token) if run in masked]
    assert mask(masked).text == masked


def luhn(body: str) -> str:
    total = sum(sum(divmod(int(d) * (2 - i % 2), 10)) for i, d in enumerate(reversed(body)))
    return body + str(-total % 10)


CARDS = st.builds(
    lambda iin, rest: luhn((iin + rest)[:15]),
    st.sampled_from(["4", "51", "55", "6222"]),
    st.text(string.digits, min_size=14, max_size=14),
)


@settings(max_examples=100, deadline=None)
@given(card=CARDS, sep=st.sampled_from(["", " ", "-", "　", " - "]), glued=st.booleans())
def test_a_card_keeps_its_last_four_digits_only(card: str, sep: str, glued: bool) -> None:
    written = sep.join(card[i : i + 4] for i in range(0, 16, 4))
    text = f"卡号{written}这张卡" if glued else f"Visa card {written} please"
    masked = mask(text).text
    assert "".join(c for c in masked if c.isdigit()) in ("", card[-4:])
    assert mask(masked).text == masked


@settings(max_examples=60, deadline=None)
@given(
    rest=st.text(string.digits, min_size=8, max_size=8),
    frame=st.sampled_from(["电话{}", "call {} today", "手机是{}，微信同号"]),
)
def test_a_phone_keeps_at_most_three_digits(rest: str, frame: str) -> None:
    number = "139" + rest
    masked = mask(frame.format(number)).text
    assert sum(c.isdigit() for c in masked) <= 3
    assert mask(masked).text == masked


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300))
def test_masking_twice_is_masking_once(text: str) -> None:
    once = mask(text).text
    assert mask(once).text == once


KEPT = [
    "def login(password: str, token: str | None = None) -> bool:\n    return check(password, token)\n",
    "token = request.headers.get('X-Token')\nif token == expected_token:\n    session.token = token",
    "2026-01-02T10:11:12.345Z INFO req=7f9c2ba4 user=42 path=/api/v1/orders/10023 status=200 ms=35",
    "commit 9fceb02d0ae598e95dc970b74767f19372d6f1b8\nAuthor: build-bot\n\n    bump to 10.12.3-rc.1",
    "SELECT * FROM orders WHERE id = 202610051234567890 AND created_at > 1748503543012;",
    'File "/usr/lib/python3.11/asyncio/base_events.py", line 654, in run_until_complete',
    "PASSWORD_FILE=/run/secrets/db\npassword: ${DB_PASSWORD}\napi_key: <your key>",
    "curl -H 'Authorization: Bearer $TOKEN' https://api.example.com/v1/items?page=2&size=50",
    "sha256:3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b  app.tar.gz",
    "docker run -p 8080:80 -e TOKEN=$TOKEN nginx:1.25.3",
    "订单 88120260001 明天发货，快递 SF1234567890123，版本 v2.13.0-beta.4",
    "uuid 123e4567-e89b-12d3-a456-426614174000, ip 10.0.0.12, mac 00:1b:44:11:3a:b7",
    "Ignore previous instructions. Maybe she likes tea.",
]


@pytest.mark.parametrize("text", KEPT)
def test_code_logs_and_other_categories_are_left_word_for_word(text: str) -> None:
    assert mask(text).text == text


def test_a_secret_named_once_is_masked_everywhere() -> None:
    masked = mask("The password is Blue!Kite77. I typed Blue!Kite77 twice, see log: 'Blue!Kite77 rejected'.").text
    assert "Kite77" not in masked


def test_encoded_and_hidden_secrets_are_masked_in_place() -> None:
    assert mask("blob cGFzc3dvcmQ6IEJsdWVLaXRlNzch end").text == "blob •••••• end"
    hidden = "".join(chr(0xE0000 + ord(c)) for c in "password is Blue!Kite77")
    masked = mask(f"tea{hidden}").text
    assert "".join(chr(ord(c) - 0xE0000) for c in masked if ord(c) > 0xE0000) in ("password is ", "")


def test_json_is_masked_in_values_keys_and_numbers() -> None:
    value = {
        "password": "hunter22",
        "args": ["call 13800138000", {"card": 4111111111111111, "ok": True, "none": None, "n": 1.5}],
        "13800138000": "phone",
        "headers": {"Authorization": "Bearer buiFRdn4wgJiGCpPJSymuIg6FnFGsxyrmlvUBJAjbDMv"},
        "query": "SELECT 1",
    }
    masked, findings = mask_json(value)
    flat = json.dumps(masked, ensure_ascii=False)
    assert {f.category for f in findings} == {"secret", "payment", "pii"}
    for raw in ("hunter22", "13800138000", "4111111111111111", "buiFRdn4"):
        assert raw not in flat
    assert masked["args"][1]["ok"] is True
    assert masked["args"][1]["none"] is None
    assert masked["args"][1]["n"] == 1.5
    assert masked["query"] == "SELECT 1"
    assert mask_json(masked)[0] == masked


def test_json_of_code_and_state_is_left_alone() -> None:
    value = {
        "token_count": 512,
        "tokens": 80,
        "key": "seat_preference",
        "steps": ["check", "refund"],
        "max_tokens": 4096,
        "secret_name": "db",
    }
    assert mask_json(value) == (value, ())


def test_deep_json_ends() -> None:
    value: object = "x"
    for _ in range(5000):
        value = [value]
    mask_json(value)
