"""The data folder: made whole or not at all, of the right version, and owned by whoever runs the server."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from config.embedded_postgres.folders import Folders
from config.embedded_postgres.problems import DatabaseStartError, full_disk
from config.embedded_postgres.programs import ROLE, Launch, binaries, clean_environment, succeeds

# With lc_ctype C, trigrams find nothing in Chinese; this build has no ICU.
LOCALE = ("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C.UTF-8")


def ensure_cluster(places: Folders, launch: Launch) -> None:
    """The data folder holds a whole cluster: made aside and renamed, so an interrupted start leaves none."""
    for left in places.home.glob(".initdb-*"):
        shutil.rmtree(left, ignore_errors=True)
    if (places.data / "PG_VERSION").exists():
        _check_version(places)
        return
    if places.data.exists() and any(places.data.iterdir()):
        raise DatabaseStartError(f"{places.data} holds something that is no database: move it away and start again.")
    fresh = Path(tempfile.mkdtemp(dir=places.home, prefix=".initdb-"))
    if launch.ids is not None:
        os.chown(fresh, *launch.ids)
    command = launch.command(
        binaries() / "initdb", "-D", fresh, "-U", ROLE, "--auth=trust", "--no-instructions", *LOCALE
    )
    done = subprocess.run(command, capture_output=True, text=True, env=clean_environment(), cwd="/")
    if done.returncode != 0:
        shutil.rmtree(fresh, ignore_errors=True)
        if (full := full_disk(places.home, done.stderr)) is not None:
            raise full
        said = next((line for line in done.stderr.splitlines() if line.strip()), "it left no message")
        raise DatabaseStartError(f"PostgreSQL could not make its data folder in {places.home}: {said.strip()}")
    if places.data.exists():
        places.data.rmdir()
    fresh.rename(places.data)


def _check_version(places: Folders) -> None:
    found = (places.data / "PG_VERSION").read_text().strip()
    said = subprocess.run([binaries() / "postgres", "--version"], capture_output=True, text=True).stdout.split()
    runs = said[-1].partition(".")[0] if said else found
    if found != runs:
        raise DatabaseStartError(
            f"{places.data} was written by PostgreSQL {found}, and {runs} is installed:"
            f" dump it with {found} and load it into a new folder."
        )


def admit_user(places: Folders, launch: Launch) -> None:
    """Where PostgreSQL runs as another user, that one owns the socket's folder and reaches data and programs."""
    if launch.ids is None:
        return
    os.chown(places.socket, *launch.ids)
    places.home.chmod(places.home.stat().st_mode | 0o011)
    for needed in (places.home, binaries() / "postgres"):
        if not succeeds(launch.command("test", "-x", needed)):
            raise DatabaseStartError(
                f"The user with id {launch.ids[0]}, as whom root runs PostgreSQL here, cannot reach {needed}:"
                " let it pass the parent folders (chmod a+x), start as an ordinary user, or set DATABASE_URL."
            )
