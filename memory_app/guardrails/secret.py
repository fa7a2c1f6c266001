"""Secrets: keys and tokens by their shape, and passwords, codes and cookies by what is said about them."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from memory_app.guardrails import entered, keys, passwords, told
from memory_app.guardrails.findings import RECORD, Hit
from memory_app.guardrails.gate import Gated, gated
from memory_app.guardrails.literal import is_literal, is_measure, is_random, is_reference, trimmed

# Shapes that the detectors of detect-secrets lack, or of which they see only a prefix.
_TOKEN = gated(
    r"(?<![A-Za-z0-9])(?:"
    r"github_pat_[A-Za-z0-9_]{20,255}|gh[pousr]_[A-Za-z0-9]{20,255}|gl(?:pat|ptt|dt|rt|soat|cbt)-[\w-]{16,}"
    r"|sk-(?:proj|ant|svcacct|admin|or|live|test)[-_][\w-]{12,}|sk-[A-Za-z0-9]{20,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}"
    r"|AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[\w-]{30,}|hf_[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}"
    r"|xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])|LTAI[A-Za-z0-9]{12,}|AKID[A-Za-z0-9]{13,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|dop_v1_[a-f0-9]{32,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,}|sq0(?:atp|csp)-[\w-]{20,}|EAAC[A-Za-z0-9]{20,}"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?|\d{8,10}:AA[\w-]{30,}|dckr_pat_[\w-]{20,}|glsa_[\w-]{20,}|lin_api_[A-Za-z0-9]{20,}|ntn_[A-Za-z0-9]{20,}"
    r"|cpk_[\w-]{30,}|AGE-SECRET-KEY-1[A-Z0-9]{20,}|hvs\.[\w-]{20,}|vercel_[\w]{20,}|secret_[A-Za-z0-9]{32,}|r8_[A-Za-z0-9]{20,}|tvly-[\w-]{16,}|pplx-[\w-]{20,}"
    r")"
)
_NAMES = re.compile(r"[a-z]+(?:[_-][a-z]+)+")
_WEBHOOK = gated(
    r"https://(?:hooks\.slack\.com/(?:services|workflows)/|discord(?:app)?\.com/api/webhooks/|oapi\.dingtalk\.com/robot/send\?access_token="
    r"|open\.(?:feishu|larksuite)\.(?:cn|com)/open-apis/bot/v2/hook/|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=)[\w/=&-]{16,}"
)
# What a network's QR code says.
_WIFI_CODE = gated(r"\bWIFI:(?:[TSHR]:[^;\n]{0,64};){0,4}P:([^;\n]{3,64});", re.I)
_PRIVATE_KEY = gated(
    r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----[\sA-Za-z0-9+/=:,.\\-]{0,8000}?"
    r"(?:-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|(?=[^\sA-Za-z0-9+/=:,.\\-])|\Z)"
)
_PUTTY_KEY = gated(r"PuTTY-User-Key-File-\d:[^\x00]{0,4000}?Private-Lines:[\s\dA-Za-z+/=]+")
_URL = gated(
    r"(?<![A-Za-z0-9])[a-z][a-z0-9+.\-]{1,20}://([^\s/:@?#'\"<>]{0,80}):([^\s/@'\"]{1,128}(?:@(?=[^\s/@]*@)[^\s/@'\"]{1,64})?)@[\w\[.{$<-]",
    re.I,
)
_QUERY = gated(
    r"[?&;](?:access_token|auth_token|token|api_?key|apikey|key|secret|client_secret|password|passwd|pwd|sig|signature|x-amz-signature|x-amz-security-token|sas)"
    r"=([^\s&#'\"<>]{6,512})", re.I
)  # fmt: skip
_WORD = r"(?:(?:magic|secret|safe|code) ?word|watchword|pass ?(?:word|code|phrase|wd|key)s?|(?:admin|root|db|login|user|wi-?fi|account|temp|e-?mail|server|portal|vpn|laptop) pass|pwd|passwd|(?<![a-z])pw)"
_ASSIGNED = gated(
    r"(?<![A-Za-z0-9])([\"']?[\w.\-]{0,40}?"
    r"(password|passwd|passphrase|passcode|pwd|(?<![a-z])(?:pass|pw)(?![a-z])|(?-i:(?<=[a-z])P(?:ass|w)(?![a-z]))|secret[_-]?(?:access[_-]?)?key|client[_-]?secret|secret|api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?"
    r"|account[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|bot[_-]?token|token|credentials?)"
    r"[\w\-]{0,12}[\"']?)\s{0,3}(?::=|=>|=(?!=)|:(?!:))\s{0,3}([\"'`]?)([^\s\"'`,;]{3,4096})", re.I
)  # fmt: skip
_ASSIGNING = gated(r"(?:pass|pwd?|secret|key|token|credential)[^\n:=]{0,32}[:=]", re.I)
_STATED = gated(
    rf"(?<![A-Za-z0-9])(?:{_WORD}|PIN(?: code| number)?|pin (?:code|number|is)|(?:unlock|door|gate|alarm|entry|access|lock|safe|lockbox|garage|keypad) (?:code|combination|pin)|code (?:to|for|of|on) (?:the |my |his |her |our |their )?(?:\w+ )?(?:lock ?box|gate|door|safe|garage|building|alarm|apartment|flat|house|office|locker|entrance|keypad|room|bike|phone|sim|vault|shed|store)|combo|combination)"
    r"(?:\s+(?:for|to|of|on|at|in|used|there)\b[^\n.;:!?=]{1,50}?)?(?:\s*\([^)\n]{1,30}\))?"
    r"(?:\s*(?:[:=]|=>|->|→)|(?:,\s?(?:(?:and|so)\s)?(?:it|that|this|which))?(?:(?:\s+(?:still|now|currently))?\s+(?:is|was|are|be|stays|reads|became|becomes)\b|'s\b)|(?<=\bis)"
    r"|\s+(?:has been\s+|was\s+|is\s+)?(?:changed|set|reset|updated|rotated)\s+(?:to|as)\b)"
    r"(?:\s*(?:still|now|currently|simply|just|always|actually|again|:|set to|called))?\s*"
    r"([\"'`“‘]?)([^\s\"'`“”‘’,;]{3,128})", re.I
)  # fmt: skip
_STATED_BEFORE = gated(
    rf"(?<![^\s\"'`“(])([\"'`“]?)([^\s\"'`“”,;:]{{4,128}})[\"'`”]?\s+(?:is|was|as)\s+(?:the|my|his|her|their|our|a)\s+(?:[\w'-]+\s+){{0,3}}?(?:{_WORD}|PIN|(?:api|secret|access|private|license) key|access token)\b"
    r"(?!\s+(?:manager|policy|rule|field))", re.I
)  # fmt: skip
_PASSPHRASE = gated(
    r"(?<![A-Za-z0-9])(?:pass ?(?:phrase|word)|wi-?fi (?:key|password))(?:\s+(?:for|to|of|on)\b[^\n.;:]{1,40}?)?\s*(?:is|was|:|=)\s*"
    r"(?:[\"“'`]([^\"”'`\n]{6,120})[\"”'`]|((?:[a-z]{3,10}[ -]){3,7}[a-z]{3,10})(?=\s*(?:$|[.,;\n])))", re.I
)  # fmt: skip
_HAN_WORD = r"(?:密码|授权码|访问码|门禁码|口令|暗号|密匙|密钥|秘钥|通行码|开机码|解锁码|(?:投屏|配对|连接|入网|热点)码|requirepass|passphrase|passcode|PIN ?码?|(?<![A-Za-z])pin|pwd|password|passwd|token|secret|api ?key)"
_HAN_LINK = r"\s*(?:[:=]|,\s?(?:它|这个)?就?是|(?:一直|现在|目前|还|仍|仍然|都|就|暂时)?(?:是|为|叫|[用设配填写定]的是|用|改成|改成了|改为|改为了|设为|设成|设置为|设置成|换成|换成了|换为|重置为|重置成|变成)[:：]?)\s*"
_HAN_STATED = gated(
    rf"{_HAN_WORD}(?:\([^)\n]{{1,20}}\))?{_HAN_LINK}([\"'`“‘「『]?)([!-&(-+\--:<-_a-~]{{3,128}})", re.I
)  # fmt: skip
_HAN_BARE = gated(
    r"(?:密码|口令|密钥|秘钥|暗码|门禁码|访问码|开锁码|解锁码|取件码|PIN码)\s{0,2}([!-&(-+\--:<-_a-~]{4,128})"
)
_HAN_COLON = gated(r"密码[\u4e00-\u9fff]{1,8}[:：]\s{0,2}([!-&(-+\--:<-_a-~]{4,128})")
_APPOSED = gated(
    r"(?:(?<![A-Za-z0-9])(?:password|passcode|passphrase|pin)|密码|口令)\s{0,2}[,，(（-]\s{0,2}[\"'`“]?([^\s\"'`“”,，;；()（）]{6,64})",
    re.I,
)
_HAN_PHRASE = gated(
    r"(?:密码|口令|暗号|暗语)词?(?:是|为|设为|改成|改为|:)\s*(?:[“\"「『‘']([^”\"」』’'\n]{3,40})[”\"」』’'])"
)
_HAN_WORDS_AND_DIGITS = gated(
    r"(?:密码|口令|暗号)[:：]\s?([\u4e00-\u9fff]{2,8}\d{2,8})(?=\s*(?:$|[。，,；;！!）)]))", re.M
)
_HAN_BEFORE = gated(
    r"(?<![!-~])([!-+\--~]{5,64})\s*(?:就|才)?(?:是|作为|为|当)[^\s,，。；;]{0,10}?(?:密码|口令|密钥)(?=\s*(?:$|[。，,；;!！)\n]))"
)
_OTP = gated(
    r"(?<![A-Za-z0-9])(?:(?:verification|one[- ]?time|otp|totp|2fa|mfa|two[- ]factor|security|log-?in|auth(?:entication|orization)?|sms|texted|sign-?in|recovery|backup|rescue|reset|emergency"
    r"|single-use|bypass|scratch|device|activation|pairing)[\s_]+(?:pass)?(?:codes?|pins?|passwords?|keys?)|(?:2fa|mfa|account|two-factor) (?:recovery|backup|reset)|otp|totp|passcodes?)"
    r"(?:\s+(?:for|from|to|of|on|that|sent|I|we|she|he|they|just|got|received)\b[^\n.;:!?\d]{0,40}?)?(?:\s*(?:[:=#]|is|was|are|were|reads))?\s*(?:now\s*)?[\"'`“]?"
    r"((?:\d{3}[ -]\d{3}|\d(?: \d){3,7}(?!\d)|[A-Za-z0-9]{3,10}(?:-[A-Za-z0-9]{3,10}){1,7}|(?=[A-Za-z]*\d)[A-Za-z0-9]{4,16})(?:(?:,|\s|\band\b|/|;)+(?:[A-Za-z0-9]{3,10}(?:-[A-Za-z0-9]{3,10}){1,7}|\d{4,10}|(?=[a-z]*\d)[a-z0-9]{6,12}\b))*)", re.I
)  # fmt: skip
_OTP_BEFORE = gated(
    r"(?<![A-Za-z0-9_.-])(\d{4,8})\s+(?:is|was)\s+(?:your|the|my|his|her|their)\s+(?:[\w-]+\s+){0,3}?(?:code|otp|passcode|pin)\b",
    re.I,
)
_HAN_OTP = gated(
    r"(?:验证码|重置码|激活码|找回码|动态码|动态密码|动态口令|一次性密码|一次性口令|短信码|校验码|恢复码|恢复代码|恢复密钥|备用码|备份码|备用验证码|登录码|授权码|提取码|取件码|救援码|两步验证码)"
    r"(?:[是为:=\s]|分别|有|如下|收到|刚才|发来|的){0,6}[\"“「]?"
    r"(\d(?: \d){3,7}(?!\d)|[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{3,10}){0,7}(?:[,、\s/和]+[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{3,10}){0,7})*)"
)  # fmt: skip
_HAN_OTP_BEFORE = gated(
    r"(?<![A-Za-z0-9_.-])(\d{4,8})\s*(?:就|才)?是[^\s,，。]{0,8}?(?:验证码|动态码|恢复码|备用码|动态密码)"
)
_COOKIE = gated(
    r"(?<![A-Za-z0-9])(?:set-)?cookies?\s{0,2}(?:[:=]|is|是|为)\s{0,2}[\"']?((?:[\w.\-]{1,64}=[^\s;\"']{6,4096}(?:;\s?)?){1,20})",
    re.I,
)
_SESSION = gated(
    r"(?<![A-Za-z0-9_-])((?:php|j|asp\.net_)?sess(?:ion)?[_-]?(?:id|key|token)?|sid|connect\.sid|csrftoken|xsrf-token|remember_token|_session)\s{0,2}[=:]\s{0,2}[\"']?([^\s;\"',&]{12,4096})", re.I
)  # fmt: skip
_HEADER = gated(
    r"(?<![A-Za-z0-9])(?:proxy-)?authorization\s{0,2}[:=]\s{0,2}[\"']?(?:(?:bearer|basic|token|digest|apikey|negotiate)\s+)?([^\s\"',]{8,4096})"
    r"|(?<![A-Za-z0-9])bearer\s+([A-Za-z0-9._~+/=-]{16,4096})|(?<![A-Za-z0-9])x-(?:api-key|auth-token|access-token|vault-token)\s{0,2}[:=]\s{0,2}[\"']?([^\s\"',]{8,4096})", re.I
)  # fmt: skip
_COMMAND = gated(
    r"(?<![A-Za-z0-9])sshpass\s+(?:-\w\s+\S+\s+)?-p\s*(['\"]?)([^\s'\"]{3,128})\1|(?<![A-Za-z0-9])mysql(?:dump|admin)?\b[^\n|;]{0,80}?\s-p(['\"]?)([^\s'\"-][^\s'\"]{2,127})\3"
    r"|(?<![A-Za-z0-9])(?:curl|wget|http)\b[^\n|;]{0,120}?\s(?:-[A-Za-z]{0,6}u|--user)[\s=]*(['\"]?)[^\s:'\"]{1,64}:([^\s'\"]{3,128})\5"
    r"|\s--?(?:password|passwd|pass|token|api-key|secret|auth-token)[= ](['\"]?)([^\s'\"]{3,512})\7|(?<![A-Za-z0-9])redis-cli\b[^\n|;]{0,60}?\s-a\s*(['\"]?)([^\s'\"]{4,128})\9"
    r"|(?<![A-Za-z0-9])login\b[^\n|;]{0,60}?\s-p[\s=]*(['\"]?)([^\s'\"-][^\s'\"]{3,128})\11"
)  # fmt: skip
_LOGIN_PAIR = gated(
    r"(?<![A-Za-z0-9])(?:log(?:s|ged)?[- ]?in|sign(?:s|ed)?[- ]?in|credentials?|creds|account|登录|登陆|账号|账户|用户名)[^\n]{0,30}?(?:with|as|using|are|is|:|用|为|是|\s)\s*[\"'`]?[\w.@-]{2,40}[\"'`]?\s*(?:/|\||,?\s+and\s+)\s*[\"'`]?([^\s\"'`,;]{4,64})", re.I
)  # fmt: skip
_KEY_STATED = gated(
    r"(?<![A-Za-z0-9])(?:api|access|secret|private|signing|encryption|license|licence|product|master|deploy|auth|bot|session|refresh|bearer|personal access)[- ]?(?:key|token|secret)s?\b"
    r"[^\n.;]{0,40}?(?:\s(?:is|was|are)|[:=]|→|->)\s*[\"'`]?([A-Za-z0-9+/=_.~\-]{10,512})"
    r"|(?:令牌|密钥|秘钥|私钥|凭证|授权码|token|key)(?:[\u4e00-\u9fff]{0,8}[:：]|\s*(?:是|为|:|=|改成|换成))\s*[\"'`“「]?([A-Za-z0-9+/=_.~\-]{10,512})", re.I
)  # fmt: skip
_NOT_A_SECRET = re.compile(r"fingerprint|checksum|sha-?\d|md5|hash|public|digest|指纹|公钥|哈希|校验和|\bid\b", re.I)
_AWS_SECRET = gated(r"(?<![A-Za-z0-9/+])(?=[A-Za-z0-9/+]*[/+])(?=[^0-9]*\d)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")
_MNEMONIC = gated(
    r"(?<![A-Za-z0-9])(?:seed|recovery|wallet|backup|secret|mnemonic)(?: (?:recovery|seed|backup|wallet))?\s*(?:phrase|words|mnemonic)?\b[^\n\d]{0,40}?((?:\b[a-z]{3,8}\b[\s,]{1,2}){11,23}[a-z]{3,8})"
    r"|(?:助记词|恢复词|种子短语|种子词|钱包词)[^\n]{0,16}?((?:\b[a-z]{3,8}\b[\s,、]{1,2}){11,23}[a-z]{3,8}|(?:[\u3400-\u9fff][\s,、]){11,23}[\u3400-\u9fff])"
    r"|(?:助记词|恢复词|种子词|钱包|(?:十二|二十四|12|24)个[词字])[^\n]{0,16}?((?:[\u3400-\u9fff]{2,3}[\s,、]){11,23}[\u3400-\u9fff]{2,3})", re.I
)  # fmt: skip
_BARE_MNEMONIC = gated(r"(?:^|[:\n.])\s*((?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8})\s*(?=$|[.\n])")
_STOP = frozenset(
    "the and for with that this from was were are has have had but not you your his her our their its into".split()
)
_WINDOW, _OVERLAP = 2000, 400
_TAIL = re.compile(r"[\w\-.+/=]*")

_PLUGINS = (
    "ArtifactoryDetector AWSKeyDetector AzureStorageKeyDetector CloudantDetector DiscordBotTokenDetector GitHubTokenDetector GitLabTokenDetector "
    "IbmCloudIamDetector IbmCosHmacDetector JwtTokenDetector MailchimpDetector NpmDetector OpenAIDetector PypiTokenDetector SendGridDetector SlackDetector "
    "SoftlayerDetector SquareOAuthDetector StripeDetector TelegramBotTokenDetector TwilioKeyDetector"
)  # fmt: skip


_BLANKS = re.compile(r"\s{2,}")


@lru_cache(maxsize=1)
def _plugins() -> tuple[tuple[Any, tuple[Gated, ...]], ...]:
    """The detectors, each with the patterns of which its tokens match one."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    detectors: list[Any] = list(get_mapping_from_secret_type_to_class().values())
    by_name = {detector.__name__: detector for detector in detectors}
    made = [by_name[name]() for name in _PLUGINS.split() if name in by_name]
    return tuple((each, tuple(gated(one.pattern, one.flags) for one in each.denylist)) for each in made)


