"""Every table as Django's admin shows it, to look and never to touch: memory changes only through its own actions."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from memory_app.sign_in import BackOfficeSignInForm

#: Columns that no page shows: credentials, and vectors that nobody can read.
HIDDEN = frozenset({"password", "digest", "vector"})
SHOWN = (models.CharField, models.IntegerField, models.BooleanField, models.DateTimeField, models.UUIDField)
COLUMNS = 7


class ReadOnlyAdmin(admin.ModelAdmin):
    """A list and a page for each row, without a button that writes."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """The row's own name, then its short columns."""
        plain = [field.name for field in self.opts.concrete_fields if _is_short(field)]
        return ["__str__", *plain[:COLUMNS]]

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [field.name for field in self.opts.get_fields() if field.name in HIDDEN]

    def get_queryset(self, request: HttpRequest) -> "models.QuerySet[Any]":
        return super().get_queryset(request).defer(*self.get_exclude(request))


def _is_short(field: models.Field) -> bool:
    return isinstance(field, SHOWN) and not field.primary_key and field.name not in HIDDEN


def register(*models_to_show: type[models.Model]) -> None:
    """Puts tables on the admin's first page."""
    for model in models_to_show:
        admin.site.register(model, ReadOnlyAdmin)


admin.site.login_form = BackOfficeSignInForm
register(*apps.get_app_config("memory_app").get_models())
