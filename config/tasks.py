"""Housekeeping of the processes themselves."""

from celery import shared_task
from django.core.management import call_command

from config import broker


@shared_task(name="config.tasks.purge_delivered")
def purge_delivered() -> None:
    broker.purge_delivered()


@shared_task(name="config.tasks.clear_sessions")
def clear_sessions() -> None:
    """Sign-ins that have run out are gone from the database."""
    call_command("clearsessions")
