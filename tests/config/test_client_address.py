"""The address in the audit log is the caller's, and nobody can choose another one."""

import dataclasses

import pytest
from django.conf import settings

from config.client_address import behind_proxies
from config.environment import read


@pytest.fixture(autouse=True)
def _proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    trusted = read({"TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8, fd00::/8"}).trusted_proxies
    monkeypatch.setattr(settings, "COMMONPLACE", dataclasses.replace(settings.COMMONPLACE, trusted_proxies=trusted))


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("127.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "192.0.2.7, 10.1.2.3", "192.0.2.7"),  # two proxies, one after the other
        ("127.0.0.1", "198.51.100.1, 192.0.2.7", "192.0.2.7"),  # the caller wrote the first one
        ("127.0.0.1", "2001:db8::7", "2001:db8::7"),
        ("::ffff:127.0.0.1", "::ffff:192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "anything, 10.1.2.3", "10.1.2.3"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("192.0.2.9", "192.0.2.7", "192.0.2.9"),  # no proxy of ours: its word counts for nothing
        ("", "192.0.2.7", ""),
    ],
)
def test_only_trusted_proxies_are_believed(peer: str, forwarded: str, found: str) -> None:
    assert behind_proxies(peer, forwarded) == found
