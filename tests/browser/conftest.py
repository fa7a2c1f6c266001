"""Pages in a real browser, signed in; skipped, and said so, where there is no chromium."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from memory_app.models import Operator, Workspace
from tests import factories as make
from tests.pages.conftest import browser_type_launch_args as browser_type_launch_args

SIZES = {"wide": (1440, 900), "narrow": (390, 844)}
#: Colours depend on the scheme and what fits on the language, neither on the other: both together, at both sizes.
LOOKS = [("light", "en-GB"), ("dark", "zh-CN")]
SHOTS = os.environ.get("SHOTS")  # a folder, to look at what the tests see
Open = Callable[..., Page]
expect.set_options(timeout=20_000)  # the first approval loads the embedder


@pytest.fixture
def workspace(transactional_db: None) -> Workspace:
    return make.make_workspace()


@pytest.fixture
def operator(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "curator", "lin.qiao", first_name="Lin", last_name="Qiao")


@pytest.fixture
def open_page(browser: Browser, live_server: Any, operator: Operator) -> Iterator[Open]:
    """A signed-in page at an address; `problems` of the page are what its console and scripts complain of."""
    contexts: list[BrowserContext] = []

    def open_at(path: str, size: str = "wide", scheme: str = "light", who: Operator = operator, **options: Any) -> Page:
        width, height = SIZES[size]
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **options)  # type: ignore[arg-type]
        contexts.append(context)
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": _session(who), "url": live_server.url}])
        page = context.new_page()
        page.set_default_timeout(20_000)
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text) if _matters(message) else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.problems = problems  # type: ignore[attr-defined]
        page.goto(live_server.url + path)
        return page

    yield open_at
    for context in contexts:
        context.close()


def _matters(message: ConsoleMessage) -> bool:
    """Whether the page complains of itself: taking a picture puts a style into it, which its policy refuses."""
    return message.type == "error" and not (SHOTS and "inline style" in message.text)


def _session(operator: Operator) -> str:
    client = Client()
    client.force_login(operator)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def violations(page: Page) -> list[str]:
    """What axe finds wrong, one line each."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
        for one in found
        for node in one["nodes"]
    ]


def fits(page: Page) -> bool:
    """Whether nothing makes the page scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def shoot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)
