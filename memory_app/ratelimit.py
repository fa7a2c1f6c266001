"""How often a key may call: a count for each key and minute, in the cache that all processes share."""

import math
import time
import uuid
from contextlib import suppress

from django.conf import settings
from django.core.cache import cache
from django.db import connection

SECONDS = 60

#: One statement, so that calls at the same moment are all counted. A lost count after a crash harms nobody, so the
#: commit does not wait for the disk.
COUNT = """
    WITH hurry AS (SELECT set_config('synchronous_commit', 'off', true))
    INSERT INTO {table} AS kept (cache_key, value, expires)
    SELECT %(key)s, '1', now() + make_interval(secs => %(seconds)s) FROM hurry
    ON CONFLICT (cache_key) DO UPDATE SET
        value = CASE WHEN kept.expires <= now() THEN '1' ELSE (kept.value::bigint + 1)::text END,
        expires = CASE WHEN kept.expires <= now() THEN excluded.expires ELSE kept.expires END
    RETURNING value::bigint, extract(epoch FROM expires - now())
"""


class LimitReached(Exception):
    """The key has called as often as it may; `retry_after` is in whole seconds."""

    def __init__(self, retry_after: int):
        super().__init__(f"Too many calls; try again in {retry_after} s.")
        self.retry_after = retry_after


def count_call(key: uuid.UUID, role: str) -> None:
    """One more call of this key. LimitReached when that is one too many in this minute."""
    limit = calls_per_minute(role)
    calls, seconds_left = count(f"calls:{key}")
    if calls > limit:
        raise LimitReached(max(1, math.ceil(seconds_left)))


def calls_per_minute(role: str) -> int:
    """Keys that only write what agents write, or only read, have the smaller limit."""
    environment = settings.COMMONPLACE
    return int(
        environment.curator_calls_per_minute if role in ("curator", "admin") else environment.agent_calls_per_minute
    )


def count(name: str) -> tuple[int, float]:
    """Counts once more; how often that is in the present minute, and the seconds that are left of it."""
    if settings.CACHES["default"]["BACKEND"].endswith("DatabaseCache"):
        return _count_in_table(name)
    window, into = divmod(time.time(), SECONDS)
    counter = f"{name}:{int(window)}"
    if cache.add(counter, 1, timeout=SECONDS * 2):
        return 1, SECONDS - into
    try:
        return cache.incr(counter), SECONDS - into
    except ValueError:  # evicted between the two calls
        return 1, SECONDS - into


def _count_in_table(name: str) -> tuple[int, float]:
    statement = COUNT.format(table=connection.ops.quote_name(settings.CACHE_TABLE))
    with connection.cursor() as cursor:
        cursor.execute(statement, {"key": f"count:{name}", "seconds": SECONDS})
        calls, seconds_left = cursor.fetchone()
    return int(calls), float(seconds_left)


def uncount(name: str) -> None:
    """Takes one count of the present minute back."""
    if settings.CACHES["default"]["BACKEND"].endswith("DatabaseCache"):
        table = connection.ops.quote_name(settings.CACHE_TABLE)
        with connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE {table} SET value = greatest(value::bigint - 1, 0)::text"  # noqa: S608  (our own name)
                " WHERE cache_key = %s AND expires > now()",
                [f"count:{name}"],
            )
        return
    with suppress(ValueError):  # evicted, or a new minute has begun
        cache.decr(f"{name}:{int(time.time() // SECONDS)}")
