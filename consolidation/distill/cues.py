"""How something is said: for how long it holds, and whether it is a statement at all.

All patterns look at folded text (simplified characters, half width). Chinese words need no boundary, English ones do.
"""

import re


def words(*parts: str) -> re.Pattern[str]:
    """One case-blind pattern out of alternatives."""
    return re.compile("|".join(parts), re.I | re.A)


# --- for how long ---------------------------------------------------------------------------------------------
SESSION = words(
    r"(?:就|只|只有|仅)?(?:这|此|本)(?:一)?(?:次|回|趟)(?!会议|论坛)",
    r"今(?:天|晚|日|儿|早)(?!起|开始|后)",
    r"明(?:天|晚|早)(?!起|开始)",
    r"暂时",
    r"破例",
    r"临时",
    r"这(?:封|篇|份|个)(?:邮件|信|报告|会|会议|文档|文件|请求|任务|订单|行程|回答|问题)",
    r"这(?:单|局|顿|周|礼拜|个星期|段时间)(?!起|开始)",
    r"眼下",
    r"目前先",
    r"现在先",
    r"先(?=用|按|靠|看|查|把)",
    r"本次",
    r"此次",
    r"仅限",
    r"\b(?:just |only )?(?:for )?(?:this|the current) (?:time|once|trip|one|email|e-mail|message|meeting|session|chat|week|week's|flight|call|report|reply|answer|conversation|journey|stay|visit|booking|request|document)\b(?! (?:that|sounds|is great))",
    r"\bonly this one\b",
    r"\b(?:just )?(?:for )?(?:today|tonight|tomorrow)\b(?!'s)",
    r"\bfor (?:now|the moment|the time being)\b",
    r"\bright now\b",
    r"\bjust (?:this )?once\b",
    r"\btemporarily\b",
    r"\bthis (?:morning|afternoon|evening)\b",
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
    r"\bfrom (?:now|today|here|tomorrow) on(?:wards?)?\b",
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
STRONG = words(
    r"以后(?!的日子|再说|再聊)",
    r"今后",
    r"往后",
    r"每(?:次|回|趟)",
    r"永远",
    r"(?:从|自)(?:今|此|现在)",
    r"(?:从|自)今天(?:起|开始)",
    r"\bfrom (?:now|today) on\b",
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
CHANGE = words(
    r"改(?:成|为|用|喝|坐|骑|吃|到|回|住)?",
    r"换(?:成|到|用)",
    r"切(?:换)?(?:成|到)",
    r"不再",
    r"戒了",
    r"提(?:高)?到",
    r"搬到",
    r"跳槽",
    r"(?<=[\u3400-\u9fff])了$",
    r"\bswitch(?:ed|ing)?\b",
    r"\bchang(?:e|ed|ing)\b",
    r"\bmoved? to\b",
    r"\bno longer\b",
    r"\binstead\b",
    r"\banymore\b|\bany more\b",
    r"\bstarted\b",
    r"\bnow\b",
    r"\bfrom now on\b",
)
CORRECTION = words(
    r"^(?:不对|不是|错了|说错了|我说错了|搞错了|更正|纠正|算了|等等|改一下|不不|哦不|应该是|刚才说错|前面说错)",
    r"(?:写|说|搞|弄|记|打|听|填)错了",
    r"应该是",
    r"我(?:说|指)的是",
    r"刚才?那个不对",
    r"^(?:no|nope|wait|never ?mind|actually|sorry|correction|scratch that|oops|i mean|i meant|rather|make that|let me correct)\b",
    r"\bscratch that\b",
    r"\bthat(?:'s| is| was) (?:wrong|not right|incorrect|a mistake)\b",
    r"\bi (?:said|meant)\b",
    r"\bi misspoke\b",
    r"\bon second thought\b",
    r"\bactually\b",
)
WISH = words(
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

# --- whether it is a statement --------------------------------------------------------------------------------
ASKING_EN = re.compile(
    r"^(?:(?:hey|hi|ok|okay|so|and|but|well|also|oh|wow|cool|great|thanks|please tell me)[ ,]+)*(?:what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|was|were|am|can|could|would|should|shall|will|have|has|had|may|might|isn't|aren't|don't you|doesn't|didn't|wouldn't|any idea|tell me (?:what|which|who|when|where|why|how|about|if))\b",
    re.I | re.A,
)
ASKING_ZH = words(
    r"什么(?!都|也)",
    r"哪(?!怕)(?:里|儿|个|些|种|家|位|天|款|一)?(?!都)",
    r"怎么(?!都)",
    r"怎样",
    r"如何",
    r"多少(?!都)",
    r"几点",
    r"几(?:个|位|天|次)(?=.*[?？]|$)",
    r"来着",
    r"是不是",
    r"有没有",
    r"能不能",
    r"可不可以",
    r"要不要",
    r"为什么",
    r"为何",
    r"是否",
    r"谁(?!都)",
    r"吗$",
    r"么$",
    r"呢$",
    r"好不好$",
    r"对不对$",
    r"行不行$",
    r"^(?:你|您)(?:觉得|认为|知道.*吗)",
    r"对吧$",
    r"是吧$",
    r"没错吧$",
)
TAG_QUESTION = words(
    r"\b(?:right|isn't it|don't i|do i|didn't i|correct|am i|is it|yeah|huh|eh|no)$",
    r"(?:对吧|是吧|对吗|是吗|对不对|没错吧|对么)$",
)
POLITE_REQUEST = words(
    r"^(?:(?:hey|hi|ok|okay|so|and|also|please)[ ,]+)*(?:can|could|would|will) (?:you|we)(?: please| kindly| just)?(?: always)?\b",
    r"^(?:请|麻烦|那)?(?:你|您)?(?:能不能|可不可以|可以|能否|能|可否|麻烦)(?:你|您)?(?:以后|今后|请|都|每次|叫我|把|用|先)",
    r"^(?:以后|今后|请|麻烦).{0,20}(?:好吗|行吗|可以吗|好不好)$",
)
CONDITIONAL = words(
    r"^(?:那|不过|但是?|而且|so |but |and )?(?:假如|如果|要是|假设|倘若|若是|若|万一|假使|设想|想象)",
    r"的话$",
    r"^(?:(?:and|but|so|well|ok|okay|hey|hi|also)[ ,]+)*(?:what )?(?:if|suppose|supposing|imagine|assuming|assume|say i|were i|let's say|pretend)\b",
    r"\bif i (?:were|was|had|moved|became|ever)\b",
)
GUESSING = words(
    r"也许",
    r"可能(?!是因为)",
    r"说不定",
    r"或许",
    r"大概(?!\d|\s*[一二三四五六七八九十两半])",
    r"没准",
    r"兴许",
    r"(?:在|正在|还在)?考虑(?!到)",
    r"(?:不|没)(?:太)?确定",
    r"没想好",
    r"还没(?:决定|想好|定)",
    r"在想(?:要不要|是否|着)?",
    r"好像",
    r"似乎",
    r"据说",
    r"听说",
    r"猜",
    r"打算(?!用)",
    r"想不想",
    r"要不(?!要|是)",
    r"看情况",
    r"再说吧?$",
    r"纠结",
    r"有点想",
    r"\b(?:maybe|perhaps|might|possibly|probably|i guess|i suppose|not sure|unsure|thinking (?:of|about)|considering|wondering|i wonder|could be|may(?= (?:be|have|go|move|switch|try))|haven't decided|undecided|someday|toying with|i think i(?:'d| would| could| might)|leaning towards?|seems?|apparently|i heard|supposedly|even if)\b",
)
IRONY = words(
    r"\b(?:oh|ah),? (?:sure|great|wonderful|joy|fantastic|perfect|yes|lovely|good)\b",
    r"\byeah,? right\b",
    r"\bjust (?:love|adore|enjoy|great|what i)\b",
    r"(?:^|\s)/s$",
    r"\bnothing (?:better|like) (?:than )?\w+ing\b",
    r"\b(?:love|adore|enjoy) (?:being|getting|when|how|having to|waiting|sitting in|it when)\b",
    r"\bas if\b",
    r"\bmy (?:favou?rite|absolute favou?rite) (?:thing|part) (?:is|about) (?:being|waiting|when)\b",
    r"\bsure,? because\b",
    r"\bclearly i\b",
    r"呵呵",
    r"可真(?:是)?(?:太)?(?:喜欢|爱|好|棒|会)",
    r"(?:我)?(?:可|真是|简直)(?:太)?(?:喜欢|爱|享受).*(?:被|加班|排队|堵|等|半夜|凌晨|吵)",
    r"最?(?:喜欢|爱|享受)(?:被|加班|排队|堵车|半夜|凌晨|改需求|延误)",
    r"真是(?:太好了|谢谢)",
    r"谢谢.*(?:又|害得)",
    r"好极了[,，]?又",
    r"巴不得",
    r"不就是",
)
REPORTED = words(
    r"(?:他|她|他们|她们|人家|有人|网上|文章|邮件|新闻|书|客户|客服|供应商|医生|老师|老板|主角|别人|朋友|页面|网页|公告|文档|系统|助手|报道|专家|对方|歌词|歌里|剧里|电影里|小说里|书里|信里|同事|广告)(?:里|中|上)?(?:面)?(?:[^，。]{0,6})?(?:说|写|提到|表示|讲|告诉|问|声称|认为|写着|写道|留言|唱|回复|建议)",
    r"^(?:供应商|客户|对方|转发|引用|原文|译文|例句|摘录|歌词|台词)[^，。]{0,4}[:：]",
    r"\b(?!i\b|we\b)(?:he|she|they|someone|people|everyone|the (?:customer|client|vendor|article|email|page|book|doctor|boss|site|review|post|character|hero|song|lyrics|letter|ad|document|assistant|guy)|\w+'s (?:email|message)|my (?:boss|doctor|manager|mum|mom|friend|teacher|lawyer)(?: \w+)?)(?: (?:just|also|always|once))? (?:said|says|wrote|writes|told|tells|claims?|claimed|thinks?|asked|asks|mentioned|reads|goes|suggests?|replied|believes?)\b",
    r"^(?:page|email|article|quote|forwarded|he|she|customer|vendor)(?: \w+)? ?(?:says|said|wrote|reads)?:",
    r"\baccording to\b",
    r"\bquote[:,]",
)
MATERIAL = words(
    # a request to work on a text: what follows, or what stands there, is the text and not the user's own word
    r"(?:翻译|译成|译为|翻成|润色|改写|校对|缩写|扩写|续写|仿写|造句|朗读|纠错|改错|总结|概括|摘要|解释|分析|点评|评价|检查|看看|修改|转述)(?:一?下)?[^，。！？]{0,16}[:：]",
    r"(?:翻译|译成|翻成|润色|改写|校对).{0,8}(?:这|上面|下面|以下|那)",
    r"(?:这|上面|下面|以下|那)(?:段|句|篇|封|一段|一句|几句|首).{0,10}(?:翻译|译|润色|改写|校对|语法|通顺|什么意思|怎么说)",
    r"(?:英文|中文|日文|英语|日语|法语)(?:怎么|咋)(?:说|写)",
    r"(?:通顺|语法对|有语病|什么意思)",
    r"(?:以下|下面)(?:是|为)?[^，。]{0,12}(?:内容|原文|文章|邮件|简历|日志|对话|代码|文字|记录|聊天)",
    r"写(?:一)?(?:个|篇|首|段|封).{0,20}(?:小说|故事|诗|歌词|剧本|邮件|文案|作文|台词|段子|对话)",
    r"帮我(?:写|拟|起草)",
    r"(?:例句|造句)",
    r"\b(?:translate|translating|proofread|paraphrase|rephrase|reword|rewrite|summari[sz]e|edit|correct|polish|improve|review|analy[sz]e|explain|check|read|debug|classify|annotate|parse|format)\b[^.!?]{0,60}:",
    r"\btranslat(?:e|ion)\b.{0,20}\b(?:this|that|the following|above|it|into|to)\b",
    r"\b(?:proofread|paraphrase|rephrase|reword|rewrite|summari[sz]e)\b",
    r"\bhow (?:do|would|can) (?:you|i|we) say\b",
    r"\bwhat does .{0,40}\bmean\b",
    r"\b(?:here is|here's|below is|following is) (?:the|my|an?|our) (?:email|text|letter|article|story|draft|essay|log|code|transcript|message|paragraph|poem|script|cover letter|resume)\b",
    r"\bwrite (?:me )?(?:an?|the|some|my) (?:\w+ ){0,3}(?:story|poem|song|email|letter|dialogue|script|novel|essay|speech|tweet|post|bio|paragraph|scene)\b",
    r"\b(?:is|does) (?:this|that) (?:sentence|sound|read|grammatical)\b",
    r"\bdraft (?:an?|the|me)\b",
)
ROLE_PLAY = words(
    r"role[- ]?play(?!ing games?)",
    r"\b(?:pretend|act as|play the (?:role|part)|you(?:'re| are) (?:now )?(?:a|an|the) (?!great|good|star|life|real|true|big|huge|inspiration|wonderful|amazing|best|lovely|kind|genius|legend)\w+|let's (?:play|act|improvise)|stay in character|in character|in this (?:scene|game|story|scenario|campaign)|for this (?:scene|story|game)|dungeon master|my character)\b",
    r"扮演",
    r"演一?(?:段|场|出|个)",
    r"角色",
    r"剧本",
    r"台词",
    r"假装",
    r"假扮",
    r"你(?:现在)?(?:是|当|来当|来演)(?:一个|一名|个|位)?[^，。！？人我]{1,10}[，,。]?.{0,4}(?:我是|我来|我演|我当)",
    r"我(?:是|演|当)[^，。]{1,12}[，,]你(?:是|演|当|来演)",
    r"(?:设定|人设|游戏里|故事里|剧情)",
    r"玩(?:个|一个)?游戏",
)
ROLE_PLAY_OVER = words(
    r"\b(?:stop|end|done with|quit|leave|enough|out of) (?:the |this |of the )?(?:role[- ]?play|game|scene|character|pretending)",
    r"\bback to (?:reality|normal|business|work)\b",
    r"不(?:演|玩|扮)了",
    r"(?:回到|说)(?:正题|正事|正经|现实)",
    r"结束(?:扮演|角色|游戏)",
    r"出戏",
)
FICTION = words(
    r"(?:小说|故事|电影|剧|书|歌词|游戏|漫画)(?:里|中)(?:面)?(?:的)?",
    r"主角",
    r"\b(?:in (?:the|a|my) (?:novel|story|book|film|movie|song|lyrics|game)|protagonist|fictional|the hero|storyline)\b",
)

UNSAVED = words(
    r"(?:别|不要|不用|请勿|勿|不必|无需|不许)(?:再)?(?:帮我)?(?:记(?!错|混|岔)(?:住|下|录)?|保存|存(?:下)?|收录|写进)(?!忘)",
    r"不要留(?:下)?(?:记录|存)",
    r"私下说",
    r"当我没说",
    r"忽略(?:我)?(?:刚才|上面|前面)",
    r"(?:刚才|上面|前面)(?:那句|说的|的话)?(?:不算|作废|别当真)",
    r"(?:开玩笑|逗你|说着玩)(?:的|呢|啦)?",
    r"\b(?:don't|do not|please don't|never|no need to|shouldn't|must not) (?:save|remember|store|record|note|keep|log|memori[sz]e|write)(?: (?:this|that|it|any|down|what|these|my)|:|\b$)",
    r"\boff the record\b",
    r"\bbetween us\b",
    r"\bforget (?:i|what i) (?:said|mentioned|told)\b",
    r"\bignore (?:that|what i|my last)\b",
    r"\b(?:just |only )?(?:kidding|joking)\b",
)
UNSAYING = words(
    r"当我没说",
    r"忽略(?:我)?(?:刚才|上面|前面)",
    r"(?:刚才|上面|前面)(?:那句|那条|说的|的话)?.{0,6}(?:不算|作废|别当真|别记|不要记|别存)",
    r"(?:开玩笑|逗你|说着玩)",
    r"\bforget (?:i|what i|that|it)\b",
    r"\bignore (?:that|what i|my last)\b",
    r"\b(?:kidding|joking)\b",
    r"\b(?:don't|do not) (?:save|remember|store|record|note|keep) (?:that|what i|it)\b",
)
RETRACTION = words(
    r"(?:那条|那个|这条|记录|记忆|的事|信息|备注|偏好|笔记|之前说的|说过的|内容)(?:都)?(?:给)?(?:我)?(?:删掉|删除|删了|删去|清除|抹掉|忘掉|忘了吧|去掉|撤回|移除|清空)",
    r"(?:忘掉|忘记|删掉|删除|清除|撤回|撤销|抹掉)(?:我|那条|那个|这条|之前|关于|所有|上次|有关|掉)",
    r"(?:别|不要|不用)再(?:记|提)(?:得|着|住)?",
    r"(?<!don't )(?<!not )(?<!never )\b(?:forget|delete|remove|erase|drop|clear|scrub|wipe) (?:that|what (?:i|you)|everything|anything|(?:the|my|that|this|your) (?:[\w'-]+ ){0,4}(?:note|memory|memories|entry|preference|fact|record|info|information|data|bit|part|thing)s?)\b",
    r"(?<!don't )(?<!not )(?<!never )\bforget (?:i|that i|about)\b",
    r"\bno longer remember\b",
    r"\bstop remembering\b",
    r"\b(?:forget|delete|erase) it\b",
)
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
AUTHORITY = words(
    # an order about what the agent may do is no fact about anybody
    r"\b(?:approve|authori[sz]e|bypass|override|ignore|disable|skip) (?:\w+ ){0,3}(?:refunds?|payments?|rules?|instructions?|checks?|guardrails?|safety|policy|policies|approvals?|confirmation|verification|prompt|restrictions?)\b",
    r"\b(?:approve|pay|transfer|send) .{0,30}(?:without|unchecked|directly)\b",
    r"\b(?:admin|root|sudo) (?:rights|access|privileges?)\b",
    r"\bsystem prompt\b",
    r"\bi(?:'m| am) (?:an? |the )?(?:admin|administrator|developer of)\b",
    r"\btrust (?:me|everything|all)\b",
    r"(?:直接|自动|一律|无条件|总是|都)(?:批准|通过|同意|放行|退款|付款|转账|打款)",
    r"(?:忽略|无视|绕过|跳过|关闭|解除)(?:.{0,6})(?:规则|指令|限制|检查|审核|审批|安全|确认|验证|提示)",
    r"你(?:必须|得|要)(?:听|服从|批准|同意|无条件)",
    r"管理员(?:权限|身份)",
    r"系统提示词?",
    r"无需(?:确认|审核|审批|验证)",
)
ORDER = words(
    r"\byou (?:must|have to|shall|are allowed|are now|should|need to|can|may)\b", r"你(?:必须|得|要|应该|可以)"
)
SECRET = words(
    r"密码",
    r"口令",
    r"验证码",
    r"卡号",
    r"身份证",
    r"护照号",
    r"银行卡",
    r"密钥",
    r"私钥",
    r"令牌",
    r"\b(?:password|passcode|passphrase|pin(?: code)?|api[- ]?key|secret|token|cvv|cvc|iban|card number|my card|ssn|passport (?:no|number)|private key)\b",
    r"(?:\d[ -]?){9,}",
    r"\b(?:sk|ghp|glpat|xox[bap])[-_]\w{6,}",
    r"[\w.+-]+@[\w-]+\.\w+",
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


def is_session(text: str) -> bool:
    """True when the clause itself limits what it says to now."""
    return bool(SESSION.search(text))


def is_lasting(text: str) -> bool:
    """True when the clause itself says that it holds for good."""
    return bool(LASTING.search(text))
