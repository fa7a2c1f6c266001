"""What an alert says, and where its rows are."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy, ngettext

from memory_app.addresses import page_url
from memory_app.models import Alert, AlertKind

_SAYS = {
    AlertKind.REVERSALS: gettext_lazy("%(percent)s%% of the decisions of the last 7 days were reversed, %(before)s%% before."),
    AlertKind.WRITES: gettext_lazy("%(subject)s caused %(count)s decisions in a day; %(usual)s are usual."),
    AlertKind.WORKER: gettext_lazy("No worker has said for a minute that it lives. Nothing is consolidated meanwhile."),
}  # fmt: skip


@dataclass(frozen=True)
class AlertWords:
    """An alert in words, with the address of its rows (empty where it has none)."""

    alert: Alert
    title: str
    text: str
    href: str


def words_of(alert: Alert, slug: str) -> AlertWords:
    return AlertWords(alert, str(alert.get_kind_display()), _text(alert), _href(alert, slug))


def _text(alert: Alert) -> str:
    numbers: dict[str, Any] = {
        "subject": alert.subject,
        "count": 0,
        "usual": 0,
        "percent": 0,
        "before": 0,
        "limit": 0,
    } | alert.detail
    count = numbers["count"]
    match alert.kind:
        case AlertKind.QUEUE:
            text = ngettext(
                "%(count)s decision waits longer than %(limit)s hours.",
                "%(count)s decisions wait longer than %(limit)s hours.",
                count,
            )
        case AlertKind.INSTRUCTIONS:
            text = ngettext(
                "%(count)s instruction was blocked within ten minutes.",
                "%(count)s instructions were blocked within ten minutes.",
                count,
            )
        case AlertKind.RUNS:
            text = ngettext(
                "%(count)s consolidation failed within an hour.",
                "%(count)s consolidations failed within an hour.",
                count,
            )
        case _:
            text = str(_SAYS[AlertKind(alert.kind)])
    return str(text % numbers)


def _href(alert: Alert, slug: str) -> str:
    match alert.kind:
        case AlertKind.QUEUE:
            return page_url("review", slug, age__gt=f"{alert.detail.get('limit', '')}h", sort="created")
        case AlertKind.REVERSALS:
            return page_url("metric", slug, metric="reversals", days=7)
        case AlertKind.WRITES:
            return page_url("review", slug, status="all", agent=alert.subject, days=2)
        case AlertKind.INSTRUCTIONS:
            return page_url("guardrails", slug, category="instruction", days=1)
        case AlertKind.RUNS:
            return page_url("sessions", slug, status="failed")
    return ""


__all__ = ["AlertWords", "words_of"]
