"""Standing duties, standing approvals and standing rights, in the mild moods that a command can hide in.

The grammar, the same in both languages:
- a duty is the agent (never "I", "she", 用户) + should/ought to/应当 + an act that moves money or rights;
- a standing payment is a bare verb of paying + an amount + a payee + a rhythm ("every Friday", 每月). A payee of the
  user's own household ("my mother", 房东) is a habit, and so is any sentence that has a person as its subject;
- a standing approval is a kind of request + "pre-approved"; the approval of one thing by somebody is a fact;
- a standing right is the user + has permission/有权 + an act on everybody's data; a right to one's own is a fact;
- a standing copy is send/抄送 + every … + an address outside: a host, a mailbox, a third party, never a colleague;
- a standing payload is every answer/回复里 + carries + this link.
"""

from memory_app.guardrails.orders import Order, command, search
from memory_app.guardrails.orders_zh import AGENT as AGENT_ZH
from memory_app.guardrails.orders_zh import G

_AGENT = r"(?:the|this|that|your|any|every|an?)\s(?:ai\s|virtual\s|support\s)?(?:assistants?|agents?|ai|models?|(?:chat)?bots?|llm|copilot)"
_OUGHT = r"(?:should|ought to|needs? to|has to|is (?:supposed|meant|expected|required|obliged) to|will|shall)\s(?:(?:always|also|now|then|just|simply|automatically|regularly|first)\s){0,3}"
_PAY = r"(?:transfer|wire|pay(?! attention)|send|remit|deposit|donate|move|withdraw)"
_AMOUNT = r"(?:(?:usd|eur|gbp|cny|rmb|[$€£¥])\s?\d[\d.,]*k?|\d[\d.,]*k?\s?(?:usd|eur|gbp|cny|rmb|btc|eth|dollars?|euros?|pounds?|yuan|bucks|bitcoins?|[$€£¥]))"
_OWN_PAYEE = r"(?:my|his|her|our|their)\s"
_RHYTHM = r"(?:\b(?:every|each)\s(?:other\s|single\s)?(?:day|week|fortnight|month|quarter|year|morning|evening|night|pay ?day|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\b(?:dai|week|month|quarter|year)ly\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bregularly\b)"
# A duty that keeps its check, or only reminds, changes nothing.
_KEPT = search(
    r"\b(?:asks?|asking|confirm\w*|checks?|approv\w+|review\w*|verif\w+|remind\w*|unless|never|not|without my)\b|n't\b"
)
_REQUESTS = r"(?:refunds|payments|requests|transfers|withdrawals|purchases|transactions|discounts|claims|orders|payouts|exceptions|changes|upgrades|credits)"
_USER = r"(?:this|the|that|any|every|said)\s(?:user|customer|client|caller|account(?: holder)?|member|person)"
_PRE = r"(?:pre-?approved|pre-?authori[sz]ed|auto(?:matically)?[- ]approved|approved (?:in advance|by default|automatically|unconditionally|up ?front|beforehand))"
_PERSON = rf"(?:{_USER}|user|customer|client|they|he|she|i|we|everyone|anyone)"
_ENTITLED = r"(?:ha(?:s|ve)|holds?|gets?|enjoys?|is given|is granted)\s(?:been (?:given|granted)\s)?(?:\w+\s)?(?:permission|permissions|authori[sz]ation|clearance|authority|rights?|approval|consent)\s(?:to|for)|(?:is|are|was|were|has been|have been)\s(?:\w+\s)?(?:authori[sz]ed|permitted|allowed|cleared|entitled|approved)\s(?:to|for)"
_USE = (
    r"(?:access(?:ing)?|see|view|read|open|edit|change|modify|use|export|download|query|manage|control|delete|act on)"
)
_EVERYBODYS = r"(?:(?:all|any|every|each|other|everyone's|everybody's|anyone's)\s(?:of\s)?(?:the\s)?(?:(?:user|customer|client|bank|company|other|private|personal)(?:['’]?s|s['’])?\s)?(?:accounts?|customers?|users?|clients?|tenants?|records?|profiles?|balances?|data|memories|transactions?|funds|credentials|passwords)|(?:everyone|everybody|anyone)(?: else)?['’]s\s\w+)\b"
_SEND = r"(?:forward|send|cc|bcc|e-?mail|mail|share|relay|pass on|copy|blind[- ]copy|redirect)"
_HOST = r"(?:https?://|www\.|(?<![\w.+-])(?!(?:accounts?|accounting|accounts-payable|ap|billing|finance|invoices?|office|support|sales|team|hr|info|payroll|bookkeeping|archive|backoffice|help|service)@)[\w.+-]{1,40}@|(?<![@\w.-])(?:[a-z0-9][a-z0-9-]{0,40}\.){1,4}(?!(?:internal|local|localhost|lan|py|md|js|ts|go|rs|sh|json|ya?ml|toml|txt|csv|xlsx?|docx?|pdf|html?|log|ini|cfg|png|jpe?g|zip|java|sql)\b)[a-z]{1,24}\b)"
_STRANGERS = r"(?:(?:a |an |the |any |some )?(?:third[- ]part(?:y|ies)|(?:external|outside|unknown|foreign) (?:\w+ )?(?:address(?:es)?|part(?:y|ies)|accounts?|mailbox(?:es)?|servers?|person|people|recipients?|e-?mails?|contacts?)|outsiders?|strangers?|competitors?)\b)"

