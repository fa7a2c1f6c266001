"""When or for what a statement holds: the short condition that a note carries beside its slot."""

import re
from functools import lru_cache

from . import dates

_TRAVEL: tuple[tuple[str, str, str, str], ...] = (
    # token, pattern, how a Chinese note says it, how an English one does
    (
        "business_trip",
        r"出差|商务(?:旅行|出行|行程|差旅)|差旅|\b(?:business|work) (?:trips?|travel|flights?)\b|\b(?:travel(?:l?ing)?|fly(?:ing)?|trips?|flights?|go(?:ing)?(?: away)?|away) (?:for|on) (?:work|business)\b|\bon business\b",
        "出差",
        "on business trips",
    ),
    (
        "family_trip",
        r"(?:家庭|亲子|全家|一家人)(?:一起|都)?(?:出行|旅行|旅游|游|出游|出门|出去)|(?:带|跟|和|陪)(?:着|上)?(?:我)?(?:娃|孩子|小孩|家人|家里人|老人|爸妈|父母|全家|一家人|老婆孩子)(?:们)?(?:一起|一块儿?)?(?:出行|出门|旅行|旅游|出游|出去|去?玩|走|坐|飞|的话|的?时候?|就(?!是|行)|$)|\bfamily (?:trips?|travel|flights?|journeys?|vacations?|holidays?)\b|\b(?:travel(?:l?ing)?|fly(?:ing)?|trips?|flights?|go(?:ing)?(?: away)?|away|holidays?) with (?:my |the |our )?(?:family|kids|children|parents)\b|^(?:and |but |while )?(?:(?:if|when|whenever) (?:it's|it is|i'm|i am|we're) )?with (?:my |the |our )?(?:family|kids|children|parents)\b",
        "家庭出行",
        "on family trips",
    ),
    (
        "short_trip",
        r"短(?:途|程|线)(?!车)|\bshort(?:er)?[- ](?:trips?|distances?|hauls?|flights?|journeys?|hops?)\b|\bshort-haul\b",
        "短途",
        "on short trips",
    ),
    (
        "long_trip",
        r"长(?:途|线)(?!车|电话)|跨国|\blong(?:er)?[- ](?:trips?|distances?|hauls?|flights?|journeys?|rides?)\b|\blong-haul\b",
        "长途",
        "on long trips",
    ),
    (
        "international",
        r"国际(?:航班|长途|出行|旅行)|出国|\binternational (?:flights?|trips?|travel)\b|\babroad\b",
        "国际出行",
        "on international trips",
    ),
    ("domestic", r"国内(?:航班|出行|旅行)|\bdomestic (?:flights?|trips?|travel)\b", "国内出行", "on domestic trips"),
    ("overnight", r"过夜|\bovernight (?:trips?|flights?|trains?|stays?)\b", "过夜", "overnight"),
    (
        "weekend",
        r"(?<![这本上下])(?<![这本上下]个)周末|(?<!\bthis )(?<!\bnext )(?<!\blast )\b(?:on |at )?weekends?\b",
        "周末",
        "on weekends",
    ),
    ("weekday", r"工作日|周一到周五|\b(?:on )?weekdays?\b", "工作日", "on weekdays"),
)
_HOURS = re.compile(
    rf"(?:(?:不到|少于|不超过|小于|低于|短于)\s*|(?<!\s)\s+)?(?P<a>{dates.NUMBER})\s*个?小时(?:以内|以下|之内|内|以上)?(?:的)?|\b(?P<side>under|below|less than|shorter than|within|up to|over|more than|longer than)\s*(?P<b>{dates.NUMBER}) ?(?:hours?|hrs?|h)\b",
    re.I | re.A,
)
_DAYS = re.compile(
    rf"(?:不到|少于|不超过|短于)\s*(?P<a>{dates.NUMBER})\s*天|(?P<a2>{dates.NUMBER})\s*天(?:以内|以下|之内|内)|\b(?:under|below|less than|shorter than|within)\s*(?P<b>{dates.NUMBER}) ?days?\b|\b(?P<week>(?:under|less than|shorter than) (?:a|one) week)\b",
    re.I | re.A,
)
_SERVICE = re.compile(
    r"(?<![\w-])(?P<v>nginx|node(?:\.?js)?|redis|kafka|gateway|api|frontend|backend|demo[_ -]backend|web(?: ?server)?|grafana|prometheus|jenkins|gitea|gitlab|minio|rabbitmq|elasticsearch|postgres(?:ql)?|mysql|django|flask|fastapi|vite|jupyter|worker|proxy|staging|production)(?![\w-])|(?P<zh>网关|前端|后端|代理|数据库|生产环境|测试环境)",
    re.I | re.A,
)
_SERVICE_ZH = {
    "网关": "gateway",
    "前端": "frontend",
    "后端": "backend",
    "代理": "proxy",
    "数据库": "database",
    "生产环境": "production",
    "测试环境": "staging",
}
_OWN_SERVICE = re.compile(r"\bmy own service\b|我自己的服务", re.I | re.A)
_PROJECT = re.compile(
    r"(?P<zh>[\u3400-\u9fff]{2,4}?)(?:项目|服务|系统)(?=[^，。]{0,8}(?:用|数据库|主库|技术栈))|(?<![A-Za-z])(?P<latin>[A-Za-z][\w-]+)(?:这个)?(?:项目|系统)(?=[^，。]{0,8}(?:用|数据库|主库|技术栈|是))|\b(?:the |our )?(?P<en>(?!new\b|main\b|whole\b|same\b|this\b|that\b|our\b|the\b)[a-z]+) (?:project|service)\b",
    re.I | re.A,
)
_PROJECT_ZH = {
    "订单": "orders",
    "报表": "reports",
    "支付": "payments",
    "用户": "users",
    "库存": "inventory",
    "搜索": "search",
    "物流": "logistics",
    "计费": "billing",
    "推荐": "recommendation",
}
_GENERAL = {"这个", "那个", "新的", "我们", "整个", "全部", "该", "新", "每个", "开会", "项目"}
_CODE = re.compile(r"(?<![A-Za-z])E-?\d{3,5}(?!\d)|\b[A-Z]{2,5}-\d{3,6}\b|\bHTTP ?[45]\d\d\b")
_EXCEPT = re.compile(
    r"\bexcept (?:for |on |in )?(?P<en>[a-z -]{3,30})|除(?:了|非)(?P<zh>[\u3400-\u9fff]{2,8})(?:以外|之外|外)?",
    re.I | re.A,
)


