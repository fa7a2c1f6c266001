"""Guesses about a person and undecided plans.

A hedge is a guess when its subject is a person, named or left out; hedges about things ("the index may be missing"),
approximations ("about 15 minutes"), polite conditions ("if possible") and titles are not. A reader's certainty about
himself ("thinks tabs are better") is a statement.
"""

import re
from collections.abc import Iterator

from memory_app.guardrails.findings import Hit
from memory_app.guardrails.gate import gated
from memory_app.guardrails.orders import lowered, search

_PERSON_EN = r"(?:he|she|they|i|we|user|the user|users|customer|the customer|client|the client|caller|patient|guest|visitor|colleague|boss|manager|wife|husband|partner|son|daughter|friend|engineer|person|someone|who|him|her)"
_THING = re.compile(
    r"\b(?:bug|cache|index|server|service|api|job|build|test|tests|query|request|error|issue|outage|incident|crash|latency|delay|network|disk|memory leak|timeout|deploy\w*|pipeline|weather|rain|snow|traffic|trains?|flights?|bus|price|prices|cost|costs|"
    r"file|files|package|version|library|code|function|module|database|table|port|config\w*|driver|firmware|screen|app|page|site|button|release|migration|log|logs|dns|patch|update|feature|hotel|restaurant|shop|store|parcel|delivery|order|queue|cluster|node|"
    r"container|kernel|compiler|parser|regex|thread|process|connection|token|certificate|key|meeting|event|concert|course|book|movie|film|results?|numbers?|data|model|ui|layout|theme|font|it'?s|it|this|that|there|which|what|mode|setting|approach|option|tool|plan)\b",
    re.I,
)
_THING_ZH = re.compile(
    r"缓存|接口|服务器?|数据库|程序|代码|脚本|超时|网络|磁盘|内存|版本|依赖|日志|端口|配置|索引|请求|响应|故障|异常|报错|错误|问题|原因|bug|部署|流水线|测试|构建|线上|延迟|天气|路上|路况|拥堵|堵|下雨|下雪|台风|堵车|航班|列车|轮渡|渡轮|班车|地铁|公交|晚点|高铁(?=晚|延|停)|飞机|快递|包裹|价格|费用|酒店|餐厅|商品|库存|订单|系统|页面|按钮|功能|模块|"
    r"文件|数据|模型|结果|指标|会议|活动|路线|景点|电池|屏幕|驱动|固件|证书|线程|进程|队列|方案|需求|排期|进度|工期|DNS|API|SQL|容器|集群|节点|算法|参数|字段|触发|导致|引起|造成",
    re.I,
)
_BOUND_EN = r"(?:^|[.!?;:,\n(–—]|\s-\s|\b(?:and|but|so|that|because|though|although|also|or|says|said)\b)\s{0,3}"
_NAME = (
    r"\b(?!(?:it|this|that|there|here|what|which|these|those|the|you|your|who|everything|things?|nothing|one|some|all|and|but|how|why|when)\b)"
    r"(?-i:[A-Z])[a-z]{1,14}"
)
_STRONG = search(
    r"\b(?:maybe|perhaps(?! (?:is|was) an? )|possibly|presumably|supposedly|seemingly|conceivably|probably|doubtless|allegedly|reportedly|apparently|arguably|i (?:guess|suppose|suspect|assume|think|believe|imagine|reckon|bet|gather|feel like)(?! (?:about|of|in|so)\b)|i'd (?:guess|say|bet)|i would (?:guess|bet)"
    r"|my (?:hunch|guess|impression|assumption|feeling|bet|sense) (?:is|was|would be)|who can say|(?:best|wild|educated) guess|guess(?:ing)?(?: is)?(?: that)?(?= from| by|:| he| she| they| the user)|hunch|one (?:could|might) (?:guess|assume|infer)|judging (?:by|from)|inferred?(?: from)?|(?:it|this|that) (?:suggests|implies|hints)|reading between the lines"
    r"|not sure|unsure|uncertain whether|unconfirmed|unverified|not (?:yet )?confirmed|never (?:said|confirmed|stated) (?:so|it)|no idea (?:if|whether)|(?:it's|it is) (?:likely|possible|probable|conceivable) (?:that )?|chances are|odds are|in all likelihood|most likely|very likely|i have a feeling|strikes (?:me|one) as|comes across as|gives? the impression|gets? the (?:feeling|impression|sense)|assum(?:ed|ing|ption)|speculat\w+|wouldn't be surprised"
    r"|(?:may|might|could) (?:very )?well|ha(?:s|ve) got to be|'s got to be|bound to be|if you ask me|(?:i'd|i would|my) (?:put )?money (?:is )?on|(?:i'd|i would) (?:put money|wager)|i wager|makes? (?:one|me|you|us) wonder|(?:i|one|we) (?:do |can only |can't help but )?wonders? (?:if|whether|about)|for all (?:i|we) know"
    r"|by the looks? of (?:it|him|her|them|things)|(?:as far as|from what) (?:i|we|one) (?:can )?(?:tell|gather|see|make out)|to judge by|gut feeling|could it be|who knows (?:if|whether)|(?:fairly|pretty|reasonably|almost|quite|nearly|somewhat) (?:sure|certain|positive)|(?:anybody|anyone)(?:'s|’s) guess|(?:good|fair|decent|strong) chance (?:that|of)|there's a chance|in all probability|everything points to|(?:smells|smacks|reeks) (?:like|of)|has all the (?:signs|hallmarks)|reads? like (?:an?|someone)"
    r"|surely (?:an?|he|she|they|has|must)|no doubt (?:he|she|they|an?)|i take (?:him|her|them) for|(?:pegged|down) as an?|vibes?(?= of| like))\b(?!-)"
)
_LIKELY = gated(
    rf"(?:{_BOUND_EN}(?:is\s|are\s|was\s)?|(?:\b{_PERSON_EN}|{_NAME})\s(?:is|are|was|will|would|has)?\s?)(?:quite\s|very\s|more\s|most\s)?likely\s(?:to\s|an?\s|in\s|at\s|has\s|is\s|the\s|works?\s|lives?\s|prefers?\s|likes?\s|\w+s\b)",
    re.I,
)
_MODAL = gated(
    rf"(?:{_BOUND_EN}|\b{_PERSON_EN}\s|{_NAME}\s)(?:also\s|just\s|well\s)?(?:might|could|may(?!\s(?:\d|day\b|and\b|or\b|is\b|was\b|has\b|be (?:her|his|their|the) (?:busiest|favou?rite))))\s(?:well\s|also\s|still\s|even\s|just\s|actually\s|not\s|have\s|already\s)?"
    r"(?:be|been|have|like|prefer|want|need|move|live|work|enjoy|dislike|hate|know|come|own|study|plan|switch|quit|leave|suffer|speak|belong|start|join|marry|retire|go|buy|travel|visit|get|become|consider|change|take)\b", re.I
)  # fmt: skip
_MUST = gated(
    rf"(?:\b{_PERSON_EN}|{_NAME})\smust\s(?:really\s|surely\s)?(?:be\s(?:an?|from|into|in (?:his|her|their)|one of|\w+ing|so|very|married|single|rich|new)\b|have\s(?:been|\w+ed|an?\s\w+er)\b)"
    rf"|{_BOUND_EN}must be (?:going through|having|seeing|getting|losing|hiding|from|into|an?\s\w*(?:er|or|ist|ian|man|woman|fan|parent|vegan|student|person|owl))\b", re.I
)  # fmt: skip
# What there is said to be is a guess about somebody where it is a matter of private life.
_THERE_IS = re.compile(r"\bthere(?:'s|’s| is| are| was| has| have)?\s*$", re.I)
_PRIVATE_LIFE = re.compile(
    r"\b(?:at home|in (?:the|his|her|their) (?:family|marriage|past)|between (?:them|the two)|marriages?|divorces?|separation|break-?up|affair|pregnanc\w+|baby|bab(?:y|ies)|illness|disease|diagnosis|depression|anxiety|burn-?out|addiction|drinking|money (?:trouble|problems|worries)|debts?|grief|bereavement|a (?:boy|girl)friend|a husband|a wife)\b",
    re.I,
)
_TO_YOU = re.compile(r"^\s*(?:you|your|it|that|this|fun|good|great|nice|a (?:plan|lot|great|good|nice|lovely))\b", re.I)
_DETERMINED = re.compile(r"^\s*(?:the|all|your|his|her|their|our|my|this|these|those|some|every|what|\w+ing)\b", re.I)
_SEEMS = gated(
    rf"(?:{_BOUND_EN}|\b{_PERSON_EN}\s|{_NAME}\s)(?:also\s|really\s|it\s|always\s)?(?:seems?|seemed|appears?|appeared)\s(?:to\b|like\b|as if\b|that\b|as though\b|an?\b|\w+(?:ed|ish|ful|ous|al|ic|ly|y|ent|ant|ive)\b|{_PERSON_EN}\b|the (?:couple|neighbou?rs?|family|man|woman|guy|girl|boy|boss|two of them)\b|(?:very|quite|rather|pretty|more|into|keen|fond)\b)"
    rf"|(?:{_BOUND_EN})(?:it\s)?(?:looks?|sounds?)\s(?:to (?:me|us)\s)?(?:like|as if|as though|to be)\b|\b{_PERSON_EN}\s(?:looks?|sounds?)\s(?:like|as if|as though|to be)\b|\b{_PERSON_EN}\stends? to be\b", re.I
)  # fmt: skip
# What somebody is like, read off a sign of it: "His tone suggests he is about to quit".
_SIGN = search(
    r"\b(?:tone|voice|manner|mood|messages?|mails?|words?|wording|spelling|writing|handwriting|questions?|purchases?|orders?|basket|silence|accent|clothes|outfit|posts?|photos?|habits?|timing|face|looks?|behaviou?r|body language|pauses?|browsing|searches|spending|diet|car|postcode|schedule|evasions?|hints?|remarks?|jokes?)\b[^.!?\n]{0,40}?\s"
    rf"(?:suggest|impl(?:y|ie)|hint|indicate|signal|point|betray|tell|say|reveal|scream|give)s?\s(?:me\s|us\s|away\s|at\s|to\s|that\s|of\s){{0,2}}(?:{_PERSON_EN}|his|her|their)\b"
)
_UNDECIDED = search(
    r"\b(?:has(?:n't| not)|have(?:n't| not)|not(?: yet)?|still (?:has(?:n't| not) )?)\s?(?:yet\s)?(?:decid(?:ed|ing)|made up (?:his|her|their|my) mind|settled on|chosen)\b|\b(?:is|are|was|still|currently)\s(?:still\s)?(?:undecided|torn between|on the fence|toying with|debating|mulling|contemplating|wavering|weighing (?:up )?(?:whether|an?|the))\b"
    r"|(?:\b(?:is|are|still|currently|been)\s|^|[.;,]\s)(?:still\s)?(?:considering|thinking (?:about|of)|contemplating)\s(?:an?\s|the\s|whether\s|\w+ing\b|moving|to\b)|\bundecided\b|\bcan(?:'t|not) decide\b|\bmay or may not\b|\bon the fence\b|\bup in the air\b|\b(?:nothing|not|isn't|aren't|far from)(?:'s| is| has been)?(?: yet)? (?:settled|decided|finali[sz]ed|certain|firm)\b(?! (?:by|in court))|\b(?:toying|flirting|playing) with the (?:idea|thought)|\bentertaining the (?:idea|thought)|\bhalf (?:thinking|inclined|considering|tempted)\b|\b(?:half a mind|in two minds|of two minds)\b"
    r"|\b(?:jury is|jury's) (?:still )?out\b|\b(?:but|though|or) it (?:all )?depends\b|\bremains to be seen\b|\bas easily be\b|\bsleeping on it\b|\byet to (?:decide|choose|settle|pick|make up)\b|\bno (?:final |firm )?(?:decision|choice|verdict)\b(?! (?:maker|tree|support))|\bone day,? (?:perhaps|maybe)\b|\bto be decided\b|\b(?:wavers?|wavering|dithering|dithers|torn|vacillat\w+)\b(?= between| over| about)|\bmight or might not\b|\bwhether or not to\b"
)
_HEARSAY = search(
    r"\b(?:rumou?r(?:s|ed)?(?: has it| says?)?|(?:i|we) heard (?:that )?|(?<!magic )(?<!code )(?<!safe )(?<!secret )(?<!pass )word is|people say|(?:is|are) said to|(?:is|are) rumou?red)\b"
)
_TECH_CAUSE = re.compile(
    r"\b(?:caused by|because of (?:the|a) (?:cache|network|server|bug)|root cause|failing|fails|crash\w*|times? out|due to)\b",
    re.I,
)
_NUMBER_NEXT = re.compile(
    r"^\s{0,3}(?:in\s|on\s|at\s)?(?:about|around|roughly|approximately|some|under|over|only|less than|more than)?\s?[\d~≈]"
)
# "The maybe monad", "a dog called Perhaps", "a band called Probably Maybe": the word, or the title it is in, names a thing.
_AS_NAME = re.compile(r"(?:^|\s)(?:the|an?|his|her|their|our|my|this|called|named|titled|of|word)\s?$", re.I)
_TITLE = re.compile(r"(?:\b[A-Z][a-z]+\s)+$")
_QUOTED = re.compile(r"(?:[\"“「『‘]|(?<!\w)')(?:[^\"”」』’'\n]{1,60})[\"”」』’']|《[^》\n]{1,60}》")

