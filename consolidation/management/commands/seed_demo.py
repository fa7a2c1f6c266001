"""Makes the demo workspace and prints how to get in, as one line of JSON."""

import json
import secrets
import string
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from consolidation.actions.policies import put_policy
from consolidation.demo import OPERATORS, SCENES, WORKSPACE, DemoOperator, Scene, happening, play
from consolidation.models import PolicyVersion
from memory_app.actions.keys import create_key, ensure_workspace
from memory_app.domain.actor import Actor
from memory_app.domain.keys import digest_of
from memory_app.models import ApiKey, Membership, Operator, Role, Workspace

SHELL = Actor(kind="system", id="shell", label="manage.py", role="admin")


#: Nobody has to look at the demo within half an hour to see what a session that is still open goes by.
IDLE_MINUTES = 7 * 24 * 60
LETTERS = string.ascii_letters + string.digits


class Command(BaseCommand):
    help = "Makes the demo workspace where it is missing; prints its address, a login and an API key as JSON."

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        made = Path(settings.COMMONPLACE.home) / "demo.json"
        # Until its last session is there, the demo is not made: the next start goes on with it. Afterwards it stays as
        # it is, whatever a later release would play, and whoever was erased from it.
        whole = made.exists() and Workspace.objects.filter(slug=WORKSPACE[0]).exists()
        kept = made if whole else made.with_suffix(".new")
        workspace = self._workspace(now - timedelta(days=SCENES[0].days_ago, minutes=10))
        access = self._access(workspace, kept)
        done = 0

        def told(scene: Scene) -> None:
            nonlocal done
            done += 1
            print(f"demo session {done} of {len(SCENES)}", file=sys.stderr)

        if not whole:
            play(workspace, SCENES, now, told)
        kept.rename(made)
        self.stdout.write(json.dumps(access | {"workspace": workspace.slug}))

    def _workspace(self, since: datetime) -> Workspace:
        """The demo's workspace, as old as its first session, in which open sessions stay open for days."""
        slug, name = WORKSPACE
        known = Workspace.objects.filter(slug=slug).first()
        if known is not None and known.name != slug:
            return known
        with happening(slug, since):
            workspace = ensure_workspace(slug, SHELL)
            if not PolicyVersion.objects.filter(workspace=workspace).exists():
                put_policy(workspace, SHELL, {"idle_minutes": IDLE_MINUTES}, "The demo's open sessions stay open.")
            workspace.name, workspace.created_at = name, since
            workspace.save(update_fields=["name", "created_at"])
        return workspace

    def _access(self, workspace: Workspace, path: Path) -> dict[str, str]:
        """The demo's login and key, made once and kept in a file that only this home's owner can read."""
        known: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        password = known.get("password") or "".join(secrets.choice(LETTERS) for _ in range(12))
        access = {"login": OPERATORS[0].username, "password": password, "api_key": known.get("api_key", "")}
        _write(path, access)  # before anybody has this password: whoever is killed in between still knows it
        for person in OPERATORS:
            self._operator(workspace, person, password if person is OPERATORS[0] else None)
        usable = ApiKey.objects.usable().filter(workspace=workspace)
        if not usable.filter(digest=digest_of(access["api_key"])).exists():
            with transaction.atomic():
                _, access["api_key"] = create_key(workspace, SHELL, role=Role.ADMIN, name="demo")
                _write(path, access)
        demo = Operator.objects.get(username=OPERATORS[0].username)
        return access if demo.check_password(password) else access | {"password": "(changed)"}

    @transaction.atomic
    def _operator(self, workspace: Workspace, person: DemoOperator, password: str | None) -> None:
        operator, new = Operator.objects.get_or_create(
            username=person.username,
            defaults={
                "first_name": person.first_name,
                "last_name": person.last_name,
                "language": person.language,
                "timezone": person.timezone,
            },
        )
        if new:
            operator.set_password(password)  # None: unusable until somebody sets one
            operator.save(update_fields=["password"])
        Membership.objects.get_or_create(workspace=workspace, operator=operator, defaults={"role": person.role})


def _write(path: Path, access: dict[str, str]) -> None:
    """The file as a whole, or as it was: one that is half written would be the end of every later start."""
    draft = path.with_name(f"{path.name}.draft")
    draft.touch(mode=0o600)
    draft.write_text(json.dumps(access))
    draft.replace(path)
