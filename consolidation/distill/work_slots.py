"""How people say how they work: languages, editors, databases, ports, limits, hours, places, budgets."""

import re

from . import cues, dates
from .choices import LANGUAGE_EN, LANGUAGE_ZH, language
from .open_slots import AMOUNT, Say, amount, clean, say

_CODE = r"(?:Python|Rust|Golang|Go|TypeScript|JavaScript|Java|Kotlin|Swift|Ruby|PHP|Scala|Haskell|Elixir|Erlang|Clojure|Perl|Lua|Julia|Dart|Zig|OCaml|Fortran|COBOL|R|C\+\+|C#|F#|C)(?![\w+#-])"
_EDITOR = r"(?:VS ?Code|Visual Studio Code|Visual Studio|Neovim|nvim|Vim|Emacs|IntelliJ(?: IDEA)?|IDEA|PyCharm|WebStorm|GoLand|CLion|RustRover|Sublime(?: Text)?|Zed|Cursor|Helix|Xcode|Eclipse|Nano|Notepad\+\+|Android Studio|Obsidian|Typora)(?!\w)"
_OS = r"(?:macOS|Mac OS|OS X|Windows(?: 1[01])?|Linux|Ubuntu(?: [\d.]+)?|Debian(?: \d+)?|Fedora|Arch(?: Linux)?|NixOS|CentOS|FreeBSD|ChromeOS|iOS|Android|HarmonyOS|鸿蒙|WSL2?)(?![\w])"
_DB = r"(?:PostgreSQL|Postgres|MySQL|MariaDB|SQLite|MongoDB|Mongo|Oracle|SQL Server|MSSQL|Redis|Cassandra|DynamoDB|CockroachDB|TiDB|OceanBase|ClickHouse|DuckDB|Elasticsearch|Neo4j|Snowflake|BigQuery|GaussDB|达梦)(?!\w)"
_WD_EN = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_WD_ZH = r"(?:周|星期|礼拜)[一二三四五六日天]"
_DAYS = {
    "一": "monday",
    "二": "tuesday",
    "三": "wednesday",
    "四": "thursday",
    "五": "friday",
    "六": "saturday",
    "日": "sunday",
    "天": "sunday",
}
_ZONES = {"berlin": "Europe/Berlin", "london": "Europe/London", "paris": "Europe/Paris", "zurich": "Europe/Zurich", "madrid": "Europe/Madrid", "rome": "Europe/Rome", "amsterdam": "Europe/Amsterdam", "new york": "America/New_York", "chicago": "America/Chicago", "los angeles": "America/Los_Angeles", "san francisco": "America/Los_Angeles", "seattle": "America/Los_Angeles", "toronto": "America/Toronto", "tokyo": "Asia/Tokyo", "singapore": "Asia/Singapore", "shanghai": "Asia/Shanghai", "beijing": "Asia/Shanghai", "sydney": "Australia/Sydney", "delhi": "Asia/Kolkata", "india": "Asia/Kolkata", "utc": "UTC", "gmt": "UTC", "北京": "Asia/Shanghai", "东京": "Asia/Tokyo", "柏林": "Europe/Berlin", "伦敦": "Europe/London", "纽约": "America/New_York", "新加坡": "Asia/Singapore", "巴黎": "Europe/Paris"}  # fmt: skip


def _day(text: str) -> str:
    text = text.strip().lower()
    return _DAYS.get(text[-1], text.rstrip("s"))


def _code(m: re.Match[str]) -> str:
    return {"golang": "Go"}.get(m["v"].lower(), clean(m["v"]))


def _lang(m: re.Match[str]) -> str | None:
    return language(clean(m["v"]))


def _unit(m: re.Match[str]) -> str | None:
    n = dates.number(m["n"])
    if n is None:
        return None
    unit = next((u for u, words in (("ms", r"ms|毫秒|milliseconds?"), ("s", r"s|secs?|seconds?|秒钟?"), ("min", r"m|mins?|minutes?|分钟?"), ("hour", r"h|hrs?|hours?|小时|个小时|钟头"), ("km", r"km|公里|千米|kilomet(?:er|re)s?"), ("miles", r"miles?|英里"), ("day", r"d|days?|天")) if re.fullmatch(words, m["u"], re.I | re.A)), m["u"])  # fmt: skip
    return f"{dates.plain(n)} {unit}"


def _half_hour(m: re.Match[str]) -> str | None:
    if m.groupdict().get("half"):
        return "30 min"
    return _unit(m)


_REPLIES = re.compile(
    r"回复|回答|答复|回我|说完|讲完|\b(?:repl(?:y|ies)|answers?|respon(?:d|ses?)|explanations?|messages?)\b",
    re.I | re.A,
)


