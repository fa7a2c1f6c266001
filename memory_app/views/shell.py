"""Parts of the frame that pages refresh by themselves."""

from django.http import HttpResponse
from django.shortcuts import render

from memory_app.access import WorkspaceRequest, workspace_page


@workspace_page()
def counts(request: WorkspaceRequest) -> HttpResponse:
    """The sidebar's counts, for htmx to put in place."""
    return render(request, "components/nav_counts.html")
