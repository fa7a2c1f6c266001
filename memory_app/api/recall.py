"""What comes back from memory: recall and the context block."""

from typing import Any

from ninja import Router

from memory_app.actions.guard import masked
from memory_app.auth import ASKS, CallerRequest
from memory_app.domain.errors import UNFIT
from memory_app.domain.words import TOKENIZER
from memory_app.models import Turn, User
from memory_app.queries.memories import memory_shown
from memory_app.recall import Considered, context_for, recall
from memory_app.schemas.problems import refuses
from memory_app.schemas.recall import Context, ContextWanted, Recalled, RecallWanted

router = Router(tags=["Recall"])
MOST_LEFT_OUT = 100


@router.post("/recall", auth=ASKS, response=Recalled, summary="Recall memories", openapi_extra=refuses(UNFIT))
def post_recall(request: CallerRequest, body: RecallWanted) -> dict[str, Any]:
    """The memories that answer a query, best first, each with its reasons. Only what this user, this session and
    these teams may see, active, unexpired and true at `now`. Where the policy lets recall reach turns, these take the
    places that are left: as episodes, with `turn`."""
    _concerns(request, body.user)
    caller = request.auth
    caller.may_touch(*(body.teams or ()))
    # What the answer repeats of the question is kept with an Idempotency-Key, so a secret must not get that far.
    asked = body.model_dump(exclude={"explain"}) | {"query": masked(caller.workspace.rules, body.query)}
    found = recall(caller.workspace, **asked, actor=caller.actor, explained=body.explain)
    results = [
        {
            "memory": memory_shown(one.memory, body.now) | (turn_ref(one.turn) if one.turn else {}),
            "score": one.score,
            "why": one.why,
            "because": one.because,
            "turn": turn_place(one.turn) if one.turn else None,
        }
        for one in found.results
    ]
    left_out = [
        {"memory": one.item.id, "reason": one.left_out, "rule": one.why.get("guardrail")}
        for one in found.left_out[:MOST_LEFT_OUT]
    ]
    left_out += [{"memory": one.memory, "reason": one.reason, "rule": None} for one in found.gated]
    return {
        "intent": found.intent,
        "keywords": list(found.keywords),
        "results": results,
        "left_out": left_out if body.explain else None,
    }


@router.post("/context", auth=ASKS, response=Context, summary="Build a context block")
def post_context(request: CallerRequest, body: ContextWanted) -> dict[str, Any]:
    """A block for a prompt within its token budget, marked as data; what holds now, and what to ask the user about."""
    _concerns(request, body.user)
    caller = request.auth
    caller.may_touch(*(body.teams or ()))
    made = context_for(
        caller.workspace,
        **body.model_dump() | {"query": masked(caller.workspace.rules, body.query)},
        actor=caller.actor,
    )
    return {
        "text": made.text,
        "tokens": made.tokens,
        "tokenizer": TOKENIZER,
        "digest": made.digest,
        "unchanged": made.unchanged,
        "effective": {
            key: {"value": one.value, "scope": one.scope, "memory": one.memory} for key, one in made.effective.items()
        },
        "clarify": [
            {"key": one.key, "options": list(one.options), "decisions": list(one.decisions)} for one in made.clarify
        ],
        "included": [_considered(one) for one in made.included],
        "excluded": [_considered(one) for one in made.excluded],
    }


def _considered(one: Considered) -> dict[str, Any]:
    return {"memory": one.memory, "reason": one.reason, "rule": one.rule or None}


def turn_ref(turn: Turn) -> dict[str, str]:
    return {"ref": f"{turn.session.ref}/{turn.index}"}


def turn_place(turn: Turn) -> dict[str, Any]:
    return {"id": turn.pk, "session": turn.session_id, "index": turn.index, "role": turn.role, "at": turn.at}


def _concerns(request: CallerRequest, user: str) -> None:
    if request.headers.get("Idempotency-Key") is not None:
        rows = User.objects.filter(workspace=request.auth.workspace, external_id=user)
        request.concerns = rows.values_list("pk", flat=True).first()
