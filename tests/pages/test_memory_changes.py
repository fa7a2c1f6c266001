"""One memory changed by hand: every change with its undo, and what happens when somebody was faster."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from memory_app.actions.allowing import SLIP
from memory_app.actions.memories import edit_memory
from memory_app.models import Block, Decision, Memory, Workspace
from tests import factories as make

from .remembered import HTMX, a_late_flight, form_of, now, page_of, post, url
from .visitors import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def late(workspace: Workspace) -> Memory:
    return a_late_flight(workspace)


# Changing it -----------------------------------------------------------------------------------------------------


def test_an_edit_writes_what_was_changed_and_can_be_undone(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Prefers aisle", key="seat", value="aisle", condition="long flights")
    answer = post(
        client, memory, "edit", **form_of(memory, text="Prefers aisle seats", importance="0.9", reason="Clearer")
    )
    page = answer.content.decode()
    assert answer.status_code == 200
    changed = now(memory)
    assert (changed.text, changed.value, changed.condition, changed.importance, changed.version) == (
        "Prefers aisle seats", "aisle", "long flights", 0.9, 2)  # fmt: skip
    assert changed.author == "operator"
    assert f"{memory.ref} is now v2." in page
    assert page.lstrip().startswith('<div class="page" id="memory-page">')
    assert 'id="nav-review"' in page
    assert "Clearer" in page
    decision = memory.decisions.get(action="edit")
    undo_url = url(memory, "memory_undo", decision.pk)
    assert f'hx-post="{undo_url}" hx-target="#memory-page"' in page
    answer = client.post(undo_url, **HTMX)
    assert "is open again." in answer.content.decode()
    assert (now(memory).text, now(memory).importance, now(memory).author) == ("Prefers aisle", 0.5, "key")
    assert client.post(undo_url, **HTMX).status_code == 409
    assert client.post(url(memory, "memory_undo", uuid4()), **HTMX).status_code == 404


@pytest.mark.parametrize(
    ("text", "value", "after", "becomes"),
    [
        ("Prefers aisle seats", "aisle", "Prefers window seats", "window"),
        ("Pays 80 euros at most", 80, "Pays 95 euros at most", 95),
        ("Prefers aisle seats", "aisle", "Always wants the aisle", "aisle"),
    ],
)
def test_a_value_follows_its_text(
    client: Client, workspace: Workspace, text: str, value: object, after: str, becomes: object
) -> None:
    memory = make.make_memory(workspace, text, key="choice", value=value)
    assert post(client, memory, "edit", **form_of(memory, text=after)).status_code == 200
    assert (now(memory).text, now(memory).value) == (after, becomes)


@pytest.mark.parametrize(
    ("text", "after"), [("平时坐靠过道的座位", "平时坐靠窗的座位"), ("Sits by the corridor", "Sits by the window")]
)
def test_a_value_that_the_new_text_does_not_say_is_asked_about_once(
    client: Client, workspace: Workspace, text: str, after: str
) -> None:
    memory = make.make_memory(workspace, text, key="seat_preference", value="aisle")
    asked = post(client, memory, "edit", **form_of(memory, text=after))
    assert (asked.status_code, now(memory).version) == (422, 1)
    form = asked.context["form"]
    assert list(form.errors) == ["value"]
    assert form["text"].value() == after
    kept = post(client, memory, "edit", **form_of(memory, text=after), kept=form["kept"].value())
    assert (kept.status_code, now(memory).text, now(memory).value) == (200, after, "aisle")


def test_every_change_works_without_a_script(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Prefers aisle")
    for name, data, check in (
        ("pin", {"pinned": "1"}, lambda m: m.pinned),
        ("edit", form_of(memory, text="x"), None),
    ):
        answer = post(client, now(memory), name, htmx=False, **data)
        assert (answer.status_code, answer["Location"]) == (302, url(memory))
        assert check is None or check(now(memory))
    page = page_of(client, memory)
    assert "Sent for approval:" in page  # pinned, so the edit waits
    assert '<dialog class="dialog" id="edit" aria-labelledby="edit-title" open>' in page_of(client, memory, edit="1")
    assert client.get(url(memory, "memory_edit")).status_code == 302


def test_what_was_not_changed_is_no_edit(client: Client, workspace: Workspace) -> None:
    soon = timezone.now() + timedelta(days=3)
    memory = make.make_memory(workspace, "Budget 2000", key="budget", value=2000, expires_at=soon)
    local = timezone.localtime(soon).strftime("%Y-%m-%dT%H:%M")
    answer = post(client, memory, "edit", **form_of(memory, value="2000", expires_at=local))
    assert "Nothing was changed." in answer.content.decode()
    assert now(memory).version == 1
    post(client, memory, "edit", **form_of(memory, value="2500", expires_at=local))
    assert (now(memory).value, now(memory).expires_at) == (2500, soon)


def test_errors_stand_at_their_field(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Prefers aisle", key="seat", value="aisle")
    other = make.make_memory(workspace, "Vegetarian", key="meal", value="vegetarian")
    wrong = (
        ({"text": " "}, "text", "Write what is to be remembered.", 422),
        (
            {"text": "Prefers aisle, card 4111 1111 1111 1111"},
            "text",
            "It holds payment details, such as a card number. Leave them out.",
            422,
        ),
        (
            {"value": "4111 1111 1111 1111"},
            "value",
            "It holds payment details, such as a card number. Leave them out.",
            422,
        ),
        ({"importance": "2"}, "importance", "Enter a number from 0 to 1.", 422),
        ({"expires_at": "soon"}, "expires_at", "Enter a real date, or leave empty.", 422),
        ({"expires_at": "2020-01-01T10:00"}, "expires_at", "This moment has passed.", 422),
        ({"key": "Not A Key"}, "key", "Use lower-case words", 422),
        ({"key": other.key}, "key", "fills this key", 409),
    )
    for changed, field, words, status in wrong:
        answer = post(client, memory, "edit", **form_of(memory, **changed))
        page = answer.content.decode()
        assert (answer.status_code, answer["HX-Retarget"]) == (status, "#edit-form"), changed
        assert page.lstrip().startswith('<form id="edit-form"')
        assert words in page
        assert re.search(
            rf'aria-invalid="true"[^>]*id="edit-{field}"|id="edit-{field}"[^>]*aria-invalid="true"', page
        ), field
    plain = post(client, memory, "edit", htmx=False, **form_of(memory, text=""))
    assert plain.status_code == 422
    assert 'aria-labelledby="edit-title" open>' in plain.content.decode()
    assert now(memory).version == 1
    assert Block.objects.filter(memory=memory, category="payment").count() == 2
    assert "4111 1111 1111 1111" not in str(list(Block.objects.values()))


def test_protected_memory_waits_for_an_admin(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Vegetarian meals", pinned=True)
    assert "Protected: changes wait for an admin" in page_of(client, memory)
    sent = [
        post(client, memory, "edit", **form_of(memory, text="Vegan meals")),
        post(client, memory, "pin", pinned="0"),
        post(client, memory, "archive"),
    ]
    for answer in sent:
        page = answer.content.decode()
        assert answer.status_code == 200
        assert "Sent for approval:" in page
        assert "/undo/" not in page.partition('id="live"')[2]
    assert now(memory).version == 1
    waiting = list(Decision.objects.filter(memory=memory, status="pending").values_list("action", "needs"))
    assert sorted(waiting) == [("archive", "admin"), ("edit", "admin"), ("unpin", "admin")]
    assert page_of(client, memory).count("Waits for an admin.") == 3


def test_a_change_that_waits_already_is_pointed_to(client: Client, workspace: Workspace) -> None:
    make.make_operator(workspace, "admin")
    memory = make.make_memory(workspace, "Vegetarian meals", pinned=True)
    post(client, memory, "edit", **form_of(memory, text="Vegan meals"))
    waiting = Decision.objects.get(memory=memory, status="pending")
    page = post(client, memory, "edit", **form_of(memory, text="Vegan meals", reason="again")).content.decode()
    assert f"The same change waits already: {waiting.ref}." in page
    assert f"/approvals/?id={waiting.pk}" in page.partition('id="live"')[2]
    post(client, memory, "edit", **form_of(memory, text="Vegan meals only"))
    for _n in range(2):
        post(client, memory, "archive")
    assert Decision.objects.filter(memory=memory, action="edit").count() == 2
    assert Decision.objects.filter(memory=memory, action="archive").count() == 1
    assert 'id="stuck"' not in page


def test_it_is_said_where_nobody_could_approve(workspace: Workspace) -> None:
    only = make.make_operator(workspace, "admin", "zhou.min")
    client = signed_in(only)
    memory, plain = make.make_memory(workspace, "Vegetarian meals", pinned=True), make.make_memory(workspace, "plain")
    said = 'id="stuck"'
    assert said not in page_of(client, plain)
    page = post(client, memory, "archive").content.decode()
    assert said in page
    assert 'href="/w/travel/members/"' in page
    assert (
        "There is no other admin"
        in client.get(
            "/w/travel/review/", {"item": str(Decision.objects.get(memory=memory, status="pending").pk)}
        ).content.decode()
    )
    plainly = client.post(url(memory, "memory_pin"), {"version": 1, "pinned": "0"}, follow=True).content.decode()
    assert "this workspace has no other" in plainly.partition('id="live"')[2]
    workspace.solo = True
    workspace.save()
    assert said not in page_of(client, memory)
    workspace.solo = False
    workspace.save()
    make.make_operator(workspace, "admin", "lin.min")
    assert said not in page_of(client, memory)
    assert said not in page_of(signed_in(make.make_operator(workspace, "viewer")), memory)


def test_restore_archive_and_pin(client: Client, late: Memory) -> None:
    answer = post(client, late, "restore", number=1, reason="He meant this trip")
    page = answer.content.decode()
    assert f"v1 is restored: {late.ref} is now v3." in page
    assert "He meant this trip" in page
    restored = now(late)
    assert (restored.text, restored.value, restored.version) == ("倾向早班机", "morning", 3)
    restore = late.decisions.get(action="restore")
    client.post(url(late, "memory_undo", restore.pk), **HTMX)
    assert (now(late).text, now(late).version) == ("优先晚班机", 4)
    assert post(client, now(late), "restore", number=99).status_code == 404
    assert post(client, now(late), "restore", number="x").status_code == 404
    answer = post(client, now(late), "archive")
    assert "Agents no longer see it." in answer.content.decode()
    assert now(late).status == "archived"
    assert 'id="act-pin"' not in answer.content.decode()
    assert post(client, now(late), "archive").status_code == 409
    # Archiving has not made the words a person's, so putting them back waits for nobody.
    assert "v4 is restored:" in post(client, now(late), "restore", number=4).content.decode()
    assert now(late).status == "active"


def test_pin_and_unpin(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Vegetarian meals")
    page = post(client, memory, "pin", pinned="1").content.decode()
    assert f"{memory.ref} is pinned." in page
    assert 'id="act-pin" name="pinned" value="0"' in page
    assert now(memory).pinned
    assert 'id="act-undo"' in page
    memory.decisions.filter(action="pin").update(decided_at=timezone.now() - SLIP - timedelta(minutes=1))
    answer = client.post(url(memory, "memory_undo", memory.decisions.get(action="pin").pk), **HTMX)
    assert (answer.status_code, now(memory).pinned) == (409, True)  # that takes another admin by now, as unpinning does
    assert f"{memory.ref} is protected, so nobody undoes this alone." in answer.content.decode()
    assert "Nothing was changed." in post(client, now(memory), "pin", pinned="1").content.decode()


# Two people ------------------------------------------------------------------------------------------------------


def test_a_late_edit_overwrites_nothing(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Prefers aisle", key="seat", value="aisle", condition="long flights")
    edit_memory(memory, make.BACK_OFFICE, {"condition": "flights over 3 h"})
    typed = form_of(memory, text="Prefers an aisle seat")
    answer = post(client, memory, "edit", **typed)
    page = answer.content.decode()
    assert (answer.status_code, answer["HX-Retarget"]) == (412, "#edit-form")
    assert f"back office changed {memory.ref} while you were editing: it is now v2." in page
    assert ">\nPrefers an aisle seat</textarea>" in page  # what was typed is kept
    assert 'value="flights over 3 h"' in page  # the rest is as it is now
    assert 'name="version" value="2"' in page
    assert now(memory).text == "Prefers aisle"
    answer = post(client, now(memory), "edit", **typed | {"condition": "flights over 3 h"})
    assert answer.status_code == 200
    assert (now(memory).text, now(memory).condition) == ("Prefers an aisle seat", "flights over 3 h")


def test_if_match_counts_as_the_version(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Prefers aisle")
    edit_memory(memory, make.BACK_OFFICE, {"text": "Prefers the aisle"})
    for name, data in (("edit", form_of(memory, text="x")), ("archive", {}), ("restore", {"number": 1})):
        answer = client.post(url(memory, f"memory_{name}"), data, HTTP_IF_MATCH='"1"', **HTMX)
        assert answer.status_code == 412, name
    assert now(memory).version == 2
    plain = post(client, memory, "archive", htmx=False, version=1)
    assert plain.status_code == 412
    assert "changed meanwhile" in plain.content.decode()
    assert "<html" in plain.content.decode()
    assert post(client, memory, "pin", version=1, pinned="1").status_code == 412


def test_what_others_build_on_is_not_undone(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Prefers aisle")
    first = edit_memory(memory, make.BACK_OFFICE, {"text": "Prefers the aisle"}).decision
    later = edit_memory(now(memory), make.BACK_OFFICE, {"text": "Prefers aisle seats"}).decision
    answer = client.post(url(memory, "memory_undo", first.pk), **HTMX)
    assert answer.status_code == 409
    assert f"Later decisions build on this one: {later.ref}." in answer.content.decode()
    assert now(memory).text == "Prefers aisle seats"
