"""The injection guardrail over what is about to be handed out.

What it lets pass is marked: a memory keeps the mark of its own words, and is not read again for as long as it is the same.
A mark holds for these very words under these very rules, as this edition of the code reads them; whoever can write to the
database, and does not have the installation's key, can make none.
"""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from django.conf import settings

from memory_app.domain.ranking import Item
from memory_app.guardrails import HANDED_OUT, JUDGED_CATEGORIES, RuleSet, Verdict, check_fields
from memory_app.guardrails.edition import EDITION
from memory_app.models import Block, Memory, Scope, Workspace

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
        #: By id, the version and the mark of what had none and was read and let pass just now.
        self.marked: dict[str, tuple[int, bytes]] = {}
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
    fields, own = _fields(item), mark_of(released.rules, item)
    if item.passed == own:
        return None
    rule = _rule(released.rules, fields, item.key, own)
    if rule is None:
        released.marked[item.id] = (item.version, own)
    if rule is None or rule == UNCHECKED:
        return rule
    passed = partial(released.lets, item)
    verdict = check_fields(released.rules, fields, "injection", key=item.key, passed=passed).verdict
    return None if verdict is None else verdict.rule


def mark_if_harmless(rules: RuleSet, memory: Memory) -> bytes | None:
    """The mark of what the memory says, to be stored with it; None where the guardrail would not let it pass."""
    own = mark_of(rules, memory)
    return own if memory.passed == own or _rule(rules, _fields(memory), memory.key, own) is None else None


def mark_of(rules: RuleSet, said: Item | Memory) -> bytes:
    """What a memory of these very words would be marked with under these rules, if they pass."""
    return _mark(rules, _fields(said), said.key)


def _fields(said: Item | Memory) -> dict[str, Any]:
    return {name: getattr(said, name) for name in HANDED_OUT}


def unsafe(rules: RuleSet, said: Any) -> bool:
    """Whether a text or a value that is no memory must not reach a prompt."""
    fields = {"value": said}
    return _rule(rules, fields, "", _mark(rules, fields, "")) is not None


def _mark(rules: RuleSet, fields: Mapping[str, Any], key: str) -> bytes:
    """Says nothing of the words, and is another one for other words, other rules, and another edition."""
    told = json.dumps([rules.mark, key, fields], ensure_ascii=False, default=str)
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16, key=_key(settings.SECRET_KEY)).digest()


@cache
def _key(secret: str) -> bytes:
    return hashlib.blake2b(EDITION, key=hashlib.sha256(secret.encode()).digest()).digest()


def _rule(rules: RuleSet, fields: Mapping[str, Any], key: str, mark: bytes) -> str | None:
    # Kept by the mark: no text stays in the cache, and other rules, of another workspace too, ask again.
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
