"""A user erased, also while a consolidation of theirs runs."""

from uuid import UUID

from django.db import OperationalError, connection, transaction
from django.db.models import Q

from consolidation.models import ConsolidationRun, Evaluation, EvaluationCase, OpenItem, PolicyTrial
from memory_app.actions.erasing import (
    Erased,
    Receipt,
    erase_answers,
    erase_memories,
    erase_slots,
    needs_admin,
    write_receipt,
)
from memory_app.actions.locks import is_deadlock, lock_owners
from memory_app.actions.saved_views import naming
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, NotFound
from memory_app.models import (
    Agent,
    Alert,
    ApiKey,
    Block,
    Injection,
    Memory,
    MemorySource,
    MemoryVersion,
    Note,
    SavedView,
    ScanFinding,
    Session,
    Team,
    Turn,
    TurnEntry,
    User,
    Workspace,
)

from .evaluating import count_again

TRIES = 4


def erase_user(workspace: Workspace, actor: Actor, name: str) -> Receipt:
    """Every trace of the user gone from every table, and the receipt of it. Forbidden below admin.

    Runs under way lose their claim, so that whatever they were about to write is not written. Team memory that the
    user is the author of goes; what their notes did to other team memory stays the team's, without their words for it.
    """
    needs_admin(actor)
    for attempt in range(1, TRIES + 1):
        try:
            with transaction.atomic():
                return _erase(workspace, actor, name)
        except OperationalError as error:  # a writer held what this waited for, and waited for this
            if attempt == TRIES or not is_deadlock(error):
                raise
    raise Conflict("The user is being written to; try again in a moment.")


def _erase(workspace: Workspace, actor: Actor, name: str) -> Receipt:
    user = _locked(workspace, name)
    erased = Erased()
    sessions = list(Session.objects.filter(user=user).values_list("pk", flat=True))
    memories = list(Memory.objects.filter(Q(user=user) | Q(session__in=sessions)).values_list("pk", flat=True))
    keys = _keys(user, memories)
    teams = set(Team.objects.filter(sessions__in=sessions).values_list("pk", flat=True))
    teams |= set(Memory.objects.filter(pk__in=memories).exclude(team=None).values_list("team", flat=True))
    agents = set(Agent.objects.filter(sessions__in=sessions).values_list("pk", flat=True))
    notes = Note.objects.filter(Q(user=user) | Q(session__in=sessions))

    _cancel_runs(erased, user)
    erased.delete(PolicyTrial.objects.filter(workspace=workspace))  # they name sessions; trying again is cheap
    _erase_cases(erased, user)
    erased.delete(SavedView.objects.filter(pk__in=[view.pk for view in naming(workspace, name)]))
    erased.delete(OpenItem.objects.filter(decision__user=user))
    erase_memories(workspace, erased, memories, Q(user=user) | Q(session__in=sessions) | Q(note__in=notes))
    erased.delete(Block.objects.filter(Q(user=user) | Q(session__in=sessions)))
    erased.delete(ScanFinding.objects.filter(Q(user=user) | Q(note__in=notes)))
    MemorySource.objects.filter(Q(note__in=notes) | Q(turn__session__in=sessions)).update(note=None, turn=None)
    erased.ids |= {str(pk) for pk in (user.pk, *sessions, *notes.values_list("pk", flat=True))}
    erased.delete(Injection.objects.filter(Q(user=user) | Q(session__in=sessions)))
    erased.delete(notes)
    erased.delete(TurnEntry.objects.filter(user=user))
    erased.delete(Turn.objects.filter(session__in=sessions))
    erased.delete(Session.teams.through.objects.filter(session__in=sessions))
    erased.delete(Session.objects.filter(pk__in=sessions))
    erase_answers(workspace, erased, Q(user=user))
    erased.delete(User.objects.filter(pk=user.pk))
    erase_slots(workspace, erased, keys)
    _erase_names(workspace, erased, teams, agents)
    return write_receipt(workspace, actor, "user.erase", user, name, erased)


def _erase_cases(erased: Erased, user: User) -> None:
    """What evaluations hold of the user's decisions and blocks, also in their counts."""
    own = EvaluationCase.objects.filter(user=user)
    held = Evaluation.objects.select_for_update().filter(pk__in=own.values("evaluation")).order_by("pk")
    runs = list(held.values_list("pk", flat=True))
    erased.delete(own)
    for run in runs:
        count_again(run)


def _locked(workspace: Workspace, name: str) -> User:
    """The user, with every owner and row held that something of theirs could still be written under."""
    user = User.objects.filter(workspace=workspace, external_id=name).first()
    if user is None:
        raise NotFound("There is no such user.")
    teams = Memory.objects.filter(user=user).exclude(team=None).values_list("team", flat=True)
    lock_owners({user.pk, *teams})
    sessions = Session.objects.select_for_update(of=("self",)).filter(user=user).order_by("pk")
    list(sessions.values_list("pk"))
    if User.objects.select_for_update().filter(pk=user.pk).first() is None:
        raise NotFound("There is no such user.")  # erased by another call meanwhile
    list(sessions.values_list("pk"))  # one that was opened between the two
    return user


def _cancel_runs(erased: Erased, user: User) -> None:
    runs = ConsolidationRun.objects.filter(Q(user=user) | Q(session__user=user))
    ids = [str(pk) for pk in runs.values_list("pk", flat=True)]
    erased.ids |= set(ids)
    erased.delete(runs)
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('kombu_message') IS NOT NULL")
        if ids and cursor.fetchone()[0]:  # the broker on this database: its messages name the runs
            cursor.execute("DELETE FROM kombu_message WHERE payload ~ %s", ["|".join(ids)])
            erased.counts["kombu_message"] += cursor.rowcount


def _keys(user: User, memories: list[UUID]) -> set[str]:
    keys = set(MemoryVersion.objects.filter(memory__in=memories).values_list("key", flat=True))
    keys |= set(Note.objects.filter(user=user).values_list("key", flat=True))
    return keys | set(user.profile)


def _erase_names(workspace: Workspace, erased: Erased, teams: set[UUID], agents: set[UUID]) -> None:
    """Teams and agents that nobody else has anything to do with, and what was wrong with such an agent: their names
    are the user's as well."""
    known = Team.objects.filter(workspace=workspace, pk__in=teams)
    taken = {
        *Session.teams.through.objects.filter(team__in=teams).values_list("team", flat=True),
        *Memory.objects.filter(team__in=teams).values_list("team", flat=True),
        *Note.objects.filter(team__in=teams).values_list("team", flat=True),
        *ApiKey.teams.through.objects.filter(team__in=teams).values_list("team", flat=True),
    }
    erased.delete(known.exclude(pk__in=taken))
    working = Session.objects.filter(agent__in=agents).values_list("agent", flat=True)
    own = Agent.objects.filter(workspace=workspace, pk__in=agents).exclude(pk__in=list(working))
    erased.delete(
        Alert.objects.filter(workspace=workspace, subject__in=list(own.values_list("external_id", flat=True)))
    )
    erased.delete(own)
