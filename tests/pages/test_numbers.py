"""Every number that is a link is how many rows the page behind it lists."""

import html
import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from consolidation.demo import SCENES, play
from memory_app.models import Slot, User, Workspace
from tests import factories as make

LINK = re.compile(r'<a\b[^>]*\bhref="([^"]+)"[^>]*>((?:(?!</a>).)*)</a>', re.DOTALL)
NUMBER = re.compile(r"(?<![\w.,#-])(\d[\d,]*)(?![\w%.-])")
#: What is no count of rows: a rate, and a text that leads to one row.
OTHER = re.compile(r"per 100|[?&](item|id)=")
LISTS = ("memories", "sessions", "guardrails", "review", "users", "audit", "approvals")


def rows_behind(client: Client, address: str, known: dict[str, int]) -> int:
    """How many rows the list at this address has on all of its pages."""
    if address not in known:
        context = client.get(address).context
        pages, cursor = len(context["page"].rows), context["page"].next
        while cursor:
            context = client.get(f"{address}{'&' if '?' in address else '?'}cursor={cursor}").context
            pages, cursor = pages + len(context["page"].rows), context["page"].next
        known[address] = pages
    return known[address]


def linked_numbers(page: str) -> list[tuple[str, int]]:
    """Addresses of lists, each with the one number that its link says."""
    found = []
    for address, inside in LINK.findall(page):
        target = html.unescape(address).partition("#")[0]
        numbers = NUMBER.findall(html.unescape(re.sub(r"<[^>]*>", " ", inside)))
        if (
            len(numbers) == 1
            and not OTHER.search(target + inside)
            and re.match(rf"/w/travel/({'|'.join(LISTS)})/(\?|$)", target)
        ):
            found.append((target, int(numbers[0].replace(",", ""))))
    return found


@pytest.mark.django_db
def test_numbers_are_what_their_links_list(client: Client, workspace: Workspace) -> None:
    play(
        workspace,
        # Nobody has ruled yet: beside the guardrails' link stands what waits for that, and the list has all.
        [replace(scene, ruled=()) for scene in SCENES if scene.user in ("zhang-san", "diego-ramirez")],
        timezone.now(),
        lambda scene: None,
    )
    make.make_memory(workspace, "Lives in Ulm", "zhang-san", key="old_city", value="Ulm", expires_at=make.days_ago(1))
    client.force_login(make.make_operator(workspace, "admin"))
    pages = ["overview/", "users/", "slots/", "agents/", "memories/", "guardrails/", "guardrails/?days=90", "rules/",
             "rules/?tab=guardrails", "rules/?tab=decisions", "sessions/", "review/", "team/", "approvals/",
             "overview/?days=7", "overview/?days=90"]  # fmt: skip
    pages += [f"users/{user.pk}/" for user in User.objects.all()]
    pages += [f"slots/{slot.pk}/" for slot in Slot.objects.filter(key__in=["seat_preference", "home_city", "budget"])]
    checked, wrong = 0, []
    known: dict[str, int] = {}
    for name in pages:
        response: Any = client.get(f"/w/travel/{name}")
        assert response.status_code in (200, 404), name
        for address, number in linked_numbers(response.content.decode()):
            listed = rows_behind(client, address, known)
            checked += 1
            if number != listed:
                wrong.append((name, number, address, listed))
    assert not wrong
    assert checked > 50
