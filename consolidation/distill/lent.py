"""What the agent's question lends to a short answer: 44 to "What shoe size do you take?" is a shoe size."""

import re

from .folding import is_chinese

_WH = re.compile(
    r"\b(?:which|what|where|when|who|how|whose)\b|哪|什么|怎么|多少|几|谁|多(?:大|久|远|长|高)", re.I | re.A
)
_EMPTY_EN = re.compile(
    r"\b(?:(?:what|where|when|who|how)'s|which|what|where|when|who|how|whose|is|are|was|were|do|does|did|you|your|yours|the|a|an|of|to|for|in|at|on|i|me|my|we|us|it|that|this|should|shall|would|can|could|will|usually|normally|generally|typically|like|prefer|want|need|have|has|got|be|been|now|then|so|ok|and|or|please|any|one|ones|kind|sort|many|much|often|long|old|there|them|they|she|he|her|his|him|still|anything|something|else|know|use|take|happened|about|with|go|get|make|add|currently|may|help|assist)\b",
    re.I | re.A,
)
_EMPTY_ZH = re.compile(
    r"请问|(?:您|你)们?|我|的|了|吗|呢|是|在|要|用|有|给|帮|会|能|想|需要|希望|应该|打算|大概|平时|一般|通常|现在|今年|哪(?:里|儿|个|家|位|种|天|一?)|什么(?:时候)?|怎么|多(?:大|久|少|远|长|高)|几(?:个|点|位|次|号|天|码)?|谁|吧|还|都|也|就|那|这|一|个|喝|吃|走|住|做|叫|穿"
)
_WHOLE = re.compile(
    r"\b(?:i|i'm|i've|we|she|he|they|it|it's|she's|he's|there|no|yes)\b|\b(?:my|our|the|her|his|their) [\w ]{2,24}?(?:'s|is|are|was|were|has|have|does|do|can|[a-z]{2,}(?<!s)s)\b(?! of\b)|我|咱|他|她|它|家",
    re.I | re.A,
)
_LONGEST = {True: 20, False: 70}


def whole(said: str) -> bool:
    """True when the words have a subject of their own."""
    return bool(_WHOLE.search(said))


def topic(asked: str) -> str:
    """What an open question asks about, in a few words; empty where that is not plain."""
    question = re.split(r"[,，]\s*", asked.strip().rstrip("?？ "))[-1]
    chinese = is_chinese(question)
    if not _WH.search(question) or re.search(r"\d|[。.!！:：]", question) or len(question) > _LONGEST[chinese]:
        return ""
    if chinese:
        left = _EMPTY_ZH.sub("", question).strip()
        return left if 2 <= len(left) <= 6 else ""
    words = _EMPTY_EN.sub(" ", question).split()
    return " ".join(words) if 1 <= len(words) <= 4 and all(w.isalpha() for w in words) else ""


def with_topic(text: str, said: str, asked: str) -> str:
    """The answer's words under what was asked about; as they are where they are a sentence of their own."""
    if not asked or whole(said) or not (about := topic(asked)) or about in text:
        return text
    if is_chinese(about):
        return f"{about}：{text}"
    low = text[1:2].islower() and not said[:1].isupper()
    return f"{about[:1].upper()}{about[1:]}: {text[:1].lower() + text[1:] if low else text}"
