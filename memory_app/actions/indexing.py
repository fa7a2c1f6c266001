"""Vectors of what is remembered: made later where there was no time, made anew when the embedder changes."""

from collections.abc import Iterable, Iterator

from django.db.models import Q, QuerySet

from memory_app.embedding import get_embedder
from memory_app.models import SearchEntry

from .content import embed_all


def fill_vectors(limit: int = 100) -> int:
    """How many search entries without a vector got one now; 0 when none is left or the embedder does not answer."""
    return _fill(SearchEntry.objects.filter(vector=None).select_related("version")[:limit])


def outdated() -> int:
    """How many search entries another embedder made, or none."""
    return _outdated().count()


def reindex(batch: int = 200) -> Iterator[int]:
    """Every outdated entry gets the present embedder's vector; yields how many, batch by batch. What is not yet
    done is found by words meanwhile, and a second run goes on where a first one stopped."""
    while rows := list(_outdated().select_related("version").order_by("pk")[:batch]):
        done = _fill(rows)
        if not done:
            raise RuntimeError("The embedder does not answer; nothing was lost, start the command again later.")
        yield done


def _outdated() -> QuerySet[SearchEntry]:
    return SearchEntry.objects.filter(Q(vector=None) | ~Q(model=get_embedder().name))


def _fill(rows: Iterable[SearchEntry]) -> int:
    entries = list(rows)
    vectors = embed_all(entry.version.text for entry in entries)
    for entry in entries:
        vector = vectors[entry.version.text]
        entry.model, entry.vector = vector.model, vector.values
    made = [entry for entry in entries if entry.vector is not None]
    SearchEntry.objects.bulk_update(made, ["model", "vector"])
    return len(made)
