"""No secret that somebody types into a page, or into its address, stays anywhere."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import cycle
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import resolve

from tests.brokers import broker_at, own_database
from tests.factories import make_operator, make_workspace

from .addresses import Address, addresses
from .evidence import dump, every_log_line, found_in, on_disk
from .kinds import Secret, secrets
from .rows import Rows

pytestmark = pytest.mark.django_db(transaction=True)

TOLD = secrets(3)
#: Signing out would end the test's own session.
LEFT_OUT = {"logout"}
#: Forms that scripts or other pages fill, beside those that are found on pages.
ALSO = {"decision_approve": {"comment", "text", "value", "merge", "queue", "view"}, "decision_decline": {"comment"},
        "block_keep": {"reason"}, "block_release": {"reason"}, "memory_edit": {"reason"}}  # fmt: skip


class Forms(HTMLParser):
    """The forms of a page that are posted, each with its address and fields, and the names in its links' queries."""

    def __init__(self, here: str) -> None:
        super().__init__()
        self.here = here
        self.forms: list[tuple[str, dict[str, str]]] = []
        self.queries: set[str] = set()
        self.form: dict[str, str] | None = None
        self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        for name in ("href", "hx-get", "action"):
            self.queries |= set(re.findall(r"[?&]([\w-]+)=", given.get(name, "")))
        if tag == "form":
            self.form = {}
            if given.get("method", "").lower() == "post":
                self.forms.append((given.get("action") or self.here, self.form))
        elif self.form is not None and given.get("name"):
            self.form[given["name"]] = given.get("value", "")
            self.queries.add(given["name"])
            self.area = given["name"] if tag == "textarea" else ""

    def handle_endtag(self, tag: str) -> None:
        self.form = None if tag == "form" else self.form
        self.area = "" if tag == "textarea" else self.area

    def handle_data(self, data: str) -> None:
        if self.area and self.form is not None:
            self.form[self.area] += data


@pytest.fixture
def desk() -> Iterator["Desk"]:
    with broker_at(own_database()):
        yield Desk()
    cache.clear()


class Desk:
    """An admin's browser, and every form that the pages show."""

    def __init__(self) -> None:
        self.workspace = make_workspace("acme")
        self.rows = Rows(self.workspace)
        self.operator = make_operator(self.workspace, "admin", "ada")
        self.client = Client(raise_request_exception=False)
        self.client.force_login(self.operator)
        self.turn: Iterator[Secret] = cycle(TOLD)
        self.failed: list[str] = []
        self.forms: dict[str, dict[str, str]] = {name: dict.fromkeys(fields, "") for name, fields in ALSO.items()}
        self.queries: set[str] = set()
        for name in ("session_id", "memory_id", "decision_id", "block_id"):
            self.rows.id_of(name)
        for address in addresses():
            path = self.at(address)
            page = Forms(path)
            shown = self.client.get(path)
            page.feed(shown.content.decode("utf-8", "replace") if not shown.streaming else "")
            self.queries |= page.queries
            for action, fields in page.forms:
                name = resolve(urlsplit(urljoin(path, action)).path).url_name
                self.forms[name] = fields | self.forms.get(name, {})
        self.forms["login"] = {"username": "", "password": "", "next": ""}

    def at(self, address: Address, *, fresh: bool = False) -> str:
        ids = {n: self.rows.id_of(n, fresh=fresh, purpose=address.name) for n in address.parameters}
        return address.at("acme", **ids)

    def note(self, what: str, secret: Secret, response: Any) -> None:
        if response.status_code >= 500 and "/readyz" not in what:
            self.failed.append(f"{what}, {secret.kind}: {response.status_code}")


def clean(desk: Desk, log: str) -> None:
    assert not desk.failed, "\n".join(desk.failed[:20])
    assert not (found := found_in(log, TOLD)), "log: " + "\n".join(found)
    assert not (found := found_in(dump(), TOLD)), "database: " + "\n".join(found)
    assert not (files := on_disk(TOLD)), "disk: " + "\n".join(files[:20])


def test_every_field_of_every_form(desk: Desk) -> None:
    known = {one.name: one for one in addresses()}
    assert set(desk.forms) - LEFT_OUT <= set(known)
    with every_log_line() as log:
        for name, fields in desk.forms.items():
            for field in sorted(set(fields) - {"csrfmiddlewaretoken"}) if name not in LEFT_OUT else ():
                for headers in ({}, {"HX-Request": "true"}):
                    secret = next(desk.turn)
                    path = desk.at(known[name], fresh=True)
                    sent = desk.client.post(path, fields | {field: secret.told}, headers=headers)
                    desk.note(f"{name} {field}", secret, sent)
    clean(desk, log.getvalue())


def test_every_query_of_every_page(desk: Desk) -> None:
    with every_log_line() as log:
        for address in addresses():
            if address.name in LEFT_OUT:
                continue
            path = desk.at(address)
            for names in (sorted(desk.queries)[at : at + 12] for at in range(0, len(desk.queries), 12)):
                secret = next(desk.turn)
                desk.note(f"{path} {names}", secret, desk.client.get(path, dict.fromkeys(names, secret.told)))
            secret = next(desk.turn)
            desk.note(f"{path} longer", secret, desk.client.get(f"{path}{secret.line}/"))
    clean(desk, log.getvalue())