def find(text: str) -> Iterator[Hit]:
    """Every secret in the text, by its whole span."""
    yield from _shapes(text)
    yield from _assigned(text)
    yield from _stated(text)
    yield from _codes(text)
    yield from _wire(text)
    yield from _phrases(text)
    yield from told.find(text)
    yield from passwords.find(text)
    yield from keys.find(text)
    yield from (Hit("secret.password", *m.span(1)) for m in _HAN_WORDS_AND_DIGITS.finditer(text))
    yield from entered.find(text)


def _shapes(text: str) -> Iterator[Hit]:
    for rule, pattern in (("secret.private_key", _PRIVATE_KEY), ("secret.private_key", _PUTTY_KEY),
                          ("secret.token", _WEBHOOK)):  # fmt: skip
        for m in pattern.finditer(text):
            yield Hit(rule, *m.span())
    yield from (Hit("secret.password", *m.span(1)) for m in _WIFI_CODE.finditer(text) if not is_reference(m[1]))
    for m in _TOKEN.finditer(text):
        if not is_reference(m[0]) and len(set(m[0])) > 6 and not _NAMES.fullmatch(m[0]):
            yield Hit("secret.token", *m.span())
    if "aws" in text.lower() or "secret" in text.lower():
        for m in _AWS_SECRET.finditer(text):
            yield Hit("secret.token", *m.span())
    plugins = [each for each, patterns in _plugins() if any(pattern.may_be_in(text) for pattern in patterns)]
    if not plugins:
        return
    at = 0
    for line in text.splitlines(keepends=True):
        # Some plugins take quadratic time on one long line; no token they know is longer than the overlap.
        for start in range(0, max(len(line), 1), _WINDOW - _OVERLAP):
            piece = line[start : start + _WINDOW]
            if len(piece) >= 20:
                yield from _known_tokens(plugins, text, piece, at + start)
        at += len(line)


