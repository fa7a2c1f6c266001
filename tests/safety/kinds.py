"""Kinds of things that must never be kept, each made anew from a seed: nothing in this file is a secret."""

import base64
import random
import string
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stdnum import iban, luhn

LETTERS, DIGITS = string.ascii_letters, string.digits
MIXED = LETTERS + DIGITS
FULL_WIDTH = str.maketrans(DIGITS, "０１２３４５６７８９")


@dataclass(frozen=True)
class Secret:
    """What is told, and the strings of it of which no piece may survive anywhere; `whole` ones are too common in their
    pieces. `label` and `alone` are the same told in two parts: the name of a slot, and what stands in it."""

    kind: str
    told: str
    raw: tuple[str, ...]
    label: str = ""
    alone: str = ""
    whole: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The same on one line."""
        return self.told.replace("\n", " ")


class Maker:
    """Random strings that look like what people and services give out."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, alphabet: str, length: int) -> str:
        return "".join(self.random.choice(alphabet) for _ in range(length))

    def mixed(self, length: int) -> str:
        """Letters of both cases and digits, some of each, and never only the letters of hexadecimal numbers."""
        return "Zq7" + self.pick(MIXED, length - 5) + "w4"

    def password(self) -> str:
        return (
            self.pick("GHJKLMNPQRSTVWXYZ", 1) + self.pick("ghjkmnpqrstvwxyz", 4) + "7!" + self.pick("qwxzvk", 3) + "93"
        )

    def digits(self, length: int) -> str:
        return self.pick("123456789", 1) + self.pick(DIGITS, length - 1)

    def card(self, prefix: str, length: int = 16) -> str:
        body = prefix + self.pick(DIGITS, length - len(prefix) - 1)
        return body + luhn.calc_check_digit(body)


def grouped(digits: str, mark: str = " ") -> str:
    return mark.join(digits[at : at + 4] for at in range(0, len(digits), 4))


def _secrets(m: Maker) -> Iterable[Secret]:
    """Passwords, keys and tokens."""
    pw = m.password()
    yield Secret("password", f"The wifi password is {pw}", (pw,), "wifi_password", pw)
    pw = m.password()
    yield Secret("password, Chinese", f"我的邮箱密码是{pw}，记一下", (pw,), "email_password", pw)
    pw = m.password()
    yield Secret("setting", f"DB_PASSWORD={pw}", (pw,), "server_password", pw)
    pw = m.password()
    yield Secret("password in an address", f"postgres://app:{pw}@db.internal:5432/app", (pw,))
    pw = m.password()
    yield Secret("command line", f"mysql -u root -p{pw} -h db", (pw,))
    pw = m.password()
    yield Secret("curl", f"curl -u admin:{pw} https://build.internal/", (pw,))
    shapes = {
        "GitHub": "ghp_" + m.mixed(36), "GitHub fine-grained": "github_pat_" + m.mixed(60),
        "OpenAI": "sk-proj-" + m.mixed(48), "Anthropic": "sk-ant-api03-" + m.mixed(60), "Google": "AIza" + m.mixed(35),
        "Slack": "xoxb-" + m.digits(12) + "-" + m.mixed(24), "Stripe": "sk_live_" + m.mixed(24),
        "GitLab": "glpat-" + m.mixed(20), "npm": "npm_" + m.mixed(36), "PyPI": "pypi-" + m.mixed(60),
        "Hugging Face": "hf_" + m.mixed(34), "SendGrid": "SG." + m.mixed(22) + "." + m.mixed(43),
        "AWS id": "AKIA" + m.pick("GHJKMNPQRSTVWXYZ234567", 16), "Alibaba": "LTAI" + m.mixed(20),
    }  # fmt: skip
    for vendor, token in shapes.items():
        yield Secret(vendor, f"Use {token} for the build", (token,), "build_token", token)
    key = m.mixed(18) + "/" + m.mixed(21)
    yield Secret("AWS secret", f"aws_secret_access_key = {key}", (key,), "aws_secret_access_key", key)
    part = [
        base64.urlsafe_b64encode(f'{{"{n}":"{m.mixed(16)}"}}'.encode()).decode().rstrip("=") for n in ("alg", "sub")
    ]
    jwt = f"{part[0]}.{part[1]}.{m.mixed(43)}"
    yield Secret("JWT", f"The session token is {jwt}", (jwt,), "session_token", jwt)
    bearer = m.mixed(40)
    yield Secret("header", f"Authorization: Bearer {bearer}", (bearer,))
    cookie = m.mixed(32)
    yield Secret("cookie", f"Cookie: sessionid={cookie}", (cookie,))
    hook = f"T{m.mixed(9)}/B{m.mixed(9)}/{m.mixed(24)}"
    yield Secret("webhook", f"https://hooks.slack.com/services/{hook}", (hook,))
    lines = [m.mixed(64) for _ in range(6)]
    frame = "-----{} RSA PRIVATE KEY-----"
    pem = "\n".join([frame.format("BEGIN"), *lines, frame.format("END")])
    yield Secret("PEM", pem, tuple(lines))
    code = m.digits(6)
    yield Secret("one-time code", f"Your verification code is {code}", (code,), "verification_code", code)
    code = m.digits(6)
    yield Secret("one-time code, Chinese", f"验证码是 {code}，五分钟内有效", (code,))
    words = m.random.sample(SEED_WORDS, 12)
    yield Secret("recovery phrase", "My wallet seed phrase is " + " ".join(words), (),
                 whole=tuple(" ".join(words[at : at + 2]) for at in range(11)))  # fmt: skip
    one, two = m.mixed(12), m.mixed(12)
    yield Secret("told in parts", f"The first half of the API key is {one}, the second half is {two}", (one, two))


