"""Numbers as quantities: 60 minutes is one hour, 8 折 is 20 % off, 2000 USD is not 2000 CNY."""

import re
from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from .numerals import ENGLISH, chinese_number, english_number
from .rates import PATTERNS, rates
from .sieve import Sieve

# Unit -> (dimension, factor). Both languages, symbols and words.
_UNITS: dict[str, tuple[str, float]] = {}


def _unit(dimension: str, factor: float, names: str) -> None:
    for name in names.split():
        _UNITS[name.replace("_", " ")] = (dimension, factor)


_unit("duration", 0.001, "ms msec millisecond milliseconds 毫秒")
_unit("duration", 1, "s sec secs second seconds 秒 秒钟")
_unit("duration", 60, "min mins minute minutes 分钟")
_unit("duration", 900, "刻钟")
_unit("duration", 3600, "h hr hrs hour hours 小时 个小时 钟头 个钟头")
_unit("duration", 86400, "d day days 天")
_unit("duration", 604800, "week weeks 周 星期 个星期 礼拜 个礼拜")
_unit("duration", 1209600, "fortnight fortnights")
_unit("months", 1, "month months 个月")
_unit("months", 3, "quarter quarters 季度 个季度")
_unit("months", 12, "year years yr yrs 年")
_unit("length", 0.001, "mm 毫米")
_unit("length", 0.01, "cm 厘米 公分")
_unit("length", 1, "m meter meters metre metres 米")
_unit("length", 1000, "km kilometer kilometers kilometre kilometres kms 公里 千米")
_unit("length", 1609.344, "mile miles 英里")
_unit("length", 500, "里路")
_unit("length", 0.0254, "inch inches 英寸")
_unit("length", 0.3048, "ft foot feet 英尺")
_unit("area", 1, "sqm 平方米 平米 平")
_unit("area", 10000, "hectare hectares ha 公顷")
_unit("volume", 1, "ml millilitre millilitres milliliter milliliters 毫升")
_unit("volume", 1000, "l litre litres liter liters 升")
_unit("mass", 0.001, "mg milligram milligrams 毫克")
_unit("mass", 0.000001, "µg μg mcg microgram micrograms 微克")
_unit("mass", 1, "g gram grams 克")
_unit("mass", 1000, "kg kgs kilo kilos kilogram kilograms 公斤 千克")
_unit("mass", 500, "斤")
_unit("mass", 28.3495, "oz ounce ounces 盎司")
_unit("mass", 453.592, "lb lbs pound_weight")
_unit("data", 1, "kb")
_unit("data", 1024, "mb m_b 兆")
_unit("data", 1048576, "gb")
_unit("data", 1073741824, "tb")
_unit("degree", 1, "°c ℃ ° c degrees degree 度 摄氏度 celsius")
_unit("fahrenheit", 1, "°f ℉ f fahrenheit 华氏度")
_unit("energy", 1, "kcal calories 千卡 大卡")
_unit("electricity", 1, "kwh 度电")
_unit("percent", 1, "% percent 个百分点")
_unit("usd", 1, "usd dollar dollars us_dollars 美元 美金 刀 us$")
_unit("cny", 1, "cny rmb yuan 元 块 块钱 人民币 元人民币")
_unit("eur", 1, "eur euro euros 欧元 欧")
_unit("gbp", 1, "gbp pounds_sterling 英镑")
_unit("jpy", 1, "jpy yen 日元 日圆")
_unit("chf", 1, "chf francs franc 瑞士法郎 瑞郎")
_unit("hkd", 1, "hkd 港币 港元")
_unit("sgd", 1, "sgd 新币 新加坡元")
_unit("twd", 1, "twd ntd 新台币 台币")
_unit("krw", 1, "krw 韩元")
_CLASSIFIERS = "个名位口次回遍趟条件只匹头张本台辆部间层楼杯瓶顿餐岁人号种项票门倍封篇份场节班级页行字"
_SYMBOLS = {"$": "usd", "us$": "usd", "¥": "cny", "￥": "cny", "€": "eur", "£": "gbp", "hk$": "hkd"}

