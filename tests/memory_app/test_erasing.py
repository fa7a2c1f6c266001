"""What erasing leaves: what is everybody's stays as it was, what quoted the erased is gone from beside it too."""

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from consolidation.actions.distilling import _outcome_drafts
from consolidation.actions.erasing import erase_user
from consolidation.actions.habits import SLOT
from memory_app.actions.combining import split_memory
from memory_app.actions.content import ensure_slot
from memory_app.actions.decisions import Proposal, Ruling, approve, record
from memory_app.actions.effects import PROFILE_FIELD
from memory_app.actions.erasing import erase_memory
from memory_app.actions.memories import edit_memory, restore_memory
from memory_app.actions.profiles import put_profile
from memory_app.actions.slots import SlotSettings, put_slot
from memory_app.actions.undo import undo
from memory_app.domain.actor import SYSTEM
from memory_app.domain.errors import Conflict, Stale
from memory_app.models import Block, Decision, Injection, Memory, Note, Session, Slot, User, Workspace
from tests import factories as make

from .conftest import ADMIN, KEY
from .test_decisions import proposed

TIER, MARK = "loyalty_tier", "qzmark"
QUOTE = f"From now on I like the {MARK}"


def marked() -> set[str]:
    """The tables in which the marker stands."""
    models = [one for app in ("memory_app", "consolidation") for one in apps.get_app_config(app).get_models()]
    with connection.cursor() as cursor:
        found = set()
        for table in (one._meta.db_table for one in models):
            cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {table} AS held WHERE held::text ILIKE %s)", [f"%{MARK}%"])
            found |= {table} if cursor.fetchone()[0] else set()
        return found


def promoted(session: Session, quote: str = QUOTE, **fields: Any) -> Memory:
    """What became of a note that quotes the session."""
    made = make.make_decision(make.make_note(session, f"Likes the {MARK}", quote, **fields), hold=False).memory
    assert made is not None
    return made


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


class TestInOtherDecisions:
    def test_what_was_proposed_because_of_it(self, workspace: Workspace) -> None:
        """A habit's proposal names it as what it is about, and the field that came of it is a copy."""
        memory = make.make_memory(workspace, f"Pays with {MARK}", key="pays_with", value=MARK)
        field = {"about": str(memory.pk), "times": 3, "key": "pays_with", "value": MARK, "source": memory.ref}
        for rule, needs in ((PROFILE_FIELD, "admin"), (SLOT, "curator")):
            made = record(workspace, SYSTEM, Proposal(
                "edit", rule, "semantic", "user", after={"text": MARK}, before={"text": MARK}, user=memory.user,
                hold=True, needs=needs, params=field,
            ))  # fmt: skip
            if rule == PROFILE_FIELD:
                approve(workspace, ADMIN, made.pk)
        assert User.objects.get().profile["pays_with"]["value"] == MARK
        erase_memory(memory, ADMIN)
        assert marked() == set()
        assert User.objects.get().profile == {}

    def test_what_a_person_aimed_at_another_memory(self, workspace: Workspace, session: Session) -> None:
        memory, other = make.make_memory(workspace, f"Drinks {MARK}"), make.make_memory(workspace, "Sits at the aisle")
        decision = proposed(session, "review", memory, proposed_action="override")
        approve(workspace, ADMIN, decision.pk, Ruling(action="override", memory=str(other.pk)))
        erase_memory(memory, ADMIN)
        assert marked() == set()
        [undone] = undo(workspace, ADMIN, decision.pk)
        assert (undone.status, undone.action, undone.memory_id, undone.after) == ("undone", "review", None, None)
        made = approve(workspace, ADMIN, decision.pk, Ruling(action="promote")).memory
        assert (made and made.text, Memory.objects.get(pk=other.pk).text) == (
            "Prefers window seats",
            "Sits at the aisle",
        )

    def test_what_a_model_said_of_it_when_it_chose_something_else(self, workspace: Workspace, session: Session) -> None:
        memory, other = make.make_memory(workspace, f"Drinks {MARK}"), make.make_memory(workspace, "Likes rain")
        told = {
            "engine": "a model",
            "choice": "new",
            "why": f"The user is no longer said to drink {MARK}.",
            "tokens": 9,
        }
        for near in (memory, other):
            proposed(session, "promote", text=f"Likes {near.number}", params={"model": told},
                     neighbours=[{"memory": str(near.pk), "similarity": 0.7}])  # fmt: skip
        erase_memory(memory, ADMIN)
        assert list(Decision.objects.filter(params__has_key="model").order_by("number").values_list(
            "params__model__why", flat=True)) == ["", told["why"]]  # fmt: skip

    def test_of_another_user_s_decision_too(self, workspace: Workspace, session: Session) -> None:
        team = {"scope": "team", "team": "ops"}
        memory = make.make_memory(workspace, f"Opens at {MARK}", "author", **team)
        other = make.make_memory(workspace, "The bell rings at ten", "bystander", **team)
        decision = proposed(session, "review", memory, proposed_action="override", team=memory.team)
        approve(workspace, ADMIN, decision.pk, Ruling(action="override", memory=str(other.pk)))
        erase_user(workspace, ADMIN, "author")
        assert marked() == set()
        assert undo(workspace, ADMIN, decision.pk)[0].memory_id is None


