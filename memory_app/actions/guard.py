"""Puts text through the guardrails before anything is stored, and records what they found."""

from collections.abc import Iterable, Mapping
from typing import Any

from memory_app import guardrails
from memory_app.domain.errors import Invalid
from memory_app.guardrails import Checked, Finding, RuleSet, Verdict, check_fields, masked, strings
from memory_app.models import Block, Memory, Note, Session, Team, Turn, User, Workspace

__all__ = [
    "Checked", "blocks_of_turn", "check_fields", "masked", "masked_but_ids", "record_block", "refuse_secret",
    "released", "strings",
]  # fmt: skip


def masked_but_ids(rules: RuleSet, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values masked, but those that name rows and nothing else as they are: by them the rows are found again."""
    ids = {name: value for name, value in values.items() if _names_rows(value)}
    return {**masked(rules, {name: value for name, value in values.items() if name not in ids}), **ids}


def _names_rows(value: Any) -> bool:
    if isinstance(value, Mapping):  # their versions, say
        return all(_names_rows(key) and isinstance(item, int) for key, item in value.items())
    if isinstance(value, list | tuple):
        return all(_names_rows(item) for item in value)
    return isinstance(value, str) and guardrails.is_opaque(value)


def refuse_secret(field: str, value: str | None) -> None:
    """Raises Invalid where an identifier holds what must not be stored: it cannot be masked and stay one."""
    if value and guardrails.mask(value).findings:
        raise Invalid.field(
            field, "holds a secret, payment detail or personal identifier; use an opaque identifier.", "secret"
        )


def record_block(
    workspace: Workspace,
    verdict: Verdict,
    *,
    stage: str = "capture",
    field: str = "text",
    session: Session | None = None,
    user: User | None = None,
    note: Note | None = None,
    turn: Turn | None = None,
    memory: Memory | None = None,
) -> Block:
    """The refused text is kept, masked, where an operator can judge it."""
    return Block.objects.create(
        workspace=workspace,
        session=session,
        user=user,
        note=note,
        turn=turn,
        memory=memory,
        stage=stage,
        category=verdict.category or "",
        rule=verdict.rule or "",
        rule_set=verdict.rule_set,
        field=field,
        excerpt=verdict.excerpt or "",
        masked=verdict.masked,
    )


def released(workspace: Workspace, user: User | None, verdict: Verdict | None, team: Team | None = None) -> bool:
    """Whether an operator has released this very text of this user, or of this team, as a false positive. Only what
    holds no masked value can pass."""
    if verdict is None or verdict.category not in guardrails.JUDGED_CATEGORIES:
        return False
    passed = Block.objects.released_for(workspace.pk, user.pk if user else None, team.pk if team else None)
    return passed.filter(category=verdict.category, masked=verdict.masked).exists()


def blocks_of_turn(workspace: Workspace, turn: Turn, findings: Iterable[Finding], excerpt: str) -> list[Block]:
    """One block, not yet saved, for each category that was masked in a turn. `excerpt` is masked text around the
    finding that weighs most; the others are seen in the turn itself."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.category, finding)
    weightiest = min(first, key=guardrails.CATEGORIES.index, default="")
    return [
        Block(
            workspace=workspace,
            session=turn.session,
            user=turn.session.user,
            turn=turn,
            stage="capture",
            category=category,
            rule=finding.rule,
            rule_set=workspace.rules.version,
            field="turn",
            excerpt=excerpt if category == weightiest else "",
        )
        for category, finding in first.items()
    ]