_LATIN_UNITS = "|".join(sorted((re.escape(u) for u in _UNITS if u.isascii()), key=len, reverse=True))
_CJK_UNITS = "|".join(sorted((re.escape(u) for u in _UNITS if not u.isascii()), key=len, reverse=True))
_UNIT = rf"(?:(?:{_LATIN_UNITS})(?![a-z0-9])|{_CJK_UNITS})"
_ZH = "零〇一二两俩三四五六七八九十百千万亿"
_EN = "|".join(sorted(ENGLISH, key=len, reverse=True))

_DATE = re.compile(
    r"(?P<y>(?:19|20)\d\d)\s*[-/.年]\s*(?P<m>\d{1,2})\s*[-/.月]\s*(?P<d>\d{1,2})(?!\d)\s*[日号]?"
    rf"|(?P<m2>\d{{1,2}}|[{_ZH}]{{1,2}})\s*月\s*(?P<d2>\d{{1,2}}|初?[{_ZH}]{{1,3}})\s*(?:[日号]|(?![\d个天{_ZH}]))"
    r"|(?<![\d/])(?P<a>\d{1,2})(?P<sep>[/.])(?P<b>\d{1,2})(?P=sep)(?P<y3>(?:19|20)\d\d)(?!\d)"
)
MONTHS = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
_MONTH = {m: i + 1 for i, m in enumerate(MONTHS)}
_NAMED = "|".join(
    "jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)?".split()
)
_ORDINAL = {
    word: i + 1
    for i, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
        "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth "
        "twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first".split()
    )
}
_NTH = "|".join(w.replace("-", "[ -]") for w in sorted(_ORDINAL, key=len, reverse=True))
_DATE_EN = re.compile(
    rf"(?<![a-z])(?:(?P<n1>{_NAMED})\.?\s+(?:the\s+)?(?P<d1>\d{{1,2}}(?:st|nd|rd|th)?|{_NTH})"
    rf"|(?P<d2>\d{{1,2}}(?:st|nd|rd|th)?|{_NTH})\s+(?:of\s+)?(?P<n2>{_NAMED}))(?![a-z0-9])(?:,?\s*(?P<y>(?:19|20)\d\d))?"
)
_MONTH_OF = re.compile(
    rf"(?<![a-z])(?P<n>{_NAMED})\.?,?\s+(?:of\s+)?(?P<y>(?:19|20)\d\d)(?!\d)|(?P<y2>(?:19|20)\d\d)\s*年\s*(?P<m>\d{{1,2}}|[{_ZH}]{{1,2}})\s*月(?!\s*[\d初{_ZH}])"
)
_CLOCK = re.compile(
    rf"(?:(?P<part>上午|早上|早晨|凌晨|中午|下午|晚上|傍晚|夜里)\s*|(?<!\s)\s+)?"
    rf"(?:(?<![\d.:])(?P<h>\d{{1,2}}):(?P<mi>\d\d)(?![\d:])\s*(?P<ap>a\.?m\.?|p\.?m\.?)?"
    rf"|(?<![\d.a-z])(?P<h2>\d{{1,2}}|{'|'.join(list(ENGLISH)[1:13])})\s*(?P<ap2>a\.?m\.?|p\.?m\.?|o'clock)(?![a-z])"
    rf"|(?<![a-z])(?P<past>half(?: past)?|quarter past|quarter to) (?P<h4>{'|'.join(list(ENGLISH)[1:13])}|\d{{1,2}})(?![\d:a-z])(?! (?:{_LATIN_UNITS})(?![a-z]))"
    rf"|(?:(?<=\bat )|(?<=\baround )|(?<=\babout )|(?<=\bby )|(?<=\bbefore )|(?<=\bafter )|(?<=\buntil )|(?<=\btill ))(?P<h5>{'|'.join(list(ENGLISH)[1:13])}|\d{{1,2}})(?=$|[.,;!]|\s(?:every|each|on|in|sharp|and|today|tomorrow|tonight)\b)"
    rf"|(?P<h3>\d{{1,2}}|[{_ZH}]{{1,3}})\s*点(?![儿些击])(?:钟|(?P<half>半)|(?P<q>[一三])刻|(?P<mi3>\d{{1,2}}|[{_ZH}]{{2,3}}|[{_ZH}](?=分))分?)?)"
)
_IDENTIFIER = re.compile(
    r"(?<![a-z0-9])(?=[a-z0-9._/:-]*\d)(?=[a-z0-9._/:-]*[a-z])[a-z0-9]+(?:[._/:-][a-z0-9]+)*(?![a-z0-9])"
    r"|(?<![\d.])v?\d+(?:\.\d+){2,}(?![\d.])"
)
_TIMES = {"k": 1000, "w": 10000, "万": 10000, "千": 1000, "百万": 1e6, "million": 1e6, "thousand": 1000}
_DIGIT = re.compile(r"\d")
_MONTH_DAY = re.compile(
    rf"(?<![a-z])(?P<n>{_NTH}|\d{{1,2}}(?:st|nd|rd|th))(?= birthday| of (?:each|every|the) month)(?: of (?:each|every|the) month)?"
)
_VERSION = re.compile(
    r"(?:(?<![a-z])(?:versions?|release|sdk|firmware|python|node(?:\.?js)?|java|ruby|php|go|kotlin|swift|postgres(?:ql)?|mysql|redis|django|"
    r"react|vue|angular|kubernetes|ubuntu|ios|android)|版本号?|固件|版)(?:\s|is|at|on|to|of|:|是|为|用|升到|升级到)*v?(?P<n>\d+(?:\.\d+)+)(?![\d.]*\d)"
)
# "5km", "10-minute", and with what it is of: "4-year-old", "2-day-long".
_UNITED = re.compile(rf"^\d+(?:\.\d+)?(?:-?(?:k|w|{_LATIN_UNITS}|am|pm|st|nd|rd|th)|-(?:{_LATIN_UNITS})(?:-[a-z]+)+)$")
_DISCOUNT = re.compile(rf"(?P<n>[1-9](?:\.\d)?|[1-9]\d|[{_ZH}]{{1,2}})\s*折")
_HALF = re.compile(
    rf"(?P<n>\d+|[{_ZH}]+)\s*个半\s*(?P<u>小时|钟头|星期|礼拜)|(?P<n2>\d+|[{_ZH}]+)\s*(?P<u2>天|年|公里|斤)半|"
    rf"(?<![a-z0-9])(?:(?P<n3>an?|\d+|{_EN})\s+(?P<u3>second|minute|hour|day|week|month|year|mile|kilo)s?\s+and\s+a\s+half|"
    rf"(?P<n4>\d+|{_EN})\s+and\s+a\s+half\s+(?P<u4>seconds|minutes|hours|days|weeks|months|years|miles|kilos))(?![a-z])"
)
_NUMBER = re.compile(
    # Behind a letter no number starts, unless a sign or a space stands there, or Chinese: most places are left at once.
    rf"(?:(?<![a-z])|(?=[uh$¥￥€£\s半{_ZH}]))"
    rf"(?:(?P<sym>us\$|hk\$|[$¥￥€£])\s*|(?<!\s)\s+)?"
    rf"(?:(?P<num>(?<![a-z0-9.])-?\d+(?:,\d{{3}})*(?:\.\d+)?)\s*(?P<scale>k(?![a-z])|w(?![a-z])|万|千|百万|million|thousand)?"
    rf"|(?P<en>(?<![a-z])(?:half an?|{_EN})(?:[ -](?:{_EN}))?)(?![a-z])"
    rf"|(?<![a-z])(?P<a>an?)(?=\s+(?:{_LATIN_UNITS})(?![a-z]))"
    rf"|(?P<zhper>[{_ZH}]*[十百千万亿])(?=一(?:[晚夜天月年周次回趟间位桌张节堂份]|个(?!百|千)|小时|人(?!次)))"
    rf"|(?P<zh>半|[{_ZH}]+)(?=\s*(?:{_UNIT}|[{_CLASSIFIERS}]|个))(?P<zhscale>)"
    rf"|(?P<zhbare>[{_ZH}]{{2,}}))"
    rf"(?:\s*(?:-\s*)?(?P<unit>{_UNIT}))?(?P<cls>[{_CLASSIFIERS}])?(?P<half2>半)?"
)


