"""What evaluations are called: outcomes, kinds of cases, what was expected, and what a person had ruled."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from consolidation.models import Evaluation
from memory_app.addresses import page_url
from memory_app.labels import ACTIONS, CATEGORIES, label_of
from memory_app.models import Block, Decision

Words = dict[str, str | Promise]
#: In the order of tiles and of the chart.
OUTCOMES: Words = {
    "right": pgettext_lazy("outcome", "Right"),
    "harmful": pgettext_lazy("outcome", "Harmful"),
    "missed": pgettext_lazy("outcome", "Missed"),
    "other": pgettext_lazy("outcome", "Otherwise"),
}
MEANINGS: Words = {
    "right": gettext_lazy("As it should be."),
    "harmful": gettext_lazy("It would be held or shown, and should not."),
    "missed": gettext_lazy("It should be held or found, and would not."),
    "other": gettext_lazy("Neither, such as a person being asked."),
}
#: The class that gives an outcome its tone, and its symbol.
TONES = {"right": "approved", "harmful": "secret", "missed": "pending", "other": "session_only"}
ICONS = {"right": "check", "harmful": "shield", "missed": "warn", "other": "clock"}
KINDS: Words = {
    "guardrail": gettext_lazy("Guardrails"),
    "distill": pgettext_lazy("cases", "Distilling"),
    "consolidation": gettext_lazy("Decisions"),
    "recall": gettext_lazy("Recall"),
}
RULINGS: Words = {
    "confirmed": gettext_lazy("Approved"),
    "changed": pgettext_lazy("ruling", "Overruled"),
    "edited": pgettext_lazy("ruling", "Edited"),
    "declined": gettext_lazy("Declined"),
    "undone": gettext_lazy("Undone"),
    "released": gettext_lazy("Released"),
    "kept": gettext_lazy("Kept"),
}
SAYS: Words = {
    "confirmed": gettext_lazy("A person approved it as it was proposed."),
    "changed": gettext_lazy("A person made something else of it."),
    "edited": gettext_lazy("A person approved it in other words."),
    "declined": gettext_lazy("A person declined it: nothing of it should be remembered."),
    "undone": gettext_lazy("A person undid it: it should not be done again without asking."),
    "released": gettext_lazy("A person released it as a false positive: it should pass."),
    "kept": gettext_lazy("A person kept the block: it should not pass."),
}
_EXPECTED: Words = {
    "allow": pgettext_lazy("expected", "Let through"),
    "notes": pgettext_lazy("expected", "Notes"),
    "memories": pgettext_lazy("expected", "Memories"),
    "nothing": pgettext_lazy("expected", "Nothing"),
}
STATUSES: Words = {
    "running": gettext_lazy("Running"),
    "done": gettext_lazy("Done"),
    "cancelled": gettext_lazy("Cancelled"),
    "failed": gettext_lazy("Failed"),
}


def expected_words(name: str) -> str:
    """The word for what was expected; an unknown one shows by its name."""
    if name in _EXPECTED:
        return str(_EXPECTED[name])
    return str(label_of(ACTIONS if name in ACTIONS else CATEGORIES, name).text)


def language_words(name: str) -> str:
    return {"en": _("English"), "zh": _("Chinese"), "mixed": _("Mixed")}.get(name, _("Unknown"))


def group_words(group: str, name: str) -> str:
    """The word for a value of what a run's cases are told apart by."""
    if group == "kind":
        return str(KINDS.get(name, name))
    return expected_words(name) if group == "expected" else language_words(name)


def outcome_of(name: str) -> dict[str, Any]:
    """What templates/consolidation/outcome.html draws."""
    return {
        "name": name,
        "text": OUTCOMES.get(name, name),
        "tone": TONES.get(name, ""),
        "icon": ICONS.get(name, "warn"),
    }


def set_words(evaluation: Evaluation) -> str:
    """The name of the set, or of the labels."""
    return str(evaluation.case_set) if evaluation.case_set is not None else _("People's rulings")


def counts_of(counts: Mapping[str, int]) -> dict[str, Any]:
    """The numbers of outcomes, their total, and the share that was right; None where nothing was run."""
    total = sum(counts.values())
    numbers = [{"outcome": outcome_of(name), "count": counts.get(name, 0)} for name in OUTCOMES]
    return {"numbers": numbers, "total": total, "share": counts.get("right", 0) / total if total else None}


def subject_words(subject: Decision | Block | None) -> tuple[str, str]:
    """The ref and the words of the decision or block behind a label; nothing where it is gone."""
    if isinstance(subject, Block):
        return subject.ref, subject.masked
    if subject is None:
        return "", ""
    return subject.ref, subject.note.text if subject.note is not None else ""


def subject_url(subject: Decision | Block | None, slug: str) -> str:
    if isinstance(subject, Block):
        return page_url("block", slug, subject.pk)
    return page_url("review", slug, status="all", item=subject.pk) if subject is not None else ""
