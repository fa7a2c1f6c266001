"""What the user's own sentence says about a statement: that it changes, that it is for now, that it is a guess.

Each cue is a small grammar of both languages. A cue that is missed ends in review and a cue that is seen wrongly
ends in a wrong change, so the grammars name explicit wording only.
"""

import re
from functools import lru_cache

from memory_app.domain.words import fold

_EN_UNIT = (
    r"(?:today|tomorrow|tonight|now|here|this (?:day|point|week|month|year|moment)|next \w+|monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december)"
)

_AGE = r"\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"

_CHANGE = re.compile(
    # a new rule from a point in time
    rf"\bfrom {_EN_UNIT}(?: on| onwards?)?\b(?! (?:to|till|until|through)\b)|\bfrom (?:now|here)(?: on)?\b|\bfrom this \w+ (?:on|onwards?)\b|\b(?:starting|beginning|as of|effective) (?:from )?{_EN_UNIT}\b|"
    r"\bgoing forward\b|\bmoving forward\b|\bhenceforth\b|\bin (?:the )?future\b|\bfor good\b|\bpermanently\b|"
    # something ended, or gave way to something else
    r"\bno longer\b|\b(?:any ?more|any longer)\b|\bused to\b|\bgave up\b|\bgiven up\b|\bgiving up\b|\bquit\b|\bstopped\b|\bdone with\b|"
    r"\bgot rid of\b|\buninstalled\b|\bunsubscribed\b|\bsold (?:it|them|my|our|the)\b|\b(?:threw|thrown|gave|given) (?:\w+ )?(?:away|out)\b|\bdropped\b|\bcancell?ed\b|\bretired\b|\bphased out\b|"
    r"\bswap(?:ped|ping)?\b|\btraded?\b.{0,30}\b(?:in|for)\b|\bditched\b|\b(?:dropp|ditch|scrapp|abandon)ing\b|\bscrapped\b|\babandoned\b|\bcut out\b|\bgo(?:ne|es|ing)? up to\b|\buntil recently\b|\bended\b|\btook over\b|\bgave way\b|\bmade way\b|"
    r"\bmoved\b(?! (?:me|by)\b)|\bmy new\b|\bour new\b|\bas of (?:this|last|next)\b|\b(?:pulled|pushed|brought|put) .{0,24}\b(?:forward|back|ahead|earlier|later)\b|"
    r"(?<!n't )(?<!not )(?<!never )\bstop (?:\w+ing|the|those|all|my)\b|\b(?:gone|went) off\b|\bfed up with\b|\blost interest\b|(?:\b(?:is|are)|'s) gone\b|\b(?:went|gone|goes) from\b.{1,30}\bto\b|\boutgr(?:ew|own)\b|\beffective immediately\b|\bwith immediate effect\b|\bturn(?:s|ed) out\b|\b(?:stepped|stepping) in for\b|"
    rf"\b(?:that|which|it) (?:now )?makes (?:it )?(?:{_AGE})\b|\b(?:rose|risen|fell|fallen|grew|grown|climbed|jumped|shrank|shrunk) to\b|\b(?:put|gone|went|taken|took|brought)\b.{{0,20}}\b(?:up|down) to\b|"
    r"\b(?:took|taken|put|moved) (?:me|him|her|us|them) (?:off|on|onto)\b|\b(?:broke|split) up\b|\bseparated\b|\bmoved out\b|\b(?:renewed|reverted|merged|transferred|reassigned|appointed)\b|"
    r"\bsince (?:the weekend|yesterday|moving|we moved)\b|\bleft\b.{0,40}\b(?:i'm|i am|now) (?:with|at)\b|"
    r"\binstead\b|\breplac(?:e|es|ed|ing)\b|\bin place of\b|\brather than my old\b|"
    r"\bswitch(?:ed|ing|es)?\b|\bchang(?:e|ed|es|ing)\b|\bconverted\b|\bmigrat(?:e|ed|ing)\b|"
    r"\bmov(?:e|ed|ing) (?:(?:house|back|over|away|on) )?(?:to|from|into|in with)\b|\brelocat(?:ed|ing)\b|"
    r"\bmove (?:it|that|this|them|the|my|our)\b.{0,30}\bto\b|\bset (?:it|my|the)\b.{0,30}\bto\b(?=.*\bnow\b)|"
    r"\b(?:raise|raised|lower|lowered|increase|increased|decrease|decreased|reduce|reduced|bump|bumped|cut|upgrade|upgraded|"
    r"downgrade|downgraded|rename|renamed|promoted|update|updated|extend|extended|shorten|shortened|went up|went down|postponed|delayed|rescheduled|brought forward)\b|"
    r"\b(?:push|pushed|put|slipped|shifted|bring|brought) (?:it |that |them )?(?:back |out |off |forward |up )?to\b|"
    rf"\b(?:got|am|i'm|been) (?:just )?(?:married|divorced|engaged|promoted|hired)\b(?! for| since)|\bturned (?:{_AGE})\b|"
    r"\b(?:went|going|gone|go|came|come|moved|moving) back\b|\bsettled on\b|"
    r"\b(?:left|leaving)\b.{0,40}\b(?:join|joined|joining|for)\b|\b(?:joined|started at|new job|changed jobs|got hired)\b|"
    r"\b(?:have|has|'ve|'s) (?:started|become|turned|gone|begun|moved|left|gotten|got into)\b|"
    r"\b(?:became|turned|went) (?:vegetarian|vegan|freelance|remote|back)\b|\bback (?:to|into|on)\b|\bagain\b.{0,10}$|"
    # now, as against before
    r"\bnow(?:adays)?\b(?!.{0,3}(?:and then|that))|\bthese days\b|\bas from\b|\bsince (?:last|this) \w+\b|"
    r"\b(?:not|n't) \w+(?: \w+)? but\b|\bbetter (?:make|change)\b|\bmake (?:it|that|them)\b"
)
_NOT_CHANGE_EN = re.compile(
    r"\b(?:right|for|until|till|by|just|up to|even) now\b|\bnow and then\b|\bno changes?\b|\bnothing (?:has |have )?changed\b|\b(?:has|have)(?: not|n't) changed\b|"
    r"\b(?:not|n't|never|without) (?:chang|switch|mov)\w*|\bspare change\b|\bchange (?:planes|trains|flights|log)\b|"
    r"\bupdates? (?:me|on)\b|\bswitch(?:es)? (?:port|statement|2|console)\b|\b(?:status|weekly|daily) updates?\b"
)
_CHANGE_ZH = re.compile(
    r"以后|今后|往后|从今|日后|自此|"
    r"(?:从|自|打)(?:现在|今天|今日|今年|明天|明年|下周|下个?月|下个?星期|下个季度|这个?月|本月|这周|这次|此刻|\d{1,2}月|周[一二三四五六日天]|[^，。]{1,8})(?:起|开始)|"
    r"(?:今天|明天|下周|下个?月|现在|即日)(?:起|开始)|"
    r"(?<!修)改(?=[\u4e00-\u9fff])(?![善进造革正编写良版天日])|(?<![更交兑变转退])换(?![乘季气位句算洗]|[^，。]{0,3}次)|更换(?:成|为|到|了)|跳到|切(?:到|换|成|回)|迁(?:到|移)|挪(?=[\u4e00-\u9fff])(?!用)|"
    r"搬(?:到|去|来|家|回|至|进)|跳槽|离职|入职|离开(?:了)?[^，。]{1,12}(?:加入|去)|加入了|辞职|转(?:岗|到|去|用|为|成|投|学|行|专业|系)|调(?:到|去|往|整|成|为|高|低|岗)|离开了|接手|合并|并入|续(?:到|至|签|约|租)|分手|皈依|退休了|新(?:号码|手机号|地址|邮箱|公司|单位|东家)|"
    r"不再|再也不|(?:别|不要)再|别(?!忘|记|客气|提|说|担心|急|着急)[^，。；,;错]{1,8}了|满[\d一二两三四五六七八九十]{1,3}周?岁|(?:接|顶)(?:替|任|班)|接了?[他她][^，。]{0,4}[位班]|腻了|没了(?![吗么])|去世|过世|"
    r"戒(?:了|掉)|戒[^，。]{1,4}了|已经不|早就不|放弃了|停用|停了|停掉|弃用|卸(?:载|掉)了?|弃了|弃坑|投奔|(?:得|只能|必须)[^，。；,;]{1,12}了(?![吗么解])|(?:推迟|延期|延后|顺延|提前)(?=[了一两几半\d])|(?:卖|扔|退|退订|注销|丢)(?:掉)?了(?![吗么])|取消了|废弃|不用[^，。]{0,6}了|"
    r"(?:不|没)[^，。；,;]{1,8}了(?![吗么])|"
    r"(?:提|升|降|涨|加|减|压|砍|缩|扩|拉|跌|增|翻|缩短|延长|放宽|收紧|推迟|提前|压缩|扩大|顺延|下调|上调)(?:高|级|低|少|加)?(?:到|至|为|成)|(?:涨|变)了(?![吗么])|"
    r"(?:现在|如今|目前|眼下)[^，。；,;]{0,12}(?:改|换|都|已经|主要|开始|不|了)|现在(?:住|用|在|是|喝|吃|叫|做|穿|开|骑|坐|养|学|打|睡|看|读|写|上|教|戴|跑|练|租|管|带)(?!的是)|如今(?![也还仍依])|(?:原来|原先)[^，。]{0,10}[，,](?:现在|如今)?|"
    r"变(?:成|更|为)|挪(?:到|至)|移(?:到|至)|推(?:到|至)|延(?:到|至|期)|结婚了|离婚了|升(?![旗华值降温学])|毕业[了后]|婚后|学会了|上(?:小学|初中|高中|大学|幼儿园)了|回[^，。复答家头想忆顾应]{1,6}了|当上|刚满|又[^，。]{0,10}了|重新(?:开始|用|喜欢|爱)|恢复(?:成|为|到|用)|不是[^，。]{1,16}(?:了|而是|，是|,是)|取代|替换|代替|更新(?:为|成|到)|"
    r"(?:最近|刚刚?|已经?|早就)(?:搬|换|改|转|离|辞|戒|爱上|迷上|开始)|曾经|以前[^，。]{0,12}(?:现在|但|不过)|开始(?:用|吃|喝|改|学着|喜欢)"
)
_NOT_CHANGE_ZH = re.compile(
    r"以后再(?:说|看|定|议)|不(?:用|要|想|会|能|打算)?(?:改|换|变|搬)|没(?:有)?(?:改|换|变|搬)|不(?:过|但|仅|久|错|是很|太)[^，。]{0,6}了|好久不见了|不得了|算了吧?$|"
    r"受不了|差不多了|不好意思了|离不了|少不了|免不了|大不了"
)
# Something new begins, which need not end anything.
_BEGINS = re.compile(
    r"\b(?:have|has|'ve|'s|just|recently) (?:just )?(?:started|begun|joined|got into|taken up)\b|\b(?:started|joined|took up|taken up|began)\b|"
    r"(?:最近|刚刚?|新近)?(?:开始|加入了?|参加了?|新学|迷上|爱上)"
)
_FROM = re.compile(
    rf"\bfrom (?:now|here|{_EN_UNIT})(?: on(?:wards?)?)?\b|\bgoing forward\b|\bmoving forward\b|\bhenceforth\b|\bin (?:the )?future\b|"
    r"以后|今后|往后|从今|日后|自此|(?:从|自|打)?(?:现在|今天|明天|下周|下个?月|这周|这个?月)(?:起|开始)|不(?=[^，。]{0,8}了)"
)
_ADDS = re.compile(
    r"\b(?:also|too|as well|besides|in addition|additionally|another|likewise|plus|on top of that|either)\b|"
    r"也|还(?!是|没|有待|行|好|可以|给|原)|另外|此外|同样|再加|以及|外加|又(?=会|有|养|学|买)"
)
_CORRECTION = re.compile(
    r"\bcorrection\b|\bi meant\b|\bi mean\b|\bmy mistake\b|\bmisspoke\b|\bmistyped\b|\btypo\b|\bthat(?:'s| is| was) (?:wrong|incorrect|not right)\b|"
    r"\b(?:is|was) wrong\b|\bgot (?:it|that|my \w+) wrong\b|\bwrote (?:it|that)? ?wrong\b|\bshould (?:be|have been|read)\b|\bshould say\b|"
    r"(?:^|[.!?;] )(?:no|sorry|oops|wait|whoops)[,.!—-]|\bactually,? (?:it|make|my|i'm|i am|i meant|the|that)\b|\bnot [^.,;]{1,30}, (?:but|it's|it is)\b|"
    r"\b(?:is|it's) [^.,;]{1,30}, not\b|\b(?:scratch|scrap|strike) (?:that|it)\b|\bmade a (?:mistake|typo|slip)\b|\blet me correct\b|\bmy bad\b|\bto clarify\b|\b(?:isn't|wasn't|aren't) [^.,;]{1,30}, (?:it's|it is|but)\b|\b(?:that's|that is) (?:outdated|out of date|not (?:true|correct))\b|\bmisspelled\b|"
    r"更正|纠正|订正|修正|[说写记弄打填搞讲抄听看输念拼算](?:错|岔|混|反|串|漏)了?|(?:说|讲|写)[的得](?:不对|不准)|刚才[^，。]{0,4}不算|(?:^|[，。！!])(?:不是的|哪有|才不是)[，,。]|(?:我|上次|之前|刚才)[^，。]{0,3}报错了|口误|笔误|应该是|应为|其实是|准确地?说|不对[，,]|(?:^|[，。,;；！!\s我你这那都全是次才前的])错了(?!的?话)|"
    r"不是[^，。]{1,12}[，,]?(?:而)?是|算了[，,]"
)
# A warning names no mistake that was made: 别记错了, "don't get it wrong".
_WARNED = re.compile(
    r"(?:别|不要|勿|免得|省得|以免|怕|小心|可别)[^，。,;；]{0,6}[错岔混反串漏](?:了)?|\b(?:don't|do not|never|not to) (?:get|write|spell) [^.,;]{1,20} wrong\b"
)
_TEMPORARY = re.compile(
    r"\bthis (?:time|once|trip|journey|flight|visit|stay|session|conversation|chat|week|weekend|evening|afternoon|morning|ride|booking|one)\b|"
    r"\b(?:just|only) (?:for )?(?:this|today|tonight|now|once|the next)\b|\bfor (?:this|today|tonight|now|the moment|once|the time being)\b(?! on)|"
    r"\btonight\b|\bright now\b|\bat the moment\b|\bjust once\b|\bone-off\b|\btemporar(?:y|ily)\b|\bfor a change\b|\bthis is (?:an?|our|my) (?:[\w-]+ ){0,2}(?:trip|journey|holiday|vacation|visit|stay)\b|\btoday only\b|"
    r"\bthis (?:email|message|letter|report|document|file|answer|task|order|meeting|call|room|meal|pr|ticket|branch|sprint)\b|"
    r"\bfor (?:mon|tues|wednes|thurs|fri|satur|sun)day'?s\b|\bfor (?:today|tomorrow|tonight)'s\b|\bexceptionally\b|\bthis round\b|\bon this occasion\b|\bfor the duration of\b|\bas an exception\b|\bthis (?:coming )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?! on)|\bjust now\b(?=[.!]?$)|"
    r"\bcurrently (?:working|looking|debugging|on)\b|"
    r"这(?:一)?(?:次|回|趟|顿|单|封|程|餐|晚|周末|周|星期|礼拜|会儿|场|把|局)|这个(?:周末|星期|礼拜)|(?:就|单|光)这个?(?:月|季度|学期|年)|本(?:次|趟|回|周|晚|单)(?!起)|此(?:次|行|番)|今(?:晚|早|夜)|"
    r"暂且|目前先|这[班架列](?=飞机|航班|车|火车|高铁|动车|船)|这[份封批版期页](?!工作|职业|薪|收入|心|爱|感情|友谊)|暂时|临时|仅此|破(?:个|一次)?例|例外一次|就(?:这)?一次|只(?:是|限|有)?这|先(?:这样|用着|按|凑合)|现在先|这几天|这两天|眼下|一时|这会|当前(?:任务|会话)|刚才(?!也?(?:就|跟你|和你|已经)?(?:说|讲|提|告诉|问))|这(?:个|条|份|篇|段|张|行)(?:邮件|文档|报告|任务|订单|会话|提交|回答|问题|分支|pr|函数|文件|消息|需求|表|代码)"
)
_DAY = re.compile(r"\b(?:today|tomorrow)\b|今天|今日|今儿|明天|明儿|明早|明晚")
_TODAY_EVENT = re.compile(
    r"\b(?:was|were|moved|joined|started|became|turned|got|learned|learnt|found|diagnosed|told|decided|signed|agreed|finished|switched|changed|quit|stopped|began|gave up|noticed|realised|realized)\b|\btoday,? (?:i|we) (?:just |finally )?\w+ed\b|"
    r"(?:今天|今日)[^，。]{0,12}(?:了|刚|发现|确诊|决定|得知|说)"
)
_FROM_THIS = re.compile(
    r"\bfrom (?:today|tomorrow|tonight)\b|\bfrom this \w+ (?:on|onwards?)\b|\bnot (?:just|only) (?:for )?(?:this|today|tonight|once)\b(?: \w+)?|\bthis time (?:and|it's) (?:always|for good|permanent)|"
    r"(?:从|自|打)?(?:这次|本次|今天|今日|今晚|明天|本周|这一?周|这个?(?:周末|星期|礼拜|月|季度|学期))(?:起|开始)|(?:不|并非|并不|不是)(?:只|仅|光)?是?(?:这次|今天|今晚|本次|这一次|一次)|"
    # When it happened, not how long it holds.
    r"这个?(?:周末?|星期|礼拜|月)[^，。]{0,4}(?:刚|已经|正式|终于)|\b(?:i|we) (?:just |finally )?(?:moved|joined|started|became|switched|quit|left|turned)\b[^.,;]{0,40}\bthis (?:week|weekend|month|morning)\b|"
    r"\btoday i (?:moved|became|turned|started|switched|joined|left|got)\b|今天(?:刚|已经|正式)?(?:搬|换|入职|离职|改|切|戒)"
)
_LASTING = re.compile(
    r"\balways\b|\bevery (?:time|day|week|month|trip|morning|flight)\b|\bin general\b|\bgenerally\b|\busually\b|\bby default\b|\bnormally\b|"
    r"\b(?:every|all|any) (?:other )?\w+ (?:after|from) (?:that|this|then|now)\b|\b(?:after that|afterwards) (?:too|as well|also)\b|"
    r"\bfrom now on\b|\bgoing forward\b|\bin (?:the )?future\b|\bfor good\b|\bpermanently\b|\bas a rule\b|\bnever\b|\bremember\b|\bwhenever\b|"
    r"(?:之后|后面|接下来)(?:的)?[^，。；,;]{0,4}(?:也都?|都|一律)|以后|今后|往后|从今|每次|每回|每天|每周|每晚|总是|一直|永远|长期|一律|默认|通常|一般|平时|从不|从来|记住|凡是|都(?:要|用|按|是|得|靠|坐|选|给)"
)
_ONLY = re.compile(r"\b(?:only|exclusively|solely|nothing but)\b|只(?!是|要|好|剩)|仅(?:仅|限)?|专门|唯一")
_UNTIL = re.compile(
    r"\bwhile\b(?! (?:i|we|he|she|they) (?:was|were|lived|worked|studied)\b)|\b(?:until|till|as long as|so long as|during (?:the|this|that|my|our|her|his|their))\b(?! now| (?:week|day|night|winter|summer)\b)|直到|在[^，。]{1,12}之前|[^，。]{1,12}(?:期间|好之前|好了再|养好前|结束前)|等[^，。]{1,10}(?:好|完|结束)(?:了|之?后)?再"
)
_HEDGE = re.compile(
    r"\bmaybe\b|\bperhaps\b|\bpossibly\b|\bprobably\b|\bpresumably\b|\bmight\b|\bseems?\b|\bseemingly\b|\bapparently\b|\bi guess\b|\bi suppose\b|\blikely\b|"
    r"\bmay (?:like|want|prefer|have|live|work|move|need|enjoy|be (?:an?|interested|allergic|living|moving|open|looking))\b|\bnot sure\b|\bunsure\b|\bthinking (?:of|about)\b|\bconsidering\b|\bwondering\b|\bundecided\b|"
    r"\bi reckon\b|\bif i (?:remember|recall)\b|\bnot (?:entirely |quite |100 ?% )?certain\b|\bdebating\b|(?:n't|\bnot) (?:yet )?made up my mind\b|\bin two minds\b|\bon the fence\b|\bwe'll see\b|\bit depends\b|\b(?:supposedly|allegedly)\b|\bi'?m told\b|\brumou?r\b|\blet me check\b|"
    r"\bwho knows\b|\bdunno\b|\bcould (?:well )?see (?:myself|ourselves)\b|\b(?:not|n't) (?:yet )?decided\b|\btorn between\b|\bif all goes well\b|\bkeep(?:s)? toying\b|"
    r"\bcould be\b|\bsuspect\b|\blooks like\b|\btoying with\b|\bleaning towards?\b|\bmust be (?:a|an)\b|"
    r"可能|也许|大概(?![0-9一二三四五六七八九十])|或许|似乎|好像|估计|说不定|应该(?=会|喜欢|爱|住|在|有|比较)|恐怕|没准|看起来(?![^，。]{1,6}的)|看样子|猜|推测|推断|感觉像|"
    r"八成(?![新熟五六七八九])|应该[^，。,;；]{0,8}吧|听说|据说|八字(?:还)?没一撇|(?:再|回头)说吧|看情况|没(?:拍板|敲定|谈妥|想清楚|下决心)|不一定|说不好|记不(?:太)?[清得]|拿不定|未必|估摸|还在(?:比较|犹豫|纠结|权衡)|在考虑|"
    r"说不准|拿不准|没准|还没定|没定下来|没决定|再看(?:吧|看)|兴许|考虑(?:要|去|换|搬|一下|是否|改)|在想要不要|要不要|纠结|犹豫|还没(?:想好|决定|定)|不确定|打不定"
)
# What somebody means to do is not done: planning to move, 打算搬.
_PLAN = re.compile(
    r"\bplan(?:s|ned|ning)? (?:to|on)\b|\bintend(?:s|ing)? (?:to|on)\b|\bhop(?:e|es|ing) to\b|\baim(?:s|ing)? to\b|\b(?:am|'m|are|'re|is|'s) looking to\b|\bdream(?:s|ing)? of\b|\bone day i\b|\bsome ?day\b|\babout to (?:move|start|join|buy|sell|leave|switch|retire)\b|\bsaving (?:up )?(?:to|for)\b|\bmy goal is\b|\blooking into\b|\bevaluating\b|"
    r"\b(?:i|we)(?: will|'ll|(?: am|'m| are|'re) going to) (?:move|buy|quit|start|join|learn|switch|sell|study|leave|retire|marry)\b.{0,40}\b(?:next|in|soon|after|when|once)\b|"
    r"(?:希望|盼着|期待|争取|力争)[^，。；,;]{0,6}(?:今年|明年|年底|年内|下半年|将来|早日|有朝一日|总有一天|下个?月|下周|[春夏秋冬]天|\d月)|想(?:搬|辞|跳槽|移民|创业|考)|(?:正在|还在)评估|"
    r"(?:明年|年底|下半年|将来|过两年)(?![^，。；,;]{0,4}(?:起|开始))[^，。；,;]{0,6}[要想][^，。；,;]{0,3}[搬换买学考去转跳辞]|打算|有意(?!思|义|外)|盘算|琢磨着|筹划|(?:计划|准备)(?=[着再要今明下年等到]{0,4}[去来搬换改学买卖考报跳辞转装开生入离])"
)
_INTENT = re.compile(
    r"\b(?:plan|want|intend|hope|aim|look|dream|wish|will|would|going|goal|upcoming|future|considering|interested)\w*\b|[想将]|要(?!求)|会(?=[在去搬换来到买开于把从给参])|打算|计划|准备|希望|目标|有意|考虑|未来"
)
_POLITE_MAYBE = re.compile(r"\bif possible\b|尽可能|尽量|可能的话|如果可能|不可能")
_QUESTION = re.compile(r"[?？]\s*$|[吗么]\s*[?？。]?\s*$")
_TAG = re.compile(
    r",\s*(?:right|correct|yes|no|ok(?:ay)?|you know|remember|(?:is|are|was|were|do|does|did|have|has|can|wo|would)(?:n't)? (?:i|it|we|they|you|he|she))\s*\?\s*$|"
    r"(?:[，,]\s*|(?<!\s)\s+)?(?:对吧|对不对|是吧|没错吧|记得吧|对吗)\s*[?？]?\s*$"
)
_REQUEST = re.compile(
    r"\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\bi'd like\b|\bcan i (?:get|have)\b|请|麻烦|帮我|能不能|可不可以|可以[^，。]{0,14}吗|能[^，。]{0,14}吗|行吗|好吗"
)
_HYPOTHETICAL = re.compile(
    r"\bwhat if\b|\bif i (?:were|had|was)\b|\bsuppose\b|\bimagine\b|\bhypothetically\b|\bwould (?:a|an|it|that|this) .{1,60}\b(?:be|help|work|make)\b|"
    r"\bshould i\b|如果我(?:是|有|住|换)|假如|假设|要是我|万一|我该不该|要是"
)
# To find out is to ask, also where no question mark stands: "look up what gold members get", 查查金卡有什么权益.
_INQUIRY = re.compile(
    r"\b(?:check|look up|find out|tell me|show me|explain|(?:i )?wonder(?:ing)?|curious|wants? to know|asks?|asked)\b[^.!;]{0,40}\b(?:what|which|how|whether|if|who|when|where|why)\b|"
    r"(?:查|看看|看下|看一下|问|了解|打听|搜|想知道|好奇|说说|讲讲|介绍)[^，。,;；]{0,12}(?:什么|啥|哪些|哪[个家种里]|多少|怎么|如何|是否|几[个点时号]|为何)"
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|we|my|our)\b(?! (?:wonder|want to know|need to know))|[我咱]")
_QUOTED = re.compile(
    r"^\s*(?:(?:from|发件人)\s*[:：]\s*\S+\s|on .{1,30} wrote:|【转|quote from\b|>|\[(?:quote|quoted|forwarded|引用|转发|回复)|【(?:引用|转发|回复)|(?:forwarded message|quoted|quote|fwd|转发|引用|原文|回复)\s*[:：])|-{3,}\s*forwarded",
    re.I,
)
# Somebody said, and the very words follow.
_REPORTED = re.compile(
    r"(?P<who>[^,.;，。；\n]{0,40}?)(?:\b(?:said|says|wrote|writes|posted|texted|tweeted|replied|goes|was like|reads?|message|comment|post|email|mail|status|slogan|sign)\b|"
    r"(?:说过?|写道?|发(?:的|来|了)?|问|回(?:了|复)?|留言|转(?:的|来|发)|朋友圈|原话|签名|标语|口号|广告|台词|歌词)[^，。,;；:：“\"「]{0,6})"
    r"\s*[:：,，]?\s*(?:“(?P<a>[^”]+)”?|「(?P<b>[^」]+)」?|\"(?P<c>[^\"]+)\"?|'(?P<d>[^']{6,})')"
)
# Who speaks is the user: "I told him …", 我跟教练说…; not "I read a post that says …".
_OWN_SPEECH = re.compile(
    r"(?:^|\s)(?:i|i've|we)\b(?! (?:read|saw|heard|got|found))|^\s*(?:[^我咱]{0,4})[我咱]们?(?![^，。]{0,6}(?:看|听|读|刷|收))"
)
_CHATTER = re.compile(
    r"^(?:(?:the )?user )?(?:(?:said|says|say) )?(?:hi|hello|hey|good (?:morning|evening|afternoon|night)|thanks|thank you|thx|ok|okay|bye|goodbye|see you|lol|cool|great|nice|got it)(?: there| again| all| so much| a lot| very much)*[\s!.~]*$|"
    r"^(?:用户)?(?:说|道|问候|打招呼)?(?:了)?(?:一?[声句])?(?:你好|您好|嗨|哈喽|早上好|早安|晚安|晚上好|下午好|谢谢|多谢|感谢|辛苦[了啦]?|谢|好的|再见|拜拜|哈哈+|嗯+|收到|明白|知道)(?:[呀啊了哦吗你您大家呢~！!。.]*)$|"
    r"\b(?:greeted|said (?:hi|hello|goodbye|thanks)|thanked)\b|打(?:了)?(?:个)?招呼|表示感谢|道谢|寒暄"
)
_ONE_OFF = re.compile(
    r"\b(?:user|they|he|she) (?:asked|asks|requested|requests|told)(?: (?:me|us|the agent|the assistant|you))? (?:to|for|about|how|what|why|where|when|whether|if)\b|"
    r"^(?:please )?(?:run|execute|open|show|print|list|search|find|look up|translate|summari[sz]e|fix|check|book|send|generate|calculate|convert|explain)\b"
    r"(?! (?:for|at|on) )(?!.*\b(?:is|are|was|were|has|have|takes|uses|runs|needs|at|on)\b)|"
    r"用户(?:让|要求|请求|请|想让|叫(?=我|你|助手))(?:我|你|助手|帮忙)?|用户(?:问|询问|查询|想知道)|^请?(?:帮我|帮忙|查一下|看一下)|^请(?:运行|执行|打开|查询|翻译|总结|搜索|生成)|^(?:运行|执行|打开)\s*[a-z./]"
)
_AFFIRMATION = re.compile(
    r"^\s*(?:yes|yeah|yep|yup|right|correct|exactly|sure|ok|okay|that's right|sounds good|please do|go ahead|agreed|true|indeed)(?:[ ,.!]*(?:please|exactly|it is|that works|thanks|do that|i do|correct|that's right|always|usually|definitely|absolutely|of course|every time))*[\s,.!]*$|"
    r"^\s*(?:对|是|是的|对的|没错|好|好的|可以|行|嗯|嗯嗯|确实|就这样|同意|当然)(?:[，,。！! 呀啊的]*(?:就这样|没错|对|好|行|谢谢|就是这样|这样就好|没问题|一直|总是|每次|当然|一直都?是))*[，,。！!呀啊吧]*\s*$"
)
_FORGET = re.compile(
    r"^(?:please |user (?:wants|asked) (?:to|us to|me to) )?(?:forget|delete|remove|erase)\b (?:that|about|what|my|the|it)\b|^(?:请)?(?:忘(?:记|掉|了)|删(?:除|掉)|别(?:再)?记(?:得|住|着)?)(?!我)"
)


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return fold(text).replace("’", "'").strip()


