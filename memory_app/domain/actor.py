"""Who asks for a change, as every action sees it."""

from dataclasses import dataclass

ROLES = ("agent", "viewer", "curator", "admin")


@dataclass(frozen=True, slots=True)
class Actor:
    """A person, a key, a policy or the system itself, with the role it acts under.

    `teams` limits a key to those team ids as strings; None is no limit.
    """

    kind: str  # operator | key | policy | system
    id: str
    label: str
    role: str
    address: str | None = None
    teams: frozenset[str] | None = None

    def at_least(self, role: str) -> bool:
        """Whether this actor's role includes the rights of `role`."""
        return ROLES.index(self.role) >= ROLES.index(role)

    @property
    def origin(self) -> str:
        """The origin of a decision that this actor causes."""
        return {"operator": "operator", "key": "agent", "policy": "policy"}.get(self.kind, "consolidation")


SYSTEM = Actor(kind="system", id="consolidation", label="consolidation", role="admin")
