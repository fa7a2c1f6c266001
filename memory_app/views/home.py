"""The start page: the overview of the workspace last seen."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from memory_app.navigation import membership_in_mind


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """To the workspace last seen, else the first by name; for someone who is in none, a page that says so."""
    membership = membership_in_mind(request.user, request.session.get("workspace"))
    if membership is None:
        return render(request, "memory_app/no_workspace.html")
    return redirect("overview", membership.workspace.slug)
