"""Why work in the background failed, or left something out: stored as a code and what belongs to it, told in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

LOST, LOST_AGAIN, GONE, STUMBLED, PASSED_OVER = "lost", "lost_again", "session_gone", "stumbled", "passed_over"

_WORDS: dict[str, Promise] = {
    LOST: _("The worker stopped in the middle of it."),
    LOST_AGAIN: _("The worker stopped in the middle of it, again and again."),
    GONE: _("The session is gone."),
    STUMBLED: _("%(detail)s in the middle of it; see the worker's log."),
}


def stumbled(error: Exception) -> str:
    """An error that nobody foresaw, as it is stored: by its kind alone, for its message may hold content."""
    return f"{STUMBLED} {type(error).__name__}"


def passed_over(turns: int, most: int) -> str:
    """That a run has read no more than so many characters, and so left out these turns."""
    return f"{PASSED_OVER} {turns} {most}"


def failure_words(stored: str) -> str:
    """What is stored, for a person; empty where nothing is. What an earlier release stored is a sentence already."""
    code, _space, detail = stored.partition(" ")
    if code == PASSED_OVER:
        turns, most = map(int, detail.split())
        told = ngettext(
            "%(turns)d turn was not distilled: one run reads %(most)s characters of what the user says.",
            "%(turns)d turns were not distilled: one run reads %(most)s characters of what the user says.",
            turns,
        )
        return told % {"turns": turns, "most": f"{most:,}"}
    return str(_WORDS[code]) % {"detail": detail} if code in _WORDS else stored
