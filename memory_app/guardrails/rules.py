"""The rule set: every rule's name, category, stages and reason. Its version is stored with every verdict."""

from memory_app.guardrails.findings import RuleInfo, Stage

RULE_SET_VERSION = "2026.11.12"

_ALWAYS: tuple[Stage, ...] = ("capture", "consolidation", "injection")
# A guess that a person approved, or that was kept before, is harmless in a prompt; the other categories are not.
_KEEPING: tuple[Stage, ...] = ("capture", "consolidation")


def _rule(rule: str, title: str, why: str) -> RuleInfo:
    category = rule.partition(".")[0]
    return RuleInfo(rule, category, _KEEPING if category == "speculation" else _ALWAYS, title, why)


RULES: tuple[RuleInfo, ...] = (
    _rule("secret.private_key", "Private key", "Whoever reads a private key can act in its owner's name."),
    _rule("secret.token", "Key or token", "The text has the shape of an access key or token of a known service."),
    _rule("secret.assigned", "Secret in a setting", "A setting named like a secret carries its value."),
    _rule("secret.password", "Password or PIN", "The text says what a password or PIN is."),
    _rule("secret.one_time_code", "One-time or recovery code", "The text carries a code that lets someone sign in."),
    _rule("secret.url_password", "Password in an address", "The address carries a password or a token."),
    _rule("secret.header", "Authorization header", "The header carries credentials."),
    _rule("secret.command", "Password on a command line", "The command carries a password."),
    _rule("secret.cookie", "Session cookie", "A session cookie lets someone act as its user."),
    _rule("secret.recovery_phrase", "Wallet recovery phrase", "The words restore a wallet."),
    _rule("secret.parts", "Secret told in parts", "Put together, the parts are a key or password."),
    _rule("payment.card", "Card number", "The digits are a card number with a right check digit."),
    _rule("payment.card_parts", "Card number told in parts", "Put together, the digits are a card number."),
    _rule("payment.cvv", "Card security code", "The text carries the security code of a card."),
    _rule("payment.iban", "IBAN", "The text carries an IBAN with a right check."),
    _rule("payment.account", "Bank account", "The text carries a bank account number."),
    _rule("pii.national_id", "National id", "The number identifies a person."),
    _rule("pii.social_security", "Social security number", "The number identifies a person."),
    _rule("pii.passport", "Passport or permit", "The number of a travel or residence document identifies a person."),
    _rule("pii.licence", "Licence or identity card", "The number of a licence or card identifies a person."),
    _rule("pii.phone", "Personal phone number", "The number reaches a private person."),
    _rule("pii.email", "Personal e-mail address", "The address reaches a private person."),
    _rule("pii.messenger", "Messenger account", "The account reaches a private person."),
    _rule("pii.home_address", "Home address", "The address says where a person lives, down to the door."),
    _rule("pii.birth_date", "Birth date", "A full birth date is used to prove who somebody is."),
    _rule("pii.unread", "Text that could not be read", "A check failed on this text, so nothing of it is kept."),
    _rule("instruction.override", "Overrides instructions", "The text tells the agent to set its instructions aside."),
    _rule(
        "instruction.command", "Commands the agent", "The text orders the agent about instead of describing the user."
    ),
    _rule("instruction.unchecked", "Removes a check", "The text takes away a confirmation, review or safety check."),
    _rule(
        "instruction.money",
        "Standing order about money",
        "The text makes the agent move money or approve things by itself.",
    ),
    _rule("instruction.grant", "Grants rights", "The text gives a user or tool rights that only an operator may give."),
    _rule("instruction.trust", "Grants trust", "The text declares a sender or source trustworthy."),
    _rule("instruction.mode", "Changes the agent's role", "The text puts the agent into another role or mode."),
    _rule("instruction.conceal", "Hides something", "The text tells the agent to keep something from people."),
    _rule("instruction.disclose", "Discloses internals", "The text makes the agent reveal or send what it must keep."),
    _rule("instruction.execute", "Runs something later", "The text makes the agent run a command or call a tool."),
    _rule("instruction.redirect", "Redirects somebody's data", "The text changes or mixes up another subject's data."),
    _rule(
        "instruction.fake_system", "Pretends to be the system", "The text imitates a system message or an authority."
    ),
    _rule("instruction.breakout", "Leaves the data block", "The text carries markup that would end the memory block."),
    _rule(
        "instruction.planted",
        "Planted instruction",
        "Taken together, the words are those of texts written to steer an agent.",
    ),
    _rule(
        "instruction.hidden_text", "Hidden text", "The text carries words that people cannot see and models can read."
    ),
    _rule("speculation.guess", "A guess about a person", "Nobody stated this; it was inferred."),
    _rule("speculation.hearsay", "Hearsay about a person", "Somebody else is said to have said it."),
    _rule("speculation.undecided", "An undecided plan", "The plan is not decided yet."),
)
_BY_STAGE = {stage: frozenset(r.category for r in RULES if stage in r.stages) for stage in _ALWAYS}


def categories_at(stage: Stage) -> frozenset[str]:
    """The categories that block at this stage."""
    try:
        return _BY_STAGE[stage]
    except KeyError:
        raise ValueError(f"Unknown guardrail stage {stage!r}; use one of {', '.join(_ALWAYS)}.") from None


def describe_rules() -> list[RuleInfo]:
    """Every rule, in the order of its category's weight."""
    return list(RULES)
