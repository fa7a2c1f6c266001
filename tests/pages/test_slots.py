"""Slots: the registry as it is, changed by admins, and what a change of cardinality does to memory that is there."""

from typing import Any

import pytest
from django.test import Client

from memory_app.actions.memories import archive_memory
from memory_app.actions.slots import SlotSettings, put_slot
from memory_app.models import AuditEvent, Memory, Operator, Slot, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/w/travel/slots/"
HX = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "slot-page"}
FORM: dict[str, Any] = {"cardinality": "one", "values": "", "writers": ["user", "operator"], "lasts": "", "unit": "days",
                        "exposure": "context"}  # fmt: skip


@pytest.fixture
def operator(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "admin", "lin.qiao")


def slot(workspace: Workspace, key: str) -> Slot:
    return Slot.objects.get(workspace=workspace, key=key)


def seen(client: Client, address: str) -> str:
    found: str = client.get(address).context["seen"]
    return found


def test_the_list_counts_what_holds(workspace: Workspace, client: Client) -> None:
    make.make_memory(workspace, "aisle", key="seat", value="aisle")
    archive_memory(make.make_memory(workspace, "window", "li", key="seat", value="window"), make.BACK_OFFICE)
    make.make_memory(workspace, "nuts", key="allergy", value="nuts")
    make.make_memory(make.make_workspace("other"), "x", key="hidden", value="1")
    rows = {row["slot"].key: row["count"] for row in client.get(PAGE).context["rows"]}
    assert rows == {"seat": 1, "allergy": 1}
    assert [row["slot"].key for row in client.get(PAGE, {"cardinality": "many"}).context["rows"]] == ["allergy"]
    assert [row["slot"].key for row in client.get(PAGE, {"q": "SEA"}).context["rows"]] == ["seat"]
    assert "No slot matches" in client.get(PAGE, {"q": "zzz"}).content.decode()


def test_a_slot_is_registered_and_changed(workspace: Workspace, client: Client) -> None:
    assert client.get(f"{PAGE}new/").status_code == 200
    given = FORM | {"key": "seat", "values": "aisle\n window \naisle\n", "lasts": "12", "unit": "hours"}
    assert client.post(f"{PAGE}create/", given).status_code == 302
    made = slot(workspace, "seat")
    assert (made.values, made.writers) == (["aisle", "window"], ["user", "operator"])
    assert made.expires_after is not None
    assert made.expires_after.total_seconds() == 12 * 3600
    address = f"{PAGE}{made.pk}/"
    assert 'value="12"' in client.get(address).content.decode()
    changed = FORM | {"exposure": "tools", "seen": seen(client, address)}
    answer = client.post(f"{address}change/", changed, **HX)
    assert "seat is saved." in answer.content.decode()
    made.refresh_from_db()
    assert (made.exposure, made.values, made.expires_after) == ("tools", [], None)
    actions = list(AuditEvent.objects.filter(object_type="slot").order_by("at").values_list("action", flat=True))
    assert actions == ["slot.create", "slot.change"]
    assert client.post(f"{PAGE}create/", given).status_code == 409
    assert client.get(f"{PAGE}create/").status_code == 302


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"key": "Not A Key"}, "key"),
        ({"key": ""}, "key"),
        ({"writers": []}, "writers"),
        ({"writers": ["root"]}, "writers"),
        ({"lasts": "0"}, "lasts"),
        ({"lasts": "x"}, "lasts"),
        ({"lasts": "99999999"}, "lasts"),
        ({"lasts": "40000"}, "lasts"),
        ({"values": "x" * 201}, "values"),
        ({"values": "card 4111 1111 1111 1111"}, "values"),
        ({"cardinality": "two"}, "cardinality"),
        ({"exposure": ""}, "exposure"),
        ({"unit": "years"}, "unit"),
    ],
)
def test_wrong_fields_are_told_and_nothing_is_lost(client: Client, wrong: dict[str, Any], field: str) -> None:
    answer = client.post(f"{PAGE}create/", FORM | {"key": "seat", "values": "aisle"} | wrong)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    if "values" not in wrong:
        assert "aisle</textarea>" in answer.content.decode()
    assert not Slot.objects.exists()


