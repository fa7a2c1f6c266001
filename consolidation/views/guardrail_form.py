"""Forms of the guardrails' pages: why a block is released, and a text to try."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memory_app.models import Stage

LONGEST = 5000


class ReasonForm(forms.Form):
    """Why a block was a false positive; the audit and the next person want to know."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=1000,
        help_text=_("Why it is a false positive. Leave the blocked words out."),
        error_messages={"required": _("Say why it is a false positive.")},
    )

    def __init__(self, *args: Any, number: int | None = None, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", f"release-{number}-%s" if number is not None else "release-%s")
        super().__init__(*args, **kwargs)


class TryForm(forms.Form):
    """A text and the stage at which it would be checked."""

    text = forms.CharField(
        label=_("Text"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": _("Write the text to check.")},
    )
    stage = forms.ChoiceField(label=_("Stage"), choices=Stage.choices, initial=Stage.CAPTURE)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "try-%s")
        super().__init__(*args, **kwargs)
