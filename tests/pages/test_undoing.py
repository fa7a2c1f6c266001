"""Undo: several deep on the page of approvals, and what builds on a decision named first, to go with it or to stay."""

import pytest

from memory_app.actions.memories import edit_memory, find_memory, pin_memory
from memory_app.models import Decision, Workspace
from tests import factories as make

from .reviewing import a_promotion, an_override, post, status_of
from .visitors import signed_in

pytestmark = pytest.mark.django_db


def test_undo_goes_back_several_rulings(workspace: Workspace) -> None:
    admin = signed_in(make.make_operator(workspace, "admin"))
    waiting = [an_override(workspace, needs="admin"), a_promotion(workspace, needs="admin")]
    for one in waiting:
        assert admin.post(f"/w/travel/approvals/{one.pk}/approve/", {}).status_code == 302
    for one in reversed(waiting):
        page = admin.post("/w/travel/approvals/undo/", {}, HTTP_HX_REQUEST="true").content.decode()
        assert f"{one.ref} is open again" in page
        assert status_of(one) == "undone"
    assert (
        "Nothing more to undo" in admin.post("/w/travel/approvals/undo/", {}, HTTP_HX_REQUEST="true").content.decode()
    )
    assert signed_in(make.make_operator(workspace, "curator")).post("/w/travel/approvals/undo/").status_code == 403


def test_an_undo_names_what_builds_on_it_and_offers_to_keep_it(workspace: Workspace) -> None:
    client = signed_in(make.make_operator(workspace, "curator"))
    decision = an_override(workspace)
    post(client, "approve", decision)
    decision.refresh_from_db()
    assert decision.memory is not None
    edit_memory(decision.memory, make.BACK_OFFICE, {"importance": 0.9})
    later = Decision.objects.latest("created_at")
    page = post(client, "undo", decision).content.decode()
    assert f"Later decisions build on this one: {later.ref} (Edit" in page
    assert 'name="keep"' in page
    assert post(client, "undo", decision, keep="1").status_code == 200
    decision.memory.refresh_from_db()
    assert (decision.memory.text, decision.memory.importance) == ("倾向早班机", 0.9)


def test_the_page_says_who_undoes_what_is_protected_by_now(workspace: Workspace) -> None:
    decision = an_override(workspace)
    curator = signed_in(make.make_operator(workspace, "curator"))
    post(curator, "approve", decision, edit="1", text="倾向晚班机", value="evening")
    decision.refresh_from_db()
    assert (decision.status, decision.memory and decision.memory.protected) == ("approved", True)
    other, address = (
        signed_in(make.make_operator(workspace, "curator")),
        f"/w/travel/review/?status=all&item={decision.pk}",
    )
    words = "is protected, so nobody undoes this alone"
    for client, told in ((other, True), (curator, False), (signed_in(make.make_operator(workspace, "admin")), True)):
        page = client.get(address).content.decode()
        button = page[page.index('id="act-reopen"') :].split(">", 1)[0]
        assert (words in page, "disabled" in button) == (told, told)
    answer = post(other, "undo", decision)
    assert (answer.status_code, words in answer.content.decode(), status_of(decision)) == (409, True, "approved")
    assert post(curator, "undo", decision).status_code == 200


def test_the_page_offers_no_undo_of_what_takes_two(workspace: Workspace) -> None:
    client = signed_in(make.make_operator(workspace, "curator"))
    decision = an_override(workspace)
    post(client, "approve", decision)
    decision.refresh_from_db()
    assert decision.memory is not None
    pin_memory(find_memory(workspace, decision.memory.pk), make.BACK_OFFICE)
    answer = post(client, "undo", decision)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "is protected, so nobody undoes this alone" in page
    assert 'name="cascade"' not in page
