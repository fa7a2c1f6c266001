"""What a language model had to do with it, in words: for the page of a decision, and for that of a session."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from consolidation.actions.gathering import proposed_by_model
from memory_app.models import Decision, NoteOrigin
from memory_app.reasons import sentence
from memory_app.wording import together

#: Why a call gave no answer.
OUTCOMES: dict[str, Any] = {
    "asked": gettext_lazy("The worker stopped before the answer came."),
    "not_configured": gettext_lazy("No language model is configured here, so only the rules were asked."),
    "over_budget": gettext_lazy("The budget of the session is used up, so the rest was left to the rules."),
    "timeout": gettext_lazy("It did not answer in time."),
    "unreachable": gettext_lazy("It could not be reached."),
    "server_error": gettext_lazy("Its server failed."),
    "rate_limited": gettext_lazy("Its server has too much to do."),
    "redirected": gettext_lazy("Its server pointed to another address, which is not followed."),
    "request_refused": gettext_lazy("Its server refused the request; its settings may be wrong."),
    "declined": gettext_lazy("It declined to answer."),
    "truncated": gettext_lazy("Its answer broke off."),
    "too_large": gettext_lazy("Its answer was too large."),
    "not_json": gettext_lazy("Its answer could not be read."),
    "schema": gettext_lazy("Its answer did not have the form that was asked for."),
}
#: Why something in an answer counts for nothing.
DROPPED: dict[str, Any] = {
    "invented_quote": gettext_lazy("It quoted words that the user has not said."),
    "not_from_user": gettext_lazy("It took something from a turn that is not the user’s."),
    "already_noted": gettext_lazy("It repeated what the rules had found."),
    "taken_back": gettext_lazy("The user had taken it back."),
    "blocked": gettext_lazy("A guardrail refused its words."),
    "adds_facts": gettext_lazy("Its wording said more than the user and memory do."),
    "not_stated": gettext_lazy("The quote does not say it."),
    "no_value": gettext_lazy("Its wording had no value for the slot."),
    "no_memory": gettext_lazy("There is no memory that it could change."),
    "older": gettext_lazy("The note is older than what it would change."),
}


def model_of(decision: Decision) -> dict[str, Any] | None:
    """What a model proposed, why, and what it cost; None where it was not asked."""
    told = decision.params.get("model")
    if isinstance(told, Mapping):
        return _judged(decision, told)
    note = decision.note
    if note is None or decision.session is None or note.origin != NoteOrigin.DISTILLED:
        return None
    engine = proposed_by_model(decision.session).get(str(note.pk))
    return (
        {"lines": [_("A language model found this in the turns (%(engine)s).") % {"engine": engine}]}
        if engine
        else None
    )


def _judged(decision: Decision, told: Mapping[str, Any]) -> dict[str, Any]:
    engine, tokens = str(told.get("engine", "")), int(told.get("tokens") or 0)
    lines = [_("A language model was asked what to make of it (%(engine)s).") % {"engine": engine}]
    if told.get("refused"):
        lines += [_reason(str(told["refused"])), _("So its answer counts for nothing.")]
    elif told.get("choice") == "unclear":
        lines.append(_("It could not tell either."))
    if decision.params.get("decided"):
        lines.append(
            _("The rules said: %(reason)s") % {"reason": sentence(str(decision.params["decided"]), decision.params)}
        )
    if tokens:
        lines.append(ngettext("%(count)s token.", "%(count)s tokens.", tokens) % {"count": f"{tokens:,}"})
    return {"lines": lines, "why": str(told.get("why") or "")}


def calls_of(calls: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each call of a run: the model and its prompt, how it ended, and what was made of its answer."""
    return [{"engine": call.get("engine", ""), "words": _call_words(call)} for call in calls]


def _call_words(call: Mapping[str, Any]) -> str:
    found, tokens = int(call.get("found") or 0), int(call.get("tokens") or 0)
    if call.get("outcome") == "answered":
        words = [ngettext("%(count)s proposal.", "%(count)s proposals.", found) % {"count": found}]
    else:
        words = [_reason(str(call.get("outcome", "")))]
    words += [_reason(name) for name in call.get("dropped", {})]
    if tokens:
        words.append(ngettext("%(count)s token.", "%(count)s tokens.", tokens) % {"count": f"{tokens:,}"})
    return together(*words)


def _reason(name: str) -> str:
    return str(OUTCOMES.get(name) or DROPPED.get(name) or name)
