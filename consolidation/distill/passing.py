"""What reads as lasting and is not: to be done once, empty, told of others, or of a thing that is not named."""

import re

from . import cues, lasting
from .folding import is_chinese
from .reading import Statement

#: What was, without anything that is so still or happens again.
_WAS = re.compile(
    r"\b(?:was|were|had|held|went|came|got|made|took|gave|met|saw|built|ran|told|left|sold|bought|brought|taught|wrote|drove|spoke|found|lost|won|sang|began|became|[a-z]{3,}ed)\b",
    re.I | re.A,
)
_STILL = re.compile(
    r"\b(?:am|is|are|has|have|do|does|will|must|should|can|need|always|usually|every|each|still|now|never)\b|'(?:m|s|re|ve|ll)\b",
    re.I | re.A,
)
_OF_USER = re.compile(r"^(?:[a-z]+,? )?(?:i|we|my|i'd|we'd)\b", re.I | re.A)
#: Says what something is that another sentence has named: a place, a person, a thing.
_UNNAMED = re.compile(
    r"^(?:就|也|那|这)?是(?:一|个|家|种)|^(?:and |but |so )?(?:it|they|that|this)(?:'s| is| are| was| has|'ve| have)\b",
    re.I | re.A,
)


#: Of everybody, and so of nobody; what is held to matter; when, and not what; a thing by its kind alone.
_EMPTY = re.compile(
    r"^(?:and |but |so )?(?:we all|all of us|everyone|everybody|人人|大家都|每个人都)\b"
    r"|\b(?:is|are|'s) (?:so |really |very )?(?:key|essential|vital|everything)$"
    r"|^(?:ever )?(?:since|after|before|during|until)(?: [\w']+){1,4}$"
    r"|(?:something|something new|a new (?:skill|thing|hobby)|some new (?:skills|things))$|一[门个项种些](?:新的?)?(?:技能|东西|事情|爱好|课程)$",
    re.I | re.A,
)


#: Words of another language than these two hold none of the small words that English cannot do without.
_SMALL = re.compile(
    r"\b(?:the|an?|i|i'[a-z]+|my|we|our|he|she|they|it|is|are|was|has|have|do|don't|can|can't|to|of|and|or|in|on|at|for|with|no|not|never|always|all|only|from|by|per|before|after|up|out|me|us|as|so|but|if|when|every|each|some|any|over|under|without|please|[a-z]+ing|[a-z]+ed|[a-z]+ly)\b",
    re.I | re.A,
)
#: A day or a date: said of something that is planned and not of what holds.
_DATED_BIT = re.compile(
    r"\b(?:on|for|this|next|by) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|the weekend|week|month|weekend)\b(?!s)|\bin (?:an?|half an|\d+|a few|two|five|ten) (?:hours?|minutes?|bit)\b",
    re.I | re.A,
)
_SUBJECT = re.compile(
    r"\b(?:i|we|my|our|he|she|they|his|her|i'[a-z]+|we'[a-z]+|never|no|use|keep|put|make|don't)\b", re.I | re.A
)


#: What it is about stands elsewhere: 「我一直都喝这个」, "keep every plan inside that".
_DANGLING = re.compile(
    r"^[^，,。]*(?:[喝吃用看听穿买选坐住写做按照像跟是](?:这|那)(?:个|些|种|样|家|款|本)?|[闻吃喝受]不?[得了惯](?:这|那)[个种]?味[儿道]?|它)$"
    r"|^(?!.*\b(?:loved|little|young|old) ones\b).*\b[a-z]+ ones$"
    r"|^(?![^,]*\b(?:every time|when|if|whenever)\b)[^,]*\b(?:inside|like|with|for|in|on|to|at|by|about|from|than|under|within|use|take|keep|have|drink|eat|want) (?:that|this|it|them|those|these|that one|this one)$",
    re.I | re.A,
)
#: How much of what, or what it may cost, this once.
_BIT = re.compile(
    r"^(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+) [a-z]+$|^(?:我的?|总)?预算[^，。]{0,12}$",
    re.I | re.A,
)


