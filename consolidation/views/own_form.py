"""The form of what a workspace's policy says to the guardrails: its own rules as rows, and the built-in ones that are off."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext_lazy

from consolidation.domain.policy import Policy
from memory_app.domain.errors import Invalid
from memory_app.guardrails import OwnRule, OwnRuleError
from memory_app.guardrails.own import (
    LONGEST_NAME,
    LONGEST_WHY,
    MOST_ENTRIES,
    MOST_RULES,
    SWITCHES,
    check_rules,
)
from memory_app.models import Category
from memory_app.refusals import refusal, refused
from memory_app.rule_words import words_of

from .policy_form import why_field

SPARE_ROWS = 2
FINDS = (
    ("words", pgettext_lazy("own rule", "Words")),
    ("patterns", pgettext_lazy("own rule", "Patterns")),
    ("slots", pgettext_lazy("own rule", "Slots")),
)
EFFECTS = (
    ("refuse", pgettext_lazy("own rule", "Refuse it")),
    ("hold", pgettext_lazy("own rule", "Let a person look")),
)
#: What is wrong with the rules, in the reader's language, by its code.
WRONG = {
    "count": gettext_lazy("Enter 1 to 100 words, patterns or slots, one a line."),
    "long": gettext_lazy("A line has more than 200 characters. Shorten or split it."),
    "control": gettext_lazy("A line holds a character that cannot be seen. Type it anew."),
    "word": gettext_lazy("Each line needs a letter or a digit."),
    "slot": gettext_lazy("Each line must be a key in snake_case, such as home_address."),
    "large": gettext_lazy("A pattern is too large. Repeat less, or split it into several."),
    "empty": gettext_lazy("A pattern fits the empty text, so it would be found everywhere. Demand a character."),
    "twice": gettext_lazy("Another rule has this name. Choose one of its own."),
    "many": gettext_lazy("There are more than 100 rules. Put some together."),
    "together": gettext_lazy("All lines together have more than 15,000 characters. Leave some out."),
    "patterns": gettext_lazy("The patterns are too large together. Use fewer, or repeat less in them."),
    "secret": gettext_lazy("It holds a secret or a personal identifier, which is masked without a rule. Leave it out."),
}  # fmt: skip


#: What RE2 says is wrong with a pattern, in its own words.
RE2_SAYS = {
    words: gettext_lazy(words)
    for words in (
        gettext_noop("missing )"),
        gettext_noop("missing ]"),
        gettext_noop("unexpected )"),
        gettext_noop("trailing \\"),
        gettext_noop("no argument for repetition operator"),
        gettext_noop("bad repetition operator"),
        gettext_noop("invalid repetition size"),
        gettext_noop("invalid character class"),
        gettext_noop("invalid character class range"),
        gettext_noop("invalid escape sequence"),
        gettext_noop("invalid perl operator"),
        gettext_noop("invalid named capture group"),
        gettext_noop("invalid UTF-8"),
    )
}


class OwnRuleForm(forms.Form):
    """One rule. A row without a name and without lines is none."""

    name = forms.RegexField(
        r"^[^\W_][\w-]*$",
        label=pgettext_lazy("own rule", "Name"),
        max_length=LONGEST_NAME,
        required=False,
        error_messages={"invalid": gettext_lazy("Use letters, digits, - and _, such as project-names.")},
    )
    finds = forms.ChoiceField(label=gettext_lazy("Finds"), choices=FINDS, required=False)
    entries = forms.CharField(
        label=gettext_lazy("Words, patterns or slots, one a line"),
        required=False,
        max_length=MOST_ENTRIES * 201,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
    )
    category = forms.ChoiceField(
        label=gettext_lazy("Category"), choices=Category.choices, required=False, initial=Category.PII
    )
    effect = forms.ChoiceField(label=gettext_lazy("What becomes of it"), choices=EFFECTS, required=False)
    why = forms.CharField(label=gettext_lazy("Note"), max_length=LONGEST_WHY, required=False)
    on = forms.BooleanField(label=pgettext_lazy("own rule", "On"), required=False, initial=True)

    rule: OwnRule | None = None

    def clean(self) -> dict[str, Any]:
        """The row with the rule that it describes; what cannot be used is told at its field."""
        given: dict[str, Any] = super().clean() or {}
        lines = [line.strip() for line in given.get("entries", "").splitlines() if line.strip()]
        if not self.errors and (given.get("name") or lines):
            if not given.get("name"):
                self.add_error("name", _("Give the rule a name."))
                return given
            document = {name: given[name] for name in ("name", "why", "on")} | {
                "finds": given["finds"] or "words",
                "category": given["category"] or Category.PII,
                "effect": given["effect"] or "refuse",
                "entries": lines,
            }
            try:
                self.rule = OwnRule.from_json(document)
            except OwnRuleError as error:
                self.add_error(error.field if error.field in self.fields else None, told(error))
        return given


OwnRuleForms = forms.formset_factory(
    OwnRuleForm, extra=SPARE_ROWS, max_num=MOST_RULES, validate_max=True, absolute_max=MOST_RULES + SPARE_ROWS
)


class GuardForm(forms.Form):
    """Which built-in rules are off, a text to try all of it on, and why it is changed."""

    rules_off = forms.MultipleChoiceField(
        label=gettext_lazy("Switched off"), required=False, widget=forms.CheckboxSelectMultiple
    )
    text = forms.CharField(
        label=gettext_lazy("Text"),
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("The rules above are tried on it, and on the newest memories. Nothing is stored."),
    )
    why = why_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "guard-%s")
        super().__init__(*args, **kwargs)
        self.fields["rules_off"].choices = [(name, words_of(name).title) for name in SWITCHES]  # type: ignore[attr-defined]


def forms_of(policy: Policy) -> tuple[GuardForm, Any]:
    """The form and its rows, filled from a policy."""
    rows = [rule.to_json() | {"entries": "\n".join(rule.entries)} for rule in policy.own_rules]
    return GuardForm(initial={"rules_off": list(policy.rules_off)}), OwnRuleForms(initial=rows, prefix="own")


def are_valid(form: GuardForm, rows: Any) -> bool:
    """Whether both can be used; what is wrong with the rules together is told too."""
    if not all([form.is_valid(), rows.is_valid()]):
        return False
    try:
        check_rules(rules_in(rows), form.cleaned_data["rules_off"])
    except OwnRuleError as error:
        _mark(form, rows, error.field, told(error))
        return False
    return True


def document_of(form: GuardForm, rows: Any, base: Policy) -> dict[str, Any]:
    """The policy that the form describes: `base` with these rules."""
    own = [rule.to_json() for rule in rules_in(rows)]
    return base.to_json() | {"own_rules": own, "rules_off": form.cleaned_data["rules_off"]}


def rules_in(rows: Any) -> list[OwnRule]:
    return [row.rule for row in rows if row.rule is not None]


def mark(form: GuardForm, rows: Any, error: Invalid) -> None:
    """Puts what the policy itself refuses at its field."""
    for one in error.errors:
        _mark(form, rows, one.field.removeprefix("policy."), str(WRONG.get(one.code) or refused(one)))


def told(error: OwnRuleError) -> str:
    """What is wrong, in the language of the page."""
    if error.code == "syntax":
        return _("A pattern cannot be used (%(problem)s). Write it as RE2 reads it, without look-around and "
                 "back-references.") % {"problem": RE2_SAYS.get(error.detail, "RE2")}  # fmt: skip
    return str(WRONG.get(error.code) or refusal(error.problem))


def _mark(form: GuardForm, rows: Any, field: str, text: str) -> None:
    """At the row and field that a name such as own_rules.2.entries means, or above the form."""
    parts = field.split(".")
    filled = [row for row in rows if row.rule is not None]
    if parts[0] == "own_rules" and len(parts) == 3 and parts[1].isdigit() and int(parts[1]) < len(filled):
        filled[int(parts[1])].add_error(parts[2] if parts[2] in OwnRuleForm.base_fields else None, text)
    else:
        form.add_error(parts[0] if parts[0] in form.fields else None, text)
