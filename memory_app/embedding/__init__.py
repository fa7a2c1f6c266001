"""Texts as vectors: the offline multilingual default, or any endpoint that speaks the OpenAI embeddings call."""

import threading
from typing import Protocol

from memory_app.embedding.protocol import Embedder, EmbeddingFailed

__all__ = ["Embedder", "EmbeddingFailed", "get_embedder", "reset_embedder"]


class _Environment(Protocol):
    """The part of the settings that chooses the embedder."""

    @property
    def embeddings_url(self) -> str | None: ...
    @property
    def embeddings_model(self) -> str: ...
    @property
    def embeddings_key(self) -> str | None: ...


_lock = threading.Lock()
_embedder: Embedder | None = None


def get_embedder() -> Embedder:
    """The embedder that the settings ask for, one for the process; its model is loaded at the first text."""
    global _embedder
    if _embedder is None:
        with _lock:
            if _embedder is None:
                _embedder = _from_settings()
    return _embedder


def reset_embedder() -> None:
    """The next ``get_embedder`` reads the settings again and starts with empty caches (tests, erasure)."""
    global _embedder
    with _lock:
        _embedder = None


def _from_settings() -> Embedder:
    from memory_app.embedding.cache import QueryCache
    from memory_app.embedding.endpoint import EndpointEmbedder
    from memory_app.embedding.offline import OfflineEmbedder

    environment = _environment()
    if environment is not None and environment.embeddings_url:
        return QueryCache(
            EndpointEmbedder(environment.embeddings_url, environment.embeddings_model, environment.embeddings_key)
        )
    return QueryCache(OfflineEmbedder())


def _environment() -> _Environment | None:
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured

    try:
        return settings.COMMONPLACE
    except ImproperlyConfigured:  # without Django (domain tests, tools): the offline default
        return None
