"""The injection guardrail over what is about to be handed out."""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from typing import Any

from memory_app.domain.ranking import Item
from memory_app.guardrails import HANDED_OUT, JUDGED_CATEGORIES, RuleSet, Verdict, check_fields
from memory_app.models import Block, Scope, Workspace

UNCHECKED = "pii.unread"  # what a check that failed says, here as in the scan
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

    def lets(self, item: Item, verdict: Verdict) -> bool:
        """Whether this very text passes for the user or team that the memory is of."""
        if verdict.category not in JUDGED_CATEGORIES:
            return False
        owner = (item.user_id, item.team_id if item.scope == Scope.TEAM else None)
        if owner not in self._passed:
            blocks = Block.objects.released_for(self._workspace.pk, *owner)
            self._passed[owner] = frozenset(blocks.values_list("category", "masked"))
        return (verdict.category, verdict.masked) in self._passed[owner]


def refused(item: Item, released: Released) -> str | None:
    """The rule for which a memory must not reach a prompt, as the scan of what is stored would name it; None: it may.
    A rule that fails refuses. What was released as a false positive refuses nothing."""
    fields = {name: getattr(item, name) for name in HANDED_OUT}
    rule = _rule(released.rules, fields, item.key)
    if rule is None or rule == UNCHECKED:
        return rule
    passed = partial(released.lets, item)
    verdict = check_fields(released.rules, fields, "injection", key=item.key, passed=passed).verdict
    return None if verdict is None else verdict.rule


def unsafe(rules: RuleSet, said: Any) -> bool:
    """Whether a text or a value that is no memory must not reach a prompt."""
    return _rule(rules, {"value": said}, "") is not None


def _rule(rules: RuleSet, fields: Mapping[str, Any], key: str) -> str | None:
    # By a hash with the rules: no text stays in the cache, and other rules, of another workspace too, ask again.
    told = json.dumps([rules.mark, key, fields], ensure_ascii=False, default=str)
    mark = hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16).digest()
    with _lock:
        if mark in _kept:
            _kept.move_to_end(mark)
            return _kept[mark]
    try:
        verdict = check_fields(rules, fields, "injection", key=key).verdict
    except Exception:
        return UNCHECKED
    answer = None if verdict is None else (verdict.rule or UNCHECKED)
    with _lock:
        _kept[mark] = answer
        while len(_kept) > _LIMIT:
            _kept.popitem(last=False)
    return answer
