"""Whom a clause is about: the user, a relation or colleague by name, or somebody who is none of the user's."""

import re
from dataclasses import dataclass

RELATIONS: dict[str, tuple[str, str]] = {
    # token: (Chinese words, English words)
    "wife": ("太太|妻子|老婆|爱人(?=吃素)|媳妇|内人", "wife"),
    "husband": ("丈夫|老公|先生(?=对|不|喜|吃|是|也|从)", "husband|hubby"),
    "partner": ("伴侣|爱人|对象", "partner|spouse|fiancée?"),
    "girlfriend": ("女朋友|女友", "girlfriend"),
    "boyfriend": ("男朋友|男友", "boyfriend"),
    "mother": ("妈妈|母亲|老妈|我妈|妈", "mother|mom|mum|mama"),
    "father": ("爸爸|父亲|老爸|我爸|爸", "father|dad|papa"),
    "parents": ("父母|爸妈|爸爸妈妈|家长", "parents|folks"),
    "son": ("儿子|小儿子|大儿子", "son|little boy"),
    "daughter": ("女儿|闺女|小女儿|大女儿", "daughter|little girl"),
    "children": ("孩子们|孩子|小孩|娃|小朋友", "children|kids|boys|girls|kid|child"),
    "brother": ("哥哥|弟弟|兄弟|(?<=我)[哥弟](?!们)|我哥|我弟", "(?:older |younger |big |little |twin )?brother"),
    "sister": ("姐姐|妹妹|(?<=我)[姐妹](?!们)|我姐|我妹", "(?:older |younger |big |little |twin )?sister"),
    "grandmother": ("奶奶|外婆|姥姥|祖母", "grandmother|grandma|granny"),
    "grandfather": ("爷爷|外公|姥爷|祖父", "grandfather|grandpa|granddad"),
    "cousin": ("表(?:哥|弟|姐|妹)|堂(?:哥|弟|姐|妹)", "cousin"),
    "in_laws": ("岳父|岳母|公公|婆婆|丈母娘|老丈人", "(?:mother|father|brother|sister)-in-law|in-laws"),
    "nephew": ("侄子|外甥", "nephew"),
    "niece": ("侄女|外甥女", "niece"),
    "aunt": ("阿姨|姑姑|姑妈|姨妈|舅妈|婶婶|伯母", "aunt|auntie"),
    "uncle": ("叔叔|舅舅|伯伯|姑父|姨父", "uncle"),
    "friend": ("朋友|闺蜜|好友|哥们", "(?:best |close |good )?friend|buddy|mate"),
    "roommate": ("室友|舍友", "roommate|flatmate|housemate"),
    "colleague": ("同事|搭档", "colleague|coworker|co-worker|teammate|team mate"),
    "manager": ("老板|经理|领导|上司|主管|上级", "boss|manager|supervisor|team lead|lead"),
    "client": ("客户|甲方", "client|customer"),
    "assistant": ("助理|秘书", "assistant|secretary"),
    "intern": ("实习生|下属|徒弟", "intern|report|mentee"),
    "neighbour": ("邻居", "neighbou?r"),
    "landlord": ("房东", "landlord|landlady"),
    "godchild": ("干女儿|干儿子|教子|教女", "god(?:son|daughter|child)"),
    "grandchild": ("孙子|孙女|外孙女?", "grand(?:son|daughter|child|children|kids?)"),
    "teacher": ("老师|导师|教练", "teacher|coach|trainer|mentor|tutor"),
    "student": ("学生", "students?"),
}
ZH_NAMES = {
    "wife": "妻子", "husband": "丈夫", "partner": "伴侣", "girlfriend": "女友", "boyfriend": "男友", "mother": "母亲", "father": "父亲",
    "parents": "父母", "son": "儿子", "daughter": "女儿", "children": "孩子", "brother": "兄弟", "sister": "姐妹", "grandmother": "祖母",
    "grandfather": "祖父", "in_laws": "岳父母", "nephew": "侄子", "niece": "侄女", "cousin": "表亲", "aunt": "阿姨", "uncle": "叔叔", "friend": "朋友", "roommate": "室友", "colleague": "同事",
    "manager": "上司", "client": "客户", "assistant": "助理", "intern": "下属", "neighbour": "邻居", "teacher": "老师", "landlord": "房东", "godchild": "教子女", "grandchild": "孙辈", "student": "学生",
}  # fmt: skip