class Quantity(NamedTuple):
    """A value on a dimension: equal ones mean the same, whatever the unit and the script."""

    dimension: str
    value: float


class Span(NamedTuple):
    """Where a quantity stands in the folded text."""

    start: int
    end: int
    quantity: Quantity
    identifier: str | None = None


def in_units(dimension: str, value: float) -> frozenset[float]:
    """The amount in each unit of its dimension: 96 months are also 8 years."""
    return frozenset(round(value / factor, 6) for kind, factor in _UNITS.values() if kind == dimension)


@lru_cache(maxsize=16384)
def spans(folded: str) -> tuple[Span, ...]:
    """Every quantity, date, clock time and identifier of a folded text, left to right, none overlapping."""
    found: list[Span] = []
    taken = bytearray(len(folded))
    for place in _SIEVE.of(folded):
        for start, end, quantity, identifier in _READERS[place][0](folded):
            while start < end and folded[start].isspace():
                start += 1
            if start < end and taken.find(1, start, end) < 0:
                taken[start:end] = bytes((1,)) * (end - start)
                found.append(Span(start, end, quantity, identifier))
    return tuple(sorted(found, key=itemgetter(0)))


Found = list[tuple[int, int, Quantity, str | None]]


def _dates(text: str) -> Found:
    return [(start, end, Quantity("date", month * 100 + day), None) for start, end, _, month, day in _days(text)]


