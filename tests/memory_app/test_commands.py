"""Getting people into an installation without the demo."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from memory_app.models import AuditEvent, Membership, Workspace


@pytest.mark.django_db
def test_an_operator_made_on_the_command_line_can_sign_in_and_work(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_operator", "lin", workspace="travel")
    password = capsys.readouterr().out.strip()
    client = Client()
    assert client.login(username="lin", password=password)
    assert client.get("/w/travel/overview/")["Location"].startswith("/accounts/password/")  # theirs, before all else
    form = {"old_password": password, "new_password1": "a sentence of mine", "new_password2": "a sentence of mine"}
    assert client.post("/accounts/password/", form | {"next": "/w/travel/overview/"}).status_code == 302
    assert client.get("/w/travel/overview/").status_code == 200
    membership = Membership.objects.get(operator__username="lin")
    assert (membership.role, membership.workspace.slug) == ("admin", "travel")
    assert AuditEvent.objects.filter(action="member.create").count() == 1


@pytest.mark.django_db
def test_an_operator_who_exists_joins_another_workspace(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("create_operator", "lin", workspace="travel")
    call_command("create_operator", "lin", workspace="support", role="viewer")
    assert "viewer in support" in capsys.readouterr().out
    assert Workspace.objects.filter(memberships__operator__username="lin").count() == 2
    with pytest.raises(CommandError, match="already"):
        call_command("create_operator", "lin", workspace="support")
