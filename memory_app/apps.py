from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MemoryAppConfig(AppConfig):
    """What is remembered, by whom, for whom; how it is shown and recalled."""

    name = "memory_app"
    verbose_name = _("Memory")
