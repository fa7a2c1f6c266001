"""Turns to candidate notes. `distill` reads what was said, `outcome_notes` how a session ended."""

from .clauses import MAX_TURN
from .drafts import DraftNote, Guard, SpokenTurn
from .outcomes import outcome_notes
from .rules import distill

__all__ = ["MAX_TURN", "DraftNote", "Guard", "SpokenTurn", "distill", "outcome_notes"]
