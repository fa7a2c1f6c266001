"""What a person writes beside a button: a comment, a reason. Refused in words where it cannot be kept, never cut."""

from django import forms
from django.core.exceptions import ValidationError

from memory_app.access import WorkspaceRequest
from memory_app.domain.errors import FieldError, Invalid
from memory_app.refusals import SAID

LONGEST = 2_000


def remark(request: WorkspaceRequest, name: str = "comment") -> str:
    """What was written in the field, its line ends counted once. Invalid where it is too long or cannot be stored."""
    return storable(typed(request, name), name)


def typed(request: WorkspaceRequest, name: str = "comment") -> str:
    """What was written, to be drawn again as it is."""
    return request.POST.get(name, "").replace("\r\n", "\n")


def storable(text: str, name: str, longest: int = LONGEST) -> str:
    """The text as a form's field would have it."""
    try:
        return str(forms.CharField(max_length=longest, required=False).clean(text))
    except ValidationError as error:
        raise Invalid(*(FieldError(name, message, SAID) for message in error.messages)) from error
