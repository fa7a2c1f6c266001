"""The form of one field of a user's profile."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory_app.domain.errors import Blocked, Invalid
from memory_app.refusals import refused
from memory_app.values import read_as

from .memory_form import KEY


class ProfileFieldForm(forms.Form):
    """What the field says, who says so, and when they checked it."""

    key = forms.CharField(
        label=gettext_lazy("Key"),
        max_length=100,
        help_text=gettext_lazy("Such as member_tier. A key that is there already is replaced."),
        error_messages={"required": gettext_lazy("Name the field.")},
        widget=forms.TextInput(attrs={"list": "profile-keys", "autocomplete": "off", "spellcheck": "false"}),
    )
    value = forms.CharField(
        label=gettext_lazy("Value"),
        max_length=2000,
        required=False,
        help_text=gettext_lazy("Leave it empty to take the field out of the profile."),
    )
    source = forms.CharField(
        label=gettext_lazy("Source"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("The system or person that says so, such as CRM."),
    )
    verified_at = forms.DateField(
        label=gettext_lazy("Verified"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("When the source was last checked."),
        error_messages={"invalid": gettext_lazy("Enter a real date, or leave empty.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "field-%s")
        super().__init__(*args, **kwargs)

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        if not KEY.fullmatch(key):
            raise forms.ValidationError(_("Use lower-case words joined by underscores, such as member_tier."))
        return key

    def clean_verified_at(self) -> date | None:
        day: date | None = self.cleaned_data["verified_at"]
        if day is not None and day > timezone.localdate():
            raise forms.ValidationError(_("This day is yet to come. Enter when it was checked, or leave empty."))
        return day

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("value") and not given.get("source") and "source" not in self.errors:
            self.add_error("source", _("Say who says so: the profile is what agents trust most."))
        return given

    @property
    def entry(self) -> dict[str, Any] | None:
        """The field as the profile keeps it; None where it is to go."""
        given = self.cleaned_data
        if not given["value"]:
            return None
        day = given["verified_at"]
        verified = datetime.combine(day, time(), timezone.get_current_timezone()) if day else None
        return {"value": read_as(given["value"], None), "source": given["source"], "verified_at": verified}

    def mark(self, error: Invalid | Blocked, blocked: str) -> None:
        """Puts what the profile itself refuses at its field."""
        if isinstance(error, Blocked):
            self.add_error("value", blocked)
            return
        for one in error.errors:
            words = {
                "secret": _("Leave secrets, payment details and personal identifiers out of the key."),
                "writer": _("The slot of this key may not be written by the profile."),
            }.get(one.code) or refused(one)
            self.add_error("value" if one.field.endswith(".value") else "key", words)
