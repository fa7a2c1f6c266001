"""From a key to the next item, measured in a real browser; and what the first page brings over the wire."""

import shutil
import statistics
import sys
from typing import Any

PRESSES, DECIDED = 25, 15
MOST_MILLISECONDS, MOST_KILOBYTES = 100.0, 150.0
#: Notes when a key goes down, and when another item has been painted.
WATCH = """
addEventListener("keydown", () => { window.pressed = performance.now(); }, true);
addEventListener("DOMContentLoaded", () => {
  let shown = document.getElementById("decision")?.dataset.item;
  window.taken = [];
  new MutationObserver(() => {
    const now = document.getElementById("decision")?.dataset.item;
    if (!now || now === shown) return;
    shown = now;
    requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => window.taken.push(performance.now() - window.pressed); channel.port2.postMessage(0); });
  }).observe(document.body, { childList: true, subtree: true });
});
"""


def measure(port: int) -> None:
    """Signs in, goes through the queue by `j` and by `a`, and says what each press took."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.stdout.write("there is no chromium here: keys are not measured\n")
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(WATCH)
        page.goto(f"http://127.0.0.1:{port}/accounts/login/?next=/w/bench/review/")
        page.fill("#id_username", "bench")
        page.fill("#id_password", "a long sentence")
        page.click("button.primary")
        page.wait_for_url("**/w/bench/review/")
        page.wait_for_load_state("networkidle")
        brought = page.evaluate(
            "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
            ".filter((one) => !one.name.includes('item=') && !one.name.includes('/live/'))"
            ".reduce((sum, one) => sum + one.encodedBodySize, 0) / 1024"
        )
        _told("the review page and its files, as sent", [brought], "KB", MOST_KILOBYTES)
        _told("j to the next item", _pressed(page, "j", PRESSES, 350), "ms", MOST_MILLISECONDS)
        _told("j to the next item, without a pause", _pressed(page, "j", PRESSES, 40), "ms", MOST_MILLISECONDS)
        _told("k to the one before", _pressed(page, "k", PRESSES, 350), "ms", MOST_MILLISECONDS)
        page.goto(f"http://127.0.0.1:{port}/w/bench/review/?action=promote")
        page.wait_for_load_state("networkidle")
        _told("a, answered with the next item", _pressed(page, "a", DECIDED, 350), "ms", MOST_MILLISECONDS)
        browser.close()


def _pressed(page: Any, key: str, times: int, pause: float) -> list[float]:
    """Milliseconds from each press to the next item's being painted; a person looks at it for `pause` milliseconds."""
    found: list[float] = []
    page.evaluate("window.taken = []")
    for done in range(1, times + 1):
        page.keyboard.press(key)
        for _ in range(200):
            if len(found := page.evaluate("window.taken")) >= done:
                break
            page.wait_for_timeout(10)
        page.wait_for_timeout(pause)
    return found


def _told(what: str, found: list[float], unit: str, most: float) -> None:
    if not found:
        sys.stdout.write(f"{what:40} nothing was measured\n")
        return
    late = statistics.quantiles(found, n=20)[-1] if len(found) > 1 else found[0]
    sys.stdout.write(
        f"{what:40} p50 {statistics.median(found):7.1f} {unit}, p95 {late:7.1f} {unit}, at most {most:.0f}: "
        f"{'yes' if late < most else 'NO'} ({len(found)})\n"
    )
    sys.stdout.flush()
