"""What the guardrails refused or masked, and what they say of a text."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from .fields import Given, Remark, Shown, Text, not_blank

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

    reason: Annotated[Remark, StringConstraints(min_length=1), AfterValidator(not_blank)]


class BlockKept(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"reason": "A real key."}]})

    reason: Remark = ""


class BlockReleased(BlockWhole):
    decision: UUID | None = Field(description="The decision on its note, which waits for a person; null: no note.")


class TextToCheck(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "Prefers aisle seats", "stage": "capture"}]})

    text: Annotated[Text, StringConstraints(min_length=1, max_length=50_000)]
    stage: Stage = "capture"


class TextChecked(Shown):
    verdict: Literal["allow", "block"]
    category: Category | None
    rule: str | None
    excerpt: str | None = Field(description="Masked.")
    masked: str
    rule_set: str
