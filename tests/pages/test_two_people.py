"""What the page of a decision says where one person alone would change protected memory."""

import pytest
from django.urls import reverse

from memory_app.actions.keys import create_key
from memory_app.actions.notes import NewNote, retain_note
from memory_app.domain.actor import Actor
from memory_app.models import Workspace
from tests import factories as make

from .visitors import signed_in

pytestmark = pytest.mark.django_db
WHOSE = {
    "en": "What this was made of was sent by you, or with a key that you made.",
    "zh-hans": "此项所依据的内容是由你发送的",
}


@pytest.mark.parametrize("language", list(WHOSE))
def test_it_says_whose_note_it_is_and_that_words_are_proposed(workspace: Workspace, language: str) -> None:
    wen = make.make_operator(workspace, "admin", "wen", language=language)
    key, _ = create_key(workspace, make.actor_of(wen, "admin"), role="admin")
    sender = Actor("key", str(key.pk), key.name, "admin")
    client = signed_in(wen)

    def page(note_by: Actor) -> str:
        note = retain_note(make.make_session(workspace), note_by, NewNote(text="Is allergic to nuts and milk")).note
        nuts = make.make_memory(workspace, "Is allergic to nuts", pinned=True)
        decision = make.make_decision(note, "override", memory=nuts, needs="admin")
        return client.get(reverse("review", args=[workspace.slug]), {"id": str(decision.pk)}).content.decode()

    own, others = page(sender), page(Actor("key", "key-1", "agent", "agent"))
    assert WHOSE[language] in own
    assert WHOSE[language] not in others
    assert 'id="no-edit"' in others
    assert 'id="act-edit"' not in others
