"""Every address, with everybody: what each may, what nobody else may see."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from memory_app.guardrails import RULE_SET_VERSION
from memory_app.models import Decision, Operator, User

from .addresses import Address, addresses, admin_addresses
from .cast import MARK, Cast, assemble, fingerprint
from .rows import nobody

pytestmark = pytest.mark.django_db

#: What an address is: READ is for every member, CURATE for curators and admins, GOVERN for admins; CHANGE and GOVERN_CHANGE are forms', for curators
#: and for admins, and reading them leads to a page or is not allowed; OWN is an operator's own affair; OPEN needs no one.
READ, CURATE, GOVERN, OWN, OPEN = "read", "curate", "govern", "own", "open"
CHANGE, GOVERN_CHANGE = "change", "govern change"
READERS = {CURATE: ("curator", "admin"), GOVERN: ("admin",)}
FORMS = {CHANGE: ("curator", "admin"), GOVERN_CHANGE: ("admin",)}
EXPECTED = {
    "healthz": OPEN, "readyz": OPEN, "metrics": OPEN, "api:openapi-json": OPEN, "api:openapi-view": OPEN, "api:api-root": OPEN,
    "login": OPEN, "logout": OPEN, "set_language": OPEN, "set_theme": OPEN,
    "home": OWN, "preferences": OWN, "set_shortcuts": OWN,
    "overview": READ, "live": READ, "quality": READ, "metric": READ, "alert_acknowledge": CHANGE,
    "memories": READ, "memory": READ, "memories_bulk": CHANGE, "memories_export": READ, "memory_merge": CURATE, "memory_merge_done": CHANGE,
    "memory_split": CURATE, "memory_split_done": CHANGE, "memory_new": CURATE, "memory_create": CHANGE, "guardrails_export": READ, "user_field": GOVERN_CHANGE, "memory_edit": CHANGE, "memory_pin": CHANGE,
    "memory_archive": CHANGE, "memory_restore": CHANGE, "memory_undo": CHANGE,
    "review": READ, "review_bulk": CHANGE, "review_try": CHANGE, "review_undo": CHANGE,
    "view_save": CHANGE, "view_change": CHANGE, "view_remove": CHANGE,
    "decision_approve": CHANGE,
    "decision_decline": CHANGE, "decision_undo": CHANGE, "decision_snooze": CHANGE, "decision_wake": CHANGE,
    "decision_escalate": CHANGE, "decision_hand_back": CHANGE,
    "sessions": READ, "session": READ, "session_status": READ, "session_consolidate": CHANGE, "session_retry": CHANGE,
    "session_approve": CHANGE, "session_what_if": CURATE, "session_what_if_start": CHANGE,
    "users": READ, "user": READ, "user_export": GOVERN, "user_erase": GOVERN_CHANGE,
    "guardrails": READ, "guardrails_try": CHANGE, "block": READ, "block_release": CHANGE, "block_keep": CHANGE,
    "password": OWN, "search": READ, "recall": READ, "seen": READ,
    "approvals": READ, "approval_approve": GOVERN_CHANGE, "approval_decline": GOVERN_CHANGE,
    "approval_undo": GOVERN_CHANGE, "approvals_undo": GOVERN_CHANGE, "approval_ask": CHANGE,
    "rules": READ, "policy_edit": GOVERN, "policy_save": GOVERN_CHANGE, "policy_try": GOVERN_CHANGE,
    "policy_guard": GOVERN, "policy_guard_save": GOVERN_CHANGE,
    "policy_trial": GOVERN, "policy_adopt": GOVERN_CHANGE,
    "evaluation": READ, "evaluation_run": READ, "evaluation_case": READ, "evaluation_compare": READ,
    "evaluation_labels": GOVERN, "evaluation_start": GOVERN_CHANGE, "evaluation_cancel": GOVERN_CHANGE, "case_set_save": GOVERN_CHANGE,
    "case_set_remove": GOVERN_CHANGE,
    "agents": READ, "key_create": GOVERN_CHANGE, "key_revoke": GOVERN_CHANGE,
    "members": READ, "member_add": GOVERN_CHANGE, "member_create": GOVERN_CHANGE, "member_role": GOVERN_CHANGE,
    "member_remove": GOVERN_CHANGE, "member_password": GOVERN_CHANGE, "workspace_solo": GOVERN_CHANGE,
    "slots": READ, "slot_new": GOVERN, "slot_create": GOVERN_CHANGE, "slot": READ, "slot_change": GOVERN_CHANGE,
    "audit": GOVERN, "audit_export": GOVERN,
    "block_undo": CHANGE, "scan": CURATE, "scan_start": GOVERN_CHANGE, "scan_stop": GOVERN_CHANGE,
    "scan_quarantine": CHANGE, "scan_put_back": CHANGE,
}  # fmt: skip
#: Fields that one form or another wants.
FORM = {"action": "approve", "number": "1", "text": "Plays the drums now", "edit": "1", "pinned": "1", "version": "1",
        "comment": "seen"}  # fmt: skip
WORKSPACE = "w/<slug:workspace>/"


@pytest.fixture
def cast(db: None) -> Any:
    yield assemble()
    cache.clear()


def in_workspace() -> list[Address]:
    return [one for one in addresses() if one.route.startswith(WORKSPACE)]


def each(found: list[Address]) -> Any:
    return pytest.mark.parametrize("address", found, ids=[one.name for one in found])


def ids_for(address: Address, cast: Cast) -> dict[str, str]:
    """Ids of rows of Alice's workspace that the address is made for."""
    ids = {name: cast.rows.id_of(name, fresh=True, purpose=address.name) for name in address.parameters}
    if address.name == "memory_undo":
        cast.rows.id_of("memory_id")
        ids["decision_id"] = str(Decision.objects.filter(memory=ids["memory_id"]).values_list("pk", flat=True)[0])
    return ids


