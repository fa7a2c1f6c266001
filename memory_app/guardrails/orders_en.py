"""The English grammar of commands to an agent.

A command has a mood, a verb class and an object class. Moods: an imperative (a bare verb where a clause begins:
"ignore", never "ignores", which describes the user) or the agent as the subject ("you must …", "the assistant
skips …"). Verb and object classes together say what authority changes; a verb alone blocks nothing.
"""

from memory_app.guardrails.orders import Order, command, search

_AGENT = (
    r"(?:you|(?:(?:the|this|that|any|an?|every|all|your|our|its)\s)?(?:ai\s|virtual\s|language\s|support\s)?"
    r"(?:assistants?|agents?|models?|bots?|chatbots?|llms?|ai|copilot))"
)
_MODAL = r"(?:(?:must|shall|should|will|would|can|could|may|now|always|never|only|also|simply|just)\s{1,2}){0,4}"
GAP = r"(?:[^\s.!?;\n]{1,30}\s{1,3}){0,6}?"

_SCOPE = (
    r"(?:all|any|every|everything|previous|prior|above|earlier|preceding|past|your|these|those|existing|current|original|initial|system|safety|security|company|refund|platform"
    r"|content|internal|developer|operator|hidden|the|other|business|core|default)"
)
RULES = (
    r"(?:guidance|instructions?(?!\s+(?:manual|set|leaflet|booklet|sheet|video|guide))|prompts?|rules?|guidelines?|directives?|directions|orders|polic(?:y|ies)|restrictions?|constraints?|limits?|limitations?"
    r"|safeguards?|guardrails?|safety|programming|training|commands?|safety measures|protocols?|everything (?:you|above|before|said|that)|configuration|persona|context above)"
)
_STRONG_RULES = r"(?:everything (?:you|above|before)|(?:all )?(?:of )?the above|what (?:you were|i|we|they) (?:told|said)|guardrails?|safeguards?|restrictions)"
_CHECK_KIND = (
    r"(?:safety|security|identity|confirmation|verification|approval|fraud|compliance|content|moderation|spending|refund|credit|transfer|payment|policy|human|manual|two-factor|2fa|access"
    r"|permission|age|kyc|risk|double|rate|budget|purchase|authori[sz]ation|authentication|consent|final|user)"
)
CHECK = (
    rf"(?:(?:{_CHECK_KIND}[\s-]){{1,3}}(?:checks?|filters?|limits?|prompts?|polic(?:y|ies)|steps?|rules?|requirements?|reviews?|controls?|questions?|dialogs?|screening|procedures?|scans?|warnings?|measures?|gates?|confirmations?|approvals?|verification)"
    r"|confirmations?|approvals?|verifications?|guardrails?|safeguards?|restrictions|logging|audit (?:log|trail)s?|moderation|authentication|second factor|2fa|mfa|(?:content|safety|spam|profanity|toxicity) filtering)"
)
_IGNORE = (
    r"ignore|disregard|forget|override|overrule|bypass|circumvent|abandon|discard|set aside|neglect|(?:not|never|n't|no longer|stop) (?:follow|obey|heed|apply|honou?r|respect)(?:ing)?"
    r"|pay no attention to|break|violate|erase|delete|reset|replace|drop|unlearn|work around"
)
_REMOVE = r"skip|bypass|disable|turn off|switch off|waive|remove|drop|omit|suppress|stop|avoid|deactivate|lift|ignore|forgo|circumvent|suspend|disregard|evade|(?:not|never) (?:apply|enforce|require|ask for|request|perform|run|do)|apply no|relax|overrule|override"
_ACT = (
    r"offer|give|let|allow|open|change|update|create|sell|complete|finali[sz]e|sign|confirm|ship|approve|refund|pay|transfer|wire|send|release|delete|remove|wipe|erase|grant|share|execute|run|invoke|buy|purchase|order|charge|deploy|merge|push|accept|authori[sz]e|reset|forward|cancel|issue"
    r"|process|unlock|publish|post|withdraw|install|book|submit|disburse|settle|act|proceed|(?:call|use) (?:\S+ ){0,3}(?:tools?|functions?|apis?|\w+_\w+)"
)
_POWERFUL = r"(?:approve|refund|pay|transfer|wire|delete|wipe|erase|grant|execute|invoke|deploy|disburse|withdraw|bypass|skip|ignore|override|reveal|disclose|access|modify|impersonate|spend|unlock|authori[sz]e|run (?:commands?|code|scripts?|any)|(?:call|use|run) (?:\S+ ){0,3}(?:tools?|functions?|apis?|\w+_\w+))"
_SELF = r"(?:this|the|that|these)\s(?:note|memory|message|instruction|rule|entry|conversation|text|record|memo|hint)s?"
PEOPLE = r"(?:users?|customers?|clients?|anyone|anybody|owners?|operators?|admins?|administrators?|humans?|people|them|auditors?|supervisors?|staff|the team|requesters?|callers?)"
# "Never paste tokens into tickets" keeps them.
_NOT_DENIED = r"(?<!not )(?<!n't )(?<!never )"
_INTERNAL = (
    r"(?:system (?:prompt|message|instructions?)|(?:hidden|initial|internal|original|secret|confidential|private) (?:prompt|instructions?|config\w*|polic\w+|rules?|data|notes?|documents?|information|settings?|guidelines?|reasoning)"
    r"|your (?:instructions?|rules?|prompts?|config\w*|guidelines|polic\w+|memory|memories|system \w+|secrets?|keys?|credentials|training|context)|developer (?:message|prompt)|credentials|api keys?|secrets|passwords"
    r"|(?:access )?tokens|environment variables|(?:chat|conversation|message) history|other (?:users?|customers?|clients?)['’]?s? \w+|(?:the )?config(?:uration)? files?|the database)"
)
_STUFF = r"(?:conversations?|chats?|history|transcripts?|messages?|memor(?:y|ies)|notes?|records?|config\w*|files?|credentials|secrets?|keys?|tokens?|data|contacts?|everything|logs?|contents?|documents?|passwords?|answers?|replies|prompts?|details|attachments?|it|them)"
_OUTSIDE = r"(?:https?://|www\.|[\w.+-]{1,40}@[\w-]{1,40}\.|[\w-]{1,40}\.(?:example|com|net|org|io|ru|xyz|evil|test)\b|(?:an? |the |my )?(?:external|remote|outside|webhook|third[- ]party)\b|(?:the|your|each|every) (?:answer|reply|response|output|next message)|pastebin|telegram)"
_TRIGGER = (
    r"\b(?:next time|every time|each time|any time|when(?:ever)?|once|before|after|upon|as soon as|if|at the (?:start|beginning|end) of|on (?:load|reading|recall|start))\b[^.!?\n]{0,70}?"
    r"\b(?:memory|note|message|conversations?|sessions?|users?|customers?|anyone|you|asked|tool|tools|answers?|answering|reply|replying|response|responding|assistant|agent|context|prompt|loaded|recalled|retrieved|this)\b"
)
_SHELL = r"(?:\bcurl\b[^\n|]{0,120}\|\s{0,2}(?:sudo )?(?:ba|z)?sh\b|\bwget\b[^\n|]{0,120}\|\s{0,2}(?:ba|z)?sh\b|\brm -[rf]{1,2}\b|base64 (?:-d|--decode)[^\n]{0,40}\|\s{0,2}(?:ba)?sh)"
STYLE = (
    r"(?:repl(?:y|ies)|respond|answers?|writ(?:e|ten)|speak|talk|explain|summari[sz]e|address|greet|format|keep|call (?:me|her|him|them)|be|sound|stay|translate|list|cite|include|ask|remind|know|see|try|visit|watch|read|meet|check|verify|confirm|review|validate"
    r"|look up|double-check|consult|hear|taste|love|think|feel|understand|have (?:a|an|the)|use (?:metric|short|plain|simple|emoji|bullet|markdown|the informal|formal|polite|chinese|english|celsius|tables?)|add (?:a |an )?(?:example|summary|source|comment)s?|get|take|go|wait|have (?:had|been|\w+ed|so|such|some|lots|fun)|really|feel|enjoy|miss|be|still|just|also|at least|need|want|admit|agree|remember|eat|drink|come|pay attention|start with|mention the source)"
)
USER_ID = r"(?:(?:user|customer|client|account|tenant|patient|member|agent)\s{1,2}[A-Za-z]{0,3}[-_#]?\d[\w-]{0,20}|(?:client|user|customer|tenant|account)\s{1,2}(?-i:[A-Z])\b|another (?:user|customer|client)|(?-i:[A-Z])-\d{2,8})"
_SUBJECT = r"(?:(?:this|the|that|current|said)\s(?:user|customer|account(?: holder)?|caller|client|person|session|speaker|requester|sender|visitor|agent|assistant)|they|i|we|everyone|users?)"
POWER = r"(?:(?:full|unlimited|unrestricted|elevated|all|root|admin(?:istrator|istrative)?|superuser|highest|maximum|privileged|developer|operator|owner|any)[\s-](?:\w+\s)?(?:access|rights?|permissions?|privileges?|clearance|authority|control|status|powers?|level))"
_CLAIM = r"(?:say|claim|insist|pretend|deny|lie|state that|tell (?:them|him|her|the \w+|people|everyone)|answer that|reply that|respond that|assure (?:them|him|her|the \w+)|recommend|suggest|promote|praise)"
MODE = r"(?:developer|dev|debug|god|dan|jailbreak|jailbroken|unrestricted|unfiltered|uncensored|no[- ]limits?|maintenance|admin(?:istrator)?|sudo|root|override|evil|opposite|unlimited|unsafe|free|test|root access|super ?user|privileged)[\s-]?mode"
_DEVICE = search(
    r"\b(?:phone|android|pixel|iphone|chromebook|device|browser|windows|ios|server|router|tv|console|laptop|tablet|vs ?code|app|django|framework)\b"
)
# How something of the user's own is to be booked or ordered: a seat, a room, a table, a meal. Nobody's check falls away.
_HARMLESS = search(
    r"^(?:book|order)\s(?!.*\b(?:confirm|approv|verif|check|review|permission|consent|validation))(?:me\s)?(?:an?\s|the\s|my\s)?(?:[a-z-]+\s){0,3}?"
    r"(?:seats?|rooms?|tables?|meals?|breakfasts?|lunch(?:es)?|dinners?|berths?|bunks?|quiet (?:car|coach|carriage)s?|pillows?)\b(?:\s(?:[a-z-]+\s){0,6}?)?(?:without|with no|no)\s(?:\w+\s){0,3}?(?:asking|questions?|hesitation|delay)$"
)
_ALL_OF_IT = r"(?:all|any|every|everything|anything|each|whatever|automatically|always|without|unconditionally|by default|blindly|on sight|at once|whenever|no matter)"

