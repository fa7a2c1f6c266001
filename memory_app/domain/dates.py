"""Times that people name: "yesterday", 「上上周」, "9 September", as spans from one instant to another.

A named day is a calendar day in the zone of the person who asks: it has an end as well as a beginning.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "couple of": 2, "few": 3, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6,
    "七": 7, "八": 8, "九": 9, "十": 10, "十一": 11, "十二": 12, "几": 3, "半": 0,
}  # fmt: skip
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_COUNT = r"(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a\s+couple\s+of|a\s+few)"
_COUNT_ZH = r"(?P<count>\d{1,3}|十[一二]?|[一两二三四五六七八九])"
_YEAR = r"(?:,?\s+(?P<year>(?:19|20)\d\d))?"
_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}


@dataclass(frozen=True)
class NamedTime:
    """A time that a text names: the instants from ``since`` up to but not including ``until``, and where it stands."""

    since: datetime | None
    until: datetime | None
    start: int
    end: int
    explicit: bool  # a date of the calendar, not one relative to today
    past: bool  # it lies before today as a whole


Span = tuple[datetime, datetime]


def _day(now: datetime, back: int) -> Span:
    start = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=back)
    return start, start + timedelta(days=1)


def _week(now: datetime, back: int) -> Span:
    start = _day(now, now.weekday())[0] - timedelta(weeks=back)
    return start, start + timedelta(weeks=1)


def _month(now: datetime, back: int) -> Span:
    index = now.year * 12 + now.month - 1 - back
    return _month_at(now, index // 12, index % 12 + 1)


def _month_at(now: datetime, year: int, month: int) -> Span:
    first = now.replace(year=year, month=month, day=1, hour=0, minute=0, second=0, microsecond=0)
    following = first.replace(year=year + (month == 12), month=month % 12 + 1)
    return first, following


def _year(now: datetime, back: int) -> Span:
    first = now.replace(year=now.year - back, month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
    return first, first.replace(year=first.year + 1)


_BACK: dict[str, Callable[[datetime, int], Span]] = {"day": _day, "week": _week, "month": _month, "year": _year}
_LENGTH = {"day": 1, "week": 7, "month": 30, "year": 365}


def _count(text: str) -> int:
    text = re.sub(r"\s+", " ", text)
    return int(text) if text.isdigit() else _NUMBERS[text.removeprefix("a ") if len(text) > 2 else text]


def _unit(text: str) -> str:
    return _UNITS.get(text.removeprefix("个"), text)


def _ago(now: datetime, found: re.Match[str]) -> Span:
    return _BACK[_unit(found["unit"])](now, _count(found["count"]))


def _within(now: datetime, found: re.Match[str]) -> Span:
    """ "The last three days": up to this very moment."""
    return now - timedelta(days=_count(found["count"] or "1") * _LENGTH[_unit(found["unit"])]), now


def _weekday_before(now: datetime, found: re.Match[str]) -> Span:
    back = (now.weekday() - _DAYS.index(found["weekday"][:3])) % 7
    return _day(now, back or 7)


def _weekday_zh(now: datetime, found: re.Match[str]) -> Span:
    weeks = len(found["weeks"]) if found["weeks"][0] == "上" else 0
    index = "一二三四五六日天".index(found["weekday"]) % 8
    monday = _week(now, weeks)[0]
    return monday + timedelta(days=min(index, 6)), monday + timedelta(days=min(index, 6) + 1)


def _calendar(now: datetime, found: re.Match[str]) -> Span:
    """A date of the calendar; without a year the latest that is not in the future."""
    group = found.groupdict()
    month_text = group["month"]
    month = int(month_text) if month_text.isdigit() else _MONTHS.index(month_text[:3]) + 1
    year = int(group["year"]) if group.get("year") else None
    day = int(group["day"]) if group.get("day") else None
    first = _month_at(now, year or now.year, month)
    if day is not None:
        first = (first[0].replace(day=day), first[0].replace(day=day) + timedelta(days=1))
    if year is None and first[0] > now:
        return _calendar_year(first, now.year - 1)
    return first


def _calendar_year(span: Span, year: int) -> Span:
    back = span[0].year - year
    return span[0].replace(year=span[0].year - back), span[1].replace(year=span[1].year - back)


def _fixed(unit: str, back: int) -> Callable[[datetime, re.Match[str]], Span]:
    return lambda now, found: _BACK[unit](now, back)


_Rule = tuple[re.Pattern[str], Callable[[datetime, re.Match[str]], Span], bool]


def _rule(pattern: str, span: Callable[[datetime, re.Match[str]], Span], explicit: bool = False) -> _Rule:
    return re.compile(pattern), span, explicit


# The longer wording comes first: the first rule that fits a place takes it.
_RULES: tuple[_Rule, ...] = (
    _rule(
        r"(?<!\d)(?P<year>(?:19|20)\d\d)-(?P<month>0?[1-9]|1[0-2])-(?P<day>[12]\d|3[01]|0?[1-9])(?!\d)", _calendar, True
    ),
    _rule(
        r"(?:(?P<year>(?:19|20)\d\d)\s*年\s*)?(?<!\d)(?P<month>1[0-2]|0?[1-9])\s*月\s*(?P<day>[12]\d|3[01]|0?[1-9])\s*[日号]",
        _calendar,
        True,
    ),
    _rule(r"(?P<year>(?:19|20)\d\d)\s*年\s*(?P<month>1[0-2]|0?[1-9])\s*月份?", _calendar, True),
    _rule(r"(?<![\d个])(?P<month>1[0-2]|0?[1-9])\s*月份", _calendar, True),
    _rule(rf"\b{_MONTH}\s+(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?!\d){_YEAR}", _calendar, True),
    _rule(
        rf"(?<!\d)(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?![a-z]){_YEAR}", _calendar, True
    ),
    _rule(rf"\b{_MONTH}\s+(?P<year>(?:19|20)\d\d)\b", _calendar, True),
    _rule(rf"\b(?:in|since|before|during|last)\s+{_MONTH}(?![a-z])(?!\s*\d)", _calendar, True),
    _rule(r"大前天", _fixed("day", 3)),
    _rule(r"day before yesterday|前天|前晚", _fixed("day", 2)),
    _rule(r"\byesterday\b|\blast night\b|昨天|昨日|昨晚|昨夜", _fixed("day", 1)),
    _rule(r"(?P<weeks>上+)(?:个)?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", _weekday_zh),
    _rule(r"(?P<weeks>[这本])(?:个)?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", _weekday_zh),
    _rule(r"上上个?(?:周|星期|礼拜)|\bweek before last\b", _fixed("week", 2)),
    _rule(r"上个?(?:周|星期|礼拜)|\blast week(?:end)?\b", _fixed("week", 1)),
    _rule(r"上上个?月|\bmonth before last\b", _fixed("month", 2)),
    _rule(r"上个?月|\blast month\b", _fixed("month", 1)),
    _rule(r"\blast year\b|去年", _fixed("year", 1)),
    _rule(r"\byear before last\b|前年", _fixed("year", 2)),
    _rule(rf"\b{_COUNT}\s+(?P<unit>day|week|month|year)s?\s+(?:ago|back|earlier)\b", _ago),
    _rule(rf"{_COUNT_ZH}(?P<unit>天|日|个?星期|个?礼拜|周|个月|年)(?:之|以)?前", _ago),
    _rule(
        rf"\b(?:(?:in|over|during|within)\s+)?(?:the\s+)?(?:last|past)\s+(?:{_COUNT}\s+)(?P<unit>day|week|month|year)s?\b",
        _within,
    ),
    _rule(rf"(?:最近|近|过去)(?:的)?{_COUNT_ZH}(?P<unit>天|日|个?星期|个?礼拜|周|个月|年)", _within),
    _rule(rf"\b(?:last|this past)\s+{_WEEKDAY}\b", _weekday_before),
    _rule(r"\btoday\b|\bthis (?:morning|afternoon|evening)\b|\btonight\b|今天|今日|今早|今晚", _fixed("day", 0)),
    _rule(r"\bthis week\b|这个?(?:周|星期|礼拜)|本周", _fixed("week", 0)),
    _rule(r"\bthis month\b|这个月|本月", _fixed("month", 0)),
    _rule(r"\bthis year\b|今年", _fixed("year", 0)),
)
_SINCE = re.compile(r"(?:\bsince|\bafter|\bfrom|自从?|从)\s*$")
_BEFORE = re.compile(r"(?:\bbefore|\buntil|\bprior to)\s*$")
_SINCE_AFTER = re.compile(r"\s*(?:以来|之后|以后|起)")
_BEFORE_AFTER = re.compile(r"\s*(?:之前|以前)")


def named_times(text: str, now: datetime, zone: tzinfo | None = None) -> list[NamedTime]:
    """The times that a folded text names, in their order; ``zone`` (default: that of ``now``) says where days begin."""
    local = now.astimezone(zone) if zone is not None else now
    taken: list[NamedTime] = []
    for pattern, span, explicit in _RULES:
        for found in pattern.finditer(text):
            if any(found.start() < other.end and other.start < found.end() for other in taken):
                continue
            try:
                since, until = span(local, found)
            except (ValueError, OverflowError):  # 30 February, a year before the calendar
                continue
            taken.append(_opened(text, found, since, until, explicit, local))
    return sorted(taken, key=lambda time: time.start)


def _opened(
    text: str, found: re.Match[str], since: datetime, until: datetime, explicit: bool, now: datetime
) -> NamedTime:
    """Open at one end where the text says "since" or "before"."""
    past = until <= _day(now, 0)[0]
    before, after = text[max(0, found.start() - 12) : found.start()], text[found.end() : found.end() + 4]
    opening = found[0].split(" ")[0]
    if _SINCE.search(before) or opening == "since" or _SINCE_AFTER.match(after):
        return NamedTime(since, None, found.start(), found.end(), explicit, past)
    if _BEFORE.search(before) or opening == "before" or (explicit and _BEFORE_AFTER.match(after)):
        return NamedTime(None, since, found.start(), found.end(), explicit, past)
    return NamedTime(since, until, found.start(), found.end(), explicit, past)


def without(text: str, times: list[NamedTime]) -> str:
    """The text with the named times blanked, so that their numbers are not taken for identifiers."""
    for time in times:
        text = text[: time.start] + " " * (time.end - time.start) + text[time.end :]
    return text


def intersect(times: Iterator[NamedTime]) -> tuple[datetime | None, datetime | None]:
    """The span that lies in all of the times; where they exclude each other, the first alone."""
    since: datetime | None = None
    until: datetime | None = None
    for time in times:
        new_since = max(filter(None, (since, time.since)), default=None)
        new_until = min(filter(None, (until, time.until)), default=None)
        if new_since is None or new_until is None or new_since < new_until:
            since, until = new_since, new_until
    return since, until
