"""Statements that change who decides, in whatever mood they come: precedence of a note, duties of the agent, exemptions,
other subjects' data, what every answer must carry. A fact about the user never needs one of these shapes.
"""

from memory_app.guardrails.orders import Order, command, search
from memory_app.guardrails.orders_en import CHECK, GAP, MODE, PEOPLE, POWER, STYLE, USER_ID
from memory_app.guardrails.orders_zh import AGENT as AGENT_ZH
from memory_app.guardrails.orders_zh import CHECK as CHECK_ZH
from memory_app.guardrails.orders_zh import USER_ID as ID_ZH
from memory_app.guardrails.orders_zh import G

_NOTE = r"(?:this|these|the following|the above|my)\s(?:memory|memories|notes?|rules?|instructions?|messages?|entry|entries|preferences?|statements?|records?|policy)"
_OTHERS = r"(?:other|another|all|any|every|different|someone else's|anyone's|everyone's)\s(?:customers?|users?|clients?|accounts?|tenants?|members?|patients?|people)(?:['’]s?)?"
_DATA = r"(?:records?|data|orders?|files?|details|profiles?|history|messages?|addresses|invoices?|information|accounts?|notes|memories|balances?|conversations?)"
_EVERY_ANSWER = r"(?:every|each|all|any)\s(?:future\s|subsequent\s|further\s|new\s|your\s|of your\s|outgoing\s)?(?:repl(?:y|ies)|answers?|responses?|messages?|outputs?|conversations?|questions?|e-?mails?|summar(?:y|ies))"
_PAYLOAD = r"(?:https?://|www\.|links?\b|urls?\b|adverts?\b|ads?\b|promo\w*\b|coupons?\b|banners?\b|tracking\b|the (?:word|phrase|sentence|words|text)\b|[\"“'‘]\S)"
_THIS_USER = r"(?:this|the|that)\s(?:user|customer|client|account|caller|member|session)"
_THIS_ZH = r"(?:该|此|这个|这位|这名|本|当前)(?:用户|客户|账号|账户|帐号|会话|人|顾客|会员)"
_OTHERS_ZH = r"(?:其他|别的|其它|另外的?|所有|任意|任何)(?:用户|客户|账号|账户|租户|会员|人)"
_DATA_ZH = r"(?:资料|数据|记录|订单|信息|档案|地址|余额|消息|对话|记忆|账单|内容|文件)"
_NOTE_ZH = (
    r"(?:本|这|此|该|以下|下面|下列)(?:条|则|段|份|些)?(?:记忆|备注|规则|指令|消息|笔记|偏好|内容|记录|说明|要求)"
)
_ANSWER_ZH = r"(?:所有|每次|每个|每条|每一[次条个]|任何|一切|全部|今后的?|以后的?)(?:的)?(?:回答|回复|答案|消息|问题|对话|邮件|答复|输出|提问)"

