"""The form of a policy: every field that people set, its holds as rows, and why it is changed."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from consolidation.domain.decisions import CHANGES
from consolidation.domain.policy import DAYS, MOST_CALLS, MOST_DAYS, MOST_TOKENS, Policy
from memory_app.domain.errors import Invalid
from memory_app.models import Action, Kind, Needs, Scope
from memory_app.refusals import refused
from memory_app.wording import together

ANY = ("", pgettext_lazy("hold", "Any"))
FORGETTING = (*DAYS, "episode_importance", "most_episodes")
SPARE_ROWS = 2
MOST_ROWS = 100
SHARE_ERRORS = {name: gettext_lazy("Enter a number from 0 to 1.") for name in ("invalid", "min_value", "max_value",
                                                                             "required")}  # fmt: skip
WHOLE_ERRORS = {name: gettext_lazy("Enter a whole number.") for name in ("invalid", "min_value", "max_value",
                                                                        "required")}  # fmt: skip


def why_field() -> forms.CharField:
    """Why the policy changes, which every version says."""
    return forms.CharField(
        label=gettext_lazy("Why"),
        max_length=1000,
        help_text=gettext_lazy("It stands beside this version for good."),
        error_messages={"required": gettext_lazy("Say why the policy changes.")},
    )


def _share(label: Any, hint: Any) -> forms.FloatField:
    widget = forms.NumberInput(attrs={"step": "any", "min": 0, "max": 1})
    return forms.FloatField(
        label=label, help_text=hint, min_value=0, max_value=1, widget=widget, error_messages=SHARE_ERRORS
    )


def _days(label: Any, hint: Any) -> forms.IntegerField:
    """A number of days, where 0 is for ever."""
    errors = WHOLE_ERRORS | {"max_value": gettext_lazy("Enter at most 36,500 days; 0 is for ever.")}
    return forms.IntegerField(label=label, help_text=hint, min_value=0, max_value=MOST_DAYS, error_messages=errors)


class PolicyForm(forms.Form):
    """What a policy says but for its holds. A field that this form does not know stays as it is."""

    certain = _share(gettext_lazy("Certain from"), gettext_lazy("Below this confidence a change waits for a person."))
    related = _share(
        gettext_lazy("Related from"), gettext_lazy("Below this similarity a text and its quote have nothing in common.")
    )
    doubtful = _share(
        gettext_lazy("Doubtful from"),
        gettext_lazy("From here two texts that share few words are shown to a person."),
    )
    near_duplicate = _share(
        gettext_lazy("Nearly the same from"),
        gettext_lazy("From here a text that says a little less than a memory is taken for it."),
    )
    override_without_change_word = forms.BooleanField(
        label=gettext_lazy("Newer replaces older"),
        required=False,
        help_text=gettext_lazy("A newer, different value takes the old one’s place even without “from now on”."),
    )
    distill = forms.ChoiceField(
        label=gettext_lazy("Notes from turns"),
        choices=[
            ("rules", gettext_lazy("Found by rules")),
            ("llm", gettext_lazy("Found by rules, then by a language model")),
            ("off", gettext_lazy("Only what agents note")),
        ],
        help_text=gettext_lazy("What is read out of a conversation besides the notes that agents send."),
    )
    llm_judges = forms.BooleanField(
        label=gettext_lazy("A model helps to judge"),
        required=False,
        help_text=gettext_lazy("A language model is asked about what the rules leave to a person."),
    )
    llm_proposals_wait = forms.BooleanField(
        label=gettext_lazy("Proposals of a model wait"),
        required=False,
        help_text=gettext_lazy("What a language model proposes waits for a person."),
    )
    llm_calls = forms.IntegerField(
        label=gettext_lazy("Calls of a model"),
        min_value=0,
        max_value=MOST_CALLS,
        help_text=gettext_lazy("The most calls that one session may take."),
        error_messages=WHOLE_ERRORS,
    )
    llm_tokens = forms.IntegerField(
        label=gettext_lazy("Tokens of a model"),
        min_value=0,
        max_value=MOST_TOKENS,
        help_text=gettext_lazy("The most tokens that one session may take, questions and answers together."),
        error_messages=WHOLE_ERRORS,
    )
    llm_replays = forms.IntegerField(
        label=gettext_lazy("Sessions run again by a model"),
        min_value=0,
        max_value=MOST_CALLS,
        help_text=gettext_lazy("What if…: at most so many with a language model in 24 hours."),
        error_messages=WHOLE_ERRORS,
    )
    idle_minutes = forms.IntegerField(
        label=gettext_lazy("Idle minutes"),
        min_value=1,
        max_value=100_000,
        help_text=gettext_lazy("A session in which nothing is said for so long is consolidated."),
        error_messages=WHOLE_ERRORS,
    )
    neighbours = forms.IntegerField(
        label=gettext_lazy("Nearest memories"),
        min_value=0,
        max_value=100,
        help_text=gettext_lazy("How many are compared with each note."),
        error_messages=WHOLE_ERRORS,
    )
    habit_confirmations = forms.IntegerField(
        label=gettext_lazy("Sessions that make a habit"),
        min_value=0,
        max_value=1_000,
        help_text=gettext_lazy(
            "What is heard in so many is proposed as a slot or a field of the profile; 0 proposes none."
        ),
        error_messages=WHOLE_ERRORS,
    )
    recall_turns = forms.BooleanField(
        label=gettext_lazy("Recall reaches turns"),
        required=False,
        help_text=gettext_lazy("What was said is found too, masked as it is kept, where memory leaves room."),
    )
    turns_days = _days(
        gettext_lazy("Turns are kept for"), gettext_lazy("Days after they came in; the sessions and notes stay.")
    )
    recall_log_days = _days(
        gettext_lazy("Records of recall are kept for"), gettext_lazy("Days; they say what an agent was shown.")
    )
    archived_days = _days(
        gettext_lazy("Archived memory is kept for"), gettext_lazy("Days after it was archived; then it is gone.")
    )
    expired_days = _days(
        gettext_lazy("Expired memory is kept for"), gettext_lazy("Days after it expired; then it is archived.")
    )
    episode_days = _days(
        gettext_lazy("Minor episodes are active for"),
        gettext_lazy("Days without a confirmation; then they are archived."),
    )
    episode_importance = _share(
        gettext_lazy("Minor is an importance under"), gettext_lazy("Episodes from here on stay, however old.")
    )
    most_episodes = forms.IntegerField(
        label=gettext_lazy("Active episodes of a user"),
        min_value=1,
        max_value=10_000_000,
        help_text=gettext_lazy("The most that stay active; beyond it the least important are archived."),
        error_messages=WHOLE_ERRORS,
    )
    why = why_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "policy-%s")
        super().__init__(*args, **kwargs)
        if settings.COMMONPLACE.llm_url is None:
            missing = _("No language model is configured here, so only the rules are asked.")
            for name in ("distill", "llm_judges"):
                field = self.fields[name]
                field.help_text = together(field.help_text, missing)

    @property
    def parts(self) -> list[tuple[str, list[Any]]]:
        """The fields under the headings that the pages put them under."""
        deciding = [self[name] for name in self.fields if name not in FORGETTING and name != "why"]
        return [
            (_("Deciding"), deciding),
            (_("Forgetting: with 0 days nothing is forgotten for its age"), [self[name] for name in FORGETTING]),
        ]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        steps = [given.get(name) for name in ("related", "doubtful", "near_duplicate")]
        if None not in steps and not steps[0] <= steps[1] <= steps[2]:  # type: ignore[operator]
            self.add_error("doubtful", _("It must lie between “related” and “nearly the same”."))
        return given


class HoldForm(forms.Form):
    """Decisions that match every choice wait for this role. A row without a name is none."""

    name = forms.CharField(label=pgettext_lazy("hold", "Name"), max_length=60, required=False)
    needs = forms.ChoiceField(label=gettext_lazy("Waits for"), choices=[*Needs.choices[1:], Needs.choices[0]],
                              required=False)  # fmt: skip
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=[ANY, *Kind.choices], required=False)
    scope = forms.ChoiceField(label=gettext_lazy("Scope"), choices=[ANY, *Scope.choices], required=False)
    action = forms.ChoiceField(
        label=gettext_lazy("Decision"), choices=[ANY, *(c for c in Action.choices if c[0] in CHANGES)], required=False
    )
    sensitive = forms.ChoiceField(
        label=gettext_lazy("Sensitive"),
        choices=[ANY, ("yes", pgettext_lazy("hold", "Yes")), ("no", pgettext_lazy("hold", "No"))],
        required=False,
    )

    @property
    def hold(self) -> dict[str, Any] | None:
        """The row as a policy's document has it; None where it has no name."""
        given = self.cleaned_data
        if not given.get("name"):
            return None
        found = {name: given[name] for name in ("kind", "scope", "action") if given.get(name)}
        if given.get("sensitive"):
            found["sensitive"] = given["sensitive"] == "yes"
        return {"name": given["name"], "needs": given.get("needs") or "curator"} | found


