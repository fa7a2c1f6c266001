"""What comes by itself in a real browser: told, never in the way; the next item is there before it is asked for."""

from typing import Any

import pytest
from playwright.sync_api import expect

from memory_app.models import Workspace
from tests import factories as make
from tests.pages.reviewing import LIVE, REVIEW, a_promotion
from tests.pages.visitors import signed_in

from .conftest import Open, shoot, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ASK = "document.body.dispatchEvent(new CustomEvent('tick'))"


def test_news_is_told_and_brought_on_demand(open_page: Open, workspace: Workspace) -> None:
    decision = a_promotion(workspace)
    page = open_page(REVIEW)
    page.locator(".qitem a").focus()
    top = page.locator(".qitem").bounding_box()
    wen = make.make_operator(workspace, "curator", "wen", first_name="Wen")
    signed_in(wen).get(LIVE, {"item": str(decision.pk)})
    a_promotion(workspace, text="Likes quiet rooms")
    page.evaluate(ASK)
    expect(page.locator("#show-new")).to_contain_text("1 new")
    expect(page.locator("#live-said")).to_contain_text("1 new item matches this list.")
    expect(page.locator("#nav-review")).to_have_text("2")
    expect(page.locator("#decision [data-here]")).to_have_text("Wen has this open")
    assert page.locator(".qitem").count() == 1
    assert page.locator(".qitem").bounding_box() == top  # nothing moved
    expect(page.locator(".qitem a")).to_be_focused()
    shoot(page, "news")
    assert violations(page) == []
    page.keyboard.press("n")
    expect(page.locator(".qitem")).to_have_count(2)
    assert page.problems == []  # type: ignore[attr-defined]


def test_the_next_item_is_there_without_a_request(open_page: Open, workspace: Workspace) -> None:
    for n in range(3):
        a_promotion(workspace, text=f"Likes room {n}")
    with_items: list[str] = []
    page = open_page(REVIEW)
    page.wait_for_load_state("networkidle")
    page.on("request", lambda request: with_items.append(request.url) if _opens(request) else None)
    titles = page.locator(".qitem a").all_text_contents()
    page.keyboard.press("j")
    expect(page.locator("#d-title")).to_have_text(titles[1])
    page.keyboard.press("j")
    expect(page.locator("#d-title")).to_have_text(titles[2])
    assert not with_items
    page.go_back()
    expect(page.locator("#d-title")).to_have_text(titles[1])
    assert page.problems == []  # type: ignore[attr-defined]
    page.context.clear_cookies()
    page.evaluate(ASK)  # the page that was drawn anew hears as well
    expect(page.locator("#live-state [data-when=out]")).to_be_visible()


def _opens(request: Any) -> bool:
    """htmx itself asks for an item, with the element that asked."""
    return "item=" in request.url and "/live/" not in request.url and "hx-trigger" in request.headers
