"""What the documents name is there, and what is there is documented."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import get_commands
from django.db.models import TextChoices

from config.api import api
from config.environment import variables
from config.supervisor.run import Supervisor
from memory_app.guardrails import CATEGORIES, check, mask
from memory_app.models import choices
from scripts import document
from tests.acceptance import documents
from tests.acceptance.documents import DOCUMENTS, ROOT, differences

README, DOCS = ROOT / "README.md", ROOT / "docs"
PATHS = re.compile(r"^(?:\.ci|config|consolidation|docs|locale|memory_app|scripts|static|templates|tests)/\S*$")
CALL = re.compile(r"^(GET|POST|PUT|PATCH|DELETE) (/[^\s?]+)(?:\?\S*)?$")
MOST_BYTES = 250_000
every_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)


def _codes() -> list[tuple[Path, str]]:
    return [(path, code) for path in DOCUMENTS for code in documents.codes(path)]


def _firsts(path: Path) -> set[str]:
    """What stands in backticks in the first cell of the document's table rows."""
    cells = re.findall(r"^\| ([^|]*) \|", documents.read(path), re.M)
    return {code for cell in cells for code in re.findall(r"`([^`]+)`", cell)}


@every_document
def test_tables_are_those_of_the_code(path: Path) -> None:
    text = documents.read(path)
    assert text == document.filled(text), "run make docs"


def test_every_table_of_the_code_is_somewhere() -> None:
    text = "".join(documents.read(path) for path in DOCUMENTS)
    assert [name for name in document.SECTIONS if f"<!-- from the code: {name} -->" not in text] == []


@every_document
def test_links_lead_somewhere(path: Path) -> None:
    for link in documents.links(path):
        target, _, anchor = link.partition("#")
        file = (path.parent / target).resolve() if target else path
        assert file.is_relative_to(ROOT), link
        assert file.exists(), link
        if anchor:
            titles = re.findall(r"^#+ (.+)$", documents.read(file), re.M)
            assert anchor in [re.sub(r"[^\w-]", "", title.lower().replace(" ", "-")) for title in titles], link


def test_every_document_is_reachable_from_the_readme() -> None:
    linked = {(README.parent / link.partition("#")[0]).resolve() for link in documents.links(README)}
    assert set(DOCUMENTS) - {README} <= linked


def test_files_and_folders_exist() -> None:
    missing = [f"{path.name}: {code}" for path, code in _codes() if PATHS.match(code) and not list(ROOT.glob(code))]
    assert missing == []


def test_calls_exist() -> None:
    known = {
        (method.upper(), address.removeprefix("/api/v1"))
        for address, methods in api.get_openapi_schema()["paths"].items()
        for method in methods
    } | {("GET", "/healthz"), ("GET", "/readyz"), ("GET", "/metrics")}
    named = {(path.name, call[1], call[2]) for path, code in _codes() if (call := CALL.match(code))}
    assert [one for one in sorted(named) if one[1:] not in known] == []


def test_commands_exist() -> None:
    text = "".join(documents.read(path) for path in DOCUMENTS)
    targets = set(re.findall(r"^([a-z]+):$", documents.read(ROOT / "Makefile"), re.M))
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", text, re.M)) == targets - {"help"}
    assert {name for name in re.findall(r"manage\.py ([a-z_]+)", text) if name not in get_commands()} == set()
    assert {f"make {name}" for name in targets - {"help"}} <= _firsts(DOCS / "commands.md")


def test_settings_exist() -> None:
    known = {variable.name if hasattr(variable, "name") else str(variable) for variable in variables()}
    lines = [line for path in DOCUMENTS for block in documents.blocks(path) for line in block.text.splitlines()]
    exported = {found[1] for line in lines if (found := re.match(r"export (\w+)=", line))}
    assert exported - known == {"URL", "KEY"}


