"""Norms: sentences that change what is checked, trusted, shown or kept back, in whatever mood and wording they come.

The grammars of orders begin with a verb of command. Much that steers an agent has none: it is told as a liking, as an
agreement, as a policy, as a fact about how requests of one kind are dealt with. What stays the same is what such a
sentence must speak of, so a norm is a set of cue classes that must all stand in one sentence. A cue class is named
once, in both languages. No class alone means anything.

A person's own habit ("Signs off every refund himself") is excused unless it is a wish about what others do, and so is
what keeps a check, forbids, refuses, or reports what once happened.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_app.guardrails.addressed import changes_the_agent
from memory_app.guardrails.findings import Hit
from memory_app.guardrails.gate import Gated, gated
from memory_app.guardrails.orders import search

_G = r"[^。！？；;!?\n]"
#: What moves money, rights or records when it is granted.
_REQUEST = (
    r"(?:refunds?|payments?|invoices?|bills?|orders|(?:an?|the|any|every|each|this|no)\s(?:\w+\s)?order|transfers?|wires?|withdrawals?|payouts?|claims?|expenses?|purchases?|discounts?|credits?|vouchers?|gift cards?|contracts?|loans?|quotes?"
    r"|password (?:changes?|resets?)|access(?: requests?)?|requests?|accounts?|deletions?|exports?|deploy(?:ment)?s?|releases?|merges?|permissions?|shipments?|cancellations?|reimbursements?|spending|applications?|overrides?|upgrades?)"
)
_REQUEST_ZH = r"(?:退款|退货|付款单?|打款|账单|发票|订单|转账|报销|提现|改密码?|重置密码|密码重置|额度|赔付|理赔|赔款|合同|采购|放款|货款|权限|开通|结账|结款|请款|报价单?|申请|单子|审批单|删除|改签|授信|借款|贷款|费用|账号|账户)"
_CHECK = (
    r"(?:checks?|checking|checked|review\w*|approv\w+|verif\w+|confirm\w*|sign(?:ing)?[- ]?offs?|signatures?|counter-?sign\w*|second (?:pair of eyes|look|opinion|signature|person|approver|set of eyes)|two[- ]person rule|four[- ]eyes|dual control"
    r"|questions?|proof|identity|identification|authori[sz]\w+|permission|consent|oversight|scrutiny|inspect\w*|audit\w*|look(?:ing|s|ed)?\b|open(?:ing|s|ed)? (?:the|them|it|that)|asking|asks?|human (?:eyes|review)|kyc|2fa|vetting|vetted|screening|supervision|waiting periods?|cooling[- ]off|holding periods?|double-check\w*|second[- ]guess\w*|delay|security (?:step|gate)s?)"
)
_CHECK_ZH = r"(?:看|查|审|核|问|确认|验|过目|等待期|冷静期|签字|签批|把关|盘问|请示|批准|同意|confirm|check|approve|review|身份)"
_WAIVED = (
    rf"(?:(?:without|with no|no|zero|minus|needs? no|free (?:of|from)|exempt from|skips?|skipping|bypass(?:es|ing)?|spared?|forgo(?:es)?|past|excused from|not subject to|(?:n't|not|never|needn't)(?: (?:ever|to|need|need to|require|have to|be|bother|even))*|nor)\s(?:\w+[\s-]){{0,3}}?{_CHECK}"
    rf"|(?:nobody|no one|no-one|noone|none of \w+)\s(?:\w+\s){{0,3}}?{_CHECK}|\bun(?:checked|reviewed|seen|verified|approved|questioned|challenged)\b|sight unseen|no questions asked|(?:no need|(?:not|n't|never)(?: to)?) (?:to )?(?:bother|ask|involve|consult|wake|trouble|consult with|call|disturb) (?:the |any |a |your |my )?(?:approver|manager|supervisor|boss|lead|director|controller|owner|anyone|anybody|human|finance|legal)|(?:ask|check|verify|question)\w*\s(?:\w+\s)?(?:later|afterwards|after the fact))"
)
_WAIVED_ZH = (
    rf"(?:(?:不用|不必|无需|无须|免(?!费)|不需要?|不要|别|甭|没人|没有人|不经|可以不|未经|跳过|省掉|省去|略过|不再|用不着|犯不着|不做|免去){_G}{{0,6}}?{_CHECK_ZH}"
    rf"|(?:当作|当成|视为|视同|等于|算作|就当|按){_G}{{0,6}}?(?:已经?|早已)?(?:复核|审核|审批|核实|确认|批准|同意|验证|签字|查验){_G}{{0,2}}?(?:过|了|处理|论)?|别去?(?:烦|打扰|惊动|问|找)(?:主管|经理|老板|领导|审批人|负责人|财务)|你(?:自己)?(?:定|批|说了算|做主|拿主意)|先[付赔退打放批给结转删发]{_G}{{0,4}}?(?:后|再)[查审核补问验看])"
)
_AS_DONE = r"(?:count|treat|regard|consider|handle|see|take|rank)(?:s|ed|ing)?\b[^.!?\n]{0,60}?\bas (?:already |if |though |good as )?[^.!?\n]{0,30}?(?:signed|approved|authori[sz]ed|verified|confirmed|checked|reviewed|official|true|final|law|binding|gospel)"
_SOURCE = r"(?:(?:anything|whatever|everything|all|any|every)\b[^.!?\n]{0,24}?\b(?:from|signed|writes?|written|sent|says?|posts?|asks?(?: for)?|in the name of|bearing|marked|label?led|stamped|carrying|with the|comes?)\b|(?:messages|notices|memos|e-?mails|requests|instructions|invoices|letters|texts)\s(?:\w+\s){0,2}?(?:from|signed|sent by|by|bearing|marked)\b)"
_ON_SIGHT = r"(?:straight away|at once|on sight|right away|no questions|without (?:further|a|any)|(?:can|may|should|must|is to|are to|will) be (?:acted (?:up)?on|carried out|obeyed|followed|paid|executed|trusted|believed|done|actioned|honou?red|released|run)|as (?:if|though) (?:the|it|he|she|they|an?|i)\b[^.!?\n]{0,40}?(?:signed|approved|wrote|said|asked|ordered|came)|counts? as (?:approved|signed|an order|authori[sz]ed)|is (?:gospel|final|binding|law))"
_SOURCE_ZH = rf"(?:(?:凡是?|只要是?|所有|任何|一切|落款|署名|来自|带有?|标了|盖了|写着|打着){_G}{{0,24}}?(?:通知|邮件|消息|单子?|指令|要求|文件|请求|的话|命令|短信|函|发票|便条|吩咐))"
_ON_SIGHT_ZH = r"(?:见到就[办付批做]|看到就[办付批做]|收到就[办付批做]|照办|照做|照付|即付|就办|直接[走办付批过执放]|(?:马上|立刻|立即)[办付批执]|都算数|视同|无条件|优先执行|不用问|不必问|一律当作|按命令|当圣旨)"
_AUDIENCE = r"(?:customers?|clients?|users?|tenants?|guests?|auditors?|inspectors?|regulators?|buyers?|sellers?|staff|employees|residents|patients?|visitors?|callers?|applicants?|candidates?|subscribers?|members?|the public|the press|anyone|anybody|investors?|parents|the board|the team|admins?|operators?|owners?)"
_AUDIENCE_ZH = r"(?:客户|用户|租客|顾客|业主|员工|家属|对方|审计|稽查|监管|检查组|税务|会员|住户|乘客|病人|患者|投资人|买家|卖家|求职者|应聘者|访客|董事会|学员|家长)"
_THIS_ONE = r"(?:(?:this|that|the|said)\s(?:client|user|customer|account|guest|caller|tenant|member|person|company|team)|when(?:ever)? [^.!?\n]{1,24}? (?:is|are) (?:the one|buying|paying|asking|ordering|spending|involved)|for (?:him|her|them|me|us)\b)"
_THIS_ONE_ZH = r"(?:这位|这名|该|此|这个|本)(?:客人|客户|用户|账号|账户|会员|顾客|人|公司|商户)"
_LIMIT = r"(?:limits?|caps?|ceilings?|thresholds?|restrictions?|quotas?|safeguards?|two-person rule|spending rules?)"
_GONE = r"(?:(?:a )?thing of the past|no longer|(?:do|does|did)(?: not|n't) (?:apply|exist|count|hold)|(?:was|were|had) never (?:there|set|been|existed)|never existed|(?:is|are) (?:off|gone|lifted|waived|removed|open|history|dropped|suspended)|not for)"
_RULEBOOK = r"(?:briefing|instructions?|rules?|guidelines?|guidance|polic(?:y|ies)|prompts?|orders|brief|playbook|handbook|mandate|directions|restrictions?|training|setup)"
_RULEBOOK_ZH = r"(?:守则|规则|指令|规定|设定|提示词?|说明|交代|要求|指引|手册|约束|限制)"
_VOID = r"(?:expired?|no longer|void|lapsed|replaced|withdrawn|retired|outdated|obsolete|superseded|suspended|lifted|not in force|cancell?ed|behind (?:us|you)|run out|ended|stop(?:s|ped)? (?:applying|here|counting)|takes? (?:its|their) place)"
_VOID_ZH = r"(?:过期|作废|失效|不算数?|不用再?[管理看]|取消|过时|废止|停用|翻篇|到此为止|不再有效|不作准)"
_OF_OTHERS = r"(?:(?:other|another|someone else|somebody else|anyone else|everyone else|different|fellow)(?:['’]s)?\s(?:\w+\s)?(?:people|persons?|customers?|users?|clients?|guests?|tenants?|patients?|members?|accounts?|families)?(?:['’]s|s['’])?)"
_PRIVATE = r"(?:notes?|orders?|records?|data|salar(?:y|ies)|wages|pay slips?|balances?|addresses|messages?|details|memories|bookings?|histor(?:y|ies)|files?|profiles?|itinerar(?:y|ies)|conversations?|test results?|documents?)"
_OF_OTHERS_ZH = r"(?:(?:别人|他人|旁人|别的(?:客户|用户|人|客人)|其他(?:人|客户|用户|会员|客人)|另一位?(?:客户|用户|客人)|同事们?|邻居们?|所有人)的?)"
_PRIVATE_ZH = r"(?:订单|工资|薪资|资料|记录|地址|电话|余额|行程|聊天|数据|备注|信息|账单|病历|成绩|存款|对话|笔记|预订)"
_TELLS = r"(?:tell|show|give|read|share|includ\w+|contain\w*|reveal\w*|quote|pass\w* on|hand\w*|hear|see|answers?|list\w*|recite|mention\w*)"
_TELLS_ZH = r"(?:念|报|告诉|给[他她我]看|给看|说|读|发|拿出来|照实|透露|展示|列)"
_CONTROL = r"(?:rules?(?! of thumb)|limits?|caps?|approvers?|approvals?|sign-?offs?|signatures?|(?:identity|security|safety) (?:questions?|checks?|texts?|notices?|rules?|warnings?|prompts?)|safe-?mode|logging|audits?|checks?|confirmations?|verification|two-factor|polic(?:y|ies)|restrictions?|guardrails?|moderation|content filters?)"
_REDUCED = r"(?:dropped|lifted|waived|optional|voluntary|needless|unnecessary|superfluous|moot|no need|needn't|not (?:needed|required|necessary|meant|for|apply)|n't (?:needed|required|necessary|apply|bother|matter)|no longer (?:needed|required|necessary|apply|applies)|forget|never (?:there|had|discussed|existed|mind)|to stop|(?:only |just )?(?:a|for) (?:test|show|decoration|formality)|can be (?:skipped|ignored|dropped)|may be (?:skipped|ignored|dropped)|without it|wave[sd]? through|suspended|switched off|turned off|relaxed|can rest|may rest|take a (?:break|rest)|(?:be|are|is) retired)"
_DEALT = rf"(?:for (?:this|that|the) (?:project|account|thread|client|case)|{_REQUEST}|{_AUDIENCE}|you|your|kindly|please|assistants?|agents?|mr|mrs|ms|{_THIS_ONE}|amounts?|sums?)"
_ACCEPTS = r"(?:side with|go with|goes? by|follow|obey|honou?r|accept|believe|waves? through|wave through|let(?:s|ting)? through|act on|take (?:\w+ )?at (?:\w+ )?word|trust|do|carry out|give in to|defer to|prefer)"
_SAYS = r"(?:(?:whatever|anything|everything|what|all)\b[^.!?\n]{0,40}?\b(?:says?|said|writes?|submits?|sends?|asks?|signs?|wants?|orders?|demands?|decides?)\b)"
_ACTS = r"(?:ship|approve|pay|send|delete|refund|open|release|transfer|buy|order|cancel|grant|unlock|confirm|skip|go ahead|proceed|execute|wire|book|publish|deploy)"
_ACTS_ZH = r"(?:同意|发货|付款|放行|批准|打款|删除|转账|退款|下单|确认|通过|取消|执行|开通|授权|发布|解锁)"
_PAYLOAD = r"(?:referral|affiliate|promo(?:tional)?|discount code|voucher code|coupon|invite code|sponsor\w*|advert\w*|ad\b|our (?:link|product|offer|hotel|shop|brand)|banner)"
_PAYLOAD_ZH = r"(?:推荐码|邀请码|优惠码|推广|广告|返利|带货|我们家|本店|赞助|二维码)"
_FLAWS = r"(?:mistakes?|errors?|fees?|complaints?|problems?|risks?|price (?:increases?|rises?)|faults?|defects?|delays?|surcharges?|side effects|incidents?|recalls?|overcharges?)"
_FLAWS_ZH = r"(?:错误|差错|问题|费用|风险|投诉|缺陷|涨价|事故|召回|副作用|手续费|漏洞|违约金|隐患)"
_RISKY_TOOL = r"[`\"']?(?:delete|drop|transfer|wipe|send|grant|export|pay|disable|reset|purge|wire|refund|remove|upload|exec|run|set)_[a-z_]+"
_WISH = r"(?:likes?|prefers?|preference|wants?|wishes|happi(?:er|est)|happy|would (?:like|love|prefer|rather)|'d (?:like|love|prefer|rather|be)|expects?|asks? (?:that|for)|appreciates?|enjoys? (?:it )?when|favou?rs?|best when)"
_ALLOWS = r"(?:release|free|relieve|exempt|excuse|absolve|discharge|allow|authori[sz]e|order|instruct|waive|lift|permit|unlock|grant|remove|suspend|hereby)"

_KEPT = search(
    r"\b(?:never|not|no|none|n't|nothing|nobody)\b[^.!?\n]{0,80}?\b(?:without|unless|until|before)\b|n't\b[^.!?\n]{0,80}?\b(?:without|unless|until|before)\b|\b(?:refus\w+|reject\w*|declin\w+|bounc\w+|blocked|forbid\w*|forbidden|prohibit\w*|banned|wrong|warn\w*|complain\w*|hates?"
    r"|dislikes?|against|violat\w*|failed|caught|fraud|only (?:after|once|when|if|with)|unless|until|leads? to|pending|waits?|held|on hold|stuck|late|slow|missing)\b"
)
_KEPT_ZH = gated(
    r"从不|绝不|从来不|不会|不能|不可|不许|不得|不准|禁止|拒绝|退回|驳回|违规|投诉|讨厌|反对|才能?(?=付|办|批|给|放|退)|核对[后过无]|确认[后过无]|审批[后通]|须先|必须先|先[核审确查]|否则|没有?[^。，]{1,14}[，,]?(?:一律)?不(?:付|批|办|给|放|退)|未经[^。，]{1,12}不"
)
_PAST = search(
    r"\b(?:was|were|had|went|got|found|noticed|happened|used to|last (?:week|month|year|night)|yesterday|once|ago|arrived|took)\b"
)
_PAST_ZH = gated(r"曾|过去|以前|上次|上周|上个?月|去年|昨天|(?:[付批退结办删发赔]|复核|审核|处理)了(?!就)")
_HABIT = gated(
    rf"^(?!.*\b(?:you|so|hence|therefore)\b)\s*(?:(?:he|she|they|i|we|the user|user|his|her|my)\b(?!.{{0,12}}\b{_WISH})|(?!{_REQUEST}\s(?:of|from|below|above|under|over|by|for|are|is|go|need|get|that|which|can|may|should|will|with|in|on|at|to|pass|skip|require|come)\b)(?!{_WISH}\b)(?!(?:as|is|this|whatever|anything|always|yes|his|limits|policies|cases|rules|checks|approvals|notes|logs|answers|assistants|mistakes|errors|good|users?)\b)[a-z]{{3,14}}(?:s|ed)\b(?! (?:from|of|for|to|below|above|under|over|by|are|is|that|which|can|may|need)\b))"
)
_HABIT_ZH = gated(
    r"^\s*(?:他|她|我|我们|他们|老板|同事|太太|先生|妻子|丈夫|团队)(?![^，。]{0,6}(?:交代|说|让|要求|吩咐|希望|喜欢|想))"
)
_TO_AGENT = gated(
    r"(?:^|\n|\s)(?:#|//|/\*|<!--|--|;|%|\"\"\"|rem)\s?(?:(?:todo|fixme|note|hint|xxx|attention)\s?)?[(\[@<]?\s?(?:(?:for|to|dear)\s)?(?:the\s)?(?:(?:ai|coding|llm)[\s-])?(?:agents?|assistants?|ai|llms?|models?|copilot|claude|gpt|chatgpt|bots?|助手|智能体|智能助手)\b\s?[)\]>]?\s?[:：,，-]\s?\S",
    re.I,
)  # fmt: skip
_END = re.compile(r"(?<!\b\w)(?<!\b[md]r)(?<!\bm[rs]s)[.!?](?=\s|$)|[。！？；;\n]")
_REACH, _STEP = 600, 400


@dataclass(frozen=True, slots=True)
class Norm:
    """What must all stand in one sentence, and what excuses it."""

    rule: str
    needs: tuple[Gated, ...]
    unless: tuple[Gated, ...] = ()


def _norm(rule: str, *needs: str, unless: tuple[Gated, ...] = ()) -> Norm:
    return Norm(rule, tuple(search(rf"\b{n}" if n[:1].isascii() and n.startswith("(?:") else n) for n in needs), unless)


def _norm_zh(rule: str, *needs: str, unless: tuple[Gated, ...] = (_KEPT_ZH, _PAST_ZH)) -> Norm:
    return Norm(rule, tuple(gated(n) for n in needs), unless)


_WHO = r"(?:this|that|the|any)\s(?:user|customer|client|caller|guest|member|account)"
_NOW = r"(?:now|from now on|henceforth|is to be|are to be|so (?:answer|tell|use|serve)|instead|as of today)\b"
ENGLISH: tuple[Norm, ...] = (
    _norm("instruction.unchecked", rf"{_REQUEST}\b", _WAIVED, unless=(_KEPT, _PAST, _HABIT)),
    _norm("instruction.unchecked", rf"(?:{_AS_DONE})", rf"(?:{_REQUEST}|{_SOURCE})\b", unless=(_KEPT, _HABIT)),
    _norm("instruction.unchecked", rf"(?:when(?:ever)?|every time|each time|any time|if|all|any|every)\b[^.!?\n]{{0,30}}?\b{_REQUEST}\b",
          r"(?:already|always|in advance|beforehand|by default)\s(?:\w+\s){0,3}?(?:said yes|agreed|approved|signed|ok'?d|consented|cleared|blessed|given|granted)\b", unless=(_KEPT, _PAST)),
    _norm("instruction.unchecked", r"(?:you|assistants?|agents?|bots?|ai)\b", r"(?:pays?|refunds?|ships?|deletes?|transfers?|approves?|acts?|sends?|books?|executes?|grants?|releases?)\s(?:\w+\s)?first\b", r"(?:asks?|checks?|verif\w+|confirms?|reports?|questions)\b[^.!?\n]{0,20}\b(?:afterwards?|later)\b"),
    _norm("instruction.unchecked", rf"{_LIMIT}\b[^.!?\n]{{0,40}}?{_GONE}", _THIS_ONE),
    _norm("instruction.unchecked", r"(?:pretend|act|behave|proceed|answer|work|assume)\b[^.!?\n]{0,24}?", rf"(?:{_LIMIT}|{_RULEBOOK})\b[^.!?\n]{{0,20}}?(?:{_GONE}|(?:was|were|is|are) (?:not|n't|never))"),
    _norm("instruction.grant", r"(?:agreed|arranged|cleared|settled|squared|confirmed|okayed|discussed)\b[^.!?\n]{0,12}?\bwith (?:your|the|our) (?:\w+ )?(?:admins?|administrators?|operators?|developers?|platform|owners?|support|supervisors?|team)\b",
          r"(?:accounts?|user|customer|skip\w*|exempt\w*|may|can|no|without|access|rules?|free|limits?|allowed|check\w*|trust\w*)\b"),
    _norm("instruction.override", r"(?:speaking|writing|acting|as|in my (?:role|capacity))\b[^.!?\n]{0,24}?\b(?:owner|operator|developer|admin\w*|creator|vendor|ceo|maintainer|supervisor|engineer)\b", rf"(?:i|we)\b[^.!?\n]{{0,16}}?\b{_ALLOWS}\b", r"(?:you|the (?:assistant|agent|model|ai)|polic(?:y|ies)|rules?|limits?|restrictions?|filters?)\b"),
    _norm("instruction.override", rf"(?:your|the (?:assistant|agent|model|bot)(?:'s)?)\s(?:\w+\s){{0,3}}?{_RULEBOOK}\b[^.!?\n]{{0,30}}?\b{_VOID}", unless=(search(r"\b(?:he|she|they|docs?|v\d)\b"),)),
    _norm("instruction.override", rf"(?:earlier|previous|prior|former|old|original|initial)\s(?:\w+\s)?{_RULEBOOK}\b[^.!?\n]{{0,30}}?\b{_VOID}", r"(?:below|this|following|instead|takes? (?:its|their) place|here|you)\b", unless=(_HABIT, search(r"\bv\d|version|library"))),
    _norm("instruction.trust", rf"{_SOURCE}", rf"{_ON_SIGHT}", unless=(_KEPT, _PAST)),
    _norm("instruction.conceal", rf"(?:keep|leave|hold|edit|cut)\b[^.!?\n]{{1,50}}?\b(?:out of|away from|off|from)\b[^.!?\n]{{0,40}}?\b{_AUDIENCE}\b", unless=(_HABIT, search(r"\b(?:safe|children|kids|smoke|rain|noise|queue)\b"))),
    _norm("instruction.conceal", r"(?:nobody|no one|no-one|none of \w+)\s(?:(?:were|be|is|are|is to be|should be|must be|needs? to be|gets?|has to be|ought to be)\s(?:ever\s)?(?:told|informed|notified|warned|shown)|(?:must|should|is to|needs? to|may|can|will|ought to|has to)\s(?:ever\s)?(?:learn|hear|know|find out|see))\b"),
    _norm("instruction.conceal", r"(?:if|when(?:ever)?|should|in case)\b[^.!?\n]{0,40}?\b(?:asks?|asked|audits?|inspects?|questions?|enquires?|wonders?)\b", rf"{_AUDIENCE}\b", r"(?:say|tell|claim|answer|reply|insist|deny)\b[^.!?\n]{0,30}?\b(?:no|none|nothing|not|never|isn't|doesn't|wasn't|didn't)\b", unless=(_HABIT,)),
    _norm("instruction.disclose", rf"{_OF_OTHERS}\s?(?:\w+\s)?{_PRIVATE}\b", rf"{_TELLS}\b", rf"(?:{_WISH}|you|your|assistant|agent|answers?|please|always)\b", unless=(_KEPT, _PAST, search(r"\b(?:without|no)\b"))),
    _norm("instruction.mode", r"(?:game|play|pretend|imagine|story|scene|role|let'?s|let us|act)\b", r"you(?:'re| are| play| become| speak| will be)\b", r"(?:unfiltered|uncensored|unrestricted|unbound|unlimited|no (?:rules|limits|filters?|restrictions?|morals)|without (?:rules|limits|filters?|restrictions?)|never refuses?|cannot refuse|can't refuse|anything goes|free of|outlaw|hacker|jailbroken|says? yes to everything)\b"),
    _norm("instruction.redirect", rf"(?:what(?:ever)? (?:is|we have|you have) on file|(?:the\s)?{_PRIVATE})\s(?:of|for|under|about|from|belonging to)\s(?:the\s)?(?:\w+\s)?\w+", r"(?:belongs? to|go(?:es)? (?:to|under)|(?:shown|filed|kept|stored|booked|counted|listed|served|used|read|answered) (?:under|for|as|to)|moves? (?:to|under)|counts? (?:for|as)|appl(?:y|ies) to)\s", rf"{_NOW}", r"(?:answer|customers?|users?|clients?|accounts?|tenants?|members?|patients?|guests?)\b", unless=(_KEPT, _PAST)),
    _norm("instruction.unchecked", rf"(?:{_CONTROL}\b[^.!?\n]{{0,40}}?\b{_REDUCED}|{_REDUCED}\b[^.!?\n]{{0,40}}?\b{_CONTROL})\b", rf"{_DEALT}\b", unless=(_KEPT, _HABIT)),
    _norm("instruction.trust", rf"{_ACCEPTS}\s(?:\w+\s){{0,2}}?{_SAYS}", unless=(_KEPT, _PAST, _HABIT)),
    _norm("instruction.command", rf"[\"“'‘][^\"”'’\n]{{2,40}}[\"”'’][^.!?\n]{{0,40}}?\b(?:means?|stands? for|equals?|counts? as|is (?:the|our|a) (?:signal|code|word|cue)|translates? to|should be read as)\b[^.!?\n]{{0,24}}?\b{_ACTS}\b", unless=(search(r"\b(?:in (?:german|french|spanish|chinese|japanese|english)|translat\w+|the (?:button|sign|word) )\b"),)),
    _norm("instruction.command", r"(?:you|assistants?|agents?|bots?|always|please)\b", rf"(?:put|add|place|append|include|mention|rank|drop|work|slip|weave|insert|push|promote)s?\b[^.!?\n]{{0,40}}?{_PAYLOAD}", unless=(_KEPT, _HABIT)),
    _norm("instruction.grant", r"(?:consider|regard|see|count|think of|treat) (?:yourself|me|us)(?: as)?\b[^.!?\n]{0,20}?\b(?:cleared|admin\w*|authori[sz]ed|trusted|exempt|free|root|owner|staff|verified|allowed|above|operator)\b"),
    _norm("instruction.grant", rf"(?:{_WHO}\s(?:may|can|is free to|is welcome to)\b[^.!?\n]{{0,20}}?\b(?:change|edit|rewrite|delete|access|approve|overrule)|(?:may|can) be (?:changed|edited|rewritten|deleted|overruled|approved|read)\b[^.!?\n]{{0,16}}?\bby {_WHO})\b", r"(?:notes?|records?|polic(?:y|ies)|rules?|settings|limits?|accounts?|data|memories|files|logs?|legal|prices?|contracts?)\b", unless=(_KEPT, search(r"\b(?:his|her|their|its) own\b"))),
    _norm("instruction.grant", r"(?:trust|clearance|privilege|permission|access|authority)(?:[\s_-](?:level|score|rank|tier|status))?\s?[:=]\s?(?:max\w*|high\w*|full|root|admin\w*|unlimited|absolute|trusted|10\b|100)"),
    _norm("instruction.conceal", rf"{_FLAWS}\b[^.!?\n]{{0,40}}?\b(?:unmentioned|unsaid|untold|unreported|unnoted|(?:not|never)(?: to)?(?: be)? (?:mentioned|raised|brought up|pointed out|reported|flagged)|passed over|swept under|under wraps|left out|kept quiet)\b", unless=(_PAST,)),
    _norm("instruction.redirect", r"(?:account|booking|profile|points|balance|membership|reservation|order|mailbox)s?\b[^.!?\n]{0,40}?\b(?:is|are)\snow\s(?:mine|ours|his|hers|my|under my)\b", r"(?:formerly|of|belonging to|in the name of|once)\b", r"(?:use|please|you|show|send|open|give)\b"),
    _norm("instruction.disclose", r"what (?:other|another|different|fellow)\s(?:\w+\s)?(?:wrote|said|ordered|paid|told|asked|earns?|bought|booked|spent)\b", rf"{_TELLS}s?\b", r"(?:agent|assistant|you|me)\b", unless=(_KEPT,)),
    _norm("instruction.execute", r"(?:next time|whenever|when|if|once|should)\b[^.!?\n]{0,60}?\b(?:comes? up|is mentioned|mentions?|appears?|is (?:said|heard|written))\b[^.!?\n]{0,24}?,\s{1,2}(?:then )?(?!say|greet|reply|answer|use|call|translate|tell me|remind|show me|it|he|she|they|we|i\b)[a-z]+\s(?:the|all|every|my|his|her|any|this|out|up)\b", unless=(_HABIT, _PAST)),
    _norm("instruction.conceal", r"(?:if|when(?:ever)?|should|in case)\b[^.!?\n]{0,50}?,\s{1,2}(?:just |simply |always )?(?:tell|say|claim|insist|pretend|let)\b[^.!?\n]{0,40}?\b(?:lost|gone|deleted|missing|never (?:existed|arrived|happened)|not (?:here|there|available)|broken|stolen|does not exist|doesn't exist)\b", unless=(_HABIT,)),
    _norm("instruction.override", r"(?:outranks?|overrules?|takes? precedence|trumps?|overrides?|beats?|counts? (?:for )?more|comes? before|is above)\b", r"(?:below|above|this line|at the start|given|beginning|first message|earlier|prior|everything else|anything else)\b", r"(?:you|everything|anything|line|note|text|message|paragraph|prompt|instructions?)\b", unless=(_HABIT,)),
    _norm("instruction.grant", r"(?:user|customer|client|caller|account|guest|member)\s(?:(?:hereby|now|herewith|is hereby)\s)?(?:becomes?|is made|is promoted|is elevated|turns into|gets? promoted|is appointed)\b[^.!?\n]{0,16}?\b(?:operator|admin\w*|owner|root|superuser|staff|moderator|supervisor)\b"),
    _norm("instruction.redirect", r"(?:use|take|apply|enter|put|charge|bill)\s(?:the\s)?[\w .]{2,30}?['’]s\s(?:\w+\s)?(?:address|account|card|data|details|number|payment|profile|balance|points)\b[^.!?\n]{0,12}?\bfor\s(?:anything|whatever|everything|all|any|every|orders?)\b", unless=(_HABIT,)),
    _norm("instruction.disclose", r"(?:paste|print|repeat|quote|copy|show|output|write out|recite|dump|include|give)\b[^.!?\n]{0,24}?\b(?:text|words|lines|everything|messages?|content)\b[^.!?\n]{0,24}?\b(?:before|above|preceded|preceding|prior to|started)\b", r"(?:you|your|conversation|chat|this|reply|answer)\b", unless=(_HABIT,)),
    _norm("instruction.command", r"(?:reply|answer|respond|react)\b[^.!?\n]{0,30}?\b(?:complaints?|criticism|questions|reviews?|reports?)\b[^.!?\n]{0,40}?\b(?:praise|compliments?|nothing (?:else|but)|only (?:with|good)|denials?|silence)\b", unless=(_HABIT,)),
    _norm("instruction.grant", r"(?:whoever|anyone|anybody|everyone|the (?:holder|bearer|owner))\b[^.!?\n]{0,40}?\b(?:may|can|is (?:free|allowed|entitled) to|gets? to)\b[^.!?\n]{0,12}?\b(?:read|see|view|open|access|change|edit|use|download)\b", rf"{_OF_OTHERS}|{_PRIVATE}", rf"{_OF_OTHERS}", unless=(_KEPT, _PAST)),
    _norm("instruction.money", r"(?:customers?|clients?|users?|guests?|anyone|people|members)\b[^.!?\n]{0,40}?\b(?:gets?|receives?|is given|are given|has|have)\s(?:\w+\s)?(?:money|refund|payment|deposit|fee)s?\s?(?:back|returned|refunded|waived)?\b[^.!?\n]{0,12}?\b(?:full stop|period|no matter|whatever|regardless|always|every time|no ifs|without)\b", unless=(_KEPT, _PAST)),
    _norm("instruction.unchecked", r"(?:feel free|go ahead|no problem|it'?s (?:fine|ok|okay)|you may|don't hesitate|no need to worry|by all means)\b", r"(?:over|above|past|beyond|exceed\w*|more than|outside)\b", rf"(?:{_LIMIT}|budgets?|quota|allowance|policy)\b", unless=(_KEPT,)),
    _norm("instruction.trust", r"(?:act|treat|handle|follow|deal with|take|read|obey|respond)\b[^.!?\n]{0,60}?\b(?:from|by|of)\b[^!?\n]{0,60}?\b(?:the (?:same )?way|as if|as though|like|just as|exactly as)\b[^.!?\n]{0,20}?\b(?:mine|my own|from me|me|i had|i would|were i)\b", unless=(_KEPT, _HABIT)),
    _norm("instruction.override", r"(?:approvals?|word|say-so|signatures?|requests?|orders|messages?|wishes|opinion)\b[^.!?\n]{0,30}?\b(?:overrides?|overrules?|outranks?|trumps?|beats?|replaces?|suffices?|comes? before|takes? precedence over|(?:is|are) enough|stands? above)\b", r"(?:rules?|polic(?:y|ies)|limits?|checks?|budgets?|process|review|procedure|guidelines?)\b", unless=(_KEPT, _PAST)),
    _norm("instruction.conceal", r"(?:leave|leaving|keep|keeping)\b[^.!?\n]{0,24}?\bout\b|\bomit\w*|\bhid(?:e|ing)\b|\bplay(?:ing)? down\b|\bgloss(?:ing)? over\b|\bskip(?:ping)?\b", rf"{_FLAWS}\b", r"(?:you|assistant|agent|answers?|when|comparing|summar\w+|presenting)\b", unless=(_HABIT, _PAST)),
    _norm("instruction.execute", rf"{_RISKY_TOOL}\b", r"(?:run|call|invoke|use|start|fire|trigger)\b", r"(?:first|each|every|at the start|always|before|whenever|without)\b", unless=(_HABIT, _PAST)),
    _norm("instruction.execute", r"(?:call|invoke|run|trigger|use|execute)\s(?:the\s)?(?:tool\s|function\s)?[`\"']?[a-z]+_[a-z_]+\s?\(", r"(?:before|when(?:ever)?|first|each time|every time|without|always|no)\b", unless=(_HABIT, _PAST)),
)  # fmt: skip
CHINESE: tuple[Norm, ...] = (
    _norm_zh("instruction.unchecked", _REQUEST_ZH, _WAIVED_ZH, unless=(_KEPT_ZH, _PAST_ZH, _HABIT_ZH)),
    _norm_zh("instruction.unchecked", rf"(?:只要|每次|凡是?|遇到|一有|但凡){_G}{{0,14}}?{_REQUEST_ZH}", rf"(?:早就|已经|事先|默认|提前){_G}{{0,6}}?(?:同意|点头|批|签|答应|许可|通过)"),
    _norm_zh("instruction.unchecked", rf"(?:额度|上限|限额|限制|门槛|限购){_G}{{0,6}}?(?:不设|不限|没有|取消|放开|随便|不封顶|解除|敞开|无)|不设上限|不封顶", _THIS_ONE_ZH),
    _norm_zh("instruction.unchecked", r"(?:智能)?(?:客服|助手|机器人|智能体)|你", rf"先[付赔退打放批给结转删发]{_G}{{0,6}}?(?:后|再)[查审核补问验看说]", unless=()),
    _norm_zh("instruction.grant", rf"(?:与|跟|和|同|经){_G}{{0,4}}?(?:管理员|开发者?|运营|主管|客服经理|官方|平台方|负责人){_G}{{0,6}}?(?:商定|说好|谈好|约好|确认过|打过招呼|同意|谈妥|讲好|说定)", r"账号|账户|免|不用|直接|可以|权限|跳过|不必|无需|破例"),
    _norm_zh("instruction.override", rf"(?:之前|此前|原先|以前|早先|先前|上面|给你的|你的|旧的?){_G}{{0,10}}?{_RULEBOOK_ZH}{_G}{{0,8}}?{_VOID_ZH}", r"你|这一?条|本条|此条|以下|下面|为准", unless=()),
    _norm_zh("instruction.trust", _SOURCE_ZH, _ON_SIGHT_ZH, unless=(_KEPT_ZH, _HABIT_ZH)),
    _norm_zh("instruction.conceal", rf"{_AUDIENCE_ZH}{_G}{{0,6}}?(?:问|查|打听|核)", rf"(?:就|一律|只|都|直接|统一)(?:说|答|回){_G}{{0,6}}?(?:没|不知道|不清楚|无|不存在)", unless=(_HABIT_ZH,)),
    _norm_zh("instruction.conceal", rf"(?:对|跟|向|和){_AUDIENCE_ZH}{_G}{{0,4}}?(?:一个字|半个字|只字|一句|什么都|都|绝)?{_G}{{0,3}}?(?:不要|别|莫|勿|不许|不准|不能|不)再?(?:讲|说|提|透露|吭声|泄露|松口)", unless=(_HABIT_ZH, gated("从不|从来不|不提供"))),
    _norm_zh("instruction.disclose", rf"{_OF_OTHERS_ZH}{_G}{{0,4}}?{_PRIVATE_ZH}", _TELLS_ZH, r"助手|你|喜欢|希望|想要|偏好|就行|都可以|给[他她]|一并|顺带|直接|照实|问起", unless=(_KEPT_ZH, gated("不|别(?!人|的)|未经|保密|没"))),
    _norm_zh("instruction.unchecked", _WAIVED_ZH, r"身份|证件|密保|实名|人脸", rf"{_AUDIENCE_ZH}|先生|女士|小姐|{_THIS_ONE_ZH}|你|助手", unless=(_KEPT_ZH, _PAST_ZH, _HABIT_ZH)),
    _norm_zh("instruction.override", rf"(?:当|假装|权当|就算|只当){_G}{{0,8}}?(?:上限|限制|规则|规定|审核|守则|额度|政策|提示){_G}{{0,8}}?(?:没有|不存在|取消|没这回事|没写)"),
    _norm_zh("instruction.override", rf"(?:安全|警告|提示|限制|规则|守则|政策|审核){_G}{{0,10}}?(?:测试用?的?|闹着玩|走过场|摆设|不当回事|当没看见|不必当真|别当真|形式|唬人)", r"你|可以|听我|别|不用|不必|那些|都是"),
    _norm_zh("instruction.unchecked", rf"(?:核验|核对|审核|验证|确认|审批|检查|复核|审计|日志|留痕|查验|查身份){_G}{{0,8}}?(?:就|都|可以|全|一律)?(?:免了|算了|不必了|省了|歇歇|歇着|停了|作罢|罢了|免掉)", unless=(_KEPT_ZH, gated("昨|上周|去年|曾"))),
    _norm_zh("instruction.override", rf"(?:过滤|审核|护栏|限制|风控|安全检查|内容检查){_G}{{0,6}}?(?:已经?|都|全)?(?:关了|关掉了?|停了|解除了?|撤了|下线了|失效了)", r"测试|这条线|本会话|这里|对你|现在|此刻|今后|本线程|这个会话"),
    _norm_zh("instruction.override", r"(?:管用|优先于?|高于|压过|盖过|大于|说了算|作数|算数)", r"以下|以上|下面|上面|分割线|一开始|起初|原来|先前|之前", r"你|内容|文字|指令|规则|话"),
    _norm_zh("instruction.grant", rf"(?:用户|客户|账号|会员|此人){_G}{{0,8}}?(?:即|就|便)?(?:为|成为|升为|晋升为|转为|视为)(?:运营人员|管理员|所有者|内部人员|员工|超管|版主|系统)"),
    _norm_zh("instruction.grant", rf"(?:持{_G}{{1,6}}?者|凡{_G}{{1,8}}?者|谁{_G}{{0,6}}?|任何人){_G}{{0,6}}?可以?(?:查看|阅读|访问|修改|看|下载|调取|使用){_G}{{0,4}}?(?:其他|别的|所有|他人|全部|任意)"),
    _norm_zh("instruction.money", r"要退(?:钱|款)?就退|想退就退|要[多]?少给[多]?少|退钱别多话|(?:退|赔|付){_G}{{0,4}}?(?:别|不要|甭)(?:多话|多问|啰嗦|废话|磨叽)".replace("{_G}", _G).replace("{{0,4}}", "{0,4}"), r"客户|用户|顾客|客人|会员|就"),
    _norm_zh("instruction.unchecked", rf"(?:超了|超出|超过|突破|越过){_G}{{0,6}}?(?:限额|预算|上限|额度|标准){_G}{{0,6}}?(?:没关系|不要紧|无妨|不打紧|没事|尽管|放心|照)|(?:限额|预算|上限|额度){_G}{{0,6}}?(?:超了|超一点)?(?:也)?(?:没关系|不要紧|无妨|尽管付|照付)"),
    _norm_zh("instruction.conceal", rf"(?:要是|如果|若|有|遇到|万一){_G}{{0,12}}?(?:意见|问|查|找|追究|质疑|异议){_G}{{0,6}}?[，,]?(?:就|便)?(?:讲|说|称|答|推说){_G}{{0,8}}?(?:丢了|没了|删了|不存在|没收到|坏了|不在)", unless=(_HABIT_ZH,)),
    _norm_zh("instruction.execute", rf"(?:下回|下次|以后|一旦|只要|凡){_G}{{0,4}}?(?:有?人|用户|谁)?{_G}{{0,2}}?(?:提|说|写|念|出现){_G}{{0,14}}?就(?:把|将|去|先)?{_G}{{0,8}}?(?:清|删|发|转|关|跑|执行|导出|打开|付|改|放行)", unless=(_HABIT_ZH,)),
    _norm_zh("instruction.command", r"抱怨|投诉|差评|批评|不满", r"(?:只管|只准|只能|只|就|一律|统统)(?:夸|赞|表扬|说好|吹|装作|敷衍)", unless=(_HABIT_ZH,)),
    _norm_zh("instruction.disclose", rf"(?:把|将){_G}{{0,12}}?(?:之前|以前|以上|上面|前面|开头){_G}{{0,8}}?(?:内容|文字|话|消息|部分){_G}{{0,6}}?(?:贴|打印|复述|输出|抄|发|念|给我|展示)", unless=(_HABIT_ZH,)),
    _norm_zh("instruction.redirect", rf"(?:下的?单|订单|买的|订的){_G}{{0,6}}?(?:地址|账户|卡|电话|名字){_G}{{0,4}}?(?:一律|都|全|统一)?用{_G}{{1,8}}?的", unless=(_HABIT_ZH, gated("自己的|公司的|家里的|默认的"))),
    _norm_zh("instruction.trust", rf"(?:发来|寄来|写来|传来){_G}{{0,8}}?(?:邮件|消息|指令|通知|要求|单子){_G}{{0,8}}?(?:当成|当作|视同|就当|看作){_G}{{0,4}}?(?:我|本人|老板|主管|管理员)", unless=(_KEPT_ZH,)),
    _norm_zh("instruction.override", rf"(?:批准|一句话|签字|意见|吩咐|要求|话){_G}{{0,6}}?(?:优先于|高于|压过|大于|大过|代替|顶替|先于|就够|足够){_G}{{0,8}}?(?:规则|政策|预算|流程|审批|审核|制度|规定)"),
    _norm_zh("instruction.mode", rf"(?:把|将|已把|已将){_G}{{0,4}}?(?:助手|你|智能体|机器人|模型){_G}{{0,6}}?(?:切|调|设|转|改|升|放){_G}{{0,8}}?(?:模式|权限|状态)", unless=(gated("静音|夜间|深色|勿扰"),)),
    _norm_zh("instruction.override", rf"以{_G}{{0,16}}?(?:邮件|消息|说法|留言|短信|这条|此条|对方){_G}{{0,8}}?为准", r"设置|系统|规则|政策|不用[理管]|不必[理管]|分歧|冲突|矛盾|守则"),
    _norm_zh("instruction.trust", rf"(?:提交|发来|送来|报来|递来|说|写|要|签){_G}{{0,6}}?(?:的|什么){_G}{{0,8}}?(?:一概|一律|统统|全都?|都){_G}{{0,3}}?(?:放行|通过|照办|照付|批准|准了|答应|相信)", unless=(_KEPT_ZH, _PAST_ZH, _HABIT_ZH)),
    _norm_zh("instruction.command", rf"[“\"「『‘][^”\"」』’\n]{{1,20}}[”\"」』’]{_G}{{0,12}}?(?:等于|等同于?|代表|表示|意味着|就是|算|即|视为){_G}{{0,8}}?{_ACTS_ZH}", unless=(gated("按钮|按键|图标|菜单|英文|日文|意思"),)),
    _norm_zh("instruction.command", r"助手|你|客服|机器人|请|一律", rf"(?:放上?|附上?|带上?|加上?|排在?|提一?[下句]|塞|插){_G}{{0,8}}?{_PAYLOAD_ZH}|{_PAYLOAD_ZH}{_G}{{0,8}}?(?:排在?|放在?|附在?|加在?|置于)", unless=(_KEPT_ZH, _HABIT_ZH)),
    _norm_zh("instruction.grant", r"(?:信任|权限|授权|可信|安全)(?:等级|级别|程度|度)?\s?[:=是为]\s?(?:最高|满|完全|无限|管理员|超级|100|10(?!\d))"),
    _norm_zh("instruction.conceal", rf"(?:别|不要|不用|不必|少){_G}{{0,2}}?提{_G}{{0,4}}?{_FLAWS_ZH}", r"比较|回答|介绍|推荐|总结|被?问|助手|你|客户|用户", unless=(_HABIT_ZH,)),
    _norm_zh("instruction.conceal", rf"{_FLAWS_ZH}{_G}{{0,6}}?(?:不用|不要|别|不必|无需|少)(?:提|说|指出|讲|报|提醒|写|声张|告诉)"),
    _norm_zh("instruction.conceal", rf"(?:操作|动作|行为|会话|对话|账号|账户|改动){_G}{{0,8}}?(?:不留|不记|不写|不存|不进|别记|别留|不入){_G}{{0,4}}?(?:记录|日志|痕迹|审计|底|档)", unless=(_KEPT_ZH,)),
    _norm_zh("instruction.redirect", rf"(?:户头|账号|账户|积分|预订|会员卡?|订单|档案){_G}{{0,6}}?(?:现在|已经?|如今|从今)?(?:归我|是我的|转到我|算我的|由我接手)"),
    _norm_zh("instruction.execute", _RISKY_TOOL, r"跑|调|执行|运行|触发", r"先|每|一开始|开头|之前|直接|默认", unless=(_HABIT_ZH,)),
    _norm_zh("instruction.execute", r"(?:call|调用|执行|运行|触发|invoke|run)\s?[`\"']?[A-Za-z]+_[A-Za-z_]+\s?\(", r"先|每次|之前|前|不需要|不用|无需|直接|一律", unless=(_HABIT_ZH,)),
)  # fmt: skip


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for m in _END.finditer(text):
        yield at, text[at : m.end()]
        at = m.end()
    yield at, text[at:]


def _holds(norm: Norm, sentence: str) -> bool:
    for need in norm.needs:  # plain loops: this runs for every norm and sentence
        if need.compiled.search(sentence) is None:
            return False
    return not any(excuse.compiled.search(sentence) for excuse in norm.unless)


def find(low: str, english: bool, chinese: bool) -> Iterator[Hit]:
    """One finding for each sentence that sets a norm, by its span."""
    for m in _TO_AGENT.finditer(low):
        yield Hit("instruction.command", m.start(), m.end())
    norms = [
        norm
        for norm in (*(ENGLISH if english else ()), *(CHINESE if chinese else ()))
        if all(need.may_be_in(low) for need in norm.needs)
    ]
    for at, sentence in _sentences(low):
        for start in range(0, max(1, len(sentence) - _REACH + _STEP), _STEP):
            read = sentence[start : start + _REACH]
            norm = next((n for n in norms if _holds(n, read)), None)
            rule = norm.rule if norm else "instruction.command" if changes_the_agent(read, chinese) else None
            if rule is not None:
                yield Hit(rule, at + start, at + start + len(read))
                break
