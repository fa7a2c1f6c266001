"""Whom a statement is about. The user, unless the subject or the wording names somebody else."""

import re
from collections.abc import Iterable
from functools import lru_cache

from memory_app.domain.words import fold

from .lexicon import FORMS


def _persons(names: str) -> dict[str, str]:
    return {name: f"person.{name}" for name in names.split()}


_CONCEPTS = {form: concept for form, concept in FORMS.items() if concept.startswith("person.")}
_KIN = _persons(
    "nephew niece stepson stepdaughter stepmother stepfather grandparents in-laws parents-in-law mother-in-law father-in-law sister-in-law brother-in-law grandson granddaughter godson "
    "fiancé fiancée 公婆 亲戚 侄子 侄女 外甥 外甥女 岳母 岳父 婆婆 公公 嫂子 姐夫 妹夫 弟媳 孙子 孙女 未婚夫 未婚妻"
)
# These are somebody's only where the user calls them so: "my coach", 我妈. A coach may also be a bus.
_OWN = _persons(
    "intern mate housemate classmate trainer coach teacher tutor mentor landlord landlady doctor dentist nanny ex 师父 师傅 教练 导师 老师 房东 医生 徒弟 搭档 同学 同桌 保姆 前任 前夫 前妻 前男友 前女友 闺蜜 发小 组长 老伴 大姨 大伯 二叔 舅妈 婶婶 姑父 姨父 学长 学姐 学弟 学妹 班主任 助理 实习生 下属"
) | {
    "妈": "person.mother", "爸": "person.father", "姐": "person.sister_elder", "妹": "person.sister_younger", "哥": "person.brother_elder",
    "弟": "person.brother_younger", "爷": "person.grandfather_paternal", "奶": "person.grandmother_paternal",
}  # fmt: skip
_RELATIONS = _CONCEPTS | _KIN | _OWN


def _either(forms: Iterable[str], *, ascii: bool) -> str:
    return "|".join(sorted((re.escape(f) for f in forms if f.isascii() == ascii), key=len, reverse=True))


_EN, _ZH = _either([*_CONCEPTS, *_KIN], ascii=True), _either([*_CONCEPTS, *_KIN], ascii=False)
_OWN_EN, _OWN_ZH = _either(_OWN, ascii=True), _either(_OWN, ascii=False)
_LEADING = re.compile(
    rf"^(?:(?:(?:the )?(?:user|users|user's) |my |our |his |her |the |user的)?(?P<en>{_EN})|(?:my|our) (?P<own_en>{_OWN_EN}))(?P<own>'s|s')?(?: [a-z]+)?? "
    rf"(?=\w)(?!is (?:called|named)\b)|"
    rf"^(?:(?:用户的?|我的?|我们的?)?(?P<zh>{_ZH})|(?:用户|我)的?(?P<own_zh>{_OWN_ZH}))(?![是叫们圈端])"
    rf"(?:(?P<zname>[^，。是的]{{0,4}}?)(?=对|喜|不|讨|爱|住|在|有|吃|喝|过|的|也|只|从|常|很|每|用)|(?=[养学教打玩骑开跑种写画弹唱卖买戴穿睡起怕患戒退看听看读想没]))"
)
_QUOTE = re.compile(
    rf"\b(?:my|our|his|her|their) (?:(?:best|old|older|oldest|elder|eldest|younger|youngest|little|big|late|new|good|own|twin|two|three|other) )*(?P<en>{_EN}|{_OWN_EN})\b(?!s)|(?:我的?|我们的?|我家的?|咱们?的?)(?P<zh>{_ZH}|{_OWN_ZH})(?!们)"
)
_SELF = re.compile(r"\b(?:i|i'm|i've|i'd|me|myself|we)\b|我(?!的?(?:" + _ZH + "|" + _OWN_ZH + r")|们?的)")
_OWNERS = frozenset({"user", "the user", "self", "me", "i", "用户", "本人", "我", "自己"})


def normal(subject: str | None) -> str | None:
    """One spelling for a subject that a caller gave; None is the user."""
    if subject is None:
        return None
    folded = re.sub(r"[\s_\-]+", " ", fold(str(subject))).strip()
    folded = (
        re.sub(r"^(?:my|the user's|user's|the|我的?|用户的?)\s*(?=\S)", "", folded) if folded not in _OWNERS else folded
    )
    if folded in _OWNERS or not folded:
        return None
    return _RELATIONS.get(folded, folded)


@lru_cache(maxsize=4096)
def inferred(text: str) -> str | None:
    """The person, other than the user, whom the text opens with; None when it is about the user."""
    m = _LEADING.match(fold(text).replace("’", "'").strip())
    return _RELATIONS[m["en"] or m["own_en"] or m["zh"] or m["own_zh"]] if m else None


def of(subject: str | None, text: str) -> str | None:
    """The given subject, or else the one that the text opens with."""
    return normal(subject) if subject is not None else inferred(text)


def same(a: str | None, b: str | None) -> bool:
    """Both are one person, as far as the words show: a brother may be the elder one, the elder is not the younger."""
    if a is None or b is None or a == b:
        return a == b
    return a.startswith(f"{b}_") or b.startswith(f"{a}_")


def other_speaker(quote: str) -> str | None:
    """The relation whom a quote is about, when the user does not speak of themselves in it at all."""
    folded = fold(quote).replace("’", "'").strip()
    found = [_RELATIONS[m["en"] or m["zh"]] for m in _QUOTE.finditer(folded)]
    if not found and (first := inferred(quote)):
        found = [first]
    return found[0] if found and not _SELF.search(_QUOTE.sub(" ", folded)) else None
