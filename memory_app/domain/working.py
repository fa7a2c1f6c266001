"""What an agent is in the middle of, told in a few lines: the task, the step, and the last of what it has at hand."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

LAST_VARIABLES, LAST_CALLS, LONGEST = 8, 3, 160


def summary(working: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """The lines by name: task, step, variables, tool_calls, error. What is not there has no line; intermediate
    results stay with the agent."""
    if not working:
        return []
    lines = [
        ("task", _short(working.get("task"))),
        ("step", _step(working.get("step"), working.get("total_steps"))),
        ("variables", _variables(working.get("variables"))),
        *(("tool_call", _call(one)) for one in _last(working.get("tool_calls"), LAST_CALLS)),
        *(("error", _short(one)) for one in _last(working.get("errors"), 1)),
    ]
    return [(name, text) for name, text in lines if text]


def _step(step: Any, total: Any) -> str:
    told = _short(step)
    return f"{told} / {total}" if told and isinstance(total, int) else told


def _variables(variables: Any) -> str:
    """The variables that were set last: an agent appends as it goes."""
    if not isinstance(variables, Mapping):
        return ""
    return "; ".join(
        f"{_short(name, 60)} = {_short(value, 60)}" for name, value in list(variables.items())[-LAST_VARIABLES:]
    )


def _call(call: Any) -> str:
    """A call of a tool as `name(arguments) → result`, whatever its fields are called."""
    if not isinstance(call, Mapping):
        return _short(call)
    inner = call.get("function")
    given = {**call, **inner} if isinstance(inner, Mapping) else dict(call)
    name = _first(given, "name", "tool", "tool_name", "function")
    if not isinstance(name, str):
        return _short(call)
    result = _first(given, "result", "output", "response", "error", "status")
    told = f"{_short(name, 60)}({_short(_first(given, 'arguments', 'args', 'input', 'parameters'), 80)})"
    return told if result is None else f"{told} → {_short(result, 80)}"


def _first(given: Mapping[str, Any], *names: str) -> Any:
    return next((given[name] for name in names if given.get(name) is not None), None)


def _last(given: Any, most: int) -> Sequence[Any]:
    if given is None or given == "":
        return ()
    return given[-most:] if isinstance(given, list) else (given,)


def _short(value: Any, longest: int = LONGEST) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
