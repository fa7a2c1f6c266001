"""Why a decision is as it is: one sentence for a person for each rule, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from memory_app.slot_words import key_words

Sentence = Promise | str

#: What consolidation says. `key`, `value`, `old`, `trusted` and so on are the decision's params.
CONSOLIDATION: dict[str, Sentence] = {
    "promote.durable": _("Nothing in it says that it is for this time only, and nothing known speaks against it."),
    "promote.another_value": _("%(key)s can have several values at once, and this is a new one."),
    "promote.other_condition": _("The %(key)s that is known holds for another case or person, so both stand."),
    "promote.after_expiry": _("What was known of %(key)s has expired, so this is kept as new."),
    "promote.said_again": _("It was deleted before, and the user has said it again since."),
    "dedupe.same_value": _("Memory already has this %(key)s (“%(old)s”); it is confirmed, and its wording stays."),
    "dedupe.same_text": _("Memory already says this in the same words; it is confirmed."),
    "dedupe.same_meaning": _(
        "It means what memory already says (“%(old)s”): numbers, names, conditions and negation agree. It is confirmed."
    ),
    "dedupe.part_of": _("It is part of what memory already says (“%(old)s”); it is confirmed."),
    "override.explicit_change": _("The user says outright that something has changed: it was “%(old)s” before."),
    "override.correction": _("The user corrects what was told before: it was “%(old)s”."),
    "override.ended": _("The user says that “%(old)s” no longer holds."),
    "override.newer": _("It is newer than “%(old)s”, and the policy lets newer statements replace older ones."),
    "session_only.this_time": _("The user wants it this time only, so it stays in its session."),
    "session_only.working": _("It was noted for its session, as work at hand, so it stays there."),
    "reject.unsafe": _("A guardrail found something that must not be kept (%(category)s)."),
    "reject.recalled": _("The text came out of recall, so it is no evidence of its own."),
    "reject.not_from_user": _("The words are not the user's (%(role)s), so they are no evidence about the user."),
    "reject.quoted": _("The user repeats somebody else's message here."),
    "reject.nothing_to_retract": _("The user wants something forgotten, and no memory holds it."),
    "reject.speculation": _("It is a guess or something undecided."),
    "reject.adds_to_quote": _("It says more than the user did: a number or a name in it is not in the quote."),
    "reject.not_stated": _("The quote does not say it."),
    "reject.not_durable": _("It is small talk or one piece of work, with nothing that lasts."),
    "reject.deleted": _("It was deleted, and this was said before that."),
    "reject.stale": _("It was said before “%(old)s”, which is newer and stays."),
    "review.conflict": _("It contradicts “%(old)s”, and the user does not say that something has changed."),
    "review.several": _("It contradicts several memories, among them “%(old)s”."),
    "review.protected": _("It would change “%(old)s”, which is protected: only an admin can agree to that."),
    "review.unsure": _("It is close to “%(old)s”, and it is not clear whether it says the same."),
    "review.double_negative": _("It contradicts “%(old)s” by a double negative, which proves too little."),
    "review.for_a_while": _("It holds for a while: longer than the session, but not for good."),
    "review.part_changed": _("It changes one part of “%(old)s”; the other parts have to stay."),
    "review.names_old": _("It names “%(old)s” as what was before, and it is not clear whether it takes its place."),
    "review.profile": _("The profile, which comes from your own systems, says “%(trusted)s”."),
    "review.slot_writers": _("Agents may not write %(key)s in this workspace."),
    "review.slot_value": _("“%(value)s” is none of the values that this workspace lists for %(key)s."),
    "review.attribution": _("The quote is about somebody else (%(person)s), and the note does not say so."),
    "review.only_agreed": _("The user only agreed; what they agreed with is not part of the quote."),
    "review.adds_part": _("A part of it may not be in the quote."),
    "review.quote_denies": _("The quote seems to say the reverse."),
    "review.retract": _("The user wants “%(old)s” forgotten; a person confirms that."),
}

#: What people, keys and policies do: one sentence for each action and who asked for it.
_BY_OPERATOR: dict[str, Sentence] = {
    "promote": _("An operator wrote this memory."),
    "dedupe": _("An operator confirmed this memory."),
    "override": _("An operator replaced what the memory said."),
    "edit": _("An operator edited this memory."),
    "pin": _("An operator pinned this memory."),
    "unpin": _("An operator unpinned this memory."),
    "archive": _("An operator archived this memory."),
    "restore": _("An operator restored an earlier version."),
    "merge": _("An operator merged memories that say the same."),
    "split": _("An operator split this memory into separate facts."),
    "retract": _("An operator retracted this memory."),
    "undo": _("An operator undid a decision."),
    "release": _("An operator released a blocked note as a false positive."),
    "erase": _("An operator erased this memory."),
    "import": _("An operator imported this memory."),
}
_BY_KEY: dict[str, Sentence] = {
    "promote": _("Written through the API."),
    "dedupe": _("Confirmed through the API."),
    "override": _("Replaced through the API."),
    "edit": _("Edited through the API."),
    "pin": _("Pinned through the API."),
    "unpin": _("Unpinned through the API."),
    "archive": _("Archived through the API."),
    "restore": _("An earlier version was restored through the API."),
    "merge": _("Merged through the API."),
    "split": _("Split through the API."),
    "retract": _("The user wants this forgotten, as their agent reports."),
    "undo": _("A decision was undone through the API."),
    "release": _("A blocked note was released through the API as a false positive."),
    "erase": _("Erased through the API."),
    "import": _("Imported through the API."),
}
_BY_POLICY: dict[str, Sentence] = {
    "archive": _("Archived by the policy of forgetting: it was not used or confirmed for long."),
    "edit": _("Changed by a policy."),
    "restore": _("Restored by a policy."),
    "promote": _("Kept by a policy."),
    "override": _("Replaced by a policy."),
    "retract": _("Retracted by a policy."),
    "merge": _("Merged by a policy."),
    "pin": _("Pinned by a policy."),
    "unpin": _("Unpinned by a policy."),
    "split": _("Split by a policy."),
    "dedupe": _("Confirmed by a policy."),
    "undo": _("Undone by a policy."),
}
_OTHER: dict[str, Sentence] = {
    "edit.habit_slot": _("Heard in %(times)s sessions: it is proposed as %(key)s, so that it is always found there."),
    "edit.habit_profile": _("Heard in %(times)s sessions: %(key)s is proposed as a field of the profile."),
    "archive.expired": _("It had expired, and something new took its place."),
    "archive.long_expired": _("It expired more than %(days)s days ago."),
    "archive.old_episode": _("An episode of little importance, neither confirmed nor recalled for %(days)s days."),
    "archive.too_many": _("The user has more than %(most)s active episodes, and this is one of the least important."),
    "archive.failing": _("Of its outcomes %(success)s were good and %(failure)s bad, so it is not offered any more."),
    "archive.guardrail": _("A person took it out of memory: the guardrails would block it now (%(category)s)."),
    "archive.session_over": _("Working memory ends with its session."),
    "import.file": _("Imported from a file."),
    "review.stale": _("The memory has changed since this was decided."),
    "review.released": _("An operator released it as a false positive; a person decides what becomes of it."),
    "review.failed": _("It could not be decided by itself, so a person decides."),
    "review.llm": _("The rules left it open, and a language model proposed this; a person decides."),
    "promote.llm": _("The rules left it open; a language model takes it for something new beside what is known."),
    "dedupe.llm": _("The rules left it open; a language model takes it to say what memory says already (“%(old)s”)."),
    "override.llm": _("The rules left it open; a language model takes it to change what memory says (“%(old)s”)."),
    "session_only.llm": _("The rules left it open; a language model takes it to hold for this session only."),
}

REASONS: dict[str, Sentence] = (
    CONSOLIDATION
    | {f"{action}.operator": sentence for action, sentence in _BY_OPERATOR.items()}
    | {f"{action}.{who}": sentence for action, sentence in _BY_KEY.items() for who in ("key", "api", "agent")}
    | {f"{action}.{who}": sentence for action, sentence in _BY_POLICY.items() for who in ("policy", "system")}
    | _OTHER
)

#: The questions of a decision's checks, as statements that are met.
CHECKS: dict[str, Sentence] = {
    "from_user": _("Said by the user"),
    "from_outcome": _("Reported when its session ended"),
    "has_evidence": _("Backed by a quote"),
    "explicit_statement": _("Explicit statement, not inferred"),
    "no_new_facts": _("No new facts beyond the evidence"),
    "lasting": _("Lasting, not limited to this time"),
    "safe": _("Nothing unsafe found"),
    "same_identity": _("Same subject, key and condition"),
    "newer": _("Said later than what is known"),
    "explicit_change": _("An explicit change"),
    "not_protected": _("The memory is not protected"),
}

#: The same where they are not met.
NOT_MET: dict[str, Sentence] = {
    "from_user": _("Not said by the user"),
    "from_outcome": _("Not reported when its session ended"),
    "has_evidence": _("No quote backs it"),
    "explicit_statement": _("Inferred, not stated outright"),
    "no_new_facts": _("It says more than the evidence"),
    "lasting": _("Limited to this time"),
    "safe": _("Something unsafe was found"),
    "same_identity": _("Another subject, key or condition"),
    "newer": _("Not said later than what is known"),
    "explicit_change": _("No word of a change"),
    "not_protected": _("The memory is protected"),
}

#: Why a decision waits, by the name of the hold.
HOLDS: dict[str, Sentence] = {
    "uncertain": _("It waits because the evidence is weak."),
    "sensitive": _("It waits because it is a sensitive fact."),
    "procedural": _("It waits because it changes how agents work."),
    "team": _("It waits because it would hold for a whole team."),
    "protected": _("It waits because the memory is protected."),
    "undecided": _("It waits because no rule decides it."),
    "llm": _("It waits because a language model proposed it."),
    "waits_for_earlier": _("It waits for an earlier decision that it builds on."),
    "undone": _("It waits because it was undone."),
    "escalated": _("It waits because a person handed it to an admin."),
    "admin": _("It waits because only an admin can agree to it."),
    "curator": _("It waits until a person agrees."),
}

#: The names of the holds that a policy has from the start; a name that people gave stays as it is.
HOLD_NAMES: dict[str, Sentence] = {
    "procedural": pgettext_lazy("hold", "Procedural memory"),
    "sensitive": pgettext_lazy("hold", "Sensitive facts"),
    "team": pgettext_lazy("hold", "Team memory"),
}

#: Why a person declines, by the code that is kept; `other` is told in a comment.
DECLINED: dict[str, Sentence] = {
    "wrong": _("It is wrong"),
    "not_lasting": _("It does not last"),
    "somebody_else": _("It is about somebody else"),
    "duplicate": _("It is known already"),
    "sensitive": _("It is too sensitive to keep"),
}
#: Reasons that nobody chooses: what else was done declines it.
_DECLINED_WITH: dict[str, Sentence] = {"put_back": _("The memory was put back")}

#: Why the guardrails refuse what somebody typed, and what to do about it, by category.
REFUSED: dict[str, Sentence] = {
    "secret": _("It holds a secret, such as a password, key or code. Leave that out."),
    "payment": _("It holds payment details, such as a card number. Leave them out."),
    "pii": _("It holds an identifier of a person, such as a number, an address or a document. Leave that out."),
    "instruction": _("It tells agents to obey instead of saying what is so. Write what is true of the user."),
    "speculation": _("It is a guess. Write only what was said."),
}

#: Values that are words of ours and not the user's.
_VALUES: dict[str, Sentence] = {
    "secret": _("a secret"),
    "payment": _("payment data"),
    "pii": _("personal data"),
    "instruction": _("an instruction"),
    "speculation": _("speculation"),
    "assistant": _("the assistant's"),
    "tool": _("a tool's"),
    "system": _("the system's"),
}


class _Params(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "…"


#: The same before it is carried out, or where it never was.
PROPOSED: Mapping[str, Sentence] = {
    **{f"{action}.operator": _("An operator proposes this.") for action in _BY_OPERATOR},
    **{
        f"{action}.{who}": _("Proposed through the API.")
        for action in _BY_KEY.keys() - {"retract"}
        for who in ("key", "api", "agent")
    },
}


def sentence(rule: str, params: Mapping[str, Any] | None = None, *, done: bool = True) -> str:
    """Why, in one sentence in the active language; a rule that a newer release made shows by its name.

    What people and keys ask for is told as a proposal unless it was carried out, be it undone since (`done`).
    """
    template = (None if done else PROPOSED.get(rule)) or REASONS.get(rule)
    if template is None:
        return rule
    said = str(template) % _Params({name: _shown(name, value) for name, value in (params or {}).items()})
    return said[:1].upper() + said[1:]


def check_sentence(name: str, ok: bool = True) -> str:
    """What a check found, as a statement; an unknown one shows by its name."""
    return str((CHECKS if ok else CHECKS | NOT_MET).get(name, name))


def hold_sentence(name: str | None) -> str:
    """Why a decision waits; empty when it does not."""
    return str(HOLDS.get(name or "", name or ""))


def hold_name(name: str | None) -> str:
    """What a policy's hold is called, in the language of the page."""
    return str(HOLD_NAMES.get(name or "", name or ""))


def decline_reasons() -> list[tuple[str, str]]:
    """The reasons that a person can choose, as code and words."""
    return [(code, str(words)) for code, words in DECLINED.items()]


def declined_because(code: str) -> str:
    """The words of a chosen reason; a code of a caller's own shows by its name."""
    return str((DECLINED | _DECLINED_WITH).get(code, "" if code == "other" else code))


def refused_because(category: str) -> str:
    """What the guardrails found in what somebody typed, and what to do about it."""
    found = str(REFUSED.get(category, ""))
    return " ".join(part for part in (gettext("The guardrails refuse this."), found) if part)


def _shown(name: str, value: Any) -> str:
    if name in ("category", "role") and str(value) in _VALUES:
        return str(_VALUES[str(value)])
    if name == "key":
        return key_words(str(value)) if value else gettext("this")
    return "…" if value in (None, "") else str(value)
