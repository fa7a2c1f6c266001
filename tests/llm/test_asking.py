"""One question over a real socket: every way in which a server can misbehave ends in time, with a name for it."""

import gzip
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from pydantic import ValidationError

from consolidation.llm import DISTILL, Failed, Model, NotesProposed, Question, VerdictGiven, parsed, schema_of

from .server import Reply, Server, completion, note, said, serving, verdict

KEY = "llm-key-7d1f0c"


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def question() -> Question:
    return Question(DISTILL.messages({"turns": []}), "distill", schema_of(NotesProposed), 200)


def model(server: Server, seconds: float = 5.0) -> Model:
    return Model(server.url, "small-model", KEY, seconds, pause=0.01)


def test_what_is_sent(server: Server) -> None:
    server.says({"notes": []})
    answer = model(server).ask(question())
    assert (answer.content, answer.tokens, answer.attempts) == ('{"notes": []}', 500, 1)
    (asked,) = server.asked
    assert asked["path"] == "/v1/chat/completions"
    assert asked["model"] == "small-model"
    assert asked["max_completion_tokens"] == 200
    assert [one["role"] for one in asked["messages"]] == ["system", "user"]
    sent = asked["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert sent["schema"]["additionalProperties"] is False
    assert server.keys == [f"Bearer {KEY}"]


def test_schemas_are_closed_and_ask_for_every_field() -> None:
    for shape in (NotesProposed, VerdictGiven):
        schema = schema_of(shape)
        for one in (schema, *schema.get("$defs", {}).values()):
            assert one["additionalProperties"] is False
            assert set(one["required"]) == set(one["properties"])
            assert not {"title", "maxLength", "pattern"} & set(one)
    assert "text" in schema_of(VerdictGiven)["properties"]


def test_no_key_is_needed(server: Server) -> None:
    server.says({"notes": []})
    Model(server.url, "m", None, 5).ask(question())
    assert KEY not in server.keys[0]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(b"<html>busy</html>"), "not_json"),
        (Reply(b'{"choices": []}'), "not_json"),
        (Reply(b'{"error": "no"}'), "not_json"),
        (Reply(b"[" * 50_000), "not_json"),
        (completion(None), "not_json"),
        (completion("…", finish="length"), "truncated"),
        (completion(None, refusal="I cannot help with that."), "declined"),
        (completion("{}", finish="content_filter"), "declined"),
        (Reply(b"{}", status=400), "request_refused"),
        (Reply(b"{}", status=401), "request_refused"),
        (Reply(b'{"x":"' + b"a" * 1_500_000 + b'"}'), "too_large"),
        (Reply(gzip.compress(b" " * 5_000_000), headers={"Content-Encoding": "gzip"}), "too_large"),
    ],
)
def test_what_is_no_answer_is_not_asked_again(server: Server, reply: Reply, reason: str) -> None:
    server.otherwise = lambda asked: reply
    with pytest.raises(Failed) as caught:
        model(server).ask(question())
    assert (caught.value.reason, caught.value.attempts, len(server.asked)) == (reason, 1, 1)
    assert KEY not in repr(caught.value)
    assert caught.value.__cause__ is None


def test_busy_and_broken_servers_are_asked_again(server: Server) -> None:
    server.says(Reply(b"{}", status=429, headers={"Retry-After": "0"}), Reply(b"{}", status=503), {"notes": []})
    assert model(server).ask(question()).attempts == 3


@pytest.mark.parametrize(("status", "reason"), [(500, "server_error"), (429, "rate_limited")])
def test_three_attempts_are_all(server: Server, status: int, reason: str) -> None:
    server.otherwise = lambda asked: Reply(b"{}", status=status)
    with pytest.raises(Failed) as caught:
        model(server).ask(question())
    assert (caught.value.reason, caught.value.attempts, len(server.asked)) == (reason, 3, 3)


