"""An installation as docs/deploy.md has it: the very units and nginx.conf of deploy/, on ports of the test's own."""

import re
import shlex
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from config.environment import ROOT
from tests.deployment.embeddings import embeddings_server
from tests.deployment.postgres import postgres
from tests.deployment.programs import needs, redis_server, running
from tests.product import free_port
from tests.waiting import until

DEPLOY = ROOT / "deploy"
HOST = "memory.example.org"
INSTALLED = "/opt/commonplace/"


def example_environment() -> dict[str, str]:
    """The variables of deploy/commonplace.env.example."""
    lines = (DEPLOY / "commonplace.env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


@dataclass
class Installation:
    """Everything that runs, and how to reach it."""

    folder: Path
    variables: dict[str, str]
    web_ports: tuple[int, int]
    http: int
    https: int
    certificate: Path
    stack: ExitStack
    processes: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    def unit(self, name: str, instance: str = "") -> tuple[list[str], dict[str, str]]:
        """A unit's command and environment, with its folder and instance put in."""
        text = (DEPLOY / name).read_text().replace("%i", instance)
        command = shlex.split(re.findall(r"^ExecStart=(.+)$", text, re.M)[0])
        own = dict(word.split("=", 1) for word in re.findall(r"^Environment=(\S+)$", text, re.M))
        assert command[0].startswith(f"{INSTALLED}.venv/bin/")
        command[0] = str(Path(sys.executable).parent / Path(command[0]).name)
        return command, self.variables | own

    def start(self, name: str, instance: str = "") -> None:
        command, variables = self.unit(name, instance)
        log = self.folder / f"{name}-{instance}.log"
        process = self.stack.enter_context(running(command, log, variables, ROOT))
        self.processes[f"{name}{instance}"] = process

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """One of the product's commands, by the script that operators use."""
        (self.folder / "commonplace.env").write_text("".join(f"{n}={v}\n" for n, v in self.variables.items()))
        script = (DEPLOY / "commonplace").read_text()
        for old, new in (
            ("/etc/commonplace/commonplace.env", str(self.folder / "commonplace.env")),
            ("cd /opt/commonplace", f"cd {ROOT}"),
            ("runuser -u commonplace -- .venv/bin/python", sys.executable),
        ):
            assert script.count(old) == 1, old
            script = script.replace(old, new)
        return subprocess.run(["sh", "-c", script, "commonplace", *words], env={}, capture_output=True, text=True)

    def command(self, *words: str) -> str:
        """What a command prints; it must succeed."""
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def client(self, **options: Any) -> httpx2.Client:
        """A browser or program that calls by HTTPS, under the name that the certificate is for."""
        trust = ssl.create_default_context(cafile=str(self.certificate))
        return httpx2.Client(
            base_url=f"https://127.0.0.1:{self.https}",
            headers={"Host": HOST} | options.pop("headers", {}),
            verify=trust,
            timeout=60,
            **options,
        )

    def start_nginx(self) -> None:
        program = needs("nginx", "nginx")
        site = (DEPLOY / "nginx.conf").read_text()
        for old, new in (
            ("listen 80;", f"listen 127.0.0.1:{self.http};"),
            ("listen 443 ssl http2;", f"listen 127.0.0.1:{self.https} ssl http2;"),
            ("127.0.0.1:8001", f"127.0.0.1:{self.web_ports[0]}"),
            ("127.0.0.1:8002", f"127.0.0.1:{self.web_ports[1]}"),
            (f"/etc/letsencrypt/live/{HOST}/fullchain.pem", str(self.certificate)),
            (f"/etc/letsencrypt/live/{HOST}/privkey.pem", str(self.folder / "key.pem")),
        ):
            assert site.count(old) == 1, old
            site = site.replace(old, new)
        site = re.sub(r"^\s*listen \[::\]:.*$", "", site, flags=re.M)
        (self.folder / "site.conf").write_text(site)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in kinds)
        main = self.folder / "nginx.conf"
        main.write_text(
            f"daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.log;"
            f" events {{}} http {{ {places} include {self.folder}/site.conf; }}"
        )
        command = [program, "-c", str(main), "-e", str(self.folder / "nginx.log"), "-p", str(self.folder)]
        self.stack.enter_context(running(command, self.folder / "nginx.out"))


def make_certificate(folder: Path) -> Path:
    certificate = folder / "certificate.pem"
    subprocess.run(
        [needs("openssl", "openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-keyout", folder / "key.pem", "-out", certificate, "-subj", f"/CN={HOST}",
         "-addext", f"subjectAltName=DNS:{HOST},IP:127.0.0.1"],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return certificate


@contextmanager
def installed(folder: Path) -> Iterator[Installation]:
    """PostgreSQL, Redis, two web processes, two workers, beat and nginx run, and everything answers."""
    with ExitStack() as stack:
        needs("nginx", "nginx")
        redis_port = free_port()
        stack.enter_context(redis_server(folder, redis_port))
        server = stack.enter_context(postgres(folder / "database"))
        for extension in ("vector", "pg_trgm"):
            server.run(f"CREATE EXTENSION {extension}", database="commonplace")
        embeddings = stack.enter_context(embeddings_server())
        variables = (
            example_environment()
            | embeddings
            | {
                "SECRET_KEY": "s" * 64,
                "DATABASE_URL": server.address(),
                "BROKER_URL": f"redis://127.0.0.1:{redis_port}/0",
                "CACHE_URL": f"redis://127.0.0.1:{redis_port}/1",
                "COMMONPLACE_HOME": str(folder / "home"),
                "SWEEP_SECONDS": "1",
                "WEB_WORKERS": "1",
                "WORKER_CONCURRENCY": "1",
                "PATH": "/usr/bin:/bin",
            }
        )
        ports = (free_port(), free_port())
        found = Installation(folder, variables, ports, free_port(), free_port(), make_certificate(folder), stack)
        command, environment = found.unit("commonplace-prepare.service")
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
        for port in ports:
            found.start("commonplace-web@.service", str(port))
        for name in ("1", "2"):
            found.start("commonplace-worker@.service", name)
        found.start("commonplace-beat.service")
        found.start_nginx()
        with found.client() as client:
            until(lambda: all(answers(port) for port in ports), 120, "every process to answer")
            until(lambda: client.get("/readyz").status_code == 200, 20, "nginx to pass on")
        yield found


def answers(port: int) -> bool:
    """The web process on this port, and everything that it needs."""
    try:
        return httpx2.get(f"http://127.0.0.1:{port}/readyz", headers={"Host": "localhost"}).status_code == 200
    except httpx2.TransportError:
        return False
