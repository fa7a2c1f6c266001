"""Until when a decision can be put off: a few moments with a name, or a day, in the operator's own zone."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _

MORNING = time(9)
#: "Later today" is so much later; where that would be tomorrow, it is called what it is.
TODAY = timedelta(hours=3)


@dataclass(frozen=True)
class Later:
    """A moment to choose: what the form calls it, its words, and when it is."""

    code: str
    text: str
    at: datetime


def later_times() -> list[Later]:
    """Later today, tomorrow morning, and the next Monday's."""
    now = timezone.localtime()
    soon = (now + TODAY).replace(minute=0, second=0, microsecond=0)
    today = now.date()
    return [
        Later("today", _("Later today") if soon.date() == today else _("In three hours"), soon),
        Later("tomorrow", _("Tomorrow"), morning_of(today + timedelta(days=1))),
        Later("week", _("Next week"), morning_of(today + timedelta(days=7 - today.weekday()))),
    ]


def chosen_time(code: str, day: str) -> datetime | None:
    """The moment of this name, else the morning of this day; None where it is neither."""
    named = next((one.at for one in later_times() if one.code == code), None)
    if named is not None:
        return named
    try:
        given = parse_date(day.strip())
        return morning_of(given) if given is not None else None
    except (ValueError, OverflowError):
        return None


def morning_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, MORNING))
