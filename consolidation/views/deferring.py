"""What a person does with a decision instead of deciding it: puts it off, or hands it to an admin; both with undo."""

from django.utils import timezone
from django.utils.translation import gettext as _

from memory_app.access import WorkspaceRequest
from memory_app.actions.deferring import escalate, hand_back, snooze, wake
from memory_app.domain.errors import Invalid
from memory_app.models import Decision
from memory_app.views.remarks import remark

from .decide import Outcome, decides
from .later import chosen_time


def _snooze(request: WorkspaceRequest, decision: Decision) -> Outcome:
    until = chosen_time(request.POST.get("until", ""), request.POST.get("day", ""))
    if until is None:
        raise Invalid.field("until", "is no day.")
    snoozed = snooze(request.workspace, request.actor, decision.pk, until)
    words = {"ref": decision.ref, "moment": f"{timezone.localtime(until):%Y-%m-%d %H:%M}"}
    return Outcome(snoozed, _("%(ref)s is snoozed until %(moment)s.") % words, undo="decision_wake")


def _wake(request: WorkspaceRequest, decision: Decision) -> Outcome:
    woken = wake(request.workspace, request.actor, decision.pk)
    return Outcome(woken, _("%(ref)s is back in the queue.") % {"ref": decision.ref}, undone=True)


def _escalate(request: WorkspaceRequest, decision: Decision) -> Outcome:
    escalated = escalate(request.workspace, request.actor, decision.pk, remark(request))
    said = _("%(ref)s was handed to the admins: it waits on Approvals.") % {"ref": decision.ref}
    return Outcome(escalated, said, undo="decision_hand_back")


def _hand_back(request: WorkspaceRequest, decision: Decision) -> Outcome:
    back = hand_back(request.workspace, request.actor, decision.pk)
    return Outcome(back, _("%(ref)s waits for a curator again.") % {"ref": decision.ref}, undone=True)


decision_snooze, decision_wake = decides(_snooze), decides(_wake)
decision_escalate, decision_hand_back = decides(_escalate), decides(_hand_back)
