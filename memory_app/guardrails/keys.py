"""Keys and tokens of issuers that no list names, by how keys are built: a prefix and a random rest, or a word beside it.

Random is a run of letters and digits that changes between small, capital and digit as no word, slug or version does.
Hashes, fingerprints, public keys, ids and addresses are random too, and are said to be what they are.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from memory_app.guardrails.findings import Hit
from memory_app.guardrails.gate import gated
from memory_app.guardrails.literal import is_reference

_PREFIXED = gated(
    r"(?<![A-Za-z0-9_/.+=-])(?!sha\d)([A-Za-z][A-Za-z0-9]{1,11}(?:[_-][a-z0-9]{1,12}){0,2})[_-]([A-Za-z0-9_-]{20,400})(?![A-Za-z0-9/+=.])"
)
_KNOWN = gated(
    r"(?<![A-Za-z0-9])(?:key-[0-9a-f]{32}|dapi[0-9a-f]{32}|rubygems_[0-9a-f]{48}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|NR(?:AK|AA|RA)-[A-Z0-9]{20,}|ATATT3x[\w=-]{40,}"
    r"|1//0[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{16,}\.[\w-]{16,}|[MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,40})(?![A-Za-z0-9])"
)
_NAMED = gated(
    r"(?:\b(?:tokens?|secrets?|credentials?|(?:api|access|private|auth|service|license|signing|deploy|bot)[ _-]?keys?|webhook)\b|令牌|密钥|秘钥|凭据|凭证)\W{0,3}(?:\w{1,12}\W{1,3}){0,3}?([A-Za-z0-9_./+-]{24,400}={0,2})"
    r"|(?<![A-Za-z0-9_./+-])([A-Za-z0-9_./+-]{24,400}={0,2})\W{1,3}(?:\w{1,12}\W{1,3}){0,3}?(?:tokens?|secrets?|credentials?|(?:api|access|auth|bot)[ _-]?key)\b",
    re.I,
)
_SAID = re.compile(
    r"\b(?:sha-?\d*|md5|hash\w*|checksum|digest|fingerprint|public|pub|commit|revision|etag|uuid|integrity|host key|hostkey|known_hosts|certificate)\b|指纹|哈希|公钥|校验|提交|上限",
    re.I,
)
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def _kind(character: str) -> int:
    return 0 if character.isdigit() else 1 if character.isupper() else 2


def is_mixed(value: str) -> bool:
    """True if the value changes between digits, capitals and small letters all along."""
    plain = [c for c in value if c.isalnum()]
    if len(plain) < 20 or is_reference(value) or _UUID.search(value):
        return False
    turns = sum(_kind(a) != _kind(b) for a, b in pairwise(plain))
    return turns >= 0.25 * len(plain) and sum(c.isdigit() for c in plain) >= 2


def find(text: str) -> Iterator[Hit]:
    """Every key by its build."""
    yield from (Hit("secret.token", *m.span()) for m in _KNOWN.finditer(text))
    for m in _PREFIXED.finditer(text):
        if {_kind(c) for c in m[2] if c.isalnum()} == {0, 1, 2} and is_mixed(m[2]) and not _about(text, m.start()):
            yield Hit("secret.token", *m.span())
    for m in _NAMED.finditer(text):
        group = 1 if m[1] else 2
        if "://" not in m[group] and is_mixed(m[group]) and not _about(text, m.start(group)):
            yield Hit("secret.token", *m.span(group))


def _about(text: str, at: int) -> bool:
    return _SAID.search(text, max(0, at - 40), at) is not None
