"""Vectors that are missing are made later, and all of them anew when the embedder changes."""

import os
import subprocess
import sys
import threading
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection, transaction

from memory_app.actions.indexing import enter_older_turns, fill_vectors, outdated, reach_turns, reindex
from memory_app.actions.memories import NewMemory, remember
from memory_app.actions.sessions import NewTurn, add_turns, open_session
from memory_app.embedding import get_embedder
from memory_app.models import SearchEntry, TurnEntry, TurnRecall, Workspace
from memory_app.recall import recall

from .conftest import AGENT, KEY


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


def test_a_text_that_the_embedder_refuses_holds_up_no_other(workspace: Workspace) -> None:
    for n in range(5):
        remember(workspace, KEY, NewMemory("user", "semantic", f"Fact {n}", user="u"))
    SearchEntry.objects.update(model="", vector=None)
    refused = [e.pk for e in SearchEntry.objects.order_by("model", "pk").select_related("version")[:3]]
    bad = {e.version.text for e in SearchEntry.objects.filter(pk__in=refused).select_related("version")}
    kind, passages = type(get_embedder()), type(get_embedder()).passages

    def picky(self: Any, texts: list[str]) -> Any:
        if bad & set(texts):
            raise OSError("400 Bad Request")
        return passages(self, texts)

    with mock.patch.object(kind, "passages", picky):
        assert [fill_vectors(limit=2) for _ in range(3)] == [1, 1, 0]
    assert set(SearchEntry.objects.filter(vector=None).values_list("pk", flat=True)) == set(refused)
    assert list(reindex(batch=2)) == [2, 1]


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


@pytest.mark.django_db(transaction=True)
def test_turns_that_are_being_written_while_it_is_switched_on_are_not_lost() -> None:
    place = Workspace.objects.create(slug="busy", name="Busy")
    written, go_on = threading.Event(), threading.Event()

    def write() -> None:
        with transaction.atomic():
            session, _ = open_session(place, AGENT, user="u")
            add_turns(session, AGENT, [NewTurn("user", "The parrot bit the vet")])
            written.set()
            go_on.wait(30)
        connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    assert written.wait(30)
    reach_turns(place, wanted=True)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
        with pytest.raises(OperationalError):  # it waits for the writer
            enter_older_turns()
        cursor.execute("RESET lock_timeout")
    go_on.set()
    writer.join()
    assert (enter_older_turns(), enter_older_turns()) == (1, 0)
    assert TurnEntry.objects.count() == 1
    assert Workspace.objects.get(pk=place.pk).turn_recall == TurnRecall.ON


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
