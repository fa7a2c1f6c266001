"""Alerts acknowledged by a person."""

import uuid

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.alerts import acknowledge
from memory_app.domain.errors import Forbidden, NotFound


@require_POST
@workspace_page()
def alert_acknowledge(request: WorkspaceRequest, alert_id: uuid.UUID) -> HttpResponse:
    """The alert is one that somebody has seen; back to the alerts."""
    try:
        acknowledge(request.workspace, request.actor, alert_id)
    except NotFound as error:
        raise Http404 from error
    except Forbidden as error:
        raise PermissionDenied(error.message) from error
    messages.info(request, _("Acknowledged."))
    return redirect(reverse("quality", args=[request.workspace.slug]) + "#alerts")
