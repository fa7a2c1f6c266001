"""Slots whose values are a short list: which words stand for which value, and how a note says it.

A choice alone is not a statement ("aisle" may be a word in a question): rules.py also wants a wish, a habit, a limit
to this time, or a question of the agent that it answers.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """One value of a slot: the words that mean it, and its name in both languages."""

    value: str
    pattern: re.Pattern[str]
    zh: str
    en: str


@dataclass(frozen=True)
class Choice:
    """A slot with its options; `context` must be found in the sentence, `strong` needs no wish beside it."""

    key: str
    options: tuple[Option, ...]
    zh: str = "偏好{}"
    en: str = "Prefers {}"
    zh_now: str = "要{}"
    en_now: str = "{}"
    zh_not: str = "不要{}"
    en_not: str = "No {}"
    context: re.Pattern[str] | None = None
    conditions: str = ""
    strong: bool = False
    told: bool = False
    facts: bool = False


def _option(token: str, zh: str, en: str, *patterns: str) -> Option:
    return Option(token, re.compile("|".join(patterns), re.I | re.A), zh, en)


def _context(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.I | re.A)


LANGUAGES: tuple[tuple[str, str, str], ...] = (
    # token, Chinese words, English words
    ("zh", "中文|汉语|普通话|国语|华语|简体中文|繁体中文", "Chinese|Mandarin|Simplified Chinese|Traditional Chinese"),
    ("en", "英文|英语", "English"), ("fr", "法文|法语", "French"), ("de", "德文|德语", "German"), ("ja", "日文|日语", "Japanese"),
    ("ko", "韩文|韩语", "Korean"), ("es", "西班牙文|西班牙语|西语", "Spanish"), ("it", "意大利语|意大利文", "Italian"), ("pt", "葡萄牙语|葡语", "Portuguese"),
    ("ru", "俄文|俄语", "Russian"), ("nl", "荷兰语", "Dutch"), ("ar", "阿拉伯语", "Arabic"), ("yue", "粤语|广东话", "Cantonese"), ("sv", "瑞典语", "Swedish"),
    ("vi", "越南语", "Vietnamese"), ("th", "泰语", "Thai"), ("pl", "波兰语", "Polish"), ("tr", "土耳其语", "Turkish"), ("hi", "印地语", "Hindi"),
)  # fmt: skip
LANGUAGE_ZH = "|".join(zh for _, zh, _ in LANGUAGES)
LANGUAGE_EN = "|".join(en for _, _, en in LANGUAGES)
_NAMES_ZH = {token: zh.split("|")[0] for token, zh, _ in LANGUAGES}
_NAMES_EN = {token: en.split("|")[0] for token, _, en in LANGUAGES}


def language(text: str) -> str | None:
    """The code of a language's name in either language."""
    for token, zh, en in LANGUAGES:
        if re.fullmatch(zh, text) or re.fullmatch(en, text, re.I | re.A):
            return token
    return None


def language_name(token: str, chinese: bool) -> str:
    """A language code as people say it."""
    return (_NAMES_ZH if chinese else _NAMES_EN).get(token, token)


