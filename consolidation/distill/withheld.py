"""What may still be read beside what must not be kept: next to a secret, and after "don't save that, but do remember …"."""

import re
from collections.abc import Iterator

from . import speech
from .clauses import Clause

#: The other half of a secret: whose it is, and where it opens something.
_KEYRING = re.compile(
    r"有效期|到期|开户行|账号|帐号|账户|帐户|用户名|登录|登陆|后台|\b(?:user ?names?|user|accounts?|log[- ]?ins?|sign[- ]?ins?|credentials?|hint|exp(?:ires|iry|iration)?|valid|sort code|same (?:one|for)|that one|it is|it's)\b|也是|一样|同一个|这个|那个|它|保密",
    re.I | re.A,
)
#: Letters and digits in one word, or a figure of a code's length: the rest of a secret that a comma has cut.
_CODED = re.compile(
    r"(?<![\w.])(?=\S*[A-Za-z])(?=\S*\d)[^\s，。,]{5,}|(?<![\d.:])\d{5,}(?![\d.:])|[!@#$%^&*]\w|\w[!@#$%^&*]\w"
)

#: What says something of its own after a secret, and does not go on with it.
_OWN = re.compile(
    r"^(?:(?:and|but|also|plus|so|by the way|btw|please|oh),? )*(?:i|i'm|i've|i'd|we|we're|we've|my|our|the|always|never|from (?:now|today) on|please|keep|use|answer|reply|book|remember|port|timeout)\b"
    r"|^(?:另外|还有|顺便|对了|而且|不过)?(?:请|以后|今后|我|咱|端口|超时|每次|平时|回答|回复|都用|记住)",
    re.I | re.A,
)


def beside_secret(clauses: list[Clause]) -> Iterator[list[Clause]]:
    """The stretches of a sentence that say something else than its secret."""
    run: list[Clause] = []
    after = False
    for clause in clauses:
        secret = bool(speech.SECRET.search(clause.plain) or speech.AUTHORITY.search(clause.plain))
        said = clause.plain
        after = after or secret
        if secret or after and not _OWN.search(said) or _KEYRING.search(said) or _CODED.search(said):
            if run:
                yield run
            run = []
        else:
            run.append(clause)
    if run:
        yield run


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