def _known_tokens(plugins: Sequence[Any], text: str, piece: str, offset: int) -> Iterator[Hit]:
    # Several plugins take cubic time on a run of blanks; no token holds one.
    line = _BLANKS.sub(" ", piece)
    for plugin in plugins:
        for secret in plugin.analyze_line(filename="n", line=line, line_number=1):
            value = secret.secret_value or ""
            at = piece.find(value)
            if len(value) < 8 or at < 0 or is_reference(value):
                continue
            # The value can be a prefix only: the token goes on as far as its alphabet does.
            tail = _TAIL.match(text, offset + at + len(value))
            yield Hit("secret.token", offset + at, tail.end() if tail else offset + at + len(value))


def _assigned(text: str) -> Iterator[Hit]:
    if not _ASSIGNING.search(text):
        return
    for m in _ASSIGNED.finditer(text):
        name, word, quote, value = m[1], m[2].lower(), m[3], trimmed(m[4])
        if _is_about_secret(name) or not value:
            continue
        password = word.startswith(("pass", "pwd")) and word != "pass"
        after = text[m.start(4) + len(value) : m.end(4) + 20]
        if password:
            ok = is_literal(value, after, quoted=bool(quote), minimum=3)
        elif word in ("pass", "pw"):
            ok = is_random(value, 6)
        elif quote or re.search(r"[_\-]|key|secret", name, re.I):
            ok = is_random(value, 8) or (bool(quote) and len(value) >= 6 and is_literal(value, after, quoted=True))
        else:
            ok = is_random(value, 12)
        if ok:
            yield Hit("secret.assigned", m.start(4), m.start(4) + len(value))


