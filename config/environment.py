"""Every setting that comes from outside, read once, typed, with the remedy where a value is wrong.

docs/settings.md describes each variable; a test holds the two together.
"""

import ipaddress
import os
import secrets
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn
from urllib.parse import SplitResult, urlsplit

ROOT = Path(__file__).resolve().parent.parent
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
DATABASE_SCHEMES = ("postgres", "postgresql")
BROKER_SCHEMES = ("redis", "rediss", "amqp", "amqps", "pyamqp")

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


#: What the embedded database serves at once; every thread of the web and two of each worker process keep one.
EMBEDDED_CONNECTIONS = 120
#: The worker's and beat's own, the queue's, and a command or two by hand.
CONNECTIONS_BESIDE_THE_WEB = 16


class WrongValue(Exception):
    """A variable holds what cannot be used; the message is one line: variable, problem, remedy."""

    def __init__(self, name: str, problem: str, remedy: str) -> None:
        super().__init__(f"{name} {problem}: {remedy}.")


@dataclass(frozen=True, repr=False)
class Environment:
    """What the product was told from outside. ``repr`` is the plain object's: several fields are secrets."""

    host: str
    port: int
    home: Path
    demo: bool
    debug: bool
    secure: bool
    allowed_hosts: tuple[str, ...]
    trusted_proxies: tuple[Network, ...]
    log_level: str
    given_secret_key: str | None
    database_url: str | None
    broker_url: str | None
    cache_url: str | None
    embeddings_url: str | None
    embeddings_model: str
    embeddings_key: str | None
    llm_url: str | None
    llm_model: str | None
    llm_key: str | None
    llm_timeout_seconds: int
    web_workers: int
    web_threads: int
    worker_concurrency: int
    session_idle_minutes: int
    run_lease_seconds: int
    sweep_seconds: int
    agent_calls_per_minute: int
    curator_calls_per_minute: int
    max_body_bytes: int
    metrics_token: str | None
    alert_queue_hours: int
    alert_reversal_percent: int
    alert_writes_times: int
    alert_instruction_blocks: int
    alert_failed_runs: int

    @property
    def embedded_database(self) -> bool:
        return self.database_url is None

    @property
    def secret_key(self) -> str:
        """The signing key: the given one, or one made once for this home."""
        return self.given_secret_key or _kept_secret(self.home)


class Reader:
    """Reads variables by type; an empty value counts as not set. ``names`` are those that were asked for."""

    def __init__(self, source: Mapping[str, str]) -> None:
        self.source = source
        self.names: list[str] = []

    def text(self, name: str) -> str | None:
        self.names.append(name)
        value = self.source.get(name, "").strip()
        if "\x00" in value or "\n" in value:
            raise WrongValue(name, "holds a line break or NUL", "give it as one line")
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise WrongValue(name, "holds bytes that are no UTF-8", "give it as UTF-8 text")
        return value or None

    def integer(self, name: str, default: int, low: int, high: int) -> int:
        value = self.text(name)
        if value is None:
            return default
        if not value.isascii() or not value.isdigit() or len(value) > 18 or not low <= int(value) <= high:
            raise WrongValue(name, f"is {value[:30]!r}", f"set a whole number from {low} to {high} (default {default})")
        return int(value)

    def flag(self, name: str, default: bool = False) -> bool:
        value = self.text(name)
        if value is None:
            return default
        if value.lower() in ("1", "true", "yes", "on"):
            return True
        if value.lower() in ("0", "false", "no", "off"):
            return False
        raise WrongValue(name, f"is {value!r}", "set 1 or 0")

    def words(self, name: str) -> tuple[str, ...]:
        return tuple(word.strip() for word in (self.text(name) or "").split(",") if word.strip())

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        value = (self.text(name) or default).upper()
        if value not in choices:
            raise WrongValue(name, f"is {value!r}", f"set one of {', '.join(choices)}")
        return value

    def address(self, name: str, schemes: tuple[str, ...], example: str) -> str | None:
        """An absolute URL with one of the schemes; no message repeats it, since it can hold a password."""
        value = self.text(name)
        if value is None:
            return None
        try:
            parts = urlsplit(value)
            _ = parts.port
        except ValueError as error:
            raise WrongValue(name, "is no valid URL", f"set one such as {example}") from error
        if parts.scheme not in schemes:
            raise WrongValue(name, f"has the scheme {parts.scheme!r}", f"set one such as {example}")
        if not self._reaches_something(parts):
            raise WrongValue(name, "names no host", f"set one such as {example}")
        return value

    @staticmethod
    def _reaches_something(parts: SplitResult) -> bool:
        return bool(parts.hostname) or (parts.scheme in DATABASE_SCHEMES and "host=" in parts.query)

    def networks(self, name: str) -> tuple[Network, ...]:
        found: list[Network] = []
        for word in self.words(name):
            try:
                found.append(ipaddress.ip_network(word, strict=False))
            except ValueError as error:
                raise WrongValue(
                    name, f"holds {word!r}", "set addresses or networks such as 10.0.0.0/8, divided by commas"
                ) from error
        return tuple(found)

    def folder(self, name: str, default: Path) -> Path:
        value = self.text(name)
        try:
            path = Path(value).expanduser() if value else default
        except RuntimeError as error:
            raise WrongValue(name, "begins with ~ and a name that no user has", "give the whole path") from error
        return Path(os.path.abspath(path if path.is_absolute() else ROOT / path))


