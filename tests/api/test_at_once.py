"""Two callers at the same moment: one does it, the other is told, and nothing is done twice."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections

from consolidation.models import PolicyVersion
from memory_app.models import Decision, Memory, Slot

from .calls import Api, caller
from .test_blocks import blocked
from .test_decisions import consolidated, said

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(workspace: Any, call: Callable[[Api, int], Any], count: int = 3) -> list[Any]:
    """The answers of so many callers who all start at the same moment."""
    callers = [caller(workspace, "admin") for _ in range(count)]
    answers: list[Any] = []
    start = threading.Barrier(count)

    def one(api: Api, place: int) -> None:
        start.wait()
        answers.append(call(api, place))
        connections.close_all()

    threads = [threading.Thread(target=one, args=(api, place)) for place, api in enumerate(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return answers


def statuses(answers: list[Any]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


def test_one_block(agent: Api, workspace: Any) -> None:
    _, block = blocked(agent)
    answers = at_once(workspace, lambda api, n: api.post(f"/blocks/{block}/release", {"reason": "fine"}))
    assert statuses(answers) == [200, 409, 409]
    assert Decision.objects.count() == 1


def test_many_decisions(agent: Api, workspace: Any) -> None:
    made = consolidated(
        agent,
        said("Has diabetes", "I have diabetes", key="illness", value="diabetes"),
        said("Allergic to shellfish", "I am allergic to shellfish", key="allergy", value="shellfish"),
    )
    ids = [d["id"] for d in made]
    answers = at_once(workspace, lambda api, n: api.post("/decisions/bulk", {"action": "approve", "ids": ids}))
    assert statuses(answers) == [200] * 3
    done = [pk for answer in answers for pk in answer.json()["done"]]
    assert sorted(done) == sorted(ids)
    assert {left["code"] for answer in answers for left in answer.json()["left"]} == {"already_decided"}
    assert Memory.objects.filter(scope="user").count() == 2


def test_one_merge_and_one_split(curator: Api, workspace: Any) -> None:
    one = curator.ok("POST", "/memories", {"user": "u-1", "text": "Likes tea and coffee"})["id"]
    other = curator.ok("POST", "/memories", {"user": "u-1", "text": "Likes coffee and tea"})["id"]
    parts = {"parts": [{"text": "Likes tea"}, {"text": "Likes coffee"}]}

    def act(api: Api, place: int) -> Any:
        if place == 0:
            return api.post(f"/memories/{one}/split", parts)
        return api.post(f"/memories/{one}/merge", {"memories": [other]})

    answers = at_once(workspace, act)
    assert set(statuses(answers)) <= {200, 409, 422}
    assert 200 in statuses(answers)
    for memory in Memory.objects.all():
        numbers = list(memory.versions.order_by("number").values_list("number", flat=True))
        assert numbers == list(range(1, memory.version + 1))


def test_outcomes_are_all_counted(curator: Api, workspace: Any) -> None:
    made = curator.ok("POST", "/memories", {"user": "u-1", "kind": "procedural", "text": "Books a train"})["id"]
    assert statuses(at_once(workspace, lambda api, n: api.post(f"/memories/{made}/outcome", {"success": True}))) == [
        200, 200, 200,
    ]  # fmt: skip
    assert Memory.objects.get(pk=made).success_count == 3


def test_one_policy(workspace: Any) -> None:
    body = {"policy": {"idle_minutes": 9}, "why": "x"}
    assert statuses(at_once(workspace, lambda api, n: api("PUT", "/policy", body, If_Match="1"))) == [200, 412, 412]
    assert statuses(at_once(workspace, lambda api, n: api("PUT", "/policy", body))) == [200, 200, 200]
    assert list(PolicyVersion.objects.order_by("number").values_list("number", flat=True)) == [2, 3, 4, 5]


def test_one_slot_and_one_profile(workspace: Any) -> None:
    assert statuses(at_once(workspace, lambda api, n: api("PUT", "/slots/seat", {"values": [str(n)]}))) == [
        200,
        200,
        201,
    ]
    assert Slot.objects.count() == 1
    fields = {"fields": {"city": {"value": "Lyon"}}}
    assert statuses(at_once(workspace, lambda api, n: api("PUT", "/users/u-1/profile", fields))) == [200] * 3


def test_one_key_is_revoked_once(admin: Api, workspace: Any) -> None:
    made = admin.ok("POST", "/keys", {"role": "agent"})["id"]
    answers = at_once(workspace, lambda api, n: api("DELETE", f"/keys/{made}"))
    assert statuses(answers) == [200] * 3
    assert len({answer.json()["revoked_at"] for answer in answers}) == 1
