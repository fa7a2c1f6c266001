"""A large workspace: memories as bench/data.py makes them, and all that stands around them: sessions with their turns
and notes, the decision behind each memory, decisions that wait, blocks, what agents were shown, the audit log.

One row of each table is made through the product's own actions; PostgreSQL makes as many like it as are wanted, each with
an owner, a time of the last ninety days and an outcome of its own.
"""

import uuid
from dataclasses import dataclass
from typing import Any

from django.db import connection, models, transaction

from memory_app.actions.content import NO_VECTOR
from memory_app.actions.decisions import Proposal, record
from memory_app.actions.notes import NewNote, retain_note
from memory_app.actions.sessions import NewTurn, add_turns, open_session
from memory_app.domain.actor import SYSTEM, Actor
from memory_app.models import (
    AuditEvent,
    Block,
    Decision,
    Injection,
    Membership,
    Note,
    Operator,
    Session,
    Turn,
    Workspace,
)
from memory_app.models.base import sequence_of

from .data import Data, made_again, make, without_indexes

AGENT = Actor("key", "bench", "bench", "agent")
NAME, PASSWORD = "bench", "a long sentence"
TURNS = 4
DAYS = 90
SAID = "I would rather take the train than fly."

#: Owners with a place each, so that a session and the memories of its user find each other by number.
OWNERS = """
    CREATE TABLE bench_owner AS
        SELECT id, external_id, row_number() OVER (ORDER BY external_id) - 1 AS at FROM memory_app_user WHERE workspace_id = %(workspace)s;
    CREATE TABLE bench_session AS
        SELECT n, gen_random_uuid() AS id, o.id AS owner, now() - (%(days)s * random()) * interval '1 day' AS at
          FROM generate_series(0, %(sessions)s - 1) n JOIN bench_owner o ON o.at = n %% %(users)s;
    CREATE UNIQUE INDEX bench_session_n ON bench_session (n);
    CREATE TABLE bench_turn AS
        SELECT s.n, gen_random_uuid() AS id, s.id AS session, s.at + i * interval '10 second' AS at, i,
               CASE i %% 2 WHEN 1 THEN 'user' ELSE 'assistant' END AS role
          FROM bench_session s CROSS JOIN generate_series(1, %(turns)s) i;
    CREATE INDEX bench_turn_n ON bench_turn (n, i);
"""
#: A decision for each memory, in one of its user's sessions, and `open` more that wait: newest sessions first.
DECISIONS = """
    CREATE TABLE bench_decision AS
        SELECT m.*, s.id AS session, s.at AS at, t.id AS turn, gen_random_uuid() AS id, gen_random_uuid() AS note, random() AS chance
          FROM (SELECT m.id AS memory, m.owner, m.text, o.at AS place, false AS open, 'applied' AS status,
                       row_number() OVER (PARTITION BY m.owner ORDER BY m.id) AS k
                  FROM memory_app_memory m JOIN bench_owner o ON o.id = m.owner
                 WHERE m.workspace_id = %(workspace)s AND m.scope = 'user'
                UNION ALL
                (SELECT m.id, m.owner, 'Would rather take the train than fly, ' || m.text, o.at, true, 'pending',
                       row_number() OVER (PARTITION BY m.owner ORDER BY m.id DESC)
                  FROM memory_app_memory m JOIN bench_owner o ON o.id = m.owner
                 WHERE m.workspace_id = %(workspace)s AND m.scope = 'user' ORDER BY m.id LIMIT %(open)s)) m
          JOIN bench_session s ON s.n = m.place + %(users)s * (m.k %% greatest(1, %(sessions)s / %(users)s))
          JOIN bench_turn t ON t.n = s.n AND t.i = 1;
    UPDATE bench_decision SET status = CASE WHEN chance < 0.84 THEN 'applied' WHEN chance < 0.94 THEN 'approved' ELSE 'declined' END
     WHERE NOT open;
"""


