"""Programs of Debian's packages, each run by the test itself: own ports, own folders, gone when the test is over."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.product import free_port
from tests.waiting import until

REQUIRED = os.environ.get("COMMONPLACE_REQUIRE_PROGRAMS") == "1"


def needs(program: str, package: str, folders: str = "/usr/sbin:/usr/lib/rabbitmq/bin") -> str:
    """The program's path. Where it is missing the test is skipped, and fails where nothing may be skipped."""
    found = shutil.which(program, path=f"{os.environ.get('PATH', '')}:{folders}")
    if found is None:
        said = f"{program} is not installed: apt-get install {package}"
        if REQUIRED:
            pytest.fail(said)
        pytest.skip(said)
    return found


@contextmanager
def running(
    command: list[str], log: Path, environment: Mapping[str, str] | None = None, cwd: str | Path = "/"
) -> Iterator["subprocess.Popen[bytes]"]:
    """The program runs in a group of its own during the block; after it, nothing of the group is left."""
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )
    try:
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def await_line(log: Path, words: str, process: "subprocess.Popen[bytes]", seconds: float = 90) -> None:
    """The program has said so in its log."""

    def said() -> bool:
        assert process.poll() is None, log.read_text()[-2000:]
        return words in log.read_text()

    until(said, seconds, f"{words!r} in {log}")


@contextmanager
def redis_server(folder: Path, port: int) -> Iterator[str]:
    """The address of a Redis that keeps nothing on disk."""
    program = needs("redis-server", "redis-server")
    log = folder / "redis.log"
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    with running(command, log) as process:
        await_line(log, "Ready to accept connections", process)
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def rabbitmq_server(folder: Path, port: int) -> Iterator[str]:
    """The address of a RabbitMQ, its Erlang node and port mapper included."""
    program, mapper = needs("rabbitmq-server", "rabbitmq-server"), needs("epmd", "rabbitmq-server")
    # Debian's own command goes on as the user rabbitmq, whom these folders do not admit.
    program = program.replace("/usr/sbin/", "/usr/lib/rabbitmq/bin/")
    ports = {"ERL_EPMD_PORT": str(free_port()), "RABBITMQ_DIST_PORT": str(free_port())}
    environment = os.environ | ports | {
        "HOME": str(folder),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODENAME": f"commonplace{port}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(port),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_PID_FILE": str(folder / "rabbitmq.pid"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "no-plugins"),
        "RABBITMQ_CONFIG_FILE": str(folder / "no-config"),
        "RABBITMQ_CONF_ENV_FILE": str(folder / "no-environment"),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
    }  # fmt: skip
    log = folder / "rabbitmq.log"
    # Started here, the port mapper ends here; started by Erlang, it would stay for ever.
    with running([mapper], folder / "epmd.log", environment), running([program], log, environment) as process:
        await_line(log, "Starting broker... completed", process)
        yield f"amqp://guest:guest@127.0.0.1:{port}//"


BROKERS = {"redis": redis_server, "rabbitmq": rabbitmq_server}
