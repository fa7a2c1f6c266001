"""Slots, keys, and the audit log."""

import re
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

from django.utils.dateparse import parse_duration
from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints

from .fields import Given, Line, Shown, Teams, Text, Time, wrong
from .fields import after as following
from .listing import Asked

Writer = Literal["user", "agent", "operator", "profile"]
Cardinality = Literal["one", "many"]
Exposure = Literal["context", "tools", "none"]
Role = Literal["agent", "viewer", "curator", "admin"]
#: What a description says of it: some days, or none and at least a minute.
_TIME = r"(?:[0-9]{1,4}H(?:[0-9]{1,4}M)?(?:[0-9]{1,4}S)?|[0-9]{1,4}M(?:[0-9]{1,4}S)?|[0-9]{1,4}S)"
_SHAPE = rf"^P(?:[1-9][0-9]{{0,3}}D(?:T{_TIME})?|T(?=[1-9][0-9]*[HM]){_TIME})$"
DURATION = re.compile(r"P(?=\d|T\d)(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?")


def _duration(value: Any) -> timedelta | None:
    if value is None or isinstance(value, timedelta):
        return value
    found = parse_duration(value) if isinstance(value, str) and len(value) < 40 and DURATION.fullmatch(value) else None
    if found is None or not timedelta(minutes=1) <= found <= timedelta(days=36_500):
        raise wrong("must be an ISO 8601 duration in days and shorter, such as P30D or PT12H, at least a minute.")
    return found


Duration = Annotated[
    timedelta | None,
    BeforeValidator(_duration),
    Field(json_schema_extra={"type": "string", "format": "duration", "pattern": _SHAPE}, examples=["P30D"]),
]


class WorkspaceShown(Shown):
    slug: str
    name: str
    solo: bool = Field(description="Whether a person may approve what they proposed themselves.")
    created_at: datetime


class WorkspaceGiven(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"solo": True}]})

    solo: bool = Field(description="Whether a person may approve what they proposed themselves.")


class SlotShown(Shown):
    key: str
    cardinality: Cardinality
    values: list[str] = Field(description="The only values that it takes; empty: any.")
    writers: list[Writer]
    expires_after: str | None = Field(description="How long what fills it holds; an ISO 8601 duration.")
    exposure: Exposure = Field(description="`context`: the model sees it; `tools`: only tools do; `none`: nobody.")
    created_at: datetime


class SlotGiven(Given):
    """Every setting of the slot; those that are left out are as in a new one."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"cardinality": "one", "values": ["aisle", "window"], "writers": ["user", "operator"]}]
        }
    )

    cardinality: Cardinality = "one"
    values: Annotated[list[Annotated[Line, StringConstraints(min_length=1)]], Field(max_length=200)] = []
    writers: Annotated[list[Writer], Field(min_length=1, max_length=4)] = ["user", "agent", "operator", "profile"]
    expires_after: Duration = None
    exposure: Exposure = "context"


class SlotsAsked(Asked):
    cardinality: Cardinality | None = None
    exposure: Exposure | None = None


class KeyShown(Shown):
    id: UUID
    name: str
    prefix: str = Field(description="How the key begins; the rest of it is stored nowhere.")
    role: Role
    teams: list[str]
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class KeyMade(KeyShown):
    key: str | None = Field(description="The key itself, shown this once; null in the answer to a repeated request.")


class KeyGiven(Given):
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "travel agent", "role": "agent"}]})

    name: Annotated[Line, StringConstraints(max_length=120)] = ""
    role: Role
    teams: Teams = Field(default=[], description="The only teams that it may touch; empty: all.")


class KeysAsked(Asked):
    role: Role | None = None
    revoked: bool | None = None


Word = Annotated[Text, StringConstraints(max_length=64)]


class AuditAsked(Asked):
    action: Word | None = Field(None, description="Such as `decision.approved`; `decision.` for all that begin so.")
    actor: Word | None = Field(None, description="The actor's id.")
    object: Word | None = Field(None, description="The object's id.")
    object_type: Word | None = None
    after: Time | None = None
    before: Annotated[Time | None, following("after")] = None


class ActorShown(Shown):
    kind: Literal["operator", "key", "policy", "system"]
    id: str
    name: str


class AuditShown(Shown):
    id: UUID
    at: datetime
    actor: ActorShown
    address: str | None
    action: str
    object_type: str
    object: str
    detail: dict[str, Any] = Field(description="Ids, counts and names of fields; never content.")