def test_from_one_to_several_memory_stays(workspace: Workspace, client: Client) -> None:
    memory = make.make_memory(workspace, "aisle", key="seat", value="aisle")
    made = slot(workspace, "seat")
    client.post(f"{PAGE}{made.pk}/change/", FORM | {"cardinality": "many"})
    memory.refresh_from_db()
    assert (memory.single, memory.version, memory.value_key) == (False, 1, memory.value_key)
    make.make_memory(workspace, "window", key="seat", value="window")
    assert Memory.objects.filter(key="seat", status="active").count() == 2


def test_from_several_to_one_names_what_is_in_the_way(workspace: Workspace, client: Client) -> None:
    nuts = make.make_memory(workspace, "nuts", key="allergy", value="nuts")
    milk = make.make_memory(workspace, "milk <b>", key="allergy", value="milk")
    make.make_memory(workspace, "soy", "li", key="allergy", value="soy")
    made = slot(workspace, "allergy")
    address = f"{PAGE}{made.pk}/"
    page = client.get(address).content.decode()
    assert "1 owner has several values now:" in page
    assert nuts.ref in page
    answer = client.post(f"{address}change/", FORM | {"seen": seen(client, address)}, **HX)
    said = answer.content.decode()
    assert answer.status_code == 409
    assert nuts.ref in said
    assert milk.ref in said
    assert "milk &lt;b&gt;" in said
    made.refresh_from_db()
    assert made.cardinality == "many"
    assert not Memory.objects.filter(key="allergy", single=True).exists()
    archive_memory(milk, make.BACK_OFFICE)
    assert client.post(f"{address}change/", FORM | {"seen": seen(client, address)}).status_code == 302
    assert set(Memory.objects.filter(key="allergy", status="active").values_list("single", flat=True)) == {True}


def test_a_change_meanwhile_is_not_overwritten(workspace: Workspace, client: Client) -> None:
    make.make_memory(workspace, "aisle", key="seat", value="aisle")
    made = slot(workspace, "seat")
    address = f"{PAGE}{made.pk}/"
    before = seen(client, address)
    put_slot(workspace, make.BACK_OFFICE, "seat", SlotSettings(values=["aisle"]))
    answer = client.post(f"{address}change/", FORM | {"seen": before, "values": "window"}, **HX)
    assert answer.status_code == 412
    assert "Somebody changed this slot" in answer.content.decode()
    assert "window</textarea>" in answer.content.decode()
    made.refresh_from_db()
    assert made.values == ["aisle"]
    assert (
        client.post(f"{address}change/", FORM | {"seen": answer.context["seen"], "values": "window"}).status_code == 302
    )
    made.refresh_from_db()
    assert made.values == ["window"]


@pytest.mark.parametrize("role", ["viewer", "curator"])
def test_weaker_roles_read(workspace: Workspace, role: str) -> None:
    make.make_memory(workspace, "aisle", key="seat", value="aisle")
    client, made = signed_in(make.make_operator(workspace, role)), slot(workspace, "seat")
    page = client.get(f"{PAGE}{made.pk}/").content.decode()
    assert "An admin can change this." in page
    assert "slot-form" not in page
    assert client.get(f"{PAGE}new/").status_code == 403
    assert client.post(f"{PAGE}create/", FORM | {"key": "x"}).status_code == 403
    assert client.post(f"{PAGE}{made.pk}/change/", FORM).status_code == 403


def test_strangers_see_nothing(workspace: Workspace) -> None:
    make.make_memory(workspace, "aisle", key="seat", value="aisle")
    made = slot(workspace, "seat")
    stranger = signed_in(make.make_operator(make.make_workspace("other"), "admin"))
    assert stranger.get(f"{PAGE}{made.pk}/").status_code == 404
    assert stranger.get(f"/w/other/slots/{made.pk}/").status_code == 404
    assert stranger.post(f"/w/other/slots/{made.pk}/change/", FORM).status_code == 404
    assert Client().get(PAGE).status_code == 302


def test_queries_do_not_grow(workspace: Workspace, client: Client, django_assert_max_num_queries: Any) -> None:
    make.make_memory(workspace, "aisle", key="seat", value="aisle")
    made = slot(workspace, "seat")

    def count(address: str) -> int:
        with django_assert_max_num_queries(25) as captured:
            client.get(address)
        return len(captured)

    client.get(PAGE)
    few = [count(PAGE), count(f"{PAGE}{made.pk}/")]
    for n in range(5):
        make.make_memory(workspace, f"fact {n}", f"u{n}", key=f"key_{n}", value=n)
        make.make_memory(workspace, "aisle", f"u{n}", key="seat", value="aisle")
    assert [count(PAGE), count(f"{PAGE}{made.pk}/")] == few
