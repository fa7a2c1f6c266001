"""Text as search words, in Chinese and in languages with an alphabet; and how long a text is for a prompt.

Memory and question go through the very same functions, so that what is written one way is found when asked another
way: full-width or half-width, traditional or simplified, with or without a space before a number.
"""

import logging
import re
import threading
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise

import jieba
import opencc
import snowballstemmer

jieba.setLogLevel(logging.ERROR)

# CJK ideographs, kana and hangul: scripts written without spaces between words (hangul joins for its bigrams).
CJK = (
    "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
    "\U00020000-\U0002fa1f\U00030000-\U000323af"
)
CJK_CHARACTER = re.compile(f"[{CJK}]")
_CJK_RUN = re.compile(f"[{CJK}]+")
_LONE = re.compile("[\ud800-\udfff]")
# Characters that show nothing: soft hyphen, zero-width, direction marks, variation selectors, tag characters.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
# A run of letters and digits of one alphabet, joined by the marks that hold identifiers together.
_LATIN_RUN = re.compile(rf"[^\W{CJK}](?:[^\W{CJK}]|[-.:/@#+'’&](?=[^\W{CJK}]))*(?:\+\+|#)?")
_PART = re.compile(r"[^\W\d_]+|\d+")
_WORD_MARKS = re.compile(r"[-.:/@#+_&]+")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+)(.*)", re.DOTALL)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_MEASURE = re.compile(
    r"(\d+(?:\.\d+)?)(mm|cm|km|kg|mg|ml|gb|mb|kb|tb|ms|px|hz|ghz|mhz|min|mins|hrs?|am|pm|usd|eur|gbp|cny|rmb|[mghskl]|st|nd|rd|th)"
)
_HEX = re.compile(r"(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}")

_english = snowballstemmer.stemmer("english")
_english_lock = threading.Lock()
_to_simplified = opencc.OpenCC("t2s")
_load_lock = threading.Lock()
_segmenter: jieba.Tokenizer | None = None

STOP_WORDS = frozenset(
    """a an and any are as at be been being but by can could did do does doing done for from get gets getting go goes
    going got had has have having he her here hers him his how i if in into is it its just let like'd ll may me might
    mine must my myself no nor not of off on once one or our ours out over own please re shall she should so some such
    than that the their theirs them then there these they this those to too up us use used very via was we were what
    when where which while who whom whose why will with would you your yours about after again also am because before
    both each ever few more most now only other same still tell there want thing things make makes need needs
    anything something nothing everything anyone someone one ones
    isn aren wasn weren don doesn didn won couldn shouldn wouldn hasn haven hadn ve d m s t""".split()
    + """的 了 吗 呢 吧 啊 呀 哦 嘛 么 啦 哟 咯 嘞 呗 哇 喔 嗯 哈 着 过 地 得 之 与 和 及 或 而 但 且 也 都 就 还 又 再 才 很 太 更 最 被 把 给 让 向 从
    在 对 为 以 于 由 跟 比 到 去 来 是 有 没 没有 不 我 你 您 他 她 它 我们 你们 他们 她们 咱们 自己 这 那 哪 这个 那个 哪个 这些 那些 哪些
    这里 那里 哪里 这样 那样 怎样 怎么 怎么样 怎么办 什么 为什么 为何 如何 多少 几 谁 何时 何 请 请问 一下 一个 一种 一些 个 种 些 会 能
    可以 可 要 想 应该 需要 得 该 用 做 说 看 帮 帮我 告诉 知道 现在 时候 如果 因为 所以 但是 然后 还是 或者 以及 已经 正在 我的 你的 他的
    她的 上 下 里 中 后 前 时 是不是 有没有 能不能 可不可以 哪种 哪位 哪国 谁的 哪天 啥 咋 咋样 咋办 咋整 咋弄
    为啥 干啥 干嘛 哪儿 那儿 这儿 什么样 啥样 哪样 怎么弄 多久 多长 多长时间 多远 多大 多高 几点""".split()
)


