"""The general case: a command to the agent, whatever its verb, that reaches into two domains of authority.

The grammars of `orders_en`, `orders_zh` and `authority` name what attacks usually say. This module catches the rest:
it asks for the mood of a command and counts which domains the sentence touches: money, rights, control, other
people's data, tools and the agent's dealings behind somebody's back. One domain alone is everyday speech ("send invoices
on Fridays"), and a command that keeps its checks is a procedure.
"""

import re
from collections.abc import Iterator

from memory_app.guardrails.findings import Hit
from memory_app.guardrails.orders import agent_verbs, imperatives

_VERBS = (
    "accept add admit allow announce apply approve assign authorise authorize bill block book bypass change charge clear close collect communicate consider contact copy"
    " credit deactivate decline delete deliver deny direct disable discard dismiss downgrade dump email enable erase escalate exempt exclude execute expose extend favor favour"
    " fetch forward give grant handle hide honor honour impersonate include increase inform install invoke issue keep leave let lift load lower make mark message move notify"
    " omit open output overlook override pass pay permit pick post prefer present prioritise prioritize process promise promote provide publish purge put raise read redirect"
    " reduce refund refuse register reimburse reject release remove replace report reset restore reveal revoke route run sell send set settle share show sign skip spend store"
    " submit suppress suspend switch take tell transfer treat trigger trust turn unlock update upgrade upload use waive whitelist wipe wire withdraw write call reply answer respond"
).split()  # fmt: skip
_NOUNS_TOO = frozenset(
    "address answer apply bill block book call change charge clear close contact copy credit direct email favor favour forward grant handle increase issue keep leave lift load mark message"
    " move open output override pass pay pick post present process promise purge raise read refund release report reset route run set share show sign spend store switch take transfer"
    " trigger trust turn update upgrade upload use wire write reply delete access email honor honour skip put let make".split()
)  # fmt: skip
_VERB = re.compile(rf"({'|'.join(_VERBS)})\b(?:\s+(\S+))?")
_OBJECT = re.compile(
    r"^(?:the|this|that|these|those|all|any|every|each|my|your|his|her|their|our|it|them|him|me|us|an?|no|other|whatever|anything|everything|everyone|to|from|with|as|only|on|out|off|up|u\d+|\w+_\w+|\w*\d\w*)$"
)
_DOMAINS_EN: dict[str, re.Pattern[str]] = {
    "money": re.compile(r"\b(?:refunds?|payments?|transfers?|wire|funds|money|invoices?|balances?|discounts?|credits?|spending|caps?|expenses?|contracts?|loans?|receipts?|charges?|payouts?|vouchers?|fees?|budgets?|purchases?|withdrawals?|bonus(?:es)?|quotes?|coupons?)\b"),
    "rights": re.compile(r"\b(?:admin\w*|root|sudo|operators?|permissions?|rights|privileges?|credentials?|verified|kyc|identity|2fa|two-factor|roles?|superuser|access|owner|clearance|authenticat\w+|authori[sz]\w+|accounts?|log-?ins?)\b"),
    "control": re.compile(r"\b(?:polic(?:y|ies)|rules?|guidelines?|guardrails?|safety|restrictions?|limits?|instructions?|prompts?|filters?|audit\w*|logs?|logging|checks?|confirmations?|approvals?|verification|moderation|compliance|warnings?|safeguards?|complaints?|this session)\b"),
    "others": re.compile(r"\b(?:(?:other|another|all|any|every|each|this|that|which)\s(?:customers?|users?|clients?|accounts?|callers?|members?|tenants?|patients?|people)|(?:customer|user|client|account|tenant)\s?[#-]?\w?\d\w*|u\d{1,8}|(?:the|a)\s(?:user|customer|client|caller)s?|everyone|anyone|whoever|requests? from)\b"),
    "tools": re.compile(r"\b(?:tools?|functions?|apis?|[a-z]+_[a-z_]+|commands?|scripts?|shell|webhooks?|endpoints?|plugins?|https?://\S+|(?<![@\w.-])\w+\.(?:example|evil|xyz))\b"),
    "secrets": re.compile(r"\b(?:hidden|secrets?|passwords?|tokens?|keys?|memories|conversations?|transcripts?|history|personal data|addresses|phone numbers|internal|confidential|configuration)\b"),
    "behind": re.compile(r"\b(?:quietly|secretly|silently|discreetly|covertly|without (?:\w+ )?(?:telling|asking|notice|notifying|informing|confirm\w*|approv\w*|check\w*|review\w*|verif\w*)|don't ask|do not ask|no questions|never ask|unconditionally|automatically|on sight|immediately|at once|whenever|no matter|always|every time|regardless)\b"),
    "vendor": re.compile(r"\b(?:this|our|that)\s(?:vendor|supplier|brand|hotel|company|product|candidate|seller|partner|provider)\b|\bcompetitors?\b"),
}  # fmt: skip
_KEEPS_EN = re.compile(
    r"(?<!not )(?<!n't )(?<!never )(?<!without )(?<!no )\b(?:ask(?:ing)?|confirm|check|verify|review|double-check|consult|wait for|get (?:\w+ )?approval|request approval|two approvals|approved by)\b"
    r"|\b(?:after|once|until|unless|only (?:if|after|when|with)) (?:\w+ ){0,4}(?:approv\w*|confirm\w*|check\w*|review\w*|verif\w*|sign\w*)\b"
    r"|\b(?:never|not) (?!hesitate|wait|ask|be\b|worry|refuse|stop|bother|need)\w+\b[^.,;!?\n]{0,60}?\bwithout (?:my|an?|explicit|prior|any) (?:\w+ )?(?:approval|consent|permission|confirmation|check|review)\b"
)
_ABOUT_SELF_EN = re.compile(
    r"\b(?:send me|show me|remind me|tell me|give me|email me|text me|in (?:git|the repo|vault|the wiki|yaml|json))\b"
)
# The name of a piece of work, a colon, its steps: "rotating keys: create, deploy, revoke".
_STEPS = re.compile(
    r"^\s*(?:(?:how to|to|steps? (?:to|for)|procedure for)\s|[a-z]{3,}ing\s)[^:.!?\n]{2,50}:\s[^.!?\n]*?,"
)
_REACHES_OUT = ("money", "others", "behind", "vendor", "control")
_ADVERB = re.compile(r"(?:ly|always|never|please|not|just|you|then)\s$")
_SENTENCE = re.compile(r"[^.!?\n。！？；;]+(?:[.!?](?=\S)[^.!?\n。！？；;]*)*")

