"""Why the embedded database does not start, each as one line with the remedy."""

import errno
from pathlib import Path


class DatabaseStartError(Exception):
    """The embedded database cannot run here; the message is one line with the remedy."""


class AlreadyRunning(DatabaseStartError):
    """Another process holds the data folder; its server can be used through the socket."""


def full_disk(home: Path, said: str) -> DatabaseStartError | None:
    """What to do where these words of PostgreSQL tell of a disk without space; None where they do not."""
    if "No space left on device" in said or "Check free disk space" in said:
        return folder_problem(home, OSError(errno.ENOSPC, ""))
    return None


def folder_problem(home: Path, error: OSError) -> DatabaseStartError:
    remedy = "set COMMONPLACE_HOME to a folder that you may write to"
    match error.errno:
        case errno.EROFS:
            said = f"{home} is on a read-only file system: {remedy}."
        case errno.EACCES | errno.EPERM:
            said = f"{home} cannot be written: {remedy}."
        case errno.ENAMETOOLONG:
            said = f"The path in COMMONPLACE_HOME is too long ({len(str(home))} characters): set a shorter one."
        case errno.ENOSPC | errno.EDQUOT:
            said = f"No space is left for {home}: free some, or {remedy}."
        case errno.ENOTDIR | errno.EEXIST:
            said = f"{home} is not a folder: {remedy}."
        case _:
            said = f"{home} cannot be used ({error.strerror}): {remedy}."
    return DatabaseStartError(said)
