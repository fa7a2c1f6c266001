"""A repeated POST does nothing and answers the same."""

import threading
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import OperationalError, connections
from django.utils import timezone
from psycopg.errors import DeadlockDetected

from memory_app.actions.sessions import open_session
from memory_app.models import IdempotencyRecord, Note, SearchEntry, Session

from .calls import Api, caller, problem


def test_a_repeat_gets_the_first_answer(agent: Api) -> None:
    first = agent.post("/sessions", {"user": "u", "metadata": {"a": 1, "b": 2}}, Idempotency_Key="k-1")
    again = agent.post("/sessions", b'{"metadata": {"b": 2,  "a": 1}, "user": "u"}', Idempotency_Key="k-1")
    assert first.status_code == again.status_code == 201
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.content == first.content
    assert again.headers["Content-Type"] == first.headers["Content-Type"]
    assert Session.objects.count() == 1


def test_notes_and_turns(agent: Api, session: dict[str, Any]) -> None:
    path = f"/sessions/{session['id']}"
    for _ in range(2):
        agent.ok("POST", f"{path}/notes", {"text": "Likes tea"}, Idempotency_Key="k")
        agent.ok("POST", f"{path}/turns", {"turns": [{"role": "user", "content": "x"}]}, Idempotency_Key="k")
        agent.ok("POST", f"{path}/end", Idempotency_Key="k")
    assert Note.objects.count() == 1
    assert agent.ok("GET", path)["counts"]["turns"] == 1


def test_another_body_is_refused(agent: Api) -> None:
    agent.ok("POST", "/sessions", {"user": "u"}, Idempotency_Key="k")
    problem(agent.post("/sessions", {"user": "v"}, Idempotency_Key="k"), 422, "Idempotency-Key")


def test_a_key_is_kept_for_each_caller_method_and_path(agent: Api, curator: Api, session: dict[str, Any]) -> None:
    agent.ok("POST", "/sessions", {"user": "u"}, Idempotency_Key="k")
    assert "Idempotency-Replayed" not in curator.post("/sessions", {"user": "v"}, Idempotency_Key="k").headers
    agent.ok("POST", f"/sessions/{session['id']}/notes", {"text": "Likes tea"}, Idempotency_Key="k")


