"""Takes the pictures of the README: a demo workspace of its own, Chromium, 1440 × 900, pngquant.

COMMONPLACE_HOME keeps the demo for the next time; without it, it is made anew and thrown away.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import APIRequestContext, Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "screenshots"
RUNS_AT = "Commonplace runs at "
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--font-render-hinting=none"]


PROGRAMS = ("chromium", "pngquant")
#: What agents have asked before the pictures are taken, so that pages show what was shown.
ASKED = (
    ("emma-clarke", "Which flights and seats does she prefer?"),
    ("emma-clarke", "Book the flight to Lisbon"),
    ("zhang-san", "订票时座位和车次有什么偏好？"),
)


@dataclass(frozen=True)
class Demo:
    """A running product with its demo workspace."""

    url: str
    access: dict[str, str]

    def page(self, path: str) -> str:
        return f"{self.url}/w/travel/{path}"


def items(api: APIRequestContext, path: str) -> list[dict[str, Any]]:
    answer = api.get(f"/api/v1{path}")
    assert answer.ok, answer.text()
    return list(answer.json()["items"])


@contextmanager
def running_demo(home: Path) -> Iterator[Demo]:
    """The product runs on this home for as long as the block does."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {"COMMONPLACE_HOME": str(home), "HOST": "127.0.0.1", "PORT": str(port), "DEMO": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "config.supervisor"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.startswith(RUNS_AT):
                break
        else:
            sys.exit("The demo does not start; its reason stands above.")
        url = line.removeprefix(RUNS_AT).strip().rstrip("/")
        yield Demo(url, json.loads((home / "demo.json").read_text()))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def signed_in(browser: Browser, demo: Demo, **options: Any) -> Page:
    """A page of the demo's operator."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, **options)
    page = context.new_page()
    page.goto(f"{demo.url}/accounts/login/")
    page.fill("[name=username]", demo.access["login"])
    page.fill("[name=password]", demo.access["password"])
    page.click("main button[type=submit], form button[type=submit]")
    page.wait_for_url("**/w/**")
    return page


def shoot(page: Page, address: str, name: str) -> None:
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path, animations="disabled", caret="hide")
    subprocess.run(["pngquant", "--nofs", "--speed", "1", "--strip", "--force", "--output", path, path], check=True)
    sys.stdout.write(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1000} kB\n")


def richest_session(api: APIRequestContext, chinese: bool) -> str:
    """The session that shows most kinds of decisions, and a refusal."""

    def richness(session: dict[str, Any]) -> tuple[int, int, int]:
        counts = session["counts"]
        return (counts["blocked"] > 0) + len(counts["decisions"]), counts["staged"], counts["turns"]

    def in_chinese(session: dict[str, Any]) -> bool:
        return any(ord(character) > 0x2E7F for character in session["metadata"].get("title", ""))

    sessions = [one for one in items(api, "/sessions?limit=200") if in_chinese(one) == chinese]
    return str(max(sessions, key=richness)["id"])


def longest_history(api: APIRequestContext) -> str:
    """The memory that has changed most, in English."""
    memories = [one for one in items(api, "/memories?limit=200&scope=user&status=active") if one["text"].isascii()]
    return str(max(memories, key=lambda one: (one["version"], one["recall_count"]))["id"])


def take(browser: Browser, api: APIRequestContext, demo: Demo) -> None:
    for user, query in ASKED:
        assert api.post("/api/v1/recall", data={"user": user, "query": query}).ok
    page = signed_in(browser, demo, locale="en-GB", color_scheme="light")
    shoot(page, demo.page("overview/"), "overview")
    shoot(page, demo.page("review/"), "review")
    shoot(page, demo.page(f"sessions/{richest_session(api, chinese=False)}/"), "session")
    shoot(page, demo.page(f"memories/{longest_history(api)}/"), "memory")
    shoot(signed_in(browser, demo, locale="en-GB", color_scheme="dark"), demo.page("review/"), "review-dark")
    page = signed_in(browser, demo, locale="zh-CN", color_scheme="light")
    shoot(page, demo.page(f"sessions/{richest_session(api, chinese=True)}/"), "session-zh")


def main() -> None:
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        sys.exit(f"{' and '.join(missing)} missing: apt-get install {' '.join(PROGRAMS)} fonts-noto-cjk")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="commonplace-pictures-") as folder:
        home = Path(os.environ.get("COMMONPLACE_HOME") or folder)
        with running_demo(home) as demo, sync_playwright() as playwright:
            headers = {"Authorization": f"Bearer {demo.access['api_key']}"}
            api = playwright.request.new_context(base_url=demo.url, extra_http_headers=headers)
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
            take(browser, api, demo)
            browser.close()


if __name__ == "__main__":
    main()
