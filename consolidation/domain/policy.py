"""The policy: which decisions go through by themselves and which wait for a person.

The default applies what is safe (a new plain fact about the user, a confirmation, an explicit change) and holds
what is not: protected, sensitive, procedural, team-wide and uncertain. Protected memory is held whatever a policy
says: that rule is not in here, so nobody can switch it off by mistake.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from memory_app.domain.retention import Retention
from memory_app.guardrails.own import OwnRule, OwnRuleError, RuleSet, check_rules
from memory_app.guardrails.own_shape import is_unfit

from .decisions import CHANGES, Needs

KINDS = ("semantic", "episodic", "procedural", "working")
SCOPES = ("user", "session", "team")
NEEDS: tuple[Needs, ...] = ("none", "curator", "admin")
DAYS = ("turns_days", "recall_log_days", "archived_days", "expired_days", "episode_days")
MOST_DAYS, MOST_HOLDS, MOST_NUMBER = 36_500, 100, 2**31 - 1
MOST_CALLS, MOST_TOKENS = 1_000, 10_000_000


class PolicyError(ValueError):
    """A policy document that cannot be used; the message names the field. `unfit` where no schema can say what is wrong
    (policy_shape.py)."""

    @property
    def unfit(self) -> bool:
        field = str(self).partition(": ")[0]
        return field == "doubtful" or (field.startswith("own_rules.") and is_unfit(field))


@dataclass(frozen=True, slots=True)
class Hold:
    """Decisions that match every given field wait for a person of this role. An absent field matches all."""

    name: str
    needs: Needs
    kind: str | None = None
    scope: str | None = None
    action: str | None = None
    sensitive: bool | None = None

    def matches(self, *, kind: str, scope: str, action: str, sensitive: bool) -> bool:
        """Whether a decision of this shape is meant."""
        wanted = ((self.kind, kind), (self.scope, scope), (self.action, action), (self.sensitive, sensitive))
        return all(want is None or want == have for want, have in wanted)


#: First match wins only among equals: the strictest role of all matches is what is needed.
DEFAULT_HOLDS: tuple[Hold, ...] = (
    Hold("team", "admin", scope="team"),
    Hold("procedural", "admin", kind="procedural"),
    Hold("sensitive", "curator", sensitive=True),
)


@dataclass(frozen=True, slots=True)
class Policy:
    """One version of a workspace's policy.

    The similarities are those of the default embedder, where unrelated texts lie near 0. Below `related` a text
    and its quote have nothing to do with each other (9 in 10 unrelated pairs of the cases lie below 0.37, 95 in
    100 true quotes above 0.47). From `doubtful` two texts that share few words are shown to a person; from
    `near_duplicate` a text that says a little less than a record is taken for it. No similarity alone merges:
    contradictions in the cases reach 0.98. Below the confidence `certain` a change is held.
    """

    version: int = 1
    holds: tuple[Hold, ...] = DEFAULT_HOLDS
    related: float = 0.35
    doubtful: float = 0.7
    near_duplicate: float = 0.85
    certain: float = 0.5
    override_without_change_word: bool = False  # a newer differing value replaces the old one without "from now on"
    # A language model is asked only where this says so (and the installation has one): to find what the rules do not
    # find in the turns, and about what they leave to a person. One session costs no more than so many calls and tokens.
    distill: str = "rules"  # rules | llm (after the rules) | off
    llm_judges: bool = False
    llm_proposals_wait: bool = True
    llm_calls: int = 8
    llm_tokens: int = 20_000
    llm_replays: int = 20  # sessions run again with a model, in a day
    idle_minutes: int = 30
    neighbours: int = 5
    habit_confirmations: int = 3  # heard in so many sessions, it is proposed as a slot or profile field; 0: never
    recall_turns: bool = False  # recall also reaches what was said, masked as it is stored
    # Forgetting: 0 days means never. Turns and archived memory count from when they were stored or archived here.
    turns_days: int = 365
    recall_log_days: int = 90
    archived_days: int = 365
    expired_days: int = 30  # memory that ended so long ago is archived
    episode_days: int = 90
    episode_importance: float = 0.4  # an episode below this that is older than episode_days is archived
    most_episodes: int = 10_000  # active ones of a user; the least important above it are archived
    # What the guardrails refuse beyond their built-in rules, and which of those they leave out.
    own_rules: tuple[OwnRule, ...] = ()
    rules_off: tuple[str, ...] = ()

    def verdict(
        self, *, action: str, kind: str, scope: str, sensitive: bool, confidence: float
    ) -> tuple[Needs, str | None]:
        """Who has to agree before this is applied, and the name of the hold that says so."""
        if action not in CHANGES:
            return "none", None
        found: tuple[Needs, str | None] = ("none", None)
        if confidence < self.certain:
            found = ("curator", "uncertain")
        for hold in self.holds:
            if not hold.matches(kind=kind, scope=scope, action=action, sensitive=sensitive):
                continue
            # A confirmation changes no content, so only what is sensitive or named outright waits.
            if action == "dedupe" and hold.action is None and hold.sensitive is None:
                continue
            if NEEDS.index(hold.needs) > NEEDS.index(found[0]):
                found = (hold.needs, hold.name)
        return found

    @property
    def retention(self) -> Retention:
        """What it says about forgetting."""
        return Retention(**{field.name: getattr(self, field.name) for field in fields(Retention)})

    @property
    def rules(self) -> RuleSet:
        """What the guardrails go by under it."""
        return RuleSet.read(RuleSet.of(self.own_rules, self.rules_off, self.version).to_text())

    def to_json(self) -> dict[str, Any]:
        """A JSON object that from_json reads back to an equal policy."""
        lists = {"own_rules": [rule.to_json() for rule in self.own_rules], "rules_off": list(self.rules_off)}
        return asdict(self) | lists | {"holds": [_compact(asdict(hold)) for hold in self.holds]}

    def without_entries(self) -> dict[str, Any]:
        """The same for those who may not see what the workspace's own rules look for: it may be what nobody should read."""
        shown = ("name", "finds", "category", "effect", "on", "since")
        own = [{name: getattr(rule, name) for name in shown} for rule in self.own_rules]
        return self.to_json() | {"own_rules": own}

    @classmethod
    def unknown(cls, document: Mapping[str, Any]) -> list[str]:
        """The names in the document that no policy has."""
        return sorted(set(document) - {f.name for f in fields(cls)})

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Policy":
        """The policy that the document describes, absent fields as in the default; PolicyError when it cannot be."""
        unknown = cls.unknown(document)
        if unknown:
            raise PolicyError(f"{unknown[0]}: no such policy field")
        values = dict(document)
        if "holds" in values:
            values["holds"] = tuple(_hold(item) for item in _list(values["holds"], "holds"))
        if "own_rules" in values:
            values["own_rules"] = tuple(
                _own_rule(item, n) for n, item in enumerate(_list(values["own_rules"], "own_rules"))
            )
        if "rules_off" in values:
            values["rules_off"] = tuple(sorted(set(_names(values["rules_off"]))))
        policy = replace(cls(), **values)
        _validate(policy)
        return policy


