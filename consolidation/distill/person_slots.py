"""How people say who they are: name, home, work, family, pets, languages, favourites."""

import re

from . import conditions, cues, dates
from .choices import LANGUAGE_EN, LANGUAGE_ZH
from .open_slots import Say, clean, say

_ZH_WORD = r"[\u3400-\u9fffA-Za-z·]"
_LETTER = r"[\w\u00c0-\u024f'-]"
_NAME_EN = rf"[A-Z\u00c0-\u00dd]{_LETTER}*(?:[ -][A-Z]{_LETTER}*){{0,2}}"
_NAME_ZH = r"[\u3400-\u9fff·]{1,6}|[A-Z][A-Za-z]*(?: [A-Z][a-z]+)?"
_CITY_EN = rf"(?-i:[A-Z\u00c0-\u00dd]){_LETTER}*(?:[ -](?-i:[A-Z]){_LETTER}*){{0,2}}(?:, (?-i:[A-Z])[\w]*)?"
_COUNT_ZH = r"(?:\d+|[一二两三四五六七八九十几半好多]+)"
# What is lived in without being a town: a floor, a kind of room, a length of time, somewhere only pointed at.
_NOT_A_CITY = rf"(?!这|那|哪|家|公司|酒店|学校|宿舍|外面|父母|朋友|自己|乡下|郊区|郊外|高层|低层|院|医院|几|[楼城里上下](?:[里外上下中面边铺东西南北周月个]|区)|楼|单(?:间|人|元|身)|{_COUNT_ZH}(?:个|楼|层|环|号|室|居|间|线|晚|宿|天|年|周|人|口|房|星|起|直|套|栋))"
# Particles belong to the verb: taken whole and never given back, so that none begins the name of a place.
_AT_ZH = r"(?:了)?+(?:在|到|去|回|于|进)?+(?:了)?+"
PARTICLE_ZH = re.compile(r"[了在到于过着得的]")
PLACES = frozenset({"home_city", "home_country", "hometown", "employer"})
_JOBS_EN = r"engineer|developer|programmer|designer|manager|teacher|professor|doctor|nurse|lawyer|student|scientist|analyst|accountant|consultant|writer|editor|artist|photographer|chef|cook|driver|pilot|researcher|architect|founder|freelancer|journalist|translator|counsell?or|therapist|pharmacist|dentist|vet|electrician|plumber|carpenter|musician|dancer|actor|economist|librarian|paramedic|firefighter|barista|baker|farmer|mechanic|electrician|realtor|recruiter|marketer|salesperson|admin|sysadmin|dba|sre|pm|cto|ceo|cfo|intern|retiree|biologist|chemist|physicist|mathematician|statistician|coach|trainer"
_JOBS_ZH = r"工程师|程序员|开发者|开发|设计师|经理|老师|教师|教授|医生|护士|律师|学生|研究生|大学生|高中生|博士生|科学家|分析师|会计|顾问|作家|编辑|画家|摄影师|厨师|司机|飞行员|研究员|建筑师|创始人|记者|翻译|咨询师|药剂师|牙医|电工|音乐家|演员|店长|销售|运营|产品|架构师|运维|测试|公务员|警察|军人|自由职业者?|全职妈妈|主管|总监|柜员|客服|策划|主播|导游"


def _count(m: re.Match[str]) -> str | None:
    n = dates.number(m["v"])
    return dates.plain(n) if n is not None and n <= 20 else None


def _age(m: re.Match[str]) -> str | None:
    n = dates.number(m["v"])
    return dates.plain(n) if n is not None and 0 <= n <= 30 else None


def _ages(m: re.Match[str]) -> str | None:
    found = re.findall(dates.NUMBER, m["v"], re.I | re.A)
    ages = [dates.number(x) for x in found]
    return (
        ",".join(dates.plain(a) for a in ages if a is not None)
        if len(ages) > 1 and all(a is not None and a <= 40 for a in ages)
        else None
    )


