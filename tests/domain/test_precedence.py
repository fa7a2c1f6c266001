"""Session note > profile > user memory > team memory, newest first within one."""

from datetime import timedelta
from typing import Any

from memory_app.domain.precedence import Contest, clarify, effective, said_now
from memory_app.domain.ranking import Item

from .test_ranking import NOW, item


def seat(id: str, value: str, days: int = 1, **fields: Any) -> Item:
    return item(id, value, key="seat", value=value, updated_at=NOW - timedelta(days=days), **fields)


def test_order_of_scopes() -> None:
    layers: Any = ([seat("s", "s")], {"seat": {"value": "p"}}, [seat("u", "u")], [seat("t", "t")])
    expected = ["session", "profile", "user", "team"]
    for at, scope in enumerate(expected):
        found = effective(*[layer if place >= at else type(layer)() for place, layer in enumerate(layers)])
        assert found["seat"].scope == scope
        assert found["seat"].memory == (None if scope == "profile" else scope[0])


def test_the_newest_of_one_scope_holds() -> None:
    assert effective([], {}, [seat("old", "x", 9), seat("new", "y", 1)], [])["seat"].value == "y"


def test_a_condition_keeps_a_value_apart() -> None:
    default, trip = seat("d", "aisle", 9), seat("b", "window", condition="business_trip")
    assert effective([], {}, [default, trip], [])["seat"].value == "aisle"
    assert effective([], {}, [default, trip], [], said="出差去杭州")["seat"].value == "window"
    assert effective([], {}, [default, trip], [], said="family holiday")["seat"].value == "aisle"
    assert effective([], {}, [trip], []) == {}


def test_another_persons_value_is_not_the_users() -> None:
    assert effective([], {}, [seat("w", "window", subject="wife")], []) == {}


def test_several_values_stand_side_by_side() -> None:
    found = effective([], {}, [seat("a", "a", 2), seat("b", "b", 1)], [seat("c", "a")], many=frozenset({"seat"}))
    assert found["seat"].value == ["b", "a"]


def test_what_is_asked_for_now_stands_before_all_but_the_profile() -> None:
    holds = effective([seat("s", "aisle")], {"tier": "gold"}, [item("r", "19", key="room_temp", value=19)], [])
    found = said_now(holds, {"seat": "window", "tier": "platinum", "room_temp": "22", "editor": "vim"})
    assert {key: (one.value, one.scope, one.memory) for key, one in found.items()} == {
        "seat": ("window", "request", None),
        "tier": ("gold", "profile", None),
        "room_temp": (22, "request", None),
    }
    assert said_now(holds, {"seat": "aisle"})["seat"].scope == "session"


def test_contested_slots_become_questions() -> None:
    (one,) = clarify(
        [Contest("seat", "aisle", "window", "d1"), Contest("seat", "aisle", "rear", "d2"), Contest("", 1, 2, "d")]
    )
    assert (one.key, one.options, one.decisions) == ("seat", ("aisle", "window", "rear"), ("d1", "d2"))
