"""Serialises writers that would otherwise decide on the same memory, or answer one request, at the same moment."""

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from django.db import Error, OperationalError, connection, transaction

from memory_app.domain.errors import Conflict
from memory_app.models import Memory, Scope


def owner_of(memory: Memory) -> uuid.UUID:
    """Whom to lock before this memory is written: its team, or its user, also for a session's."""
    return (memory.team_id if memory.scope == Scope.TEAM else memory.user_id) or memory.owner


def lock_owner(owner: uuid.UUID) -> None:
    """Holds the owner (a user or team id; a session's is its user's) until the end of the transaction.

    Taken before any row lock, so that two actions on one owner's memory can neither interleave nor deadlock.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("lock_owner needs a transaction")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [str(owner)])


def lock_owners(owners: Iterable[uuid.UUID]) -> None:
    """Holds all of them, in the order that every action keeps."""
    if not connection.in_atomic_block:
        raise RuntimeError("lock_owners needs a transaction")
    names = sorted({str(owner) for owner in owners})
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(owner, 0)) FROM unnest(%s::text[]) owner", [names]
        )


def lock_name(name: str, *, shared: bool = False) -> None:
    """Holds the name until the end of the transaction, alone or together with whoever shares it as well."""
    if not connection.in_atomic_block:
        raise RuntimeError("lock_name needs a transaction")
    function = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [name])


@contextmanager
def held(name: str) -> Iterator[bool]:
    """Whether nobody else holds the name, which is then held until the block ends; a killed process holds nothing."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [name])
        mine = bool(cursor.fetchone()[0])
    try:
        yield mine
    finally:
        if mine:
            with suppress(Error), connection.cursor() as cursor:  # a lost connection holds nothing any more
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [name])


def is_deadlock(error: OperationalError) -> bool:
    """Whether the database ended the transaction because this writer and another waited for each other."""
    return getattr(error.__cause__, "sqlstate", "") == "40P01"


@contextmanager
def writing() -> Iterator[None]:
    """A transaction; Conflict, and nothing written, where another writer and this one waited for each other."""
    try:
        with transaction.atomic():
            yield
    except OperationalError as error:
        if not is_deadlock(error):
            raise
        raise Conflict("Others were writing to the same memory; nothing was written, try again.") from error
