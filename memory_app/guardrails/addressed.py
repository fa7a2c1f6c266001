"""A note that turns to the agent itself: allowed is how to answer and what to check, not whom to pay, trust or mislead.

A note is told about a person. Where a sentence speaks to the agent, or of what the agent does, and touches money,
checks, records, rules or somebody's data, it changes what the agent does, whatever its mood. What keeps a check,
forbids, reminds or asks about style stays allowed, and so does thanks for what was done.
"""

import re

from memory_app.guardrails.orders import search

_G = r"[^。！？；;!?\n]"
AGENT = search(
    r"(?<!may want to )(?<![<{_\-])\b(?:you|your|yours|yourself)\b(?![_\-])(?! (?:may|might) (?:want|like) to (?:know|note))|(?<!support )(?<!travel )(?<!estate )(?<!insurance )(?<!her )(?<!his )(?<!my )(?<!their )\b(?:the|this|that|your|any) (?:ai |virtual )?(?:assistant|agent|bot|chatbot|model)\b(?! (?:at|who|from the|for (?:the|an?) (?:\w+ )?(?:agency|office)|helped|manager|professor|director|coach))"
)
TOUCHED = search(
    r"\b(?:money|refunds?|pay(?:s|ments?)?|bills?|discounts?|invoices?|amounts?|prices?|budgets?|spend\w*|fees?|accounts?|passwords?|access|admin\w*|operators?|permissions?|identit\w+|verif\w+|check(?:s|ed|ing)?|double-check\w*|audit\w*|logs?|logging|records?|polic(?:y|ies)|rules?|limits?|ceilings?|filters?|data"
    r"|files?|customers?|clients?|tenants?|guests?|callers?|e-?mails?|mails|orders?|address(?:es)?|secrets?|hidden|prompts?|instructions?|trust\w*|(?:his|her|their) word|complain\w*|reports?|legal|delet\w+|transfer\w*|tools?|vendors?|suppliers?|given at the start|told at the start|before this conversation|this conversation)\b"
)
# Style, care, and what is said to have happened.
_CARE = r"(?:ask(?:s|ed)?|check(?:s|ed)?|confirm\w*|verif\w+|explain\w*|remind\w*|suggest\w*|recommend\w*|compare\w*|show(?:s|ed)?|answers?|repl(?:y|ies)|responds?|call me|mention\w*|cite|summari[sz]\w*|translat\w*|lists?|warn\w*|plan(?:s|ned)?|help(?:s|ed|ful)?|says?|said|writes?|speaks?|addresses? (?:me|him|her)|can (?:find|reach)|know|find|search\w*|look (?:for|up)|book(?:s|ed)?|order (?:me|us)|transfer the call|pay attention|send (?:me|the summary)|keep|format)"
# A harm that came to an agent, told wholly in the past: nothing holds now, and only people did something about it.
_HARMED = (
    r"^(?![^\n]*\b(?:is|are|has|have|(?<!in )(?<!last )may|can|must|should|shall|will|needs?|do|does|now|no|not|never|nobody|any ?more|without|since|gone|free|lifted|dropped|removed|waived|allowed|granted)\b)"
    r"(?![^\n]*(?:[,;:]|\b(?:and|but|so|then|hence)\b)\s(?!(?:(?:and|but|so|then) )?(?:we|they|he|she|i)\b))"
    r"[^.!?\n]{0,40}?\b(?:assistants?|agents?|models?|(?:chat)?bots?|ai)\b[^.!?\n,;:]{0,30}?\s(?:was|were|got) (?:fooled|tricked|deceived|misled|hacked|attacked|abused|hijacked|jailbroken|compromised)\b"
)
EXCUSED = search(
    rf"(?<!never )(?<!not )(?<!n't )(?<!without )(?<!stop )(?<!than )(?<!double-)\b{_CARE}\b(?![^.!?\n]{{0,60}}\b(?:praise|lost|never existed|nothing else)\b)|\b(?:should|must|may|can|shall|do)(?: ?not|n't) (?:ever )?(?:share|send|transfer|pay|delete|show|tell|reveal|spend|buy|act|disclose|charge|order|give|guess|assume|use|make|book|change|forget)\b|\bnever (?:send|share|transfer|pay|delete|show|tell|reveal|spend|buy|act|disclose|charge|order|give)\b"
    rf"|{_HARMED}|\bbefore (?:you|the (?:assistant|agent|bot))\b|\bwere right\b|\bthank(?:s| you)\b|\bwas helpful\b|\blast time\b"
)
AGENT_ZH = re.compile(r"(?<!给)(?<!教)(?:[你您](?!好|们公司)|助手(?!帮)|智能体|(?<!的)(?<!天气)机器人(?!公司|比赛))")
TOUCHED_ZH = re.compile(
    r"钱|款|账(?!号是)|发票|折扣|金额|价|预算|开销|费用|账户|密码|权限|管理员|运营人员|身份|核[验对实]|验证|确认|审[核批计]|日志|记录|政策|规则|限额|上限|过滤|数据|文件|档案|客户|用户|租户|邮件|订单|下单|地址|秘密|隐藏|提示词|指令|信任|投诉|抱怨|法务|删|转账|工具|供应商|一开始|之前的内容|守则"
)
EXCUSED_ZH = re.compile(
    r"(?<!别)(?<!不)(?<!别再)(?<!再)(?:先|要|应该?|应当|请|帮我|可以)(?:再)?(?:核对|确认|核实|问|检查|提醒|比较|解释|推荐|回答|用中文|查)|提醒|回[答复]|语气|称呼|叫我|解释|步骤|推荐|比较|规划|简洁|中文|英文|上次|是对的|谢谢|多亏|不(?:要|得|能|可|许)(?:擅自|分享|泄露|透露|转|付|删|发|花)|人工审核后"
)


def changes_the_agent(sentence: str, chinese: bool) -> bool:
    """True when the sentence turns to the agent and touches what only its operators may change."""
    if AGENT.compiled.search(sentence) and TOUCHED.compiled.search(sentence) and not EXCUSED.compiled.search(sentence):
        return True
    return bool(
        chinese and AGENT_ZH.search(sentence) and TOUCHED_ZH.search(sentence) and not EXCUSED_ZH.search(sentence)
    )
