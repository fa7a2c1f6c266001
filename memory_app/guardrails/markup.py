"""Markup that would end the data block or imitate the system: tags, chat-template tokens, front matter, fake headers."""

import re
from collections.abc import Iterator

from memory_app.guardrails.findings import Hit
from memory_app.guardrails.gate import gated

_TEMPLATE = gated(
    r"<\|[a-z][a-z_]{1,30}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|</s>\s*<s>|<s>\s*\[|<\|(?:system|user|assistant)\|>",
    re.I,
)
_NAMES = r"(?:memor(?:y|ies)|contexts?|data|notes?|system|instructions?|prompts?|assistant|untrusted|recall(?:ed)?|developer|documents?|tool_(?:call|result|response|output)s?|function_(?:calls?|results?)|long_term_memory|user_memory|记忆|系统|指令|上下文|数据|笔记)"
# A name of two or three words that only a prompt uses, such as the memory block's own; `data-table` is no such name.
_BLOCK = (
    r"(?:memor(?:y|ies)|recall(?:ed)?|retrieved|untrusted|long[-_]term|system|assistant|agent|user|conversation|session|developer|prompt)"
    r"(?:[-_](?:memor(?:y|ies)|contexts?|blocks?|notes?|facts?|prompts?|messages?|instructions?|reminders?|rules?|history|profile|data|documents?)){1,2}"
)
_CLOSING = gated(rf"</\s{{0,3}}(?:{_NAMES}|{_BLOCK})\s{{0,3}}>", re.I)
_BLOCK_OPENING = gated(rf"<\s{{0,3}}{_BLOCK}(?:\s[^<>\n]{{0,80}})?>", re.I)
_OPENING = gated(
    r"<\s{0,3}(?:system|developer|instructions?|assistant|admin|系统|指令|开发者)(?:\s[^<>\n]{0,60})?>(?=\s{0,3}[^\s<])",
    re.I,
)
_MENTION = re.compile(r"[`'\"“「]\s?$")
_MENTION_END = re.compile(r"^\s?[`'\"”」]|^\s(?:tags?|elements?|tokens?|blocks?)\b|^\s?(?:标签|标记|元素)")
_ABOUT_MARKUP = re.compile(
    r"\b(?:tags?|elements?|tokens?|xml|html|jsx|markup|template|parser|closing|closes|unclosed|tokenizer)\b|标签|标记|元素|模板语法",
    re.I,
)
_FRONT_MATTER = gated(
    r"^---[ \t]*\n(?:[^\n]{0,200}\n){0,12}?[ \t]*(?:role|permissions?|system|polic(?:y|ies)|trust|admin|instructions?|priority|precedence|scope|profile|pinned|effective|authority|override|access|权限|角色|系统|规则)\s{0,3}:", re.I | re.M
)  # fmt: skip
_ROLE_LINE = gated(
    r"^[ \t]*[\"']?role[\"']?[ \t]*:[ \t]*[\"']?(?:system|developer|admin)\b|[{,]\s*[\"']role[\"']\s*:\s*[\"'](?:system|developer)[\"']\s*,\s*[\"']content[\"']\s*:",
    re.I | re.M,
)
_HEADER = gated(
    r"(?:^|\n|[.!?。！？>]\s{0,3})[ \t]*(?:[\[【<({*#|\-]{1,4}[ \t]*)?"
    r"(?:(?:important|new|urgent|official)\s)?(?:(?:system|developer|admin(?:istrator)?|operator|root|platform|security|policy|openai|anthropic)(?:\s(?:message|prompt|note|notice|override|instructions?|update|alert|rules?|policy|command|admin|mode|team))?|sysadmin|sys|override|bypass|unlock|jailbreak|directive"
    r"|(?:系统|管理员|开发者|平台|官方|运营方?|后台|安全中心|超级管理员|覆盖|越权|最高)(?:提示词?|消息|规则|指令|通知|公告|更新|策略|政策|设定|命令|权限|指示|要求)?)"
    r"[ \t]*(?:[\]】>)}*#]{1,4}[ \t]*[:：\-—]?|[:：—]|\s-)[ \t]*([^\n]{2,400})", re.I
)  # fmt: skip
_CUE = re.compile(
    r"\b(?:new (?:policy|rules?|instructions?)|polic(?:y|ies)|rules?|you(?:r|'re)?|(?:this|the) (?:user|customer|account)|admin\w*|override|must|ignore|disregard|enabled?|enter|mode|permissions?|approve[ds]?|grant(?:ed)?|from now|instructions?|do not|never|always|operator|trusted|authori[sz]ed?|unrestricted|comply|obey|skip|allow(?:ed)?|all checks?|reveal|execute|confirmation|verified|proceed|transfers?|refunds?|caller|removed|lifted|safety|restrictions?)\b"
    r"|你|用户|权限|(?:无限制|开发者|调试|越狱|管理员|维护)模式|规则|限制|从现在起|从即日起|即日起|必须|一律|取消|解除|忽略|无视|允许|授权|执行|无需|不再|自动通过|服从|政策|已启用|信任|已验证|继续(?:转|付|执行)|转账|退款|批准|放行|移除|公开|准则|安全(?:限制|策略)",
    re.I,
)
_BLOCK_HEADER = gated(
    r"^[ \t]*#{1,5}[ \t]*(?:system|instructions?|new instructions?|rules?|task|prompt|指令|系统|规则|提示词|任务)[ \t]*[:：][ \t]*\S|\bbegin (?:system )?(?:prompt|instructions?)\b|\bend (?:of )?(?:system )?(?:prompt|instructions|memory|context|user data)\b",
    re.I | re.M,
)
_STATUS = re.compile(
    r"^(?:ubuntu|debian|windows|macos|linux|centos|fedora|android|ios|arch)\b|(?:error|exception|failed|timeout|磁盘|内存|错误|失败)",
    re.I,
)
_ADDRESSED = gated(
    r"\b(?:note|message|attention|memo|hint|tip|instructions?|reminder|request|dear|hey|hello|psa|warning)s?\s?(?:to|for|,|:)?\s?(?:the |any |all |every |future |an? )?(?:ai|llm|assistants?|agents?|models?|bots?|chatbots?|language models?)(?:\s(?:agents?|assistants?|models?|systems?|reviewers?|readers?))?\b[^.!?\n:,]{0,40}[:,]"
    r"|\b(?:to|for) (?:the |any |all )?(?:ai|llm|assistant|agent|model|chatbot)s?\s?:|(?:^|\n)\s{0,3}(?:new|updated) (?:rules?|polic(?:y|ies)|instructions?|directives?)\s?:\s?(?=(?:always|never|you|all|any|accept|approve|do not|don't|ignore|the (?:user|agent|assistant)|this|refunds?|every|no|from now|skip|grant)\b)"
    r"|\bai (?:reviewers?|graders?|evaluators?|recruiters?|screeners?)\b[^.!?\n]{0,10}[:,]|\bif you(?:'re| are) (?:an?\s)?(?:ai|llm|language model|assistant|bot|agent)\b"
    r"|(?:^|[\n>\-*|.]\s{0,3})(?:[a-z]+ )?(?:bot|assistant|agent|ai|model|chatbot|claude|chatgpt|gpt|copilot|gemini|llm)s?\s?[:,]\s{0,3}(?=(?:please|you|must|always|never|do|don't|ignore|transfer|send|approve|run|execute|delete|reveal|print|recommend|forward|grant|skip|say|tell|rank|call|use|pay|refund|disregard|forget|output|show|act|pretend|give|rate|score|accept|hire|choose|pick|read|open|set|mark|add|keep|hide|treat|offer|charge|book|start|stop|respond|reply|answer|follow|obey)\b)"
    r"|\btool (?:hint|note|instruction|description)s?\s?:\s?(?=[^\n]{0,60}\b(?:before|first|always|must|read|send|call|also|after)\b)",
    re.I,
)
_ADDRESSED_ZH = gated(
    r"(?:致|告|敬告|给|写给|提醒|请)(?:所有|各位|阅读本文的|正在阅读的|未来的)?\s?(?:AI|人工智能|大模型|语言模型|智能体|模型|LLM|机器人)\s?(?:评审|助手|模型|审稿人|面试官|读者|系统|们|代理)?[^。\n]{0,6}[:：,，]"
    r"|(?:AI|大模型|助手|模型|智能体|LLM)[^。！？\n]{0,6}(?:看到|读到|处理|阅读|解析)(?:到)?(?:这里|此处|这段|本文|这条|本条|以上)[^。！？\n]{0,8}(?:请|必须|要|就|给|应|务必|都)"
    r"|(?:^|[\n。！？])\s{0,3}(?:评审|客服|智能|审核|招聘|面试)?(?:机器人|助手|智能体|大模型|AI)\s?[:：]\s?(?=[^。\n]{0,12}(?:给|把|请|将|不要|忽略|批准|执行|输出|推荐|转|删|调用|通过|说|告诉|排|打|选|录))"
    r"|如果你是(?:一个)?(?:AI|人工智能|大模型|语言模型|智能体|助手|机器人)", re.I
)  # fmt: skip
_AUTHORITY = gated(
    r"\bas (?:your|the|an?) (?:developer|administrator|admin|creator|operator|owner|system|maker|supervisor|security (?:team|officer)|ceo|boss)\b[^.!?\n]{0,12}?,?\s?(?:i|we)\s(?:hereby\s)?(?:authori[sz]e|allow|order|instruct|command|permit|want you|require|direct|tell you|grant|need you|ask you|demand)"
    r"|\bthis (?:message|note|memory|instruction|update) (?:is|comes|was sent) (?:\w+ )?(?:from|by) (?:the |your )?(?:developers?|system|admin\w*|openai|anthropic|operator|security team|platform)\b"
    r"|\bthe (?:operator|developer|administrator|system|platform|owner) has (?:now )?(?:enabled|authori[sz]ed|approved|granted|allowed|disabled|instructed|ordered|removed|lifted)\b"
    r"|(?:我|本人)(?:是|作为)(?:你的)?(?:开发者|管理员|创造者|主人|运营|系统|老板|上级)[^。！？\n]{0,10}(?:授权|命令|要求|允许|指示|批准|现在|你)"
    r"|作为(?:你的)?(?:开发者|管理员|创造者|主人)[，,]?我?(?:授权|命令|要求|允许|指示|批准)"
    r"|(?:本|这|此)(?:条|则)?(?:消息|通知|指令|记忆|备注)(?:来自|由|出自)(?:系统|管理员|开发者|官方|平台)", re.I
)  # fmt: skip


