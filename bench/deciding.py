"""``python -m bench.deciding``: what a guardrail check, a session's decisions and a worker's start take.

Deciding is measured without a database: twenty notes of a session against a user with two thousand memories. A worker's
start is that of a process that loads the tasks and what the first session needs.
"""

import cProfile
import os
import pstats
import random
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


def checking() -> None:
    """A guardrail check of 500 characters, in each language."""
    from memory_app.guardrails import check

    for name, text in (("English", _ENGLISH), ("Chinese", _CHINESE)):
        note = (text * 9)[:500]
        check(note)
        _told(f"guardrail check, 500 characters of {name}", _milliseconds(lambda n=note: check(n), 40), CHECK)  # type: ignore[misc]


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