def _months(text: str) -> Found:
    """Months of a year without a day: June 2027."""
    out: Found = []
    for m in _MONTH_OF.finditer(text):
        month = _MONTH[m["n"][:3]] if m["n"] else _ordinal(m["m"])
        if 1 <= month <= 12:
            out.append((m.start(), m.end(), Quantity("month_of", int(m["y"] or m["y2"]) * 12 + month), None))
    return out


def _days(text: str) -> list[tuple[int, int, int | None, int, int]]:
    """(start, end, year, month, day) of every date."""
    out = []
    for m in _DATE.finditer(text):
        if m["a"]:
            first, second = int(m["a"]), int(m["b"])
            month, day = (second, first) if first > 12 or m["sep"] == "." else (first, second)
        else:
            month, day = _ordinal(m["m"] or m["m2"]), _ordinal(m["d"] or m["d2"])
        year = m["y"] or m["y3"]
        if 1 <= month <= 12 and 1 <= day <= 31:
            out.append((m.start(), m.end(), int(year) if year else None, month, day))
    for m in _DATE_EN.finditer(text):
        month, day = _MONTH[(m["n1"] or m["n2"])[:3]], _ordinal(m["d1"] or m["d2"])
        if 1 <= day <= 31:
            out.append((m.start(), m.end(), int(m["y"]) if m["y"] else None, month, day))
    return out


def _ordinal(word: str) -> int:
    """The number of "3", "3rd", "third", 三 or 初三; 0 where it is none."""
    if digits := re.match(r"\d+", word):
        return int(digits[0])
    return _ORDINAL.get(word.replace(" ", "-"), 0) or int(chinese_number(word.removeprefix("初")) or 0)


@lru_cache(maxsize=16384)
def _years(text: str) -> frozenset[int]:
    return frozenset(year for _, _, year, _, _ in _days(text) if year)


def years_differ(one: str, other: str) -> bool:
    """Both folded texts give a date with its year, and no year is in both."""
    mine, theirs = _years(one), _years(other)
    return bool(mine) and bool(theirs) and not mine & theirs


def _clocks(text: str) -> Found:
    out: Found = []
    for m in _CLOCK.finditer(text):
        raw = m["h"] or m["h2"] or m["h3"] or m["h4"] or m["h5"]
        hour = float(raw) if raw.isdigit() else english_number(raw) if raw.isascii() else chinese_number(raw)
        if m["h3"] and not (m["part"] or m["half"] or m["q"] or m["mi3"] or "点钟" in m[0]) and raw == "一":
            continue  # 一点 is "a little" far more often than "one o'clock"
        if hour is None or hour > 24:
            continue
        minute = (
            float(m["mi"] or 0) + (30 if m["half"] else 0) + (int(chinese_number(m["q"]) or 0) * 15 if m["q"] else 0)
        )
        if m["mi3"]:
            minute += float(m["mi3"]) if m["mi3"].isascii() else (chinese_number(m["mi3"]) or 0)
        if m["past"]:  # "half nine" is half past nine
            minute = 30 if m["past"].startswith("half") else 15 if m["past"].endswith("past") else -15
        meridiem = (m["ap"] or m["ap2"] or "").replace(".", "")
        afternoon = meridiem == "pm" or m["part"] in ("下午", "晚上", "傍晚", "夜里")
        if afternoon and hour < 12:
            hour += 12
        elif (meridiem == "am" or m["part"] == "凌晨") and hour == 12:
            hour = 0
        out.append((m.start(), m.end(), Quantity("clock", hour * 60 + minute), None))
    return out


