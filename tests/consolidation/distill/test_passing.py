"""What reads as lasting and is not, beside what looks like it and is."""

import pytest

from consolidation.distill.passing import passing

SCORE = 1.2  # a clause that the reading takes for a lasting one, without being sure


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("A neighbour built the shed in one weekend", ""),
        ("It's such a lovely way to wind down", ""),
        ("是个很安静的地方", ""),
        ("We all carry something", ""),
        ("Since our last call", "Anything new?"),
        ("Patience is everything", ""),
        ("在学一门新的技能", ""),
        ("I felt so good after the race", ""),
        ("We're really happy with the new flat", ""),
        ("我们今天玩得很开心", ""),
        ("我们看了一部老电影", ""),
        ("看得我头晕", ""),
        ("The rest of them don't care for English ones", ""),
        ("我从小就受不了那个味儿", ""),
        ("Helping others is so important", ""),
        ("先把面和好，醒十分钟，再擀开", ""),
    ],
)
def test_it_is_no_note(said: str, asked: str) -> None:
    assert passing(said, SCORE, asked)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I built the shed in one weekend", ""),
        ("The office is closed on Fridays", ""),
        ("My mother taught me to sew, and I still do", ""),
        ("我家是个四口之家", ""),
        ("After work I go climbing twice a week", ""),
        ("I am learning Portuguese", ""),
        ("I feel sick in cars", ""),
        ("我一坐飞机心情就紧张", ""),
        ("Commuting is forty minutes each way", ""),
    ],
)
def test_it_may_be_one(said: str, asked: str) -> None:
    assert not passing(said, SCORE, asked)
