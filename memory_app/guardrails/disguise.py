"""Readings of a text in which words were bent out of shape: look-alikes, leet, split words.

Only words that the rules know are unbent from leet and from run-together spelling, so that real Russian, version
numbers and product names stay what they are.
"""

import re
import unicodedata
from functools import lru_cache

from memory_app.guardrails.normalise import View

_LOOKALIKE = dict(
    zip(
        "абвгеёзкмнорстухіїјѕԁԛԝһӏпьАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχωϲɡıℓ",
        "abbreezkmhopctyxiijsdqwhlnbABEKMHOPCTYXIJSABEZHIKMNOPTYXaBeiKvoptuxwcgil",
        strict=True,
    )
)
# Letters that are neither ASCII nor Han.
_FOREIGN = re.compile(r"[\u00aa-\u2fff\ua000-\uffff]")
_LEET_WORD = re.compile(r"(?<![^\W_])[A-Za-z013457@$!|]{3,24}(?![^\W_])")
_LEET = {"0": "o", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "1": "i", "!": "i", "|": "i"}
_WORD = re.compile(r"[^\W\d_]+")
# "i g n o r e", "i.g.n.o.r.e", "i-g-n-o-r-e"
_SPACED = re.compile(r"(?<![^\W_])(?:[A-Za-z][ \t.\-_*·|/+]{1,2}){3,200}[A-Za-z](?![^\W_])")
_BROKEN = re.compile(r"(?<=[a-z])[-\u2010\u2011]\s*\n\s*(?=[a-z])")
_HYPHENATED = re.compile(r"(?<![\w-])[A-Za-z]{1,12}(?:-[A-Za-z]{1,12}){1,5}(?![\w-])")
_RUN = re.compile(r"(?<![^\W_])[A-Za-z]{9,80}(?![^\W_])")
_SPACED_HAN = re.compile(r"(?<=[\u3400-\u9fff])[ \t.\-_*·|/+~]{1,3}(?=[\u3400-\u9fff])")

KNOWN_WORDS: frozenset[str] = frozenset(
    """a accept access account activate admin administrator agent ai all always an and any approve as assistant
    authorise authorize bypass card checks code commands confirm confirmation confirmations conversation data delete
    developer directions disable disregard do dump earlier erase everything execute existing export filters follow
    for forget forward from full funds given grant guardrails guidelines hidden if ignore in instruction instructions
    is it key leak limits me mention mode money must my never no not now obey of on only orders override passcode
    password passwords pay payment permission permissions pin policies policy pretend previous print prior private
    prompt prompts recommend reconfirm refund refunds restriction restrictions reveal root rule rules run safeguards
    safety say secret send share show skip system tell tests that the then this to token tool transfer trust
    unrestricted user verification whatever when with without you your above always before conversation credentials
    wire your""".split()
)


def _lookalike(word: str) -> str | None:
    if word.isascii():
        return None
    bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    folded = "".join(_LOOKALIKE.get(c, c) for c in bare)
    # A word that folds only in part is a real word of another script.
    return folded if folded.isascii() else None


@lru_cache(maxsize=4096)
def _unleet(word: str) -> str | None:
    if word.isalpha() or not any(c.isalpha() for c in word):
        return None
    base = "".join(_LEET.get(c, c) for c in word.lower())
    for candidate in (
        base,
        base.replace("i", "l"),
        "".join("l" if c in "1|!" else _LEET.get(c, c) for c in word.lower()),
    ):
        if candidate in KNOWN_WORDS:
            return candidate
    return None


@lru_cache(maxsize=4096)
def _segmented(word: str) -> str | None:
    """`ignorepreviousinstructions` as words, if it is made of known words only."""
    low = word.lower()
    if low in KNOWN_WORDS:
        return None
    best: list[list[str] | None] = [[]] + [None] * len(low)
    for end in range(1, len(low) + 1):
        for start in range(max(0, end - 14), end):
            before = best[start]
            if before is not None and low[start:end] in KNOWN_WORDS:
                longer = [*before, low[start:end]]
                current = best[end]
                if current is None or len(longer) < len(current):
                    best[end] = longer
    words = best[-1]
    return " ".join(words) if words and len(words) <= max(2, len(low) // 4 + 1) else None


def _joined(match: re.Match[str]) -> str:
    word = re.sub(r"[^A-Za-z]", "", match[0])
    return _segmented(word) or word


def _dehyphenated(match: re.Match[str]) -> str | None:
    word = match[0].replace("-", "")
    return word if word.lower() in KNOWN_WORDS else None


def unbent(view: View) -> View:
    """The view with known words put back into their plain spelling."""
    name = "unbent"
    if not view.text.isascii():
        view = view.rewritten(name, _SPACED_HAN, lambda _: "")
        if _FOREIGN.search(view.text):
            view = view.rewritten(name, _WORD, lambda m: _lookalike(m[0]))
    view = view.rewritten(name, _BROKEN, lambda _: "")
    view = view.rewritten(name, _SPACED, _joined)
    view = view.rewritten(name, _LEET_WORD, lambda m: _unleet(m[0]))
    view = view.rewritten(name, _HYPHENATED, _dehyphenated)
    return view.rewritten(name, _RUN, lambda m: _segmented(m[0]))
