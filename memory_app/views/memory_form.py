"""The form that edits a memory. It knows the version it was filled from, so only what a person changed is written."""

import re
from datetime import datetime
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from memory_app.display import lang_of
from memory_app.domain.carrying import carried, says
from memory_app.models import MemoryState
from memory_app.values import read_as, written

KEY = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
FIELDS = ("text", "key", "value", "condition", "subject", "importance", "expires_at")


class EditForm(forms.Form):
    """The content of a memory that people change by hand, and why they do."""

    text = forms.CharField(
        label=_("Memory text"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One sentence. Do not add facts that are not in the evidence."),
        error_messages={"required": _("Write what is to be remembered.")},
    )
    key = forms.CharField(
        label=_("Key"),
        max_length=100,
        required=False,
        help_text=_("The slot that it fills, such as seat_preference."),
    )
    value = forms.CharField(label=_("Value"), max_length=2000, required=False)
    condition = forms.CharField(
        label=_("Condition"), max_length=200, required=False, help_text=_("When it holds; empty: always.")
    )
    subject = forms.CharField(
        label=_("Subject"), max_length=200, required=False, help_text=_("Whom it is about; empty: the user.")
    )
    importance = forms.FloatField(
        label=_("Importance"),
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any", "min": 0, "max": 1}),
        error_messages={name: _("Enter a number from 0 to 1.") for name in ("invalid", "min_value", "max_value")},
    )
    expires_at = forms.DateTimeField(
        label=pgettext_lazy("term", "Expires"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("Leave empty to keep it with no expiry."),
        error_messages={"invalid": _("Enter a real date, or leave empty.")},
    )
    reason = forms.CharField(label=_("Reason"), max_length=1000, required=False)
    #: The value that the person was asked about once and left as it is.
    kept = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, seen: MemoryState, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "edit-%s")
        kwargs.setdefault("initial", content_of(seen))
        super().__init__(*args, **kwargs)
        self.seen = seen
        self.fields["text"].widget.attrs["lang"] = lang_of(seen.text)
        if isinstance(seen.value, dict | list):
            del self.fields["value"]

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        if key and key != self.seen.key and not KEY.fullmatch(key):
            raise forms.ValidationError(_("Use lower-case words joined by underscores, or leave it empty."))
        return key

    def clean_expires_at(self) -> datetime | None:
        moment: datetime | None = self.cleaned_data["expires_at"]
        if moment is not None and moment <= timezone.now() and moment != content_of(self.seen)["expires_at"]:
            raise forms.ValidationError(_("This moment has passed. Choose a later one, or archive the memory."))
        return moment

    def clean(self) -> dict[str, Any]:
        """A value that was left alone follows its text; one that the new text does not say is asked about once."""
        found: dict[str, Any] = super().clean() or {}
        before, text, value = content_of(self.seen), found.get("text", "").strip(), found.get("value")
        untouched = bool(value) and value == before["value"] and found.get("key") == before["key"]
        if not text or not untouched or before["text"] in text or found.get("kept") == value or says(text, value):
            return found
        follows = carried(self.seen.value, before["text"], text)
        if follows is not None and follows != self.seen.value:
            return found | {"value": written(follows)}
        self.data = cast(QueryDict, self.data).copy()  # for the form that is drawn again
        self.data["kept"] = str(value)
        self.add_error("value", _("The text says something else now. Change the value, or save again to keep it."))
        return found

    @property
    def changes(self) -> dict[str, Any]:
        """What the person changed of the version that they saw, ready for the action."""
        before, found = content_of(self.seen), {}
        for name in FIELDS:
            given = self.cleaned_data.get(name, before[name])
            given = given.strip() if isinstance(given, str) else given
            if given != before[name]:
                found[name] = read_as(given, self.seen.value) if name == "value" else given
        return found

    def on(self, current: MemoryState) -> "EditForm":
        """The form filled from the version that came meanwhile, with what the person changed kept."""
        typed = {name: self.cleaned_data[name] for name in self.changes if name in self.cleaned_data}
        kept = content_of(current) | typed | {"reason": self.cleaned_data.get("reason", "")}
        return EditForm(seen=current, initial=kept)


class ExpiryForm(forms.Form):
    """When the selected memories end; empty: never."""

    expires_at = forms.DateTimeField(
        label=pgettext_lazy("term", "Expires"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local", "form": "bulk"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("Leave empty to keep them with no expiry."),
        error_messages={"invalid": _("Enter a real date, or leave empty.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "bulk-%s")
        super().__init__(*args, **kwargs)

    def clean_expires_at(self) -> datetime | None:
        return in_future(self.cleaned_data["expires_at"], gettext("This moment has passed. Choose a later one."))


def in_future(moment: datetime | None, passed: str) -> datetime | None:
    """The moment; refused in these words where it has passed."""
    if moment is not None and moment <= timezone.now():
        raise forms.ValidationError(passed)
    return moment


def content_of(state: MemoryState) -> dict[str, Any]:
    """The fields as the form shows them; a time to the minute, because that is what can be typed."""
    expires = state.expires_at
    return {
        "text": state.text,
        "key": state.key,
        "value": written(state.value),
        "condition": state.condition,
        "subject": state.subject,
        "importance": state.importance,
        "expires_at": expires.replace(second=0, microsecond=0) if expires is not None else None,
    }
