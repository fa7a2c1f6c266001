"""Numbers written in words: 一百二十, twenty-five."""

import re

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10000, "亿": 100000000}
ENGLISH = {
    word: i
    for i, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
} | {w: (i + 2) * 10 for i, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())}
ENGLISH |= {"hundred": 100, "dozen": 12, "thousand": 1000, "twice": 2}


def chinese_number(text: str) -> float | None:
    """The number a Chinese numeral stands for, or None."""
    if text == "半":
        return 0.5
    total, section, digit, seen = 0, 0, 0, False
    if len(text) > 1 and all(c in _DIGITS for c in text):
        return float("".join(str(_DIGITS[c]) for c in text))
    for char in text:
        if char in _DIGITS:
            digit, seen = _DIGITS[char], True
        elif char in _SCALES:
            scale = _SCALES[char]
            seen = True
            if scale >= 10000:
                total, section, digit = (total + section + digit) * scale, 0, 0
            else:
                section, digit = section + (digit or 1) * scale, 0
        else:
            return None
    if len(text) > 1 and digit and text[-2] in "百千万":  # 一万五 is 15,000
        digit *= _SCALES[text[-2]] // 10
        return float((total if text[-2] == "万" else total + section) + digit)
    return float(total + section + digit) if seen else None


def english_number(text: str) -> float | None:
    """The number these English words stand for, or None."""
    if text.startswith("half"):
        return 0.5
    total = 0
    for word in re.split(r"[ -]", text):
        value = ENGLISH.get(word)
        if value is None:
            return None
        total = total * value if value in (100, 1000) and total else total + value
    return float(total)
