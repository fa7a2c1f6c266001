"""Deciding in the review queue: each ruling with its undo, what happens when another was first, many at once."""

from uuid import uuid4

import pytest
from django.test import Client

from memory_app.actions.decisions import approve, decline
from memory_app.actions.memories import edit_memory
from memory_app.models import Block, Decision, DecisionStatus, Memory, Workspace
from tests import factories as make

from .reviewing import HTMX, LIVE, REVIEW, a_promotion, an_override, post, status_of, url
from .visitors import signed_in

pytestmark = pytest.mark.django_db


# Deciding --------------------------------------------------------------------------------------------------------


def test_approve_shows_the_next_one(client: Client, workspace: Workspace) -> None:
    below, decision = a_promotion(workspace, text="Older fact"), an_override(workspace)
    response = post(client, "approve", decision, queue="sort=-created")
    page = response.content.decode()
    assert status_of(decision) == DecisionStatus.APPROVED
    assert response["HX-Push-Url"] == f"{REVIEW}?sort=-created&item={below.pk}"
    assert "Older fact" in page
    assert f'id="q-{decision.pk}" hx-swap-oob="delete"' in page
    assert "is now v2." in page
    assert "1 waiting." in page
    assert url("undo", decision) in page
    assert 'id="queue-progress" hx-swap-oob="true"' in page
    assert response.context["progress"].reviewed == 1
    assert Memory.objects.get(pk=decision.memory_id).text == "优先晚班机"
    assert decision.decided_by == "lin.qiao"


def test_every_button_works_without_a_script(client: Client, workspace: Workspace) -> None:
    decision, other = a_promotion(workspace), a_promotion(workspace, text="Another fact")
    response = post(client, "approve", decision, htmx=False)
    assert response.status_code == 302
    assert response["Location"] == f"{REVIEW}?item={other.pk}"
    page = client.get(response["Location"]).content.decode()
    assert "is new." in page
    assert status_of(decision) == DecisionStatus.APPROVED
    assert post(client, "decline", other, htmx=False)["Location"] == REVIEW
    assert status_of(other) == DecisionStatus.DECLINED
    assert client.get(url("approve", decision)).status_code == 302


