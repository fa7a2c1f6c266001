"""What the guardrails kept out, for people to judge: the list with its counts, and one block."""

import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, Q, QuerySet

from memory_app.keyset import Order, Page, everything, page_of
from memory_app.models import Block, BlockStatus, Category, Decision, Session, Stage, User, Workspace
from memory_app.moments import days_of, first_day

from .named import cut_at, named

PAGE_SIZE = 25  # each row carries the form that releases it
NEWEST = Order("created_at")
LISTED = ("user", "session", "turn", "memory__team", "note__team", "decided_by", "workspace")


@dataclass(frozen=True)
class BlockFilters:
    """What the address says; a value that means nothing counts as not given."""

    stage: str = ""
    category: str = ""
    status: str = ""
    agent: str = ""
    q: str = ""
    days: int | None = None

    @classmethod
    def read(cls, query: Mapping[str, Any]) -> "BlockFilters":
        def one_of(name: str, known: list[str]) -> str:
            value = str(query.get(name, ""))
            return value if value in known else ""

        return cls(
            stage=one_of("stage", Stage.values),
            category=one_of("category", Category.values),
            status=one_of("status", BlockStatus.values),
            agent=_plain(query.get("agent", "")),
            q=_plain(query.get("q", "")),
            days=days_of(query.get("days", "")),
        )

    @property
    def narrowed(self) -> bool:
        return self != BlockFilters()

    def rows(self, workspace: Workspace, *, whole: bool = False) -> "QuerySet[Block]":
        """Those that match: of whoever is called by the words, those seen last alone unless they are wanted as a whole."""
        found: QuerySet[Block] = Block.objects.filter(workspace=workspace)
        for name in ("stage", "category", "status"):
            if value := getattr(self, name):
                found = found.filter(**{name: value})
        if self.agent:
            found = found.filter(session__agent__external_id=self.agent)
        if self.days is not None:
            found = found.filter(created_at__gte=first_day(self.days))
        return found.filter(_text(workspace, self.q, whole=whole)) if self.q else found


def blocks_page(workspace: Workspace, filters: BlockFilters, cursor: str = "") -> Page[Block]:
    """A page of blocks, newest first, with where each was found."""
    # What many match in their words is sorted by itself; what stands beside them is joined for a page alone.
    page = page_of(filters.rows(workspace).only("created_at"), NEWEST, cursor, PAGE_SIZE)
    whole = Block.objects.select_related(*LISTED).in_bulk([row.pk for row in page.rows])
    return replace(page, rows=[whole[row.pk] for row in page.rows if row.pk in whole])


def all_blocks(workspace: Workspace, filters: BlockFilters) -> Iterator[Block]:
    """Every block that matches, newest first, with where each was found."""
    return everything(filters.rows(workspace, whole=True).select_related(*LISTED, "session__agent"), NEWEST)


@dataclass(frozen=True)
class Counts:
    """How many match by (stage, category), whichever of them the filters name, and in each status, whichever they name."""

    by_place: dict[tuple[str, str], int]
    by_status: dict[str, int]


def counts_of(workspace: Workspace, filters: BlockFilters) -> Counts:
    """Both from one reading."""
    found = replace(filters, stage="", category="", status="").rows(workspace).order_by()
    by_place: Counter[tuple[str, str]] = Counter()
    by_status: Counter[str] = Counter()
    for stage, category, status, count in found.values_list("stage", "category", "status").annotate(Count("pk")):
        if filters.status in ("", status):
            by_place[stage, category] += count
        if filters.stage in ("", stage) and filters.category in ("", category):
            by_status[status] += count
    return Counts(dict(by_place), dict(by_status))


def find_block(workspace: Workspace, block_id: uuid.UUID) -> Block | None:
    found = Block.objects.filter(workspace=workspace, pk=block_id)
    return found.select_related(*LISTED, "note__turn").first()


def beside(block: Block) -> tuple[Block | None, Block | None]:
    """The one before it and the one after it in the list of all, newest first."""
    rows = Block.objects.filter(workspace=block.workspace_id).only("created_at")
    older = Q(created_at__lt=block.created_at) | Q(created_at=block.created_at, pk__lt=block.pk)
    newer = Q(created_at__gt=block.created_at) | Q(created_at=block.created_at, pk__gt=block.pk)
    return rows.filter(newer).order_by("created_at", "pk").first(), rows.filter(older).order_by(
        "-created_at", "-pk"
    ).first()


def decisions_of(block: Block) -> list[Decision]:
    """What became of the note that was blocked, newest first."""
    if block.note_id is None:
        return []
    return list(Decision.objects.filter(workspace=block.workspace_id, note=block.note_id).order_by("-created_at")[:5])


def names_cut(workspace: Workspace, filters: BlockFilters) -> int | None:
    """How many names a page looks for, where so many have the words that it leaves out the blocks of some."""
    return cut_at(*_called(workspace, filters.q)) if filters.q else None


def _text(workspace: Workspace, q: str, *, whole: bool) -> Q:
    """Blocks by their masked words, rule, number, session or user."""
    users, sessions = _called(workspace, q)
    found = Q(excerpt__icontains=q) | Q(rule__icontains=q)
    if (number := _number(q, "G-")) is not None:
        found |= Q(number=number)
    return found | Q(user__in=named(users, whole=whole)) | Q(session__in=named(sessions, whole=whole))


def _called(workspace: Workspace, q: str) -> "tuple[QuerySet[User], QuerySet[Session]]":
    """Users whose name has the words, and sessions whose name or number is, last ones first."""
    users = User.objects.filter(workspace=workspace, external_id__icontains=q)
    called = Q(external_id__icontains=q)
    if (number := _number(q, "S-")) is not None:
        called |= Q(number=number)
    sessions = Session.objects.filter(called, workspace=workspace)
    return users.order_by("-last_seen_at", "pk"), sessions.order_by("-started_at", "pk")


def _number(q: str, letter: str) -> int | None:
    """The number that the words are, with this letter before it or none."""
    digits = q[2:] if q[:2].upper() == letter else q
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 18 else None


def _plain(given: Any) -> str:
    return str(given)[:200].replace("\x00", "").strip()
