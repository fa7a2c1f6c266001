"""Whether something is a statement of the user at all: questions, guesses, irony, quotations, orders, secrets.

All patterns look at folded text, as in `cues`.
"""

import re

from .cues import words

ASKING_EN = re.compile(
    r"^(?:(?:hey|hi|ok|okay|so|and|but|well|also|oh|wow|cool|great|thanks|please tell me)[ ,]+)*(?:what|which|who|whom|whose|when|where|why|how|do(?! remember| note| keep| bear| not\b)|does|did|is|are|was|were|am|can|could|would|should|shall|will|have|has|had|may|might|isn't|aren't|don't you|doesn't|didn't|wouldn't|any idea|tell me (?:what|which|who|when|where|why|how|about|if))\b",
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
    r"多(?:久|大|远|长|高|快)(?=[^，。]{0,10}$)(?!.*了$)",
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
    r"^(?!.*谁.*谁).*谁(?!都)",
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
#: A wish put as a question, up to what is wished for.
POLITELY = re.compile(
    r"^(?:(?:and|so|also|oh),? )*(?:can|could|would|will) you (?:please |kindly |also |just )*(?!(?:say|think|explain|describe|define|show me how|tell me (?:about|what|how|why|which|who))\b)",
    re.I | re.A,
)
CONDITIONAL = words(
    r"^(?:[哈嘿唉]+[，,]?)?(?:那|不过|但是?|而且|so |but |and )?(?:我们?|咱们?)?(?:哪天|真)?(?:假如|如果|要是|假设|倘若|若是|若|万一|假使|设想|想象)",
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
    r"(?<![这每][封份篇个])(?:他|她|他们|她们|人家|有人|网上|文章|邮件|新闻|书|客户|客服|供应商|医生|老师|老板|主角|别人|朋友|页面|网页|公告|文档|系统|助手|报道|专家|对方|歌词|歌里|剧里|电影里|小说里|书里|信里|同事|广告|室友|舍友|邻居|同学|网友|亲戚|群里)(?:里|中|上)?(?:面)?(?:[^，。]{0,6})?(?:说|写|提到|表示|讲|告诉|问|声称|认为|写着|写道|留言|唱|回复|建议)",
    r"^(?:供应商|客户|对方|转发|引用|原文|译文|例句|摘录|歌词|台词)[^，。]{0,4}[:：]",
    r"\b(?!i\b|we\b)(?:he|she|they|someone|people|everyone|the (?:customer|client|vendor|article|email|page|book|doctor|boss|site|review|post|character|hero|song|lyrics|letter|ad|document|assistant|guy)|\w+'s (?:email|message)|my [a-z]+(?:-in-law)?(?: \w+)?)(?: (?:just|also|always|once))? (?:said|says|wrote|writes|told|tells|claims?|claimed|thinks?|asked|asks|mentioned|reads|goes|suggests?|replied|believes?)\b",
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
    r"怎么(?:翻|译)",
    r"(?:通顺|语法对|有语病|什么意思)",
    r"(?:以下|下面)(?:是|为)?[^，。]{0,12}(?:内容|原文|文章|邮件|简历|日志|对话|代码|文字|记录|聊天)",
    r"写(?:一)?(?:个|篇|首|段|封).{0,20}(?:小说|故事|诗|歌词|剧本|作文|台词|段子|对话)",
    r"(?:帮我(?:写|拟|起草)|写.{0,20}(?:邮件|文案))[^，。]{0,16}[:：]",
    r"(?:例句|造句)",
    r"(?:^|[,;.!?] ?|\b(?:please|you|me|us|to|and|then|just|now|also) )(?:translate|translating|proofread|paraphrase|rephrase|reword|rewrite|summari[sz]e|edit|correct|polish|improve|review|analy[sz]e|explain|check|read|debug|classify|annotate|parse|format)\b[^.!?]{0,60}:",
    r"\btranslat(?:e|ion)\b.{0,20}\b(?:this|that|the following|above|it|into|to)\b",
    r"(?<!\bi )(?<!\bwe )(?<!\bthe )(?<!\ba )(?<!\bour )(?<!\bmy )(?<!\balways )(?<!\busually )\b(?:proofread|paraphrase|rephrase|reword|rewrite|summari[sz]e)\b",
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
    r"(?:设定|人设|(?:游戏|故事)里(?!面?(?:都|也|请|就)?(?:别|不要|不能|不许|少|要|多))|剧情)",
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
    r"(?:小说|故事|电影|剧|书|歌词|游戏|漫画)(?:里|中)(?:面)?(?!(?:都|也|请|就)?(?:别|不要|不能|不许|少|要|多))(?:的)?",
    r"主角",
    r"\b(?:in the first person|first-person|(?:start|begin|continue|tell|open) (?:me )?(?:an?|the) (?:\w+ )?(?:story|tale|novel|poem|scene))\b",
    r"第一人称",
    r"\b(?:in (?:the|a|my) (?:novel|story|book|film|movie|song|lyrics|game)|protagonist|fictional|the hero|storyline)\b",
)
#: Says that what was said was a joke; to joke, to be no joke, or to wonder at another's is something else.
JOKED = (
    r"(?:^|[.!?,;:…–—\n-])\s*(?:(?:(?:ha)+|lol|oh|no|nah|sorry|ok|okay|well|but|and|of course|actually)[ ,.!]+)*(?:(?:i'm|i am|i was|we're|we were) )?(?:(?:just|only|obviously|of course) )*(?:kidding|joking|teasing(?: you)?|pulling your leg)(?: (?:about (?:that|it|this)|of course|obviously|there|you|with you))*\s*(?:[.!?,;…–—\n-]|$)",
    r"(?:^|[.!?\n])\s*(?:april fools?|愚人节快乐)[!.！。~]*\s*(?=$|[.!?！。\n]|(?<=[!.！。~ ]))",
    r"\b(?:that|it|this|what i (?:just )?(?:said|told you)) was (?:just |only |all |meant as )*(?:a |my )?joke\b",
    r"(?:^|[。！？!?，,；;~～\s])(?:[哈呵嘿]+[，,!！。]*)?(?:我|刚才|刚刚|那句?|这|都|就|只|纯属|跟你|和你|是|在|其实|说的|的话)*(?:开个?玩笑|逗你|骗你|说着玩|闹着玩)(?:的|玩|呢|啦|而已|哈|罢了|了)*(?=$|[。！!~～，,；;\s])",
)
UNSAVED = words(
    r"(?:别|不要|不用|请勿|勿|不必|无需|不许)(?:再)?(?:帮我)?(?:记(?!错|混|岔)(?:住|下|录)?|保存|存(?:下)?|收录|写进)(?!忘)",
    r"不要留(?:下)?(?:记录|存)",
    r"私下说",
    r"当我没说",
    r"忽略(?:我)?(?:刚才|上面|前面)",
    r"(?:刚才|上面|前面)(?:那句|说的|的话)?(?:不算|作废|别当真)",
    *JOKED,
    r"\b(?:don't|do not|please don't|never|no need to|shouldn't|must not) (?:save|remember|store|record|note|keep|log|memori[sz]e|write)(?: (?:this|that|it|any|down|what|these|my)|:|\b$)",
    r"\boff the record\b",
    r"\bbetween us\b",
    r"(?<!n't )(?<!not )(?<!never )\bforget (?:i|what i) (?:said|mentioned|told)\b(?! (?:you )?(?:about|on|regarding))",
    r"\bignore (?:that|what i|my last)\b",
    r"\b(?:don't|do not) want (?:that|this|it|any of (?:this|that)|what i said) (?:written|saved|kept|stored|remembered|noted|on record)",
    r"(?:不想|别)(?:让)?(?:这个|这条|这事|它)?(?:被)?(?:记下来|留下|存下来|写下来)",
)
UNSAYING = words(
    r"当我没说",
    r"忽略(?:我)?(?:刚才|上面|前面)",
    r"(?:刚才|上面|前面)(?:那句|那条|说的|的话)?.{0,6}(?:不算|作废|别当真|别记|不要记|别存)",
    *JOKED,
    r"^(?:(?:算了|还是|请|这个|这条|这句|那个|那条|就|也)[,，]?)*(?:别|不要|不用)(?:再)?(?:给我|帮我)?(?:记|存)(?:住|下|录)?(?:了|吧|啦)*[。.!！~]*$",
    r"\bforget (?:i|what i|that|it)\b",
    r"\bignore (?:that|what i|my last)\b",
    r"\b(?:don't|do not) (?:save|remember|store|record|note|keep) (?:that|what i|it)\b",
    r"\bscrap (?:it|that)\b",
    r"\b(?:don't|do not) want (?:that|it|what i said) (?:written|saved|kept|stored|remembered|noted|on record)",
)
RETRACTION = words(
    r"(?:那条|那个|这条|记录|记忆|的事|信息|备注|偏好|笔记|之前说的|说过的|内容)(?:都)?(?:给)?(?:我)?(?:删掉|删除|删了|删去|清除|抹掉|忘掉|忘了吧|去掉|撤回|移除|清空)",
    r"(?:忘掉|忘记|删掉|删除|清除|撤回|撤销|抹掉)(?:我|那条|那个|这条|之前|关于|所有|上次|有关|掉)",
    r"^(?:请|麻烦|那|就)*(?:把)?忘了(?=我|这|那|之前|关于|所有|上次|有关)",
    r"(?:别|不要|不用)再(?:记|提)(?:得|着|住)?",
    r"(?<!don't )(?<!not )(?<!never )\b(?:forget|delete|remove|erase|drop|clear|scrub|wipe) (?:that|what (?:i|you)|everything|anything|(?:the|my|that|this|your) (?:[\w'-]+ ){0,4}(?:note|memory|memories|entry|preference|fact|record|info|information|data|bit|part|thing)s?)\b",
    r"(?<!don't )(?<!not )(?<!never )\bforget (?:i|that i|about)\b",
    r"\bno longer remember\b",
    r"\bstop remembering\b",
    r"\b(?:forget|delete|erase) it\b",
)
FORGETFUL = words(
    # somebody forgets, or must not forget: no request to forget
    r"\b(?:i|we|he|she|they)(?: (?:always|often|sometimes|usually|just|keep|will|would|might|could|can|may))* forget\b",
    r"\b(?:i'll|we'll|i'd|can't|cannot|couldn't|won't|wouldn't|didn't|don't|do not|never|not) (?:\w+ )?forget\b",
    r"^(?:did you forget|have you forgotten)\b",
    r"(?:别|不要|不能|不会|不可|没有?|莫|勿|千万|我|老是?|总是?|经常|容易|差点|怎么|^你|^您)(?:都|会|再|又|就|把|给)?忘(?:了|记|掉)",
    r"忘(?:了|记|掉)?[^。]*(?:吗|么|没)$",
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
#: Stands over a secret that was told, so that nothing in it parts a sentence.
HIDDEN = "\ue002"
_CREDENTIALS = (
    r"密码",
    r"(?:登录名|登陆名|登录账号)",
    r"\blog[- ]?in (?:is|:)",
    r"口令",
    r"验证码",
    r"卡号",
    r"身份证",
    r"护照号",
    r"银行卡",
    r"密钥",
    r"私钥",
    r"令牌",
    r"安全码|动态码|恢复码|门禁码",
    r"\b(?:recovery|backup|access|door|gate|entry|unlock|alarm|locker|safe|lock|garage) codes?\b",
    r"\b(?:security code|password|passcode|passphrase|pin(?: code)?|api[- ]?key|secret|token|cvv|cvc|iban|card number|my card|ssn|passport (?:no|number)|private key)\b",
)
_CREDENTIAL = rf"(?:{'|'.join(_CREDENTIALS)})[^。！？!?；;]{{0,24}}?"
#: A secret with a stop within: "Wheat!Moon88".
STOPPED_SECRET = re.compile(
    rf"{_CREDENTIAL}(?<![^\s\u3400-\u9fff:：=])(?P<v>[^\s\u3400-\u9fff，。；！？、]*[!?;:.,][^\s\u3400-\u9fff，。；！？、]*[^\s\u3400-\u9fff，。；！？、!?;:.,])",
    re.I | re.A,
)
#: Says what the secret is.
TELLS_SECRET = re.compile(
    rf"{_CREDENTIAL}(?:\b(?:is|was|are|being)\b|'s\b|[:：=]|是|为|成|叫|\d|{HIDDEN})", re.I | re.A
)
SECRET = words(
    HIDDEN,
    *_CREDENTIALS,
    r"(?:\d[ -]?){9,}",
    r"\b(?:sk|ghp|glpat|xox[bap])[-_](?:\w{6,}|(?=[\w-]*\d)[\w-]{6,})",
    r"[\w.+-]+@[\w-]+\.\w+",
)
