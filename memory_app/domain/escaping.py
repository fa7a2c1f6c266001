"""Stored text as a part of a context block that it cannot leave, close, or pose as anything else in."""

import json
import re
from collections.abc import Mapping
from typing import Any

from memory_app.domain.words import INVISIBLE

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_ANGLES = str.maketrans({"<": "‹", ">": "›", "＜": "‹", "＞": "›", "﹤": "‹", "﹥": "›", "`": "'", "｀": "'"})
_RULES = re.compile(r"([-–—=_*~#])\1{2,}|(?:[-_*=~]\s+){2,}[-_*=~]")
_LEADING = re.compile(r"^(?:[#>+*\-=|~:!?&%@]|\d+[.)])")
_INSTRUCT = re.compile(r"\[\s*(/?)\s*(INST|SYS|SYSTEM)\s*\]", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z\u4e00-\u9fff][\w\u4e00-\u9fff .+/]*", re.ASCII)
_YAML_WORDS = frozenset("true false null yes no on off y n none".split())
_PLAIN_KEY = re.compile(r"[a-z][a-z0-9_]*")


def one_line(text: str) -> str:
    """A stored text that is nothing but a part of one line: no markup, no border, no mark that hides or turns it."""
    line = " ".join(_CONTROL.sub(" ", INVISIBLE.sub("", text)).split()).translate(_ANGLES)
    line = _INSTRUCT.sub(r"(\1\2)", _RULES.sub("–", line)).replace("](", "] (")
    return f"\\{line}" if _LEADING.match(line) else line


def scalar(value: Any) -> str:
    """A value as a YAML scalar or flow sequence that no content can leave."""
    if isinstance(value, str):
        plain = one_line(value)
        if (
            plain == value
            and _PLAIN.fullmatch(plain)
            and plain.casefold() not in _YAML_WORDS
            and plain == plain.rstrip()
        ):
            return plain
        return json.dumps(plain.removeprefix("\\"), ensure_ascii=False)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{scalar(str(key))}: {scalar(one)}" for key, one in value.items())
        return "{" + inner + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(scalar(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def key_name(key: str) -> str:
    """A slot's key as a YAML key."""
    plain = _PLAIN_KEY.fullmatch(key) and key not in _YAML_WORDS
    return key if plain else json.dumps(one_line(key).removeprefix("\\"), ensure_ascii=False)