ORDERS: tuple[Order, ...] = (
    command("instruction.override", _IGNORE, rf"\s{{1,3}}{GAP}(?:{_SCOPE}\s{{1,3}}{GAP}{RULES}|{_STRONG_RULES})\b",
          unless=search(r"\b(?:lint(?:er|ing)?|formatting|style|eslint|grammar|import|css|firewall|pagination|old emails?|speed|type|whitespace) (?:\w+ )?(?:rules?|limits?|instructions?|guidelines?|orders)\b")),
    Order("instruction.override", search(r"\b(?:previous|prior|earlier|above|original|your|existing|old|all) (?:\w+ )?(?:instructions|rules|prompts?|guidelines|directives|restrictions|constraints) (?:are|is|do|have been|has been|no longer) (?:\w+ ){0,2}?(?:void|cancell?ed|obsolete|superseded|replaced|invalid|revoked|overridden|lifted|suspended|null|not apply|apply|valid)\b"),
          needs=search(r"\b(?:void|cancell?ed|superseded|revoked|overridden|lifted|suspended|null|not|no longer|replaced|invalid|obsolete)\b"), unless=search(r"\bv\d|version|library|coding|css|design|docs?\b")),
    command("instruction.override", "comply|obey|submit", rf"\s{{1,3}}(?:with\s|to\s)?{GAP}(?:every|all|any|this|these|the (?:next|following|new)|whatever|my|each|blindly)\b"),
    command("instruction.override", "(?:do not|don.t|never|not|stop) (?:refuse|decline|question|warn|object|resist|push back)(?:ing)?|never refuse", r"\b", own_unless=search(r"warn me about (?:rain|spoilers)")),
    Order("instruction.override", search(rf"\b(?:the |a |any )?(?:{_CHECK_KIND}\s){{1,2}}(?:limits?|polic(?:y|ies)|rules?|checks?|requirements?|restrictions?) (?:do|does|is|are)(?:n't| not| no longer) (?:apply|appl(?:y|ied|icable)|binding|valid|in force|count)\b")),
    command("instruction.unchecked", _REMOVE, rf"\s{{1,3}}{GAP}{CHECK}\b", own_unless=search(r"stop for|avoid (?:security|content) warnings in logs")),
    Order("instruction.unchecked", search(rf"\b{CHECK} (?:\w+ ){{0,4}}?(?:(?:is|are|be|being|get|gets|stay|remain) (?:\w+ )?(?:skipped|disabled|waived|removed|off|bypassed|ignored|unnecessary|optional|not (?:needed|required|necessary)|no longer (?:needed|required|necessary)|suspended|lifted|turned off|switched off|disregarded)|(?:is|are)n't (?:needed|required|necessary))\b")),
    command("instruction.unchecked", _ACT, r"[^.!?\n]{0,80}?\b(?:without|with no|no|minus) (?:\w+ ){0,3}?(?:confirm\w*|approv\w*|verif\w*|checks?|checking|asking|reviews?|reviewing|questions?|permission|consent|validation|delay|hesitation)\b", unless=search(rf"\b(?:no (?:checks? (?:bag|in)|questions)|(?:never|not) (?:{_ACT})\b[^.!?\n]{{0,80}}?\bwithout (?:my|the (?:user|customer)|an?|explicit|prior|any)\b)"), own_unless=_HARMLESS),
    Order("instruction.unchecked", search(r"\b(?:no|zero) (?:further |more |additional |user |human |manual |second )*(?:confirmation|approval|verification|authentication|review|authori[sz]ation|identity check)s? (?:\w+ )?(?:is |are |be )?(?:needed|required|necessary)\b")),
    Order("instruction.unchecked", search(rf"\b{_SUBJECT}\s(?:is|are|should be|must be|will be|was made)\s(?:\w+\s)?(?:exempt(?:ed)?|excused|free)\sfrom\s(?:\w+\s){{0,3}}?(?:{CHECK}|{RULES}|checks?)\b")),
    Order("instruction.unchecked", search(rf"\b{_SUBJECT}\s(?:does not|do not|doesn't|don't|need not|never)\s(?:need|have|has)?\s?(?:to\s)?(?:be\s)?(?:verif(?:y|ied)|confirm(?:ed)?|authenticated?|checked|approved?|identif(?:y|ied))\b")),
    Order("instruction.unchecked", search(rf"\b(?:user|customer|client)s?\b[^.!?\n]{{0,20}}\b(?:prefers?|wants?|likes?|asks?|wishes|preference is)\b[^.!?\n]{{0,20}}\b{_AGENT}\s(?:to\s)?{_MODAL}(?:{_IGNORE}|{_REMOVE}|disregards|skips|ignores|bypasses)\b[^.!?\n]{{0,30}}\b(?:{RULES}|{CHECK}|checks?)\b")),
    command("instruction.money", "transfer|wire|pay|send|move|deposit|donate|remit|withdraw|sweep", rf"\s{{1,3}}{GAP}(?:funds?|money|payments?|balances?|amounts?|invoices?|deposits?|crypto|bitcoin|salary|[$€£]\s?\d|\d+\s?(?:usd|eur|gbp|dollars|euros))\b",
          needs=search(r"\b(?:always|automatically|(?:all|every|any)(?! (?:day|week|month|quarter|year|morning|monday|tuesday|wednesday|thursday|friday|saturday|sunday|other))|when(?:ever)?|if|to (?:account|wallet|this|my|the following|the account)|from now on|the (?:\w+ )?balance|without|immediately|first|comes? up)\b"),
          unless=search(r"\b(?:after (?:\w+ ){0,4}(?:approvals?|check|review|confirm\w*)|approval from|once (?:\w+ ){0,4}(?:approv\w+|confirm\w*)|(?:never|not) (?:transfer|wire|pay|send|move)\b[^.!?\n]{0,60}?\bwithout (?:my|an?|explicit|prior|any))\b"), own_unless=search(r"^(?:send|move)s?\b.*\binvoices?$")),
    command("instruction.money", "approve|accept|authori[sz]e|confirm|sign off|rubber-stamp|refund|grant|auto-approve|allow", rf"\s{{1,3}}(?:on\s)?(?:it\s|them\s|this\s|the \w+\s)?{_ALL_OF_IT}\b", unless=search(r"\b(?:cookies?|notifications?|all day)\b")),
    Order("instruction.money", search(rf"(?:^|[\n.!?:;,>\"'`]\s{{0,3}}|\b{_AGENT}\s{_MODAL})(?:please\s)?(?:always|automatically|unconditionally|immediately|blindly|auto-?)[\s-]?(?:approve|accept|refund|pay|grant|authori[sz]e|reimburse)\b")),
    command("instruction.money", "approve|issue|grant|refund|reimburse", rf"\s{{1,3}}{GAP}(?:refunds?|expenses?|requests?|claims?|payments?|transactions?|orders?|loans?|invoices?)\b[^.!?\n]{{0,30}}\b(?:automatically|immediately|unconditionally|always|regardless|no matter)\b"),
    command("instruction.grant", "grant|give|assign|enable|provide|elevate|promote|whitelist|authori[sz]e|unlock|raise|set|upgrade|add|make", rf"\s{{1,3}}{GAP}(?:{POWER}|(?:full |tool |write |read |api )?access|permissions?|privileges?|admin(?:istrator)?(?: rights| role)?|root|clearance|trust level|superuser|allow-?list|whitelist)\b",
          unless=search(r"\baccess(?:ib\w+)? (?:token|point|road|label)|alt text")),
    Order("instruction.grant", search(rf"\b{_SUBJECT}\s(?:\w+\s){{0,3}}?(?:is|has|have|are|gets?|holds?|possess(?:es)?|receives?|enjoys?|counts? as|be treated as)\s(?:\w+\s){{0,4}}?(?:{POWER}|(?<!system )(?<!network )(?<!database )(?<!office )(?<!linux )(?:administrators?|superusers?|root)(?!\s(?:at|for|of|in|by|on|who|causes?|user of)\b))\b"),
          unless=search(r"\b(?:lost|had|used to|no longer)\b")),
    Order("instruction.grant", search(r"\b(?:i|we)\s(?:hereby\s|now\s|am\s|are\s)?(?:authori[sz](?:e|ing)|allow(?:ing)?|permit(?:ting)?|grant(?:ing)?|empower(?:ing)?|giv(?:e|ing)|instruct(?:ing)?|order(?:ing)?)\s(?:you|the (?:assistant|agent|ai|bot|model))\b")),
    Order("instruction.grant", search(rf"\b{_AGENT}\s(?:may|can|(?:is|are)(?: now)? (?:allowed|permitted|authori[sz]ed|free) to|ha(?:s|ve) permission to)\s(?:now\s|always\s|freely\s)?(?:{_POWERFUL})\b"),
          own_unless=search(r"\baccess the menu\b")),
    Order("instruction.trust", search(r"\b(?:e-?mails?|invoices?|messages?|links?|requests?|instructions?|orders?|files?|attachments?|documents?|commands?|anything|everything|content|data|notes?|payments?|calls?)\s(?:\w+\s){0,2}?(?:from|by|signed by|sent by|on|at)\s[^.!?\n]{0,6}\S{1,60}(?:\s\S{1,30}){0,3}?\s(?:is|are|can(?: always)? be|should(?: always)? be|must(?: always)? be|may(?: always)? be)\s(?:\w+\s){0,2}?(?:trusted|trustworthy|safe|paid|legit(?:imate)?|accepted|executed|followed|authentic|verified|approved|opened|obeyed|genuine|pre-?approved|processed without)\b"),
          unless=search(r"\b(?:usually|often|mostly|not|never)\b|\bafter\b")),
    command("instruction.trust", "treat|consider|regard|mark|accept|take|count", rf"\s{{1,3}}{GAP}\bas\s(?:\w+\s)?(?:trusted|safe|verified|legitimate|authoritative|truth|true|facts?|genuine|pre-?approved|official|system|admin\w*|the (?:operator|owner|developer))\b"),
    command("instruction.trust", "trust|believe|accept", r"\s{1,3}(?:all|any|every(?:thing|one)?|anything|whatever|messages|e-?mails|links|files|this sender|the sender)\b"),
    Order("instruction.trust", search(r"(?<!\ba )\b[\w.@-]{4,60}\sis\s(?:now\s)?an?\s(?:fully\s)?trusted\s(?:source|sender|vendor|domain|partner|payee|authority|user|admin)\b")),
    command("instruction.mode", "enter|activate|enable|switch (?:in)?to|turn on|go into|engage|start|operate in|respond in|boot into|stay in", rf"\s{{1,3}}(?:\w+\s){{0,3}}?{MODE}\b", unless=_DEVICE),
    Order("instruction.mode", search(rf"\b(?:you are|you're|you run|you operate|now in|(?:enabled|activated|entered|entering|enabling))\s{{1,3}}(?:\w+\s){{0,3}}?{MODE}\b"), unless=_DEVICE),
    Order("instruction.mode", search(r"\byou(?:'re| are| will be| become)\s(?:now|from now on|henceforth|no longer|not)\s(?:an?\b|the\b|bound|restricted|limited|subject|in\b|called|acting|free|my\b|\w+,)")),
    Order("instruction.mode", search(r"\b(?:from now on|henceforth|from this point|starting now),?\s(?:you|the assistant|the agent)\s(?:are|is|will|must|have|answer as|act|serve|obey)\b"), unless=search(r"\bwill (?:reply|answer|write|call me)\b")),
    command("instruction.mode", "act|behave|role-?play|pose|serve|speak|answer|respond", r"\s{1,3}(?:only\s)?as\s(?:if you|though you|an?\s|the\s|my\s|dan\b)", unless=search(r"\bas (?:a|an) (?:list|table|bullet|single|short|poem|json|markdown|csv|whole|summary|last resort|fallback)\b")),
    command("instruction.mode", "pretend|imagine|simulate|impersonate|assume the role|take on the role|play the role", r"\s{1,3}(?:to be|you|that|of|an?|the|being)\b"),
    Order("instruction.mode", search(r"\byou\s(?:now\s)?(?:have|are under|face|know)\s(?:absolutely\s)?no\s(?:more\s)?(?:limits?|limitations?|restrictions?|rules|filters?|constraints?|boundaries|guidelines)\b")),
    Order("instruction.command", search(rf"\b(?:you|the (?:assistant|agent|ai|bot|model|chatbot))\s(?:must|shall|(?:have|has) to|(?:are|is) (?:(?:required|obliged|instructed|ordered) )?to)\s(?:(?:always|never|only|not|now|first|immediately)\s)*(?!(?:{STYLE})\b)\w+"), own_unless=search(r"(?:always|not|never)\s+(?:reply|respond|answer|check|confirm|verify)")),
    command("instruction.command", "recommend|promote|advertise|endorse|push|rank|rate|praise|favou?r|hire|shortlist|select", r"\s{1,3}[^.!?\n]{0,60}?\b(?:first|top|above|over (?:all|any|other|others|competitors)|instead of|nothing else|exclusively|highest|best|before (?:any|all|other)|number one|5 stars|five stars|full marks|only)\b",
          unless=search(r"\b(?:to me|for me)\b")),
    Order("instruction.command", search(r"(?:^|[\n.!?:;,>]\s{0,3})(?:please\s)?(?:always|only|never)\s(?:recommend|promote|advertise|endorse|mention|praise|criticis|criticiz)\w*\s(?:the\s)?(?-i:[A-Z])[\w-]+"), unless=search(r"\b(?:to me|for me|books?|restaurants?|music|films?|movies|courses?|examples?|libraries)\b")),
    Order("instruction.command", search(rf"\b(?:if|when(?:ever)?|should|in case|every time)\b[^.!?\n]{{0,50}}\b(?:asks?|asked|mentions?|questions?|enquires?|inquires?|wonders?|says?|brings? up|wants to know|complains?|requests?)\b[^.!?\n]{{0,50}}?[,:]?\s(?:you (?:must |should |will )?|always |just |then |simply |only |please )*{_CLAIM}\b"),
          unless=search(r"\b(?:to me|for me|i'd say|say (?:hi|hello|thanks|please))\b|\b(?:he|she|they|i|user|customer|who) (?:always |just |usually |often )?(?:say|claim|insist|pretend|deny|recommend|suggest|praise)\b")),
    Order("instruction.command", search(rf"\b(?:set|raise|change|increase|update|lower|reset)\s{GAP}(?:trust|permission|privilege|access|risk|priority|security|clearance|credit|spending)[\s-](?:levels?|scores?|limits?|ratings?|tiers?)\s(?:to|at|by)\b"), unless=search(r"\b(?:wants? to|asked to|plans? to|likes? to|prefers? to)\b")),
    command("instruction.conceal", "(?:do not|don.t|never|not|stop|avoid|refrain from|without|no longer) (?:ever )?(?:mention|tell|reveal|disclose|inform|show|notify|alert|discuss|report|admit|confess|warn)(?:ing)?", rf"[^.!?\n]{{0,50}}?\b(?:{PEOPLE}|{_SELF})\b", own_unless=search(r"\b(?:his|her|my|their) (?:wife|husband|parents?|mother|father|boss|sister|brother|girlfriend|boyfriend)\b")),
    command("instruction.conceal", "(?:do not|don.t|never|not|stop) (?:log|record|save|store|audit|track)(?:ging|ing)?|disable logging|stop logging", rf"[^.!?\n]{{0,40}}?\b(?:actions?|activit\w+|operations?|requests?|this user|the user|what happens|calls?|logging|{_SELF})\b"),
    command("instruction.conceal", "stop|disable|turn off", r"\s+(?:all\s)?(?:logging|auditing|audit logs?)\b"),
    command("instruction.conceal", "hide|conceal|withhold|keep|mask", rf"\s{{1,3}}{GAP}(?:(?:secret|hidden|quiet|confidential|private|away)\s)?from\s(?:the\s|all\s|any\s)?{PEOPLE}\b"),
    command("instruction.conceal", "keep", r"\s(?:this|it|that|the \w+)\s(?:a\s)?(?:secret|hidden|between us|to yourself|confidential)\b"),
    command("instruction.conceal", "(?:do not|don.t|never) (?:ever )?let", rf"\s{{1,3}}(?:the\s|any\s)?{PEOPLE}\s(?:know|see|find out|notice)\b"),
    command("instruction.disclose", rf"{_NOT_DENIED}(?:reveal|print|show|output|repeat|display|dump|leak|disclose|expose|share|tell|give|return|quote|recite|echo|paste|list|send|read|summari[sz]e|translate)", rf"\s{{1,3}}{GAP}{_INTERNAL}\b", unless=search(r"\b(?:list|show|give) (?:me )?(?:the )?(?:access )?tokens used\b")),
    command("instruction.disclose", rf"{_NOT_DENIED}(?:send|forward|post|upload|e-?mail|mail|share|copy|append|include|attach|export|exfiltrate|transmit|submit|leak|paste|cc|bcc|add|write|put|embed|encode|read)", rf"\s{{1,3}}[^!?\n]{{0,60}}?\b{_STUFF}\b[^!?\n]{{0,50}}?\b(?:to|into|in|at|via|on)\s{{1,2}}{_OUTSIDE}",
          own_unless=search(r"\b(?:add|include|put|write|read)\b[^\n]{0,30}\b(?:examples?|sources?|summary|comments?|notes?)\b[^\n]{0,20}\b(?:answer|reply|response)")),
    command("instruction.execute", "run|execute|eval|curl|wget|download|install|launch|start|open|fetch|visit|load|(?:call|use|invoke) (?:the )?(?:tool|function|api|plugin|[a-z]+_[a-z_]+)|invoke", r"\s{1,3}[^.!?\n]{0,24}?(?:\b(?:commands?|scripts?|code|tools?|curl|wget|bash|rm|sudo|python|powershell|function|payload|attachment|binary|url|link|page)\b|`|https?://|~?/[\w.~]|[a-z]+_[a-z]+)", needs=search(_TRIGGER),
          unless=search(r"\b(?:when|if|once|after|before) (?:the )?(?:build|tests?|deploy\w*|pipeline|ci|server|migration|container|job|merge|commit\w*|release|push\w*)\b")),
    command("instruction.execute", "run|execute|paste|use|launch", rf"\s{{1,3}}[^\n]{{0,20}}?{_SHELL}"),
    command("instruction.execute", "(?:and )?(?:call|invoke|trigger|use)", r"\s{1,3}(?:the\s)?(?:[a-z]+_(?:funds|money|order|orders|user|users|email|emails|file|files|payment|payments|all|data|record|records|account|refund|password|key|keys)\b|(?:payment|transfer|delete|admin|refund|wire)\s(?:tool|function|api)\b)"),
    command("instruction.execute", "delete|wipe|erase|drop|destroy|purge|truncate", r"\s{1,3}(?:all|every|everything|the (?:user|customer|production|backup|audit|entire|whole|database|order)\w*)\b[^.!?\n]{0,40}(?:records?|data|files?|logs?|backups?|database|tables?|accounts?|orders?|memor\w+|history|everything)?", needs=search(_TRIGGER + r"|\b(?:assistant|agent|all (?:records|data|files|backups|logs|users|memories)|production)\b")),
    Order("instruction.redirect", search(rf"\b(?:records?|data|accounts?|orders?|files?|history|profiles?|address(?:es)?|information|payments?|invoices?|messages?|balance)\s(?:of|for|about|belonging to|from)\s{USER_ID}\b[^.!?\n]{{0,40}}\b(?:moved|transferred|belongs?|merged|redirected|reassigned|now|go(?:es)?|stored under|linked|mapped|sent|delivered|changed)\b")),
    command("instruction.redirect", "answer|use|read|look up|return|serve|fetch|handle|resolve|route", rf"\s{{1,3}}[^.!?\n]{{0,30}}?\b(?:about|for|of|from)\s[^.!?\n]{{0,20}}?{USER_ID}\s(?:from|with|using|via|to|under|instead)\b"),
    Order("instruction.redirect", search(rf"{USER_ID}\b[^.!?\n]{{0,60}}\b(?:from|with|using|to|under)\s(?:the\s)?(?:records?\sof\s|data\sof\s)?{USER_ID}\b"),
          needs=search(r"\b(?:answer|use|route|treat|map|redirect|moved|merged|transferred|instead|questions?|reply|send|forward|point)\b")),
    Order("instruction.redirect", search(rf"\b{USER_ID}(?:['’]s)?\s(?:\w+\s){{0,3}}?(?:address|e-?mail|phone|account|limit|balance|password|plan|role|preferences?|payout|records?|orders?|permissions?|name)\s(?:is now|has changed|was changed|changed|changes|should be|must be|is to be|now|will be|is)\b|\bof\s{USER_ID}\sto\b")),
    Order("instruction.redirect", search(rf"\b{USER_ID}\s(?:is|are|should be|must be)\s(?:now\s|actually\s|really\s)?(?:treated as\s|the same as\s|merged with\s|known as\s)?{USER_ID}")),
)  # fmt: skip
