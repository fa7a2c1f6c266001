"""/metrics: who may read it, that its numbers are the metrics', and that it says nothing of what was said."""

from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings as given
from django.core.cache import cache
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from consolidation.queries.alarms import alarms
from memory_app.actions.summing import sum_hours
from memory_app.models import Alert, Workspace
from memory_app.queries.measuring import Scope, measured
from memory_app.queries.metrics import METRICS
from tests import factories as make
from tests.api.calls import caller

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-the-scraper"
SLUGS = {"travel", "other"}


@pytest.fixture
def workspace(settings: Any) -> Any:
    settings.COMMONPLACE = replace(given.COMMONPLACE, metrics_token=TOKEN)
    workspace = make.make_workspace()
    for word in ("tea", "coffee"):
        session = make.make_session(workspace)
        make.make_turn(session, f"I drink {word}, xylophone.")
        make.make_decision(make.make_note(session, f"Drinks {word}", f"I drink {word}"), hold=word == "tea")
    make.make_memory(make.make_workspace("other"), "Likes jazz")
    yield workspace
    cache.clear()


def read(token: str | None, status: int = 200) -> dict[tuple[str, ...], float]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = Client().get("/metrics", headers=headers)
    assert answer.status_code == status
    text = answer.content.decode()
    assert "xylophone" not in text
    assert "zhang" not in text
    if status != 200:
        return {}
    return {
        (sample.name, *sorted(sample.labels.values(), key=lambda v: v not in SLUGS)): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def key_of(workspace: Workspace, role: str, teams: tuple[str, ...] = ()) -> str:
    return str(caller(workspace, role, teams).secret)


def test_who_may_read(workspace: Workspace, settings: Any) -> None:
    for token in (None, "wrong", "cpk_" + "x" * 43):
        read(token, 401)
    for role in ("agent", "viewer", "curator"):
        read(key_of(workspace, role), 403)
    read(key_of(workspace, "admin", ("blue",)), 403)
    mine = {labels[1] for labels in read(key_of(workspace, "admin")) if len(labels) > 1}
    assert mine == {"travel"}
    assert {labels[1] for labels in read(TOKEN) if len(labels) > 1} == {"travel", "other"}
    settings.COMMONPLACE = replace(given.COMMONPLACE, metrics_token=None)
    read(TOKEN, 401)


def test_the_numbers_are_those_of_the_page(workspace: Workspace) -> None:
    Alert.objects.create(workspace=workspace, kind="writes", subject="xylophone")
    found, page = read(TOKEN), measured(Scope(workspace, 7))
    for metric in METRICS:
        reading = page.reading(metric)
        counted = found.get(("commonplace_metric_counted", "travel", metric.name), 0)
        assert counted == pytest.approx(reading.over, abs=60), metric.name
        if metric.of is not None:
            assert found.get(("commonplace_metric_of", "travel", metric.name), 0) == reading.of
    assert found["commonplace_metric", "travel", "writes"] == 50
    assert found["commonplace_alerts", "travel", "writes"] == 1
    assert found["commonplace_workers",] == 0


def test_statements_do_not_grow_with_workspaces(workspace: Workspace, django_assert_max_num_queries: Any) -> None:
    for number in range(5):
        one = make.make_workspace(f"w{number}")
        make.make_memory(one, "Likes jazz")
        if number % 2:
            sum_hours([one])
    with django_assert_max_num_queries(18):
        read(TOKEN)
    with django_assert_max_num_queries(14):
        alarms()
