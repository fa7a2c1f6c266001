"""Lists: `{items, next}`, newest first."""

from typing import Annotated, Generic, TypeVar
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from .blocks import BlockStatus, Category, Stage
from .decisions import Action, DecisionStatus, Needs
from .fields import Line, Shown, Text, Time, Wanted, after, shaped
from .memories import MemoryStatus
from .sessions import Kind, Scope, SessionStatus

Item = TypeVar("Item")
_CURSOR = r"^[A-Za-z0-9_:\-]+$"


class Listed(Shown, Generic[Item]):
    items: list[Item]
    next: str | None = Field(description="Give this as `cursor` for the next page; null on the last one.")


class Asked(BaseModel):
    """What every list takes."""

    model_config = ConfigDict(extra="forbid")

    limit: Wanted = 50
    cursor: Annotated[Text, StringConstraints(max_length=500, pattern=_CURSOR), shaped(_CURSOR)] | None = Field(
        None, description="From `next`; bound to the filters that it was made with."
    )

    def filters(self) -> dict[str, object]:
        """Every filter that was given."""
        return self.model_dump(exclude={"limit", "cursor"}, exclude_none=True)


class SessionsAsked(Asked):
    user: Line | None = None
    agent: Line | None = None
    status: SessionStatus | None = None


class UsersAsked(Asked):
    q: Annotated[Line, AfterValidator(str.strip)] | None = Field(None, description="A part of the name.")
    seen_after: Time | None = None
    seen_before: Annotated[Time | None, after("seen_after")] = None


class DecisionsAsked(Asked):
    status: DecisionStatus | None = None
    action: Action | None = None
    needs: Needs | None = None
    kind: Kind | None = None
    scope: Scope | None = None
    user: Line | None = None
    session: UUID | None = None
    batch: UUID | None = None


class MemoriesAsked(Asked):
    user: Line | None = None
    session: UUID | None = None
    team: Line | None = None
    kind: Kind | None = None
    scope: Scope | None = None
    status: MemoryStatus | None = None
    key: Line | None = None
    q: Annotated[Line, AfterValidator(str.strip)] | None = Field(
        default=None, description="Words or a part of the text or key, a keyword, a user, a ref or an id."
    )
    pinned: bool | None = None
    updated_after: Time | None = None
    updated_before: Annotated[Time | None, after("updated_after")] = None


class BlocksAsked(Asked):
    stage: Stage | None = None
    category: Category | None = None
    status: BlockStatus | None = None
