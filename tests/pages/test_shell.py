"""The frame and the components in a real browser: accessible, within the policy, and usable by keyboard."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from memory_app.models import Operator

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
    return [f"{one['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}" for one in found for node in one["nodes"]]


def _shoot(page: Page, name: str) -> None:
    if SHOTS:
        height = page.evaluate("Math.max(innerHeight, (document.querySelector('#main > .page')?.scrollHeight ?? 0) + 60)")
        size = page.viewport_size
        assert size is not None
        page.set_viewport_size({"width": size["width"], "height": height})
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)
        page.set_viewport_size(size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
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
