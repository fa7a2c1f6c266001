"""Notes that a language model finds in the turns, beside those of the rules: asked, checked, not yet stored."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from consolidation.distill import DraftNote, SpokenTurn
from consolidation.llm import DISTILL, NotesProposed, distill_data, drafts_of, portions
from memory_app import guardrails
from memory_app.models import Slot

from .asking import Asking

MOST_KEYS = 100


def by_model(
    asking: Asking, turns: Sequence[SpokenTurn], said: Sequence[DraftNote]
) -> list[tuple[DraftNote, dict[str, Any]]]:
    """What the model proposes beyond what the rules have found, each with the entry of its call in the run.

    Where it gives no answer, the rules' notes are all there is, and the run says why."""
    keys = _keys(asking)
    found: list[tuple[DraftNote, dict[str, Any]]] = []
    for part in portions([_masked(turn) for turn in turns]):
        known = [*said, *(draft for draft, _ in found)]
        reply = asking.ask(DISTILL, distill_data(part, known, keys), NotesProposed)
        if reply.value is None:
            continue
        drafts, dropped = drafts_of(reply.value, turns, known, keys)
        reply.entry["found"] = len(drafts)
        if dropped:
            reply.entry["dropped"] = dict(dropped)
        asking.save()
        found += [(draft, reply.entry) for draft in drafts]
    return found


def _masked(turn: SpokenTurn) -> SpokenTurn:
    """The turn as the detectors of today mask it; it was masked by those of its day when it was stored."""
    return replace(turn, text=guardrails.mask(turn.text).text)


def _keys(asking: Asking) -> list[str]:
    return list(
        Slot.objects.filter(workspace=asking.run.workspace_id).order_by("key").values_list("key", flat=True)[:MOST_KEYS]
    )
