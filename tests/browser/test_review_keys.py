"""The keyboard in review and approvals: where the focus is after each key, how far an undo goes, what a dialog does."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from memory_app.models import Decision, DecisionStatus, Memory, Operator, Workspace
from tests import factories as make
from tests.pages.reviewing import a_contradiction, a_promotion, some_facts

from .conftest import Open, shoot, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REVIEW = "/w/travel/review/"


@pytest.fixture
def waiting(workspace: Workspace) -> list[Decision]:
    return some_facts(workspace)


@pytest.fixture
def contradiction(workspace: Workspace) -> Decision:
    return a_contradiction(workspace)


def heading(page: Page, text: str) -> None:
    """The heading of this item is there and has the focus."""
    expect(page.locator("#d-title")).to_have_text(text)
    expect(page.locator("#d-title")).to_be_focused()


def states(decisions: list[Decision]) -> list[str]:
    return list(
        Decision.objects.filter(pk__in=[d.pk for d in decisions]).order_by("-number").values_list("status", flat=True)
    )


def test_each_key_leaves_the_focus_on_what_comes_next(open_page: Open, waiting: list[Decision]) -> None:
    page = open_page(f"{REVIEW}?action=promote")
    page.keyboard.press("a")
    heading(page, "Fact number 2 holds")
    page.keyboard.press("r")
    expect(page.locator("#decline-plain")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#decline-menu")).to_be_hidden()
    heading(page, "Fact number 2 holds")
    page.keyboard.press("r")
    page.keyboard.press("2")
    heading(page, "Fact number 1 holds")
    page.keyboard.press("s")
    heading(page, "Fact number 0 holds")
    assert states(waiting) == ["approved", "declined", "approved", "pending"]
    assert Decision.objects.get(status="declined").reason_code == "not_lasting"
    page.keyboard.press("z")
    heading(page, "Fact number 1 holds")
    page.keyboard.press("z")
    heading(page, "Fact number 2 holds")
    page.keyboard.press("z")
    heading(page, "Fact number 3 holds")
    expect(page.locator(".qitem a[aria-current]")).to_have_text(["Fact number 3 holds"])  # of all that came back
    expect(page).to_have_url(re.compile(r"\?action=promote&item="))  # back through the list that it was done in
    expect(page.locator("#decision .keys-only.muted").first).to_have_text("1 / 4")
    expect(page.locator("#queue-progress")).to_contain_text(re.compile(r"0\s*/\s*4"))
    page.keyboard.press("z")
    expect(page.locator("#live")).to_contain_text("Nothing more to undo")
    expect(page.locator("#live a")).to_have_attribute("href", f"{REVIEW}?status=approved")
    assert states(waiting) == ["undone", "undone", "undone", "pending"]
    assert page.problems == []  # type: ignore[attr-defined]


def test_another_language_keeps_what_is_open(open_page: Open, waiting: list[Decision]) -> None:
    page = open_page(f"{REVIEW}?sort=created")
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile("item="))
    address = page.url
    page.click(".topbar [name=language]")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page).to_have_url(address)


def test_dialogs_give_the_focus_back(open_page: Open, waiting: list[Decision]) -> None:
    page = open_page(REVIEW)
    page.keyboard.press("e")
    expect(page.locator("#edit-text")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#act-edit")).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    assert violations(page) == []
    shoot(page, "keys")
    page.keyboard.press("Escape")
    expect(page.locator("[commandfor=keys]").first).to_be_focused()
    page.keyboard.press("e")
    page.fill("#edit-text", "Fact number 3 holds for good")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#edit-value")).to_be_focused()  # asked once whether it still holds
    page.keyboard.press("Control+Enter")
    heading(page, "Fact number 2 holds")
    assert Memory.objects.filter(text="Fact number 3 holds for good").exists()
    page.keyboard.press("e")
    page.fill("#edit-value", "")
    page.fill("#edit-text", "Card 4111 1111 1111 1111")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#edit .error")).to_contain_text("Leave them out.")
    expect(page.locator("#edit-text")).to_be_focused()
    expect(page.locator("#live")).to_be_empty()


def test_a_result_is_chosen_with_what_it_would_do(open_page: Open, contradiction: Decision) -> None:
    page = open_page(REVIEW)
    expect(page.locator("#choice-override")).to_be_checked()
    expect(page.locator(".step.result ins")).to_have_text("220")
    page.check("#choice-reject")
    expect(page.locator("#act-approve")).to_contain_text("Keep M-")
    expect(page.locator("#choice-reject")).to_be_focused()
    expect(page.locator(".step.result ins")).to_have_count(0)
    assert violations(page) == []
    shoot(page, "choices")
    page.keyboard.press("m")
    page.keyboard.press("1")
    expect(page.locator("#decision [role=alert]")).to_contain_text("The value differs: 220 USD here, 180 USD in")
    expect(page.locator("#d-notice [data-focus]")).to_be_focused()
    assert violations(page) == []
    assert Decision.objects.get(pk=contradiction.pk).status == DecisionStatus.PENDING
    page.click("#act-merge-sure")
    expect(page.locator("#live")).to_contain_text("Merged into")


def test_a_chosen_result_leaves_the_focus_on_the_next_title(open_page: Open, contradiction: Decision) -> None:
    assert contradiction.session is not None
    note = make.make_note(contradiction.session, "Likes tea", "The hotel budget is 220 dollars")
    make.make_decision(note, "review", after={}, rule="review.failed")  # has a choice of the same name
    page = open_page(REVIEW)
    first = page.locator("#decision").get_attribute("data-item")
    page.check("#choice-reject")
    expect(page.locator("#act-approve")).to_contain_text("Reject")  # what it would do is shown
    expect(page.locator("#choice-reject")).to_be_focused()
    page.keyboard.press("a")
    expect(page.locator(f"#decision:not([data-item='{first}'])")).to_be_visible()
    expect(page.locator("#d-title")).to_be_focused()


def test_what_a_key_may_not_do_is_said(open_page: Open, waiting: list[Decision], workspace: Workspace) -> None:
    page = open_page(REVIEW, who=make.make_operator(workspace, "viewer"))
    page.keyboard.press("a")
    expect(page.locator("#live")).to_contain_text("Your role is viewer")
    assert states(waiting) == ["pending"] * 4


def test_an_edit_that_the_address_asks_for_is_modal(open_page: Open, workspace: Workspace) -> None:
    memory = make.make_memory(workspace, "Prefers rail")
    page = open_page("/w/travel/memories/")
    page.keyboard.press("j")
    page.keyboard.press("e")
    expect(page).to_have_url(re.compile(rf"/memories/{memory.pk}/\?edit=1"))
    for leave in (lambda: page.keyboard.press("Escape"), lambda: page.click("#edit menu .btn >> nth=0")):
        expect(page.locator("dialog:modal#edit")).to_be_visible()
        expect(page.locator("#edit-form textarea")).to_be_focused()
        leave()
        expect(page).to_have_url(re.compile(rf"/memories/{memory.pk}/$"))
        expect(page.locator("#edit")).to_be_hidden()
        expect(page.locator("#act-edit")).to_be_focused()
        page.goto(page.url + "?edit=1")


def test_approvals_keep_the_focus(open_page: Open, workspace: Workspace, operator: Operator) -> None:
    for n in range(2):
        a_promotion(workspace, text=f"Step number {n} comes first", needs="admin")
    page = open_page("/w/travel/approvals/", who=make.make_operator(workspace, "admin", "zhou.min"))
    page.keyboard.press("r")
    expect(page.locator("#ap-note")).to_be_focused()
    expect(page.locator("#ap-note_error")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("a")
    expect(page.locator("#act-approve-confirmed")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_contain_text("Approved.")
    expect(page.locator("#ap-title")).to_be_focused()
    page.keyboard.press("r")
    expect(page.locator("#ap-note_error")).to_be_visible()
    expect(page.locator("#live")).to_be_empty()  # what was said before is not what happened now


def test_a_secret_that_is_shown_once_has_the_focus(open_page: Open, workspace: Workspace, live_server: Any) -> None:
    page = open_page("/w/travel/agents/", who=make.make_operator(workspace, "admin"))
    page.click("[commandfor=make-key]")
    page.fill("#make-key input[name=name]", "booking agent")
    page.click("#act-make-key")
    expect(page.locator(".once input")).to_be_focused()
