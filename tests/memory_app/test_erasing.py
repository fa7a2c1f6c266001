"""What erasing leaves: what is everybody's stays as it was, what quoted the erased is gone from beside it too."""

from datetime import timedelta
from typing import Any

import pytest

from consolidation.actions.erasing import erase_user
from memory_app.actions.content import ensure_slot
from memory_app.actions.profiles import put_profile
from memory_app.actions.slots import SlotSettings, put_slot
from memory_app.models import Slot, Workspace
from tests import factories as make

from .conftest import ADMIN

TIER = "loyalty_tier"


def profile(workspace: Workspace, user: str, *keys: str) -> None:
    put_profile(workspace, ADMIN, user, {key: {"value": "gold", "source": "crm"} for key in keys})


class TestSlots:
    @pytest.mark.parametrize(
        "chosen",
        [
            {},
            {"writers": ["profile"]},
            {"cardinality": "many"},
            {"values": ["gold", "silver"]},
            {"expires_after": timedelta(days=30)},
            {"exposure": "tools"},
        ],
    )
    def test_what_somebody_has_set_up_stays(self, workspace: Workspace, chosen: dict[str, Any]) -> None:
        put_slot(workspace, ADMIN, TIER, SlotSettings(**chosen))
        profile(workspace, "u-1", TIER)
        before = Slot.objects.values().get()
        erase_user(workspace, ADMIN, "u-1")
        assert Slot.objects.values().get() == before

    @pytest.mark.parametrize("settings", [{"writers": ["profile"]}, {"cardinality": "many"}])
    def test_one_that_is_not_as_it_is_made_stays(self, workspace: Workspace, settings: dict[str, Any]) -> None:
        slot = ensure_slot(workspace, TIER)
        assert slot is not None
        Slot.objects.filter(pk=slot.pk).update(**settings)
        profile(workspace, "u-1", TIER)
        erase_user(workspace, ADMIN, "u-1")
        assert Slot.objects.filter(pk=slot.pk).exists()

    def test_one_that_was_made_for_a_key_goes_with_the_last_who_uses_it(self, workspace: Workspace) -> None:
        for key in (TIER, "likes", "budget"):
            ensure_slot(workspace, key)
        profile(workspace, "u-1", TIER, "likes", "budget")
        profile(workspace, "u-2", TIER)
        make.make_memory(workspace, "At most 200 USD", "u-2", key="budget", value="200 USD")
        profile(Workspace.objects.create(slug="z", name="Z"), "u-1", "likes")
        erase_user(workspace, ADMIN, "u-1")
        assert set(Slot.objects.values_list("key", flat=True)) == {TIER, "budget"}
        erase_user(workspace, ADMIN, "u-2")
        assert not Slot.objects.exists()
