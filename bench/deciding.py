"""``python -m bench.deciding``: what a guardrail check, a session's decisions and a worker's start take.

Deciding is measured without a database: twenty notes of a session against a user with two thousand memories. A worker's
start is that of a process that loads the tasks and what the first session needs.
"""

import cProfile
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
        f"{what:44} {middle:9.2f} ms (least {min(found):.2f}), at most {most:.0f}: {'yes' if middle < most else 'NO'}\n"
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


def deciding(notes: int = 20, memories: int = 2000) -> None:
    """The decisions on a session's notes against a user's memories, first as a fresh process has it, then warm."""
    from consolidation.domain.decide import decide
    from consolidation.domain.decisions import Candidate, Evidence, Existing
    from consolidation.domain.policy import Policy

    held = [Existing(id=f"m{n}", text=text, updated_at=SAID) for n, text in enumerate(_texts(memories, 1))]
    new = [
        Candidate(id=f"c{n}", text=text, said_at=SAID + timedelta(days=1, minutes=n), evidence=Evidence("user", text))
        for n, text in enumerate(_texts(notes, 2))
    ]
    alike = {(c.id, f"m{n}"): 0.3 for c in new for n in range(memories)}

    def work() -> None:
        decide(new, held, SAID + timedelta(days=2), Policy(), {}, alike)

    profile = cProfile.Profile()
    first = _milliseconds(work, 1)
    _told(f"{notes} notes against {memories:,} memories, fresh", first, DECIDE)
    _told(f"{notes} notes against {memories:,} memories, warm", _milliseconds(work, 5), DECIDE)
    profile.runcall(work)
    stats = pstats.Stats(profile)
    total = stats.total_tt  # type: ignore[attr-defined]
    rows = sorted(stats.stats.items(), key=lambda row: -row[1][2])[:5]  # type: ignore[attr-defined]
    for (file, line, name), (_, calls, own, _, _) in rows:
        sys.stdout.write(f"    {100 * own / total:5.1f} %  {Path(file).name}:{line} {name}, {calls:,} calls\n")


def starting() -> None:
    """A process that is ready to take a task."""
    code = "import django; django.setup(); import config.celery, consolidation.tasks, memory_app.guardrails as g; g.check('一 and two')"
    found = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, env={**os.environ, **_ENVIRONMENT})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)
    _told("start of a worker", found, START)


_ENVIRONMENT = {"DJANGO_SETTINGS_MODULE": "config.settings", "LOG_LEVEL": "WARNING"}


def main() -> None:
    """All three, one line each."""
    checking()
    deciding()
    starting()


if __name__ == "__main__":
    main()
