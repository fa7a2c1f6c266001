"""Many decisions at once: tried before anything is written, all that match, one batch, undone as one."""

import re
from typing import Any

import pytest
from django.core import signing
from django.test import Client

from consolidation.views.bulk_plan import SALT
from memory_app.models import Decision, DecisionStatus, Memory, Workspace
from tests import factories as make

from .reviewing import HTMX, REVIEW, a_promotion, an_override, status_of
from .visitors import signed_in

pytestmark = pytest.mark.django_db
TRY, ACT = f"{REVIEW}bulk/try/", f"{REVIEW}bulk/"


def promotions(workspace: Workspace, many: int, **fields: Any) -> list[Decision]:
    made = []
    for n in range(many):
        note = make.make_note(make.make_session(workspace), f"Fact number {n}")
        made.append(make.make_decision(note, **fields))
    return made


def tried(client: Client, **data: Any) -> str:
    """The dialog once everything has been tried."""
    page: str = client.post(TRY, data, **HTMX).content.decode()
    while "hx-trigger" in page:
        page = client.post(TRY, {"plan": token(page)}, **HTMX).content.decode()
    return page


def token(page: str) -> str:
    found = re.search(r'name="plan" value="([^"]+)"', page)
    assert found is not None
    return found[1]


def act(client: Client, page: str) -> str:
    page = client.post(ACT, {"plan": token(page)}, **HTMX).content.decode()
    while 'hx-trigger="load' in page and 'id="bulk-title"' in page:
        page = client.post(ACT, {"plan": token(page)}, **HTMX).content.decode()
    return page


def test_it_is_tried_first_and_says_what_is_left_and_why(client: Client, workspace: Workspace) -> None:
    ready, weighty = promotions(workspace, 2), an_override(workspace, needs="admin")
    ids = [str(one.pk) for one in (*ready, weighty)] + ["rubbish"]
    before = Memory.objects.count()
    page = tried(client, action="approve", ids=ids)
    assert "Approve 3 decisions?" in page
    assert "Approve 2<" in page
    assert "1: it needs an admin" in page
    assert weighty.ref in page
    assert {status_of(one) for one in (*ready, weighty)} == {DecisionStatus.PENDING}
    assert Memory.objects.count() == before
    page = act(client, page)
    assert "2 decisions approved. 1 stays as it is." in page
    assert 'id="queue"' in page
    assert [status_of(one) for one in ready] == [DecisionStatus.APPROVED] * 2


def test_all_that_match_in_parts_under_one_batch(
    client: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consolidation.views.bulk_plan.PART", 2)
    monkeypatch.setattr("consolidation.queries.queue.PAGE_SIZE", 2)
    unsure, sure = promotions(workspace, 5, confidence=0.4), promotions(workspace, 1)
    assert "all 6 that match" in client.get(REVIEW).content.decode()
    assert "that match" not in client.get(REVIEW, {"status": "all"}).content.decode()  # not all of these wait
    first = client.post(TRY, {"action": "decline", "all": "1", "queue": "confidence__lt=0.5"}, **HTMX)
    assert "2 of 5 tried" in first.content.decode()
    page = tried(client, action="decline", all="1", queue="confidence__lt=0.5")
    assert "Decline 5 decisions?" in page
    late = promotions(workspace, 1, confidence=0.4)
    assert "5 decisions declined." in act(client, page)
    assert {status_of(one) for one in unsure} == {DecisionStatus.DECLINED}
    assert status_of(sure[0]) == status_of(late[0]) == DecisionStatus.PENDING  # it came after it was tried
    assert len(set(Decision.objects.filter(status="declined").values_list("batch", flat=True))) == 1
    monkeypatch.setattr("consolidation.views.bulk.CHOSEN", 2)
    page = client.post(f"{REVIEW}undo/", {}, **HTMX).content.decode()
    assert "2 of 5 done" in page
    assert "5 decisions are open again" in act(client, page)
    assert {status_of(one) for one in unsure} == {DecisionStatus.UNDONE}


def test_nothing_selected_is_nothing_done(client: Client, workspace: Workspace) -> None:
    decision = promotions(workspace, 1)[0]
    page = tried(client, action="approve", ids=["rubbish"])
    assert re.search(r'id="act-bulk"\s+disabled', page)
    act(client, page)
    assert status_of(decision) == DecisionStatus.PENDING


def test_who_may_and_what_is_no_plan(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    viewer = signed_in(make.make_operator(workspace, "viewer"))
    assert viewer.post(TRY, {"action": "approve", "all": "1"}).status_code == 403
    assert client.post(TRY, {"action": "erase", "all": "1"}, **HTMX).status_code == 422
    for address in (TRY, ACT):
        assert client.post(address, {"plan": "rubbish"}, **HTMX).status_code == 422
        earlier = signing.dumps({"action": "approve", "ids": [], "after": None, "chosen": 3}, salt=SALT, compress=True)
        assert client.post(address, {"plan": earlier}, **HTMX).status_code == 422  # of a release before
    assert client.get(TRY).status_code == 302
    page = client.post(TRY, {"action": "approve", "ids": [decision.pk]}).content.decode()
    assert "<html" in page  # without a script it is the page, with the dialog open
    assert 'id="bulk-approve" open' in page
    assert client.post(ACT, {"plan": token(page)}).status_code == 302
    assert status_of(decision) == DecisionStatus.APPROVED
