"""Notes from how a session ended: what was done, and, when it worked with tools, how."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from .drafts import DraftNote
from .folding import is_chinese

_RESULT = {"success": ("成功", "succeeded"), "failure": ("失败", "failed")}
_LONGEST = 1_900


def _name(call: Any) -> str | None:
    """The tool's name, in the shapes in which agents record a call."""
    if isinstance(call, str):
        return call.strip() or None
    if isinstance(call, Mapping):
        inner = call.get("function")
        name = (
            call.get("name")
            or call.get("tool")
            or call.get("tool_name")
            or (inner.get("name") if isinstance(inner, Mapping) else inner)
        )
        return str(name).strip() or None if name else None
    return None


def _failed(call: Any) -> bool:
    return isinstance(call, Mapping) and (
        bool(call.get("error")) or call.get("success") is False or call.get("status") in ("error", "failed")
    )


def _steps(calls: Sequence[Any]) -> list[str]:
    """The tools in order: without calls that failed, and one step where a tool was called again and again."""
    steps: list[str] = []
    for call in calls:
        name = None if _failed(call) else _name(call)
        if name and (not steps or steps[-1] != name):
            steps.append(name)
    return steps[:40]


def outcome_notes(
    task: str | None, outcome: str | None, summary: str | None, tool_calls: Sequence[Any] | None, at: datetime
) -> list[DraftNote]:
    """An episodic note of the task, and a procedural proposal when it succeeded with tools.

    The evidence is the agent's own report, so the notes name no turn; `quote` is the report.
    """
    task, summary = (task or "").strip(), (summary or "").strip()
    if not task and not summary:
        return []
    chinese = is_chinese(task or summary)
    result = _RESULT.get(outcome or "")
    said = task if task and summary.startswith(task) is False else summary or task
    text = f"{task}：{summary}" if chinese and task and summary else f"{task}: {summary}" if task and summary else said
    if result:
        text = f"{text}（{result[0]}）" if chinese else f"{text} ({result[1]})"
    quote = " — ".join(x for x in (task, summary) if x)[:_LONGEST]
    report = partial(DraftNote, turn="", quote=quote, start=0, end=len(quote), said_at=at)
    episode = report(
        text=text[:_LONGEST], key="episode", value=None, kind="episodic", occurred_at=at, confidence=0.7,
        rule="outcome.episode",
    )  # fmt: skip
    steps = _steps(tool_calls or [])
    if outcome != "success" or not task or not steps:
        return [episode]
    procedure = report(
        text=_way(task, steps, chinese)[:_LONGEST], key=None, value={"steps": steps, "tools": sorted(set(steps))},
        kind="procedural", confidence=0.5, rule="outcome.procedure",
    )  # fmt: skip
    return [episode, procedure]


def _way(task: str, steps: Sequence[str], chinese: bool) -> str:
    """How it was done, in words."""
    way = " → ".join(steps)
    if chinese:
        return f"{task}的做法：{way}"
    return f"{task}: {way}" if task.lower().startswith("how to") else f"How to {task[:1].lower()}{task[1:]}: {way}"