def form_for(cast: Cast, ids: dict[str, str]) -> dict[str, Any]:
    form: dict[str, Any] = FORM | {"ids": list(ids.values()) or [cast.rows.id_of("memory_id")]}
    if "user_id" in ids:
        user = User.objects.filter(pk=ids["user_id"]).first()
        form["confirm"] = user.external_id if user is not None else "nobody"
    return form


def test_every_address_is_expected() -> None:
    """A new address says here who may open it."""
    assert {one.name for one in addresses()} == set(EXPECTED)
    for one in addresses():
        inside = EXPECTED[one.name] not in (OWN, OPEN)
        assert one.route.startswith(WORKSPACE) == inside, one.route


@each(in_workspace())
def test_pages_for_members(cast: Cast, address: Address) -> None:
    kind = EXPECTED.get(address.name, READ)
    for operator, role in ((cast.alice, "admin"), (cast.bob, "curator"), (cast.vic, "viewer")):
        ids = ids_for(address, cast)
        path, form = address.at("acme", **ids), form_for(cast, ids)
        client = cast.browser(operator)
        read = client.get(path)
        if kind == READ or role in READERS.get(kind, ()):
            assert read.status_code in (200, 302), (role, read.status_code)
            assert "/accounts/login" not in read.headers.get("Location", "")
        elif kind in READERS:
            assert read.status_code == 403
        else:
            assert read.status_code in (302, 403, 405)
        before = fingerprint()
        for headers in ({}, {"HX-Request": "true"}):
            sent = client.post(path, form, headers=headers)
            may = role in FORMS.get(kind, ())
            if may:
                assert sent.status_code in (200, 302, 404, 409, 412, 422), (role, sent.status_code)
            elif kind in FORMS:
                assert sent.status_code == 403, (role, sent.status_code)
            if not may:
                assert fingerprint() == before


#: What a form needs in order to change something; the others do with the fields above.
NEEDS = {
    "decision_approve": {"edit": "", "action": ""}, "block_release": {"reason": "fine"},
    "decision_snooze": {"until": "week"}, "scan_start": {"rule_set": RULE_SET_VERSION}, "view_change": {"name": "Another"}, "memories_bulk": {"action": "archive"}, "memory_edit": {"importance": "0.9"},
}  # fmt: skip
#: These need something done before, or write nothing; what their forms do is tested with their pages.
ELSEWHERE = {
    "block_undo",
    "decision_wake",
    "decision_hand_back",
    "review_undo",
    "memory_merge_done",
    "memory_split_done",
    "approvals_undo",
    "view_save",
    "review_try",
    "guardrails_try",
    "memory_create",
    "user_field",
    "evaluation_start",
    "case_set_save",
    "session_what_if_start",
    "scan_quarantine",
    "scan_put_back",
} | {name for name in EXPECTED if name.startswith(("approval_", "policy_", "key_", "member_", "workspace_", "slot_"))}


@each([one for one in in_workspace() if EXPECTED.get(one.name) in FORMS and one.name not in ELSEWHERE])
def test_forms_change_something(cast: Cast, address: Address) -> None:
    """The forms above are ones that are answered, so that a refusal of them means something."""
    ids = ids_for(address, cast)
    form = form_for(cast, ids) | NEEDS.get(address.name, {})
    if address.name in ("review_bulk", "session_approve"):
        form["ids"] = [cast.rows.id_of("decision_id")]
    if address.name == "session_approve":
        ids["session_id"] = str(Decision.objects.get(pk=form["ids"][0]).session_id)
    before = fingerprint()
    response = cast.browser(cast.alice).post(address.at("acme", **ids), form)
    assert fingerprint() != before, response.content.decode()[:3000]