def _city(m: re.Match[str]) -> str | None:
    value = clean(m["v"])
    if _NOT_A_PERSON.search(m.string[: m.start("v")]):
        return None
    if m.group(0).startswith(_STAYS_ZH) and (cues.SESSION.search(m.string) or conditions.of_trip(m.string)):
        return None  # where somebody stays this time is or on a kind of trip is no home
    return (
        None
        if re.search(
            r"[你我他她它]|小区|家园|花园|公寓|大厦|酒店|宾馆|民宿|旅馆|办公室|宿舍|别墅|[房屋层室家]$|(?<!德)里$|地方$|附近$|[路号栋弄]$|单元|time|house|apartment|flat|fear|peace|home\b|love\b|day\b|(?:周|星期|礼拜)[一二三四五六日天末]|^(?:January|February|March|April|June|July|August|September|October|November|December)\b",
            value,
        )
        else value or None
    )


_CITIES = "北京|上海|广州|深圳|杭州|南京|苏州|成都|重庆|武汉|西安|天津|青岛|济南|大连|沈阳|长沙|郑州|厦门|福州|宁波|无锡|合肥|昆明|哈尔滨|长春|石家庄|太原|南昌|贵阳|南宁|海口|兰州|东莞|佛山|珠海|香港|台北|澳门|新加坡|东京|纽约|伦敦|巴黎"


_STAYS_ZH = ("住", "我住")
#: What moves or sits somewhere without being anybody.
_NOT_A_PERSON = re.compile(
    r"^(?:其实|而且|不过|但是?)?(?:我们?|咱们?)?(?:的)?(?:公司|部门|团队|单位|店|门店|学校|办公室|总部|工作室|工厂|厂|仓库|机构)"
    r"|\b(?:office|company|team|department|headquarters|hq|shop|store|firm|school|business|studio|factory|warehouse|meeting|party|event|servers?|data|database|app|project)s?(?: has| have|'s| just| recently| will)* (?:just |recently |now )*(?:live|lives|living|reside|resides|moved?|relocated|settled|moving|based|are based|is based|sits?)\b",
    re.I | re.A,
)


def _employer(m: re.Match[str]) -> str | None:
    value = clean(m["v"])
    value = value if re.search("(?:有限|股份|责任)公司$", value) else re.sub("公司$", "", value)
    return (
        None
        if re.fullmatch(rf"目前|现在|新|这里|那里|国外|外地|老家|本地|市区|(?:{_CITIES})(?:市|工作)?", value)
        else value or None
    )


def _activity(m: re.Match[str]) -> str | None:
    value = clean(m["v"])
    return None if re.search(r"\b(?:for|since|with|in|on|at|to|about|it|that|this)$", value, re.I) else value or None


def _month_day(m: re.Match[str]) -> str | None:
    groups = m.groupdict()
    if groups.get("m"):
        month, day = dates.number(m["m"]), dates.number(m["d"])
        return f"{int(month):02d}-{int(day):02d}" if month and day and month <= 12 and day <= 31 else None
    when = dates.find(m["v"], dates.datetime(2024, 1, 1), False)
    return f"{when.start:%m-%d}" if when and when.grain == "day" else None


_COLOURS_EN = r"red|blue|green|yellow|purple|violet|pink|orange|black|white|gr[ae]y|brown|cyan|teal|turquoise|navy|gold|silver|beige|magenta|maroon|indigo|lavender|lilac|olive"