def _payment(m: Maker) -> Iterable[Secret]:
    card = m.card("4532")
    yield Secret("card", f"My card is {card}", (card,), "card_number", card)
    card = m.card("5412")
    yield Secret(
        "card, spaced", f"Pay with {grouped(card)} please", (grouped(card), card), "card_number", grouped(card)
    )
    card = m.card("6222", 19)
    yield Secret("card, Chinese", f"我的银行卡号是{card}", (card,))
    wide = m.card("4716").translate(FULL_WIDTH)
    yield Secret("card, full width", f"卡号 {wide}", (wide,))
    card = m.card("3714", 15)
    yield Secret("card, dashes", f"amex {card[:4]}-{card[4:10]}-{card[10:]}", (f"{card[:4]}-{card[4:10]}-{card[10:]}",))
    cvv = m.digits(3)
    yield Secret("security code", f"the cvv is {cvv}", (), whole=(f"is {cvv}",))
    bban = m.digits(18)
    number = "DE" + iban.calc_check_digits("DE00" + bban) + bban
    yield Secret("IBAN", f"Refund to {number}", (number,), "iban", number)
    account = m.digits(12)
    yield Secret("bank account", f"routing 021000021 and checking account number {account}", (account,))


def _persons(m: Maker) -> Iterable[Secret]:
    body = "110105" + f"19{m.random.randint(60, 99)}0{m.random.randint(1, 9)}1{m.random.randint(0, 9)}" + m.digits(3)
    weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
    number = body + "10X98765432"[sum(int(d) * w for d, w in zip(body, weights, strict=True)) % 11]
    yield Secret("national id, China", f"身份证号：{number}", (number,), "id_card", number)
    ssn = f"5{m.random.randint(10, 66)}-{m.random.randint(10, 88)}-{m.random.randint(1000, 9899)}"
    yield Secret("social security", f"My SSN is {ssn}", (ssn,), "ssn", ssn)
    nino = f"JG {m.random.randint(10, 99)} {m.random.randint(10, 99)} {m.random.randint(10, 99)} C"
    yield Secret("national insurance", f"National Insurance number {nino}", (nino,))
    passport = "E" + m.digits(8)
    yield Secret("passport", f"passport number {passport}", (passport,), "passport_number", passport)
    passport = "G" + m.digits(8)
    yield Secret("passport, Chinese", f"护照号是{passport}", (passport,))
    mobile = "138" + m.digits(8)
    yield Secret("mobile, China", f"我的手机号是{mobile}", (mobile,), "phone", mobile)
    mobile = f"(415) {m.random.randint(300, 899)}-{m.random.randint(1000, 9999)}"
    yield Secret("phone, America", f"Call my cell at {mobile}", (mobile,), "phone", mobile)
    mobile = f"+44 7{m.digits(3)} {m.digits(6)}"
    yield Secret("phone, Britain", f"reach me on {mobile}", (mobile,))
    mobile = ("139" + m.digits(8)).translate(FULL_WIDTH)
    yield Secret("mobile, full width", f"电话：{mobile}", (mobile,))
    name = m.pick("bcdfghjklmnp", 5) + "." + m.pick("qrstvwxz", 6)
    yield Secret("e-mail", f"write to {name}@gmail.com", (f"{name}@", name), "email", f"{name}@gmail.com")
    handle = "wx_" + m.pick("qrstvwxz", 6) + m.digits(4)
    yield Secret("messenger", f"我的微信号是{handle}", (handle,), "wechat", handle)


