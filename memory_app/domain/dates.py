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
    "七": 7, "八": 8, "九": 9, "十": 10, "十一": 11, "十二": 12, "几": 3,
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
_YEAR_ZH = r"(?:(?P<year>(?:19|20)\d\d)\s*年\s*|(?P<years>前年|去年|今年)的?)?"
# 「三月」 is a month; 「三个月」, 「每三月」 and 「近三月」 are lengths.
_MONTH_ZH = r"(?<![\d个.每近第一二三四五六七八九十])(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s*月(?![亮饼嫂球薪光])"
_DAY_ZH = r"(?P<day>[12]\d|3[01]|0?[1-9]|[一二]?十[一二三四五六七八九]?|三十一?|[一二三四五六七八九])\s*[日号]"
_PART = r"(?:(?:the\s+)?(?P<part>early|beginning of|start of|mid|middle of|late|end of)[\s-]+)?"
_PART_ZH = r"(?P<part>上旬|月?初|中旬|月?中(?=[^\u4e00-\u9fff]|旬|的)|下旬|月?底|月?末)?"
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
#: The days of a month that are its beginning, its middle and its end.
_PARTS = (("early beginning start 上旬 初", 1, 11), ("mid middle 中旬 中", 11, 21), ("late end 下旬 底 末", 21, 0))
_LENGTH = {"day": 1, "week": 7, "month": 30, "year": 365}


def _count(text: str) -> int:
    text = re.sub(r"\s+", " ", text)
    if text.isdigit():
        return int(text)
    if "十" in text:  # 二十三
        tens, ones = text.split("十")
        return 10 * _NUMBERS.get(tens, 1) + _NUMBERS.get(ones, 0)
    return _NUMBERS[text.removeprefix("a ") if len(text) > 2 else text]


def _part(span: Span, name: str | None) -> Span:
    """The third of a month that is named; the month where none is."""
    for names, first, following in _PARTS:
        if name and name.split(" ")[0].removeprefix("月") in names.split():
            return span[0].replace(day=first), span[0].replace(day=following) if following else span[1]
    return span


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


def _must_look_back(text: str) -> None:
    """ValueError where the text does not tell of what has been, or counts from a date of the calendar."""
    if not _LOOKS_BACK.search(text) or _CALENDAR_DATE.search(text):
        raise ValueError


def _weekday_back(now: datetime, found: re.Match[str]) -> Span:
    """ "On Friday" in a text that looks back: the latest Friday. Elsewhere it is any, or the next."""
    _must_look_back(found.string)
    name = found["weekday"] or found["weekday_zh"]
    index = min("一二三四五六日天".index(name), 6) if len(name) == 1 else _DAYS.index(name[:3])
    return _day(now, (now.weekday() - index) % 7)


def _weekend_back(now: datetime, found: re.Match[str]) -> Span:
    """ "Over the weekend" in a text that looks back: this one from Saturday on, else the last."""
    _must_look_back(found.string)
    saturday = _week(now, 0 if now.weekday() >= 5 else 1)[0] + timedelta(days=5)
    return saturday, saturday + timedelta(days=2)


def _month_before(now: datetime, found: re.Match[str]) -> Span:
    """A month counted from this one, or a day or a part of it."""
    span = _month(now, 2 if "before" in found[0] else found[0].count("上") or int("last" in found[0]))
    group = found.groupdict()
    if day := group.get("day"):
        start = span[0].replace(day=_count(day))
        return start, start + timedelta(days=1)
    return _part(span, group.get("part"))


def _quarter_before(now: datetime, _: re.Match[str]) -> Span:
    first = _month(now, (now.month - 1) % 3 + 3)[0]
    return first, _month(now, (now.month - 1) % 3)[0]


def _weekend_before(now: datetime, _: re.Match[str]) -> Span:
    saturday = _week(now, 1)[0] + timedelta(days=5)
    return saturday, saturday + timedelta(days=2)


def _some_ago(now: datetime, found: re.Match[str]) -> Span:
    """ "The other day", "a few weeks ago", 「前几天」: one of the seven before this."""
    back = _BACK[_unit(found.groupdict().get("unit") or "day")]
    return back(now, 7)[0], back(now, 0)[0]


def _whole_year(now: datetime, found: re.Match[str]) -> Span:
    return _year(now, now.year - int(found["year"] or found["year_zh"]))


def _weekday_zh(now: datetime, found: re.Match[str]) -> Span:
    weeks = len(found["weeks"]) if found["weeks"][0] == "上" else 0
    index = "一二三四五六日天".index(found["weekday"]) % 8
    monday = _week(now, weeks)[0]
    return monday + timedelta(days=min(index, 6)), monday + timedelta(days=min(index, 6) + 1)


