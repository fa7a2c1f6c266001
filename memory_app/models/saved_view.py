"""Filters of the review queue that somebody has given a name."""

from django.db import models

from .base import WorkspaceRow, created_field
from .workspace import Operator


class SavedView(WorkspaceRow):
    """The query of an address, by name. Its owner's alone, or shared with all of the workspace."""

    owner = models.ForeignKey(Operator, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=1000)
    shared = models.BooleanField(default=False)
    created_at = created_field()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["workspace", "owner", "name"], name="saved_view_once")]

    def __str__(self) -> str:
        return self.name
