"""One sentence, in the language of the question, that tells the user why a memory came back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memory_app.domain.words import INVISIBLE

if TYPE_CHECKING:
    from memory_app.domain.items import Item
    from memory_app.domain.question import Question

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
LONGEST = 120


def day(moment: datetime, now: datetime, language: str) -> str:
    """The calendar day of a moment where the asking person is; the year only where it is another one."""
    local = moment.astimezone(now.tzinfo)
    if language == "zh":
        return (f"{local.year}年" if local.year != now.year else "") + f"{local.month}月{local.day}日"
    return f"{local.day} {_MONTHS[local.month - 1]}" + (f" {local.year}" if local.year != now.year else "")


def quoted(text: str) -> str:
    """A memory's text on one line, cut to a length that reads as part of a sentence."""
    line = " ".join(INVISIBLE.sub("", text).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


@dataclass(frozen=True)
class Source:
    """What a memory goes back to: what the user said, word for word; without a quote, that somebody corrected it."""

    quote: str
    at: datetime


def because(
    item: "Item",
    question: "Question",
    why: Mapping[str, Any],
    now: datetime,
    source: Source | None = None,
    noted: bool = False,
) -> str:
    """Why the item answers the question, said to the end user: in their own words where a source has them. ``noted``
    says that an operator wrote it, and no key did, so that nobody is told to have said it."""
    chinese = question.language == "zh"
    own_fact = item.kind != "procedural" and item.scope != "team"
    if source is not None and source.quote and own_fact:
        when, own = day(source.at, now, question.language), quoted(source.quote)
        if item.scope == "session":
            return f"因为你在这次会话里说过：“{own}”" if chinese else f"because you said in this session: “{own}”"
        return f"因为你在{when}说过：“{own}”" if chinese else f"because you said on {when}: “{own}”"
    if source is not None and own_fact:
        return _corrected(day(source.at, now, question.language), quoted(item.text), chinese, noted)
    when = day(item.occurred_at or item.updated_at, now, question.language)
    text = quoted(item.text)
    if noted and item.scope == "user" and item.kind != "procedural":
        return f"因为{when}为你记下过：{text}" if chinese else f"because it was noted for you on {when}: {text}"
    if question.language == "zh":
        return _zh(item, when, text, why)
    return _en(item, when, text, why)


def _corrected(when: str, text: str, chinese: bool, by_person: bool) -> str:
    if chinese:
        return f"因为{when}{'由操作员' if by_person else '通过 API '}更正过：{text}"
    return f"because it was corrected {'by an operator' if by_person else 'through the API'} on {when}: {text}"


def changed_often(times: int, language: str) -> str:
    """What is added where the value keeps changing, so that nobody takes it for settled."""
    return f"（一年内改过 {times} 次）" if language == "zh" else f" (it has changed {times} times within a year)"


def because_said(text: str, role: str, speaker: str, at: datetime, language: str, now: datetime) -> str:
    """Why a turn answers the question: who said it, and when."""
    when, line = day(at, now, language), quoted(text)
    if language == "zh":
        who = "助手" if role == "assistant" else "你"
        return f"因为{when}的对话里有：{line}" if speaker != role else f"因为{who}在{when}说过：{line}"
    who = "the assistant" if role == "assistant" else "you"
    return f"because of what was said on {when}: {line}" if speaker != role else f"because {who} said on {when}: {line}"


def _zh(item: "Item", when: str, text: str, why: Mapping[str, Any]) -> str:
    if item.scope == "session":
        return f"因为你在这次会话里说过：{text}"
    if item.kind == "procedural":
        worked = f"（成功过 {item.success_count} 次）" if item.success_count else ""
        return f"因为{'团队' if item.scope == 'team' else '你'}记下过这套做法{worked}：{text}"
    if item.scope == "team":
        return f"因为团队在{when}记下过：{text}"
    if item.kind == "episodic":
        return f"因为{when}有过这件事：{text}"
    return f"因为你在{when}说过：{text}"


def _en(item: "Item", when: str, text: str, why: Mapping[str, Any]) -> str:
    if item.scope == "session":
        return f"because you said in this session: {text}"
    if item.kind == "procedural":
        times = item.success_count
        worked = f" (it worked {times} time{'s' if times != 1 else ''})" if times else ""
        return f"because {'your team has' if item.scope == 'team' else 'you have'} this way of doing it{worked}: {text}"
    if item.scope == "team":
        return f"because your team noted on {when}: {text}"
    if item.kind == "episodic":
        return f"because this happened on {when}: {text}"
    return f"because you said on {when}: {text}"