ENGLISH: tuple[Order, ...] = (
    Order("instruction.override", search(rf"\b{_NOTE}\s(?:\w+\s){{0,3}}?(?:(?:has|have|takes?|carr(?:y|ies)|is of|given)\s(?:a\s)?(?:\w+\s){{0,2}}?(?:priority|precedence|authority)|(?:overrides?|supersedes?|outranks?|replaces?|trumps?|cancels?|comes? before)\b|(?:is|are)\s(?:\w+\s){{0,2}}?(?:above|binding|final|authoritative|mandatory|more important|non-negotiable|law))")),
    Order("instruction.override", search(r"\b(?:prior|previous|earlier|above|existing|all other|any other|old)\s(?:\w+\s)?(?:guidance|instructions?|rules?|prompts?|polic(?:y|ies)|directions|guidelines|messages|context)\b[^.!?\n]{0,24}\b(?:no longer|void|cancell?ed|not apply|obsolete|invalid|overridden|superseded)\b[^.!?\n]{0,30}\b(?:below|this|these|instead|new|following|apply|applies|valid)\b"), unless=search(r"\bv\d|version|library|coding|docs?\b|since (?:19|20)\d\d")),
    Order("instruction.override", search(r"\b(?:assistant|agent|ai|bot|model|your)(?:['’]s)?\s(?:new\s|real\s|only\s|true\s|main\s|first\s|primary\s|sole\s|actual\s|secret\s)?(?:duty|job|goal|task|mission|purpose|role|objective|instructions?|orders|priority|directive|responsibility)\s(?:here\s|now\s|today\s)?(?:is|are|becomes?|has changed|changes)\b(?!\s(?:to\s)?(?:answer|reply|respond|write|explain|summari[sz]e|translate|help me|remind)\b)")),
    Order("instruction.override", search(r"\b(?:follow|obey|execute|honou?r|carry out|do|fulfil)\s(?:any|every|all|whatever|each)\s(?:\w+\s)?(?:requests?|instructions?|commands?|orders?|directions?|steps)\s(?:in|of|from|on|inside|below|given|found|that)\b")),
    command("instruction.override", "do|act|proceed", r"\s(?:exactly\s)?as\s(?:the|this|that|my|these)\s(?:note|message|memory|text|e-?mail|document|instructions?)\s(?:says?|tells?|states?|orders?|directs?)\b"),
    command("instruction.override", "ignore|disregard|forget|dismiss|discount", r"\s(?:what(?:ever)?|anything|everything|all)\s(?:that\s)?(?:the\s|your\s|any\s)?(?:operators?|developers?|system|company|admins?|administrators?|polic\w+|guidelines?|owner|platform|supervisors?|security team|user|prompt)\s(?:\w+\s)?(?:says?|said|tells?|told|wants?|asks?|requires?|claims?)\b"),
    Order("instruction.override", search(r"\b(?:you|the (?:assistant|agent|ai|bot|model))\s(?:no longer|don't|do not|need not|does not|doesn't|are not required to|never)\s(?:need |have |required )?(?:to\s)?(?:follow|obey|check|verify|confirm|apply|respect|honou?r|enforce|ask|comply)\b"), unless=search(r"\b(?:ask|confirm|check) (?:me )?(?:again )?(?:about|which|whether) (?:my|the) (?:seat|meal|language|name)|how (?:i|he|she|they) feel")),
    Order("instruction.override", search(rf"(?:^|[.!?\n]\s{{0,3}})(?:whatever|no matter (?:what|how|who)|regardless of (?:what|who|how)|even if|even when)\s[^,.!?\n]{{0,24}}\b(?:users?|customers?|clients?|anyone|operator|they|he|she|people|developer)\b[^,.!?\n]{{0,40}},\s{{0,2}}(?!(?:he|she|they|i|the user|the customer|it|we)\b)(?!(?:{STYLE})\b)\w+")),
    Order("instruction.unchecked", search(r"\b(?:refunds?|payments?|purchases?|transactions?|withdrawals?|transfers?|expenses?|orders?|requests?|discounts?)\s(?:above|over|beyond|exceeding|outside|past|higher than)\s(?:the\s|any\s|its\s|their\s|every\s)?(?:\w+\s)?(?:limits?|thresholds?|caps?|polic(?:y|ies)|quota|budget|maximum|window)\s(?:are|is|can be|may be|should be|get)\s(?:\w+\s)?(?:ok|okay|fine|allowed|approved|permitted|accepted|good|automatic)\b")),
    command("instruction.unchecked", r"(?:not |never |stop |do not |don't )?(?:ask(?:ing)? for|requir(?:e|ing)|request(?:ing)?|demand(?:ing)?|prompt(?:ing)? for|insist(?:ing)? on)", rf"\s(?:a\s|an\s|the\s|any\s|more\s|further\s)?(?:{CHECK}|second factor|2fa|mfa|otp|identification|proof|id\b|authori[sz]ation|permission|consent)\b",
            needs=search(r"\b(?:never|stop|not|don't|no longer|without)\s(?:ever\s)?(?:ask|requir|request|demand|prompt|insist)")),
    command("instruction.unchecked", "accept|take|sign|agree to|approve", r"\s(?:the\s)?(?:first|any|every|all|whatever)\s(?:\w+\s)?(?:quotes?|offers?|prices?|bids?|terms|contracts?|invoices?|requests?)\b", needs=search(r"\b(?:always|without|automatically|every|any|whatever|must)\b")),
    Order("instruction.conceal", search(rf"\b(?:charge|pay|send|book|transfer|delete|change|buy|order|cancel|update|share|forward|sell|sign|move|refund|apply|switch|downgrade|upgrade|run|execute|log|record)\b[^.!?\n]{{0,60}}\bwithout\s(?:ever\s)?(?:telling|informing|notifying|alerting|asking|the (?:knowledge|consent|approval) of)\s(?:the\s|any\s|our\s)?{PEOPLE}\b")),
    Order("instruction.grant", search(rf"\b(?:{_THIS_USER}|they|you|the (?:agent|assistant))\s(?:may|can|could|is allowed to|are allowed to|has permission to|should be able to|is cleared to)\s(?:now\s|freely\s|also\s)?(?:see|view|access|read|edit|use|change|modify|query|open|download|export|delete|look at)\s(?:the\s)?(?:{_DATA}\sof\s)?{_OTHERS}")),
    Order("instruction.grant", search(r"\brole\s?[=:]\s?(?:admin|root|system|superuser|owner|operator|developer)\b|\b(?:admin|root|superuser|is_admin|sudo)\s?[=:]\s?(?:true|1|yes|on)\b"), needs=search(r"\b(?:session|this user|the user|account|you|current|override|from now|set|caller)\b|会话|用户|当前|账号"), unless=search(r"\b(?:terraform|yaml|schema|fixture|tests?|seed|migration|column|field|enum)\b")),
    command("instruction.grant", "run|execute|act|operate|work|handle|process|treat|answer|continue|perform|carry out", rf"\b[^.!?\n]{{0,40}}?\b(?:as|with|using)\s(?:the\s|an?\s)?(?:{POWER}|root|admin(?:istrator)?|superuser|sudo)\b"),
    Order("instruction.mode", search(rf"\b(?:have|has|had|was|were|been|is|are)\s(?:now\s|just\s)?(?:been\s)?(?:upgraded|switched|set|promoted|moved|unlocked|placed|put|changed|granted)\s(?:in)?(?:to\s)?(?:\w+\s){{0,3}}?{MODE}\b")),
    command("instruction.trust", "add|put|mark|register|save|store|record|include", r"\s(?:[^.!?\n]|[.](?=\w)){0,60}?\b(?:as|to|on|in)\s(?:an?\s|the\s|your\s)?(?:list of\s)?(?:trusted|safe|verified|approved|allowed|white-?listed|allow-?list|white-?list|known good)\b(?:\s?(?:senders?|sources?|list|contacts?|domains?|payees?|vendors?|users?|partners?))?"),
    command("instruction.trust", "consider|deem|assume|regard|treat|see|view|accept|handle|take|count", r"\s(?:[^.!?\n]|[.](?=\w)){0,70}?\b(?:safe|trusted|trustworthy|legitimate|genuine|verified|authentic|authori[sz]ed|coming from (?:the|an?) (?:admin\w*|operator|system|developer|owner|ceo|manager)|from (?:the|an?) (?:admin\w*|operator|system|developer))\b",
            needs=search(r"\b(?:all|any|every|anything|everyone|messages?|links?|e-?mails?|files?|requests?|invoices?|instructions?|sender|domain|[\w-]+\.(?:example|com|net|org|io))\b")),
    Order("instruction.trust", search(r"\b(?:anyone|anybody|everyone|whoever|any(?:one)? (?:user|caller|person))\s(?:who\s)?(?:says?|claims?|saying|claiming|states?)\b[^.!?\n]{0,50}\b(?:is|are|should|must|can|may|counts?|gets?)\b[^.!?\n]{0,20}\b(?:trusted|believed|admin\w*|manager|verified|authori[sz]ed|allowed|obeyed|approved|accepted|right)\b")),
    command("instruction.command", "begin|start|end|finish|open|close|prefix|append|include|add|insert|put|attach|sign|conclude|preface|answer|reply|respond|fill|mention", rf"\b[^.!?\n]{{0,40}}?\b{_EVERY_ANSWER}\b[^.!?\n]{{0,20}}?(?:with|by|containing|to|in|:)\s[^.!?\n]{{0,24}}?{_PAYLOAD}"),
    command("instruction.command", "add|append|include|insert|put|attach|mention|place|show", rf"\b[^.!?\n]{{0,60}}?{_PAYLOAD}[^!?\n]{{0,60}}?\b(?:to|in|into|at the end of|at the start of|after|under)\s{_EVERY_ANSWER}\b"),
    command("instruction.command", "respond|reply|answer|react", r"\s(?:to\s)?(?:all|every|any|each)\s(?:future\s|further\s|other\s)?(?:questions?|messages?|requests?|prompts?|users?|customers?)\s(?:with|by|as)\b", unless=search(r"\bwith (?:a |an )?(?:short|brief|one|summary|example|bullet|table|code|link to the source|simple)\b|\bby (?:topic|priority)\b")),
    command("instruction.command", r"(?:keep|continue|go on|insist on|start)\s(?:on\s)?(?:recommending|promoting|suggesting|pushing|mentioning|advertising|praising|saying|telling|claiming)", r"\b"),
    command("instruction.command", "mention|say|claim|state|tell|assure|inform|convince|insist|emphasi[sz]e|stress|write|note|add", rf"\s{{1,3}}{GAP}(?:that\s)[^.!?\n]{{0,50}}?\b(?:is|are|offers?|has|have)\s(?:\w+\s){{0,2}}?(?:the\s)?(?:best|cheapest|safest|only|leading|number one|superior|unsafe|dangerous|a scam|worst|illegal|most (?:trusted|reliable))\b"),
    command("instruction.command", "tell|inform|notify|warn|advise|persuade|convince|ask|urge|direct|message", r"\s(?:all|every|any|each|other|the other)\s(?:of\s(?:the|our)\s)?(?:users?|customers?|clients?|callers?|visitors?|people who)\b"),
    command("instruction.command", "make|let|convince|trick|persuade|get|lead|cause", r"\s(?:the\s|other\s|any\s|every\s)?(?:assistants?|agents?|ai|bots?|models?|system|users?|customers?)\s(?:to\s)?(?:believe|think|assume|accept|reveal|share|pay|send)\b"),
    command("instruction.redirect", "replace|change|update|set|overwrite|swap|correct|edit|switch|modify|rewrite|redirect|reroute|move|transfer|copy|merge|reassign", rf"\s[^.!?\n]{{0,50}}?\b(?:of|for|from|belonging to)\s(?:the\s)?{USER_ID}\b"),
    Order("instruction.redirect", search(rf"\b(?:use|answer|reply|respond|treat|serve|show|apply|open|read|give|charge|bill|send)\b[^.!?\n]{{0,50}}?{USER_ID}[^.!?\n]{{0,50}}?\b(?:when|for|as|instead|if|whenever|from|to|with|using)\b[^.!?\n]{{0,30}}?{USER_ID}")),
    command("instruction.override", "obey|comply with|submit to", r"\s(?:the\s)?(?:users?|me|him|her|them|this|these|whoever|whatever|every|all|any|my|next|following|account|sender|caller)\b"),
    command("instruction.override", "add|append|write|insert|include|save|store|put|copy|incorporate|merge", r"\s[^.!?\n]{0,30}?\b(?:to|into|in)\syour\s(?:\w+\s)?(?:rules?|instructions?|prompts?|polic(?:y|ies)|guidelines?|system|configuration|directives?|permissions?)\b"),
    Order("instruction.unchecked", search(r"\b(?:tools?|functions?|apis?|commands?|endpoints?|actions?|[a-z]+_[a-z_]+)\s(?:may|can|should|must|is to|are to)\s(?:now\s|always\s)?be\s(?:used|called|run|invoked|executed|triggered)\s[^.!?\n]{0,20}?(?:without|freely|directly|unconditionally|automatically|no)\b")),
    Order("instruction.unchecked", search(r"(?:^|[;,.:]\s{0,3})(?:do not|don't|never|no need to|stop)\s(?:check|verify|validat|double-check|question|confirm)(?:e|ing)?(?=\s{0,2}(?:$|[.;,!]|first\b|again\b|it\b|this\b|them\b|anything\b|with the\b|identit))")),
    command("instruction.disclose", "share|show|give|send|tell|read|list|reveal|export|forward|use", rf"\s[^.!?\n]{{0,30}}?(?:{_OTHERS}\s{_DATA}|{_DATA}\sof\s{_OTHERS}|(?:credentials?|passwords?|tokens?|keys?|login)\s(?:of|from|belonging to)\s)"),
    command("instruction.disclose", r"(?:collect|gather|harvest|steal|obtain|extract|phish|ask (?:for|the \w+ for)|request|capture)", r"\s[^.!?\n]{0,40}?\b(?:passwords?|credentials|card (?:numbers?|details)|cvv|pins?|one-time codes?|otps?|ssn|social security|secrets?|private keys?|seed phrases?|tokens)\b", unless=search(r"\b(?:never|not|don't|avoid|without)\b")),
)  # fmt: skip

