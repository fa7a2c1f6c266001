"""Whether a candidate holds nothing that its quote does not hold."""

import re
from enum import Enum
from typing import Any

from memory_app.domain.words import fold

from .compare import cues, values
from .compare.lexicon import concepts
from .compare.polarity import polarity
from .compare.quantities import MONTHS, in_units, spans
from .compare.tokens import Token, content, script, tokens
from .slots import infer


class Grounding(Enum):
    """What the quote gives for the candidate."""

    STATED = "stated"
    ADDED = "added"  # a number or a name stands nowhere in the quote
    PARTLY = "partly"  # a part of the text shares no word with the quote: other words for it, or something added
    NOT_STATED = "not_stated"  # the quote speaks of something else, or only asks
    DENIED = "denied"  # the quote says the reverse
    AGREED = "agreed"  # the quote only agrees with something that is not shown
    OPEN = "open"  # nothing in common, and nothing that speaks against (another language, other wording)


_CONJUNCT = re.compile(
    r"(?:(?<!\s)\s+)?(?:,(?!\d{3}(?!\d))(?!\s*(?:which|who|because|since|so)\b)|，(?!因为|所以)|、|;|；|\band\b(?! a half\b)|\bwith\b|\bplus\b|并且|而且|以及|还有|且|并(?=[^非不])|同时|和|与|及)\s*"
)
_RELATIVE = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|last|next|ago|this|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|昨|今|明|前天|后天|上(?:周|个?月)|下(?:周|个?月)|本|这|去年|周[一二三四五六日天]|星期"
)
_ORDINAL = re.compile(
    r"第[一二三四五六七八九十\d]+(?:次|个|回)?|\b(?:first|second|third)(?: time)?\b(?! (?:of )?(?:the |each |every )?[a-z]+)"
)
# What a note may add of itself: the day it was true, a time zone's full name, and what "last month" comes to.
_AS_OF = re.compile(r"[(（](?:as of|截至|截止到?)[^)）]*[)）]", re.I)
_ZONE = re.compile(r"\b(?:Europe|America|Asia|Africa|Australia|Pacific|Atlantic)/(?=[A-Z])")
_RESOLVED = re.compile(r"(?<!\d)(?:19|20)\d\d(?:-\d\d?(?:-\d\d?)?|年(?:\d\d?月)?(?:\d\d?[日号])?)?(?!\d)")
_PERIOD = re.compile(r"\b(?:days?|weeks?|fortnights?|months?|quarters?|years?|\w+ly)\b|[天周月年]|星期|礼拜|季度")
_MONTH_DAY = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)\b|[\d一二三四五六七八九十]号")
# "In June, not in May" denies nothing of June.
_CONTRASTED = re.compile(r",\s*(?:and )?not (?!only|just)[^,.;!?]+|[，,]\s*(?:而)?不是[^，。；,;]+")
_GLUE = re.compile(r"[\s\-_]+")


def ground(text: str, value: Any, quote: str, similarity: float, related: float) -> Grounding:
    """How well the quote carries the text and value."""
    if not quote.strip() or fold(text) == fold(quote):
        return Grounding.STATED
    if cues.is_bare_affirmation(quote):
        return Grounding.AGREED
    have = tokens(quote)
    asks = cues.is_hypothetical(quote)
    if _unfounded(text, quote, have):
        return Grounding.NOT_STATED if asks else Grounding.ADDED
    if asks:
        return Grounding.NOT_STATED
    if _reversed(text, quote):
        return Grounding.DENIED
    shared = _parts_shared(text, quote)
    if shared is None and (_says_value(value, quote) or _same_slot(text, quote)):
        return Grounding.STATED
    if shared is None:
        return _nothing(text, quote, similarity, related)
    return Grounding.STATED if shared else Grounding.PARTLY


def _nothing(text: str, quote: str, similarity: float, related: float) -> Grounding:
    if script(text) != script(quote) or similarity >= related:
        return Grounding.OPEN
    # A similarity of 0 is that of a text without a vector: a failure must not cost anybody their note.
    return Grounding.NOT_STATED if similarity > 0 else Grounding.AGREED


