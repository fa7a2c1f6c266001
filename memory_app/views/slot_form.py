"""The form of a slot: what may fill a key, by whom, for how long, and who gets to see it."""

import re
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from memory_app.actions.slots import SlotSettings
from memory_app.domain.slots import WRITERS
from memory_app.models import Cardinality, Exposure, Slot

KEY = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
MOST_VALUES, LONGEST_VALUE = 200, 200
UNITS = {"days": 86_400, "hours": 3_600, "minutes": 60}
LONGEST = 36_500 * 86_400
UNIT_WORDS = [
    ("days", pgettext_lazy("duration", "days")),
    ("hours", pgettext_lazy("duration", "hours")),
    ("minutes", pgettext_lazy("duration", "minutes")),
]
WRITER_WORDS = {
    "user": gettext_lazy("The user, by what they say"),
    "agent": gettext_lazy("Agents, by what they conclude"),
    "operator": gettext_lazy("Operators, by hand"),
    "profile": gettext_lazy("The profile, from your systems"),
}


class SlotForm(forms.Form):
    """Every setting of a slot; a new one has a key as well."""

    key = forms.CharField(
        label=gettext_lazy("Key"),
        max_length=100,
        help_text=gettext_lazy("Lower-case words joined by underscores, such as seat_preference."),
        error_messages={"required": gettext_lazy("Enter a key.")},
    )
    cardinality = forms.ChoiceField(
        label=gettext_lazy("How many values"),
        choices=Cardinality.choices,
        help_text=gettext_lazy(
            "One: a newer value takes the older one’s place. Several: they stand side by side, as allergies do."
        ),
    )
    values = forms.CharField(
        label=gettext_lazy("The only values"),
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("One a line. Empty: any value. Others wait for a person."),
    )
    writers = forms.MultipleChoiceField(
        label=gettext_lazy("Who may fill it"),
        choices=[(name, WRITER_WORDS[name]) for name in WRITERS],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one.")},
    )
    lasts = forms.IntegerField(
        label=gettext_lazy("Holds for"),
        required=False,
        min_value=1,
        max_value=LONGEST // 60,
        help_text=gettext_lazy("Empty: with no end. What is stored already keeps its own."),
        error_messages={name: gettext_lazy("Enter a whole number from 1, or leave it empty.") for name in
                        ("invalid", "min_value", "max_value")},
    )  # fmt: skip
    unit = forms.ChoiceField(label=gettext_lazy("Unit"), choices=UNIT_WORDS)
    exposure = forms.ChoiceField(
        label=gettext_lazy("Who sees it"),
        choices=Exposure.choices,
        help_text=gettext_lazy(
            "In the context: the model reads it. Tools only: it is in no prompt. Nobody: kept only."
        ),
    )

    def __init__(self, *args: Any, slot: Slot | None = None, **kwargs: Any) -> None:
        kwargs.setdefault("initial", settings_shown(slot))
        kwargs.setdefault("auto_id", "slot-%s")
        super().__init__(*args, **kwargs)
        if slot is not None:
            del self.fields["key"]

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        if not KEY.fullmatch(key):
            raise forms.ValidationError(_("Use lower-case words joined by underscores."))
        return key

    def clean_values(self) -> list[str]:
        values = [line.strip() for line in self.cleaned_data["values"].splitlines() if line.strip()]
        if len(values) > MOST_VALUES or any(len(value) > LONGEST_VALUE for value in values):
            raise forms.ValidationError(_("Enter at most 200 values, each at most 200 characters."))
        return list(dict.fromkeys(values))

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("lasts") and given.get("unit") and given["lasts"] * UNITS[given["unit"]] > LONGEST:
            self.add_error("lasts", _("Enter at most 36,500 days, or leave it empty."))
        return given

    @property
    def settings(self) -> SlotSettings:
        given = self.cleaned_data
        lasts = timedelta(seconds=given["lasts"] * UNITS[given["unit"]]) if given["lasts"] else None
        return SlotSettings(given["cardinality"], given["values"], given["writers"], lasts, given["exposure"])


def settings_shown(slot: Slot | None) -> dict[str, Any]:
    """A slot's settings as the form shows them; those of a new one where there is none."""
    if slot is None:
        return {"cardinality": "one", "writers": list(WRITERS), "unit": "days", "exposure": "context"}
    lasts, unit = duration_of(slot.expires_after)
    return {"cardinality": slot.cardinality, "values": "\n".join(slot.values), "writers": slot.writers or list(WRITERS),
            "lasts": lasts, "unit": unit, "exposure": slot.exposure}  # fmt: skip


def duration_of(lasts: timedelta | None) -> tuple[int | None, str]:
    """A duration as a number of the largest unit that says it exactly, to the minute."""
    if lasts is None:
        return None, "days"
    seconds = int(lasts.total_seconds())
    for unit, size in UNITS.items():
        if seconds % size == 0:
            return seconds // size, unit
    return max(1, seconds // 60), "minutes"


def duration_words(lasts: timedelta | None) -> str:
    """`30 days`; empty where there is no end."""
    number, unit = duration_of(lasts)
    return f"{number:,} {dict(UNIT_WORDS)[unit]}" if number else ""
