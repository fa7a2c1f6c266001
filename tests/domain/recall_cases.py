"""The recall cases in memory: the hard filter as the README of the cases states it, then the product's ranking."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from consolidation.distill.requests import wished
from memory_app.domain.precedence import effective, said_now
from memory_app.domain.ranking import Item, entry_text, rank, understand
from memory_app.domain.rendering import render
from memory_app.domain.words import words
from memory_app.embedding.offline import OfflineEmbedder

CASES = Path(__file__).parent.parent / "cases"
_embedder = OfflineEmbedder()


@dataclass(frozen=True)
class Outcome:
    id: str
    right: bool
    leaks: tuple[str, ...]
    note: str


def cases(name: str) -> Iterator[dict[str, Any]]:
    for line in (CASES / name).read_text("utf-8").splitlines():
        yield json.loads(line)


@lru_cache(maxsize=4096)
def _vector(text: str, is_query: bool) -> tuple[float, ...]:
    return tuple((_embedder.queries if is_query else _embedder.passages)([text])[0])


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _visible(memory: dict[str, Any], asked: dict[str, Any]) -> bool:
    now, expires = datetime.fromisoformat(asked["now"]), _time(memory.get("expires_at"))
    return (
        (memory["user"] == asked["user"] or bool(memory.get("team")))
        and memory.get("session") in (None, asked["session"])
        and (not memory.get("team") or memory["team"] in asked["teams"])
        and memory["status"] == "active"
        and (expires is None or now < expires)
    )


def item(memory: dict[str, Any], vectors: list[tuple[float, ...]]) -> Item:
    at = datetime.fromisoformat(memory["created_at"])
    key, value, subject = memory.get("key") or "", memory.get("value"), memory.get("subject") or ""
    own = _vector(memory["text"], False)
    return Item(
        id=memory["id"],
        version=1,
        text=memory["text"],
        tokens=tuple(words(entry_text(memory["text"], key, value, subject))),
        kind=memory["kind"],
        scope="session" if memory.get("session") else "team" if memory.get("team") else "user",
        key=key,
        value=value,
        condition=memory.get("condition") or "",
        subject=subject,
        similarity=max(sum(a * b for a, b in zip(own, vector, strict=True)) for vector in vectors),
        updated_at=at,
        occurred_at=None,
        confirmed_at=at,
        session_id=memory.get("session"),
    )


def run(case: dict[str, Any]) -> Outcome:
    """Whether a case comes out right: head in order, all included, none excluded, bound kept, values effective."""
    asked, want = case["input"], case["expect"]
    now = datetime.fromisoformat(asked["now"])
    question = understand(asked["query"], now)
    vectors = [_vector(part.asked, True) for part in question.parts]
    items = [item(memory, vectors) for memory in asked["memories"] if _visible(memory, asked)]
    ranked = rank(items, question, now, asked["limit"], len(items))
    got = [one.item.id for one in ranked if one.left_out is None]
    holds = effective(
        [one for one in items if one.scope == "session"],
        {},
        [one for one in items if one.scope == "user"],
        [one for one in items if one.scope == "team"],
        said=asked["query"],
    )
    holds = said_now(holds, wished(asked["query"], now))
    block = render(
        effective=holds,
        session_notes=[one for one in items if one.scope == "session"],
        always=[],
        ranked=[one for one in ranked if one.item.scope != "session"],
        now=now,
        token_budget=800,
    )
    leaks = tuple(one for one in got if one in want["exclude"])
    values = {key: one.value for key, one in holds.items()}
    right = (
        got[: len(want["top"])] == want["top"]
        and set(want["include"]) <= set(got)
        and not leaks
        and len(got) <= want.get("max_results", 99)
        and all(values.get(key) == value for key, value in want.get("effective", {}).items())
        and not any(word in block.text for word in want.get("render_must_not_contain", []))
    )
    return Outcome(case["id"], right, leaks, f"{case['id']}: {got} want {want} effective {values}")
