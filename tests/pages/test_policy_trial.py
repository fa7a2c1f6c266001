"""A policy tried from its form: what would be different is shown before it is in force."""

from typing import Any

import pytest
from django.test import Client

from consolidation.actions import end_session, run_consolidation
from consolidation.actions.policies import current_policy, put_policy
from consolidation.domain.policy import Policy
from consolidation.models import PolicyTrial, PolicyVersion
from memory_app.models import Decision, Operator, Workspace
from tests import factories as make
from tests.jobs import finished

from .test_rules import EDIT, HX, SAVE, filled
from .visitors import signed_in

pytestmark = pytest.mark.django_db
TRY = "/w/travel/rules/policy/try/"


@pytest.fixture
def operator(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "admin", "lin.qiao")


@pytest.fixture
def consolidated(workspace: Workspace) -> None:
    session = make.make_session(workspace)
    make.make_turn(session, "I always take the <b>aisle</b> seat.")
    make.make_note(session, "Always takes the <b>aisle</b> seat", "I always take the <b>aisle</b> seat", key="seat")
    run_consolidation(end_session(session, make.AGENT).pk)


def tried(client: Client, **changes: Any) -> str:
    """The address of the trial that the form begins, gone through."""
    answer = client.post(TRY, filled(client, why="Because of M-1", **changes))
    assert answer.status_code == 302
    finished(PolicyTrial.objects.get())
    return answer["Location"]


def test_it_is_shown_before_it_is_in_force(client: Client, consolidated: None, workspace: Workspace) -> None:
    url = tried(client, certain="1", idle_minutes="10")
    page = client.get(url).content.decode()
    assert not PolicyVersion.objects.exists()
    assert "of 1 decision would have been different" in page
    assert "waits for a curator" in page
    assert "Always takes the &lt;b&gt;aisle&lt;/b&gt; seat" in page
    assert "Idle minutes" in page
    assert client.get(url).context["why"] == "Because of M-1"
    adopted = client.post(f"{url}adopt/", {"why": "More care"})
    assert adopted.status_code == 302
    policy = current_policy(workspace)
    assert (policy.version, policy.certain, policy.idle_minutes) == (2, 1.0, 10)


def test_it_is_changed_on_from_what_was_tried(client: Client, workspace: Workspace) -> None:
    page = client.get(tried(client, certain="0.95"))
    assert [words for words, _href in page.context["edits"]] == ["Change the policy"]
    ((_words, href),) = page.context["edits"]
    assert href in page.content.decode()
    form = client.get(href)
    assert (form.context["form"]["certain"].value(), form.context["version"]) == (0.95, 1)
    assert client.get(EDIT).context["form"]["certain"].value() == Policy().certain
    put_policy(workspace, make.BACK_OFFICE, {"idle_minutes": 10}, "meanwhile")
    assert client.get(href).context["version"] == 1  # so that saving tells what was saved meanwhile
    for wrong in ("x", "", "00000000-0000-0000-0000-000000000000"):
        assert client.get(EDIT, {"trial": wrong}).status_code == 404


@pytest.mark.parametrize("headers", [{}, HX], ids=["without a script", "with htmx"])
def test_a_reason_edited_beside_a_trial_goes_along_to_the_form(client: Client, headers: dict[str, Any]) -> None:
    url = tried(client, certain="0.95")
    ((_words, href),) = client.get(url).context["edits"]
    assert client.get(href).context["form"]["why"].value() == "Because of M-1"
    answer = client.post(f"{url}adopt/", {"why": "Of card 4111 1111 1111 1111", "edit": href}, **headers)
    assert (answer.headers.get("Location") or answer.headers["HX-Redirect"]) == href
    kept = client.get(href).context["form"]["why"].value()
    assert kept.startswith("Of card ")
    assert "4111" not in kept
    assert client.get(url).context["why"] == kept
    assert not client.get(EDIT).context["form"]["why"].value()
    assert client.post(f"{url}adopt/", {"edit": "https://example.com/"}).status_code == 404
    assert not PolicyVersion.objects.exists()


def test_the_trial_of_another_workspace_fills_no_form(client: Client, workspace: Workspace) -> None:
    tried(client, certain="0.95")
    stranger = signed_in(make.make_operator(make.make_workspace("other"), "admin"))
    for path in ("policy", "guardrails"):
        answer = stranger.get(f"/w/other/rules/{path}/", {"trial": str(PolicyTrial.objects.get().pk)})
        assert answer.status_code == 404


def test_a_form_that_came_back_holds_what_is_not_saved(client: Client) -> None:
    assert 'data-unsaved=""' in client.get(EDIT).content.decode()
    assert 'data-unsaved="yes"' in client.post(SAVE, filled(client, certain="7"), **HX).content.decode()


def test_a_running_trial_asks_again_and_a_finished_one_does_not(client: Client, consolidated: None) -> None:
    answer = client.post(TRY, filled(client, why=None), **HX)
    url = answer["HX-Redirect"]
    assert 'hx-trigger="every 1s"' in client.get(url, **HX).content.decode()
    finished(PolicyTrial.objects.get())
    found = client.get(url, **HX).content.decode()
    assert 'hx-trigger="every 1s"' not in found
    assert "Nothing would have been decided otherwise." in found


