"""Beside a secret: what is kept says nothing of it, and no part of it is in a note."""

import pytest

from .test_rules import notes


@pytest.mark.parametrize(
    "said",
    [
        "The password is marigold, and I use the same at the bank.",
        "The passphrase is seven green bottles hanging, and I keep it under the keyboard.",
        "My PIN is 4421, I always use my birthday for it.",
        "The password is blue heron lake, and I always spell it with a capital.",
        "The door code is 7719. I write it on the fridge.",
        "The alarm code is 7719. I always stick a note behind the clock.",
        "The password is my dog's name. My dog is called Rex.",
        "My PIN is our wedding date, and we married on 3 May 2014.",
        "密码是向日葵，我银行的也是这个。",
        "门禁码是 7719，我一直写在冰箱上。",
        "密码是 7719。我一直贴在键盘下面。",
        "支付密码是我生日，我是 3 月 5 号生的。",
        "口令是春天来了，倒过来写就是备用的。",
        "密码就是我家狗的名字。我家的狗叫旺财。",
    ],
)
def test_what_says_more_of_a_secret_is_not_kept(said: str) -> None:
    assert notes(said) == []


@pytest.mark.parametrize(
    ("said", "halves"),
    [
        ("密码是 Wheat!Moon88，我对芒果过敏。", ("Wheat", "Moon")),
        ("My password is Blue.Heron;77! I'm allergic to mango.", ("Blue", "Heron", "77")),
        ("Password: Rain?Coat.9, and I'm allergic to mango.", ("Rain", "Coat")),
        ("登录密码：Rain;Coat?9。我对芒果过敏。", ("Rain", "Coat")),
    ],
)
def test_no_half_of_a_secret_is_in_a_note(said: str, halves: tuple[str, ...]) -> None:
    found = notes(said)
    assert [n.key for n in found] == ["allergy"]
    assert not any(half in f"{n.text} {n.quote} {n.value}" for n in found for half in halves)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I'm vegetarian, and the door code is 7719.", "vegetarian"),
        ("The wifi password is tulip, and I live in Ghent.", "Ghent"),
        ("The PIN is 4421. I'm allergic to mango.", "mango"),
        ("I forgot my password. I live in Ghent.", "Ghent"),
        ("我吃素，门禁码是 7719，贴在门后。", "vegetarian"),
        ("无线密码是郁金香，另外以后都用英文回复我。", "en"),
        ("密码是 4421。我对芒果过敏。", "芒果"),
    ],
)
def test_a_fact_of_its_own_is_kept_beside_a_secret(said: str, value: str) -> None:
    assert [n.value for n in notes(said)] == [value]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The box is up, password is Gr8vel-Oboe-91 if you need it. And remember that we only release on Mondays before noon.", "onday"),
        ("测试机密码是Yuzu#7712-kite，登上去看看。对了我们这个网关服务一直跑在9091端口。", "9091"),
    ],
)  # fmt: skip
def test_what_turns_to_something_else_is_read_as_ever(said: str, kept: str) -> None:
    (note,) = notes(said)
    assert kept in note.text
    assert not any(half in f"{note.text} {note.quote}" for half in ("Gr8vel", "Yuzu"))


@pytest.mark.parametrize(
    "said",
    [
        "My password is Hx77-kelp-2 and I use it at the bank. Remember that I use it everywhere.",
        "The door code is 7719. Remember that the spare one is on the fridge.",
        "密码是Hx77kelp。对了，这个密码每个月换一次。",
    ],
)
def test_to_be_remembered_or_not_nothing_points_at_a_secret(said: str) -> None:
    assert notes(said) == []


def test_steps_around_a_secret_hold_nothing_of_it() -> None:
    said = "Our checklist: first unlock the office. The alarm code is 7719. Then switch on the lights. Finally leave."
    assert not any("7719" in f"{n.text} {n.quote}" for n in notes(said))
