"""What goes over the wire: one request to a server that speaks the OpenAI chat protocol, its answer limited in size."""

from collections.abc import Iterator
from typing import Any

import httpx2
import openai
from pydantic import BaseModel, ValidationError

from .exchange import Completion, Failed, Passing, Question, Server

#: Far more than any answer that is asked for; what is larger is not read to its end.
MOST_BYTES = 1_000_000


class _TooLarge(Exception):
    """More bytes came than any answer may have."""


class _Counted(httpx2.SyncByteStream):
    """The body, read no further than the limit."""

    def __init__(self, stream: httpx2.SyncByteStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        seen = 0
        for chunk in self._stream:
            seen += len(chunk)
            if seen > MOST_BYTES:
                raise _TooLarge
            yield chunk

    def close(self) -> None:
        self._stream.close()


class _Transport(httpx2.HTTPTransport):
    """Bodies are limited, and never packed, so that their size is what it seems."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["Accept-Encoding"] = "identity"
        response = super().handle_request(request)
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            response.close()
            raise _TooLarge
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _Counted(response.stream)
        return response


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    total_tokens: int = 0


class _Body(BaseModel):
    """The parts of a chat completion that are looked at."""

    choices: list[_Choice]
    usage: _Usage | None = None


def post(server: Server, question: Question, seconds: float) -> Completion:
    """One good answer. Passing where another attempt may help, else Failed; no error's own words are passed on,
    because they may repeat the request."""
    try:
        with _client(server, seconds) as client:
            create: Any = client.chat.completions.with_raw_response.create
            answer = create(
                model=server.name,
                messages=list(question.messages),
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": question.name, "strict": True, "schema": dict(question.schema)},
                },
                max_completion_tokens=question.room,
            )
            body: bytes = answer.http_response.content
    except openai.APIStatusError as error:
        raise _of_status(error) from None
    except _TooLarge:
        raise Failed("too_large") from None
    except (openai.APITimeoutError, httpx2.TimeoutException):
        raise Failed("timeout") from None
    except openai.APIConnectionError as error:
        raise (Failed("too_large") if isinstance(error.__cause__, _TooLarge) else Passing("unreachable")) from None
    except httpx2.HTTPError:  # the connection broke while the body was read
        raise Passing("unreachable") from None
    except openai.OpenAIError:
        raise Failed("not_json") from None
    return _completion(body)


def _client(server: Server, seconds: float) -> openai.OpenAI:
    return openai.OpenAI(
        base_url=server.url,
        api_key=server.key or "none",
        organization="",
        project="",
        timeout=seconds,
        max_retries=0,
        # A redirect would carry people's words to an address that nobody configured.
        http_client=openai.DefaultHttpxClient(follow_redirects=False, timeout=seconds, transport=_Transport()),
    )


def _of_status(error: openai.APIStatusError) -> Exception:
    status = error.status_code
    if status == 429 or status >= 500:
        return Passing("rate_limited" if status == 429 else "server_error", _retry_after(error))
    return Failed("redirected" if 300 <= status < 400 else "request_refused")


def _retry_after(error: openai.APIStatusError) -> float:
    said = error.response.headers.get("Retry-After", "")
    return float(said) if said.isascii() and said.isdigit() and len(said) < 6 else 0.0


def _completion(body: bytes) -> Completion:
    try:
        answer = _Body.model_validate_json(body)
    except (ValidationError, ValueError, RecursionError):
        raise Failed("not_json") from None
    if not answer.choices:
        raise Failed("not_json")
    first, used = answer.choices[0], answer.usage.total_tokens if answer.usage else 0
    tokens = min(max(used, 0), 10**9)
    if first.message.refusal or first.finish_reason == "content_filter":
        raise Failed("declined", tokens=tokens)
    if first.finish_reason == "length":
        raise Failed("truncated", tokens=tokens)
    if not first.message.content:
        raise Failed("not_json", tokens=tokens)
    return Completion(first.message.content, tokens)
