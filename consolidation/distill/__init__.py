"""Turns to candidate notes. `distill` reads what was said, `outcome_notes` how a session ended."""

from .choices import CHOICES
from .clauses import MAX_TURN
from .drafts import DraftNote, Guard, SpokenTurn
from .finding import SAYS
from .found import MANY
from .outcomes import outcome_notes
from .rules import distill

#: The keys that the rules themselves give.
KEYS = frozenset({*(one.key for one in CHOICES), *(one.key for one in SAYS), *MANY})

__all__ = ["KEYS", "MAX_TURN", "DraftNote", "Guard", "SpokenTurn", "distill", "outcome_notes"]
