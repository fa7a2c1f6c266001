"""The tables of consolidation in Django's admin, to look at."""

from django.apps import apps

from memory_app.admin import register

register(*apps.get_app_config("consolidation").get_models())
