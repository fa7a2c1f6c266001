"""What recall searches: vectors that are missing or another embedder's made anew, turns made ready to be found."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from memory_app.domain.turns import speaker_of
from memory_app.domain.words import words
from memory_app.embedding import get_embedder
from memory_app.models import SearchEntry, Speaker, Turn, TurnEntry, TurnRecall, Workspace

from .content import NO_VECTOR, TextVector, embed, embed_all
from .locks import lock_name

log = logging.getLogger(__name__)

#: What tools and systems say is no one's words, and what came out of recall is no new ones.
FOUND_ROLES = (Speaker.USER, Speaker.ASSISTANT)
#: Nothing that an embedder which answers could refuse.
PLAIN_TEXT = "hello"
TABLES: tuple[tuple[type[SearchEntry] | type[TurnEntry], str, str], ...] = (
    (SearchEntry, "version", "text"),
    (TurnEntry, "turn", "content"),
)


def fill_vectors(limit: int = 100) -> int:
    """How many entries without the present embedder's vector got one now; 0 when none is left or it does not answer."""
    try:
        return next(_batches(limit), 0)
    except _Silent:
        return 0


def fill_vectors_of(workspace: Workspace, texts: Sequence[str]) -> None:
    """What says one of these texts and has no vector yet gets one. What the embedder refuses is left to the sweep."""
    rows = SearchEntry.objects.filter(workspace=workspace, model=NO_VECTOR.model, version__text__in=texts)
    if not texts or not (entries := list(rows.select_related("version"))):
        return
    vectors = embed_all(texts)
    told = {entry.pk: entry.version.text for entry in entries}
    made = [entry for entry in entries if vectors[told[entry.pk]].values is not None]
    _fill(SearchEntry, made, "version", "text", told, vectors)


def outdated() -> int:
    """How many entries another embedder made, or none."""
    name = get_embedder().name
    return sum(table.objects.exclude(model=name).count() for table, _, _ in TABLES)


def reindex(batch: int = 200) -> Iterator[int]:
    """Every outdated entry gets the present embedder's vector; yields how many, batch by batch. What is not yet
    done is found by words meanwhile, and a second run goes on where a first one stopped."""
    try:
        yield from _batches(batch)
    except _Silent as error:
        raise RuntimeError("The embedder does not answer; nothing was lost, start the command again later.") from error


class _Silent(Exception):
    """The embedder does not answer."""


def _batches(size: int) -> Iterator[int]:
    """How many of each batch of outdated entries got a vector. A text that the embedder refuses keeps its entry
    outdated, and holds up no other. Raises _Silent when it answers nothing at all."""
    for table, source, column in TABLES:
        refused: list[Any] = []
        while entries := _outdated(table, source, size, refused):
            texts = {entry.pk: getattr(getattr(entry, source), column) for entry in entries}
            vectors = _vectors(list(texts.values()))
            refused += [pk for pk, text in texts.items() if vectors[text].values is None]
            if made := [entry for entry in entries if vectors[texts[entry.pk]].values is not None]:
                _fill(table, made, source, column, texts, vectors)
                yield len(made)


def _vectors(texts: Sequence[str]) -> dict[str, TextVector]:
    """The vector of each text. Of a batch that is refused whole, of each that is not refused by itself."""
    vectors = embed_all(texts)
    if any(vector.values is not None for vector in vectors.values()):
        return vectors
    if embed(PLAIN_TEXT).values is None:
        raise _Silent
    return {text: embed(text) for text in vectors} if len(vectors) > 1 else vectors


def _outdated(table: type[Any], source: str, limit: int, but: Sequence[Any]) -> list[Any]:
    # Two ranges of the index, and no condition that would read every row: this is asked every few seconds.
    name = get_embedder().name
    rows = table.objects.select_related(source).exclude(pk__in=but).order_by("model", "pk")
    return list(rows.filter(model__lt=name)[:limit]) or list(rows.filter(model__gt=name)[:limit])


def _fill(
    table: type[Any],
    made: Sequence[Any],
    source: str,
    column: str,
    texts: Mapping[Any, str],
    vectors: Mapping[str, TextVector],
) -> None:
    for entry in made:
        entry.model, entry.vector = vectors[texts[entry.pk]].model, vectors[texts[entry.pk]].values
    with transaction.atomic():
        # What was blotted meanwhile keeps no vector of what it said before.
        told = table._meta.get_field(source).remote_field.model.objects.select_for_update(no_key=True)
        now = dict(told.filter(**{f"{_reverse(table)}__in": made}).values_list(_reverse(table), column))
        table.objects.bulk_update([one for one in made if now.get(one.pk) == texts[one.pk]], ["model", "vector"])


def _reverse(table: type[Any]) -> str:
    return "search_entry" if table is SearchEntry else "entry"


def enter_turns(turns: Iterable[Turn], session: Any) -> None:
    """These turns of the session can be found, by their words at once; where the workspace lets recall reach them."""
    # Asked under the lock: whoever says that recall reaches all turns waits for these, or is seen here.
    lock_name(_writing(session.workspace_id), shared=True)
    state = Workspace.objects.filter(pk=session.workspace_id).values_list("turn_recall", flat=True)
    if state.get() != TurnRecall.OFF:
        TurnEntry.objects.bulk_create(_entry(turn, session.user_id) for turn in turns if _found(turn))


def enter_older_turns(limit: int = 500) -> int:
    """How many turns from before recall was let reach them can be found from now on; 0 when all of them can, but for
    those that somebody is changing at this moment."""
    for workspace in Workspace.objects.filter(turn_recall=TurnRecall.FILLING):
        if made := _enter_missing(workspace, limit):
            return made
        with transaction.atomic():
            lock_name(_writing(workspace.pk))  # waits for turns that are just being written
            if not _missing(workspace).exists():
                Workspace.objects.filter(pk=workspace.pk, turn_recall=TurnRecall.FILLING).update(
                    turn_recall=TurnRecall.ON
                )
                log.info("recall reaches every turn of %s", workspace.slug)
    return 0


def _enter_missing(workspace: Workspace, limit: int) -> int:
    seen = _missing(workspace).select_related("session").order_by("created_at", "pk")[:limit]
    entries = {turn: _entry(turn, turn.session.user_id) for turn in seen}  # slow, so nothing is held meanwhile
    with transaction.atomic():
        # What is erased, blotted or forgotten at this moment is left to the next round.
        rows = Turn.objects.select_for_update(of=("self", "session"), no_key=True, skip_locked=True)
        now = {turn.pk: turn.content for turn in rows.select_related("session").filter(pk__in=[t.pk for t in entries])}
        same = [entry for turn, entry in entries.items() if now.get(turn.pk) == turn.content]
        TurnEntry.objects.bulk_create(same, ignore_conflicts=True)
    return len(same)


def _missing(workspace: Workspace) -> QuerySet[Turn]:
    found = Turn.objects.filter(workspace=workspace, entry=None, role__in=FOUND_ROLES, recalled=False)
    return found.exclude(content="")


def _writing(workspace_id: UUID) -> str:
    return f"turns of {workspace_id}"


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
