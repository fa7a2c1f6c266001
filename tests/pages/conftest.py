"""A real browser for the tests that need one; they are skipped where there is none."""

import shutil
from typing import Any

import pytest

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
