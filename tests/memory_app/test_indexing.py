"""Vectors that are missing are made later, and all of them anew when the embedder changes."""

import os
import subprocess
import sys
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import connection

from memory_app.actions.indexing import fill_vectors, outdated, reindex
from memory_app.actions.memories import NewMemory, remember
from memory_app.embedding import get_embedder
from memory_app.models import SearchEntry, Workspace
from memory_app.recall import recall

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


def test_the_sweep_makes_them_anew_in_the_background_and_recall_works_throughout(workspace: Workspace) -> None:
    for n in range(5):
        remember(workspace, KEY, NewMemory("user", "semantic", f"Prefers seat {n} on the plane", user="u"))
    SearchEntry.objects.update(model="older", vector=[1.0, 0.0])
    done = []
    while made := fill_vectors(limit=2):
        done.append(made)
        assert recall(workspace, user="u", query="which seat on the plane", recorded=False).results
    assert (done, outdated()) == ([2, 2, 1], 0)


@pytest.mark.process
@pytest.mark.django_db(transaction=True)
def test_a_reindex_that_is_killed_goes_on_where_it_stopped() -> None:
    place = Workspace.objects.create(slug="killed", name="Killed")
    for n in range(6):
        remember(place, KEY, NewMemory("user", "semantic", f"Fact {n} about the journey", user="u"))
    SearchEntry.objects.update(model="older", vector=[1.0, 0.0])
    database = connection.settings_dict
    started = subprocess.Popen(
        [sys.executable, "-c", SLOWLY, database["NAME"]], stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "made 2\n"
    started.kill()
    started.wait()
    started.stdout.close()
    assert outdated() == 4
    assert recall(place, user="u", query="what about the journey", recorded=False).results
    assert list(reindex(batch=2)) == [2, 2]
    assert outdated() == 0


#: Makes two vectors anew, says so, and waits to be killed in the middle.
SLOWLY = """
import os, signal, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from memory_app.actions.indexing import reindex
going = reindex(batch=2)
print("made", next(going), flush=True)
signal.pause()
"""
