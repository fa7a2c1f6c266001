"""No secret, card or personal number stays anywhere, whatever field of whatever call it was put into."""

import json
from collections.abc import Iterator
from itertools import count, cycle
from typing import Any
from urllib.parse import quote

import pytest
from django.core.cache import cache

from consolidation.models import ConsolidationRun
from memory_app.models import Workspace
from tests.api.calls import caller
from tests.brokers import broker_at, own_database

from .described import Operation, is_open, is_text, leaves, operations, placed, smallest
from .evidence import dump, every_log_line, found_in, on_disk
from .kinds import Secret, secrets
from .rows import Rows, filled

pytestmark = pytest.mark.django_db(transaction=True)

TOLD = secrets(1)
#: How many kinds each field of free text is given, in turn, so that all kinds go round.
EACH, CLOSED = 3, 1
#: A header is bytes that a server reads as Latin-1.
HEADERS = ("Idempotency-Key", "If-Match", "User-Agent", "Accept-Language", "Referer", "X-Forwarded-For", "Origin",
           "X-Request-Id", "Content-Type", "Authorization")  # fmt: skip


class Sender:
    """Sends requests that hold a secret, and looks at each answer."""

    def __init__(self, workspace: Workspace) -> None:
        self.rows = Rows(workspace)
        self.api = caller(workspace, "admin")
        self.turn: Iterator[Secret] = cycle(TOLD)
        self.keys = count(1)
        self.statuses: dict[int, int] = {}
        self.repeated: list[str] = []

    def some(self, many: int) -> list[Secret]:
        return [next(self.turn) for _ in range(many)]

    def send(self, what: str, secret: Secret, method: str, path: str, body: Any = None, **headers: str) -> None:
        if method == "POST" and "Idempotency_Key" not in headers:
            headers["Idempotency_Key"] = f"key-{next(self.keys)}"
        response = self.api(method, path, body, **headers)
        status = response.status_code
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if status >= 500:
            self.repeated.append(f"{what}, {secret.kind}: {status}")
        told = response.content.decode("utf-8", "replace") + str(dict(response.headers))
        self.repeated += [f"{what} ({status}) answers {found}" for found in found_in(told, [secret])]

    def body(self, operation: Operation) -> Any:
        """A valid body, about a user of its own, so that it meets nobody else's slot."""
        if operation.body is None:
            return None
        body = smallest(operation.body)
        if "user" in dict(leaves_of(operation)) and isinstance(body, dict):
            body["user"] = self.rows.user()
        return body


def leaves_of(operation: Operation) -> dict[Any, Any]:
    return {at[0] if len(at) == 1 else at: schema for at, schema in leaves(operation.body or {})}


@pytest.fixture
def sender() -> Iterator[Sender]:
    workspace = Workspace.objects.create(slug="travel", name="Travel")
    with broker_at(own_database()):
        yield Sender(workspace)
    cache.clear()


def clean(sender: Sender, log: str) -> None:
    """Nothing of any secret is in an answer, in the log, in the database or on the disk."""
    assert not sender.repeated, "\n".join(sender.repeated[:40])
    assert not (found := found_in(log, TOLD)), "log: " + "\n".join(found)
    assert not (found := found_in(dump(), TOLD)), "database: " + "\n".join(found)
    assert not (files := on_disk(TOLD)), "disk: " + "\n".join(files[:20])


def shapes(secret: Secret) -> Iterator[Any]:
    """A secret in JSON: as a value, as a name, deep inside, under a name that tells what it is, and in pieces."""
    yield {"note": secret.told, "deep": [{"er": [1, secret.told]}]}
    yield {secret.line: 1}
    if secret.alone:
        yield {"tool": "login", "arguments": {secret.label: secret.alone}}
        yield json.dumps({secret.label: secret.alone})
        if secret.alone.isdigit():
            yield {secret.label: int(secret.alone)}


def test_there_are_many_kinds() -> None:
    assert len({secret.kind for secret in TOLD}) >= 50


def test_every_field_of_every_call(sender: Sender) -> None:
    with every_log_line() as log:
        for operation in operations():
            for at, schema in leaves(operation.body) if operation.body else ():
                name = f"{operation.name} {'.'.join(map(str, at))}"
                for value, secret in _values(sender, schema):
                    path = filled(operation.path, sender.rows, fresh=True)
                    body = placed(operation.body or {}, sender.body(operation), at, value)
                    sender.send(name, secret, operation.method, path, body)
    assert sender.statuses.get(201, 0) > 30
    assert sender.statuses.get(422, 0) > 100
    clean(sender, log.getvalue())


