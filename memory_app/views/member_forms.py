"""The forms of members: add one who has a name already, or make a new operator."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from memory_app.actions.members import USERNAME
from memory_app.models import Role

ROLES = [choice for choice in Role.choices if choice[0] != Role.AGENT]
WHAT_ROLES_MAY = _("Viewers read everything. Curators also decide and edit. Admins may do all.")


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=ROLES, help_text=WHAT_ROLES_MAY)


class AddForm(RoleForm):
    """An operator who can sign in already."""

    username = forms.CharField(
        label=_("Username"),
        max_length=150,
        help_text=_("As they sign in."),
        error_messages={"required": _("Enter the username they sign in with.")},
    )
    field_order = ("username", "role")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "add-%s")
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class CreateForm(RoleForm):
    """Somebody who has never signed in."""

    username = forms.CharField(
        label=_("Username"),
        max_length=150,
        help_text=_("Letters, digits and @ . + - _ only."),
        validators=[RegexValidator(f"^{USERNAME.pattern}$", _("Use letters, digits and @ . + - _ only."))],
        error_messages={"required": _("Enter the username they will sign in with.")},
    )
    first_name = forms.CharField(label=_("First name"), max_length=150, required=False)
    last_name = forms.CharField(label=_("Last name"), max_length=150, required=False)
    field_order = ("username", "first_name", "last_name", "role")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "new-%s")
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