#: What triggers would have kept.
KEPT = """
    INSERT INTO memory_app_memoryuse (memory_id, workspace_id, recall_count)
        SELECT id, workspace_id, recall_count FROM memory_app_memory ON CONFLICT DO NOTHING;
    INSERT INTO memory_app_learnt (owner, at)
        SELECT m.owner, v.recorded_at FROM memory_app_memory m JOIN memory_app_memoryversion v ON v.memory_id = m.id
         WHERE m.scope = 'user' GROUP BY 1, 2 ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class Large:
    data: Data
    operator: Operator


def make_large(memories: int, users: int, big: int, sessions: int, waiting: int) -> Large:
    """A workspace of these sizes, with an admin who can sign in."""
    data = make(memories, users, big, varied=True)
    workspace = data.workspace
    pattern = _pattern(workspace)
    given: dict[str, Any] = {
        "workspace": workspace.pk, "days": DAYS, "sessions": sessions, "users": users + 2, "turns": TURNS, "open": waiting,
    }  # fmt: skip
    indexes = without_indexes(Session, Turn, Note, Decision, Block, Injection, AuditEvent)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # no foreign key is checked row by row
        cursor.execute("SET LOCAL work_mem = '256MB'")
        for statement in (OWNERS + DECISIONS).split(";\n"):
            if statement.strip():
                cursor.execute(statement, given)
        _fill(cursor, workspace, pattern)
        cursor.execute(KEPT)
        for name in ("owner", "session", "turn", "decision"):
            cursor.execute(f"DROP TABLE bench_{name}")
    made_again(indexes)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    operator = Operator.objects.create_user(NAME, password=PASSWORD)
    Membership.objects.create(workspace=workspace, operator=operator, role="admin")
    return Large(data, operator)


def _pattern(workspace: Workspace) -> dict[Any, Any]:
    """One row of each table, as the product writes it."""
    session, _ = open_session(workspace, AGENT, user="pattern", agent="travel-assistant")
    turn = add_turns(session, AGENT, [NewTurn("user", f"Next week again. {SAID}", None)])[0]
    note = retain_note(session, AGENT, NewNote(text=SAID, evidence_quote=SAID)).note
    retained = retain_note(session, AGENT, NewNote(text="The password is hunter2-Xy77-kl"))
    made = (
        Decision.objects.filter(workspace=workspace).exclude(memory=None).earliest("created_at")
    )  # of the memories' pattern
    with transaction.atomic():
        proposal = Proposal(
            action="promote", rule="promote.durable", kind=note.kind, scope=note.scope, user=session.user,
            session=session, note=note, after=made.after, confidence=0.91, hold=True,
        )  # fmt: skip
        decision = record(workspace, SYSTEM, proposal, NO_VECTOR)
    injection = Injection.objects.create(
        workspace=workspace, purpose="recall", user=session.user, session=session, moment=session.started_at, text=SAID
    )
    audit = AuditEvent.objects.filter(workspace=workspace).latest("at")
    block = retained.block or Block.objects.create(
        workspace=workspace, session=session, user=session.user, note=note, stage="capture", category="secret",
        rule="secret.password", rule_set="bench", masked="The password is ****",
    )  # fmt: skip
    rows = (session, turn, note, decision, block, injection, audit)
    return {type(row): row.pk for row in rows}


def _fill(cursor: Any, workspace: Workspace, pattern: dict[Any, uuid.UUID]) -> None:
    """Every table filled, each from what stands behind its rows."""
    number = {
        name: f"nextval('{sequence_of(name, workspace.pk)}')" for name in ("session", "note", "decision", "block")
    }
    for table, source, own in (
        (Session, "bench_session", {
            "id": "r.id", "number": number["session"], "user_id": "r.owner", "external_id": "NULL", "status": "'consolidated'",
            "started_at": "r.at", "last_active_at": "r.at", "ended_at": "r.at", "consolidated_at": "r.at", "created_at": "r.at",
        }),
        (Turn, "bench_turn", {
            "id": "r.id", "session_id": "r.session", "index": "r.i", "role": "r.role", "at": "r.at", "created_at": "r.at",
        }),
        (Note, "bench_decision", {
            "id": "r.note", "number": number["note"], "session_id": "r.session", "user_id": "r.owner", "text": "r.text",
            "turn_id": "r.turn", "status": "'decided'", "said_at": "r.at", "created_at": "r.at",
        }),
        (Decision, "bench_decision", _decided() | {"number": number["decision"]}),
        (Block, "(SELECT * FROM bench_session WHERE n % 10 = 0)", {
            "id": "gen_random_uuid()", "number": number["block"], "session_id": "r.id", "user_id": "r.owner", "note_id": "NULL",
            "turn_id": "NULL", "memory_id": "NULL", "created_at": "r.at",
            "status": "CASE r.n % 40 WHEN 0 THEN 'blocked' WHEN 10 THEN 'released' ELSE 'kept' END",
        }),
        (Injection, "bench_session", {
            "id": "gen_random_uuid()", "session_id": "r.id", "user_id": "r.owner", "at": "r.at", "moment": "r.at",
            "memory_ids": "(SELECT array_agg(d.memory) FROM bench_decision d WHERE d.session = r.id AND NOT d.open)",
        }),
        (AuditEvent, "bench_decision", {"id": "gen_random_uuid()", "at": "r.at", "object_id": "r.id::text"}),
    ):  # fmt: skip
        if table is Injection:
            cursor.execute("CREATE INDEX bench_decision_session ON bench_decision (session)")
            own["memory_ids"] = f"coalesce({own['memory_ids']}, '{{}}')"
        _insert(cursor, table, source, pattern[table], own)


def _decided() -> dict[str, str]:
    """A decision: applied by the rules, approved or declined by a person, or open; a few held for an admin."""
    kinds = "(ARRAY['promote', 'override', 'dedupe', 'review', 'session_only'])[1 + (r.chance * 997)::int % 5]"
    settled = "CASE WHEN r.status IN ('approved', 'declined') THEN {} ELSE {} END"
    return {
        "id": "r.id", "session_id": "r.session", "note_id": "r.note", "user_id": "r.owner", "status": "r.status",
        "memory_id": f"CASE WHEN r.open AND {kinds} NOT IN ('override', 'dedupe') THEN NULL ELSE r.memory END",
        "action": f"CASE WHEN r.open THEN {kinds} ELSE 'promote' END", "confidence": "0.5 + r.chance / 2",
        "result_version": "CASE WHEN r.open THEN NULL ELSE 1 END",
        "base_version": f"CASE WHEN r.open AND {kinds} IN ('override', 'dedupe') THEN 1 END",
        "needs": "CASE WHEN r.chance * 100 - floor(r.chance * 100) < 0.05 THEN 'admin' ELSE 'curator' END",
        "neighbours": "jsonb_build_array(jsonb_build_object('memory', r.memory::text, 'similarity', r.chance))",
        "after": "p.after || jsonb_build_object('text', r.text)", "created_at": "r.at + interval '1 minute'",
        "decided_by_kind": settled.format("'operator'", "''"), "decided_by_id": settled.format("'1'", "''"),
        "decided_by": settled.format("'Lin Qiao'", "''"),
        "decided_at": "CASE WHEN r.open THEN NULL ELSE r.at + interval '1 minute' + (now() - r.at) * r.chance / 90 END",
    }  # fmt: skip


def _insert(cursor: Any, table: type[models.Model], source: str, pattern: uuid.UUID, own: dict[str, str]) -> None:
    columns = [field.column for field in table._meta.concrete_fields]
    given = ", ".join(own.get(name, f'p."{name}"') for name in columns)
    quoted = ", ".join(f'"{name}"' for name in columns)
    name = table._meta.db_table
    statement = f"INSERT INTO {name} ({quoted}) SELECT {given} FROM {source} r, {name} p WHERE p.id = %s"  # noqa: S608
    cursor.execute(statement.replace(" % ", " %% ").replace("%% s", "%s"), [pattern])
