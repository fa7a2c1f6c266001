"""Named views of the queue: links in its bar, an operator's own or shared, renamed and removed."""

import pytest
from django.test import Client

from memory_app.models import AuditEvent, Operator, SavedView, Workspace
from tests import factories as make

from .reviewing import REVIEW
from .visitors import signed_in

pytestmark = pytest.mark.django_db
VIEWS = f"{REVIEW}views/"


def test_filters_become_a_link_in_the_bar(client: Client, workspace: Workspace) -> None:
    assert "Save view…" not in client.get(REVIEW).content.decode()
    query = "action=promote&sort=confidence"
    assert "Save view…" in client.get(f"{REVIEW}?{query}").content.decode()
    sent = {"name": " Unsure  promotions ", "queue": f"item=x&{query}&evil=1"}
    page = client.post(VIEWS, sent, HTTP_HX_REQUEST="true").content.decode()
    assert "Saved as “Unsure promotions”." in page
    assert f'href="{REVIEW}?action=promote&amp;sort=confidence"' in client.get(REVIEW).content.decode()
    page = client.get(f"{REVIEW}?{query}").content.decode()
    assert "Leave the view Unsure promotions" in page
    assert "Save view…" not in page
    assert AuditEvent.objects.filter(action="view.saved").count() == 1
    assert client.post(VIEWS, sent).status_code == 302  # without a script; the name is taken
    assert SavedView.objects.count() == 1


def test_what_cannot_be_saved_says_why(client: Client, workspace: Workspace) -> None:
    for data, words in (
        ({"name": "x"}, "Choose filters first"),
        ({"name": " ", "queue": "action=promote"}, "1 to 60 characters"),
        ({"name": "x" * 61, "queue": "action=promote"}, "1 to 60 characters"),
        ({"name": "key sk-live-4eC39HqLyjWDarjtT1zdp7dc", "queue": "action=promote"}, "secret"),
        ({"name": "x", "queue": "agent=sk-live-4eC39HqLyjWDarjtT1zdp7dc"}, "a filter holds a secret"),
    ):
        answer = client.post(VIEWS, data, HTTP_HX_REQUEST="true")
        assert answer.status_code == 422
        assert words in answer.content.decode()
        assert f'value="{data["name"]}"' in answer.content.decode()
    assert not SavedView.objects.exists()


def test_who_sees_and_changes_which(client: Client, workspace: Workspace, operator: Operator) -> None:
    for name, shared in (("Mine", ""), ("Ours", "1")):
        client.post(VIEWS, {"name": name, "shared": shared, "queue": f"rule={name}"})
    mine, ours = SavedView.objects.order_by("name")
    other, admin = (signed_in(make.make_operator(workspace, role)) for role in ("curator", "admin"))
    page = other.get(REVIEW).content.decode()
    assert "rule=Ours" in page
    assert "rule=Mine" not in page
    for view in (mine, ours):
        assert other.post(f"{VIEWS}{view.pk}/remove/").status_code == 404
        assert other.post(f"{VIEWS}{view.pk}/", {"name": "Taken"}).status_code == 404
    assert admin.post(f"{VIEWS}{mine.pk}/", {"name": "Taken"}).status_code == 404
    assert admin.post(f"{VIEWS}{ours.pk}/", {"name": "For all", "shared": "1"}).status_code == 302
    ours.refresh_from_db()
    assert (ours.name, ours.shared) == ("For all", True)
    assert client.post(f"{VIEWS}{ours.pk}/", {"name": "Mine"}, HTTP_HX_REQUEST="true").status_code == 422
    assert client.post(f"{VIEWS}{mine.pk}/remove/").status_code == 302
    assert list(SavedView.objects.all()) == [ours]
    stranger = signed_in(make.make_operator(make.make_workspace("other"), "admin"))
    assert stranger.post(f"/w/other/review/views/{ours.pk}/remove/").status_code == 404
