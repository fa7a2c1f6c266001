"""A way of working told under a heading: "Here is how we do refunds: …", 「报销流程：先…再…」."""

import re

#: What the steps are steps of, told before a colon or as the case in which they are taken.
_HEAD_EN = re.compile(
    r"^(?:(?:and|so|ok|okay|please|remember|note|for the record|fyi)[,:]? )*(?:(?:this|here)(?:'s| is| are) |(?:(?:i'm going to|let me|i'll|i will|i want to|i'd like to) )?(?:describe|explain|tell you|show you|walk you through|write down|spell out) )?(?:"
    r"(?:how|the way) (?:we|i|to|you|our team|the team) (?P<do>[^:]{3,80}?)"
    r"|(?:our|the|my|a|this)? ?(?P<noun>[\w' -]{3,40}? ?(?:steps?|process|procedure|checklist|routine|workflow|flow|runbook|drill|rules?|protocol|order))(?: (?:for|of|when|with) (?P<for>[^:,]{3,40}))?"
    r"|(?P<goes>[\w' -]{3,40}?) (?:go(?:es)?|works?|is done|are done|is handled|are handled) (?:like this|this way|as follows)"
    r"|(?:to (?!get |go |be )|when |whenever |before |after |for (?:every |each |any |all |new ))(?P<case>[^:,]{3,50}))"
    r"(?: (?:is|are|goes?|below|as follows|like this))*(?:,? (?:please|so (?:that )?you|keep|remember|note|save|write)\b[^:,]{0,40})?\s*(?::|,? is[:,]?|,? -)\s+(?P<steps>\S.{12,})$",
    re.I | re.A,
)
_CASE_EN = re.compile(
    r"^(?:(?:and|so|ok|okay|please|remember|note)[,:]? )*(?P<case>(?:when|whenever|every time|each time|any time|before|after|if|(?:on|for) (?:every|each|any|all|new|a new)) [^:;]{4,70}?),? (?:we|i|you|our \w+)(?: always| first| have to| need to| must)? (?P<steps>(?!(?:was|were|had|went|got|did|came|saw|took|found|wanted|tried|noticed|said|\w+ed)\b)[a-z][^:]{3,}?\b(?:then|after that|and finally|and last)\b.{4,})$",
    re.I | re.A,
)
_HEAD_ZH = re.compile(
    r"^(?:请|帮我|麻烦|好|那|嗯|另外)*(?:记(?:住|一下|下)?[，,：:]?)?(?P<what>(?!.*(?:帮我写|写一?[个份]|怎么写))[^：:，,。]{0,16}?(?:流程|步骤|顺序|手续|规程|套路|做法|办法|SOP|清单|怎么[^，：:。]{1,6}))(?P<more>[^：:]{0,24})[：:]\s*(?P<steps>\S.{5,})$"
)
_ASIDE_ZH = re.compile(
    r"(?:你|我)(?:给我|帮我)?(?:再)?(?:记|说|讲|存|收)[^，：:]{0,5}|是这样的?|如下|一般是?|通常是?|是$|我说一[遍下]|^我们?(?=[^公团部]{2})|我的|[，,].*$"
)
_STEP = re.compile(
    r"然后|接着|最后|之后|[，,；、](?:再|并|才|由|就|转)|先|首先|第[二三]步|\bthen\b|\bfinally\b|\bafter that\b|\bnext\b|\blast(?:ly)?\b|->|→|\d[.)]",
    re.I | re.A,
)
_PARTS = re.compile(r"[，,；;、]|->|→|\bthen\b|\band\b")


def steps_in(text: str) -> bool:
    """True when the words tell of several steps, one after the other."""
    return len(_PARTS.findall(text)) >= 1 and bool(_STEP.search(text)) or len(_PARTS.findall(text)) >= 2


def headed(sentence: str, chinese: bool) -> tuple[str, str] | None:
    """Heading and steps of a procedure, both as they were said."""
    if chinese:
        m = _HEAD_ZH.match(sentence)
        if not m or not steps_in(m["steps"]) or not _STEP.search(m["steps"]):
            return None
        what = _ASIDE_ZH.sub("", m["what"]).strip() or m["what"]
        return re.sub(r"(?:是|的)?怎么(?:做|办|弄|搞|走|处理)?(.*)$", r"\1", what), m["steps"].strip()
    if m := _HEAD_EN.match(sentence):
        title = m["do"] or m["noun"] or m["goes"] or m["case"]
        if m["noun"] and m["for"]:
            title = f"{m['noun']} for {m['for']}"
        title = re.split(r",? (?:so (?:that|you)|because|please|in case)\b", title.strip(), flags=re.I)[0]
        title = re.sub(r"^(?:do|handle|run|process) (?=\w+s\b)", "", title.strip(), flags=re.I)
        telling = m["do"] or m["noun"] or m["goes"]
        several = len(_PARTS.findall(m["steps"])) >= 2
        if steps_in(m["steps"]) and (telling or several or _STEP.search(m["steps"])):
            return f"{title[:1].upper()}{title[1:]}", m["steps"].strip()
    if m := _CASE_EN.match(sentence):
        return f"{m['case'][:1].upper()}{m['case'][1:]}", m["steps"].strip()
    return None
