"""The gateway: what every request has in common, over HTTP or a socket: who asks, for what, and the reply."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from msgspec import Struct

from punto.audit.table_recomputed import Game
from punto.server.access.devices import Devices
from punto.server.access.identity import Duty, People, Person
from punto.server.access.named_people import check_named, may_name, named_in
from punto.server.access.permissions import FACTOR_REQUIRED_OF
from punto.server.access.person_requests import PersonRequests
from punto.server.access.refused_sign_ins import RefusedSignIns
from punto.server.access.second_factor import SecondFactors
from punto.server.access.session_watch import SessionBound, SessionWatch
from punto.server.access.sign_in_limits import SignInLimits
from punto.server.history.play_book import PlayBook
from punto.server.realtime.messages import ClientMessage, DoneMessage, RefusedMessage, command_of, key_of, refused
from punto.server.refused import Refused
from punto.server.running.audit_jobs import AuditJobs
from punto.server.running.health import Health, Trouble
from punto.server.running.metrics import METRICS
from punto.server.running.proxies import NO_PROXIES, Proxies
from punto.server.running.rate_limit import TokenBuckets
from punto.server.running.server_log import log
from punto.server.tables.floor import Floor
from punto.server.tables.served_table import ServedTable
from punto.server.tables.stream_follower import Clock, StreamClosed
from punto.store.events.shoe_events import SHOES
from punto.store.records import HouseBehind
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Actor

MOST_BYTES = 65_536
"""The longest body of a request."""

Replied = Callable[[DoneMessage | RefusedMessage], None]
"""Callback that receives the message a client is answered with."""


class _Reply(Struct):
    """The way back of a command: turns its outcome into the message for the client, and counts it."""

    replied: Replied
    person: Person
    served: ServedTable
    message: ClientMessage
    since: float

    def send(self, outcome: DoneMessage | Refusal | Exception) -> None:
        name = type(self.message).__name__
        if isinstance(outcome, DoneMessage):
            METRICS.count_done(name, "repeated" if outcome.repeated else "done", perf_counter() - self.since)
            self.replied(outcome)
            return
        table, person = self.served.name, self.person
        if isinstance(outcome, Exception):
            log.error("not carried out", table=table, command=name, error=type(outcome).__name__)
            outcome = refuse(outcome.by.value if isinstance(outcome, HouseBehind) else "not-known")
        if outcome.code == "not-enough-float" and person.duty is Duty.PATRON:
            outcome = refuse("too-many-chips")  # what the float holds is for staff
        log.info("refused", table=table, command=name, person=person.id, code=outcome.code)
        METRICS.count_refused(name)
        self.replied(refused(outcome, self.served.book, self.message.id))


async def _reads_none(_: Person, __: str) -> bool:
    return False


@dataclass(slots=True)
class Gateway:
    """Everything a request may need."""

    floor: Floor
    people: People
    clock: Clock
    origins: frozenset[str] = frozenset()
    """Other origins whose pages may act for a signed-in person, such as a proxy's own name."""
    secure: bool = False
    """Whether the pages are served over HTTPS, so that the cookie is never sent otherwise."""
    games: Mapping[str, Game] = field(default_factory=dict)
    """By digest the games that tables may have been opened with, for audits."""
    proxies: Proxies = NO_PROXIES
    """Proxies whose word about a client's address and scheme counts."""
    log_folder: Path | None = None
    """Where the house's log is published, for patrons' receipts; None if it keeps none."""
    practice: bool = False
    """Whether the house was made for practice and is served as such, so that anyone may take a seat."""
    requests: TokenBuckets = field(default_factory=lambda: TokenBuckets(400, 200))
    messages: TokenBuckets = field(default_factory=lambda: TokenBuckets(2_000, 500))
    """Of all sockets of a person, or of an address where nobody is signed in."""
    sign_ins: TokenBuckets = field(default_factory=lambda: TokenBuckets(20, 0.5))
    practice_seats: TokenBuckets = field(default_factory=lambda: TokenBuckets(10, 0.05))
    statements: TokenBuckets = field(default_factory=lambda: TokenBuckets(10, 0.2))
    """Statements that patrons ask for: each reads the cage's log."""
    reads_log: Callable[[Person, str], Awaitable[bool]] = _reads_none
    """Tells whether a person may read the log of a table; the application sets it."""
    sockets: set[SessionBound] = field(default_factory=set)
    """Connections that are open."""
    tasks: set[asyncio.Future[None]] = field(default_factory=set)
    """Commands that wait until people named in them are looked up."""
    devices: Devices = field(init=False)
    limits: SignInLimits = field(default_factory=SignInLimits)
    second_factors: SecondFactors = field(init=False)
    requests_about: PersonRequests = field(init=False)
    """What waits for a second person to confirm it."""
    refused_sign_ins: RefusedSignIns = field(init=False)
    watch: SessionWatch = field(init=False)
    health: Health = field(init=False)
    auditing: AuditJobs = field(init=False)
    history: PlayBook = field(init=False)

    def __post_init__(self) -> None:
        self.devices = Devices(self.floor, self.people, self.clock)
        self.health = Health(self.floor.store)
        self.health.add(lambda: Trouble.STOPPING if self.floor.stopping else None)
        self.health.add(lambda: Trouble(self.floor.store.closed_by.value) if self.floor.store.closed else None)
        self.health.add(lambda: Trouble.OPENING if self.floor.opener.opening else None, only_readiness=True)
        self.auditing = AuditJobs(self.floor.store, self.games, self.clock)
        self.history = PlayBook(self.floor.store, self.floor.settings_at)
        store, keys = self.floor.store, self.floor.house.keys
        self.second_factors = SecondFactors(store, keys, self.clock, self.people, self.limits)
        self.requests_about = PersonRequests(store, self.clock, self.people)
        self.refused_sign_ins = RefusedSignIns(store, self.clock)
        self.watch = SessionWatch(store, self.people, self.clock, lambda: self.sockets)
        self.people.requires_factor = self._requires_factor
        self.people.idle.minutes = self._idle_minutes

    def _requires_factor(self, duty: Duty) -> bool:
        return self.floor.settings.second_factor_required and duty in FACTOR_REQUIRED_OF

    def _idle_minutes(self) -> int:
        """Return after how many minutes sessions of staff are locked; in a house for practice nothing is at stake."""
        return 0 if self.practice else self.floor.settings.staff_idle_minutes

    # --- what is asked ---------------------------------------------------------------------------------------------

    def table(self, name: str | None) -> ServedTable:
        served = self.floor.tables.get(name or "")
        if served is None:
            raise self._not_served(name) if name else Refused("bad-message", case="no-table")
        return served

    async def refreshed(self, name: str | None) -> ServedTable:
        """Return a table with everything that other processes are known to have stored."""
        served = self.table(name)
        if served.is_behind:
            await self.floor.others.refresh(served)
            served = self.table(name)  # it may be closed by what it was to take in
        return served

    def _not_served(self, name: str) -> Refused:
        """Return why there is no such table: it is closed, not open yet, or unknown."""
        for stream in (name, f"{name}{SHOES}"):
            if stream in self.floor.closed and name in self.floor.created:
                return StreamClosed(stream, self.floor.closed[stream], self.floor.reasons[stream])
        if name in self.floor.opener.opening:
            return Refused("table-opening", table=name)
        return Refused("unknown-table", table=name)

    def submit(self, replied: Replied, person: Person, served: ServedTable, message: ClientMessage) -> None:
        """Have a person's command carried out at a table; the reply is reported once it is refused, or stored."""
        reply = _Reply(replied, person, served, message, perf_counter())
        role = person.duty.role
        if role is None:
            reply.send(refuse("no-position", duty=person.duty.value))
        elif self.floor.stopping:
            reply.send(refuse("stopping"))
        elif self.floor.store.closed:
            reply.send(refuse(self.floor.store.closed_by.value))
        else:
            command = command_of(message, Actor(person.id, role), self.clock())
            if may_name(command):
                task = asyncio.ensure_future(self._submit_checked(reply, command))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)
            else:
                self.floor.submit(reply.send, served, command, key_of(message), id_=message.id)

    async def _submit_checked(self, reply: _Reply, command: Command) -> None:
        """Submit a command that may be about a person whom the house has to know.

        What another process has stored comes first, whether this one was told of it yet or not: there a person may
        have proposed what is confirmed here.
        """
        served, message = reply.served, reply.message
        try:
            if self.floor.store.shared:
                await self.floor.catch_up(served.actor)
            named = named_in(command, served.table)
            unknown = await check_named(self.people, named) if named else None
        except Exception as error:  # the database is away, say: the sender waits for an answer all the same
            reply.send(error)
            return
        if self.floor.stopping:
            reply.send(refuse("stopping"))
        elif unknown and not isinstance(decide(served.table, command), Refusal):
            reply.send(unknown)
        else:
            self.floor.submit(reply.send, served, command, key_of(message), id_=message.id)
