"""Exact names in questions and memories: identifiers, versions, ports, error codes, hashes."""

from collections.abc import Collection, Iterable

from memory_app.domain.words import is_identifier

EXACT, RIVAL = 0.35, -0.3  # an identifier found; another one of its family in its place


def identifier_fit(tokens: Iterable[str], asked: Collection[str]) -> float:
    """How a memory's words stand to the exact names asked for: EXACT where they have one, RIVAL where they have another
    of the same family in its place, or neither (0)."""
    if not asked:
        return 0.0
    own = {token for token in tokens if is_identifier(token)}
    if any(_names(identifier, own) for identifier in asked):
        return EXACT
    rivals = {_family(token) for token in own}
    return RIVAL if any(_family(identifier) in rivals for identifier in asked) else 0.0


def _names(identifier: str, own: set[str]) -> bool:
    if identifier in own:
        return True
    # A hash is known by its first digits.
    return len(identifier) >= 7 and any(len(token) >= 20 and token.startswith(identifier) for token in own)


def _family(identifier: str) -> str:
    """ORA-12514 and ORA-01017 are of one family, 2.13.0 and 2.3.10 of another."""
    shape = "".join("9" if char.isdigit() else char for char in identifier)
    while "99" in shape:
        shape = shape.replace("99", "9")
    return shape
