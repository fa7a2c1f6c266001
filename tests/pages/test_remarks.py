"""What a person writes beside a button is kept whole or refused in words; it is never cut, and never lost."""

import pytest
from django.test import Client
from django.urls import reverse

from memory_app.actions.decisions import decline
from memory_app.actions.memories import edit_memory
from memory_app.models import Comment, Decision, Memory, Operator, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
BAD = [("the word\x00 and more", "Null characters"), ("a word " * 300 + "the end", "at most 2000 characters")]
HTMX = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "decision"}


@pytest.fixture
def admin(workspace: Workspace) -> Client:
    return signed_in(make.make_operator(workspace, "admin", "wen"))


def waiting(workspace: Workspace) -> Decision:
    note = make.make_note(make.make_session(workspace), "Prefers the aisle seat", "the aisle seat")
    return make.make_decision(note, "promote")


def held(workspace: Workspace) -> Decision:
    memory = make.make_memory(workspace, "Asks before it pays", None, scope="team", team="ops")
    carla = make.actor_of(make.make_operator(workspace, "curator"), "curator")
    return edit_memory(memory, carla, {"text": "Asks twice before it pays"}).decision


@pytest.mark.parametrize(("words", "told"), BAD)
@pytest.mark.parametrize("act", ["approval_ask", "approval_decline", "approval_approve"])
def test_a_note_to_the_proposer(admin: Client, workspace: Workspace, act: str, words: str, told: str) -> None:
    decision = held(workspace)
    answer = admin.post(reverse(act, args=["travel", decision.pk]), {"comment": words})
    _refused(answer, words, told)
    assert Decision.objects.get(pk=decision.pk).is_open


@pytest.mark.parametrize(("words", "told"), BAD)
@pytest.mark.parametrize("act", ["decision_decline", "decision_escalate"])
def test_words_on_the_review_page(client: Client, workspace: Workspace, act: str, words: str, told: str) -> None:
    decision = waiting(workspace)
    form = {"comment": words, "reason_code": "other"}
    for headers in ({}, HTMX):
        _refused(client.post(reverse(act, args=["travel", decision.pk]), form, **headers), words, told)
    assert Decision.objects.get(pk=decision.pk).is_open


@pytest.mark.parametrize(("words", "told"), BAD)
def test_why_a_memory_is_archived(client: Client, workspace: Workspace, words: str, told: str) -> None:
    memory = make.make_memory(workspace, "Prefers the aisle seat")
    _refused(client.post(reverse("memory_archive", args=["travel", memory.pk]), {"reason": words}), words, told)
    form = {"version": "1", "text": "Prefers an aisle seat", "importance": "0.5", "reason": words}
    answer = client.post(reverse("memory_edit", args=["travel", memory.pk]), form)
    assert "reason" in answer.context["form"].errors
    _refused(answer, words, told.replace("2000", "1000"))
    assert (Memory.objects.get().status, Memory.objects.get().version) == ("active", 1)


@pytest.mark.parametrize(("words", "told"), BAD)
def test_the_words_of_what_is_merged_or_split(client: Client, workspace: Workspace, words: str, told: str) -> None:
    one, other = make.make_memory(workspace, "A word of it"), make.make_memory(workspace, "Another word of it")
    form = {"ids": [one.pk, other.pk], "into": one.pk, "text": words}
    _refused(client.post(reverse("memory_merge_done", args=["travel"]), form), words, told)
    parts = {"part": [words, "A word of it"]}
    _refused(client.post(reverse("memory_split_done", args=["travel", one.pk]), parts), words, told)
    assert set(Memory.objects.values_list("status", "version")) == {("active", 1)}


@pytest.mark.parametrize("form", [{"edit": "1", "text": "Prefers an aisle seat"}, {"comment": "Prefers an aisle seat"}])
def test_what_came_too_late_is_still_there(
    client: Client, workspace: Workspace, operator: Operator, form: dict[str, str]
) -> None:
    decision = waiting(workspace)
    decline(workspace, make.actor_of(make.make_operator(workspace, "admin"), "admin"), decision.pk)
    act = "decision_approve" if "edit" in form else "decision_decline"
    for headers in ({}, HTMX):
        answer = client.post(reverse(act, args=["travel", decision.pk]), form, **headers)
        assert answer.status_code == 409
        assert "What you wrote:" in answer.content.decode()
        assert "Prefers an aisle seat" in answer.content.decode()


def test_line_ends_count_once(admin: Client, workspace: Workspace) -> None:
    words = "x\r\n" * 998 + "end"
    answer = admin.post(reverse("approval_ask", args=["travel", held(workspace).pk]), {"comment": words})
    assert answer.status_code == 302
    assert Comment.objects.get().text.endswith("end")


def _refused(answer: object, words: str, told: str) -> None:
    page = answer.content.decode()  # type: ignore[attr-defined]
    assert answer.status_code == 422  # type: ignore[attr-defined]
    assert told in page
    assert words in page
    assert not Comment.objects.exists()
