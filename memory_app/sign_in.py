"""Signing in, with a limit on wrong passwords: for each name, and for each address whatever the name."""

import hashlib
import math
from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import ngettext

from memory_app.access import address_of
from memory_app.ratelimit import count, uncount

#: Wrong passwords a minute. A person who mistypes stays far below; a guesser gets nowhere.
FOR_A_NAME, FOR_AN_ADDRESS = 10, 50


class SignInForm(AuthenticationForm):
    """The usual form; after too many wrong passwords even the right one waits for the next minute."""

    throttled = ""  # why nothing is tried now

    def clean(self) -> dict[str, Any]:
        counters = self._counters()
        # Counted before it is tried, in one step: of many guesses at the same moment none is tried too many.
        for name, limit in counters.items():
            tried, seconds_left = count(name)
            if tried > limit:
                seconds = max(1, math.ceil(seconds_left))
                self.throttled = ngettext(
                    "Too many wrong passwords. Try again in %(seconds)s second.",
                    "Too many wrong passwords. Try again in %(seconds)s seconds.",
                    seconds,
                ) % {"seconds": seconds}
                raise ValidationError(self.throttled, code="throttled")
        cleaned = super().clean()
        for name in counters:
            uncount(name)
        return cleaned

    def _counters(self) -> dict[str, int]:
        """Names are counted by digest: what people type as a name may be a password."""
        username = str(self.cleaned_data.get("username", "")).casefold()
        digest = hashlib.sha256(username.encode()).hexdigest()[:32]
        counters = {f"sign-in:name:{digest}": FOR_A_NAME}
        address = address_of(self.request) if isinstance(self.request, HttpRequest) else None
        return counters | ({f"sign-in:address:{address}": FOR_AN_ADDRESS} if address else {})
