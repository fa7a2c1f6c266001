"""A memory with a history for the tests of its page, and how its forms are sent."""

from typing import Any

from django.test import Client
from django.urls import reverse

from memory_app.models import Memory, Workspace
from tests import factories as make

HTMX = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "memory-page"}
SAID = "上次太累了。以后别订早班机了，优先晚班，到酒店晚一点没关系。"


def a_late_flight(workspace: Workspace) -> Memory:
    """What was early flights until the user said late ones, in the second turn of a session."""
    memory = make.make_memory(workspace, "倾向早班机", key="flight_time", value="morning", updated_at=make.days_ago(30))
    session = make.make_session(workspace)
    make.make_turn(session, "安排下周出差。", "assistant")
    make.make_turn(session, SAID)
    note = make.make_note(session, "优先晚班机", "以后别订早班机了，优先晚班", key="flight_time", value="evening")
    make.make_decision(note, "override", memory=memory, hold=False, params={"old": "倾向早班机"})
    memory.refresh_from_db()
    return memory


def url(memory: Memory, name: str = "memory", *args: Any) -> str:
    return reverse(name, args=["travel", memory.pk, *args])


def page_of(client: Client, memory: Memory, **query: Any) -> str:
    response = client.get(url(memory), query)
    assert response.status_code == 200
    return response.content.decode()


def post(client: Client, memory: Memory, name: str, htmx: bool = True, **data: Any) -> Any:
    data.setdefault("version", memory.version)
    return client.post(url(memory, f"memory_{name}"), data, **(HTMX if htmx else {}))


def form_of(memory: Memory, **changed: Any) -> dict[str, Any]:
    """What the edit form sends when only these fields were changed."""
    fields = {"text": memory.text, "key": memory.key, "value": memory.value or "", "condition": memory.condition,
              "subject": memory.subject, "importance": memory.importance, "expires_at": "", "reason": ""}  # fmt: skip
    return fields | changed


def now(memory: Memory) -> Memory:
    return Memory.objects.get(pk=memory.pk)