def _compact(document: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in document.items() if v is not None}


def _list(value: Any, field: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise PolicyError(f"{field}: must be a list")
    return list(value)


def _names(value: Any) -> list[str]:
    names = _list(value, "rules_off")
    if not all(isinstance(name, str) for name in names):
        raise PolicyError("rules_off: must be a list of names of rules")
    return names


def _own_rule(item: Any, place: int) -> OwnRule:
    try:
        return OwnRule.from_json(item)
    except OwnRuleError as error:
        field = f"own_rules.{place}.{error.field}".rstrip(".")
        raise PolicyError(f"{field}: {error.problem}") from None


def _hold(item: Any) -> Hold:
    if isinstance(item, Hold):
        return item
    if not isinstance(item, Mapping):
        raise PolicyError("holds: each must be an object")
    unknown = sorted(set(item) - {f.name for f in fields(Hold)})
    if unknown:
        raise PolicyError(f"holds.{unknown[0]}: no such field")
    if not item.get("name") or item.get("needs") not in NEEDS:
        raise PolicyError("holds: each needs a name, and needs one of none, curator, admin")
    if not isinstance(item["name"], str) or len(item["name"]) > 60:
        raise PolicyError("holds.name: must be a string of at most 60 characters")
    for name, known in (("kind", KINDS), ("scope", SCOPES), ("action", CHANGES)):
        if item.get(name) is not None and item[name] not in tuple(known):
            raise PolicyError(f"holds.{name}: must be one of {', '.join(sorted(known))}")
    if item.get("sensitive") is not None and not isinstance(item["sensitive"], bool):
        raise PolicyError("holds.sensitive: must be true or false")
    return Hold(**item)


def _validate(policy: Policy) -> None:
    for name in ("related", "doubtful", "near_duplicate", "certain", "episode_importance"):
        number = getattr(policy, name)
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= 1:
            raise PolicyError(f"{name}: must be a number from 0 to 1")
    if not policy.related <= policy.doubtful <= policy.near_duplicate:
        raise PolicyError("doubtful: must lie between related and near_duplicate")
    for name, least in (("version", 0), ("idle_minutes", 1), ("neighbours", 0), ("habit_confirmations", 0), *((name, 0) for name in DAYS),
                        ("most_episodes", 1), ("llm_calls", 0), ("llm_tokens", 0), ("llm_replays", 0)):  # fmt: skip
        number = getattr(policy, name)
        if isinstance(number, bool) or not isinstance(number, int) or number < least:
            raise PolicyError(f"{name}: must be a whole number of at least {least}")
        if number > MOST_NUMBER:
            raise PolicyError(f"{name}: must be at most {MOST_NUMBER}")
    for name in DAYS:
        if getattr(policy, name) > MOST_DAYS:
            raise PolicyError(f"{name}: must be at most {MOST_DAYS} days; 0 means never")
    for name, most in (("llm_calls", MOST_CALLS), ("llm_tokens", MOST_TOKENS), ("llm_replays", MOST_CALLS)):
        if getattr(policy, name) > most:
            raise PolicyError(f"{name}: must be at most {most}")
    for name in ("override_without_change_word", "llm_judges", "llm_proposals_wait", "recall_turns"):
        if not isinstance(getattr(policy, name), bool):
            raise PolicyError(f"{name}: must be true or false")
    try:
        check_rules(policy.own_rules, policy.rules_off)
    except OwnRuleError as error:
        raise PolicyError(str(error)) from None
    if policy.distill not in ("rules", "llm", "off"):
        raise PolicyError("distill: must be rules, llm or off")
