"""Texts folded for matching, character by character, so that offsets stay those of the original."""

import re
import unicodedata
from functools import lru_cache

import opencc

_TO_SIMPLIFIED = opencc.OpenCC("t2s")
_TO_TRADITIONAL = opencc.OpenCC("s2tw")
_PLAIN_QUOTES = {"’": "'", "‘": "'", "＇": "'"}
_KEPT_WIDE = frozenset("，。！？；：（）「」『』、")


@lru_cache(maxsize=20_000)
def _fold_char(char: str) -> str:
    if char in _KEPT_WIDE or char.isascii():
        return char
    if char in _PLAIN_QUOTES:
        return _PLAIN_QUOTES[char]
    wide = unicodedata.normalize("NFKC", char)
    if len(wide) != 1:
        return char
    simple = _TO_SIMPLIFIED.convert(wide) if "\u3400" <= wide <= "\u9fff" else wide
    return simple if len(simple) == 1 else wide


def fold(text: str) -> str:
    """The text in half-width and simplified characters, of the same length as before."""
    return "".join(map(_fold_char, text)).replace("回覆", "回复")  # a reply; of the other senses the character stays


# What shows nothing and only breaks words or turns their direction; joiners stay, for emoji and scripts that need them.
_UNSEEN = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")


def visible(text: str) -> str:
    """The text without what nobody sees."""
    return _UNSEEN.sub("", text)


_GAPS = re.compile(r"(?<=[\u3400-\u9fff，：、]) +|(?<! ) +(?=[\u3400-\u9fff，：、])")
_BORDERS = re.compile(r"(?<=[\u3400-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9%])(?=[\u3400-\u9fff])")


@lru_cache(maxsize=512)
def squeeze(text: str) -> str:
    """The text without the spaces that some people put between Chinese and Latin characters."""
    return _GAPS.sub("", text)


def spaced(text: str) -> str:
    """The text with one space between Chinese and Latin characters, and none between Chinese ones."""
    return _BORDERS.sub(" ", squeeze(text))


@lru_cache(maxsize=64)  # asked for every clause of the same turn
def is_traditional(text: str) -> bool:
    """True when some character is written as only traditional script writes it."""
    return any("\u3400" <= c <= "\u9fff" and _fold_char(c) != c for c in text)


def to_traditional(text: str, like: str = "") -> str:
    """The text as a reader of traditional script expects it, in the very characters of `like` where it has them."""
    written = {_fold_char(c): c for c in like if "\u3400" <= c <= "\u9fff"}
    new = str(_TO_TRADITIONAL.convert(text)).replace("回復", "回覆")
    return "".join(written.get(old, c) for old, c in zip(text, new, strict=True)) if len(new) == len(text) else new


def in_chinese(said: str, turn: str) -> bool:
    """True when the words are Chinese, or Chinese with much English in it as the whole turn is."""
    return is_chinese(said) or (any("\u3400" <= c <= "\u9fff" for c in said) and is_chinese(turn))


@lru_cache(maxsize=512)
def is_chinese(text: str) -> bool:
    """True when the sentence is mainly Chinese: a Chinese character weighs as much as two letters."""
    han = sum("\u3400" <= c <= "\u9fff" for c in text)
    latin = sum(c.isascii() and c.isalpha() for c in text)
    return han * 4 >= latin and han > 0
