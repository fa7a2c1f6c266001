"""Many decisions ruled on at once: each in a transaction of its own, so that one that cannot be is left and named."""

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any

from django.db import transaction

from memory_app.actions.content import NO_VECTOR, TextVector, embed_all
from memory_app.actions.decisions import Ruling, approve, decline, find_decision, owners_of
from memory_app.actions.locks import lock_owners
from memory_app.actions.undo import undo
from memory_app.domain.actor import Actor
from memory_app.domain.errors import (
    AlreadyDecided,
    Blocked,
    CommonplaceError,
    DependsOnLater,
    Forbidden,
    Invalid,
    NeedsTwo,
    NotFound,
    Stale,
)
from memory_app.models import Decision, Workspace
from memory_app.queries.approvers import Parties
from memory_app.queries.teams import within

from .redeciding import redecide

MOST = 1_000
#: A call stops after this long and says what it has not reached; the same call again goes on from there.
SECONDS = 20.0
#: Vectors are made for so many decisions in one call of the embedder.
CHUNK = 50
CODES: tuple[tuple[type[CommonplaceError], str], ...] = (
    (AlreadyDecided, "already_decided"),
    (Stale, "stale"),
    (DependsOnLater, "depends_on_later"),
    (NeedsTwo, "needs_two"),
    (Forbidden, "forbidden"),
    (Blocked, "blocked"),
    (Invalid, "needs_action"),
    (NotFound, "not_found"),
)
AS_PROPOSED = Ruling()
OTHER_TEAMS = "This key is limited to other teams."
Act = Callable[[Decision, Mapping[str, TextVector]], None]
NOT_REACHED = "There was no time for it in this call; send the same call again."


@dataclass(frozen=True, slots=True)
class Left:
    """A decision that stays as it is, and why; `fresh` waits in place of a stale one."""

    decision: str
    code: str
    reason: str
    fresh: str | None = None


@dataclass(slots=True)
class Bulk:
    """What came of it. In a dry run nothing was written, and `done` is what would have been."""

    batch: uuid.UUID
    done: list[str] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)


def rule_on_many(
    workspace: Workspace,
    actor: Actor,
    action: str,
    ids: Sequence[Any],
    ruling: Ruling = AS_PROPOSED,
    *,
    dry_run: bool = False,
    batch: uuid.UUID | None = None,
    seconds: float | None = None,
) -> Bulk:
    """The decisions approved, declined or undone, oldest first (undone newest first), under one batch id: the given
    one where this call goes on with what another has begun.

    At most MOST of them; those that cannot be are left with the reason. What a call has no time for is left too.
    """
    if len(ids) > MOST:
        raise Invalid.field("ids", f"must have at most {MOST:,} entries.")
    found = list(
        Decision.objects.filter(workspace=workspace, pk__in=ids)
        .select_related("team", "note__session")
        .order_by("created_at", "pk")
    )
    if action == "undo":
        found.reverse()
    known = {str(d.pk) for d in found}
    made = Bulk(batch or uuid.uuid4())
    # Of another team's decisions a limited key learns what a single call tells it: that they are not its own.
    own = set(within(Decision.objects.filter(pk__in=known), actor.teams).values_list("pk", flat=True))
    made.left += [Left(str(d.pk), "forbidden", OTHER_TEAMS) for d in found if d.pk not in own]
    found = [d for d in found if d.pk in own]
    for unknown in dict.fromkeys(str(i) for i in ids):
        if unknown not in known:
            made.left.append(Left(unknown, "not_found", "There is no such decision."))
    ruling = Ruling(comment=ruling.comment, action=ruling.action, reason_code=ruling.reason_code, batch=made.batch)
    stop = time.monotonic() + (SECONDS if seconds is None else seconds)
    act = partial(_act, workspace, actor, action, ruling, Parties(actor, found))
    (_try if dry_run else _do)(made, action, act, found, stop)
    return made


def _do(made: Bulk, action: str, act: Act, decisions: Sequence[Decision], stop: float) -> None:
    for start in range(0, len(decisions), CHUNK):
        chunk = decisions[start : start + CHUNK]
        in_time = time.monotonic() < stop
        vectors = embed_all(_texts(chunk)) if action == "approve" and in_time else {}
        for decision in chunk:
            if time.monotonic() >= stop:
                made.left.append(_not_reached(decision))
                continue
            _one(made, decision, partial(act, decision, vectors))


def _try(made: Bulk, action: str, act: Act, decisions: Sequence[Decision], stop: float) -> None:
    """Everything is really done, owner by owner, and taken back: so what one decision means for the next of the same
    CHUNK is seen. Nobody is kept waiting for longer than a chunk takes, and what is not reached is the end."""
    place = {str(d.pk): n for n, d in enumerate(decisions)}
    vectors = dict.fromkeys(_texts(decisions), NO_VECTOR)
    for start in range(0, len(decisions), CHUNK):
        chunk = decisions[start : start + CHUNK]
        if time.monotonic() >= stop:
            made.left += [_not_reached(decision) for decision in chunk]
            continue
        for _, group in groupby(sorted(chunk, key=_owner), key=_owner):
            together = list(group)
            with transaction.atomic():
                lock_owners(owner for decision in together for owner in owners_of(decision))
                for decision in together:
                    _one(made, decision, partial(act, decision, vectors), fresh=False)
                transaction.set_rollback(True)
    made.done.sort(key=lambda pk: place[pk])
    made.left.sort(key=lambda left: place.get(left.decision, -1))


def _not_reached(decision: Decision) -> Left:
    return Left(str(decision.pk), "not_reached", NOT_REACHED)


def _one(made: Bulk, decision: Decision, act: Callable[[], None], fresh: bool = True) -> None:
    pk = str(decision.pk)
    try:
        act()
    except CommonplaceError as error:
        code = next((code for kind, code in CODES if isinstance(error, kind)), "conflict")
        waiting = None
        if code == "stale" and fresh:
            stale = find_decision(decision.workspace, pk)
            waiting = redecide(stale)
        made.left.append(Left(pk, code, error.message, str(waiting.pk) if waiting is not None else None))
    else:
        made.done.append(pk)


def _act(
    workspace: Workspace,
    actor: Actor,
    action: str,
    ruling: Ruling,
    parties: Parties,
    decision: Decision,
    vectors: Mapping[str, TextVector],
) -> None:
    if action == "approve":
        approve(workspace, actor, decision.pk, ruling, vectors, parties)
    elif action == "decline":
        decline(workspace, actor, decision.pk, ruling)
    else:
        with transaction.atomic():
            undo(workspace, actor, decision.pk)
            Decision.objects.filter(pk=decision.pk).update(batch=ruling.batch)


def _texts(decisions: Sequence[Decision]) -> list[str]:
    """What the decisions would store, or where they propose nothing, what their notes say."""
    texts = []
    for decision in decisions:
        text = (decision.after or {}).get("text") or (decision.note.text if decision.note else "")
        if text:
            texts.append(text)
    return texts


def _owner(decision: Decision) -> str:
    return str(decision.team_id if decision.scope == "team" else decision.user_id)
