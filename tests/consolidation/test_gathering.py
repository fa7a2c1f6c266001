"""Of a memory with many versions, only those are read that are asked about."""

from datetime import timedelta

import pytest
from django.utils import timezone

from consolidation.actions.gathering import gather
from consolidation.domain.replaying import NO_NOTE, Row, Side
from consolidation.queries.replays import found_of
from memory_app.actions.memories import edit_memory
from memory_app.models import Memory, Workspace
from memory_app.recall import recall
from tests import factories as make
from tests.reading import rows_read

VERSIONS = 3


@pytest.fixture
def memory(db: None) -> Memory:
    made = make.make_memory(make.make_workspace(), "Prefers seat 0", key="seat_preference", value="0")
    for number in range(1, VERSIONS):
        made = edit_memory(made, make.BACK_OFFICE, {"text": f"Prefers seat {number}", "value": str(number)}).memory
    return made


def test_gather_reads_the_vector_of_the_version_that_holds(memory: Memory) -> None:
    session = make.make_session(memory.workspace)
    table = "memory_app_searchentry"
    assert rows_read(table, lambda: gather(session, [], {})) == 1
    assert list(gather(session, [], {}).vectors) == [memory.text]
    [known] = gather(session, [], {}, known_at=memory.versions.get(number=2).recorded_at).existing
    assert (known.text, known.version) == ("Prefers seat 0", 1)


def test_recall_of_the_past_and_a_replay_read_the_versions_they_name(memory: Memory) -> None:
    second = memory.versions.get(number=2)
    then = second.recorded_at + timedelta(microseconds=1)
    workspace = Workspace.objects.get()
    user = str(memory.user and memory.user.external_id)

    def asked() -> None:
        found = recall(workspace, user=user, query="Which seat?", as_of=then, now=timezone.now(), recorded=False)
        assert [one.memory.text for one in found.results] == ["Prefers seat 1"]

    assert rows_read("memory_app_memoryversion", asked) == 1
    session = make.make_session(workspace)
    rows = [Row("", "", Side("override", target=str(memory.pk), version=2), NO_NOTE)]
    assert rows_read("memory_app_memoryversion", lambda: found_of(session, rows)) == 1
    assert found_of(session, rows).wordings == {(str(memory.pk), 2): ("Prefers seat 1", "1")}
