"""Everything that the product leaves behind, searched: the database, what lies on the disk, and the log."""

import base64
import io
import json
import logging
import os
import re
import subprocess
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session as Login
from django.db import connection
from django.utils.module_loading import import_string

from config.embedded_postgres import folders
from config.embedded_postgres.programs import binaries

from .kinds import Secret, needles

# Vectors are nothing but digits, and any number is in them somewhere.
_VECTOR = re.compile(r"\[-?\d+(?:\.\d+)?(?:e-?\d+)?(?:,-?\d[^,\]\s]*){40,}\]")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")


def dump() -> str:
    """The test's database as pg_dump writes it, and what lies in it wrapped: sign-ins, cached values, messages."""
    where = connection.settings_dict
    command = [binaries() / "pg_dump", "-h", where["HOST"], "-p", str(where["PORT"]), "-U", where["USER"],
               "--no-owner", "--data-only", where["NAME"]]  # fmt: skip
    done = subprocess.run([str(word) for word in command], capture_output=True, check=True)
    text = _VECTOR.sub("[…]", done.stdout.decode())
    logins = [json.dumps(login.get_decoded(), ensure_ascii=False) for login in Login.objects.all()]
    return "\n".join([text, *logins, *_unwrapped(text)])


def _unwrapped(text: str) -> Iterator[str]:
    for match in _BASE64.finditer(text):
        blob = match[0].replace("-", "+").replace("_", "/").rstrip("=")
        try:
            data = base64.b64decode(blob + "=" * (-len(blob) % 4))
        except ValueError:
            continue
        for made in (data, _inflated(data)):
            readable = made.decode("utf-8", "replace")
            if readable.isprintable() or readable.count("\ufffd") < len(readable) / 10:
                yield f"(decoded) {readable}"


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompress(data)
    except zlib.error:
        return b""


def found_in(text: str, secrets: Iterable[Secret]) -> list[str]:
    """Which secrets the text holds a piece of, and the words around it."""
    found = []
    for secret in secrets:
        for needle in needles(secret):
            at = text.find(needle)
            while at >= 0 and _by_chance(text, at, needle):
                at = text.find(needle, at + 1)
            if at >= 0:
                around = text[max(0, at - 200) : at + 120].replace("\n", "⏎")
                found.append(f"{secret.kind}: {needle!r} in …{around}…")
                break
    return found


def _by_chance(text: str, at: int, needle: str) -> bool:
    """Whether a short piece belongs to an id, or is a number inside a longer one or after a point."""
    if len(needle) >= 10:
        return False
    if any(one.start() <= at < one.end() for one in _ID.finditer(text, max(0, at - 36), at + 46)):
        return True
    around = text[at - 1 : at] + text[at + len(needle) : at + len(needle) + 1]
    return needle.isdigit() and any(c.isalnum() or c in ".-" for c in around)


def on_disk(secrets: Iterable[Secret]) -> list[str]:
    """Files of the test's home, the database's own and its log among them, that hold a secret whole."""
    home = Path(os.environ["COMMONPLACE_TEST_HOME"])
    whole = [raw for secret in secrets for raw in secret.raw if len(raw) >= 10 and "\n" not in raw]
    with tempfile.NamedTemporaryFile("w", suffix=".patterns", dir="/tmp") as patterns:
        patterns.write("\n".join(whole) + "\n")
        patterns.flush()
        command = ["grep", "-sraoFf", patterns.name, str(folders(home).data), str(home)]
        done = subprocess.run(command, capture_output=True)
    # A file that the database removes meanwhile (2, told by nobody) is no failure of the search.
    assert done.returncode in (0, 1, 2)
    assert not done.stderr, done.stderr
    return done.stdout.decode("utf-8", "replace").splitlines()


@contextmanager
def every_log_line() -> Iterator[io.StringIO]:
    """During the block every logger tells all it can, written as the product writes its log."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    formatter = settings.LOGGING["formatters"]["masked"]
    handler.setFormatter(import_string(formatter["()"])(formatter["format"]))
    known = [logging.getLogger(), *(logging.getLogger(name) for name in sorted(logging.root.manager.loggerDict))]
    # Statements with their parameters, and pages' contexts, are switched off by the settings at any level.
    loud = [
        one for one in known if not one.name.startswith(("django.db", "django.template", "sqlalchemy", "hypothesis"))
    ]
    before = {one: (one.level, one.propagate) for one in loud}
    for one in loud:
        one.setLevel(logging.DEBUG)
    logging.getLogger().addHandler(handler)
    try:
        yield stream
    finally:
        logging.getLogger().removeHandler(handler)
        for one, (level, propagate) in before.items():
            one.setLevel(level)
            one.propagate = propagate
