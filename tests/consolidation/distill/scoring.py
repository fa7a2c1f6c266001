"""The score of distillation on a file of cases: precision and recall over notes, empty cases left empty."""

import collections
import json
import re
import unicodedata
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from consolidation.distill import DraftNote, SpokenTurn, distill

CASES = Path(__file__).parents[2] / "cases"


def turns_of(case: dict[str, Any]) -> list[SpokenTurn]:
    """The turns of a case as distillation takes them."""
    at = datetime.fromisoformat(case["input"]["said_at"])
    return [SpokenTurn(str(i), i, t["role"], t["text"], at) for i, t in enumerate(case["input"]["turns"])]


def _norm(value: Any) -> str:
    return re.sub(r"[\s_\-]+", "", unicodedata.normalize("NFKC", str(value)).casefold())


def _alike(a: str, b: str) -> float:
    a, b = _norm(a), _norm(b)
    left, right = (collections.Counter(x[i : i + 2] for i in range(len(x) - 1)) for x in (a, b))
    total = sum(left.values()) + sum(right.values())
    return 2 * sum((left & right).values()) / total if total else float(a == b)


def _fits(note: DraftNote, want: dict[str, Any]) -> bool:
    if note.scope != want["scope"]:
        return False
    if want["value"] is not None and note.value is not None and _norm(note.value) == _norm(want["value"]):
        return True
    return _alike(note.text, want["gist"]) >= 0.45


@dataclass
class Score:
    """Counts over cases, and the cases that were not exactly right."""

    found: int = 0
    got: int = 0
    wanted: int = 0
    empty: int = 0
    left_empty: int = 0
    forbidden: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.found / self.got if self.got else 0.0

    @property
    def recall(self) -> float:
        return self.found / self.wanted if self.wanted else 0.0

    @property
    def emptiness(self) -> float:
        return self.left_empty / self.empty if self.empty else 1.0


def add(score: Score, case: dict[str, Any]) -> None:
    """The case is counted."""
    notes = distill(turns_of(case))
    left, hits = list(notes), 0
    wanted = case["expect"]["candidates"]
    for want in wanted:
        match = next((n for n in left if _fits(n, want)), None)
        if match is not None:
            left.remove(match)
            hits += 1
    said = " ".join(n.text for n in notes)
    bad = [w for w in case.get("must_not_contain", []) if w in said]
    score.found += hits
    score.got += len(notes)
    score.wanted += len(wanted)
    score.forbidden += len(bad)
    if not wanted:
        score.empty += 1
        score.left_empty += not notes
    if bad or not hits == len(wanted) == len(notes):
        score.wrong.append(
            f"{case['id']}: {[(n.scope, n.key, n.value, n.text) for n in notes]} want {[(w['scope'], w['value'], w['gist']) for w in wanted]} said {[t['text'] for t in case['input']['turns']]}"
        )


def scores(name: str) -> dict[str, Score]:
    """The score of a file of cases, in all and by language."""
    out: dict[str, Score] = collections.defaultdict(Score)
    for line in (CASES / name).read_text("utf-8").splitlines():
        case = json.loads(line)
        for group in ("all", case["lang"]):
            add(out[group], case)
    return dict(out)


if __name__ == "__main__":
    import sys

    for name in sys.argv[1:] or ["distill.jsonl", "distill_own.jsonl"]:
        for group, s in scores(name).items():
            print(
                name,
                group,
                f"precision {s.precision:.3f} recall {s.recall:.3f} empty {s.emptiness:.3f} forbidden {s.forbidden} ({s.found}/{s.got}/{s.wanted})",
            )
        print("\n".join(scores(name)["all"].wrong))
