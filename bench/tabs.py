"""What open tabs cost the server: so many of them, each asking as static/js/live.js does, most of the time for nothing."""

import http.client
import os
import re
import statistics
import sys
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

TABS, SECONDS, EVERY = 200, 30.0, 10.0


def measure(port: int, tabs: int = TABS, seconds: float = SECONDS) -> None:
    """Says how long the answers took, and how much of a processor the product used for them beyond standing still."""
    cookie = _signed_in(port)
    idle = _used(port, seconds / 3)
    address = "/w/bench/live/?" + urlencode({"list": "review", "query": "", "since": "2030-01-01T00:00:00+00:00"})
    tag = _ask(port, cookie, address, "")[1]
    taken: list[float] = []
    statuses: dict[int, int] = {}
    over = time.monotonic() + seconds

    def tab(number: int) -> None:
        due = time.monotonic() + EVERY * number / tabs  # they are opened one after another
        while due < over:
            time.sleep(max(0.0, due - time.monotonic()))
            start = time.perf_counter()
            status, _ = _ask(port, cookie, address, tag)
            taken.append((time.perf_counter() - start) * 1000)
            statuses[status] = statuses.get(status, 0) + 1
            due += EVERY

    threads = [threading.Thread(target=tab, args=(number,)) for number in range(tabs)]
    before = _processor()
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    share = (_processor() - before) / (time.monotonic() - start)
    late = statistics.quantiles(taken, n=20)[-1]
    sys.stdout.write(
        f"{tabs} open tabs, each every {EVERY:.0f} s: {len(taken) / seconds:.1f} requests a second, {statuses}, "
        f"p50 {statistics.median(taken):.1f} ms, p95 {late:.1f} ms, {100 * (share - idle):.0f} % of one processor\n"
    )


def _used(port: int, seconds: float) -> float:
    before = _processor()
    time.sleep(seconds)
    return (_processor() - before) / seconds


def _processor() -> float:
    """Seconds of processor that the product and its database have used: every process that knows its home."""
    ticks, home = 0, os.environ["COMMONPLACE_HOME"].encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            known = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
            if int(process.name) != os.getpid() and home in known:
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def _signed_in(port: int) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/accounts/login/")
    answer = connection.getresponse()
    page, cookies = answer.read().decode(), answer.headers.get_all("Set-Cookie") or []
    csrf = next(one.split(";")[0] for one in cookies if "csrf" in one)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    form = urlencode(
        {"username": "bench", "password": "a long sentence", "csrfmiddlewaretoken": token[1] if token else ""}
    )
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": csrf,
        "Referer": f"http://127.0.0.1:{port}/",
    }
    connection.request("POST", "/accounts/login/", form, headers)
    answer = connection.getresponse()
    answer.read()
    return "; ".join(one.split(";")[0] for one in answer.headers.get_all("Set-Cookie") or [])


def _ask(port: int, cookie: str, address: str, tag: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(
        "GET", address, headers={"Cookie": cookie, "HX-Request": "true", **({"If-None-Match": tag} if tag else {})}
    )
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers.get("ETag", "")
