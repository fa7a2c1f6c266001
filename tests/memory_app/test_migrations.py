"""What a migration makes of rows that were there before it."""

from datetime import timedelta
from hashlib import sha256
from importlib import import_module

import pytest
from django.db import connection
from django.utils import timezone

from memory_app.actions.combining import split_memory
from memory_app.actions.members import create_member
from memory_app.models import Decision, Injection, Memory, Operator
from tests import factories as make

pytestmark = pytest.mark.django_db


def test_what_was_shown_before_has_its_first_time() -> None:
    workspace, now = make.make_workspace(), timezone.now()
    answered, counted, never = (make.make_memory(workspace, text) for text in ("Likes tea", "Likes jazz", "Likes rain"))
    Memory.objects.filter(pk__in=[answered.pk, counted.pk]).update(recall_count=3, last_recalled_at=now)
    for days in (9, 2):
        shown = Injection.objects.create(
            workspace=workspace, purpose="recall", user=answered.user, moment=now, memory_ids=[answered.pk]
        )
        Injection.objects.filter(pk=shown.pk).update(at=now - timedelta(days=days))
    with connection.cursor() as cursor:
        cursor.execute(import_module("memory_app.migrations.0010_first_shown_before").FIRST_SHOWN)
    first = dict(Memory.objects.values_list("pk", "first_recalled_at"))
    assert first == {answered.pk: now - timedelta(days=9), counted.pk: now, never.pk: None}


def test_parts_that_were_split_off_before_know_their_memories() -> None:
    whole = make.make_memory(make.make_workspace(), "Likes tea, tea and rain")
    parts = [{"text": f"Likes {one}"} for one in ("all of it", "tea", "tea", "rain")]
    decision = split_memory(whole, make.BACK_OFFICE, parts).decision
    known = decision.params["parts"]
    rain = Memory.objects.get(text="Likes rain")
    assert known[2]["memory"] == str(rain.pk)
    bare = [{name: value for name, value in part.items() if name != "memory"} for part in known]
    Decision.objects.filter(pk=decision.pk).update(params={"parts": [*bare, bare[0] | {"text": "Likes what is gone"}]})
    with connection.cursor() as cursor:
        cursor.execute(import_module("memory_app.migrations.0026_parts_of_splits").PARTS)
    decision.refresh_from_db()
    assert decision.params["parts"][:3] == known
    assert "memory" not in decision.params["parts"][3]


def test_whoever_has_not_signed_in_since_has_a_first_password() -> None:
    workspace = make.make_workspace()
    wen = make.actor_of(make.make_operator(workspace, "admin", "wen"), "admin")
    for name in ("never", "since"):
        create_member(workspace, wen, username=name, role="viewer")
    Operator.objects.update(password_by_kind="", password_by_id="")
    Operator.objects.filter(username="since").update(last_login=timezone.now() + timedelta(days=1))
    with connection.cursor() as cursor:
        cursor.execute(import_module("memory_app.migrations.0028_first_passwords").FIRST_PASSWORDS)
    known = dict(Operator.objects.exclude(password_by_kind="").values_list("username", "password_by_id"))
    assert known == {"never": wen.id}


def test_hashes_of_words_are_the_same_in_every_release_of_the_database() -> None:
    words = ["tea", "茶", "naïve", ""]
    wanted = {int.from_bytes(sha256(word.encode()).digest()[:4], signed=True) for word in words}
    with connection.cursor() as cursor:
        cursor.execute("SELECT word_hashes(%s), word_hashes(%s::text[])", [[*words, "tea"], []])
        told, none = cursor.fetchone()
    assert (sorted(told), none) == (sorted(wanted), [])


def test_an_entry_has_the_hashes_of_its_words() -> None:
    memory = make.make_memory(make.make_workspace(), "Likes tea")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tokens, hashes = word_hashes(tokens) FROM memory_app_searchentry WHERE memory_id = %s", [memory.pk]
        )
        tokens, same = cursor.fetchone()
    assert "tea" in tokens
    assert same


def test_what_replaces_an_index_is_there_before_it_goes() -> None:
    """Dropping locks readers out until the transaction ends, so nothing is built after it."""
    operations = import_module("memory_app.migrations.0031_lists_of_a_million").Migration.operations
    assert [type(one).__name__ for one in operations] == ["AddIndex"] * (len(operations) - 1) + ["RemoveIndex"]
