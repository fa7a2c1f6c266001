"""Numbers that states give to persons: national ids, social security, passports, permits, licences."""

import re
from collections.abc import Callable, Iterator
from datetime import date

from stdnum import luhn
from stdnum.au import tfn
from stdnum.be import nn
from stdnum.br import cpf
from stdnum.cl import rut
from stdnum.cn import ric
from stdnum.cz import rc
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.ie import pps
from stdnum.il import idnr as il_id
from stdnum.in_ import aadhaar, pan
from stdnum.it import codicefiscale
from stdnum.kr import rrn
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.ro import cnp
from stdnum.se import personnummer
from stdnum.tr import tckimlik
from stdnum.us import itin
from stdnum.za import idnr as za_id

from memory_app.guardrails.findings import Hit
from memory_app.guardrails.gate import Gated, gated

_DIGIT = re.compile(r"\d")
# Digits, not word boundaries: there is no boundary between a Chinese character and a digit.
_CN = gated(r"(?<!\d)[1-9]\d(?:[ \-.]?\d){15}[ \-.]?[\dXx](?![\dA-Za-z])")
_CN_OLD = gated(r"身份证[^\d\n]{0,12}([1-9]\d{14})(?!\d)")
_CN_NAMED = gated(r"身份证(?:号码?)?[^\d\n。]{0,8}?(\d(?:[ \-]?\d){16}[ \-]?[\dXx])(?!\d)")
_SSN = gated(r"(?<![A-Za-z0-9.\-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![A-Za-z0-9\-]|\.\d)")
_SSN_NAMED = gated(
    r"(?:(?<![A-Za-z0-9])ssn\b|social[ -]security|(?<![A-Za-z0-9])social\b|(?<![A-Za-z0-9])itin\b|社保号|社会安全号)[^\d\n]{0,24}?((?!000|666)\d{3}[ .\-]?(?!00)\d{2}[ .\-]?(?!0000)\d{4})(?!\d)", re.I
)  # fmt: skip
_HK = gated(r"(?<![A-Za-z0-9])([A-Z]{1,2})(\d{6})\(([0-9A])\)")
_TW = gated(r"(?<![A-Za-z0-9])[A-Z][1289]\d{8}(?![A-Za-z0-9])")
_NINO = gated(
    r"(?<![A-Za-z0-9])(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![A-Za-z0-9])"
)
_UK_LICENCE = gated(r"(?<![A-Za-z0-9])(?:[A-Z]{5}|[A-Z]{2,4}9{1,3})\d{6}[A-Z][A-Z9][\dA-Z]{3}(?![A-Za-z0-9])")
_SG = gated(r"(?<![A-Za-z0-9])[STFGM]\d{7}[A-Z](?![A-Za-z0-9])")
_PASSPORT = gated(
    r"(?<![A-Za-z0-9])passport(?: (?:number|no\.?|num|id|#|card))?(?:\s*\([^)\n]{1,20}\))?[^\d\n.;]{0,24}?(?<![A-Za-z0-9])([A-Z]{0,2}\d{6,9}[A-Z]?|(?-i:[CFGHJKLMNPRTVWXYZ])(?=[A-Z]*\d[A-Z0-9]*\d)(?-i:[A-Z0-9]{8,9}))(?![A-Za-z0-9])", re.I
)  # fmt: skip
_HAN_PASSPORT = gated(
    r"(?:护照|通行证|台胞证|回乡证|往来证|居留证|居住证|签证|军官证|士兵证|学籍号|社保号?|医保号?|驾驶证|驾照|行驶证|证件)(?:号码?|编号|卡号)?[^A-Za-z0-9\n。]{0,8}?(?<![A-Za-z0-9])([A-Za-z]{0,2}\d{6,18}[A-Za-z]?)(?![A-Za-z0-9])"
)  # fmt: skip
_LICENCE = gated(
    r"(?<![A-Za-z0-9])(?:driver'?s?'? licen[cs]e|driving licen[cs]e|dl|licen[cs]e|national (?:id|identity)(?: card)?|identity card|id card|resident permit|green card|visa|medicare|medicaid|tax (?:id|payer id))"
    r"(?: (?:number|no\.?|num|#))\s*(?:is|was|[:=#])?\s*([A-Z]{0,3}[ -]?\d[\dA-Z\-]{5,18}\d?)(?![A-Za-z0-9])", re.I
)  # fmt: skip

# "driver license D1234567": a document that only a person has needs no "number" before its number.
_LICENCE_BARE = gated(
    r"(?<![A-Za-z0-9])(?:driver'?s?'? licen[cs]e|driving licen[cs]e|national (?:id|identity)(?: card)?|identity card|id card|resident permit|green card)"
    r"\s{0,2}(?:is|was|[:=#,(-])?\s{0,2}#?((?!(?:19|20)\d{2}(?:[-./]\d{1,2}){1,2}(?!\d))(?:[A-Z]{1,3}[ -]?\d[\dA-Z\-]{5,18}|\d{7,12}[A-Z]?))(?![A-Za-z0-9])", re.I
)  # fmt: skip


