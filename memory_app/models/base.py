"""What every table shares: a UUID, a workspace, and for what people see a short number."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class NextNumber(models.Func):
    """The next value of one of the sequences behind short refs such as M-412 (made in the first migration)."""

    function = "nextval"
    output_field = models.BigIntegerField()

    def __init__(self, sequence: str):
        super().__init__(models.Value(sequence))
        self.sequence = sequence

    def deconstruct(self) -> tuple[str, tuple[str], dict[str, str]]:
        return "memory_app.models.base.NextNumber", (self.sequence,), {}


class WorkspaceRow(models.Model):
    """A row that belongs to one workspace; every query starts from that workspace."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    workspace = models.ForeignKey("memory_app.Workspace", on_delete=models.CASCADE, related_name="+")

    class Meta:
        abstract = True


def words_field() -> ArrayField:
    """A list of short strings, empty by default."""
    return ArrayField(models.TextField(), default=list, blank=True)


def created_field() -> models.DateTimeField:
    """When the row was written, by the database's clock."""
    return models.DateTimeField(db_default=Now(), editable=False)
