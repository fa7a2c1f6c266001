"""Members: who is one and in which role, the last admin who stays, passwords shown once, solo on record."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client

from memory_app.actions import members as actions
from memory_app.domain.actor import Actor
from memory_app.domain.errors import Conflict, Forbidden
from memory_app.models import AuditEvent, Membership, Operator, Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/w/travel/members/"
HX = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "members-page"}


@pytest.fixture
def admin(workspace: Workspace) -> Operator:
    return make.make_operator(workspace, "admin", "lin.qiao")


@pytest.fixture
def operator(admin: Operator) -> Operator:
    return admin


def role_of(operator: Operator, workspace: Workspace) -> str | None:
    found = Membership.objects.filter(operator=operator, workspace=workspace).first()
    return found.role if found else None


def member(operator: Operator, workspace: Workspace) -> str:
    return f"{PAGE}{Membership.objects.get(operator=operator, workspace=workspace).pk}/"


def test_an_operator_of_another_workspace_is_added(workspace: Workspace, client: Client) -> None:
    wen = make.make_operator(make.make_workspace("other"), "viewer", "wen")
    assert client.post(f"{PAGE}add/", {"username": "wen", "role": "curator"}).status_code == 302
    assert role_of(wen, workspace) == "curator"
    assert "wen is now a member." in client.get(PAGE).content.decode()
    again = client.post(f"{PAGE}add/", {"username": "wen", "role": "admin"}, **HX)
    assert (again.status_code, again["HX-Retarget"]) == (409, "#add-form")
    assert "is a member already" in again.content.decode()
    unknown = client.post(f"{PAGE}add/", {"username": "nobody<b>", "role": "viewer"})
    assert unknown.status_code == 422
    assert 'value="nobody&lt;b&gt;"' in unknown.content.decode()
    assert 'id="add-member" aria-labelledby="add-title" open' in unknown.content.decode()
    assert client.post(f"{PAGE}add/", {"username": "wen", "role": "agent"}).status_code == 422
    assert AuditEvent.objects.get(action="member.add").detail == {"role": "curator"}


def test_a_new_operator_gets_a_password_that_is_shown_once(workspace: Workspace, client: Client) -> None:
    form = {"username": "mei@acme.example", "first_name": "Mei", "last_name": "Chen", "role": "viewer"}
    answer = client.post(f"{PAGE}create/", form)
    page = answer.content.decode()
    found = re.search(r'id="new-password" type="text" value="([^"]+)"', page)
    assert found
    assert '<div class="notice ok once" role="status">' in page  # it is no error
    assert answer["Cache-Control"] == "no-store"
    password = found[1]
    assert password not in client.get(PAGE).content.decode()
    assert password not in str(list(AuditEvent.objects.values()))
    theirs = Client()
    assert theirs.login(username="mei@acme.example", password=password)
    assert theirs.get("/w/travel/overview/")["Location"].startswith("/accounts/password/")
    for wrong in ({"username": "mei@acme.example"}, {"username": "a b"}, {"username": ""}, {"role": "root"}):
        assert client.post(f"{PAGE}create/", form | wrong, **HX).status_code == 422
    assert (
        client.post(f"{PAGE}create/", form | {"username": "x", "first_name": "4111 1111 1111 1111"}).status_code == 422
    )
    assert Operator.objects.count() == 2


def test_they_change_that_password(workspace: Workspace) -> None:
    operator = make.make_operator(workspace, "viewer", "mei")
    client = signed_in(operator)
    new = "another long sentence"
    form = {"old_password": make.PASSWORD, "new_password1": new, "new_password2": new}
    assert client.post("/accounts/password/", form | {"old_password": "wrong"}).status_code == 422
    assert client.post("/accounts/password/", form | {"new_password1": "short"}).status_code == 422
    assert client.post("/accounts/password/", form).status_code == 302
    assert client.get("/accounts/preferences/").status_code == 200  # still signed in
    assert Client().login(username="mei", password=new)
    assert not Client().login(username="mei", password=make.PASSWORD)


def test_roles_change_and_members_go(workspace: Workspace, client: Client, admin: Operator) -> None:
    bob = make.make_operator(workspace, "viewer", "bob")
    assert client.post(f"{member(bob, workspace)}role/", {"role": "admin"}).status_code == 302
    assert role_of(bob, workspace) == "admin"
    assert client.post(f"{member(bob, workspace)}role/", {"role": "agent"}).status_code == 422
    assert client.get(f"{member(bob, workspace)}role/").status_code == 302
    page = client.post(f"{member(bob, workspace)}remove/", **HX).content.decode()
    assert "bob is no longer a member." in page
    assert "<code>bob</code>" not in page
    assert role_of(bob, workspace) is None
    assert signed_in(bob).get("/w/travel/overview/").status_code == 404
    kinds = list(AuditEvent.objects.order_by("at").values_list("action", "detail"))
    assert kinds == [("member.role", {"before": "viewer", "role": "admin"}), ("member.remove", {"role": "admin"})]


def test_the_last_admin_stays(workspace: Workspace, client: Client, admin: Operator) -> None:
    make.make_operator(workspace, "curator", "bob")
    gone = make.make_operator(workspace, "admin", "gone", is_active=False)
    page = client.get(PAGE).content.decode()
    assert "the last admin stays" in page
    for answer in (
        client.post(f"{member(admin, workspace)}role/", {"role": "viewer"}),
        client.post(f"{member(admin, workspace)}remove/", **HX),
    ):
        assert answer.status_code == 409
        assert "The last admin stays." in answer.content.decode()
    assert role_of(admin, workspace) == "admin"
    assert client.post(f"{member(gone, workspace)}remove/").status_code == 302


def test_who_steps_down_sees_it_at_once(workspace: Workspace, client: Client, admin: Operator) -> None:
    make.make_operator(workspace, "admin", "wen")
    page = client.post(f"{member(admin, workspace)}role/", {"role": "viewer"}, **HX).content.decode()
    assert "commandfor" not in page
    assert client.post(f"{PAGE}add/", {"username": "wen", "role": "viewer"}).status_code == 403


def test_who_leaves_is_led_away(workspace: Workspace, client: Client, admin: Operator) -> None:
    make.make_operator(workspace, "admin", "wen")
    answer = client.post(f"{member(admin, workspace)}remove/", **HX)
    assert answer["HX-Redirect"] == "/"
    assert client.get(PAGE).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_two_admins_who_remove_each_other_leave_one() -> None:
    workspace = make.make_workspace()
    pair = [make.make_operator(workspace, "admin", name) for name in ("one", "two")]
    ids = [Membership.objects.get(operator=operator).pk for operator in pair]
    actors = [make.actor_of(operator, "admin") for operator in pair]

    def remove(at: int) -> bool:
        try:
            actions.remove_member(workspace, actors[at], ids[1 - at])
        except Conflict:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(remove, (0, 1))) == [False, True]
    assert Membership.objects.filter(workspace=workspace, role="admin").count() == 1


def test_solo_is_switched_and_on_record(workspace: Workspace, client: Client) -> None:
    assert client.post(f"{PAGE}solo/", {"solo": "1"}).status_code == 302
    workspace.refresh_from_db()
    assert workspace.solo
    client.post(f"{PAGE}solo/", {"solo": "1"})
    assert "Solo is off" in client.post(f"{PAGE}solo/", {"solo": "0"}, **HX).content.decode()
    details = AuditEvent.objects.filter(action="workspace.solo").order_by("at").values_list("detail", flat=True)
    assert list(details) == [{"solo": True}, {"solo": False}]


def test_where_two_admins_are_none_works_alone(workspace: Workspace, client: Client) -> None:
    make.make_operator(workspace, "admin")
    assert 'id="act-solo"' not in client.get(PAGE).content.decode()
    answer = client.post(f"{PAGE}solo/", {"solo": "1"}, **HX)
    workspace.refresh_from_db()
    assert (answer.status_code, workspace.solo) == (409, False)
    assert "Another admin can approve here" in answer.content.decode()


def test_solo_ends_with_the_second_admin(workspace: Workspace, client: Client) -> None:
    client.post(f"{PAGE}solo/", {"solo": "1"})
    client.post(f"{PAGE}create/", {"username": "wen", "role": "curator"}, **HX)
    workspace.refresh_from_db()
    assert workspace.solo
    wen = workspace.memberships.get(operator__username="wen")
    client.post(f"{PAGE}{wen.pk}/role/", {"role": "admin"}, **HX)
    workspace.refresh_from_db()
    assert not workspace.solo
    assert AuditEvent.objects.filter(action="workspace.solo", detail__solo=False).count() == 1


@pytest.mark.parametrize("role", ["viewer", "curator"])
def test_weaker_roles_read(workspace: Workspace, admin: Operator, role: str) -> None:
    client = signed_in(make.make_operator(workspace, role))
    page = client.get(PAGE).content.decode()
    assert "lin.qiao" in page
    assert 'commandfor="add' not in page
    for path in ("add/", "create/", "solo/"):
        assert client.post(PAGE + path, {"username": "x", "role": "admin", "solo": "1"}).status_code == 403
    assert client.post(f"{member(admin, workspace)}role/", {"role": "viewer"}).status_code == 403
    assert client.post(f"{member(admin, workspace)}remove/").status_code == 403


def test_a_key_of_some_teams_manages_nobody(workspace: Workspace) -> None:
    limited = Actor("key", "k", "key", "admin", teams=frozenset({"blue"}))
    with pytest.raises(Forbidden):
        actions.set_solo(workspace, limited, True)


def test_strangers_see_nothing(workspace: Workspace, admin: Operator) -> None:
    elsewhere = make.make_workspace("other")
    stranger = signed_in(make.make_operator(elsewhere, "admin"))
    assert stranger.get(PAGE).status_code == 404
    assert stranger.post(f"{member(admin, workspace)}remove/").status_code == 404
    pk = Membership.objects.get(operator=admin).pk
    assert stranger.post(f"/w/other/members/{pk}/remove/").status_code == 404
    assert Client().get(PAGE).status_code == 302
    assert role_of(admin, workspace) == "admin"


def test_queries_do_not_grow_and_names_stay_text(
    workspace: Workspace, client: Client, django_assert_max_num_queries: object
) -> None:
    def count() -> int:
        with django_assert_max_num_queries(25) as captured:  # type: ignore[operator]
            page = client.get(PAGE).content.decode()
        assert "<script>x" not in page
        return len(captured)

    make.make_operator(workspace, "viewer", "evil", first_name="<script>x")
    client.get(PAGE)
    few = count()
    for n in range(6):
        make.make_operator(workspace, "viewer", f"v{n}")
    assert count() == few


def test_a_password_is_reset_and_shown_once(workspace: Workspace, client: Client) -> None:
    wen = make.make_operator(workspace, "viewer", "wen")
    open_session = signed_in(wen)
    address = f"{member(wen, workspace)}password/"
    answer = client.post(address, **HX)
    password = answer.context["password"]
    assert answer["Cache-Control"] == "no-store"
    assert password in answer.content.decode()
    assert password not in client.get(PAGE).content.decode()
    wen.refresh_from_db()
    assert wen.check_password(password)
    assert not wen.check_password(make.PASSWORD)
    assert open_session.get(PAGE).status_code == 302  # their open sessions end
    event = AuditEvent.objects.get(action="member.password")
    assert (event.object_id, event.detail) == (str(wen.pk), {})
    assert client.get(address)["Location"] == PAGE


def test_whose_password_is_not_reset_here(workspace: Workspace, client: Client, admin: Operator) -> None:
    """It would open another workspace, the back office, or one's own account without the old password."""
    elsewhere = make.make_operator(workspace, "viewer", "wen")
    Membership.objects.create(workspace=make.make_workspace("other"), operator=elsewhere, role="admin")
    staff = make.make_operator(workspace, "viewer", "root", is_staff=True)
    for operator in (elsewhere, staff, admin):
        before = operator.password
        answer = client.post(f"{member(operator, workspace)}password/", **HX)
        assert answer.status_code == 409
        assert "not yours to reset" in answer.content.decode()
        operator.refresh_from_db()
        assert operator.password == before
    curator = signed_in(make.make_operator(workspace, "curator"))
    assert curator.post(f"{member(staff, workspace)}password/").status_code == 403
