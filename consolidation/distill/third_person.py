"""The user's own words said of them: "I don't drive" becomes "Doesn't drive", 「我不开车」 becomes 「不开车」."""

import re

from . import people

_ADVERBS = r"no longer|always|usually|never|normally|typically|generally|often|mostly|rarely|seldom|sometimes|only|also|still|just|really|now|currently|even|actually|finally|both|all|basically|mainly|strictly|simply|honestly|already|almost|hardly|ever|personally|absolutely|definitely|do|once"
_IRREGULAR = {
    "am": "is", "are": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't", "aren't": "isn't", "go": "goes",
    "weren't": "wasn't", "were": "was", "wanna": "wants to", "gotta": "has to",
}  # fmt: skip
_NO_ENDING = re.compile(
    r"(?:can|could|will|would|may|might|must|should|shall|cannot|was|had|did|went|got|took|made|said|saw|came|bought|ate|flew|drove|thought|found|knew|left|kept|began|ran|wrote|stood|told|sold|met|paid|quit|gave|became|meant|dealt|spent|lent|bent|caught|fought|forgot|sang|drank|swam|threw|froze|hid|hit|hurt|laid|rose|shot|shut|stole|stuck|swore|tore|understood|burnt|dreamt|learnt|grew|wore|spoke|rode|chose|held|taught|drank|slept|woke|sat|lost|won|sent|set|put|let|cut|broke|fell|built|felt|heard|led|is|has|does|not|to|the|an?|my|no|if|when|for|on|in|at)$|.*(?:ed|ing|ly|n't|'d|'ll)$",
    re.I | re.A,
)
_STILL = re.compile(
    r"(?:need|feed|exceed|proceed|bring|sing|ring|cling|fly|rely|reply|apply|supply|comply|embed|breed|bleed)$"
)
# What a turn begins with before it says anything.
_OPENING_EN = re.compile(
    r"^(?:(?:and|but|so|oh|ah|well|also|ok(?:ay)?|hey|hi|hm+|ugh|yes|yep|yeah|yup|no(?=[,.!:;-])|nope|nah|god no|not quite|sorry|thanks?|btw|by the way|actually|honestly|fyi|for the record|just so you know|to be (?:honest|clear)|you know|you see|i mean|i'd say|i'm afraid|please|remember that|note that|because|since|then|right|exactly|correct|of course|sure|me\?|turns out)\b(?!-\w)[\s,.!:?-]*)+",
    re.I | re.A,
)
_CLOSING_EN = re.compile(
    r"(?:(?<![\s,])[\s,]+(?:btw|by the way|fyi|lol|haha|hah|tbh|though|you know|thanks|thank you|ok|okay|please|too|now|in case you wonder(?:ed)?|just so you know|if that matters|before you ask|remember|you see))+[\s.!?]*$",
    re.I | re.A,
)
_OPENING_ZH = re.compile(
    r"^(?:(?:我[啊呀嘛呢]|嗯+|哦|啊|哎|唉|呀|哈+|记错了|说错了|对了?|是的|不是|没有|有|好的?|行|不过|但是?|而且|另外|其实|说来|反正|顺便说(?:一下|一句)?|话说|因为|所以|那|就|记住|记着|请|麻烦|算了|那个|对啊|没错|确实)[，,。.！!、\s]+)+|^(?:其实|反正|因为|所以|不过|但是?|而且|另外|对了(?=[我咱他她这那家])|麻烦你?|请你?)+"
)
_CLOSING_ZH = re.compile(
    r"[，,]?(?:(?<=[，,])(?:以后|之后|今后)都(?:这样|如此|一样)|谢谢|多谢|麻烦了|记一下|记着点?|顺便说下|你记着|别忘了|哈|呢|啊|呀|哦|喔|噢|哟|喽|咯|嘞|呗|啦|嘛|吧)+$"
)
#: Somebody of the user's: 「我太太」 is 「太太」 in a note about the user.
_KIN_ZH = "|".join(zh for zh, _ in people.RELATIONS.values())
_SELF_EN = re.compile(
    r"\b(?P<who>i|we)(?P<be>'m|'re|'ve|'d|'ll| am| are| was| were| have| do| don't)?\b(?P<rest>(?: (?:"
    + _ADVERBS
    + r"))*)(?: (?P<verb>[a-z]+(?:'t)?))?",
    re.I | re.A,
)
_BE = {"'m": "is", "'re": "are", "'ve": "has", "'d": "would", "'ll": "will", "am": "is", "are": "are", "was": "was", "were": "were", "have": "has", "do": "does", "don't": "doesn't"}  # fmt: skip


def _bare(text: str) -> str:
    return re.sub(r"(?<=[\u3400-\u9fff\d])的$", "", text.strip(" ,.，。:：;；!！?？~-")).strip()