@pytest.mark.django_db(transaction=True)
def test_one_in_flight(agent: Api) -> None:
    """The second is told so while the first is answered, and gets its answer afterwards."""
    reached, go_on = threading.Event(), threading.Event()
    answers: list[Any] = []

    def slow(*args: Any, **given: Any) -> Any:
        reached.set()
        assert go_on.wait(30)
        return open_session(*args, **given)

    def first() -> None:
        answers.append(agent.post("/sessions", {"user": "u"}, Idempotency_Key="k"))
        connections.close_all()

    with mock.patch("memory_app.api.sessions.open_session", side_effect=slow):
        thread = threading.Thread(target=first)
        thread.start()
        assert reached.wait(30)
        problem(agent.post("/sessions", {"user": "u"}, Idempotency_Key="k"), 409)
        go_on.set()
        thread.join(30)
    again = agent.post("/sessions", {"user": "u"}, Idempotency_Key="k")
    assert again.json() == answers[0].json()
    assert Session.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_process_that_dies_before_its_answer_is_kept_has_done_nothing(agent: Api) -> None:
    with mock.patch("memory_app.idempotency._keep", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        agent.post("/sessions", {"user": "u"}, Idempotency_Key="k")
    assert not Session.objects.exists()
    agent.ok("POST", "/sessions", {"user": "u"}, Idempotency_Key="k")
    assert Session.objects.count() == 1


def test_an_error_leaves_nothing_of_what_was_begun(agent: Api) -> None:
    def breaks(*args: Any, **given: Any) -> Any:
        open_session(*args, **given)
        raise OperationalError("others") from DeadlockDetected()

    for error, status in ((breaks, 409), (mock.Mock(side_effect=RuntimeError), 500)):
        with mock.patch("memory_app.api.sessions.open_session", side_effect=error):
            problem(agent.post("/sessions", {"user": "u"}, Idempotency_Key="k"), status)
        assert not Session.objects.exists()


def test_many_rulings_are_each_kept_for_themselves(curator: Api) -> None:
    first = curator.post("/decisions/bulk", {"action": "approve", "ids": []}, Idempotency_Key="k")
    again = curator.post("/decisions/bulk", {"action": "approve", "ids": []}, Idempotency_Key="k")
    assert again.content == first.content
    assert again.status_code == first.status_code


def test_a_failure_is_not_kept(agent: Api) -> None:
    problem(agent.post("/sessions", {"user": ""}, Idempotency_Key="k"), 422, "user")
    agent.ok("POST", "/sessions", {"user": "u"}, Idempotency_Key="k")
    with mock.patch("memory_app.api.sessions.open_session", side_effect=RuntimeError):
        problem(agent.post("/sessions", {"user": "u"}, Idempotency_Key="k-2"), 500)
    agent.ok("POST", "/sessions", {"user": "u"}, Idempotency_Key="k-2")


def test_it_is_forgotten_after_a_day(agent: Api) -> None:
    agent.ok("POST", "/sessions", {"user": "u"}, Idempotency_Key="k")
    IdempotencyRecord.objects.update(created_at=timezone.now() - timedelta(hours=24, seconds=1))
    again = agent.post("/sessions", {"user": "v"}, Idempotency_Key="k")
    assert again.status_code == 201
    assert IdempotencyRecord.objects.count() == 1


def test_neither_key_nor_body_nor_secret_is_stored(agent: Api, session: dict[str, Any]) -> None:
    card = "4111 1111 1111 1111"
    agent.ok("POST", f"/sessions/{session['id']}/notes", {"text": f"Pays with {card}"}, Idempotency_Key=card)
    row = IdempotencyRecord.objects.get()
    assert "4111 1111" not in str([getattr(row, f.attname) for f in row._meta.concrete_fields])
    assert str(row.user_id) == str(Session.objects.get().user_id)


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_keys_that_are_none(agent: Api, key: str) -> None:
    problem(agent.post("/sessions", {"user": "u"}, Idempotency_Key=key), 422, "Idempotency-Key")


def test_without_a_valid_key_nothing_is_kept(workspace: Any) -> None:
    problem(Api("cpk_wrong").post("/sessions", {"user": "u"}, Idempotency_Key="k"), 401)
    assert not IdempotencyRecord.objects.exists()


def test_a_preview_keeps_nothing(workspace: Any) -> None:
    caller(workspace, "curator").ok("POST", "/guardrails/preview", {"text": "x"}, Idempotency_Key="k")
    assert not IdempotencyRecord.objects.exists()


class _Watching:
    """An embedder that notes whether a transaction was open while it was asked."""

    name, dimensions, unrelated, related = "watching", 256, 0.1, 0.9

    def __init__(self) -> None:
        self.held: list[bool] = []

    def passages(self, texts: Any) -> list[list[float]]:
        self.held.append(connections["default"].in_atomic_block)
        return [[1.0] + [0.0] * 255 for _ in texts]

    queries = passages


@pytest.mark.django_db(transaction=True)
def test_nothing_is_held_while_a_text_is_embedded(
    agent: Api, admin: Api, session: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = _Watching()
    monkeypatch.setattr("memory_app.actions.content.get_embedder", lambda: embedder)
    new = {"user": "u", "scope": "user", "kind": "semantic", "text": "Likes tea"}
    admin.ok("POST", "/memories", new, Idempotency_Key="k")
    agent.ok("POST", f"/sessions/{session['id']}/notes", {"text": "Plays chess"}, Idempotency_Key="k")
    assert embedder.held == [False, False]
    assert set(SearchEntry.objects.values_list("model", flat=True)) == {"watching"}
