"""What may still be read beside what must not be kept: next to a secret, and after "don't save that, but do remember …"."""

import re
from collections.abc import Iterator

from . import conditions, cues, speech
from .clauses import Clause

#: The other half of a secret: whose it is, and where it opens something.
_KEYRING = re.compile(
    r"有效期|到期|开户行|账号|帐号|账户|帐户|用户名|登录|登陆|后台|\b(?:user ?names?|user|accounts?|log[- ]?ins?|sign[- ]?ins?|credentials?|hint|exp(?:ires|iry|iration)?|valid|sort code)\b|保密",
    re.I | re.A,
)
#: Letters and digits in one word, or a figure of a code's length: the rest of a secret that a comma has cut.
_CODED = re.compile(
    r"(?<![\w.])(?=\S*[A-Za-z])(?=\S*\d)[^\s，。,]{5,}|(?<![\d.:])\d{5,}(?![\d.:])|[!@#$%^&*]\w|\w[!@#$%^&*]\w"
)

#: Says that of the secret which only whoever knows it can follow: "the same at the bank", 「也是」.
_BACK = re.compile(
    r"\b(?:it|its|it's|it'll|them|those|these|same|both|mine|which|likewise|ditto|too|as well|everywhere|elsewhere)\b|\bone(?= *(?:$|[,.]|is\b|was\b|for\b|at\b|in\b|on\b))|\bthere\b(?! (?:is|are|was|were)\b)"
    r"|\bthat(?:'s)?\b(?! (?:i|i'm|i've|i'd|we|we're|we've|my|our|the|an?|he|she|they|you|every|all|no)\b)|\bthis\b(?! (?:week|month|year|time|trip|morning|afternoon|evening|weekend)\b)"
    r"|它|[其](?![实他它中余])|这(?![里边周次趟]|个?月)|那(?![里边么天])|同一|同样|一样|照旧|也(?:是|用|都|能|可以|$)|就是|还是|[倒反]过来",
    re.I | re.A,
)
#: Tells the secret in words that other facts explain: "my dog's name", 「我生日」.
_IN_WORDS = re.compile(
    r"\b(?:my|our|his|her|their|its|birthday|name|number|date|year|street|same|that|this|it)\b|我|你们|他|她|生日|名字|姓|号码|车牌|门牌|日期|年份",
    re.I | re.A,
)


#: Turns to something else, and what it then points at is that: 「对了我们这个网关」.
_TURNS = re.compile(
    r"^(?:and |but |oh,? )?(?:by the way|btw|on another note|one more thing|(?:please )?remember that)\b|^(?:对了|另外|顺便说|换个话题)",
    re.I | re.A,
)
_THIS_ONE = re.compile(r"[这那][个台套条](?=[\u3400-\u9fff]{2})")


def points_at_secret(text: str) -> bool:
    """True for what says more of a secret that was told before it."""
    if _TURNS.search(text):
        text = _THIS_ONE.sub("", text)
    return bool(_BACK.search(text) or _KEYRING.search(text) or _CODED.search(text))


def read_on(said: str, sentence: str) -> bool:
    """True when what stands after a secret is meant to be kept, or turns to a service that it names."""
    return bool(cues.REMEMBER.search(sentence) or _TURNS.search(sentence) and conditions.of_service(said))


def told_in_words(text: str) -> bool:
    """True when the secret is no word of its own, so that what stands around it may be the secret."""
    told = speech.TELLS_SECRET.search(text)
    if not told or _CODED.match(text[told.end() :].strip()):
        return False  # a word of letters and figures is the secret, whatever is said behind it
    return bool(_IN_WORDS.search(text, told.end()))


def beside_secret(clauses: list[Clause]) -> Iterator[tuple[list[Clause], bool]]:
    """The stretches of a sentence that say something else than its secret, and whether only slots may be read there."""
    run: list[Clause] = []
    after = pointing = False
    if any(told_in_words(clause.plain) for clause in clauses):
        return
    for clause in clauses:
        said = clause.plain
        secret = bool(speech.SECRET.search(said) or speech.AUTHORITY.search(said))
        back = bool(_BACK.search(said))  # before the secret, at something else or ahead
        if secret or after and back or _KEYRING.search(said) or _CODED.search(said):
            if run:
                yield run, after or pointing
            run, pointing = [], False
        else:
            run.append(clause)
            pointing = pointing or back
        after = after or secret
    if run:
        yield run, after or pointing


_KEEP = re.compile(
    r"(?<!don't )(?<!not )(?<!never )(?<!to )\b(?:remember|note|keep in mind|bear in mind|for the record|(?:can|may|should|do|please) (?:keep|save|store|write down))\b(?! (?:it|this|that)[.,]?$)"
    r"|(?<![别勿])(?<!不要)(?<!不用)(?<!不必)(?<!不许)(?:请|可以|要|务必|帮我|麻烦|倒是|但|另外|只)(?:你|再|就|也|能|帮我)?(?:记(?:住|下|一下|着|得|好)|存(?:下|一下)?|备注)",
    re.I | re.A,
)


def kept_after(sentences: list[str]) -> int | None:
    """Which sentence asks to keep what it says, after one that asked not to; None where there is none."""
    unsaved = [i for i, text in enumerate(sentences) if speech.UNSAVED.search(text)]
    if not unsaved:
        return None
    return next((i for i in range(unsaved[-1] + 1, len(sentences)) if _KEEP.search(sentences[i])), None)
