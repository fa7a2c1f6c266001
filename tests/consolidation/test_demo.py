"""The demo workspace: worth looking at, made once, and nothing in it that must not be kept."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from consolidation.demo import SCENES
from memory_app.domain.keys import digest_of
from memory_app.models import ApiKey, Block, Decision, Injection, Memory, Note, Operator, Session, Turn


def seed() -> dict[str, str]:
    out = StringIO()
    call_command("seed_demo", stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.django_db
def test_the_demo_is_made_once_and_tells_the_whole_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "COMMONPLACE", replace(settings.COMMONPLACE, home=tmp_path))
    access = seed()
    counts = (Session.objects.count(), Note.objects.count(), Decision.objects.count(), Memory.objects.count())
    assert counts[0] == len(SCENES)
    assert seed() == access
    assert (Session.objects.count(), Note.objects.count(), Decision.objects.count(), Memory.objects.count()) == counts
    assert (tmp_path / "demo.json").stat().st_mode & 0o077 == 0
    assert ApiKey.objects.get(digest=digest_of(access["api_key"])).role == "admin"
    assert Operator.objects.get(username=access["login"]).check_password(access["password"])

    actions = set(Decision.objects.values_list("action", flat=True))
    assert actions >= {"promote", "dedupe", "override", "session_only", "review"}
    assert set(Block.objects.values_list("category", flat=True)) >= {"payment", "pii", "instruction", "speculation"}
    assert set(Decision.objects.waiting().values_list("needs", flat=True)) == {"curator", "admin"}
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
