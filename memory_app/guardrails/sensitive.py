"""Facts that are allowed, but that a person should look at: health, religion, sexuality, minors.

The grammar is a predicate about a person, not the mention of a topic: "works in mental health" and "reads about
Buddhism" are no such facts, "has diabetes" and "is a Buddhist" are.
"""

import json
import re
from typing import Any

from memory_app.guardrails.normalise import plain

_CONDITION = (
    r"(?:diabet\w*|asthma\w*|cancer|tumou?rs?|hypertension|high blood pressure|depress(?:ion|ed|ive)|anxiety(?: disorder)?|"
    r"bipolar|adhd|autis\w+|hiv|aids|epilep\w+|migraines?|arthritis|dementia|alzheimer\w*|parkinson\w*|stroke|insomnia|"
    r"celiac|coeliac|crohn\w*|anorexia|bulimia|ptsd|schizophren\w+|hepatitis|tubercul\w+|infertil\w+|miscarriage|"
    r"heart (?:disease|attack|condition|failure)|chronic \w+|lactose[- ]intoleran\w+|gluten[- ]intoleran\w+)"
)
_TREATMENT = (
    r"(?:insulin|chemo(?:therapy)?|dialysis|antidepressants?|ssris?|metformin|warfarin|pacemaker|wheelchair|"
    r"psychiatrist|psychotherapist|therapist|oncologist|rehab|ivf)"
)
_HEALTH = re.compile(
    rf"\b(?:allerg(?:y|ies|ic)\b|{_CONDITION}\b|(?:takes?|taking|on|uses?|sees?|seeing|having|undergo\w*|prescribed)"
    rf" (?:\w+ ){{0,2}}{_TREATMENT}\b|pregnant|pregnancy|diagnosed with|suffers? from|medical (?:history|condition|leave)"
    r"|disabilit(?:y|ies)|blood type|blood pressure|surgery|operation on (?:his|her|their|my)|sober|alcoholic"
    r"|(?:takes?|on) (?:\w+ ){0,2}medication)"
    r"|过敏|糖尿病|高血压|心脏病|哮喘|癌|肿瘤|抑郁|焦虑症|双相|自闭症|多动症|癫痫|艾滋|乙肝|肝炎|肺结核|痛风|偏头痛|关节炎"
    r"|中风|失眠症|怀孕|孕期|备孕|流产|试管婴儿|化疗|透析|胰岛素|确诊|病史|残疾|血型|血糖|血压|吃药|服药|服用|手术|住院"
    r"|乳糖不耐|慢性病|精神科|心理医生",
    re.I,
)
_NOT_HEALTH = re.compile(
    r"\b(?:(?:works?|job|career|research|degree|startup|nurse|doctor) (?:\w+ ){0,3}(?:in|for|on|at) (?:\w+ ){0,3}$)"
    r"|(?:cancer|stroke) (?:sign|order|width)|economic depression|the great depression|surgery (?:codebase|script)",
    re.I,
)
_RELIGION = re.compile(
    r"\b(?:(?:is|as|was|became|raised|a|an|devout|practi[cs]ing|observant) (?:\w+ ){0,2}(?:muslims?|christians?|catholics?"
    r"|protestants?|jewish|jews?|buddhists?|hindus?|sikhs?|taoists?|daoists?|mormons?|atheists?|agnostics?|quakers?)\b"
    r"|(?:muslim|christian|catholic|jewish|buddhist|hindu|sikh|atheist)\b"
    r"|(?:goes to|attends?|prays? at|belongs? to) (?:\w+ ){0,3}(?:church|mosque|synagogue|temple)\b"
    r"|(?:go|going) to (?:the |a |our |my )?(?:church|mosque|synagogue|temple) (?:every|each|weekly|on \w+days?\b)|(?:go|going) to church\b(?! \w*(?:street|road|lane|avenue)\b)"
    r"|prays? (?:\w+ ){0,2}(?:daily|times a day|every)|(?:observes?|keeps?|fasts? (?:for|during)) (?:\w+ )?(?:ramadan|lent|shabbat|sabbath|kosher|halal)"
    r"|eats? (?:only )?(?:kosher|halal)|believes? in (?:god|allah|jesus)|practi[cs]es? (?:islam|judaism|buddhism|christianity|catholicism|hinduism)"
    r"|converted to (?:islam|judaism|buddhism|christianity|catholicism|hinduism)|religious beliefs?)"
    r"|(?:信|信仰|皈依|改信)(?:奉|仰)?(?:佛|基督|天主|伊斯兰|道教|犹太|印度教|东正|上帝|真主|宗教)|基督徒|教徒|穆斯林|回民|吃清真|礼佛|诵经"
    r"|无神论者|做礼拜|去教堂|清真寺|守斋|斋月|(?:是|为)(?:虔诚|居士)|受洗",
    re.I,
)
_SEXUALITY = re.compile(
    r"\b(?:gay|lesbian|bisexual|homosexual|heterosexual|asexual|pansexual|queer|transgender|trans (?:man|woman)|non-?binary"
    r"|came out (?:as|to)|sexual orientation|lgbtq?\w*\+?|same-sex)\b"
    r"|同性恋|双性恋|异性恋|性取向|性向|出柜|跨性别|变性|男同|女同|无性恋",
    re.I,
)
_AGE = r"(?:[0-9]|1[0-7]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)"
_CHILD = r"(?:son|daughter|child|children|kids?|bab(?:y|ies)|toddlers?|grandson|granddaughter|nephew|niece|twins|boy|girl|stepson|stepdaughter)"
_MINOR = re.compile(
    rf"\b(?:{_CHILD}\b[^.!?\n]{{0,40}}\b(?:{_AGE}(?:[- ]?(?:years?|yrs?|months?|weeks?))\b|aged? {_AGE}\b|(?:is|are|turns?|turned) {_AGE}\b(?! (?:km|miles|pm|am)))"
    rf"|{_AGE}[- ](?:years?|yrs?|months?|weeks?)[- ]old (?:\w+ )?{_CHILD}\b"
    rf"|{_CHILD}\b[^.!?\n]{{0,40}}\b(?:kindergarten|preschool|nursery|daycare|primary school|elementary|middle school|high school|\w+ grade)\b"
    r"|underage|a minor\b|minors\b)"
    r"|(?:儿子|女儿|孩子|小孩|宝宝|娃|外甥女?|侄子|侄女|孙子|孙女|双胞胎|弟弟|妹妹)[^。！？\n]{0,20}(?:(?<!\d)(?:\d|1[0-7])\s*(?:周?岁|个月)|[一二三四五六七八九十]{1,3}(?:周?岁|个月)|幼儿园|小学|初中|高中|[一二三四五六]年级|上学)"
    r"|(?:(?<!\d)(?:\d|1[0-7])|[一二三四五六七八九]|十[一-七]?)\s*周?岁(?:大)?的(?:儿子|女儿|孩子|小孩|宝宝|娃|弟弟|妹妹)|未成年|未满\s*18",
    re.I,
)


def sensitivity(text: str, value: Any = None) -> str | None:
    """ "health", "religion", "sexuality" or "minor" if the text, or the value that it goes with, states such a fact about
    a person, else None."""
    told = "" if value is None else json.dumps(value, ensure_ascii=False, default=str)
    read = plain(f"{text}\n{told}" if told else text).text[:50_000]
    if (match := _HEALTH.search(read)) and not _NOT_HEALTH.search(read[max(0, match.start() - 60) : match.end() + 10]):
        return "health"
    if _SEXUALITY.search(read):
        return "sexuality"
    if _RELIGION.search(read):
        return "religion"
    return "minor" if _MINOR.search(read) else None