_SURNAME = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
_AFTER_NAME = "对不是也喜爱吃从住在会要能没有只最每习"
_ZH_NAME = rf"(?:[小老阿][{_SURNAME}]|[小老阿][\u3400-\u9fff](?=[{_AFTER_NAME}超特很讨最都就比更天常总今上刚才已]|$|，)|[{_SURNAME}][\u3400-\u9fff]{{1,2}}?(?=[{_AFTER_NAME}])|[A-Z][a-zA-Z]+)"
_EN_NAME = r"[A-Z][a-z\u00c0-\u024f]*\.?(?:[ -][A-Z][a-z\u00c0-\u024f]+)?"
_ALL_ZH = "|".join(f"(?P<zh_{key}>{zh})" for key, (zh, _) in RELATIONS.items())
_ALL_EN = "|".join(f"(?P<en_{key}>{en})" for key, (_, en) in RELATIONS.items())
_ZH = re.compile(
    rf"(?:(?:我们?|咱|俺)(?:有)?(?:家|组|公司|部门)?(?:的|那)?(?:一个|个|那个|新)?|(?<![\u3400-\u9fff])|^)(?:{_ALL_ZH})(?:叫|是)?(?P<name>{_ZH_NAME})?"
)
_EN = re.compile(
    rf"\b(?i:my|our)(?: (?i:new|old|late|dear|ex))? (?i:{_ALL_EN})(?:,? (?P<name>(?!I\b|I'|The\b|My\b|A\b|Is\b|Has\b){_EN_NAME}))?(?!\w|-|'s)"
)
_EN_OWNED = re.compile(rf"\b(?i:my|our)(?: (?i:new|old|late|dear))? (?i:{_ALL_EN})(?:,? (?P<name>{_EN_NAME}))?'s\b")
_ZH_PRONOUN = re.compile(r"(?<![其吉])(?:他|她)(?!们?说)(?:们)?|其(?!他|它|实|中|余|次)")
_EN_PRONOUN = re.compile(r"\b(?:he|she|him|her|his)\b", re.I | re.A)
_ZH_USER = re.compile(
    rf"我(?!们?(?:家|组|公司|部门)?(?:的|那|这)?(?:一个|个|位|名)?(?:新|老)?(?:{'|'.join(zh for zh, _ in RELATIONS.values())}))|本人|自己|咱|^(?:我们?)?家里(?!人)的?"
)
_ZH_NAMED = re.compile(
    rf"^(?P<name>[{_SURNAME}][\u3400-\u9fff]{{1,2}}?)(?=是我|喜欢|爱|的|在|对|不|也|今年|其|叫|住|从|总|特别|很|会|说|要|想|养)"
)
_EN_PLURAL = re.compile(r"\b(?:they|them|their)\b", re.I | re.A)
_PLURAL = frozenset({"parents", "children", "student", "in_laws"})
#: Of these one has many: without a name nobody can tell later which one was meant.
_MANY = frozenset({"friend", "colleague", "client", "student", "neighbour", "teacher", "cousin"})
_EN_USER = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|me|we|we're|we've|us|mine)\b", re.I | re.A)
# "A friend of mine", "one of my colleagues", 我的一个朋友: somebody of the user's, unnamed.
_EN_ONE_OF = re.compile(
    rf"\b(?i:a|an|another|some|one|two|three)(?: (?i:old|good|close|new|former))? (?i:{_ALL_EN.replace('?P<en_', '?P<of_')})s? of (?i:mine|ours)\b"
)
_YOU = re.compile(r"(?<!给)(?:你|您)|\b(?:you|your|you're|you've|yours)\b", re.I | re.A)
_NAMED = re.compile(
    r"^(?P<name>(?!I\b|I'|My\b|The\b|Our\b|We\b|A\b|An\b|In\b|On\b|It\b|This\b|That\b|No\b|Yes\b|You\b|He\b|She\b|They\b|If\b|So\b|And\b|But\b|For\b|Please\b|Just\b|Use\b|Keep\b|Always\b|Never\b)[A-Z][a-z]+)(?:'s)? (?:is|has|can't|cannot|doesn't|does|likes|loves|hates|prefers|lives|works|eats|drinks|wants|needs|never|always)\b"
)


@dataclass(frozen=True)
class About:
    """`who`: "user", "you", "other" (somebody unknown), or a relation; `subject` is what a note carries."""

    who: str
    subject: str | None = None
    at: int = 0


def _relation(m: re.Match[str]) -> str:
    return next(g[3:] for g, v in m.groupdict().items() if v is not None and g != "name")


_ZH_IS = re.compile(
    rf"(?P<name>[{_SURNAME}][\u3400-\u9fff]{{1,2}}|[A-Z][a-z]+)是我(?:们)?(?:家|公司|部门)?(?:的)?(?:{_ALL_ZH})"
)
_EN_IS = re.compile(
    rf"(?P<name>(?!This|That|He|She|It|Who)[A-Z][a-z\u00c0-\u024f]+(?: [A-Z][a-z\u00c0-\u024f]+)?) is (?i:my|our)(?: (?i:new|old|late|dear|ex))? (?i:{_ALL_EN})\b"
)


def introduced(text: str) -> tuple[str, str] | None:
    """Name and relation where the text says who somebody is: 「李明是我的同事」, "Tom is my brother"."""
    m = _EN_IS.search(text) or _ZH_IS.search(text)
    return (m["name"], _relation(m)) if m else None


