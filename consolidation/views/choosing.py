"""What a decision that waits for a choice may become, each with what it would do: the decision drawn as if chosen."""

import copy
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from consolidation.domain.compare.cues import states_addition
from memory_app.actions.rulings import Ruling, content_of
from memory_app.models import Action, Decision, Memory, MemoryStatus
from memory_app.slot_words import key_words

from .flow import effect_of


@dataclass(frozen=True)
class Choice:
    """One thing that it may become: its action, its words on the button and beside the control; `why_not` where it
    cannot be."""

    action: str
    text: str
    explained: str = ""
    why_not: str = ""
    chosen: bool = False


def choices_of(decision: Decision, wanted: str = "") -> list[Choice]:
    """The choices of a review, the wanted one chosen, else the proposed one, else what storing it would be, as the slot
    is now; none for what is decided, or has nothing to choose. None is chosen where each would lose what was said."""
    if decision.action != Action.REVIEW or not decision.is_open or decision.note_id is None:
        return []
    found = _offered(decision)
    able = [one.action for one in found if not one.why_not]
    proposed = decision.proposed_action
    chosen = wanted if wanted in able else proposed if proposed in able else stored_as(decision)
    return [Choice(one.action, one.text, one.explained, one.why_not, one.action == chosen) for one in found]


def stored_as(decision: Decision) -> str:
    """What storing it would be where no rule says: a change of the memory that it contradicts, else a new one. Beside
    that memory where both can stand and the slot, or the user, has several; "" where the user has and the slot has not.
    """
    memory = decision.memory
    if memory is None or memory.status != MemoryStatus.ACTIVE:
        return Action.PROMOTE
    both = decision.note is not None and not _one_only(decision, memory)
    if decision.note is not None and states_addition(decision.note.evidence_quote):
        return Action.PROMOTE if both else ""
    return Action.PROMOTE if both and _in_slot(decision, memory) else Action.OVERRIDE


def as_chosen(decision: Decision, choices: list[Choice]) -> Decision:
    """The decision as it would be with the choice; itself where there is none to make. Never saved."""
    action = next((one.action for one in choices if one.chosen), "")
    if not action or action == effect_of(decision):
        return decision
    shown = copy.copy(decision)
    shown.action = action
    if action in (Action.PROMOTE, Action.OVERRIDE):
        shown.after = content_of(decision, Ruling(action=action), action)
    if action == Action.PROMOTE:
        shown.memory = shown.before = shown.base_version = None
    return shown


def _offered(decision: Decision) -> list[Choice]:
    memory = decision.memory
    if memory is None or memory.status != MemoryStatus.ACTIVE:
        found = [
            Choice(Action.PROMOTE, _("Store as memory"), _("a new memory")),
            Choice(Action.SESSION_ONLY, _("Session only"), _("nothing lasting is written")),
            Choice(Action.REJECT, _("Reject"), _("nothing is written")),
        ]
    else:
        words: dict[str, Any] = {"ref": memory.ref}
        found = [
            Choice(Action.OVERRIDE, _("Replace %(ref)s") % words, _("what it said stays in its history")),
            Choice(Action.PROMOTE, _("Keep both"), _("a second memory beside it"), _one_only(decision, memory)),
            Choice(Action.REJECT, _("Keep %(ref)s") % words, _("nothing is written")),
            Choice(Action.SESSION_ONLY, _("Session only"), _("%(ref)s stays as it is") % words),
        ]
    if decision.proposed_action and decision.proposed_action not in {one.action for one in found}:
        ref = memory.ref if memory is not None else ""
        words_of: dict[str, str] = {
            Action.DEDUPE: _("Confirm %(ref)s"),
            Action.RETRACT: _("Forget %(ref)s"),
        }
        text = words_of.get(decision.proposed_action, _("As proposed")) % {"ref": ref}
        found.insert(0, Choice(decision.proposed_action, text))
    return found


def _one_only(decision: Decision, memory: Memory) -> str:
    """Why a second one cannot stand beside it: it would fill the same slot, which holds one."""
    if not memory.single or not _in_slot(decision, memory):
        return ""
    return _("%(key)s holds one value at a time") % {"key": key_words(memory.key)}


def _in_slot(decision: Decision, memory: Memory) -> bool:
    content = content_of(decision, Ruling(action=Action.PROMOTE), Action.PROMOTE)
    slot = ("key", "condition", "subject")
    return bool(memory.key) and all((content.get(name) or "") == (getattr(memory, name) or "") for name in slot)
