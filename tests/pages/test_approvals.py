"""Decisions that need an admin: read by all, discussed by curators, decided by somebody who did not propose them."""

from typing import Any

import pytest
from django.urls import reverse

from memory_app.actions.combining import split_memory
from memory_app.actions.memories import archive_memory, edit_memory, pin_memory
from memory_app.models import AuditEvent, Decision, Memory, Operator, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
LIST = "/w/travel/approvals/"
LIVE = "/w/travel/live/"
HTMX = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "approval"}
STEPS = "Check the order, then the refund conditions, then issue the refund"
BETTER = "Check the order, then the refund conditions, then offer the refund and wait for the user to confirm"


@pytest.fixture
def wen(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "admin", "wen", first_name="Wen", last_name="Ito")


@pytest.fixture
def carla(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "curator", "carla", first_name="Carla", last_name="Ruiz")


def to(decision: Decision, act: str, slug: str = "travel") -> str:
    return reverse(f"approval_{act}", args=[slug, decision.pk])


def a_procedure(workspace: Workspace) -> Memory:
    return make.make_memory(workspace, STEPS, None, kind="procedural", scope="team", team="ops")


def proposal(workspace: Workspace, by: Operator, role: str = "curator", text: str = BETTER) -> Decision:
    return edit_memory(a_procedure(workspace), make.actor_of(by, role), {"text": text}).decision


def now(decision: Decision) -> Decision:
    return Decision.objects.get(pk=decision.pk)


# Reading ---------------------------------------------------------------------------------------------------------