def read(source: Mapping[str, str]) -> Environment:
    """The environment, whole and checked; raises WrongValue at the first variable that cannot be used."""
    return _read(Reader(source))


def variables() -> tuple[str, ...]:
    """The name of every variable that is read."""
    reader = Reader({})
    _read(reader)
    return tuple(sorted(reader.names))


def _read(reader: Reader) -> Environment:
    host = reader.text("HOST") or "127.0.0.1"
    environment = Environment(
        host=host,
        port=reader.integer("PORT", 8000, 1, 65535),
        home=reader.folder("COMMONPLACE_HOME", ROOT / ".data"),
        demo=reader.flag("DEMO", default=True),
        debug=reader.flag("DEBUG"),
        secure=reader.flag("SECURE"),
        allowed_hosts=_with_localhost(reader.words("ALLOWED_HOSTS")) or _local_names(host),
        trusted_proxies=reader.networks("TRUSTED_PROXIES"),
        log_level=reader.choice("LOG_LEVEL", "INFO", LOG_LEVELS),
        given_secret_key=reader.text("SECRET_KEY"),
        database_url=reader.address("DATABASE_URL", DATABASE_SCHEMES, "postgresql://user:password@host:5432/name"),
        broker_url=reader.address("BROKER_URL", BROKER_SCHEMES, "redis://host:6379/0 or amqp://user:password@host//"),
        cache_url=reader.address("CACHE_URL", ("redis", "rediss"), "redis://host:6379/1"),
        embeddings_url=reader.address("EMBEDDINGS_URL", ("http", "https"), "http://host:8080/v1"),
        embeddings_model=reader.text("EMBEDDINGS_MODEL") or "text-embedding-3-small",
        embeddings_key=reader.text("EMBEDDINGS_KEY"),
        llm_url=reader.address("LLM_URL", ("http", "https"), "http://host:8080/v1"),
        llm_model=reader.text("LLM_MODEL"),
        llm_key=reader.text("LLM_KEY"),
        llm_timeout_seconds=reader.integer("LLM_TIMEOUT_SECONDS", 60, 1, 3600),
        web_workers=reader.integer("WEB_WORKERS", 2, 1, 64),
        web_threads=reader.integer("WEB_THREADS", 8, 1, 256),
        worker_concurrency=reader.integer("WORKER_CONCURRENCY", 2, 1, 64),
        session_idle_minutes=reader.integer("SESSION_IDLE_MINUTES", 30, 1, 525_600),
        run_lease_seconds=reader.integer("RUN_LEASE_SECONDS", 15, 1, 3600),
        sweep_seconds=reader.integer("SWEEP_SECONDS", 5, 1, 3600),
        agent_calls_per_minute=reader.integer("AGENT_CALLS_PER_MINUTE", 600, 1, 1_000_000),
        curator_calls_per_minute=reader.integer("CURATOR_CALLS_PER_MINUTE", 6000, 1, 1_000_000),
        max_body_bytes=reader.integer("MAX_BODY_BYTES", 4_000_000, 10_000, 1_000_000_000),
        metrics_token=reader.text("METRICS_TOKEN"),
        alert_queue_hours=reader.integer("ALERT_QUEUE_HOURS", 72, 1, 8760),
        alert_reversal_percent=reader.integer("ALERT_REVERSAL_PERCENT", 20, 1, 100),
        alert_writes_times=reader.integer("ALERT_WRITES_TIMES", 10, 2, 1000),
        alert_instruction_blocks=reader.integer("ALERT_INSTRUCTION_BLOCKS", 5, 1, 1000),
        alert_failed_runs=reader.integer("ALERT_FAILED_RUNS", 3, 1, 1000),
    )
    _check_together(environment)
    return environment


