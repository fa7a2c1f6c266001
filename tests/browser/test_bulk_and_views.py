"""What review offers beside deciding: by keyboard, clean for axe in both languages, and within a narrow screen."""

import pytest
from playwright.sync_api import Page, expect

from memory_app.models import Decision, Operator, SavedView, Workspace
from tests import factories as make
from tests.pages.reviewing import some_facts

from .conftest import Open, fits, shoot, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REVIEW = "/w/travel/review/"


@pytest.fixture
def waiting(workspace: Workspace) -> list[Decision]:
    return some_facts(workspace)


def clean(page: Page, name: str) -> None:
    shoot(page, name)
    assert violations(page) == []
    assert page.problems == []  # type: ignore[attr-defined]


def test_snooze_and_its_undo_by_keyboard(open_page: Open, waiting: list[Decision]) -> None:
    page = open_page(REVIEW)
    page.keyboard.press("h")
    expect(page.locator("#snooze-menu")).to_be_visible()
    clean(page, "snooze")
    page.keyboard.press("2")
    expect(page.locator("#live")).to_contain_text("is snoozed until")
    expect(page.locator(".qitem")).to_have_count(3)
    page.keyboard.press("z")
    expect(page.locator("#live")).to_contain_text("is back in the queue")
    expect(page.locator(".qitem")).to_have_count(4)
    page.keyboard.press("f")
    expect(page.locator("#escalate-why")).to_be_focused()
    clean(page, "escalate")
    page.keyboard.type("Two of them contradict each other")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#live")).to_contain_text("was handed to the admins")


def test_all_that_match_are_tried_and_done(
    open_page: Open, waiting: list[Decision], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("consolidation.views.bulk_plan.PART", 2)
    monkeypatch.setattr("consolidation.queries.queue.PAGE_SIZE", 3)
    page = open_page(REVIEW)
    expect(page.locator(".qitem")).to_have_count(4)  # the last row comes by itself, and comes without a tick
    page.locator("#all").check()
    page.locator("#bulk-all").check()
    page.click("#bulk button[value=decline]")
    expect(page.locator("#act-bulk")).to_have_text("Decline 4")
    clean(page, "bulk-all")
    page.click("#act-bulk")
    expect(page.locator("#live")).to_contain_text("4 decisions declined.")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("z")  # one stroke, one undo
    expect(page.locator("#live")).to_contain_text("4 decisions are open again")
    expect(page.locator("#d-title")).to_be_focused()


@pytest.mark.parametrize(("size", "language"), [("wide", "en"), ("narrow", "zh-hans")])
def test_views_merging_and_splitting(
    open_page: Open, operator: Operator, workspace: Workspace, waiting: list[Decision], size: str, language: str
) -> None:
    operator.language = language
    operator.save()
    SavedView.objects.create(workspace=workspace, owner=operator, name="Unsure", query="sort=confidence", shared=True)
    texts = ("Owns a bell; likes green tea", "Owns a bell and a drum")
    ids = "&".join(f"ids={make.make_memory(workspace, text).pk}" for text in texts)
    page = open_page(REVIEW, size)
    page.click("#act-manage-views")
    clean(page, f"views-{size}")
    assert fits(page)
    for address in (f"/w/travel/memories/merge/?{ids}", f"/w/travel/memories/{ids[4:40]}/split/"):
        page.goto(page.url.partition("/w/")[0] + address)
        clean(page, f"combine-{size}-{address[-6:-1]}")
        assert fits(page)
