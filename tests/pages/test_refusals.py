"""What is refused is told in the language of the page, each message once; no page mixes two languages."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from config.environment import ROOT
from consolidation.actions.combining import ADDS
from consolidation.views.own_form import WRONG, told
from memory_app.domain.errors import FieldError
from memory_app.guardrails.own import OwnRuleError, compiled
from memory_app.models import Operator, Workspace
from memory_app.refusals import OTHERWISE, SAID, refusal, refused, shapes
from tests import factories as make

from .visitors import signed_in

ROOMS = ("memory_app", "consolidation")
#: What only the API says, in English.
OF_THE_API = {"api", "management", "idempotency.py", "keyset.py"}
CALLS = {"Invalid.field": 1, "FieldError": 1, "OwnRuleError": 1, "PolicyError": 0}
#: These come in files or from the API, and a page tells them by their code, if at all.
BY_CODE = {"case_sets.py", "evaluating.py", "importing.py", "keys.py", "bulk.py", "notes.py"}


def _files() -> list[Path]:
    return [
        file
        for room in ROOMS
        for file in (ROOT / room).rglob("*.py")
        if OF_THE_API.isdisjoint(file.relative_to(ROOT).parts)
    ]


def _messages() -> Iterator[tuple[str, str, str]]:
    """File, message and code of each refusal as the code writes it, with a number where it puts something in."""
    for file in _files():
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Call) or ast.unparse(node.func) not in CALLS:
                continue
            at = CALLS[ast.unparse(node.func)]
            parts = node.args[at].values if isinstance(node.args[at], ast.JoinedStr) else [node.args[at]]  # type: ignore[attr-defined]
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in parts)
            code = node.args[at + 1] if len(node.args) > at + 1 else None
            message = text.partition(": ")[2] if at == 0 else text
            if not (isinstance(code, ast.Constant) and code.value == "syntax"):  # told with what RE2 says
                yield file.name, message, str(code.value) if isinstance(code, ast.Constant) else ""


def _english(text: str) -> str:
    """What of a Chinese sentence is English, but for names of fields and values."""
    names = r"\b(?:true|false|none|curator|admin|needs|rules|llm|off|snake_case|home_address|related|near_duplicate|project-names|pii\.phone)\b"
    return "".join(re.findall("[A-Za-z]{2,}", re.sub(names, "", text)))


MESSAGES = sorted({found for found in _messages() if found[1] not in ("", "7")})


@pytest.mark.parametrize(("file", "message", "code"), MESSAGES, ids=[f"{file}: {text}" for file, text, _ in MESSAGES])
def test_each_refusal_is_told_in_chinese(file: str, message: str, code: str) -> None:
    with translation.override("en"):
        assert refusal(message) == message
    with translation.override("zh-hans"):
        words = str(WRONG[code]) if code in WRONG else refusal(message)
        assert not _english(words)
        assert words != translation.gettext(OTHERWISE) or file in BY_CODE


def test_a_sentence_is_what_some_code_says() -> None:
    """None is left over from a message that is said otherwise now."""
    said = {message.rstrip(".") + "." for _file, message, _code in MESSAGES} | {ADDS}
    assert [sentence for pattern, sentence in shapes() if not any(map(pattern.fullmatch, said))] == []


@pytest.mark.parametrize("pattern", ["(", "[", ")", "\\", "*a", "a**", "a{2000}", "[z-a]", "\\8", "(?=a)"])
def test_what_re2_says_of_a_pattern_is_told_in_chinese(pattern: str) -> None:
    with pytest.raises(OwnRuleError) as refused_by:
        compiled(pattern)
    with translation.override("zh-hans"):
        assert _english(told(refused_by.value).replace("RE2", "").replace("Perl", "")) == ""


def test_words_of_the_api_are_called_as_on_the_page() -> None:
    with translation.override("zh-hans"):
        assert "已归档" in refusal("is archived; only active memories are merged.")
        assert "团队" in refusal("is needed for a memory of scope team.")
        assert refusal("what nobody has foreseen.") == translation.gettext(OTHERWISE)
        assert refused(FieldError("comment", "请说明", SAID)) == "请说明"
        assert refused(FieldError("action", "must not be empty."), named=True) == "不能为空。"
    with translation.override("en"):
        assert refused(FieldError("action", "must not be empty."), named=True) == "action must not be empty."


@pytest.fixture
def lin(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "admin", "lin", language="zh-hans")


@pytest.fixture
def client(lin: Operator) -> Client:
    return signed_in(lin)


@pytest.mark.django_db
def test_pages_tell_it_so(client: Client, workspace: Workspace) -> None:
    note = make.make_note(make.make_session(workspace), "Likes tea")
    decision = make.make_decision(note, "review")
    answer = client.post(reverse("decision_approve", args=["travel", decision.pk]), {})
    assert answer.status_code == 422
    assert "请选择操作，这条判定没有提出操作。" in answer.content.decode()
