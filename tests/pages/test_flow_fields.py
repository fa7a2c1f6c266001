"""The fields that a decision changes, as they are drawn beside it."""

from consolidation.views.flow import changes_of
from memory_app.models import Decision


def test_two_moments_of_one_minute_are_told_apart() -> None:
    def confirmed(was: str, becomes: str) -> list[tuple[str, str]]:
        decision = Decision(action="override", before={"confirmed_at": was}, after={"confirmed_at": becomes})
        return [(change["before"], change["after"]) for change in changes_of(decision)[0]]

    assert confirmed("2026-09-08T10:27:05Z", "2026-09-08T10:27:41Z") == [("2026-09-08 10:27:05", "2026-09-08 10:27:41")]
    assert confirmed("2026-09-08T10:27:05Z", "2026-09-08T10:28:41Z") == [("2026-09-08 10:27", "2026-09-08 10:28")]
