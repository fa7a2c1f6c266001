"""How often something happens, as the time from one occurrence to the next: twice a week, 每两周一次, fortnightly."""

import re

_SECONDS = {"d": 86400.0, "w": 604800.0, "f": 1209600.0, "m": 2629800.0, "q": 7889400.0, "y": 31557600.0}
_ADVERBS = {
    "daily": "d", "nightly": "d", "weekly": "w", "fortnightly": "f", "monthly": "m", "quarterly": "q", "yearly": "y", "annually": "y",
}  # fmt: skip
_UNITS = {
    "day": "d", "week": "w", "fortnight": "f", "month": "m", "quarter": "q", "year": "y",
    "天": "d", "日": "d", "周": "w", "星期": "w", "礼拜": "w", "月": "m", "季度": "q", "年": "y",
}  # fmt: skip
_WORDS = {w: i for i, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
_WORDS |= {"once": 1, "twice": 2, "other": 2, "second": 2, "single": 1}
_ZH = {c: i for i, c in enumerate("零一二三四五六七八九十")} | {"两": 2, "半": 0.5}

_N = rf"\d{{1,2}}|{'|'.join(sorted(_WORDS, key=len, reverse=True))}"
_EN = re.compile(
    rf"(?<![a-z0-9])(?:(?:(?P<times>once|twice)|(?P<many>{_N})[ -](?:times|meals|doses))\s+)?"
    rf"(?:every|each|per|an?(?=\s))\s+(?:(?P<n>{_N})\s+)?(?P<unit>day|week|fortnight|month|quarter|year)s?(?![a-z])"
)
_AMOUNT = re.compile(
    rf"(?:\d|\b(?:{'|'.join(w for w in _WORDS if w not in ('other', 'second'))})\b)[^,.;]{{0,24}}(?<!in)(?<!of)(?<!for)(?<!than)(?<!under)(?<!over)(?<!within)(?<!about)(?<!after)(?<!before)(?<!since) $|\ban? [\w-]+ $"
)
_ADVERB = re.compile(rf"(?<![a-z])(?P<adverb>{'|'.join(_ADVERBS)})(?![a-z])(?! (?:stand-?up|scrum))")
_Z = "[一二两三四五六七八九十半]|\\d{1,2}"
_PERIOD = rf"(?:(?P<n>{_Z})\s*)?个?(?P<unit>天|日|周|星期|礼拜|季度|月|年)"
_TIMES = rf"(?P<times>{_Z})\s*[次回遍趟顿餐]"
_EVERY_ZH = re.compile(
    rf"每隔?\s*{_PERIOD}(?!(?<=[周期拜])[一二三四五六日天末](?!\s*[次回遍趟顿餐]))(?:(?P<between>[^，。；,;、\d]{{0,5}}?){_TIMES})?"
)
_IN_ZH = re.compile(rf"(?<![第近这那每\d]){_PERIOD}(?:之?内)?(?P<between>[^，。；,;、\d]{{0,3}}?){_TIMES}")
_PER_ZH = re.compile(
    r"(?<![第近这那每周一二三四五六\d])一\s*(?P<unit>天|周|年|个月)(?=[^，。；,;\d]{0,3}[\d一二两三四五六七八九十])"
)
#: A text has no frequency unless it has a match of one of these.
PATTERNS = (_EN, _ADVERB, _EVERY_ZH, _IN_ZH, _PER_ZH)

Found = list[tuple[int, int, float]]


def rates(text: str) -> Found:
    """(start, end, seconds between) of every frequency in a folded text; what stands between its parts is left out."""
    out: Found = []
    for m in _EN.finditer(text):
        times = m["times"] or m["many"]
        if not times and m[0].startswith("a") and not _AMOUNT.search(text[: m.start()]):
            continue  # "a week" is a length of time unless it follows an amount: "2 kg of flour a week"
        out.append((m.start(), m.end(), _number(m["n"]) * _SECONDS[_UNITS[m["unit"]]] / _number(times)))
    for m in _ADVERB.finditer(text):
        out.append((m.start(), m.end(), _SECONDS[_ADVERBS[m["adverb"]]]))
    for pattern in (_EVERY_ZH, _IN_ZH):
        for m in pattern.finditer(text):
            if not m["times"] and text[m.end() : m.end() + 1] in tuple("早晚清夜"):
                continue  # 每天晚上 is a part of the day
            value = _number(m["n"]) * _SECONDS[_UNITS[m["unit"]]] / _number(m["times"])
            if m["times"] and m["between"]:
                # The verb stands in the middle: two pieces, and the value is told by the first.
                out += [(m.start(), m.start("between"), value), (m.start("times"), m.end(), value)]
            else:
                out.append((m.start(), m.end(), value))
    for m in _PER_ZH.finditer(text):
        out.append((m.start(), m.end(), _SECONDS[_UNITS[m["unit"].removeprefix("个")]]))
    return out


def _number(word: str | None) -> float:
    if not word:
        return 1.0
    return float(word) if word.isdigit() else float(_WORDS.get(word, _ZH.get(word, 1)) or 1)
