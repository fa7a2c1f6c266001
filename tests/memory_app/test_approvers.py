"""Nobody approves their own: whom a key and an operator stand for, by each way of approving."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from consolidation.actions import rule_on_many
from memory_app.actions.decisions import approve
from memory_app.actions.keys import create_key
from memory_app.actions.members import create_member, reset_password
from memory_app.actions.memories import edit_memory
from memory_app.actions.preferences import change_password
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Forbidden
from memory_app.models import AuditEvent, Decision, Operator, Workspace
from memory_app.queries.approvers import Parties, is_own, made_its_agent, nobody_else_approves
from tests import factories as make

pytestmark = pytest.mark.django_db
OWN = "a sentence of their own"


@pytest.fixture
def wen(workspace: Workspace) -> Actor:
    return make.actor_of(make.make_operator(workspace, "admin", "wen"), "admin")


@pytest.fixture
def ana(workspace: Workspace) -> Actor:
    """Another admin, of whom nobody else knows the password."""
    return make.actor_of(make.make_operator(workspace, "admin", "ana"), "admin")


def asked(workspace: Workspace, by: Actor) -> Decision:
    steps = make.make_memory(workspace, "Check the order, then refund", kind="procedural", scope="team", team="ops")
    return edit_memory(steps, by, {"text": f"Ask {by.label}, then refund"}).decision


def key_of(workspace: Workspace, maker: Actor, role: str) -> Actor:
    key, _ = create_key(workspace, maker, role=role)
    return Actor("key", str(key.pk), key.name, role)


def newcomer(workspace: Workspace, by: Actor) -> tuple[Operator, Actor]:
    """An admin with a first password that `by` was shown."""
    member, _ = create_member(workspace, by, username="mei", role="admin")
    return member.operator, make.actor_of(member.operator, "admin")


def refused(workspace: Workspace, decision: Decision, actor: Actor) -> bool:
    """Whether the actor approves it in no way: neither alone nor among many."""
    left = rule_on_many(workspace, actor, "approve", [decision.pk], dry_run=True).left
    try:
        approve(workspace, actor, decision.pk)
    except Forbidden:
        assert [one.code for one in left] == ["forbidden"]
        decision.refresh_from_db()
        assert decision.is_open
        return True
    assert not left
    return False


@pytest.mark.parametrize("role", ["curator", "admin"])
def test_a_key_with_a_persons_role_is_whoever_made_it(workspace: Workspace, wen: Actor, ana: Actor, role: str) -> None:
    proposed = asked(workspace, key_of(workspace, wen, role))
    assert refused(workspace, proposed, wen)
    assert refused(workspace, proposed, key_of(workspace, wen, "admin"))
    with pytest.raises(Forbidden, match="proposed with a key that you made; another admin approves it"):
        approve(workspace, key_of(workspace, wen, "admin"), proposed.pk)
    assert refused(workspace, asked(workspace, wen), key_of(workspace, wen, "admin"))
    assert not refused(workspace, proposed, ana)


def test_a_key_made_with_a_key_is_whoever_made_that(workspace: Workspace, wen: Actor, ana: Actor) -> None:
    proposed = asked(workspace, key_of(workspace, key_of(workspace, wen, "admin"), "curator"))
    assert refused(workspace, proposed, wen)
    assert not refused(workspace, proposed, key_of(workspace, ana, "admin"))


@pytest.mark.parametrize("by", [lambda made, key: made, lambda made, key: key], ids=["themselves", "by their key"])
def test_an_operator_with_a_first_password_is_whoever_set_it(
    workspace: Workspace, wen: Actor, by: Callable[[Actor, Actor], Actor]
) -> None:
    operator, mei = newcomer(workspace, wen)
    acts = by(mei, key_of(workspace, mei, "admin"))
    first, second = asked(workspace, wen), asked(workspace, acts)
    assert refused(workspace, first, acts)
    assert refused(workspace, second, wen)
    operator.refresh_from_db()
    change_password(operator, OWN)
    assert not refused(workspace, first, acts)
    assert not refused(workspace, second, wen)


def test_so_it_is_after_a_reset_and_through_a_key(workspace: Workspace, wen: Actor, ana: Actor) -> None:
    mei = make.make_operator(workspace, "admin", "mei")
    proposed = asked(workspace, wen)
    reset_password(workspace, key_of(workspace, wen, "admin"), mei.memberships.get().pk)
    assert refused(workspace, proposed, make.actor_of(mei, "admin"))
    assert not refused(workspace, proposed, ana)


def test_an_admin_who_stands_for_another_is_no_other_approver(workspace: Workspace, wen: Actor) -> None:
    assert nobody_else_approves(workspace, wen)
    operator, mei = newcomer(workspace, wen)
    assert nobody_else_approves(workspace, wen)
    assert nobody_else_approves(workspace, mei)
    change_password(operator, OWN)
    assert not nobody_else_approves(workspace, wen)
    assert not nobody_else_approves(workspace, mei)


def test_who_stands_behind_many_is_asked_as_often_as_for_one(workspace: Workspace, wen: Actor, ana: Actor) -> None:
    """Of a page, and of a call for many: whatever keys and people they came from."""

    def asked_for(count: int) -> tuple[int, list[bool]]:
        decisions = []
        for n in range(count):
            whose = wen if n % 2 else ana
            curator = key_of(workspace, key_of(workspace, whose, "admin"), "curator")
            decisions += [asked(workspace, by) for by in (curator, key_of(workspace, whose, "agent"))]
        rows = list(Decision.objects.filter(pk__in=[one.pk for one in decisions]).select_related("workspace"))
        with CaptureQueriesContext(connection) as queries:
            parties = Parties(wen, rows)
            told = [is_own(one, wen, parties) or made_its_agent(one, wen, parties) for one in rows]
            told.append(nobody_else_approves(workspace, wen, parties))
            nobody_else_approves(workspace, wen, parties)
        return len(queries), sorted(told)

    few, many = asked_for(2), asked_for(6)
    assert few == (few[0], [False] * 3 + [True] * 2)
    assert many == (few[0], [False] * 7 + [True] * 6)


def test_a_call_for_many_looks_their_makers_up_once(workspace: Workspace, wen: Actor, ana: Actor) -> None:
    curator = key_of(workspace, key_of(workspace, wen, "admin"), "curator")
    decisions = [asked(workspace, curator) for _ in range(4)]
    with CaptureQueriesContext(connection) as queries:
        made = rule_on_many(workspace, ana, "approve", [one.pk for one in decisions], dry_run=True)
    assert len(made.done) == 4
    assert sum("key.create" in one["sql"] for one in queries.captured_queries) == 2


def test_two_whose_passwords_the_shell_has_set_are_two(workspace: Workspace) -> None:
    shell = Actor(kind="system", id="shell", label="manage.py", role="admin")
    one, other = (
        make.actor_of(create_member(workspace, shell, username=name, role="admin")[0].operator, "admin")
        for name in ("mei", "lin")
    )
    assert not refused(workspace, asked(workspace, one), other)


def test_an_agents_key_is_a_party_of_its_own_and_its_maker_is_told(
    workspace: Workspace, wen: Actor, ana: Actor
) -> None:
    agent = key_of(workspace, wen, "agent")

    def recorded(by: Actor) -> object:
        decision = asked(workspace, agent)
        assert not refused(workspace, decision, by)
        return AuditEvent.objects.get(action="decision.approved", object_id=str(decision.pk)).detail

    assert recorded(wen) == recorded(key_of(workspace, wen, "admin")) == {"action": "edit", "made_its_agent": True}
    assert recorded(ana) == {"action": "edit"}


def test_in_a_solo_workspace_one_person_does_both(workspace: Workspace, wen: Actor) -> None:
    workspace.solo = True
    workspace.save()
    agent, curator = key_of(workspace, wen, "agent"), key_of(workspace, wen, "curator")
    assert not any(refused(workspace, asked(workspace, by), wen) for by in (wen, curator, agent))
    details = AuditEvent.objects.filter(action="decision.approved").values_list("detail", flat=True)
    assert list(details) == [{"action": "edit"}] * 3