HoldForms = forms.formset_factory(
    HoldForm, extra=SPARE_ROWS, max_num=MOST_ROWS, validate_max=True, absolute_max=MOST_ROWS + SPARE_ROWS
)


def forms_of(policy: Policy) -> tuple[PolicyForm, Any]:
    """The form and its rows of holds, filled from a policy."""
    document = policy.to_json()
    return PolicyForm(initial=document), HoldForms(initial=[_row(hold) for hold in document["holds"]], prefix="hold")


def document_of(form: PolicyForm, holds: Any, base: Policy) -> dict[str, Any]:
    """The policy that the forms describe; what they do not ask for is as in `base`."""
    given = {name: value for name, value in form.cleaned_data.items() if name != "why"}
    rows = [hold for row in holds if (hold := row.hold) is not None]
    return base.to_json() | given | {"holds": rows}


def mark(form: PolicyForm, error: Invalid) -> None:
    """Puts what the policy itself refuses at its field."""
    for one in error.errors:
        name = one.field.removeprefix("policy.").split(".")[0]
        form.add_error(name if name in form.fields else None, refused(one))


def _row(hold: dict[str, Any]) -> dict[str, Any]:
    sensitive = hold.get("sensitive")
    return hold | {"sensitive": "" if sensitive is None else "yes" if sensitive else "no"}
