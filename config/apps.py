from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """The product's processes: their commands, their Celery app, their housekeeping."""

    name = "config"
    label = "config"

    def ready(self) -> None:
        # Whoever sends a task sends it through this app; without it Celery would look for a broker of its own.
        from config import celery as _  # noqa: F401
