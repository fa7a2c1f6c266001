"""A workspace, an operator of it and their client; and a real browser for the tests that need one, which are skipped where there
is none."""

import shutil
from typing import Any

import pytest
from django.test import Client

from memory_app.models import Operator, Workspace
from tests import factories as make

from .visitors import signed_in

CHROMIUM = shutil.which("chromium")
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync "
    "--no-first-run --disable-quic"
)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": ARGUMENTS.split()}


@pytest.fixture
def workspace() -> Workspace:
    return make.make_workspace()


@pytest.fixture
def operator(workspace: Workspace) -> Operator:
    """Who is signed in: a curator, where a file does not say otherwise."""
    return make.make_operator(workspace, "curator", "lin.qiao")


@pytest.fixture
def client(operator: Operator) -> Client:
    return signed_in(operator)
