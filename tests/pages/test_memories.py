"""The list of memories: who sees it, what finds what, filters and pages, marks, and many changed at once."""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from memory_app.actions.memories import archive_memory, edit_memory, pin_memory
from memory_app.models import Decision, Memory, Operator, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
LIST = "/w/travel/memories/"
BULK = "/w/travel/memories/bulk/"
TABLE = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "memory-table"}


def listed(client: Client, **query: Any) -> list[str]:
    return [row.text for row, _marks, _owner in client.get(LIST, query).context["rows"]]


def marks(client: Client, memory: Memory) -> list[str]:
    rows = client.get(LIST, {"q": memory.ref}).context["rows"]
    return next(found for row, found, _owner in rows if row.pk == memory.pk)


# Who -------------------------------------------------------------------------------------------------------------


def test_only_members_see_it(workspace: Workspace, client: Client) -> None:
    assert Client().get(LIST).status_code == 302
    stranger = make.make_operator(make.make_workspace("other"), "admin")
    assert signed_in(stranger).get(LIST).status_code == 404
    assert signed_in(stranger).post(BULK, {"action": "archive"}).status_code == 404
    assert client.get("/w/none/memories/").status_code == 404


def test_a_memory_of_another_workspace_is_not_in_it(workspace: Workspace, client: Client) -> None:
    foreign = make.make_memory(make.make_workspace("other"), "A fact from elsewhere", key="secret_slot")
    make.make_memory(workspace, "A fact from here")
    for query in ({}, {"q": "elsewhere"}, {"q": str(foreign.pk)}, {"q": foreign.ref}, {"key": "secret_slot"}):
        assert "A fact from elsewhere" not in listed(client, **query)
    client.post(BULK, {"ids": [foreign.pk], "action": "archive"})
    foreign.refresh_from_db()
    assert foreign.status == "active"


