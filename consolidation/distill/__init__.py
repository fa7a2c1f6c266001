"""Turns to candidate notes. `distill` reads what was said, `outcome_notes` how a session ended."""

from .drafts import DraftNote, Guard, SpokenTurn
from .outcomes import outcome_notes
from .rules import distill

__all__ = ["DraftNote", "Guard", "SpokenTurn", "distill", "outcome_notes"]