def _length(m: re.Match[str]) -> str | None:
    """How long replies may be, where that is meant to last."""
    n = dates.number(m["n"])
    lasting = cues.LASTING.search(m.string) or _REPLIES.search(m.string) and not cues.TASK.search(m.string)
    if n is None or not lasting or cues.SESSION.search(m.string):
        return None
    unit = next(
        name
        for name, words in (
            ("sentence", r"句话?|sentences?"), ("line", r"行|lines?"), ("word", r"words?"), ("character", r"个?字"), ("paragraph", r"段|paragraphs?"), ("bullet", r"条|bullet.*"),
        )
        if re.fullmatch(words, m["u"], re.I | re.A)
    )  # fmt: skip
    under = "under " if re.search(r"\b(?:under|below)\b", m[0], re.I | re.A) else ""
    return f"{under}{dates.plain(n)} {unit}{'' if n == 1 else 's'}"


def _when_said(m: re.Match[str]) -> str | None:
    found = dates.clock(m["v"])
    if not found:
        return None
    zone = next(
        (name for city, name in _ZONES.items() if re.search(rf"(?<![a-z]){city}(?![a-z])", m.string, re.I | re.A)), None
    )
    return f"{found[0]} {zone}" if zone else found[0]


def _hours(m: re.Match[str]) -> str | None:
    if "朝九晚" in m["v"]:
        return f"09:00-{18 if '六' in m['v'] else 17}:00"
    first = dates.clock(m["v"])
    second = dates.clock(m["v"], first[1], evening=True) if first else None
    return f"{first[0]}-{second[0]}" if first and second else None


def _part_of_day(text: str) -> str:
    for word, name in (
        ("早上|上午|清晨|morning", "morning"),
        ("中午|noon|lunch", "noon"),
        ("下午|afternoon", "afternoon"),
        ("晚上|傍晚|evening", "evening"),
        ("深夜|夜里|night", "night"),
    ):
        if re.search(word, text, re.I | re.A):
            return name
    return ""


def _contact(m: re.Match[str]) -> str | None:
    text = m["v"]
    days = (
        "weekdays"
        if re.search(r"工作日|平日|周一到周五|weekday", text, re.I | re.A)
        else "weekends"
        if re.search(r"(?<!不)周末|(?<!never on )(?<!not on )(?<!no )weekend", text, re.I | re.A)
        else ""
    )
    times = [
        (word, dates.clock(text, at.end(), evening=True))
        for word, pattern in (
            ("after", r"\bafter\b|\bpast\b"),
            ("before", r"\bbefore\b|\buntil\b"),
            ("between", r"\bbetween\b|\bfrom\b"),
        )
        for at in [re.search(pattern, text, re.I | re.A)]
        if at
    ]
    if re.search(r"[点时:]\S{0,3}(?:以后|之后|后|过后)", text) and (c := dates.clock(text, evening=True)):
        times = [("after", c)]
    elif re.search(r"[点时:]\S{0,3}(?:以前|之前|前)", text) and (c := dates.clock(text)):
        times = [("before", c)]
    clock = " ".join(f"{word} {c[0]}" for word, c in times if c)
    if (
        times
        and times[0][0] == "between"
        and times[0][1]
        and (second := dates.clock(text, times[0][1][1], evening=True))
    ):
        clock = f"{times[0][1][0]}-{second[0]}"
    part = clock or _part_of_day(
        re.sub(r"(?:，|\b)(?:but )?(?:not|never|don't|不要|别)\b.*|(?:不要|别)(?:在|挑)?[早上中下晚][^，。]*", "", text)
    )
    return " ".join(x for x in (days, part + "s" if days and part and not clock else part) if x) or None


def _quiet_from(m: re.Match[str]) -> str | None:
    clock = dates.clock(m["v"], evening=True)
    return f"off after {clock[0]}" if clock else None


_TOPIC_LANGUAGE = (
    ("review_language", r"(?:code ?review|cr|review|代码评审|代码审查|评审)(?:s| comments?| 评论|意见|评论)?", "代码评审用{v}", "Code reviews in {v}"),
    ("commit_language", r"(?:git )?(?:commit(?: messages?| msgs?)?s?|提交(?:信息|说明|记录|消息)?)", "提交信息用{v}", "Commit messages in {v}"),
    ("docs_language", r"(?:docs?|documentation|readme|文档|说明文档|注释|code comments|comments)", "文档用{v}", "Documentation in {v}"),
    ("email_language", r"(?:e-?mails?|邮件|信件)", "邮件用{v}", "E-mails in {v}"),
)  # fmt: skip
_LANG_SAYS = tuple(
    rule
    for key, topic, zh, en in _TOPIC_LANGUAGE
    for rule in say(
        key,
        zh,
        en,
        rf"(?<![a-z]){topic}\s*(?:的?(?:意见|评论|内容|信息|说明))?(?:都|请|一律|要|统一|全部|也)*\s*(?:改)?(?:用|写|使用|以|一律|统一|全部|都|要|：|:)\s*(?P<v>{LANGUAGE_ZH}|{LANGUAGE_EN})",
        rf"用(?P<v>{LANGUAGE_ZH})(?:来)?写\s*{topic}",
        rf"\b{topic}\b(?: should| must| can| to| are| is| be| always| all| written| stay| go)* in (?P<v>{LANGUAGE_EN})\b",
        rf"\b{topic}\b(?: should| must| can| may)(?: always| all)* (?:be|stay) (?P<v>{LANGUAGE_EN})\b",
        rf"\b(?:write|do|keep|use|make) (?P<v2>{LANGUAGE_EN}) (?:for|in) (?:\w+ )?{topic}",
        told=True,
        value=lambda m: language(clean(m.groupdict().get("v") or m.groupdict().get("v2") or "")),
        wish=False,
        others=False,
    )
)