@pytest.mark.parametrize("name", ["walk.md", "development.md"])
def test_functions_are_where_they_are_said_to_be(name: str) -> None:
    """A name in backticks is defined in one of the files that its own paragraph, or else the document, names."""
    text = documents._FENCE.sub("", documents.read(DOCS / name))
    everywhere = "\n".join(_sources(text))
    kinds = [kind for kind in vars(choices).values() if isinstance(kind, type) and issubclass(kind, TextChoices)]
    words = {value for kind in kinds for value in kind.values} | {folder.name for folder in _rooms()}
    lost = []
    for paragraph in re.split(r"\n(?=\n|- |\d\. |\| )", text):
        near = "\n".join(_sources(paragraph)) or everywhere
        for code in re.findall(r"`([A-Za-z_]+)`", paragraph):
            if code not in words and not _defined(code, near):
                lost.append(code)
    assert lost == []


def _rooms() -> list[Path]:
    return [folder for depth in ("*", "*/*") for folder in ROOT.glob(depth) if folder.is_dir()]


def _sources(text: str) -> list[str]:
    found = []
    for code in re.findall(r"`([^`\n]+)`", text):
        path = ROOT / code
        if PATHS.match(code) and path.is_file():
            found.append(documents.read(path))
        elif PATHS.match(code) and path.is_dir():
            found += [documents.read(file) for file in sorted(path.glob("*.py"))]
    return found


def _defined(name: str, source: str) -> bool:
    return re.search(rf"^\s*(?:def|class) {name}\b|^{name}\b.*=|^{name}$|\b{name}: ", source, re.M) is not None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("decisions.md", [*choices.Action.values, *choices.DecisionStatus.values]),
        ("guardrails.md", [*choices.Stage.values, *CATEGORIES]),
        ("api.md", choices.Role.values),
    ],
)
def test_every_word_has_its_line(name: str, words: list[str]) -> None:
    assert set(words) - _firsts(DOCS / name) == set()


def test_what_is_said_to_be_allowed_is() -> None:
    text = documents.read(DOCS / "guardrails.md")
    section = text[text.index("## What is allowed") : text.index("## Blocks")]
    said = re.findall(r"`([^`]+)`", section)
    assert len(said) >= 10
    assert [one for one in said if not check(one).allowed] == []


def test_what_is_said_of_masks_holds() -> None:
    assert mask("Pays with 4111 1111 1111 1111").text.endswith("1111")
    assert mask("Reach me at anna.schmidt@gmail.com").text.count("a•••@") == 1
    assert "hunter2x" not in mask("password: hunter2x9Q").text


def test_what_make_run_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = next(block.text for block in documents.under(README, "Two commands") if block.language == "text")
    lines: list[str] = []
    monkeypatch.setattr("config.supervisor.run.tell", lines.append)
    home = Path("/home/you/commonplace/.data")
    supervisor: Any = SimpleNamespace(
        environment=SimpleNamespace(host="127.0.0.1", port=8000, home=home), logs=home / "logs"
    )
    access = {"login": "demo", "password": "q3ZrT0cXv1aB", "api_key": "cpk_example", "workspace": "travel"}
    Supervisor._announce(supervisor, access)
    assert "\n".join(lines).strip() == shown.strip()


def test_pictures_are_small_and_shown() -> None:
    pictures = sorted((DOCS / "screenshots").glob("*"))
    shown = {(README.parent / link).resolve() for link in documents.links(README) if link.endswith(".png")}
    assert set(pictures) == shown
    for picture in pictures:
        assert picture.read_bytes().startswith(b"\x89PNG"), picture.name
        assert picture.stat().st_size < MOST_BYTES, picture.name


def test_every_picture_of_a_page_is_listed() -> None:
    pictures = sorted((DOCS / "pages").glob("*"))
    listed = {(DOCS / link).resolve() for link in documents.links(DOCS / "pages.md")}
    assert set(pictures) == listed
    assert len(pictures) == 4 * len({picture.name.partition(".")[0] for picture in pictures})
    assert all(picture.stat().st_size < MOST_BYTES for picture in pictures)


def test_an_answer_that_differs_is_found() -> None:
    real = {"items": [{"id": "9fc4db5a-0be4-4a77-a811-7402c23b7660", "value": "aisle", "score": 0.7}], "next": None}
    assert differences({"items": [{"id": "171e3e48-aed0-4021-8ee5-2c1d302bad1f", "score": 0.5}]}, real) == []
    assert len(differences({"items": [{"value": "window"}], "more": 1}, real)) == 2
    assert len(differences({"items": []}, real)) == 1
    assert len(differences({"items": [{"id": "M-1"}]}, real)) == 1