@each(in_workspace())
@pytest.mark.parametrize("method", ["get", "post"])
def test_pages_for_strangers(cast: Cast, address: Address, method: str) -> None:
    """Charlie sees neither the workspace nor, inside his own, what is not his; both as if there were nothing."""
    ids = ids_for(address, cast)
    form_for(cast, ids)
    before = fingerprint()
    for headers in ({}, {"HX-Request": "true"}):
        charlie = cast.browser(cast.charlie)

        def ask(
            workspace: str, given: dict[str, str], headers: dict[str, str] = headers, charlie: Client = charlie
        ) -> Any:
            form = form_for(cast, given) if method == "post" else None
            return getattr(charlie, method)(address.at(workspace, **given), form, headers=headers)

        nobodys = {name: nobody(name) for name in ids}
        theirs, unknown = ask("acme", ids), ask("nowhere", nobodys)
        assert theirs.status_code == unknown.status_code
        assert theirs.status_code in (404, 405)
        assert alike(theirs, unknown)
        if ids:
            theirs, unknown = ask("globex", ids), ask("globex", nobodys)
            assert theirs.status_code == unknown.status_code
            assert theirs.status_code in (404, 405)
            assert alike(theirs, unknown)
        else:
            assert MARK not in text_of(ask("globex", {}))
        assert MARK not in text_of(theirs)
    assert fingerprint() == before


def text_of(response: Any) -> str:
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return str(content.decode())


def alike(one: Any, other: Any) -> bool:
    """The same page but for the token against forged requests and its own address."""

    def plain(response: Any) -> str:
        text = text_of(response).replace(response.wsgi_request.get_full_path(), "")
        return re.sub(r'[A-Za-z0-9]{64}|nonce="[^"]+"', "", text)

    return plain(one) == plain(other)


@each(addresses())
@pytest.mark.parametrize("method", ["get", "post"])
def test_addresses_without_signing_in(cast: Cast, address: Address, method: str) -> None:
    ids = ids_for(address, cast)
    before = fingerprint()
    response = getattr(cast.browser(None), method)(address.at("acme", **ids))
    if EXPECTED.get(address.name) == OPEN:
        assert response.status_code < 500 or address.name == "readyz"
    else:
        assert response.status_code in (302, 405), response.status_code
        if response.status_code == 302:
            assert response["Location"].startswith("/accounts/login/?next=/")
    assert MARK not in text_of(response)
    assert fingerprint() == before


@each(addresses())
def test_forms_need_a_token_against_forged_requests(cast: Cast, address: Address) -> None:
    ids = ids_for(address, cast)
    form = form_for(cast, ids)
    before = fingerprint()
    client = cast.browser(cast.alice, enforce_csrf_checks=True)
    response = client.post(address.at("acme", **ids), form)
    # Under /api/ a form is refused for not being JSON.
    assert response.status_code in (403, 405, 415), response.status_code
    assert fingerprint() == before


@pytest.mark.parametrize("path", admin_addresses())
def test_the_admin_is_for_nobody_here(cast: Cast, path: str) -> None:
    for operator in (None, cast.alice, cast.charlie):
        response = cast.browser(operator).get(path)
        assert response.status_code in (200, 301, 302, 404)
        assert MARK not in text_of(response)
        if response.status_code == 200:
            assert path.startswith("/admin/login")


def test_whoever_has_a_first_password_sees_nothing_yet(cast: Cast) -> None:
    """But the page where they choose their own, and the way out; the API and the checks know no operator."""
    Operator.objects.filter(pk=cast.alice.pk).update(password_by_kind="operator", password_by_id="1")
    client, before = cast.browser(cast.alice), fingerprint()
    open_now = {one for one in EXPECTED if EXPECTED[one] == OPEN} - {"metrics"} | {"password", "login", "logout"}
    for address in addresses():
        path = address.at("acme", **{name: nobody(name) for name in address.parameters})
        if address.name not in open_now:
            for method in (client.get, client.post):
                assert method(path)["Location"].startswith("/accounts/password/?next=%2F"), address.name
    assert client.get("/admin/")["Location"] == "/accounts/password/?next=%2Fadmin%2F"
    assert fingerprint() == before


def test_a_member_who_left_is_a_stranger(cast: Cast) -> None:
    client = cast.browser(cast.bob)
    assert client.get("/w/acme/overview/").status_code == 200
    cast.bob.memberships.all().delete()
    assert client.get("/w/acme/overview/").status_code == 404
    Operator.objects.filter(pk=cast.vic.pk).update(is_active=False)
    assert cast.browser(cast.vic).get("/w/acme/overview/").status_code == 302