SAYS: tuple[Say, ...] = (
    *_LANG_SAYS,
    *say("reply_length", "回复{n}{u}以内", "Replies of at most {n} {u}",
         rf"(?:回复|回答|答复|说|讲|写|控制在|不超过|不要超过|别超过|最多)?[^，。]{{0,6}}?(?P<n>{dates.NUMBER})(?P<u>句话?|行|个?字|段|条)(?:话)?(?:以内|之内|以下|就够了?|说完|讲完|内)", rf"(?:控制在|不超过|不要超过|别超过|最多)(?P<n>{dates.NUMBER})(?P<u>句话?|行|个?字|段|条)",
         rf"\b(?:at most|no more than|not more than|up to|under|within|below|max(?:imum)?(?: of)?|never more than|never over|in) (?P<n>{dates.NUMBER}) (?P<u>sentences?|lines?|words?|paragraphs?|bullets?|bullet points)\b", rf"\b(?P<n>{dates.NUMBER}) (?P<u>sentences?|lines?|words?|paragraphs?|bullets?|bullet points)(?: is| are)? (?:at most|max(?:imum)?|tops|or (?:less|fewer)|at the most|is enough|(?:is )?plenty)\b", value=_length, told=True, others=False),
    *say("reply_language", "偏好{v}回复", "Wants replies in {v}",
         rf"(?<!上班)(?<!在家)(?<!工作)(?<!家里)(?<!公司)(?<!学校)(?<!同事)(?<!爸妈)(?:用|说|讲|以|改用|换成|使用)(?P<v>{LANGUAGE_ZH}|{LANGUAGE_EN})(?:来|跟|和|与|给|对)*(?:我|咱)?(?:来|给我)?(?:回复|回答|答复|回|沟通|交流|说话|对话|聊|聊天|解释|答|说|写)?(?:吧|我|就好|就行|即可|好了)*$", rf"(?P<v>{LANGUAGE_ZH})(?:回复|回答|答复|交流|沟通|对话)", rf"(?:回复|回答|答复|交流|沟通|对话|跟我说话|和我说话|语言)(?:我)?(?:的)?(?:时|时候|语言)?(?:都|请|要|一律|统一|全部|改|也|还是|就|尽量|默认)*(?:用|是|为|成|设为|改成|换成)(?P<v>{LANGUAGE_ZH}|{LANGUAGE_EN})", rf"(?:保持|坚持|默认|切换?到|切回|换回|换成|改成|改回)(?P<v>{LANGUAGE_ZH})(?:吧|$)",
         rf"\b(?:reply|answer|respond|speak|talk|write|communicate|chat|continue|responses?|replies|answers?|explain)(?: only| back| everything| to me| with me| me| always| should be| must be| please| are| be| come)* (?:in|using) (?P<v>{LANGUAGE_EN})\b", rf"\b(?:use|keep|stick (?:to|with)|switch (?:back )?to|go back to|stay (?:in|with)|prefer|want|make it|speak|change to) (?:it in |everything in |to )?(?P<v>{LANGUAGE_EN})(?: (?:replies|answers|responses|please|for (?:everything|all|replies|answers|our|my|this)|with me|when|from|instead|now|only|again|this|today)\b|$)", rf"^(?P<v>{LANGUAGE_EN}),? please$", rf"\b(?P<v>{LANGUAGE_EN}) (?:replies|answers|responses)\b", rf"(?<!swear )(?<!sing )(?<!dream )(?<!count )(?<!curse )(?<!read )(?<!think )(?<!films )(?<!movies )(?<!books )(?<!degree )(?<!subtitles )(?<!fluent )\bin (?P<v>{LANGUAGE_EN})(?: please| from now on| only| for this)*$", told=True, others=False, value=_lang, wish=False),
    *say("primary_language", "主力语言是 {v}", "Main language is {v}",
         rf"主(?:力|要)(?:编程|开发)?(?:的)?(?:语言)?(?:一直)?(?:是|用|写|改成|换成|改为|切到|，应该是)\s*(?P<v>{_CODE})", rf"(?:喜欢|习惯|主要|平时|一般|通常|常|更爱|偏好|偏爱|都|改|转|现在|日常|以后)(?:都|用|写|学|去|使用|向|来)*(?:用|写|使用|向)\s*(?P<v>{_CODE})", rf"^(?:我)?(?:们)?(?:用|写)\s*(?P<v>{_CODE})\s*(?:开发|写代码|为主|比较多)?$",
         rf"\bi (?:mainly|mostly|usually|primarily|always|now|normally|generally|only|really)? ?(?:like|love|prefer|enjoy|favou?r)?(?: to)?(?: use| using| write| writing| code in| coding in| program in| programming in| work in| working in| develop in)+ (?-i:(?P<v>{_CODE}))", rf"\b(?:main|primary|preferred|favou?rite|go-to|default)(?: programming| coding)? language(?:'s| is| to| has been| should be)(?: now| still)? (?-i:(?P<v>{_CODE}))", rf"\bi(?:'d)? prefer (?-i:(?P<v>{_CODE}))", rf"\b(?:i(?:'ve| have)?|we) (?:switched|moved|migrated)(?: from \S+)? to (?-i:(?P<v>{_CODE}))", rf"\bi(?:'m| am) (?:a|an) (?-i:(?P<v>{_CODE})) (?:developer|programmer|dev|engineer|person)", rf"\bi (?:said|meant) (?-i:(?P<v>{_CODE}))", rf"我(?:说|指)的是\s*(?P<v>{_CODE})", value=_code),
    *say("code_style", "代码风格用 {v}", "Code style: {v}", r"(?:代码|编码|编程)(?:风格|规范|格式)(?:请|都|要|上)?(?:参考|遵循|按照?|用|采用|遵守|是|照|依照|以)\s*(?P<v>[A-Za-z][\w -]{1,30}|[\u3400-\u9fff]{2,12})", r"(?:缩进)(?:都|请|要|一律)?(?:用|是)\s*(?P<v>\d ?(?:个)?(?:空格)|两个空格|四个空格|tab(?:s|键)?|制表符)", r"\b(?:code|coding) style(?:'s| is| should be|:| follows?| to| guide is)? (?:follow(?:s|ing)? )?(?P<v>[A-Za-z][\w -]{1,30})", r"\b(?:follow|stick to|use|adhere to) (?P<v>PEP ?-?8|black|google(?:'s)? style(?: guide)?|airbnb(?: style)?|standardjs|prettier|gofmt|rustfmt)\b", r"\b(?:indent with|prefer|use|always use) (?P<v>tabs|spaces|(?:two|four|2|4)[- ]spaces?)(?: over (?:spaces|tabs)| for indent\w*|$)", told=True, wish=False),
    *say("editor", "编辑器用 {v}", "Uses {v} as editor", rf"(?:用|改用|换成|换到|切到|转到|改成|使用|换)(?:了)?\s*(?P<v>{_EDITOR})", rf"(?:编辑器|IDE)(?:是|用|为)\s*(?P<v>{_EDITOR})", rf"\b(?:i(?:'ve| have)?|we)(?: just| now| recently| always| mostly| usually| only| finally)* (?:use|switched(?: from [\w ]+?)? (?:over )?to|switched|moved(?: from [\w ]+?)? to|prefer|work in|live in|code in|edit in|write (?:code|everything) in) (?P<v>{_EDITOR})", rf"\b(?:editor|ide)(?: of choice)?(?:'s| is| to)(?: now)? (?P<v>{_EDITOR})", value=lambda m: {"nvim": "Neovim", "vscode": "VS Code", "visual studio code": "VS Code"}.get(m["v"].lower(), m["v"])),
    *say("os", "系统用 {v}", "Uses {v}", rf"\bi (?:use|work|develop|code|run)\b[^,.;]{{1,30}} on (?P<v>{_OS})", rf"(?:电脑|系统|操作系统|笔记本|手机|服务器|我|本地)(?:上|一直|现在|平时|都)*(?:是|用|用的是|跑的是|装的是|换成了?|改用)\s*(?P<v>{_OS})", rf"\bi(?:'m| am| now| mostly| always| only|'ve)* (?:use|run|on|using|running|switched to|develop on|work on) (?P<v>{_OS})", rf"\bmy (?:laptop|computer|machine|desktop|pc|workstation|os|operating system|phone)(?:'s| is| runs| uses)(?: on| now| running)* (?P<v>{_OS})"),
    *say("project_database", "主库用 {v}", "Database is {v}", rf"(?:主?(?:数据)?库|db)(?:都|统一|现在|已经|要|请)?(?:用|是|选|选用|采用|从\s*\S{{1,20}}\s*(?:切|换|迁移?|改)(?:换)?(?:到|成|为)?|换成|改成|改用|切到|切换到|迁到|迁移到|为)(?:了)?\s*(?P<v>{_DB})", rf"(?:用|选|采用|换成|改用|选用|迁到|切到)(?:了)?\s*(?P<v>{_DB})\s*(?:做|作为|当|作|为)?(?:我们的)?(?:主)?(?:数据)?库", rf"(?:项目|系统|服务|平台)[^，。]{{0,8}}(?:用|采用|选用|换成|改用)(?:的是)?\s*(?P<v>{_DB})", rf"^(?:and |but )?(?:the |our )?[A-Za-z][\w-]+(?: project| service| app| team| repo)?(?:'s| is| are| runs?| stays?| sits| lives| remains?)(?: now| still| all| already)? (?:on|with) (?P<v>{_DB})", rf"\b(?:database|db|datastore|data store|primary store)(?: for [\w ]{{2,30}})?(?:'s| is| to| will be|:| has been| was)(?: now| switched to| moved to| migrated to)* (?P<v>{_DB})", rf"\b(?:switch|switched|moved?|migrated?|migrating|change|changed)(?: the| our)?(?: main| primary| whole)?(?: database| db| data)?(?: from \S+)? (?:over )?to (?P<v>{_DB})", rf"\b(?:we|i|(?:the|our) (?:\w+ ){{1,3}}?(?:project|service|app|system|team|backend))(?:'re| are|'ll| will| now| all| always)* (?:uses?|using|run(?:s|ning)? on|go with|going with|chose|picked|on) (?P<v>{_DB})", value=lambda m: {"postgres": "PostgreSQL", "mongo": "MongoDB"}.get(m["v"].lower(), m["v"]), conditions="project", others=False),
    *say("project_stack", "技术栈：{v}", "Stack: {v}", r"(?:技术栈|架构)(?:是|用|为|：|:)+\s*(?P<v>[A-Za-z][^，。;；]{3,60})", r"\b(?:tech |our |my |project )?stack(?:'s| is|:) (?P<v>[A-Za-z][^.;]{3,60})", value=lambda m: ";".join(re.split(r"\s*(?:,|、|/|\+| and |和|加)\s*(?:and )?", clean(m["v"]))), wide=True, conditions="project", others=False),
    *say("project_phase", "项目处于{v}阶段", "Project is in {v}", r"项目(?:现在|已经|目前)?(?:进入|处于|在|到)(?:了)?(?P<v>[\u3400-\u9fffA-Za-z]{2,8}?)(?:阶段|期)", r"\b(?:the |our |this )?project(?:'s| is| has entered| entered| moved to)(?: now)?(?: in)?(?: the)? (?P<v>alpha|beta|release|testing|planning|design|maintenance|production|discovery|development|pilot|staging|rollout)(?: phase| stage)?\b", others=False),
    *say("service_port", "{svc}端口 {v}", "{svc} port {v}", r"端口(?:号)?(?:都|映射|已经|现在|改)*(?:是|为|用|成|到|改成|改为|映射成|映射到|设为|换成)?(?:了)?\s*(?P<v>\d{2,5})", r"监听(?:在|的是)?\s*(?P<v>\d{2,5})(?:端口)?", r"\b(?:listen(?:s|ing)?|runs?|running|exposed|served?|mapped|bound|is|up) (?:on|to|at)(?: port)? (?P<v>\d{2,5})\b(?! ?(?:%|am|pm|usd|dollars|minutes|days|hours|people|users|th))", r"\bports?(?: is| to| mapping is| number is|:)*(?: now| changed to| mapped to| set to)* (?P<v>\d{2,5})\b", value=lambda m: m["v"] if int(m["v"]) <= 65535 else None, conditions="service", kind="episodic", others=False),
    *say("timeout", "{svc}超时 {n} {u}", "{svc} timeout is {n} {u}", rf"超时(?:时间)?(?:都|统一|改|设|设置|现在|已经|是|为|成|改成|改为|设为|定为|调到|到)*\s*(?P<n>{dates.NUMBER})\s*(?P<u>ms|毫秒|s|秒钟?|分钟|min)", rf"\btime-?outs?(?:'s| is| to| of| should be| at|:| set to| now)* (?P<n>{dates.NUMBER}) ?(?P<u>ms|milliseconds?|s|secs?|seconds?|min(?:ute)?s?)\b", value=_unit, conditions="service", others=False),
    *say("batch_size", "批大小 {v}", "Batch size {v}", r"(?:批次?大小|batch ?size|每批)(?:都|改|设|是|为|成|到|改成|设为|用|条|：|:)*\s*(?P<v>\d{1,6})", r"\bbatch(?:es)?(?: size)?(?:'s| is| to| of| should be|:| set to)+ (?P<v>\d{1,6})\b", others=False),
    *say("sdk_version", "SDK 版本 {v}", "SDK version {v}", r"\bSDK(?:的)?(?:版本|version)?\s*(?:固定|锁定|锁|pinned|pin|stays?|is|are|用|是|到|在|为|at|on|to|version|v)*\s*(?P<v>v?\d+\.\d+(?:\.\d+)?[\w.-]*)", r"\bpin(?:ned)?(?: \w+){0,3} to (?:SDK |version |v)+(?P<v>\d+\.\d+(?:\.\d+)?[\w.-]*)", others=False),
    *say("discount", "优惠：{v}", "Discount: {v}", r"(?:会员|我们|团购|员工)?(?:打|享|优惠)(?P<v>[\d.一二三四五六七八九]+折|\d+ ?%)", r"\b(?:get|have|has|gives?|with) (?:an? )?(?P<v>\d+ ?% (?:off|discount))", others=False),
    *say("deadline", "截止日期 {v}", "Deadline: {v}", r"(?P<v>(?:(?:下下?|这|本)个?(?:周|星期|礼拜)[一二三四五六日天]|\d{1,2}月\d{1,2}[日号]|下?个?月\d{1,2}[日号]|大?后天|明天))(?:之前|以前|前)?(?:就|要|得)*(?:due|截止|交(?:稿|初稿|终稿|论文|作业|报告)|要交)", r"(?:截止(?:日期|时间)?|deadline|DDL|交付日期|上线日期)(?:是|为|在|定在|改到|改成|推迟到|提前到|：|:)*(?P<v>[^，。]{2,16})", r"\bdeadline(?: for [\w ]{2,30})?(?:'s| is| moved to| has moved to| was moved to| got moved to| changed to|:)(?: now)? (?P<v>[^,.;]{3,30})", r"\b(?:project|report|paper|proposal|thesis|launch|release|draft|assignment|essay|chapter|application)(?: (?:for|to|on|about) [\w ]{2,30}?)? is due (?:on |by )?(?P<v>[^,.;]{3,30})", others=False),
    *say("vault_path", "笔记库路径 {v}", "Vault is at {v}", r"\b(?:vault|notes?(?: folder)?)(?: path)? (?:is|lives|sits)(?: at| in)? (?P<v>(?:[A-Za-z]:[\\/]|~?/)\S+)", r"(?:笔记库|笔记|vault|知识库)(?:路径|目录)?(?:在|是|放在|为)\s*(?P<v>(?:[A-Za-z]:[\\/]|~?/)\S+)", others=False),
    *say("standup_time", "站会时间 {v}", "Stand-up at {v}", r"(?:站会|晨会|早会|stand-?up)(?:时间)?(?P<v>[^，。]{0,16}?(?:\d{1,2}:\d\d|[\d一二三四五六七八九十]{1,3}点(?:半|\d{1,2}分?)?)[^，。]{0,6})", r"\b(?:daily |our |the |team )*(?:stand-?up|daily|scrum)(?: meeting| call)?(?:'s| is| starts| moved| has moved| happens| moves)?(?: to| now)*(?: at)? (?P<v>(?:\d{1,2}(?::\d\d)?|nine|ten|eight|eleven|noon|half)[^,.;]{0,40})", value=_when_said, others=False),
    *say("working_hours", "工作时间 {v}", "Working hours {v}", r"(?:工作时间|上班时间|作息)(?:是|为|一般是|通常是)?(?P<v>[^，。]{3,24})", r"(?P<v>朝九晚[五六])", r"(?:我|我们)(?:一般|通常|每天|平时)?(?P<v>(?:早上|上午)?[\d一二三四五六七八九十:半点]{1,5}(?:到|至|-|~)(?:下午|晚上)?[\d一二三四五六七八九十:半点]{1,5})(?:上班|工作|在岗)", r"\b(?:my |our )?(?:working|work|office) hours(?: are|:| is)? (?P<v>[^,;]{3,30})", r"\bi work(?: from)? (?P<v>(?:\d{1,2}(?::\d\d)?|nine|ten|eight|seven)(?: ?[ap]m)? ?(?:to|-|till|until) ?(?:\d{1,2}(?::\d\d)?|four|five|six|seven|three)(?: ?[ap]m)?)", value=_hours, others=False),
    *say("contact_time", "{v_zh}", "{v_en}", r"(?P<v>(?=.*(?:打电话|电话|联系|联络|通话|找我|打给我|call))(?=.*(?:[点时]|早上|上午|中午|下午|晚上|傍晚|工作日|周末))[^，。]*(?:(?:打电话|电话|联系|联络|通话|找我|打给我|call)[^，。]*))", r"\b(?P<v>(?:i can (?:do|take) calls|i(?:'m| am) (?:reachable|available|free)(?: for calls| by phone)?|(?:please )?(?:only )?(?:call|reach|contact|phone|ring) me|calls? (?:are )?(?:fine|ok|okay|work)|best (?:time )?to (?:call|reach|contact) me(?: is)?)(?: only| on| is)* (?=.*(?:after|before|between|morning|afternoon|evening|noon|weekday|weekend|night|\d))[^;]{3,60})", value=_contact, wide=True, others=False),
    *say("notifications", "{v_zh}", "{v_en}", r"(?P<v>[^，。]{1,10}[点:]\S{0,3}?(?:以后|之后|过后|后))[^，。]{0,4}(?:不要|别|不许|勿)[^，。]{0,4}(?:通知|推送|提醒|消息|打扰|吵)", r"\b(?:don't|do not|never|no|stop|mute|without) (?:ping(?:ing)?|notify(?:ing)?|messag(?:e|ing)|disturb(?:ing)?|bother(?:ing)?|alert(?:s|ing)?|text(?:ing)?|notifications?|pings|send me notifications|push notifications)(?: me)? (?P<v>(?:after|past|from) [^,.;]{1,20})", value=_quiet_from, others=False, told=True),
    *say("meeting_length", "会议时长 {v}", "Meetings last {v}", rf"(?:会议?|开会)(?:时间|时长|一般|通常|都|尽量|每次|最好|请|要|安排)*(?:控制在|不超过|不要超过|别超过|最多|限制在|定|设为|是|为|开)?(?:(?P<n>{dates.NUMBER})\s*(?:个)?(?P<u>分钟|小时)|(?P<half>半)个?小时)", rf"\bmeetings?(?: should| must| to| are| last| be| max| of| at most| no longer than| no more than| under| within| capped at| usually| always| kept| short| ?:| limited to| never over)+ (?P<n>{dates.NUMBER})[- ]?(?P<u>min(?:ute)?s?|h(?:ou)?rs?|hour)\b", rf"\b(?:keep|prefer|schedule|limit|cap|make|book)(?: my| all| our| the)? (?P<n>{dates.NUMBER})[- ]?(?P<u>min(?:ute)?s?|hour)(?: long)? meetings?\b", rf"\b(?:keep|limit|cap)(?: my| all| our| the)? meetings (?:to|under|at|within|below)(?: max| at most)? (?P<n>{dates.NUMBER}) ?(?P<u>min(?:ute)?s?|hours?)\b", value=_half_hour, others=False),
    *say("meeting_length", "会议时长 {v}", "Meetings last {v}", rf"(?:控制在|不超过|不要超过|别超过|最多|限制在|压缩到|缩短到)(?:(?P<n>{dates.NUMBER})(?:个)?(?P<u>分钟|小时)|(?P<half>半)个?小时)", context=r"会议|开会|例会|周会", value=_half_hour, others=False),
    *say("gateway_language", "网关用 {v}", "Gateway is written in {v}", rf"网关(?:是|服务|现在|都)*(?:用|改用|改成|换成)(?P<v>{_CODE})", rf"\bgateway(?:'s| is| was)(?: now)? (?:written|built|implemented|rewritten) in (?-i:(?P<v>{_CODE}))", value=_code, others=False),
    *say("max_drive", "开车最多 {n} {u}", "Drives at most {n} {u}", rf"开车?(?:车程|时间|距离|一天|每天|一次|单程)*(?:最多|不超过|不要超过|不能超过|别超过|控制在)\s*(?P<n>{dates.NUMBER})\s*(?:个)?(?P<u>公里|km|千米|小时|英里)", rf"(?:车程|自驾)(?:最多|不超过|别超过|控制在)\s*(?P<n>{dates.NUMBER})\s*(?:个)?(?P<u>公里|km|小时)", rf"\b(?:driv(?:e|es|ing)|drives)\b[^,.;]{{0,16}}(?:more than|over|at most|longer than|up to|under|max(?:imum)?|within|beyond|further than|farther than) (?P<n>{dates.NUMBER}) ?(?P<u>km|kilomet(?:er|re)s?|miles?|hours?|h)\b", value=_unit, conditions="", others=False),
    *say("room_temp", "房间 {v} 度", "Room at {v} degrees", rf"(?:空调|房间|室温|温度|室内)(?:温度|帮我|给我|请|都|一般|开|调|设|保持|到|在|成|为|定)*\s*(?P<v>{dates.NUMBER})\s*(?:度|℃|°)", r"\b(?:room|ac|a/c|air ?con(?:ditioning)?|thermostat|temperature)\b[^,.;]{0,24}?(?P<v>\d{2}) ?(?:degrees|°|c\b|celsius)", value=lambda m: dates.plain(dates.number(m["v"]) or 0), conditions="travel", others=False),
    *say("hotel_budget", "酒店预算上限 {v}", "Hotel cap is {v}", rf"(?:酒店|住宿|住店|住酒店|宾馆|旅馆|民宿|房费|房价|每晚|一晚|一晚上)[^，。\d]{{0,14}}?{AMOUNT}(?:一晚|每晚|以内|以下|左右)?", rf"\b(?:hotels?|rooms?|lodging|accommodation)\b[^,.;\d$€£]{{0,32}}?{AMOUNT}", rf"{AMOUNT} (?:a|per|each) night", value=amount, conditions="travel", others=False),
    *say("budget", "预算上限 {v}", "Budget cap is {v}", rf"预算(?:是|为)?(?:一|每)?(?:天|人|次)?[^，。\d一二两三四五六七八九]{{0,10}}?{AMOUNT}", rf"(?:花费|总价|费用|价格|开销|票价)[^，。\d]{{0,4}}(?:不超过|不要超过|别超过|控制在|最多|上限)[^，。\d]{{0,3}}{AMOUNT}", rf"(?:最多|不超过|控制在|别超过)(?:花)?{AMOUNT}(?<=[元块金刀镑百千万一二三四五六七八九])", rf"\b(?:budget|cap|spending limit|price limit|limit|ceiling)\b[^,.;\d$€£]{{0,24}}?{AMOUNT}", rf"\b(?:use|make it|set|take|cap (?:it )?at|spend|keep it|stay|no more than|max(?:imum)?|up to|under|at most|within|below|not more than)\b[^,.;\d$€£]{{0,20}}?{AMOUNT}(?: as (?:the |my |a )?(?:cap|budget|limit|max(?:imum)?))?", value=lambda m: amount(m) if m["cur"] or m["sign"] or re.search("预算|budget", m.string, re.I | re.A) else None, conditions="travel", others=False),
    *say("trip_city", "在 {v} 出差", "On a business trip in {v}", r"(?:这个?季度|这个?月|本月|本季度|这几个月|近期|这周|本周|今年)[^，。]{0,6}?(?:都)?(?:在|驻场|驻)(?P<v>[\u3400-\u9fff]{2,5}?)(?:出差|驻场|办公|$)", r"\b(?:this|for the) (?:month|quarter|week|year)[^,.;]{0,12} (?:in|based in|stationed in) (?P<v>(?-i:[A-Z])\w+)", r"\bi(?:'m| am) (?:stationed|posted|on assignment) in (?P<v>(?-i:[A-Z])\w+)", others=False),
    *say("current_order", "正在查订单 {v}", "Working on order {v}", r"(?:在|先|现在|正在|帮我|继续|请)(?:查|看|处理|跟进|核对|弄|办|查一下|看一下|查看)(?:一下)?(?:第)?(?:订单|单号|工单|单子)(?:号)?\s*[#＃]?(?P<v>[A-Za-z]{0,4}-?\d{1,12})", r"\b(?:i'm|i am|we're|currently|now|let's|please)?(?: just| now| currently| first)* ?(?:looking (?:at|into)|checking|working on|handling|processing|look at|check|continue with) (?:the )?(?:order|ticket|case) (?:number |no\.? |#)?(?P<v>[A-Za-z]{0,4}-?\d{1,12})\b", kind="working", scope="session", others=False),
    *say("current_order", "正在处理订单 {v}", "Working on order {v}", r"(?:把|先把|继续跟)(?:订单|单号|工单|单子)(?:号)?[#＃]?(?P<v>[A-Za-z]{0,4}-?\d{1,12})(?:跟|查|看|处理|办|弄|核对)", kind="working", scope="session", others=False),
    *say("deploy_window", "{v}发布", "Deploys on {v}", rf"每(?:个)?(?P<v>{_WD_ZH})[^，。]{{0,4}}(?:发版|上线|发布|部署)", rf"\b(?:we|the team|i|our team|my team)(?: always| usually| only| now| normally)* (?:deploy|release|ship)s?\b[^,.;]{{0,28}} on (?P<v>{_WD_EN})s?\b", rf"\b(?:deploy(?:ment)?|release)s? (?:window|day|slot)s?(?: is| are|:)(?: now| on)* (?P<v>{_WD_EN})", rf"(?:固定|都|一般|统一|改成|改到|只)?(?:在)?(?P<v>{_WD_ZH})(?:固定|统一|才|晚上|下午|上午)?(?:发版|上线|发布|部署)(?!$|吗|了|不)", rf"(?:发版|上线|发布|部署)(?:窗口|时间|日)?(?:定|是|在|都|固定|改到|改在|定在|只能?)*(?P<v>{_WD_ZH})", value=lambda m: _day(m["v"]), conditions="service", others=False),
    *say("deploy_policy", "{d}不发版", "No deploys on {d}", rf"(?P<d>(?:{_WD_ZH}|周末|节假日|节前))(?:都|一律|下午|晚上)?(?:不|别|禁止|不要|不准|不允许|不能|不得|禁)(?:再)?(?:做)?(?:发版|上线|发布|部署)", rf"(?:不|别|禁止|不要|不准|不允许)(?:在)?(?P<d>(?:{_WD_ZH}|周末|节假日))(?:发版|上线|发布|部署)", rf"\b(?:no|never|not|don't|without|avoid|forbid)\b[^,.;]{{0,16}}(?:deploy(?:s|ments?|ing)?|releases?|releasing|ship(?:ping)?)\b[^,.;]{{0,24}} (?:on |over |at )?(?:the )?(?P<d>{_WD_EN}|weekend|holiday)s?\b", rf"\b(?:deploy(?:s|ments?)?|releases?)\b[^,.;]{{0,20}}(?:on |over )?(?P<d>{_WD_EN}|weekend)s? (?:are|is) (?:not allowed|forbidden|banned|off[- ]limits|prohibited)", kind="procedural", value=lambda m: "no " + (_day(m["d"]) if re.search(_WD_ZH, m["d"]) else {"周末": "weekend", "节假日": "holiday", "节前": "pre-holiday"}.get(m["d"], m["d"].lower())), others=False),
    *say("payment_card", "用尾号 {v} 的卡付款", "Pays with the card ending in {v}", r"(?:尾号)\s*(?:是|为)?(?P<v>\d{4})(?!\d)", r"\bcard ending (?:in|with) (?P<v>\d{4})\b(?!\d)", wish=True, others=False),
    *say("work_habit", "{v}", "{v}", r"(?P<v>(?:早上|上午|晚上|深夜|下午|清晨)[^，。]{0,6}(?:效率(?:最|更)?高|最专注|不(?:工作|办公|加班|开会)|写代码|专注工作|深度工作))", r"\b(?P<v>(?:i(?:'m| am)? )?(?:work|focus|code|think|write|most productive|productive|concentrate)(?: best| most| better)? (?:in the (?:morning|evening|afternoon)s?|at night|late at night|early in the morning|before noon))\b", r"(?P<v>(?:番茄(?:工作法|钟)|站立办公|每\d+分钟休息)[^，。]{0,10})", value=lambda m: clean(m["v"]), others=False),
)  # fmt: skip
