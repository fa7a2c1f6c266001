"""When what a memory tells took place, held against the time that a question names."""

from datetime import datetime, timedelta

from memory_app.domain.dates import named_times
from memory_app.domain.items import Item
from memory_app.domain.question import Question
from memory_app.domain.words import fold

Span = tuple[datetime, datetime]


def _at(moment: datetime) -> Span:
    return moment, moment + timedelta(microseconds=1)


def happened(item: Item) -> Span:
    """From when until when an item's matter lies: its own date, one that its text names, or when it was said."""
    if item.occurred_at is not None:
        return _at(item.occurred_at)
    for time in named_times(fold(item.text), item.updated_at):
        if time.explicit and time.since and time.until:
            return time.since, time.until
    return _at(item.updated_at)


def time_fit(item: Item, question: Question) -> int:
    """1 within the time that is asked about, -1 outside of a past one. Where it is asked what was told or settled then,
    the moment at which it was said counts too."""
    if question.since is None and question.until is None:
        return 0
    spans = [happened(item)] + ([_at(item.updated_at)] if question.told else [])
    if any(_meets(span, question) for span in spans):
        return 1
    return -1 if question.past else 0


def _meets(span: Span, question: Question) -> bool:
    since, until = span
    return (question.since is None or until > question.since) and (question.until is None or since < question.until)
