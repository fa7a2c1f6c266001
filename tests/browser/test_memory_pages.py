"""Overview and memories in a real browser: by keyboard and mouse, with and without a script, two people at once."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from memory_app.actions.memories import edit_memory
from memory_app.models import Memory, Workspace
from tests import factories as make

from .conftest import LOOKS, SIZES, Open, fits, shoot, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
OVERVIEW, LIST = "/w/travel/overview/", "/w/travel/memories/"


@pytest.fixture
def late(workspace: Workspace) -> Memory:
    """A memory with two versions, and others of several people, some of them marked."""
    late = make.make_memory(workspace, "倾向早班机", key="flight_time", value="morning", updated_at=make.days_ago(90))
    make.make_memory(workspace, "通常偏好靠过道", key="seat", value="aisle", pinned=True, updated_at=make.days_ago(9))
    make.make_memory(workspace, "Vegetarian meals on all flights", user="Emma Clarke", expires_at=make.days_ago(-2))
    steps = "Check the order, then the refund conditions, then offer the refund"
    make.make_memory(workspace, steps, kind="procedural", scope="team", team="ops", user=None)
    session = make.make_session(workspace, external_id="trip-0909")
    make.make_turn(session, "上次早上五点起来赶飞机太累了。以后别订早班机了，优先晚班，到酒店晚一点没关系。")
    make.make_note(session, "卡号 4111 1111 1111 1111")
    note = make.make_note(session, "优先晚班机", "以后别订早班机了，优先晚班", key="flight_time", value="evening")
    rail = make.make_note(session, "短途优先高铁", "优先晚班", key="short_trips", value="rail")
    make.make_decision(note, "override", memory=late, hold=False, params={"old": "倾向早班机"})
    make.make_decision(rail, "promote")
    late.refresh_from_db()
    return late


def page_of(memory: Memory) -> str:
    return f"{LIST}{memory.pk}/"


def row_of(page: Page, memory: Memory) -> Locator:
    return page.locator(f'#memory-rows tr:has([value="{memory.pk}"])')


def now(memory: Memory) -> Memory:
    return Memory.objects.get(pk=memory.pk)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("scheme", "locale"), LOOKS)
def test_the_pages_are_accessible(open_page: Open, late: Memory, size: str, scheme: str, locale: str) -> None:
    page = open_page(OVERVIEW, size, scheme, locale=locale)
    for name, path in (("overview", OVERVIEW), ("memories", LIST), ("memory", f"{page_of(late)}?compare=1..2")):
        page.goto(re.sub(r"/w/.*", path, page.url))
        shoot(page, f"{name}-{size}-{scheme}-{locale}")
        assert violations(page) == [], name
        assert fits(page), name
    page.click("#act-edit")
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.click("#act-more")
    assert violations(page) == []
    assert page.problems == []  # type: ignore[attr-defined]


def test_the_fresh_overview_is_accessible(open_page: Open) -> None:
    page = open_page(OVERVIEW, "narrow")
    expect(page.get_by_text("create_api_key")).to_be_visible()
    assert violations(page) == []
    assert fits(page)


def test_the_list_is_worked_by_keyboard(open_page: Open, late: Memory) -> None:
    page = open_page(LIST)
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    expect(page.locator("[data-count]")).to_have_text("1")
    expect(page.locator(".bulkbar")).to_be_visible()
    page.click("[data-clear]")
    page.keyboard.press("k")
    row_of(page, late).locator(".primary-cell > a").first.focus()
    page.keyboard.press("e")
    page.wait_for_url(f"**{page_of(late)}?edit=1")
    expect(page.locator("#edit-text")).to_be_visible()
    expect(page.locator("#edit-text")).to_have_value("优先晚班机")


def test_searching_keeps_the_address_and_the_filters(open_page: Open, late: Memory) -> None:
    page = open_page(f"{LIST}?kind=semantic")
    page.fill("#main input[type=search]", "vegetarian")
    expect(page.locator("#memory-rows tr")).to_have_count(1)
    page.wait_for_url(re.compile(r"q=vegetarian"))
    assert "kind=semantic" in page.url
    assert page.evaluate("document.activeElement.name") == "q"
    page.click("[popovertarget=f-kind]")
    page.click("#f-kind a:has-text('Episodic')")
    page.wait_for_url(re.compile(r"(?=.*q=vegetarian)(?=.*kind=semantic)(?=.*kind=episodic)"))
    expect(page.locator("#memory-rows tr")).to_have_count(1)
    page.go_back()
    page.reload()
    expect(page.locator("#main input[type=search]")).to_have_value("vegetarian")


def test_many_are_archived_after_a_question(open_page: Open, late: Memory) -> None:
    page = open_page(LIST)
    page.check("#all")
    page.click(".bulkbar button.destructive")
    assert violations(page) == []
    page.click("#bulk-archive button.destructive")
    expect(page.locator("#live")).to_contain_text("4 memories changed. 2 sent for approval.")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert Memory.objects.filter(status="archived").count() == 4


def test_an_edit_with_an_error_then_saved_then_undone(open_page: Open, late: Memory) -> None:
    page = open_page(page_of(late))
    page.keyboard.press("e")
    expect(page.locator("#edit")).to_be_visible()
    page.fill("#edit-text", "")
    page.click("#act-save")
    expect(page.locator("#edit .error")).to_contain_text("Write what is to be remembered.")
    expect(page.locator("#edit-text")).to_have_attribute("aria-invalid", "true")
    assert violations(page) == []
    page.fill("#edit-text", "优先最晚一班机")
    page.fill("#edit-reason", "Said so on the phone")
    page.click("#act-save")
    expect(page.locator("#edit .error")).to_contain_text("The text says something else now.")
    expect(page.locator("#edit-reason")).to_have_value("Said so on the phone")
    page.click("#act-save")
    expect(page.locator("#live")).to_contain_text("is now v3.")
    expect(page.locator("h1")).to_have_text("优先最晚一班机")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_text("Said so on the phone")).to_be_visible()
    page.locator("body").focus()
    page.keyboard.press("z")
    expect(page.locator("h1")).to_have_text("优先晚班机")
    assert now(late).version == 4


def test_the_slower_of_two_people_loses_nothing(open_page: Open, late: Memory) -> None:
    page = open_page(page_of(late))
    page.click("#act-edit")
    page.fill("#edit-text", "优先晚班机，也可以红眼")
    edit_memory(late, make.BACK_OFFICE, {"importance": 0.9})
    page.click("#act-save")
    expect(page.locator("#edit [role=alert]")).to_contain_text("while you were editing: it is now v3.")
    expect(page.locator("#edit-text")).to_have_value("优先晚班机，也可以红眼")
    expect(page.locator("#edit-importance")).to_have_value("0.9")
    assert now(late).text == "优先晚班机"
    page.click("#act-save")
    expect(page.locator("#live")).to_contain_text("is now v4.")
    assert (now(late).text, now(late).importance) == ("优先晚班机，也可以红眼", 0.9)


def test_a_version_is_restored_and_provenance_followed(open_page: Open, late: Memory) -> None:
    page = open_page(page_of(late))
    page.click("button[commandfor=restore-1]")
    expect(page.locator("#restore-1")).to_contain_text("Restore v1 as v3?")
    page.click("#restore-1 button.primary")
    expect(page.locator("#live")).to_contain_text("v1 is restored")
    expect(page.locator("h1")).to_have_text("倾向早班机")
    page.click("#live #act-undo")
    expect(page.locator("h1")).to_have_text("优先晚班机")
    page.get_by_role("link", name=re.compile("^S-")).first.click()
    page.wait_for_url(re.compile(r"/sessions/.*#turn-1"))
    expect(page.locator("#turn-1 mark").first).to_be_visible()


def test_two_versions_are_compared(open_page: Open, late: Memory) -> None:
    page = open_page(page_of(late))
    page.select_option("#compare-with", "1..2")
    expect(page.locator("#compare")).to_contain_text("v1 compared with v2")
    page.wait_for_url(re.compile("compare=1..2"))


def test_everything_works_without_a_script(open_page: Open, late: Memory) -> None:
    page = open_page(LIST, java_script_enabled=False)
    row_of(page, late).locator("[data-select]").check()
    page.click(".bulkbar button:has-text('Pin')")
    _without_script(page, "#bulk-pin button.primary")
    expect(page.locator("#live")).to_contain_text("1 memory changed.")
    assert now(late).pinned
    page.goto(re.sub(r"/w/.*", page_of(late), page.url))
    page.click("button[commandfor=restore-1]")
    page.fill("#restore-1-reason", "He meant this trip")
    _without_script(page, "#restore-1 button.primary")
    expect(page.locator("#live")).to_contain_text("Sent for approval:")
    assert now(late).text == "优先晚班机"


def _without_script(page: Page, button: Any) -> None:
    page.click(button)
    page.wait_for_load_state()


def test_the_numbers_of_the_overview_lead_to_their_rows(open_page: Open, late: Memory) -> None:
    page = open_page(OVERVIEW)
    page.click(".legend a:has(i.override)")
    page.wait_for_url(re.compile("action=override"))
    expect(page.locator(".qitem")).to_have_count(1)
    page.go_back()
    page.click(".tile a:has-text('Waiting for review')")
    expect(page.locator(".qitem")).to_have_count(1)
