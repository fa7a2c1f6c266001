"""Memory of another user, session, team or workspace never comes back and never changes, whatever was remembered."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_app.actions.content import NO_VECTOR
from memory_app.actions.decisions import Ruling, approve
from memory_app.actions.memories import NewMemory, edit_memory, remember
from memory_app.domain.errors import CommonplaceError
from memory_app.models import Memory, Session
from memory_app.recall import context_for, recall
from tests.api.calls import caller
from tests.factories import (
    BACK_OFFICE,
    make_decision,
    make_note,
    make_operator,
    make_session,
    make_turn,
    make_workspace,
)

pytestmark = pytest.mark.django_db

WORKSPACES, USERS, TEAMS = ("one", "two"), ("ann", "ben"), ("blue", "red")
THINGS = ("aisle seat", "window seat", "jasmine tea", "night train", "高铁", "靠窗的座位")

#: (workspace, scope, owner, what, key): a memory of somebody.
remembered = st.tuples(
    st.sampled_from(WORKSPACES), st.sampled_from(["user", "session", "team"]), st.integers(0, 1), st.sampled_from(THINGS),
    st.sampled_from(["", "seat", "drink"]),
)  # fmt: skip
#: (workspace, user, whose session is named, teams): somebody who asks.
asked = st.tuples(
    st.sampled_from(WORKSPACES), st.integers(0, 1), st.booleans(), st.lists(st.sampled_from(TEAMS), unique=True),
)  # fmt: skip


class World:
    """Two workspaces with the same names in them, so that only the workspace tells one from another."""

    def __init__(self, population: list[tuple[str, str, int, str, str]]) -> None:
        self.spaces = {name: make_workspace(name) for name in WORKSPACES}
        self.sessions: dict[tuple[str, int], Session] = {
            (name, at): make_session(space, USERS[at], None, teams=[TEAMS[at]])
            for name, space in self.spaces.items()
            for at in range(2)
        }
        for number, (name, scope, at, what, key) in enumerate(population):
            owner: dict[str, Any] = {
                "user": {"user": USERS[at]}, "team": {"team": TEAMS[at]},
                "session": {"user": USERS[at], "session": self.sessions[name, at]},
            }[scope]  # fmt: skip
            text = f"Likes the {what}, of {name} {scope} {at}, number {number}"
            new = NewMemory(scope=scope, kind="semantic", text=text, key=key, value=f"{what} {number}", **owner)
            remember(self.spaces[name], BACK_OFFICE, new, "override")

    def may_see(self, memory: Memory, name: str, at: int, in_session: bool, teams: list[str]) -> bool:
        """Whether this memory is one that the asker may see, as the rule is told and not as it is queried."""
        if memory.workspace_id != self.spaces[name].pk:
            return False
        if memory.scope == "user":
            return memory.user is not None and memory.user.external_id == USERS[at]
        if memory.scope == "team":
            return memory.team is not None and memory.team.external_id in teams
        return in_session and memory.session_id == self.sessions[name, at].pk


@pytest.fixture(autouse=True)
def _quick_vectors(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Meaning plays no part here: words alone find everything."""
    for module in ("memories", "decisions", "notes"):
        monkeypatch.setattr(f"memory_app.actions.{module}.embed", lambda text: NO_VECTOR)
    yield
    cache.clear()


