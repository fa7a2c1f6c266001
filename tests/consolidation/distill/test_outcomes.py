"""The end of a session makes an episode, and a procedure when tools led to success."""

from datetime import UTC, datetime

from consolidation.distill import outcome_notes

AT = datetime(2026, 9, 9, tzinfo=UTC)


def test_nothing_to_tell_makes_no_note() -> None:
    assert outcome_notes(None, "success", "", [{"name": "search"}], AT) == []


def test_a_task_makes_an_episode() -> None:
    (note,) = outcome_notes("Rebook the flight", "failure", "No seats were left", [{"name": "search"}], AT)
    assert (note.kind, note.key, note.occurred_at) == ("episodic", "episode", AT)
    assert note.text == "Rebook the flight: No seats were left (failed)"


def test_success_with_tools_proposes_a_procedure() -> None:
    calls = [
        {"name": "find_order"},
        {"name": "find_order"},
        {"function": {"name": "check_terms"}},
        {"name": "oops", "error": "timeout"},
        "send_mail",
    ]
    episode, procedure = outcome_notes("处理退款", "success", "已退款", calls, AT)
    assert episode.text == "处理退款：已退款（成功）"
    assert procedure.kind == "procedural"
    assert procedure.value == {
        "steps": ["find_order", "check_terms", "send_mail"],
        "tools": ["check_terms", "find_order", "send_mail"],
    }
    assert procedure.text == "处理退款的做法：find_order → check_terms → send_mail"


def test_odd_tool_calls_do_no_harm() -> None:
    assert len(outcome_notes("x", "success", None, [None, 3, {}, {"name": ""}, []], AT)) == 1