def _is_about_secret(name: str) -> bool:
    return bool(
        re.search(
            r"_(?:file|path|url|uri|env|name|field|policy|length|hash|rotation|expiry|expires|ttl|type|id|arn|ref|version|count|limit|min|max|encryption|algorithm|hashers?|required|enabled|validators?|manager|strength|regex|pattern)[\"']?$",
            name,
            re.I,
        )
        and not re.search(r"access_key_id[\"']?$", name, re.I)
    )


def _stated(text: str) -> Iterator[Hit]:
    for pattern in (_STATED, _HAN_STATED):
        for m in pattern.finditer(text):
            value = trimmed(m[2])
            after = text[m.start(2) + len(value) : m.end(2) + 24]
            # Across a line end it could be anything, so only what is mixed like a password counts.
            if "\n" in text[m.start() : m.start(2)] and not is_random(value, 6):
                continue
            if is_literal(value, after, quoted=bool(m[1]), minimum=3):
                yield Hit("secret.password", m.start(2), m.start(2) + len(value))
    for m in _STATED_BEFORE.finditer(text):
        value = trimmed(m[2])
        mixed = not value.isalpha() and not value.isdigit() or bool(re.fullmatch(r"\d{4,8}", value))
        if (mixed or m[1]) and is_literal(value, ".", quoted=bool(m[1])):
            yield Hit("secret.password", m.start(2), m.start(2) + len(value))
    for m in _HAN_BEFORE.finditer(text):
        value = trimmed(m[1])
        if any(c.isdigit() for c in value) and is_literal(value, "."):
            yield Hit("secret.password", m.start(1), m.start(1) + len(value))
    for m in _APPOSED.finditer(text):
        value = trimmed(m[1])
        kinds = sum(any(test(c) for c in value) for test in (str.isdigit, str.isupper, lambda c: not c.isalnum()))
        if kinds >= 2 and any(c.isdigit() for c in value) and is_literal(value, "."):
            yield Hit("secret.password", m.start(1), m.start(1) + len(value))
    for m in chain(_HAN_BARE.finditer(text), _HAN_COLON.finditer(text)):
        value = trimmed(m[1])
        if any(c.isdigit() for c in value) and is_literal(value, text[m.end(1) : m.end(1) + 12]):
            yield Hit("secret.password", m.start(1), m.start(1) + len(value))
    for pattern in (_PASSPHRASE, _HAN_PHRASE):
        for m in pattern.finditer(text):
            group = next(i for i in range(1, (m.re.groups) + 1) if m[i])
            words = m[group].lower().split()
            if not is_reference(m[group]) and not _STOP & set(words):
                yield Hit("secret.password", *m.span(group))
    for m in _KEY_STATED.finditer(text):
        group = 1 if m[1] else 2
        value = trimmed(m[group])
        if is_random(value, 10) and not _NOT_A_SECRET.search(
            text[max(0, m.start() - 16) : m.start(group)].rpartition(RECORD)[2]
        ):
            yield Hit("secret.token", m.start(group), m.start(group) + len(value))


