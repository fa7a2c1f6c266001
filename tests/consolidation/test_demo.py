"""The demo workspace: worth looking at, made once, and nothing in it that must not be kept."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import global_settings, settings
from django.core.management import call_command
from django.test import override_settings

from consolidation.actions import queue_idle_sessions
from consolidation.demo import SCENES
from consolidation.queries.labels import label_counts
from memory_app.domain.keys import digest_of
from memory_app.models import (
    ApiKey,
    AuditEvent,
    Block,
    Decision,
    Injection,
    Memory,
    MemorySource,
    MemoryVersion,
    Note,
    Operator,
    Session,
    SessionStatus,
    Turn,
    User,
)
from tests.workers import ROOT, database_url


def seed() -> dict[str, str]:
    out = StringIO()
    call_command("seed_demo", stdout=out)
    return json.loads(out.getvalue())


def counted() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Session, Turn, Note, Decision, Memory, MemoryVersion, Injection))


@pytest.mark.process
@pytest.mark.xdist_group("process")
@pytest.mark.django_db(transaction=True)
@override_settings(PASSWORD_HASHERS=global_settings.PASSWORD_HASHERS)  # as the product has them
def test_a_start_that_was_killed_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "COMMONPLACE", replace(settings.COMMONPLACE, home=tmp_path))
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database_url(),
        "COMMONPLACE_HOME": str(tmp_path),
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, "manage.py", "seed_demo", "--skip-checks"]
    for told in (1, 3):
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith(f"demo session {told + 1} "):
                process.kill()  # while the next is played
        process.wait()
        assert not (tmp_path / "demo.json").exists()
    assert 4 <= Session.objects.count() < len(SCENES)
    assert set(Session.objects.values_list("status", flat=True)) == {SessionStatus.CONSOLIDATED}
    access = seed()
    assert Operator.objects.get(username=access["login"]).check_password(access["password"])
    assert ApiKey.objects.count() == 1
    gone_on = counted()
    assert gone_on[0] == len(SCENES)
    assert not Session.objects.filter(turns=None).exists()
    assert gone_on == counted_unbroken(tmp_path / "unbroken", monkeypatch)


def counted_unbroken(home: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, ...]:
    """What a start that nobody disturbs makes, in the same database beside the first workspace."""
    home.mkdir()
    monkeypatch.setattr(settings, "COMMONPLACE", replace(settings.COMMONPLACE, home=home))
    monkeypatch.setattr("consolidation.management.commands.seed_demo.WORKSPACE", ("unbroken", "Unbroken"))
    before = counted()
    seed()
    return tuple(after - earlier for after, earlier in zip(counted(), before, strict=True))


def assert_dated_like_its_sessions() -> None:
    """Nothing but the open sessions is of today: what is kept, recalled and audited lies in its session's days."""
    for session in Session.objects.filter(ended_at__isnull=False):
        first, last = session.started_at, session.started_at + timedelta(hours=1)
        times = [session.created_at, session.ended_at, session.consolidated_at, session.last_active_at]
        times += Note.objects.filter(session=session).values_list("created_at", flat=True)
        times += Turn.objects.filter(session=session).values_list("created_at", flat=True)
        times += Injection.objects.filter(session=session).values_list("at", flat=True)
        times += Decision.objects.filter(session=session).values_list("created_at", flat=True)
        times += MemoryVersion.objects.filter(decision__session=session).values_list("recorded_at", flat=True)
        times += MemorySource.objects.filter(note__session=session).values_list("created_at", flat=True)
        times += AuditEvent.objects.filter(object_id=str(session.pk)).values_list("at", flat=True)
        assert all(first <= time <= last for time in times if time is not None), session.external_id
    for user in User.objects.all():
        started = [s.started_at for s in user.sessions.all()]
        assert min(started) <= user.created_at <= user.last_seen_at <= max(started) + timedelta(hours=1)
    days = {at.date() for at in MemoryVersion.objects.values_list("recorded_at", flat=True)}
    assert len(days) > 10
    assert Session.objects.get(external_id="Late flights").number > Session.objects.get(external_id="Tokyo trip").number


@pytest.mark.django_db
def test_the_demo_is_made_once_and_tells_the_whole_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "COMMONPLACE", replace(settings.COMMONPLACE, home=tmp_path))
    access = seed()
    counts = (Session.objects.count(), Note.objects.count(), Decision.objects.count(), Memory.objects.count())
    assert counts[0] == len(SCENES)
    Session.objects.filter(external_id=SCENES[-1].name).update(external_id="As an earlier release called it")
    assert seed() == access
    assert (Session.objects.count(), Note.objects.count(), Decision.objects.count(), Memory.objects.count()) == counts
    assert (tmp_path / "demo.json").stat().st_mode & 0o077 == 0
    assert ApiKey.objects.get(digest=digest_of(access["api_key"])).role == "admin"
    assert Operator.objects.get(username=access["login"]).check_password(access["password"])

    assert access["password"].isalnum()
    assert_dated_like_its_sessions()
    assert not Session.objects.filter(external_id__startswith="demo").exists()
    assert queue_idle_sessions() == []
    actions = set(Decision.objects.values_list("action", flat=True))
    assert actions >= {"promote", "dedupe", "override", "session_only", "review"}
    assert set(Block.objects.values_list("category", flat=True)) >= {"payment", "pii", "instruction", "speculation"}
    assert set(Decision.objects.waiting().values_list("needs", flat=True)) == {"curator", "admin"}
    ruled = Decision.objects.filter(decided_by_kind="operator").values_list("decided_by", "status")
    assert set(ruled) == {("Carla Ruiz", "approved"), ("Wen Ito", "declined")}
    assert Block.objects.filter(status="kept").count() == 2
    assert label_counts(Session.objects.all()[0].workspace) == {"decisions": 2, "blocks": 2}
    for user, late in (("zhang-san", "优先晚班机"), ("emma-clarke", "Prefers evening flights")):
        flight = Memory.objects.get(user__external_id=user, key="departure_time_preference", scope="user")
        assert (flight.text, flight.value, flight.version) == (late, "evening", 2)
        seat = Memory.objects.get(user__external_id=user, key="seat_preference", scope="user")
        assert (seat.value, seat.version) == ("aisle", 1)
        assert Memory.objects.filter(user__external_id=user, condition="short_trip", scope="user").count() == 1
    assert Injection.objects.exists()
    said = " ".join(Turn.objects.values_list("content", flat=True)) + " ".join(
        Note.objects.values_list("text", flat=True)
    )
    for secret in ("4242 4242 4242 4242", "4111 1111 1111 1111", "E12345678"):
        assert secret not in said
