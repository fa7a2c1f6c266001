"""One error shape for everything under /api/, and no error repeats what was given."""

import json
from io import BytesIO
from typing import Any
from unittest import mock

import pytest
from django.db import OperationalError

from config.chunked import with_length
from memory_app.models import Workspace

from .calls import Api, problem

SECRET = "sk-proj-9fQ2vLx7Rk3TzPw8Yb1NdH5c"  # shape only
CARD = "4111 1111 1111 1111"


@pytest.mark.parametrize(
    "path", ["/nothing", "/sessions/", "/sessions/not-a-uuid", "/memories/not-a-uuid/history", "//"]
)
def test_an_unknown_address_is_a_problem(admin: Api, path: str) -> None:
    problem(admin.get(path), 404)


def test_outside_v1_too(admin: Api) -> None:
    response = admin.client.get("/api/nothing")
    problem(response, 404)


@pytest.mark.parametrize(("method", "path"), [("PUT", "/sessions"), ("DELETE", "/sessions"), ("GET", "/recall")])
def test_a_method_that_is_not_taken(admin: Api, method: str, path: str) -> None:
    response = admin(method, path)
    problem(response, 405)
    assert response.headers["Allow"]


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b'{"user": "a"', b"[" * 100_000, b"nul"])
def test_malformed_json(agent: Api, body: bytes) -> None:
    problem(agent.post("/sessions", body), 400)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity", "-Infinity", "9" * 301])
def test_a_number_without_end_is_refused_by_its_field(agent: Api, number: str) -> None:
    for body, field in (('{"metadata": {"a": [0, %s]}}', "metadata.a.1"), ("[%s]", "0"), ("%s", "body")):
        document = problem(agent.post("/sessions", (body % number).encode()), 422, field)
        assert "finite number" in document["errors"][0]["message"]


@pytest.mark.parametrize(
    ("body", "place"),
    [(b'{"user": "a",\n "x": }', "line 2, column 7"), (b"{", "line 1, column 2"), (b'{"user": "\xff"}', "byte 11")],
)
def test_where_a_body_is_no_json(agent: Api, body: bytes, place: str) -> None:
    detail = problem(agent.post("/sessions", body), 400)["detail"]
    assert place in detail
    assert "send one JSON document" in detail


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1", "/api/v1/"])
def test_the_root_of_the_api_is_a_problem(admin: Api, path: str) -> None:
    problem(admin.client.get(path), 404)


def test_a_slot_whose_key_cannot_be_says_which_form_it_has(admin: Api) -> None:
    document = problem(admin("PUT", "/slots/Bad%20Key", {"cardinality": "one"}), 422, "key")
    assert "snake_case" in document["detail"]
    problem(admin.get("/slots/Bad%20Key"), 404)


def test_a_policy_names_all_that_is_wrong(admin: Api) -> None:
    document = problem(admin("PUT", "/policy", {"policy": {"a": 1, "b": 2}, "why": " "}), 422)
    assert [one["field"] for one in document["errors"]] == ["policy.a", "policy.b", "why"]


