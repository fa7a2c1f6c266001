"""Synthetic memory: one real memory, and as many like it as wanted, with words and unit vectors of their own."""

import uuid
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection, models, transaction
from pgvector.psycopg import register_vector

from memory_app.actions.memories import NewMemory, remember
from memory_app.domain.actor import Actor
from memory_app.domain.words import words
from memory_app.embedding import get_embedder
from memory_app.guardrails import BUILT_IN
from memory_app.models import Memory, MemoryVersion, SearchEntry, User, Workspace
from memory_app.models.base import sequence_of
from memory_app.recall.injectable import mark_of

MAKER = Actor("key", "bench", "bench", "admin")
VOCABULARY = 4000
LONGEST_PART = 20_000
SPREAD_DAYS = 90
BENCH_ROW = (
    "CREATE UNLOGGED TABLE bench_row (owner uuid, memory uuid, version uuid, text text, tokens text[], vector vector,"
    " passed bytea)"
)


def _byte(at: int) -> str:
    """One of the random bytes of a memory's id: what differs by it is alike in the memory and in its version."""
    return f"get_byte(uuid_send(r.memory), {at})"


_AT = f"now() - ({_byte(0)} * 65536 + {_byte(1)} * 256 + {_byte(2)}) * interval '{SPREAD_DAYS} day' / 16777216"
#: A tenth are episodes, a few are pinned, expire, or were archived or superseded; all are of the last ninety days.
VARIED = {
    "kind": f"CASE WHEN {_byte(3)} < 26 THEN 'episodic' ELSE 'semantic' END",
    "status": f"CASE WHEN {_byte(4)} < 13 THEN 'archived' WHEN {_byte(4)} < 18 THEN 'superseded' ELSE 'active' END",
    "pinned": f"{_byte(5)} < 5",
    "expires_at": f"CASE WHEN {_byte(7)} < 10 THEN now() + ({_byte(9)} - 64) * interval '1 day' END",
    "updated_at": _AT, "confirmed_at": _AT, "recorded_at": _AT,
}  # fmt: skip
#: Half of them were recalled, first at some time since.
RECALLED = {
    "created_at": _AT,
    "recall_count": f"greatest(0, {_byte(10)} - 128)",
    "first_recalled_at": f"CASE WHEN {_byte(10)} > 128 THEN {_AT} + (now() - {_AT}) * {_byte(11)} / 256 END",
    "last_recalled_at": f"CASE WHEN {_byte(10)} > 128 THEN {_AT} + (now() - {_AT}) * {_byte(11)} / 256 END",
}


@dataclass(frozen=True, slots=True)
class Data:
    workspace: Workspace
    users: list[User]
    big: User  # has more memories than the others together in a small store
    vocabulary: list[str]
    random: np.random.Generator

    def question(self) -> str:
        """Three words of the vocabulary, as somebody asks for what was said."""
        chosen = self.random.choice(len(self.vocabulary), 3, replace=False)
        return "What about " + " ".join(self.vocabulary[at] for at in chosen) + "?"


def make(memories: int, users: int, big: int, *, varied: bool = False) -> Data:
    """A workspace in which `users` have `memories` in equal shares, and one user `big` of their own; all of them alike,
    or `varied` as those of ninety days are."""
    random = np.random.default_rng(5)
    workspace = Workspace.objects.create(slug="bench", name="Bench")
    owners = User.objects.bulk_create(User(workspace=workspace, external_id=f"user-{n}") for n in range(users))
    large = User.objects.create(workspace=workspace, external_id="user-big")
    pattern = remember(workspace, MAKER, NewMemory("user", "semantic", "A pattern", user="pattern")).memory
    data = Data(workspace, list(owners), large, [_word(n) for n in range(VOCABULARY)], random)
    tokens = [words(word) for word in data.vocabulary]
    indexes = without_indexes(Memory, MemoryVersion, SearchEntry)
    with connection.cursor() as cursor:
        cursor.execute(BENCH_ROW)
    whose = [owners[n % users].pk for n in range(memories)] + [large.pk] * big
    random.shuffle(whose)  # a user's memories lie among those of others, as they do when they come in over time
    for start in range(0, len(whose), LONGEST_PART):
        _copy(data, tokens, whose[start : start + LONGEST_PART])
        _multiply(pattern, varied=varied)
    made_again(indexes)
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE bench_row")
        cursor.execute("VACUUM ANALYZE memory_app_memory, memory_app_memoryversion, memory_app_searchentry")
    return data


