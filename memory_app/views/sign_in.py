"""The sign-in page."""

from typing import Any
from zoneinfo import available_timezones

from django.contrib.auth.views import LoginView
from django.http import HttpResponse

from memory_app.actions.preferences import save_preferences
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
