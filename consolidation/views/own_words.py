"""A workspace's own rules, and the built-in ones that can be switched off, in the reader's words."""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _

from consolidation.domain.policy import Policy
from consolidation.models import PolicyVersion
from memory_app.addresses import page_url
from memory_app.guardrails import OwnRule
from memory_app.guardrails.own import SWITCHES
from memory_app.models import Category
from memory_app.rule_words import words_of

from .own_form import EFFECTS, FINDS


def own_rows(
    policy: Policy, versions: Mapping[int, PolicyVersion], counts: Mapping[str, int], slug: str, days: int, entire: bool
) -> list[dict[str, Any]]:
    """Each rule as a row. What it looks for is shown to those who may see it `entire`; to the others only how much."""
    return [
        {
            "rule": rule,
            "finds": dict(FINDS)[rule.finds],
            "entries": rule.entries if entire else (),
            "effect": dict(EFFECTS)[rule.effect],
            "version": versions.get(rule.since),
            "count": counts.get(rule.rule, 0),
            "url": page_url("guardrails", slug, category=rule.category, q=rule.rule, days=days),
        }
        for rule in policy.own_rules
    ]


def switches(off: Collection[str]) -> list[tuple[str, list[dict[str, Any]]]]:
    """The built-in rules that can be switched off, by category."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in SWITCHES:
        found.setdefault(name.partition(".")[0], []).append({"name": name, "words": words_of(name), "off": name in off})
    return list(found.items())


def guards_between(old: Policy, new: Policy) -> list[dict[str, Any]]:
    """What differs between two policies in what they say to the guardrails: `label`, what it was and what it would be."""
    before, after = ({rule.name: rule for rule in one.own_rules} for one in (old, new))
    found = [
        {"label": _("Own rule “%(name)s”") % {"name": name}, "before": _told(before.get(name)),
         "after": _told(after.get(name))}
        for name in [*before, *(name for name in after if name not in before)]
        if before.get(name) != after.get(name)
    ]  # fmt: skip
    words = {name: str(words_of(name).title) for name in {*old.rules_off, *new.rules_off}}
    for name in sorted(words):
        was, becomes = name in old.rules_off, name in new.rules_off
        if was != becomes:
            on, off = words[name], _("switched off")
            found.append({"label": on, "before": off if was else _("on"), "after": off if becomes else _("on")})
    return found


def _told(rule: OwnRule | None) -> str:
    if rule is None:
        return ""
    parts = [str(dict(FINDS)[rule.finds]), " · ".join(rule.entries), str(Category(rule.category).label),
             str(dict(EFFECTS)[rule.effect]), "" if rule.on else _("switched off"), rule.why]  # fmt: skip
    return ", ".join(part for part in parts if part)
