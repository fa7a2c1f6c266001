"""Sentences one after the other, as the language of the page writes them."""

from typing import Any

from django.utils.translation import get_language


def gap() -> str:
    """What stands between two sentences: nothing in Chinese, whose full stop brings its own space."""
    return "" if (get_language() or "").startswith("zh") else " "


def together(*sentences: Any) -> str:
    """The sentences as one text."""
    return gap().join(str(sentence) for sentence in sentences if sentence)
