"""Django's admin shows every table to staff, and writes none."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from memory_app.actions.keys import create_key
from memory_app.models import ApiKey, Operator
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
OURS = [model for label in ("memory_app", "consolidation") for model in apps.get_app_config(label).get_models()]


@pytest.fixture
def operator() -> Operator:
    return Operator.objects.create_superuser("root", password="a long sentence")


def test_every_table_is_there_and_none_can_be_written(client: Client) -> None:
    assert set(admin.site._registry) - {Group} >= set(OURS)
    for model in OURS:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert client.get(reverse(f"{name}_changelist")).status_code == 200, name
        assert client.get(reverse(f"{name}_add")).status_code == 403, name


def test_a_row_is_shown_without_its_credentials(client: Client) -> None:
    workspace = make.make_workspace()
    key, secret = create_key(workspace, make.BACK_OFFICE, role="agent")
    memory = make.make_memory(workspace, "<b>Prefers aisle</b>")
    assert memory.versions.exists()
    for name, row in (("apikey", key), ("memory", memory), ("operator", Operator.objects.get())):
        address = reverse(f"admin:memory_app_{name}_change", args=[row.pk])
        page = client.get(address).content.decode()
        assert "<b>Prefers" not in page
        assert ApiKey.objects.get().digest not in page
        assert Operator.objects.get().password not in page
        assert secret not in page
        assert client.post(address, {"name": "x"}).status_code == 403
        assert (
            client.post(reverse(f"admin:memory_app_{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
        )


def test_only_staff_comes_in() -> None:
    other = signed_in(make.make_operator(make.make_workspace(), "admin"))
    assert other.get("/admin/memory_app/memory/").status_code == 302