def _identifiers(text: str) -> Found:
    if _DIGIT.search(text) is None:
        return []
    return [
        (m.start(), m.end(), Quantity("identifier", 0), m[0].removeprefix("v") if "." in m[0] else m[0])
        for m in _IDENTIFIER.finditer(text)
        if not _UNITED.match(m[0])
    ]


def _month_days(text: str) -> Found:
    """The first of each month: the same as the 1st."""
    return [(m.start("n"), m.end("n"), Quantity("count", _ordinal(m["n"])), None) for m in _MONTH_DAY.finditer(text)]


def _versions(text: str) -> Found:
    """Numbers of versions: 4.2 and 4.20 are two of them."""
    return [(m.start("n"), m.end(), Quantity("identifier", 0), m["n"]) for m in _VERSION.finditer(text)]


def _rates(text: str) -> Found:
    return [(start, end, Quantity("rate", value), None) for start, end, value in rates(text)]


def _discounts(text: str) -> Found:
    out: Found = []
    for m in _DISCOUNT.finditer(text):
        raw = m["n"]
        value = float(raw) if raw.isascii() else chinese_number(raw)
        if not raw.isascii() and len(raw) == 2 and value and value < 10:
            value = value * 10
        if value:
            kept = value * 10 if value < 10 else value
            out.append((m.start(), m.end(), Quantity("percent", round(100 - kept, 6)), None))
    return out


def _halves(text: str) -> Found:
    """一个半小时, 两天半: a number of units and half a unit more."""
    out: Found = []
    for m in _HALF.finditer(text):
        raw = m["n"] or m["n2"] or m["n3"] or m["n4"]
        unit = m["u"] or m["u2"] or m["u3"] or m["u4"]
        spelled = 1.0 if raw in ("a", "an") else english_number(raw) if raw.isascii() else chinese_number(raw)
        value = float(raw) if raw.isdigit() else spelled
        if value is not None:
            dimension, factor = _UNITS[unit]
            out.append((m.start(), m.end(), Quantity(dimension, round((value + 0.5) * factor, 6)), None))
    return out


def _numbers(text: str) -> Found:
    out: Found = []
    for m in _NUMBER.finditer(text):
        value = _value(m)
        if value is None:
            continue
        unit = m["unit"]
        dimension, factor = _UNITS.get(unit, ("count", 1.0)) if unit else ("count", 1.0)
        if m["sym"]:
            dimension, factor = _SYMBOLS[m["sym"]], 1.0
        if m["half2"] and unit:
            value += 0.5
        if m["en"] == "one" and not unit and not _counts_one(text, m):
            continue  # "that one", "one of them"
        out.append((m.start(), m.end(), Quantity(dimension, round(value * factor, 6)), None))
    return out


def _counts_one(text: str, m: re.Match[str]) -> bool:
    """One of a kind, as against two: "has one brother"."""
    after = re.match(r" (?!of|day|another|or|at|in|on|to|is|that|who|which|more|by)[a-z]{3,}", text[m.end() :])
    return bool(after) and not re.search(
        r"\b(?:that|this|the|which|each|every|any|no|another|only|new|old)\s*$", text[: m.start()]
    )


def _value(m: re.Match[str]) -> float | None:
    if m["num"]:
        return float(m["num"].replace(",", "")) * _TIMES.get(m["scale"] or "", 1)
    if m["en"]:
        return english_number(m["en"])
    if m["a"]:
        return 1.0
    numeral = m["zhper"] or m["zh"] or m["zhbare"]
    return chinese_number(numeral) if numeral else None


_READERS: tuple[tuple[Callable[[str], Found], tuple[re.Pattern[str], ...]], ...] = (
    (_dates, (_DATE, _DATE_EN)), (_months, (_MONTH_OF,)), (_clocks, (_CLOCK,)), (_month_days, (_MONTH_DAY,)),
    (_versions, (_VERSION,)), (_identifiers, (_IDENTIFIER,)), (_rates, PATTERNS), (_discounts, (_DISCOUNT,)),
    (_halves, (_HALF,)), (_numbers, (_NUMBER,)),
)  # fmt: skip
_SIEVE = Sieve(*(patterns for _, patterns in _READERS))
