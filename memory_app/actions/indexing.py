"""What recall searches: vectors that are missing or another embedder's made anew, turns made ready to be found."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from memory_app.domain.turns import speaker_of
from memory_app.domain.words import words
from memory_app.embedding import get_embedder
from memory_app.models import SearchEntry, Speaker, Turn, TurnEntry, TurnRecall, Workspace

from .content import NO_VECTOR, embed_all

log = logging.getLogger(__name__)

#: What tools and systems say is no one's words, and what came out of recall is no new ones.
FOUND_ROLES = (Speaker.USER, Speaker.ASSISTANT)
TABLES: tuple[tuple[type[SearchEntry] | type[TurnEntry], str, str], ...] = (
    (SearchEntry, "version", "text"),
    (TurnEntry, "turn", "content"),
)


def fill_vectors(limit: int = 100) -> int:
    """How many entries without the present embedder's vector got one now; 0 when none is left or it does not answer."""
    for table, source, column in TABLES:
        if rows := _outdated(table, source, limit):
            return _fill(table, rows, source, column)
    return 0


def outdated() -> int:
    """How many entries another embedder made, or none."""
    name = get_embedder().name
    return sum(table.objects.exclude(model=name).count() for table, _, _ in TABLES)


def reindex(batch: int = 200) -> Iterator[int]:
    """Every outdated entry gets the present embedder's vector; yields how many, batch by batch. What is not yet
    done is found by words meanwhile, and a second run goes on where a first one stopped."""
    for table, source, column in TABLES:
        while rows := _outdated(table, source, batch):
            done = _fill(table, rows, source, column)
            if not done:
                raise RuntimeError("The embedder does not answer; nothing was lost, start the command again later.")
            yield done


def _outdated(table: type[Any], source: str, limit: int) -> list[Any]:
    # Two ranges of the index, and no condition that would read every row: this is asked every few seconds.
    name = get_embedder().name
    rows = table.objects.select_related(source).order_by("model", "pk")
    return list(rows.filter(model__lt=name)[:limit]) or list(rows.filter(model__gt=name)[:limit])


def _fill(table: type[Any], entries: Sequence[Any], source: str, column: str) -> int:
    texts = {entry.pk: getattr(getattr(entry, source), column) for entry in entries}
    vectors = embed_all(texts.values())
    made = [entry for entry in entries if vectors[texts[entry.pk]].values is not None]
    for entry in made:
        entry.model, entry.vector = vectors[texts[entry.pk]].model, vectors[texts[entry.pk]].values
    with transaction.atomic():
        # What was blotted meanwhile keeps no vector of what it said before.
        told = table._meta.get_field(source).remote_field.model.objects.select_for_update(no_key=True)
        now = dict(told.filter(**{f"{_reverse(table)}__in": made}).values_list(_reverse(table), column))
        table.objects.bulk_update([one for one in made if now.get(one.pk) == texts[one.pk]], ["model", "vector"])
    return len(made)


def _reverse(table: type[Any]) -> str:
    return "search_entry" if table is SearchEntry else "entry"


def enter_turns(turns: Iterable[Turn], session: Any) -> None:
    """These turns of the session can be found, by their words at once; where the workspace lets recall reach them."""
    # Asked after the turns were written: whoever switches it on waits for them, or is seen here.
    state = Workspace.objects.filter(pk=session.workspace_id).values_list("turn_recall", flat=True)
    if state.get() != TurnRecall.OFF:
        TurnEntry.objects.bulk_create(_entry(turn, session.user_id) for turn in turns if _found(turn))


def enter_older_turns(limit: int = 500) -> int:
    """How many turns from before recall was let reach them can be found from now on; 0 when all of them can."""
    for workspace in Workspace.objects.filter(turn_recall=TurnRecall.FILLING):
        with transaction.atomic():
            Workspace.objects.select_for_update().get(pk=workspace.pk)  # waits for turns that are just being written
            missing = Turn.objects.filter(
                workspace=workspace, entry=None, role__in=FOUND_ROLES, recalled=False
            ).exclude(content="")
            turns = list(missing.select_related("session").order_by("created_at", "pk")[:limit])
            TurnEntry.objects.bulk_create((_entry(turn, turn.session.user_id) for turn in turns), ignore_conflicts=True)
            if turns:
                return len(turns)
            Workspace.objects.filter(pk=workspace.pk).update(turn_recall=TurnRecall.ON)
            log.info("recall reaches every turn of %s", workspace.slug)
    return 0


def reach_turns(workspace: Workspace, wanted: bool) -> None:
    """Recall reaches what was said in this workspace, or no longer does. Older turns are made ready by the sweep."""
    if wanted:
        Workspace.objects.filter(pk=workspace.pk, turn_recall=TurnRecall.OFF).update(turn_recall=TurnRecall.FILLING)
    else:
        Workspace.objects.filter(pk=workspace.pk).update(turn_recall=TurnRecall.OFF)


def blot_entry(turn: Turn, content: str) -> None:
    """What the turn no longer says is no longer in what is searched of it."""
    TurnEntry.objects.filter(turn=turn).update(
        speaker=speaker_of(content) or turn.role, tokens=words(content), model=NO_VECTOR.model, vector=None
    )


def _found(turn: Turn) -> bool:
    return turn.role in FOUND_ROLES and not turn.recalled and bool(turn.content.strip())


def _entry(turn: Turn, user: UUID) -> TurnEntry:
    return TurnEntry(
        workspace_id=turn.workspace_id,
        turn=turn,
        session_id=turn.session_id,
        user_id=user,
        index=turn.index,
        at=turn.at,
        speaker=speaker_of(turn.content) or turn.role,
        tokens=words(turn.content),
    )
