"""Gunicorn's settings: threads in a few processes, no control socket, logs as everywhere else."""

import gc
from typing import Any

from config.environment import read_or_exit
from config.settings import LOGGING

_environment = read_or_exit()

bind = [
    f"[{_environment.host}]:{_environment.port}"
    if ":" in _environment.host
    else f"{_environment.host}:{_environment.port}"
]
workers = _environment.web_workers
# The code is loaded once, before the processes part: they share it in memory, and start in half the time.
preload_app = True
worker_class = "gthread"
threads = _environment.web_threads
timeout = 60
graceful_timeout = 10
keepalive = 5
# Above what the product itself takes (config/api_middleware.py), so that it can answer in its own words.
limit_request_line = 8190
proc_name = "commonplace-web"
control_socket_disable = True
# Addresses hold queries, and bodies hold what people said: there is no access log.
accesslog = None
errorlog = "-"
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": LOGGING["formatters"],
    "handlers": LOGGING["handlers"],
    "root": LOGGING["root"],
    "loggers": {
        "gunicorn.error": {"handlers": [], "level": "INFO", "propagate": True},
        "gunicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
    },
}
forwarded_allow_ips = ",".join(str(network) for network in _environment.trusted_proxies)


def when_ready(server: Any) -> None:
    """Every page, the API and the dictionary are loaded, before the first process parts."""
    import config.urls  # noqa: F401
    from config import unreadable
    from memory_app.domain import words

    words.load()
    unreadable.install()


def pre_fork(server: Any, worker: Any) -> None:
    """What is loaded by now stays where it is: a collection in one process would copy what they all share."""
    gc.freeze()
