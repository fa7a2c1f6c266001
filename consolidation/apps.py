from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConsolidationConfig(AppConfig):
    """How notes become memory."""

    name = "consolidation"
    verbose_name = _("Consolidation")