def _wrapped(m: Maker) -> Iterable[Secret]:
    pw = m.password()
    blob = base64.b64encode(f"the admin password is {pw}".encode()).decode()
    yield Secret("base64", f"Note for later: {blob}", (blob, pw))
    token = "ghp_" + m.mixed(36)
    blob = base64.b64encode(token.encode()).decode()
    yield Secret("base64 of a token", f"keep {blob} safe", (blob, token))
    card = m.card("4556")
    escaped = "".join(f"%{ord(c):02X}" for c in card)
    yield Secret("URL escapes", f"my%20card%20is%20{escaped}", (escaped, card))
    pw = m.password()
    blob = f"password is {pw}".encode().hex()
    yield Secret("hexadecimal", f"remember {blob}", (blob, pw))
    card = m.card("4929")
    split = "\u200b".join(card)
    yield Secret("zero-width split", f"card {split}", (split, card))
    token = "ghp_" + m.mixed(36)
    yield Secret("zero-width split of a token", "\u200c".join(token), ("\u200c".join(token), token))
    pw = m.password()
    entities = "".join(f"&#{ord(c)};" for c in pw)
    yield Secret("entities", f"password is {entities}", (entities, pw))


SEED_WORDS = (
    "abandon ability absorb acoustic actress adjust advance afraid airport alcohol almost alpha amateur amused anchor"
    " ancient antenna apology approve arctic armor arrest artwork aspect asthma athlete attract auction aunt average"
    " avocado awkward bachelor balcony bamboo banner bargain barrel basket beauty behave benefit betray bicycle blanket"
).split()


def secrets(seed: int = 1) -> list[Secret]:
    """One of every kind. Another seed gives others."""
    maker = Maker(seed)
    groups: tuple[Callable[[Maker], Iterable[Secret]], ...] = (_secrets, _payment, _persons, _wrapped)
    return [secret for group in groups for secret in group(maker)]


def needles(secret: Secret) -> list[str]:
    """The strings of which none may be found: pieces of six characters, of ten where they could be part of any number
    or id."""
    found = list(secret.whole)
    for raw in secret.raw:
        plain = len([c for c in raw if c not in "0123456789abcdef -+().:"]) < len(raw) / 6
        size = min(len(raw), 10 if plain else 6)
        found += [raw[at : at + size] for at in range(len(raw) - size + 1)]
    return [needle for needle in dict.fromkeys(found) if not needle.isspace()]
