"""The frame and the components in a real browser: accessible, within the policy, and usable by keyboard."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from memory_app.models import Operator
from tests.pages.gallery import PRESSED

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.urls("tests.pages.gallery")]

SIZES = {"wide": (1440, 900), "narrow": (390, 844)}
SHOTS = os.environ.get("SHOTS")  # a folder, to look at what the tests see


@pytest.fixture
def operator() -> Operator:
    return Operator.objects.create_user("lin.qiao", password="a long sentence", first_name="Lin", last_name="Qiao")


def _open(browser: Browser, size: str = "wide", **options: object) -> Page:
    width, height = SIZES[size]
    page = browser.new_page(viewport={"width": width, "height": height}, **options)
    page.set_default_timeout(10_000)
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.problems = problems  # type: ignore[attr-defined]
    return page


def _sign_in(page: Page, address: str) -> None:
    page.goto(f"{address}/accounts/login/?next=/gallery/")
    page.fill("#id_username", "lin.qiao")
    page.fill("#id_password", "a long sentence")
    page.click("button.primary")
    page.wait_for_url("**/gallery/")


def _violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
        for one in found
        for node in one["nodes"]
    ]


def _shoot(page: Page, name: str) -> None:
    if SHOTS:
        height = page.evaluate(
            "Math.max(innerHeight, (document.querySelector('#main > .page')?.scrollHeight ?? 0) + 60)"
        )
        size = page.viewport_size
        assert size is not None
        page.set_viewport_size({"width": size["width"], "height": height})
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)
        page.set_viewport_size(size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("scheme", "locale"), [("light", "en-GB"), ("dark", "zh-CN")])
def test_every_component_is_accessible(live_server, browser, operator, size, scheme, locale) -> None:
    page = _open(browser, size, color_scheme=scheme, locale=locale)
    page.goto(f"{live_server.url}/accounts/login/")
    _shoot(page, f"login-{size}-{scheme}-{locale}")
    assert _violations(page) == []
    assert page.locator("html").get_attribute("lang") == ("zh-Hans" if locale == "zh-CN" else "en")
    _sign_in(page, live_server.url)
    _shoot(page, f"gallery-{size}-{scheme}-{locale}")
    assert _violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.problems == []  # type: ignore[attr-defined]
    page.close()


@pytest.fixture
def page(live_server, browser, operator):
    page = _open(browser)
    _sign_in(page, live_server.url)
    PRESSED.clear()
    yield page
    page.close()


def test_dialogs_and_menus_are_accessible(page: Page) -> None:
    page.click("button[popovertarget=f-kind]")
    assert _violations(page) == []
    page.keyboard.press("Escape")
    page.click("button[commandfor=confirm]")
    assert _violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    assert _violations(page) == []


def test_the_theme_switch_is_instant_and_stays(page: Page, operator: Operator) -> None:
    with page.expect_response("**/accounts/theme/"):
        page.click("[data-theme-form] button")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    operator.refresh_from_db()
    assert operator.theme == "dark"


def test_the_language_switch_works_without_a_script(live_server, browser, operator) -> None:
    page = _open(browser, "narrow", java_script_enabled=False, locale="en-GB")
    _sign_in(page, live_server.url)
    assert page.locator("nav.sidebar").is_visible()
    page.click("button[name=language]")
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert page.locator("nav.sidebar").inner_text().startswith("Commonplace")
    page.close()


def test_the_drawer_opens_and_gives_focus_back(live_server, browser, operator) -> None:
    page = _open(browser, "narrow")
    _sign_in(page, live_server.url)
    page.click("[data-toggle-nav]")
    assert page.locator("[data-toggle-nav]").get_attribute("aria-expanded") == "true"
    assert page.evaluate("document.activeElement.closest('#sidebar') !== null")
    assert _violations(page) == []
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('[data-toggle-nav]')")
    page.close()


def test_rows_are_walked_and_selected_by_keyboard(page: Page) -> None:
    page.keyboard.press("j")
    page.keyboard.press("x")
    assert page.locator("#rows [data-select]:checked").count() == 1
    assert page.locator(".bulkbar").is_visible()
    assert page.locator("[data-count]").inner_text() == "1"
    page.keyboard.press("j")
    page.keyboard.press("x")
    assert page.locator("[data-select-all]").is_checked()
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 1
    page.click("[data-clear]")
    assert not page.locator(".bulkbar").is_visible()


def test_keys_press_the_buttons_they_are_shown_on(page: Page) -> None:
    with page.expect_response("**/part/1/"):
        page.keyboard.press("a")
    page.get_by_text("Part 2").wait_for()
    assert PRESSED == [1]


def test_keys_do_nothing_while_someone_types_or_an_input_method_runs(page: Page) -> None:
    page.fill("#note", "")
    page.type("#note", "a r ? /")
    assert page.input_value("#note") == "a r ? /"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+a")
    for options in ({"isComposing": True}, {"repeat": True}, {"keyCode": 229}):
        page.evaluate(
            "options => document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', bubbles: true, ...options}))",
            options,
        )
    page.click("button[commandfor=confirm]")
    page.keyboard.press("a")
    page.keyboard.press("Escape")
    page.wait_for_load_state("networkidle")
    assert PRESSED == []


def test_keys_can_be_switched_off(page: Page, operator: Operator) -> None:
    page.keyboard.press("?")
    with page.expect_response("**/accounts/shortcuts/"):
        page.uncheck("[data-keys-on]")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.reload()
    page.keyboard.press("a")
    assert not page.locator(".searchbox kbd").is_visible()
    page.wait_for_load_state("networkidle")
    assert PRESSED == []


def test_focus_stays_on_the_button_or_goes_to_the_heading(page: Page) -> None:
    page.focus("#act-same")
    page.keyboard.press("Enter")
    page.get_by_text("Part 2").wait_for()
    assert page.evaluate("document.activeElement.id") == "act-same"
    page.reload()
    page.focus("#act-once")
    page.keyboard.press("Enter")
    page.get_by_text("Part 2").wait_for()
    expect(page.locator("#part-title")).to_be_focused()


def test_a_refusal_and_a_lost_connection_are_said(page: Page) -> None:
    page.click("#act-403")
    page.locator("#live").get_by_text("Your role does not allow this.").wait_for()
    page.click("#act-409")
    page.get_by_text("Part 409").wait_for()
    page.fill("#note", "typed")
    page.context.set_offline(True)
    page.click("#act-same")
    page.locator("#live [data-retry]").wait_for()
    assert page.input_value("#note") == "typed"
    page.context.set_offline(False)
    PRESSED.clear()
    with page.expect_response("**/part/409/"):
        page.click("#live [data-retry]")
    assert PRESSED == [409]


def test_a_lost_connection_is_said_inside_the_dialog_that_lost_it(page: Page) -> None:
    page.click("button[commandfor=keys]")
    page.evaluate(
        "document.querySelector('#keys form').setAttribute('hx-post', '/part/403/'); htmx.process(document.body)"
    )
    page.evaluate(
        "document.querySelector('#keys form').replaceWith(document.querySelector('#keys form').cloneNode(true)); htmx.process(document.body)"
    )
    page.uncheck("[data-keys-on]")
    page.locator("#keys [role=alert]").get_by_text("Your role does not allow this.").wait_for()
    assert page.locator("#live").inner_text() == ""


def test_the_preferences_page_is_accessible(page: Page) -> None:
    page.goto(page.url.replace("/gallery/", "/accounts/preferences/"))
    _shoot(page, "preferences")
    assert _violations(page) == []
    assert page.problems == []  # type: ignore[attr-defined]
