"""Passwords that are told in other languages than English and Chinese, whose own grammars are in `secret` and `told`.

One table says what a password is called. What follows a colon is one as in English; after a verb or a particle only what
no word is: "Das Passwort ist sicher" tells none.
"""

import re
import unicodedata
from collections.abc import Iterator

from memory_app.guardrails.findings import Hit
from memory_app.guardrails.gate import gated
from memory_app.guardrails.literal import is_literal, trimmed

#: What it is called, by language, where it ends a compound as well: "WLAN-Passwort", "adminlösenord".
COMPOUND = {
    "de": r"passw[oö]rt(?:er)?|kennwort|losungswort|zugangscode",
    "nl": r"wachtwoord|toegangscode",
    "sv, no, da, fi": r"l[oö]senord|passord|adgangskode|kodeord|salasana",
}
#: The same where it is a word by itself alone: "desenha" names none.
WORDS = {
    "fr": r"mots? de passe|code secret|phrase secr[eè]te|mdp",
    "es": r"contrase[ñn]̃?a|clave (?:secreta|de acceso)|palabra clave secreta",
    "pt": r"senha|palavra[- ]passe|c[oó]digo de acesso",
    "it": r"parola d['’](?:ordine|accesso)|chiave d['’]accesso|codice d['’]accesso",
    "pl, cs, hu, ro, tr": r"has[łl]o|heslo|jelsz[óo]|parol[ăa] de acces|[şs]ifre",
    "ar, he": r"كلمة (?:المرور|السر)|סיסמ[הא]",
    "hi, th, vi, id": r"पासवर्ड|รหัสผ่าน|mật khẩu|kata sandi",
}
#: Of Russian, Ukrainian and Greek.
OTHER_LETTERS = r"парол[ьяюе]м?|кодовое слово|κωδικ[όο]ς πρ[όο]σβασης|συνθηματικ[όο]"
#: The same where no blank stands between words; rules read Han characters in their simplified form.
JOINED = r"パスワード|パスコード|パスフレーズ|暗[証证]番号|合言[葉叶]|비밀번호|패스워드|비번|암호"
_SPACED_WORD = rf"(?:{'|'.join(COMPOUND.values())}|(?<![^\W_])(?:{'|'.join(WORDS.values())}))"
ANY = rf"(?:{_SPACED_WORD}|(?<![^\W_])(?:{OTHER_LETTERS})|{JOINED})"
_IS = "ist|lautet|war|is|luidt|est|était|es|era|é|è|sono|är|er|on|jest|je|este|это|είναι|هي|هو|là|adalah|คือ|है"
_TOLD = (
    rf"(?![^\W_])(?:\s[^\n.;:=!?]{{1,40}}?)??\s{{0,2}}(?:([:=：＝])|\s(?:{_IS})(?![^\W_])\s?:?)\s{{0,3}}"
    r"([\"'`“‘«„]?)([^\s\"'`“”‘’«»„,;]{3,128})"
)
_SPACED = gated(_SPACED_WORD + _TOLD, re.I)
# A gate tells nothing of letters that have two cases and are not Latin, so texts without any are not searched.
_OTHER_LETTERS = re.compile(rf"(?<![^\W_])(?:{OTHER_LETTERS}){_TOLD}", re.I)
_UNSPACED = gated(
    rf"(?:{JOINED})[^\s.:=。、，!-~]{{0,12}}?\s{{0,2}}(?:([:=：＝])|[はがも는은이가]|\s)\s{{0,3}}([\"'`“‘「『]?)([!-&(-+\--:<-_a-~]{{3,128}})", re.I
)  # fmt: skip


def _bare(word: str) -> str:
    """The word without its accents, as texts are read too when something could be hidden in them."""
    return "".join(c for c in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(c))


#: What stands after a colon and is no password: how one is, or what is done with it.
_SAID_OF_IT = frozenset(
    _bare(word)
    for word in """erforderlich notwendig nötig vergessen geändert abgelaufen falsch richtig ungültig gültig sicher unsicher geheim neu alt leer
    unbekannt keins keine pflichtfeld optional zurücksetzen ändern vereist vereinbart verplicht vergeten gewijzigd onjuist geen
    requis obligatoire oublié modifié expiré incorrect invalide secret aucun nouveau facultatif changer réinitialiser
    requerida obligatoria olvidada cambiada caducada incorrecta inválida secreta ninguna nueva opcional cambiar restablecer
    obrigatória esquecida alterada expirada incorreta secreta nenhuma nova opcional alterar redefinir trocar
    richiesta obbligatoria dimenticata cambiata scaduta errata segreta nessuna nuova facoltativa cambiare
    krävs glömt ändrat påkrevd glemt påkrævet wymagane zapomniane błędne nowe zmiana povinné забыт изменён изменен неверный нет het новый""".split()
)


def find(text: str) -> Iterator[Hit]:
    """Every password that the text calls one."""
    for pattern in (_SPACED, _UNSPACED) if text.isascii() else (_SPACED, _OTHER_LETTERS, _UNSPACED):
        for m in pattern.finditer(text):
            value = trimmed(m[3])
            plain = value.isalpha() and not m[2]
            if _bare(value) in _SAID_OF_IT or (plain and not m[1]):
                continue
            if is_literal(value, text[m.start(3) + len(value) : m.end(3) + 24], quoted=bool(m[2]), minimum=3):
                yield Hit("secret.password", m.start(3), m.start(3) + len(value))


def is_name(name: str) -> bool:
    """True if a member of this name holds a password."""
    return _NAME.search(name) is not None


_NAME = re.compile(f"{ANY}$", re.I)
