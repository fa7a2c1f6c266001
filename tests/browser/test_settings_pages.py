"""Rules, agents and keys, members, slots, audit log and search in a real browser, with and without a script."""

import re
from typing import Any

import pytest
from playwright.sync_api import Dialog, expect

from memory_app.models import Alert, ApiKey, Membership, Operator, Slot, Workspace
from tests import factories as make

from .conftest import LOOKS, SIZES, Open, fits, shoot, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
W = "/w/travel/"


@pytest.fixture
def admin(workspace: Workspace) -> Operator:
    make.make_memory(workspace, "不吃花生", key="allergy", value="peanuts")
    make.make_memory(workspace, "Cannot have milk", key="allergy", value="milk")
    session = make.make_session(workspace, agent="booking-bot")
    make.make_turn(session, "我喜欢靠窗的座位。")
    note = make.make_note(session, "喜欢靠窗的座位", "我喜欢靠窗的座位")
    make.make_decision(note)
    Alert.objects.create(workspace=workspace, kind="writes", subject="booking-bot", detail={"count": 120, "usual": 2.5})
    return make.make_operator(workspace, "admin", "wen", first_name="Wen", last_name="Ito")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("scheme", "locale"), LOOKS)
def test_the_pages_are_accessible(
    open_page: Open, workspace: Workspace, admin: Operator, size: str, scheme: str, locale: str
) -> None:
    slot = Slot.objects.get(workspace=workspace, key="allergy")
    pages = {
        "rules": "rules/", "guards": "rules/?tab=guardrails", "deciding": "rules/?tab=decisions",
        "policy": "rules/policy/", "own_rules": "rules/guardrails/", "agents": "agents/", "keys": "agents/?tab=keys", "members": "members/",
        "slots": "slots/", "slot": f"slots/{slot.pk}/", "audit": "audit/", "search": "search/?q=milk", "quality": "quality/", "metric": "quality/metric/?metric=reversals",
        "queue_age": "quality/metric/?metric=queue_age", "overview": "overview/",
    }  # fmt: skip
    page = open_page(f"{W}rules/", size, scheme, who=admin, locale=locale)
    for name, path in pages.items():
        page.goto(re.sub(r"/w/.*", W + path, page.url))
        shoot(page, f"{name}-{size}-{scheme}-{locale}")
        assert violations(page) == [], name
        assert fits(page), name
        if name == "policy":
            assert page.evaluate("document.querySelector('#policy-form table').scrollWidth <= innerWidth")
    page.goto(re.sub(r"/w/.*", f"{W}members/", page.url))
    for opener in ("#act-add", "#act-create", "#act-solo"):
        page.click(opener)
        assert violations(page) == [], opener
        page.keyboard.press("Escape")
    assert page.problems == []  # type: ignore[attr-defined]


def test_a_key_is_made_copied_and_revoked(open_page: Open, admin: Operator) -> None:
    page = open_page(f"{W}agents/?tab=keys", who=admin, permissions=["clipboard-read", "clipboard-write"])
    page.click("#act-new-key")
    page.click("#act-make-key")
    expect(page.locator("#key-form .error")).to_have_count(1)
    page.fill("#key-name", "Booking")
    page.click("#act-make-key")
    expect(page.locator("#new-key")).to_have_value(re.compile("^cpk_"))
    page.click("[data-copy]")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.input_value("#new-key")
    page.reload()
    expect(page.locator("#new-key")).to_have_count(0)
    page.get_by_role("button", name="Revoke Booking").click()
    page.get_by_role("button", name="Revoke the key").click()
    expect(page.get_by_text("No keys yet.")).to_be_visible()
    assert ApiKey.objects.get().revoked_at is not None


def test_a_member_is_created_without_a_script(open_page: Open, workspace: Workspace, admin: Operator) -> None:
    page = open_page(f"{W}members/", who=admin, java_script_enabled=False)
    page.click("#act-create")
    page.fill("#new-username", "not a name")
    page.click("#act-create-member")
    expect(page.locator("#create-member[open] .error")).to_be_visible()
    page.fill("#new-username", "mei")
    page.click("#act-create-member")
    expect(page.locator("#new-password")).to_have_value(re.compile(r"^\w{5}(-\w{5}){3}$"))
    assert Membership.objects.get(operator__username="mei").role == "viewer"


def test_a_policy_is_saved_and_the_field_that_is_wrong_keeps_what_was_typed(open_page: Open, admin: Operator) -> None:
    page = open_page(f"{W}rules/", who=admin)
    page.keyboard.press("e")
    page.fill("#policy-idle_minutes", "0")
    page.fill("#policy-why", "Quicker")
    page.click("#act-save")
    expect(page.locator("#policy-idle_minutes_error")).to_be_visible()
    assert page.input_value("#policy-why") == "Quicker"
    page.fill("#policy-idle_minutes", "5")
    page.click("#act-save")
    expect(page.locator("#h-policy")).to_contain_text("Policy version 2")
    assert page.url.endswith(f"{W}rules/")


def test_a_changed_form_is_not_left_without_a_word(open_page: Open, admin: Operator) -> None:
    page, asked = open_page(f"{W}rules/guardrails/", who=admin), []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.fill("#id_own-0-name", "codes")
    with page.expect_event("dialog"):
        page.click("nav.crumbs a", no_wait_after=True)
    assert page.input_value("#id_own-0-name") == "codes"
    page.fill("#id_own-0-entries", "Bluebird")
    page.click("#act-try")
    page.get_by_role("button", name="Change the guardrails").click()
    expect(page.locator("#id_own-0-entries")).to_have_value("Bluebird")
    page.click("nav.crumbs a")
    expect(page).to_have_url(re.compile("tab=guardrails"))
    assert asked == ["beforeunload"]


def test_an_operator_is_created_by_enter_in_the_last_field(open_page: Open, admin: Operator) -> None:
    page = open_page(f"{W}members/", who=admin)
    page.click("#act-create")
    page.fill("#new-username", "mei")
    page.press("#new-role", "Enter")
    expect(page.locator("#new-password")).to_be_focused()


def test_the_search_of_the_top_bar_leads_to_a_page(open_page: Open, workspace: Workspace, admin: Operator) -> None:
    memory: Any = make.make_memory(workspace, "Takes the night train")
    page = open_page(f"{W}overview/", who=admin)
    page.keyboard.press("/")
    page.keyboard.type(memory.ref)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/memories/{memory.pk}/")
    page.keyboard.press("/")
    page.keyboard.type("night train")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Takes the night train")).to_be_visible()
