"""Numbers as they are said: digit by digit, years in two halves, ordinals in dates; in digits again."""

import re

from memory_app.guardrails.gate import gated
from memory_app.guardrails.normalise import View

_ONES = dict(zip("zero one two three four five six seven eight nine".split(), range(10), strict=True)) | {
    "oh": 0,
    "nought": 0,
}
_TEENS = dict(
    zip(
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
        range(10, 20),
        strict=True,
    )
)
_TENS = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True))
_FIRST = dict(
    zip(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        range(1, 21), strict=True,
    )
) | {"thirtieth": 30}  # fmt: skip
_DIGIT = rf"(?:(?:double|triple)[\s\-])?(?:{'|'.join(_ONES)})(?:[\s\-]hundred)?"
_DIGITS = gated(rf"\b{_DIGIT}(?:[\s,\-]{{1,2}}{_DIGIT}){{2,40}}\b", re.I)
_UNDER_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(list(_ONES)[1:10])}))?|{'|'.join(_TEENS)}|(?:oh|o)[\s-](?:{'|'.join(list(_ONES)[1:10])}))"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_DAY = rf"(?:twenty[\s-](?:{'|'.join(list(_FIRST)[:9])})|thirty[\s-]first|{'|'.join(_FIRST)})"
_YEAR = gated(
    rf"\b(nineteen|twenty)[\s-]({_UNDER_100})\b|\btwo thousand(?: and)?[\s-]({_UNDER_100}|{'|'.join(list(_ONES)[1:10])})\b",
    re.I,
)
_DAY_MONTH = gated(rf"\b(?:the\s)?({_DAY}|\d{{1,2}}(?:st|nd|rd|th))\s(?:day\s)?of\s({_MONTH})\b", re.I)
_MONTH_DAY = gated(rf"\b({_MONTH})\s(?:the\s)?({_DAY})\b", re.I)
# Digits set apart, one by one: 7 3 0 9.
_APART = gated(r"(?<![\d.,:/\-])(?<!\d )\d(?: \d){3,7}(?![\d./:\-]|,\d| \d)")
_DASH = gated(r"(?<=\d)(?:\s[-\u2010-\u2015\u2212]\s|[\u2010-\u2015\u2212])(?=\d)")
_HAN = dict(zip("零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖", "001234567891123456789", strict=True))
_HAN_DIGITS = gated(r"[零〇一二三四五六七八九幺壹贰叁肆伍陆柒捌玖]{4,}")
# Three of them are a number where a card's code is told: 安全码是七二九.
_HAN_CODE = gated(
    r"((?:安全码|验证码|(?<![A-Za-z])cv[vc]2?|三位(?:数字?|码)|[背反]面|卡背|签名条)[^\d\n。；]{0,8}?(?:是|为|[:：])\s?)"
    r"([零〇一二三四五六七八九幺]{3})(?![零〇一二三四五六七八九十百千万亿个位天次])",
    re.I,
)
_HAN_DATE = gated(
    r"([一二]?[零〇一二三四五六七八九\d]{1,3}[零〇一二三四五六七八九\d])年([一二三四五六七八九十\d]{1,3})月([一二三四五六七八九十\d]{1,3})[日号]"
)


# "民国七十四年" counts from 1911.
_MINGUO = gated(
    r"民国\s?([一二三四五六七八九十百〇零\d]{1,4})年\s?([一二三四五六七八九十\d]{1,3})月\s?([一二三四五六七八九十\d]{1,3})[日号]"
)
# A number that is said to stand backwards is read forwards.
_TURNED = gated(
    r"\b(?:backwards?|reversed?|in reverse|right to left)\b|倒着|倒过来|反着|反过来|逆序|倒序|从右往左", re.I
)
_RUN = re.compile(r"(?<![0-9A-Za-z])[0-9Xx](?:[ -]?[0-9Xx]){7,22}(?![0-9A-Za-z])")


def _under_100(words: str) -> int:
    parts = re.split(r"[\s-]", words.lower())
    return sum(_ONES.get(w, 0) or _TEENS.get(w, 0) or _TENS.get(w, 0) for w in parts)


def _ordinal(words: str) -> str:
    if words[0].isdigit():
        return re.sub(r"\D", "", words)
    return str(sum(_FIRST.get(w, 0) or _TENS.get(w, 0) for w in re.split(r"[\s-]", words.lower())))


def _digits(match: re.Match[str]) -> str:
    said, times = [], 1
    for word in re.findall(r"[a-z]+", match[0].lower()):
        if word == "hundred":
            said.append("00")
        elif word in ("double", "triple"):
            times = 2 if word == "double" else 3
        else:
            said.append(str(_ONES[word]) * times)
            times = 1
    return "".join(said)


def _year(match: re.Match[str]) -> str:
    if match[3]:
        return str(2000 + _under_100(match[3]))
    return str((1900 if match[1].lower() == "nineteen" else 2000) + _under_100(match[2]))


def _han_number(text: str) -> int:
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (int(_HAN.get(tens, "1")) * 10 if ten else 0) + int(_HAN.get(ones, "0"))


def _han_date(match: re.Match[str]) -> str:
    year = "".join(_HAN.get(c, c) for c in match[1])
    return f"{year}年{_han_number(match[2])}月{_han_number(match[3])}日"


def _minguo(match: re.Match[str]) -> str:
    hundreds, hundred, rest = match[1].rpartition("百")
    year = (_han_number(hundreds or "一") * 100 if hundred else 0) + _han_number(rest.lstrip("零〇") or "零")
    return f"{1911 + year}年{_han_number(match[2])}月{_han_number(match[3])}日"


def in_digits(view: View) -> View:
    """The view with numbers and dates that were written as words written as digits."""
    view = view.rewritten("digits", _DASH, lambda _: "-")
    view = view.rewritten("digits", _APART, lambda m: m[0].replace(" ", ""))
    view = view.rewritten("digits", _YEAR, _year)
    view = view.rewritten("digits", _DAY_MONTH, lambda m: f"{_ordinal(m[1])} {m[2]}")
    view = view.rewritten("digits", _MONTH_DAY, lambda m: f"{m[1]} {_ordinal(m[2])}")
    view = view.rewritten("digits", _DIGITS, _digits)
    if not view.text.isascii():
        view = view.rewritten("digits", _MINGUO, _minguo)
        view = view.rewritten("digits", _HAN_DATE, _han_date)
        view = view.rewritten("digits", _HAN_CODE, lambda m: m[1] + "".join(_HAN[c] for c in m[2]))
        view = view.rewritten("digits", _HAN_DIGITS, lambda m: "".join(_HAN[c] for c in m[0]))
    return view.rewritten("digits", _RUN, lambda m: m[0][::-1]) if _TURNED.search(view.text) else view
