"""Whom a text is about: the people around the user, under one word in both languages."""

import re
from functools import lru_cache

from memory_app.domain.concepts import concepts
from memory_app.domain.words import fold, is_stop_word

# Words that are people wherever they stand.
_KIN = {
    "wife": "wife 太太 妻子 老婆 媳妇 夫人",
    "husband": "husband 丈夫 老公",
    "partner": "partner spouse fiance fiancee girlfriend boyfriend 爱人 对象 女朋友 男朋友 女友 男友 未婚妻 未婚夫",
    "mother": "mother mom mum mommy mummy 妈妈 母亲 老妈 我妈 娘",
    "father": "father dad daddy 爸爸 父亲 老爸 我爸 爹",
    "parents": "parents 父母 爸妈 爹妈",
    "son": "son 儿子",
    "daughter": "daughter 女儿 闺女",
    "child": "child children kid kids baby toddler 孩子 小孩 宝宝 娃",
    "brother": "brother brothers 哥哥 弟弟 我哥 我弟 兄弟",
    "sister": "sister sisters 姐姐 妹妹 我姐 我妹 姐妹",
    "grandmother": "grandmother grandma granny 奶奶 外婆 姥姥 祖母",
    "grandfather": "grandfather grandpa 爷爷 外公 姥爷 祖父",
    "mother_in_law": "mother-in-law 婆婆 岳母 丈母娘",
    "father_in_law": "father-in-law 公公 岳父 老丈人",
    "uncle": "uncle 叔叔 舅舅 伯伯 姑父 姨父",
    "aunt": "aunt 阿姨 姑姑 舅妈 姨妈 婶婶",
    "cousin": "cousin 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹",
    "nephew": "nephew 侄子 外甥",
    "niece": "niece 侄女 外甥女",
    "colleague": "colleague colleagues coworker coworkers co-worker 同事",
    "roommate": "roommate flatmate 室友 舍友",
    "neighbour": "neighbour neighbor neighbours neighbors 邻居",
    "classmate": "classmate 同学",
}
# Words that are people only when they are someone's: "my manager", 「我老板」.
_OWNED = {
    "friend": "friend friends 朋友 好友 闺蜜 哥们",
    "manager": "manager boss supervisor 经理 老板 上司 领导 主管",
    "report": "subordinate assistant 下属 助理",
    "teacher": "teacher 老师 导师",
    "doctor": "doctor dentist 医生 牙医",
    "client": "client customer 客户",
    "dog": "dog puppy 狗 小狗",
    "cat": "cat kitten 猫 小猫",
}
_FAMILY = {"son": {"child"}, "daughter": {"child"}, "mother": {"parents"}, "father": {"parents"}}
_ALSO = {"wife": {"partner"}, "husband": {"partner"}}


def _pattern(entries: str) -> str:
    latin = [re.escape(entry) for entry in entries.split() if entry.isascii()]
    cjk = [re.escape(fold(entry)) for entry in entries.split() if not entry.isascii()]
    return "|".join([rf"\b(?:{'|'.join(latin)})\b(?!-in-law)", *cjk])


_KIN_PATTERNS = {name: re.compile(_pattern(entries)) for name, entries in _KIN.items()}
_OWNED_PATTERNS = {
    name: re.compile(
        rf"\b(?:my|our|his|her)\s+(?:\w+\s+)?(?:{'|'.join(re.escape(w) for w in entries.split() if w.isascii())})\b"
        rf"|(?:我|我们|咱|家里?)的?(?:{'|'.join(fold(w) for w in entries.split() if not w.isascii())})"
    )
    for name, entries in _OWNED.items()
}
#: The first of each that fits, told by its name: one look in the place of thirty.
_ANY_KIN, _ANY_OWNED = (
    re.compile("|".join(f"(?P<{name}>{pattern.pattern})" for name, pattern in patterns.items()))
    for patterns in (_KIN_PATTERNS, _OWNED_PATTERNS)
)
_START = re.compile(r"^(?:the user's|user's|my|his|her|用户的?|我的?)?\s*")
_SUBJECT_NAMES = {
    entry: name for table in (_KIN, _OWNED) for name, entries in table.items() for entry in [name, *entries.split()]
}


@lru_cache(maxsize=4096)
def people_in(text: str) -> frozenset[str]:
    """The people that a text is about, by their one word; empty where it is about the user."""
    folded = fold(text)
    found = {name for name, pattern in _KIN_PATTERNS.items() if pattern.search(folded)}
    found |= {name for name, pattern in _OWNED_PATTERNS.items() if pattern.search(folded)}
    for kin, inside in (("mother", "mother_in_law"), ("father", "father_in_law")):
        if inside in found and not re.search(r"妈妈|母亲(?<!岳母)|我妈|mom|mum|父亲|我爸|dad", folded):
            found.discard(kin)
    return frozenset(found)


