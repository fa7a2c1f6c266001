"""What the page of a user shows: what holds, where from, and the block that an agent would be given."""

from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from memory_app.access import WorkspaceRequest
from memory_app.addresses import page_url
from memory_app.domain.precedence import Effective
from memory_app.domain.ranking import Ranked
from memory_app.domain.recalled import BLOCK_END, BLOCK_START
from memory_app.models import Decision, MemoryVersion, Session, User
from memory_app.moments import given_moment, moment_in_field, unread_moment
from memory_app.queries import user_page as read
from memory_app.recall import Considered, Context, context_for
from memory_app.titles import session_title
from memory_app.values import told

from . import considered
from .memory_context import number_of
from .profile_form import ProfileFieldForm

PAGE = "memory_app/user.html"
BUDGETS, LONGEST, MOST_PLACED = (200, 400, 800, 1600, 3200), 2000, 60
BUDGET = 800
#: What the number of memories counts: the same in the list that it leads to.
LIVE_OF_USER = {"scope": "user", "status": "active"}
ALONE = "none"  # a preview without any session


def page_context(request: WorkspaceRequest, user: User) -> dict[str, Any]:
    """Everything that templates/memory_app/user.html asks for."""
    slug, as_of = request.workspace.slug, as_of_in(request, user)
    state = read.state_now(user) if as_of is None else read.state_at(user, as_of)
    steps = read.steps_of(user, as_of)
    about = read.around(user) if as_of is None else read.around_at(user, as_of, sum(state.counts.values()))
    admin = request.actor.at_least("admin")
    return _preview(request, user, as_of) | {
        "shown_user": user,
        "name": name_of(user),
        "as_of": as_of,
        "as_of_value": moment_in_field(as_of),
        "as_of_unread": unread_moment(request.GET.get("as_of", "")),
        "steps": steps,
        "earlier": steps.earlier.isoformat() if steps.earlier else "",
        "later": steps.later.isoformat() if steps.later else "",
        "notes": [_line(row, slug) for row in state.notes],
        "history": [_line(row, slug) for row in state.history],
        "session_notes": [_line(row, slug) for row in state.session_notes],
        "counts": state.counts,
        "about": about,
        "last_sessions": [(one, session_title(one)) for one in about.last_sessions],
        "waiting": [_waiting(one, slug) for one in about.open_decisions],
        # Lists are of now: of a past moment there is only this page.
        "memories_url": "" if as_of else page_url("memories", slug, user=user.external_id, **LIVE_OF_USER),
        "sessions_url": "" if as_of else page_url("sessions", slug, user=user.external_id),
        "export_url": page_url("user_export", slug, user.pk) if admin else "",
        "erase_url": page_url("user_erase", slug, user.pk) if admin and as_of is None else "",
        "held": read.held_of(user) if admin and as_of is None else None,
        "field_form": ProfileFieldForm() if admin and as_of is None else None,
        "profile_keys": sorted(user.profile),
        "add_url": _add_url(request, user) if as_of is None else "",
    }


def _add_url(request: WorkspaceRequest, user: User) -> str:
    if not request.actor.at_least("curator"):
        return ""
    return page_url("memory_new", request.workspace.slug, user=user.external_id)


def name_of(user: User) -> str:
    """What people call them, where the profile says it; empty where it does not."""
    entry = user.profile.get("name")
    value = entry.get("value") if isinstance(entry, dict) else None
    return value if isinstance(value, str) else ""


def as_of_in(request: WorkspaceRequest, user: User) -> datetime | None:
    """The moment that the address names, itself or as the number of a change; None for now, or where it is none."""
    number = number_of(request.GET.get("change", ""))
    if number is not None:
        steps = read.steps_of(user, None)
        return None if number >= steps.total else read.moment_of(user, number)
    return given_moment(request.GET.get("as_of", ""))


def _line(row: Any, slug: str) -> dict[str, Any]:
    """A row of Memory or of MemoryVersion."""
    memory = row.memory if isinstance(row, MemoryVersion) else row
    session = memory.session if memory.session_id else None
    return {
        "row": row,
        "ref": memory.ref,
        "href": page_url("memory", slug, memory.pk),
        "contested": getattr(row, "contested", False),
        "at": row.occurred_at or row.updated_at,
        "session": session.ref if session else "",
        "session_url": page_url("session", slug, session.pk) if session else "",
    }


def _waiting(decision: Decision, slug: str) -> dict[str, Any]:
    after, memory = decision.after or {}, decision.memory
    text = decision.note.text if decision.note else after.get("text") or (memory.text if memory else "")
    where = "approvals" if decision.needs == "admin" else "review"
    query = {"id": decision.pk} if where == "approvals" else {"status": "all", "item": decision.pk}
    return {"decision": decision, "text": text, "href": page_url(where, slug, **query)}


# The preview ------------------------------------------------------------------------------------------------------