def _values(sender: Sender, schema: dict[str, Any]) -> Iterator[tuple[Any, Secret]]:
    longest = schema.get("maxLength", 10_000)
    if is_open(schema):
        for secret in sender.some(EACH):
            if schema.get("type") != "object":
                yield secret.told, secret
            for shape in shapes(secret):
                yield shape, secret
    elif is_text(schema):
        # What is too long is sent too: its refusal must not repeat it.
        for secret in sender.some(EACH):
            yield secret.told, secret
            if longest <= 200 and secret.line != secret.told:
                yield secret.line, secret
    else:
        for secret in sender.some(CLOSED):
            yield secret.told, secret


def test_bodies_that_are_none(sender: Sender) -> None:
    """Not JSON, the wrong JSON, and names that are no fields."""
    with every_log_line() as log:
        for operation in operations():
            if operation.method == "GET":
                continue
            path = filled(operation.path, sender.rows, fresh=True)
            for secret in sender.some(2):
                raw = secret.told.encode()
                for body in (raw, secret.told, [secret.told], {secret.line: 1}, {"text": {secret.line: [1]}},
                             b'{"text": "' + raw + b"}", raw + b"\xff"):  # fmt: skip
                    sender.send(f"{operation.name} body", secret, operation.method, path, body)
                body = sender.body(operation)
                if isinstance(body, dict):
                    sender.send(f"{operation.name} unknown", secret, operation.method, path, body | {secret.line: 1})
                    sender.send(f"{operation.name} unknown", secret, operation.method, path, body | {"x": secret.told})
    clean(sender, log.getvalue())


def test_addresses_queries_and_headers(sender: Sender) -> None:
    with every_log_line() as log:
        for operation in operations():
            path = filled(operation.path, sender.rows, fresh=True)
            body = sender.body(operation)
            for secret in sender.some(2):
                value = quote(secret.line, safe="")
                for name in [*operation.names("query"), "q", value]:
                    what = f"{operation.name} ?{name}"
                    sender.send(what, secret, operation.method, f"{path}?{name}={value}", body)
                wrong = operation.path
                for name in operation.names("path"):
                    wrong = wrong.replace(f"{{{name}}}", value)
                sender.send(f"{operation.name} address", secret, operation.method, wrong, body)
                sender.send(f"{operation.name} longer", secret, operation.method, f"{path}/{value}", body)
                for header in HEADERS:
                    if header == "Authorization" and operation.method != "GET":
                        continue
                    told = secret.line.encode().decode("latin-1")
                    told = f"Bearer {told}" if header == "Authorization" else told
                    given = {header.replace("-", "_"): told}
                    sender.send(f"{operation.name} {header}", secret, operation.method, path, body, **given)
        for secret in TOLD:
            sender.send("host", secret, "GET", "/sessions", Host=secret.line.encode().decode("latin-1"))
            sender.send("no such address", secret, "GET", "/" + quote(secret.line))
    clean(sender, log.getvalue())


def test_told_in_two_parts(sender: Sender) -> None:
    """One field says what it is, another holds it alone; and pieces in one list."""
    with every_log_line() as log:
        for secret in (one for one in TOLD if one.alone):
            session = f"/sessions/{sender.rows.id_of('session_id', fresh=True)}"
            name = secret.label.replace("_", " ")
            middle = len(secret.alone) // 2
            for fields in (
                {"text": f"The {name} is in the value", "value": secret.alone},
                {"text": f"The {name}", "value": secret.alone},
                {"text": "Keep this", "key": secret.label, "value": secret.alone},
                {"text": "Keep this", "condition": name, "value": secret.alone},
                {"text": "Keep this", "subject": name, "value": secret.alone},
                {"text": f"The {name} is among the keywords", "keywords": ["x", secret.alone]},
                {"text": "Keep this", "keywords": [name, secret.alone]},
                {"text": "Keep this", "keywords": [f"{name} is {secret.alone[:middle]}", secret.alone[middle:]]},
            ):
                sender.send(f"two parts {fields}", secret, "POST", f"{session}/notes", fields)
                memory = fields | {"user": sender.rows.user(), "scope": "user", "kind": "semantic"}
                sender.send(f"two parts {fields}", secret, "POST", "/memories", memory)
                edited = f"/memories/{sender.rows.id_of('memory_id', fresh=True)}"
                sender.send(f"two parts {fields}", secret, "PATCH", edited, fields)
            digits = secret.alone.replace(" ", "")
            if len(digits) >= 13 and digits.isdigit():
                pieces = [digits[at : at + 4] for at in range(0, len(digits), 4)]
                note = {"text": "My card number", "keywords": pieces}
                sender.send("card in pieces", secret, "POST", f"{session}/notes", note)
            for call in ({"variables": {name: secret.alone}}, {"variables": {secret.label: secret.alone}},
                         {"errors": [{"name": secret.label, "value": secret.alone}]}):  # fmt: skip
                sender.send(f"working {call}", secret, "PUT", f"{session}/working", call)
    clean(sender, log.getvalue())


