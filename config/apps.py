from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Commands that start the product's processes live here."""

    name = "config"
    label = "config"