def relations(text: str) -> list[About]:
    """Every relation of the user that the text names, in order."""
    found = [m for p in (_EN_OWNED, _EN_ONE_OF, _EN, _ZH) for m in p.finditer(text)]
    found.sort(key=lambda m: m.start())
    return [About(_relation(m), m.groupdict().get("name") or _relation(m), m.start()) for m in found]


_THINKING = re.compile(
    r"^(?:我|我们)(?:知道|觉得|认为|看|记得|发现|听说|想)(?=.*[他她])|^(?:i|we) (?:know|think|believe|remember|see|guess|hear) (?:that )?(?=(?:he|she|they|my|our)\b)",
    re.I | re.A,
)


def about(text: str, last: About | None, known: dict[str, About]) -> About | None:
    """Whom the clause speaks of first; None when it names nobody. `last` answers for "he" and 「她」."""
    if together(text):
        return About("user")
    found: list[About] = []
    text = _THINKING.sub("", text)
    if m := _EN_USER.search(text):
        found.append(About("user", None, m.start()))
    if m := _ZH_USER.search(text):
        found.append(About("user", None, m.start()))
    if m := _YOU.search(text):
        found.append(About("you", None, m.start()))
    for pattern in (_ZH_PRONOUN, _EN_PRONOUN):
        if m := pattern.search(text):
            somebody = last if last and last.who not in ("user", "you") and not _unknown(last) else About("other")
            found.append(About(somebody.who, somebody.subject, m.start()))
    if m := _EN_PLURAL.search(text):
        several = last if last and last.who in _PLURAL else About("other")
        found.append(About(several.who, several.subject, m.start()))
    if (m := _ZH_NAMED.search(text)) and not _ZH.match(text):
        found.append(known.get(m["name"]) or About("other", None, 0))
    found += relations(text)
    # A word that only opens its sentence is no name where the user speaks of themselves: "Wool makes me itch".
    if (m := _NAMED.search(text)) and (m["name"] in known or not _EN_USER.search(text)):
        found.append(known.get(m["name"], About("other", None, m.start())))
    for name, person in known.items():
        at = text.find(name)
        if at >= 0 and not any(f.at <= at <= f.at + 12 and f.subject == name for f in found):
            found.append(About(person.who, person.subject, at))
    return min(found, key=lambda f: f.at) if found else None


def _unknown(somebody: About) -> bool:
    return somebody.who in _MANY and somebody.subject == somebody.who


_TOGETHER_EN = re.compile(
    rf"\b(?i:my) (?i:{_ALL_EN})(?:,? (?P<name>{_EN_NAME}))? and I\b(?i:(?= (?:are|both|love|like|hate|prefer|don't|do not|eat|drink|live|enjoy|can't|always|never|usually)))"
)
_TOGETHER_ZH = re.compile(rf"我(?:和|跟|与)(?:我)?(?:{_ALL_ZH})(?P<name>{_ZH_NAME})?(?:两个人|俩)?都")


def together(text: str) -> About | None:
    """The relation of whom the clause says the same as of the user: "my wife and I are both vegan"."""
    m = _TOGETHER_EN.search(text) or _TOGETHER_ZH.search(text)
    return About(_relation(m), m["name"] or _relation(m), m.start()) if m else None


#: One word here, several in Chinese: an elder sister is no younger one.
_SEVERAL = frozenset({"brother", "sister", "cousin", "in_laws", "grandchild", "aunt", "uncle", "godchild"})


def display(subject: str, chinese: bool, relation: str = "", text: str = "") -> str:
    """The subject as a reader of the note's language calls it; a name with whose name it is, in the words of the text."""
    if relation in RELATIONS and subject not in RELATIONS:
        named = re.search(RELATIONS[relation][0], text) if chinese and relation in _SEVERAL else None
        whose = named[0] if named else display(relation, chinese)
        return f"{whose}{' ' if subject.isascii() else ''}{subject}" if chinese else f"{whose} {subject}"
    return ZH_NAMES.get(subject, subject) if chinese else subject.replace("_", "-")


def called(text: str, somebody: About, said: str, chinese: bool) -> str:
    """The note's words with the one whom they begin by calling "she" named by relation or name."""
    if not somebody.subject or somebody.who == "other":
        return text
    who = display(somebody.subject, chinese, somebody.who, said)
    if chinese:
        return re.sub(r"^[他她](?!们)的?", who, text)
    return re.sub(r"^(?:he|she)(?='|\b)", who[:1].upper() + who[1:], text, flags=re.I)


def mentions_user(text: str) -> bool:
    """True when the text speaks of the user, or of somebody of theirs."""
    return bool(_EN_USER.search(text) or _ZH_USER.search(text) or relations(text) or re.search(r"\b(?:my|our)\b", text))
