"""What an agent was shown, as a record: which memories in which version, and why each was in or out."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import F

from memory_app.guardrails import mask
from memory_app.models import Injection, Memory
from memory_app.recall.asker import Asker

MOST_EXCLUDED = 100


def record(
    who: Asker,
    purpose: str,
    query: str,
    included: Sequence[dict[str, Any]],
    excluded: Sequence[dict[str, Any]],
    tokens: int | None = None,
) -> None:
    """One injection is recorded, its query masked, and each memory that was shown counts one recall more."""
    if who.user is None:
        return
    shown = sorted({entry["memory"] for entry in included})
    asked = mask(query).text if query else ""
    with transaction.atomic():
        Injection.objects.create(
            workspace=who.workspace,
            purpose=purpose,
            user=who.user,
            session=who.session,
            query=asked,
            moment=who.now,
            as_of=who.as_of,
            memory_ids=shown,
            included=list(included),
            excluded=list(excluded)[:MOST_EXCLUDED],
            tokens=tokens,
        )
        if shown:
            # A row that somebody is changing is not waited for: counts may lag, answers may not.
            free = Memory.objects.select_for_update(skip_locked=True).filter(pk__in=shown).order_by("pk").values("pk")
            Memory.objects.filter(pk__in=free).update(recall_count=F("recall_count") + 1, last_recalled_at=who.now)
