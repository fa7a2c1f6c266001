"""Forgetting by policy: what is due is archived, each by a decision, or deleted, with its counts in the audit log.

Pinned memory is never touched, nor are episodes that an operator wrote. What its user took back stays archived for good,
so that it is not remembered again. Notes keep their quotes when their turns are deleted, so every memory still says
where it comes from.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Greatest

from memory_app.domain.actor import Actor
from memory_app.domain.retention import Due, Retention, due, surplus
from memory_app.models import (
    Action,
    ActorKind,
    Block,
    Decision,
    Injection,
    Kind,
    Memory,
    MemorySource,
    MemoryStatus,
    MemoryVersion,
    Note,
    Scope,
    Session,
    SessionStatus,
    Turn,
    TurnEntry,
    Workspace,
)
from memory_app.models.decision import CARRIED_OUT, OPEN

from .audit import audit
from .content import snapshot, to_json
from .decisions import Proposal, record
from .erasing import Erased, erase_memories
from .locks import lock_owner, lock_owners, owner_of

BATCH = 500


@dataclass(frozen=True, slots=True)
class Step:
    """One kind of forgetting: how much is due, the rows in one part or several, and what is done to some of them."""

    name: str
    count: Callable[["Forgetting"], int]
    parts: Callable[["Forgetting"], Iterable["QuerySet[Any]"]]
    act: Callable[["Forgetting", list[Any]], int]


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What is due in one workspace at one moment under one version of its policy."""

    workspace: Workspace
    rules: Retention
    now: datetime
    policy_version: int

    @property
    def due(self) -> Due:
        return due(self.rules, self.now)

    @property
    def actor(self) -> Actor:
        return Actor("policy", f"policy-{self.policy_version}", f"policy v{self.policy_version}", "admin")


def preview(what: Forgetting) -> dict[str, int]:
    """How much of each kind would be forgotten now. Nothing is written."""
    return {step.name: step.count(what) for step in STEPS}


def forget(what: Forgetting) -> Iterator[tuple[str, int]]:
    """Everything that is due forgotten, a batch at a time: yields the step and how many. Stopped anywhere, a next run
    goes on; what was done is done, and is in the audit log."""
    totals: dict[str, int] = {}
    for step, part in ((one, part) for one in STEPS for part in one.parts(what)):
        failed: set[Any] = set()
        while rows := list(part.exclude(pk__in=failed)[:BATCH]):
            done = step.act(what, rows)
            totals[step.name] = totals.get(step.name, 0) + done
            yield step.name, done
            if done < len(rows):  # what somebody is changing at this moment stays for the next night
                failed |= {row.pk for row in rows}
    audit(what.workspace, what.actor, "retention.run", what.workspace, policy=what.policy_version, **totals)


def _over(what: Forgetting, prefix: str = "") -> Q:
    """Sessions that are over: ended, or silent for so long that nobody will end them."""
    return Q(**{f"{prefix}ended_at__isnull": False}) | Q(**{f"{prefix}last_active_at__lt": what.due.abandoned})


def _working_states(what: Forgetting) -> QuerySet[Session]:
    return Session.objects.filter(_over(what), workspace=what.workspace, working__isnull=False)


def _working_memories(what: Forgetting) -> QuerySet[Memory]:
    return Memory.objects.filter(
        _over(what, "session__"),
        workspace=what.workspace, kind=Kind.WORKING, status=MemoryStatus.ACTIVE, pinned=False,
    )  # fmt: skip


def _episodes(what: Forgetting) -> QuerySet[Memory]:
    """Active episodes of users that a policy may archive."""
    return Memory.objects.filter(
        workspace=what.workspace, kind=Kind.EPISODIC, scope=Scope.USER, status=MemoryStatus.ACTIVE, pinned=False
    ).exclude(author=ActorKind.OPERATOR)


def _old_episodes(what: Forgetting) -> QuerySet[Memory]:
    before = what.due.episodes
    if before is None:
        return Memory.objects.none()
    unused = Q(last_recalled_at=None) | Q(last_recalled_at__lt=before)
    return _episodes(what).filter(unused, confirmed_at__lt=before, importance__lt=what.rules.episode_importance)


