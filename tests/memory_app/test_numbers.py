"""Refs are numbered in each workspace by itself, so that they tell nobody how much there is in another."""

from django.db import connection

from memory_app.models import Decision, Memory, Workspace
from memory_app.models.base import NUMBERED, sequence_of
from tests import factories


def test_each_workspace_counts_from_one(workspace: Workspace) -> None:
    other = factories.make_workspace("other", "Other")
    for place in (workspace, other, workspace):
        factories.make_memory(place, f"Plays the drums, {Memory.objects.count()}")
    for table in (Memory, Decision):
        numbers = table.objects.order_by("number").values_list("number", flat=True)
        assert list(numbers.filter(workspace=workspace)) == [1, 2]
        assert list(numbers.filter(workspace=other)) == [1]
    assert [factories.make_session(place).ref for place in (workspace, other)] == ["S-1", "S-1"]


def test_a_workspace_takes_its_sequences_with_it(db: None) -> None:
    place = factories.make_workspace("other", "Other")
    names = [sequence_of(kind, place.pk) for kind in NUMBERED]
    assert _sequences(names) == len(NUMBERED)
    place.delete()
    assert _sequences(names) == 0


def _sequences(names: list[str]) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_sequences WHERE sequencename = ANY(%s)", [names])
        return int(cursor.fetchone()[0])
