"""Sentences one after the other, as the language of the page writes them."""

from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _


def gap() -> str:
    """What stands between two sentences: nothing in Chinese, whose full stop brings its own space."""
    return "" if (get_language() or "").startswith("zh") else " "


def colon() -> str:
    """What stands between a name and what is said of it: the full-width colon in Chinese, which brings its own space."""
    return "：" if (get_language() or "").startswith("zh") else ": "


def comma() -> str:
    """What stands between two of a list."""
    return "、" if (get_language() or "").startswith("zh") else ", "


def together(*sentences: Any) -> str:
    """The sentences as one text."""
    return gap().join(str(sentence) for sentence in sentences if sentence)


def undone_by_two(ref: str) -> str:
    """Why one person does not undo it alone, and what they do instead."""
    return _(
        "%(ref)s is protected, so nobody undoes this alone. Propose to restore, unpin or archive it on its page."
    ) % {"ref": ref}
