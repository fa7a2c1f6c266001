"""Ways of working that the user lays down: steps in an order, fixes for errors, rules of a team."""

import re
from dataclasses import dataclass

from . import conditions
from .third_person import said_of_user

_TOPICS = (
    ("refund_procedure", "退款", r"退款|\brefunds?\b", "Refunds"), ("release_procedure", "发布", r"发布|发版|上线|\breleas(?:e|es|ing)\b", "Release"), ("expense_procedure", "报销", r"报销|\bexpenses?\b|\breimbursements?\b", "Expenses"),
    ("deploy_procedure", "部署", r"部署|\bdeploy(?:ment|ments|ing|s)?\b", "Deployment"), ("review_procedure", "评审", r"评审|\bcode reviews?\b|\bpull requests?\b|\bPRs?\b", "Review"), ("onboarding_procedure", "入职", r"入职流程|\bonboarding\b", "Onboarding"),
    ("backup_procedure", "备份", r"备份|\bbackups?\b", "Backup"), ("incident_procedure", "故障处理", r"故障|事故|\bincidents?\b|\boutages?\b", "Incident"),
)  # fmt: skip


@dataclass(frozen=True)
class Procedure:
    """A procedure as found; `text` is in the language in which it was said."""

    key: str | None
    value: str | None
    text: str
    span: tuple[int, int]
    condition: str | None = None


def topic(text: str) -> tuple[str, str, str] | None:
    """The slot of the work that the text is about, with its Chinese and English name."""
    for key, zh, pattern, en in _TOPICS:
        if re.search(pattern, text, re.I | re.A):
            return key, zh, en
    return None


_TO_DO_EN = re.compile(
    r"\b(?:to|when|before|for) (?P<what>[\w' -]{3,50}?),? (?:you |we |i |always |please )*(?:must |should |need to |have to )?first,? (?P<v>[^.!?;\n]{3,120},? (?:and )?(?:then|after that|finally|next) [^.!?;\n]{3,160})",
    re.I | re.A,
)
_STEPS_ZH = re.compile(
    r"(?P<what>[\u3400-\u9fffA-Za-z ]{2,10}?)(?:的)?(?:步骤|流程|顺序|SOP|套路)(?:一般|通常|都)?(?:是|为|如下|：|:)+\s*(?P<v>[^。！？\n]{6,160})"
)
_FIRST_THEN_ZH = re.compile(
    r"(?P<what>[\u3400-\u9fffA-Za-z]{2,12}?)(?:时|的时候|之前|前)?[，,]?(?:都|一律|必须|得|需要|要|请|应该|应|记得)*先(?P<a>[^，。；,]{2,30})[，,；]?\s*(?:然后|再|接着|后|最后)(?P<b>[^。！？；\n]{2,80})"
)
_FIX = re.compile(
    r"(?P<code>E-?\d{3,5}|[A-Z]{2,5}-\d{3,6})[^，。,]{0,12}?(?:的)?(?:解法|解决(?:办法|方法|方案)?|处理(?:办法|方法|方式)?|修复(?:方法)?|办法|对策)(?:就)?(?:是|：|:|为)\s*(?P<v>[^，。；\n]{2,60})|(?:遇到|碰到|出现|报)(?:了|错)*(?:错误)?\s*(?P<code3>E-?\d{3,5}|[A-Z]{2,5}-\d{3,6})(?:错误|报错|时|的时候|的话|就|，|,|都|要)*(?P<v3>[^，。；\n]{2,60}(?:[，,](?:先|再|然后|接着|最后|并|而是|要)[^，。；\n]{2,60})*)|\b(?:fix|solution|workaround|remedy|cure) for (?P<code2>E-?\d{3,5}|[A-Z]{2,5}-\d{3,6}) (?:is|was)(?: to)? (?P<v2>[^.;\n]{3,80})|\b(?:when|if|on) (?:you (?:see|get|hit) |we (?:see|get|hit) |i (?:see|get|hit) )?(?P<code4>E-?\d{3,5}|[A-Z]{2,5}-\d{3,6})(?: (?:appears|occurs|happens|shows up|comes up))?,? (?:just |then |we |you |i |always )*(?P<v4>[a-z][^.;\n]{4,80})|\b(?P<code5>E-?\d{3,5}|[A-Z]{2,5}-\d{3,6}) (?:is|was|gets|can be) (?:fixed|solved|resolved) (?:by|with) (?P<v5>[^.;\n]{3,80})|\b(?:what (?:fixes|solves|clears|cures|helps (?:with|against))|(?:how|the way) (?:we|i|to|you) (?:fix|solve|clear|get rid of|deal with)|the (?:fix|cure|trick|workaround) (?:for|with)) (?P<code6>E-?\d{3,5}|[A-Z]{2,5}-\d{3,6})(?: is| was|,)?(?: to)?[:,]? (?P<v6>[^.;\n]{3,160})",
    re.I | re.A,
)
_COMMAND = re.compile(
    r"\b(?:the |our )?(?P<what>test|build|lint|deploy|start|run|format|migration|dev)s? (?:command|script)(?: is|:) (?P<v>[^.;\n]{3,80})|(?P<what2>测试|构建|编译|部署|启动|格式化)(?:的)?命令(?:是|：|:)\s*(?P<v2>[^，。\n]{3,80})",
    re.I | re.A,
)


