"""The form that sends case files, and what is wrong with them in the language of the page."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from consolidation.actions.case_sets import MOST_BYTES, MOST_CASES, MOST_SETS
from memory_app.domain.errors import Invalid


class SeveralFiles(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """The files that were chosen; whether there are any is asked with all else."""

    widget = SeveralFiles

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        return [one for one in (data if isinstance(data, list) else [data]) if one]


class CaseSetForm(forms.Form):
    """A name, and one file or several."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100, strip=True)
    files = FilesField(  # type: ignore[assignment]
        label=gettext_lazy("Case files"),
        widget=SeveralFiles(attrs={"accept": ".jsonl"}),
        help_text=gettext_lazy(
            "One case a line (.jsonl). The name of each file begins with guardrail, distill, consolidation or recall."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "set-%s")
        super().__init__(*args, **kwargs)


def mark(form: CaseSetForm, error: Invalid) -> None:
    """Puts what is wrong at its field."""
    for one in error.errors:
        form.add_error(one.field if one.field in form.fields else None, _said(one.code))


def _said(code: str) -> str:
    if code.startswith("line:"):
        _prefix, kind, line = code.split(":")
        return _("Line %(line)s of the file of kind %(kind)s is no case: it must be JSON with input and expect.") % {
            "line": line, "kind": kind}  # fmt: skip
    found = {
        "name": _("Give it a name of at most 100 characters."),
        "secret": _("Leave secrets, payment details and personal identifiers out of it."),
        "taken": _("Another set has this name."),
        "none": _("Choose a file."),
        "kind": _("Each must be a .jsonl file whose name begins with guardrail, distill, consolidation or recall."),
        "utf8": _("The files must be UTF-8 text."),
        "empty": _("There is no case in them that can be kept."),
        "bytes": _("Together they are larger than %(most)s bytes.") % {"most": f"{MOST_BYTES:,}"},
        "cases": _("Together they hold more than %(most)s cases.") % {"most": MOST_CASES},
        "sets": _("A workspace has at most %(most)s sets. Remove one first.") % {"most": MOST_SETS},
    }
    return found.get(code, _("This cannot be used."))
