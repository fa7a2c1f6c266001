"""The form that edits a decision before it is approved."""

from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from consolidation.domain.differences import still_says
from memory_app.actions.decisions import UNSET, Ruling
from memory_app.display import lang_of
from memory_app.domain.carrying import carried
from memory_app.models import Decision
from memory_app.values import read_as, written

from .flow import text_of


class EditForm(forms.Form):
    """The text and, where the memory has a key, its value. What is left as it was is no edit."""

    text = forms.CharField(
        label=_("Memory text"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One sentence. Do not add facts that are not in the evidence."),
        error_messages={"required": _("Write what is to be remembered.")},
    )
    value = forms.CharField(label=_("Value"), max_length=2000, required=False)
    #: The value that the person was asked about once and left as it is.
    kept = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, decision: Decision, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "edit-%s")
        super().__init__(*args, **kwargs)
        self.decision = decision
        content = _content(decision)
        self.fields["text"].widget.attrs["lang"] = lang_of(content["text"])
        if not content["key"] or isinstance(content["value"], dict | list):
            del self.fields["value"]
        else:
            self.fields["value"].label = content["key"]

    def clean(self) -> dict[str, Any]:
        """Asks once whether a value that the new text does not say still holds."""
        found: dict[str, Any] = super().clean() or {}
        content, text, value = _content(self.decision), found.get("text", "").strip(), found.get("value")
        untouched = value is not None and value == written(content["value"]) != ""
        if not text or not untouched or text == content["text"] or found.get("kept") == value:
            return found
        if carried(content["value"], content["text"], text) == content["value"] and not still_says(text, value):
            self.data = cast(QueryDict, self.data).copy()  # for the form that is drawn again
            self.data["kept"] = str(value)
            self.add_error(
                "value", _("The text says something else now. Change the value, or approve again to keep it.")
            )
        return found

    @classmethod
    def of(cls, decision: Decision) -> "EditForm":
        """The form with the content as the decision proposes it."""
        content = _content(decision)
        return cls(decision=decision, initial={"text": content["text"], "value": written(content["value"])})

    def ruling(self, base_version: int | None, action: str) -> Ruling:
        """What the person says, with only what they changed."""
        content = _content(self.decision)
        text, value = self.cleaned_data["text"].strip(), self.cleaned_data.get("value")
        changed_value = value is not None and value != written(content["value"])
        return Ruling(
            base_version=base_version,
            text=text if text != content["text"] else None,
            value=read_as(value or "", content["value"]) if changed_value else UNSET,
            action=action,
        )


def _content(decision: Decision) -> dict[str, Any]:
    after, note = decision.after or {}, decision.note
    return {
        "text": after.get("text") or text_of(decision),
        "key": after.get("key") or (note.key if note is not None else ""),
        "value": after.get("value", note.value if note is not None else None),
    }
