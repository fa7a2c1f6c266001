"""Takes the pictures of the README, and one of every page on a desk, on a phone, in the dark and in Chinese, which
docs/pages.md lists: a demo workspace of its own, Chromium, pngquant.

Pages are found by following links, one of each address; what runs in the background first, as an evaluation does, is
started by its own button. COMMONPLACE_HOME keeps the demo for the next time; without it, it is made anew and thrown away.
"""

import json
import os
import re
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
from urllib.parse import parse_qs

from playwright.sync_api import APIRequestContext, Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "screenshots"
RUNS_AT = "Commonplace runs at "
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--font-render-hinting=none"]


PROGRAMS = ("chromium", "pngquant")
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
LOOKS: dict[str, dict[str, Any]] = {
    "desk": {"locale": "en-GB", "color_scheme": "light"},
    "phone": {"locale": "en-GB", "color_scheme": "light", "viewport": PHONE},
    "dark": {"locale": "en-GB", "color_scheme": "dark"},
    "chinese": {"locale": "zh-CN", "color_scheme": "light"},
}
EVERY, LIST = ROOT / "docs" / "pages", ROOT / "docs" / "pages.md"
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
#: Where the walk over the links begins; the first has the navigation.
SEEDS = (
    "overview/",
    "search/?q=seat",
    "recall/?user=zhang-san&q=座位",
    "approvals/?status=declined",
    "no-such-page/",
)
NO_PAGE = ("/export/", "/evaluation/labels/", "/admin/", "/api/", "/logout/")
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
    context = browser.new_context(**{"viewport": DESK} | options)
    page = context.new_page()
    page.goto(f"{demo.url}/accounts/login/")
    page.fill("[name=username]", demo.access["login"])
    page.fill("[name=password]", demo.access["password"])
    page.click("main button[type=submit], form button[type=submit]")
    page.wait_for_url("**/w/**")
    return page


def shoot(page: Page, address: str, path: Path, colours: int = 256) -> None:
    page.goto(address)
    page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready")
    page.screenshot(path=path, animations="disabled", caret="hide")
    options = ["--nofs", "--speed", "1", "--strip", "--force", "--output", str(path)]
    subprocess.run(["pngquant", *options, str(colours), str(path)], check=True)
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
    """The README's six."""
    for user, query in ASKED:
        assert api.post("/api/v1/recall", data={"user": user, "query": query}).ok
    page = signed_in(browser, demo, **LOOKS["desk"])
    for name, path in (
        ("overview", "overview/"),
        ("review", "review/"),
        ("session", f"sessions/{richest_session(api, chinese=False)}/"),
        ("memory", f"memories/{longest_history(api)}/"),
    ):
        shoot(page, demo.page(path), PICTURES / f"{name}.png")
    shoot(signed_in(browser, demo, **LOOKS["dark"]), demo.page("review/"), PICTURES / "review-dark.png")
    page = signed_in(browser, demo, **LOOKS["chinese"])
    shoot(page, demo.page(f"sessions/{richest_session(api, chinese=True)}/"), PICTURES / "session-zh.png")


def take_every_page(browser: Browser, api: APIRequestContext, demo: Demo) -> None:
    """Each page in each look, under a name that its address gives, and the list of them."""
    page = signed_in(browser, demo, **LOOKS["desk"])
    seeds = [*SEEDS, *started(page, api, demo), merging(api)]
    found = addresses(page, demo, [f"/w/travel/{seed}" for seed in seeds] + ["/accounts/preferences/"])
    shutil.rmtree(EVERY, ignore_errors=True)
    EVERY.mkdir()
    for look, options in LOOKS.items():
        page = signed_in(browser, demo, **options)
        for name, address in found.items():
            shoot(page, demo.url + address, EVERY / f"{name}.{look}.png", colours=32)
    LIST.write_text(listed(sorted(found)))


def started(page: Page, api: APIRequestContext, demo: Demo) -> list[str]:
    """The pages of what runs in the background, once it is through: an evaluation twice, to compare, and one of each else."""
    session = richest_session(api, chinese=False)
    pressed = [
        ("guardrails/", "form[action$='/scans/'] button"),
        ("evaluation/", "form[action$='/start/'] button"),
        ("evaluation/", "form[action$='/start/'] button"),
        ("rules/policy/", "#act-try"),
        (f"sessions/{session}/what-if/", "#act-what-if"),
    ]
    found = []
    for path, button in pressed:
        page.goto(demo.page(path))
        with page.expect_navigation():
            page.locator(button).first.click()
        address = page.url
        while page.locator("main progress, main .notice.session_only").count():
            page.wait_for_timeout(500)  # the work of another process, which this page tells of
            page.goto(address)
        found.append(address.partition("/w/travel/")[2])
    first, second = (path.split("/")[1] for path in found if path.startswith("evaluation/"))
    return [*found, f"evaluation/compare/?first={first}&second={second}"]


def merging(api: APIRequestContext) -> str:
    """The page that merges the two newest memories of one user."""
    user = "emma-clarke"
    ids = [one["id"] for one in items(api, f"/memories?user={user}&scope=user&kind=semantic&status=active&limit=2")]
    return "memories/merge/?" + "&".join(f"ids={one}" for one in ids)


def addresses(page: Page, demo: Demo, queue: list[str]) -> dict[str, str]:
    """Every page that links lead to, by a name that is its address without ids, and its tab; the first of each kind."""
    found: dict[str, str] = {}
    while queue:
        address = queue.pop(0)
        path, _, query = address.partition("?")
        tabs = parse_qs(query).get("tab", [])
        name = re.sub(r"[^a-z]+", "-", "-".join([ID.sub("one", path.removeprefix("/w/travel")), *tabs])).strip("-")
        if name in found or not name or any(part in path for part in NO_PAGE):
            continue
        found[name] = address
        page.goto(demo.url + address)
        links = page.eval_on_selector_all("a[href^='/']", "links => links.map(link => link.getAttribute('href'))")
        queue += [link.partition("#")[0] for link in links if link.startswith(("/w/travel/", "/accounts/"))]
    return found


def listed(names: list[str]) -> str:
    heads = {"desk": "on a desk", "phone": "on a phone", "dark": "in the dark", "chinese": "in Chinese"}
    lines = ["# Every page", "", "`make screenshots` takes these pictures from a demo of their own.", ""]
    lines += [f"| page | {' | '.join(heads.values())} |", f"| --- |{' --- |' * len(heads)}"]
    for name in names:
        shown = [f"[![{name} {heads[look]}](pages/{name}.{look}.png)](pages/{name}.{look}.png)" for look in heads]
        lines.append(f"| {name} | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


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
            take_every_page(browser, api, demo)
            browser.close()


if __name__ == "__main__":
    main()
