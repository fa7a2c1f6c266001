"""What comes back from memory: recall() and context_for(). Pages, previews and the API call these very functions."""

from memory_app.recall.answering import Recalled, Recollection, recall
from memory_app.recall.context import Considered, Context, context_for

__all__ = ["Considered", "Context", "Recalled", "Recollection", "context_for", "recall"]