SAYS: tuple[Say, ...] = (
    *say("preferred_name", "希望被称呼为 {v}", "Wants to be called {v}",
         rf"(?<!么)(?:叫|称呼|喊)我(?:做|为|作)?(?P<v>(?!吧|就|呀|啊|哈|什么|怎么|一声|起床|回|来|去|过|干|吃|的)(?:{_NAME_ZH}))(?=就|吧|$|了|好|即可|可以|，)",
         r"\b(?:call|address) me (?P<v>(?!back|when|if|at|on|a\b|an\b|the\b|in\b|later|tomorrow|anytime|crazy|by\b|as\b|before|after|only|later|maybe|old|then|now|or\b|and\b|for\b|to\b|up\b|after|between|weekdays?)(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]+)?)",
         r"\b(?:address|refer to) me as (?P<v>(?:Dr|Mr|Ms|Mrs|Prof)?\.? ?(?-i:[A-Z])[\w'-]*)", rf"\b(?:i go by|everyone calls me|people call me|i prefer to be called|i'd like to be called|nickname is|preferred name is|i prefer the name) (?P<v>{_NAME_EN})",
         rf"(?:大家|同事们?|朋友们?|别人|家里人?|身边人?)都?(?:叫|喊|称呼)我(?P<v>{_NAME_ZH})", rf"(?:我的?)?(?:昵称|小名|网名|英文名|称呼|外号|preferred name|nickname)(?:是|叫|用)(?P<v>{_NAME_ZH})", told=True, others=False),
    *say("name", "姓名是 {v}", "Name is {v}",
         rf"(?:(?<![帮给替跟和找])我叫|我(?:的)?(?:名字|姓名|全名)(?:是|叫|应该是)|我姓名是)(?P<v>(?!什么|做|你|他|她|不|了|一|[个辆份点]|外卖|车)(?:{_NAME_ZH}))(?=，|$|，|。|很|吧|了| )", rf"(?:名字|姓名)[^，。]{{0,3}}错了[，,\s]*(?:应该|应当|其实|正确的)?(?:是|叫)(?P<v>{_NAME_ZH})", rf"(?:名字|姓名)(?:改成|应该是|改为|是)(?P<v>{_NAME_ZH})$",
         rf"\bmy (?:full |real |first |last )?name(?:'s| is| should be) (?:spelled |actually |really )?(?P<v>(?-i:{_NAME_EN}))", rf"^(?:the )?name(?:'s| is) (?:under )?(?P<v>(?-i:{_NAME_EN}))$", rf"\bname (?:is|was) (?:wrong|misspelled)[^.]{{0,12}}(?:it's|it is|should be) (?P<v>(?-i:{_NAME_EN}))", r"(?:^|[,.] )(?:hi|hello|hey)?,? ?i(?:'m| am) (?P<v>(?-i:[A-Z][a-z]+ [A-Z][a-z]+))$", wide=True, others=False),
    *say("home_city", "住在 {v}", "Lives in {v}",
         rf"(?:(?<!不)(?<!没)(?:常住|定居|(?:一直|现在|目前|还是|仍然?|依然|我|家)住|住(?=在)|现居)|(?<!老)家(?=在)|(?<!不)(?<!没)(?<!公司)(?<!部门)(?<!团队)(?:搬家?|迁居)(?=了?[到去回]))(?![过着]){_AT_ZH}{_NOT_A_CITY}(?P<v>(?![了在到于过着得的]){_ZH_WORD}{{2,8}}?)(?=了|$|，|的|这|那|市区|上班|工作|(?:已经|都|快|有|很|差不多)*{_COUNT_ZH}(?:多|来)?(?:年|个?月))", rf"\b(?:i|we|(?:my|our) [\w ]{{2,24}}|he|she|they)(?:'ve| have|'m| am|'re| are| is)?(?: just| recently| now| currently| always| all)* (?:live|lives|living|reside|resides|moved?|relocated|settled|moving|based|are based|is based) (?:in|to|back to|near|out of) (?P<v>{_CITY_EN})", rf"\b(?:my )?home (?:city|town|base|address city)(?:'s| is)(?: now)? (?P<v>{_CITY_EN})", rf"^(?:live|based|living) in (?P<v>{_CITY_EN})", value=_city),
    *say("employer", "在 {v} 工作", "Works at {v}", r"\band (?:now |currently )?(?:works?|working) (?:at|for) (?P<v>(?-i:[A-Z])[\w&'.-]*(?: (?-i:[A-Z])[\w&'.-]*){0,3})", value=_employer),
    *say("employer", "在 {v} 工作", "Works at {v}", r"(?:现在|目前|如今)(?:去了|到了|在)(?P<v>(?!家|公司|外|这|那)[\u3400-\u9fffA-Za-z0-9]{2,12}?)(?=$|，|了)", context=r"换(?:了)?(?:新)?工作|跳槽|离职|新工作|换公司|入职"),
    *say("hometown", "老家在{v}", "From {v}", r"老家(?:是在|在|是)(?P<v>[\u3400-\u9fff]{2,8}?)(?=的?$|，|那块|那边|人|这边)", r"\b(?:hometown|home town)(?:'s| is) (?P<v>(?-i:[A-Z])\w+)", value=_city),
    *say("home_country", "来自 {v}", "Home country is {v}", rf"\bmy home country,? (?:is )?(?P<v>{_CITY_EN})", rf"\bi(?:'m| am| come) (?:originally )?from (?P<v>{_CITY_EN})", r"我(?:来自|是)(?P<v>[\u3400-\u9fff]{{2,6}}?)(?=人$|人，|$|，)", value=lambda m: None if re.search("这|那|你|名|个|一|不|会员|单身|做|学|" + _JOBS_ZH, m["v"]) else _city(m), wide=True, others=False),
    *say("employer", "在 {v} 工作", "Works at {v}",
         r"\b(?:i|she|he)(?:'m| am| is)?(?: now| currently| just)? (?:works?|working|employed) (?:at|for) (?P<v>(?-i:[A-Z])[\w&'.-]*(?: (?-i:[A-Z])[\w&'.-]*){0,3})", r"\b(?:i|he|she)(?:'ve| have)? (?:just |recently |left [\w ]{1,24} (?:and|to|for) )?(?:joined|join|moved (?:on )?to work (?:at|for)|started (?:working )?at|got hired (?:at|by)) (?P<v>(?-i:[A-Z])[\w&'.-]*(?: (?-i:[A-Z])[\w&'.-]*){0,3})", r"\bmy (?:employer|company)(?:'s| is)(?: now| called)? (?P<v>(?-i:[A-Z])[\w&'.-]*(?: (?-i:[A-Z])[\w&'.-]*){0,3})",
         r"在(?P<v>(?!家|一家|公司|外|这|那|当前|同|目前)[\u3400-\u9fffA-Za-z0-9]{2,16}?(?:公司|集团)?)(?:那边)?(?:上班|任职|就职|做事)(?!时|的)", r"(?:入职|跳槽(?:到|去)|加入|换到)(?:了)?(?P<v>(?!这|那|一|会议|我们|你|俱乐部|团队|群|社团|会员|项目|他们|大家|讨论)[\u3400-\u9fffA-Za-z0-9]{2,12}?)(?:公司)?(?:了|$|上班|工作)", r"我在(?P<v>[A-Za-z][\w&.-]*(?: [A-Z]\w+)?|[\u3400-\u9fff]{2,10}(?:公司|集团|科技|银行|大学|医院|学校))(?:上班|工作|任职|教书|就职)", value=_employer),
    *say("occupation", "职业：{v}", "Works as {v}",
         rf"\bi(?:'m| am)(?: currently| now)? (?:working as )?(?P<v>an? (?:[\w-]+ ){{0,3}}(?:{_JOBS_EN}))\b(?! of)", r"\b(?:i work|working) as (?P<v>an? (?:[\w-]+ ){0,3}\w+)", rf"我(?:目前|现在)?(?:是|做|当)(?:一)?(?:名|个|位)?(?P<v>[\u3400-\u9fffA-Za-z]{{0,8}}(?:{_JOBS_ZH}))(?=$|，|，|。)", value=lambda m: clean(re.sub(r"^(?:an?|一名|一个|名|个) ?", "", m["v"])), others=False),
    *say("manager", "上司是 {v}", "Manager is {v}", r"\bmy (?:new )?(?:manager|boss|supervisor|team lead)(?:'s| is)(?: now| called)? (?P<v>(?-i:[A-Z])[a-z]+(?: (?-i:[A-Z])[a-z]+)?)\b(?! who)", r"\bi(?: now)? report to (?P<v>(?-i:[A-Z])[a-z]+(?: (?-i:[A-Z])[a-z]+)?)", r"我(?:的|们)?(?:新)?(?:经理|老板|领导|上司|主管|直属上级)(?:现在)?(?:是|叫|换成了?)(?P<v>[\u3400-\u9fff]{2,3}|[A-Z][a-z]+)(?=$|，|了)", r"(?P<v>(?!我|他|她|这|那|你)[\u3400-\u9fff]{2,3})是我(?:的|们的)?(?:新)?(?:经理|老板|领导|上司|主管)(?=$|，)", r"^(?P<v>(?-i:[A-Z])[a-z]+(?: (?-i:[A-Z])[a-z]+)?) is my (?:new )?(?:manager|boss|supervisor|team lead)\b"),
    *say("children_ages", "孩子的年龄：{v}", "Children are aged {v}", rf"\b(?:our|my) (?:\w+ )?(?:boys|girls|kids|children|sons|daughters|twins)(?:'s ages)? are (?:now |aged? )?(?P<v>{dates.NUMBER}(?:(?:, ?(?:and )?| and | & ){dates.NUMBER})+)", rf"(?:孩子|娃|儿子|女儿|小孩)(?:们)?(?:今年)?(?:分别|一个|大的)?(?:是)?(?P<v>{dates.NUMBER}岁?(?:[、，和,]\s*(?:一个|小的)?{dates.NUMBER}岁?)+)", value=_ages, wide=True),
    *say("child_age", "{v} 岁", "Aged {v}", rf"\b(?:my|our) (?:little |young(?:er|est)? |old(?:er|est)? )?(?P<who>son|daughter|kid|child|boy|girl)(?: \w+)? (?:is|just turned|turned|turns) (?P<v>{dates.NUMBER})(?: years? old| now)?(?:$| (?:yesterday|today|last|this|on|in|and|next)\b)", rf"我?(?:家)?(?:的)?(?P<who>儿子|女儿|孩子|小孩|娃)(?:今年|刚|现在|已经|快)?(?:满)?(?P<v>{dates.NUMBER})岁", value=_age),
    *say("birthday", "生日 {v}", "Birthday is on {v}", r"(?:过)?生日(?:是|在|，)*(?P<m>\d{1,2}|[一二三四五六七八九十]{1,2})月(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})(?:号|日)?", rf"\bbirthday(?:'s| is)(?: on)? (?P<v>(?:{dates.MONTH_EN})\.? \d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{dates.MONTH_EN}))", value=_month_day),
    *say("age", "{v} 岁", "Aged {v}", rf"(?:今年|年龄)(?:都|已经|是|刚|快|满|才)*(?P<v>{dates.NUMBER})岁", r"^(?:其实|而且|不过)?我(?:今年|都|已经|快|也)*(?P<v>[2-9一二三四五六七八九](?:\d|十[一二三四五六七八九]?))岁?了$", r"\b(?:is|'m|am) (?P<v>\d{2}) years old", r"\b(?:i'm|i am|i'm now|i just turned|i turned) (?P<v>[2-9]\d)(?= and\b| now\b|$|, )", value=lambda m: dates.plain(dates.number(m["v"]) or 0)),
    *say("relationship", "{name}是用户的{rel}", "{name} is their {rel}", r"(?P<v>^.{1,24}是我(?:们)?(?:家|公司|部门)?的?[\u3400-\u9fff]{1,4}$)", r"(?P<v>^(?-i:[A-Z]).{1,30} is my [\w -]{3,24}$)", confidence=0.8),
    *say("children", "有 {v} 个孩子", "Has {v} children", rf"\b(?:i|we)(?:'ve| have)(?: got)?(?: now)? (?P<v>{dates.NUMBER}) (?:kids|children|sons|daughters|boys|girls)\b", rf"\b(?:with (?:my |our )?)(?P<v>{dates.NUMBER}) (?:kids|children)\b", rf"(?:我|我们|家里)(?:家|现在|已经)?有(?P<v>{dates.NUMBER})个(?:孩子|娃|小孩|儿子|女儿)", value=_count, others=False),
    *say("pet", "养了{v}", "Has {v}",
         r"\b(?:i|we)(?:'ve| have)?(?: got| have| own| adopted| just adopted| just got)+ (?P<v>(?:an?|two|three|\d) (?:\w+ ){0,2}(?:dogs?|cats?|kitten|puppy|puppies|rabbits?|hamsters?|parrots?|guinea pigs?|goldfish|turtles?|tortoise|horses?|birds?|retriever|poodle|corgi|husky|beagle|lizard|snake)(?: (?:named|called) (?-i:[A-Z])\w+)?(?:(?:, (?:and )?| and )(?:an?|two|three|\d) (?:\w+ ){0,2}(?:dogs?|cats?|kitten|puppy|rabbits?|hamsters?|parrots?|guinea pigs?|goldfish|turtles?|birds?|horses?))*)", r"\bmy (?P<v>(?:dog|cat|kitten|puppy|rabbit|hamster|parrot|guinea pig|turtle|horse)(?:'s name is|,? (?:named|called| is called))? (?-i:[A-Z])\w+)", r"(?P<v>(?-i:[A-Z])\w+, my (?:dog|cat|kitten|puppy|rabbit|hamster|parrot|guinea pig|turtle|horse))\b",
         r"(?:养了|养着|养过?|家里有|我有|领养了|收养了)(?P<v>(?:一|两|三|几|\d)?(?:只|条|匹|个)?[\u3400-\u9fff]{0,4}(?:狗|猫|猫咪|狗狗|兔子|仓鼠|鹦鹉|乌龟|金鱼|柯基|金毛|柴犬|泰迪|布偶|英短|橘猫|小猫|小狗)(?:[，,]?(?:名字)?叫[\u3400-\u9fffA-Za-z]{1,5})?)", value=lambda m: clean(m["v"]), wide=True),
    *say("languages_spoken", "会说{v}", "Speaks {v}", rf"\bi (?:can |also |only |mostly )*(?:speak|understand)(?: fluent| some| a little| native)? (?P<v>(?:{LANGUAGE_EN})(?:(?:, (?:and )?| and )(?:a little |some |fluent )?(?:{LANGUAGE_EN}))*)\b", rf"我?(?:也|还|只)?(?:会|能)(?:说|讲)?(?:一点|流利的)?(?P<v>(?:{LANGUAGE_ZH})(?:[、和与](?:{LANGUAGE_ZH}))*)", rf"\b(?:my )?(?:native language|mother tongue) is (?P<v>{LANGUAGE_EN})", rf"我?(?:的)?母语(?:是)?(?P<v>{LANGUAGE_ZH})", value=lambda m: clean(m["v"])),
    *say("favourite_colour", "最喜欢的颜色是{v}", "Favourite colour is {v}", r"\b(?:my )?fav(?:ou?rite|e)? colou?r(?:'s| is)(?: now| probably)? (?P<v>[a-z]+(?: (?:blue|green|red|grey))?)", rf"\b(?P<v>{_COLOURS_EN})(?:'s| is) my fav(?:e|ou?rite)?(?: colou?r)?\b", r"最?喜?欢?的?颜色是(?P<v>[\u3400-\u9fff]{1,4}色?)(?=$|，|了)", value=lambda m: clean(m["v"]).lower()),
    *say("goal", "目标是{v}", "Goal is to {v}", r"\bmy (?:main |biggest |long-term |ultimate )?(?:goal|dream|ambition|aim) (?:this year |now )?is to (?P<v>[^.;]{4,110})", r"\bit(?:'s| has)(?: always)? been (?:a|my) dream to (?P<v>[^.;]{4,110})", r"我(?:的)?(?:目标|梦想|理想)(?:就)?是(?P<v>[\u3400-\u9fffA-Za-z0-9 ]{3,40})", value=lambda m: clean(re.sub(r",? (?:and|but|so|which|because) (?:i|it|we|that|he|she)\b.*", "", m["v"])), others=False, wide=True, confidence=0.7),
    *say("travel_wish", "想去{v}", "Wants to visit {v}", r"\b(?:i|we)(?:'ve| have)? (?:always |long |really )+(?:wanted|dreamed|want|dreamt) (?:to (?:visit|go to|see|travel to)|of (?:visiting|going to|seeing)) (?P<v>[^,.;]{3,50})", rf"\b(?P<v>{_CITY_EN}) is (?:on|at the top of) my (?:bucket|wish|travel) list", r"(?:我)?(?:一直|很早就|做梦都|从小就|特别)(?:都)?(?:很)?想去(?P<v>[\u3400-\u9fffA-Za-z]{2,20}?)(?=旅游|旅行|玩|看|走走|一趟|$|，)", value=lambda m: re.sub(r"^(?:一些|一次|一趟)", "", clean(m["v"])) or None, others=False),
    *say("hobby", "爱好：{v}", "Hobby: {v}", r"\bmy (?:main |favou?rite |biggest )?(?:hobby|pastime|hobbies)(?:'s| is| are| include)? (?P<v>[^,.;]{3,50})", r"\bin my (?:free|spare) time,? i(?: like to| love to| enjoy| usually| often)* (?P<v>[^,.;]{3,60})", r"\bi(?:'ve been| have been|'ve| have)? (?:started )?(?P<v>(?:playing|practi[sc]ing|learning|doing|collecting|baking|painting|growing) (?!it\b|this|that|them)(?:the )?[\w -]{3,30}?) (?:since|for|about|every|on weekends)", r"\b(?P<v>[a-z]+)(?:'s| is) mostly my thing", r"我?(?:的)?(?:业余)?(?:爱好|兴趣)(?:爱好)?(?:是|包括|有)(?P<v>[\u3400-\u9fffA-Za-z、和]{2,30})",
         value=_activity, confidence=0.75),
    *say("hobby", "正在{v}", "Is {v}", r"\b(?:i'm|i am|lately i've been|i've been|just) (?P<v>learning (?:to play )?(?:the )?(?!it\b|this|them|more|how|a lot|about|that|from|to (?!play))[\w -]{3,30})$", r"(?:最近|现在|目前)?(?:我)?(?:还|正)?在(?P<v>学(?:习|做)?(?!习|校|院|期|生|到|会|过|新的|一些|一门|英语有|语文)[\u3400-\u9fffA-Za-z]{2,8}?)(?=$|，|，|呢|有)", value=lambda m: clean(m["v"]), others=False, confidence=0.7),
    *say("hobby", "{v}", "{v}", r"我(?P<v>(?:每天|每周|每个周末|周末|每晚|每早|早上|晚上)(?:都|常|都会|会)?(?:去|会)?(?:花[\u3400-\u9fff0-9]{2,8}来)?(?:跑步|游泳|健身|画画|弹琴|练琴|爬山|骑车|打球|打篮球|踢球|瑜伽|写作|阅读|看书|冥想|钓鱼|练字|跳舞|散步|遛狗))",
         value=lambda m: clean(m["v"]), confidence=0.75),
    *say("races_this_year", "今年参加了 {v} 场比赛", "{v} races this year", rf"\b(?P<v>{dates.NUMBER}) (?:races|marathons|half marathons|triathlons)(?: so far)? this year", rf"今年(?:已经)?(?:跑|参加)了?(?P<v>{dates.NUMBER})(?:场|次|个)(?:马拉松|半马|全马|比赛|越野赛)", value=_count, others=False),
)  # fmt: skip
