"""Whether what a person merges contradicts what it would become a source of, in words that they are asked to weigh."""

from typing import Any

from django.utils.translation import gettext as _

from consolidation.domain.differences import Difference, Said, differences
from memory_app.models import Decision, Memory, Note


def doubt_of(decision: Decision, memory_id: str) -> dict[str, Any] | None:
    """The memory, and what of the note is at odds with it; None where nothing is, or there is nothing to compare."""
    memory = Memory.objects.filter(workspace=decision.workspace_id, pk=memory_id).first()
    if memory is None or decision.note is None:
        return None
    found = differences(_said(decision.note), _said(memory))
    return {"memory": memory, "lines": [_sentence(one, memory.ref) for one in found]} if found else None


def _said(one: Note | Memory) -> Said:
    return Said(one.text, one.key, one.value, one.condition)


def _sentence(one: Difference, ref: str) -> str:
    told = {
        "value": _("The value differs: %(mine)s here, %(theirs)s in %(ref)s."),
        "number": _("The numbers differ: %(mine)s here, %(theirs)s in %(ref)s."),
        "condition": _("They hold for different cases: %(mine)s here, %(theirs)s in %(ref)s."),
        "negation": _("One of them denies what the other says."),
        "topic": _("They name different things."),
    }
    none = _("none")
    if one.kind == "condition" and not (one.mine and one.theirs):
        return _("They hold for different cases.")
    return told[one.kind] % {"mine": one.mine or none, "theirs": one.theirs or none, "ref": ref}
