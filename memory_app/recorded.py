"""Memories as a file tells them, for import: a request of `POST /memories` on a line, with a name of its own."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from memory_app.schemas.fields import ExternalId, Line
from memory_app.schemas.memories import MemoryGiven


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


class MemoryRecorded(MemoryGiven):
    """One line. Fields that are not known are passed over, so that memories as the API shows them can be read."""

    model_config = ConfigDict(extra="ignore")

    id: Annotated[ExternalId, BeforeValidator(_as_text)] | None = Field(None, description="The line's own name.")
    external_id: Annotated[ExternalId, BeforeValidator(_as_text)] | None = Field(None, description="The same.")
    session: Line | None = Field(None, description="Its id, or the external_id of one of the user.")  # type: ignore[assignment]
    # What has expired is still active: `expires_at` says that it has.
    status: Literal["active", "archived", "superseded", "expired"] = "active"  # type: ignore[assignment]

    @property
    def name(self) -> str | None:
        return self.id or self.external_id
