"""The examples of the README and of docs/api.md are run as they stand, and answer what they show."""

import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator, Sequence
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache

from consolidation.actions import run_consolidation
from consolidation.demo import SCENES
from memory_app.actions.keys import create_key
from memory_app.domain.actor import Actor
from memory_app.models import Workspace
from tests.acceptance.documents import ROOT, Block, blocks, differences, under, without_dates

pytestmark = pytest.mark.django_db(transaction=True)

SHELL = Actor(kind="system", id="shell", label="manage.py", role="admin")
END_OF_BLOCK = "=== the end of a block ==="
SECONDS = 300
EXAMPLES = {"README": under(ROOT / "README.md", "The API by example"), "api": blocks(ROOT / "docs" / "api.md")}
#: What a reader sets by hand; the tests have an address and a key of their own.
BY_HAND = ("export URL=", "export KEY=")
NAMES_A_USER = re.compile(r'"user": "([^"]+)"|[?&]user=([^"&]+)|/users/([^ /"]+)')


def _at_once(run: str) -> None:
    """What the worker does, in the web server's own thread."""
    run_consolidation(uuid.UUID(run))


@pytest.fixture
def environment(live_server: Any) -> Iterator[dict[str, str]]:
    """The address and an admin's key, as the examples expect them to be set."""
    workspace = Workspace.objects.create(slug="travel", name="Travel")
    _, key = create_key(workspace, SHELL, role="admin")
    with mock.patch("consolidation.tasks.consolidate.delay", _at_once):
        yield os.environ | {"URL": f"{live_server.url}/api/v1", "KEY": key, "PYTHONIOENCODING": "utf-8"}
    cache.clear()


def _printed(arguments: Sequence[str], environment: dict[str, str]) -> str:
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    assert not done.stderr, done.stderr
    return done.stdout


def _shell(blocks: Sequence[Block], environment: dict[str, str]) -> list[str]:
    """What each block prints; all of them run in one shell, as a reader pastes them."""
    program = "".join(f"{block.text}\necho; echo '{END_OF_BLOCK}'\n" for block in blocks)
    program = "\n".join(line for line in program.split("\n") if not line.startswith(BY_HAND))
    return _printed(["bash", "-euo", "pipefail", "-c", program], environment).split(END_OF_BLOCK)[:-1]


def _shown_after(blocks: Sequence[Block], at: int) -> Block | None:
    """The answer that the document shows for a block: the one that follows it."""
    following = blocks[at + 1] if at + 1 < len(blocks) else None
    return following if following is not None and following.language in ("json", "text") else None


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_curl(environment: dict[str, str], example: list[Block]) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    commands = [block for block in example if block.language == "sh"]
    answers = dict(zip([block.text for block in commands], _shell(commands, environment), strict=True))
    compared = 0
    for at, block in enumerate(example):
        shown = _shown_after(example, at)
        if block.language != "sh" or shown is None:
            continue
        compared += 1
        answer = answers[block.text]
        if shown.language == "json":
            assert differences(json.loads(shown.text), json.loads(answer)) == [], block.text
        else:
            assert without_dates(answer).strip() == without_dates(shown.text).strip()
    assert compared >= 8


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_no_user_is_one_of_the_demo(example: list[Block]) -> None:
    written = "\n".join(block.text for block in example)
    named = {name for found in NAMES_A_USER.findall(written) for name in found if name}
    assert named
    assert named.isdisjoint(scene.user for scene in SCENES)


def test_python(environment: dict[str, str]) -> None:
    example = EXAMPLES["README"]
    programs = [at for at, block in enumerate(example) if block.language == "python"]
    assert programs
    for at in programs:
        shown = _shown_after(example, at)
        assert shown is not None
        assert _printed([sys.executable, "-c", example[at].text], environment) == shown.text
