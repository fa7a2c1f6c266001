"""Pages, cursors, and statement counts that do not grow with the list."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from .calls import Api, problem


def _statements(api: Api, path: str) -> int:
    api.ok("GET", path)  # the first use of a key in a minute is noted
    with CaptureQueriesContext(
        connection,
    ) as captured:
        api.ok("GET", path)
    return len(captured)


def _fill(agent: Api, curator: Api, count: int, start: int = 0) -> str:
    session = agent.ok("POST", "/sessions", {"user": "u-1", "agent": "a", "teams": ["t"], "external_id": "big"})["id"]
    for n in range(start, start + count):
        agent.ok("POST", "/sessions", {"user": f"u-{n}", "agent": f"a-{n}", "teams": [f"t-{n}"]})
        agent.ok("POST", f"/sessions/{session}/turns", {"turns": [{"role": "user", "content": f"Turn {n}"}]})
        agent.ok(
            "POST",
            f"/sessions/{session}/notes",
            {"text": f"My password is hunter{n}-Xy9!" if n % 2 else f"Likes tea {n}"},
        )
        curator.ok(
            "POST", "/memories", {"user": f"u-{n}", "text": f"Likes tea {n}", "key": "likes", "value": f"tea {n}"}
        )
        curator.ok("POST", "/memories", {"user": "u-1", "text": f"Owns {n} hats", "key": f"hat_{n}", "value": n})
    return session


def test_statements_stay_the_same(agent: Api, admin: Api, viewer: Api, curator: Api) -> None:
    def counts(session: str) -> dict[str, int]:
        paths = ["/sessions", "/memories", "/decisions", "/blocks", f"/sessions/{session}/turns",
                 f"/sessions/{session}/notes", f"/sessions/{session}/decisions", "/users", "/users/u-1/state", "/slots",
                 "/keys", "/audit", "/runs", "/policy/versions", "/users/u-1/export"]  # fmt: skip
        return {path: _statements(admin, path) for path in paths}

    few = counts(_fill(agent, curator, 3))
    many = counts(_fill(agent, curator, 27, start=3))
    assert many == few
    export = few.pop("/users/u-1/export")
    assert max(few.values()) <= 10
    assert export <= 30


def test_history_statements_stay_the_same(admin: Api, curator: Api, memory: dict[str, Any]) -> None:
    path = f"/memories/{memory['id']}"
    curator.ok("PATCH", path, {"text": "Prefers aisle seats, row 1"})
    few = _statements(admin, f"{path}/history")
    for n in range(8):
        curator.ok("PATCH", path, {"text": f"Prefers aisle seats, row {n}"})
    assert _statements(admin, f"{path}/history") == few


def test_every_row_comes_once(agent: Api) -> None:
    made = {agent.ok("POST", "/sessions", {"user": "u", "started_at": "2026-01-01T00:00:00Z"})["id"] for _ in range(7)}
    seen: list[str] = []
    cursor = ""
    while True:
        page = agent.ok("GET", f"/sessions?limit=3{cursor}")
        seen += [s["id"] for s in page["items"]]
        if page["next"] is None:
            break
        # A list that grows at its head repeats nothing.
        agent.ok("POST", "/sessions", {"user": "u", "started_at": "2026-02-01T00:00:00Z"})
        cursor = f"&cursor={page['next']}"
    assert len(seen) == 7
    assert set(seen) == made


def test_a_cursor_is_bound_to_its_filters(agent: Api, stranger: Api) -> None:
    for _ in range(3):
        agent.ok("POST", "/sessions", {"user": "u"})
    cursor = agent.ok("GET", "/sessions?limit=1&user=u")["next"]
    agent.ok("GET", f"/sessions?limit=2&user=u&cursor={cursor}")
    problem(agent.get(f"/sessions?limit=1&cursor={cursor}"), 422, "cursor")
    problem(agent.get(f"/sessions?limit=1&user=v&cursor={cursor}"), 422, "cursor")
    problem(stranger.get(f"/sessions?limit=1&user=u&cursor={cursor}"), 422, "cursor")
    for wrong in ("x", "%00", cursor[:-1], cursor + "a", "a" * 2000):
        problem(agent.get(f"/sessions?limit=1&user=u&cursor={wrong}"), 422, "cursor")


@pytest.mark.parametrize("limit", ["0", "201", "x", "-1", "1.5", "99999999999999999999"])
def test_limits_of_a_page(agent: Api, limit: str) -> None:
    problem(agent.get(f"/sessions?limit={limit}"), 422, "limit")