def _steps(text: str, chinese: bool) -> list[str]:
    pattern = (
        r"[，,、；→>]+\s*(?:然后|再|接着|最后|并)?|(?:然后|接着|最后)"
        if chinese
        else r"\s*(?:,|;|->|→|>|\bthen\b|\band then\b|\bfinally\b|\bafter that\b)+\s*(?:(?:and|then|finally|after that),? )*"
    )
    parts = [
        re.sub(r"^(?:先|再|第[一二三四五]步|首先|\d[.)、]|first,? |run |the )+", "", p.strip())
        for p in re.split(pattern, text)
    ]
    return [p.strip(" ,.，。") for p in parts if len(p.strip(" ,.，。")) > 1][:12]


def _trimmed(what: str) -> str:
    return re.sub(
        r"^(?:the|our|my|and|so|for|remember|note|that|处理|关于|我们|的|记住|请)\s*",
        "",
        what.strip(),
        flags=re.I | re.A,
    ).strip()


def procedure(sentence: str, chinese: bool) -> Procedure | None:
    """The procedure that a sentence states, or None."""
    if m := _FIX.search(sentence):
        groups = m.groupdict()
        code = next(v for k, v in groups.items() if k.startswith("code") and v)
        fix = next(v for k, v in groups.items() if k.startswith("v") and v).strip()
        if not re.search(r"[?？吗]|\bwhat\b|怎么", fix):
            text = f"{code} 的解法：{fix}" if chinese else f"Fix for {code}: {fix}"
            return Procedure("error_fix", f"{code} {fix}", text, m.span(), conditions.of_error(code) or code)
    if m := _COMMAND.search(sentence):
        return Procedure("command", (m["v"] or m["v2"]).strip(), m.group(0).strip(), m.span())
    return _under_a_heading(sentence, chinese) or _in_order(sentence, chinese)


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


def _under_a_heading(sentence: str, chinese: bool) -> Procedure | None:
    """The steps as they were said, under what they are the steps of."""
    told = headed(sentence, chinese)
    if not told:
        return None
    title, steps = (said_of_user(part, chinese) for part in told)
    key = found[0] if (found := topic(told[0])) else None
    steps = steps if chinese else steps[:1].lower() + steps[1:]
    text = f"{title}：{steps}" if chinese else f"{title}: {steps}"
    return Procedure(key, " > ".join(_steps(told[1], chinese)), text, (0, len(sentence)))


def _in_order(sentence: str, chinese: bool) -> Procedure | None:
    for pattern in (_STEPS_ZH, _FIRST_THEN_ZH) if chinese else (_TO_DO_EN,):
        m = pattern.search(sentence)
        if not m:
            continue
        groups = m.groupdict()
        steps = _steps(groups["v"], chinese) if groups.get("v") else _steps(f"{m['a']}，{m['b']}", chinese)
        named = topic(m["what"]) or topic(sentence)
        if (
            len(steps) < 2
            or not (named or pattern in (_STEPS_ZH, _TO_DO_EN))
            or re.search(r"[你您]|我会|我先|\byou\b|\bi will\b", m.group(0))
        ):
            continue
        what = _trimmed(m["what"])
        title = named[1] if named and chinese else named[2] if named else what
        text = f"{title}步骤：先{'，再'.join(steps)}" if chinese else f"{title} steps: {', '.join(steps)}"
        return Procedure(named[0] if named else None, " > ".join(steps), text, m.span())
    return None
