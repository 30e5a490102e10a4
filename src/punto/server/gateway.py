"""What every request has in common: who asks, what he may do, and how he is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Protocol

from msgspec import Struct

from punto.audit.log_audit import Game
from punto.server.audit_jobs import Auditing
from punto.server.identity import Duty, People, Person
from punto.server.metrics import FIGURES
from punto.server.rate_limit import Allowances
from punto.server.realtime.messages import (
    DoneMessage,
    Order,
    RefusedMessage,
    command_of,
    done,
    key_of,
    refused,
)
from punto.server.refused import Refused
from punto.server.server_log import log
from punto.server.tables.floor import Floor, ServedTable
from punto.server.tables.stream_follower import Clock
from punto.server.tables.table_actor import Done
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Actor

MOST_BYTES = 65_536
"""The longest body anybody may send."""

Tell = Callable[[DoneMessage | RefusedMessage], None]
"""Is told what somebody is answered."""


class Checked(Protocol):
    """Something that ends when its session does."""

    def belongs_to(self, person: str) -> bool:
        """Whether it is his."""
        ...

    async def check(self) -> None:
        """See whether the session has ended."""
        ...


class _Waiting(Struct):
    """Somebody who has given a command and waits for the answer."""

    person: Person
    served: ServedTable
    order: Order
    tell: Tell
    since: float

    def answered(self, answer: Done | Refusal | Exception) -> None:
        name = type(self.order).__name__
        if isinstance(answer, Done):
            FIGURES.done(name, "repeated" if answer.repeated else "done", perf_counter() - self.since)
            self.tell(done(self.order, answer))
            return
        table, person = self.served.name, self.person
        if isinstance(answer, Exception):
            log.error("not carried out", table=table, command=name, why=type(answer).__name__)
            answer = refuse("not-known")
        if answer.code == "not-enough-float" and person.duty is Duty.PATRON:
            answer = refuse("too-many-chips")  # what the float holds is for staff
        log.info("refused", table=table, command=name, person=person.id, code=answer.code)
        FIGURES.refused(name)
        self.tell(refused(answer, self.served.book, self.order.id))


@dataclass(slots=True)
class Desk:
    """The server's front desk."""

    floor: Floor
    people: People
    clock: Clock
    origins: frozenset[str] = frozenset()
    """Other sites whose pages may act for whoever is signed in there, such as a proxy's own name."""
    secure: bool = False
    """Whether the pages are served encrypted, so that a sign-in is never sent otherwise."""
    games: Mapping[str, Game] = field(default_factory=dict)
    """By their digests the games by whose rules tables may have been opened, for those who audit them."""
    requests: Allowances = field(default_factory=lambda: Allowances(400, 200))
    sign_ins: Allowances = field(default_factory=lambda: Allowances(20, 0.5))
    sockets: set[Checked] = field(default_factory=set)
    """Connections that are open."""
    auditing: Auditing = field(init=False)

    def __post_init__(self) -> None:
        self.auditing = Auditing(self.floor.store, self.games, self.clock)

    async def check_sockets(self, person: str) -> None:
        """Somebody's sessions may have ended: close their connections, and do not wait until they look themselves."""
        for socket in [each for each in self.sockets if each.belongs_to(person)]:
            await socket.check()

    # --- what is asked ---------------------------------------------------------------------------------------------

    def table(self, name: str | None) -> ServedTable:
        served = self.floor.tables.get(name or "")
        if served is None:
            raise Refused("unknown-table", table=name) if name else Refused("bad-message", case="no-table")
        return served

    async def give(self, person: Person, served: ServedTable, order: Order) -> DoneMessage | RefusedMessage:
        """Have somebody's command carried out; what he is answered."""
        answer: asyncio.Future[DoneMessage | RefusedMessage] = asyncio.get_running_loop().create_future()
        self.post(person, served, order, lambda told: None if answer.done() else answer.set_result(told))
        return await answer

    def post(self, person: Person, served: ServedTable, order: Order, tell: Tell) -> None:
        """The same for somebody who does not wait: he is told."""
        answered = _Waiting(person, served, order, tell, perf_counter()).answered
        role = person.duty.role
        if role is None:
            answered(refuse("no-position", duty=person.duty.value))
        elif self.floor.stopping:
            answered(refuse("stopping"))
        else:
            command = command_of(order, Actor(person.id, role), self.clock())
            self.floor.post(served, command, answered, key_of(order))
