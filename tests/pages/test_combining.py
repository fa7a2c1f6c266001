"""Memories merged and split by hand, each with its result before it is done; memories as a file."""

import csv
import json
from typing import Any

import pytest
from django.test import Client

from memory_app.actions.memories import edit_memory
from memory_app.models import AuditEvent, Memory, MemoryStatus, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
LIST = "/w/travel/memories/"
MERGE = f"{LIST}merge/"


def seats(workspace: Workspace) -> list[Memory]:
    return [make.make_memory(workspace, text) for text in ("Prefers the aisle seat", "Likes to sit on the aisle")]


def test_the_result_is_shown_before_anything_is_merged(client: Client, workspace: Workspace) -> None:
    kept, other = seats(workspace)
    ids = [str(kept.pk), str(other.pk)]
    assert client.post(MERGE, {"ids": ids})["Location"] == f"{MERGE}?ids={ids[0]}&ids={ids[1]}"
    page = client.get(MERGE, {"ids": ids}).content.decode()
    assert "v1 → v2" in page
    assert f"{other.ref} <del" in page
    form: dict[str, Any] = {"ids": ids, "into": ids[1], "text": kept.text}
    preview = client.post(MERGE, form, HTTP_HX_REQUEST="true", HTTP_HX_TARGET="merge-preview").content.decode()
    assert f"{kept.ref} <del" in preview
    assert "<html" not in preview
    assert "It says something that was not there before" in client.post(
        MERGE, form | {"text": "Prefers the aisle seat in row 12"}
    ).content.decode()  # fmt: skip
    assert set(Memory.objects.values_list("status", "version")) == {("active", 1)}
    done = client.post(f"{MERGE}done/", form | {f"version-{ids[1]}": "1"})
    assert done["Location"] == f"{LIST}{ids[1]}/"
    kept.refresh_from_db()
    other.refresh_from_db()
    assert (kept.status, other.version) == (MemoryStatus.SUPERSEDED, 2)


def test_what_cannot_be_merged_says_why(client: Client, workspace: Workspace) -> None:
    kept, other = seats(workspace)
    foreign = make.make_memory(workspace, "Prefers the aisle seat", user="li-si")
    for ids, words in (([kept.pk], "two memories or more"), ([kept.pk, foreign.pk], "different users")):
        assert words in client.get(MERGE, {"ids": ids}).content.decode()
        assert client.post(f"{MERGE}done/", {"ids": ids, "into": kept.pk}).status_code == 422
    form = {"ids": [kept.pk, other.pk], "into": kept.pk, f"version-{kept.pk}": "9"}
    late = client.post(f"{MERGE}done/", form)
    assert late.status_code == 422
    assert "changed meanwhile" in late.content.decode()
    edit_memory(other, make.BACK_OFFICE, {"text": "Likes to sit on the aisle in row 12"})
    late = client.post(f"{MERGE}done/", form | {f"version-{kept.pk}": "1", f"version-{other.pk}": "1"})
    assert "changed meanwhile" in late.content.decode()  # what the other says now is not lost unread
    other.refresh_from_db()
    assert other.status == MemoryStatus.ACTIVE
    assert signed_in(make.make_operator(workspace, "viewer")).get(MERGE).status_code == 403


def test_one_is_split_into_its_parts(client: Client, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Owns a bell; likes green tea", key="owns", value="bell")
    address = f"{LIST}{memory.pk}/split/"
    assert address in client.get(f"{LIST}{memory.pk}/").content.decode()
    page = client.get(address).content.decode()
    assert ">Owns a bell</textarea>" in page
    assert ">likes green tea</textarea>" in page
    assert "v1 → v2" in page
    assert "It says something" in client.post(address, {"part": ["Owns a bell", "Owns 3 cats"]}).content.decode()
    assert Memory.objects.count() == 1
    refused = client.post(f"{address}done/", {"part": ["Owns a bell"]})
    assert (refused.status_code, "Write two parts or more." in refused.text) == (422, True)
    form = {"part": ["Likes green tea", "Owns a bell", ""], "keeps": "2", f"version-{memory.pk}": "1"}
    assert client.post(f"{address}done/", form).status_code == 302
    assert set(Memory.objects.values_list("text", "key")) == {("Owns a bell", "owns"), ("Likes green tea", "")}


def test_of_many_statements_none_is_left_out(client: Client, workspace: Workspace) -> None:
    text = "Owns a cat. Owns a dog. Likes tea. Plays chess. Lives in Bern. Is vegan."
    page = client.get(f"{LIST}{make.make_memory(workspace, text).pk}/split/").text
    assert ">Plays chess.</textarea>" in page
    assert ">Lives in Bern. Is vegan.</textarea>" in page


def test_what_matches_or_is_selected_is_taken_out(client: Client, workspace: Workspace) -> None:
    risky = make.make_memory(workspace, "=HYPERLINK is what they call it", key="name_of_link", value=["喜", "x"])
    other, _foreign = make.make_memory(workspace, "喜欢绿茶"), make.make_memory(make.make_workspace("other"), "Plays")
    text = b"".join(client.get(f"{LIST}export/").streaming_content).decode()  # type: ignore[attr-defined]
    assert "'=HYPERLINK" in text
    assert "喜欢绿茶" in text
    assert "Plays" not in text
    told = {row["ref"]: row for row in csv.DictReader(text.removeprefix("\ufeff").splitlines())}[risky.ref]
    assert (told["value"], told["pinned"], told["team"]) == ('["喜", "x"]', "false", "")
    found = client.post(f"{LIST}export/", {"ids": [other.pk, _foreign.pk, "x"], "format": "json"})
    rows = json.loads(b"".join(found.streaming_content))  # type: ignore[attr-defined]
    assert [row["ref"] for row in rows] == [other.ref]
    narrowed = client.get(
        f"{LIST}export/", {"key": "name_of_link", "format": "json", "sort": "expires", "Wang Wei 13800138000": "1"}
    )
    assert [row["id"] for row in json.loads(b"".join(narrowed.streaming_content))] == [str(risky.pk)]  # type: ignore[attr-defined]
    asked = AuditEvent.objects.filter(action="memory.export").order_by("at").values_list("detail__filters", flat=True)
    assert list(asked) == [[], ["selected"], ["key", "sort"]]  # names that the address brings are not kept
