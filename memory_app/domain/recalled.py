"""Text that came out of recall, recognised by the marks that every rendered context block carries."""

import re

from memory_app.domain.words import fold

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


#: What stands in a text as somebody else's words: a line behind a mark, or what quotation marks enclose.
_MARKED = re.compile(
    r"(?m)^\s*[>|*•-]+\s*(?P<line>.+)$|“(?P<a>[^“”]+)”|\"(?P<b>[^\"]+)\"|「(?P<c>[^「」]+)」|『(?P<d>[^『』]+)』|«(?P<e>[^«»]+)»|"
    r"(?<!\w)[‘'](?P<f>[^‘’']{4,})[’'](?!\w)"
)
_END = re.compile(r"\s*[（(][^()（）]*[)）]\s*$|[\s.。!！,，;；]+$")


def has_quotation(text: str) -> bool:
    """Whether a part of the text is marked as quoted."""
    return bool(_MARKED.search(text))


def quotes(text: str, recalled: str) -> bool:
    """Whether a marked part of the text is what recall has given, with or without the date that a block adds."""
    wanted = _bare(recalled)
    parts = (part for m in _MARKED.finditer(text) for part in m.groups() if part)
    return bool(wanted) and any(wanted in (_bare(part), _bare(_END.sub("", part.strip()))) for part in parts)


def _bare(text: str) -> str:
    return fold(text).strip(" \t.。!！,，;；“”\"'‘’「」")
