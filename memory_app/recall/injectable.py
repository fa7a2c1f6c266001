"""The injection guardrail over what is about to be handed out."""

import hashlib
import json
import threading
from collections import OrderedDict

from memory_app.domain.ranking import Item
from memory_app.guardrails import RULE_SET_VERSION, check

_LIMIT = 20_000
_kept: "OrderedDict[bytes, str | None]" = OrderedDict()
_lock = threading.Lock()


def refused(item: Item) -> str | None:
    """The category for which a memory must not reach a prompt; None: it may. A rule that fails refuses."""
    shown = [item.text, item.key, item.condition, item.subject]
    if item.value is not None:
        shown.append(item.value if isinstance(item.value, str) else json.dumps(item.value, ensure_ascii=False))
    text = "\n".join(part for part in shown if part)
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
