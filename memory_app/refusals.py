"""What an action or the policy refuses of a field, in the language of the page.

The API says it in English, and so do these sentences; a page in another language tells the same, or where it is none of
them, that it cannot be accepted. So nobody reads two languages at once.
"""

import re
from collections.abc import Mapping
from functools import cache

from django.utils.translation import get_language, gettext, gettext_noop

from memory_app.domain.errors import FieldError
from memory_app.models import MemoryStatus, Scope

#: The code of a refusal whose message is one for people, in their language.
SAID = "said"
OTHERWISE = gettext_noop("This cannot be accepted as it is.")
SENTENCES: tuple[str, ...] = (
    gettext_noop("lies in the future; send the time at which it was said."),
    gettext_noop("must name 1 to %(most)s memories."),
    gettext_noop("must be others than the memory itself."),
    gettext_noop("must be 2 to %(most)s."),
    gettext_noop("fills the same slot as another part."),
    gettext_noop("is no memory of the same user, session or team."),
    gettext_noop("is %(status)s; only active memories are merged."),
    gettext_noop("is of another kind or about somebody else."),
    gettext_noop("says something that the memory does not say: a number, a name, a part or the reverse of it."),
    gettext_noop("must be left out: this decision is about one memory and no other."),
    gettext_noop("cannot be edited in approving: the memory is protected. Propose the edit."),
    gettext_noop("must not be empty."),
    gettext_noop("must have at least 1 characters."),
    gettext_noop("must be a memory of the same user or team."),
    gettext_noop("must be later than now, and within a year."),
    gettext_noop("is no day."),
    gettext_noop("holds a secret, payment detail or personal identifier; use an opaque identifier."),
    gettext_noop("holds a secret, payment detail or personal identifier."),
    gettext_noop("must be one of %(known)s."),
    gettext_noop("is the name of no operator."),
    gettext_noop("must be letters, digits and @ . + - _ only, at most 150."),
    gettext_noop("is taken."),
    gettext_noop("cannot be changed."),
    gettext_noop("can be working only for a memory of scope session."),
    gettext_noop("%(ref)s has no version %(version)s."),
    gettext_noop("is needed for a memory of scope %(scope)s."),
    gettext_noop("must be session for a memory of kind working."),
    gettext_noop("is not one of this user."),
    gettext_noop("may not be written by the profile in this workspace."),
    gettext_noop("is needed: this decision proposes none (promote, dedupe, override, …)."),
    gettext_noop("is needed: say why, the proposer needs to know."),
    gettext_noop("must be filters, at most 1,000 characters of them."),
    gettext_noop("would be more than %(most)s views; remove one first."),
    gettext_noop("must be 1 to %(most)s characters."),
    gettext_noop("must have at most %(most)s entries."),
    gettext_noop("is not a policy."),
    gettext_noop("no such policy field."),
    gettext_noop("must be a list."),
    gettext_noop("must be a list of names of rules."),
    gettext_noop("each must be an object."),
    gettext_noop("no such field."),
    gettext_noop("each needs a name, and needs one of none, curator, admin."),
    gettext_noop("must be a string of at most %(most)s characters."),
    gettext_noop("must be true or false."),
    gettext_noop("must lie between related and near_duplicate."),
    gettext_noop("must be rules, llm or off."),
    gettext_noop("must be a number from 0 to 1."),
    gettext_noop("must be a whole number of at least %(least)s."),
    gettext_noop("must be at most %(most)s days; 0 means never."),
    gettext_noop("must be at most %(most)s letters, digits, - and _, such as project-names."),
    gettext_noop("must be at most %(most)s rules."),
    gettext_noop("must be at most %(most)s."),
    gettext_noop("must be the number of a version; leave it out."),
    gettext_noop("names a rule of secrets or payment data, which are never switched off."),
    gettext_noop("names no rule that can be switched off. Use names such as pii.phone."),
    gettext_noop("must be an object."),
    gettext_noop("no such part of a rule. Use %(known)s."),
    gettext_noop("must be a list of strings."),
)
#: Words of the API that stand in a sentence, as a page calls them.
_CALLED: Mapping[str, dict[str, object]] = {"status": dict(MemoryStatus.choices), "scope": dict(Scope.choices)}


def refusal(message: str) -> str:
    """An English message of a field, in the language of the page."""
    if (get_language() or "en").startswith("en"):
        return message
    whole = message.rstrip(".") + "."
    for pattern, sentence in shapes():
        if found := pattern.fullmatch(whole):
            given = {name: _CALLED.get(name, {}).get(word, word) for name, word in found.groupdict().items()}
            return gettext(sentence) % given if given else gettext(sentence)
    return gettext(OTHERWISE)


def refused(one: FieldError, *, named: bool = False) -> str:
    """What is wrong with a field; `named` where the sentence stands by itself, and so in English begins with the field."""
    if one.code == SAID:
        return one.message
    said = refusal(one.message)
    return f"{one.field} {said}" if named and said == one.message else said


@cache
def shapes() -> list[tuple[re.Pattern[str], str]]:
    """Each sentence with the pattern of the messages that it tells."""
    found = []
    for sentence in SENTENCES:
        parts = re.split(r"%\((\w+)\)s", sentence)
        shape = "".join(re.escape(part) if n % 2 == 0 else f"(?P<{part}>.+?)" for n, part in enumerate(parts))
        found.append((re.compile(shape), sentence))
    return found