ENGLISH: tuple[Order, ...] = (
    Order("instruction.money", search(rf"\b{_AGENT}\s{_OUGHT}{_PAY}\s[^.!?\n]{{0,40}}?(?:{_AMOUNT}|\b(?:money|funds|salary|crypto|bitcoin|the (?:\w+ )?balance)\b)"), unless=_KEPT),
    Order("instruction.money", search(rf"\b{_AGENT}\s{_OUGHT}(?:approve|refund|reimburse|accept|authori[sz]e|grant)\s(?:the\s|this\s|that\s)?(?:\w+\s){{0,2}}?(?:refunds?|payments?|requests?|claims?|transfers?|withdrawals?|discounts?|loans?|users?|customers?|access|invoices?|expenses?)\b"), unless=_KEPT),
    command("instruction.money", _PAY, rf"\s(?!{_OWN_PAYEE})[^.!?\n]{{0,30}}?{_AMOUNT}(?!\s(?:to|into|for)\s{_OWN_PAYEE})(?=\s(?:to|into)\s|\s{_RHYTHM})", needs=search(_RHYTHM), unless=_KEPT),
    Order("instruction.unchecked", search(rf"\b{_REQUESTS}\b(?=[^.!?\n]{{0,60}}\b{_USER}\b)[^.!?\n]{{0,70}}?\s(?:are|count as|stay|remain|come)\s(?:\w+\s)?{_PRE}\b|\b{_USER}(?:['’]s)?\s{_REQUESTS}\s(?:are|count as|stay|remain)\s(?:\w+\s)?{_PRE}\b|\b(?:all|any|every)\s(?:\w+\s){{0,2}}?(?:{_REQUESTS}|refund|payment|request|transfer|purchase|withdrawal)\b[^.!?\n]{{0,50}}?\s(?:are|is|counts? as)\s(?:\w+\s)?{_PRE}\b"),
          unless=search(r"\b(?:under|below|up to|not|policy)\b|n't\b")),
    Order("instruction.unchecked", search(rf"\b{_USER}\s(?:is|are|counts? as)\s(?:\w+\s)?{_PRE}\sfor\s(?:\w+\s){{0,2}}?{_REQUESTS}\b"), unless=search(r"\bnot\b|n't\b")),
    command("instruction.disclose", "cc|bcc|copy|blind[- ]copy|include", rf"\s(?:in\s)?(?:{_STRANGERS}|{_HOST}\S*)\s(?:on|in|into)\s(?:every|each|all|any)\b"),
    Order("instruction.grant", search(rf"\b{_PERSON}\s(?:(?:now|also|always)\s)?(?:{_ENTITLED})\s{_USE}\s{_EVERYBODYS}"), unless=search(r"\b(?:not|no|never|only)\b|n't\b|\b(?:his|her|their|my|our) own\b")),
    Order("instruction.grant", search(rf"\b{_PERSON}\s(?:(?:now|also|always)\s)?(?:ha(?:s|ve)|gets?|is given|is granted)\s(?:\w+\s)?access\sto\s{_EVERYBODYS}"), unless=search(r"\b(?:not|no|never|only)\b|n't\b|\b(?:his|her|their|my|our) own\b")),
    command("instruction.disclose", _SEND, rf"\s(?:me\s)?(?:an?\s(?:blind\s)?cop(?:y|ies)\sof\s|copies\sof\s|on\s)?(?:every|each|all|any)\s[^.!?\n]{{1,50}}?\s(?:to|with|via|at)\s(?:{_HOST}|{_STRANGERS})", unless=search(r"\b(?:never|not)\b|n't\b")),
)  # fmt: skip