def test_a_server_that_asks_for_a_long_pause_is_left(server: Server) -> None:
    server.otherwise = lambda asked: Reply(b"{}", status=429, headers={"Retry-After": "3600"})
    started = time.monotonic()
    with pytest.raises(Failed, match="rate_limited"):
        model(server, seconds=2).ask(question())
    assert time.monotonic() - started < 1
    assert len(server.asked) == 1


def test_no_redirect_is_followed(server: Server) -> None:
    with serving() as elsewhere:
        for status in (301, 302, 307, 308):
            server.says(Reply(b"", status=status, headers={"Location": f"{elsewhere.url}/chat/completions"}))
            with pytest.raises(Failed, match="redirected"):
                model(server).ask(question())
        assert elsewhere.asked == []


def test_silence_ends_in_time(server: Server) -> None:
    never = threading.Event()
    server.otherwise = lambda asked: Reply(b"{}", wait=never)
    started = time.monotonic()
    with pytest.raises(Failed, match="timeout"):
        model(server, seconds=0.5).ask(question())
    assert time.monotonic() - started < 2
    never.set()


def test_a_body_that_drips_ends_in_time(server: Server) -> None:
    server.otherwise = lambda asked: Reply(b'{"choices": [' + b" " * 1_000, drip=0.05)
    started = time.monotonic()
    with pytest.raises(Failed, match="timeout"):
        model(server, seconds=0.5).ask(question())
    assert time.monotonic() - started < 2


def test_an_answer_that_breaks_off_is_asked_again(server: Server) -> None:
    server.says(Reply(b'{"choices": [', headers={"Content-Length": "900", "Connection": "close"}), {"notes": []})
    assert model(server).ask(question()).attempts == 2


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(Failed, match="unreachable") as caught:
            Model(url, "m", KEY, 5, pause=0.01).ask(question())
    assert caught.value.attempts == 3


def test_the_key_is_in_no_text_of_the_model(server: Server) -> None:
    assert KEY not in repr(model(server))
    assert KEY not in str(model(server))


GOOD = note(1, "I like tea", "Likes tea")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("I am sorry, I cannot do that.", "not_json"),
        ('```json\n{"notes": []}\n```', "not_json"),
        ('{"notes": [', "not_json"),
        ("", "not_json"),
        ('{"notes": [{"text": "\\ud800"}]}', "not_json"),
        ("[]", "schema"),
        ("{}", "schema"),
        ('{"notes": [], "comment": "done"}', "schema"),
        ('{"notes": "none"}', "schema"),
    ],
)
def test_content_of_another_shape(content: str, reason: str) -> None:
    with pytest.raises(Failed) as caught:
        parsed(NotesProposed, content)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    "change",
    [
        {"turn": "1"}, {"turn": -1}, {"turn": 1.0}, {"kind": "procedural"}, {"scope": "team"}, {"text": ""}, {"text": None},
        {"quote": " "}, {"key": "Not A Key"}, {"text": "a\x00b"}, {"text": "x" * 1_001}, {"pinned": True},
        {"value": {"a": 1}}, {"value": 3},
    ],
)  # fmt: skip
def test_a_note_of_another_shape(change: dict[str, object]) -> None:
    NotesProposed.model_validate({"notes": [GOOD]})
    with pytest.raises(ValidationError):
        NotesProposed.model_validate({"notes": [GOOD | change]})


def test_a_verdict_of_another_shape() -> None:
    VerdictGiven.model_validate(verdict("same"))
    for change in ({"choice": "erase"}, {"choice": None}, {"memory": "M-1"}, {"why": ""}):
        with pytest.raises(ValidationError):
            VerdictGiven.model_validate(verdict("same") | change)


def test_said_helper_speaks_the_protocol(server: Server) -> None:
    server.says(lambda asked: said({"notes": [GOOD]}, tokens=None))
    answer = model(server).ask(question())
    assert parsed(NotesProposed, answer.content).notes[0].text == "Likes tea"
    assert answer.tokens == 0