_APART = re.compile(
    r"^(?:but |and )?(?:except|unless|excluding|apart from|other than|with the exception of|but not(?= (?:for|on|in|when|if|at)\b))(?: (?:when|if|whenever))?(?: (?:i|we) (?P<own>[\w' -]{2,40})|(?: (?:for|on|in|if|when|whenever|at|it's|it is|i'm|i am|we're|we are|an?|the))* (?P<en>(?!you\b|that\b|this\b|it\b)[\w' -]{2,40}))$"
    r"|^(?:但是?|不过|而)?除(?:了|非|开)?+(?:是|在|坐)?+(?P<zh>[^，。]{1,12}?)(?:以外|之外|外)?$"
    r"|^(?:但是?|不过|而)?(?P<zh2>[^，。]{1,12}?)(?:时|的时候)?(?:除外|例外|不在此列)$",
    re.I | re.A,
)


_BESIDES = re.compile(r"还|也|另外|更|\b(?:also|too|as well|additionally)\b", re.I | re.A)


#: The exception and the statement in one clause: 「除了周日我每天六点划船」.
_ALL_TOLD = re.compile(r"除了?[^，。我]{1,8}?(?:以外|之外|外)?我们?(?=.{3})")


def exception(text: str, after: str) -> str | None:
    """What a clause of its own takes out of the statement beside it: "except on red-eyes", 「红眼航班除外」.

    `after` is the sentence that follows: 「除了咖啡，还喜欢茶」 adds and takes nothing out.
    """
    m = _APART.match(text.strip())
    if not m or _BESIDES.search(after) or _ALL_TOLD.match(text.strip()):
        return None
    if said := m["own"]:
        said = re.sub(r"\bmy\b|\bour\b", "their", f"when they {said}", flags=re.I | re.A)
    return f"except {(said or m['en'] or m['zh'] or m['zh2']).strip()}"


@lru_cache(maxsize=256)  # asked several times for every clause of a turn
def of_travel(text: str) -> str | None:
    """The kind of trip, or its length, that the text limits itself to."""
    if m := _DAYS.search(text):
        days = 7 if m["week"] else dates.number(m["a"] or m["a2"] or m["b"] or "")
        if days:
            return f"trip_under_{dates.plain(days)}_days"
    for token, pattern, _, _ in _TRAVEL:
        if re.search(pattern, text, re.I | re.A):
            return token
    if m := _HOURS.search(text):
        hours = dates.number(m["a"] or m["b"])
        over = (m["side"] or "").lower() in ("over", "more than", "longer than") or "以上" in m.group(0)
        if hours:
            return f"{'over' if over else 'under'}_{dates.plain(hours)}_hours"
    return None


def of_trip(text: str) -> str | None:
    """The kind of trip alone: no day of the week and no length of time, which may be of anything else."""
    found = of_travel(text)
    return None if not found or found in ("weekend", "weekday") or found.endswith("_hours") else found


_WHENEVER = re.compile(
    r"\b(?:when|whenever|if|any time|every time|each time) (?:i|i'm|we|we're|it's)\b|\b(?:on|for|during) (?:all |any |my |our |most )?(?:[\w-]+ )?(?:trips|flights|journeys|holidays|vacations)\b|(?:的话|的?时候?|一律|都|就|一般|通常)",
    re.I | re.A,
)
#: What is left over once a limit has been named: 「再远的」, "anything longer".
_BEYOND = re.compile(
    r"(?:再|更)(?:远|长|久)|超过(?:这个|的|了)?(?:就|则|$)|\b(?:anything|everything|those|trips?|rides?|journeys?) (?:longer|further|farther|beyond (?:that|this)|over that)\b|\blong(?:er)? ones\b",
    re.I | re.A,
)
_WITHIN = re.compile(
    r"(?:再|更)(?:近|短)|\b(?:anything|everything) (?:shorter|closer|nearer)\b|\bshort(?:er)? ones\b", re.I | re.A
)
_FLIPPED = {"short_trip": "long_trip", "long_trip": "short_trip"}


