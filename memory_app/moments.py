"""Times and ages as an operator reads them: ISO dates in their own zone, short ages in lists."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

FORMATS = {
    "minute": "%Y-%m-%d %H:%M",
    "second": "%Y-%m-%d %H:%M:%S",
    "date": "%Y-%m-%d",
    "day": "%m-%d %H:%M",
    "time": "%H:%M",
}
UNITS = ((gettext_lazy("%(count)d d"), 86_400), (gettext_lazy("%(count)d h"), 3_600), (gettext_lazy("%(count)d m"), 60))


def age(since: datetime | timedelta, parts: int = 1, now: datetime | None = None) -> str:
    """`12 m`, `3 h`, or with two parts `3 d 4 h`, with the units of the page's language."""
    seconds = _seconds(since, now)
    found: list[str] = []
    for unit, size in UNITS:
        count, seconds = divmod(seconds, size)
        if count or found:
            found.append(str(unit) % {"count": count} if count else "")
        if len(found) == parts:
            break
    return " ".join(part for part in found if part) or _("< 1 m")


def ago(since: datetime, now: datetime | None = None) -> str:
    """`2 min ago` in the language of the page."""
    seconds = _seconds(since, now)
    if seconds < 60:
        return _("just now")
    if seconds < 3_600:
        return ngettext("%(count)d min ago", "%(count)d min ago", seconds // 60) % {"count": seconds // 60}
    if seconds < 86_400:
        return ngettext("%(count)d h ago", "%(count)d h ago", seconds // 3_600) % {"count": seconds // 3_600}
    return ngettext("%(count)d d ago", "%(count)d d ago", seconds // 86_400) % {"count": seconds // 86_400}


def when(moment: date | None, form: str = "minute") -> SafeString:
    """A `<time>` in the operator's zone, or a dash where there is no time."""
    if moment is None:
        return SafeString('<span class="muted">–</span>')
    if not isinstance(moment, datetime):
        return format_html('<time datetime="{0}">{0}</time>', moment.isoformat())
    local = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.isoformat(timespec="seconds"),
        local.strftime("%Y-%m-%d %H:%M:%S %Z"),
        local.strftime(FORMATS[form]),
    )


def moment_of(given: Any, form: str = "minute") -> str:
    """A moment out of stored JSON as `when` draws it; what is none shows as it is."""
    moment = parse_datetime(given) if isinstance(given, str) else None
    return when(moment, form) if moment is not None else str(given)


def given_moment(given: str) -> datetime | None:
    """A past moment that an address or a form names, in the operator's zone where it names none; None where it is no
    moment, or not past."""
    text = given.strip().replace(" ", "+")
    try:
        moment = parse_datetime(text) if text else None
        if moment is not None and timezone.is_naive(moment):
            moment = timezone.make_aware(moment)
        moment = moment.astimezone(UTC) if moment is not None else None
    except (ValueError, OverflowError):
        return None
    return moment if moment is not None and moment < timezone.now() else None


def unread_moment(given: str) -> str:
    """What an address gives as a past moment that is none; empty where it gives none, or a good one."""
    return given.strip()[:60] if given.strip() and given_moment(given) is None else ""


def moment_in_field(moment: datetime | None) -> str:
    """The moment for a field that knows seconds: rounded up, so that what was written then is in."""
    local = timezone.localtime(moment)
    if local.microsecond:
        local = local.replace(microsecond=0) + timedelta(seconds=1)
    return f"{local:%Y-%m-%dT%H:%M:%S}"


def first_day(days: int) -> datetime:
    """Midnight, in the operator's zone, of the first of the last `days` days; today is one of them."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - timedelta(days=days - 1)


def days_of(given: Any) -> int | None:
    """A number of days from an address, at most a year; None where it is none."""
    text = str(given).strip()
    days = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    return days if 1 <= days <= 366 else None


def last_days(days: int) -> str:
    """`Last 14 days`, for a filter."""
    return ngettext("Last %(days)d day", "Last %(days)d days", days) % {"days": days}


def _seconds(since: datetime | timedelta, now: datetime | None) -> int:
    gap = since if isinstance(since, timedelta) else (now or timezone.now()) - since
    return max(0, int(gap.total_seconds()))
