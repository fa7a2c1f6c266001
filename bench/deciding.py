"""``python -m bench.deciding``: what a guardrail check, a session's decisions and a worker's start take.

Deciding is measured without a database: twenty notes of a session against a user with two thousand memories, of which a
run reads those near to its notes (consolidation/actions/gathering.py), and against all of them, seven sentences over and
over, so that nearly every memory has a word of some note. A worker's start is that of a process that loads the tasks, the
dictionary and what the first session needs.
"""

import cProfile
import json
import os
import pstats
import random
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
#: Times that must hold, in milliseconds of CPU.
CHECK, DECIDE, START = 5.0, 300.0, 5000.0
SAID = datetime(2026, 9, 1, 9, tzinfo=UTC)

_ENGLISH = (
    "The user prefers aisle seats on long flights and usually books the hotel near the station. On Mondays the team meets"
    " at ten, and the release goes out on Thursday after two people have read the change. Invoices come by the fifth. "
)
_CHINESE = (
    "用户偏好靠过道的座位，出差一般住在车站附近的酒店。每周一十点团队开会，周四发布，发布前要两个人看过改动。"
    "部署用的是内部的流水线，遇到报错先看日志再重启服务，不要直接删除缓存。"
)
_WHAT = (
    "tea",
    "jazz",
    "hiking",
    "crosswords",
    "pears",
    "tabs",
    "mornings",
    "markets",
    "trams",
    "lakes",
    "chess",
    "rye bread",
)
_WHERE = ("Oslo", "Leeds", "Porto", "Graz", "Turku", "Ghent", "Brno", "Lyon", "Bergen", "Cork", "Delft", "Namur")
_FORMS = (
    "Likes {what} from {where}", "Met a supplier of {what} in {where} in week {n}", "Keeps {n} notes on {what}",
    "Order {n} goes to {where}", "喜欢{where}的{what}", "第 {n} 周在 {where} 谈了 {what}", "Service {n} listens on port {port}",
)  # fmt: skip


def _texts(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)  # noqa: S311  (made up, and the same each time)
    return [
        chance.choice(_FORMS).format(
            what=chance.choice(_WHAT), where=chance.choice(_WHERE), n=n, port=chance.randrange(1024, 65000)
        )
        for n in range(count)
    ]


def _milliseconds(work: Callable[[], Any], times: int) -> list[float]:
    found = []
    for _ in range(times):
        began = time.process_time()
        work()
        found.append((time.process_time() - began) * 1000)
    return found


def _told(what: str, found: list[float], most: float) -> None:
    middle = statistics.median(found)
    sys.stdout.write(
        f"{what:58} {middle:9.2f} ms (least {min(found):.2f}), at most {most:.0f}: {'yes' if middle < most else 'NO'}\n"
    )


def _notes(text: str, count: int) -> list[str]:
    """Notes of 500 characters in which the text's sentences stand in another order and with another number each time,
    so that nothing that is remembered of one answers for the next."""
    chance = random.Random(3)  # noqa: S311
    sentences = [part for part in re.split(r"(?<=[.。])\s?", text) if part]
    mark = " " if text.isascii() else ""
    found = []
    for n in range(count):
        chosen = [s for _ in range(9) for s in (*chance.sample(sentences, len(sentences)), f"{n + 2}.")]
        found.append(mark.join(chosen)[:500])
    return found


def checking() -> None:
    """A guardrail check of 500 characters, in each language, of notes that were never seen before."""
    from memory_app.guardrails import check

    for name, text in (("English", _ENGLISH), ("Chinese", _CHINESE)):
        notes = _notes(text, 50)
        for note in notes[:10]:
            check(note)
        rest = iter(notes[10:])
        _told(f"guardrail check, 500 characters of {name}", _milliseconds(lambda r=rest: check(next(r)), 40), CHECK)  # type: ignore[misc]


def _likeness(one: str, other: str) -> int:
    """How many neighbouring characters two texts share, in place of their vectors."""
    return len({one[i : i + 2] for i in range(len(one) - 1)} & {other[i : i + 2] for i in range(len(other) - 1)})


def _situation(notes: int, memories: int, near: int) -> Callable[[], Any]:
    """The decisions on a session's notes against the `near` memories most like each of them, or against all."""
    from consolidation.domain.decide import decide
    from consolidation.domain.decisions import Candidate, Evidence, Existing
    from consolidation.domain.policy import Policy

    said = _texts(notes, 2)
    held = dict(enumerate(_texts(memories, 1)))
    if near:
        alike_to = (sorted(held, key=lambda n: (-_likeness(text, held[n]), n))[:near] for text in said)
        held = {n: held[n] for n in sorted(set().union(*alike_to))}
    existing = [Existing(id=f"m{n}", text=text, updated_at=SAID) for n, text in held.items()]
    new = [
        Candidate(id=f"c{n}", text=text, said_at=SAID + timedelta(days=1, minutes=n), evidence=Evidence("user", text))
        for n, text in enumerate(said)
    ]
    alike = {(c.id, e.id): 0.3 for c in new for e in existing}
    return lambda: decide(new, existing, SAID + timedelta(days=2), Policy(), {}, alike)


def deciding(near: int, notes: int = 20, memories: int = 2000) -> None:
    """Prints what the decisions take in this process, which has not read these memories yet, and then what they take warm."""
    from memory_app.domain import words

    words.load()  # as a worker does before it takes a task
    work = _situation(notes, memories, near)
    found = _milliseconds(work, 4)
    profile = cProfile.Profile()
    profile.runcall(work)
    stats = pstats.Stats(profile)
    total = stats.total_tt  # type: ignore[attr-defined]
    rows = sorted(stats.stats.items(), key=lambda row: -row[1][2])[:5]  # type: ignore[attr-defined]
    told = [
        f"    {100 * own / total:5.1f} %  {Path(file).name}:{line} {name}, {calls:,} calls"
        for (file, line, name), (_, calls, own, _, _) in rows
    ]
    sys.stdout.write(json.dumps([found, told]))


def _decided(near: int) -> None:
    """Both times for the memories that a session's run reads, as `near` says: three processes that start afresh."""
    code = f"from bench.deciding import deciding; deciding({near})"
    ran = [
        json.loads(subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
        for _ in range(3)
    ]
    what = f"{near} nearest to each note" if near else "all compared"
    _told(f"20 notes, 2,000 memories, {what}, fresh", [found[0] for found, _ in ran], DECIDE)
    _told(f"20 notes, 2,000 memories, {what}, warm", [ms for found, _ in ran for ms in found[1:]], DECIDE)
    sys.stdout.write("\n".join(ran[0][1]) + "\n")


def starting() -> None:
    """A process that is ready to take a task."""
    code = "import django; django.setup(); import config.celery, consolidation.tasks, memory_app.guardrails as g; config.celery.load_before_parting(); g.check('一 and two')"
    found = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, env={**os.environ, **_ENVIRONMENT})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)
    _told("start of a worker", found, START)


_ENVIRONMENT = {"DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "WARNING"}


def main() -> None:
    """Each with the time that must hold."""
    checking()
    for near in (20, 0):  # a run reads those near to its notes, a preview 500 at most: all of them is beyond both
        _decided(near)
    starting()


if __name__ == "__main__":
    main()