def _word(n: int) -> str:
    """A word that no stemmer shortens to another one's."""
    letters = "bdfgklmnprtvz"
    return "".join(letters[n // len(letters) ** at % len(letters)] + "aeiou"[(n + at) % 5] for at in range(4)) + "x"


def without_indexes(*tables: type[models.Model]) -> list[str]:
    """The statements that make the tables' indexes again, but for unique ones: kept up to date row by row, they would take
    most of the time."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexrelid::regclass, pg_get_indexdef(indexrelid) FROM pg_index"
            " WHERE NOT indisunique AND indrelid::regclass::text = ANY(%s)",
            [[table._meta.db_table for table in tables]],
        )
        found = cursor.fetchall()
        for name, _ in found:
            cursor.execute(f"DROP INDEX {name}")
    return [definition for _, definition in found]


def made_again(statements: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET maintenance_work_mem = '256MB'")
        for statement in statements:
            cursor.execute(statement)


def _copy(data: Data, tokens: list[list[str]], owners: list[Any]) -> None:
    random, size = data.random, get_embedder().dimensions
    vectors = random.standard_normal((len(owners), size), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # A few words are in many memories, most in few, as in any language.
    chosen = (VOCABULARY * random.random((len(owners), 14)) ** 3).astype(int)
    raw: Any = connection.connection
    register_vector(raw)
    with raw.cursor() as cursor:
        cursor.execute("TRUNCATE bench_row")
        with cursor.copy("COPY bench_row FROM STDIN (FORMAT binary)") as copy:
            copy.set_types(["uuid", "uuid", "uuid", "text", "text[]", "vector", "bytea"])
            for owner, places, vector in zip(owners, chosen, vectors, strict=True):
                text = " ".join(data.vocabulary[at] for at in places)
                found = [token for at in places for token in tokens[at]]
                # Words that pass for certain, marked as the product marks what it writes.
                passed = mark_of(BUILT_IN, Memory(text=text))
                copy.write_row((owner, uuid.uuid4(), uuid.uuid4(), text, found, vector, passed))


def _multiply(pattern: Memory, *, varied: bool) -> None:
    version = MemoryVersion.objects.get(memory=pattern)
    entry = SearchEntry.objects.get(memory=pattern)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # no foreign key is checked row by row
        own = {"id": "r.memory", "owner": "r.owner", "user_id": "r.owner", "text": "r.text", "passed": "r.passed"}
        number = {"number": f"nextval('{sequence_of('memory', pattern.workspace_id)}')"}
        _insert(cursor, Memory, pattern.pk, own | number | (VARIED | RECALLED if varied else {}))
        own = {"id": "r.version", "memory_id": "r.memory", "text": "r.text"}
        _insert(cursor, MemoryVersion, version.pk, own | (VARIED if varied else {}))
        said = {
            "id": "gen_random_uuid()",
            "version_id": "r.version",
            "memory_id": "r.memory",
            "tokens": "r.tokens",
            "owner": "r.owner",
        }
        _insert(cursor, SearchEntry, entry.pk, said | {"vector": "r.vector"})


def _insert(cursor: Any, table: Any, pattern: Any, own: dict[str, str]) -> None:
    columns = [field.column for field in table._meta.concrete_fields]
    given = ", ".join(own.get(name, f'p."{name}"') for name in columns)
    quoted = ", ".join(f'"{name}"' for name in columns)
    name = table._meta.db_table
    statement = f"INSERT INTO {name} ({quoted}) SELECT {given} FROM bench_row r, {name} p WHERE p.id = %s"  # noqa: S608
    cursor.execute(statement, [pattern])
