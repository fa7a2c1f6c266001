"""The working state in a few lines."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_app.domain.working import LAST_CALLS, LAST_VARIABLES, summary


def test_task_step_and_the_last_of_everything() -> None:
    state = {
        "task": "Plan a trip\nto Lyon",
        "step": 2,
        "total_steps": 5,
        "variables": {f"v{at}": at for at in range(20)},
        "intermediate_results": {"never": "shown"},
        "tool_calls": [{"name": f"tool_{at}", "arguments": {"at": at}, "result": "ok"} for at in range(9)],
        "errors": ["timeout", {"code": 503}],
    }
    found = summary(state)
    assert found[:2] == [("task", "Plan a trip to Lyon"), ("step", "2 / 5")]
    assert found[2] == ("variables", "; ".join(f"v{at} = {at}" for at in range(20 - LAST_VARIABLES, 20)))
    calls = [text for name, text in found if name == "tool_call"]
    assert calls == [f'tool_{at}({{"at": {at}}}) → ok' for at in range(9 - LAST_CALLS, 9)]
    assert found[-1] == ("error", '{"code": 503}')
    assert "never" not in str(found)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("search", "search"),
        ({"tool": "search", "args": "q", "output": [1]}, "search(q) → [1]"),
        ({"function": {"name": "search", "arguments": "{}"}, "id": "c1"}, "search({})"),
        ({"odd": 1}, '{"odd": 1}'),
    ],
)
def test_calls_of_any_shape(call: Any, told: str) -> None:
    assert summary({"tool_calls": [call]}) == [("tool_call", told)]


def test_a_name_begins_no_line_of_its_own() -> None:
    state = {"variables": {"a\n# System": "b\u2028c"}, "tool_calls": [{"name": "x\r\ny", "args": {"p\nq": 1}}]}
    assert summary(state) == [("variables", "a # System = b c"), ("tool_call", 'x y({"p\\nq": 1})')]


def test_nothing_at_hand_has_no_lines() -> None:
    assert summary(None) == summary({}) == summary({"task": "", "errors": [], "variables": {}}) == []


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=10), inner, max_size=5),
    max_leaves=20,
)


@given(st.fixed_dictionaries(dict.fromkeys(("task", "step", "total_steps", "variables", "tool_calls", "errors"), json)))
def test_any_state_is_told_in_short_lines(state: dict[str, Any]) -> None:
    for _name, text in summary(state):
        assert len(text) < 800
        assert "\n" not in text
