"""How something is said: for how long it holds, as a wish or a change, to be remembered or confirmed.

All patterns look at folded text (simplified characters, half width). Chinese words need no boundary, English ones do.
"""

import re


def words(*parts: str) -> re.Pattern[str]:
    """One case-blind pattern out of alternatives."""
    return re.compile("|".join(parts), re.I | re.A)


# --- for how long ---------------------------------------------------------------------------------------------
SESSION = words(
    r"\b(?:today|tonight|tomorrow)'s (?:call|meeting|trip|flight|session|report|e-?mail|lunch|dinner|stand-?up|demo)\b",
    r"(?:就|只|只有|仅)?(?:这|此|本)(?:一)?(?:次|回|趟)(?!会议|论坛)",
    r"今(?:天|晚|日|儿|早)(?!起|开始|后)",
    r"明(?:天|晚|早)(?!起|开始)",
    r"暂时",
    r"破例",
    r"临时",
    r"这一?(?:页|章|段|张|封|篇|幕|节|版|期)(?!开始|起)",
    r"这(?:封|篇|份|个)(?:邮件|信|报告|会|会议|文档|文件|请求|任务|订单|行程|回答|问题)",
    r"这(?:单|局|顿|周|礼拜|个星期|个周末|段时间)(?!起|开始)",
    r"眼下",
    r"目前先",
    r"现在先",
    r"先(?=用|按|靠|看|查|把)",
    r"本次",
    r"此次",
    r"仅限",
    r"\b(?:just |only )?(?:for )?(?:this|the current) (?:time|once|trip|one|email|e-mail|message|meeting|session|chat|week|week's|flight|call|report|reply|answer|conversation|journey|stay|visit|booking|request|document)\b(?! (?:that|sounds|is great))",
    r"\bfor (?:just |only )?(?:this|these) (?:[\w'-]+ ){0,2}?(?:trip|weekend|week|holiday|vacation|getaway|visit|stay|night|evening|conference|party|dinner|event|game|race|match|concert|lesson|class|draft|version|issue|round|delivery|shift|recipe)s?\b",
    r"\bonly this one\b",
    r"\b(?:just|only) (?:for |in )?this (?:paragraph|sentence|section|page|part|bit|file|slide|line|table|list)\b",
    r"\b(?:just )?(?:for )?(?:today|tonight|tomorrow)\b(?!'s)",
    r"\bfor (?:now|the moment|the time being)\b",
    r"\bright now\b",
    r"\bjust (?:this )?once\b",
    r"\btemporarily\b",
    r"\bthis (?:morning|afternoon|evening|weekend)\b",
    r"\bfor (?:the|my|our) (?:(?-i:[A-Z][a-z]+)|upcoming|coming) (?:trip|flight|journey|visit|leg|stay|meeting|call|talk|report|party)\b",
)
LASTING = words(
    r"(?:从|自)(?:今|此|现在|今天|明天|今晚|下周|下个?月)(?:以后|往后|开始|起)?(?=.|$)",
    r"以后(?!的日子|再说|再聊)",
    r"今后",
    r"往后",
    r"日后(?!的)",
    r"每(?:次|回|趟|天|周|晚|早|月)",
    r"总是",
    r"一直(?!到)",
    r"一律",
    r"通常",
    r"平时",
    r"平常",
    r"一般(?!般)",
    r"默认",
    r"习惯",
    r"向来",
    r"一向",
    r"长期",
    r"永远",
    r"从来",
    r"从不",
    r"下次(?:还是|也|照旧|照样|依旧)",
    r"老样子",
    r"尽量",
    r"(?<!全)都(?=用|订|按|要|坐|选|走|靠|放|发|安排|抄送|给我|请|不)",
    r"\bfrom (?:now|today|here|tomorrow|(?:this|next) (?:week|month|year)) on(?:wards?)?\b|\bfrom here on out\b",
    r"\bfrom now\b",
    r"\bgoing forward\b",
    r"\bin (?:the )?future\b",
    r"\balways\b",
    r"\busually\b",
    r"\bgenerally\b",
    r"\bin general\b",
    r"\bby default\b",
    r"\bevery (?:time|trip|flight|day|week|morning|evening|meeting|month|weekday)\b",
    r"\beach time\b",
    r"\bwhenever\b",
    r"\bnormally\b",
    r"\btypically\b",
    r"\bas a (?:rule|habit)\b",
    r"\btend to\b",
    r"\bnever\b",
    r"\bfor good\b",
    r"\bpermanently\b",
    r"\bas (?:usual|always)\b",
    r"\bfor everything\b",
    r"\bnext time (?:too|again|as well|also)\b",
    r"\bany more\b|\banymore\b|\bno longer\b",
    r"\bmy (?:usual|default|standard)\b",
)
#: How often within a stay, or per what: a rate says nothing of how long it holds.
RATE = words(r"每(?:天|周|晚|早|月)", r"\bevery (?:day|week|morning|evening|month|weekday)\b")
STRONG = words(
    r"以后(?!的日子|再说|再聊)",
    r"今后",
    r"往后",
    r"每(?:次|回|趟)",
    r"永远",
    r"(?:从|自)(?:今|此|现在)",
    r"(?:从|自)今天(?:起|开始)",
    r"\bfrom (?:now|today|here|tomorrow|(?:this|next) (?:week|month|year)) on(?:wards?)?\b",
    r"\balways\b",
    r"\bevery time\b",
    r"\bgoing forward\b",
    r"\bin general\b",
    r"\bfor good\b",
    r"\bby default\b",
)
PREFERENCE = words(
    r"喜欢",
    r"偏好",
    r"偏爱",
    r"习惯",
    r"倾向",
    r"优先",
    r"更爱",
    r"首选",
    r"\b(?:prefer|like|love|enjoy|favou?r|hate|dislike)(?:s|ed|ing)?\b(?<!i'd like)(?<!would like)",
)
CORRECTION = words(
    r"^(?:[啊哎呀哦唉][，, ]?)?(?:不对|不是|错了|说错了|我说错了|搞错了|更正|纠正|算了|等等|改一下|不不|哦不|应该是|刚才说错|前面说错)",
    r"(?:写|说|搞|弄|记|打|听|填)错了",
    r"应该是",
    r"我(?:说|指)的是",
    r"刚才?那个不对",
    r"^(?:(?:ah|oh|oops|ugh|hm+|argh)[, ]+)?(?:no|nope|wait|never ?mind|actually|sorry|correction|scratch that|oops|i mean|i meant|rather|make that|let me correct)\b",
    r"\bscratch that\b",
    r"\bthat(?:'s| is| was) (?:wrong|not right|incorrect|a mistake)\b",
    r"\bi (?:said|meant)\b",
    r"\bi misspoke\b",
    r"\bon second thought\b",
    r"\bactually\b",
)
WISH = words(
    r"(?:回复|回答|答案|答复)(?=.*(?:先|用|要|别|不|短|简|详))",
    r"喜欢",
    r"喜好",
    r"偏好",
    r"偏爱",
    r"想",
    r"要",
    r"希望",
    r"倾向",
    r"优先",
    r"更爱",
    r"首选",
    r"习惯",
    r"请",
    r"帮我",
    r"给我",
    r"订",
    r"选",
    r"安排",
    r"坐",
    r"住",
    r"记住",
    r"记得",
    r"别忘",
    r"改",
    r"换",
    r"用",
    r"把",
    r"还是",
    r"最好",
    r"宁愿",
    r"宁可",
    r"保持",
    r"设",
    r"吧$",
    r"不要",
    r"别",
    r"尽量",
    r"乐意",
    r"愿意",
    r"\b(?:prefer|like|love|want|need|take|book|choose|pick|get|please|wish|rather|enjoy|favou?rs?|give me|put me|sit|seat me|go for|stick (?:to|with)|keep|use|make|set|switch|change|stay|do|opt|hate|dislike|no|not|don't|avoid|remember)(?:s|ed|ing)?\b",
    r"\bi(?:'d| would)\b",
    r"\bi'm (?:a|an)\b",
    r"\bi am (?:a|an)\b",
)