def test_what_cannot_be_is_told_at_its_field(client: Client) -> None:
    answer = client.post(TRY, filled(client, certain="1.5"), **HX)
    assert (answer.status_code, answer["HX-Retarget"]) == (422, "#policy-form")
    assert 'id="policy-certain_error"' in answer.content.decode()
    assert not PolicyTrial.objects.exists()


def test_it_is_not_adopted_over_another_version(client: Client, consolidated: None, workspace: Workspace) -> None:
    url = tried(client, certain="1")
    assert client.post(f"{url}adopt/", {"why": " "}, **HX).status_code == 422
    put_policy(workspace, make.BACK_OFFICE, Policy().to_json(), "meanwhile")
    answer = client.post(f"{url}adopt/", {"why": "More care"}, **HX)
    assert answer.status_code == 412
    assert "Another version was saved" in answer.content.decode()
    assert "More care" in answer.content.decode()
    assert PolicyVersion.objects.count() == 1


def test_a_form_that_is_older_than_the_policy_is_not_tried(client: Client, workspace: Workspace) -> None:
    form = filled(client, why=None, certain="1")
    put_policy(workspace, make.BACK_OFFICE, Policy().to_json() | {"idle_minutes": 10}, "meanwhile")
    answer = client.post(TRY, form, **HX)
    assert answer.status_code == 412
    assert "saved version 2 while you were editing" in answer.content.decode()
    assert not PolicyTrial.objects.exists()


def test_an_old_version_is_compared_and_restored(client: Client, consolidated: None, workspace: Workspace) -> None:
    put_policy(workspace, make.BACK_OFFICE, Policy().to_json() | {"certain": 1.0}, "strict")
    answer = client.post(TRY, {"try_version": "1"})
    finished(PolicyTrial.objects.get())
    page = client.get(answer["Location"]).content.decode()
    assert "of 1 decision would have been different" in page
    assert page.count(">Version 1<") == 2  # it is called by its number wherever it is compared
    assert "Restore version 1</button>" in page
    client.post(f"{answer['Location']}adopt/", {"why": "Too strict"})
    assert (current_policy(workspace).version, current_policy(workspace).certain) == (3, Policy().certain)
    assert client.post(TRY, {"try_version": "77"}).status_code == 404


def test_an_old_version_is_restored_from_its_page(client: Client, workspace: Workspace) -> None:
    put_policy(workspace, make.BACK_OFFICE, Policy().to_json() | {"certain": 1.0}, "strict")
    assert "Restore version 1</button>" in client.get("/w/travel/rules/?version=1").content.decode()
    assert "Restore version" not in client.get("/w/travel/rules/").content.decode()
    url = client.post(TRY, {"try_version": "1", "restore": "1"})["Location"]
    assert url.endswith("#adopt")  # where the reason is asked for


def test_rulings_become_advice_that_can_be_tried(client: Client, workspace: Workspace) -> None:
    for n in range(6):
        session = make.make_session(workspace, f"user-{n}")
        make.make_turn(session, f"I take seat {n}.")
        note = make.make_note(session, f"Takes seat {n}", f"I take seat {n}", key="seat", value=n)
        decision = make.make_decision(note)
        Decision.objects.filter(pk=decision.pk).update(status="undone", confidence=0.6, rule="promote.durable")
    url = "/w/travel/rules/?tab=decisions"
    page = client.get(url)
    assert (page.context["advice"].certain, page.context["advice"].wrong) == (0.65, 6)
    row = next(row for row in page.context["rows"] if row["rule"] == "promote.durable")
    assert (row["rulings"].judged, row["rulings"].overruled, row["rulings"].confidence) == (6, 6, pytest.approx(0.6))
    answer = client.post(TRY, {"try_certain": "0.65"})
    assert answer.status_code == 302
    assert PolicyTrial.objects.get().content["certain"] == 0.65
    for wrong in ("nan", "2", "x"):
        assert client.post(TRY, {"try_certain": wrong}).status_code == 404


def test_queries_do_not_grow(
    client: Client, workspace: Workspace, django_assert_max_num_queries: Any, consolidated: None
) -> None:
    url = tried(client, certain="1")
    trial = PolicyTrial.objects.get()
    PolicyTrial.objects.filter(pk=trial.pk).update(changes=trial.changes * 30)
    with django_assert_max_num_queries(20):
        assert client.get(url).content.decode().count("waits for a curator") > 30


def test_the_reason_waits_without_secrets_and_no_longer_than_a_version_takes(client: Client) -> None:
    why = "Their card 4111 1111 1111 1111 was kept. " + "More care. " * 200
    answer = client.post(TRY, {"try_version": "1", "why": why})
    [kept] = client.session["trial_why"].values()
    assert len(kept) == 1_000
    assert kept.startswith("Their card ")
    assert "4111" not in kept
    assert client.get(answer["Location"]).context["why"] == kept
