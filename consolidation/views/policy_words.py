"""A policy in the reader's words."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from consolidation.domain.policy import DAYS, Policy
from memory_app.models import Action, Kind, Needs, Scope
from memory_app.reasons import hold_name, hold_sentence
from memory_app.wording import colon

from .own_words import guards_between
from .policy_form import PolicyForm

#: What the policy says to the guardrails; it has a page of its own.
GUARDED = ("own_rules", "rules_off")


def facts_of(policy: Policy) -> list[tuple[str, list[dict[str, Any]]]]:
    """The policy's own settings in words under their headings; one that the form does not know by its name."""
    form, document = PolicyForm(), policy.to_json()
    found = [(heading, [_fact(field.name, document[field.name], field.field) for field in fields])
             for heading, fields in form.parts]  # fmt: skip
    unknown = [
        _fact(name, document[name], None)
        for name in document
        if name not in {*GUARDED, "version", "holds", *form.fields}
    ]
    return found + ([(_("Other"), unknown)] if unknown else [])


def fields_between(old: Policy, new: Policy) -> list[dict[str, Any]]:
    """Every setting that differs, in words: `label`, what it was and what it would be; holds by what is added and gone."""
    before, after = facts_of(old), facts_of(new)
    found = [
        {"label": was["label"], "before": was["value"], "after": becomes["value"]}
        for (_heading, olds), (_same, news) in zip(before, after, strict=True)
        for was, becomes in zip(olds, news, strict=True)
        if was["value"] != becomes["value"]
    ]
    holds_before, holds_after = ([_hold_words(hold) for hold in one.to_json()["holds"]] for one in (old, new))
    for hold in holds_before:
        if hold not in holds_after:
            found.append({"label": _("Waits for a person"), "before": hold, "after": ""})
    for hold in holds_after:
        if hold not in holds_before:
            found.append({"label": _("Waits for a person"), "before": "", "after": hold})
    return found + guards_between(old, new)


def hold_of(hold: dict[str, Any]) -> dict[str, Any]:
    """A hold as a row: what it matches, and for whom that waits."""
    matches = []
    for name, words in (("kind", Kind), ("scope", Scope), ("action", Action)):
        if hold.get(name):
            matches.append(str(words(hold[name]).label))
    if hold.get("sensitive") is not None:
        matches.append(_("sensitive") if hold["sensitive"] else _("not sensitive"))
    told = hold_sentence(hold["name"])
    return {"title": hold_name(hold["name"]), "needs": Needs(hold["needs"]).label, "matches": matches,
            "sentence": told if told != hold["name"] else ""}  # fmt: skip


def _hold_words(hold: dict[str, Any]) -> str:
    row = hold_of(hold)
    matches = ", ".join(row["matches"]) or _("all changes")
    return f"{row['title']}{colon()}{matches} → {row['needs']}"


def _fact(name: str, value: Any, field: Any) -> dict[str, Any]:
    words = dict(getattr(field, "choices", ()))
    if value is True or value is False:
        shown: Any = _("yes") if value else _("no")
    elif name in DAYS:
        shown = ngettext("%(days)s day", "%(days)s days", value) % {"days": f"{value:,}"} if value else _("for ever")
    else:
        shown = words.get(value, f"{value:,}" if isinstance(value, int) else value)
    return {"label": field.label if field else name.replace("_", " "), "value": shown,
            "hint": field.help_text if field else "", "unknown": field is None}  # fmt: skip