def test_a_proposal_shows_what_changes_and_who_asks(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision = proposal(workspace, carla)
    make.make_session(workspace, "emma", teams=["ops"])
    response = signed_in(wen).get(LIST)
    page = response.content.decode()
    assert response.context["decision"] == decision
    assert "Carla Ruiz" in page
    assert "<del>issue</del> <ins>offer</ins>" in page
    assert "It holds for the whole team ops: 1 user and 1 session in the last 7 days." in page
    assert 'aria-current="true"' in page
    assert "becomes v2" in page


def test_what_the_other_changes_are(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    """Pinned, archived and split memory say what they are about."""
    actor = make.actor_of(carla)
    pinned = make.make_memory(workspace, "Vegetarian meals on all flights", pinned=True)
    unpin = pin_memory(pinned, actor, pinned=False).decision
    away = archive_memory(a_procedure(workspace), actor).decision
    two = make.make_memory(workspace, "Likes tea and trains", pinned=True)
    split = split_memory(two, actor, [{"text": "Likes tea"}, {"text": "Likes trains"}]).decision
    client = signed_in(wen)
    pages = {one.action: client.get(LIST, {"id": str(one.pk)}).content.decode() for one in (unpin, away, split)}
    assert "Unpin: " in pages["unpin"]
    assert "<del" in pages["unpin"]
    assert "is archived: agents no longer see it." in pages["archive"]
    assert "Likes trains" in pages["split"]


def test_tabs_and_pages(workspace: Workspace, wen: Operator, carla: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in(wen)
    first, second, third = (proposal(workspace, carla, text=f"{BETTER} {n}") for n in range(3))
    own = proposal(workspace, wen, "admin")
    client.post(to(first, "approve"))
    client.post(to(second, "decline"), {"comment": "Not this way"})

    def listed(**query: Any) -> list[Decision]:
        return [row["decision"] for row in client.get(LIST, query).context["rows"]]

    assert listed() == [own, third]
    assert listed(status="approved") == [first]
    assert listed(status="declined") == [second]
    assert listed(status="mine") == [own]
    assert listed(status="nonsense") == [own, third]
    counts = {tab["value"]: tab["count"] for tab in client.get(LIST).context["tabs"]}
    assert counts == {"": 2, "approved": 1, "declined": 1, "stale": 0, "mine": 1}
    monkeypatch.setattr("consolidation.queries.approvals.PAGE_SIZE", 1)
    page = client.get(LIST).context["page"]
    assert listed(cursor=page.next) == [third]
    assert client.get(LIST, {"cursor": "no"}).status_code == 200


def test_other_pages_lead_here(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision = proposal(workspace, carla)
    memory = signed_in(wen).get(reverse("memory", args=["travel", decision.memory_id])).content.decode()
    assert f"{LIST}?id={decision.pk}" in memory


def test_nothing_waits(workspace: Workspace, wen: Operator) -> None:
    page = signed_in(wen).get(LIST).content.decode()
    assert "Nothing waits for approval." in page
    assert "Nothing is open." in page
    assert "Choose a proposal" not in page


def test_what_needs_no_admin_is_not_here(workspace: Workspace, wen: Operator) -> None:
    session = make.make_session(workspace)
    decision = make.make_decision(make.make_note(session, "Prefers tea"))
    client = signed_in(wen)
    assert client.get(LIST).context["rows"] == []
    assert client.get(LIST, {"id": str(decision.pk)}).status_code == 404
    assert client.get(LIST, {"id": "D-1"}).status_code == 404
    assert client.post(to(decision, "approve")).status_code == 404


def test_the_page_does_not_grow_in_queries(
    workspace: Workspace, wen: Operator, carla: Operator, django_assert_max_num_queries: Any
) -> None:
    client = signed_in(wen)
    proposal(workspace, carla)

    def count() -> int:
        with django_assert_max_num_queries(40) as captured:
            client.get(LIST)
        return len(captured)

    client.get(LIST)
    few = count()
    for n in range(6):
        proposal(workspace, carla, text=f"{BETTER} {n}")
    assert count() == few


# Deciding --------------------------------------------------------------------------------------------------------


def test_approved_as_it_is(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision, other = proposal(workspace, carla), proposal(workspace, carla, text=f"{BETTER} too")
    form = {"base_version": "1", "comment": "Better so"}
    response = signed_in(wen).post(to(decision, "approve"), form, **HTMX)
    assert response.status_code == 200
    page = response.content.decode()
    assert page.lstrip().startswith('<div class="stack" id="approval">')
    assert response.context["decision"] == other
    assert 'id="approval-side"' in page
    assert 'id="nav-approvals" hx-swap-oob="true"' in page
    assert to(decision, "undo") in page
    assert response["HX-Push-Url"] == f"{LIST}?id={other.pk}"
    done = now(decision)
    assert (done.status, done.decided_by, done.memory and done.memory.text) == ("approved", "Wen Ito", BETTER)
    assert [comment.text for comment in done.comments.all()] == ["Better so"]
    event = AuditEvent.objects.get(object_id=str(decision.pk), action="decision.approved")
    assert (event.actor, event.address) == ("Wen Ito", "127.0.0.1")


def test_declining_needs_a_note_and_keeps_what_was_typed(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision, client = proposal(workspace, carla), signed_in(wen)
    for headers in ({}, HTMX):
        response = client.post(to(decision, "decline"), {"comment": "  "}, **headers)
        assert response.status_code == 422
        assert "Say why: the proposer needs to know." in response.content.decode()
        assert 'aria-invalid="true"' in response.content.decode()
    response = client.post(to(decision, "decline"), {"comment": "Refunds stay as they are"})
    assert response["Location"] == LIST
    done = now(decision)
    assert (done.status, done.memory and done.memory.text) == ("declined", STEPS)
    assert done.comments.get().text == "Refunds stay as they are"
    discussion = client.get(LIST, {"id": str(decision.pk)}).context["discussion"]
    assert [entry["said"] for entry in discussion] == ["proposed", "commented", "declined"]


def test_whoever_proposed_it_withdraws_it_without_a_word(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision = proposal(workspace, carla)
    make.make_operator(workspace, "admin", "ana")
    theirs = signed_in(carla)
    response = theirs.get(LIST)
    assert response.context["can"]["withdraw"]
    assert "<span>Withdraw</span>" in response.content.decode()
    others = proposal(workspace, wen, "admin", "Ask first")
    assert theirs.post(to(others, "decline"), {"comment": "x"}).status_code == 403
    said = theirs.post(to(decision, "decline"), {"comment": ""}, **HTMX).content.decode()
    assert "Withdrawn. Nothing was written." in said
    page = theirs.get(LIST, {"id": str(decision.pk), "status": "declined"}).content.decode()
    assert "withdrew it" in page
    assert "After approval" not in page
    assert "An operator proposes this." in page
    assert (now(decision).status, now(others).status) == ("declined", "pending")


def test_the_list_says_who_spoke_last(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision = proposal(workspace, carla)
    assert "last word:" not in signed_in(carla).get(LIST).content.decode()
    signed_in(wen).post(to(decision, "ask"), {"comment": "Name the fee too"})
    assert "last word: Wen Ito" in signed_in(carla).get(LIST).content.decode()


def test_asking_for_changes_keeps_it_pending(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision = proposal(workspace, carla)
    response = signed_in(wen).post(to(decision, "ask"), {"comment": "Name the fee too"}, **HTMX)
    assert response.context["decision"] == decision
    assert "stays pending" in response.content.decode()
    answered = signed_in(carla).post(to(decision, "ask"), {"comment": "卡号 4111 1111 1111 1111"}, **HTMX)
    page = answered.content.decode()
    assert "Name the fee too" in page
    assert "4111 1111" not in page
    assert signed_in(wen).post(to(decision, "ask"), {"comment": ""}).status_code == 422
    assert now(decision).status == "pending"


def test_nobody_approves_their_own(workspace: Workspace, wen: Operator) -> None:
    decision, client = proposal(workspace, wen, "admin"), signed_in(wen)
    assert "There is no other admin" in client.get(LIST).content.decode()
    other = signed_in(make.make_operator(workspace, "admin", "ana"))
    response = client.get(LIST)
    page = response.content.decode()
    assert not response.context["can"]["approve"]
    assert 'disabled aria-describedby="act-why"' in page
    assert "You proposed this. Another admin approves it." in page
    assert 'id="approve-title"' not in page
    assert client.post(to(decision, "approve")).status_code == 403
    assert now(decision).status == "pending"
    assert other.post(to(decision, "approve")).status_code == 302
    assert now(decision).status == "approved"


def test_a_solo_workspace_lets_its_admin_approve(workspace: Workspace, wen: Operator) -> None:
    workspace.solo = True
    workspace.save()
    decision, client = proposal(workspace, wen, "admin"), signed_in(wen)
    assert client.get(LIST).context["can"]["approve"]
    client.post(to(decision, "approve"))
    assert now(decision).status == "approved"


def test_curators_and_viewers_read(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision = proposal(workspace, wen, "admin")
    viewer = signed_in(make.make_operator(workspace, "viewer", "vic"))
    curator = signed_in(carla)
    for client in (viewer, curator):
        page = client.get(LIST).content.decode()
        assert "another admin" not in page
        assert 'id="approve-title"' not in page
        for act in ("approve", "decline", "undo"):
            assert client.post(to(decision, act), {"comment": "x"}).status_code == 403
    assert viewer.post(to(decision, "ask"), {"comment": "x"}).status_code == 403
    assert 'id="ap-note"' not in viewer.get(LIST).content.decode()
    assert "Waits for an admin." in curator.get(LIST).content.decode()
    assert "Required to decline" not in curator.get(LIST).content.decode()  # all they may do is comment
    assert curator.post(to(decision, "ask"), {"comment": "Fine with me"}).status_code == 302
    assert now(decision).status == "pending"


def test_undone_is_open_again(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision, client = proposal(workspace, carla), signed_in(wen)
    client.post(to(decision, "approve"))
    response = client.post(to(decision, "undo"), {}, **HTMX)
    assert response.context["decision"] == decision
    assert "is open again" in response.content.decode()
    assert now(decision).status == "undone"
    assert Memory.objects.get().text == STEPS


def test_the_slower_of_two_admins_sees_who_was_faster(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision = proposal(workspace, carla)
    ana = make.make_operator(workspace, "admin", "ana", first_name="Ana")
    signed_in(ana).post(to(decision, "decline"), {"comment": "No"})
    response = signed_in(wen).post(to(decision, "approve"), {"comment": "Good"}, **HTMX)
    assert response.status_code == 409
    page = response.content.decode()
    assert "Ana declined this" in page
    assert "Good" in page
    assert now(decision).status == "declined"


def test_a_memory_that_moved_makes_it_stale(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    memory = a_procedure(workspace)
    first = edit_memory(memory, make.actor_of(carla), {"text": BETTER}).decision
    second = edit_memory(memory, make.actor_of(carla), {"text": "Ask first"}).decision
    client = signed_in(wen)
    client.post(to(first, "approve"))
    response = client.post(to(second, "approve"), {"base_version": "1"}, **HTMX)
    assert response.status_code == 409
    fresh = response.context["decision"]
    assert fresh != second
    assert fresh.base_version == 2
    assert now(second).status == "stale"
    assert "fresh decision" in response.content.decode()


def test_a_review_says_what_approving_would_store(workspace: Workspace, wen: Operator) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "I take the aisle seat")
    note = make.make_note(session, "Takes the aisle seat", "I take the aisle seat", key="seat", value="aisle")
    decision = make.make_decision(note, "review", needs="admin")
    client = signed_in(wen)
    page = client.get(LIST).content.decode()
    assert "Store as memory" in page
    assert "I take the aisle seat" in page
    assert client.post(to(decision, "approve")).status_code == 422
    client.post(to(decision, "approve"), {"action": "promote"})
    assert now(decision).status == "approved"


def test_the_open_one_is_watched(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision, client = proposal(workspace, carla), signed_in(wen)
    shown = {"page": "approval", "item": str(decision.pk), "was": client.get(LIST).context["state_token"]}
    assert 'id="ap-actions"' not in client.get(LIVE, shown).content.decode()
    signed_in(carla).post(to(decision, "ask"), {"comment": "One more thing"})
    moved = client.get(LIVE, shown).content.decode()
    assert 'id="ap-notice"' in moved
    assert 'id="ap-actions"' in moved


def test_hostile_text_is_shown_as_text(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    evil = '<img src=x onerror="alert(1)">'
    decision, client = proposal(workspace, carla, text=f"{STEPS} {evil}"), signed_in(wen)
    client.post(to(decision, "ask"), {"comment": f"Why {evil}?"})
    page = client.get(LIST).content.decode()
    assert "<img" not in page
    assert "&lt;img" in page


def test_another_workspace_sees_nothing(workspace: Workspace, carla: Operator) -> None:
    decision = proposal(workspace, carla)
    elsewhere = make.make_workspace("globex", "Globex")
    stranger = signed_in(make.make_operator(elsewhere, "admin", "carl"))
    assert stranger.get("/w/globex/approvals/").context["rows"] == []
    assert stranger.get("/w/globex/approvals/", {"id": str(decision.pk)}).status_code == 404
    for act in ("approve", "decline", "ask", "undo"):
        assert stranger.get(to(decision, act, "globex")).status_code == 404
    for act in ("approve", "decline", "ask", "undo"):
        assert stranger.post(to(decision, act, "globex"), {"comment": "x"}).status_code == 404
    assert now(decision).status == "pending"


def test_a_form_without_a_script_comes_back_to_its_list(workspace: Workspace, wen: Operator, carla: Operator) -> None:
    decision, client = proposal(workspace, carla), signed_in(wen)
    response = client.post(to(decision, "ask"), {"comment": "Hm", "list": "status=mine&next=//evil.example"})
    assert response["Location"] == f"{LIST}?status=mine&id={decision.pk}"
    assert client.get(to(decision, "approve"))["Location"] == f"{LIST}?id={decision.pk}"


def test_a_field_of_the_profile_is_shown_and_approved_as_one(wen: Operator, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Sits on the aisle", key="seat_preference", value="aisle")
    about = {"key": "seat_preference", "value": "aisle", "source": memory.ref, "about": str(memory.pk), "times": 3}
    field = make.make_decision(memory=memory, action="edit", rule="edit.habit_profile", needs="admin", params=about)
    Decision.objects.filter(pk=field.pk).update(memory=None, base_version=None)
    client = signed_in(wen)
    page = client.get(LIST, {"id": str(field.pk)}).content.decode()
    assert "Edit: field of the profile" in page
    assert "<code>seat_preference</code></dt><dd><ins" in page
    assert "new memory" not in page
    review = reverse("review", args=["travel"])
    assert not client.get(review, {"item": str(field.pk)}).context["can"]["edit"]
    response = client.post(reverse("decision_approve", args=["travel", field.pk]), HTTP_HX_REQUEST="true")
    assert "seat_preference is a field of the profile." in response.content.decode()
    field.refresh_from_db()
    assert field.user is not None
    assert field.user.profile["seat_preference"]["value"] == "aisle"
