"""How an operator wants the product to look: the preferences page, and the switches of the top bar."""

from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from memory_app.access import address_of
from memory_app.actions.preferences import change_password, save_preferences
from memory_app.models import Operator
from memory_app.navigation import membership_in_mind
from memory_app.preferences import THEME_COOKIE, THEMES, remember
from memory_app.sign_in import ChangePasswordForm

LANGUAGES = (("en", "English"), ("zh-hans", "简体中文"))  # each in its own language, so no translation


def _zones() -> list[tuple[str, str]]:
    return [(name, name.replace("_", " ")) for name in sorted(available_timezones()) if not name.startswith("Etc/")]


class PreferencesForm(forms.Form):
    """Language, theme, time zone and shortcuts of one operator."""

    language = forms.ChoiceField(
        label=gettext_lazy("Language"), choices=[("", gettext_lazy("As the browser")), *LANGUAGES], required=False
    )
    theme = forms.ChoiceField(label=gettext_lazy("Theme"), choices=Operator.Theme.choices, required=False)
    timezone = forms.ChoiceField(label=gettext_lazy("Time zone"), choices=_zones)
    shortcuts = forms.BooleanField(label=gettext_lazy("Single-key shortcuts on"), required=False)


@login_required
def preferences(request: HttpRequest) -> HttpResponse:
    """The preferences page; saving it answers with the page in the new language."""
    operator = request.user
    assert isinstance(operator, Operator)
    _inside(request, operator)
    initial = {name: getattr(operator, name) for name in PreferencesForm.base_fields}
    form = PreferencesForm(request.POST if request.method == "POST" else None, initial=initial)
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "memory_app/preferences.html", {"form": form}, status=status)
    save_preferences(operator, **form.cleaned_data)
    with override(operator.language or None):
        messages.success(request, _("Preferences saved."))
    response = redirect("preferences")
    remember(response, settings.LANGUAGE_COOKIE_NAME, operator.language)
    remember(response, THEME_COOKIE, operator.theme)
    return response


@sensitive_post_parameters()
@login_required
def password(request: HttpRequest) -> HttpResponse:
    """A new password, once the old one is known; whoever is signed in elsewhere with the old one is signed out.

    Whoever comes with a password that somebody else set has no other page until then, and goes on to `next`.
    """
    operator = request.user
    assert isinstance(operator, Operator)
    first = operator.has_first_password
    if not first:
        _inside(request, operator)
    form = ChangePasswordForm(operator, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        context = {"form": form, "first": first, "next": request.POST.get("next", request.GET.get("next", ""))}
        return render(request, "memory_app/password.html", context, status=422 if form.is_bound else 200)
    change_password(operator, form.cleaned_data["new_password1"], address_of(request))
    update_session_auth_hash(request, operator)
    messages.success(request, _("Password changed."))
    return _back(request) if first else redirect("preferences")


def _inside(request: HttpRequest, operator: Operator) -> None:
    """The page has the sidebar of the workspace that the operator was last in."""
    membership = membership_in_mind(operator, request.session.get("workspace"))
    if membership is not None:
        request.membership, request.workspace = membership, membership.workspace  # type: ignore[attr-defined]


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """The page that asked, in another language, which stays."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        return HttpResponseBadRequest(_("Unknown language."))
    response = _back(request)
    remember(response, settings.LANGUAGE_COOKIE_NAME, language)
    if isinstance(request.user, Operator):
        save_preferences(request.user, language=language)
    return response


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """The page that asked, in another theme, which stays."""
    theme = request.POST.get("theme", "")
    if theme not in THEMES:
        return HttpResponseBadRequest(_("Unknown theme."))
    response = _back(request)
    remember(response, THEME_COOKIE, theme)
    if isinstance(request.user, Operator):
        save_preferences(request.user, theme=theme)
    return response


@require_POST
@login_required
def set_shortcuts(request: HttpRequest) -> HttpResponse:
    """Single-key shortcuts are on if the box was checked, and off otherwise."""
    assert isinstance(request.user, Operator)
    save_preferences(request.user, shortcuts=request.POST.get("shortcuts") == "on")
    return HttpResponse(status=204) if getattr(request, "htmx", False) else _back(request)


def _back(request: HttpRequest) -> HttpResponseRedirect:
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return HttpResponseRedirect(target if safe else "/")
