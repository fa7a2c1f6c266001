"""Vectors that are missing are made later, and all of them anew when the embedder changes."""

from unittest import mock

import pytest
from django.core.management import call_command

from memory_app.actions.indexing import fill_vectors, outdated, reindex
from memory_app.actions.memories import NewMemory, remember
from memory_app.embedding import get_embedder
from memory_app.models import SearchEntry, Workspace

from .conftest import KEY


def test_an_embedder_that_fails_loses_nothing(workspace: Workspace) -> None:
    new = NewMemory("user", "semantic", "Prefers aisle seats", user="u", key="seat_preference", value="aisle")
    with mock.patch.object(type(get_embedder()), "passages", side_effect=OSError("refused")):
        memory = remember(workspace, KEY, new).memory
        assert fill_vectors() == 0
    entry = SearchEntry.objects.get(memory=memory)
    assert (entry.vector, entry.model) == (None, "")
    assert {"aisl", "seat"} & set(entry.tokens)
    assert (fill_vectors(), fill_vectors()) == (1, 0)
    entry.refresh_from_db()
    assert (len(entry.vector), entry.model) == (get_embedder().dimensions, get_embedder().name)


def test_reindex_makes_the_vectors_of_another_model_anew(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    for n in range(5):
        remember(workspace, KEY, NewMemory("user", "semantic", f"Fact {n}", user="u"))
    SearchEntry.objects.update(model="older", vector=[1.0, 0.0])
    assert outdated() == 5
    silent = mock.patch.object(type(get_embedder()), "passages", side_effect=OSError("refused"))
    with silent, pytest.raises(RuntimeError, match="nothing was lost"):
        list(reindex())
    assert list(reindex(batch=2)) == [2, 2, 1]
    assert outdated() == 0
    call_command("reindex")
    assert "up to date" in capsys.readouterr().out
