"""Named times are spans of the calendar in the asking person's zone."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_app.domain.dates import named_times

NOW = datetime(2026, 10, 5, 12, tzinfo=timezone(timedelta(hours=8)))  # a Monday


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("yesterday", "2026-10-04", "2026-10-05"),
        ("昨天的导入", "2026-10-04", "2026-10-05"),
        ("前天", "2026-10-03", "2026-10-04"),
        ("the day before yesterday", "2026-10-03", "2026-10-04"),
        ("last week", "2026-09-28", "2026-10-05"),
        ("根据我上上周确定的", "2026-09-21", "2026-09-28"),
        ("the week before last", "2026-09-21", "2026-09-28"),
        ("上个月", "2026-09-01", "2026-10-01"),
        ("three days ago", "2026-10-02", "2026-10-03"),
        ("两周前", "2026-09-21", "2026-09-28"),
        ("上周三", "2026-09-30", "2026-10-01"),
        ("last friday", "2026-10-02", "2026-10-03"),
        ("9月10号那次", "2026-09-10", "2026-09-11"),
        ("on 9 september", "2026-09-09", "2026-09-10"),
        ("december 25", "2025-12-25", "2025-12-26"),
        ("2026-02-14", "2026-02-14", "2026-02-15"),
        ("in september", "2026-09-01", "2026-10-01"),
        ("去年", "2025-01-01", "2026-01-01"),
        ("五月谈的价格", "2026-05-01", "2026-06-01"),
        ("3月买的", "2026-03-01", "2026-04-01"),
        ("六月二十三号的会", "2026-06-23", "2026-06-24"),
        ("十二月一日", "2025-12-01", "2025-12-02"),
        ("去年七月", "2025-07-01", "2025-08-01"),
        ("八月下旬", "2026-08-21", "2026-09-01"),
        ("上个月底", "2026-09-21", "2026-10-01"),
        ("上个月12号", "2026-09-12", "2026-09-13"),
        ("in early may", "2026-05-01", "2026-05-11"),
        ("late june", "2026-06-21", "2026-07-01"),
        ("in 2024", "2024-01-01", "2025-01-01"),
        ("last quarter", "2026-07-01", "2026-10-01"),
        ("last weekend", "2026-10-03", "2026-10-05"),
        ("周末去了哪里", "2026-10-03", "2026-10-05"),
        ("what did he say on friday", "2026-10-02", "2026-10-03"),
        ("周四开会讲了啥", "2026-10-01", "2026-10-02"),
        ("the other day", "2026-09-28", "2026-10-05"),
        ("前几天", "2026-09-28", "2026-10-05"),
    ],
)
def test_named_time(text: str, since: str, until: str) -> None:
    (time,) = named_times(text, NOW)
    assert time.since is not None
    assert time.until is not None
    assert (time.since.date().isoformat(), time.until.date().isoformat()) == (since, until)
    assert time.since.utcoffset() == NOW.utcoffset()
    assert time.past


@pytest.mark.parametrize(
    "text",
    [
        "may i park here",
        "deploy on friday",
        "2026-02-30",
        "version 2.3.10",
        "march on",
        "周五可以发版吗",
        "每周一开会",
        "住三个月",
        "每三月一次",
        "近3月",
        "2.5月",
        "周末一般去哪",
        "which bins go out on monday",
    ],
)
def test_what_is_no_past_date_is_left_alone(text: str) -> None:
    assert named_times(text, NOW) == []


def test_a_weekend_before_a_date_is_not_the_last_one() -> None:
    (time,) = named_times("what did she do over the weekend before 4th october, 2023", NOW)
    assert (time.since, time.until) == (None, datetime(2023, 10, 4, tzinfo=NOW.tzinfo))


def test_open_ends() -> None:
    (since,) = named_times("since 9 september", NOW)
    (before,) = named_times("before last monday", NOW)
    assert (since.until, before.since) == (None, None)


def test_a_day_begins_where_the_person_is() -> None:
    (here,) = named_times("yesterday", datetime(2026, 10, 4, 23, tzinfo=UTC), NOW.tzinfo)
    assert here.since == datetime(2026, 10, 4, tzinfo=NOW.tzinfo)


@given(st.datetimes(timezones=st.just(UTC)), st.sampled_from(["yesterday", "去年", "上上周", "30 年前", "february 29"]))
def test_the_far_ends_of_the_calendar_raise_nothing(now: datetime, text: str) -> None:
    named_times(text, now)