def _codes(text: str) -> Iterator[Hit]:
    for pattern in (_OTP, _HAN_OTP):
        for m in pattern.finditer(text):
            value = m[1]
            after = text[m.end(1) : m.end(1) + 12]
            card = re.fullmatch(r"\d{3,4}", value) and m[0].lower().startswith("security code")
            if any(c.isdigit() for c in value) and not is_measure(value, after) and not card:
                yield Hit("secret.one_time_code", *m.span(1))
    for pattern in (_OTP_BEFORE, _HAN_OTP_BEFORE):
        for m in pattern.finditer(text):
            yield Hit("secret.one_time_code", *m.span(1))


def _wire(text: str) -> Iterator[Hit]:
    for m in _URL.finditer(text):
        if not is_reference(m[2]) and m[2].lower() not in ("password", "pass", "passwd", "pwd", "secret"):
            yield Hit("secret.url_password", *m.span(2))
    for m in _QUERY.finditer(text):
        if is_random(m[1], 8):
            yield Hit("secret.url_password", *m.span(1))
    for m in _HEADER.finditer(text):
        group = next(i for i in (1, 2, 3) if m[i])
        if not is_reference(m[group]) and (is_random(m[group], 8) or len(m[group]) >= 20):
            yield Hit("secret.header", *m.span(group))
    for m in _COMMAND.finditer(text):
        group = next(i for i in (2, 4, 6, 8, 10, 12) if m[i])
        if is_literal(m[group], ".", quoted=bool(m[group - 1]), minimum=3):
            yield Hit("secret.command", *m.span(group))
    for m in _COOKIE.finditer(text):
        if not is_reference(m[1].partition("=")[2]):
            yield Hit("secret.cookie", *m.span(1))
    for m in _SESSION.finditer(text):
        if is_random(m[2], 16):
            yield Hit("secret.cookie", *m.span(2))
    for m in _LOGIN_PAIR.finditer(text):
        value = trimmed(m[1])
        if is_random(value, 4) and is_literal(value, "."):
            yield Hit("secret.password", m.start(1), m.start(1) + len(value))


def _phrases(text: str) -> Iterator[Hit]:
    for m in _MNEMONIC.finditer(text):
        yield Hit("secret.recovery_phrase", *m.span(next(i for i in (1, 2, 3) if m[i])))
    for m in _BARE_MNEMONIC.finditer(text):
        words = m[1].split()
        if not _STOP & set(words):
            yield Hit("secret.recovery_phrase", *m.span(1))


def find_stated(text: str) -> Iterator[Hit]:
    """Secrets by what is said about them only; for readings in which shapes mean nothing."""
    yield from _stated(text)


def is_value(text: str) -> bool:
    """True if this, as the value of a field named like a secret, is a secret."""
    return bool(re.fullmatch(r"\S{3,4096}", text)) and is_literal(text, "", minimum=3)
