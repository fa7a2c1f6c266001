"""Relative dates and clock times, resolved with the moment at which they were said."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_WORDS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60, "ninety": 90, "noon": 12,
}  # fmt: skip
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKDAY_EN = r"mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs?)?(?:day)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_EN = r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
NUMBER = r"(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十百千万]+|(?:forty-five|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|one|two|three|four|five|six|seven|eight|nine|ten)\b)"


def number(text: str) -> float | None:
    """The number that digits, Chinese numerals or a small English word stand for."""
    text = text.strip().replace(",", "").lower()
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return float(text)
    if text in _WORDS:
        return float(_WORDS[text])
    if not text or not all(c in _DIGITS or c in "十百千万" for c in text):
        return None
    total, part, digit, unit = 0, 0, 0, 1
    for c in text:
        if c in _DIGITS:
            digit = _DIGITS[c]
        elif c == "万":
            total, part, digit, unit = (total + part + digit) * 10_000, 0, 0, 10_000
        else:
            unit = {"十": 10, "百": 100, "千": 1000}[c]
            part, digit = part + (digit or 1) * unit, 0
    if digit and unit >= 100 and len(text) > 1 and text[-2] in "百千万":  # 「两千五」 is 2,500
        digit *= unit // 10
    return float(total + part + digit)


def plain(value: float) -> str:
    """A number without a pointless fraction."""
    return str(int(value)) if value == int(value) else str(value)


@dataclass(frozen=True)
class When:
    """A resolved date: `start` is its first day; `label` how a note says it; `past` whether it lies behind."""

    start: datetime
    label: str
    grain: str
    past: bool
    span: tuple[int, int]


_ZH_DAY = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨晚": -1,
    "昨日": -1,
    "前晚": -2,
    "今天": 0,
    "明天": 1,
    "明晚": 1,
    "后天": 2,
    "大后天": 3,
}
_ZH_WEEK = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_PATTERNS = re.compile(
    r"(?P<iso>\b\d{4}-\d\d-\d\d\b)|(?P<zh_day>大前天|大后天|前天|昨天|昨晚|昨日|前晚|明天|明晚|后天)"
    r"|(?P<zh_week>上上|下下|上|下|这|本)(?:个)?(?:周|星期|礼拜)(?P<zh_weekday>末|[一二三四五六日天])?"
    r"|(?P<zh_month>上上|下下|上|下|这|本)个?月(?:(?P<zh_mday>\d{1,2})(?:号|日))?|(?P<zh_year>去年|前年|明年|今年)(?!.{0,3}月)"
    rf"|(?:(?P<zh_y>\d{{4}}|去年|今年|明年)年?)?(?P<zh_m>\d{{1,2}}|[一二三四五六七八九十]{{1,2}})月(?:份(?!额))?(?:(?P<zh_d>\d{{1,2}}|[一二三四五六七八九十]{{1,3}})(?:号|日))?(?!份?额|薪)"
    rf"|(?P<zh_n>{NUMBER})(?P<zh_unit>天|周|个?星期|个?月|年)(?P<zh_side>前|后|之前|之后|以前|以后)"
    rf"|(?P<en_day>the day before yesterday|yesterday|last night|tomorrow)\b"
    rf"|\b(?P<en_side>last|next|this past|this coming)\s+(?P<en_unit>(?:{WEEKDAY_EN})\b|weekend|week|month|year|summer|winter|spring|autumn|fall)\b"
    rf"|(?<!day to )(?<!day through )(?<!day until )\b(?:on |this )?(?P<en_wd>(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b(?! (?:morning)?s\b)(?!,? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH_EN})\b)(?!,? (?:{MONTH_EN})\.? \d)(?!,? ?(?:to|through|till|until|and|-|–) ?(?:mon|tue|wed|thu|fri|sat|sun))"
    rf"|\b(?P<en_n>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|a couple of)\s+(?P<en_ago>day|week|month|year)s?\s+(?P<en_back>ago|back|from (?:now|today))\b"
    rf"|\bin (?P<in_n>\d+|an?|one|two|three|four|five|six) (?P<in_unit>day|week|month|year)s?\b"
    rf"|\b(?:on |in )?(?P<en_m>{MONTH_EN})\.? (?P<en_d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<en_y>\d{{4}}))?|\b(?P<en_d2>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<en_m2>{MONTH_EN})\b(?:,? (?P<en_y2>\d{{4}}))?"
    rf"|\b(?P<sweek>this week|this month)\b",
    re.I | re.A,
)


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _months_on(day: datetime, months: int) -> datetime:
    index = day.year * 12 + day.month - 1 + months
    return day.replace(year=max(1, min(9999, index // 12)), month=index % 12 + 1, day=1)


def _near_year(month: int, day: int, at: datetime, ahead: bool) -> int:
    """The year that makes a bare month and day lie ahead of, or behind, the moment of speaking."""
    if ahead:
        return at.year if (month, day) >= (at.month, at.day) else at.year + 1
    return at.year if (month, day) <= (at.month, at.day) else at.year - 1


def _unit_back(name: str, n: float, today: datetime) -> tuple[datetime, str]:
    if name in ("day", "天"):
        return today + timedelta(days=n), "day"
    if name in ("week", "周", "星期", "个星期"):
        day = today + timedelta(weeks=n)
        return day - timedelta(days=day.weekday()), "week"
    if name in ("month", "月", "个月"):
        return _months_on(today, int(n)), "month"
    return today.replace(year=max(1, min(9998, today.year + int(n))), month=1, day=1), "year"


def _chinese(m: re.Match[str], today: datetime, ahead: bool) -> tuple[datetime, str] | None:
    g = m.groupdict()
    if g["zh_day"]:
        return today + timedelta(days=_ZH_DAY[g["zh_day"]]), "day"
    if g["zh_week"]:
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=_ZH_WEEK[g["zh_week"]])
        if g["zh_weekday"] == "末":
            return monday + timedelta(days=5), "weekend"
        if g["zh_weekday"]:
            return monday + timedelta(
                days="一二三四五六日天".index(g["zh_weekday"]) % 7 if g["zh_weekday"] != "天" else 6
            ), "day"
        return monday, "week"
    if g["zh_month"]:
        first = _months_on(today, _ZH_WEEK[g["zh_month"]])
        return (first.replace(day=min(28, int(g["zh_mday"]))), "day") if g["zh_mday"] else (first, "month")
    if g["zh_year"]:
        return today.replace(
            year=today.year + {"去年": -1, "前年": -2, "明年": 1, "今年": 0}[g["zh_year"]], month=1, day=1
        ), "year"
    if g["zh_m"]:
        month, day = number(g["zh_m"]), number(g["zh_d"] or "1")
        if not month or not day or not 1 <= month <= 12 or not 1 <= day <= 31:
            return None
        named = {"去年": today.year - 1, "今年": today.year, "明年": today.year + 1}
        year = named.get(g["zh_y"]) or int(g["zh_y"]) if g["zh_y"] else _near_year(int(month), int(day), today, ahead)
        return _date(today, year, int(month), int(day), "day" if g["zh_d"] else "month")
    if g["zh_n"] and (n := number(g["zh_n"])) is not None and n < 2000:
        return _unit_back(g["zh_unit"], n if "后" in g["zh_side"] else -n, today)
    return None


def _date(today: datetime, year: int, month: int, day: int, grain: str) -> tuple[datetime, str] | None:
    try:
        return today.replace(year=year, month=month, day=day), grain
    except ValueError:
        return None


def _english(m: re.Match[str], today: datetime, ahead: bool) -> tuple[datetime, str] | None:
    g = {k: v.lower() if v else v for k, v in m.groupdict().items()}
    if g["en_day"]:
        return today + timedelta(days={"tomorrow": 1, "the day before yesterday": -2}.get(g["en_day"], -1)), "day"
    if g["en_unit"]:
        sign = 1 if g["en_side"] in ("next", "this coming") else -1
        unit = g["en_unit"]
        if unit[:3] in _WEEKDAYS and unit != "month":
            return today + timedelta(days=_to_weekday(today, _WEEKDAYS.index(unit[:3]), sign)), "day"
        if unit == "weekend":
            monday = today - timedelta(days=today.weekday()) + timedelta(weeks=sign if sign > 0 else -1)
            return monday + timedelta(days=5), "weekend"
        if unit in ("week", "month", "year"):
            return _unit_back(unit, sign, today)
        return None
    if g["en_wd"]:
        return today + timedelta(days=_to_weekday(today, _WEEKDAYS.index(g["en_wd"][:3]), 1 if ahead else -1)), "day"
    if g["en_ago"]:
        n = {"a few": 3.0, "a couple of": 2.0}.get(g["en_n"]) or number(g["en_n"]) or 1
        grain_only = g["en_n"] in ("a few", "a couple of")
        ahead = g["en_back"] in ("from now", "from today")
        start, grain = _unit_back(g["en_ago"], n if ahead else -n, today) if n < 2000 else (today, "day")
        if g["en_ago"] == "week" and g["en_back"] == "from today":
            start, grain = today + timedelta(weeks=n), "day"
        return None if grain_only else (start, grain)
    if g["in_n"]:
        return _unit_back(g["in_unit"], number(g["in_n"]) or 1, today)
    if g["sweek"]:
        return _unit_back(g["sweek"].split()[1], 0, today)
    month, day, year = g["en_m"] or g["en_m2"], g["en_d"] or g["en_d2"], g["en_y"] or g["en_y2"]
    if month and day:
        number_of = _MONTHS.index(month[:3]) + 1
        return _date(
            today, int(year) if year else _near_year(number_of, int(day), today, ahead), number_of, int(day), "day"
        )
    return None


def _to_weekday(today: datetime, weekday: int, sign: int) -> int:
    if sign > 0:
        return (weekday - today.weekday() - 1) % 7 + 1
    return -((today.weekday() - weekday - 1) % 7 + 1)


def _label(start: datetime, grain: str, chinese: bool) -> str:
    day = f"{start:%Y-%m-%d}"
    if grain == "week":
        return f"{day} 那一周" if chinese else f"in the week of {day}"
    if grain == "weekend":
        return f"{day} 那个周末" if chinese else f"on the weekend of {day}"
    if grain == "month":
        return f"{start:%Y-%m}" if chinese else f"in {start:%Y-%m}"
    if grain == "year":
        return f"{start:%Y} 年" if chinese else f"in {start:%Y}"
    return day if chinese else f"on {day}"


def find(text: str, said: datetime, chinese: bool, ahead: bool = False) -> When | None:
    """The first date that the text names, resolved; None when there is none."""
    today = _midnight(said)
    for m in _PATTERNS.finditer(text):
        try:
            if m["iso"]:
                year, month, day = map(int, m["iso"].split("-"))
                got = _date(today, year, month, day, "day")
            else:
                got = _chinese(m, today, ahead) or _english(m, today, ahead)
        except (OverflowError, ValueError):
            got = None
        if got:
            start, grain = got
            return When(start, _label(start, grain, chinese), grain, start < today, m.span())
    return None


#: Parts of a match that say when, seen from the moment of speaking; a bare weekday or month may as well come round again.
_SEEN_FROM_NOW = (
    "zh_day", "zh_week", "zh_month", "zh_year", "en_day", "en_unit", "en_ago", "sweek",
)  # fmt: skip
_TODAY = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b(?! on)|今[天晚早](?!起|开始|以?后)", re.I | re.A
)
#: Says when, but not so that a day could be named.
_VAGUE = re.compile(
    r"\b(?:the other (?:day|week|night)|(?:last|next|this) (?:spring|summer|autumn|fall|winter)|(?:a few|some|a couple of|several) (?:days|weeks|months) ago)\b"
    r"|前(?:几|两|些)(?:天|日|周|个?月)|过(?:几|两)(?:天|日|周|个?月)",
    re.I | re.A,
)
_NAMED_MONTH = re.compile(rf"\b(?P<side>last|next|this) (?P<month>{MONTH_EN})\b(?! \d)", re.I | re.A)
_BEFORE_DATE = re.compile(r"\b(?:on|in|by|for|since|until|till|from|before|after|of|to|over)\s$", re.I | re.A)


def resolved(text: str, said: datetime, chinese: bool) -> str | None:
    """The text with days and dates seen from now in place of "last Saturday" and 「明年3月」; None where one stays open."""
    if _VAGUE.search(text):
        return None
    today = _midnight(said)

    def named(m: re.Match[str], got: tuple[datetime, str] | None) -> str:
        if not got:
            return m[0]
        label = _label(*got, chinese)
        if chinese:
            return label
        return re.sub("^(?:on|in) ", "", label) if _BEFORE_DATE.search(m.string[: m.start()]) else label

    def date(m: re.Match[str]) -> str:
        relative = any(m[part] for part in _SEEN_FROM_NOW) or m["zh_y"] in ("去年", "今年", "明年")
        counted = m["zh_n"] and m["zh_unit"] != "天" and "后" not in m["zh_side"]
        if not relative and not counted:
            return m[0]
        return named(m, _chinese(m, today, False) or _english(m, today, False))

    def month(m: re.Match[str]) -> str:
        number_of, side = _MONTHS.index(m["month"][:3].lower()) + 1, m["side"].lower()
        year = (
            today.year + (side == "next" and number_of <= today.month) - (side == "last" and number_of >= today.month)
        )
        return named(m, _date(today, year, number_of, 1, "month"))

    try:
        text = _PATTERNS.sub(date, _NAMED_MONTH.sub(month, text))
        return _TODAY.sub(lambda m: named(m, (today, "day")), text)
    except (OverflowError, ValueError):
        return None


_CLOCK = re.compile(
    r"(?P<h>\d{1,2}):(?P<m>\d\d)\s*(?P<ap>[ap]\.?m\b)?|(?P<h2>\d{1,2})\s*(?P<ap2>[ap]\.?m\b)|(?P<part>凌晨|早上|清晨|上午|中午|下午|傍晚|晚上|夜里|早|晚)?(?P<h3>\d{1,2}|[一二两三四五六七八九十]{1,3})点(?:(?P<half>半)|(?P<m3>\d{1,2}|[一二三四五六七八九十]{1,3})分?)?"
    r"|(?P<word>noon|midnight|中午|午夜)\b|\b(?P<h4>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})(?: o'clock)?(?!\s*(?:%|\d|km|hours?|min|days?|usd|dollars|people|times|years?))\b",
    re.I | re.A,
)


def clock(text: str, start: int = 0, evening: bool = False) -> tuple[str, int] | None:
    """The first clock time after `start` as HH:MM, and where it ends; small bare hours are evening ones if `evening`."""
    for m in _CLOCK.finditer(text, start):
        if m["word"]:
            return ("00:00" if m["word"].lower() in ("midnight", "午夜") else "12:00"), m.end()
        hour = number(m["h"] or m["h2"] or m["h3"] or m["h4"])
        minute = 30 if m["half"] else number(m["m"] or m["m3"] or "0")
        if hour is None or minute is None or hour > 24 or minute > 59:
            continue
        half_day, part = (m["ap"] or m["ap2"] or "").lower()[:1], m["part"] or ""
        if (half_day == "p" or part in ("下午", "傍晚", "晚上", "晚", "夜里")) and hour < 12:
            hour += 12
        elif half_day == "a" and hour == 12:
            hour = 0
        elif evening and not half_day and not part and not m["h"] and hour <= 8:
            hour += 12
        return f"{int(hour):02d}:{int(minute):02d}", m.end()
    return None