def _unfounded(text: str, quote: str, have: tuple[Token, ...]) -> bool:
    """A number, identifier or name in the text that the quote does not hold."""
    quote_texts = {t.text for t in have}
    squeezed = _GLUE.sub("", fold(quote))
    bare = {t.text.partition("=")[2] for t in have if t.kind == "number"}
    plain = _ORDINAL.sub(" ", _AS_OF.sub(" ", _ZONE.sub(" ", text)))
    if _RELATIVE.search(fold(quote)):
        plain = _RESOLVED.sub(" ", plain)
    for token in tokens(plain):
        if token.kind == "number" and not _number_said(token, quote_texts, bare, quote):
            return True
        if token.family == "place" and token.text not in quote_texts and any(t.family == "place" for t in have):
            return True
        if token.kind == "name" and script(text) != script(quote):
            continue  # a translated name cannot be checked by its letters
        if token.kind not in ("identifier", "name") or token.text in quote_texts:
            continue
        if _GLUE.sub("", token.text) not in squeezed:
            return True
    return False


def _number_said(token: Token, quote_texts: set[str], bare: set[str], quote: str) -> bool:
    if token.text in quote_texts or token.text.partition("=")[2] in bare:
        return True
    amount = float(token.text.partition("=")[2])
    if bare & {
        f"{number:g}" for number in in_units(token.family or "", amount)
    }:  # "turned eight": years go without saying
        return True
    if token.family == "count" and f"months={12 * amount:g}" in quote_texts:  # 4岁 and "4 years old"
        return True
    if token.family == "clock":  # "not before six", and ten in the evening where the text says ten
        hour = amount / 60
        return bool(bare & {f"{hour:g}", f"{hour - 12:g}", f"{amount - 720:g}", f"{amount + 720:g}"})
    if token.family == "rate":  # how often is told in many ways; another one in the quote speaks against it
        another = any(said.startswith("rate=") for said in quote_texts)
        return not another and (amount == 86400 or bool(_PERIOD.search(fold(quote)) or _MONTH_DAY.search(fold(quote))))
    if token.family == "month_of":  # the year of a month goes without saying
        return _names_month(int(amount - 1) % 12 + 1, fold(quote)) or bool(_RELATIVE.search(fold(quote)))
    if token.family == "date" and f"{amount % 100:g}" in bare:  # "moved to the 15th": the month is known
        return True
    # A date that was resolved from "yesterday", and a count of one, stand in no quote by their digits.
    return (token.family == "date" and bool(_RELATIVE.search(fold(quote)))) or token.text in ("count=1", "count=0")


def _names_month(month: int, quote: str) -> bool:
    return bool(re.search(rf"\b{MONTHS[month - 1]}|(?<!\d){month}\s*月", quote)) or any(
        s.quantity.dimension == "date" and int(s.quantity.value) // 100 == month for s in spans(quote)
    )


def _reversed(text: str, quote: str) -> bool:
    """Text and quote have the same content words and contrary signs."""
    quote = _CONTRASTED.sub(" ", fold(quote))
    mine, theirs = polarity(text), polarity(quote)
    if mine.sign == theirs.sign or mine.ended or theirs.ended or mine.weak or theirs.weak:
        return False
    return content(text) == content(quote) and bool(content(text)) and mine.taste == theirs.taste


def _parts_shared(text: str, quote: str) -> bool | None:
    """True: every part of the text has support; False: a part has none; None: nothing at all is shared."""
    have = content(quote)
    parts = [content(p) for p in _CONJUNCT.split(fold(text)) if p]
    parts = [p for p in parts if p]
    if not parts:
        return True
    supported = [_supported(p, have) for p in parts]
    if len(parts) > 1 and not supported[0] and len(parts[0]) == 1:  # only the verb: "writes | with a gel pen"
        supported[0] = supported[1]
    if not any(supported):
        return None
    if len(parts) == 1 or script(text) != script(quote):
        return True
    return all(supported)


def _supported(part: frozenset[str], have: frozenset[str]) -> bool:
    chars = {t for t in part if len(t) == 1}
    strong = part - chars
    if strong & have:
        return True
    return bool(chars & have) and 3 * len(chars & have) >= len(part)


def _says_value(value: Any, quote: str) -> bool:
    said = values.normal(value)
    if not said:
        return False
    folded = fold(quote)
    return said in folded or bool(content(said) & content(quote)) or bool(concepts(said) & concepts(folded))


def _same_slot(text: str, quote: str) -> bool:
    a, b = infer(text), infer(quote)
    return a is not None and b is not None and a.key == b.key