_PERSON_ZH = r"(?:他们?|她们?|用户|客户|对方|顾客|本人|我|此人|这人|那人|这位|该用户|同事|老板|朋友|女友|男友|妻子|丈夫|孩子|[王李张刘陈杨赵黄周吴徐孙朱马胡郭林何高罗老小][\u4e00-\u9fff]{0,2})"
_PRED_ZH = r"(?:喜欢|不喜欢|偏好|偏爱|爱|讨厌|想|要|会|在|是|有|没|不|住|做|来自|搬|换|去|更|比较|挺|很|对|属于|单身|已婚|离婚|离职|怀孕|打算|准备|需要|叫|姓|养|从事|学|吃|喝|信|快|刚|已经|也|还|比|从|用|支持|反感|介意|害怕|擅长|认识|买|卖|租|生病|失业|退休)"
_HEDGE_ZH = gated(
    r"也许|或许|兴许|可能(?!性|的话|世界)|大概(?!\s{0,2}(?:要|需要?|花|用|是|在)?\s{0,2}[\d一二两三四五六七八九十几半])|大约是|多半|(?<![到充至占约剩])八成(?!新|熟|左右|以上|电|股|仓)|九成|没准|说不定|似乎|好像(?!素)|貌似|看来|(?<!喜欢)(?<!偏好)(?<!偏爱)(?<!讨厌)(?<!选)(?<!要)(?<!爱)(?:看起来|看上去)|看样子|听起来|估摸|想必|恐怕|未必|应该(?=是|会|喜欢|有(?!必要)|在(?!\S{1,6}[前后内])|住|不(?!要|能|该|应)|挺|很|比较|更|偏|属于|来自|姓|刚|已经?|还没|没|对|爱|快)"
    r"|估计(?!\s{0,2}(?:要|需要?|花|用)?\s{0,2}[\d一二两三四五六七八九十几半]|工时|误差|量|值|时间|器)|(?<![你字灯])猜(?!谜|灯|拳|字|中|大小|歌|画|对|题)|猜测|推测|推断|揣测|疑似|怀疑|感觉(?=他|她|用户|客户|对方|这人|这位|好像|像是|应该|不太|挺|是个|有点|对)|觉得(?=他|她|用户|客户|对方|这个?人|这位)|料想|按理(?:说)?|印象中(?:似乎|好像)?|不确定(?!性)|不太确定|不知道是不是|看着(?:就)?像|(?:我看|看上去|语气|口气|样子)(?:他|她|用户|对方)?(?:就|挺|有点)?像(?:是)?|没下(?:定)?决心|大概率|看模样|不一定|拿不准|说不准|没有?确认|未经?证实|未确认|没明说|没问过|虽然没说|怕不?是(?!的)|莫非|莫不是|难不成|该不会|别是(?!一般)|十有八九|保不[齐准]|指不定|备不住|想来(?=[他她是])|(?:琢磨|寻思)着?(?=[他她])|依我看|怎么看都|准是|(?:听|看|闻)(?:口音|口气|语气|声音|意思|打扮|穿着|长相|文笔|笔迹)[^，。]{0,6}像|不会是(?=[^，。]{1,12}吧)|会不会是|(?<![查看问认清实断试测])是不是(?=[^，。]{1,8}了(?:$|[。？]))|(?<![还就算要老也])(?:是|姓|住|有)[^，。！？]{1,8}吧(?=[。！？]|$)|从[^，。]{1,14}(?:来看|判断|推断|看出|看)|(?<![A-Za-z])(?:maybe|perhaps|probably)(?![A-Za-z\-])"
)  # fmt: skip
_HEARSAY_ZH = gated(rf"(?:听说|据说|据传|传闻|有人说|听人说|风闻)(?!读写|过|了|读)[，,]?(?={_PERSON_ZH}|{_PRED_ZH})")
_UNDECIDED_ZH = gated(
    r"(?:还|尚|仍|暂时|一直|目前)?(?:没|未|没有|不)(?:想好|决定|定下来?|确定(?!性)|考虑好|拿定)(?=[^。，,]{0,14}(?:要不要|去不去|是否|哪|换不换|买不买|搬不搬|$|。|，|,|吗|还是|[去换买搬学]))|还没(?:有)?(?:想好|决定|定下?来?|考虑好|拿定主意)|尚未决定|(?:在|正|还在|仍在|正在)(?:犹豫|纠结|考虑(?:要不要|是否|换|搬|去|辞|买|转|离|学|移民|跳槽)|斟酌|权衡)|犹豫(?:要不要|是否|不决|着)|要不要[^。，,]{1,12}(?:还没|再说|没定|看情况)|(?:考虑|琢磨)(?:要不要|是否|着)|举棋不定|二选一还没|两可之间|没个准|没准主意|拿不定|没拍板|八字[还都]?没一撇|(?:没有?|未有|无)(?:结论|定论|答案|着落)|(?:谁也|还|也)?(?:说不好|不好说|难说)|悬而未决|摇摆不定|还没影|(?:到时候?|以后|过年|回头|过阵子)再(?:说|看|定)|看情况再|还没谱|走一步看一步"
)
_REMARK_ZH = re.compile(
    r"^(?:你|您|很|挺|真|非常|是个|还)?(?:不错|好(?!像)|棒|简单|有趣|美味|有意思|厉害|精彩|漂亮|舒服|你|您|这(?!人|位))"
)
_MODIFIER_ZH = re.compile(
    r"^(?:很|挺|比较|像|非常|不)[^，。,]{1,10}的(?!人|女|男|样|性格|类型|那种)[\u4e00-\u9fff]{2,6}(?:要|是|需|应|得|放|会|都|在|不)"
)
_POLITE_ZH = gated(r"(?:如果|要是|若|有|假如|只要|倘若)(?:有)?可能|可能的话|尽可能|可能性|不可能|可能(?:是)?因为缓存")
_NUMBER_ZH = re.compile(
    r"^(?:要|需要?|花|用|是|在|会|睡|跑|走|喝|吃|看|等|工作|骑|开|花费|耗时|每天|每周|每月|提前){0,2}了?\s{0,2}[\d一二两三四五六七八九十几半]+\s{0,2}(?:分钟|小时|天|点|个|次|元|块|公里|米|%|人|周|月|年(?!纪)|斤|公斤)"
)
_CLAUSE_ZH = re.compile(r"[，,。！？；;!?\n：:（(]")