def _expired(what: Forgetting) -> QuerySet[Memory]:
    """Memory that ended long enough ago, whoever wrote it, but for what somebody is about to decide on."""
    before = what.due.expired
    if before is None:
        return Memory.objects.none()
    return Memory.objects.expired(before).filter(~_awaited(), workspace=what.workspace, pinned=False)


def _crowded(what: Forgetting) -> "QuerySet[Any, Any]":
    """Users with too many active episodes, each with how many these are and how many of them may go."""
    active = Memory.objects.filter(
        workspace=what.workspace, kind=Kind.EPISODIC, scope=Scope.USER, status=MemoryStatus.ACTIVE
    ).exclude(pk__in=_old_episodes(what).values("pk"))
    free = Q(pinned=False) & ~Q(author=ActorKind.OPERATOR)
    counted = active.values("owner").annotate(active=Count("pk"), free=Count("pk", filter=free))
    return counted.filter(active__gt=what.rules.most_episodes).order_by("owner")


def _surplus_count(what: Forgetting) -> int:
    return sum(min(surplus(user["active"], what.rules), user["free"]) for user in _crowded(what))


def _surplus_episodes(what: Forgetting) -> Iterator[QuerySet[Memory]]:
    """Of users with too many: the least important, and among equals those that were confirmed or recalled longest ago.
    Chosen once for each user: what is archived meanwhile makes no other one due."""
    old = _old_episodes(what).values("pk")
    for user in list(_crowded(what)):
        least = _episodes(what).filter(owner=user["owner"]).exclude(pk__in=old)
        least = least.order_by("importance", Greatest("confirmed_at", "last_recalled_at"), "number")
        chosen = list(least.values_list("pk", flat=True)[: surplus(user["active"], what.rules)])
        for start in range(0, len(chosen), BATCH):
            yield _episodes(what).filter(pk__in=chosen[start : start + BATCH])


def _long_archived(what: Forgetting) -> QuerySet[Memory]:
    """Archived and superseded memory whose last version is old enough, and that nobody is about to decide on. What its
    user took back stays: it is how a turn that says it again, or a late note, is known not to be remembered."""
    before = what.due.archived
    if before is None:
        return Memory.objects.none()
    last = MemoryVersion.objects.filter(memory=OuterRef("pk"), number=OuterRef("version"), recorded_at__lt=before)
    taken_back = Decision.objects.filter(memory=OuterRef("pk"), action=Action.RETRACT, status__in=CARRIED_OUT)
    return Memory.objects.filter(
        Exists(last), ~_awaited(), ~Exists(taken_back),
        recorded_at__lt=before,  # its first version is no younger than its last, and an index has it
        workspace=what.workspace, status__in=[MemoryStatus.ARCHIVED, MemoryStatus.SUPERSEDED], pinned=False,
    )  # fmt: skip


def _awaited() -> Q:
    """Memory that an open decision is about, or would bring back as it was: a part of a split that was undone."""
    wrote = MemoryVersion.objects.filter(memory=OuterRef("pk"), decision__status__in=OPEN)
    return Q(Exists(Decision.objects.waiting().filter(memory=OuterRef("pk")))) | Q(Exists(wrote))


def _old_turns(what: Forgetting) -> QuerySet[Turn]:
    """Turns that were stored long ago, of sessions from which everything has been read."""
    before = what.due.turns
    if before is None:
        return Turn.objects.none()
    return Turn.objects.filter(
        workspace=what.workspace, created_at__lt=before, session__status=SessionStatus.CONSOLIDATED,
        index__lte=F("session__distilled_to"),
    ).order_by("created_at")  # fmt: skip


def _old_recall_logs(what: Forgetting) -> QuerySet[Injection]:
    before = what.due.recall_logs
    if before is None:
        return Injection.objects.none()
    return Injection.objects.filter(workspace=what.workspace, at__lt=before).order_by("at")


def _clear_states(what: Forgetting, sessions: list[Session]) -> int:
    with transaction.atomic():
        rows = _working_states(what).filter(pk__in=[session.pk for session in sessions])
        return _told(what, {"working_states": rows.update(working=None)})


def _archive(what: Forgetting, memories: list[Memory], rule: str, **params: Any) -> int:
    return sum(_archive_one(what, memory, rule, params) for memory in memories)