#: A feeling of one occasion, unless it comes back: "I feel sick in cars", 「一坐飞机就紧张」.
_FELT = re.compile(
    r"\b(?:felt|feeling)\b|\bfeels? (?:so|really|very|pretty|quite|great|good|bad|amazing|awesome|better|wonderful|happy|sad|proud|lucky|like)\b|\b(?:i'm|i am|i was|we're|we were)(?: just| so| really| very| super| feeling)* (?:happy|excited|proud|grateful|thankful|glad|sad|thrilled|relieved|upset|lucky|blessed|stoked|exhausted)\b"
    r"|^[看听读写坐站走等]得我|感到|感受到|[很太好真特]别?[么是]?(?:开心|高兴|快乐|幸福|兴奋|难过|激动|感动|满足|舒畅|愉悦)|心情|沉浸",
    re.I | re.A,
)
_COMES_BACK = re.compile(
    r"\b(?:when|whenever|if|every|each|always|usually|often|never)\b|\b(?:in|on) [a-z]+s\b|每|一[^，。]{1,6}就|总|经常|只要|的时候|容易|会",
    re.I | re.A,
)
#: Seen, bought or done once; no day, no place and nobody with it.
_ONCE_DONE = re.compile(
    r"^(?:昨天|刚|我|我们|咱们?|还|也){0,3}(?:看|买|吃|玩|逛|听|试|聊|参观|欣赏|观看|体验)了(?![^，。]*了)"
)
#: What was met with on an occasion is asked for.
_OCCASION_ASKED = re.compile(r"(?:看到|看了|见到|遇到|学到|听到|吃到)了?[^，。]{0,3}(?:什么|哪些)")
#: Shows something, stands by the other one, or says how things are with everybody.
_OF_NOBODY = re.compile(
    r"^here(?:'s| is| are)\b|\b(?:here|there) for you\b|^(?:those|these)\b.*\b(?:are|were)\b|^[a-z]+ing (?:it|them|this|that)\b"
    r"|^(?!.*\b(?:i|me|my)\b)[a-z]{2,}ing\b.*\b(?:(?:is|isn't|are|aren't|can be) (?:(?:always|never|not|so|really|very|such|truly|an?) )*(?:easy|hard|tough|important|great|good|lovely|wonderful|amazing|powerful|beautiful|fun)|means|helps|brings|gives)\b|^特别是|^尤其是|^可以(?:看到|感受|了解|学到)",
    re.I | re.A,
)
#: The user's own, once, with a thing that is only pointed at.
_POINTED_AT = re.compile(
    r"\b(?:this|these|those)\b(?! (?:year|month|week|spring|summer|autumn|fall|winter)\b)", re.I | re.A
)
_STEP = re.compile(r"^(?:我|你|要|一般)?先(?:将|把)[^。]*(?:再|然后|最后|接着)")


def _of_the_moment(plain: str, asked: str) -> bool:
    """True for a feeling, a sight or a step of one occasion."""
    if _FELT.search(plain) and not _COMES_BACK.search(plain):
        return True
    if _STEP.search(plain) and not cues.LASTING.search(plain):
        return True
    if _ONCE_DONE.search(plain) and not re.search(r"\d|[上下去今前]个?[年月周]", plain):
        return True
    if _OF_NOBODY.search(plain) or is_chinese(plain) and _OCCASION_ASKED.search(asked):
        return True
    return bool(_WAS.search(plain) and _POINTED_AT.search(plain) and not _STILL.search(plain))


def _foreign(plain: str) -> bool:
    """True for a few words of Latin script that are not English: a greeting, an answer in a language being practised."""
    return _latin_words(plain) > 2 and not is_chinese(plain) and not _SMALL.search(plain)


def _latin_words(plain: str) -> int:
    return len(re.findall(r"[A-Za-z\u00c0-\u024f]+", plain))


