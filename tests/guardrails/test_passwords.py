"""A password is found by what other languages call it; what is only said of one passes."""

import pytest

from memory_app import guardrails

TOLD = [
    ("Passwort: xyz", "xyz"),
    ("Mein WLAN-Passwort ist Sommer2024", "Sommer2024"),
    ("Das Kennwort für den Server lautet: gr8Katze", "gr8Katze"),
    ("Le mot de passe du wifi est azerty12.", "azerty12"),
    ("Mot de passe : soleil", "soleil"),
    ("Contraseña: gato123", "gato123"),
    ("La contraseña del router es gato123", "gato123"),
    ("senha: abc123", "abc123"),
    ("A senha do banco é abc123", "abc123"),
    ("Parola d'ordine: gelato9", "gelato9"),
    ("パスワード：sakura", "sakura"),
    ("Wi-Fiのパスワードは「sakura-77」です", "sakura-77"),
    ("暗証番号は4821です", "4821"),
    ("비밀번호: abc123", "abc123"),
    ("와이파이 비밀번호는 abc123입니다", "abc123"),
    ("Wachtwoord: abc12", "abc12"),
    ("Пароль: qwerty12", "qwerty12"),
    ("hasło: kot12", "kot12"),
]
SAID_OF_ONE = [
    "Das Passwort ist sicher",
    "Passwort: erforderlich",
    "Passwort: mindestens 12 Zeichen",
    "Passwort: siehe Tresor",
    "Passwort: geändert",
    "mot de passe : oublié",
    "senha: obrigatória",
    "пароль: нет",
    "Passwort: {{PASSWORT}}",
    "Ändert sein Passwort jeden Monat",
    "Mot de passe oublié : cliquez ici",
    "El usuario olvidó la contraseña",
    "La contraseña es obligatoria",
    "Ela desenha: abc123",
    "A senha é secreta",
    "パスワードは8文字以上",
    "パスワードを忘れた",
    "비밀번호를 잊어버렸다",
]


@pytest.mark.parametrize(("text", "password"), TOLD)
def test_a_password_in_another_language_is_masked(text: str, password: str) -> None:
    masked = guardrails.mask(text)
    assert password not in masked.text
    assert masked.text.startswith(text[: text.index(password)])
    assert {one.category for one in masked.findings} == {"secret"}


@pytest.mark.parametrize("text", SAID_OF_ONE)
def test_what_is_said_of_a_password_is_none(text: str) -> None:
    assert guardrails.mask(text).text == text
    assert guardrails.check(text).allowed


@pytest.mark.parametrize(
    "name", ["passwort", "wlan_passwort", "contraseña", "mot de passe", "senha", "パスワード", "비밀번호"]
)
def test_a_member_that_is_named_so_holds_one(name: str) -> None:
    masked, found = guardrails.mask_json({name: "sonne", "farbe": "blau"})
    assert (masked["farbe"], "sonne" in str(masked), len(found)) == ("blau", False, 1)
    masked, _ = guardrails.mask_json({"name": name, "value": "sonne9"})
    assert "sonne9" not in str(masked)
