"""Sessions as a file tells them, for import: what the API takes in several calls, on one line."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from memory_app.actions.notes import NewNote
from memory_app.actions.sessions import NewTurn
from memory_app.schemas.fields import ExternalId, Name, Remark, Teams, Time, limited_json, wrong
from memory_app.schemas.sessions import NoteGiven, TurnGiven

MOST_TURNS = 5_000
MOST_NOTES = 1_000


class TurnRecorded(TurnGiven):
    model_config = ConfigDict(extra="ignore")


class NoteRecorded(NoteGiven):
    model_config = ConfigDict(extra="ignore")

    turn: int | None = Field(default=None, ge=1, description="The place of its turn, from 1.")  # type: ignore[assignment]


class SessionRecorded(BaseModel):
    """One line of a file. Fields that are not known are passed over, so that other tools' exports can be read."""

    model_config = ConfigDict(extra="ignore")

    user: Name
    agent: Name | None = None
    teams: Teams = []
    external_id: ExternalId
    started_at: Time
    ended_at: Time | None = None
    metadata: Annotated[dict[str, Any], limited_json(20_000)] = {}
    turns: Annotated[list[TurnRecorded], Field(max_length=MOST_TURNS)]
    notes: Annotated[list[NoteRecorded], Field(max_length=MOST_NOTES)] = []
    task: Remark | None = None
    outcome: Literal["success", "failure", "unknown"] | None = None
    summary: Remark | None = None

    @model_validator(mode="after")
    def _notes_have_their_turns(self) -> "SessionRecorded":
        for place, note in enumerate(self.notes):
            if note.turn is not None and note.turn > len(self.turns):
                raise wrong(f"notes.{place}.turn must be the place of one of the {len(self.turns)} turns.")
            if note.scope == "team" and not note.team:
                raise wrong(f"notes.{place}.team is needed for a note of scope team.")
        return self

    def spoken(self) -> list[NewTurn]:
        """The turns with their own times. One without a time was said a second after the one before: never now."""
        said: list[NewTurn] = []
        at = self.started_at
        for turn in self.turns:
            at = turn.at or (at + timedelta(seconds=1) if said else at)
            said.append(NewTurn(turn.role, turn.content, at, turn.tool_calls))
        return said

    @property
    def over_at(self) -> datetime:
        """When it ended: as the line says, or with its last turn."""
        if self.ended_at is not None:
            return self.ended_at
        return max([turn.at for turn in self.spoken() if turn.at is not None], default=self.started_at)


def new_note(note: NoteRecorded, recorded: SessionRecorded, turns: dict[int, Any]) -> NewNote:
    """The note for `retain_note`; `turns` are the stored ones by their place."""
    fields = note.model_dump(exclude={"turn", "evidence"})
    fields |= {name: fields[name] or "" for name in ("key", "condition", "subject")}
    fields["keywords"] = tuple(note.keywords)
    if note.turn is not None:
        fields["turn"] = turns.get(note.turn)
    if note.evidence is not None:
        fields |= {"evidence_role": note.evidence.role, "evidence_quote": note.evidence.quote}
    if not recorded.turns and note.said_at is None:
        fields["said_at"] = recorded.started_at
    return NewNote(**fields)
