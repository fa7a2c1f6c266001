"""Who could approve a change of protected memory: nobody approves their own, unless the workspace is for one person."""

from collections.abc import Iterable

from memory_app.domain.actor import Actor
from memory_app.models import (
    ActorKind,
    AuditEvent,
    Decision,
    Membership,
    Needs,
    Operator,
    Role,
    Workspace,
)

from .authors import PEOPLE, Authors, Party


class Parties:
    """Who stands behind whom, looked up once, for the actor and all of these decisions together.

    A key with a person's role stands for whoever made it, person or key: it is theirs to use. An operator whose
    password somebody else has set stands for whoever that was, until they replace it: the other may know it.
    """

    def __init__(self, actor: Actor, decisions: Iterable[Decision] = ()) -> None:
        held = [one for one in decisions if one.needs == Needs.ADMIN]
        self._authors = Authors(held)
        self._expected = {(actor.kind, actor.id), *((one.proposed_by_kind, one.proposed_by_id) for one in held)}
        self._stands_for: dict[Party, Party | None] = {}
        #: Of keys that are agents', and so parties of their own: who made them.
        self._made: dict[Party, Party] = {}
        #: Whether nobody else approves what the actor proposes, once that has been asked.
        self.alone: bool | None = None

    def expect(self, operators: Iterable[int]) -> None:
        """These are looked up together with whoever is asked for next."""
        self._expected |= {(str(ActorKind.OPERATOR), str(one)) for one in operators}

    def behind(self, kind: str, actor_id: str) -> set[Party]:
        """The actor, and everybody whom they stand for; nobody where it is no person's and no key's doing."""
        found: set[Party] = set()
        party: Party | None = (str(kind), actor_id)
        while party is not None and party[0] in PEOPLE and party not in found:
            found.add(party)
            self._know(party)
            party = self._stands_for[party]
        return found

    def proposers(self, decision: Decision) -> set[Party]:
        """Who proposed it, and whose doing it is that it was proposed (Authors)."""
        found = {(str(decision.proposed_by_kind), decision.proposed_by_id)} | self._authors.of(decision)
        self._expected |= self._authors.met
        return {party for party in found if party[0] in PEOPLE}

    def maker_of_agent(self, key_id: str) -> Party | None:
        """Who made the key, where it was made for an agent."""
        key = (str(ActorKind.KEY), key_id)
        self._know(key)
        return self._made.get(key)

    def _know(self, party: Party) -> None:
        """With it all that are expected, and whom they stand for: two statements a step, however many they are."""
        if party in self._stands_for:
            return
        new, self._expected = ({party} | self._expected) - self._stands_for.keys(), set()
        while new:
            ids = {kind: [name for one, name in new if one == kind] for kind in PEOPLE}
            self._stands_for |= dict.fromkeys(new)
            next_ones = self._read_operators(ids[ActorKind.OPERATOR]) | self._read_keys(ids[ActorKind.KEY])
            new = next_ones - self._stands_for.keys()

    def _read_operators(self, ids: list[str]) -> set[Party]:
        rows = Operator.objects.filter(pk__in=ids).exclude(password_by_kind="") if ids else Operator.objects.none()
        for pk, kind, by in rows.values_list("pk", "password_by_kind", "password_by_id"):
            self._stands_for[str(ActorKind.OPERATOR), str(pk)] = (kind, by)
        return {one for name in ids if (one := self._stands_for[str(ActorKind.OPERATOR), name]) is not None}

    def _read_keys(self, ids: list[str]) -> set[Party]:
        made = AuditEvent.objects.filter(object_id__in=ids, object_type="apikey", action="key.create")
        rows = made.values_list("object_id", "actor_kind", "actor_id", "detail__role") if ids else ()
        makers = set()
        for pk, kind, by, role in rows:
            key = (str(ActorKind.KEY), pk)
            (self._made if role == Role.AGENT else self._stands_for)[key] = (kind, by)
            makers.add((kind, by))
        return makers


def nobody_else_approves(workspace: Workspace, actor: Actor, parties: Parties | None = None) -> bool:
    """Whether what this person proposes would wait for ever: no other admin is there, or whoever is stands for them."""
    if actor.kind != ActorKind.OPERATOR or workspace.solo:
        return False
    parties = parties or Parties(actor)
    if parties.alone is None:
        parties.alone = _is_alone(workspace, actor, parties)
    return parties.alone


def _is_alone(workspace: Workspace, actor: Actor, parties: Parties) -> bool:
    admins = Membership.objects.filter(workspace=workspace, role=Role.ADMIN, operator__is_active=True)
    others = list(admins.exclude(operator=int(actor.id)).values_list("operator", flat=True))
    parties.expect(others)
    own = parties.behind(actor.kind, actor.id)
    return all(not own.isdisjoint(parties.behind(ActorKind.OPERATOR, str(other))) for other in others)


def proposed(decision: Decision, actor: Actor) -> bool:
    """Whether it was this actor that proposed it, and so may take it back."""
    return (decision.proposed_by_kind, decision.proposed_by_id) == (actor.kind, actor.id)


def is_own(decision: Decision, actor: Actor, parties: Parties | None = None, *, protected: bool = False) -> bool:
    """Whether nobody approves it as this actor, because whoever stands behind the actor stands behind the proposal too,
    or behind what it was made of.

    That counts where the change needs an admin or is one of `protected` memory, and the workspace is not for one person.
    """
    if not _for_two(decision, protected):
        return False
    if proposed(decision, actor):
        return True
    parties = parties or Parties(actor, [decision])
    proposers = parties.proposers(decision)
    if not proposers:
        return False  # nobody stands behind it, and nobody is looked up
    own = parties.behind(actor.kind, actor.id)
    return any(not own.isdisjoint(parties.behind(*one)) for one in proposers)


def made_its_agent(
    decision: Decision, actor: Actor, parties: Parties | None = None, *, protected: bool = False
) -> bool:
    """Whether an agent proposed it or sent its note with a key that was made by whoever stands behind the actor. They may
    approve it, since an agent is a party of its own; it is told, since the one who holds its key could write in its name."""
    if not _for_two(decision, protected):
        return False
    parties = parties or Parties(actor, [decision])
    keys = [name for kind, name in parties.proposers(decision) if kind == ActorKind.KEY]
    makers = [maker for key in keys if (maker := parties.maker_of_agent(key)) is not None]
    return any(not parties.behind(*one).isdisjoint(parties.behind(actor.kind, actor.id)) for one in makers)


def _for_two(decision: Decision, protected: bool) -> bool:
    return (protected or decision.needs == Needs.ADMIN) and not decision.workspace.solo