def _segmenter_loaded() -> jieba.Tokenizer:
    global _segmenter
    if _segmenter is None:
        with _load_lock:
            if _segmenter is None:
                segmenter = jieba.Tokenizer()
                # Loaded by hand: jieba's own way leaves a cache in a folder that other accounts can write to.
                segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
                segmenter.initialized = True
                _segmenter = segmenter
    return _segmenter


def load() -> None:
    """The Chinese dictionary is in memory; processes that answer people call this before the first question."""
    _segmenter_loaded()


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """The text with differences of width, case, invisible marks and Chinese script taken out."""
    return simplify(text).casefold()


def simplify(text: str) -> str:
    """The text as people write it, in normal width and simplified Chinese, without invisible marks."""
    if text.isascii():
        return text
    # Half of a surrogate pair is no character, and the dictionary takes none.
    plain = _LONE.sub("\ufffd", INVISIBLE.sub("", unicodedata.normalize("NFKC", text)))
    return str(_to_simplified.convert(plain)) if CJK_CHARACTER.search(plain) else plain


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The word without its English inflection; other words as they are."""
    if not word.isascii() or not word.isalpha() or len(word) < 4:
        return word
    with _english_lock:  # the stemmer keeps the word it works on in itself
        return str(_english.stemWord(word))


@lru_cache(maxsize=8192)
def segments(text: str) -> tuple[str, ...]:
    """The Chinese words of a text one after the other, each character in exactly one of them."""
    segmenter = _segmenter_loaded()
    return tuple(word for run in _CJK_RUN.findall(fold(text)) for word in segmenter.cut(run))


def cut(han: str) -> list[str]:
    """The words of a Chinese run as it is written: nothing folded, no word guessed that the dictionary lacks."""
    return list(_segmenter_loaded().cut(han, HMM=False))


def in_dictionary(word: str) -> bool:
    """True for a Chinese word that the dictionary has; other pairs of characters may be parts of two words."""
    return bool(_segmenter_loaded().FREQ.get(word))


@lru_cache(maxsize=65536)
def is_identifier(word: str) -> bool:
    """True for a folded word that names one exact thing: a number, version, code, hash or file."""
    return any(char.isdigit() for char in word) and not CJK_CHARACTER.search(word)


def is_stop_word(word: str) -> bool:
    """True for a search word that says nothing about what is looked for."""
    return word in _STOPS


_STOPS = STOP_WORDS | frozenset(stem(word) for word in STOP_WORDS)


def telling_words(found: Collection[str]) -> int:
    """How many of these search words are no stop words."""
    return len(found) - sum(map(_STOPS.__contains__, found))


@lru_cache(maxsize=8192)
def _search_words(text: str) -> tuple[str, ...]:
    folded = _THOUSANDS.sub("", fold(text))
    found: list[str] = []
    position = 0
    while position < len(folded):
        if run := _CJK_RUN.match(folded, position):
            found.extend(_cjk_words(run[0]))
            position = run.end()
        elif run := _LATIN_RUN.match(folded, position):
            found.extend(_latin_words(run[0]))
            position = run.end()
        else:
            position += 1
    return tuple(found)


def words(text: str) -> list[str]:
    """The search words of a text, in order, with repetition.

    Chinese: the dictionary's words, every pair of neighbours (so that a word which no dictionary has is found) and
    every character with a meaning of its own. Alphabets: stems. Identifiers: whole, and the parts that mean
    something alone (ORA-12514 → ora-12514, ora, 12514); 101 never equals 1010.
    """
    return list(_search_words(text))


def _cjk_words(run: str) -> list[str]:
    segmenter = _segmenter_loaded()
    found: list[str] = []
    empty: list[bool] = []  # for each character: does it stand in a word that says nothing?
    for word in segmenter.cut(run):
        empty.extend([word in STOP_WORDS] * len(word))
        if len(word) > 2:  # the short words inside a long one, as jieba's search mode gives them
            for size in (2, 3):
                inner = (word[at : at + size] for at in range(len(word) - size + 1))
                found.extend(part for part in inner if size < len(word) and segmenter.FREQ.get(part))
        if len(word) > 1:
            found.append(word)
    known = set(found)
    for at in range(len(run) - 1):
        pair = run[at : at + 2]
        if pair not in known and not (empty[at] or empty[at + 1]):
            found.append(pair)
    found.extend(char for at, char in enumerate(run) if not empty[at])
    return found


def _latin_words(run: str) -> list[str]:
    run = run.replace("’", "'")
    run = re.sub(r"'s$|'$", "", run)
    if not any(char.isdigit() for char in run):
        return _plain_words(run)
    if measured := _MEASURE.fullmatch(run):
        return [measured[1], run]
    version = _VERSION.fullmatch(run)
    if version:
        core, rest = version.groups()
        # v2.13.0-beta.4 is asked for with and without the v, and by its number alone.
        return [core + rest] + ([core] if rest else []) + [stem(part) for part in _PART.findall(rest) if len(part) > 2]
    if _HEX.fullmatch(run):
        return [run]
    parts = [part for part in _PART.findall(run) if _stands_alone(part)]
    pieces = [piece for piece in _WORD_MARKS.split(run) if piece != run and is_identifier(piece) and len(piece) > 1]
    return list(dict.fromkeys([run, *pieces, *(stem(part) for part in parts)]))


def _stands_alone(part: str) -> bool:
    return len(part) >= (2 if part.isdigit() else 3)


def _plain_words(run: str) -> list[str]:
    if run.endswith(("++", "#")):
        return [run]
    pieces = [piece for piece in re.split(r"[-.:/@#+_&']+", run) if piece]
    if len(pieces) == 1:
        return [stem(pieces[0])]
    whole = [run] if "'" not in run else []
    return whole + [stem(piece) for piece in pieces if len(piece) > 1]


#: The name of the way in which count_tokens counts; it changes when the numbers do.
TOKENIZER = "commonplace-2"
_PIECE = re.compile(rf"[{CJK}]|[^\W\d_{CJK}]+|\d+|\s+|.", re.DOTALL)
_RUN = re.compile(r"[A-Za-z0-9+/=_-]{16,}")
_CASED = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")


def count_tokens(text: str) -> int:
    """A count of the tokens that a language model reads, the same for the same text on every machine.

    It needs no vocabulary, and is meant to lie above what current models count (docs/context.md has the comparison):
    a character of common Chinese, Japanese or Korean marks is 1, a word of an alphabet 1 for each 5 letters begun (2
    for each 3 outside ASCII), a number 1 for each 3 digits begun, keys and hashes 4 for each 5 characters, a mark 1
    (other symbols 2, outside the basic plane 3), line breaks 1 for each run, a wide space 1, other space nothing.
    """
    total, position = 0, 0
    for run in _RUN.finditer(text):
        if _is_dense(run[0]):
            total += _count(text[position : run.start()]) - (-len(run[0]) * 4 // 5)
            position = run.end()
    return total + _count(text[position:])


def _is_dense(run: str) -> bool:
    """Whether letters, digits and cases alternate as they do in keys and hashes and never in words."""
    kinds = [char.islower() + 2 * char.isupper() + 4 * char.isdigit() for char in run]
    return 4 * sum(one != other for one, other in pairwise(kinds)) >= len(run)


def _count(text: str) -> int:
    return sum(_weight(piece) for piece in _PIECE.findall(text))


def _weight(piece: str) -> int:
    first = piece[0]
    if first.isspace():
        return ("\n" in piece) + (len(piece) > 2)
    if first.isdigit():
        return -(-len(piece) // 3)
    if CJK_CHARACTER.match(first):
        return 1 if "\u3000" <= first <= "\u9fff" else 2 if first < "\U00020000" else 4
    if first.isalpha():
        return sum(-(-len(word) // 5) for word in _CASED.findall(piece)) if piece.isascii() else -(-len(piece) * 2 // 3)
    if (
        first.isascii()
        or "\u2010" <= first <= "\u2027"
        or "\u3000" <= first <= "\u303f"
        or "\uff00" <= first <= "\uffef"
    ):
        return 1
    return 2 if ord(first) < 0x10000 else 3
