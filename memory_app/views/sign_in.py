"""The sign-in page, and what a form hears that was opened before its operator signed in anew."""

from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.views.csrf import csrf_failure

from memory_app.actions.preferences import save_preferences
from memory_app.middleware import SIGN_IN
from memory_app.models import Operator
from memory_app.sign_in import SignInForm


class SignIn(LoginView):
    """Signs in; whoever does so first, and has chosen no time zone, has the browser's from then on."""

    redirect_authenticated_user = True
    authentication_form = SignInForm

    def form_valid(self, form: Any) -> HttpResponse:
        operator, zone = form.get_user(), self.request.POST.get("zone", "")
        nothing_chosen = operator.timezone == Operator._meta.get_field("timezone").get_default()
        if operator.last_login is None and nothing_chosen and zone in available_timezones():
            save_preferences(operator, timezone=zone)
        return super().form_valid(form)


def token_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A part of a page is told to fetch its token anew, as after signing in; a whole page is told what to do."""
    if getattr(request, "htmx", False):
        return HttpResponse(status=401, headers={SIGN_IN: resolve_url(settings.LOGIN_URL)})
    return csrf_failure(request, reason)
