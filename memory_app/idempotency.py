"""A repeated POST with the same Idempotency-Key gets the first answer again and does nothing."""

import json
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from memory_app.auth import Caller
from memory_app.domain.errors import Conflict, Invalid
from memory_app.models import IdempotencyRecord

KEPT = timedelta(hours=24)
#: A request that has not answered by then has died with its process.
GIVEN_UP = timedelta(minutes=1)
HEADER = "Idempotency-Key"


def answer_once(
    request: HttpRequest, caller: Caller, key: str, proceed: Callable[[HttpRequest], HttpResponseBase]
) -> HttpResponseBase:
    """The answer of `proceed`, or of the first request with this key. Only a 2xx answer is kept.

    Invalid for a key that is too long or was used with another body; Conflict while the first is in flight.
    """
    if not 1 <= len(key) <= 200:
        raise Invalid.field(HEADER, "must have 1 to 200 characters.")
    record = _begin(caller, request, _digest("key", key.encode()), _digest("body", _plain(request.body)))
    if record.status is not None:
        replay = JsonResponse(record.body, status=record.status, safe=False, json_dumps_params={"ensure_ascii": False})
        replay["Idempotency-Replayed"] = "true"
        return replay
    try:
        response = proceed(request)
    except BaseException:
        _forget(record)
        raise
    if 200 <= response.status_code < 300:
        _keep(record, response, getattr(request, "concerns", None), getattr(request, "unkept", ()))
    else:
        _forget(record)
    return response


def _begin(caller: Caller, request: HttpRequest, key: str, body: str) -> IdempotencyRecord:
    """The record of this key: a new one in flight, or the finished one of the same request. Committed at once."""
    now = timezone.now()
    # An address is what the caller chose to write, so it is kept no more readable than the key.
    path = _digest("path", request.path.encode())
    where = {"api_key": caller.key, "method": request.method, "path": path, "key": key}
    _drop_old(now)
    for _ in range(3):
        try:
            with transaction.atomic():
                return IdempotencyRecord.objects.create(**where, body_digest=body, created_at=now)
        except IntegrityError:
            known = IdempotencyRecord.objects.filter(**where).first()
        if known is None:
            continue  # it failed a moment ago: this request is the first now
        dead = known.status is None and known.created_at <= now - GIVEN_UP
        if dead or known.created_at <= now - KEPT:
            IdempotencyRecord.objects.filter(pk=known.pk, created_at=known.created_at).delete()
            continue
        if known.body_digest != body:
            raise Invalid.field(HEADER, "was used with another body; take a new one for another request.")
        if known.status is None:
            break
        return known
    raise Conflict("The first request with this Idempotency-Key is still being answered; try again in a moment.")


def _keep(record: IdempotencyRecord, response: HttpResponseBase, user: Any, unkept: Iterable[str]) -> None:
    """The answer kept, but for fields that must be stored nowhere: a repeat gets null for them."""
    content = getattr(response, "content", b"")
    body = json.loads(content) if content else None
    if isinstance(body, dict):
        body |= dict.fromkeys(unkept)
    IdempotencyRecord.objects.filter(pk=record.pk).update(status=response.status_code, body=body, user=user)


def _forget(record: IdempotencyRecord) -> None:
    IdempotencyRecord.objects.filter(pk=record.pk, status=None).delete()


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
