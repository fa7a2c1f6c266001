"""The injection guardrail over what is about to be handed out."""

import hashlib
import json
import threading
from collections import OrderedDict

from memory_app.domain.ranking import Item
from memory_app.guardrails import JUDGED_CATEGORIES, RULE_SET_VERSION, check
from memory_app.models import Block, BlockStatus, Workspace

_LIMIT = 20_000
_kept: "OrderedDict[bytes, str | None]" = OrderedDict()
_lock = threading.Lock()


class Released:
    """The texts that operators have released as false positives; looked up only when something is refused."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._texts: frozenset[str] | None = None

    def __contains__(self, text: str) -> bool:
        if self._texts is None:
            blocks = Block.objects.filter(
                workspace=self._workspace, status=BlockStatus.RELEASED, category__in=JUDGED_CATEGORIES
            )
            self._texts = frozenset(blocks.values_list("masked", flat=True))
        return text in self._texts


def refused(item: Item, released: Released) -> str | None:
    """The category for which a memory must not reach a prompt; None: it may. A rule that fails refuses. Of a text
    that was released as a false positive only what else the memory holds can be refused."""
    value = (
        item.value if isinstance(item.value, str) or item.value is None else json.dumps(item.value, ensure_ascii=False)
    )
    shown = [item.text, item.key, item.condition, item.subject, value]
    category = _category("\n".join(part for part in shown if part))
    if category in JUDGED_CATEGORIES and item.text in released:
        return _category("\n".join(part for part in shown[1:] if part and part != item.text))
    return category


def unsafe(text: str) -> bool:
    """Whether a text that is no memory must not reach a prompt."""
    return _category(text) is not None


def _category(text: str) -> str | None:
    # By a hash with the rule set: no text stays in the cache, and a new rule set asks again.
    key = hashlib.blake2b(f"{RULE_SET_VERSION}\0{text}".encode("utf-8", "replace"), digest_size=16).digest()
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    try:
        verdict = check(text, "injection")
    except Exception:
        return "unchecked"
    answer = None if verdict.allowed else (verdict.category or "unchecked")
    with _lock:
        _kept[key] = answer
        while len(_kept) > _LIMIT:
            _kept.popitem(last=False)
    return answer
