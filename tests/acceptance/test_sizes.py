"""Nothing is longer than a reader holds in mind: files, functions, templates."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("bench", "config", "consolidation", "memory_app", "scripts", "tests")
LONGEST_FILE, LONGEST_FUNCTION, LONGEST_TEMPLATE = 400, 50, 150


def files(*patterns: str) -> Iterator[tuple[str, str]]:
    """Each file by its path, with its text; what a migration was made of stays as it was made."""
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            if "migrations" not in path.parts:
                yield str(path.relative_to(ROOT)), path.read_text()


def test_files_and_functions_are_short() -> None:
    too_long, looked_at = [], 0
    for name, text in files(*(f"{room}/**/*.py" for room in ROOMS)):
        looked_at += 1
        if len(text.splitlines()) >= LONGEST_FILE:
            too_long.append(name)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    too_long.append(f"{name}: {node.name}, {lines} lines")
    assert not too_long
    assert looked_at > 300


def test_templates_are_short() -> None:
    templates = list(files("templates/**/*.html"))
    assert [name for name, text in templates if len(text.splitlines()) > LONGEST_TEMPLATE] == []
    assert len(templates) > 50
