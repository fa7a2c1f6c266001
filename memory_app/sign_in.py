"""Passwords that are asked for, with a limit on wrong ones: for each name, and for each address whatever the name."""

import hashlib
import math
from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext, ngettext

from memory_app.access import address_of
from memory_app.ratelimit import count, uncount

#: Wrong passwords a minute. A person who mistypes stays far below; a guesser gets nowhere.
FOR_A_NAME, FOR_AN_ADDRESS = 10, 50


def try_once(counters: dict[str, int]) -> None:
    """One more try is counted. ValidationError where one of the counters has reached its limit in this minute.

    Counted before it is tried, in one step: of many guesses at the same moment none is tried too many. A right
    password takes its count back (`forgive`).
    """
    for name, limit in counters.items():
        tried, seconds_left = count(name)
        if tried > limit:
            seconds = max(1, math.ceil(seconds_left))
            told = ngettext(
                "Too many wrong passwords. Try again in %(seconds)s second.",
                "Too many wrong passwords. Try again in %(seconds)s seconds.",
                seconds,
            ) % {"seconds": seconds}
            raise ValidationError(told, code="throttled")


def forgive(counters: dict[str, int]) -> None:
    """What was tried was right, and counts for nothing."""
    for name in counters:
        uncount(name)


class SignInForm(AuthenticationForm):
    """The usual form; after too many wrong passwords even the right one waits for the next minute."""

    throttled = ""  # why nothing is tried now

    def clean(self) -> dict[str, Any]:
        counters = self._counters()
        try:
            try_once(counters)
        except ValidationError as error:
            self.throttled = error.messages[0]
            raise
        cleaned = super().clean()
        forgive(counters)
        return cleaned

    def _counters(self) -> dict[str, int]:
        """Names are counted by digest: what people type as a name may be a password."""
        username = str(self.cleaned_data.get("username", "")).casefold()
        digest = hashlib.sha256(username.encode()).hexdigest()[:32]
        counters = {f"sign-in:name:{digest}": FOR_A_NAME}
        address = address_of(self.request) if isinstance(self.request, HttpRequest) else None
        return counters | ({f"sign-in:address:{address}": FOR_AN_ADDRESS} if address else {})


class BackOfficeSignInForm(SignInForm, AdminAuthenticationForm):
    """The back office's form, with the same counters: it is no second door."""


class ChangePasswordForm(PasswordChangeForm):
    """The usual form; whoever finds a browser that is signed in does not get to guess the old password."""

    def clean_old_password(self) -> str:
        counters = {f"old-password:{self.user.pk}": FOR_A_NAME}
        try_once(counters)
        old: str = super().clean_old_password()
        forgive(counters)
        return old

    def clean(self) -> dict[str, Any]:
        """Whoever set the old one would still know it, if it stayed."""
        cleaned: dict[str, Any] = super().clean() or {}
        if "new_password1" in cleaned and cleaned["new_password1"] == cleaned.get("old_password"):
            self.add_error("new_password1", gettext("Choose another password than the present one."))
        return cleaned