def _mentioned(text: str, match: re.Match[str]) -> bool:
    """True if the markup is only named, in code quotes or as a tag somebody writes about."""
    before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 40]
    quoted = bool(_MENTION.search(before)) and bool(_MENTION_END.search(after))
    return quoted or bool(_MENTION_END.search(after)) or bool(_ABOUT_MARKUP.search(before.rpartition("\n")[2]))


def find(text: str) -> Iterator[Hit]:
    """Every imitation of the system's own markup and voice."""
    for pattern in (_TEMPLATE, _CLOSING, _OPENING, _BLOCK_OPENING):
        for m in pattern.finditer(text):
            if not _mentioned(text, m):
                yield Hit("instruction.breakout", *m.span())
    for pattern in (_FRONT_MATTER, _ROLE_LINE):
        for m in pattern.finditer(text):
            yield Hit("instruction.breakout", *m.span())
    for m in _HEADER.finditer(text):
        if _CUE.search(m[1]) and not _STATUS.search(m[1]):
            yield Hit("instruction.fake_system", m.start(), m.end(1))
    for m in _BLOCK_HEADER.finditer(text):
        yield Hit("instruction.fake_system", *m.span())
    for pattern in (_ADDRESSED, _ADDRESSED_ZH, _AUTHORITY):
        for m in pattern.finditer(text):
            yield Hit("instruction.fake_system", *m.span())
