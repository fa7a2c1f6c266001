"""Static files are served from where they lie; their addresses carry a short digest of their content."""

import hashlib
from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage


class VersionedStorage(StaticFilesStorage):
    """A changed file has another address, so that browsers may keep the old one as long as they like."""

    def url(self, name: str | None) -> str:
        address = super().url(name)
        version = _version(name) if name and not urlsplit(name).query else None
        return f"{address}?v={version}" if version else address


def _version(name: str) -> str | None:
    return _digest(name) if settings.DEBUG else _kept_digest(name)


def _digest(name: str) -> str | None:
    path = finders.find(name)
    if not isinstance(path, str):
        return None
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:8]


_kept_digest = lru_cache(maxsize=1024)(_digest)