def _is_sin(value: str) -> bool:
    return luhn.is_valid(re.sub(r"\D", "", value))


# Numbers of other countries: what they are called, their shape, and their check.
_BY_NAME: tuple[tuple[str, str, Callable[[str], bool]], ...] = (
    ("bsn|burgerservicenummer|sofi", r"\d{3}[ .]?\d{3}[ .]?\d{3}|\d{4}[ .]?\d{2}[ .]?\d{3}", bsn.is_valid),
    ("pesel", r"\d{11}", pesel.is_valid),
    ("tfn|tax file(?: number)?", r"\d{3} ?\d{3} ?\d{3}", tfn.is_valid),
    ("personnummer|samordningsnummer", r"(?:\d{2})?\d{6}[-+ ]?\d{4}", personnummer.is_valid),
    ("curp", r"[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d", lambda value: True),
    ("cpr|cpr-nummer|personnr", r"\d{6}[- ]?\d{4}", lambda value: True),
    ("f[øo]dselsnummer", r"\d{6} ?\d{5}", fodselsnummer.is_valid),
    ("hetu|henkil[öo]tunnus", r"\d{6}[-+A]\d{3}[0-9A-Z]", hetu.is_valid),
    ("rodn[ée] [čc][íi]slo|birth number", r"\d{6}/?\d{3,4}", rc.is_valid),
    ("tc kimlik(?: no)?|kimlik", r"\d{11}", tckimlik.is_valid),
    ("cnp", r"\d{13}", cnp.is_valid),
    ("rut|run", r"\d{1,2}\.?\d{3}\.?\d{3}-?[\dK]", rut.is_valid),
    ("pps(?:n)?|pps number", r"\d{7}[A-W][A-I]?", pps.is_valid),
    ("mykad|nric|ic number", r"\d{6}-?\d{2}-?\d{4}", lambda value: True),
    ("my ?number|individual number|マイナンバー|個人番号|个人番号", r"\d{4}[ -]?\d{4}[ -]?\d{4}", lambda value: True),
    ("medicare(?: number| no\\.?| id)?|mbi", r"\d[A-Z][0-9A-Z]\d-?[A-Z][0-9A-Z]\d-?[A-Z]{2}\d{2}", lambda value: True),
    (
        "rijksregisternummer|registre national|national register number",
        r"\d{2}\.?\d{2}\.?\d{2}[-.]?\d{3}[-.]?\d{2}",
        nn.is_valid,
    ),
    ("teudat zehut|israeli id", r"\d{9}", il_id.is_valid),
    ("sa id|south african id", r"\d{13}", za_id.is_valid),
)


_NAMED_CHECKED: tuple[tuple[Gated, Callable[[str], bool]], ...] = (
    (
        gated(r"(?<![A-Za-z0-9])(?:cpf)\b[^\d\n]{0,16}(\d{3}[. ]?\d{3}[. ]?\d{3}[- ]?\d{2})(?!\d)", re.I),
        cpf.is_valid,
    ),
    (
        gated(
            r"(?<![A-Za-z0-9])(?:SIN|[Ss]ocial [Ii]nsurance(?: [Nn]umber)?)\b[^\d\n]{0,24}(\d{3}[ -]?\d{3}[ -]?\d{3})(?!\d)"
        ),
        _is_sin,
    ),
    (
        gated(r"(?<![A-Za-z0-9])(?:aadhaar|aadhar|uid)\b[^\d\n]{0,20}(\d{4}[ -]?\d{4}[ -]?\d{4})(?!\d)", re.I),
        aadhaar.is_valid,
    ),
    (gated(r"(?<![A-Za-z0-9])(?:pan)\b[^\n]{0,16}?\b([A-Z]{5}\d{4}[A-Z])\b"), pan.is_valid),
    (gated(r"(?<![A-Za-z0-9])(?:nhs)\b[^\d\n]{0,16}(\d{3}[ -]?\d{3}[ -]?\d{4})(?!\d)", re.I), nhs.is_valid),
    (
        gated(
            r"(?<![A-Za-z0-9])(?:steuer-?id\w*|tax id|idnr|steuerliche)\b[^\d\n]{0,20}(\d{2} ?\d{3} ?\d{3} ?\d{3})(?!\d)",
            re.I,
        ),
        idnr.is_valid,
    ),
    (gated(r"(?<![A-Za-z0-9])(?:itin)\b[^\d\n]{0,16}(9\d{2}[ -]?\d{2}[ -]?\d{4})(?!\d)", re.I), itin.is_valid),
    *(
        (gated(rf"(?<![A-Za-z0-9])(?:{name})(?![A-Za-z])[^\d\n]{{0,20}}?({shape})(?![A-Za-z0-9])", re.I), valid)
        for name, shape, valid in _BY_NAME
    ),
    (gated(r"(?<![A-Za-z0-9])(\d{8}-?[A-Z])(?![A-Za-z0-9])"), dni.is_valid),
    (gated(r"(?<![A-Za-z0-9])([XYZ]-?\d{7}-?[A-Z])(?![A-Za-z0-9])"), nie.is_valid),
    (gated(r"(?<![A-Za-z0-9])([A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z])(?![A-Za-z0-9])"), codicefiscale.is_valid),
    (gated(r"(?<!\d)(\d{6}-[1-8]\d{6})(?!\d)"), rrn.is_valid),
    (gated(r"(?<![\dA-Za-z])([12] ?\d{2} ?\d{2} ?\d{2} ?\d{3} ?\d{3} ?\d{2})(?!\d)"), nir.is_valid),
)
_ORDER = re.compile(r"(?:订单|单号|流水|快递|运单|序列|批次|order|invoice|tracking|serial)[^\d\n]{0,12}$", re.I)


