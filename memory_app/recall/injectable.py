"""The injection guardrail over what is about to be handed out."""

import hashlib
import json
import threading
from collections import OrderedDict
from typing import Any

from memory_app.domain.ranking import Item
from memory_app.guardrails import JUDGED_CATEGORIES, RuleSet, check
from memory_app.models import Block, Scope, Workspace

_LIMIT = 20_000
_kept: "OrderedDict[bytes, str | None]" = OrderedDict()
_lock = threading.Lock()


class Released:
    """What operators have released as false positives for those whose memory is about to be handed out; looked up only
    when something is refused."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.rules = workspace.rules
        self._passed: dict[tuple[str | None, str | None], frozenset[tuple[str, str]]] = {}

    def lets(self, item: Item, category: str) -> bool:
        """Whether this very text passes for the user or team that the memory is of."""
        owner = (item.user_id, item.team_id if item.scope == Scope.TEAM else None)
        if owner not in self._passed:
            blocks = Block.objects.released_for(self._workspace.pk, *owner)
            self._passed[owner] = frozenset(blocks.values_list("category", "masked"))
        return (category, item.text) in self._passed[owner]


def refused(item: Item, released: Released) -> str | None:
    """The category for which a memory must not reach a prompt; None: it may. A rule that fails refuses. Of a text
    that was released as a false positive only what else the memory holds can be refused."""
    rules = released.rules
    slot = rules.slot(item.key)
    if slot is not None:
        return slot.category
    shown = [item.text, item.key, item.condition, item.subject, _in_words(item.value)]
    if rules.own:
        shown.append(item.key.replace("_", " "))
    category = _category(rules, "\n".join(part for part in shown if part))
    if category in JUDGED_CATEGORIES and released.lets(item, category):
        return _category(rules, "\n".join(part for part in shown[1:] if part and part != item.text))
    return category


def unsafe(rules: RuleSet, said: Any) -> bool:
    """Whether a text or a value that is no memory must not reach a prompt."""
    return _category(rules, _in_words(said)) is not None


def _in_words(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _category(rules: RuleSet, text: str) -> str | None:
    # By a hash with the rules: no text stays in the cache, and other rules, of another workspace too, ask again.
    key = hashlib.blake2b(f"{rules.mark}\0{text}".encode("utf-8", "replace"), digest_size=16).digest()
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    try:
        verdict = check(text, "injection", rules)
    except Exception:
        return "unchecked"
    answer = None if verdict.allowed else (verdict.category or "unchecked")
    with _lock:
        _kept[key] = answer
        while len(_kept) > _LIMIT:
            _kept.popitem(last=False)
    return answer
