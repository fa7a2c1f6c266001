"""What the settings pages answer: the page as it is now with what was done, or the form with what is wrong."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from memory_app.access import WorkspaceRequest
from memory_app.domain.errors import Blocked, Invalid
from memory_app.refusals import refused

#: Sentences of the domain that a form says in its own words, so that they are in the language of the page.
Words = dict[tuple[str, str], str]


def done(request: WorkspaceRequest, said: str, url: str, template: str, context: dict[str, Any]) -> HttpResponse:
    """Without htmx the page at `url`, else its region as it is now; both say what was done."""
    if not request.htmx:
        messages.info(request, said)
        return redirect(url)
    response = render(request, "memory_app/settings_changed.html", context | {"said": said, "region": template})
    response["HX-Push-Url"] = url
    return response


def again(
    request: WorkspaceRequest, template: str, part: str, context: dict[str, Any], *, at: str, status: int = 422
) -> HttpResponse:
    """The form where it was with what is wrong; without htmx the whole page with the form open."""
    if not request.htmx:
        return render(request, template, context, status=status)
    response = render(request, part, context, status=status)
    response["HX-Retarget"], response["HX-Reswap"] = at, "outerHTML"
    return response


def told(request: WorkspaceRequest, template: str, context: dict[str, Any], text: str, status: int) -> HttpResponse:
    """The page as it is now, with why nothing was done above it."""
    context |= {"notice": {"text": text, "tone": "danger"}}
    return render(request, f"{template}#page" if request.htmx else template, context, status=status)


def shown_once(response: HttpResponse) -> HttpResponse:
    """The answer, kept by no browser and no cache: it holds what is shown this once."""
    response["Cache-Control"] = "no-store"
    return response


def mark(form: forms.Form, error: Invalid | Blocked, secret: str, words: dict[str, str] | None = None) -> None:
    """Puts what is wrong at its field; `secret` is said where a text holds what nobody may store, `words` by field."""
    if isinstance(error, Blocked):
        form.add_error(None, secret)
        return
    for one in error.errors:
        name = one.field.split(".")[0]
        text = (words or {}).get(name) or refused(one)
        form.add_error(name if name in form.fields else None, text)
