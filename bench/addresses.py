"""What is measured: every page as somebody opens it, the calls of the API that read, and what a worker asks by itself."""

from collections.abc import Callable
from typing import Any

SLUG = "bench"


def pages() -> dict[str, str]:
    """The pages by name, each as somebody opens it, with the filters and orders that are dear."""
    from memory_app.models import Block, Decision, Memory, Session, User

    w = f"/w/{SLUG}/"
    user = User.objects.filter(workspace__slug=SLUG, external_id="user-7").get()
    big = User.objects.filter(workspace__slug=SLUG, external_id="user-big").get()
    memory = Memory.objects.filter(user=user, status="active").order_by("number")[0]
    session = Session.objects.filter(user=user).order_by("number")[0]
    full = Session.objects.filter(user=big).order_by("number")[0]
    decision = Decision.objects.filter(workspace__slug=SLUG, status="pending").order_by("number")[50]
    weighty = Decision.objects.filter(workspace__slug=SLUG, status="pending", needs="admin").order_by("number")[50]
    block = Block.objects.filter(workspace__slug=SLUG).order_by("number")[0]
    words = " ".join(memory.text.split()[:2])
    common, a = words.split()[0], memory.created_at.isoformat()[:19]
    return {
        "overview": f"{w}overview/", "overview, 90 days": f"{w}overview/?days=90",
        "review": f"{w}review/", "review, an item": f"{w}review/?item={decision.pk}",
        "review, least certain first": f"{w}review/?sort=confidence", "review, by impact": f"{w}review/?sort=-impact",
        "review, of an action": f"{w}review/?action=override", "review, all": f"{w}review/?status=all",
        "review, applied": f"{w}review/?status=applied", "review, of a kind": f"{w}review/?kind=procedural",
        "review, of a rule": f"{w}review/?status=all&rule=promote.durable&days=30",
        "review, of a slot": f"{w}review/?key=seat", "review, of a user": f"{w}review/?user=user-7",
        "review, nearly certain": f"{w}review/?confidence__lt=0.6",
        "sessions": f"{w}sessions/", "sessions, of a status": f"{w}sessions/?status=failed",
        "sessions, searched": f"{w}sessions/?q=train", "session": f"{w}sessions/{session.pk}/",
        "session with many": f"{w}sessions/{full.pk}/", "session, what if": f"{w}sessions/{session.pk}/what-if/",
        "memories": f"{w}memories/", "memories, searched": f"{w}memories/?q={common}",
        "memories, two words": f"{w}memories/?q={words}", "memories, of a user": f"{w}memories/?user=user-7",
        "memories, of user-big": f"{w}memories/?user=user-big", "memories, pinned": f"{w}memories/?pinned=1",
        "memories, of a kind": f"{w}memories/?kind=procedural", "memories, of teams": f"{w}memories/?scope=team",
        "memories, of a key": f"{w}memories/?key=seat", "memories, protected": f"{w}memories/?protected=1",
        "memories, unused": f"{w}memories/?unused=1", "memories, contested": f"{w}memories/?status=contested",
        "memories, archived": f"{w}memories/?status=archived", "memories, by recalls": f"{w}memories/?sort=-recalls",
        "memories, by expiry": f"{w}memories/?sort=expires", "memories, of 7 days": f"{w}memories/?updated=7d",
        "memory": f"{w}memories/{memory.pk}/", "memories, export": f"{w}memories/export/",
        "users": f"{w}users/", "users, searched": f"{w}users/?q=user-7", "user": f"{w}users/{user.pk}/",
        "user, as of": f"{w}users/{user.pk}/?as_of={a}", "user with many": f"{w}users/{big.pk}/",
        "user with many, as of": f"{w}users/{big.pk}/?as_of={a}", "user with many, asked": f"{w}users/{big.pk}/?q={words}",
        "user, export": f"{w}users/{user.pk}/export/",
        "recall": f"{w}recall/?user=user-7&q={words}", "recall, of many": f"{w}recall/?user=user-big&q={words}",
        "guardrails": f"{w}guardrails/", "guardrails, searched": f"{w}guardrails/?q=password",
        "guardrails, export": f"{w}guardrails/export/", "block": f"{w}guardrails/{block.pk}/",
        "approvals": f"{w}approvals/", "approvals, an item": f"{w}approvals/?id={weighty.pk}",
        "approvals, approved": f"{w}approvals/?status=approved",
        **_settings(w),
        "search": f"{w}search/?q={words}", "search, nothing found": f"{w}search/?q=qqzzqq",
        "palette": f"{w}search/?short=1&q={common}", "palette, of a user": f"{w}search/?short=1&q=user-77",
        "seen": f"{w}seen/", "live": f"{w}live/?list=review&since=2030-01-01T00:00:00Z",
    }  # fmt: skip


