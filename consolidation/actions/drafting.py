"""Notes that a language model finds in the turns, beside those of the rules: asked, checked, not yet stored."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Count, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from consolidation.distill import KEYS, DraftNote, SpokenTurn
from consolidation.llm import DISTILL, NotesProposed, distill_data, drafts_of, portions
from memory_app import guardrails
from memory_app.models import Memory, MemoryStatus, Slot
from memory_app.queries.slots import is_set_up

from .asking import Asking

MOST_KEYS = 100


def by_model(
    asking: Asking, turns: Sequence[SpokenTurn], said: Sequence[DraftNote]
) -> list[tuple[DraftNote, dict[str, Any]]]:
    """What the model proposes beyond what the rules have found, each with the entry of its call in the run.

    Where it gives no answer, the rules' notes are all there is, and the run says why."""
    keys = _keys(asking)
    found: list[tuple[DraftNote, dict[str, Any]]] = []
    for part in portions([_masked(asking.run.workspace.rules, turn) for turn in turns]):
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


def _masked(rules: guardrails.RuleSet, turn: SpokenTurn) -> SpokenTurn:
    """The turn as the detectors of today mask it; it was masked by those of its day when it was stored."""
    return replace(turn, text=guardrails.mask(turn.text, rules).text)


def _keys(asking: Asking) -> list[str]:
    """The keys that may be named: those of this user, then those that the workspace has set up or that the rules give
    as well, the most used first.
    What agents made up for other users stays theirs: a key may say what somebody has told."""
    run = asking.run
    memories = Memory.objects.filter(workspace=run.workspace_id, status=MemoryStatus.ACTIVE).exclude(key="")
    used = memories.filter(key=OuterRef("key")).order_by().values("key").annotate(n=Count("pk")).values("n")
    own = memories.filter(user=run.user_id).order_by("key").values_list("key", flat=True).distinct()
    slots = Slot.objects.filter(is_set_up() | Q(key__in=KEYS), workspace=run.workspace_id)
    registered = slots.annotate(used=Coalesce(Subquery(used), 0)).order_by("-used", "key").values_list("key", flat=True)
    return list(dict.fromkeys([*own[:MOST_KEYS], *registered[:MOST_KEYS]]))[:MOST_KEYS]