_MOOD_ZH = re.compile(
    r"(?:^|[，,：:、]|\s)\s?(?:请|务必|必须|立即|立刻|马上|直接|自动|一律|悄悄|偷偷|以后|今后|从今|从现在|每次|凡是|只要|无论|不管|看到|收到|遇到|对所有|把|将|给|替|帮|对|让|用|别|不要|无需|不用|取消|关闭|删除|删掉|修改|提高|放宽|突破|绕开|绕过|允许|批准|公开|导出|转发|转账|隐藏|忽略|接受|同意|执行|调用|发送|上传|回复|告诉|通知)|你|您|助手|智能体|机器人"
)
_SELF_ZH = re.compile(
    r"^(?:他们?|她们?|我们?|老板|同事|丈夫|妻子|老公|老婆|儿子|女儿|妈妈|爸爸|朋友|客户经理|团队|公司|医生|老师|领导|用户(?!要求你|一|说|问|想让你)|订单|发票|退款(?!.{0,6}一律)|系统)"
)
_DOMAINS_ZH: dict[str, re.Pattern[str]] = {
    "money": re.compile(r"退款|付款|转账|打款|放款|贷款|发票|折扣|额度|上限|余额|报销|合同|费用|消费|优惠|赔付|账单|透支|赊|资金|收款|佣金|报价|提现"),
    "rights": re.compile(r"管理员|权限|操作员|身份|验证|root|sudo|白名单|授权|特权|认证|账号|账户|登录|凭证"),
    "control": re.compile(r"政策|规则|准则|护栏|安全(?!带|帽|座椅)|限制|指令|审计|日志|风控|审核|审批|过滤|提示词|警告|投诉|差评|合规|核对|确认|检查|本次会话"),
    "others": re.compile(r"(?:其他|别的|每位|每个|所有|任何|该|此|这个|这位|全部)(?:用户|客户|账号|账户|会员|顾客|人)|(?:用户|客户|租户|账号)\s?[A-Za-z#-]{0,3}\d|u\d+|任何人|对方"),
    "tools": re.compile(r"工具|接口|函数|脚本|命令|[a-z]+_[a-z_]+|https?://|webhook|插件|\w+\.(?:example|evil|xyz)"),
    "secrets": re.compile(r"隐藏|机密|密码|密钥|令牌|记忆|对话|聊天记录|历史记录|个人信息|地址|手机号|内部|配置"),
    "behind": re.compile(r"悄悄|偷偷|暗中|秘密地|无条件|自动|直接|立即|立刻|一律|不要问|别问|不用问|不必问|无需|不用再|不必|照做|照办|无论|不管|说什么都"),
    "vendor": re.compile(r"(?:这家|该|本|我们)(?:供应商|公司|酒店|品牌|商家|产品|候选人)|竞品|竞争对手"),
}  # fmt: skip
_KEEPS_ZH = re.compile(
    r"(?:先|再|要|需|须|必须|都要|应)(?:\S{0,4})(?:核对|确认|审批|审核|检查|验证|核实|评审|问我|询问)|(?:确认|核对|审批|审核|检查|批准|验证|核实)(?:后|之后|无误|通过后|过后|完)再?|等审批|经(?:过)?\S{0,4}(?:批准|同意|审批)后|问我"
)
_DONE_ZH = re.compile(
    r"了(?:$|[，,。])|过(?:$|[，,。])|已(?!被|验证|批准|通过|更新|解除)|的时候会|习惯|喜欢|负责|擅长|流程|步骤|需要.{0,6}审批|会报|不足|失败|保存.{0,3}年"
)