def _preview(request: WorkspaceRequest, user: User, as_of: datetime | None) -> dict[str, Any]:
    """What an agent would be told, with why; nothing of it is recorded, for nobody was told."""
    query = request.GET.get("q", "").replace("\x00", "")[:LONGEST].strip()
    given = request.GET.get("budget", "")
    budget = int(given) if given in map(str, BUDGETS) else BUDGET
    sessions = read.open_sessions(user, as_of)
    session = _session_in(request, sessions)
    context = context_for(
        request.workspace,
        user=user.external_id,
        session=session.pk if session else None,
        query=query or None,
        token_budget=budget,
        now=as_of,
        as_of=as_of,
        actor=request.actor,
        recorded=False,
    )
    placed = [*context.included, *context.excluded[:MOST_PLACED]]
    known = _contents(request, context, placed)
    fits = {one.item.id: one for one in context.ranked} if query else {}
    slug = request.workspace.slug
    return {
        "q": query,
        "session": session,
        "sessions": sessions,
        "context": context,
        "budget": budget,
        "budgets": BUDGETS,
        "lines": lines_of(context.text),
        "placed": [_placed(one, known, fits, slug, one in context.included) for one in placed if one.memory in known],
        "included_count": len(context.included),
        "excluded_count": len(context.excluded),
        "more_excluded": max(0, len(context.excluded) - MOST_PLACED),
        "clarify": [(one, [told(option) for option in one.options]) for one in context.clarify],
        "slots": _slots(user, context, known, slug),
    }


def _session_in(request: WorkspaceRequest, sessions: list[Session]) -> Session | None:
    """The open session that the address names, else the last active one."""
    given = request.GET.get("session", "")
    if given == ALONE or not sessions:
        return None
    return next((one for one in sessions if str(one.pk) == given), sessions[0])


def _contents(request: WorkspaceRequest, context: Context, placed: list[Considered]) -> dict[str, MemoryVersion]:
    """What the block and the slots speak of, in the versions that they speak of."""
    versions = {one.memory: one.version for one in placed}
    others = {one.memory for one in context.effective.values() if one.memory and one.memory not in versions}
    if others:
        versions |= read.newest_of(request.workspace, others)
    return read.contents_of(request.workspace, versions)


def _placed(
    one: Considered, known: dict[str, MemoryVersion], fits: dict[str, Ranked], slug: str, included: bool
) -> dict[str, Any]:
    row, fit = known[one.memory], fits.get(one.memory)
    how_well: dict[str, Any] = {}
    if fit is not None:
        how_well = {"score": fit.score, "why": fit.why, "because": fit.because if included else ""}
    return considered.entry(
        slug, one.memory, row.text, one.reason,
        ref=row.memory.ref, version=one.version, included=included, place=one.rank, rule=one.rule, **how_well,
    )  # fmt: skip


def lines_of(text: str) -> list[tuple[str, str, str]]:
    """The lines of the block, each with the tone of its beginning, the beginning and the rest."""
    found, in_head = [], False
    for line in text.splitlines():
        if line == "---":
            in_head = not in_head
            found.append(("dim", line, ""))
        elif line.startswith((BLOCK_START, BLOCK_END)):
            found.append(("dim", line, ""))
        elif line.startswith("## "):
            found.append(("key", line, ""))
        elif in_head and ": " in line:
            key, _colon, value = line.partition(": ")
            found.append(("key", f"{key}:", f" {value}"))
        else:
            found.append(("", "", line))
    return found


def _slots(user: User, context: Context, known: dict[str, MemoryVersion], slug: str) -> list[dict[str, Any]]:
    """What holds for each key, with where it comes from; what a session sets aside stands beneath it."""
    rows = [_slot(user, key, one, known, slug) for key, one in context.effective.items()]
    shown = {row["key"] for row in rows}
    for key, entry in sorted(user.profile.items()):  # what nobody is shown is still known
        if key not in shown:
            rows.append(_from_profile(key, entry) | {"hidden": True})
    return rows


def _slot(user: User, key: str, one: Effective, known: dict[str, MemoryVersion], slug: str) -> dict[str, Any]:
    entry = user.profile.get(key)
    if one.scope == "request":
        return _from_profile(key, {}) | {"value": told(one.value), "icon": "session_only", "source": _("Question")}
    if one.memory is None:
        return _from_profile(key, entry or {}) | {"value": told(one.value)}
    version = known.get(one.memory)
    beneath = entry.get("value") if isinstance(entry, dict) else None
    return {
        "key": key,
        "value": told(one.value),
        "icon": {"session": "session_only", "team": "team"}.get(one.scope, "memory"),
        "source": version.memory.ref if version else "",
        "href": page_url("memory", slug, one.memory),
        "verified": version.confirmed_at if version else None,
        "only_session": one.scope == "session",
        "beneath": told(beneath) if beneath is not None and beneath != one.value else "",
    }


def _from_profile(key: str, entry: Any) -> dict[str, Any]:
    given = entry if isinstance(entry, dict) else {"value": entry}
    return {"key": key, "value": told(given.get("value")), "icon": "lock",
            "source": given.get("source") or _("profile"), "href": "", "verified": _moment(given.get("verified_at"))}  # fmt: skip


def _moment(given: Any) -> datetime | None:
    try:
        return parse_datetime(given) if isinstance(given, str) else None
    except ValueError:
        return None
