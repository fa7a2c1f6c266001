"""Recorded conversations with questions and the turns that answer them: how many of these recall finds.

One user a line: ``{user, turns: [{id, session, at, text, role?}], questions: [{text, evidence: [ids], category?}]}``.
All users of a file are in one store, and each question is asked for its own user through ``recall`` itself.
"""

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from django.db import transaction
from django.utils.dateparse import parse_datetime

from memory_app.actions.content import embed_all
from memory_app.actions.sessions import NewTurn, add_turns, open_session
from memory_app.embedding import get_embedder
from memory_app.models import TurnEntry, TurnRecall, Workspace
from memory_app.recall import recall

from .cases import CaseError
from .recalling import EVALUATOR

DEPTHS = (5, 10)
BATCH = 200


@dataclass(frozen=True, slots=True)
class Conversation:
    user: str
    turns: list[dict[str, Any]]
    questions: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Found:
    """Which of a question's evidence came back, by place."""

    user: str
    question: str
    category: str
    evidence: frozenset[str]
    got: tuple[str, ...]

    def share(self, depth: int) -> float:
        """The share of the evidence among the first so many."""
        return len(self.evidence & set(self.got[:depth])) / len(self.evidence)


@dataclass(slots=True)
class Vectors:
    """Vectors kept between runs in a folder, by the model and a hash of the text; without a folder, none."""

    folder: Path | None = None
    _known: dict[str, list[float]] = field(default_factory=dict)

    def of(self, texts: Sequence[str]) -> dict[str, list[float] | None]:
        """The vector of each text."""
        missing = [text for text in dict.fromkeys(texts) if self._key(text) not in self._known]
        for text, vector in embed_all(missing).items():
            if vector.values is not None:
                self._known[self._key(text)] = vector.values
        return {text: self._known.get(self._key(text)) for text in texts}

    def load(self) -> None:
        """What an earlier run kept is known."""
        if self._file is not None and self._file.is_file():
            with np.load(self._file) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"].tolist(), strict=True))

    def keep(self) -> None:
        """What this run made is there for the next."""
        if self._file is not None and self._known:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            np.savez(self._file, keys=list(self._known), vectors=np.array(list(self._known.values()), dtype=np.float32))

    @property
    def _file(self) -> Path | None:
        return self.folder / f"{get_embedder().name.replace('/', '_')}.npz" if self.folder else None

    @staticmethod
    def _key(text: str) -> str:
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def is_conversations(path: Path) -> bool:
    """Whether the file's first line is a conversation with questions and not a case."""
    if not path.is_file() or not path.name.endswith((".jsonl", ".jsonl.gz")):
        return False
    with _opened(path) as lines:
        try:
            first = json.loads(next(lines, "null"))
        except (ValueError, OSError, EOFError):
            return False
    return isinstance(first, dict) and {"turns", "questions"} <= first.keys()


def read_conversations(path: Path) -> list[Conversation]:
    """Every conversation of the file. CaseError names the line that is none."""
    found = []
    with _opened(path) as lines:
        for number, line in enumerate(lines, 1):
            try:
                one = json.loads(line)
                found.append(Conversation(str(one["user"]), list(one["turns"]), list(one["questions"])))
            except (ValueError, KeyError, TypeError) as error:
                raise CaseError(f"{path}, line {number}: is no conversation with questions.") from error
    return found


def ask_conversations(conversations: Sequence[Conversation], vectors: Vectors) -> Iterator[Found]:
    """Each question's answer, in a workspace that is gone afterwards."""
    with transaction.atomic():
        workspace = Workspace.objects.create(slug="evaluation-of-recall", name="Evaluation", turn_recall=TurnRecall.ON)
        names = {pk: name for one in conversations for pk, name in _told(workspace, one).items()}
        _embed(workspace, vectors)
        for one in conversations:
            now = max(_time(turn["at"]) for turn in one.turns) + timedelta(days=1)
            for question in one.questions:
                answer = recall(
                    workspace, user=one.user, query=question["text"], limit=max(DEPTHS), now=now, recorded=False
                )
                got = tuple(names[str(result.memory.pk)] for result in answer.results)
                category, evidence = str(question.get("category", "")), frozenset(question["evidence"])
                yield Found(one.user, question["text"], category, evidence, got)
        transaction.set_rollback(True)


def shares(found: Sequence[Found]) -> dict[str, dict[str, float | int]]:
    """The mean share of evidence among the first few, in all and by category."""
    groups: dict[str, list[Found]] = defaultdict(list)
    for one in found:
        groups["all"].append(one)
        if one.category:
            groups[one.category].append(one)
    return {
        name: {"questions": len(some)}
        | {f"first {depth}": round(sum(one.share(depth) for one in some) / len(some), 4) for depth in DEPTHS}
        for name, some in groups.items()
    }


def _told(workspace: Workspace, one: Conversation) -> dict[str, str]:
    """The conversation stored as an agent would; the ids under which the file knows each turn."""
    names = {}
    for name, turns in groupby(one.turns, key=lambda turn: turn["session"]):
        given = list(turns)
        session, _ = open_session(
            workspace, EVALUATOR, user=one.user, external_id=str(name), started_at=_time(given[0]["at"])
        )
        new = [NewTurn(turn.get("role", "user"), turn["text"], _time(turn["at"])) for turn in given]
        for turn, stored in zip(given, add_turns(session, EVALUATOR, new), strict=True):
            names[str(stored.pk)] = turn["id"]
    return names


def _embed(workspace: Workspace, vectors: Vectors) -> None:
    vectors.load()
    name = get_embedder().name
    entries = list(TurnEntry.objects.filter(workspace=workspace).select_related("turn"))
    for start in range(0, len(entries), BATCH):
        some = entries[start : start + BATCH]
        made = vectors.of([entry.turn.content for entry in some])
        for entry in some:
            entry.model, entry.vector = name, made[entry.turn.content]
        TurnEntry.objects.bulk_update([entry for entry in some if entry.vector is not None], ["model", "vector"])
    vectors.keep()


def _time(text: str) -> Any:
    return parse_datetime(text)


def _opened(path: Path) -> Any:
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
