"""Payment data: card numbers with a right check digit, security codes, IBANs and bank accounts."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from stdnum import iban, luhn

from memory_app.guardrails.findings import Hit, by_record
from memory_app.guardrails.gate import gated, held
from memory_app.guardrails.opaque import without_opaque

# Digits with at most one or two separators between them, glued to anything but letters and digits of ASCII.
_DIGITS = gated(r"(?<!\d)(?<!\d\.)(?<![A-Za-z])\d(?:[ \t.\-_/·•\u2010-\u2015]{0,3}\d){12,18}(?![\d])(?![ .\-]?\d)")
_GLUED = gated(r"(?<!\d)(?<!\d\.)\d{13,19}(?!\d)")
_GROUP = re.compile(r"(?<!\d)(?<!\d\.)\d+")
_BETWEEN = re.compile(r"[^0-9A-Za-z\u3400-\u9fff]{1,5}")
#: The digits of the shortest card number.
_SHORTEST = 13
_GROUPED = {(4, 4, 4, 4), (4, 4, 4, 4, 1), (4, 4, 4, 4, 2), (4, 4, 4, 4, 3), (4, 6, 5), (4, 6, 4), (6, 13), (8, 8)}
_FOUR_BEFORE = re.compile(r"(?<!\d)\d{4}[^0-9A-Za-z\u3400-\u9fff]{1,5}\Z")
_FOUR_AFTER = re.compile(r"[^0-9A-Za-z\u3400-\u9fff]{1,5}\d{4}(?!\d)")
_CONTEXT = re.compile(
    r"(?<![A-Za-z])cards?(?:no|num|number)?(?![A-Za-z])|visa|master ?card|amex|american express|discover|credit|debit|卡号|银行卡|信用卡|储蓄卡|借记卡|这张卡|卡",
    re.I,
)
_CARD_OR_CODE = gated(
    rf"{_CONTEXT.pattern}|\b(?:signature|digits|pay(?:s|ing|ment)?|checkout|online)\b|签名|付款|支付", re.I
)
_NUMBERED = r"\s*(?:号|号码)?\s*(?:number|no\.?|id|#|s)?\s*(?:is|was|are|[:=#]|是|为)?\s*$"
_OTHER_NUMBER = re.compile(
    r"(?:(?<![A-Za-z])(?:orders?|tracking|parcel|shipment|serial|invoice|ticket|meter|imei|part|sku|isbn|timestamp|epoch|millis|trace|request|transaction|ref(?:erence)?|build|id)"
    rf"|订单|单号|快递|运单|流水|序列|编号|时间戳|表号|设备|追踪|发票|票号){_NUMBERED}", re.I
)  # fmt: skip
# Numbers of goods that are as long as a card's and can pass its check; nobody writes them in groups of four.
_GOODS_NUMBER = re.compile(
    rf"(?:(?<![A-Za-z])(?:orders?|tracking|waybill|parcel|shipment|serial|invoice|imei|isbn|meter)|订单|单号|快递|运单|流水|序列|追踪|发票|票号|表号){_NUMBERED}", re.I
)  # fmt: skip
# Three digits or four, also told one by one: "4 1 7".
_CODE = r"(?:\d{3,4}|\d(?:[ .,、\-]{1,2}\d){2,3})"
_CVV = gated(
    r"(?:(?<![A-Za-z0-9])(?:cvv2?|cvc2?|cid|csc)(?![A-Za-z0-9])(?:\s*(?:code|number|码))?|card (?:verification|security) (?:code|value|number)|security code(?: on (?:the|my|his|her) (?:back|card|amex|visa))?"
    r"|(?:three|3|four|4)[ -]digits? (?:code )?on the (?:back|front)|(?:digits|code|number) on the back(?: of (?:the|my|his|her) card)?"
    r"|安全码|卡?背[面后]的?(?:那)?(?:三|3|四|4)位(?:码|数字?|数)?|卡片?验证码|信用卡验证码|后三码|末三码|背面(?:的)?(?:安全)?码)"
    r"(?:\s+(?:for|of|on)\b[^\n.;:\d]{1,30})?[\s_]*(?:is|was|are|reads|[:=#]|是|为|写着)?\s*[:：]?\s*[\"'“]?"
    rf"({_CODE})(?![\d])(?!\s*(?:位|天|digits|days|characters))", re.I
)  # fmt: skip
# What is only called a code is the card's own when it is told right after the card's number.
_CODE_BESIDE = re.compile(
    r"(?<![a-z])(?P<kind>[a-z]+ )?(?:code|digits)\b\s*(?:is|was|are|[:=#])?\s*(?P<en>\d{3,4})(?![\d])"
    r"|(?P<sort>[\u4e00-\u9fff]?)码\s*(?:是|为|[:：])?\s*(?P<zh>\d{3,4})(?![\d])", re.I
)  # fmt: skip
_OTHER_CODE = re.compile(
    r"(?:zip|postal|post|area|country|promo|discount|coupon|booking|error|dress|sort|dial|bar|城|区|编|尺|条|优|惠|扣)\s*$",
    re.I,
)
# A card's code by where it stands: "the three by the signature", 反面末尾那三个数.
_SIDE = re.compile(
    r"\b(?:back|front|reverse|flip side|rear|signature(?: (?:strip|panel))?)\b|背[面后]|反面|签名条?|正面|卡后", re.I
)
_FEW = re.compile(r"\b(?:three|four|3|4|digits?|numbers?|figures?)\b|[三四34]\s?(?:位|个)|数字?|号", re.I)
_FEW_DIGITS = re.compile(
    rf"(?<![A-Za-z0-9_.#/+\-,])(?<!\d:)(?<!\d[ ]){_CODE}(?![ ]?\d)(?![A-Za-z0-9_/:%\-]|\.\d|,\d{{3}}(?!\d)|\s?(?:元|块|年|月|天|人|%|euros?|dollars?|pounds?|am|pm|pages?|people|days))",
    re.I,
)
_IBAN = gated(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \-]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])")
_IBAN_GLUED = gated(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}[A-Z0-9]{11,30}")
_ACCOUNT = gated(
    r"(?<![A-Za-z0-9])(?:routing|aba|sort code|bsb|transit|(?:bank |checking |savings |current |deposit |giro )?(?:account|acct|a/c)|iban|wire to|deposit to)"
    r"\s*(?:number|num|no\.?|nr\.?|code|#|ending)?\s*(?:is|was|[:=#])?\s*(\d(?:[ \-]?\d){5,19})(?![\d])"
    r"|(?<![A-Za-z0-9])(?:bank|building society|credit union|savings|routing|sort(?: code)?|bsb|wire|deposit|payroll|landlord)\b[^\n.;]{0,60}?\b(?:number|no\.?|nr\.?|sort|code|account)\s*(?:is|was|[:=#])?\s*(\d(?:[ \-]?\d){5,19})(?![\d])", re.I
)  # fmt: skip
# What a bank account or its address is called elsewhere.
_BY_NAME = gated(
    r"(?<![A-Za-z0-9])clabe\b[^\d\n]{0,16}(\d(?:[ -]?\d){17})(?!\d)|(?<![A-Za-z0-9])upi\b(?:\s(?:id|handle|address))?\s?(?:is|:|=)?\s?([\w.-]{3,64}@[a-z]{3,16})(?![\w.])",
    re.I,
)
_BANKING = gated(
    r"(?<![A-Za-z0-9])(?:bank|routing|aba|ifsc|clabe|upi|sort code|bsb|checking|savings|wire|ach|iban|swift|deposit|payroll|direct debit|refunds?|reimburse\w*|transfer|beneficiary|barclays|hsbc|chase|lloyds|wells fargo)\b",
    re.I,
)
_HAN_ACCOUNT = gated(
    r"(?:卡号|银行卡号?|账号|帐号|账户|帐户|户头|收款账?号?|对公户?|打到|打款到|转到|转账到|汇到|汇款到|存折号?|工资卡|储蓄卡|借记卡|信用卡|[工农建招交中浦]行卡?)"
    r"[^\d\n。；]{0,16}?(\d(?:[ \-]?\d){7,22})(?!\d)"
)  # fmt: skip
_HAN_BANKING = re.compile(
    r"银行|开户|对公|收款|打款|打到|转账|转到|汇款|汇到|工资卡|储蓄卡|借记卡|信用卡|卡号|报销|[工农建招交]行|支行|存折|户名"
)
_NETWORKS = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11,16}"
    r"|(?:6011|64[4-9]\d|65\d\d)\d{12,15}|35(?:2[89]|[3-8]\d)\d{12,15}|62\d{14,17}|81\d{14,17}|220[0-4]\d{12,15}|(?:5[0678]|6[0-9])\d{11,17}|9558\d{12,15}"
)  # fmt: skip
_WEAK_NETWORKS = re.compile(r"(?:5[0678]|6(?!2|011|4|5))\d{11,17}|4\d{12}|3[689]\d{12,17}|81\d+|9558\d+")


def is_card(digits: str) -> bool:
    """True if the digits are a number that a card network could have issued."""
    return bool(_NETWORKS.fullmatch(digits)) and luhn.is_valid(digits) and len(set(digits)) > 1


def find(text: str) -> Iterator[Hit]:
    """Every piece of payment data in the text."""
    yield from by_record(_find, without_opaque(text))


def _find(text: str) -> Iterator[Hit]:
    cards = list(_cards(text))
    yield from cards
    for card in cards:
        yield from _code_beside(text, card)
    for m in _CVV.finditer(text):
        yield Hit("payment.cvv", *m.span(1))
    yield from _code_by_place(text)
    for pattern in (_IBAN, _IBAN_GLUED):
        for m in pattern.finditer(text):
            yield from _iban(m)
    # The number of a card is a card, whatever the words before it call it.
    yield from (hit for hit in _accounts(text) if not any(c.start < hit.end and hit.start < c.end for c in cards))


def _code_beside(text: str, card: Hit) -> Iterator[Hit]:
    for m in _CODE_BESIDE.finditer(text, card.end, min(len(text), card.end + 40)):
        if not _OTHER_CODE.search(m["kind"] or m["sort"] or ""):
            yield Hit("payment.cvv", *m.span("en" if m["en"] else "zh"))


def _code_by_place(text: str) -> Iterator[Hit]:
    if not _CARD_OR_CODE.search(text):
        return
    for m in _FEW_DIGITS.finditer(text):
        before = re.split(r"[.!?](?=\s)|[\n。！？；]", text[max(0, m.start() - 70) : m.start()])[-1]
        after = re.split(r"[.!?](?=\s)|[\n。！？；]", text[m.end() : m.end() + 30])[0]
        if _SIDE.search(f"{before} {after}") and _FEW.search(before):
            yield Hit("payment.cvv", *m.span())


def _cards(text: str) -> Iterator[Hit]:
    if held(text).digits < _SHORTEST:
        return
    for pattern in (_DIGITS, _GLUED):
        for m in pattern.finditer(text):
            digits = re.sub(r"\D", "", m[0])
            before = text[max(0, m.start() - 40) : m.start()]
            named = bool(_CONTEXT.search(before)) or bool(_CONTEXT.search(text[m.end() : m.end() + 12]))
            if is_card(digits):
                goods = m[0].isdigit() and bool(_GOODS_NUMBER.search(before))
                if named or not (goods or _WEAK_NETWORKS.fullmatch(digits)):
                    yield Hit("payment.card", *m.span())
            elif named and luhn.is_valid(digits) and not _OTHER_NUMBER.search(before) and len(set(digits)) > 1:
                yield Hit("payment.card", *m.span())
    yield from _in_groups(text)


def _in_groups(text: str) -> Iterator[Hit]:
    """Cards whose groups anything but letters stands between: line ends, quotes, pictures."""
    groups = [m.span() for m in _GROUP.finditer(text)]
    contexts = [m.span() for m in _CONTEXT.finditer(text)]
    ends = [end for _, end in contexts]
    for first, (start, end) in enumerate(groups):
        if end - start > 8 or text[start] not in "234568":
            continue
        place = bisect_right(ends, start) - 1
        named = place >= 0 and contexts[place][0] >= start - 40
        if not named and end - start not in (4, 6, 8):
            continue
        digits, sizes = text[start:end], [end - start]
        for (_, left), (right, end) in pairwise(groups[first : first + 19]):
            if not _BETWEEN.fullmatch(text, left, right) or len(digits) + end - right > 19:
                break
            digits += text[right:end]
            sizes.append(end - right)
            if len(digits) < 13 or _WEAK_NETWORKS.fullmatch(digits) or not is_card(digits):
                continue
            if named or (tuple(sizes) in _GROUPED and not _goes_on(text, start, end)):
                yield Hit("payment.card", start, end)
                break


def _goes_on(text: str, start: int, end: int) -> bool:
    """True if the groups are part of a longer column of numbers of four digits."""
    return bool(_FOUR_BEFORE.search(text, max(0, start - 10), start) or _FOUR_AFTER.match(text, end))


def _iban(m: re.Match[str]) -> Iterator[Hit]:
    # Words after a spaced IBAN can look like part of it: try shorter spans too.
    value = m[0]
    for end in range(len(value), 14, -1):
        if end < len(value) and value[end].isalnum() and value[end - 1].isalnum() and " " in value:
            continue
        compact = re.sub(r"[ \-]", "", value[:end]).upper()
        if len(compact) < 15:
            return
        if iban.is_valid(compact, check_country=False):
            yield Hit("payment.iban", m.start(), m.start() + end)
            return


def _accounts(text: str) -> Iterator[Hit]:
    if _BANKING.search(text):
        for m in _ACCOUNT.finditer(text):
            yield Hit("payment.account", *m.span(1 if m[1] else 2))
    for m in _BY_NAME.finditer(text):
        yield Hit("payment.account", *m.span(1 if m[1] else 2))
    if _HAN_BANKING.search(text):
        for m in _HAN_ACCOUNT.finditer(text):
            near = text[max(0, m.start() - 30) : m.end()]
            if _HAN_BANKING.search(near) and not re.search(r"订单|快递|运单|流水号|手机|电话", m[0]):
                yield Hit("payment.account", *m.span(1))
