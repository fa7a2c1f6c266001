"""What takes back what was said before it, and what only sounds like it."""

import pytest

from .test_rules import notes


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I'm vegetarian.", "Just kidding!"),
        ("I'm allergic to walnuts.", "Haha, I was only joking about that."),
        ("I live in Ghent.", "No, that was a joke."),
        ("I'm vegan.", "I'm pulling your leg."),
        ("I have three dogs.", "Forget what I said."),
        ("I'm allergic to mango.", "April fool! Nothing changes."),
        ("我吃素。", "哈哈，开玩笑的。"),
        ("我对核桃过敏。", "骗你的啦！"),
        ("我住在苏州。", "刚才是跟你开个玩笑。"),
        ("我家养了三只猫。", "逗你玩呢"),
        ("我不吃辣。", "愚人节快乐！"),
        ("我对花生过敏。", "当我没说。"),
    ],
)
def test_a_joke_or_a_wish_to_forget_takes_it_back(first: str, then: str) -> None:
    assert notes(first) != []
    assert notes(first, ("assistant", "Noted!"), then) == []


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I'm vegetarian.", "Gotcha, thanks!"),
        ("I'm allergic to walnuts.", "I'm not kidding, it's serious."),
        ("I live in Ghent.", "You're kidding, you knew that?"),
        ("I'm vegan.", "No joking matter, I know."),
        ("I have three dogs.", "My birthday is on April Fools' Day."),
        ("I'm vegan.", "Never forget what I said!"),
        ("我吃素。", "明白了，谢谢！"),
        ("我对核桃过敏。", "愚人节那天是我生日。"),
        ("我住在苏州。", "不是开玩笑，真的。"),
        ("我对花生过敏。", "同事老爱跟我开玩笑。"),
        ("我家养了三只猫。", "骗你是小狗。"),
    ],
)
def test_thanks_a_day_and_what_is_no_joke_take_nothing_back(first: str, then: str) -> None:
    kept = {note.text for note in notes(first)}
    assert kept
    assert kept <= {note.text for note in notes(first, ("assistant", "Noted!"), then)}


@pytest.mark.parametrize(
    ("said", "city"), [("Gotcha. I live in Ghent.", "Ghent"), ("愚人节快到了。我住在苏州。", "苏州")]
)
def test_what_stands_beside_it_is_kept(said: str, city: str) -> None:
    assert [note.value for note in notes(said)] == [city]
