"""Gunicorn's settings: threads in a few processes, no control socket, logs as everywhere else."""

from config.environment import read_or_exit
from config.settings import LOGGING

_environment = read_or_exit()

bind = [
    f"[{_environment.host}]:{_environment.port}"
    if ":" in _environment.host
    else f"{_environment.host}:{_environment.port}"
]
workers = _environment.web_workers
worker_class = "gthread"
threads = _environment.web_threads
timeout = 60
graceful_timeout = 10
keepalive = 5
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
