"""Whom a statement is about. The user, unless the subject or the wording names somebody else."""

import re
from functools import lru_cache

from memory_app.domain.words import fold

from .lexicon import FORMS

_RELATIONS = {form: concept for form, concept in FORMS.items() if concept.startswith("person.")}
_EN = "|".join(sorted((re.escape(f) for f in _RELATIONS if f.isascii()), key=len, reverse=True))
_ZH = "|".join(sorted((re.escape(f) for f in _RELATIONS if not f.isascii()), key=len, reverse=True))
_LEADING = re.compile(
    rf"^(?:(?:the )?(?:user|users|user's) |my |our |his |her |the |user的)?(?P<en>{_EN})(?P<own>'s|s')?(?: [a-z]+)?? "
    rf"(?=\w)(?!is (?:called|named)\b)|"
    rf"^(?:用户的?|我的?|我们的?)?(?P<zh>{_ZH})(?!是|叫)(?P<zname>[^，。是的]{{0,4}}?)(?=对|喜|不|讨|爱|住|在|有|吃|喝|过|的|也|只|从|常|很|每|用)"
)
_QUOTE = re.compile(rf"\b(?:my|our) (?P<en>{_EN})\b(?!s)|(?:我的?|我们的?|咱)(?P<zh>{_ZH})")
_SELF = re.compile(r"\b(?:i|i'm|i've|i'd|me|myself|we)\b|我(?!的?(?:" + _ZH + r")|们?的)")
_OWNERS = frozenset({"user", "the user", "self", "me", "i", "用户", "本人", "我", "自己"})


def normal(subject: str | None) -> str | None:
    """One spelling for a subject that a caller gave; None is the user."""
    if subject is None:
        return None
    folded = re.sub(r"[\s_\-]+", " ", fold(str(subject))).strip()
    folded = (
        re.sub(r"^(?:my|the user's|user's|the|我的?|用户的?)\s*(?=\S)", "", folded) if folded not in _OWNERS else folded
    )
    if folded in _OWNERS or not folded:
        return None
    return _RELATIONS.get(folded, folded)


@lru_cache(maxsize=4096)
def inferred(text: str) -> str | None:
    """The person, other than the user, whom the text opens with; None when it is about the user."""
    m = _LEADING.match(fold(text).replace("’", "'").strip())
    return _RELATIONS[m["en"] or m["zh"]] if m else None


def of(subject: str | None, text: str) -> str | None:
    """The given subject, or else the one that the text opens with."""
    return normal(subject) if subject is not None else inferred(text)


def same(a: str | None, b: str | None) -> bool:
    """Both are one person, as far as the words show: a brother may be the elder one, the elder is not the younger."""
    if a is None or b is None or a == b:
        return a == b
    return a.startswith(f"{b}_") or b.startswith(f"{a}_")


def other_speaker(quote: str) -> str | None:
    """The relation whom a quote is about, when the user does not speak of themselves in it at all."""
    folded = fold(quote).replace("’", "'").strip()
    found = {_RELATIONS[m["en"] or m["zh"]] for m in _QUOTE.finditer(folded)}
    if len(found) != 1 or _SELF.search(_QUOTE.sub(" ", folded)):
        return None
    return found.pop()
