"""What a rule for an open-valued slot looks like, and how values such as sums of money are normalised."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import dates

Value = Callable[[re.Match[str]], Any]


@dataclass(frozen=True)
class Say:
    """One way to say a slot. `pattern` binds `v`, the value; `zh` and `en` are the note, with the pattern's groups.

    `told`: an order to the agent, so "you" may be its subject; `wish`: needs a habit, a wish or a limit beside it;
    `context`: must be found in the sentence; `wide`: looked for in the whole sentence instead of one clause; `conditions`: which conditions may qualify it.
    """

    key: str
    pattern: re.Pattern[str]
    zh: str
    en: str
    value: Value | None = None
    kind: str = "semantic"
    scope: str | None = None
    conditions: str = ""
    told: bool = False
    wish: bool = False
    wide: bool = False
    others: bool = True
    context: re.Pattern[str] | None = None
    confidence: float = 0.85


def say(key: str, zh: str, en: str, *patterns: str, flags: int = re.I | re.A, **more: Any) -> tuple[Say, ...]:
    """Rules for one slot: a rule for each pattern, all with the same note."""
    if isinstance(more.get("context"), str):
        more["context"] = re.compile(more["context"], re.I | re.A)
    return tuple(Say(key, re.compile(p, flags), zh, en, **more) for p in patterns)


_CURRENCIES = (
    ("USD", r"美元|美金|美刀|刀(?![\u3400-\u9fff])|usd|us dollars?|dollars?|bucks|\$"), ("CNY", r"人民币|块钱?|元|rmb|cny|yuan|[¥￥]"), ("EUR", r"欧元|euros?|eur|€"), ("GBP", r"英镑|pounds?|gbp|quid|£"),
    ("JPY", r"日元|日币|yen|jpy|円"), ("HKD", r"港币|港元|hkd"), ("TWD", r"台币|新台币|twd"), ("SGD", r"新币|sgd"), ("CHF", r"瑞士法郎|chf|(?:swiss )?francs?"),
)  # fmt: skip
_CURRENCY = "|".join(words for _, words in _CURRENCIES)
AMOUNT = rf"(?:(?P<sign>[$€£¥￥]|usd|eur|rmb|cny)\s*)?(?P<num>\d[\d,]*(?:\.\d+)?|[一二两三四五六七八九十][一二两三四五六七八九十百千万]*(?=[^，。]{{0,1}}(?:美|元|块|欧|人民|日|港|英|刀|台|新))|[一二两三四五六七八九][百千万][一二三四五六七八九]?(?![一二两三四五六七八九十百千万]|[天年个次人位分秒岁号公米克])(?=[^，。]{{0,1}}(?:以内|以下|之内|内|封顶|上下|左右|的?$)))\s*(?P<times>k\b|千|万|百)?\s*(?P<cur>{_CURRENCY})?"
_CAP = re.compile(
    r"(?:不|别)(?:超过|高于|要超过|能超过|超|得超过)|以内|以下|之内|上限|最多|顶多|封顶|至多|控制在|\b(?:cap|caps|capped|max(?:imum)?|limit|at most|up to|under|below|no more than|not (?:more|over)|within|ceiling|less than)\b",
    re.I | re.A,
)


def amount(m: re.Match[str], always_cap: bool = True) -> str | None:
    """A sum of money as "<=2000 USD"; None where the words hold no currency and no round number."""
    number = dates.number(m["num"])
    if number is None:
        return None
    number *= {"k": 1000, "千": 1000, "万": 10_000, "百": 100}.get((m["times"] or "").lower(), 1)
    said = (m["cur"] or m["sign"] or "").strip().lower()
    currency = next((code for code, words in _CURRENCIES if said and re.fullmatch(words, said, re.I | re.A)), "")
    if not currency and (number < 50 or not m["num"][0].isdigit() and not _CAP.search(m.string)):
        return None
    at_most = "<=" if always_cap or _CAP.search(m.string) else ""
    return f"{at_most}{dates.plain(number)}{' ' + currency if currency else ''}"


def spoken_amount(value: str, chinese: bool) -> str:
    """A normalised sum as people say it: 「2000 美元」, "2000 USD"."""
    text = value.removeprefix("<=")
    if chinese:
        for code, name in (
            ("USD", "美元"),
            ("CNY", "元"),
            ("EUR", "欧元"),
            ("GBP", "英镑"),
            ("JPY", "日元"),
            ("HKD", "港元"),
            ("TWD", "新台币"),
            ("SGD", "新币"),
            ("CHF", "瑞士法郎"),
        ):
            text = text.replace(code, name)
    return text


_EN_TAIL = re.compile(
    r"(?:(?<![ ,])[ ,]+(?:please|btw|fyi|lol|haha|tbh|now|too|as well|anyway|again|instead|for good|from now on|going forward|these days|at the moment|by the way|lately|though|actually|then|right now|nowadays|always|usually|in general|at all|any ?more|also|currently|, not .*|not \w+|for (?:everything|now)|since \d{4}|ok(?:ay)?|thanks?|since .*|because .*|'cause .*))+[.!]*$",
    re.I | re.A,
)
_ZH_TAIL = re.compile(r"(?:了|吧|啊|呀|哦|喔|噢|哟|喽|咯|嘞|呗|呢|啦|的|哈|嘛|就好|就行|谢谢|为主|为准|左右)+$")


def clean(value: str) -> str:
    """The value without polite and temporal words around it."""
    value = value.strip(" ,.，。:：;'\"“”「」、~-")
    value = _EN_TAIL.sub("", value).strip(" ,.，。:：'\"“”「」、~-")
    shorter = _ZH_TAIL.sub("", value)
    return shorter if shorter else value


_ZH_LIST = re.compile(
    r"[、/]|(?<=[\u3400-\u9fff])(?:和|与|跟|以及|还有|及)(?=[\u3400-\u9fffA-Za-z])|，(?:还有|以及|和)?"
)
_EN_LIST = re.compile(r"\s*,\s*(?:and |or )?|\s+(?:and|or|&)\s+|\s*/\s*", re.I | re.A)


def items(text: str) -> list[str]:
    """The parts of an enumeration in either language."""
    parts: list[str] = []
    for part in _ZH_LIST.split(text):
        parts += _EN_LIST.split(part) if re.search(r"[A-Za-z]", part) else [part]
    return [p for p in (clean(x) for x in parts) if p][:8]
