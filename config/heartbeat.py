"""Background processes say every two seconds that they are alive; whoever wants to know reads the rows.

The broker on the database answers no ping, so a row is the only sign of life that works on every broker.
"""

import logging
import os
import socket
import threading
from datetime import timedelta
from typing import Literal

import django
from django.apps import apps
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

EVERY_SECONDS = 2.0
STALE_AFTER = timedelta(seconds=10)
FORGOTTEN_AFTER = timedelta(hours=1)

Kind = Literal["worker", "beat"]
logger = logging.getLogger(__name__)


def say(kind: Kind) -> bool:
    """This process's row says that it lives now; False while the database does not answer."""
    if not apps.ready:
        django.setup()
    from consolidation.models import WorkerHeartbeat

    name = f"{kind}@{socket.gethostname()}:{os.getpid()}"
    now = timezone.now()
    try:
        WorkerHeartbeat.objects.bulk_create(
            [WorkerHeartbeat(name=name, kind=kind, pid=os.getpid(), beat_at=now)],
            update_conflicts=True,
            unique_fields=["name"],
            update_fields=["kind", "pid", "beat_at"],
        )
        WorkerHeartbeat.objects.filter(beat_at__lt=now - FORGOTTEN_AFTER).delete()
    except (DatabaseError, InterfaceError) as error:
        connection.close()
        logger.warning("The heartbeat of %s was not written: %s", kind, type(error).__name__)
        return False
    return True


class Heartbeat:
    """A thread that speaks for its process until it is told to stop."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"heartbeat-{kind}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()

    def _run(self) -> None:
        while True:
            say(self.kind)
            if self._ended.wait(EVERY_SECONDS):
                break
        connection.close()
