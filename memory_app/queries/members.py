"""Who works in a workspace."""

from typing import Any

from django.db.models import QuerySet

from memory_app.keyset import Page
from memory_app.models import Membership, Role, Workspace

PAGE_SIZE = 50


def members_page(workspace: Workspace, cursor: str = "") -> Page[Membership]:
    """A page of members by name, each with its operator; the cursor is how many come before it, because they are few."""
    rows = _members(workspace).order_by("operator__username", "pk")
    start = int(cursor) if cursor.isascii() and cursor.isdigit() and len(cursor) < 7 else 0
    found = list(rows[start : start + PAGE_SIZE + 1])
    return Page(
        found[:PAGE_SIZE],
        next=str(start + PAGE_SIZE) if len(found) > PAGE_SIZE else "",
        previous=str(max(0, start - PAGE_SIZE)) if start else "",
    )


def members_count(workspace: Workspace) -> int:
    return _members(workspace).count()


def find_member(workspace: Workspace, membership_id: Any) -> Membership | None:
    return _members(workspace).filter(pk=membership_id).first()


def admins_count(workspace: Workspace) -> int:
    """How many admins can sign in; the last one stays."""
    return _members(workspace).filter(role=Role.ADMIN, operator__is_active=True).count()


def _members(workspace: Workspace) -> "QuerySet[Membership]":
    return Membership.objects.filter(workspace=workspace).select_related("operator")
