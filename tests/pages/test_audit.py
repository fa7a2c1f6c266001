"""The audit log: found by filters, paged, taken out as files that no spreadsheet runs; for admins alone."""

import csv
import io
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from consolidation.actions import erase_user
from memory_app.actions.audit import audit
from memory_app.actions.members import change_role
from memory_app.actions.memories import archive_memory
from memory_app.actions.slots import SlotSettings, put_slot
from memory_app.audit_words import OBJECTS
from memory_app.domain.actor import SYSTEM, Actor
from memory_app.models import Alert, AlertKind, AuditEvent, Operator, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/w/travel/audit/"
EXPORT = f"{PAGE}export/"


@pytest.fixture
def operator(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "admin", "lin.qiao")


def found(client: Client, **query: Any) -> list[str]:
    return [row["event"].action for row in client.get(PAGE, query).context["rows"]]


def event(workspace: Workspace, action: str, **detail: Any) -> AuditEvent:
    return audit(workspace, make.BACK_OFFICE, action, workspace, **detail)


def test_every_table_that_an_event_may_name_has_its_word() -> None:
    kept = {"auditevent", "changedhour", "hourlysum", "summeduntil", "workerheartbeat"}  # nobody erases of these
    kept |= {"learnt", "memoryuse"}  # the database keeps these by itself
    kept |= {"operator_groups", "operator_user_permissions"}
    models = [model for app in ("memory_app", "consolidation") for model in apps.get_app_config(app).get_models(True)]
    assert {model._meta.model_name for model in models} - kept <= OBJECTS.keys()


def body(answer: Any) -> str:
    return b"".join(answer.streaming_content).decode("utf-8-sig")


def test_filters_find_events(workspace: Workspace, client: Client) -> None:
    memory = make.make_memory(workspace, "Prefers aisle seats", key="seat", value="aisle")
    operator = make.actor_of(make.make_operator(workspace, "admin", "wen"), "admin")
    archive_memory(memory, operator)
    event(make.make_workspace("other"), "memory.elsewhere")
    everything = found(client)
    assert "memory.elsewhere" not in everything
    assert len(everything) == AuditEvent.objects.filter(workspace=workspace).count()
    families = {name.split(".")[0] for name in everything}
    for family in families:
        assert set(found(client, action=family)) == {name for name in everything if name.startswith(f"{family}.")}
        assert found(client, action=f"{family}.") == found(client, action=family)
    assert found(client, action=everything[0]) == [name for name in everything if name == everything[0]]
    by_wen = found(client, actor="wen")
    assert by_wen
    assert by_wen == found(client, actor=operator.id) == found(client, kind="operator")
    about = found(client, object=memory.ref)
    assert about == found(client, object=str(memory.pk))
    assert found(client, object="M-999999") == []
    assert found(client, object="\x00';--") == []
    assert found(client, days="1") == everything
    assert found(client, kind="nonsense", days="-4", cursor="x") == everything
    assert "No event matches" in client.get(PAGE, {"actor": "nobody"}).content.decode()


def test_pages_follow_each_other(workspace: Workspace, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_app.queries.audit_log.PAGE_SIZE", 2)
    for n in range(5):
        event(workspace, f"slot.n{n}")
    seen, cursor = [], ""
    while True:
        context = client.get(PAGE, {"action": "slot", "cursor": cursor}).context
        seen += [row["event"].action for row in context["rows"]]
        cursor = context["page"].next
        if not cursor:
            break
    assert seen == [f"slot.n{n}" for n in (4, 3, 2, 1, 0)]


def test_files_hold_all_that_match(workspace: Workspace, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_app.keyset.BATCH", 2)
    for n in range(5):
        event(workspace, f"slot.n{n}", count=n)
    answer = client.get(EXPORT, {"format": "csv", "action": "slot"})
    rows = list(csv.DictReader(io.StringIO(body(answer))))
    assert [row["action"] for row in rows] == [f"slot.n{n}" for n in (4, 3, 2, 1, 0)]
    assert {row["ref"] for row in rows} == {workspace.name}
    assert json.loads(rows[0]["detail"]) == {"count": 4}
    assert answer.streaming
    assert "attachment" in answer["Content-Disposition"]
    assert answer["Cache-Control"] == "no-store"
    listed = json.loads(body(client.get(EXPORT, {"format": "json", "action": "slot"})))
    assert [one["detail"]["count"] for one in listed] == [4, 3, 2, 1, 0]
    assert json.loads(body(client.get(EXPORT, {"format": "json", "actor": "nobody"}))) == []
    taken = AuditEvent.objects.filter(action="audit.export").order_by("at").first()
    assert taken is not None
    assert taken.detail == {"format": "csv", "filters": ["action"]}
    assert client.get(EXPORT, {"format": "xls"}).status_code == 404


@pytest.mark.parametrize(
    "label", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", '"=1', "＝1+1"]
)
def test_no_cell_is_a_formula(workspace: Workspace, client: Client, label: str) -> None:
    audit(workspace, Actor("key", "=1", label, "admin"), "slot.change", workspace)
    text = body(client.get(EXPORT, {"format": "csv", "action": "slot"}))
    for row in list(csv.reader(io.StringIO(text, newline="")))[1:]:
        for cell in row:
            assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "＝", "\t", "\r"))


