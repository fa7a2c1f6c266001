"""The guardrails' rules in the reader's language. The rules themselves are plain Python and know no translation."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_app.guardrails import RuleInfo, describe_rules
from memory_app.guardrails.own import PREFIX


@dataclass(frozen=True)
class RuleWords:
    """What a rule is called, and why it blocks."""

    title: str | Promise
    why: str | Promise


WORDS: dict[str, RuleWords] = {
    "secret.private_key": RuleWords(_("Private key"), _("Whoever reads a private key can act in its owner's name.")),
    "secret.token": RuleWords(
        _("Key or token"), _("The text has the shape of an access key or token of a known service.")
    ),
    "secret.assigned": RuleWords(_("Secret in a setting"), _("A setting named like a secret carries its value.")),
    "secret.password": RuleWords(_("Password or PIN"), _("The text says what a password or PIN is.")),
    "secret.one_time_code": RuleWords(
        _("One-time or recovery code"), _("The text carries a code that lets someone sign in.")
    ),
    "secret.url_password": RuleWords(_("Password in an address"), _("The address carries a password or a token.")),
    "secret.header": RuleWords(_("Authorization header"), _("The header carries credentials.")),
    "secret.command": RuleWords(_("Password on a command line"), _("The command carries a password.")),
    "secret.cookie": RuleWords(_("Session cookie"), _("A session cookie lets someone act as its user.")),
    "secret.recovery_phrase": RuleWords(_("Wallet recovery phrase"), _("The words restore a wallet.")),
    "secret.parts": RuleWords(_("Secret told in parts"), _("Put together, the parts are a key or password.")),
    "payment.card": RuleWords(_("Card number"), _("The digits are a card number with a right check digit.")),
    "payment.card_parts": RuleWords(_("Card number told in parts"), _("Put together, the digits are a card number.")),
    "payment.cvv": RuleWords(_("Card security code"), _("The text carries the security code of a card.")),
    "payment.iban": RuleWords(_("IBAN"), _("The text carries an IBAN with a right check.")),
    "payment.account": RuleWords(_("Bank account"), _("The text carries a bank account number.")),
    "pii.national_id": RuleWords(_("National id"), _("The number identifies a person.")),
    "pii.social_security": RuleWords(_("Social security number"), _("The number identifies a person.")),
    "pii.passport": RuleWords(
        _("Passport or permit"), _("The number of a travel or residence document identifies a person.")
    ),
    "pii.licence": RuleWords(_("Licence or identity card"), _("The number of a licence or card identifies a person.")),
    "pii.phone": RuleWords(_("Personal phone number"), _("The number reaches a private person.")),
    "pii.email": RuleWords(_("Personal e-mail address"), _("The address reaches a private person.")),
    "pii.messenger": RuleWords(_("Messenger account"), _("The account reaches a private person.")),
    "pii.home_address": RuleWords(_("Home address"), _("The address says where a person lives, down to the door.")),
    "pii.birth_date": RuleWords(_("Birth date"), _("A full birth date is used to prove who somebody is.")),
    "pii.unread": RuleWords(
        _("Text that could not be read"), _("A check failed on this text, so nothing of it is kept.")
    ),
    "instruction.override": RuleWords(
        _("Overrides instructions"), _("The text tells the agent to set its instructions aside.")
    ),
    "instruction.command": RuleWords(
        _("Commands the agent"), _("The text orders the agent about instead of describing the user.")
    ),
    "instruction.unchecked": RuleWords(
        _("Removes a check"), _("The text takes away a confirmation, review or safety check.")
    ),
    "instruction.money": RuleWords(
        _("Standing order about money"), _("The text makes the agent move money or approve things by itself.")
    ),
    "instruction.grant": RuleWords(
        _("Grants rights"), _("The text gives a user or tool rights that only an operator may give.")
    ),
    "instruction.trust": RuleWords(_("Grants trust"), _("The text declares a sender or source trustworthy.")),
    "instruction.mode": RuleWords(
        _("Changes the agent's role"), _("The text puts the agent into another role or mode.")
    ),
    "instruction.conceal": RuleWords(
        _("Hides something"), _("The text tells the agent to keep something from people.")
    ),
    "instruction.disclose": RuleWords(
        _("Discloses internals"), _("The text makes the agent reveal or send what it must keep.")
    ),
    "instruction.execute": RuleWords(
        _("Runs something later"), _("The text makes the agent run a command or call a tool.")
    ),
    "instruction.redirect": RuleWords(
        _("Redirects somebody's data"), _("The text changes or mixes up another subject's data.")
    ),
    "instruction.fake_system": RuleWords(
        _("Pretends to be the system"), _("The text imitates a system message or an authority.")
    ),
    "instruction.breakout": RuleWords(
        _("Leaves the data block"), _("The text carries markup that would end the memory block.")
    ),
    "instruction.planted": RuleWords(
        _("Planted instruction"), _("Taken together, the words are those of texts written to steer an agent.")
    ),
    "instruction.hidden_text": RuleWords(
        _("Hidden text"), _("The text carries words that people cannot see and models can read.")
    ),
    "speculation.guess": RuleWords(_("A guess about a person"), _("Nobody stated this; it was inferred.")),
    "speculation.hearsay": RuleWords(_("Hearsay about a person"), _("Somebody else is said to have said it.")),
    "speculation.undecided": RuleWords(_("An undecided plan"), _("The plan is not decided yet.")),
}


def words_of(rule: str) -> RuleWords:
    """The rule's words; one that is not known here, such as an older release's, shows by its name."""
    if rule.startswith(PREFIX):
        return RuleWords(rule.removeprefix(PREFIX), _("A rule of this workspace's own."))
    return WORDS.get(rule) or RuleWords(rule, "")


def rules_by_category() -> list[tuple[str, list[tuple[RuleInfo, RuleWords]]]]:
    """Every rule with its words, by category in the order of their weight."""
    found: dict[str, list[tuple[RuleInfo, RuleWords]]] = {}
    for rule in describe_rules():
        found.setdefault(rule.category, []).append((rule, WORDS.get(rule.rule) or RuleWords(rule.title, rule.why)))
    return list(found.items())