_THE_USER = frozenset({"user", "the_user", "me", "myself", "self", "i", "用户", "我", "本人", "自己", "我自己"})


def _folded(subject: str) -> str:
    return re.sub(r"[\s_]+", "_", fold(subject).strip())


def whom(subject: str) -> str:
    """The subject as it is stored: "" where it only names the user, who is meant where there is none. Else a slot could be
    filled twice."""
    return "" if _folded(subject) in _THE_USER else subject.strip()


@lru_cache(maxsize=4096)
def subject_of(subject: str, text: str) -> str:
    """Whom a memory is about: its subject in one word, else the person its text starts with, else "" (the user)."""
    if subject:
        folded = _folded(subject)
        return "" if folded in _THE_USER else _SUBJECT_NAMES.get(folded, folded)
    folded = fold(text)
    rest = folded[_START.match(folded).end() :]  # type: ignore[union-attr]
    found = _ANY_KIN.match(rest) or _ANY_OWNED.match(folded)
    return str(found.lastgroup) if found else ""


def same_person(asked: frozenset[str], subject: str, query: str) -> bool:
    """True where a memory's subject is one of the people asked about, or is named in the question."""
    if subject in asked:
        return True
    wider = {one for name in asked | {subject} for one in _FAMILY.get(name, set()) | _ALSO.get(name, set())}
    if subject in wider or (
        asked & wider and subject in _FAMILY | _ALSO and asked & (_FAMILY | _ALSO).get(subject, set())
    ):
        return True
    name = subject.rpartition(":")[2].replace("_", " ").strip()
    return len(name) > 1 and name in fold(query)


_WHO = re.compile(r"\bwho(?:m|se|'s)?\b|谁(?!的)|哪位|什么人|哪个人")
_SURNAME = "[赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张孔曹严华金魏陶姜谢邹喻苏潘葛范彭鲁韦马方俞任袁柳鲍史唐费薛雷贺倪汤罗毕郝邬安常乐于傅齐康伍余顾孟黄穆萧尹姚邵汪毛戴宋熊纪舒屈项祝董梁杜阮蓝季贾江童郭梅盛林钟徐邱骆高夏蔡田胡凌霍万柯卢莫房丁邓洪左石崔龚程陆翁荀惠曲段侯宁仇甘祖武符刘龙叶白赖卓池乔闻党谭申冉桑桂牛边农温庄晏柴阎易廖耿匡文广欧]"
_NAMED_ZH = re.compile(
    rf"[老小阿]{_SURNAME}(?![\u4e00-\u9fff]?[的地])|{_SURNAME}(?:总|工|姐|哥|叔|姨|阿姨|师傅|老师|医生|大夫|经理|主任|先生|女士|律师|教练|护士|会计|姑娘)"
)
# A capital inside a sentence, or beside Chinese: a name, whatever it is of, but no month or day.
_NAMED = re.compile(
    r"(?:[a-z0-9,:;&] |[\u4e00-\u9fff] ?)"
    r"(?!(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sep|Sept|Oct|Nov|Dec|Mon|Tue|Tues|Wed|Thu|Thurs|Fri|Sat|Sun)"
    r"(?:uary|ruary|ch|il|ust|tember|ober|ember|day|sday|nesday|rsday|urday)?s?\b)[A-Z][a-z]+(?![\w-])"
)


# The word that a sentence begins with has a capital anyway: it is a name where it does something and names no thing.
_FIRST = re.compile(
    r"^([A-Z][a-z]{2,})(?<!s)(?<!ing)(?<!ion)(?<!ment) (?:[a-z]{2,}s|and [A-Z][a-z]+ [a-z]+|from|in|at|will|has) "
)


def asks_who(question: str) -> bool:
    """Somebody is asked for; people whom the question names say in which matter."""
    return bool(_WHO.search(question))


@lru_cache(maxsize=4096)
def names_somebody(text: str, besides: frozenset[str]) -> bool:
    """Whether a text names a person other than these, or has a name in it that may be one."""
    if people_in(text) - besides or _NAMED_ZH.search(text) or _NAMED.search(text):
        return True
    first = _FIRST.match(text)
    return bool(first and not is_stop_word(first[1].lower()) and not concepts(first[1]))
