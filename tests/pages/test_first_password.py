"""A password that somebody else has set is replaced before anything else is seen or done."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from memory_app.actions.keys import create_key
from memory_app.actions.members import create_member, reset_password
from memory_app.actions.memories import edit_memory
from memory_app.domain.actor import Actor
from memory_app.models import AuditEvent, Decision, Operator, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/accounts/password/"
WANTED = "/w/travel/approvals/?status=mine"
ON_THE_WAY = "/accounts/password/?next=%2Fw%2Ftravel%2Fapprovals%2F%3Fstatus%3Dmine"
OWN = "a sentence of their own"


@pytest.fixture
def wen(workspace: Workspace) -> Operator:
    cache.clear()
    return make.make_operator(workspace, "admin", "wen", first_name="Wen", last_name="Ito")


@pytest.fixture
def given(workspace: Workspace, wen: Operator) -> str:
    """The first password of mei, an admin whom Wen has made."""
    return create_member(workspace, make.actor_of(wen, "admin"), username="mei", role="admin")[1]


def at_the_page(password: str) -> Client:
    """A browser in which mei has signed in, and was led from where she wanted to go."""
    browser = Client()
    form = {"username": "mei", "password": password, "next": WANTED}
    assert browser.post("/accounts/login/", form)["Location"] == WANTED
    assert browser.get(WANTED)["Location"] == ON_THE_WAY
    return browser


def chosen(old: str, new: str = OWN, **more: Any) -> dict[str, Any]:
    return {"old_password": old, "new_password1": new, "new_password2": new, "next": WANTED} | more


def test_they_choose_their_own_and_go_on_to_where_they_wanted(given: str, workspace: Workspace) -> None:
    browser = at_the_page(given)
    page = browser.get(ON_THE_WAY).content.decode()
    assert "Somebody else set the password that you signed in with" in page
    assert 'name="next" value="/w/travel/approvals/?status=mine"' in page
    assert "/w/travel/" not in page.replace(WANTED, "")  # nothing else is open, so nothing else is offered
    assert "data-toggle-nav" not in page
    answer = browser.post(PAGE, chosen(given), REMOTE_ADDR="192.0.2.7")
    assert answer["Location"] == WANTED
    assert "data-toggle-nav" in browser.get(WANTED).content.decode()  # signed in as before
    mei = Operator.objects.get(username="mei")
    assert (mei.has_first_password, mei.check_password(OWN)) == (False, True)
    event = AuditEvent.objects.get(action="member.own_password")
    assert (event.object_id, event.actor_id, event.address) == (str(mei.pk), str(mei.pk), "192.0.2.7")
    assert browser.post(PAGE, chosen(OWN, "another sentence"))["Location"] == "/accounts/preferences/"
    assert AuditEvent.objects.filter(action="member.own_password").count() == 1  # a preference from now on


def test_what_is_wrong_is_said_and_keeps_the_way(given: str) -> None:
    browser = at_the_page(given)
    for form in (chosen("wrong"), chosen(given, "short"), chosen(given, given)):
        answer = browser.post(PAGE, form)
        assert answer.status_code == 422
        assert 'name="next" value="/w/travel/approvals/?status=mine"' in answer.content.decode()
    assert "Choose another password than the present one." in answer.content.decode()
    assert browser.get(WANTED).status_code == 302
    assert browser.post(PAGE, chosen(given, next="https://elsewhere.example/"))["Location"] == "/"


def test_the_page_speaks_chinese_and_leads_out(given: str) -> None:
    browser = at_the_page(given)
    browser.post("/accounts/language/", {"language": "zh-hans", "next": ON_THE_WAY})
    assert "设置自己的密码" in browser.get(ON_THE_WAY).content.decode()
    assert "请设置与当前密码不同的密码。" in browser.post(PAGE, chosen(given, given)).content.decode()
    assert browser.post("/accounts/logout/")["Location"] == "/accounts/login/"


def test_a_part_of_a_page_is_told_where_to_go_and_nothing_is_sent(given: str, workspace: Workspace) -> None:
    browser = at_the_page(given)
    part = browser.get("/w/travel/live/", HTTP_HX_REQUEST="true", HTTP_HX_CURRENT_URL=f"http://testserver{WANTED}")
    assert (part.status_code, part["X-Sign-In"]) == (401, ON_THE_WAY)
    sent = browser.post("/w/travel/members/solo/", {"solo": "1"})
    assert sent["Location"] == "/accounts/password/?next=%2F"
    workspace.refresh_from_db()
    assert not workspace.solo


def test_so_it_is_after_a_reset_and_the_back_office_is_no_second_door(workspace: Workspace, wen: Operator) -> None:
    mei = make.make_operator(workspace, "admin", "mei")
    _, password = reset_password(workspace, make.actor_of(wen, "admin"), mei.memberships.get().pk)
    Operator.objects.filter(pk=mei.pk).update(is_staff=True, is_superuser=True)
    browser = at_the_page(password)
    for path in ("/admin/", "/admin/password_change/", "/accounts/preferences/"):
        assert browser.get(path)["Location"].startswith(PAGE)


def test_the_page_says_whose_the_proposal_is(workspace: Workspace, wen: Operator) -> None:
    """By a curator's key of theirs, by somebody whose password they have just reset, and by an agent of theirs."""
    actor = make.actor_of(wen, "admin")
    mei = make.make_operator(workspace, "admin", "mei")

    def asked(by: Actor) -> Decision:
        steps = make.make_memory(workspace, f"Ask {by.label}", kind="procedural", scope="team", team="ops")
        return edit_memory(steps, by, {"text": f"Ask {by.label} twice"}).decision

    def page(decision: Decision) -> str:
        return signed_in(wen).get("/w/travel/approvals/", {"id": str(decision.pk)}).content.decode()

    def by_key(role: str) -> Decision:
        key, _ = create_key(workspace, actor, role=role)
        return asked(Actor("key", str(key.pk), key.name, role))

    by_curator, by_agent, by_mei = by_key("curator"), by_key("agent"), asked(make.actor_of(mei, "admin"))
    assert "proposed with a key that you made. Another admin approves it." in page(by_curator)
    assert "You set the password" not in page(by_mei)
    reset_password(workspace, actor, mei.memberships.get().pk)
    assert "You set the password of whoever proposed this, and they have not replaced it yet." in page(by_mei)
    said = page(by_agent)
    assert said.index("You made the key of the agent that proposed this.") < said.index('id="act-approve"')
    assert signed_in(wen).post(reverse("approval_approve", args=["travel", by_mei.pk])).status_code == 403
    assert signed_in(wen).post(reverse("approval_approve", args=["travel", by_agent.pk])).status_code == 302
    log = signed_in(wen).get("/w/travel/audit/").content.decode()
    assert "made the key of the agent that proposed it" in log
