"""What a page does when things go wrong around it: signed out meanwhile, something gone, and text of every size."""

from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import expect

from memory_app.actions.erasing import erase_memory
from memory_app.models import Memory, Operator, Workspace
from tests import factories as make

from .conftest import Open, fits

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "a long sentence"
LONG = "Z" * 300  # without a place to break
ARABIC = "يفضل مقعدا بجانب الممر‏ في كل رحلة " * 8


@pytest.fixture
def memory(workspace: Workspace) -> Memory:
    return make.make_memory(workspace, "Lives in Bern", key="home_city", value="Bern")


def test_what_was_typed_outlives_the_sign_in(
    open_page: Open, memory: Memory, operator: Operator, live_server: Any
) -> None:
    operator.set_password(PASSWORD)
    operator.save()
    page = open_page(f"/w/travel/memories/{memory.pk}/?edit=1")
    page.fill("dialog[open] [name=text]", "Lives in Basel")
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    save = page.locator("dialog[open] button.primary")
    save.click()
    notice = page.locator("dialog[open] [data-problem]")
    expect(notice).to_contain_text("What you typed is still here.")
    with page.context.expect_page() as opened:
        notice.get_by_role("link").click()
    other = opened.value
    other.fill("[name=username]", operator.username)
    other.fill("[name=password]", PASSWORD)
    other.press("[name=password]", "Enter")
    other.wait_for_url("**/w/**")
    other.close()
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(notice).to_have_text("You are signed in again.")
    expect(page.locator("dialog[open] [name=text]")).to_have_value("Lives in Basel")
    save.click()
    expect(page.locator("h1")).to_have_text("Lives in Basel")
    memory.refresh_from_db()
    assert memory.text == "Lives in Basel"


def test_what_was_deleted_meanwhile_is_said(open_page: Open, memory: Memory, operator: Operator) -> None:
    page = open_page(f"/w/travel/memories/{memory.pk}/?edit=1")
    page.fill("dialog[open] [name=text]", "Lives in Basel")
    erase_memory(memory, make.actor_of(operator, "admin"))
    page.locator("dialog[open] button.primary").click()
    expect(page.locator("dialog[open] [data-problem=gone]")).to_be_visible()
    expect(page.locator("dialog[open] [name=text]")).to_have_value("Lives in Basel")


def test_any_text_fits_a_narrow_page(open_page: Open, workspace: Workspace) -> None:
    session = make.make_session(workspace, user=LONG[:120])
    make.make_turn(session, LONG)
    decision = make.make_decision(make.make_note(session, LONG, LONG))
    kept = make.make_memory(workspace, ARABIC, LONG[:120], key="k" * 60, value=LONG[:150])
    page = open_page("/w/travel/memories/", "narrow")
    assert fits(page)
    for path in (f"memories/{kept.pk}/", f"review/?item={decision.pk}", f"sessions/{session.pk}/"):
        page.goto(page.url.partition("/w/")[0] + "/w/travel/" + path)
        assert fits(page), path
