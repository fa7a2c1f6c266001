"""The demo's weeks happen within a minute; here what they write gets its own days."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import pgtrigger
from django.apps import apps
from django.db import models, transaction
from django.db.models import Case, F, Q, Value, When
from django.utils import timezone

from memory_app.models import Workspace

#: The only tables that refuse a change, and the triggers by which they do.
APPEND_ONLY = (
    "memory_app.MemoryVersion:append_only",
    "memory_app.AuditEvent:append_only",
    "consolidation.PolicyVersion:append_only",
)
#: Times of what is said, which do not come from the clock.
SAID = {"expires_at", "occurred_at"}


@contextmanager
def happening(slug: str, at: datetime) -> Iterator[None]:
    """What the block writes in the workspace of this slug is dated as if it had begun at `at`, down to versions and audit; all
    of it is stored, or none.

    Nothing but the demo may date what is kept for good: its own transaction writes those rows, so nobody has ever
    seen them with another date.
    """
    with transaction.atomic():
        began = timezone.now()
        yield
        workspace = Workspace.objects.get(slug=slug)
        with pgtrigger.ignore(*APPEND_ONLY):
            for model in _dated_models():
                _move(model, workspace, began, at)


def _dated_models() -> list[type[models.Model]]:
    found = [*apps.get_app_config("memory_app").get_models(), *apps.get_app_config("consolidation").get_models()]
    return [model for model in found if any(field.name == "workspace" for field in model._meta.fields)]


def _move(model: type[models.Model], workspace: Workspace, began: datetime, at: datetime) -> None:
    """Every time that the clock has given since `began` lies as long after `at`."""
    names = [
        field.name for field in model._meta.fields if isinstance(field, models.DateTimeField) and field.name not in SAID
    ]
    if not names:
        return
    written = Q()
    for name in names:
        written |= Q((f"{name}__gte", began))
    back = Value(at - began)
    model._default_manager.filter(written, workspace=workspace).update(
        **{name: Case(When(Q((f"{name}__gte", began)), then=F(name) + back), default=F(name)) for name in names}
    )
