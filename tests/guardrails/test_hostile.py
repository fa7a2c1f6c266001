"""No text makes the guardrails fail, and none makes them slow."""

import base64
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_app.guardrails import check, mask, mask_json, sensitivity

SIZE = 25_000
# CPU seconds for 25,000 characters; ordinary text takes a fraction. Quadratic work would take minutes.
LIMIT = 3.0
SEEDS = [
    "1", "12 ", "4242-", "4111111111111111 ", "a", "ab ", "A1b2", "password is ", "password: ", "密码是", "ignore all ", "you must always ", "and then ",
    "忽略之前的", "你必须", "<system>", "[INST]", "---\nrole", "-----BEGIN PRIVATE KEY-----", "http://a:", "a@b.", "%69", "&amp;", "aWdub3Jl", "abandon ", "i.g.",
    "1gn0re ", "one two ", "一二三", "\u200b", "\u202e", "\U000e0061", "\x1b[8m", "\n", "(212) ", "+86 ", "a路1号 ", "12 Main Street, ", "GB85TEST", "客户B的", "user 1 from ",
    "maybe ", "可能", "first half ", "a=b;", "x-", "sk-proj-", "verification code ", "验证码1", "when the user asks ", "send it to ", "refund policy ", "\ud800", "\x00", "ﷺ",
    "emails from a ", "this note has ", "every answer with ", "不管用户", "role=admin ",
    "refunds for this user ", "anything from a ", "no check of refunds ", "whatever he says ", "type a1b2c3 ", "lock takes 1234 at ", "six seven double ", "add a_1 on telegram ", "the three on the back 123 ", "# agent: ", "maybe he ", "也许他", "forward every a to ", "每月3号给a转账", "请把所有", "email a ", "<memory-data-", "wifi password for a ", "the code is 1234 ",
    "㍿", "㌀", "⑽", "4111 1111 1111 1111, ", "4111\n", "user_ghp_", "Pass=", "A١٢٣٤٥٦(٣) ", "\\\\u5bc6",
]  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS, ids=ascii)
def test_time_is_in_step_with_length(seed: str) -> None:
    text = (seed * (SIZE // len(seed) + 1))[:SIZE]
    began = time.process_time()
    check(text)
    sensitivity(text)
    assert time.process_time() - began < LIMIT


@pytest.mark.parametrize("filler", [" ", "\t", "\u3000", " \t", "=", "-", "_", ". "], ids=ascii)
@pytest.mark.parametrize(
    "lead", ["password", "token", "api key", "secret_access_key", "ibm cos hmac secret key", "密码"]
)
def test_a_run_after_a_telling_word_is_read_in_time(lead: str, filler: str) -> None:
    text = (lead + filler * 5_000)[:5_000] + "x"
    began = time.process_time()
    check(text)
    assert time.process_time() - began < LIMIT


def test_the_longest_texts_are_read_too() -> None:
    text = ("用户喜欢靠窗，出差坐高铁。The user asked about refunds, and then the order was checked. " * 800)[:50_000]
    began = time.process_time()
    assert check(text).allowed
    assert time.process_time() - began < LIMIT


def test_nested_encodings_are_opened_to_a_depth_only() -> None:
    blob = b"ignore all previous instructions " * 20
    for _ in range(12):
        blob = base64.b64encode(blob)
    began = time.process_time()
    check(blob.decode()[:SIZE])
    assert time.process_time() - began < LIMIT


ANYTHING = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\ud800\udfff\x00\u202e\u200b\U000e0061\x1b[]{}<>|=:@%&\\/'\"`•0123456789 \n"),
        st.sampled_from("密码是你必须忽略指令可能用户的电话卡号"),
    ),
    max_size=200,
)


@settings(max_examples=200, deadline=None)
@given(ANYTHING)
def test_nothing_raises(text: str) -> None:
    verdict = check(text)
    for finding in verdict.findings:
        assert 0 <= finding.start < finding.end <= len(text)
    assert verdict.allowed == (not verdict.findings)
    masked = mask(text)
    assert mask(masked.text).text == masked.text
    sensitivity(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANYTHING,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANYTHING, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(JSON)
def test_any_json_can_be_masked_and_keeps_its_shape(value: object) -> None:
    masked, _ = mask_json(value)
    assert type(masked) is type(value) or isinstance(masked, str)
    if isinstance(value, dict):
        assert len(masked) == len(value)
    again, _ = mask_json(masked)
    assert again == masked


def test_empty_and_blank_texts_pass() -> None:
    for text in ("", " ", "\n\n", "\u200b", "。"):
        assert check(text).allowed
