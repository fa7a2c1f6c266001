"""docs/deploy.md, done: its units, its nginx.conf, its backup and its upgrade, on real servers."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest

from config.databases import connection_arguments
from config.environment import ROOT, read, variables
from tests.deployment.embeddings import Embeddings
from tests.deployment.installation import DEPLOY, HOST, Installation, example_environment, installed
from tests.product import Product, free_port
from tests.waiting import until

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("process")]

QUOTE = "From now on, please book an aisle seat for me, always."
NOTE = {"text": "Prefers aisle seats", "key": "seat_preference", "value": "aisle"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with installed(tmp_path_factory.mktemp("installed")) as found:
        yield found


@pytest.fixture(scope="module")
def admin(site: Installation) -> Iterator[httpx2.Client]:
    key = site.command("create_api_key", "--workspace", "travel", "--role", "admin").split()[-1]
    with site.client(headers={"Authorization": f"Bearer {key}"}) as client:
        yield client


@pytest.fixture(scope="module")
def password(site: Installation) -> str:
    return site.command("create_operator", "lin", "--workspace", "travel", "--role", "admin").split()[-1]


@pytest.fixture(scope="module")
def remembered(admin: httpx2.Client) -> dict[str, Any]:
    """What a note became, end to end."""
    session = ok(admin.post("/api/v1/sessions", json={"user": "zhang-san"}))["id"]
    evidence = {"evidence": {"role": "user", "quote": QUOTE}}
    ok(admin.post(f"/api/v1/sessions/{session}/turns", json={"turns": [{"role": "user", "content": QUOTE}]}))
    ok(admin.post(f"/api/v1/sessions/{session}/notes", json=NOTE | evidence))
    assert admin.post(f"/api/v1/sessions/{session}/end", json={}).status_code == 202
    consolidated = until(
        lambda: (found := ok(admin.get(f"/api/v1/sessions/{session}")))["status"] == "consolidated" and found,
        60,
        "the session is consolidated",
    )
    assert consolidated["user"] == "zhang-san"
    return ok(admin.get("/api/v1/memories", params={"user": "zhang-san"}))["items"][0]


def ok(response: httpx2.Response) -> Any:
    assert response.is_success, (response.status_code, response.text[:1000])
    return response.json()


def sign_in(client: httpx2.Client, password: str) -> httpx2.Response:
    """The answer of the sign-in form, filled in as a browser does."""
    page = client.get("/accounts/login/")
    token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)[0]
    form = {"username": "lin", "password": password, "csrfmiddlewaretoken": token}
    return client.post("/accounts/login/", data=form, headers={"Referer": f"https://{HOST}/accounts/login/"})


def test_the_example_environment_sets_only_what_exists() -> None:
    assert set(example_environment()) <= set(variables())


def test_the_units_are_well_formed() -> None:
    for path in DEPLOY.glob("*.service"):
        text = path.read_text()
        assert "EnvironmentFile=/etc/commonplace/commonplace.env" in text, path.name
        assert "User=commonplace" in text, path.name


def test_a_note_becomes_memory(site: Installation, admin: httpx2.Client, remembered: dict[str, Any]) -> None:
    assert remembered["value"] == "aisle"
    recalled = ok(admin.post("/api/v1/recall", json={"user": "zhang-san", "query": "Which seat do I like?"}))
    assert remembered["id"] in str(recalled)
    assert ok(admin.get("/readyz"))["checks"] == {
        "database": "ok", "broker": "ok", "worker": "ok", "embedder": "ok"
    }  # fmt: skip


def test_plain_http_is_sent_to_https(site: Installation) -> None:
    answer = httpx2.get(f"http://127.0.0.1:{site.http}/accounts/login/", headers={"Host": HOST})
    assert (answer.status_code, answer.headers["location"]) == (308, f"https://{HOST}/accounts/login/")


def test_browsers_stay_with_https_and_cookies_too(site: Installation, password: str) -> None:
    with site.client() as client:
        signed_in = sign_in(client, password)
        assert signed_in.status_code == 302, signed_in.text[:500]
        cookies = [line.lower() for line in signed_in.headers.get_list("set-cookie")]
        assert cookies
        assert all("secure" in line and "samesite=lax" in line for line in cookies)
        assert "max-age=31536000" in signed_in.headers["strict-transport-security"]
        assert client.get("/", follow_redirects=True).status_code == 200


def test_the_callers_own_address_is_kept(site: Installation, admin: httpx2.Client) -> None:
    """nginx says 127.0.0.2, from where this call comes, and not what the caller wrote."""
    last = query(site, "SELECT max(at) FROM memory_app_auditevent")[0][0]
    transport = httpx2.HTTPTransport(local_address="127.0.0.2", verify=False)
    with httpx2.Client(transport=transport, headers=dict(admin.headers)) as other:
        made = other.post(
            f"https://127.0.0.1:{site.https}/api/v1/memories",
            json={
                "user": "li-si",
                "scope": "user",
                "kind": "semantic",
                "text": "Likes trains",
                "key": "transport_preference",
                "value": "rail",
            },
            headers={"X-Forwarded-For": "203.0.113.9"},
        )
    assert made.status_code == 201, made.text
    assert {row[0] for row in query(site, "SELECT host(address) FROM memory_app_auditevent WHERE at > %s", last)} == {
        "127.0.0.2"
    }


def test_a_body_that_is_too_long_is_refused_by_the_product(admin: httpx2.Client) -> None:
    answer = admin.post("/api/v1/recall", content=b" " * 4_100_000, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
    assert admin.post("/api/v1/recall", content=b" " * 9_000_000).status_code == 413


def test_a_web_process_that_dies_is_not_missed(site: Installation, admin: httpx2.Client) -> None:
    port = str(site.web_ports[0])
    os.killpg(site.processes[f"commonplace-web@.service{port}"].pid, signal.SIGKILL)
    assert [admin.get("/healthz").status_code for _ in range(6)] == [200] * 6
    site.start("commonplace-web@.service", port)


def test_embeddings_come_from_the_given_server(admin: httpx2.Client, remembered: dict[str, Any]) -> None:
    found = ok(admin.post("/api/v1/recall", json={"user": "zhang-san", "query": "Where in the plane is my seat?"}))
    assert remembered["id"] in str(found)
    assert any(NOTE["text"] in text for text in Embeddings.asked)
    assert any("in the plane" in text for text in Embeddings.asked), Embeddings.asked


def query(site: Installation, statement: str, *values: object) -> list[tuple[Any, ...]]:
    with psycopg.connect(**connection_arguments(read(site.variables)), autocommit=True) as connection:
        return connection.execute(statement.encode(), values).fetchall()


@pytest.mark.usefixtures("remembered")
def test_an_upgrade_migrates_what_is_there(site: Installation) -> None:
    count = "SELECT count(*), min(text) FROM memory_app_memoryversion"
    before = query(site, count)
    last = sorted(path.stem for path in (ROOT / "memory_app" / "migrations").glob("[0-9]*.py"))[-2]
    site.command("migrate", "memory_app", last)
    assert site.run("migrate", "--check").returncode == 1
    assert "Applying memory_app" in site.command("prepare")
    assert query(site, count) == before


def test_a_backup_is_a_fresh_start_elsewhere(
    site: Installation, remembered: dict[str, Any], admin: httpx2.Client, password: str, tmp_path: Path
) -> None:
    """From a given PostgreSQL into the embedded one of another home: what was kept is there, and as closed as before."""
    dump = tmp_path / "commonplace.dump"
    site.command("backup", str(dump))
    assert dump.stat().st_mode & 0o077 == 0
    decisions = ok(admin.get("/api/v1/decisions"))["items"]
    product = Product(tmp_path / "home", free_port())
    restored = subprocess.run(
        [sys.executable, "manage.py", "restore", str(dump)],
        cwd=ROOT,
        env=product.variables,
        capture_output=True,
        text=True,
    )
    assert restored.returncode == 0, restored.stderr
    product.start()
    try:
        product.hear("Ctrl-C stops it")
        _check_restored(product, remembered, decisions, str(admin.headers["Authorization"]), password)
        again = subprocess.run(
            [sys.executable, "manage.py", "restore", str(dump)],
            cwd=ROOT,
            env=product.variables,
            capture_output=True,
            text=True,
        )
        assert again.returncode == 1
        assert again.stderr.startswith("CommandError: The database holds tables already: stop the product")
    finally:
        assert product.process is not None
        product.process.terminate()
        product.end()


def _check_restored(
    product: Product, remembered: dict[str, Any], decisions: list[dict[str, Any]], key: str, password: str
) -> None:
    with httpx2.Client(base_url=f"http://127.0.0.1:{product.port}", timeout=60) as client:
        headers = {"Authorization": key}
        memory = ok(client.get(f"/api/v1/memories/{remembered['id']}", headers=headers))
        recalled = ("recall_count", "recalled_at")  # counted since
        assert {**memory, **dict.fromkeys(recalled)} == {**remembered, **dict.fromkeys(recalled)}
        assert ok(client.get("/api/v1/decisions", headers=headers))["items"] == decisions
        asked = {"user": "zhang-san", "query": "Which seat do I like?"}
        assert remembered["id"] in client.post("/api/v1/recall", json=asked, headers=headers).text
        assert sign_in(client, password).status_code == 302
    for table in ("memory_app_memoryversion", "memory_app_auditevent"):
        assert product.rows(f"SELECT count(*) FROM {table}") != [(0,)]
        with pytest.raises(psycopg.errors.Error):
            product.rows(f"DELETE FROM {table} RETURNING 1")