def test_the_whole_walk(sender: Sender) -> None:
    """Said in turns, noted, ended, consolidated, recalled: and still nothing of it is anywhere."""
    rows, api = sender.rows, sender.api
    with every_log_line() as log:
        for at, secret in enumerate(TOLD):
            user = f"walker-{at % 7}"
            opened = api.ok("POST", "/sessions", {"user": user, "metadata": {"note": secret.told}})
            session = f"/sessions/{opened['id']}"
            turns = [{"role": "user", "content": f"From now on I always take the aisle seat. {secret.told}"},
                     {"role": "tool", "content": secret.told, "tool_calls": [{"name": "x", "arguments": secret.told}]}]  # fmt: skip
            sender.send("turns", secret, "POST", f"{session}/turns", {"turns": turns})
            note = {"text": "Prefers the aisle seat", "evidence": {"role": "user", "quote": secret.told[:4000]}}
            if at % 2:
                sender.send("note", secret, "POST", f"{session}/notes", note)
                sender.send("note", secret, "POST", f"{session}/notes", {"text": secret.told})
            sender.send("recall", secret, "POST", "/recall", {"user": user, "query": secret.told})
            sender.send("context", secret, "POST", "/context",
                        {"user": user, "session": opened["id"], "query": secret.told})  # fmt: skip
            end = {"task": secret.told[:2000], "outcome": "success", "summary": secret.told[:2000]}
            sender.send("end", secret, "POST", f"{session}/end", end)
        assert rows.consolidate_everything() >= len(TOLD)
        assert set(ConsolidationRun.objects.values_list("status", flat=True)) == {"done"}
        for at, secret in enumerate(TOLD):
            user = f"walker-{at % 7}"
            sender.send("recall", secret, "POST", "/recall", {"user": user, "query": "Which seat?"})
            sender.send("context", secret, "POST", "/context", {"user": user})
        everything = [api.get(f"/{name}?limit=200").content.decode()
                      for name in ("memories", "decisions", "blocks", "sessions")]  # fmt: skip
    assert not found_in("\n".join(everything), TOLD)
    clean(sender, log.getvalue())


class Broken(RuntimeError):
    """What nobody foresaw."""


@pytest.mark.parametrize("broken", [
    "memory_app.api.sessions.open_session", "memory_app.api.recall.recall", "memory_app.auth.count_call",
    "memory_app.idempotency._keep",
])  # fmt: skip
def test_unexpected_errors(sender: Sender, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    told: list[Secret] = []

    def fail(*_: Any, **__: Any) -> None:
        raise Broken(f"could not do it: {told[-1].told}") from ValueError(told[-1].told)

    with every_log_line() as log:
        monkeypatch.setattr(broken, fail)
        for secret in TOLD:
            told.append(secret)
            for path, body in (("/sessions", {"user": "u", "metadata": {"x": secret.told}}),
                               ("/recall", {"user": "u", "query": secret.told})):  # fmt: skip
                key = f"key-{next(sender.keys)}"
                response = sender.api("POST", path + "?q=" + quote(secret.line), body, Idempotency_Key=key)
                assert not found_in(response.content.decode(), [secret])
                if response.status_code >= 400:
                    assert response.status_code == 500
                    assert response.json()["type"] == "urn:commonplace:problem:internal"
    assert "Broken" in log.getvalue()
    monkeypatch.undo()
    clean(sender, log.getvalue())


def test_a_run_that_fails(sender: Sender, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the middle of a run names no content: not in the run's row, not in the log."""

    def fail(*_: Any, **__: Any) -> None:
        raise Broken("; ".join(secret.told for secret in TOLD[:10]))

    monkeypatch.setattr("consolidation.actions.running.decide", fail)
    run = sender.rows.id_of("session_id")
    with every_log_line() as log:
        sender.api.ok("POST", f"/sessions/{run}/notes", {"text": "Prefers the aisle seat"})
        sender.api.ok("POST", f"/sessions/{run}/end")
        sender.rows.consolidate_everything()
    assert "Broken" in log.getvalue()
    assert ConsolidationRun.objects.get(session=run).error
    clean(sender, log.getvalue())


def test_the_web_server_keeps_no_access_log() -> None:
    """Addresses carry queries; the server's own lines, about requests it cannot read, are masked like all others."""
    from config import web_server

    assert web_server.accesslog is None
    loggers: Any = web_server.logconfig_dict["loggers"]
    assert not loggers["gunicorn.access"]["propagate"]
    assert not loggers["gunicorn.access"]["handlers"]
    assert loggers["gunicorn.error"]["propagate"]
    assert all(one["formatter"] == "masked" for one in web_server.logconfig_dict["handlers"].values())  # type: ignore[attr-defined]
