"""One memory: its history, where it comes from, its neighbours, as people read them."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory_app.actions.decisions import Ruling, approve
from memory_app.actions.memories import archive_memory, edit_memory, pin_memory
from memory_app.actions.undo import undo
from memory_app.models import AuditEvent, Injection, Memory, MemoryVersion, Operator, Workspace
from memory_app.views.memory_history import _taken_back_by
from tests import factories as make

from .remembered import a_late_flight, now, page_of, url
from .visitors import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def late(workspace: Workspace) -> Memory:
    return a_late_flight(workspace)


# Who -------------------------------------------------------------------------------------------------------------


def test_only_members_see_it(workspace: Workspace, late: Memory, client: Client) -> None:
    assert Client().get(url(late)).status_code == 302
    stranger = signed_in(make.make_operator(make.make_workspace("other"), "admin"))
    foreign = make.make_memory(make.make_workspace("third"), "elsewhere")
    for name in ("memory", "memory_edit", "memory_pin", "memory_archive", "memory_restore"):
        assert stranger.get(url(late, name)).status_code == 404
        assert stranger.post(url(late, name)).status_code in (404, 405)
        assert client.post(url(foreign, name)).status_code in (404, 405)
        assert client.get(reverse(name, args=["travel", uuid4()])).status_code == 404
    assert now(late).version == 2


def test_a_viewer_reads_and_changes_nothing(workspace: Workspace, late: Memory) -> None:
    viewer = signed_in(make.make_operator(workspace, "viewer"))
    page = page_of(viewer, late, edit="1")
    assert "优先晚" in page
    assert 'id="act-edit"' not in page
    assert set(re.findall(r'<dialog class="[^"]+" id="(\w+)"', page)) == {"keys", "palette"}
    decision = late.decisions.get(action="override")
    for name, args in (("edit", []), ("pin", []), ("archive", []), ("restore", []), ("undo", [decision.pk])):
        assert viewer.post(url(late, f"memory_{name}", *args)).status_code == 403
    assert now(late).version == 2


# What it shows ---------------------------------------------------------------------------------------------------


def test_versions_are_shown_with_what_changed_and_why(client: Client, late: Memory) -> None:
    page = page_of(client, late)
    assert "<del>倾向早</del><ins>优先晚</ins>班机" in page
    assert "<code>flight_time</code> <del" in page
    assert ">morning</del>" in page
    assert ">evening</ins>" in page
    assert "something has changed" in page
    assert "automatic, confidence 0.91" in page
    decision = late.decisions.get(action="override")
    assert f"/w/travel/review/?status=all&amp;item={decision.pk}" in page
    assert 'lang="zh-Hans"' in page


def test_whoever_took_a_version_back_is_named() -> None:
    assert _taken_back_by(MemoryVersion(author="system", author_label="zhou.min")) == "by zhou.min"
    assert _taken_back_by(MemoryVersion(author="system", author_label="consolidation")) == "automatic"


def test_an_edit_at_approval_is_told_as_one(client: Client, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "My hotel budget is 180 dollars a night.")
    note = make.make_note(
        session, "Hotel budget is 180 USD", "My hotel budget is 180 dollars", key="hotel_budget", value="180 USD"
    )
    decision = make.make_decision(note)
    lin = make.actor_of(Operator.objects.get(username="lin.qiao"))
    approve(workspace, lin, decision.pk, Ruling(text="Hotel budget is 220 USD"))
    decision.refresh_from_db()
    memory = Memory.objects.get(pk=decision.memory_id)
    assert (memory.text, memory.value) == ("Hotel budget is 220 USD", "220 USD")  # the value goes with its text
    told = "Hotel budget is <del>180</del> <ins>220</ins> USD"

    def first() -> dict[str, Any]:
        found: dict[str, Any] = client.get(url(memory)).context["versions"][-1]
        return found

    assert first()["said"] == "edited and approved by lin.qiao"
    assert told in page_of(client, memory)
    assert ">180 USD</del>" in page_of(client, memory)
    event = AuditEvent.objects.get(action="decision.approved")
    assert event.detail == {"action": "promote", "edited": ["text", "value"]}
    zhou = make.actor_of(make.make_operator(workspace, "admin", "zhou.min"), "admin")
    workspace.solo = True  # else nobody alone takes back what another person wrote
    workspace.save()
    undo(workspace, zhou, decision.pk)
    assert first()["said"] == "edited and approved by lin.qiao"  # whoever takes it back later
    assert told in page_of(client, memory)
    approve(workspace, zhou, decision.pk)
    assert [one["said"] for one in client.get(url(memory)).context["versions"]] == [
        "approved by zhou.min",
        "by zhou.min",
        "edited and approved by lin.qiao",
    ]


def test_provenance_leads_to_the_very_turn(client: Client, late: Memory) -> None:
    note = late.decisions.get(action="override").note
    assert note is not None
    page = page_of(client, late)
    assert f'href="/w/travel/sessions/{note.session_id}/?turn=2#turn-2"' in page
    assert f'href="/w/travel/sessions/{note.session_id}/?cursor=c-{note.number}#c-{note.number}"' in page
    assert "<mark>以后别订早班机了，优先晚班</mark>" in page
    chain = [entry["title"] for entry in client.get(url(late)).context["provenance"]]
    assert chain == ["Turn 2", "Candidate", "Decision", f"{late.ref} v2"]
    pin_memory(late, make.BACK_OFFICE)
    assert [e["title"] for e in client.get(url(late)).context["provenance"]][-2:] == [
        f"{late.ref} v2",
        f"{late.ref} v3",
    ]


def test_an_undo_is_shown_as_one(client: Client, workspace: Workspace, late: Memory) -> None:
    decision = late.decisions.get(action="override")
    undo(workspace, make.actor_of(make.make_operator(workspace, "admin", "zhou.min"), "admin"), decision.pk)
    versions = client.get(url(late)).context["versions"]
    assert [(one["title"], one["tone"]) for one in versions] == [
        ("v3", "undone"),
        ("v2", "override"),
        ("v1", "promote"),
    ]
    assert versions[0]["said"] == "by zhou.min"
    page = page_of(client, late)
    assert "Open decisions on this memory" in page  # what was undone is open again
    assert "Contested" in page
    assert "taken back" in page


def test_sources_neighbours_and_recalls(client: Client, workspace: Workspace, late: Memory) -> None:
    edit_memory(late, make.BACK_OFFICE, {"text": "总是优先晚班机"})  # gives it a vector as well
    near = make.make_memory(workspace, "短途优先高铁", key="short_trips", value="rail")
    make.make_memory(workspace, "Somebody else's memory", user="li-na")
    session = late.decisions.get(action="override").session
    assert session is not None
    entry = {"memory": str(late.pk), "version": 2, "reason": "relevant"}
    Injection.objects.create(
        workspace=workspace, purpose="recall", user=session.user, session=session, query="<b>安排出差</b>",
        moment=timezone.now(), memory_ids=[late.pk], included=[entry],
    )  # fmt: skip
    Injection.objects.create(
        workspace=workspace, purpose="recall", user=session.user, query="another", moment=timezone.now(),
        memory_ids=[near.pk], included=[entry | {"memory": str(near.pk)}],
    )  # fmt: skip
    shown = client.get(url(near)).content.decode().partition('id="h-recalls"')[2].partition("</section>")[0]
    assert '<td class="nowrap"><span class="muted">–</span></td>' in shown  # asked without a session
    assert session.user.external_id not in shown
    response = client.get(url(late))
    context = response.context
    assert [one["ref"] for one in context["near"]] == [near.ref]
    assert [(one["query"], one["version"]) for one in context["shown"]] == [("<b>安排出差</b>", 2)]
    assert [source["quote"] for source in context["sources"]] == ["以后别订早班机了，优先晚班", ""]
    page = response.content.decode()
    assert "<b>安排" not in page
    assert "Somebody else" not in page
    assert f'href="/w/travel/sessions/{session.pk}/">{session.ref}</a>' in page


def test_two_versions_can_be_compared(client: Client, late: Memory) -> None:
    edit_memory(late, make.BACK_OFFICE, {"text": "优先最晚一班机"})
    page = page_of(client, late, compare="1..3")
    assert "v1 compared with v3" in page
    assert 'value="1..3" selected' in page
    for nonsense in ("1..9", "x..y", "1", "..", "9" * 30 + "..1"):
        assert "compared with" not in page_of(client, late, compare=nonsense)


def test_a_long_history_has_pages(client: Client, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_app.queries.memory_page.VERSIONS", 2)
    memory = make.make_memory(workspace, "version 1")
    for n in range(2, 6):
        edit_memory(now(memory), make.BACK_OFFICE, {"text": f"version {n}"})
    assert 'href="?before=4"' in page_of(client, memory)
    response = client.get(url(memory), {"before": "4"})
    assert [one["title"] for one in response.context["versions"]] == ["v3", "v2"]
    assert [one["before"] for one in response.context["versions"]] == ["version 2", "version 1"]
    assert not any(one["current"] for one in response.context["versions"])


def test_the_number_of_queries_does_not_grow(client: Client, late: Memory, django_assert_max_num_queries: Any) -> None:
    edit_memory(late, make.BACK_OFFICE, {"importance": 0.7})
    make.make_memory(late.workspace, "近似的记忆")
    client.get(url(late))

    def count() -> int:
        with django_assert_max_num_queries(40) as captured:
            client.get(url(late))
        return len(captured)

    few = count()
    for n in range(8):
        edit_memory(now(late), make.BACK_OFFICE, {"importance": 0.1 * n})
        make.make_memory(late.workspace, f"近似的记忆 {n}")
    assert count() <= few


def test_hostile_text_stays_text(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, '<script>alert(1)</script> "\u202eevil', user="<i>li</i>", source="<u>x</u>")
    page = page_of(client, memory)
    assert "<script>alert" not in page
    assert "<i>li" not in page
    assert "<u>x" not in page
    assert "\u202e" not in page.partition("<textarea")[0]


def test_a_superseded_memory_leads_to_its_successor(client: Client, workspace: Workspace) -> None:
    memory, other = make.make_memory(workspace, "Likes trains"), make.make_memory(workspace, "Prefers rail")
    archive_memory(other, make.BACK_OFFICE)
    Memory.objects.filter(pk=memory.pk).update(status="superseded", superseded_by=other.pk)
    page = page_of(client, memory)
    assert "Another memory took its place:" in page
    assert url(other) in page


def test_it_speaks_chinese(client: Client, late: Memory) -> None:
    Operator.objects.filter(username="lin.qiao").update(language="zh-hans")
    page = page_of(client, late)
    assert "版本历史" in page
    assert "来源链" in page
    assert "第 2 轮" in page
    assert "将 v1 恢复为 v3？" in page
