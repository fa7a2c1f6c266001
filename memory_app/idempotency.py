"""A repeated POST with the same Idempotency-Key gets the first answer again and does nothing."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac

from memory_app.actions.content import embedding_put_off
from memory_app.actions.indexing import fill_vectors_of
from memory_app.actions.locks import held
from memory_app.auth import Caller
from memory_app.domain.errors import Conflict, Invalid
from memory_app.models import IdempotencyRecord

KEPT = timedelta(hours=24)
HEADER = "Idempotency-Key"


def answer_once(
    request: HttpRequest, caller: Caller, key: str, proceed: Callable[[HttpRequest], HttpResponseBase], *, whole: bool
) -> HttpResponseBase:
    """The answer of `proceed`, or of the first request with this key. Only a 2xx answer is kept.

    Where the request is one `whole`, what it does and its kept answer are one transaction: a killed process leaves
    both or neither, and an answer that says nothing was written is true. Its texts are embedded after it. Invalid for
    a key that is too long or was used with another body; Conflict while the first is in flight.
    """
    if not 1 <= len(key) <= 200:
        raise Invalid.field(HEADER, "must have 1 to 200 characters.")
    # An address is what the caller chose to write, so it is kept no more readable than the key.
    path = _digest("path", request.path.encode())
    where = {"api_key": caller.key, "method": request.method, "path": path, "key": _digest("key", key.encode())}
    body = _digest("body", _plain(request.body))
    now = timezone.now()
    _drop_old(now)
    with held(f"idempotency {caller.key.pk} {where['method']} {path} {where['key']}") as mine:
        if not mine:
            raise Conflict("The first request with this Idempotency-Key is still being answered; try again soon.")
        put_off: AbstractContextManager[list[str]] = embedding_put_off() if whole else nullcontext([])
        one: AbstractContextManager[None] = transaction.atomic() if whole else nullcontext()
        with put_off as texts, one:
            IdempotencyRecord.objects.filter(**where, created_at__lte=now - KEPT).delete()
            if known := IdempotencyRecord.objects.filter(**where).first():
                return _again(known, body)
            response = proceed(request)
            if 200 <= response.status_code < 300:
                _keep(request, response, where | {"body_digest": body, "created_at": now})
            elif whole and (response.status_code >= 500 or getattr(response, "nothing_written", False)):
                transaction.set_rollback(True)
    fill_vectors_of(caller.workspace, texts)
    return response


def _again(known: IdempotencyRecord, body: str) -> HttpResponseBase:
    if known.body_digest != body:
        raise Invalid.field(HEADER, "was used with another body; take a new one for another request.")
    # An answer of which something was erased is kept as what is left of it.
    body_again = known.body if isinstance(known.body, str) else _json(known.body)
    replay = HttpResponse(body_again, status=known.status, content_type="application/json; charset=utf-8")
    replay["Idempotency-Replayed"] = "true"
    return replay


def _keep(request: HttpRequest, response: HttpResponseBase, values: dict[str, Any]) -> None:
    """The answer kept byte for byte, but for fields that must be stored nowhere: a repeat gets null for them."""
    body = getattr(response, "content", b"").decode()
    if unkept := getattr(request, "unkept", ()):
        body = _json(json.loads(body) | dict.fromkeys(unkept))
    concerns = getattr(request, "concerns", None)
    IdempotencyRecord.objects.create(**values, status=response.status_code, body=body, user_id=concerns)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _drop_old(now: Any) -> None:
    """A few outdated answers less, so that the table stays as small as a day's requests."""
    old = IdempotencyRecord.objects.filter(created_at__lte=now - KEPT).order_by("created_at").values("pk")[:20]
    IdempotencyRecord.objects.filter(pk__in=old).delete()


def _digest(purpose: str, content: bytes) -> str:
    """Keyed, because a short body or key with a secret in it could be guessed from a plain hash."""
    return salted_hmac(f"idempotency.{purpose}", content, algorithm="sha256").hexdigest()


def _plain(body: bytes) -> bytes:
    """Bodies that differ in layout only are the same."""
    try:
        return json.dumps(json.loads(body), sort_keys=True).encode()
    except (ValueError, RecursionError):
        return body
