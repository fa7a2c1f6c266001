"""Instructions: text that commands the agent instead of telling it something about the user."""

import re
from collections.abc import Callable, Iterable, Iterator

from memory_app.guardrails import authority, mandate, markup, norms, orders_en, orders_zh, planted, standing
from memory_app.guardrails.findings import Hit
from memory_app.guardrails.gate import Gated, gated
from memory_app.guardrails.orders import Order, agent_verbs, imperatives, lowered

_END = re.compile(r"[.!?](?=\s|$)|[。！？；;\n]")
_REACH = 240
_ENGLISH = (*orders_en.ORDERS, *authority.ENGLISH, *standing.ENGLISH)
_CHINESE = (*orders_zh.ORDERS, *authority.CHINESE, *standing.CHINESE)
_HAN, _LATIN = re.compile(r"[\u3400-\u9fff]"), re.compile(r"[a-z]{2,}")
# Fewer words than this give no English command.
_FEW = 2
_TITLE = re.compile(r"《[^《》\n]{1,60}》")
# Somebody writing about attacks quotes them; what stands outside the quotes is still read.
_ABOUT_ATTACKS = re.compile(
    r"\b(?:attacks?|injections?|jailbreaks?|phishing|malware|payloads?|red[- ]team\w*|test cases?|detect\w*|block(?:s|ed|list)|blog|article|paper|research|talk|classifier|examples? of)\b"
    r"|攻击|注入|越狱提示|钓鱼|检测|拦截|论文|研究|红队|用例|示例|文章", re.I
)  # fmt: skip
# What somebody says of attacks that he studies is told in a clause of why or how: "a talk on injection: why models obey".
# What stands before it and after it is still read, and so is a clause that turns to its reader or begins to hold now.
_ATTACK = r"(?:\b(?:attacks?|injections?|jailbreaks?|phishing|malware|red[- ]team\w*)\b|攻击|注入|越狱|钓鱼|红队)[^.!?。！？\n]{0,40}?"
_HOLDS = r"(?![^,;:.!?，；：。！？\n]*(?:\b(?:you|your|now|today|henceforth|any ?more|no longer)\b|[你您]|今后|以后|从今|从此|不再))"
_EXPLAINED = re.compile(
    rf"({_ATTACK})((?:[,:，：、]\s*{_HOLDS}(?:(?:and |or )?(?:why|how)\b|[以并]?及?(?:为什么|为何|怎么|怎样|如何))[^,;:.!?，；：。！？\n]*)+)",
    re.I,
)
# Whoever warns not to give a secret away keeps it.
_WARNED = re.compile(
    r"(?:别|勿|不要|不能|不得|不许|不准|禁止|避免)[^,，。；\n]{0,4}(?:把|将|在)[^,，。；\n]{0,10}(?:密码|口令|令牌|密钥|私钥|验证码|凭[据证]|token)[^,，。；\n]{0,6}(?:贴|发|写|传|提交|放|告诉|给)[^,，；：。！？\n]*"
    r"|\b(?:never|don't|do not|must not|should not|shouldn't)\b[^,;.\n]{0,12}\b(?:paste|post|commit|share|put|write|send|mail|give)\b[^,;.\n]{0,20}\b(?:passwords?|tokens?|keys?|secrets?|credentials?|codes?)\b[^,;:.!?\n]*",
    re.I,
)
# What each reader fills in with a value of his own speaks to nobody: <your token>, <你的令牌>.
_FILLED_IN = gated(
    r"<(?:your|my)[ _-][a-z_ -]{1,24}>|\{(?:your|my)[ _-][a-z_ -]{1,24}\}|\[(?:your|my)[ _-][a-z_ -]{1,24}\]"
    r"|<[你您我]的[\u4e00-\u9fffA-Za-z _-]{1,10}>|\{[你您我]的[\u4e00-\u9fffA-Za-z _-]{1,10}\}",
    re.I,
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|「[^」\n]{1,200}」|'(?<!\w')[^'\n]{4,200}'(?!\w)|`[^`\n]{1,200}`"
)
_REPORTER = re.compile(
    r"^\s*(?:(?:i|we|he|she|they|the user|user)\s)?(?:wrote|writes?|writing|reads?|studies|studied|gave|gives|works|worked|built|builds|maintains|collects|asked|is|was|attended|saw|published|researches)\b|写了?|读了?|研究|做过|在做|讲过|关注|整理",
    re.I,
)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def sentence(text: str, start: int, end: int) -> str:
    """The sentence around a span, at most `_REACH` characters to either side."""
    left = text[max(0, start - _REACH) : start]
    for m in _END.finditer(left):
        last = m.end()
    head = left[last:] if _END.search(left) else left
    right = text[end : end + _REACH]
    stop = _END.search(right)
    return (head + text[start:end] + (right[: stop.start()] if stop else right)).strip()


def _readable(text: str) -> str:
    """The text with titles of works, places to fill in, and quotations in a text about attacks, blanked out."""
    if "《" in text:
        text = _TITLE.sub(_blank, text)
    if _FILLED_IN.may_be_in(text):
        text = _FILLED_IN.compiled.sub(_blank, text)
    if _ABOUT_ATTACKS.search(text) and _REPORTER.search(text):
        text = _QUOTED.sub(_blank, text)
    return text


def _judged(low: str) -> str:
    """The text for the trained reading: what is explained of attacks, and a warning not to give a secret away, are
    blanked out, since their words are those of an attack and steer nobody. The rest is judged as it stands."""
    return _WARNED.sub(_blank, _EXPLAINED.sub(lambda m: m[1] + " " * len(m[2]), low))


def _applies(order: Order, match: re.Match[str], text: str) -> bool:
    if order.own_unless is not None and order.own_unless.compiled.search(match[0]):
        return False
    if order.needs is None and order.unless is None:
        return True
    around = sentence(text, *match.span())
    if order.needs is not None and not order.needs.compiled.search(around):
        return False
    return order.unless is None or not order.unless.compiled.search(around)


def _matches(order: Order, read: str, low: str, moods: tuple[list[int], list[int]]) -> Iterable[re.Match[str]]:
    text = read if order.cased else low
    if order.by_agent is None:
        return order.pattern.finditer(text)
    return _commands(order.pattern, order.by_agent, text, moods)


def _commands(
    pattern: Gated, by_agent: Gated, text: str, moods: tuple[list[int], list[int]]
) -> Iterator[re.Match[str]]:
    for verb, places in ((pattern, moods[0]), (by_agent, moods[1])):
        if not (places and verb.may_be_in(text)):
            continue
        matched = verb.compiled.match  # looked up once: this runs for every order at every place
        for at in places:
            if (match := matched(text, at)) is not None:
                yield match


def find(text: str) -> Iterator[Hit]:
    """Every command to the agent, change of authority and imitation of the system in the text."""
    return _found(text, planted.find)


def named(text: str) -> Iterator[Hit]:
    """The same without the trained reading: it knows single texts only."""
    return _found(text, lambda _low: iter(()))


def _found(text: str, wording: Callable[[str], Iterator[Hit]]) -> Iterator[Hit]:
    yield from markup.find(text)
    read = _readable(text)
    low = lowered(read)
    moods = imperatives(low), agent_verbs(low)
    chinese, english = not read.isascii() and bool(_HAN.search(read)), len(_LATIN.findall(low)) >= _FEW
    found = False
    for order in (*(_ENGLISH if english else ()), *(_CHINESE if chinese else ())):
        for match in _matches(order, read, low, moods):
            if _applies(order, match, low):
                found = True
                yield Hit(order.rule, *match.span())
                break  # one proof of a rule is enough, and keeps hostile input cheap
    if not found:
        told = [*mandate.find(low, chinese), *norms.find(low, english, chinese)]
        yield from told or wording(_judged(low))