_SEAT = Choice(
    "seat_preference",
    (
        _option("aisle", "靠过道", "aisle seats", r"(?:靠|坐|临)?(?:走道|过道|通道|走廊)(?:位|座|边|侧|旁)?", r"\baisles?\b(?: seats?)?"),
        _option("window", "靠窗", "window seats", r"(?:靠|临|挨着)窗(?:户|边|口)?|窗(?:边|口)(?:的?)(?:位|座)?|窗位", r"\bwindow[- ]?seats?\b|\b(?:by|at|near|next to|take|get|want|prefer|like|on|choose|go for|sit) (?:the|a) window\b(?! (?:of|size|cleaner|manager|open|shop))|\b(?:always|usually|prefer|this time|the|on|now|make it|please,?|trip) window(?: please)?$|^window(?:,| please|$)|\bwindow side\b"),
        _option("middle", "中间座位", "middle seats", r"中间(?:的)?(?:位|座)", r"\bmiddle seats?\b"),
        _option("any", "座位随意", "any seat", r"座位(?:随意|随便|无所谓|都行|都可以|不挑)", r"\bany seat\b|\bdon't (?:mind|care) (?:where i sit|about (?:the |my )?seats?)\b|\bseat doesn't matter\b"),
    ),
    conditions="travel",
)  # fmt: skip
_SEAT_AREA = Choice(
    "seat_area",
    (
        _option("front", "靠前排", "seats at the front", r"(?:靠)?前排|前面的?(?:位|座)|靠前(?:的)?(?:位|座|一点)?", r"\bfront (?:row|of the (?:plane|cabin|bus|train))s?\b|\b(?:near|at|in|toward) the front\b|\bseats? (?:up )?front\b"),
        _option("rear", "靠后排", "seats at the back", r"(?:靠)?后排|后面的?(?:位|座)", r"\bback (?:row|of the (?:plane|cabin|bus|train))s?\b|\b(?:near|at|in) the (?:back|rear)\b"),
        _option("quiet_car", "静音车厢", "the quiet car", r"静音车厢", r"\bquiet (?:car|coach|carriage|zone)\b"),
        _option("exit_row", "紧急出口排", "exit rows", r"(?:紧急|安全)出口(?:排|旁|位)?", r"\bexit rows?\b"),
    ),
    conditions="travel",
)  # fmt: skip
_WAY = r"(?:prefer|rather (?:take|go by|travel by)|choose|pick|opt for|go for|favou?r|stick (?:to|with)|take|travel(?:ing)? by|go by|default to|default is|always book|book|put me on|book me on)(?:s|ing|red)? (?:the |a |to take (?:the )?|taking (?:the )?|to go by )?"
_WEG = r"(?:优先|首选|更喜欢|更爱|更愿意|比较喜欢|喜欢|偏好|倾向(?:于)?|尽量|一般|通常|习惯|都|还是|宁愿|宁可|改|想|要|选|选择)(?:[给帮替]我)?(?:坐|乘|选|订|搭|走|用|选择|乘坐)*"
_BY = r"(?:短途|长途|出差|小时以内|小时以上|近的|远的)(?:的话)?(?:就|则|都)?(?:坐|乘|走)?"
# A habit or this time, and then the verb itself: 「平时坐…」, 「这次我还是坐…」.
_WHEN = r"(?:平时|平常|向来|一向|总是|一直|每次|每回|以后|今后|这次|本次|这趟|这回|今天|明天|暂时)(?:我们|我|的话|出差|出行|短途|长途|都|就|会|是|先|改|还是|也|只|想|要){0,4}"
_GO = _WHEN + r"(?:坐|乘|搭|走|订|选)"
_NO_FACT = r"(?!要|得|需|花|大概|很|太|会|时|的|上)"
_TRANSPORT = Choice(
    "transport_preference",
    (
        _option("high_speed_rail", "高铁", "high-speed rail", _BY + r"(?:高铁|动车)|" + _WEG + r"(?:高铁|动车)|" + _GO + r"(?:高铁|动车)" + _NO_FACT + r"|(?:高铁|动车)(?:优先|出行|最好|就好|首选)", r"\b" + _WAY + r"(?:high[- ]speed (?:rail|trains?)|bullet trains?)|\bhigh[- ]speed (?:rail|trains?) (?:first|preferred|please)"),
        _option("train", "火车", "trains", _BY + r"火车|" + _WEG + r"(?:火车|列车|卧铺)|" + _GO + r"(?:火车|列车|卧铺)" + _NO_FACT + r"|火车优先", r"\b" + _WAY + r"(?:trains?|rail)\b(?! station)|\b(?:this time|this trip|usually|normally)(?:,? (?:i'll|i|we'll|we|let's|take|go|just))* (?:the |by )?train(?=$|,| please| instead)|\btrains? (?:first|over (?:planes?|flying|flights?))"),
        _option("plane", "飞机", "flying", _BY + r"飞机|" + _WEG + r"(?:坐)?飞机(?!餐|票)|" + _GO + r"飞机(?!餐|票)" + _NO_FACT + r"|" + _WHEN + r"(?:直接)?飞(?=吧|算了|就好|就行|$)|飞机优先", r"\b(?:prefer|rather|choose to|opt for|favou?r) (?:to fly|flying|flights?(?! (?:in|at|that|before|after|with))|planes?|fly)\b|\b(?:usually|always|normally|typically|generally|this time|from now on)(?:,? (?:i'll|i|we'll|we|let's|let me|just|rather))* fly(?=$|,| (?:please|instead|this time|everywhere))"),
        _option("car", "自驾", "driving", _BY + r"(?:自驾|开车)|" + _WEG + r"(?:自驾|自己开车|开车)", r"\b(?:prefer|rather) (?:to drive|driving|drive|a car|going by car)\b|\b" + _WAY + r"cars?\b"),
        _option("bus", "大巴", "buses", _BY + r"(?:大巴|巴士)|" + _WEG + r"(?:大巴|巴士|长途车)", r"\b" + _WAY + r"(?:bus(?:es)?|coach(?:es)?)\b"),
        _option("taxi", "打车", "taxis", _WEG + r"(?:打车|出租车|网约车|专车)", r"\b" + _WAY + r"(?:taxis?|cabs?|uber|lyft|ride[- ]?shares?)\b"),
        _option("metro", "地铁", "the metro", _WEG + r"地铁", r"\b" + _WAY + r"(?:metro|subway|tube|underground)\b"),
    ),
    zh="优先{}", conditions="travel",
)  # fmt: skip
_TO_WORK = r"(?:上班|下班|通勤|上下班|去公司|到公司|去单位)"
_AT_WORK = r"(?: (?:in)?to (?:the )?(?:work|office)| for (?:my|the) commute)"
_COMMUTE = Choice(
    "commute",
    tuple(
        _option(token, zh, en, rf"(?:{zh_words})[^，。]{{0,4}}{_TO_WORK}|{_TO_WORK}[^，。]{{0,8}}(?:{zh_words})", rf"\b(?:{verb})\b[^,.]{{0,14}}?{_AT_WORK}\b|\bcommut(?:e|ing)\b[^,.]{{0,14}}\b(?:{noun})\b|\b(?:get|go|travel) to (?:work|the office) (?:by|on) (?:{noun}|foot)\b")
        for token, zh, en, zh_words, verb, noun in (
            ("bike", "骑车", "bike", "骑车|骑自行车|自行车|骑行|单车|骑单车|骑共享单车", "bike|cycle|ride (?:a|my) bike|biking|cycling", "bikes?|bicycle|cycling"),
            ("e_bike", "电动车", "e-bike", "电动车|电瓶车|骑电动", "ride my e-?bike", "e-?bike|scooter"),
            ("metro", "地铁", "metro", "地铁", "take the (?:metro|subway|tube|underground)", "metro|subway|tube|underground"),
            ("bus", "公交", "bus", "公交车?|巴士", "take the bus|bus", "bus"),
            ("car", "开车", "car", "开车|自驾", "drive|driving|take the car", "car|driving"),
            ("walk", "步行", "on foot", "步行|走路|走着", "walk|walking", "walking"),
            ("train", "火车", "train", "火车|轻轨|城铁|高铁", "take the train", "train|rail"),
        )
    ),
    zh="通勤方式：{}", en="Commutes by {}", strong=True, facts=True,
)  # fmt: skip
_DEPARTURE = Choice(
    "departure_time_preference",
    (
        _option("morning", "早班", "morning departures", r"早(?:班|间|上|晨)?(?:的)?(?:航班|班机|飞机|机|车次|高铁|出发|班)|上午(?:的)?(?:航班|飞机|高铁|车次|出发|走)", r"\b(?:early|morning)(?:[- ]morning)? (?:flights?|departures?|trains?|planes?)\b|\bfly(?:ing)? (?:out )?(?:early|in the morning)\b|\b(?:leave|depart|departing|leaving) (?:early|in the morning)\b"),
        _option("afternoon", "下午班", "afternoon departures", r"下午(?:的)?(?:航班|飞机|高铁|车次|出发|班机)|午后(?:的)?航班", r"\bafternoon (?:flights?|departures?|trains?)\b"),
        _option("evening", "晚班", "evening departures", r"晚(?:班|间|上)?(?:的)?(?:航班|班机|飞机|机|车次|高铁|出发|班)", r"\b(?:late|evening) (?:flights?|departures?|trains?|planes?)\b|\bfly(?:ing)? (?:late|in the evening)\b"),
    ),
    context=_context(r"航班|班机|飞|出发|机票|车次|高铁|出差|早班|晚班", r"flight|fly|depart|train|plane|leave|trip"), conditions="travel",
)  # fmt: skip
_RED_EYE = Choice(
    "red_eye",
    (_option("acceptable", "红眼航班", "red-eye flights", r"红眼(?:航班|飞机)?|夜航", r"\bred[- ]?eyes?(?: flights?)?\b|\bovernight flights?\b"),),
    zh="可以坐{}", en="{} are acceptable", zh_not="不坐{}", en_not="Never takes {}", conditions="travel", strong=True,
)  # fmt: skip
_MEAL = Choice(
    "meal_preference",
    (
        _option("vegan", "吃纯素", "vegan", r"纯素|全素|严格素食", r"\bvegan\b(?! (?:restaurant|recipe|place|dish|cookbook|pizza|burger|friend|ice|cake|version|chocolate|dessert|bakery))"),
        _option("vegetarian", "吃素", "vegetarian", r"吃素|素食(?:者|主义者)?|素餐|(?:要|订|点|吃|是)素(?:的)?|素的|蛋奶素|茹素|(?<!不)(?:从不|不|不再)吃(?:荤|肉)(?!类)(?=了|$|的)", r"\bvegetarian\b(?! (?:restaurant|recipe|place|dish|cookbook|pizza|burger|friend|chili|lasagna|version|food is))|\bveggie(?= meals?| options?| please)\b|\bmeat[- ]free\b|\b(?:don't|do not|never|no longer|stopped) (?:eat|eating) (?:any )?meat\b"),
        _option("halal", "清真餐", "halal", r"清真", r"\bhalal\b"),
        _option("kosher", "犹太洁食", "kosher", r"犹太(?:餐|洁食)|洁食", r"\bkosher\b"),
        _option("pescatarian", "鱼素", "pescatarian", r"鱼素", r"\bpescatarian\b"),
        _option("gluten_free", "无麸质餐", "gluten-free", r"无麸质", r"\bgluten[- ]free\b(?! (?:restaurant|recipe|place|crust|pizza|bread|cake|flour|version|bakery|brownies))"),
        _option("omnivore", "什么都吃", "eats everything", r"(?:什么|啥)都(?:能)?吃|不(?:挑食|忌口)|没(?:有)?(?:什么)?忌口", r"\beats? (?:(?:pretty much|almost|basically|practically|just about) )?(?:everything|anything)\b|\bomnivore\b|\bno dietary (?:restrictions|requirements)\b"),
        _option("meat", "吃肉", "meat", r"(?<!不)吃(?:一?(?:次|顿|点|回))?(?:荤|肉)(?!类)", r"\b(?:eat|have|having|eating) (?:some )?meat\b|\bnot vegetarian (?:any ?more|now)\b"),
    ),
    zh="{}", en="{}", zh_now="{}", zh_not="不{}", en_not="Not {}", conditions="travel", strong=True, facts=True,
    context=_context(r"[\u3400-\u9fff]", r"\b(?:i|i'm|i've|he|she|we|me|my|is|are|am|meals?|diet|eats?|food|order|book|please|prefers?|wants?|needs?|yes|for)\b"),
)  # fmt: skip
_DIET = Choice(
    "diet",
    (
        _option("low_salt", "饮食少盐", "low-salt diet", r"(?:少|低)(?:盐|钠)", r"\blow[- ](?:salt|sodium)\b"),
        _option("low_sugar", "饮食少糖", "low-sugar diet", r"(?:少|低|无|半|控)糖(?![\u3400-\u9fffA-Za-z]{0,4}(?:茶|咖啡|奶|水|饮料|可乐|乌龙|口香糖|豆浆|美式|拿铁))", r"\b(?:low|no)[- ]sugar\b|\bsugar[- ]free\b"),
        _option("low_carb", "低碳水", "low-carb diet", r"低碳(?:水|饮食)", r"\blow[- ]carb\b"),
        _option("keto", "生酮饮食", "keto diet", r"生酮", r"\bketo(?:genic)?\b"),
        _option("light", "清淡饮食", "light food", r"(?:口味|吃得?|饮食)(?:比较|偏|得)?清淡|清淡(?:口味|饮食)", r"\blight (?:food|meals)\b"),
        _option("dairy_free", "不含乳制品", "dairy-free diet", r"不(?:吃|喝)(?:奶|乳)制品", r"\bdairy[- ]free\b"),
    ),
    zh="{}", en="{}", strong=False,
)  # fmt: skip
_ROOM = Choice(
    "room_type",
    (
        _option("king", "大床房", "king bed room", r"大床(?:房)?", r"\b(?:king|queen|double)(?:[- ]size)? (?:bed|room)s?\b"),
        _option("twin", "双床房", "twin room", r"双床(?:房)?|标间|标准间", r"\btwin (?:beds?|rooms?)\b|\btwo (?:single )?beds\b"),
        _option("suite", "套房", "suite", r"套房|套间", r"\bsuites?\b"),
        _option("single", "单人间", "single room", r"单人(?:间|房)", r"\bsingle rooms?\b"),
    ),
    context=_context(r"房|酒店|住|床|楼层|宾馆|民宿", r"room|hotel|bed|suite|floor|stay|book"), conditions="travel",
)  # fmt: skip
_ROOM_PLACE = Choice(
    "room_location",
    (
        _option("high_floor", "高楼层", "high floor", r"高(?:楼)?层(?:的)?(?:房间|房)?|楼层高", r"\bhigh(?:er)? floors?\b|\btop floor\b"),
        _option("low_floor", "低楼层", "low floor", r"低(?:楼)?层(?:的)?(?:房间|房)?|楼层低", r"\blow(?:er)? floors?\b|\bground floor\b"),
        _option("quiet", "安静的房间", "quiet rooms", r"安静的?(?:房间|房)|远离电梯", r"\bquiet (?:hotel |guest |corner )?(?:bed)?rooms?\b|\baway from the (?:elevator|lift)s?\b"),
    ),
    context=_context(r"房|酒店|住|床|楼层|宾馆|民宿", r"room|hotel|bed|suite|floor|stay|book"), conditions="travel",
)  # fmt: skip
_STOPS = Choice(
    "flight_stops",
    (
        _option("nonstop", "直飞", "nonstop flights", r"直飞|(?:别|不要|不想|不)(?:订|坐|选|要)?(?:经停|中转|转机)", r"\b(?:non-?stop|direct)(?: flights?)?\b|\b(?:no|without|avoid) (?:layovers?|stopovers?|connections?|connecting flights)\b"),
    ),
    context=_context(r"飞|航班|机票|转机|经停|中转", r"flight|fly|nonstop|non-stop|layover|trip|stopover|connection"), conditions="travel",
)  # fmt: skip
_SMOKING = Choice(
    "smoking_room",
    (
        _option("no", "无烟房", "non-smoking rooms", r"无烟(?:房|楼层|层)?|禁烟(?:房)?|不(?:能|要)(?:有)?烟味", r"\bnon-?[- ]?smoking\b(?: rooms?)?|\bno[- ]smoking rooms?\b|\bsmoke[- ]free\b"),
        _option("yes", "吸烟房", "smoking rooms", r"(?:可)?吸烟(?:的)?房", r"\bsmoking rooms?\b"),
    ),
    conditions="travel", strong=True,
)  # fmt: skip
_CHECK_IN = Choice(
    "check_in",
    (
        _option("late", "晚入住", "late check-in", r"(?:晚|迟|延迟|推迟|夜里|深夜|晚点|晚一点)(?:点)?(?:入住|到店|办入住|check ?in)", r"\b(?:late|later) check[- ]?ins?\b|\bcheck(?:ing)? in late\b"),
        _option("early", "提前入住", "early check-in", r"(?:早|提前|提早|早点)(?:点)?(?:入住|到店|办入住|check ?in)", r"\b(?:early|earlier) check[- ]?ins?\b|\bcheck(?:ing)? in early\b"),
        _option("late_checkout", "延迟退房", "late check-out", r"(?:晚|延迟|推迟|晚点)(?:点)?退房", r"\blate check[- ]?outs?\b"),
    ),
    conditions="travel",
)  # fmt: skip
_BAG = Choice(
    "checked_bag",
    (
        _option("no", "不托运行李", "carry-on only", r"(?:不|别|不用|不要|不想|无需|从不)(?:要|想)?托运(?:行李)?|只带(?:手提|随身|登机)(?:行李|箱|包)?|随身行李", r"\bcarry[- ]?on(?: bags?| luggage)? only\b|\bonly (?:a |take |bring |travel with )?(?:a )?(?:carry[- ]?on|hand luggage)\b|\b(?:no|never|don't|without) (?:a |any )?(?:checked?|check(?:ing)?)(?: in)?(?: a| any| my)? (?:bags?|luggage|baggage)\b|\bhand luggage only\b|\bnever check bags?\b"),
        _option("yes", "托运行李", "a checked bag", r"(?:要|需要|得|都)托运(?:行李|一件|一个)?", r"\b(?:need|want|add|with|always check|bring) (?:a |one )?(?:checked )?(?:bags?|checked luggage)\b"),
    ),
    zh="{}", zh_now="{}", en="{}", conditions="travel", strong=True,
)  # fmt: skip
_THEME = Choice(
    "theme",
    (
        _option("dark", "深色模式", "dark mode", r"(?:深色|暗色|黑暗|夜间|暗黑|黑色)(?:模式|主题|界面|皮肤|风格|系)?", r"\bdark (?:mode|themes?|ui|interface|background)\b|\bthemes? (?:to|is|should be|stays?) dark\b|\b(?:switch|put|set) (?:me|it|everything) to dark\b|\bkeep it dark\b|(?:主题|theme|界面|模式)[^，。]{0,4}dark"),
        _option("light", "浅色模式", "light mode", r"(?:浅色|亮色|明亮|白天|日间|白色)(?:模式|主题|界面|皮肤|风格|系)", r"\blight (?:mode|themes?|ui|interface|background)\b|\bthemes? (?:to|is|should be) light\b|\b(?:switch|put|set) (?:me|it|everything) to light\b|\b(?:back|switch|change|make it|go) (?:to )?light\b|(?:主题|theme|界面|模式)[^，。]{0,4}(?:light|浅色|亮色|白色)"),
        _option("solarized", "solarized 主题", "the solarized theme", r"solarized", r"\bsolarized\b"),
        _option("high_contrast", "高对比度主题", "high contrast", r"高对比(?:度)?", r"\bhigh[- ]contrast\b"),
    ),
    zh="喜欢{}", zh_now="用{}", told=True, context=_context(r"[\u3400-\u9fff]", r"theme|mode|dark|interface|background|contrast|solarized|display|screen|\bui\b|back to|make it"),
)  # fmt: skip
_LENGTH = Choice(
    "reply_length",
    (
        _option("short", "回复简短", "short replies", r"(?:回复|回答|答案|答复|消息|说|讲|写|解释)(?:得|的|要|请|都|可以|能|尽量|给我|一律|保持|时|我){0,3}(?:再)?(?:简短|简洁|精简|简明|短|简单)(?:一?点|一些|些)?|(?:简短|简洁|精简|简明|简单|言简意赅)(?:一?点|一些|些|地|扼要)?(?:的)?(?:回复|回答|答案|说|答|讲)|(?:别|不要|少)(?:太|这么|那么|写|说|回复|回答|太过)?(?:长篇大论|啰嗦|罗嗦|太长|长|废话)|长话短说|(?:说|讲)重点|少废话", r"\b(?:short|shorter|brief|briefer|concise|terse|succinct)(?:,? \w+)? (?:replies|reply|answers?|responses?|messages?|explanations?|summaries)\b|\b(?:replies|reply|answers?|responses?|messages|it|them|things|explanations?)(?: (?:should be|to be|must be|as|always|very|more|be))* (?:short|brief|concise|terse|to the point|succinct)\b|\bbe (?:brief|concise|short|succinct|terse)\b|\bkeep (?:it|them|things) (?:short|brief|concise)\b|\b(?:no|don't (?:write|give me|send me|want)|hate|stop (?:writing|sending)) (?:long|lengthy|walls? of|wordy)\b ?(?:replies|answers|text|responses|messages|essays)?|\bget to the point\b(?! where)|\bone[- ](?:line|sentence) (?:answers?|replies)\b"),
        _option("long", "回复详细", "detailed replies", r"(?:回复|回答|答案|说|讲|写|解释)(?:得|的|要|请|都|可以|能|尽量|给我){0,3}(?:再)?(?:详细|详尽|仔细|具体|细)(?:一?点|一些|些)?|(?:详细|详尽|具体|仔细)(?:一?点|一些|地)?(?:的)?(?:回复|回答|解释|说明|讲)", r"\b(?:detailed|longer|thorough|in-depth|comprehensive|long|full) (?:replies|reply|answers?|responses?|explanations?)\b|\b(?:answer|reply|explain|respond)(?: \w+){0,2} (?:in detail|thoroughly|at length)\b|\b(?:replies|answers|responses) (?:should be|to be|more|as) (?:detailed|long|thorough)\b"),
    ),
    zh="希望{}", en="Wants {}", zh_now="{}", told=True, strong=True,
)  # fmt: skip
_LAYOUT = Choice(
    "reply_format",
    (
        _option("bullets", "用要点列表", "bullet points", r"(?:分点|要点|列表|条目|逐条|列点)(?:式|列出|说明|回答|回复|形式)?", r"\bbullet(?:ed)?(?: ?points?| lists?|s)\b"),
        _option("table", "用表格", "tables", r"(?:用|做成|以)表格", r"\b(?:in|as|use|with) (?:a )?tables?\b"),
        _option("conclusion_first", "先说结论", "the conclusion first", r"(?:先|结论)(?:说|给|讲|放)?(?:结论|在前|先行|前置)", r"\b(?:conclusion|answer|bottom line|summary|tl;?dr) (?:first|up front|upfront)\b|\b(?:start|lead) with the (?:conclusion|answer|bottom line|summary)\b"),
        _option("no_emoji", "不用表情符号", "no emoji", r"(?:不要|别|不用|少|不想看到?)(?:用|加|发|放|带)?(?:表情|emoji|颜文字)", r"\b(?:no|without|skip the|avoid|stop using|don't use) emojis?\b"),
    ),
    zh="回复{}", en="Wants {} in replies", zh_now="回复{}", context=_context(r"回复|回答|答|说|写|给我|列|整理|总结|报告|结论|表情|emoji|别|不要", r"repl|answer|respon|summar|report|write|give|use|put|message|emoji|bullet|first|start|lead"), told=True,
)  # fmt: skip
_MEETING = Choice(
    "meeting_preference",
    (
        _option("morning", "上午开会", "morning meetings", r"(?:早上|上午|早晨)[^，。]{0,4}(?:开会|会议|的会|碰头)|(?:会|会议|开会)[^，。]{0,8}(?:上午|早上)", r"\bmorning (?:meetings?|calls?)\b|\b(?:meetings?|calls?)[^,.]{0,24}\b(?:in the morning|mornings?|before noon)\b|\bmeet(?:ing)? in the morning\b"),
        _option("afternoon", "下午开会", "afternoon meetings", r"(?:下午|午后)[^，。]{0,4}(?:开会|会议|的会|碰头)|(?:会|会议|开会)[^，。]{0,8}下午", r"\bafternoon (?:meetings?|calls?)\b|\b(?:meetings?|calls?)[^,.]{0,24}\b(?:in the afternoon|afternoons?|after lunch)\b"),
        _option("evening", "晚上开会", "evening meetings", r"晚上[^，。]{0,4}(?:开会|会议|的会)", r"\bevening meetings?\b|\bmeetings?[^,.]{0,24}\bin the evening\b"),
        _option("online", "线上会议", "online meetings", r"(?:线上|远程|视频)(?:开会|会议)", r"\b(?:online|remote|virtual|video) (?:meetings?|calls?)\b"),
        _option("in_person", "当面开会", "in-person meetings", r"(?:线下|当面|面对面)(?:开会|会议|聊)", r"\b(?:in[- ]person|face[- ]to[- ]face) meetings?\b"),
    ),
    zh_not="不{}", en_not="No {}",
)  # fmt: skip
_MEETING_APPS = {
    "Zoom": "zoom", "Teams": "(?:microsoft )?teams(?= call| meeting|$| for| please| from)|(?<=[用成是到为]) ?teams|微软 ?teams|microsoft teams|on teams|use teams|to teams", "Google Meet": "google meet|谷歌会议", "Webex": "webex",
    "飞书": "飞书|lark|feishu", "腾讯会议": "腾讯会议|tencent meeting|voov", "钉钉": "钉钉|dingtalk", "Slack": "slack huddles?|slack calls?", "Skype": "skype", "企业微信": "企业微信|企微|wecom", "Discord": "discord",
}  # fmt: skip
_MEETING_TOOL = Choice(
    "meeting_tool",
    tuple(_option(name, name, name, rf"(?<![a-z])(?:{words})(?![a-z])") for name, words in _MEETING_APPS.items()),
    zh="会议用{}", zh_now="会议用{}", en="Uses {} for meetings", en_now="Meeting on {}", zh_not="会议不用{}", en_not="No meetings on {}",
    context=_context(r"会|开|视频|通话|用", r"meeting|call|video|meet|switch|conference|stand-?up|sync|\bon\b|\buse\b"),
)  # fmt: skip
_NOTIFICATIONS = Choice(
    "notifications",
    (
        _option("off", "关闭通知", "notifications off", r"(?:关(?:掉|闭|了)?|停(?:掉|止)?|取消|屏蔽|别|不要|不想(?:收到?|要)|不用|免|少)(?:再)?(?:给我)?(?:发|推送?|弹|收|任何|所有|营销|邮件|短信|app|的){0,3}(?:通知|推送|提醒|消息提醒)|(?:通知|推送|提醒)(?:都|全|全部|全都|一律|请|给我)?(?:关(?:掉|闭|了)?|停掉|取消|屏蔽|静音)|(?:开|保持|设成)?(?:免打扰|勿扰)", r"\b(?:turn(?:ed)? off|disable|mute|silence|no|stop(?: sending(?: me)?)?|don't (?:send|want|push)(?: me)?|without|switch off|kill) (?:all |any |the |my |push |email |sms |more )*(?:notifications?|alerts|push(?:es)?)\b|\bnotifications?(?: should be| stay| to be| to)? (?:off|disabled|muted)\b|\bdo[- ]not[- ]disturb\b"),
        _option("on", "开启通知", "notifications on", r"(?:打开|开启|开着|恢复|保留)(?:所有|全部|邮件|短信|app|的){0,2}(?:通知|推送|提醒)", r"\b(?:turn on|enable|keep|unmute) (?:all |the |my |push |email )*notifications?(?: on)?\b|\bnotifications? (?:on|enabled)\b"),
        _option("email", "邮件通知", "email notifications", r"(?:通知|提醒)[^，。]{0,4}(?:用|走|发到?)(?:邮件|邮箱)|用?邮件(?:通知|提醒)我?", r"\b(?:notify|alert|ping) me (?:by|via|through|over) e-?mail\b|\be-?mail (?:notifications?|alerts) only\b"),
    ),
    zh="{}", en="{}", zh_now="{}", told=True, strong=True,
)  # fmt: skip
_TIER = Choice(
    "member_tier",
    tuple(
        _option(token, f"{zh.split('|')[0]}卡会员", f"{token} member", rf"(?:{zh})(?:卡|级)?(?:会员|贵宾|卡用户)|(?:会员|等级)[^，。]{{0,6}}(?:{zh})(?:卡|级)?|(?<!张)(?:{zh})卡(?!机)", rf"\b{token} (?:member|status|tier|card ?holder|medallion|elite|level)\b|\b(?:member(?:ship)?|tier|status|level)(?: \w+)? (?:is|to|now) {token}\b")
        for token, zh in (("platinum", "白金|铂金"), ("gold", "金"), ("silver", "银"), ("diamond", "钻石"), ("black", "黑"), ("titanium", "钛金"), ("bronze", "铜"))
    ),
    zh="{}", en="{}", strong=True, facts=True,
)  # fmt: skip
_RELATIONSHIP = Choice(
    "relationship",
    (
        _option("single", "单身", "single", r"(?:我)?(?:还是|目前|现在|一直|是)?单身(?!公寓|派对)", r"\bi(?:'m| am)(?: still| currently| now| a)? single\b(?! (?:room|bed))|\bas a single parent\b|\bi(?:'m| am) a single (?:mom|dad|parent|mother|father)\b"),
        _option("married", "已婚", "married", r"(?:我)?(?:已婚|结婚了|已经结婚|结了婚)", r"\bi(?:'m| am)(?: now| happily)? married\b|\b(?:i|we) (?:just )?got married\b|\bmy (?:husband|wife) and i\b(?=.*\bmarried\b)"),
        _option("engaged", "已订婚", "engaged", r"我?(?:已经)?订婚了|刚订婚", r"\b(?:i|we)(?:'m|'re| am| are)(?: now)? engaged\b(?! in)|\b(?:i|we) (?:just )?got engaged\b"),
        _option("divorced", "离异", "divorced", r"我?(?:已经|刚)?离(?:了)?(?:异|婚了|婚)(?=$|了)", r"\bi(?:'m| am)(?: now| recently)? divorced\b|\b(?:i|we) (?:just )?got divorced\b"),
    ),
    zh="{}", en="{}", strong=True, facts=True,
)  # fmt: skip
_PURPOSE = Choice(
    "trip_purpose",
    (
        _option("family", "家庭旅行", "family trip", r"(?:家庭|亲子|全家|带娃)(?:旅行|旅游|出行|游|出游)|(?:带|陪)(?:着)?(?:孩子|家人|父母|爸妈|老人|全家|娃|老婆孩子)(?:一起)?(?:旅游|旅行|出去玩|出行|去玩|玩|出游)", r"\bfamily (?:trip|vacation|holiday|visit)\b|\b(?:trip|travell?ing|vacation|holiday) with (?:my |the )?(?:family|kids|children|parents)\b"),
        _option("business", "出差", "business trip", r"(?:是|为|属于)(?:去)?(?:出差|商务(?:出行|旅行)?)|(?:这次|本次|这趟)(?:去)?(?:出差|商务)$", r"\bbusiness (?:trip|travel)\b|\bwork trip\b|\b(?:trip|travell?ing) (?:is )?for (?:work|business)\b"),
        _option("honeymoon", "蜜月", "honeymoon", r"蜜月", r"\bhoneymoon\b"),
        _option("leisure", "休闲度假", "leisure trip", r"(?:是|为|去)(?:纯)?(?:度假|休闲|玩|旅游)|纯玩", r"\b(?:leisure|pleasure) trip\b|\b(?:trip|travell?ing) (?:is )?for (?:fun|pleasure|leisure)\b|\b(?:is|it's) a (?:vacation|holiday)\b"),
        _option("conference", "参会", "conference", r"(?:是|为|去)(?:参加)?(?:开会|参会|会议)", r"\b(?:trip|travell?ing) (?:is )?for a (?:conference|summit)\b"),
    ),
    zh="行程性质：{}", zh_now="是{}", en="{}", en_now="{}", context=_context(r"这次|本次|这趟|这一次|这回|此次", r"\bthis (?:time|trip|one|is|journey|visit)\b|\bcurrent trip\b"),
)  # fmt: skip

CHOICES: tuple[Choice, ...] = (
    _SEAT, _SEAT_AREA, _TRANSPORT, _COMMUTE, _DEPARTURE, _RED_EYE, _MEAL, _DIET, _ROOM, _ROOM_PLACE, _STOPS, _SMOKING, _CHECK_IN, _BAG, _THEME, _LENGTH, _LAYOUT,
    _MEETING, _MEETING_TOOL, _NOTIFICATIONS, _TIER, _RELATIONSHIP, _PURPOSE,
)  # fmt: skip