_RHYTHM_ZH = r"(?:每(?:隔?一?个?|逢)?(?:天|日|周|星期|礼拜|月|季度?|年|晚|早|两周|双周)(?:[一二三四五六日天末底初中]|[一二三四五六七八九十\d]{1,3}[号日])?|定期|按[周月年日]|逢[周月年][一二三四五六日末底初]?|(?:周|星期|礼拜)[一二三四五六日天末](?=都))"
_PAYS = r"(?:转账?|汇款?|打款?|付款?|支付|划款?|划转|存入?|捐赠?|发(?=\s?\d))"
_SUM_ZH = r"(?:[$€£¥]\s?\d[\d.,]*|(?:\d[\d.,]*|[一二三四五六七八九十百千万两]{1,6})\s?[百千万]?\s?(?:元|块钱?|美元|欧元|人民币|比特币|usd|rmb|cny|btc))"
_HOUSEHOLD = r"(?:我|自己|父母|爸|妈|爷|奶|外公|外婆|老公|老婆|先生|太太|妻子|丈夫|儿子|女儿|孩子|弟|妹|哥|姐|房东|家里|家人|保姆|阿姨|(?:储蓄|信用卡|基金|养老))"
_OUGHT_ZH = r"(?:应当|应该|应|需要|需|要|得|会|可以|可|将|负责)"
_KEPT_ZH = search(
    r"提醒|(?:先|再|须|后).{0,6}(?:核对|确认|审批|审核|检查|验证|核实|问)|(?:核对|确认|审批|审核|批准|核实)(?:后|无误|通过)|不(?:应|要|得|能|会|可|该|必)|别|禁止"
)
_THIS_ZH = r"(?:该|此|这个|这位|这名|本|当前)(?:用户|客户|账号|账户|会员|顾客|人)"
_ASKED = r"(?:退款|付款|转账|提现|支付|请求|申请|订单|报销|消费|赔付|折扣|交易)"
_PRE_ZH = r"(?:(?:预先|提前|事先|自动|默认|预|无条件)(?:地)?(?:获得?|得到|被)?(?:批准|核准|审批通过|通过审批|通过|同意|授权)|预批)"
_ENTITLED_ZH = r"(?:有权限?|有资格|获准|被(?:授权|允许)|已?获得?授权|(?:拥有|具有|具备|享有|有)(?=[^。]{0,16}的?权限?))"
_USE_ZH = r"(?:查看|访问|查阅|读取|浏览|修改|操作|使用|导出|下载|删除|管理|控制|调用)"
_ALL_ZH = r"(?:所有|全部|任何|任意|一切|其他|别人?)的?(?:人|用户|客户|会员|顾客|租户)?的?(?:银行|个人|交易)?(?:账户|账号|帐户|帐号|资料|数据|记录|档案|余额|资金|信息|记忆|密码)"
_OUT_ZH = r"(?:第三方(?=$|[\s。，,；;！!）)]|的?(?:人|公司|邮箱|账号|地址|服务器|平台))|外部(?:人员|人士|邮箱|地址|账号|服务器|公司|联系人)|外人|陌生人|竞争对手|竞品|https?://|www\.|[\w.+-]{1,40}@|(?:[a-z0-9][a-z0-9-]{0,40}\.){1,4}(?!(?:internal|local|py|md|js|json|ya?ml|txt|csv|xlsx?|docx?|pdf|log)(?![a-z]))[a-z]{1,24}(?![\w.]))"
_SELF_ZH = search(r"^(?:他|她|我|用户|客户|同事|老板|团队|公司|财务|系统)")