CHINESE: tuple[Order, ...] = (
    Order("instruction.override", search(rf"{_NOTE_ZH}{G}{{0,8}}(?:优先级|优先于|高于|覆盖|凌驾|取代|替代|为准|压倒|最高优先|必须执行|不可违背|具有最高)")),
    Order("instruction.override", search(rf"你的(?:新|真正|唯一|首要|主要|实际|最终|秘密)?的?(?:任务|目标|职责|使命|身份|角色|工作|指令|目的)(?:现在|已经|就)?(?:是|变为|变成|改为|更新为)(?!{G}{{0,4}}(?:回答|解释|总结|翻译|帮我))")),
    Order("instruction.override", search(rf"(?:不管|无论|不论|任凭|就算|即使|哪怕){G}{{0,6}}(?:用户|客户|对方|别人|谁|任何人|顾客|他们|开发者|运营){G}{{0,12}}[，,]{G}{{0,4}}(?:都|也|一律|仍|还是|依然){G}{{0,4}}(?:要|得|必须|应|推荐|说|回答|不要|不得|拒绝|同意|通过|给)")),
    Order("instruction.override", search(r"^(?:新|最新|更新后?的?|现行|补充)的?(?:规则|政策|指令|策略|规定|命令)\s?[:：]|(?:^|[。\n])(?:new|updated)\s(?:rule|policy|instruction|directive)s?\s?:")),
    Order("instruction.unchecked", search(rf"(?:上述|该|这个|此|所有|任何|一切|退款|消费|转账|支付)?(?:的)?(?:限制|限额|规则|政策|上限|要求|{CHECK_ZH})对{_THIS_ZH}{G}{{0,4}}(?:不生效|不适用|无效|不起作用|失效|不算|取消|豁免)")),
    Order("instruction.unchecked", search(rf"(?:超过|超出|高于|突破){G}{{0,6}}(?:限额|上限|额度|标准|预算|期限|阈值){G}{{0,8}}(?:也|都|照样|同样|仍)(?:可以|可|能|要|直接)?(?:批|通过|放行|同意|付|退|转|报|给)")),
    Order("instruction.unchecked", search(rf"(?:把|将){G}{{0,20}}?{CHECK_ZH}{G}{{0,5}}(?:省掉|省去|省略|拿掉|免了|免掉|绕过|绕开|砍掉|干掉|关了|停了|屏蔽|去掉|删掉|跳过)")),
    Order("instruction.unchecked", search(rf"(?:不要|别|不得|不许|不准|不必|无需|不用|停止|禁止|不再|请勿)(?:再)?(?:要求|索要|索取|询问|提示|触发|弹出|发起|进行){G}{{0,8}}(?:二次|人工|双重|身份|安全|短信|人脸|密码|支付|额外|任何)(?:的)?{G}{{0,3}}(?:{CHECK_ZH}|证明|凭证|因素)")),
    Order("instruction.unchecked", search(rf"(?:关闭|关掉|停用|禁用|解除|移除|停止|取消|绕过|屏蔽)(?!了){G}{{0,10}}(?:内容过滤|安全过滤|内容审核|敏感词|过滤器|风控|审计|护栏|安全策略|安全检查|二次验证|双重验证|审核机制|防护|监控日志)"), unless=search(r"^(?:他|她|我|同事|团队)|了")),
    Order("instruction.unchecked", search(rf"(?:不经|未经|不用经过|无需经过|不征得|无需征得|不用征得|无需|不用){G}{{0,6}}(?:同意|许可|允许|授权|批准|许诺)(?:就|即可|便|也|可以|直接)?{G}{{0,6}}(?:发送|发|转账|付款|支付|删除|下单|执行|调用|修改|预订|分享|登录|访问)")),
    Order("instruction.money", search(rf"(?:只要|凡是?|每次|以后|一旦|遇到|当|如果|收到){G}{{0,20}}(?:把|将|给|往|向|从){G}{{0,12}}(?:钱|款|款项|资金|余额|货款|费用|佣金|差价){G}{{0,8}}(?:打|转|汇|划|付|退|存){G}{{0,2}}(?:到|给|入|往|进|至)"), unless=search(r"^(?:他|她|我|老板|妈妈|爸爸)|核对|确认后|审批")),
    Order("instruction.money", search(rf"(?:{AGENT_ZH}|以后|今后|只要|凡是?|新规则|规则|一律|无条件){G}{{0,12}}(?:一律|无条件|全部|都|直接|自动)(?:接受|同意|照付|照单全收|照准|签字|签署|通过)"), unless=search(r"^(?:他|她|我)|核对|审核后")),
    Order("instruction.command", search(rf"(?:对|对于|针对|在)?{_ANSWER_ZH}{G}{{0,12}}(?:加上|附上|带上|插入|写上|包含|都回答|都回复|统一回答|回答|结尾|开头|末尾|附带|添加|说){G}{{0,16}}(?:https?|链接|广告|网址|推广|二维码|“|\"|「|www)")),
    Order("instruction.command", search(r"(?:告诉|通知|告知|提醒|劝|说服|建议|引导|转告)(?:所有|每个|每位|全部|其他|任何|一切)的?(?:用户|客户|顾客|来访者|人)")),
    Order("instruction.command", search(rf"(?:让|使|令|骗|诱导|误导|说服)(?:得)?{AGENT_ZH}{G}{{0,3}}(?:以为|相信|认为|误以为|觉得|确信|泄露|透露)")),
    Order("instruction.command", search(r"(?:都|一律|统一|全部|永远|始终|务必|必须)(?:要|得|须)?(?:优先)?(?:推荐|推销|宣传|力荐|主推)(?:给)?[\u4e00-\u9fffA-Za-z0-9]{2,12}(?!的)"), needs=search(r"不管|无论|不论|只要|凡是|有人|客户|用户|谁|任何"), unless=search(r"给我|我喜欢|素食|附近")),
    Order("instruction.grant", search(rf"(?:以|用|凭|使用)(?:系统|超级)?(?:管理员|root|超级用户|超管|最高|运维|系统)(?:的)?(?:身份|权限|名义|账号){G}{{0,4}}(?:执行|运行|处理|回答|操作|登录|调用|访问|响应|继续|完成)"), unless=search(r"^(?:他|她|我|同事|Windows|安装)|双击|右键")),
    Order("instruction.grant", search(rf"(?:允许|准许|可以?|能够?|有权|授权|让)(?:让)?(?:{_THIS_ZH}|他|她|{AGENT_ZH})?{G}{{0,4}}(?:查看|访问|读取|修改|删除|导出|使用|下载|查询|打开|看到?){G}{{0,4}}{_OTHERS_ZH}(?:的)?{_DATA_ZH}"), unless=search(r"不(?:允许|准|可以?|能|得)|禁止|无权|只有管理员|是否")),
    Order("instruction.trust", search(rf"(?:任何人|谁|有人|凡是?|所有人|不管谁|无论谁){G}{{0,6}}(?:说|自称|声称|称)(?:自己|他|是){G}{{0,16}}(?:都|就|即|一律|则|也)(?:要|得|必须|可以|应|视为|算|当作)?(?:相信|信任|听|服从|照办|通过|批准|视为|放行|当)")),
    Order("instruction.trust", search(rf"(?:把|将){G}{{0,44}}(?:加入|列入|添加到?|设为|设成|视为|标记为|当成|当作|列为){G}{{0,6}}(?:白名单|信任|可信|安全|授权|认证|管理员|合法|官方)"), unless=search(r"^(?:他|她|我|同事|团队)|(?:加入|列入|设为|标记)了|防火墙|杀毒|IP 白名单")),
    Order("instruction.redirect", search(rf"(?:用户|客户|账号|账户|租户|会员)\s?[A-Za-z]{{0,3}}[-_#]?\d[\w-]{{0,20}}\s?的{G}{{0,10}}(?:替换|覆盖|更改|修改|改写|变更|更新|转移|合并|迁移){G}{{0,4}}(?:成|为|到|给|至|掉)?")),
    Order("instruction.redirect", search(rf"(?:用|拿|以|按|使用|参考){G}{{0,4}}(?:{ID_ZH}|[A-Za-z]{{1,3}}-\d{{1,8}}|u\d{{1,8}})(?:的)?{G}{{0,3}}{_DATA_ZH}{G}{{0,6}}(?:回答|回复|处理|代替|登录|给|冒充|答复|办理){G}{{0,8}}(?:{ID_ZH}|[A-Za-z]{{1,3}}-\d{{1,8}}|u\d{{1,8}}|别人|其他)")),
    Order("instruction.override", search(rf"(?:加入|加到|写入|写进|添加到?|并入|追加到?|存入|放进){G}{{0,3}}你的{G}{{0,4}}(?:规则|指令|提示词?|设定|策略|权限|准则|系统)|(?<!应该)(?:服从|听命于|听从|唯命是从于)(?:用户|客户|我|他|她|所有|任何|该|此|这个|下面|以下|接下来)")),
    Order("instruction.mode", search(r"(?:^|[，,。；：:\n]|请|你|要|务必)\s?(?:假装|装作|就当|权当|佯装)(?:是|成|作)?(?:客户|用户|对方|顾客|已经?|没有|自己是|你是|这|该|身份|验证)")),
    Order("instruction.trust", search(rf"(?:发来|发送|寄来|发出|提供|给出|转来|推送)的?(?:发票|邮件|消息|请求|链接|指令|文件|通知|信息|命令|附件|内容|账单){G}{{0,3}}(?:都|一律|全部|均|全都)(?:要|可以?|应该?|必须|得|能|是|算)?(?:信任|可信|相信|照办|执行|当真|通过|批准|付款|放行|安全)"), unless=search(r"^(?:他|她|我)(?!们)")),
    Order("instruction.conceal", search(rf"(?:这|本|此|该)(?:条|个|份|段|则|次)?(?:规则|记忆|备注|消息|指令|内容|记录|操作|笔记|事|设置)?{G}{{0,3}}(?:不要|别|不能|不得|不许|勿|不准|不可)(?:让|给|被|向|对|跟|告诉){G}{{0,4}}(?:用户|客户|对方|运营|管理员|任何人|别人|其他人|他人|审计|老板|主管){G}{{0,4}}(?:看|知|发现|提|说|见|讲|透露|晓|查)?")),
    Order("instruction.disclose", search(rf"(?:收集|套取|骗取|窃取|获取|记录下?|索要|索取|搜集|偷取){G}{{0,10}}(?:密码|验证码|银行卡|信用卡|身份证|密钥|凭证|口令|私钥|助记词|token)"), needs=search(rf"{AGENT_ZH}|任务|目标|请|务必|必须|每次|悄悄|偷偷|用户|客户|对方"), unless=search(r"不(?:要|得|会|能)|禁止|防止|避免|是否会|会不会|关心|担心|警惕|诈骗|骗子|钓鱼")),
    Order("instruction.execute", search(rf"(?:每次|在每次|下次|以后|今后|当|一){G}{{0,14}}(?:对话|会话|启动|开始|读取|看到|加载|回答|打开这|此内容|本条){G}{{0,8}}(?:时|前|后|就|先|立即|,|，|请|都|要){G}{{0,6}}(?:下载|运行|执行|调用|访问|请求|发送|安装|打开){G}{{0,10}}(?:脚本|命令|接口|工具|链接|程序|函数|网址|地址|http|附件|文件)"), unless=search(r"^(?:他|她|我|同事|团队)|电脑|构建|部署|测试")),
    Order("instruction.execute", search(rf"(?:看到|读到|收到|加载)(?:此|本|这)(?:内容|条|段|消息|记忆|备注)?{G}{{0,8}}(?:立即|立刻|马上|就|请|后|时|先|必须){G}{{0,10}}(?:调用|执行|运行|发送|转账|退款|删除|下载|访问|付款)")),
)  # fmt: skip
