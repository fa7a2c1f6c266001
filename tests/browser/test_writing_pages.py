"""What operators write by hand, in a real browser: a memory, a field of a profile, an expiry of many; and time as a slider."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from memory_app.actions.memories import edit_memory
from memory_app.models import Memory, Operator, User, Workspace
from tests import factories as make

from .conftest import SIZES, Open, fits, shoot, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LIST, NEW = "/w/travel/memories/", "/w/travel/memories/new/"


@pytest.fixture
def operator(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "admin", "lin.qiao", first_name="Lin", last_name="Qiao")


@pytest.fixture
def user(workspace: Workspace) -> User:
    memory = make.make_memory(workspace, "Prefers tea", key="drink", value="tea")
    edit_memory(memory, make.BACK_OFFICE, {"text": "Prefers coffee", "value": "coffee"})
    make.make_memory(workspace, "Prefers aisle seats", key="seat", value="aisle")
    assert memory.user is not None
    return memory.user


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_the_forms_are_accessible(open_page: Open, user: User, size: str, locale: str) -> None:
    page = open_page(NEW, size, locale=locale)
    page.click("#act-save")
    expect(page.locator("#add-form .error").first).to_be_visible()
    shoot(page, f"add-memory-{size}-{locale}")
    assert (violations(page), fits(page)) == ([], True)
    page.goto(re.sub(r"/w/.*", f"/w/travel/users/{user.pk}/", page.url))
    shoot(page, f"user-steps-{size}-{locale}")
    page.click("#act-field")
    shoot(page, f"profile-field-{size}-{locale}")
    assert (violations(page), fits(page)) == ([], True)
    page.goto(re.sub(r"/w/.*", LIST, page.url))
    page.locator("[data-select]").first.check()
    page.click('[commandfor="bulk-expire"]')
    shoot(page, f"bulk-expiry-{size}-{locale}")
    assert (violations(page), fits(page)) == ([], True)
    page.goto(re.sub(r"/w/.*", "/w/travel/rules/?tab=forgetting&count=1", page.url))
    shoot(page, f"forgetting-{size}-{locale}")
    assert (violations(page), fits(page)) == ([], True)
    page.goto(re.sub(r"/w/.*", "/w/travel/members/", page.url))
    shoot(page, f"members-{size}-{locale}")
    assert (violations(page), fits(page)) == ([], True)
    assert len(page.problems) == 1, "the refused form alone"  # type: ignore[attr-defined]


def test_a_memory_is_written_by_keyboard(open_page: Open, user: User) -> None:
    page = open_page(LIST)
    page.click("#act-add")
    page.fill("#add-owner", "zhang-san")
    page.fill("#add-text", "Pays with 4111 1111 1111 1111")
    page.fill("#add-condition", "on business trips")
    page.focus("#act-save")
    page.keyboard.press("Enter")
    expect(page.locator("#add-text_error")).to_contain_text("guardrails refuse")
    expect(page.locator("#add-condition")).to_have_value("on business trips")
    page.fill("#add-text", "Flies economy")
    page.focus("#act-save")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/memories/[0-9a-f-]{36}/"))
    expect(page.locator("h1")).to_contain_text("Flies economy")


def test_many_are_given_an_expiry_and_a_slip_keeps_the_selection(open_page: Open, user: User) -> None:
    page = open_page(LIST)
    for box in page.locator("[data-select]").all():
        box.check()
    page.click('[commandfor="bulk-expire"]')
    page.fill("#bulk-expires_at", "2020-01-01T00:00")
    page.click("#bulk-expire .primary")
    expect(page.locator("#bulk-expires_at_error")).to_contain_text("has passed")
    page.fill("#bulk-expires_at", f"{timezone.now() + timedelta(days=9):%Y-%m-%dT%H:%M}")
    page.click("#bulk-expire .primary")
    expect(page.locator("#live")).to_contain_text("2 memories changed.")
    assert not Memory.objects.filter(expires_at=None).exists()


def test_a_field_of_the_profile_is_set(open_page: Open, user: User) -> None:
    page = open_page(f"/w/travel/users/{user.pk}/")
    page.click("#act-field")
    page.fill("#field-key", "member_tier")
    page.fill("#field-value", "gold")
    page.click("#act-save-field")
    expect(page.locator("#field-source_error")).to_be_visible()
    page.fill("#field-source", "CRM")
    page.click("#act-save-field")
    expect(page.locator("#live")).to_contain_text("member_tier is in the profile.")
    expect(page.locator("#user-page")).to_contain_text("gold")
    expect(page.locator("#set-field")).to_be_hidden()


def test_time_travel_with_the_slider(open_page: Open, user: User) -> None:
    page = open_page(f"/w/travel/users/{user.pk}/")
    expect(page.locator("#asof")).to_contain_text("change 3 of 3")
    page.focus("#as-of-step")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#asof")).to_contain_text("change 2 of 3")
    expect(page.locator("#user-page")).not_to_contain_text("Prefers aisle seats")
    assert page.evaluate("document.activeElement.id") == "as-of-step"
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#user-page")).to_contain_text("Prefers tea")
    page.wait_for_url(re.compile("change=1"))
    page.keyboard.press("End")
    expect(page.locator("#asof")).to_contain_text("change 3 of 3")
