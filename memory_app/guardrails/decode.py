"""Readings of a text in which something was wrapped: base64, URL escapes, entities, ROT13, written backwards.

Work is bounded: a decoded text is never longer than its wrapping, and wrappings are opened `DEPTH` times.
"""

import base64
import binascii
import codecs
import html
import re
import unicodedata
import urllib.parse

from memory_app.guardrails.gate import gated
from memory_app.guardrails.normalise import INVISIBLE, View, plain_character

DEPTH = 3
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,}(?:={1,2}|(?![A-Za-z0-9+/=_-]))")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{2}){8,}(?![0-9A-Za-z])")
_URL = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});")
# JSON inside of JSON escapes the escapes once more.
_ESCAPE = re.compile(r"(?:\\{1,16}u[0-9A-Fa-f]{4}|\\{1,16}x[0-9A-Fa-f]{2})+")


def _readable(data: bytes) -> str | None:
    """The text that these bytes spell, if they spell one."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if len(text) < 6:
        return None
    odd = sum(unicodedata.category(c) in ("Cc", "Cn", "Co", "Cs") and c not in "\t\r\n" for c in text)
    letters = sum(c.isalnum() or c.isspace() for c in text)
    return text if not odd and letters >= 0.6 * len(text) else None


def _from_base64(match: re.Match[str]) -> str | None:
    whole = _of_blob(match[0])
    if whole is not None or "/" not in match[0]:
        return whole
    # In an address a slash ends it, although it is a character of the alphabet.
    parts = [(part, _of_blob(part) if len(part) >= 16 else None) for part in match[0].split("/")]
    return "/".join(found or part for part, found in parts) if any(found for _, found in parts) else None


def _of_blob(blob: str) -> str | None:
    blob = blob.rstrip("=").replace("-", "+").replace("_", "/")
    if blob.isalpha() and (blob.islower() or blob.isupper()):
        return None
    try:
        text = _readable(base64.b64decode(blob + "=" * (-len(blob) % 4)))
    except (binascii.Error, ValueError):
        return None
    # Line breaks keep the decoded text a sentence of its own.
    return f"\n{text}\n" if text else None


def _from_hex(match: re.Match[str]) -> str | None:
    text = _readable(bytes.fromhex(match[0]))
    return f"\n{text}\n" if text else None


def _from_url(match: re.Match[str]) -> str | None:
    decoded = urllib.parse.unquote(match[0], errors="replace")
    return decoded if decoded != match[0] else None


def _from_escape(match: re.Match[str]) -> str:
    text = re.sub(r"\\+[ux]([0-9A-Fa-f]{2,4})", lambda m: chr(int(m[1], 16)), match[0])
    return re.sub(r"[\ud800-\udfff]", "\ufffd", text)


def _unwrapped_once(view: View) -> View:
    name = "decoded"
    text = view.text
    if "%" in text:
        view = view.rewritten(name, _URL, _from_url)
    if "&" in text:
        view = view.rewritten(name, _ENTITY, lambda m: html.unescape(m[0]))
    if "\\" in text:
        view = view.rewritten(name, _ESCAPE, _from_escape)
    view = view.rewritten(name, _HEX, _from_hex)
    return view.rewritten(name, _BASE64, _from_base64)


def unwrapped(view: View) -> list[View]:
    """The views that opening the wrappings one after the other gives, at most `DEPTH`."""
    found: list[View] = []
    for _ in range(DEPTH):
        opened = _unwrapped_once(view)
        if opened is view or opened.text == view.text:
            break
        if not opened.text.isascii():
            opened = opened.rewritten("decoded", INVISIBLE, lambda _: "").mapped("decoded", plain_character)
        found.append(opened)
        view = opened
    return found


_TELLING = (
    "ignore previous instruction prompt system password secret rules disregard reveal approve transfer admin execute"
    " always never grant refund user assistant token"
).split()
_TELLING_HAN = "指令 规则 提示词 限制 密码 忽略 无视 权限 退款 管理员 用户".split()
# Turned, the commonest words of English are words of no language.
_COMMON = "you and the this that with from they will your have".split()
_TURNED = gated(
    "|".join((*(codecs.encode(w, "rot13") for w in _TELLING), *(rf"\b{codecs.encode(w, 'rot13')}\b" for w in _COMMON))),
    re.I,
)
_REVERSED = gated("|".join(w[::-1] for w in (*_TELLING, *_TELLING_HAN)), re.I)


# `"verification_code": "123456"` says the same as "verification code: 123456".
_MEMBER = gated(r"(?<![A-Za-z0-9])\\{0,8}[\"'](\w[\w .-]{1,39})\\{0,8}[\"']\s{0,3}[:=]\s{0,3}(?:\\{0,8}[\"'])?")


def members(view: View) -> View | None:
    """The view with the names of members written as words, if it holds JSON or the like."""
    if not _MEMBER.search(view.text):
        return None
    return view.rewritten("members", _MEMBER, lambda m: re.sub(r"[_.-]", " ", m[1]) + ": ")


def rot13(view: View) -> View | None:
    """The view with its letters turned by thirteen, if that makes telling words appear."""
    if not _TURNED.search(view.text):
        return None
    return View("rot13", codecs.encode(view.text, "rot13"), view.starts, view.ends)


def backwards(view: View) -> View | None:
    """The view read from its end, if that makes telling words appear."""
    if not _REVERSED.search(view.text):
        return None
    return View("backwards", view.text[::-1], list(view.starts)[::-1], list(view.ends)[::-1])