@pytest.mark.parametrize("role", ["viewer", "curator"])
def test_it_is_for_admins(workspace: Workspace, role: str) -> None:
    client = signed_in(make.make_operator(workspace, role))
    assert client.get(PAGE).status_code == 403
    assert client.get(EXPORT).status_code == 403
    assert f'href="{PAGE}"' not in client.get("/w/travel/overview/").content.decode()
    assert not AuditEvent.objects.filter(action="audit.export").exists()


def test_strangers_see_nothing(workspace: Workspace, client: Client) -> None:
    event(workspace, "slot.change")
    stranger = signed_in(make.make_operator(make.make_workspace("other"), "admin"))
    assert stranger.get(PAGE).status_code == 404
    assert stranger.get(EXPORT).status_code == 404
    assert "slot.change" not in body(stranger.get("/w/other/audit/export/"))
    assert Client().get(PAGE).status_code == 302


def test_hostile_text_stays_text_and_queries_do_not_grow(
    workspace: Workspace, client: Client, django_assert_max_num_queries: Any
) -> None:
    audit(workspace, Actor("key", "<i>", "<b>bot\u202e", "admin"), "slot.change", workspace, changed=["<u>x"])
    make.make_memory(workspace, "fact")
    page = client.get(PAGE).content.decode()
    for raw in ("<b>bot", "<u>x", "\u202e"):
        assert raw not in page

    def count() -> int:
        with django_assert_max_num_queries(25) as captured:
            client.get(PAGE)
        return len(captured)

    few = count()
    for n in range(6):
        make.make_memory(workspace, f"fact {n}", f"user-{n}")
    assert count() == few


def test_a_changed_slot_tells_old_and_new_and_a_key_of_no_team_all(workspace: Workspace, client: Client) -> None:
    put_slot(workspace, make.BACK_OFFICE, "seat", SlotSettings(exposure="tools"))
    put_slot(workspace, make.BACK_OFFICE, "seat", SlotSettings(exposure="none", expires_after=timedelta(days=3)))
    event(workspace, "key.create", teams=0)
    key, slot = (dict(row["detail"]) for row in client.get(PAGE).context["rows"][:2])
    assert key == {"teams": "all teams"}
    assert (slot["before: Who sees it"], slot["now: Who sees it"]) == ("Tools only", "Nobody")
    assert (slot["before: Holds for"], slot["now: Holds for"]) == ("–", "3 d")


def test_it_reads_in_chinese_and_by_names(workspace: Workspace, client: Client) -> None:
    session = make.make_session(workspace, "ann")
    make.make_turn(session, "I drink tea.")
    note = make.make_note(session, "Prefers tea", "I drink tea", key="drink", value="tea")
    make.make_decision(note, "promote", hold=False)
    wen = make.make_operator(workspace, "viewer", "wen")
    change_role(workspace, make.BACK_OFFICE, wen.memberships.get().pk, "curator")
    answer = client.get(PAGE, HTTP_ACCEPT_LANGUAGE="zh-hans")
    rows = answer.context["rows"]
    words = {word for row in rows for word, _ in row["detail"]} | {row["type"] for row in rows}
    assert not {word for word in words if word.isascii()}
    assert {row["ref"] for row in rows} >= {session.ref, note.ref, "wen"}
    event(workspace, "workspace.create")
    assert client.get(PAGE).context["rows"][0]["ref"] == workspace.name
    assert session.ref in {value for row in rows for _, value in row["detail"]}
    shown = re.sub(r"<[^>]*>", " ", answer.content.decode())
    for one in (session, note):
        assert str(one.pk) not in shown


def test_reasons_and_times_are_words(workspace: Workspace, client: Client) -> None:
    event(workspace, "decision.declined", reason_code="not_lasting")
    event(workspace, "decision.snoozed", until="2026-12-01T09:00:00+08:00")
    details = [value for row in client.get(PAGE).context["rows"] for _, value in row["detail"]]
    assert {"It does not last", "2026-12-01 01:00"} <= set(details)


def test_a_receipt_leads_to_its_row(workspace: Workspace, client: Client) -> None:
    make.make_memory(workspace, "Prefers tea", "ann", key="drink", value="tea")
    receipt = erase_user(workspace, make.BACK_OFFICE, "ann")
    (row,) = client.get(PAGE, {"object": str(receipt.id)}).context["rows"]
    assert row["event"].action == "user.erase"
    detail = dict(row["detail"])
    assert detail["Memory"] == "1"
    assert not [word for word in detail if "_" in word]
    assert found(client, object=receipt.subject) == ["user.erase"]


def test_an_alert_is_told_in_words(client: Client, workspace: Workspace) -> None:
    alert = Alert.objects.create(workspace=workspace, kind=AlertKind.QUEUE, subject="", detail={})
    audit(workspace, SYSTEM, "alert.raised", alert, kind=alert.kind, count=7, hours=80, limit=72)
    page = client.get(PAGE, headers={"accept-language": "zh-hans"}).content.decode()
    for words in ("告警", "种类", "队列积压过久", "数量", "上限"):
        assert words in page
    assert "turns" not in client.get(PAGE).content.decode().partition("<tbody")[2]
