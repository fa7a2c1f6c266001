"""The rules in force: versions of the policy, and how often each rule of deciding and of guarding was used."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count

from consolidation.domain.policy import Policy
from consolidation.models import PolicyVersion
from memory_app.keyset import Order, Page, page_of
from memory_app.models import Block, Decision, Workspace
from memory_app.moments import first_day

PAGE_SIZE = 20
NEWEST = Order("number")


def newest_version(workspace: Workspace) -> PolicyVersion | None:
    """The version in force; None while the documented default is."""
    return PolicyVersion.objects.filter(workspace=workspace).order_by("-number").first()


def find_version(workspace: Workspace, number: int) -> PolicyVersion | None:
    return PolicyVersion.objects.filter(workspace=workspace, number=number).first()


def versions_page(workspace: Workspace, cursor: str = "") -> Page[PolicyVersion]:
    """A page of the versions that were saved, newest first."""
    return page_of(PolicyVersion.objects.filter(workspace=workspace), NEWEST, cursor, PAGE_SIZE)


def policy_of(version: PolicyVersion | None) -> Policy:
    """What the version says; the documented default, version 1, where there is none."""
    return Policy() if version is None else Policy.from_json(version.content | {"version": version.number})


def changed_in(workspace: Workspace, versions: Iterable[PolicyVersion]) -> dict[int, list[str]]:
    """The fields that each of these versions changed of the one before it, in one statement."""
    rows = list(versions)
    before = {row.number: row for row in PolicyVersion.objects.filter(
        workspace=workspace, number__in=[row.number - 1 for row in rows])}  # fmt: skip
    found = {}
    for row in rows:
        old, new = policy_of(before.get(row.number - 1)).to_json(), policy_of(row).to_json()
        found[row.number] = [name for name in new if name != "version" and new[name] != old.get(name)]
    return found


def decisions_by_rule(workspace: Workspace, days: int) -> dict[str, int]:
    """How many decisions of the last days each rule has made."""
    rows = Decision.objects.filter(workspace=workspace, created_at__gte=first_day(days))
    return _counted(rows)


def blocks_by_rule(workspace: Workspace, days: int) -> dict[str, int]:
    """How many blocks of the last days each rule of the guardrails has made."""
    return _counted(Block.objects.filter(workspace=workspace, created_at__gte=first_day(days)))


def _counted(rows: Any) -> dict[str, int]:
    return dict(rows.order_by().values_list("rule").annotate(Count("pk")))
