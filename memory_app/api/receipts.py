"""The receipt of an erasure, as the API answers it."""

from typing import Any

from memory_app.actions.erasing import Receipt


def receipt_shown(receipt: Receipt) -> dict[str, Any]:
    return {
        "receipt": receipt.id,
        "erased": receipt.subject,
        "digest": receipt.digest,
        "at": receipt.at,
        "by": receipt.by,
        "counts": receipt.counts,
    }