def _check_together(environment: Environment) -> None:
    key = environment.given_secret_key
    if key is not None and len(key) < 32:
        raise WrongValue("SECRET_KEY", f"has {len(key)} characters", "set 32 random ones or more, or leave it out")
    if environment.secure and not environment.trusted_proxies:
        remedy = "name the reverse proxy that ends HTTPS, such as 127.0.0.1"
        raise WrongValue("TRUSTED_PROXIES", "is missing while SECURE is 1", remedy)
    if environment.metrics_token is not None and len(environment.metrics_token) < 16:
        raise WrongValue("METRICS_TOKEN", "is too short", "set 16 random characters or more, or leave it out")
    most = EMBEDDED_CONNECTIONS - CONNECTIONS_BESIDE_THE_WEB - 2 * environment.worker_concurrency
    if environment.embedded_database and environment.web_workers * environment.web_threads > most:
        remedy = f"keep WEB_WORKERS times WEB_THREADS within {max(most, 0)}, or set DATABASE_URL to a larger database"
        raise WrongValue("WEB_THREADS", "asks for more connections than the embedded database has", remedy)
    _check_llm(environment)


def _check_llm(environment: Environment) -> None:
    if environment.llm_url is None:
        return
    if environment.llm_model is None:
        raise WrongValue("LLM_MODEL", "is missing while LLM_URL is set", "name the model that LLM_URL serves")
    if "@" in urlsplit(environment.llm_url).netloc:
        raise WrongValue("LLM_URL", "holds a user or a password", "leave them out; a key goes into LLM_KEY")
    if not (environment.llm_key or "").isascii() or not (environment.llm_key or "").isprintable():
        raise WrongValue("LLM_KEY", "holds characters that no request can carry", "copy the key again")


def _with_localhost(names: tuple[str, ...]) -> tuple[str, ...]:
    """The given names, and the one under which the supervisor asks whether the server is up."""
    return (*names, "localhost") if names and not {"localhost", "*"} & set(names) else names


def _local_names(host: str) -> tuple[str, ...]:
    """The names under which this machine itself reaches the server."""
    names = ["localhost", "127.0.0.1", "[::1]", socket.gethostname()]
    if host not in ("0.0.0.0", "::", ""):
        names.append(f"[{host}]" if ":" in host else host)
    return tuple(dict.fromkeys(names))


@cache
def _kept_secret(home: Path) -> str:
    """The home's signing key; the process that comes first makes it, all others read that one."""
    path = home / "secret_key"
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = home / f".secret_key-{os.getpid()}-{secrets.token_hex(4)}"
    if not path.exists():
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(secrets.token_urlsafe(48))
            out.flush()
            os.fsync(out.fileno())
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass  # Another process was first: its key is the one that counts.
        finally:
            fresh.unlink()
    key = path.read_text().strip()
    if len(key) < 32:
        raise WrongValue("SECRET_KEY", f"in {path} is damaged", "remove that file; people then have to log in again")
    return key


def complain(message: object) -> NoReturn:
    """The process ends with code 2 and one line."""
    print(f"commonplace: {message}", file=sys.stderr)
    raise SystemExit(2)


@cache
def read_or_exit() -> Environment:
    """The process's environment; a wrong value ends the process with code 2 and one line."""
    try:
        return read(os.environ)
    except WrongValue as error:
        complain(error)


def secret_key_or_exit() -> str:
    """The process's signing key; where none can be had, the process ends with code 2 and one line."""
    try:
        return read_or_exit().secret_key
    except WrongValue as error:
        complain(error)
    except OSError as error:
        complain(_unwritable(error))


def _unwritable(error: OSError) -> str:
    """One line that names the path, and what is wrong with it."""
    path = Path(str(error.filename)) if error.filename else None
    at_fault = next((one for one in (path, *path.parents) if os.path.isfile(one)), None) if path is not None else None
    if at_fault is not None:
        return f"COMMONPLACE_HOME cannot be written: {at_fault} is a file. Set a folder that you may write to."
    named = f": {path}" if path is not None else ""
    return f"COMMONPLACE_HOME cannot be written{named} ({error.strerror}). Set a folder that you may write to."
