"""When something was said: never later than now."""

from datetime import datetime, timedelta

from django.utils import timezone

from memory_app.domain.errors import UNFIT, Invalid

#: How far a caller's clock may run ahead of ours.
SKEW = timedelta(minutes=5)


def said_by_now(field: str, moment: datetime | None) -> datetime | None:
    """The moment, or now where the caller's clock runs a little ahead. Invalid when it lies in the future: what
    was said then would hide what is said until then."""
    now = timezone.now()
    if moment is None or moment <= now:
        return moment
    if moment - now > SKEW:
        raise Invalid.field(field, "lies in the future; send the time at which it was said.", UNFIT)
    return now
