"""``python -m config.supervisor``: what ``make run`` runs once everything is installed."""

import sys

from config.environment import read_or_exit
from config.supervisor.run import Supervisor

if __name__ == "__main__":
    sys.exit(Supervisor(read_or_exit()).run())