_HEDGES = (
    (_STRONG, re.compile(r"\w")),
    (_LIKELY, re.compile(r"likely")),
    (_MODAL, re.compile(r"might|could|may")),
    (_MUST, re.compile(r"must")),
    (_SEEMS, re.compile(r"seem|appear|look|sound|tend")),
    (_SIGN, re.compile(r"suggest|impl|hint|indicat|signal|point|betray|tell|say|reveal|scream|give")),
)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _clause_before(text: str, at: int) -> str:
    return re.split(r"[.!?;\n,]\s|\n", text[max(0, at - 120) : at])[-1]


def _clause_after(text: str, at: int) -> str:
    return re.split(r"[.!?;\n]", text[at : at + 100])[0]


def _is_about_person(before: str, after: str) -> bool:
    """True unless the subject of the hedged clause is a thing."""
    if _THERE_IS.search(before) and _PRIVATE_LIFE.search(after):
        return True
    subject = re.sub(
        r"^(?:(?:also|and|but|so|because|that|says?|said)\b\s?)+|\b(?:there|which)$", "", before.strip(), flags=re.I
    )
    after = re.sub(r"^\s*be\s(?:an?\s|some\s|the\s)?", "", after)
    if re.search(rf"\b{_PERSON_EN}\b", subject, re.I):
        return True
    if subject and _THING.search(subject):
        return False
    if re.search(rf"\b{_PERSON_EN}\b", after[:60], re.I):
        return True
    if _TECH_CAUSE.search(after) or re.match(r"\s*(?:the|a|an|this|that|some)\s", after) and _THING.search(after[:30]):
        return False
    return not _THING.match(after.strip())


