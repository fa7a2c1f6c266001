"""What a person makes of a decision: a choice, a decline with its reason, an edit; and the way back through all of it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memory_app.actions.decisions import approve, decline
from memory_app.actions.slots import SlotSettings, put_slot
from memory_app.models import Decision, DecisionStatus, Memory, Workspace
from tests import factories as make

from .reviewing import HTMX, REVIEW, a_contradiction, a_promotion, an_override, post, status_of, url
from .visitors import signed_in

pytestmark = pytest.mark.django_db


# Choosing --------------------------------------------------------------------------------------------------------


@pytest.fixture
def contradiction(workspace: Workspace) -> Decision:
    return a_contradiction(workspace)


def test_each_choice_shows_what_it_would_do(client: Client, contradiction: Decision) -> None:
    memory = contradiction.memory
    assert memory is not None
    chosen = {
        choice: client.get(REVIEW, {"item": contradiction.pk, "choice": choice}, **HTMX)
        for choice in ("", "reject", "session_only")
    }
    pages = {choice: response.content.decode() for choice, response in chosen.items()}
    assert "<del>180</del> <ins>220</ins>" in pages[""]  # replacing is chosen at first
    assert f"<span>Replace {memory.ref}</span><kbd>a</kbd>" in pages[""]
    assert "kept in history as v1" in pages[""]
    assert 'id="choice-override" name="action" value="override" form="decide" autocomplete="off" checked' in pages[""]
    assert "hotel budget holds one value at a time" in pages[""]  # so both cannot stand
    assert f"<span>Keep {memory.ref}</span><kbd>a</kbd>" in pages["reject"]
    assert "<ins>220</ins>" not in pages["reject"]
    assert "stays in its session" in pages["session_only"]
    page = post(client, "approve", contradiction, action="reject").content.decode()
    assert f"{memory.ref} stays as it is. Nothing was written." in page
    memory.refresh_from_db()
    assert (memory.text, memory.version) == ("Hotel budget is 180 USD", 1)


def test_what_comes_on_top_replaces_nothing_by_itself_and_follows_the_slot(
    client: Client, workspace: Workspace
) -> None:
    memory = make.make_memory(workspace, "Plays the cello", key="instrument", value="cello")
    session = make.make_session(workspace)
    make.make_turn(session, "I also play the oboe. Today I play the flute.")
    also, plain = (
        make.make_decision(
            make.make_note(session, f"Plays the {value}", quote, key="instrument", value=value), "review",
            memory=memory, after={}, rule="review.conflict",
        )
        for value, quote in (("oboe", "I also play the oboe"), ("flute", "I play the flute"))
    )  # fmt: skip

    def chosen(decision: Decision) -> list[str]:
        found = client.get(REVIEW, {"item": decision.pk}, **HTMX)
        assert ("<span>Choose a result</span>" in found.content.decode()) == (found.context["chosen"] is None)
        return [one.action for one in found.context["choices"] if one.chosen]

    assert (chosen(also), chosen(plain)) == ([], ["override"])
    assert post(client, "approve", also).status_code == 422
    put_slot(workspace, make.BACK_OFFICE, "instrument", SlotSettings("many"))
    assert (chosen(also), chosen(plain)) == (["promote"], ["promote"])
    assert post(client, "approve", also, action="promote").status_code == 200
    assert set(Memory.objects.filter(status="active").exclude(scope="session").values_list("value", flat=True)) == {
        "cello",
        "oboe",
    }


def test_both_are_kept_where_both_can_stand(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Likes trains")
    session = make.make_session(workspace)
    make.make_turn(session, "I like planes.")
    note = make.make_note(session, "Likes planes", "I like planes")
    decision = make.make_decision(note, "review", memory=memory, after={}, rule="review.unsure")
    assert "new memory" in client.get(REVIEW, {"item": decision.pk, "choice": "promote"}, **HTMX).content.decode()
    assert post(client, "approve", decision, action="promote").status_code == 200
    assert set(Memory.objects.filter(scope="user").values_list("text", flat=True)) == {"Likes trains", "Likes planes"}


def test_a_contradiction_becomes_no_source_by_one_press(client: Client, contradiction: Decision) -> None:
    memory = contradiction.memory
    assert memory is not None
    before = memory.sources.count()
    asked = post(client, "approve", contradiction, merge=str(memory.pk))
    assert asked.status_code == 422
    assert f"The value differs: 220 USD here, 180 USD in {memory.ref}." in asked.content.decode()
    assert memory.sources.count() == before
    assert post(client, "approve", contradiction, merge=str(memory.pk), sure="1").status_code == 200
    assert memory.sources.count() == before + 1


# Declining -------------------------------------------------------------------------------------------------------


def test_a_decline_says_why_by_one_key(client: Client, workspace: Workspace) -> None:
    first, second, third = (a_promotion(workspace, text=f"Fact number {n}") for n in range(3))
    post(client, "decline", first, reason_code="duplicate")
    assert (status_of(first), first.reason_code) == (DecisionStatus.DECLINED, "duplicate")
    assert "It is known already" in client.get(REVIEW, {"item": first.pk, "status": "all"}).content.decode()
    assert post(client, "decline", second, reason_code="other", comment=" ").status_code == 422
    post(client, "decline", second, reason_code="other", comment="A colleague said it")
    assert status_of(second) == DecisionStatus.DECLINED
    assert (second.reason_code, second.comments.get().text) == ("other", "A colleague said it")
    assert post(client, "decline", third, reason_code="made-up").status_code == 422
    assert post(client, "decline", third).status_code == 200  # nobody has to say why


def test_whoever_proposed_something_weighty_is_told_why(workspace: Workspace) -> None:
    client = signed_in(make.make_operator(workspace, "admin", "zhou.min"))
    decision, other = (a_promotion(workspace, text=f"Fact {n}", needs="admin") for n in range(2))
    refused = post(client, "decline", decision)
    assert refused.status_code == 422
    assert "Say why: the proposer needs to know." in refused.content.decode()
    came_from = "https://elsewhere.example/w/travel/review/?action=promote"
    given = {"action": "decline", "ids": [decision.pk]}
    answer = client.post(reverse("review_bulk", args=["travel"]), given, HTTP_REFERER=came_from)
    assert answer["Location"] == "/w/travel/review/?action=promote"  # only the query is taken from the browser
    assert status_of(decision) == DecisionStatus.PENDING
    post(client, "decline", decision, reason_code="wrong")
    post(client, "decline", other, comment="We stopped this in May")
    assert (status_of(decision), status_of(other)) == (DecisionStatus.DECLINED, DecisionStatus.DECLINED)


# Going back ------------------------------------------------------------------------------------------------------


def go_back(client: Client, query: str = "") -> Any:
    address = f"http://testserver{REVIEW}{'?' + query if query else ''}"
    return client.post(reverse("review_undo", args=["travel"]), **HTMX, HTTP_HX_CURRENT_URL=address)


def test_undo_goes_back_through_a_sitting(client: Client, workspace: Workspace) -> None:
    made = [a_promotion(workspace, text=f"Fact number {n}") for n in range(5)]
    zhou = make.actor_of(make.make_operator(workspace, "admin", "zhou.min"), "admin")
    post(client, "approve", made[0])
    both = {"action": "decline", "ids": [made[1].pk, made[2].pk]}
    client.post(reverse("review_bulk", args=["travel"]), both, **HTMX)
    decline(workspace, zhou, made[4].pk)
    post(client, "decline", made[3])
    response = go_back(client, f"sort=created&item={made[3].pk}")
    assert response["HX-Push-Url"] == f"{REVIEW}?sort=created&item={made[3].pk}"
    assert [status_of(one) for one in made] == ["approved", "declined", "declined", "undone", "declined"]
    assert "2 decisions are open again" in go_back(client).content.decode()
    assert [status_of(one) for one in made] == ["approved", "undone", "undone", "undone", "declined"]
    go_back(client)
    assert [status_of(one) for one in made] == ["undone", "undone", "undone", "undone", "declined"]
    nothing = go_back(client)
    assert "Nothing more to undo" in nothing.content.decode()
    assert f'href="{REVIEW}?status=approved"' in nothing.content.decode()
    assert nothing["HX-Reswap"] == "none"
    assert status_of(made[4]) == "declined"  # somebody else's


def test_undo_keeps_the_list_as_it_was(client: Client, workspace: Workspace) -> None:
    decision, other = a_promotion(workspace, confidence=0.5), an_override(workspace)
    query = "action=promote&sort=confidence"
    address = {"HTTP_HX_CURRENT_URL": f"http://testserver{REVIEW}?{query}&item={decision.pk}"}
    client.post(url("approve", decision), {"queue": query}, **HTMX, **address)
    response = client.post(url("undo", decision), {}, **HTMX, **address)  # the message's own button
    assert response["HX-Push-Url"] == f"{REVIEW}?{query}&item={decision.pk}"
    assert response.context["progress"].total == 1
    client.post(url("approve", other), {}, **HTMX, **address)
    back = go_back(client, query)
    assert f'class="qitem" id="q-{other.pk}"' not in back.content.decode()  # it is no row of this list


def test_what_a_person_reviewed_counts_under_its_filter(client: Client, workspace: Workspace) -> None:
    decision, others = a_promotion(workspace), a_promotion(workspace, text="Another fact")
    approve(workspace, make.actor_of(make.make_operator(workspace, "admin", "zhou.min"), "admin"), others.pk)
    post(client, "approve", decision, action="session_only")
    progress = client.get(REVIEW, {"action": "promote"}).context["progress"]
    assert (progress.waiting, progress.reviewed) == (0, 1)


# Editing ---------------------------------------------------------------------------------------------------------


def test_the_value_goes_with_its_text(client: Client, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    post(client, "approve", decision, edit="1", text="Prefers planes for short trips", value="rail")
    memory = Memory.objects.get(pk=status_and(decision).memory_id)
    assert (memory.text, memory.value) == ("Prefers planes for short trips", "planes")
    page = client.get(REVIEW, {"item": decision.pk, "status": "all"}).content.decode()
    assert "Edited and approved by lin.qiao" in page
    assert "<del>rail</del> <ins>planes</ins>" in page
    late = an_override(workspace)
    asked = post(client, "approve", late, edit="1", text="什么航班都行", value="evening")
    assert asked.status_code == 422
    assert "The text says something else now." in asked.content.decode()
    kept = post(client, "approve", late, edit="1", text="什么航班都行", value="evening", kept="evening")
    assert kept.status_code == 200


def test_a_refused_edit_says_what_to_leave_out(client: Client, workspace: Workspace) -> None:
    form = post(client, "approve", a_promotion(workspace), edit="1", text="Rail", value="4111 1111 1111 1111")
    page = form.content.decode()
    assert "It holds payment details, such as a card number. Leave them out." in page
    assert "edit-value_error" in page


def test_the_second_is_told_that_theirs_was_not_applied(client: Client, workspace: Workspace) -> None:
    decision = an_override(workspace)
    decline(workspace, make.actor_of(make.make_operator(workspace, "admin", "zhou.min"), "admin"), decision.pk)
    assert "What you chose was not applied." in post(client, "approve", decision).content.decode()


def status_and(decision: Decision) -> Decision:
    decision.refresh_from_db()
    return decision