quick = settings(
    max_examples=12, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip


@quick
@given(st.lists(remembered, min_size=4, max_size=14), st.lists(asked, min_size=2, max_size=4))
def test_recall_and_context(population: list[Any], questions: list[Any]) -> None:
    with transaction.atomic():
        world = World(population)
        by_id = {str(m.pk): m for m in Memory.objects.select_related("user", "team", "session")}
        for name, at, in_session, teams in questions:
            session = world.sessions[name, at].pk if in_session else None
            who: dict[str, Any] = {"user": USERS[at], "session": session, "teams": teams}
            found = recall(world.spaces[name], query="seat tea train 高铁 座位", limit=50, **who)
            block = context_for(world.spaces[name], query="seat tea train", token_budget=4000, **who)
            shown = {str(one.memory.pk) for one in found.results} | {one.memory for one in block.included}
            shown |= {str(one.memory) for one in block.effective.values() if one.memory}
            considered = shown | {one.memory for one in block.excluded} | {one.item.id for one in found.left_out}
            for one in considered:
                assert world.may_see(by_id[str(one)], name, at, in_session, teams)
            for memory in by_id.values():
                if not world.may_see(memory, name, at, in_session, teams):
                    assert memory.text not in block.text
        transaction.set_rollback(True)


@quick
@given(st.lists(remembered, min_size=4, max_size=14), st.sampled_from(WORKSPACES), st.integers(0, 1), st.integers(0, 1))
def test_changes_reach_nobody_else(population: list[Any], name: str, at: int, slot: int) -> None:
    """Whatever is written for one owner leaves every memory of every other as it was."""
    with transaction.atomic():
        world = World(population)
        before = rows()
        space, session = world.spaces[name], world.sessions[name, at]
        key = ("seat", "drink")[slot]
        new = NewMemory(
            scope="user", kind="semantic", text="Likes the balcony", key=key, value="balcony", user=USERS[at]
        )
        changed = remember(space, BACK_OFFICE, new, "override").memory
        make_turn(session, "I take the balcony")
        note = make_note(session, "Takes the balcony", "I take the balcony", key=key, value="balcony")
        others = [m for m in Memory.objects.exclude(pk=changed.pk) if m.owner != changed.owner]
        admin = make_operator(space, "admin")
        actor = BACK_OFFICE.__class__("operator", str(admin.pk), "admin", "admin")
        decision = make_decision(note, "override", memory=changed)
        for other in others:
            # A person who names a memory of somebody else as the target is refused.
            with pytest.raises(CommonplaceError):
                approve(space, actor, decision.pk, Ruling(memory=str(other.pk), action="override"))
        approve(space, actor, decision.pk, Ruling())
        edit_memory(Memory.objects.get(pk=changed.pk), actor, {"text": "Likes the veranda"})
        after = rows()
        own = {changed.pk} | {m.pk for m in Memory.objects.filter(session=session)}
        assert {pk: row for pk, row in after.items() if pk in before and pk not in own} == {
            pk: row for pk, row in before.items() if pk not in own
        }
        transaction.set_rollback(True)


def rows() -> dict[Any, tuple[Any, ...]]:
    names = [f.attname for f in Memory._meta.concrete_fields]
    return {row[names.index("id")]: row for row in Memory.objects.values_list(*names)}


def test_lists_and_state_through_the_api() -> None:
    """Lists narrowed by user, session, team and words, states and histories hold what is one's own alone."""
    world = World([(name, scope, at, THINGS[at], "") for name in WORKSPACES for scope in ("user", "session", "team")
                   for at in range(2)])  # fmt: skip
    for name, space in world.spaces.items():
        api = caller(space, "admin")
        other = next(one for one in WORKSPACES if one != name)
        for path in (
            "/memories",
            "/memories?q=Likes",
            "/sessions",
            "/decisions",
            "/blocks",
            "/users",
            "/runs",
            "/audit",
        ):
            assert f"of {other}" not in str(api.ok("GET", path)["items"])
            ids = {str(pk) for pk in Memory.objects.filter(workspace=world.spaces[other]).values_list("pk", flat=True)}
            assert not ids & set(str(api.ok("GET", path)["items"]).replace("'", " ").split())
        for at, user in enumerate(USERS):
            for one in api.ok("GET", f"/memories?user={user}&limit=200")["items"]:
                assert one["user"] == user
            for one in api.ok("GET", f"/memories?team={TEAMS[at]}")["items"]:
                assert one["team"] == TEAMS[at]
            session = str(world.sessions[name, at].pk)
            assert {one["session"] for one in api.ok("GET", f"/memories?session={session}")["items"]} == {session}
            state = str(api.ok("GET", f"/users/{user}/state"))
            assert f"of {name} user {at}" in state
            assert f"of {other}" not in state
            assert f"user {1 - at}" not in state
            assert f"session {1 - at}" not in state
            export = str(api.ok("GET", f"/users/{user}/export"))
            assert f"of {other}" not in export
            assert f"of {name} user {1 - at}" not in export


def test_a_profile_is_one_workspaces_own() -> None:
    world = World([])
    one, two = (caller(world.spaces[name], "admin") for name in WORKSPACES)
    field = {"value": "aisle", "source": "crm", "verified_at": "2026-01-02T03:04:05+00:00"}
    one.ok("PUT", "/users/ann/profile", {"fields": {"seat": field}})
    assert one.ok("POST", "/context", {"user": "ann"})["effective"]["seat"]["value"] == "aisle"
    for api, user in ((one, "ben"), (two, "ann"), (two, "ben")):
        assert api.ok("POST", "/context", {"user": user})["effective"] == {}
