"""What an embedder gives: vectors of one length, for questions and for what is stored."""

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """Vectors of unit length. Unrelated texts have a similarity (scalar product) of about ``unrelated``."""

    name: str  # stored beside each vector: vectors of two names are never compared
    dimensions: int
    unrelated: float  # the similarity of texts that have nothing to do with each other
    related: float  # the similarity from which a text is as good as certain to be about the question

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each question."""
        ...

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each stored text."""
        ...


class EmbeddingFailed(Exception):
    """The embedder gave no vectors; says why without the texts."""
