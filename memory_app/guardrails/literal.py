"""Whether a word that stands where a secret would stand is the secret itself.

Placeholders, paths, names of variables, code, types and descriptions ("required", "12 characters") are not.
"""

import re

_PLACEHOLDER = re.compile(
    r"^(?:\$(?:(?-i:[A-Z_][A-Z0-9_]*$|[a-z_]+$)|\d?$|[({])|%\(|%[A-Z_]+%|\{\{|\{[\w.]*\}|<(?:[^>]*>|[A-Za-z_ -]*$)|\[[^\]]*\]|\(\D*$|\*+$|•|…|\.{2,}|_{3,}"
    r"|x{3,}(?![^\W_]*\d)|#{3,}|env[:.]|vault:|op://|secret:|arn:|ref\+"
    r"|your[-_ ]|my[-_](?![^\W_]*\d)|(?:example|sample|placeholder|redacted|masked|removed|hidden|todo|tbd)(?!\S*\d)|n/?a$|null$|none$|nil$"
    r"|true$|false$|undefined$|empty$|blank$|os\.|process\.|settings\.|config\.|self\.|this\.|secrets?\.|getenv|ENV\b)",
    re.I,
)
_PATH = re.compile(
    r"^(?:~|\.{1,2})?/[\w./-]*$|^[A-Za-z]:\\|^https?://[^\s:@]*$|^[\w./-]+\.(?:ya?ml|json|env|txt|toml|ini|pem|key|kdbx|gpg|py|js|ts)$"
)
# A name as code has it: digits stand at its end, if anywhere. `Pa(s9wor!d`, `@Tulip93x` and `Ab==` are none.
_WORD = r"_*[A-Za-z]+\d{0,3}(?:_+[A-Za-z]+\d{0,2})*_*"
_CODE = re.compile(
    rf"^(?:\w+\.)*\w+\([\w.,'\"*\[\]() =-]*$|^[A-Za-z_]\w*\[[\"'A-Za-z]|^[A-Za-z_]\w*\[$|\(\)|=>|->|^\w+\[['\"\w]*\]"
    rf"|^{_WORD}(?:(?:\.|::){_WORD})+$|^@[A-Za-z_/-]+$|^{_WORD}==(?:{_WORD})?['\"]?$"
)
_VARIABLE = re.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_NAME = re.compile(r"^_?[a-z]+(?:_[a-z]+)+_?$|^[a-z]+(?:[A-Z][a-z]+)+$|^(?:[A-Z][a-z]+){2,}$")
_MASKED = re.compile(r"[•●∙*]{3,}|\.{3,}|…|x{4,}$", re.I)
_DESCRIPTION = frozenset(
    """a an and any about always all also as at be been being but by can cannot correct changed char different default
    encrypted enough expired empty field forgotten for from good hashed here how if in incorrect invalid it its just
    kept known leaked less like long lost managed missing more must my needed never new no not now of off old on one
    only optional or our out over per policy policies private protected public required reset rotated safe same saved
    secret secure set shared short should so some something stale stored str string strong such sure text that the their
    there these they this to too type unchanged under unique unknown up used using valid very via was weak were what when
    where which with without wrong yes you your int integer bool boolean bytes varchar any optional number object
    authentication manager hint fields login logins reuse rule rules prompt prompts input generator hashing reminder
    password passwd pwd token secret key value chosen taken given broken stolen written hidden return none null raise yield await self cls data form user
    username login characters chars digits words letters symbols days minutes hours seconds months""".split()
)
_PARTICIPLE = re.compile(r"^[a-z]+(?:ed|ing|ly|able|ible|ive|less|ful|ness|tion|sion|ment)$")
_MEASURE = re.compile(
    r"^\s*(?:or more\s+|to \d+\s+|[-–~]\s*\d+\s*)?(?:characters?|chars?|letters?|digits?|symbols?|words?|bits?|bytes?|days?|weeks?"
    r"|months?|hours?|minutes?|mins?|seconds?|secs?|s\b|times?|attempts?|位|个|天|种|条|步|分钟|秒|小时|次|周|月|年|字|%|percent)", re.I
)  # fmt: skip

_METHOD = re.compile(
    r"^\s*(?:哈希|加密|散列|算法|存储|管理|校验|签名|保护|hash|encrypt|salted|protected|managed|based|algorithm)", re.I
)


def trimmed(value: str) -> str:
    """The value without the punctuation of the sentence around it."""
    value = value.rstrip(".,;:!?)]}>，。；！？、）】」』”’\"'`")
    return value if value else ""


def is_reference(value: str) -> bool:
    """True if the value only names or stands for a secret."""
    return bool(
        _PLACEHOLDER.search(value)
        or _PATH.search(value)
        or _CODE.search(value)
        or _VARIABLE.search(value)
        or _MASKED.search(value)
    )


def is_measure(value: str, after: str) -> bool:
    """True if the value counts something: "12 characters", "60 秒"."""
    return bool(re.fullmatch(r"\d{1,4}", value) and _MEASURE.match(after))


def is_literal(value: str, after: str = "", *, quoted: bool = False, minimum: int = 4) -> bool:
    """True if this is a password as such: mixed, quoted, or a bare word that describes nothing."""
    if len(value) < minimum or is_reference(value) or is_measure(value, after):
        return False
    low = value.lower()
    if low in _DESCRIPTION or _METHOD.match(after):
        return False
    if not quoted and _NAME.match(value):
        return False  # `raw_password` names a value, it is none
    if quoted or not low.isalpha():
        return not re.fullmatch(r"[\W_]+", value) and not re.fullmatch(r"[a-z]+-[a-z]+", value)
    # A bare word is a password only where the sentence ends with it.
    return not _PARTICIPLE.match(low) and re.match(r"\s*(?:$|[.,;!?\n)]|and\b|for\b)", after) is not None


def is_random(value: str, minimum: int = 16) -> bool:
    """True if the value looks generated: long, and letters and digits mixed."""
    return (
        len(value) >= minimum
        and not is_reference(value)
        and any(c.isdigit() for c in value)
        and any(c.isalpha() for c in value)
    )
