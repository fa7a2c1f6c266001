"""Text that came out of recall, recognised by the marks that every rendered context block carries."""

import re

#: The delimiters of a context block (domain.rendering writes them). Text between them was given to the agent by us.
BLOCK_START = "<memory-context"
BLOCK_END = "</memory-context>"
_LISTING = re.compile(
    r"(?im)^\s*(known|recalled|stored|relevant|saved)\s+memor(y|ies)\b|^\s*(已知|召回|相关|已存)的?记忆"
)


def is_recalled(role: str, content: str) -> bool:
    """Whether this turn repeats what recall gave, so that nothing in it is a statement of the user."""
    if BLOCK_START in content:
        return True
    return role in ("system", "tool", "assistant") and bool(_LISTING.search(content))
