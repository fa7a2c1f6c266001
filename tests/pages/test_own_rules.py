"""The page of a workspace's own rules: tried on a text, on memory and on sessions, saved, shown, and wrong ones told."""

from typing import Any

import pytest
from django.test import Client

from consolidation.actions.policies import current_policy, put_policy
from consolidation.domain.policy import Policy
from consolidation.models import PolicyTrial, PolicyVersion
from consolidation.views.own_form import GuardForm, OwnRuleForms, forms_of
from memory_app.models import Memory, Operator, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
EDIT, SAVE, RULES = "/w/travel/rules/guardrails/", "/w/travel/rules/guardrails/save/", "/w/travel/rules/"
CODES = {"name": "codes", "finds": "words", "entries": ["Blue<b>bird"], "category": "secret", "why": "Not public"}


@pytest.fixture
def operator(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "admin", "lin.qiao")


def sent(policy: Policy | None = None, **changes: Any) -> dict[str, Any]:
    """What the browser sends of the form: its rows as they are, with these fields changed."""
    form, rows = forms_of(policy or Policy())
    data: dict[str, Any] = {"version": str((policy or Policy()).version), "why": "ours"}
    data |= {f"own-{name}": rows.management_form[name].value() for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
    for row in rows:
        for name in row.fields:
            value = row[name].value()
            data |= {row.add_prefix(name): "on" if value is True else value or ""}
    data["rules_off"] = form.initial["rules_off"]
    return data | {name.replace("__", "-"): value for name, value in changes.items()}


def one_rule(**changes: Any) -> dict[str, Any]:
    row = {"own__0__name": "codes", "own__0__finds": "words", "own__0__entries": "Bluebird\r\n蓝鸟\r\n\r\n",
           "own__0__category": "secret", "own__0__effect": "refuse", "own__0__why": "Not public"}  # fmt: skip
    return sent(**row | changes)


def test_a_rule_is_saved_shown_edited_switched_off_and_dropped(client: Client, workspace: Workspace) -> None:
    answer = client.post(SAVE, one_rule(rules_off=["pii.phone"]))
    assert answer.status_code == 302
    page = client.get(answer["Location"]).content.decode()
    assert "Policy version 2 is in force." in page
    assert all(told in page for told in ("codes", "Bluebird", "蓝鸟", "Not public", "Refuse it", "lin.qiao"))
    assert page.count(">Switched off<") == 1
    policy = current_policy(workspace)
    assert [rule.entries for rule in policy.own_rules] == [("Bluebird", "蓝鸟")]
    assert policy.rules_off == ("pii.phone",)
    assert "scan-offer" in page
    again = sent(policy, own__0__entries="Bluebird", own__0__on="", own__1__name="pay", own__1__finds="slots",
                 own__1__entries="salary")  # fmt: skip
    assert client.post(SAVE, again).status_code == 302
    policy = current_policy(workspace)
    assert [(rule.name, rule.on, rule.since) for rule in policy.own_rules] == [("codes", False, 3), ("pay", True, 3)]
    assert client.post(SAVE, sent(policy, own__0__name="", own__0__entries="")).status_code == 302
    assert [(rule.name, rule.since) for rule in current_policy(workspace).own_rules] == [("pay", 3)]
    old = client.get(RULES, {"version": "2"}).content.decode()
    assert "Bluebird" in old
    assert "Personal phone number" in old


def test_a_saved_form_sent_back_says_the_same(client: Client, workspace: Workspace) -> None:
    put_policy(workspace, make.BACK_OFFICE, {"own_rules": [CODES], "rules_off": ["speculation.guess"]}, "ours")
    before = current_policy(workspace)
    assert client.post(SAVE, sent(before)).status_code == 302
    after = current_policy(workspace)
    assert (after.own_rules, after.rules_off, after.version) == (before.own_rules, before.rules_off, 3)
    assert [rule.since for rule in after.own_rules] == [2]


@pytest.mark.parametrize(
    ("wrong", "field", "told"),
    [
        ({"own__0__name": "two words"}, "name", "letters, digits"),
        ({"own__0__name": ""}, "name", "Give the rule a name."),
        ({"own__0__entries": ""}, "entries", "Enter 1 to 100"),
        ({"own__0__entries": "!!"}, "entries", "a letter or a digit"),
        ({"own__0__finds": "slots"}, "entries", "snake_case"),
        ({"own__0__finds": "patterns", "own__0__entries": "("}, "entries", "missing )"),
        ({"own__0__finds": "patterns", "own__0__entries": "a*"}, "entries", "Demand a character"),
        ({"own__0__finds": "magic"}, "finds", "magic"),
        ({"own__0__entries": "4111 1111 1111 1111"}, "entries", "Leave it out"),
        ({"own__1__name": "CODES", "own__1__entries": "x"}, "name", "one of its own"),
    ],
)
def test_what_cannot_be_is_told_at_its_field(client: Client, wrong: dict[str, str], field: str, told: str) -> None:
    answer = client.post(SAVE, one_rule(**wrong))
    assert answer.status_code == 422
    errors = [row.errors for row in answer.context["rows"] if row.errors]
    assert [list(one) for one in errors] == [[field]]
    assert told in str(errors[0][field])
    page = answer.content.decode()
    assert "Not public" in page
    assert page.count(" autofocus") == 1
    assert 'role="alert" tabindex="-1" autofocus' in page  # and no address of a part of the page takes it out of sight
    assert "#tried" not in page
    assert not PolicyVersion.objects.exists()


def test_what_is_wrong_above_the_rows(client: Client) -> None:
    assert client.post(SAVE, {"why": "x"}).status_code == 422
    assert client.post(SAVE, one_rule(own__TOTAL_FORMS="9999999")).status_code == 422
    assert list(client.post(SAVE, one_rule(rules_off=["secret.token"])).context["form"].errors) == ["rules_off"]
    assert list(client.post(SAVE, one_rule(why=" ")).context["form"].errors) == ["why"]
    assert client.get(SAVE).status_code == 302
    assert not PolicyVersion.objects.exists()


def test_it_is_tried_on_a_text_and_on_memory_and_nothing_is_stored(client: Client, workspace: Workspace) -> None:
    make.make_memory(workspace, "Works on <i>Bluebird</i>")
    make.make_memory(make.make_workspace("other"), "Bluebird of another")
    answer = client.post(SAVE, one_rule(do="text", why="", text="We call it <b>bluebird</b>."))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "<mark>bluebird</mark>" in page
    assert 'role="status" tabindex="-1" autofocus' in page
    assert "Found in the newest memory:" in page
    assert "Works on &lt;i&gt;Bluebird" in page
    assert "of another" not in page
    assert 'data-unsaved="yes"' in page
    held = client.post(SAVE, one_rule(do="text", why="", text="bluebird", own__0__effect="hold")).content.decode()
    assert "Waits for a person" in held
    assert not PolicyVersion.objects.exists()
    assert Memory.objects.count() == 2


def test_it_is_tried_on_the_last_sessions_and_compared(client: Client, workspace: Workspace) -> None:
    answer = client.post(SAVE, one_rule(do="sessions", why="", rules_off=["pii.phone"]))
    assert answer.status_code == 302
    assert PolicyTrial.objects.get().content["own_rules"][0]["name"] == "codes"
    page = client.get(answer["Location"]).content.decode()
    assert "Own rule “codes”" in page
    assert "Bluebird · 蓝鸟" in page
    assert "Personal phone number" in page
    assert not PolicyVersion.objects.exists()


def test_what_was_tried_is_changed_on_and_shown_once_in_force(client: Client, workspace: Workspace) -> None:
    url = client.post(SAVE, one_rule(do="sessions", why="", rules_off=["pii.phone"]))["Location"]
    ((words, href),) = client.get(url).context["edits"]
    assert words == "Change the guardrails"
    form = client.get(href)
    assert form.request["PATH_INFO"] == EDIT
    assert form.context["rows"][0]["entries"].value() == "Bluebird\n蓝鸟"
    assert 'id="off-pii.phone" name="rules_off" value="pii.phone" checked' in form.content.decode()
    answer = client.post(f"{url}adopt/", {"why": "ours"}, HTTP_HX_REQUEST="true")
    assert answer["HX-Push-Url"] == f"{RULES}?tab=guardrails"
    assert "Bluebird" in answer.content.decode()
    assert answer.context["tab"] == "guardrails"


def test_a_trial_of_both_parts_leads_to_both_forms(client: Client, workspace: Workspace) -> None:
    put_policy(workspace, make.BACK_OFFICE, {"own_rules": [CODES], "certain": 1.0}, "ours")
    url = client.post(f"{RULES}policy/try/", {"try_version": "1"})["Location"]
    assert [words for words, _href in client.get(url).context["edits"]] == [
        "Change the policy",
        "Change the guardrails",
    ]
    assert client.post(f"{url}adopt/", {"why": "back"})["Location"] == RULES


def test_a_version_meanwhile_is_not_overwritten(client: Client, workspace: Workspace) -> None:
    data = one_rule()
    put_policy(workspace, make.BACK_OFFICE, {"idle_minutes": 99}, "first")
    answer = client.post(SAVE, data)
    assert answer.status_code == 412
    assert "back office saved version 2 while you were editing" in answer.content.decode()
    assert client.post(SAVE, data | {"version": "2"}).status_code == 302
    assert current_policy(workspace).idle_minutes == 99


@pytest.mark.parametrize("role", ["viewer", "curator"])
def test_what_rules_look_for_is_for_admins(workspace: Workspace, role: str) -> None:
    put_policy(workspace, make.BACK_OFFICE, {"own_rules": [CODES]}, "ours")
    client = signed_in(make.make_operator(workspace, role))
    for path in (f"{RULES}?tab=guardrails", RULES, f"{RULES}?version=2", "/w/travel/guardrails/"):
        page = client.get(path).content.decode()
        assert "codes" in page
        assert "bird" not in page
        assert "Not public" not in page
    assert client.get(EDIT).status_code == 403
    assert client.post(SAVE, {}).status_code == 403


def test_another_workspace_sees_nothing(workspace: Workspace) -> None:
    put_policy(workspace, make.BACK_OFFICE, {"own_rules": [CODES]}, "ours")
    stranger = signed_in(make.make_operator(make.make_workspace("other"), "admin"))
    assert stranger.get(EDIT).status_code == 404
    assert stranger.post(SAVE, {}).status_code == 404
    for path in ("/w/other/rules/guardrails/", "/w/other/rules/?tab=guardrails"):
        assert "codes" not in stranger.get(path).content.decode()


def test_queries_do_not_grow_with_the_rules(
    client: Client, workspace: Workspace, django_assert_max_num_queries: Any
) -> None:
    def count() -> list[int]:
        found = []
        for path in (f"{RULES}?tab=guardrails", EDIT):
            with django_assert_max_num_queries(25) as captured:
                client.get(path)
            found.append(len(captured))
        return found

    put_policy(workspace, make.BACK_OFFICE, {"own_rules": [CODES]}, "one")
    count()
    few = count()
    put_policy(workspace, make.BACK_OFFICE, {"own_rules": [CODES | {"name": f"codes{n}"} for n in range(9)]}, "many")
    assert count() == few


def test_the_forms_ask_for_what_a_rule_has() -> None:
    assert set(OwnRuleForms.form.base_fields) == {"name", "finds", "entries", "category", "effect", "why", "on"}
    assert set(GuardForm.base_fields) == {"rules_off", "text", "why"}
