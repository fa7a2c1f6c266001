"""Decisions, to read. Ruling on them is consolidation's, which decides a stale one anew."""

from typing import Any
from uuid import UUID

from ninja import Query, Router

from memory_app.auth import READS, CallerRequest
from memory_app.queries.decisions import ORDER, decision_shown, decisions, get_decision
from memory_app.schemas.decisions import DecisionShown
from memory_app.schemas.listing import DecisionsAsked, Listed

from .lists import each, listed

router = Router(tags=["Decisions"])


@router.get("", auth=READS, response=Listed[DecisionShown], summary="List decisions")
def get_decisions(request: CallerRequest, asked: Query[DecisionsAsked]) -> dict[str, Any]:
    rows = decisions(request.auth.workspace, asked.filters(), request.auth.teams)
    return listed(request, rows, ORDER, asked, each(decision_shown))


@router.get("/{decision_id}", auth=READS, response=DecisionShown, summary="Read a decision")
def get_one(request: CallerRequest, decision_id: UUID) -> dict[str, Any]:
    decision = get_decision(request.auth.workspace, decision_id)
    request.auth.may_see(decision)
    return decision_shown(decision)