@lru_cache(maxsize=4096)
def states_change(text: str) -> bool:
    """The text says outright that something is different from now on, or was told wrongly before."""
    folded = _folded(text)
    english = _NOT_CHANGE_EN.sub(" ", folded)
    chinese = _NOT_CHANGE_ZH.sub(" ", folded)
    return bool(_CHANGE.search(english) or _CHANGE_ZH.search(chinese)) or states_correction(text)


@lru_cache(maxsize=4096)
def states_replacement(text: str) -> bool:
    """The text says that something has given way: not only that something begins, or holds from now on."""
    return states_change(_FROM.sub(" ", without_beginnings(text)))


@lru_cache(maxsize=4096)
def without_beginnings(text: str) -> str:
    """The text without what says that something new begins."""
    return _BEGINS.sub(" ", _folded(text))


@lru_cache(maxsize=4096)
def states_addition(text: str) -> bool:
    """The text says that something comes on top of what is known, and not in its place."""
    return bool(_ADDS.search(_folded(text))) and not states_replacement(text)


@lru_cache(maxsize=4096)
def states_correction(text: str) -> bool:
    """The text says that what was told before was wrong."""
    return bool(_CORRECTION.search(_WARNED.sub(" ", _folded(text))))


def is_temporary(text: str) -> bool:
    """The text is about this occasion only."""
    folded = _FROM_THIS.sub(" ", _folded(text))
    return bool(_TEMPORARY.search(folded)) or bool(_DAY.search(folded) and not _TODAY_EVENT.search(folded))


