"""Any server that speaks the OpenAI embeddings call. Its address comes from the environment only."""

import math
import threading
from collections.abc import Sequence
from typing import Any

from memory_app.embedding.cleaning import clean
from memory_app.embedding.protocol import EmbeddingFailed

TIMEOUT_SECONDS = 10.0
LONGEST = 6000
BATCH = 64


class EndpointEmbedder:
    """Vectors from an endpoint. Models named e5 get the prefixes that they were trained with."""

    unrelated = 0.15
    related = 0.55

    def __init__(self, url: str, model: str, key: str | None, transport: Any = None) -> None:
        self.name = model
        self.dimensions = 0  # known after the first answer
        self._url, self._key, self._transport = url, key, transport
        self._lock = threading.Lock()
        self._client: Any = None
        lowered = model.casefold()
        if "e5" in lowered and "instruct" not in lowered:
            self._prefixes = ("query: ", "passage: ")
            self.unrelated, self.related = 0.8, 0.88
        else:
            self._prefixes = ("", "")

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        return self._vectors(texts, self._prefixes[0])

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        return self._vectors(texts, self._prefixes[1])

    def _vectors(self, texts: Sequence[str], prefix: str) -> list[list[float]]:
        cut = [prefix + (clean(text, LONGEST) or ".") for text in texts]
        found: list[list[float]] = []
        for at in range(0, len(cut), BATCH):
            found.extend(self._ask(cut[at : at + BATCH]))
        return found

    def _ask(self, texts: list[str]) -> list[list[float]]:
        import openai

        try:
            answer = self._connected().embeddings.create(model=self.name, input=texts, encoding_format="float")
            rows = sorted(answer.data, key=lambda row: row.index)
            vectors = [_unit(row.embedding) for row in rows]
        except (openai.OpenAIError, AttributeError, TypeError, ValueError) as error:
            # The error's own words may repeat the request, and with it a person's text.
            raise EmbeddingFailed(
                f"The embeddings endpoint did not answer as expected: {type(error).__name__}"
            ) from None
        if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) != 1:
            raise EmbeddingFailed("The embeddings endpoint answered with another number or length of vectors")
        length = len(vectors[0])
        if self.dimensions and self.dimensions != length:
            raise EmbeddingFailed(f"The embeddings endpoint changed its dimensions from {self.dimensions} to {length}")
        self.dimensions = length
        return vectors

    def _connected(self) -> Any:
        if self._client is None:
            with self._lock:
                if self._client is None:
                    import openai

                    self._client = openai.OpenAI(
                        base_url=self._url,
                        api_key=self._key or "none",
                        timeout=TIMEOUT_SECONDS,
                        max_retries=1,
                        # A redirect would carry people's words to an address that nobody configured.
                        http_client=openai.DefaultHttpxClient(
                            follow_redirects=False, timeout=TIMEOUT_SECONDS, transport=self._transport
                        ),
                    )
        return self._client


def _unit(vector: Sequence[float]) -> list[float]:
    numbers = [float(number) for number in vector]
    length = math.sqrt(sum(number * number for number in numbers))
    if not numbers or not math.isfinite(length) or length == 0.0:
        raise ValueError("not a vector")
    return [number / length for number in numbers]