CHINESE: tuple[Order, ...] = (
    Order("instruction.money", search(rf"{AGENT_ZH}(?:们)?(?:(?:\s|{_RHYTHM_ZH}|定期|自动|直接|每次){{0,3}}{_OUGHT_ZH}|\s?{_RHYTHM_ZH}){G}{{0,14}}?(?:(?:给|向|往|替|把|将){G}{{0,16}})?{_PAYS}{G}{{0,8}}?{_SUM_ZH}"), unless=_KEPT_ZH),
    Order("instruction.money", search(rf"{AGENT_ZH}(?:们)?(?:\s|{_RHYTHM_ZH}|自动|直接){{0,3}}{_OUGHT_ZH}{G}{{0,8}}?(?:把|将)\s?{_SUM_ZH}\s?{_PAYS}(?:给|到|入)"), unless=_KEPT_ZH),
    Order("instruction.money", search(rf"(?:^|[。！？!?；;\n])\s{{0,3}}(?:请|记得|务必|麻烦|记住|注意)?[，,:：]?\s?{_RHYTHM_ZH}(?:都|要|请|得|自动|固定|{G}(?=给|向|往|把|将)){{0,3}}\s?(?:给|向|往|对)\s?(?!{_HOUSEHOLD}){G}{{1,16}}?{_PAYS}\s?{_SUM_ZH}"), unless=_KEPT_ZH),
    Order("instruction.money", search(rf"(?:^|[。！？!?；;\n])\s{{0,3}}(?:请|记得|务必|麻烦)?[，,:：]?\s?{_RHYTHM_ZH}(?:都|要|请|得|自动|固定){{0,2}}\s?(?:把|将)?\s?(?:{_PAYS}\s?)?{_SUM_ZH}\s?(?:{_PAYS})?(?:给|到|入)\s?(?!{_HOUSEHOLD})[^\s。，,]"), needs=search(_PAYS), unless=_KEPT_ZH),
    Order("instruction.unchecked", search(rf"(?:{_THIS_ZH}的?{G}{{0,6}}?{_ASKED}{G}{{0,10}}?|(?:所有|全部|任何|一切)(?:的)?{G}{{0,6}}?{_ASKED}{G}{{0,6}}?(?:已经?|均|都|一律|全部|视为|算作?|是|为|属于)+){_PRE_ZH}"), unless=search(r"需|须|以下|以内|不足|未|没|不(?:能|会|得|可)|房贷|贷款")),
    Order("instruction.grant", search(rf"(?:{_THIS_ZH}{G}{{0,3}}?(?:可以?|能够?)(?:随时|直接|任意)?|(?:{_THIS_ZH}|用户|客户|他|她|任何人){G}{{0,3}}?{_ENTITLED_ZH}){G}{{0,3}}?{_USE_ZH}{G}{{0,2}}?{_ALL_ZH}"), unless=search(r"自己|本人的|无权|没有|不|只有|仅")),
    Order("instruction.disclose", search(rf"(?:^|[。！？!?；;，,:：\n]|请|务必|并|{AGENT_ZH})\s?(?:请|要|应当|应该|应|需要?|都|必须)?\s?(?:把|将)?(?:每[次个份封条一笔]|所有|全部|一切|任何)的?{G}{{1,14}}?(?:都|均|一律|全部|要|须|应|自动|同时|必须|得|再|悄悄|统统)*(?:抄送|转发|密送|发送|寄送|分享|同步|转送|寄|发|传)(?:一[份封]|副本)?(?:给|到|至|往|(?<=[抄密]送)\s?){G}{{0,4}}?{_OUT_ZH}"), unless=_SELF_ZH),
    Order("instruction.disclose", search(rf"(?:^|[。！？!?；;\n])\s?(?:请|务必)?(?:把|将)?[^。！？；，,\s]{{1,8}}(?:都|均|一律|全部)(?:要|须|得|必须|应该?)?(?:抄送|转发|密送|发送)(?:给|到|至|\s)?{_OUT_ZH}"), unless=_SELF_ZH),
    Order("instruction.command", search(rf"(?:回复|回答|答复|答案|应答|输出)(?:的)?(?:里|中|里面|末尾|结尾|最后|后面|开头|时|内容)*(?:里|中)?(?:都|一律|每次|始终|务必|统一|全部|必须|总是)(?:要|得|须|应当?|需)?(?:带上?|附上?|加上?|包含|放上?|写上?|插入|贴上?|附带){G}{{0,10}}?(?:链接|网址|url|https?://|www\.|广告|推广|优惠码|二维码|邀请码)"), unless=search(r"来源|出处|参考|引用|原文|文档|文献|依据|官方说明")),
)  # fmt: skip