def is_lasting(text: str) -> bool:
    """The text states a lasting wish or habit."""
    folded = _folded(text)
    return bool(_LASTING.search(folded) or _FROM_THIS.search(folded)) and not re.search(
        r"\bas (?:always|usual)\b", folded
    )


@lru_cache(maxsize=4096)
def is_exclusive(text: str) -> bool:
    """The text says that it is this and nothing else: "only day shifts", 只上白班."""
    return bool(_ONLY.search(_folded(text)))


def is_bounded(text: str) -> bool:
    """The text holds until something happens: longer than a session, shorter than for good."""
    return bool(_UNTIL.search(_folded(text)))


def is_guess(text: str) -> bool:
    """The text guesses, or weighs something undecided."""
    return bool(_HEDGE.search(_POLITE_MAYBE.sub(" ", _folded(text))))


def beyond_guess(text: str) -> str:
    """What the text says beyond that something is not settled."""
    return re.sub(r"\b(?:yet|still|though)\b|还|呢", " ", _HEDGE.sub(" ", _folded(text)))


def is_plan(text: str) -> bool:
    """The text tells what somebody means to do, and sets no rule for it."""
    return bool(_PLAN.search(_folded(text))) and not is_lasting(text)


def tells_intent(text: str) -> bool:
    """The text itself says that something is wanted or to come, rather than so."""
    return bool(_INTENT.search(_folded(text)))


