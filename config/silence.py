"""The alert that no worker lives. Beat raises it, since no worker could; the next worker that lives clears it.

Written without Django, as the heartbeat is.
"""

import logging
from datetime import timedelta
from typing import Any

import psycopg

from config.databases import connection_arguments
from config.environment import read_or_exit

SILENT_AFTER = timedelta(minutes=1)
EVERY_SECONDS = 15.0

# The partial unique index lets one be open; what was raised is audited in the same statement.
RAISE = """
WITH raised AS (
    INSERT INTO memory_app_alert (id, workspace_id, kind, subject, detail)
    SELECT gen_random_uuid(), w.id, 'worker', '', '{}'::jsonb FROM memory_app_workspace w
     WHERE NOT EXISTS (SELECT FROM consolidation_workerheartbeat WHERE kind = 'worker' AND beat_at > now() - %(after)s)
    ON CONFLICT (workspace_id, kind, subject) WHERE cleared_at IS NULL DO NOTHING
    RETURNING id, workspace_id
)
INSERT INTO memory_app_auditevent (id, workspace_id, actor_kind, actor_id, actor, action, object_type, object_id, detail)
SELECT gen_random_uuid(), workspace_id, 'system', '', '', 'alert.raised', 'alert', id::text, '{"kind": "worker"}'::jsonb
  FROM raised
"""
logger = logging.getLogger(__name__)


def raise_silence(where: dict[str, Any] | None = None) -> int:
    """Every workspace has the alert open while no worker has said for a minute that it lives; how many are new."""
    try:
        with psycopg.connect(**(connection_arguments(read_or_exit()) if where is None else where)) as connection:
            return connection.execute(RAISE, {"after": SILENT_AFTER}).rowcount
    except psycopg.Error as error:
        logger.warning("Whether a worker lives was not asked: %s", type(error).__name__)
        return 0
