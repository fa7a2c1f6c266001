"""Which slot a text without a key is about, and with what value.

Each row is a small grammar: what the text must mention, and how its value is read: `family:x` takes the members of a
concept family, `quantity:d` the quantities of a dimension, `text` the named group `v` of the pattern. The first row
that fits wins, so particular slots stand before general ones. A text that fits no row has no slot, and is compared
word by word instead.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from memory_app.domain.slots import default_cardinality
from memory_app.domain.words import fold

from .compare.lexicon import concept_spans
from .compare.polarity import polarity
from .compare.quantities import spans
from .compare.sieve import Sieve
from .decisions import Slot

#: Slots that say what goes on, not what lasts: nothing of them is kept beyond the session without a lasting wish.
STATE = frozenset({"working", "current_order", "trip_purpose", "task", "command", "greeting"})
#: Of these nothing is kept in the session either.
PASSING = frozenset({"greeting", "task", "command"})
#: Slots whose value nobody may keep, whatever the detectors say.
SECRET = re.compile(
    r"(?:^|_)(?:password|passwd|passphrase|pin|secret|api_?key|access_?token|private_?key|cvv|otp|recovery_code)(?:$|_)"
)
#: Slots that speak of a person themselves, so a relation in the text is not another subject.
OF_RELATIONS = frozenset(
    {"manager", "children", "child_age", "children_ages", "relationship", "pet", "travel_profile", "profile"}
)
#: The two slots that are one question asked in two ways.
OPPOSITES: Mapping[str, str] = {"likes": "dislikes", "dislikes": "likes"}


class Inferred(NamedTuple):
    """The slot that a text is about, and the value it states there (None: the text does not say)."""

    key: str
    value: str | None


@dataclass(frozen=True, slots=True)
class _Row:
    key: str
    pattern: re.Pattern[str]
    read: str


_REPLY = r"repl(?:y|ies)|answers?|respon[ds]\w*|回复|回答|答复|应答|交流|沟通"
_BUDGET = r"budget|spending limit|\bcap\b|预算|上限|经费"
_ROWS_TEXT: tuple[tuple[str, str, str], ...] = (
    ("red_eye", r"red[- ]eyes?\b|红眼", "sign"),
    ("smoking_room", r"(?:non-?)?smoking (?:room|floor)|smoke-free|无烟|禁烟|吸烟房|吸烟楼层", "family:smoking"),
    ("seat_preference", r"\baisle\b|\bmiddle seat|\bwindow[- ]seats?\b|\bby the window\b|\bwindow\b(?=.*\b(?:flight|plane|train|fly))|"
     r"(?:flight|plane|train|fly\w*|seat).*\bwindow\b|^(?:usually |always )?(?:prefers?|likes?|wants?) (?:the )?window\b|过道|走道|靠窗|临窗|窗边|窗口位|窗户边|中间座|中间位", "family:seat"),
    ("seat_area", r"\b(?:front|back|exit) row|\bfront of the (?:plane|cabin)|前排|后排|紧急出口|安全出口", "family:area"),
    ("room_type", r"\b(?:king|twin)\b|大床|双床|标间", "family:bed"),
    ("checked_bag", r"check(?:ed|s)?(?: in)? (?:a )?(?:bag|luggage|baggage)|carry-on|hand luggage|cabin bag|托运|随身行李|手提行李|登机箱", "family:bag"),
    ("commit_language", r"commit.*\b(?:in|written)\b|提交(?:信息|说明)|commit.*(?:中|英|日|法)文", "family:lang"),
    ("review_language", r"review.*\bin (?:chinese|english|japanese|french|german)|(?:chinese|english) (?:code )?review|(?:评审|审查).*[中英日法德]文|[中英日法德]文.*(?:评审|审查)", "family:lang"),
    ("reply_language", rf"(?:{_REPLY}|\bspeak to|\btalk to|\bwrite to|\bwrite back).*(?:chinese|english|japanese|french|german|spanish|korean|[中英日法德韩]文|[汉英日法德韩]语)|"
     rf"(?:chinese|english|japanese|french|german|spanish|korean|[中英日法德韩]文|[汉英日法德韩]语).*(?:{_REPLY})", "family:lang"),
    ("reply_length", rf"(?:{_REPLY}).*(?:short|brief|concise|terse|long|detailed|thorough|简短|简洁|精简|简明|详细|详尽|冗长)|"
     rf"(?:short|brief|concise|terse|long|detailed|thorough|简短|简洁|精简|简明|详细|详尽).*(?:{_REPLY})", "family:length"),
    ("languages_spoken", r"\bspeaks?\b|\bfluent in\b|\bnative (?:speaker|language)|会说|会讲|母语|能讲", "family:lang"),
    ("gateway_language", r"(?:gateway|网关).*(?:written in|uses?|用|是).*(?:python|rust|go|java|typescript|c\+\+|kotlin)", "text:(?:written in|uses?|用|是)\\s*(?P<v>[a-z+#]+)"),
    ("primary_language", r"(?:primary|main) (?:programming )?language|主力(?:编程)?语言|主力(?:是|用)?\s*[a-z]|主要(?:用|写)\s*[a-z]",
     r"text:(?:language|语言|主力|主要)\s*(?:is|now|:|：|是|用|写|为|换成|改成|改用)*\s*(?P<v>[a-z][a-z+#.]*)"),
    ("theme", r"\b(?:dark|light|solarized)\b.*\b(?:mode|themes?)\b|\bthemes?\b|\bdark\b(?=$|[ ,.])|(?:深色|浅色|暗色|亮色|黑色)(?:模式|主题)|配色", "family:theme"),
    ("editor", r"\b(?:vs ?code|visual studio code|neovim|nvim|vim|emacs|sublime|zed|helix|intellij|pycharm|webstorm|goland)\b|\beditor\b|编辑器", "family:editor"),
    ("os", r"\b(?:macos|mac os|linux|ubuntu|fedora|debian)\b|\bwindows (?:10|11)\b|\bwindows\b(?=.*(?:laptop|pc|machine|computer|os))|操作系统|operating system", "family:os"),
    ("project_database", r"primary database|main database|\bdatabase (?:is|switch|moved|chang)|主库|主数据库|数据库(?:用|是|换|改|从|选|迁|切|为)|"
     r"(?:用|使用|uses?|on) (?:postgresql|postgres|mysql|mariadb|sqlite|mongodb)|(?:用|使用)\s*(?:postgresql|postgres|mysql|mariadb|sqlite|mongodb)", "last-family:db"),
    ("meeting_tool", r"(?:meetings?|calls?|会议|开会).*(?:zoom|teams|腾讯会议|飞书|钉钉|meet)|(?:zoom|腾讯会议|飞书会议).*(?:meetings?|calls?|开会|会议)", "family:tool"),
    ("working_hours", r"work(?:ing)? hours|works? (?:from )?\d|工作时间|上班时间|(?:上班|工作)\s*(?:时间)?(?:是)?\s*(?:从)?\s*\d+\s*[点:]", "quantity:clock|count"),
    ("standup_time", r"stand-?up|站会|晨会", "quantity:clock"),
    ("meeting_length", r"(?:meetings?|calls?|会议|开会).*(?:minutes?|mins?|hours?|分钟|小时)|(?:minute|hour|分钟|小时)\w*.*(?:meetings?|会议)", "quantity:duration"),
    ("meeting_preference", r"meetings?.*(?:morning|afternoon|evening)|(?:morning|afternoon|evening).*meetings?|(?:会议|开会).*(?:上午|下午|晚上|早上)|(?:上午|下午|晚上|早上).*(?:开会|会议)", "family:daypart"),
    ("contact_time", r"\b(?:call|phone|contact|reach|ring)\b.*\b(?:morning|afternoon|evening|noon|after|before|weekdays?|weekends?)|(?:联系|打电话|来电|致电).*(?:上午|下午|晚上|早上|中午|周末|工作日)|(?:上午|下午|晚上|早上|中午).*(?:联系|打电话|来电)", "family:daypart"),
    ("departure_time_preference", r"(?:morning|evening|afternoon|night|late|early)\b.*\b(?:flights?|departures?|trains?)|(?:flights?|departures?|departs?|leav\w+).*(?:morning|evening|afternoon|late|early)|"
     r"[早晚]班(?!车司机)|(?:早上|上午|下午|晚上)(?:的)?(?:航班|出发|起飞|走)", "family:daypart"),
    ("commute", r"\bcommut\w+|\b(?:rid|tak|driv|cycl|bik|walk|go|get|travel|catch)\w*\b[^,.;]{0,30}\bto (?:work|the office|school|campus|university|the factory)\b|通勤|上下班|(?:坐|骑|开|乘|搭|走路|步行)[^，。；]{0,8}(?:上班|上学|去公司|去单位)", "family:transport"),
    ("transport_preference", r"(?:prefers?|takes?|travels?).*(?:high[- ]speed|train|flights?|plane|bus|car|rail)|(?:优先|偏好|喜欢|首选|坐)(?:坐)?(?:高铁|火车|飞机|大巴|自驾)", "family:transport"),
    ("hotel_budget", rf"(?:hotel|room|lodging|酒店|住宿|宾馆).*(?:{_BUDGET})|(?:{_BUDGET}).*(?:hotel|room|lodging|酒店|住宿|宾馆)", "money"),
    ("budget", _BUDGET, "money"),
    ("max_drive", r"(?:driv\w+|开车|自驾|车程).*(?:km|kilomet\w+|miles?|公里|英里|hours?|小时)", "quantity:length|duration"),
    ("room_temp", r"(?:room|ac|a/c|air con\w*|thermostat|空调|室温|房间温度|温度).*\d", "quantity:degree|count"),
    ("discount", r"discount|% off|折(?!叠|磨|腾)|优惠|减免", "quantity:percent"),
    ("children_ages", r"(?:children|kids) (?:are|aged)|孩子们?.*岁.*岁", "quantity:count"),
    ("child_age", r"(?:son|daughter|child|kid) (?:is|turned) .*(?:\d|years? old)|(?:孩子|儿子|女儿).*岁", "quantity:count"),
    ("children", r"(?:\d|two|three|four|five|one|no) (?:children|kids?|child)\b|(?:[一两二三四五\d]\s*个|没有?)(?:孩子|小孩|娃)", "quantity:count"),
    ("name", r"(?:^|\b(?:user's |my |the user's )?)(?:full )?name is\b|(?:用户|我)(?:的名字|姓名)?(?:叫|是叫)(?!我|你)|姓名(?:是|为|：|:)?|名字(?:叫|是|为)", r"text:(?:name is|叫|姓名[是为：:]?|名字[叫是为])\s*(?P<v>.+)"),
    ("preferred_name", r"\b(?:call (?:me|them|the user)|goes by|prefers? to be called|be called|addressed as)\b|称呼(?:我|用户)?|叫我", r"text:(?:call (?:me|them|the user)|goes by|be called|addressed as|称呼(?:我|用户)?(?:为|叫|是)?|叫我)\s*(?P<v>.+)"),
    ("manager", r"\bmanager is\b|\breports to\b|(?:经理|上司|主管|领导)(?:是|叫|换成|为)|汇报给", r"text:(?:manager is|reports to|(?:经理|上司|主管|领导)(?:是|叫|换成|为)|汇报给)\s*(?P<v>.+)"),
    ("employer", r"\b(?:works?|working|employed) (?:at|for)\b|\bemployer is\b|\bjoined\b|就职于?|任职于?|供职于?|入职|在\S{1,12}(?:公司)?(?:工作|上班)|雇主", r"text:(?:works? (?:at|for)|working (?:at|for)|employed (?:at|by|for)|employer is|joined|就职于?|任职于?|供职于?|入职|雇主是|在)\s*(?P<v>.+?)(?:公司)?(?:工作|上班)?$"),
    ("home_city", r"\b(?:lives?|living|resid(?:es?|ing)|based|settled|home is|home city is) ?(?:in|near)?\b|\bmoved to\b|(?<!入)住(?!酒店|宾馆|民宿|院|宿|的|房|店|处|大床|双床|标间|址)在?|常住|定居|(?<!老)家在|居住|搬到|搬去", r"text:(?:(?:lives?|living|resid(?:es?|ing)|based|settled|home is|moved)(?: (?:in|to|near))?|home city is|常住地?|定居|家在|居住在?|住在?|搬到|搬去|换到|改到)\s*(?:at|于|在|是)?\s*(?P<v>.+)"),
    ("favourite_colour", r"favou?rite colou?r|最喜欢的?颜色|喜欢的颜色", r"text:(?:colou?r is|颜色(?:是|为)?)\s*(?P<v>.+)"),
    ("relationship", r"\b(?:married|single|divorced|engaged)\b|已婚|单身|未婚|离婚|离异|结婚", "family:state"),
    ("member_tier", r"(?:member|tier|status|card).*(?:gold|silver|platinum|diamond)|(?:gold|silver|platinum|diamond).*(?:member|tier|status|card)|(?:白金|金卡|银卡|钻石|黄金|白银)", "family:tier"),
    ("allergy", r"\ballerg\w+|过敏", r"text:(?:allergic to|allergy to|对)\s*(?P<v>.+?)(?:过敏|$)|(?P<v2>.+?)不?过敏"),
    ("meal_preference", r"\b(?:vegetarian|vegan|halal|kosher|pescatarian)\b|素食|吃素|纯素|清真", "family:diet"),
    ("notifications", r"notif\w+|\balerts?\b|通知|提醒", "text-all"),
    ("pet", r"\bhas an? (?:\w+ )?(?:dog|cat|parrot|rabbit|hamster|pet)|养(?:了|着)?.{0,4}(?:猫|狗|兔|鸟|鱼)", "text-all"),
    ("travel_wish", r"\b(?:wants?|would like|hopes?|dreams?) (?:to|of) (?:visit|travel|go|see)\w*|想去.{1,8}(?:玩|旅行|旅游|看看)?", r"text:(?:visit(?:ing)?|travel(?:ling)? to|go(?:ing)? to|see|想去)\s*(?P<v>.+?)(?:玩|旅行|旅游|看看)?$"),
    ("beverage", r"\bdrinks?\b|喝(?!酒驾)", r"text:(?:drinks?(?:ing)?|喝)\s*(?P<v>.+)"),
    ("likes", r"\b(?:dislik|hat(?:e|es|ed)\b|lik(?:e|es|ed|ing)\b|lov(?:e|es|ed|ing)\b|enjoy|fond of|fan of|keen on|into\b|detest|can't stand)|喜欢|喜爱|热爱|讨厌|厌恶|反感|爱(?=[吃喝看听玩打])|迷上|爱上",
     r"text:(?:dislikes?|hates?|hated|liked?s?|likes?|loves?|loved|enjoys?|fond of|(?:a )?fan of|keen on|into|detests?|can't stand|喜欢|喜爱|热爱|讨厌|厌恶|反感|爱上|迷上|爱)(?: to|上)?\s*(?:drinking |eating |playing |watching |喝|吃|看|听|打|玩)?(?P<v>.+)"),
)  # fmt: skip
_ROWS = tuple(_Row(key, re.compile(pattern), read) for key, pattern, read in _ROWS_TEXT)
_SIEVE = Sieve(*((row.pattern,) for row in _ROWS))
_TRAILING = re.compile(
    r"(?:(?:(?<!\s)\s+)?(?:any ?more|anymore|again|now|a lot|very much|these days|了|啦|呢|吧))+[\s.!。！]*$|(?<![\s.!。！,，;；])[\s.!。！,，;；]+$"
)
_CUT = re.compile(r"[,，;；。.!！](?=\s|$|[^\d])|\s(?:but|because|since|so)\s|但是?|因为")


@lru_cache(maxsize=8192)
def infer(text: str) -> Inferred | None:
    """The slot that this text is about, or None when its wording fits none of the grammars."""
    folded = fold(text).replace("’", "'").strip()
    for row in map(_ROWS.__getitem__, _SIEVE.of(folded)):
        if row.pattern.search(folded):
            if row.key == "beverage" and polarity(text).taste:
                continue  # "likes drinking tea" is a taste, not the one usual drink
            value = _read(row.read, folded)
            if value is not None or row.read != "text-all":
                return Inferred(row.key, value)
    return None


def _read(how: str, folded: str) -> str | None:
    kind, _, detail = how.partition(":")
    if kind in ("family", "last-family"):
        members = [c for c in _ordered(folded) if c.startswith(detail + ".")]
        if not members:
            return None
        return members[-1] if kind == "last-family" else " ".join(sorted(set(members)))
    if kind == "money" or kind == "quantity":
        return _amount(folded, None if kind == "money" else detail.split("|"))
    if kind == "text":
        return _captured(detail, folded)
    if kind == "text-all":
        return folded
    return None


def _ordered(folded: str) -> list[str]:
    return [c for _, _, c in concept_spans(folded)]


def _amount(folded: str, dimensions: list[str] | None) -> str | None:
    found = [
        folded[s.start : s.end]
        for s in spans(folded)
        if s.identifier is None and (dimensions is None or s.quantity.dimension in dimensions)
    ]
    return "; ".join(found) or None


def _captured(pattern: str, folded: str) -> str | None:
    m = re.search(pattern, folded)
    if m is None:
        return None
    value = next((g for g in m.groups() if g), "")
    value = _CUT.split(value)[0]
    value = _TRAILING.sub("", value).strip()
    return value or None


def cardinality(key: str | None, slots: Mapping[str, Slot], given: str | None = None) -> str:
    """ "one" or "many" for this key: what the memory says, what the workspace registered, what is usual."""
    if key is None:
        return "many"
    if key in slots:
        return slots[key].cardinality
    return given or default_cardinality(key)