def _settings(w: str) -> dict[str, str]:
    from memory_app.queries.metrics import METRICS

    return {
        "quality": f"{w}quality/", "quality, 90 days": f"{w}quality/?days=90",
        "quality, of an agent": f"{w}quality/?days=90&agent=travel-assistant",
        **{f"metric {one.name}": f"{w}quality/metric/?metric={one.name}&days=90" for one in METRICS},
        "evaluation": f"{w}evaluation/", "evaluation, labels": f"{w}evaluation/labels/",
        "rules": f"{w}rules/", "rules, guardrails": f"{w}rules/?tab=guardrails&days=90",
        "rules, decisions": f"{w}rules/?tab=decisions&days=90", "rules, forgetting": f"{w}rules/?tab=forgetting",
        "rules, the form": f"{w}rules/policy/", "rules, own": f"{w}rules/guardrails/",
        "agents": f"{w}agents/", "slots": f"{w}slots/", "members": f"{w}members/",
        "audit": f"{w}audit/", "audit, of an action": f"{w}audit/?action=member.add",
        "audit, of somebody": f"{w}audit/?actor=Lin", "audit, export": f"{w}audit/export/",
    }  # fmt: skip


def calls() -> dict[str, str]:
    """What the API and /metrics answer to a key of an admin."""
    from memory_app.models import Memory, Session

    memory = Memory.objects.filter(workspace__slug=SLUG, user__external_id="user-7").order_by("number")[0]
    session = Session.objects.filter(workspace__slug=SLUG, user__external_id="user-7").order_by("number")[0]
    word, v = memory.text.split()[0], "/api/v1/"
    return {
        "metrics": "/metrics",
        "API memories": f"{v}memories", "API memories, found": f"{v}memories?q={word}",
        "API memories, of a user": f"{v}memories?user=user-7", "API memories, pinned": f"{v}memories?pinned=true",
        "API memories, of a kind": f"{v}memories?kind=procedural", "API memories, of a key": f"{v}memories?key=seat",
        "API memories, archived": f"{v}memories?status=archived", "API memories, expired": f"{v}memories?status=expired",
        "API memories, updated": f"{v}memories?updated_after=2020-01-01T00:00:00Z", "API memory": f"{v}memories/{memory.pk}",
        "API history": f"{v}memories/{memory.pk}/history",
        "API decisions": f"{v}decisions", "API decisions, pending": f"{v}decisions?status=pending",
        "API decisions, declined": f"{v}decisions?status=declined", "API decisions, of a user": f"{v}decisions?user=user-7",
        "API decisions, of a batch": f"{v}decisions?batch={memory.pk}", "API decisions, stale": f"{v}decisions?status=stale",
        "API sessions": f"{v}sessions", "API sessions, failed": f"{v}sessions?status=failed",
        "API session": f"{v}sessions/{session.pk}", "API turns": f"{v}sessions/{session.pk}/turns",
        "API users": f"{v}users", "API users, found": f"{v}users?q=user-77", "API state": f"{v}users/user-big/state",
        "API blocks": f"{v}blocks", "API blocks, released": f"{v}blocks?status=released",
        "API runs": f"{v}runs", "API audit": f"{v}audit", "API audit, of an action": f"{v}audit?action=member.add",
    }  # fmt: skip


def asked_by_itself() -> dict[str, Callable[[], Any]]:
    """What a worker asks each minute, and each night."""
    from consolidation.actions.forgetting import what_would_be_forgotten
    from consolidation.queries.alarms import alarms
    from memory_app.models import Workspace

    workspace = Workspace.objects.get(slug=SLUG)
    return {"alerts": alarms, "what the night forgets": lambda: what_would_be_forgotten(workspace)}