def passing(plain: str, score: float, asked: str) -> bool:
    """True for what is empty, for what somebody else once did, and for what only says of a thing named elsewhere
    how it is: the clause that names it is not with it, so the note would be about nothing."""
    if _EMPTY.search(plain) or _of_the_moment(plain, asked):
        return True
    if (not asked or _foreign(asked)) and _foreign(plain):
        return True
    if not asked and (_DANGLING.search(plain) or _BIT.match(plain) and not cues.LASTING.search(plain)):
        return True
    if _DATED_BIT.search(plain) and not _SUBJECT.search(plain) and not cues.LASTING.search(plain):
        return True
    if _UNNAMED.search(plain) and score < lasting.reading().sure + 0.5:
        return True
    return (
        not is_chinese(plain) and bool(_WAS.search(plain)) and not _STILL.search(plain) and not _OF_USER.search(plain)
    )


#: What is to be done once, now: "find us a guesthouse in Whitby", 「帮我查一下…」. It says nothing lasting.
_DO = (
    "book|find|get|plan|write|draft|set up|take|put|move|add|remove|cancel|order|reserve|schedule|send|call|ring|phone|make|give|show|tell|help|look|check|search|recommend|suggest|turn|convert|redo|"
    "try|fix|print|list|sort|compare|translate|pick|choose|explain|summari[sz]e|rewrite|shorten|update|change|rename|delete|create|build|run|open|start|stop|pull|push|buy|sign|split|fill|read|tidy|arrange|organi[sz]e|prepare|calculate|count|work out|figure out|reply to|answer the|remind|do the|set the|set an?|address"
)
_ENGLISH = re.compile(
    rf"^(?:(?:ok|okay|so|and|then|now|right|great|good|perfect|also|thanks|please|just|first|hi|hey|first of all|for now|could you|can you|would you|i need you to|i want you to|let's),? )*(?:{_DO})\b(?! (?:in mind|it short))|^(?:i (?:want|need)|i'd like|we need|looking for) (?:an?|some|the|one|two|three|four|five|\d+|ideas|help)\b.*\b(?:plan|list|ideas?|recipe|summary|draft|table|gift|route|itinerary|schedule|playlist|menu|email|hotel|flight|quote)s?\b",
    re.I | re.A,
)
_CHINESE = re.compile(
    r"^(?:那|现在|好)?先(?!把)(?:给|帮|写|查|看|来|回|发)(?!.*(?:再|然后|最后))|^(?:那|好|现在|先|再|然后|顺便|另外|对了|今天|明天|下周|这周)*(?:请|麻烦)?(?:你)?(?:再)?(?:帮我|给我|替我|帮忙|麻烦你?)(?!记|留意)|^(?:那|好|现在|先|再|顺便)*(?:把|将)[^，]{1,14}(?:发|写|改|加|删|换|查|列|做|整理|翻译|提)|^(?:推荐|写|查|搜|列|拟|做|排|安排|规划|订|点|来|找|算|翻译|总结|解释|画|出)(?:一?[下个份篇首张点些几]|几[个道条]|十|\d)|^(?:邀请函|信|邮件|通知|报告)(?:写给|发给)"
)
_STANDING = re.compile(
    r"\b(?:whenever|if|when|unless|except|every|each|any|all|everything|anything|never|always|only|instead of|not)\b|每|都|一律|以后|今后|往后|如果|要是|只|凡是|所有|别|不要|不用",
    re.I | re.A,
)


def errand(st: Statement) -> bool:
    """True when the clause only asks for something to be done now."""
    return not (st.lasting or st.session) and asks(st.text)


def asks(text: str) -> bool:
    """True when the words ask for something to be done, whenever that is."""
    if cues.LASTING.search(text) or cues.REMEMBER.search(text) or _STANDING.search(text):
        return False
    return bool(_ENGLISH.match(text) or _CHINESE.match(text))
