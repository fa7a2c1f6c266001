"""Review and sessions in a real browser: by keyboard and mouse, with and without a script, two people at once."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from consolidation.actions import run_consolidation
from consolidation.models import ConsolidationRun
from memory_app.actions.decisions import approve, decline
from memory_app.models import Decision, DecisionStatus, Memory, Session, Workspace
from tests import factories as make

from .conftest import LOOKS, SIZES, Open, fits, shoot, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REVIEW = "/w/travel/review/"


@pytest.fixture
def trip(workspace: Workspace) -> Session:
    """A session with decisions of every kind, and older ones of other people."""
    early = make.make_memory(workspace, "倾向早班机", key="flight_time", value="morning", updated_at=make.days_ago(90))
    aisle = make.make_memory(
        workspace, "通常偏好靠过道", key="seat_preference", value="aisle", updated_at=make.days_ago(200)
    )
    late_return = make.make_memory(workspace, "当天往返时选最晚一班返程", kind="episodic", updated_at=make.days_ago(40))
    for user, text in (
        ("Emma Clarke", "Wants a quiet room away from the street after the Tokyo stay"),
        ("Noah Kim", "Call me Noah, not Mr Kim"),
        ("Priya Nair", "Hotel cap is now 1,500 USD, not 1,000"),
    ):
        session = make.make_session(workspace, user=user, agent="travel-assistant")
        make.make_turn(session, f"{text}.")
        make.make_decision(
            make.make_note(session, text, text), confidence=0.58, sensitivity="health" if "Emma" in user else ""
        )
    session = make.make_session(workspace, agent="travel-assistant", external_id="trip-0909")
    make.make_turn(session, "帮我安排下周出差，上海到北京。这次想靠窗休息；以后短途优先高铁。")
    make.make_turn(session, "好的，本次按靠窗安排。上海到北京四个半小时，我先比较高铁与航班。", "assistant")
    make.make_turn(session, "偏好过道座位是平时的习惯，不用改。卡号 4111 1111 1111 1111，先记一下。")
    make.make_turn(session, "上次早上五点起来赶飞机太累了。以后别订早班机了，优先晚班，到酒店晚一点没关系。")
    make.make_turn(session, "上次东京那家酒店临街，太吵，这次老样子就行。")
    near = [{"memory": str(m.pk), "similarity": s} for m, s in ((early, 0.89), (late_return, 0.71), (aisle, 0.37))]
    notes = {
        "window": make.make_note(session, "这次想靠窗休息", "这次想靠窗休息", key="seat_now", value="window"),
        "rail": make.make_note(session, "短途优先高铁", "以后短途优先高铁", key="short_trips", value="rail"),
        "aisle": make.make_note(session, "偏好过道座位", "偏好过道座位", key="seat_preference", value="aisle"),
        "late": make.make_note(session, "优先晚班机", "以后别订早班机了，优先晚班", key="flight_time", value="evening"),
        "loud": make.make_note(session, "上次东京那家酒店临街，太吵", "上次东京那家酒店临街，太吵", kind="episodic"),
        "same": make.make_note(session, "老样子就行", "老样子就行"),
    }
    make.make_decision(notes["window"], "session_only", hold=False)
    make.make_decision(notes["aisle"], "dedupe", memory=aisle, hold=False)
    make.make_decision(notes["same"], "reject", hold=False)
    make.make_decision(notes["loud"], "review", after={}, confidence=0.58, neighbours=near[1:])
    make.make_decision(notes["rail"], "promote", neighbours=near[1:])
    make.make_decision(
        notes["late"], "override", memory=early, neighbours=near, params={"old": "倾向早班机", "new": "优先晚班机"},
        checks=[{"name": "explicit_change", "ok": True}, {"name": "safe", "ok": True}, {"name": "not_protected", "ok": False}],
    )  # fmt: skip
    return session


def of(session: Session, action: str) -> Decision:
    return Decision.objects.get(session=session, action=action)


def title(page: Page) -> str:
    return page.locator("#d-title").inner_text()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("scheme", "locale"), LOOKS)
def test_pages_are_accessible_and_fit(open_page: Open, trip: Session, size: str, scheme: str, locale: str) -> None:
    page = open_page(REVIEW, size, scheme, locale=locale)
    for name, path in (
        ("review", REVIEW + (f"?item={of(trip, 'override').pk}" if size == "narrow" else "")),
        ("queue", f"{REVIEW}?status=all&action=review"),
        ("sessions", "/w/travel/sessions/"),
        ("session", f"/w/travel/sessions/{trip.pk}/"),
    ):
        page.goto(re.sub(r"/w/.*", path, page.url))
        shoot(page, f"{name}-{size}-{scheme}-{locale}")
        assert violations(page) == [], name
        assert fits(page), name
    assert page.problems == []  # type: ignore[attr-defined]


def test_dialogs_and_menus_are_accessible(open_page: Open, trip: Session) -> None:
    page = open_page(REVIEW)
    for opener in (
        "#act-edit",
        "#act-merge",
        "#act-decline",
        "button[popovertarget=f-add]",
        "button[popovertarget=sort-menu]",
    ):
        page.click(opener)
        shoot(page, "open-" + re.sub(r"\W+", "-", opener))
        assert violations(page) == [], opener
        page.keyboard.press("Escape")
    page = open_page(f"/w/travel/sessions/{trip.pk}/")
    page.click("#act-approve-all")
    shoot(page, "open-approve-all")
    assert violations(page) == []


def test_the_queue_is_worked_by_keyboard(open_page: Open, trip: Session) -> None:
    page = open_page(REVIEW)
    assert title(page) == "优先晚班机"
    page.keyboard.press("j")
    expect(page.locator("#d-title")).to_have_text("短途优先高铁")
    page.keyboard.press("k")
    expect(page.locator("#d-title")).to_have_text("优先晚班机")
    page.keyboard.press("a")
    expect(page.locator("#live")).to_contain_text("is now v2.")
    expect(page.locator("#d-title")).to_have_text("短途优先高铁")
    override = of(trip, "override")
    assert override.status == DecisionStatus.APPROVED
    assert page.locator(f"#q-{override.pk}").count() == 0
    assert page.locator("#nav-review").inner_text() == "5"
    expect(page.locator(".qitem a[aria-current]")).to_have_text("短途优先高铁")
    shoot(page, "approved")
    page.keyboard.press("z")
    expect(page.locator("#d-title")).to_have_text("优先晚班机")
    assert page.locator(".qitem").first.get_attribute("id") == f"q-{override.pk}"
    override.refresh_from_db()
    assert override.status == DecisionStatus.UNDONE
    page.keyboard.press("r")
    page.keyboard.press("r")
    expect(page.locator("#live")).to_contain_text("Nothing was written.")
    expect(page.locator("#d-title")).to_have_text("短途优先高铁")
    page.keyboard.press("m")
    page.keyboard.press("1")
    page.click("#act-merge-sure")  # one is of short trips, the other of returns on the same day
    expect(page.locator("#live")).to_contain_text("Merged into")
    expect(page.locator("#d-title")).to_have_text("上次东京那家酒店临街，太吵")
    page.keyboard.press("s")
    expect(page.locator("#live")).to_contain_text("Kept for this session only.")
    assert Memory.objects.get(key="flight_time", scope="user").text == "倾向早班机"
    assert [one for one in page.problems if "422" not in one] == []  # type: ignore[attr-defined]


def test_an_edit_and_its_errors(open_page: Open, trip: Session) -> None:
    page = open_page(REVIEW)
    page.keyboard.press("e")
    expect(page.locator("#edit")).to_be_visible()
    page.fill("#edit-text", "")
    page.evaluate("document.getElementById('edit-text').removeAttribute('required')")
    page.click("#edit-form .primary")
    expect(page.locator("#edit .error")).to_be_visible()
    assert violations(page) == []
    page.fill("#edit-text", "以后优先晚班机，不坐早班机")
    page.click("#edit-form .primary")
    expect(page.locator("#live")).to_contain_text("is now v2.")
    expect(page.locator("dialog[open]")).to_have_count(0)
    memory = Memory.objects.get(key="flight_time", scope="user")
    assert (memory.text, memory.author) == ("以后优先晚班机，不坐早班机", "operator")


def test_the_second_person_is_told(open_page: Open, trip: Session, workspace: Workspace) -> None:
    page = open_page(REVIEW)
    admin = make.make_operator(workspace, "admin", "zhou.min")
    decline(workspace, make.actor_of(admin, "admin"), of(trip, "override").pk)
    page.keyboard.press("a")
    expect(page.locator("#decision [role=alert]")).to_contain_text("zhou.min declined this just now.")
    shoot(page, "conflict")
    assert violations(page) == []
    page = open_page(REVIEW)
    rail = of(trip, "promote")
    assert title(page) == "短途优先高铁"
    approve(workspace, make.actor_of(admin, "admin"), rail.pk)
    page.evaluate("document.body.dispatchEvent(new CustomEvent('tick'))")
    expect(page.locator("#d-notice")).to_contain_text("zhou.min approved this")
    assert page.locator("#act-approve").count() == 0


def test_filters_swap_the_list_and_keep_the_address(open_page: Open, trip: Session) -> None:
    page = open_page(REVIEW)
    page.click("button[popovertarget=f-action]")
    page.click("#f-action a:has(.badge.override)")
    expect(page.locator(".qitem")).to_have_count(1)
    expect(page).to_have_url(re.compile("action=override"))
    page.click("#f-action-on")
    expect(page.locator(".qitem")).to_have_count(6)
    page.click(".qitem >> nth=2")
    expect(page).to_have_url(re.compile("item="))
    page.reload()
    assert page.locator(".qitem a[aria-current]").count() == 1


def test_selected_items_are_declined_together(open_page: Open, trip: Session) -> None:
    page = open_page(REVIEW)
    boxes = page.locator(".qitem [data-select]")
    boxes.nth(3).check()
    page.keyboard.press("Escape")
    expect(page.locator(".bulkbar")).to_be_hidden()
    for index in (0, 1):
        boxes.nth(index).check()
    page.keyboard.press("r")  # what is selected comes before what is open
    shoot(page, "bulk")
    page.click("#bulk-decline .primary")
    expect(page.locator("#live")).to_contain_text("2 decisions declined.")
    expect(page.locator(".qitem")).to_have_count(4)
    expect(page.locator("#d-title")).to_have_text("上次东京那家酒店临街，太吵")


def test_pages_of_the_list_follow_as_it_is_scrolled(open_page: Open, workspace: Workspace, monkeypatch: Any) -> None:
    monkeypatch.setattr("consolidation.queries.queue.PAGE_SIZE", 5)
    for n in range(12):
        session = make.make_session(workspace)
        make.make_turn(session, f"Fact {n} holds.")
        make.make_decision(make.make_note(session, f"Fact {n} holds", f"Fact {n} holds", key=f"fact_{n}"))
    page = open_page(REVIEW)
    for place in range(1, 12):
        expect(page.locator(".qitem").nth(place)).to_be_attached()
        page.keyboard.press("j")
    expect(page.locator("#d-title")).to_have_text(re.compile("Fact"))


def test_a_phone_shows_the_list_or_the_item(open_page: Open, trip: Session) -> None:
    page = open_page(REVIEW, "narrow")
    expect(page.locator("#decision")).to_be_hidden()
    page.click(".qitem >> nth=0")
    expect(page.locator("#decision")).to_be_visible()
    expect(page.locator("#queue")).to_be_hidden()
    expect(page).to_have_url(re.compile("item="))
    page.click("#act-decline")
    expect(page.locator("#decline-menu")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    page.click("#act-approve")
    expect(page.locator("#live")).to_contain_text("is now v2.")
    page.click("#decision .back")
    expect(page.locator("#queue")).to_be_visible()


def test_the_next_decision_on_a_phone_begins_at_its_top(open_page: Open, trip: Session) -> None:
    page = open_page(f"{REVIEW}?item={of(trip, 'override').pk}", "narrow")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.click("#act-approve")
    expect(page.locator("#d-title")).to_have_text("短途优先高铁")
    expect(page.locator("#d-title")).to_be_focused()
    expect(page.locator("#d-title")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0
    message, bar = page.locator("#live .snackbar"), page.locator("#actions")
    expect(message).to_be_visible()
    page.evaluate("Promise.all(document.querySelector('#live').getAnimations({subtree: true}).map(a => a.finished))")
    said, buttons = message.bounding_box(), bar.bounding_box()
    assert said is not None
    assert buttons is not None
    assert said["y"] + said["height"] <= buttons["y"]


def test_a_message_goes_by_itself_but_not_while_it_is_used(open_page: Open, trip: Session) -> None:
    page = open_page(REVIEW)
    page.clock.install()
    page.click("#act-decline")
    page.click("#decline-plain")
    message = page.locator("#live .snackbar")
    expect(message).to_contain_text("Declined")
    page.locator("#act-undo").focus()
    page.clock.run_for(20_000)
    expect(message).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    page.clock.run_for(1_500)
    expect(message).to_have_count(0)


def test_nothing_of_the_skip_link_shows_before_it_is_focused(open_page: Open, workspace: Workspace) -> None:
    page = open_page(REVIEW)
    shadow = "getComputedStyle(document.querySelector('.skip')).boxShadow"
    assert page.evaluate(shadow) == "none"
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    assert page.evaluate(shadow) != "none"


def test_the_workbench_is_decided_in_place(open_page: Open, trip: Session) -> None:
    page = open_page(f"/w/travel/sessions/{trip.pk}/")
    late = of(trip, "override")
    row = page.locator(f"#c-{late.note.number}")  # type: ignore[union-attr]
    row.get_by_role("button", name=f"Approve {late.ref}").click()
    expect(row).to_contain_text("Approved")
    expect(page.locator("#live")).to_contain_text("is now v2.")
    expect(page.locator("#session-state")).to_contain_text("2 of 6")
    expect(page.locator("#act-approve-all")).to_contain_text("Approve 1 pending")
    page.keyboard.press("z")
    expect(row).to_contain_text("Undone")
    page.click("#act-approve-all")
    page.click("#approve-all .primary")
    expect(page.locator("#live")).to_contain_text("2 decisions approved.")
    assert page.problems == []  # type: ignore[attr-defined]


def test_a_run_is_followed_by_itself(open_page: Open, workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "From now on I prefer rail for short trips.")
    make.make_note(
        session, "Prefers rail for short trips", "From now on I prefer rail for short trips", key="short_trips"
    )
    page = open_page(f"/w/travel/sessions/{session.pk}/")
    page.click("#act-consolidate")
    expect(page.locator("#run")).to_contain_text("waits for a worker")
    shoot(page, "running")
    assert violations(page) == []
    run_consolidation(ConsolidationRun.objects.get().pk)
    expect(page.locator("#live")).to_contain_text("Consolidated: 1 decision.")
    expect(page.locator("table.workbench td.mid")).not_to_contain_text("Not decided yet")
    assert page.problems == []  # type: ignore[attr-defined]


def test_it_works_without_a_script(open_page: Open, trip: Session) -> None:
    page = open_page(REVIEW, java_script_enabled=False)
    page.click("#act-approve")
    expect(page.locator("#d-title")).to_have_text("短途优先高铁")
    expect(page.locator("#live")).to_contain_text("is now v2.")
    page.goto(page.url.partition("/w/")[0] + f"/w/travel/sessions/{trip.pk}/")
    page.get_by_role("button", name=f"Approve {of(trip, 'promote').ref}").click()
    assert of(trip, "promote").status == DecisionStatus.APPROVED
