"""The tables of consolidation in Django's admin, to look at."""

from consolidation.models import ConsolidationRun, PolicyVersion, WorkerHeartbeat
from memory_app.admin import register

register(ConsolidationRun, PolicyVersion, WorkerHeartbeat)