@pytest.mark.parametrize("body", [b'{"user": "a", "user": "b"}', b'{"user": "a", "metadata": {"x": 1, "x": 1}}'])
def test_a_name_stands_once_in_an_object(agent: Api, body: bytes) -> None:
    assert "once" in problem(agent.post("/sessions", body), 400)["detail"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_body_is_said_to_be_json(agent: Api, kind: str) -> None:
    def sent(kind: str, body: bytes = b'{"user": "u"}') -> Any:
        headers = {"Authorization": f"Bearer {agent.secret}"}
        return agent.client.generic("POST", "/api/v1/sessions", body, content_type=kind, headers=headers)

    assert "Content-Type" in problem(sent(kind), 415)["detail"]
    assert sent("application/json; charset=utf-8").status_code == 201
    assert sent("").status_code == 201
    problem(sent(kind, b""), 422)


@pytest.mark.parametrize(
    "path", ["/memories", "/sessions?limit=2", "/decisions", "/blocks", "/memories?limit=0", "/nowhere"]
)
def test_head_is_answered_like_get_without_a_body(viewer: Api, path: str) -> None:
    whole, head = viewer.get(path), viewer("HEAD", path)
    assert head.status_code == whole.status_code
    assert head.headers["Content-Type"] == whole.headers["Content-Type"]
    assert head.headers["Content-Length"] == str(len(whole.content))
    assert head.content == b""


def test_head_takes_no_other_call(viewer: Api) -> None:
    assert viewer("HEAD", "/recall").status_code == 405


def test_an_address_that_is_too_long(viewer: Api) -> None:
    problem(viewer.get(f"/memories?q={'x' * 4_000}"), 414)


def test_bodies_in_chunks_are_read(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10

    def received(body: bytes, **more: Any) -> tuple[str | None, bytes]:
        seen: dict[str, Any] = {}
        with_length(lambda environ, start: seen.update(environ) or [])({"wsgi.input": BytesIO(body), **more}, None)
        return seen.get("CONTENT_LENGTH"), seen["wsgi.input"].read()

    chunked = {"wsgi.input_terminated": True}
    assert received(b"{}", **chunked) == ("2", b"{}")
    assert received(b"x" * 50, **chunked) == ("11", b"x" * 11)
    assert received(b"{}", **chunked, CONTENT_LENGTH="2") == ("2", b"{}")
    assert received(b"{}") == (None, b"{}")


@pytest.mark.parametrize(
    ("address", "start", "end"),
    [
        ("/memories", "updated_after", "updated_before"),
        ("/users", "seen_after", "seen_before"),
        ("/audit", "after", "before"),
    ],
)
def test_a_span_ends_after_it_begins(admin: Api, address: str, start: str, end: str) -> None:
    early, late = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
    document = problem(admin.get(f"{address}?{start}={late}&{end}={early}"), 422, end)
    assert start in document["errors"][0]["message"]
    assert admin.get(f"{address}?{start}={early}&{end}={late}").status_code == 200
    problem(admin.post("/recall", {"user": "u", "query": "x", "since": late, "until": early}), 422, "until")


@pytest.mark.parametrize(("text", "remedy"), [("", "at least 1 characters"), ("x" * 2_001, "at most 2000 characters")])
def test_lengths_of_texts_are_counted_in_characters(
    agent: Api, session: dict[str, Any], text: str, remedy: str
) -> None:
    document = problem(agent.post(f"/sessions/{session['id']}/notes", {"text": text}), 422, "text")
    assert document["errors"][0]["message"] == f"must have {remedy}."


def test_a_body_that_is_needed(agent: Api) -> None:
    problem(agent.post("/sessions"), 422)
    problem(agent.post("/sessions", []), 422)
    problem(agent.post("/sessions", {}), 422, "user")


def test_characters_that_cannot_be_stored(agent: Api) -> None:
    problem(agent.post("/sessions", {"user": "a\x00b"}), 422, "user")
    problem(agent.post("/sessions", b'{"user": "u", "metadata": {"a": ["\\ud800"]}}'), 422, "metadata.a.0")
    problem(agent.post("/sessions", b'{"user": "u", "metadata": {"a\\u0000": 1}}'), 422, "metadata")
    problem(agent.get("/sessions?user=a%00b"), 422, "user")


def test_depth_and_size(agent: Api) -> None:
    deep: Any = "x"
    for _ in range(60):
        deep = [deep]
    problem(agent.post("/sessions", {"user": "u", "metadata": {"a": deep}}), 422)
    problem(agent.post("/sessions", {"user": "u", "metadata": {"a": "x" * 30_000}}), 422, "metadata")
    problem(agent.post("/sessions", {"user": "u", "metadata": {"a": [1] * 60_000}}), 422)


def test_a_body_that_is_too_large(agent: Api, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    problem(agent.post("/sessions", {"user": "u" * 2_000}), 413)


@pytest.mark.parametrize("name", ["", " ", "a/b", "a\nb", "a\x7fb", "x" * 201])
def test_names_of_users(agent: Api, name: str) -> None:
    problem(agent.post("/sessions", {"user": name}), 422, "user")
    problem(agent.post("/sessions", {"user": "u", "teams": [name]}), 422, "teams.0")


@pytest.mark.parametrize(
    ("time", "remedy"),
    [
        (1_700_000_000, "offset"),
        ("1700000000", "offset"),
        ("2026-01-01", "offset"),
        ("2026-01-01T00:00:00", "offset"),
        ("2026-13-01T00:00:00Z", "ISO 8601"),
        ("0001-01-01T00:00:00+14:00", "1900"),
        ("9999-12-31T23:59:59Z", "leave it out"),
        (True, "offset"),
    ],
)
def test_times(agent: Api, time: Any, remedy: str) -> None:
    document = problem(agent.post("/sessions", {"user": "u", "started_at": time}), 422, "started_at")
    assert remedy in document["errors"][0]["message"]


def test_an_unknown_field_is_named(agent: Api) -> None:
    document = problem(agent.post("/sessions", {"user": "u", "usr": "x"}), 422, "usr")
    assert "not a field" in document["errors"][0]["message"]


def test_an_unknown_filter_is_named(viewer: Api) -> None:
    problem(viewer.get("/memories?usr=x"), 422, "usr")


@pytest.mark.parametrize("secret", [SECRET, CARD])
def test_no_error_repeats_a_secret(agent: Api, session: dict[str, Any], secret: str) -> None:
    path = f"/sessions/{session['id']}"
    bodies: list[tuple[str, Any]] = [
        ("/sessions", {"user": secret}),
        ("/sessions", {"user": "u", secret: 1}),
        ("/sessions", {"user": "u", "started_at": secret}),
        ("/sessions", {"user": "u", "external_id": secret}),
        ("/sessions", {"user": "u", "metadata": secret}),
        ("/sessions", {"user": "u", "metadata": {secret: "\x00"}}),
        (f"{path}/notes", {"text": secret, "key": secret}),
        (f"{path}/notes", {"text": "x", "kind": secret}),
        (f"{path}/notes", {"text": "x", "turn": secret}),
        (f"{path}/notes", {"text": "x", "importance": secret}),
        (f"{path}/turns", {"turns": [{"role": secret, "content": "x"}]}),
        (f"{path}/turns", json.dumps({"turns": secret}).encode()[:-1]),
    ]
    for address, body in bodies:
        response = agent.post(address, body)
        assert response.status_code in (400, 422), (address, response.content)
        assert secret.encode() not in response.content, address


def test_an_unexpected_error_says_nothing_of_itself(agent: Api, session: dict[str, Any]) -> None:
    with mock.patch("memory_app.api.sessions.add_turns", side_effect=RuntimeError(SECRET)):
        response = agent.post(f"/sessions/{session['id']}/turns", {"turns": [{"role": "user", "content": "x"}]})
    problem(response, 500)
    assert SECRET.encode() not in response.content
    assert b"RuntimeError" not in response.content


def test_answers_are_not_cached(agent: Api, workspace: Workspace) -> None:
    assert agent.get("/sessions").headers["Cache-Control"] == "no-store"


def test_a_database_that_is_away_is_unavailable_and_not_an_error_of_ours(agent: Api) -> None:
    with mock.patch("memory_app.auth.digest_of", side_effect=OperationalError("server closed the connection")):
        response = agent.get("/sessions")
    problem(response, 503)
    assert response.headers["Retry-After"] == "2"
