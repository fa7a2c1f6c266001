"""A language model, where one is configured: what it is asked, how, and what of its answers is believed.

Nothing here writes. `asking` and `wire` talk to the server, `prompts` holds the versioned instructions, `answers` the shapes
that an answer must have, `checking` what is left of it once every quote has been looked up.
"""

from .answers import NotesProposed, VerdictGiven, parsed, schema_of
from .asking import Model
from .checking import Dropped, believed, drafts_of
from .exchange import Completion, Failed, Question
from .prompts import DISTILL, JUDGE, Prompt, distill_data, judge_data, portions

__all__ = [
    "DISTILL",
    "JUDGE",
    "Completion",
    "Dropped",
    "Failed",
    "Model",
    "NotesProposed",
    "Prompt",
    "Question",
    "VerdictGiven",
    "believed",
    "distill_data",
    "drafts_of",
    "judge_data",
    "parsed",
    "portions",
    "schema_of",
]
