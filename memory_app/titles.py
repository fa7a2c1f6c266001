"""What pages call a session."""

from typing import Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from memory_app.models import Session


def session_title(session: Session, opening: Any = None) -> str:
    """What it was about: its task, else how its user's first words begin; untitled where it says nothing."""
    told = session.task or session.summary or Truncator(opening or getattr(session, "opening", "") or "").chars(60)
    return told or _("Untitled session")  # its number stands beside it wherever it is listed
