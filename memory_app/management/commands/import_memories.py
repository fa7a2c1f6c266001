"""``manage.py import_memories``: past memories taken in from a file, through guardrails and embedder."""

import os
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory_app.actions.content import TextVector, embed_all
from memory_app.actions.importing import Line, check_line, id_of, known_ids, store_lines
from memory_app.domain.actor import Actor
from memory_app.domain.errors import CommonplaceError
from memory_app.embedding import get_embedder
from memory_app.management.arguments import add_workspace, workspace_of
from memory_app.management.lines import (
    ENDS_IMPORT,
    BadLine,
    Place,
    document_of,
    failure_of,
    lines_of,
    model_of,
    unknown_fields,
)
from memory_app.management.progress import Progress
from memory_app.models import Workspace
from memory_app.recorded import MemoryRecorded

#: Imported memory is as if a key had written it: not protected, for no operator has seen it.
IMPORT = Actor(kind="key", id="import", label="manage.py import_memories", role="admin")
CHUNK = 100


def processors() -> int:
    """How many this process may use; where the system tells that of no process, how many there are."""
    may_use = getattr(os, "sched_getaffinity", None)
    return len(may_use(0)) if may_use is not None else os.cpu_count() or 1


#: The embedder reads one text after the other, on one processor a thread: batches and their order make no difference.
THREADS = min(8, processors())
AHEAD = THREADS + 2


Chunk = list[tuple[Place, Line]]
Vectors = tuple[Mapping[str, TextVector], float]


class Command(BaseCommand):
    help = "Imports memories, one JSON object a line as in POST /memories; can be stopped and started again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="One JSON object a line.")
        add_workspace(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        total = sum(1 for _ in lines_of(options["file"]))
        self.counts: Counter[str] = Counter()
        self.spent: dict[str, float] = dict.fromkeys(("guardrails", "vectors", "waiting", "database"), 0.0)
        self.passed_over: set[str] = set()
        workspace = workspace_of(options["workspace"])
        self.progress = Progress(self.stderr, "memories", total)
        with ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="embed") as pool:
            self._import(workspace, options["file"], pool)
        self.progress.close()
        self._summary(time.monotonic() - began)
        if self.counts["refused"]:
            raise CommandError(f"{self.counts['refused']} of {total} lines were not imported; see above.")

    def _import(self, workspace: Workspace, path: Path, pool: ThreadPoolExecutor) -> None:
        """Some chunks are embedded, one a thread, while the next are checked and earlier ones written."""
        under_way: deque[tuple[Chunk, Future[Vectors]]] = deque()
        for chunk in self._chunks(workspace, path):
            under_way.append((chunk, pool.submit(_vectors, [line.text for _, line in chunk if line.text])))
            if len(under_way) > AHEAD:
                self._store(workspace, *under_way.popleft())
        while under_way:
            self._store(workspace, *under_way.popleft())

    def _chunks(self, workspace: Workspace, path: Path) -> Iterator[Chunk]:
        """Lines that are known already are in no chunk: they need no checking and no vector."""
        read: list[tuple[Place, MemoryRecorded]] = []
        for place, raw in lines_of(path):
            try:
                document = document_of(raw)
                read.append((place, model_of(MemoryRecorded, document)))
            except BadLine as error:
                self._refuse(place, str(error))
                continue
            except ENDS_IMPORT:
                raise
            except BaseException as error:  # a panic of a compiled library is no Exception
                self._refuse(place, failure_of(error))
                continue
            for name in sorted(set(unknown_fields(MemoryRecorded, document)) - self.passed_over):
                self.passed_over.add(name)
                self.progress.say(f"{place}: the field {name} is not known and is passed over.")
            if len(read) >= CHUNK:
                yield self._checked(workspace, read)
                read = []
        yield self._checked(workspace, read)

    def _checked(self, workspace: Workspace, read: Sequence[tuple[Place, MemoryRecorded]]) -> Chunk:
        began = time.monotonic()
        ids = [id_of(workspace, given) for _, given in read]
        known = known_ids(ids)
        chunk: Chunk = []
        for (place, given), line_id in zip(read, ids, strict=True):
            if line_id in known:
                self._count("known")
                continue
            try:
                chunk.append((place, check_line(workspace, given)))
            except CommonplaceError as error:
                self._refuse(place, error.message)
            except ENDS_IMPORT:
                raise
            except BaseException as error:
                self._refuse(place, failure_of(error))
        self.spent["guardrails"] += time.monotonic() - began
        return chunk

    def _store(self, workspace: Workspace, chunk: Chunk, vectors: "Future[Vectors]") -> None:
        began = time.monotonic()
        made, seconds = vectors.result()
        waited = time.monotonic()
        outcomes = store_lines(workspace, IMPORT, [line for _, line in chunk], made)
        self.spent["vectors"] += seconds
        self.spent["waiting"] += waited - began
        self.spent["database"] += time.monotonic() - waited
        for (place, _), stored in zip(chunk, outcomes, strict=True):
            if stored.outcome == "refused":
                self._refuse(place, stored.why)
                continue
            if stored.outcome == "blocked":
                self.progress.say(f"{place}: blocked by the guardrails ({stored.why}).")
            self._count(stored.outcome)

    def _refuse(self, place: Place, problem: str) -> None:
        self.progress.say(f"{place}: {problem}")
        self._count("refused")

    def _count(self, outcome: str) -> None:
        self.counts[outcome] += 1
        self.progress.step()

    def _summary(self, seconds: float) -> None:
        shown = [
            f"{self.counts[name]} {name}" for name in ("new", "overridden", "pending", "known", "blocked", "refused")
        ]
        self.stdout.write(", ".join(shown))
        rate = self.counts.total() / seconds if seconds else 0.0
        self.stdout.write(f"{seconds:.1f} seconds, {rate:.0f} lines a second")
        self.stdout.write(
            f"guardrails {self.spent['guardrails']:.1f} s, database {self.spent['database']:.1f} s, vectors "
            f"{self.spent['vectors']:.1f} s (threads: {THREADS}; waited for {self.spent['waiting']:.1f} s), "
            f"embedder {get_embedder().name}"
        )


def _vectors(texts: list[str]) -> tuple[Mapping[str, TextVector], float]:
    began = time.monotonic()
    return embed_all(texts), time.monotonic() - began
