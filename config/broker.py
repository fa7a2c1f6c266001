"""The broker's side of the database: its queues are declared once, and what it has delivered is cleared away."""

from django.db import connection


def on_database() -> bool:
    """Tasks travel through the product's own database."""
    from config.celery import app

    return str(app.conf.broker_url).startswith("sqla+")


def declare_queues() -> None:
    """The broker knows every queue: several processes that declare them at once on an empty one would collide."""
    from config.celery import app

    with app.connection_for_write() as broker:
        for queue in app.amqp.queues.values():
            queue(broker.default_channel).declare()


def purge_delivered() -> int:
    """The transport keeps the rows of delivered messages, hidden, for ever; returns how many are gone now."""
    if not on_database():
        return 0
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kombu_message WHERE NOT visible")
        return int(cursor.rowcount)