def third(verb: str) -> str:
    """The verb as it is said of somebody else: "go" as "goes", "was" as it is."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if _NO_ENDING.match(verb) and not _STILL.match(verb):
        return verb
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|o)$", verb) else "s")


_UNDER = re.compile(
    r"\b(?:wherever|where|whenever|when|if|because|that|what|who|than|before|after|since|until|till|unless|while|as|which|whatever|everything|all|thing|anything|way|once|though|although)$",
    re.I | re.A,
)
_BE_THEY = {"'m": "are", "'re": "are", "'ve": "have", "'d": "would", "'ll": "will", "am": "are", "are": "are", "was": "were", "were": "were", "have": "have", "do": "do", "don't": "don't"}  # fmt: skip


def _said_of(m: re.Match[str]) -> str:
    """What stands in place of "I've never owned" and the like."""
    if _UNDER.search(m.string[: m.start()].rstrip()):
        be = (m["be"] or "").strip().lower()
        return f"they{' ' + _BE_THEY[be] if be else ''}{m['rest'] or ''}{' ' + m['verb'] if m['verb'] else ''}"
    be, rest, verb = (m["be"] or "").strip().lower(), m["rest"] or "", m["verb"] or ""
    if be:
        tail = f" {verb}" if verb else ""
        return f"{_BE[be]}{rest}{tail}"
    return f"{rest.strip()} {third(verb.lower())}".strip() if verb else "the user"


_CLEFT = re.compile(
    r"^(?P<what>(?!(?:that|this|it|which)\b)[^,.;]{2,40}?)(?: is|'s| are) (?:what|the (?:one|only one|thing|only thing)(?: \w+)?(?: that)?|all) (?P<who>i|we) (?P<verb>[\w']+)(?P<rest>\b[^.;]*)$",
    re.I | re.A,
)


def _uncleft(m: re.Match[str]) -> str:
    """ "Helix is what I use now" as "I use Helix now"."""
    return f"{m['who']} {m['verb']} {m['what']}{m['rest']}"


#: A second verb of the same subject: "I write in LaTeX and use Zotero".
_AND_DOES = re.compile(
    r"(?P<before>^(?:[\w']+ly |never |always |only |also )?[a-z]+s\b[^,;]{2,60}? (?:and|but|or)(?: (?:always|never|usually|only|also|mostly|sometimes|often))? )(?P<verb>use|drink|eat|work|live|take|play|want|need|like|prefer|hate|love|avoid|keep|run|ride|drive|walk|write|read|sleep|speak|have|go|do|own|cook|teach|study|swim|cycle|travel|fly|buy|sell|pay|wear|make|get|listen|watch)\b(?! of\b)",
    re.I | re.A,
)


def _english(text: str) -> str:
    text = _CLOSING_EN.sub("", _OPENING_EN.sub("", text.strip()))
    text = _CLEFT.sub(_uncleft, text)
    text = re.sub(r"^what i (?P<a>[\w' ]{2,30}) is ", lambda m: f"I {m['a']} ", text, flags=re.I | re.A)
    text = _AND_DOES.sub(lambda m: m["before"] + third(m["verb"].lower()), _SELF_EN.sub(_said_of, text))
    text = re.sub(r"^(?:my|our) ", "", text, flags=re.I | re.A)
    text = re.sub(r"\b(?:my|our)\b", "their", text, flags=re.I | re.A)
    text = re.sub(r"\b(?:mine|ours)\b", "theirs", text, flags=re.I | re.A)
    text = re.sub(r"\b(of|among|between) us\b", r"\1 them", text, flags=re.A)
    text = re.sub(r"\b(?:me|us)\b(?!-)", "the user", text, flags=re.A)
    text = re.sub(r"\b(?:myself|ourselves)\b", "themselves", text, flags=re.I | re.A)
    text = _bare(re.sub(r" {2,}", " ", text))
    return text[:1].upper() + text[1:]


def _chinese(said: str) -> str:
    said = _OPENING_ZH.sub("", said.strip())
    text = _CLOSING_ZH.sub("", said)
    text = re.sub(r"^我(?P<kin>[弟哥姐妹妈爸])(?=[有在是从也不每只住要得做])", r"\g<kin>\g<kin>", text)
    text = re.sub(r"^(?:我)?(吃|喝|用|坐|住|开|穿|学|养|做|看|听|写)的(?:一直|都)?是(?!因为|时候|说)", r"\1", text)
    text = re.sub(r"^(?:我|咱)?是做(?!的)", "从事", text)
    text = re.sub(r"(?:^|(?<=[，,、；;。]))(?:我们|咱们|我|咱|本人)?(?:家)?的(?=[\u3400-\u9fffA-Za-z])", "", text)
    text = re.sub(r"(?:^|(?<=[，,、；;。]))(?:我们|咱们?|我自己|我|本人)(?!们)(?=[\u3400-\u9fffA-Za-z0-9])", "", text)
    text = re.sub(
        r"(?<=[\u3400-\u9fff])我(?!们)(?=(?:都|就|也|不|从|只|一般|每|习惯|总|常|会|要|得|爱|喜欢|是))", "", text
    )
    text = re.sub(
        r"(?<=[\u3400-\u9fff])(?:我们|咱们?)(?=(?:都|就|也|不|从|只|一般|每|习惯|总|常|会|要|得|一向|一直))", "", text
    )
    text = (
        re.sub(r"^组(?=[\u3400-\u9fff])(?![里织合长员成])", "组里", text) if re.match(r"(?:我|咱)们?组", said) else text
    )
    text = re.sub(r"我(?P<kin>[弟哥姐妹妈爸])(?!(?P=kin)|[\u59d0\u59b9\u5f1f\u54e5]|夫|媳)", r"\g<kin>\g<kin>", text)
    text = re.sub(rf"(?<!是)我(?:们)?的?(?=(?:{_KIN_ZH}))", "", text)
    text = re.sub(
        r"(?<![\u3400-\u9fff])(?:现在|已经|早就)?不(?!再|是|会|了|得|能|过|见|同)([^，。、了]{1,8})了(?=$|，)",
        r"不再\1",
        text,
    )
    text = re.sub(r"(?:帮|给|替)我的?(?=[\u3400-\u9fffA-Za-z])(?!们|的|妈|爸|家|姐|哥|弟|妹|儿|女)", "", text)
    return _bare(text.replace("我们", "用户").replace("我", "用户"))


def said_of_user(text: str, chinese: bool) -> str:
    """The words in the third person, without what only opens or closes a turn."""
    return _chinese(text) if chinese else _english(text)