def _is_impression(hedge: str, after: str) -> bool:
    """True for a remark on something ("sounds like fun", "looks like the parade was a success")."""
    if _TO_YOU.match(after):
        return True
    return (
        hedge.endswith("like")
        and bool(_DETERMINED.match(after))
        and not re.search(rf"\b{_PERSON_EN}\b", after[:24], re.I)
    )


def find(text: str) -> Iterator[Hit]:
    """Every guess about a person in the text."""
    read = _QUOTED.sub(_blank, text)
    yield from _english(read)
    if not read.isascii():
        yield from _chinese(read)


def _english(text: str) -> Iterator[Hit]:
    low = lowered(text)
    for pattern, hint in _HEDGES:
        if not hint.search(low):
            continue
        for m in pattern.finditer(low if pattern in (_STRONG, _SIGN) else text):
            before, after = _clause_before(text, m.start()), _clause_after(text, m.end())
            own = before + " " + m[0] if pattern is not _STRONG else before
            if (
                pattern in (_MODAL, _MUST, _LIKELY)
                and _THING.search(m[0])
                and not re.search(rf"\b{_PERSON_EN}\b", m[0], re.I)
            ):
                continue
            named = _TITLE.sub("", before) if text[m.start()].isupper() else before
            if (pattern is _STRONG and (_NUMBER_NEXT.match(after) or _AS_NAME.search(named))) or (
                pattern is _SEEMS and _is_impression(m[0], after)
            ):
                continue
            if _is_about_person(own if re.search(rf"\b{_PERSON_EN}\b", m[0], re.I) else before, after):
                yield Hit("speculation.guess", *m.span())
                break
    for pattern, rule in ((_UNDECIDED, "speculation.undecided"), (_HEARSAY, "speculation.hearsay")):
        for m in pattern.finditer(low):
            before = _clause_before(text, m.start())
            if not (_THING.search(before) and not re.search(rf"\b{_PERSON_EN}\b", before, re.I)):
                yield Hit(rule, *m.span())
                break


