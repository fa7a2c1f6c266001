"""The recall debugger: what a question would bring back now or at a past moment, and why not the rest. Nothing of it is
recorded, for no agent asked."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memory_app.access import WorkspaceRequest, workspace_page
from memory_app.actions.guard import masked
from memory_app.addresses import turn_url
from memory_app.domain.errors import NotFound
from memory_app.models import Kind, Session, User
from memory_app.moments import given_moment, moment_in_field, unread_moment
from memory_app.queries.user_page import contents_of, users_named
from memory_app.recall import Recalled, Recollection, recall

from .considered import entry

PAGE = "memory_app/recall.html"
LONGEST, MOST_LEFT_OUT = 2000, 60
LIMITS = (5, 10, 20, 50)
REF = re.compile(r"[Ss]-([0-9]{1,17})")


@dataclass(frozen=True)
class Asked:
    """What the address says."""

    user: str
    q: str
    session: str
    teams: tuple[str, ...]
    kinds: tuple[str, ...]
    limit: int
    as_of: datetime | None

    @classmethod
    def read(cls, request: WorkspaceRequest) -> "Asked":
        def given(name: str) -> str:
            return request.GET.get(name, "").replace("\x00", "").strip()

        limit = given("limit")
        return cls(
            user=given("user")[:200],
            q=given("q")[:LONGEST],
            session=given("session")[:60],
            teams=tuple(name.strip()[:200] for name in given("teams").split(",")[:20] if name.strip()),
            kinds=tuple(kind for kind in Kind.values if kind in request.GET.getlist("kind")),
            limit=int(limit) if limit in map(str, LIMITS) else LIMITS[0],
            as_of=given_moment(given("as_of")),
        )


@require_safe
@workspace_page()
def recall_page(request: WorkspaceRequest) -> HttpResponse:
    """The form, and under it what its question brings back."""
    asked = Asked.read(request)
    context: dict[str, Any] = {
        "asked": asked,
        "teams": ", ".join(asked.teams),
        "as_of_value": moment_in_field(asked.as_of) if asked.as_of else "",
        "as_of_unread": unread_moment(request.GET.get("as_of", "")),
        "limits": LIMITS,
        "kinds": [(kind.value, kind.label, kind.value in asked.kinds) for kind in Kind],
        "users": users_named(request.workspace),
        "problem": "",
    }
    if asked.user and asked.q:
        context |= _found(request, asked)
    part = "#results" if request.htmx and request.htmx.target == "recall-results" else ""
    return render(request, PAGE + part, context)


def _found(request: WorkspaceRequest, asked: Asked) -> dict[str, Any]:
    user = User.objects.filter(workspace=request.workspace, external_id=asked.user).first()
    if user is None:
        return {"problem": _("There is no user of this name.")}
    session = _session_of(user, asked.session)
    if asked.session and session is None:
        return {"problem": _("This user has no such session.")}
    try:
        found = recall(
            request.workspace,
            user=asked.user,
            query=masked(request.workspace.rules, asked.q),
            session=session.pk if session else None,
            teams=asked.teams or None,
            kinds=asked.kinds or None,
            limit=asked.limit,
            now=asked.as_of,
            as_of=asked.as_of,
            actor=request.actor,
            recorded=False,
            explained=True,
        )
    except NotFound:
        return {"problem": _("This user has no such session.")}
    return _listed(request, found) | {"found": found, "shown_user": user, "session": session}


def _session_of(user: User, given: str) -> Session | None:
    """The session that is named by its number (S-12), or by the name that the caller gave it."""
    if not given:
        return None
    rows = Session.objects.filter(user=user)
    ref = REF.fullmatch(given)
    return rows.filter(number=int(ref[1])).first() if ref else rows.filter(external_id=given).first()


def _listed(request: WorkspaceRequest, found: Recalled) -> dict[str, Any]:
    """What comes back, best first, and what does not: ranked and left out first, then what never came that far."""
    slug = request.workspace.slug
    results = [_result(slug, place, one) for place, one in enumerate(found.results, 1)]
    left = found.left_out[:MOST_LEFT_OUT]
    versions = {one.memory: one.version for one in found.gated} | {one.item.id: one.item.version for one in left}
    known = contents_of(request.workspace, versions)
    ranked = {one.item.id: one for one in left}
    reasons = [(one.item.id, one.left_out or "") for one in left] + [(one.memory, one.reason) for one in found.gated]
    left_out = []
    for memory, reason in reasons:
        if memory in known:
            row, one = known[memory], ranked.get(memory)
            fit: dict[str, Any] = {"score": one.score, "why": one.why} if one else {}
            left_out.append(entry(slug, memory, row.text, reason, ref=row.memory.ref, version=row.number, **fit))
    more = max(0, len(found.left_out) - MOST_LEFT_OUT)
    return {"results": results, "left_out": left_out, "more": more}


def _result(slug: str, place: int, one: Recollection) -> dict[str, Any]:
    turn = one.turn  # what was said, where recall reaches it
    return entry(
        slug, str(one.memory.pk), one.memory.text, "relevant",
        ref=turn.session.ref if turn else one.memory.ref, version=None if turn else one.memory.version, included=True,
        place=place, score=one.score, why=one.why, because=one.because,
        href=turn_url(slug, turn.session_id, turn.index) if turn else "",
    )  # fmt: skip
