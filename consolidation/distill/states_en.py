"""The English shapes of lasting facts about the user; `states` says what they have in common."""

import re

from . import people
from .choices import LANGUAGE_EN

LEAD = r"(?:(?:and|but|so|well|also|actually|honestly|fyi|by the way|btw|oh|yeah|yes|yep|right|anyway|basically|plus|then|not that it matters|to be honest|tbh|in fact|as it happens|no no|nope|no|ok|okay|you know|turns out|because|since|though|unfortunately|luckily)[,:]? )*"
_ADVERB = r"(?:always|usually|never|normally|typically|generally|often|mostly|rarely|only|also|still|just|really|now|currently|already|mainly|both|recently|finally|even|all)"
_HAS = (
    r"own|speak|teach|coach|play(?! (?:it|that|this|some music|the next))|run (?:an?|the|my|our|two|three|\d+)|manage|lead|maintain|collect|hold|drive(?! (?:me|us|there|home|you))|ride|breed|raise|rent|grow|wear|"
    r"belong|subscribe|volunteer|freelance|serve|sit on|live|work(?! (?:on|it|this|that|out|through)\b)|study|major|bank with|share (?:an?|the|my)|keep (?:an?|bees|chickens|my|two|three|\d+|all|the)|weigh|translate|moonlight"
    r"|use(?! (?:it|this|that|them|you)\b)|do (?:not |n't )?(?:yoga|pilates|crossfit|judo|karate|night shifts|shifts)|carry an?"
)
_DOING = r"(?:writing (?:an?|my|the) (?:\w+ )?(?:novel|book|thesis|dissertation|memoir|screenplay)|learning|training for|studying|preparing for (?:an?|my|the)|renovating|restoring|building (?:an?|my|our) (?:house|boat|cabin|shed)|saving (?:up )?for|recovering from|raising|expecting|caring for|doing (?:an?|my) (?:phd|master'?s?|degree|apprenticeship|course))"
_HAVE = (
    r"(?:twins|triplets|kids|children|tenants|migraines|grandchildren)\b|(?:an?|one|two|three|four|five|no|type|severe|chronic|mild|bad|my own|\d+)\s(?:[\w'-]+\s){0,3}?(?:accounts?|mortgage|car|bike|licen[cs]e|degree|phd|house|flat|apartment|garden|allotment|boat|diabetes|asthma|adhd|migraines?|eczema|arthritis|epilepsy|anxiety|"
    r"tinnitus|intolerance|phobia|pacemaker|hearing aids?|back|knees?|membership|subscription|pass|cards?|passport|visa|telescope|camera|printer|laptop|tablet|ipad|shop|business|company|studio|bakery|restaurant|farm|horses?|bees|hives|chickens|twins|kids?|children|sons?|daughters?|sisters?|brothers?|siblings|dogs?|cats?|allerg(?:y|ies)|rule|policy|routine|ritual|tradition|blood type|tattoos?|employees|staff|students|tenants?|grandchildren)\b|(?:diabetes|asthma|adhd|epilepsy|eczema|tinnitus|dyslexia|celiac|coeliac)\b"
)
_DOES = r"(?:take|drink|eat|sleep|wake|get up|go|train|swim|cycle|commute|fast|meditate|pray|run|jog|walk|hike|climb|sail|fish|paint|draw|knit|bake|brew|read|watch|listen|write|pay|travel|fly|cook|practi[sc]e|sing|dance|garden|inject|measure|start|finish|leave|shop|order|skip|avoid|meet|call|visit|do|work|play|use|have|need|make|see|stay|keep|record|publish|perform|compete|ship|sell|deliver|accept|offer|close|open|spend|save|donate|on call|off work|in the office|in class)"
HABIT = (
    r"\b(?:wake|get)(?: up)? at (?:\d|five|six|seven|half)|^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:every|each)\s(?!time you)\w+|\b(?:on|at)\s(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:week(?:days|ends|nights)|mornings|evenings|afternoons|nights)\b|\bat (?:bedtime|night|lunch|breakfast|dawn|noon)\b|\bbefore (?:bed|work|breakfast|noon|dinner)\b|\bafter (?:work|dinner|lunch|school)\b"
    r"|\b(?:once|twice|three times|four times|\d+ (?:times|days|hours|nights)) (?:a|per|every)\b|\b(?:daily|weekly|monthly|yearly|nightly|annually|by default|as a rule)\b|\bsince\s(?:\d{4}|i\b|my\b|the\b|school|childhood|college|last|january|february|march|april|may|june|july|august|september|october|november|december)|\bfor (?:the (?:last|past) )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|many|several|twenty|thirty|a few) (?:years|months|decades)\b"
    r"|\b(?:always|usually|never|normally|typically|generally|mostly|rarely|no longer)\b|^(?:i|we) only (?!need|want|have|know|just|wanted|asked)|\bany ?more\b|\bin (?:winter|summer|spring|autumn)\b|\bfrom (?:now|here) on\b"
)
_CHANGED = r"(?:quit|gave up|given up|stopped|switched (?:[\w' ]{2,40} )?to|grew up|was born in|studied|graduated|trained as|did my (?:phd|master'?s?|degree|training|apprenticeship)|(?:'ve|have) never (?:been|had|tried|learned|eaten|flown|owned|smoked)|retired|went (?:vegan|vegetarian|keto|freelance|part[- ]time|gluten[- ]free)|became an?|took up|picked up|adopted|converted to|turned (?:vegan|vegetarian|thirty|forty|fifty|sixty)|moved (?:in with|out of|back)|left (?:my job|the company|university)|inherited|bought (?:an?|our|my) (?:\w+ )?(?:house|flat|apartment|car|van|boat|farm|shop|bike)|got (?:promoted|divorced|married|engaged|hired)|have(?:n't| not) \w+ (?:\w+ ){1,4}(?:in|for|since)|don't (?:\w+ ){1,5}(?:any ?more|these days))\b"
_OWN = (
    r"mortgage|rent|salary|income|pension|blood (?:type|pressure|sugar)|shoe size|clothes size|ring size|height|weight|eyesight|prescription|glasses|car|bike|motorbike|phone|laptop|tablet|computer|keyboard|printer|router|garden|flat|house|apartment|home|landlord|doctor|gp|dentist|vet|gym|school|university|bank|insurance|insurer|"
    r"boiler|heating|time ?zone|shifts?|day off|days off|office hours|commute|hair|skin|knees?|back|liver|stomach|diet|star sign|major|degree|thesis|dissertation|instrument|band|team|club|church|visa|residence permit|driving licen[cs]e|stack|setup|machine|screen|monitor|camera|guitar|piano|kitchen|oven|freezer|balcony|allotment|parking (?:spot|space)|main (?:client|language|hobby|income)|business|shop|company|bakery|studio|dog|cat|horse"
)
_SUBJECT = r"(?P<said>(?:(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?,? |most (?:days|mornings|evenings),? |in (?:winter|summer|spring|autumn),? )?(?:i|we)(?:'ve|'m|'re)?(?: have| am| are)?"
FACT = re.compile(rf"^{LEAD}{_SUBJECT}(?:,? {_ADVERB})* (?:{_HAS}|{_DOING})\b(?P<v> [^?\n]{{2,120}}))$", re.I | re.A)
HAVE = re.compile(
    rf"^{LEAD}(?P<said>(?:i|we)(?:'ve got| have(?: got)?| also have| only have| still have) (?:{_HAVE})[^?\n]{{0,100}})$",
    re.I | re.A,
)
DOES = re.compile(
    rf"^{LEAD}{_SUBJECT}(?:,? {_ADVERB})*(?: don't| do not| can't)? (?:{_DOES})\b(?P<v> [^?\n]{{2,120}}))$",
    re.I | re.A,
)
CHANGED = re.compile(
    rf"^{LEAD}(?P<said>(?:(?:i|we)(?:'ve| have)?(?:,? {_ADVERB})* )?{_CHANGED}(?P<v>[^?\n]{{2,120}}))$", re.I | re.A
)
OWN = re.compile(
    rf"^{LEAD}(?P<said>(?:my|our) (?:[\w'-]+ )?(?:{_OWN}|{LANGUAGE_EN})(?:,? (?-i:[A-Z])[a-z]+,?)?(?:'s(?= an? )|(?:'s)? (?:is|are|has|have|runs?|costs?|ends?|starts?|opens?|closes?|takes?|was|comes?|sits?|faces?|floods?|weighs?|needs?))(?![\w'])(?P<v> [^?\n]{{1,100}}))$",
    re.I | re.A,
)
_WHICH = r"(?:coeliac|celiac|diabetic|vegan|vegetarian|deaf|blind|colou?r[- ]?blind|pregnant|retired|widowed|divorced|married|single|left[- ]handed|lactose[- ]intolerant|gluten[- ]free|dyslexic|autistic|hard of hearing|asthmatic|epileptic|teetotal|(?:more of )?an? (?:morning person|night person|night owl|early bird|introvert|extrovert|carrier)|a (?:\w+ )?(?:nurse|teacher|doctor|engineer|student|lawyer|carpenter|pilot|chef|farmer|pensioner|widower?|vegan|vegetarian))\b"
IS = re.compile(
    rf"^{LEAD}(?P<said>(?:i'm|i am|i was born|i've been|he's|he is|she's|she is|(?:my |our )?[a-z]+(?: is|'s)) (?:{_ADVERB} |strictly |mildly |severely |slightly )*{_WHICH}[^?\n]{{0,60}})$",
    re.I | re.A,
)
TEAM = re.compile(
    rf"^{LEAD}(?P<said>(?:our team|my team|my company|our company|our office|our department|our family|at (?:work|home|our (?:office|company|place)),? we) (?:{_ADVERB} )*(?:uses?|meets?|releases?|deploys?|ships?|works?|has|have|runs?|reviews?|writes?|doesn't|don't|closes?|opens?|plans?|pays?|eats?|speaks?|books?) [^?\n]{{3,100}})$",
    re.I | re.A,
)
_KIN = "|".join(en for _, en in people.RELATIONS.values())
_KIN_DOES = (
    rf"(?:(?:is|are|was|has been) (?:also |a bit |very |severely )?{_WHICH}|(?:is|are) (?:an? |in (?:year|grade|the \w+ grade)|\d+\b|from |afraid of |scared of )|(?:has|have) (?:{_HAVE})"
    r"|(?:lives?|works?|studies|study|attends?|goes to|go to|starts? (?:school|university|college|nursery|work)|teaches|plays?|speaks?|runs?|owns?|was born|turns \d+|retired|can't (?:eat|drink|walk|hear|see|stand)|needs? (?:an? |his |her |their |insulin)|takes? (?:insulin|medication|an? )|comes? from|grew up)\b)"
)
KIN = re.compile(
    rf"^{LEAD}(?:my|our) (?:old |late |new )?(?:{_KIN})(?:,? (?-i:[A-Z])[a-z]+,?)? (?P<said>(?:{_ADVERB} )*{_KIN_DOES}[^?\n]{{0,90}})$",
    re.I,
)
POINTS = re.compile(
    r"^\s*(?:it|this|that|these|those|them|here|there|one|him|her|us|you|to|so|too|well|fine|ok|okay|out|up(?! at| early| before)|off|away|back|something|anything|everything|nothing|what|how|why)\b(?! (?:the gym|yoga|bed|church|school|work|sleep))",
    re.I | re.A,
)
PASSING = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|right now|this (?:morning|afternoon|evening|week|month|time|one)|last (?:night|week|month)|in a (?:minute|moment|bit)|soon|next (?:week|month)|you|your|please|help|question|issue|problem|error|bug|build|tests?|crash\w*|fail\w*|trying|looking|wondering|just now|chapter|page|step|draft)\b",
    re.I | re.A,
)
MOODY = re.compile(
    r"\b(?:feels?|feeling|happy|sad|excited|proud|grateful|thankful|love|hope|wish|guess|think(?! in\b)|amazing|awesome|wonderful|great time|fun|inspir\w+|journey|memories|support(?:ive)? (?:you|each)|passion\w*|tough|stress\w*|hard|nice|cool|beautiful|peace|joy|calm\w*|happiness|stands? for|represent\w*|symboli\w+|believes?|way of \w+ing)\b",
    re.I | re.A,
)

#: Says something of its own, however it begins.
OWN_SUBJECT = re.compile(
    r"^(?:and|since|because|after|before|when|in|on|at|for|from) (?:[\w'-]+ ){0,8}(?:i|we|my|our)\b", re.I | re.A
)
GOES_ON = re.compile(
    r"^(?:and (?!i\b|my\b|we\b|then\b|so\b|you\b)|with|at|on|in|for|from|except|but not|only|mostly|usually|both|one|two|three|every|each|since|because|after|before|without|no|due|about|roughly|opens|closes|paid)\b",
    re.I | re.A,
)

STATES = (FACT, HAVE, OWN, CHANGED, IS, TEAM, KIN)