def _chinese(text: str) -> Iterator[Hit]:
    polite = [m.span() for m in _POLITE_ZH.finditer(text)]
    for pattern, rule in (
        (_UNDECIDED_ZH, "speculation.undecided"),
        (_HEARSAY_ZH, "speculation.hearsay"),
        (_HEDGE_ZH, "speculation.guess"),
    ):
        for m in pattern.finditer(text):
            if any(a <= m.start() < b for a, b in polite):
                continue
            before = _CLAUSE_ZH.split(text[max(0, m.start() - 40) : m.start()])[-1].strip()
            after = _CLAUSE_ZH.split(text[m.end() : m.end() + 40])[0].strip()
            if (
                _NUMBER_ZH.match(after)
                or _is_thing(before, after)
                or (m[0].endswith(("起来", "看来")) and _REMARK_ZH.match(after))
            ):
                continue
            yield Hit(rule, *m.span())
            break


def _is_thing(before: str, after: str) -> bool:
    if re.search(rf"(?:{_THING_ZH.pattern})$", before) or _MODIFIER_ZH.match(after):
        return True
    if re.search(_PERSON_ZH + r"$|用户|客户|他|她", before):
        return False
    if before and _THING_ZH.search(before):
        return True
    return (
        not re.match(rf"{_PERSON_ZH}|{_PRED_ZH}(?!因为)", after)
        and bool(_THING_ZH.search(after))
        or bool(re.match(r"(?:是|因为|由于|和|跟|与)", after) and _THING_ZH.search(after))
    )
