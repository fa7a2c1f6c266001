"""What the user said, word for word, that memories go back to."""

from collections.abc import Sequence

from django.db import connection

from memory_app.domain.because import Source
from memory_app.recall.asker import Asker

# The newest quote of each memory that was found in a turn of the user's. By hand: it is asked with every recall.
_QUOTES = """
SELECT DISTINCT ON (s.memory_id) s.memory_id, n.evidence_quote, s.said_at
  FROM memory_app_memorysource s JOIN memory_app_note n ON n.id = s.note_id
 WHERE s.memory_id = ANY(%(memories)s::uuid[]) AND s.withdrawn_at IS NULL
   AND n.anchored AND n.evidence_role = 'user' AND n.evidence_quote <> ''
   AND (%(as_of)s::timestamptz IS NULL OR s.created_at <= %(as_of)s)
 ORDER BY s.memory_id, s.said_at DESC, s.created_at DESC
"""


def words_of_the_user(who: Asker, memories: Sequence[str]) -> dict[str, Source]:
    """What the user said, word for word, that these memories go back to; nothing where no quote was found."""
    if not memories:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_QUOTES, {"memories": list(memories), "as_of": who.as_of})
        return {str(memory): Source(quote, at) for memory, quote, at in cursor.fetchall()}