def standing(text: str) -> bool:
    """True when the text speaks of a kind of trip as often as it comes: "when I fly for work", 「出差的话」."""
    return bool(of_trip(text) and _WHENEVER.search(text))


def opposed(text: str, to: str | None) -> str | None:
    """The condition that the clause names against the one before it: another kind of trip, or what lies beyond a limit."""
    named = of_travel(text)
    if not named and to and (_BEYOND if to in ("short_trip",) or to.startswith("under_") else _WITHIN).search(text):
        named = (
            _FLIPPED.get(to) or re.sub("^under_", "over_", to)
            if not to.startswith("over_")
            else re.sub("^over_", "under_", to)
        )
    return named if named != to else None


_SITUATION = re.compile(
    r"\b(?:for|with) (?:anything |everything |everyone |anyone |all )?(?:with |for |to )?(?:my |our |the )?(?:customers?|clients?|colleagues?|co-?workers|parents|friends|family|kids|team|boss|guests|suppliers?|students?|strangers|work|school)\b|\b(?:when|if|whenever) (?:i|we|it's|it is|i'm|we're|they|there's)(?: (?!i\b|we\b|it\b|the user\b)[\w']+){1,5}|\bat (?:home|work|the office|school)\b|\bin (?:the )?(?:mornings?|afternoons?|evenings?|winter|summer|public|private)\b|\bon (?:[a-z]+days|weekends)\b"
    r"|在(?:家里?|公司|外面|学校|单位|外头?)|出去吃|上班时?|下班后?|早上|上午|下午|晚上|冬天|夏天|周末|工作日|(?:跟|和|给|对)(?:客户|同事|家长|学生|家人|朋友|老板|领导|供应商|外部|内部)[^，。就都用]{0,5}",
    re.I | re.A,
)


def situation(text: str) -> str | None:
    """Where, when or with whom it holds, as it was said: "with customers", 「在家」."""
    m = _SITUATION.search(text)
    return m.group(0).strip() if m else None


def of_service(text: str) -> str | None:
    """The service or machine that a technical fact is about."""
    if _OWN_SERVICE.search(text):
        return "own_service"
    if m := _SERVICE.search(text):
        return (
            _SERVICE_ZH.get(m["zh"])
            if m["zh"]
            else re.sub(r"[ -]", "_", m["v"].lower()).replace("nodejs", "node").replace("node.js", "node")
        )
    return None


def of_project(text: str) -> str | None:
    """The project that a decision is about, as `project:orders`."""
    for m in _PROJECT.finditer(text):
        name = m["zh"] or (m["latin"] or m["en"] or "").lower()
        name = re.sub(r"^(?:我们|咱们|新|的)+", "", name)
        if name and name not in _GENERAL and len(name) > 1:
            return f"project:{_PROJECT_ZH.get(name, name)}"
    return None


def named(name: str, like: str) -> str:
    """The condition that the name is for, of the family of another one."""
    if like.startswith("project:"):
        return f"project:{_PROJECT_ZH.get(name, name)}"
    return _SERVICE_ZH.get(name, name)


def of_error(text: str) -> str | None:
    """The error code that a fix belongs to."""
    m = _CODE.search(text)
    return m.group(0) if m else None


def condition(kind: str, text: str) -> str | None:
    """The condition of the given family in the text, or None: it holds always."""
    if m := _EXCEPT.search(text):
        return f"except {(m['en'] or m['zh']).strip()}" if kind == "travel" else None
    if kind == "travel":
        return of_travel(text)
    found = {"service": of_service, "project": of_project, "error": of_error}.get(kind)
    return found(text) if found else None


def spoken(token: str, chinese: bool) -> str:
    """The condition as a note says it."""
    for name, _, zh, en in _TRAVEL:
        if name == token:
            return zh if chinese else en
    if m := re.fullmatch(r"(under|over)_([\d.]+)_hours", token):
        return (
            f"{m[2]} 小时{'以内' if m[1] == 'under' else '以上'}"
            if chinese
            else f"for {m[1].replace('_', ' ')} {m[2]} hours"
        )
    if m := re.fullmatch(r"trip_under_([\d.]+)_days", token):
        return f"{m[1]} 天以内的行程" if chinese else f"on trips under {m[1]} days"
    if token.startswith("except "):
        return f"除{token[7:]}外" if chinese else token
    return ""


def leads(text: str) -> bool:
    """True when the clause only sets the scene for the next one: 「出差的时候」, "when I travel for work"."""
    short = len(text) <= 60
    zh = re.search(r"(?:时|的时候|的话|时候|以内|以下|以上|之内|出差|短途|长途|出行|旅行)$|^(?:如果|要是|若)", text)
    en = re.match(r"(?:and |but |so )?(?:when|whenever|for|on|if|during|with|in)\b", text, re.I | re.A)
    return bool(short and (zh or en) and of_travel(text))
