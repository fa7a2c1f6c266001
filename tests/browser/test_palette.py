"""The command palette: what it offers, how it is worked by keyboard, and that it does what the buttons do."""

import re

import pytest
from playwright.sync_api import expect

from memory_app.models import Decision, Operator, Workspace
from tests import factories as make
from tests.pages.reviewing import some_facts

from .conftest import LOOKS, Open, fits, shoot, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REVIEW = "/w/travel/review/"
CHOSEN = "#palette [aria-selected=true]"


@pytest.fixture
def waiting(workspace: Workspace) -> list[Decision]:
    return some_facts(workspace)


def test_a_command_a_page_and_a_memory_are_reached_by_keyboard(
    open_page: Open, workspace: Workspace, waiting: list[Decision]
) -> None:
    memory = make.make_memory(workspace, "Prefers the window seat")
    page = open_page(REVIEW)
    first = page.locator("#d-title").inner_text()
    page.keyboard.press("Control+k")
    expect(page.locator("#palette-q")).to_be_focused()
    page.keyboard.type("approve")
    expect(page.locator(CHOSEN)).to_have_text(re.compile("Approve"))
    page.keyboard.press("Enter")
    expect(page.locator("#palette")).to_be_hidden()
    expect(page.locator("#d-title")).not_to_have_text(first)
    page.keyboard.press("Control+k")
    page.keyboard.type("window seat")
    expect(page.locator("#palette [data-href]")).to_have_count(1)
    expect(page.locator(CHOSEN)).to_contain_text(memory.ref)
    page.keyboard.press("ArrowUp")  # round to the last, and back
    expect(page.locator(CHOSEN)).to_have_id("palette-search")
    page.keyboard.press("ArrowDown")
    expect(page.locator(CHOSEN)).to_contain_text(memory.ref)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/memories/{memory.pk}/")
    page.keyboard.press("Control+k")
    page.keyboard.type("guardrails")
    page.keyboard.press("Enter")
    page.wait_for_url("**/guardrails/")
    page.keyboard.press("Control+k")
    page.keyboard.type("review que")  # what the page calls itself
    expect(page.locator(CHOSEN)).to_have_text("Review")
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()
    assert page.problems == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(("scheme", "locale"), LOOKS)
@pytest.mark.parametrize("size", ["wide", "narrow"])
def test_it_is_clean_for_axe_and_fits(
    open_page: Open,
    workspace: Workspace,
    operator: Operator,
    waiting: list[Decision],
    size: str,
    scheme: str,
    locale: str,
) -> None:
    make.make_memory(workspace, "Prefers the window seat of the third row, " * 6)
    page = open_page(REVIEW, size, scheme, locale=locale)
    if size == "narrow":
        page.click("[data-palette]")
    else:
        page.keyboard.press("Control+k")
    shoot(page, f"palette-open-{size}-{locale}")
    page.keyboard.type("window")
    expect(page.locator("#palette [data-href]")).to_have_count(1)
    shoot(page, f"palette-{size}-{locale}")
    assert violations(page) == []
    assert fits(page)
    page.fill("#palette-q", "nothing has these words")
    expect(page.locator("#palette [data-none]")).to_be_visible()
    expect(page.locator(CHOSEN)).to_have_id("palette-search")