def test_declining_writes_nothing(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    before = Memory.objects.count()
    page = post(client, "decline", decision).content.decode()
    assert status_of(decision) == DecisionStatus.DECLINED
    assert Memory.objects.count() == before
    assert "Nothing was written." in page


def test_a_declined_one_can_be_taken_up_again(client: Client, workspace: Workspace) -> None:
    decision = an_override(workspace)
    assert decision.memory is not None
    post(client, "decline", decision)
    assert post(client, "undo", decision).status_code == 200
    assert status_of(decision) == DecisionStatus.UNDONE
    decision.memory.refresh_from_db()
    assert (decision.memory.version, decision.memory.text) == (1, "倾向早班机")
    assert post(client, "approve", decision).status_code == 200
    assert status_of(decision) == DecisionStatus.APPROVED


def test_undo_opens_it_again(client: Client, workspace: Workspace) -> None:
    older, decision = a_promotion(workspace, text="Older fact"), an_override(workspace)
    post(client, "approve", decision)
    response = post(client, "undo", decision, queue="")
    page = response.content.decode()
    assert status_of(decision) == DecisionStatus.UNDONE
    assert f'hx-swap-oob="beforebegin:#q-{older.pk}"' in page
    assert response["HX-Push-Url"].endswith(f"item={decision.pk}")
    memory = Memory.objects.get(pk=decision.memory_id)
    assert (memory.text, memory.version) == ("倾向早班机", 3)
    assert decision.pk in {row.pk for row in client.get(REVIEW).context["page"].rows}
    again = client.get(REVIEW, {"item": decision.pk})
    assert 'id="act-approve"' in again.content.decode()
    assert post(client, "approve", decision).status_code == 200


def test_session_only_and_merge(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Likes trains", key="likes", value="trains")
    decision = a_promotion(workspace, neighbours=[{"memory": str(memory.pk), "similarity": 0.71}])
    page = client.get(REVIEW).content.decode()
    assert f'name="merge" value="{memory.pk}"' in page
    assert "Likes trains" in page
    sources = memory.sources.count()
    response = post(client, "approve", decision, merge=str(memory.pk))
    assert f"Merged into {memory.ref}" in response.content.decode()
    memory.refresh_from_db()
    assert (memory.version, memory.text, memory.sources.count()) == (1, "Likes trains", sources + 1)
    kept = a_promotion(workspace, text="This time by the window")
    response = post(client, "approve", kept, action="session_only")
    assert "Kept for this session only." in response.content.decode()
    assert not Memory.objects.filter(scope="user", text="This time by the window").exists()


def test_merging_into_what_is_not_theirs_is_refused(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    foreign = make.make_memory(workspace, "Likes planes", user="li-na")
    for target in (foreign.pk, uuid4(), "rubbish"):
        assert post(client, "approve", decision, merge=str(target)).status_code == 422
    assert status_of(decision) == DecisionStatus.PENDING


def test_an_edit_is_approved_as_the_persons_words(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    response = post(client, "approve", decision, edit="1", text="Prefers rail under four hours", value="rail, 4 h")
    assert response.status_code == 200
    assert status_of(decision) == DecisionStatus.APPROVED
    memory = Memory.objects.get(pk=decision.memory_id)
    assert (memory.text, memory.value, memory.author) == ("Prefers rail under four hours", "rail, 4 h", "operator")
    assert memory.protected


def test_what_was_not_changed_is_no_edit(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    post(client, "approve", decision, edit="1", text="Prefers rail for short trips", value="rail")
    assert status_of(decision) == DecisionStatus.APPROVED
    assert Memory.objects.get(pk=decision.memory_id).author == "system"


def test_a_refused_edit_shows_its_form_again(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    empty = post(client, "approve", decision, edit="1", text=" ", value="rail")
    assert empty.status_code == 422
    assert empty["HX-Retarget"] == "#edit-form"
    assert "Write what is to be remembered." in empty.content.decode()
    card = post(client, "approve", decision, edit="1", text="Card 4111 1111 1111 1111 please", value="rail")
    assert card.status_code == 422
    assert "guardrails refuse" in card.content.decode()
    assert "aria-invalid" in card.content.decode()
    plain = post(client, "approve", decision, htmx=False, edit="1", text="", value="")
    assert plain.status_code == 422
    assert "<html" in plain.content.decode()
    assert status_of(decision) == DecisionStatus.PENDING
    assert Block.objects.filter(category="payment").exists()


def test_a_review_offers_what_it_may_become(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "The Tokyo hotel was loud.")
    note = make.make_note(session, "The Tokyo hotel was loud", "The Tokyo hotel was loud", kind="episodic")
    decision = make.make_decision(note, "review", after={})
    page = client.get(REVIEW).content.decode()
    assert "Store as memory" in page
    assert 'id="choice-promote" name="action" value="promote" form="decide" autocomplete="off" checked' in page
    assert post(client, "approve", decision).status_code == 422
    assert post(client, "approve", decision, action="promote").status_code == 200
    assert status_of(decision) == DecisionStatus.APPROVED
    memory = Memory.objects.get(pk=decision.memory_id)
    assert (memory.text, memory.kind, memory.scope) == ("The Tokyo hotel was loud", "episodic", "user")


def test_a_review_of_a_contradiction_offers_to_replace(client: Client, workspace: Workspace) -> None:
    waiting = an_override(workspace)
    assert waiting.note is not None and waiting.memory is not None  # noqa: PT018
    decline(workspace, make.actor_of(make.make_operator(workspace)), waiting.pk)
    Decision.objects.filter(pk=waiting.pk).update(status="pending", action="review", rule="review.conflict")
    assert f"Replace {waiting.memory.ref}" in client.get(REVIEW).content.decode()
    assert post(client, "approve", waiting, action="override").status_code == 200
    assert Memory.objects.get(pk=waiting.memory_id).text == "优先晚班机"


def test_an_applied_rejection_can_be_overruled(client: Client, workspace: Workspace) -> None:
    for action in ("reject", "session_only"):
        session = make.make_session(workspace)
        make.make_turn(session, f"Window seat, {action}.")
        note = make.make_note(session, f"Window seat, {action}", f"Window seat, {action}")
        decision = make.make_decision(note, action, hold=False)
        assert "Store as memory instead" in client.get(REVIEW, {"item": decision.pk}).content.decode()
        assert post(client, "approve", decision, action="promote").status_code == 200
        assert status_of(decision) == DecisionStatus.APPROVED
        assert Memory.objects.get(pk=decision.memory_id).scope == "user"


# Two people ------------------------------------------------------------------------------------------------------


def test_the_second_is_told_what_the_first_did(client: Client, workspace: Workspace) -> None:
    decision = an_override(workspace)
    admin = make.make_operator(workspace, "admin", "zhou.min")
    approve(workspace, make.actor_of(admin, "admin"), decision.pk)
    for htmx in (True, False):
        response = post(client, "decline", decision, htmx=htmx)
        assert response.status_code == 409
        assert "zhou.min approved this just now." in response.content.decode()
    assert status_of(decision) == DecisionStatus.APPROVED
    assert f'id="q-{decision.pk}" hx-swap-oob="delete"' in post(client, "approve", decision).content.decode()


def test_a_memory_that_moved_gives_a_fresh_decision(client: Client, workspace: Workspace) -> None:
    decision = an_override(workspace)
    assert decision.memory is not None
    edit_memory(decision.memory, make.BACK_OFFICE, {"text": "倾向中午的航班", "value": "noon"})
    response = post(client, "approve", decision)
    page = response.content.decode()
    assert response.status_code == 409
    assert status_of(decision) == DecisionStatus.STALE
    fresh = decision.replaced_by.get()
    assert fresh.is_open
    assert "fresh decision" in page
    assert response["HX-Push-Url"].endswith(f"item={fresh.pk}")
    assert f'id="q-{fresh.pk}"' in page
    decision.memory.refresh_from_db()
    assert decision.memory.text == "倾向中午的航班"
    assert "See the fresh decision" in client.get(REVIEW, {"item": decision.pk}).content.decode()


def test_the_open_item_notices_by_itself(client: Client, workspace: Workspace) -> None:
    decision = an_override(workspace)
    shown = {"item": str(decision.pk), "was": client.get(REVIEW).context["state_token"]}
    assert 'id="actions"' not in client.get(LIVE, shown).content.decode()
    decline(workspace, make.actor_of(make.make_operator(workspace, "admin", "zhou.min"), "admin"), decision.pk)
    told = client.get(LIVE, shown).content.decode()
    assert "zhou.min declined this" in told
    assert 'id="actions"' in told


def test_new_items_are_told_not_inserted(client: Client, workspace: Workspace) -> None:
    since = client.get(REVIEW).context["since"]
    a_promotion(workspace)
    told = client.get(LIVE, {"list": "review", "since": since}).content.decode()
    assert "1 new item matches this list." in told
    assert 'id="queue-progress" hx-swap-oob="true"' in told
    assert client.get(LIVE, {"list": "review", "since": "x"}).status_code == 200


def test_undo_under_a_later_decision_says_which(client: Client, workspace: Workspace) -> None:
    first = an_override(workspace)
    assert first.memory is not None
    post(client, "approve", first)
    edit_memory(Memory.objects.get(pk=first.memory_id), make.BACK_OFFICE, {"text": "倾向夜航"})
    later = Decision.objects.get(action="edit")
    response = post(client, "undo", first)
    assert response.status_code == 409
    assert later.ref in response.content.decode()
    assert post(client, "undo", first, cascade="1").status_code == 200
    assert Memory.objects.get(pk=first.memory_id).text == "倾向早班机"


# Rights ----------------------------------------------------------------------------------------------------------


def test_what_needs_an_admin_waits_for_one(client: Client, workspace: Workspace) -> None:
    decision = an_override(workspace, needs="admin")
    page = client.get(REVIEW).content.decode()
    assert "Waits for an admin." in page
    assert 'disabled aria-describedby="act-why"' in page
    assert post(client, "approve", decision).status_code == 403
    admin = signed_in(make.make_operator(workspace, "admin"))
    assert "Waits for an admin." not in admin.get(REVIEW).content.decode()
    assert post(admin, "approve", decision).status_code == 200


def test_nobody_approves_what_they_proposed(workspace: Workspace) -> None:
    admin = make.make_operator(workspace, "admin")
    memory = make.make_memory(workspace, "Check the order first", kind="procedural", actor=make.BACK_OFFICE)
    edit_memory(memory, make.actor_of(admin, "admin"), {"text": "Check the order, then refund"})
    decision = Decision.objects.get(action="edit")
    assert decision.is_open
    assert "There is no other admin" in signed_in(admin).get(REVIEW).content.decode()
    other = make.make_operator(workspace, "admin")
    assert "Another admin approves it" in signed_in(admin).get(REVIEW).content.decode()
    assert post(signed_in(admin), "approve", decision).status_code == 403
    assert post(signed_in(other), "approve", decision).status_code == 200


# Many ------------------------------------------------------------------------------------------------------------


def test_bulk_approves_each_and_leaves_what_it_cannot(client: Client, workspace: Workspace) -> None:
    ready = [a_promotion(workspace, text=f"Fact number {n}") for n in range(2)]
    for one in ready:
        one.note.key = ""
    weighty = an_override(workspace, needs="admin")
    ids = [str(one.pk) for one in (ready[0], weighty)] + ["rubbish"]
    page = client.post("/w/travel/review/bulk/", {"ids": ids, "action": "approve"}, **HTMX).content.decode()
    assert "1 decision approved. 2 stay as they are." in page
    assert status_of(ready[0]) == DecisionStatus.APPROVED
    assert status_of(weighty) == DecisionStatus.PENDING
    assert client.post("/w/travel/review/bulk/", {"ids": ids, "action": "erase"}).status_code == 422
    response = client.post("/w/travel/review/bulk/", {"ids": [ready[1].pk], "action": "decline"})
    assert response.status_code == 302
    assert status_of(ready[1]) == DecisionStatus.DECLINED


def test_bulk_makes_a_stale_decision_anew(client: Client, workspace: Workspace) -> None:
    stale = an_override(workspace)
    assert stale.memory is not None
    edit_memory(stale.memory, make.BACK_OFFICE, {"importance": 0.9})
    page = client.post("/w/travel/review/bulk/", {"ids": [stale.pk], "action": "approve"}, **HTMX).content.decode()
    assert "0 decisions approved. 1 stays as it is." in page
    fresh = Decision.objects.get(pk=stale.pk).replaced_by.get()
    assert (fresh.status, fresh.base_version) == ("pending", 2)
