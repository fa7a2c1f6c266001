"""The list of users and the page of one: what holds, what an agent would be told, time travel, export and erasure."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import localtime

from memory_app.actions.erasing import erase_memory
from memory_app.actions.memories import edit_memory
from memory_app.actions.profiles import put_profile
from memory_app.models import AuditEvent, Decision, Injection, Memory, MemoryVersion, Session, User, Workspace
from memory_app.recall import context_for
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
LIST = "/w/travel/users/"


@pytest.fixture
def admin(workspace: Workspace) -> Client:
    return signed_in(make.make_operator(workspace, "admin", "wen"))


@pytest.fixture
def viewer(workspace: Workspace) -> Client:
    return signed_in(make.make_operator(workspace, "viewer", "vic"))


def page_of(user: User, name: str = "user", slug: str = "travel") -> str:
    return reverse(name, args=[slug, user.pk])


def a_user(workspace: Workspace, name: str = "zhang-san") -> User:
    """Somebody with a profile, slots, an open session, something that happened, and an open decision."""
    put_profile(workspace, make.BACK_OFFICE, name, {
        "name": {"value": "张三", "source": "CRM", "verified_at": "2026-09-01T00:00:00Z"},
        "member_tier": {"value": "gold", "source": "airline", "verified_at": None},
        "seat": {"value": "middle", "source": "CRM", "verified_at": None},
    })  # fmt: skip
    make.make_memory(workspace, "Prefers vegetarian meals", name, key="meal", value="vegetarian", pinned=True)
    make.make_memory(workspace, "Flew to Beijing in August", name, kind="episodic")
    session = make.make_session(workspace, name, external_id=f"trip-{name}")
    make.make_turn(session, "这次想靠窗")
    window = make.make_note(session, "这次想靠窗", "这次想靠窗", key="seat", value="window", scope="session")
    assert window.text
    make.make_decision(make.make_note(session, "Takes the train", "这次想靠窗", key="transport", value="rail"))
    return User.objects.get(workspace=workspace, external_id=name)


# The list --------------------------------------------------------------------------------------------------------


def test_the_list_counts_what_is_known_of_each(viewer: Client, workspace: Workspace) -> None:
    user = a_user(workspace)
    make.make_session(workspace, "emma")
    rows = viewer.get(LIST).context["rows"]
    assert [(row[0].external_id, row[1]) for row in rows] == [("emma", ""), ("zhang-san", "张三")]
    assert rows[1][2] == {"memories": 2, "sessions": 1, "waiting": 1}
    assert page_of(user) in viewer.get(LIST).content.decode()


def test_what_is_counted_is_said(viewer: Client, admin: Client, workspace: Workspace) -> None:
    user = a_user(workspace)
    now = timezone.now()
    make.make_decision(make.make_note(make.make_session(workspace, "zhang-san"), "Takes the bus"))
    assert "snoozed" not in viewer.get(LIST).content.decode()
    Decision.objects.filter(note__text="Takes the bus").update(snoozed_until=now + timedelta(days=2))
    listed, shown = viewer.get(LIST).content.decode(), admin.get(page_of(user)).content.decode()
    assert 'class="num">2 <span class="small muted">(1 snoozed)</span>' in listed
    assert "2 decisions wait (1 snoozed)" in shown
    assert "Long-term memories" in listed
    assert "2 long-term memories" in shown
    held = Memory.objects.filter(user=user).count()
    assert f"{held} memories, those of sessions and those no longer in use included" in shown


def test_filters_and_pages(viewer: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    a_user(workspace)
    for n in range(4):
        user = User.objects.create(workspace=workspace, external_id=f"u-{n}", last_seen_at=make.days_ago(20 + n))
        assert user.pk

    def listed(**query: Any) -> list[str]:
        return [row[0].external_id for row in viewer.get(LIST, query).context["rows"]]

    assert listed() == ["zhang-san", "u-0", "u-1", "u-2", "u-3"]
    assert listed(q="u-2") == ["u-2"]
    assert listed(q="张") == ["zhang-san"]
    assert listed(seen="7") == ["zhang-san"]
    assert listed(q="nobody") == []
    assert "Clear filters" in viewer.get(LIST, {"q": "nobody"}).content.decode()
    monkeypatch.setattr("memory_app.queries.user_page.PAGE_SIZE", 2)
    first = viewer.get(LIST).context["page"]
    second = viewer.get(LIST, {"cursor": first.next}).context["page"]
    assert [u.external_id for u in first.rows + second.rows] == ["zhang-san", "u-0", "u-1", "u-2"]
    table = viewer.get(LIST, {"q": "u"}, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="user-table").content.decode()
    assert table.lstrip().startswith("<div")


def test_counting_stops_somewhere(viewer: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_app.views.users.MOST", 2)
    for n in range(4):
        User.objects.create(workspace=workspace, external_id=f"u-{n}")
    assert "4 of more than 2" in viewer.get(LIST).content.decode()


def test_an_empty_list_says_what_comes(viewer: Client) -> None:
    assert "No users yet." in viewer.get(LIST).content.decode()


@pytest.mark.parametrize("query", ["q=%00", "seen=soon", "cursor=zzz", "seen=-1", "q=" + "x" * 900])
def test_nonsense_in_the_address_is_no_error(viewer: Client, workspace: Workspace, query: str) -> None:
    user = a_user(workspace)
    assert viewer.get(f"{LIST}?{query}").status_code == 200
    assert viewer.get(f"{page_of(user)}?{query}").status_code == 200


# One user --------------------------------------------------------------------------------------------------------


def test_what_holds_for_each_key_and_where_from(viewer: Client, workspace: Workspace) -> None:
    user = a_user(workspace)
    slots = {slot["key"]: slot for slot in viewer.get(page_of(user)).context["slots"]}
    assert (slots["name"]["value"], slots["name"]["source"], slots["name"]["icon"]) == ("张三", "CRM", "lock")
    assert slots["name"]["verified"] is not None
    assert (slots["seat"]["value"], slots["seat"]["beneath"], slots["seat"]["only_session"]) == (
        "window",
        "middle",
        True,
    )
    assert slots["meal"]["source"] == Memory.objects.get(key="meal").ref
    assert slots["member_tier"]["verified"] is None


def test_a_slot_that_the_question_itself_fills_says_so(viewer: Client, workspace: Workspace) -> None:
    make.make_memory(workspace, "Prefers the aisle", "li-na", key="seat_preference", value="aisle")
    page = page_of(User.objects.get(external_id="li-na"))
    (slot,) = viewer.get(page, {"q": "这次我要靠窗"}).context["slots"]
    assert (slot["value"], slot["source"], slot["href"]) == ("window", "Question", "")


def test_notes_history_decisions_and_sessions(viewer: Client, workspace: Workspace) -> None:
    user = a_user(workspace)
    response = viewer.get(page_of(user))
    assert [line["row"].text for line in response.context["notes"]] == ["Prefers vegetarian meals"]
    assert [line["row"].text for line in response.context["history"]] == ["Flew to Beijing in August"]
    noted = {line["row"].text for line in response.context["session_notes"]}  # said in one turn, so in no order
    assert noted == {"Takes the train", "这次想靠窗"}
    assert [one["text"] for one in response.context["waiting"]] == ["Takes the train"]
    page = response.content.decode()
    assert Session.objects.get(user=user).ref in page
    assert 'lang="zh-Hans">这次想靠窗' in page


def test_the_preview_is_what_an_agent_would_be_told(viewer: Client, workspace: Workspace) -> None:
    user = a_user(workspace)
    session = Session.objects.get(user=user)
    response = viewer.get(page_of(user), {"q": "Book a flight with a meal"})
    told = context_for(workspace, user="zhang-san", session=session.pk, query="Book a flight with a meal",
                       token_budget=800, recorded=False)  # fmt: skip
    assert response.context["context"].text == told.text
    assert response.context["included_count"] == len(told.included)
    assert "pinned, always shown" in response.content.decode()
    assert not Injection.objects.exists()
    assert Memory.objects.filter(recall_count__gt=0).count() == 0
    alone = viewer.get(page_of(user), {"session": "none"})
    assert alone.context["session"] is None
    assert "这次想靠窗" not in alone.context["context"].text


def test_the_preview_alone_for_htmx(viewer: Client, workspace: Workspace) -> None:
    user = a_user(workspace)
    part = viewer.get(page_of(user), {"q": "meal"}, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="context").content.decode()
    assert part.lstrip().startswith('<div class="stack" id="context">')
    whole = viewer.get(page_of(user), HTTP_HX_REQUEST="true", HTTP_HX_TARGET="user-page").content.decode()
    assert whole.lstrip().startswith('<div class="page" id="user-page">')


def test_the_state_of_then(admin: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Prefers tea", "ann", key="drink", value="tea")
    then = MemoryVersion.objects.get(memory=memory, number=1).recorded_at
    edit_memory(memory, make.BACK_OFFICE, {"text": "Prefers coffee", "value": "coffee"})
    user = User.objects.get(external_id="ann")
    page = admin.get(page_of(user), {"as_of": then.isoformat()})
    assert [line["row"].text for line in page.context["notes"]] == ["Prefers tea"]
    assert page.context["slots"][0]["value"] == "tea"
    assert "Prefers tea" in page.context["context"].text
    assert page.context["erase_url"] == ""
    assert (page.context["steps"].at, page.context["steps"].total) == (1, 2)
    now = admin.get(page_of(user), {"as_of": page.context["later"]})
    assert [line["row"].text for line in now.context["notes"]] == ["Prefers coffee"]
    assert [line["row"].text for line in admin.get(page_of(user), {"change": "1"}).context["notes"]] == ["Prefers tea"]


def test_what_is_erased_while_the_state_of_then_is_read_is_left_out(admin: Client, workspace: Workspace) -> None:
    gone, kept = (make.make_memory(workspace, f"Prefers {drink}", "ann") for drink in ("tea", "coffee"))
    left = [gone]

    def erasing(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        found = execute(sql, params, many, context)
        if "ROW_NUMBER()" in sql and left:
            erase_memory(left.pop(), make.BACK_OFFICE)
        return found

    with connection.execute_wrapper(erasing):
        page = admin.get(page_of(User.objects.get(external_id="ann")), {"as_of": timezone.now().isoformat()})
    assert not left
    assert [line["row"].text for line in page.context["notes"]] == [kept.text]


def test_before_anything_was_known(viewer: Client, workspace: Workspace) -> None:
    user = a_user(workspace)
    steps = viewer.get(page_of(user)).context["steps"]
    assert steps.at == steps.total
    assert steps.later is None
    page = viewer.get(page_of(user), {"as_of": steps.earlier.isoformat()})
    assert f"&amp;day={localtime(steps.earlier):%Y-%m-%d}" in page.content.decode()  # what agents saw until then
    assert page.status_code == 200
    before = (timezone.now() - timedelta(days=400)).isoformat()
    page = viewer.get(page_of(user), {"as_of": before})
    assert (page.context["notes"], page.context["steps"].at) == ([], 0)
    assert page.context["steps"].later is not None
    assert viewer.get(page_of(user), {"change": "0"}).context["notes"] == []
    assert viewer.get(page_of(user), {"change": "99"}).context["as_of"] is None


@pytest.mark.parametrize("given", ["tomorrow", "2999-01-01T00:00", "0001-01-01T00:00+14:00", "2026-13-40", "9" * 40])
def test_a_moment_that_is_none_means_now(viewer: Client, workspace: Workspace, given: str) -> None:
    response = viewer.get(page_of(a_user(workspace)), {"as_of": given})
    assert response.status_code == 200
    assert response.context["as_of"] is None or given.startswith("0001")


def test_hostile_text_is_shown_as_text(viewer: Client, workspace: Workspace) -> None:
    evil = '<img src=x onerror=alert(1)>\u202e"'
    make.make_memory(workspace, f"Likes {evil}", evil, key="likes", value=evil)
    user = User.objects.get(workspace=workspace)
    for path in (LIST, page_of(user), f"{page_of(user)}?q=%3Cscript%3Ealert(1)%3C/script%3E"):
        page = viewer.get(path).content.decode()
        assert "<img" not in page
        assert "<script>alert" not in page
        assert "\u202e" not in page.partition("<main")[2] or path == LIST
        assert "U+202E" in page


def test_neither_page_grows_in_queries(
    viewer: Client, workspace: Workspace, django_assert_max_num_queries: Any
) -> None:
    user = a_user(workspace)

    def count(address: str) -> int:
        with django_assert_max_num_queries(45) as captured:
            viewer.get(address)
        return len(captured)

    pages = (LIST, f"{page_of(user)}?q=meal")
    [viewer.get(address) for address in pages]
    few = [count(address) for address in pages]
    session = Session.objects.get(user=user)
    for n in range(6):
        make.make_memory(workspace, f"Fact {n} about meals", key=f"fact_{n}", value=str(n))
        make.make_memory(workspace, f"Trip {n}", kind="episodic")
        make.make_decision(make.make_note(session, f"Maybe {n} is so", "这次想靠窗", key=f"maybe_{n}"))
        a_user(workspace, f"u-{n}")
        make.make_session(workspace, external_id=f"more-{n}")
    assert [count(address) for address in pages] == few


# Export and erasure ----------------------------------------------------------------------------------------------


def test_the_export_is_one_document_for_admins(admin: Client, viewer: Client, workspace: Workspace) -> None:
    user = a_user(workspace)
    response = admin.get(page_of(user, "user_export"))
    assert "attachment" in response["Content-Disposition"]
    document = json.loads(response.content)
    assert document["user"] == "zhang-san"
    assert {memory["text"] for memory in document["memories"]} >= {"Prefers vegetarian meals"}
    assert viewer.get(page_of(user, "user_export")).status_code == 403
    assert page_of(user, "user_export") not in viewer.get(page_of(user)).content.decode()
    assert page_of(user, "user_erase") not in viewer.get(page_of(user)).content.decode()


def test_erasing_needs_the_name_typed(admin: Client, workspace: Workspace) -> None:
    user = a_user(workspace)
    response = admin.post(page_of(user, "user_erase"), {"confirm": "zhang-sa"})
    assert response.status_code == 422
    page = response.content.decode()
    assert "Nothing was erased." in page
    assert 'value="zhang-sa"' in page
    part = admin.post(page_of(user, "user_erase"), {"confirm": ""}, HTTP_HX_REQUEST="true")
    assert part.status_code == 422
    assert part.content.decode().lstrip().startswith('<form id="erase-form"')
    assert User.objects.filter(pk=user.pk).exists()


@pytest.mark.parametrize("htmx", [True, False])
def test_erasing_leaves_a_receipt(admin: Client, workspace: Workspace, htmx: bool) -> None:
    user = a_user(workspace)
    headers = {"HTTP_HX_REQUEST": "true"} if htmx else {}
    response = admin.post(page_of(user, "user_erase"), {"confirm": " zhang-san "}, **headers)
    assert (response.get("HX-Redirect") or response.get("Location")) == LIST
    assert not User.objects.filter(pk=user.pk).exists()
    page = admin.get(LIST).content.decode()
    assert str(AuditEvent.objects.get(action="user.erase").pk) in page
    assert "zhang-san" not in page
    assert admin.get(page_of(user)).status_code == 404


def test_only_admins_erase(workspace: Workspace, viewer: Client) -> None:
    user = a_user(workspace)
    curator = signed_in(make.make_operator(workspace, "curator", "bob"))
    for client in (viewer, curator):
        assert client.post(page_of(user, "user_erase"), {"confirm": "zhang-san"}).status_code == 403
    assert User.objects.filter(pk=user.pk).exists()


def test_another_workspace_sees_nothing(workspace: Workspace) -> None:
    user = a_user(workspace)
    elsewhere = make.make_workspace("globex", "Globex")
    stranger = signed_in(make.make_operator(elsewhere, "admin", "carl"))
    for name in ("user", "user_export", "user_erase"):
        assert stranger.get(page_of(user, name)).status_code == 404
        assert stranger.get(page_of(user, name, "globex")).status_code == 404
    assert stranger.post(page_of(user, "user_erase", "globex"), {"confirm": "zhang-san"}).status_code == 404


def test_time_is_a_slider_over_what_was_learnt(workspace: Workspace, viewer: Client) -> None:
    """Each of its stops is a change; what holds is drawn by the server, and the buttons need no script."""
    user = a_user(workspace)
    total = viewer.get(page_of(user)).context["steps"].total

    def slider(**query: Any) -> str:
        page = viewer.get(page_of(user), query).content.decode()
        return page[page.index('<input type="range"') :].split(">", 1)[0]

    assert f'min="0" max="{total}" step="1" value="{total}"' in slider()
    for stop in range(total):
        at = slider(change=stop)
        assert f'value="{stop}"' in at
        assert f"change {stop} of {total}" in at
    assert 'form="asof-steps" name="change"' in slider()
    nobody = make.make_session(workspace, "nobody-yet").user
    assert '<input type="range"' not in viewer.get(page_of(nobody)).content.decode()


def test_the_page_of_then_shows_nothing_of_later(viewer: Client, workspace: Workspace) -> None:
    first = make.make_session(workspace, "ann")
    make.make_turn(first, "I drink tea.")
    tea = make.make_memory(workspace, "Prefers tea", "ann", key="drink", value="tea")
    then = timezone.now()
    later = make.make_session(workspace, "ann")
    make.make_turn(later, "I drink coffee.")
    note = make.make_note(later, "Prefers coffee", "I drink coffee", key="drink", value="coffee")
    waits = make.make_decision(note, "override", memory=tea, hold=True)
    make.make_memory(workspace, "Lives in Bern", "ann", key="home_city", value="Bern")
    user = User.objects.get(external_id="ann")
    now = viewer.get(page_of(user))
    assert [now.context["about"].memories, now.context["about"].sessions, now.context["about"].waiting] == [2, 2, 1]
    page = viewer.get(page_of(user), {"as_of": then.isoformat()})
    about = page.context["about"]
    assert (about.memories, about.sessions, about.waiting) == (1, 1, 0)
    assert [one.pk for one in about.last_sessions] == [first.pk]
    assert about.last_seen_at < then
    shown = page.content.decode()
    assert later.ref not in shown
    assert waits.ref not in shown
    assert "/memories/?" not in shown.partition('<section class="card"')[0]


@pytest.mark.parametrize("given", ["nonsense", "2999-01-01T00:00"])
def test_what_is_no_past_moment_is_said(viewer: Client, workspace: Workspace, given: str) -> None:
    make.make_memory(workspace, "Prefers tea", "ann", key="drink", value="tea")
    user = User.objects.get(external_id="ann")
    said = f"“{given}” is no past time"
    assert said in viewer.get(page_of(user), {"as_of": given}).content.decode()
    assert said in viewer.get("/w/travel/recall/", {"as_of": given}).content.decode()
    assert "is no past time" not in viewer.get(page_of(user)).content.decode()