def _calendar(now: datetime, found: re.Match[str]) -> Span:
    """A date of the calendar; without a year the latest that is not in the future."""
    group = found.groupdict()
    name = group["month"]
    month = _MONTHS.index(name[:3]) + 1 if name[:3] in _MONTHS else _count(name)
    year = int(group["year"]) if group.get("year") else None
    if years := group.get("years"):
        year = now.year - ("今年", "去年", "前年").index(years)
    first = _part(_month_at(now, year or now.year, month), group.get("part"))
    if group.get("day"):
        first = (
            first[0].replace(day=_count(group["day"])),
            first[0].replace(day=_count(group["day"])) + timedelta(days=1),
        )
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
    _rule(_YEAR_ZH + _MONTH_ZH + r"\s*" + _DAY_ZH, _calendar, True),
    _rule(_YEAR_ZH + _MONTH_ZH + rf"(?![\d一两几内])份?{_PART_ZH}", _calendar, True),
    _rule(rf"\b{_MONTH}\s+(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?!\d){_YEAR}", _calendar, True),
    _rule(
        rf"(?<!\d)(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?![a-z]){_YEAR}", _calendar, True
    ),
    _rule(rf"\b{_MONTH}\s+(?P<year>(?:19|20)\d\d)\b", _calendar, True),
    _rule(rf"\b(?:in|since|before|during|last)\s+{_PART}{_MONTH}(?![a-z])(?!\s*\d)", _calendar, True),
    _rule(rf"\b{_PART.removesuffix('?')}{_MONTH}(?![a-z])(?!\s*\d)", _calendar, True),
    _rule(r"\bin (?P<year>(?:19|20)\d\d)\b|(?<!\d)(?P<year_zh>(?:19|20)\d\d)\s*年(?![级代前后内])", _whole_year, True),
    _rule(r"大前天", _fixed("day", 3)),
    _rule(r"day before yesterday|前天|前晚", _fixed("day", 2)),
    _rule(r"\byesterday\b|\blast night\b|昨天|昨日|昨晚|昨夜", _fixed("day", 1)),
    _rule(r"(?P<weeks>上+)(?:个)?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", _weekday_zh),
    _rule(r"(?P<weeks>[这本])(?:个)?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", _weekday_zh),
    _rule(r"上个?周末|\blast weekend\b", _weekend_before),
    _rule(r"上上个?(?:周|星期|礼拜)|\bweek before last\b|\ba fortnight ago\b", _fixed("week", 2)),
    _rule(r"上个?(?:周|星期|礼拜)|\blast week\b", _fixed("week", 1)),
    _rule(rf"(?:上+|这|本)个?月(?:{_DAY_ZH}|{_PART_ZH})", _month_before),
    _rule(rf"\b{_PART}(?:the )?(?:last month|this month|month before last)\b", _month_before),
    _rule(r"\blast quarter\b|上个?季度", _quarter_before),
    _rule(r"\blast year\b|去年", _fixed("year", 1)),
    _rule(r"\byear before last\b|前年", _fixed("year", 2)),
    _rule(
        r"\b(?:few|couple of)\s+(?P<unit>day|week|month|year)s?\s+(?:ago|back)\b|\bthe other (?:day|week)\b", _some_ago
    ),
    _rule(r"前[几两些](?P<unit>天|日|个?星期|个?礼拜|周|个月|年)(?!都)", _some_ago),
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
    _rule(r"\bthis year\b|今年", _fixed("year", 0)),
    _rule(
        rf"\b(?:on|since|before|until|from)\s+{_WEEKDAY}\b(?!s)|"
        r"(?<![每上这本下逢个至到、和])(?:周|星期|礼拜)(?P<weekday_zh>[一二三四五六日天])(?![到至、和])",
        _weekday_back,
    ),
    _rule(r"\b(?:on|at|over|during) the weekend\b|(?<![上这本下每逢个])周末(?!都)", _weekend_back),
)
# What every rule needs one of: most texts have none, and forty patterns are not tried on them.
_MAY_NAME = re.compile(
    r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|day|week|month|year|night|morning|afternoon|evening|quarter|"
    r"(?:19|20)\d\d|[年月天日周昨前今期拜]|季度"
)
# The words of a text that tells or asks of what has been.
_LOOKS_BACK = re.compile(
    r"\b(?:did|didn't|was|were|had|said|told|went|came|got|broke|happened|changed|since)\b|"
    r"了(?!解)|过(?![敏期道滤程户年节来去])|[说讲聊谈定提买做发给交签写记]的"
)
_CALENDAR_DATE = re.compile(r"(?:19|20)\d\d|\d(?:st|nd|rd|th)\b|\d\s*[月日号]")
_SINCE = re.compile(r"(?:\bsince|\bafter|\bfrom|自从?|从)\s*$")
_BEFORE = re.compile(r"(?:\bbefore|\buntil|\bprior to)\s*$")
_SINCE_AFTER = re.compile(r"\s*(?:以来|之后|以后|起)")
_BEFORE_AFTER = re.compile(r"\s*(?:之前|以前|前(?!后))")


def named_times(text: str, now: datetime, zone: tzinfo | None = None) -> list[NamedTime]:
    """The times that a folded text names, in their order; ``zone`` (default: that of ``now``) says where days begin."""
    if not _MAY_NAME.search(text):
        return []
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
    if _SINCE.search(before) or opening in ("since", "from") or _SINCE_AFTER.match(after):
        return NamedTime(since, None, found.start(), found.end(), explicit, past)
    if _BEFORE.search(before) or opening in ("before", "until") or (explicit and _BEFORE_AFTER.match(after)):
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
