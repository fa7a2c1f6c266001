"""Memories that were considered for an answer, as pages list them: what, why it is in or out, and how well it fits."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from memory_app.addresses import page_url
from memory_app.domain.words import count_tokens
from memory_app.rule_words import words_of

#: The parts of a score in the order in which they are shown; what is none is not shown.
TERMS = (
    "keyword", "vector", "concept", "identifier", "subject", "condition", "time", "kind", "avoids", "covers", "session", "settled", "latest",
    "recency", "importance", "success", "pinned", "speaker", "follow", "around",
)  # fmt: skip


def reason_words(name: str, rule: str = "") -> str:
    """Why a memory is in an answer, or the gate that kept it out, with the guardrail's rule; a reason that is not known
    here shows as it is."""
    if name == "guardrail" and rule:
        return _("blocked by the injection guardrail: %(rule)s") % {"rule": words_of(rule).title}
    words = {
        "relevant": _("relevant"),
        "session_note": _("note of the session"),
        "pinned": _("pinned, always shown"),
        "operator_rule": _("high priority, always shown"),
        "procedure": _("procedure for this task"),
        "effective": _("fills its slot"),
        "scope": _("of another session or team"),
        "not_yet_true": _("not true yet at that moment"),
        "expired": _("expired"),
        "archived": _("archived"),
        "stale": _("stale: something newer took its place"),
        "guardrail": _("blocked by the injection guardrail"),
        "exposure": _("its slot is not shown in the context"),
        "threshold": _("not relevant enough"),
        "time": _("outside the time that is asked about"),
        "limit": _("others are more relevant"),
        "failing": _("it fails too often to be offered"),
        "repeated": _("another line says the same"),
        "untrimmed": _("the prompt still holds its turn"),
        "small_talk": _("small talk needs no memory"),
        "budget": _("no room within the budget"),
    }
    return words.get(name, name.replace("_", " "))


def terms_of(why: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each part of a score that counts, in words and with its sign."""
    words = {
        "keyword": _("words"),
        "vector": _("meaning"),
        "concept": _("field of life"),
        "identifier": _("exact name"),
        "subject": _("whom it is about"),
        "condition": _("condition"),
        "time": _("time"),
        "kind": _("kind"),
        "avoids": _("what is avoided"),
        "covers": _("every field of life"),
        "session": _("this session"),
        "settled": _("settled"),
        "latest": _("latest"),
        "recency": _("recency"),
        "importance": _("importance"),
        "success": _("success"),
        "pinned": _("pinned"),
        "speaker": _("who says it"),
        "follow": _("words of the best turn"),
        "around": _("what was said around it"),
    }
    return [
        (words[name], f"{value:+.3f}") for name in TERMS if isinstance(value := why.get(name), int | float) and value
    ]


def entry(
    slug: str,
    memory: str,
    text: str,
    reason: str,
    *,
    ref: str = "",
    version: int | None = None,
    included: bool = False,
    place: int | None = None,
    score: float | None = None,
    why: Mapping[str, Any] | None = None,
    because: str = "",
    href: str = "",
    rule: str = "",
) -> dict[str, Any]:
    """What templates/components/why.html draws one memory from."""
    why = why or {}
    return {
        "text": text,
        "href": href or page_url("memory", slug, memory),
        "included": included,
        "reason": reason_words(reason, rule or str(why.get("guardrail", ""))),
        "tokens": count_tokens(text),
        "ref": ref,
        "version": version,
        "place": place,
        "score": score,
        "kw_rank": why.get("kw_rank"),
        "vec_rank": why.get("vec_rank"),
        "terms": terms_of(why),
        "words": why.get("words") or [],
        "because": because,
    }
