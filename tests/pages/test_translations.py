"""Nothing that an operator reads is left in the other language."""

import gettext
import re
from pathlib import Path

import pytest

from tests.pages.catalogue import ROOT, Entry, Message, read_po, used_messages

FOLDER = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES"
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|%[sd]")


@pytest.fixture(scope="module")
def entries() -> dict[Message, Entry]:
    return {entry.message: entry for entry in read_po(FOLDER / "django.po") if not entry.obsolete}


def test_every_message_has_a_translation(entries: dict[Message, Entry]) -> None:
    missing = [
        f"{path}: {context + ' :: ' if context else ''}{msgid}"
        for (context, msgid), path in used_messages().items()
        if (context, msgid) not in entries or not all(entries[context, msgid].translations)
    ]
    assert missing == []


def test_no_translation_is_a_guess(entries: dict[Message, Entry]) -> None:
    assert [entry.msgid for entry in entries.values() if "fuzzy" in entry.flags] == []


def test_translations_keep_every_placeholder(entries: dict[Message, Entry]) -> None:
    for entry in entries.values():
        if not entry.msgid:
            continue
        wanted = {match[0] for match in PLACEHOLDER.finditer(entry.plural or entry.msgid)}
        for translation in entry.translations:
            assert {match[0] for match in PLACEHOLDER.finditer(translation)} == wanted, entry.msgid


def test_translations_keep_the_copy_rules(entries: dict[Message, Entry]) -> None:
    for entry in entries.values():
        for translation in entry.translations if entry.msgid else []:
            assert "您" not in translation, translation
            assert not re.search(r"[\u4e00-\u9fff][,;:!?]", translation), f"full-width punctuation: {translation}"


def test_the_compiled_catalogue_is_that_of_the_source(entries: dict[Message, Entry]) -> None:
    with (FOLDER / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for entry in entries.values():
        if not entry.msgid:
            continue
        key = f"{entry.context}\x04{entry.msgid}" if entry.context is not None else entry.msgid
        if entry.plural is None:
            translated = compiled.gettext(key)
        else:
            translated = compiled.ngettext(key, entry.plural, 1)
        assert translated == entry.translations[0], f"run manage.py compilemessages: {entry.msgid}"


def test_reading_finds_what_a_template_asks_for(tmp_path: Path) -> None:
    used = used_messages()
    assert ("scope", "Session") in used
    assert (None, "Sign in") in used
    assert any(msgid == "%(changed)s changed" for _, msgid in used)