def _archive_one(what: Forgetting, seen: Memory, rule: str, params: Mapping[str, Any]) -> int:
    """1 where it was archived; 0 where it has changed since it was found to be due."""
    with transaction.atomic():
        lock_owner(owner_of(seen))
        rows = Memory.objects.filter(pk=seen.pk, version=seen.version, confirmed_at=seen.confirmed_at)
        memory = rows.select_related("user", "team", "session").first()
        if memory is None:
            return 0
        proposal = Proposal(
            action="archive", rule=rule, params=params, kind=memory.kind, scope=memory.scope,
            before=snapshot(memory), after=to_json(memory.state() | {"status": MemoryStatus.ARCHIVED}),
            memory=memory, base_version=memory.version, user=memory.user, team=memory.team, session=memory.session,
            sensitivity=memory.sensitivity, policy_version=what.policy_version, engine="policy",
        )  # fmt: skip
        record(what.workspace, what.actor, proposal)
        return 1


def _delete_memories(what: Forgetting, memories: list[Memory]) -> int:
    erased = Erased()
    with transaction.atomic():
        lock_owners(owner_of(memory) for memory in memories)
        still = list(_long_archived(what).filter(pk__in=[m.pk for m in memories]).values_list("pk", flat=True))
        erase_memories(what.workspace, erased, still, Q(pk__in=[]))
        _told(what, erased.counts)
    return len(still)


def _delete_turns(what: Forgetting, turns: list[Turn]) -> int:
    """The turns gone. What points at them stays: notes with their quotes, sources, blocks without the turn's words."""
    erased = Erased()
    with transaction.atomic():
        # Whoever writes to a session holds it: one that goes on meanwhile keeps its turns until it is consolidated.
        sessions = Session.objects.select_for_update().filter(pk__in={turn.session_id for turn in turns})
        list(sessions.order_by("pk").values_list("pk"))
        ids = list(_old_turns(what).filter(pk__in=[turn.pk for turn in turns]).values_list("pk", flat=True))
        Note.objects.filter(turn__in=ids).update(turn=None)
        MemorySource.objects.filter(turn__in=ids).update(turn=None)
        Block.objects.filter(turn__in=ids, field="turn").update(excerpt="", masked="")
        Block.objects.filter(turn__in=ids).update(turn=None)
        erased.delete(TurnEntry.objects.filter(turn__in=ids))
        erased.delete(Turn.objects.filter(pk__in=ids))
        _told(what, erased.counts)
    return len(ids)


def _delete_recall_logs(what: Forgetting, logs: list[Injection]) -> int:
    erased = Erased()
    with transaction.atomic():
        erased.delete(Injection.objects.filter(pk__in=[log.pk for log in logs]))
        return _told(what, dict(erased.counts))


def _told(what: Forgetting, counts: Mapping[str, int]) -> int:
    """How many rows it were, all told; and the audit log says so."""
    rows = {table: n for table, n in sorted(counts.items()) if n}
    if rows:
        audit(what.workspace, what.actor, "retention.delete", what.workspace, policy=what.policy_version, counts=rows)
    return sum(rows.values())


def _step(
    name: str, rows: Callable[[Forgetting], "QuerySet[Any]"], act: Callable[[Forgetting, list[Any]], int]
) -> Step:
    """A step whose rows are one part."""
    return Step(name, lambda what: rows(what).count(), lambda what: [rows(what)], act)


STEPS: tuple[Step, ...] = (
    _step("working_states", _working_states, _clear_states),
    _step("working_memories", _working_memories, lambda what, rows: _archive(what, rows, "archive.session_over")),
    _step(
        "expired_memories", _expired,
        lambda what, rows: _archive(what, rows, "archive.long_expired", days=what.rules.expired_days),
    ),
    _step(
        "old_episodes", _old_episodes,
        lambda what, rows: _archive(what, rows, "archive.old_episode", days=what.rules.episode_days),
    ),
    Step(
        "surplus_episodes", _surplus_count, _surplus_episodes,
        lambda what, rows: _archive(what, rows, "archive.too_many", most=what.rules.most_episodes),
    ),
    _step("archived_memories", _long_archived, _delete_memories),
    _step("turns", _old_turns, _delete_turns),
    _step("recall_logs", _old_recall_logs, _delete_recall_logs),
)  # fmt: skip