def _born(digits: str) -> bool:
    try:
        born = date(int(digits[6:10]), int(digits[10:12]), int(digits[12:14]))
    except ValueError:
        return False
    return date(1890, 1, 1) <= born <= date(2100, 1, 1)


def is_cn_id(value: str) -> bool:
    """True if date and check digit of an 18-character resident id are right."""
    digits = re.sub(r"[^\dXx]", "", value).upper()
    return len(digits) == 18 and _born(digits) and ric.calc_check_digit(digits[:17]) == digits[17]


def _is_hk(letters: str, digits: str, check: str) -> bool:
    values = [36] * (2 - len(letters)) + [ord(c) - 55 for c in letters] + [int(d) for d in digits]
    total = sum(v * w for v, w in zip(values, range(9, 1, -1), strict=True))
    return (total + (10 if check == "A" else int(check))) % 11 == 0


def _is_tw(value: str) -> bool:
    code = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(value[0]) + 10
    total = code // 10 + code % 10 * 9
    total += sum(int(d) * w for d, w in zip(value[1:], (8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True))
    return total % 10 == 0


def _is_sg(value: str) -> bool:
    total = sum(int(d) * w for d, w in zip(value[1:8], (2, 7, 6, 5, 4, 3, 2), strict=True))
    first = value[0]
    total += 4 if first in "TG" else 3 if first == "M" else 0
    table = "JZIHGFEDCBA" if first in "ST" else "XWUTRQPNMLK" if first in "FG" else "XWUTRQPNJLK"
    return table[total % 11 if first != "M" else 10 - total % 11] == value[8]


def find(text: str) -> Iterator[Hit]:
    """Every number of a person's identity in the text."""
    if not _DIGIT.search(text):
        return
    for m in _CN.finditer(text):
        if is_cn_id(m[0]):
            yield Hit("pii.national_id", *m.span())
    for m in _CN_NAMED.finditer(text):
        if _born(re.sub(r"[^\dXx]", "", m[1])):
            yield Hit("pii.national_id", *m.span(1))
    for m in _CN_OLD.finditer(text):
        yield Hit("pii.national_id", *m.span(1))
    for m in _SSN.finditer(text):
        if not _ORDER.search(text[max(0, m.start() - 20) : m.start()]):
            yield Hit("pii.social_security", *m.span())
    for m in _SSN_NAMED.finditer(text):
        yield Hit("pii.social_security", *m.span(1))
    for m in _HK.finditer(text):
        if _is_hk(*m.groups()):
            yield Hit("pii.national_id", *m.span())
    yield from (Hit("pii.national_id", *m.span()) for m in _TW.finditer(text) if _is_tw(m[0]))
    yield from (Hit("pii.national_id", *m.span()) for m in _SG.finditer(text) if _is_sg(m[0]))
    for m in _NINO.finditer(text):
        yield Hit("pii.national_id", *m.span())
    for pattern, valid in _NAMED_CHECKED:
        for m in pattern.finditer(text):
            if valid(m[1]):
                yield Hit("pii.national_id", *m.span(1))
    for pattern in (_PASSPORT, _HAN_PASSPORT):
        for m in pattern.finditer(text):
            yield Hit("pii.passport", *m.span(1))
    yield from (Hit("pii.licence", *m.span()) for m in _UK_LICENCE.finditer(text))
    for pattern in (_LICENCE, _LICENCE_BARE):
        for m in pattern.finditer(text):
            yield Hit("pii.licence", *m.span(1))
