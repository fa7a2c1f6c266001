"""No log line holds what must not be kept."""

import logging

import pytest

from config.logs import MaskingFormatter

CARD = "4111 1111 1111 1111"


def line(level: int, message: str, *args: object, error: BaseException | None = None) -> str:
    told = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("commonplace", level, __file__, 1, message, args, told)
    return MaskingFormatter("%(levelname)s %(message)s").format(record)


def test_values_are_masked_at_every_level():
    for level in (logging.DEBUG, logging.INFO, logging.ERROR):
        said = line(level, "The user wrote %s", f"my card is {CARD}")
        assert "The user wrote" in said
        assert CARD not in said
        assert "4111" not in said


def test_a_finished_message_is_masked_from_warning_up():
    assert CARD not in line(logging.WARNING, f"refused: {CARD}")


def test_a_traceback_is_masked():
    try:
        raise ValueError(f"bad value {CARD}")
    except ValueError as error:
        said = line(logging.ERROR, "It failed", error=error)
    assert "ValueError" in said
    assert "test_logs.py" in said
    assert CARD not in said


def test_a_very_long_message_keeps_its_ends():
    said = line(logging.WARNING, "%s", "begin " + "x " * 40_000 + " end")
    assert "begin" in said
    assert said.endswith("end")
    assert len(said) < 25_000


def test_where_masking_fails_the_values_are_withheld(monkeypatch: pytest.MonkeyPatch):
    def broken(text: str) -> None:
        raise RuntimeError(text)

    monkeypatch.setattr("memory_app.guardrails.mask", broken)
    said = line(logging.ERROR, "The user wrote %s", CARD)
    assert said == "ERROR The user wrote %s (values withheld: masking failed with RuntimeError)"


def test_a_wrong_format_string_breaks_nothing():
    assert "values withheld" in line(logging.INFO, "%d things", CARD)


def test_what_the_web_server_could_not_read_is_not_repeated():
    record = logging.LogRecord("gunicorn.error", logging.WARNING, __file__, 1,
                               "Invalid request from ip=::1: Invalid HTTP Version: 'words of a caller HTTP/9.9'", (), None)  # fmt: skip
    assert MaskingFormatter("%(message)s").format(record) == "Invalid request from ip=::1"