class TestParts:
    def split(self, workspace: Workspace) -> tuple[Decision, list[Memory]]:
        whole = make.make_memory(workspace, "Likes tea, jazz and rain")
        parts = [{"text": f"Likes {one}"} for one in ("tea", "jazz", "rain")]
        decision = split_memory(whole, KEY, parts).decision
        return decision, list(Memory.objects.order_by("number"))

    def texts(self) -> list[tuple[str, str]]:
        return list(Memory.objects.order_by("number").values_list("text", "status"))

    def test_one_that_was_erased_is_gone_from_what_it_was_split_from(self, workspace: Workspace) -> None:
        decision, (whole, jazz, _rain) = self.split(workspace)
        erase_memory(jazz, ADMIN)
        decision.refresh_from_db()
        assert [part["text"] for part in decision.params["parts"]] == ["Likes rain"]
        assert decision.before is None
        assert list(whole.versions.values_list("text", flat=True)) == ["Likes tea"]
        with pytest.raises(Conflict):
            undo(workspace, ADMIN, decision.pk)
        assert self.texts() == [("Likes tea", "active"), ("Likes rain", "active")]

    def test_one_that_somebody_has_brought_back_is_not_written_over(self, workspace: Workspace) -> None:
        decision, (_whole, jazz, _rain) = self.split(workspace)
        undo(workspace, ADMIN, decision.pk)
        restore_memory(Memory.objects.get(pk=jazz.pk), KEY, 1)
        edit_memory(Memory.objects.get(pk=jazz.pk), KEY, {"text": "Likes bebop"})
        with pytest.raises(Stale):
            approve(workspace, ADMIN, decision.pk)
        assert self.texts()[:2] == [("Likes tea, jazz and rain", "active"), ("Likes bebop", "active")]


class TestOutsideOfDecisions:
    def test_what_was_masked_in_a_turn_that_it_quotes(self, workspace: Workspace, session: Session) -> None:
        make.make_turn(session, f"{QUOTE}, and my card is 4111 1111 1111 1111.")
        memory = promoted(session)
        assert MARK in Block.objects.get().excerpt
        erase_memory(memory, ADMIN)
        assert marked() == set()
        assert Block.objects.get().category == "payment"

    def test_what_its_session_s_end_reported(self, workspace: Workspace, session: Session) -> None:
        memory = promoted(session, "", origin="outcome", kind="episodic")
        report = {"task": f"Sell the {MARK}", "summary": f"Sold the {MARK}", "outcome": "success"}
        Session.objects.update(ended_at=timezone.now(), **report)
        erase_memory(memory, ADMIN)
        assert marked() == set()
        assert _outcome_drafts(Session.objects.get()) == []

    def test_reports_of_others_stay(self, workspace: Workspace, session: Session) -> None:
        make.make_turn(session, QUOTE)
        memory = promoted(session)
        Session.objects.update(task="Sell a bell")
        erase_memory(memory, ADMIN)
        assert Session.objects.get().task == "Sell a bell"

    def test_what_was_told_of_memory_that_shares_its_notes(self, workspace: Workspace, session: Session) -> None:
        make.make_turn(session, QUOTE)
        split_memory(promoted(session), KEY, [{"text": "Likes one thing"}, {"text": "Likes another"}])
        kept, gone = Memory.objects.filter(scope="user").order_by("number")
        Memory.objects.filter(pk=kept.pk).update(text="Likes one thing")
        shown = self.shown(workspace, session, kept)
        erase_memory(gone, ADMIN)
        shown.refresh_from_db()
        assert (shown.text, shown.included) == ("", [{"memory": str(kept.pk), "version": 2}])

    def test_other_notes_that_quote_the_same_words(self, workspace: Workspace, session: Session) -> None:
        make.make_turn(session, f"{QUOTE} and I live in Rome.")
        memory = promoted(session)
        other = make.make_note(session, "Lives in Rome", f"like the {MARK} and I live in Rome")
        lives = make.make_decision(other, hold=False).memory
        assert lives is not None
        shown = self.shown(workspace, session, lives)
        erase_memory(memory, ADMIN)
        assert marked() == set()
        assert Note.objects.get(pk=other.pk).evidence_quote.endswith("█ and I live in Rome")
        shown.refresh_from_db()
        assert "because" not in shown.included[0]

    def shown(self, workspace: Workspace, session: Session, memory: Memory) -> Injection:
        entry = {"memory": str(memory.pk), "version": memory.version, "because": f"you said: {QUOTE}"}
        return Injection.objects.create(
            workspace=workspace, purpose="recall", user=session.user, moment=timezone.now(), memory_ids=[memory.pk],
            included=[entry], text=QUOTE,
        )  # fmt: skip
