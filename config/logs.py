"""Log lines hold no secret: what carries values is masked before it is written.

A message without values is one of our own sentences and costs nothing. One with values, and any from WARNING
up with its traceback, goes through the guardrails' masking (a few milliseconds). Where masking itself fails,
the line keeps its sentence and loses its values.
"""

import logging

MAX_MASKED = 20_000
#: How the web server begins to tell of a request that it cannot even read.
UNREADABLE = "Invalid request from ip="


class MaskingFormatter(logging.Formatter):
    """Every line is free of secrets, payment data and personal identifiers."""

    def format(self, record: logging.LogRecord) -> str:
        if not record.args and not record.exc_info and record.levelno < logging.WARNING:
            return super().format(record)
        copy = logging.makeLogRecord(record.__dict__)
        copy.args = None
        copy.exc_info = None
        copy.stack_info = None
        if record.name.startswith("django.security"):
            # What was refused is the caller's own text, in whatever encoding.
            copy.exc_text = None
            copy.msg = f"A request was refused: {record.name.rpartition('.')[2]}."
            return super().format(copy)
        if record.name == "gunicorn.error" and str(record.msg).startswith(UNREADABLE):
            copy.msg = record.getMessage().partition(": ")[0]  # what follows quotes what was sent
            return super().format(copy)
        try:
            copy.msg = _masked(record.getMessage())
            copy.exc_text = _masked(self.formatException(record.exc_info)) if record.exc_info else None
        except Exception as error:
            copy.msg = f"{str(record.msg)[:200]} (values withheld: masking failed with {type(error).__name__})"
            copy.exc_text = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        return super().format(copy)


def _masked(text: str) -> str:
    from memory_app.guardrails import mask

    # The end of a traceback says what went wrong, so a long text loses its middle.
    if len(text) > MAX_MASKED:
        text = f"{text[: MAX_MASKED // 2]}\n[…]\n{text[-MAX_MASKED // 2 :]}"
    return mask(text).text
