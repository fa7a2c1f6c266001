"""What the guardrails refused or masked, and what they say of a text."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, StringConstraints

from memory_app.guardrails.own import MOST_RULES
from memory_app.guardrails.own_shape import OWN_RULE, RULES_OFF

from .fields import Given, Line, Remark, SeenRemark, Shown, Text, limited_json

Stage = Literal["capture", "consolidation", "injection"]
Category = Literal["secret", "payment", "pii", "instruction", "speculation"]
BlockStatus = Literal["blocked", "released", "kept"]


class BlockShown(Shown):
    id: UUID
    stage: Stage
    category: Category
    rule: str
    excerpt: str


class BlockWhole(BlockShown):
    ref: str
    status: BlockStatus
    user: str | None
    session: UUID | None
    note: UUID | None
    turn: UUID | None
    memory: UUID | None
    field: str
    rule_set: str
    masked: str
    reason: str | None
    decided_at: datetime | None
    created_at: datetime


class BlockRuled(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"reason": "A recipe, not a card number."}]})

    reason: SeenRemark


class BlockKept(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"reason": "A real key."}]})

    reason: Remark = ""


class BlockReleased(BlockWhole):
    decision: UUID | None = Field(description="The decision on its note, which waits for a person; null: no note.")


class TextToCheck(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "Prefers aisle seats", "stage": "capture"}]})

    text: Annotated[Text, StringConstraints(min_length=1, max_length=50_000)]
    stage: Stage = "capture"
    own_rules: (
        Annotated[
            list[Annotated[Any, Field(json_schema_extra=OWN_RULE)]],
            limited_json(60_000),
            Field(json_schema_extra={"maxItems": MOST_RULES}),
        ]
        | None
    ) = Field(None, description="Own rules to try in place of the workspace's, as its policy has them.")
    rules_off: Annotated[list[Line], Field(json_schema_extra=RULES_OFF)] | None = Field(
        None, description="Built-in rules to leave out in place of the workspace's."
    )


class PartFound(Shown):
    rule: str
    category: Category
    start: int
    end: int


class TextChecked(Shown):
    verdict: Literal["allow", "block"]
    held: str | None = Field(description="The own rule by which the text waits for a person; null: none.")
    found: list[PartFound] = Field(description="Which parts of the text were found, by which rules.")
    category: Category | None
    rule: str | None
    excerpt: str | None = Field(description="Masked.")
    masked: str
    rule_set: str