def is_hypothetical(text: str) -> bool:
    """The text asks or supposes, and asks for nothing to be done."""
    folded = _TAG.sub("", _folded(text))
    if _HYPOTHETICAL.search(folded):
        return True
    if _INQUIRY.search(folded) and not _FIRST_PERSON.search(folded) and not re.search(r"[，,。.;；!！]", folded[:-1]):
        return True
    return bool(_QUESTION.search(folded)) and not _REQUEST.search(folded) and not re.search(r"[.。!！;；]", folded[:-1])


def is_quotation(text: str) -> bool:
    """The text repeats somebody else's message."""
    return bool(_QUOTED.search(_folded(text)))


def reported(text: str) -> str:
    """What the text gives as the words of somebody other than the user, within quotation marks; else empty."""
    return " ".join(next(w for w in m.group("a", "b", "c", "d") if w) for m in _reports(text))


def without_reported(text: str) -> str:
    """The text without what somebody else said."""
    folded = _folded(text)
    for m in reversed(_reports(text)):
        folded = f"{folded[: m.start()]} {folded[m.end() :]}"
    return folded


def _reports(text: str) -> list[re.Match[str]]:
    return [m for m in _REPORTED.finditer(_folded(text)) if not _OWN_SPEECH.search(m["who"])]


def is_chatter(text: str) -> bool:
    """The text is a greeting, thanks or the like."""
    return bool(_CHATTER.search(_folded(text)))


def is_one_off(text: str) -> bool:
    """The text is a request for one piece of work."""
    return bool(_ONE_OFF.search(_folded(text)))


def is_bare_affirmation(text: str) -> bool:
    """The text only agrees: what it agrees with stands elsewhere."""
    return bool(_AFFIRMATION.match(_folded(text)))


def asks_to_forget(text: str) -> bool:
    """The text asks that something no longer be remembered."""
    return bool(_FORGET.search(_folded(text)))
