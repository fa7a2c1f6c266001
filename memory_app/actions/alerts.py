"""Alerts raised, cleared and acknowledged. However often the same is found, one is open a kind and subject."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from memory_app.domain.actor import SYSTEM, Actor
from memory_app.domain.errors import Forbidden, NotFound
from memory_app.models import Alert, Operator, Workspace

from .audit import audit

#: Of a workspace by its id: by kind and subject, the numbers that say why.
Found = Mapping[Any, Mapping[tuple[str, str], Mapping[str, Any]]]


def settle_alerts(found: Found) -> None:
    """What is found is open, with its newest numbers; what is found no more, in whichever workspace, is cleared."""
    for alert in Alert.objects.filter(cleared_at=None).select_related("workspace"):
        if (alert.kind, alert.subject) not in found.get(alert.workspace_id, {}):
            clear(alert)
    for workspace in Workspace.objects.filter(pk__in=found):
        for (kind, subject), detail in found[workspace.pk].items():
            raise_alert(workspace, kind, subject, detail)


def raise_alert(workspace: Workspace, kind: str, subject: str, detail: Mapping[str, Any]) -> None:
    """One alert of this kind about this subject is open."""
    with transaction.atomic():
        known = Alert.objects.filter(workspace=workspace, kind=kind, subject=subject, cleared_at=None)
        if known.update(detail=dict(detail)):
            return
        try:
            with transaction.atomic():
                alert = Alert.objects.create(workspace=workspace, kind=kind, subject=subject, detail=dict(detail))
        except IntegrityError:  # somebody else has just raised it
            return
        audit(workspace, SYSTEM, "alert.raised", alert, kind=kind, **detail)


def clear(alert: Alert) -> None:
    """The alert is over; once, whoever finds it."""
    with transaction.atomic():
        if Alert.objects.filter(pk=alert.pk, cleared_at=None).update(cleared_at=timezone.now()):
            audit(alert.workspace, SYSTEM, "alert.cleared", alert, kind=alert.kind)


def acknowledge(workspace: Workspace, actor: Actor, alert_id: Any) -> Alert:
    """A person has seen it: it stays open and is no longer counted in the bar. A second time changes nothing."""
    if not actor.at_least("curator"):
        raise Forbidden("Alerts need the role curator.")
    with transaction.atomic():
        alert = Alert.objects.select_for_update().filter(workspace=workspace, pk=alert_id).first()
        if alert is None:
            raise NotFound("There is no such alert.")
        if alert.acknowledged_at is None:
            alert.acknowledged_at = timezone.now()
            alert.acknowledged_by = Operator.objects.filter(pk=actor.id).first() if actor.kind == "operator" else None
            alert.save(update_fields=["acknowledged_at", "acknowledged_by"])
            audit(workspace, actor, "alert.acknowledged", alert, kind=alert.kind)
    return alert