# How a call is written is told of a program: 请求头写 Authorization: Bearer <令牌>.
_OF_A_CALL = frozenset({"tools", "secrets"})
_CALL_ZH = re.compile(r"请求[头体]|响应头|authorization|bearer|参数|返回(?:值|码|的)|报文|状态码|字段", re.I)


def _domains(sentence: str, table: dict[str, re.Pattern[str]]) -> int:
    return sum(bool(pattern.search(sentence)) for pattern in table.values())


def _is_procedure(sentence: str) -> bool:
    """True for a titled list of steps that touches neither money, nor other people, nor what holds the agent."""
    return bool(_STEPS.match(sentence)) and not any(_DOMAINS_EN[name].search(sentence) for name in _REACHES_OUT)


def _is_verb(match: re.Match[str]) -> bool:
    if _ADVERB.search(match.string, max(0, match.start() - 14), match.start()):
        return True
    following = (match[2] or "").strip(",;:'\"“”")
    return match[1] not in _NOUNS_TOO or bool(_OBJECT.match(following))


def find(low: str, chinese: bool) -> Iterator[Hit]:
    """Commands that reach into two domains of authority; `low` is the text in lower case."""
    places = sorted({*imperatives(low), *agent_verbs(low)})
    at = 0
    for sentence in _SENTENCE.finditer(low):
        start, end = sentence.span()
        while at < len(places) and places[at] < start:
            at += 1
        commanded = False
        first = at
        while first < len(places) and places[first] < end and first < at + 40:
            match = _VERB.match(low, places[first])
            if match is not None and _is_verb(match):
                commanded = True
                break
            first += 1
        text = sentence[0][:600]
        if (
            (
                commanded
                and _domains(text, _DOMAINS_EN) >= 2
                and not _KEEPS_EN.search(text)
                and not _ABOUT_SELF_EN.search(text)
                and not _is_procedure(text)
            )
            or chinese
            and _is_mandate_zh(text.strip())
        ):
            yield Hit("instruction.command", start, end)


def _is_mandate_zh(text: str) -> bool:
    if not _MOOD_ZH.search(text) or _SELF_ZH.match(text) or _KEEPS_ZH.search(text) or _DONE_ZH.search(text):
        return False
    touched = {name for name, pattern in _DOMAINS_ZH.items() if pattern.search(text)}
    return len(touched) >= 2 and not (touched <= _OF_A_CALL and _CALL_ZH.search(text))