# --- to be remembered, done, confirmed ---------------------------------------------------------------------------
REMEMBER = words(
    r"(?:请|帮我|麻烦|务必|一定要?)*(?:记住|记一下|记下(?:来)?|记着|牢记|记录一下|备注一下|备注|存一下|别忘了?|不要忘(?:了|记)?|切记|注意)(?:一下|了)?[,，:：、\s]*",
    r"(?:请|帮我)记得[,，:：\s]*",
    r"^(?:please|pls|and|also|but|ok(?:ay)?|hey|so|oh|hi)?,? ?(?:please )?(?:remember|note(?= that\b|:| down\b)|keep in mind|bear in mind|don't forget|do not forget|make a note|take note|for the record|fyi|for your information|save this|jot down|write down)(?: (?:for me|down|of this))?(?:,|:)?(?: that)?[,: ]*",
)
REMINDER = words(
    r"提醒我",
    r"记得(?:去|买|带|拿|交|回|发|打|取|开|明天|今晚|后天|给)",
    r"(?:别忘了?|不要忘了?)(?:去|买|带|拿|交|取|明天|今晚|后天|给.{1,6}(?:打|发|回))",
    r"\bremind me\b",
    r"\b(?:remember|don't forget|do not forget) to\b",
    r"\bset (?:an? )?(?:alarm|reminder|timer)\b",
)
CONVENTION = words(
    r"(?:我们|咱们|团队|组里|公司|部门|项目组|我们组|我们团队|我司|开会)(?:的)?(?:开会)?(?:约定|规定|规矩|惯例|规则|原则|决定|定了|商定|敲定|讨论决定|一致决定|达成一致)(?:了|是|好了)?[,，:：\s]*",
    r"^(?:约定|规定|规矩|规则)(?:是)?[:：]",
    r"\b(?:our|team|company|house) (?:team |company |group |house )?(?:rule|convention|policy|agreement|practice|standard)(?: here)? (?:is|says)(?: that|:)?\s*",
    r"\b(?:we|the team|our team)(?:'ve| have)? (?:agreed|decided|settled)(?: that|:| (?:to|on)(?= (?:use|go with|adopt|switch|keep|standardi[sz]e|move to|require|always|never|stop|using|skip)))\s*",
    r"^(?:team|house|company) (?:rule|convention|policy|agreement)s?:\s*",
)
TASK = words(
    r"帮(?:我|忙)(?!记)(?:.{0,4})(?:订|安排|找|查|看|买|约|规划|推荐|预订|预定|挑|选|搜|做|推|改签)",
    r"(?:请|麻烦)?给(?:我|她|他|他们)(?:订|找|买|推荐|安排|来)",
    r"\b(?:book|find|get|order|reserve|schedule|plan|arrange|search|look for|buy|recommend)(?: me| us| him| her| them)? (?:an?|the|some|my|one|two|tickets?|flights?|hotels?)\b",
    r"\bhelp me (?:book|find|plan|choose|with)\b",
)
AFFIRM = words(
    r"^(?:yes|yep|yeah|yup|correct|exactly|right|that's right|that is right|sure|indeed|absolutely|definitely|of course|true|please do|ok|okay|do that|go ahead|uh-huh)\b",
    r"^(?:对|是的|是|嗯+|没错|正确|可以|好的?|当然|确实|对的|就是|行|是啊|对啊|没问题|要的|要)(?=$|[，,。！!\s的啊呀呢吧]|以后|这次|就|一直|都|每次|只)",
)
DENY = words(r"^(?:no|nope|nah|not really|wrong|incorrect|never)\b", r"^(?:不|没有|不是|不用|不对|错|不要|别)")
SAME_AGAIN = words(
    r"(?:也是|也一样|同样|一样|照旧|都这样|都按(?:这|此|这个)|按这个|就这样|都这么|这么办|也这样|也如此|同理)",
    r"\b(?:same (?:for|goes for|with|here|as)|too|as well|likewise|that way|like that|keep it that way|the same|do that|likewise)\b",
)
FROM_NOW_ON = re.compile(
    r"^(?:(?:请|那|好的?|嗯|对了|另外|还有)[，, ]?)*(?:以后|今后|往后|从今(?:天|以)?(?:起|后|往后)|从现在(?:起|开始)|从今往后)[，,]?(?:我(?:们)?)?(?=.{4})"
    r"|^(?:and |so |ok |okay |please |also )*(?:from (?:now|today|here) on|going forward|in (?:the )?future),?\s+",
    re.I | re.A,
)
# --- how often, and what is only going on ------------------------------------------------------------------------
HABIT_EN = re.compile(
    r"\b(?:wake|get)(?: up)? at (?:\d|five|six|seven|half)|^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:every|each)\s(?!time you)\w+|\b(?:on|at)\s(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:week(?:days|ends|nights)|mornings|evenings|afternoons|nights)\b|\bat (?:bedtime|night|lunch|breakfast|dawn|noon)\b|\bbefore (?:bed|work|breakfast|noon|dinner)\b|\bafter (?:work|dinner|lunch|school)\b"
    r"|\b(?:once|twice|three times|four times|\d+ (?:times|days|hours|nights)) (?:a|per|every)\b|\b(?:daily|weekly|monthly|yearly|nightly|annually|by default|as a rule)\b|\bsince\s(?:\d{4}|i\b|my\b|the\b|school|childhood|college|last|january|february|march|april|may|june|july|august|september|october|november|december)|\bfor (?:the (?:last|past) )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|many|several|twenty|thirty|a few) (?:years|months|decades)\b"
    r"|\b(?:always|usually|never|normally|typically|generally|mostly|rarely|no longer)\b|^(?:i|we) only (?!need|want|have|know|just|wanted|asked)|\bany ?more\b|\bin (?:winter|summer|spring|autumn)\b|\bfrom (?:now|here) on\b",
    re.I | re.A,
)
HABIT_ZH = re.compile(
    r"(?:点半?(?:就|才)?起|(?:周[一二三四五六日天]){2}|在家办公|[\d一二两三四五六七八九十几多半]+\s?(?:个?月|年|天|周)(?:多)?了|每(?:天|周|晚|早|月|年|次|逢|隔)|一般|通常|平时|习惯|常年|长期|从小|从来|向来|一直|睡前|饭[前后]|周末|工作日|平日|以后才|才(?=[出起睡吃回])|自从|不再|早就不)"
)
PASSING_EN = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|right now|this (?:morning|afternoon|evening|week|month|time|one)|last (?:night|week|month)|in a (?:minute|moment|bit)|soon|next (?:week|month)|you|your|please|help|question|issue|problem|error|bug|build|tests?|crash\w*|fail\w*|trying|looking|wondering|just now|chapter|page|step|draft)\b",
    re.I | re.A,
)
PASSING_ZH = re.compile(
    r"今[天晚早]|明[天晚早]|昨[天晚]|刚才|这(?:次|会|两天|几天|周|个月|边|里)|等会|待会|马上|正在|一下|你|您|请|帮|怎么|报错|问题|失败|谢谢|麻烦|再说|有空|有事|有点|感觉|感到|觉得|当前|这家|希望|开心|难过|高兴|烦"
)
#: Words of feeling; talk of what things stand for reads like something lasting, and tells nothing about anybody.
MOODY_EN = re.compile(
    r"\b(?:feels?|feeling|happy|sad|excited|proud|grateful|thankful|love|hope|wish|guess|think(?! in\b)|amazing|awesome|wonderful|great time|fun|inspir\w+|journey|memories|support(?:ive)? (?:you|each)|passion\w*|tough|stress\w*|hard|nice|cool|beautiful|peace|joy|calm\w*|happiness|stands? for|represent\w*|symboli\w+|believes?|way of \w+ing)\b",
    re.I | re.A,
)
