"""Embedders: unit vectors, safe input, no redirects, a cache that keeps no text."""

import math
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest

from memory_app.embedding.cache import QueryCache
from memory_app.embedding.endpoint import EndpointEmbedder
from memory_app.embedding.offline import OfflineEmbedder
from memory_app.embedding.protocol import EmbeddingFailed


def dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


@pytest.fixture(scope="module")
def offline() -> OfflineEmbedder:
    return OfflineEmbedder()


def test_offline_vectors_are_of_unit_length_and_tell_related_from_unrelated(offline: OfflineEmbedder) -> None:
    (query,) = offline.queries(["which seat should I book on the plane"])
    near, far = offline.passages(["坐飞机喜欢靠窗的座位", "每周三去游泳"])
    assert math.isclose(dot(query, query), 1, abs_tol=1e-5)
    assert len(query) == offline.dimensions == 384
    assert dot(query, near) > offline.unrelated > dot(query, far)


def test_traditional_and_simplified_are_one_text(offline: OfflineEmbedder) -> None:
    one, other = offline.passages(["開通語音服務", "开通语音服务"])
    assert dot(one, other) > 0.999


@pytest.mark.parametrize("text", ["", "\x00", "\ud800", "a\x00b", "字" * 10_000, "word " * 5_000, "😀" * 3_000])
def test_any_text_is_embedded(offline: OfflineEmbedder, text: str) -> None:
    (vector,) = offline.passages([text])
    assert math.isclose(dot(vector, vector), 1, abs_tol=1e-4)


def test_a_nul_does_not_cut_the_text(offline: OfflineEmbedder) -> None:
    one, other = offline.passages(["seat\x00window", "seat window"])
    assert dot(one, other) > 0.999


def test_many_threads_get_the_same_vectors(offline: OfflineEmbedder) -> None:
    texts = [f"note number {at}" for at in range(24)]
    alone = [offline.passages([text])[0] for text in texts]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: offline.passages([text])[0], texts))
    assert all(dot(one, other) > 0.9999 for one, other in zip(alone, together, strict=True))


def test_a_forked_child_can_embed() -> None:
    script = (
        "import os; from memory_app.embedding.offline import OfflineEmbedder as O\n"
        "o = O(); o.queries(['a', 'b']); pid = os.fork()\n"
        "if not pid: o.queries(['c', 'd']); os._exit(0)\n"
        "raise SystemExit(os.waitpid(pid, 0)[1])"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=60, check=False).returncode == 0


class Counting:
    name, dimensions, unrelated, related = "counting", 1, 0.0, 1.0

    def __init__(self) -> None:
        self.asked: list[str] = []

    def queries(self, texts: Any) -> list[list[float]]:
        self.asked.extend(texts)
        return [[float(len(text))] for text in texts]

    passages = queries


def test_a_question_is_embedded_once_and_its_text_is_not_kept() -> None:
    inner = Counting()
    cache = QueryCache(inner, limit=2)
    assert cache.queries(["aa", "b", "aa"]) == [[2.0], [1.0], [2.0]]
    cache.queries(["aa"])
    assert inner.asked == ["aa", "b"]
    cache.queries(["ccc", "dddd"])
    assert cache.queries(["aa"]) == [[2.0]]
    assert inner.asked.count("aa") == 2
    assert all(isinstance(key, bytes) for key in cache._kept)


def endpoint(answer: Callable[[httpx2.Request], httpx2.Response], model: str = "m") -> EndpointEmbedder:
    return EndpointEmbedder("http://embeddings.test/v1", model, "key", transport=httpx2.MockTransport(answer))


def vectors(*rows: list[float]) -> httpx2.Response:
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(rows)]
    return httpx2.Response(
        200, json={"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    )


def test_an_endpoint_is_asked_and_its_vectors_made_unit() -> None:
    seen: list[bytes] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.content)
        return vectors([3.0, 4.0])

    embedder = endpoint(answer, "multilingual-e5-base")
    assert embedder.queries(["seat"]) == [[0.6, 0.8]]
    assert embedder.dimensions == 2
    assert b"query: seat" in seen[0]


def test_redirects_are_not_followed() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.host)
        return httpx2.Response(302, headers={"Location": "http://elsewhere.test/v1/embeddings"})

    with pytest.raises(EmbeddingFailed):
        endpoint(answer).queries(["my secret wish"])
    assert set(asked) == {"embeddings.test"}


@pytest.mark.parametrize(
    "answer",
    [vectors(), vectors([0.0, 0.0]), vectors([1.0], [1.0]), httpx2.Response(200, text="<html>"), httpx2.Response(400)],
)
def test_what_is_no_vector_fails_without_the_text(answer: httpx2.Response) -> None:
    with pytest.raises(EmbeddingFailed) as raised:
        endpoint(lambda request: answer).queries(["my secret wish"])
    assert "secret" not in str(raised.value)


def test_changed_dimensions_are_refused() -> None:
    answers = iter([vectors([1.0, 0.0]), vectors([1.0, 0.0, 0.0])])
    embedder = endpoint(lambda request: next(answers))
    embedder.queries(["a"])
    with pytest.raises(EmbeddingFailed):
        embedder.queries(["b"])
