"""Users: who they are, what is known of them, what was erased."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import ConfigDict, Field

from .fields import EXAMPLE_TIME, Given, Key, Line, Shown, Time, Value
from .memories import MemoryShown


class UserCounts(Shown):
    memories: int = Field(description="Active ones of the user's own.")
    sessions: int
    waiting: int = Field(description="Decisions that wait for a person.")


class UserShown(Shown):
    id: UUID
    user: str
    created_at: datetime
    last_seen_at: datetime
    profile_fields: int
    counts: UserCounts


class ProfileField(Shown):
    value: Any
    source: str | None
    verified_at: datetime | None


class ProfileShown(Shown):
    user: str
    fields: dict[str, ProfileField]


class ProfileFieldGiven(Given):
    value: Value
    source: Line | None = None
    verified_at: Time | None = None


class ProfileGiven(Given):
    """Every field of the profile; those that are left out are gone."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"fields": {"member_tier": {"value": "gold", "source": "crm", "verified_at": EXAMPLE_TIME}}}]
        }
    )

    fields: Annotated[
        dict[Key, ProfileFieldGiven], Field(max_length=200, json_schema_extra={"additionalProperties": False})
    ]


class UserState(Shown):
    """What is known of a user; each list newest first, at most `limit` of it."""

    profile: dict[str, ProfileField]
    notes: list[MemoryShown] = Field(description="Long-term memory: semantic and procedural.")
    session_notes: list[MemoryShown] = Field(description="What the user's open sessions go by.")
    history: list[MemoryShown] = Field(description="Episodic memory.")


class ReceiptShown(Shown):
    """What was erased, without a word of it."""

    receipt: UUID = Field(description="The audit event that keeps this receipt.")
    erased: UUID
    digest: str = Field(description="A keyed hash of the erased name.")
    at: datetime
    by: str
    counts: dict[str, int] = Field(description="Rows, by table.")