def test_a_viewer_reads_and_changes_nothing(workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Prefers aisle seats")
    viewer = signed_in(make.make_operator(workspace, "viewer"))
    page = viewer.get(LIST).content.decode()
    assert "Prefers aisle seats" in page
    assert "data-select" not in page
    assert "data-key=" not in page
    assert viewer.post(BULK, {"ids": [memory.pk], "action": "archive"}).status_code == 403


# What it finds ---------------------------------------------------------------------------------------------------


def test_words_find_memories_in_both_languages(workspace: Workspace, client: Client) -> None:
    aisle = make.make_memory(workspace, "Prefers aisle seats on long flights", key="seat_preference", value="aisle")
    late = make.make_memory(workspace, "以后不订早班机，优先晚班机", user="Zhou 周敏")
    assert listed(client, q="flights aisle") == [aisle.text]
    assert listed(client, q="FLIGHT") == [aisle.text]
    assert listed(client, q="ong fli") == [aisle.text]
    assert listed(client, q="seat_pref") == [aisle.text]
    assert listed(client, q="晚班机") == [late.text]
    assert listed(client, q="晚") == [late.text]
    assert listed(client, q="班機") == [late.text]  # traditional letters
    assert listed(client, q="Zhou 周敏") == [late.text]
    assert listed(client, q=late.ref) == [late.text]
    assert listed(client, q=str(aisle.pk)) == [aisle.text]
    assert listed(client, q="aisle 晚班机") == []
    assert set(listed(client, q="  ")) == {aisle.text, late.text}
    assert listed(client, q="%") == []
    assert listed(client, q="\x00") == [late.text, aisle.text]


def test_an_old_version_is_not_found(workspace: Workspace, client: Client) -> None:
    memory = make.make_memory(workspace, "Likes morning flights", key="flight_time", value="morning")
    edit_memory(memory, make.BACK_OFFICE, {"text": "Likes evening flights", "value": "evening"})
    assert listed(client, q="morning") == []
    assert listed(client, q="evening") == ["Likes evening flights"]


def test_filters_narrow_and_add_up(workspace: Workspace, client: Client) -> None:
    texts = {
        "plain": make.make_memory(workspace, "plain", updated_at=make.days_ago(40)),
        "event": make.make_memory(workspace, "event", kind="episodic", user="li-na"),
        "steps": make.make_memory(workspace, "steps", kind="procedural", scope="team", team="ops", user=None),
        "pin": make.make_memory(workspace, "pin", pinned=True, key="meal", value="none"),
        "soon": make.make_memory(workspace, "soon", expires_at=make.days_ago(-3)),
        "gone": make.make_memory(workspace, "gone", expires_at=make.days_ago(1), updated_at=make.days_ago(9)),
        "away": make.make_memory(workspace, "away"),
    }
    archive_memory(texts["away"], make.BACK_OFFICE)
    held = make.make_decision(memory=texts["plain"], action="archive")
    restoring = make.make_decision(memory=texts["away"], action="restore")  # what is archived is not in doubt

    def found(**query: Any) -> set[str]:
        return set(listed(client, **query))

    assert found() == set(texts)
    assert found(kind=["episodic", "procedural"]) == {"event", "steps"}
    assert found(scope="team") == {"steps"}
    assert found(user="li-na") == {"event"}
    assert found(user="li-na", team="ops") == {"event", "steps"}
    assert found(user="nobody") == set()
    assert found(key="meal") == {"pin"}
    assert found(pinned="1") == {"pin"}
    assert found(protected="1") == {"pin", "steps"}
    Memory.objects.exclude(text="pin").update(recall_count=1)
    assert found(unused="1") == {"pin"}
    assert found(updated="7d") == set(texts) - {"plain", "gone"}
    assert found(status="active") == {"plain", "event", "steps", "pin", "soon"}
    assert found(status="expiring") == {"soon"}
    assert found(status="expired") == {"gone"}
    assert found(status="archived") == {"away"}
    assert found(status="superseded") == set()
    assert found(status="contested") == {"plain"}
    assert found(status="x", kind="x", scope="; drop", updated="-1", sort="x", cursor="x") == set(texts)
    counts = {tab["value"]: tab["count"] for tab in client.get(LIST).context["tabs"]}
    assert counts == {"": 7, "active": 5, "expiring": 1, "contested": 1, "expired": 1, "superseded": 0, "archived": 1}
    assert marks(client, texts["plain"]) == ["contested"]
    assert marks(client, texts["pin"]) == ["pinned"]
    assert marks(client, texts["soon"]) == ["expiring"]
    assert marks(client, texts["gone"]) == ["expired"]
    assert marks(client, texts["event"]) == ["active"]
    assert marks(client, texts["away"]) == ["archived"]
    assert not Memory.objects.with_contested().get(pk=texts["away"].pk).contested
    assert held.is_open
    assert restoring.is_open


def test_pages_follow_each_other_and_keep_every_filter(
    workspace: Workspace, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_app.queries.memory_list.PAGE_SIZE", 2)
    for n in range(5):
        kind = ("semantic", "episodic")[n % 2]
        make.make_memory(workspace, f"fact {n}", kind=kind, updated_at=make.days_ago(n + 1))
    make.make_memory(workspace, "fact that is none of them", kind="procedural")
    for sort in ("-updated", "updated", "-recalls", "expires", "-expires", "recalls"):
        address, seen = f"{LIST}?kind=semantic&kind=episodic&q=fact&sort={sort}", []
        while address:
            response = client.get(address)
            seen += [row.text for row, _marks, _owner in response.context["rows"]]
            assert response.context["total"] == 5
            address = next_of(response.content.decode())
            if address:
                kept = parse_qsl(urlsplit(address).query)
                assert {("kind", "semantic"), ("kind", "episodic"), ("q", "fact"), ("sort", sort)} <= set(kept)
                address = LIST + address
        assert sorted(seen) == [f"fact {n}" for n in range(5)]
        if sort == "-updated":
            assert seen == [f"fact {n}" for n in range(5)]


def next_of(page: str) -> str:
    part = page.partition('rel="next" href="')[2].partition('"')[0]
    return part.replace("&amp;", "&")


def test_a_changed_filter_starts_at_the_first_page(workspace: Workspace, client: Client) -> None:
    make.make_memory(workspace, "fact")
    page = client.get(LIST, {"kind": ["semantic", "working"], "cursor": "abc"}).content.decode()
    assert 'href="?kind=semantic&amp;kind=working&amp;cursor' not in page
    assert "?kind=working" in page
    assert "kind=semantic&amp;kind=working&amp;kind=episodic" in page


def test_the_region_alone_is_the_same_fragment(workspace: Workspace, client: Client) -> None:
    make.make_memory(workspace, "Prefers aisle seats")
    part = client.get(LIST, {"q": "aisle"}, **TABLE)
    assert "<html" not in part.content.decode()
    assert 'id="memory-chips" hx-swap-oob="true"' in part.content.decode()
    assert "q=aisle&amp;kind=working" in part.content.decode()
    assert "HX-Request" in part["Vary"]


def test_the_number_of_queries_does_not_grow(
    workspace: Workspace, client: Client, django_assert_max_num_queries: Any
) -> None:
    make.make_memory(workspace, "fact 0")
    make.make_memory(workspace, "fact 0 of a team", scope="team", team="team-0", user=None)
    client.get(LIST)

    def count() -> int:
        with django_assert_max_num_queries(25) as captured:
            client.get(LIST, {"q": "fact", "kind": "semantic"})
        return len(captured)

    few = count()
    for n in range(1, 9):
        make.make_memory(workspace, f"fact {n}", user=f"user-{n}")
        make.make_memory(workspace, f"fact {n} of a team", scope="team", team=f"team-{n}", user=None)
    assert count() <= few


def test_hostile_text_stays_text(workspace: Workspace, client: Client) -> None:
    make.make_memory(workspace, '<img src=x onerror=alert(1)> "\u202eevil', key="k", user="<b>li</b>")
    page = client.get(LIST, {"q": "<img", "user": "<b>li</b>"}).content.decode()
    assert "<img src=x" not in page
    assert "<b>li" not in page
    assert "\u202e" not in page
    assert "&lt;img src=x" in page


def test_an_empty_list_says_so(client: Client) -> None:
    assert "No memories yet." in client.get(LIST).content.decode()
    narrowed = client.get(LIST, {"q": "nothing"}).content.decode()
    assert "No memory matches these filters." in narrowed
    assert f'href="{LIST}"' in narrowed


def test_memory_of_sessions_that_are_over_is_listed_by_its_scope(workspace: Workspace, client: Client) -> None:
    make.make_memory(workspace, "kept for good")
    over, runs = make.make_session(workspace), make.make_session(workspace)
    old = make.make_memory(workspace, "of old", user=None, scope="session", session=over)
    make.make_memory(workspace, "of now", user=None, scope="session", session=runs)
    over.status = "consolidated"
    over.save()

    def listed(**query: str) -> set[str]:
        return {row.text for row, _marks, _owner in client.get(LIST, query).context["rows"]}

    assert listed() == {"kept for good", "of now"}
    assert listed(q="of") == {"of now"}
    assert listed(scope="session") == {"of old", "of now"}
    for named in (old.ref, str(old.number), str(old.pk)):
        assert listed(q=named) == {"of old"}
    response = client.get(LIST)
    assert (response.context["total"], response.context["nav_counts"]["memories"]) == (2, 2)
    assert f'href="{LIST}?scope=session"' in response.content.decode()


def test_no_other_admin_is_told_of_many_as_well(workspace: Workspace, client: Client) -> None:
    pinned = make.make_memory(workspace, "pinned", pinned=True)

    def told() -> str:
        answer = client.post(BULK, {"ids": [str(pinned.pk)], "action": "archive"}, HTTP_HX_REQUEST="true")
        return str(answer.content.decode().partition('id="live"')[2])

    assert "No other admin can approve it" in told()
    assert "1 waits already." in told()
    assert Decision.objects.filter(memory=pinned, status="pending").count() == 1


# Many at once ----------------------------------------------------------------------------------------------------


def test_many_are_changed_and_the_protected_wait(workspace: Workspace, client: Client) -> None:
    plain, other = make.make_memory(workspace, "plain"), make.make_memory(workspace, "other")
    pinned = make.make_memory(workspace, "pinned", pinned=True)
    ids = [plain.pk, other.pk, pinned.pk, uuid4(), "rubbish"]
    answer = client.post(
        BULK,
        {"ids": ids, "action": "archive"},
        HTTP_HX_REQUEST="true",
        HTTP_HX_CURRENT_URL=f"http://testserver{LIST}?kind=semantic",
    )
    page = answer.content.decode()
    assert "2 memories changed. 1 sent for approval. 2 stay as they are." in page
    assert 'id="nav-memories"' in page
    assert "kind=semantic" in page
    assert set(Memory.objects.filter(status="archived")) == {plain, other}
    assert Decision.objects.get(memory=pinned, status="pending").needs == "admin"


def test_many_are_changed_without_a_script(workspace: Workspace, client: Client) -> None:
    memory = make.make_memory(workspace, "plain")
    page = client.get(LIST).content.decode()
    assert 'form="bulk" name="ids"' in page
    answer = client.post(BULK, {"ids": [memory.pk], "action": "pin"}, HTTP_REFERER=f"http://[{LIST}?sort=updated#rows")
    assert (answer.status_code, answer["Location"]) == (302, f"{LIST}?sort=updated")
    memory.refresh_from_db()
    assert memory.pinned
    assert "1 memory changed." in client.get(LIST).content.decode()
    assert client.post(BULK, {"ids": [memory.pk], "action": "erase"}).status_code == 422
    assert client.get(BULK).status_code == 302


def test_it_speaks_chinese(workspace: Workspace, client: Client) -> None:
    Operator.objects.filter(username="lin.qiao").update(language="zh-hans")
    make.make_memory(workspace, "Prefers aisle seats")
    page = client.get(LIST).content.decode()
    assert '<html lang="zh-Hans"' in page
    assert 'lang="en">Prefers aisle seats' in page
    assert "有争议" in page


def test_a_long_list_is_counted_only_so_far(
    workspace: Workspace, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_app.queries.memory_list.MOST", 3)
    monkeypatch.setattr("memory_app.queries.memory_list.COMMON", 2)  # more ids than that are not fetched
    for n in range(5):
        make.make_memory(workspace, f"fact {n}", updated_at=make.days_ago(n))
    archive_memory(make.make_memory(workspace, "fact that is gone"), make.BACK_OFFICE)

    def tabs(**query: str) -> tuple[Any, ...]:
        response = client.get(LIST, query)
        assert len(response.context["rows"]) == 6
        found = {tab["value"]: (tab["count"], tab["more"]) for tab in response.context["tabs"]}
        return found[""], found["active"], found["archived"], "6 of more than 3" in response.content.decode()

    unknown = None, False  # what was not counted is no number, least of all 0
    assert tabs() == ((3, True), (3, True), (1, False), True)
    assert tabs(kind="semantic") == ((3, True), unknown, unknown, True)
    assert tabs(q="facts") == (unknown, unknown, unknown, False)
    assert listed(client, q="fact 3") == ["fact 3"]


def test_many_are_given_an_expiry(workspace: Workspace, client: Client) -> None:
    plain, pinned, gone = (make.make_memory(workspace, text) for text in ("One", "Two", "Three"))
    pinned = pin_memory(pinned, make.BACK_OFFICE).memory
    ids = [str(memory.pk) for memory in (plain, pinned, gone)]
    later = timezone.localtime() + timedelta(days=3)
    given = {"action": "expire", "ids": ids, "expires_at": f"{later:%Y-%m-%dT%H:%M}"}
    answer = client.post(BULK, given, **TABLE)
    assert "2 memories changed. 1 sent for approval." in answer.content.decode()
    plain.refresh_from_db()
    assert plain.expires_at == later.replace(second=0, microsecond=0)
    assert Decision.objects.waiting().get().memory == pinned
    answer = client.post(BULK, given | {"ids": ids[:1]}, **TABLE)
    assert "0 memories changed. 1 stays as it is." in answer.content.decode()
    client.post(BULK, given | {"expires_at": "", "ids": ids[:1]})
    plain.refresh_from_db()
    assert plain.expires_at is None


@pytest.mark.parametrize(("moment", "words"), [("soon", "Enter a real date"), ("2020-01-01T00:00", "has passed")])
def test_no_expiry_that_is_none(workspace: Workspace, client: Client, moment: str, words: str) -> None:
    memory = make.make_memory(workspace, "One")
    given = {"action": "expire", "ids": [str(memory.pk)], "expires_at": moment}
    answer = client.post(BULK, given, **TABLE)
    assert (answer.status_code, answer["HX-Retarget"]) == (422, "#bulk-expiry")  # the selection stays as it was
    assert words in answer.content.decode()
    assert f'value="{moment}"' in answer.content.decode()
    page = client.post(BULK, given, HTTP_REFERER=f"http://testserver{LIST}?q=One").content.decode()
    assert 'id="bulk-expire" open' in page
    assert f'value="{memory.pk}" checked' in page
    assert words in page
    memory.refresh_from_db()
    assert memory.version == 1
