"""Recorded sessions are replayed once, whole and in order, wherever an import is stopped."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from consolidation.actions import importing
from consolidation.actions.importing import import_session
from consolidation.models import ConsolidationRun, RunStatus
from consolidation.recorded import SessionRecorded
from memory_app.domain.errors import Conflict
from memory_app.models import AuditEvent, Decision, Memory, Note, Session, Turn, User, Workspace

from .conftest import AGENT

START = datetime(2024, 5, 1, 9, 0, tzinfo=UTC)


class Flat:
    """An embedder to which all texts are alike: nothing here depends on meaning."""

    name, dimensions, unrelated, related = "flat", 2, 0.05, 0.5

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in texts]

    queries = passages


@pytest.fixture(autouse=True)
def _flat() -> Iterator[None]:
    with mock.patch("memory_app.embedding._embedder", Flat()):
        yield


class Killed(SystemExit):
    """The process is gone: nothing catches it."""


def line(name: str, *said: str, day: int = 0, **fields: Any) -> dict[str, Any]:
    at = START + timedelta(days=day)
    turns = [
        {"role": "user", "content": text, "at": (at + timedelta(minutes=i)).isoformat()} for i, text in enumerate(said)
    ]
    return {
        "user": "u-1",
        "agent": "travel",
        "external_id": name,
        "started_at": at.isoformat(),
        "turns": turns,
    } | fields


LINES = [
    line("first", "I prefer aisle seats.", "My favourite colour is blue."),
    line(
        "second", "From now on I want a window seat.", "Ignore that.", day=1, task="Book a flight", outcome="success",
        summary="Booked.",
        notes=[
            {"text": "Prefers window seats", "key": "seat_preference", "value": "window", "turn": 1,
             "evidence": {"role": "user", "quote": "From now on I want a window seat"}},
            {"text": "Card 4111 1111 1111 1111"},
        ],
    ),
    line("third", "我喜欢喝绿茶。", day=2, user="u-2"),
]  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path, *LINES)


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "sessions.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines), "utf-8")
    return path


def run(path: Path, workspace: str = "travel") -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("import_sessions", str(path), workspace=workspace, stdout=out, stderr=err)
    except CommandError as error:
        err.write(f"error: {error}")
    return out.getvalue(), err.getvalue()


def state(workspace: Workspace) -> dict[str, Any]:
    """All that an import leaves, but for ids and the moments of writing."""
    of = {"workspace": workspace}
    return {
        "sessions": list(Session.objects.filter(**of).order_by("external_id").values_list(
            "external_id", "status", "started_at", "last_active_at", "ended_at", "task", "outcome", "distilled_to")),
        "turns": list(Turn.objects.filter(**of).order_by("session__external_id", "index").values_list(
            "session__external_id", "index", "content", "at")),
        "notes": list(Note.objects.filter(**of).order_by("said_at", "text").values_list(
            "session__external_id", "text", "status", "origin", "said_at", "turn__index")),
        "memories": list(Memory.objects.filter(**of).order_by("scope", "key", "text").values_list(
            "scope", "key", "text", "version", "status", "updated_at", "confirmed_at", "importance")),
        "decisions": list(Decision.objects.filter(**of).order_by("session__external_id", "note__text").values_list(
            "session__external_id", "action", "status", "rule")),
    }  # fmt: skip


def test_sessions_come_in_with_their_own_times(workspace: Workspace, file: Path) -> None:
    out, err = run(file)
    assert "3 sessions, 5 turns" in out
    assert "3 of 3 sessions (100%)" in err
    second = Session.objects.get(external_id="second")
    assert (second.status, second.task, second.outcome) == ("consolidated", "Book a flight", "success")
    assert second.ended_at == second.last_active_at == START + timedelta(days=1, minutes=1)
    assert User.objects.get(external_id="u-1").last_seen_at == second.ended_at
    seat = Memory.objects.get(key="seat_preference", scope="user")
    assert (seat.value, seat.version, seat.updated_at) == ("window", 2, START + timedelta(days=1))
    assert Note.objects.get(origin="outcome").said_at == second.ended_at
    assert [m.updated_at.year for m in Memory.objects.all() if m.updated_at.year != 2024] == []
    assert Note.objects.filter(status="blocked").count() == 1
    assert "4111 1111" not in json.dumps(state(workspace), default=str)


def test_a_second_import_changes_nothing(workspace: Workspace, file: Path) -> None:
    run(file)
    before, events = state(workspace), AuditEvent.objects.count()
    out, _ = run(file)
    assert "3 sessions, 3 of them there before" in out
    assert state(workspace) == before
    assert AuditEvent.objects.count() == events


def test_lines_are_taken_in_the_order_of_their_sessions(workspace: Workspace, tmp_path: Path) -> None:
    run(written(tmp_path, *reversed(LINES)))
    assert Memory.objects.get(key="seat_preference", scope="user").version == 2
    assert list(ConsolidationRun.objects.filter(user__external_id="u-1").order_by("finished_at").values_list(
        "session__external_id", flat=True)) == ["first", "second"]  # fmt: skip


def test_a_bad_line_is_named_and_loses_no_other(workspace: Workspace, tmp_path: Path) -> None:
    secret = "AKIAIOSFODNN7EXAMPLE"
    bad = [
        "{not json",
        "[1]",
        LINES[0] | {"started_at": "yesterday"},
        LINES[0] | {"turns": [{"role": "robot", "content": secret}]},
        LINES[1] | {"notes": [{"text": "x", "turn": 9}]},
        LINES[0] | {"external_id": f"key {secret}"},
    ]
    path = written(tmp_path, LINES[0], *bad, "", LINES[2] | {"mood": "good"})
    out, err = run(path)
    assert "2 sessions, 3 turns" in out
    for number, problem in ((2, "is not JSON"), (3, "must be a JSON object"), (4, "started_at"), (5, "turns.0.role"),
                            (6, "notes.0.turn"), (7, "external_id")):  # fmt: skip
        assert any(f"line {number}: " in one and problem in one for one in err.splitlines()), (number, err)
    assert "line 9: the field mood is not known" in err
    assert "error: 6 of 8 lines were not imported" in err
    assert secret not in err + out


class Panic(BaseException):
    """What a panic of a compiled library is: no Exception."""


@pytest.mark.parametrize("failure", [Panic, RuntimeError])
def test_a_line_on_which_the_product_fails_loses_no_other(
    workspace: Workspace, file: Path, failure: type[BaseException]
) -> None:
    step = importing.open_session

    def fails(*args: Any, **kwargs: Any) -> Any:
        if kwargs.get("external_id") == "first" or "first" in args:
            raise failure("of what the line holds")
        return step(*args, **kwargs)

    with mock.patch.object(importing, "open_session", fails):
        out, err = run(file)
    assert "2 sessions" in out
    assert f"could not be imported ({failure.__name__})" in err
    assert "of what the line holds" not in err


def test_digits_of_any_script_end_no_import(workspace: Workspace, tmp_path: Path) -> None:
    out, err = run(written(tmp_path, line("digits", "My HKID is A١٢٣٤٥٦(٣)"), LINES[2]))
    assert "2 sessions" in out
    assert "imported" not in err
    assert "١٢٣" not in Turn.objects.get(session__external_id="digits", index=1).content


def test_a_file_that_is_not_there(workspace: Workspace, tmp_path: Path) -> None:
    _, err = run(tmp_path / "none.jsonl")
    assert "No such file" in err


def test_without_a_slug_the_only_workspace_is_meant(workspace: Workspace, file: Path) -> None:
    call_command("import_sessions", str(file), stdout=StringIO(), stderr=StringIO())
    assert Session.objects.filter(workspace=workspace).count() == 3
    Workspace.objects.create(slug="other", name="Other")
    with pytest.raises(CommandError, match="--workspace: other, travel"):
        call_command("import_sessions", str(file), stdout=StringIO(), stderr=StringIO())


#: Where an import dies: before or after one of its steps, the first or a later time.
POINTS = [
    ("open_session", 1, "after"), ("add_turns", 2, "before"), ("add_turns", 2, "after"), ("retain_note", 1, "after"),
    ("end_session", 1, "before"), ("end_session", 2, "after"), ("run_consolidation", 2, "before"),
    ("run_consolidation", 2, "after"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "time", "when"), POINTS)
def test_killed_anywhere_and_run_again(workspace: Workspace, file: Path, name: str, time: int, when: str) -> None:
    whole = Workspace.objects.create(slug="whole", name="Whole")
    run(file, "whole")
    step, calls = getattr(importing, name), []

    def dies(*args: Any, **kwargs: Any) -> Any:
        calls.append(name)
        if len(calls) == time and when == "before":
            raise Killed
        result = step(*args, **kwargs)
        if len(calls) == time:
            raise Killed
        return result

    with mock.patch.object(importing, name, dies), pytest.raises(Killed):
        run(file)
    out, _ = run(file)
    assert "3 sessions" in out
    assert state(workspace) == state(whole)


def test_a_run_that_died_is_taken_over_when_its_lease_ends(workspace: Workspace, file: Path) -> None:
    whole = Workspace.objects.create(slug="whole", name="Whole")
    run(file, "whole")

    def dies(*args: Any) -> None:
        raise Killed

    with (
        mock.patch("consolidation.actions.leases.lease", return_value=timedelta(seconds=0.3)),
        mock.patch("consolidation.actions.running._decide", dies),
        pytest.raises(Killed),
    ):
        run(file)
    assert ConsolidationRun.objects.get(workspace=workspace).status == RunStatus.RUNNING
    run(file)
    assert state(workspace) == state(whole)


def test_a_session_that_a_worker_has_read_meanwhile(workspace: Workspace) -> None:
    """Half imported, fallen silent, consolidated: what is missing is added, nothing is told twice."""
    recorded = SessionRecorded.model_validate(LINES[0])
    half = SessionRecorded.model_validate(LINES[0] | {"turns": LINES[0]["turns"][:1]})
    session, _ = importing._spoken(workspace, AGENT, half)
    Session.objects.filter(pk=session.pk).update(last_active_at=timezone.now() - timedelta(hours=2))
    for queued in importing_idle():
        importing.finish(queued)
    imported = import_session(workspace, AGENT, recorded)
    assert imported.session.turns.count() == 2
    assert sorted(imported.session.notes.values_list("text", flat=True)) == [
        "Favourite colour is blue", "Prefers aisle seats",
    ]  # fmt: skip
    assert Session.objects.get(pk=session.pk).status == "consolidated"


def importing_idle() -> list[ConsolidationRun]:
    from consolidation.actions import queue_idle_sessions

    return queue_idle_sessions()


def test_a_session_of_another_length_is_refused(workspace: Workspace) -> None:
    import_session(workspace, AGENT, SessionRecorded.model_validate(LINES[0]))
    longer = LINES[0] | {"turns": [*LINES[0]["turns"], {"role": "user", "content": "One more"}]}
    with pytest.raises(Conflict, match="has ended with 2 turns, and the line tells 3"):
        import_session(workspace, AGENT, SessionRecorded.model_validate(longer))
    with pytest.raises(Conflict, match="has 2 turns already, and the line tells 1"):
        import_session(workspace, AGENT, SessionRecorded.model_validate(LINES[0] | {"turns": LINES[0]["turns"][:1]}))


def test_a_failed_run_is_told_and_tried_again(workspace: Workspace, file: Path) -> None:
    with (
        mock.patch("consolidation.actions.running._decide", side_effect=ValueError("broken")),
        mock.patch("consolidation.actions.leases.MAX_ATTEMPTS", 1),
    ):
        out, err = run(file)
    assert "line 1: is stored, but not consolidated" in err
    assert "0 decisions" in out
    out, err = run(file)
    assert "error" not in err
    assert Memory.objects.get(key="seat_preference", scope="user").version == 2


def test_turns_without_times_are_not_of_today(workspace: Workspace) -> None:
    told = line("timeless", "I like tea.", "And jazz.")
    for turn in told["turns"]:
        del turn["at"]
    session = import_session(workspace, AGENT, SessionRecorded.model_validate(told)).session
    assert [t.at for t in session.turns.all()] == [START, START + timedelta(seconds=1)]
