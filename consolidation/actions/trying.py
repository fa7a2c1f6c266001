"""What a change would come to: really made, and taken back before anybody has seen it."""

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

Made = TypeVar("Made")


def tried(act: Callable[[], Made]) -> Made:
    """What `act` would answer now. Nothing of it stays; what it raises is raised."""
    with transaction.atomic():
        made = act()
        transaction.set_rollback(True)
    return made
