"""Makes the demo workspace and prints how to get in, as one line of JSON."""

import json
import secrets
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from consolidation.demo import OPERATORS, SCENES, WORKSPACE, DemoOperator, Scene, play
from memory_app.actions.keys import create_key, ensure_workspace
from memory_app.domain.actor import Actor
from memory_app.domain.keys import digest_of
from memory_app.models import ApiKey, Membership, Operator, Role, Workspace

SHELL = Actor(kind="system", id="shell", label="manage.py", role="admin")


class Command(BaseCommand):
    help = "Makes the demo workspace where it is missing; prints its address, a login and an API key as JSON."

    def handle(self, *args: Any, **options: Any) -> None:
        workspace = ensure_workspace(WORKSPACE[0], SHELL)
        if workspace.name == WORKSPACE[0]:
            workspace.name = WORKSPACE[1]
            workspace.save(update_fields=["name"])
        access = self._access(workspace)
        done = 0

        def told(scene: Scene) -> None:
            nonlocal done
            done += 1
            print(f"demo session {done} of {len(SCENES)}", file=sys.stderr)

        play(workspace, SCENES, timezone.now(), told)
        self.stdout.write(json.dumps(access | {"workspace": workspace.slug}))

    def _access(self, workspace: Workspace) -> dict[str, str]:
        """The demo's login and key, made once and kept in a file that only this home's owner can read."""
        path = Path(settings.COMMONPLACE.home) / "demo.json"
        known: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        password = known.get("password") or secrets.token_urlsafe(9)
        for person in OPERATORS:
            self._operator(workspace, person, password if person is OPERATORS[0] else None)
        key = known.get("api_key", "")
        if not ApiKey.objects.usable().filter(workspace=workspace, digest=digest_of(key)).exists():
            _, key = create_key(workspace, SHELL, role=Role.ADMIN, name="demo")
        access = {"login": OPERATORS[0].username, "password": password, "api_key": key}
        path.touch(mode=0o600)
        path.write_text(json.dumps(access))
        demo = Operator.objects.get(username=OPERATORS[0].username)
        return access if demo.check_password(password) else access | {"password": "(changed)"}

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
