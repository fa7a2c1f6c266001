"""What every table shares: a UUID, a workspace, and for what people see a short number."""

import uuid

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class NextNumber(models.Func):
    """The next value of a sequence. Only the first migrations name it."""

    function = "nextval"
    output_field = models.BigIntegerField()

    def __init__(self, sequence: str):
        super().__init__(models.Value(sequence))
        self.sequence = sequence

    def deconstruct(self) -> tuple[str, tuple[str], dict[str, str]]:
        return "memory_app.models.base.NextNumber", (self.sequence,), {}


#: What is numbered by itself in each workspace, so that a ref tells nobody how much there is in another.
NUMBERED = ("session", "note", "memory", "decision", "block")


def sequence_of(kind: str, workspace: uuid.UUID) -> str:
    """The name of the sequence that numbers this kind of thing in this workspace."""
    return f"{kind}_number_{workspace.hex}"


def numbered(kind: str) -> pgtrigger.Trigger:
    """A new row gets the next number of its workspace, unless it brings one. A sequence, because a counter's row would
    be locked until the end of each transaction, and writers would wait for each other."""
    sequence = f"'{kind}_number_' || replace(NEW.workspace_id::text, '-', '')"
    return pgtrigger.Trigger(
        name="numbered",
        when=pgtrigger.Before,
        operation=pgtrigger.Insert,
        condition=pgtrigger.Q(new__number=0),
        func=f"NEW.number = nextval({sequence}); RETURN NEW;",
    )


def counted() -> list[pgtrigger.Trigger]:
    """A workspace's sequences come and go with it."""
    each = f"FOREACH kind IN ARRAY ARRAY{list(NUMBERED)} LOOP EXECUTE format({{}}); END LOOP; RETURN NULL;"
    name = "kind || '_number_' || replace({}.id::text, '-', '')"
    return [
        pgtrigger.Trigger(
            name="count_anew",
            when=pgtrigger.After,
            operation=pgtrigger.Insert,
            declare=[("kind", "TEXT")],
            func=each.format("'CREATE SEQUENCE %I', " + name.format("NEW")),
        ),
        pgtrigger.Trigger(
            name="count_no_more",
            when=pgtrigger.After,
            operation=pgtrigger.Delete,
            declare=[("kind", "TEXT")],
            func=each.format("'DROP SEQUENCE IF EXISTS %I', " + name.format("OLD")),
        ),
    ]


def number_field() -> models.BigIntegerField:
    """The number behind a short ref such as M-412, given by the trigger `numbered`."""
    return models.BigIntegerField(db_default=0, editable=False)


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
