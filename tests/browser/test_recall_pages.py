"""The recall debugger, the preview of a context and what an agent saw, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from memory_app.actions.memories import archive_memory
from memory_app.models import Injection, Memory, Workspace
from memory_app.recall import context_for
from tests import factories as make

from .conftest import LOOKS, SIZES, Open, fits, shoot, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RECALL = "/w/travel/recall/"


@pytest.fixture
def memory(workspace: Workspace) -> Memory:
    """What an agent was shown in a session, beside what it was not."""
    memory = make.make_memory(
        workspace, "坐飞机喜欢靠过道的座位", key="seat", value="aisle", updated_at=make.days_ago(9)
    )
    make.make_memory(workspace, "Vegetarian meals on all flights", pinned=True)
    archive_memory(make.make_memory(workspace, "以前喜欢靠窗的座位"), make.BACK_OFFICE)
    session = make.make_session(workspace, external_id="trip-0909")
    make.make_turn(session, "帮我订机票")
    context_for(workspace, user="zhang-san", session=session.pk, query="订机票选什么座位")
    return memory


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("scheme", "locale"), LOOKS)
def test_the_pages_are_accessible(open_page: Open, memory: Memory, size: str, scheme: str, locale: str) -> None:
    asked = f"{RECALL}?user=zhang-san&q=%E9%80%89%E4%BB%80%E4%B9%88%E5%BA%A7%E4%BD%8D"
    page = open_page(asked, size, scheme, locale=locale)
    session = Injection.objects.get().session_id
    for name, path in (
        ("recall", asked),
        ("recall-empty", RECALL),
        ("seen", f"/w/travel/seen/?session={session}"),
        ("user", f"/w/travel/users/{memory.user_id}/?q=seat"),
        ("memory", f"/w/travel/memories/{memory.pk}/"),
    ):
        page.goto(re.sub(r"/w/.*", path, page.url))
        shoot(page, f"{name}-{size}-{scheme}-{locale}")
        assert violations(page) == [], name
        assert fits(page), name
    page.goto(re.sub(r"/w/.*", asked, page.url))
    page.locator("#recall-results details").first.locator("summary").click()
    shoot(page, f"recall-open-{size}-{scheme}-{locale}")
    assert violations(page) == []
    assert fits(page)
    assert page.problems == []  # type: ignore[attr-defined]


def test_the_debugger_answers_while_it_is_typed(open_page: Open, memory: Memory) -> None:
    page = open_page(f"{RECALL}?user=zhang-san")
    page.locator("#recall-q").press_sequentially("选什么座位", delay=20)
    expect(page.locator("#recall-results li.ok")).to_contain_text("坐飞机喜欢靠过道的座位")
    expect(page.locator("#recall-results li.out", has_text="以前喜欢靠窗的座位")).to_contain_text("archived")
    expect(page.locator("#recall-results li.ok .reason[lang=zh-Hans]")).to_contain_text("说过")
    page.wait_for_url(re.compile("q=.*座位|q=%E9"))
    expect(page.locator("#recall-q")).to_be_focused()
    page.select_option("#recall-limit", "20")
    page.wait_for_url(re.compile("limit=20"))
    page.fill("#recall-as-of", "2020-01-01T00:00:00")
    page.locator("#recall-as-of").blur()
    expect(page.locator("#recall-results li")).to_have_count(0)
    page.wait_for_url(re.compile("as_of=2020"))
    page.wait_for_load_state("networkidle")
    assert page.problems == []  # type: ignore[attr-defined]
    page.reload()
    expect(page.locator("#recall-as-of")).to_have_value(re.compile("^2020-01-01T00:00"))


def test_the_preview_follows_what_is_typed(open_page: Open, memory: Memory) -> None:
    page = open_page(f"/w/travel/users/{memory.user_id}/")
    page.locator("#preview-q").press_sequentially("选什么座位", delay=20)
    expect(page.locator("#context-why")).to_contain_text("words: place 1")
    expect(page.locator("#context-why")).to_contain_text("archived")
    expect(page.locator("#preview-q")).to_be_focused()
    expect(page.locator("#preview-q")).to_have_value("选什么座位")
    page.select_option("#preview-budget", "200")
    expect(page.locator("#context-tokens")).to_contain_text("of 200 tokens")
    assert page.problems == []  # type: ignore[attr-defined]


def test_a_session_leads_to_what_its_agent_saw(open_page: Open, memory: Memory) -> None:
    row = Injection.objects.get()
    page = open_page(f"/w/travel/sessions/{row.session_id}/")
    page.click("#act-seen")
    expect(page.locator("pre.context")).to_have_text(row.text)
    page.click("text=Ask again as of then")
    expect(page.locator("#context pre.context")).to_contain_text("坐飞机喜欢靠过道的座位")


def test_the_debugger_works_without_a_script(open_page: Open, memory: Memory) -> None:
    page = open_page(RECALL, java_script_enabled=False)
    page.fill("#recall-user", "zhang-san")
    page.fill("#recall-q", "选什么座位")
    page.click("#act-recall")
    expect(page.locator("#recall-results li.ok")).to_contain_text("坐飞机喜欢靠过道的座位")
