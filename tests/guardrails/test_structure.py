"""Secrets in JSON: in pieces, under a name further up, as arguments of a command, escaped more than once."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from memory_app.guardrails import MASKED_CATEGORIES, check, mask, mask_json, scan_each

CARD = ["4111", "1111", "1111", "1111"]
WORDS = "abandon ability able about above absent absorb abstract absurd abuse access accident".split()


@pytest.mark.parametrize(
    ("value", "raw"),
    [
        ([4111, 1111, 1111, 1111], ["4111", "1111"]),
        ({"card": CARD}, ["4111", "1111"]),
        ({"p1": "4111", "p2": "1111", "p3": "1111", "p4": "1111"}, ["4111", "1111"]),
        ({"payment": {"groups": [5555, 5555, 5555, 4444]}}, ["5555", "4444"]),
        ({"卡号": CARD}, ["4111", "1111"]),
        ({"phone": ["138", "1234", "5678"]}, ["1234", "5678"]),
        ({"argv": ["--password", "Hunter2x9"]}, ["Hunter2x9"]),
        ({"argv": ["mysql", "-u", "root", "-pHunter2x"]}, ["Hunter2x"]),
        ({"command": ["curl", "-u", "admin:S3cretPw99", "https://x.example.com"]}, ["S3cretPw99"]),
        ({"headers": [["Authorization", "Bearer abcDEF123456"]]}, ["abcDEF123456"]),
        ({"env": [["DB_PASSWORD", "Hunter2x9"], ["LANG", "C"]]}, ["Hunter2x9"]),
        ({"password": {"value": "hunter2x"}}, ["hunter2x"]),
        ({"密码": {"value": "hunter2x"}}, ["hunter2x"]),
        ({"credentials": {"name": "password", "value": "hunter2x"}}, ["hunter2x"]),
        ({"run": "export DB_PASS=Hunter2x9"}, ["Hunter2x9"]),
        ({"pin": 4829}, ["4829"]),
        ({"door_code": "4829"}, ["4829"]),
        ({"seed_phrase": WORDS}, WORDS[:2]),
        ({"order": "4111 1111 1111 1111"}, ["4111 1111"]),
        ({"body": json.dumps({"value": "密码是Tq0ub4dor3x"})}, ["Tq0ub4dor3x"]),
        ({"body": json.dumps(json.dumps({"password": "Tq0ub4dor3x"}))}, ["Tq0ub4dor3x"]),
    ],
)
def test_what_its_place_gives_away_is_masked(value: Any, raw: list[str]) -> None:
    masked, findings = mask_json(value)
    flat = json.dumps(masked, ensure_ascii=False)
    assert findings
    assert not [piece for piece in raw if piece in flat]
    assert mask_json(masked)[0] == masked


@pytest.mark.parametrize(
    "value",
    [
        {"required": ["password", "email"]},
        {"fields": [["password", "string"], ["token", "string"]]},
        {"usage": [120, 512, 77, 4096]},
        {"p50": 4111, "p90": 5200, "p95": 6000},
        {"years": [2021, 2022, 2023, 2024]},
        {"vector": [0.123456789, -0.987654321, 0.5]},
        {"tags": "red green blue cold warm slow fast open shut high low mid".split()},
        {"argv": ["git", "commit", "-m", "Fix the login page"]},
        {"argv": ["--password", "$DB_PASSWORD"]},
        {"password": {"min_length": 12, "policy": "strong"}},
        {"steps": ["查询订单", "确认退款"], "订单": "订单号 202610051234567890"},
        {"ids": ["a1b2", "c3d4"], "ok": True, "none": None},
    ],
)
def test_other_structure_is_left(value: Any) -> None:
    assert mask_json(value) == (value, ())


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        (r'"{\"value\": \"\\u5bc6\\u7801\\u662fTq0ub4dor3x\"}"', "Tq0ub4dor3x"),
        (r'"{\\\"a\\\": \\\"\\\\u5bc6\\\\u7801\\\\u662fTq0ub4dor3x\\\"}"', "Tq0ub4dor3x"),
        (r'{"body":"{\"password\":\"Tq0ub4dor3x\"}"}', "Tq0ub4dor3x"),
        (r'"{\"verification_code\": \"483920\"}"', "483920"),
        (r'{"c":"\u0664111 1111 1111 1111"}', "1111 1111"),
        ("%D9%A4111 1111 1111 1111", "1111 1111"),
    ],
)
def test_escapes_of_escapes_are_opened(text: str, raw: str) -> None:
    assert not check(text).allowed
    assert raw not in mask(text).text


def test_what_is_read_together_is_read_as_if_alone() -> None:
    lines = (Path(__file__).parent / "cases.jsonl").read_text("utf-8").splitlines()[::4]
    texts = [json.loads(line)["input"]["text"] for line in lines]
    for text, found in zip(texts, scan_each(texts, MASKED_CATEGORIES), strict=True):
        assert {f.category for f in found} == {f.category for f in mask(text).findings}, text


MANY = [
    [{"name": f"tool_{i}", "arguments": {"q": f"item {i} in stock", "n": i}} for i in range(2_000)],
    {f"var_{i}": f"value number {i}" for i in range(2_300)},
    {"rows": [[i, i + 1, f"row {i}"] for i in range(2_000)]},
    {"card": CARD * 500},
]


@pytest.mark.parametrize("value", MANY, ids=["calls", "variables", "rows", "cards"])
def test_many_small_values_are_read_at_once(value: Any) -> None:
    began = time.process_time()
    mask_json(value)
    assert time.process_time() - began < 3.0


def test_an_id_hides_no_name() -> None:
    for found in (
        {"id": "c1", "name": "password", "value": "hunter2"},
        {"id": "c1", "key": "alarm_pin", "value": "4821"},
    ):
        masked, _findings = mask_json(found)
        assert masked["value"] != found["value"]
        assert masked["id"] == "c1"
