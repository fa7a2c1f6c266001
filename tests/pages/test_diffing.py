"""Word differences: by word in Latin, by segment in Chinese, never inside a number; nothing is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_app.diffing import diff, tokens


def drawn(before: str, after: str) -> str:
    shape = {"equal": "{}", "delete": "[-{}-]", "insert": "{{+{}+}}"}
    return "".join(shape[segment.operation].format(segment.text) for segment in diff(before, after))


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("倾向早班机", "优先晚班机", "[-倾向早-]{+优先晚+}班机"),
        ("喜欢靠过道", "通常偏好靠过道", "[-喜欢-]{+通常偏好+}靠过道"),
        (
            "Prefers a window seat",
            "Usually prefers an aisle seat",
            "[-Prefers a window-]{+Usually prefers an aisle+} seat",
        ),
        ("一般订早班，倾向早班机", "倾向早班机", "[-一般订早班，-]倾向早班机"),
        ("", "短途优先高铁", "{+短途优先高铁+}"),
        ("喜欢", "不喜欢", "{+不+}喜欢"),
        ("same", "same", "same"),
        ("", "", ""),
    ],
)
def test_a_difference_reads_as_a_person_would_mark_it(before: str, after: str, shown: str) -> None:
    assert drawn(before, after) == shown


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("Cap is 1,000 USD", "Cap is 1,500 USD", "Cap is [-1,000-]{+1,500+} USD"),
        ("预算2000美元", "预算2500美元", "预算[-2000-]{+2500+}美元"),
        ("一百二十", "一百三十", "[-一百二十-]{+一百三十+}"),
        ("on 2026-03-14", "on 2026-03-19", "on [-2026-03-14-]{+2026-03-19+}"),
        ("at 10:30", "at 10:45", "at [-10:30-]{+10:45+}"),
        ("v2.13.0-beta.4", "v2.13.0-beta.5", "[-v2.13.0-beta.4-]{+v2.13.0-beta.5+}"),
        ("-5", "5", "[--5-]{+5+}"),
        ("50%", "5%", "[-50%-]{+5%+}"),
        ("去A380", "去A320", "去[-A380-]{+A320+}"),
    ],
)
def test_a_number_is_one_word(before: str, after: str, shown: str) -> None:
    assert drawn(before, after) == shown


TEXT = st.text(
    st.one_of(st.sampled_from("上海北京不喜欢一二三 12,.5-ab\n%"), st.characters(exclude_categories=["Cs"])),
    max_size=40,
)


@given(TEXT, TEXT)
def test_a_difference_loses_and_invents_nothing(before: str, after: str) -> None:
    segments = diff(before, after)
    assert "".join(one.text for one in segments if one.operation != "insert") == before
    assert "".join(one.text for one in segments if one.operation != "delete") == after
    assert "".join(tokens(before)) == before
