"""What every request has in common: who asks, what he may do, and how he is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Annotated, Any, Protocol, TypeVar
from urllib.parse import urlsplit

import msgspec
from fastapi import Depends
from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from punto.audit.log_audit import Game
from punto.rules.rulebook import Rulebook
from punto.server.audit_jobs import Auditing
from punto.server.identity import IDLE, Duty, People, Person, Session
from punto.server.metrics import FIGURES
from punto.server.rate_limit import Allowances
from punto.server.realtime.messages import (
    BadMessage,
    DoneMessage,
    Order,
    RefusedMessage,
    command_of,
    done,
    key_of,
    refused,
)
from punto.server.server_log import log
from punto.server.tables.floor import Floor, ServedTable
from punto.server.tables.stream_follower import Clock
from punto.server.tables.table_actor import Done
from punto.store.codec import encoder
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Actor

COOKIE = "punto"
MOST_BYTES = 65_536
"""The longest body anybody may send."""

MANAGERS = frozenset({Duty.ASSISTANT_CASINO_MANAGER, Duty.GAMING_SHIFT_MANAGER})
STAFF = frozenset(duty for duty in Duty if duty.role is not None and duty is not Duty.PATRON)
PERMITTED: dict[str, frozenset[Duty]] = {
    "keep people": MANAGERS,
    "register patrons": MANAGERS | {Duty.CASHIER},
    "keep accounts": frozenset({Duty.CASHIER}),
    "see accounts": MANAGERS | {Duty.CASHIER, Duty.AUDITOR},
    "create tables": MANAGERS | {Duty.PIT_MANAGER},
    "bring shoes": STAFF,
    "cut shoes": frozenset({Duty.PATRON}),
    "tell cards": frozenset({Duty.DEVICE}),
    "see everything": STAFF | {Duty.AUDITOR},
    "read the log": STAFF | {Duty.AUDITOR},
    "see the pit": MANAGERS | {Duty.PIT_SUPERVISOR, Duty.PIT_MANAGER, Duty.AUDITOR},
    "report shifts": MANAGERS | {Duty.PIT_MANAGER, Duty.AUDITOR},
}
"""What the house, and not the rules of a game, gives to whom."""


def permitted(duty: Duty) -> tuple[str, ...]:
    """All that the house gives to somebody of this duty."""
    return tuple(what for what, duties in PERMITTED.items() if duty in duties)


STATUS = {
    "not-signed-in": 401,
    "not-permitted": 403,
    "no-position": 403,
    "wrong-origin": 403,
    "unknown-table": 404,
    "not-found": 404,
    "too-large": 413,
    "bad-message": 422,
    "too-many": 429,
    "stopping": 503,
    "not-known": 503,
}

_WHICH_TABLE = "it has to say which table"

T = TypeVar("T")
Tell = Callable[[DoneMessage | RefusedMessage], None]
"""Is told what somebody is answered."""


class Refused(Exception):
    """A request that is not carried out; the refusal says why."""

    def __init__(
        self, code: str | Refusal, book: Rulebook | None = None, *, case: str | None = None, **values: object
    ) -> None:
        self.refusal = code if isinstance(code, Refusal) else refuse(code, None, case=case, **values)
        super().__init__(self.refusal.code)
        self.book = book

    @property
    def status(self) -> int:
        return STATUS.get(self.refusal.code, 409)

    @property
    def message(self) -> RefusedMessage:
        return refused(self.refusal, self.book)


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

    # --- who asks --------------------------------------------------------------------------------------------------

    async def session(self, connection: HTTPConnection) -> Session | None:
        """The session of whoever asks, if he is signed in."""
        token = token_of(connection)
        return await self.people.session(token) if token else None

    async def signed_in(self, request: Request, what: str | None = None) -> Person:
        """Whoever asks; refused if nobody is signed in, or not somebody to whom the house gives this."""
        session = await self.session(request)
        if session is None:
            raise Refused("not-signed-in")
        if what is not None and session.person.duty not in PERMITTED[what]:
            log.warning("not permitted", what=what, person=session.person.id, duty=session.person.duty.value)
            raise Refused("not-permitted", duty=session.person.duty.value)
        return session.person

    def is_from_here(self, connection: HTTPConnection) -> bool:
        """Whether a browser says that it comes from one of this server's own pages; programs do not say."""
        origin = connection.headers.get("origin")
        if origin is None or origin in self.origins:
            return True
        try:
            return urlsplit(origin).netloc == connection.headers.get("host")
        except ValueError:
            return False  # it is no address at all

    # --- what is asked ---------------------------------------------------------------------------------------------

    def table(self, name: str | None) -> ServedTable:
        served = self.floor.tables.get(name or "")
        if served is None:
            raise Refused("unknown-table", table=name) if name else Refused("bad-message", why=_WHICH_TABLE)
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


def _desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


AtDesk = Annotated[Desk, Depends(_desk_of)]
"""For a route: the desk it is asked at."""


def token_of(connection: HTTPConnection) -> str | None:
    """The token of a sign-in: a program's header, or a browser's cookie."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token:
        return token.strip()
    return connection.cookies.get(COOKIE)


def set_cookie(desk: Desk, response: Response, token: str) -> Response:
    """Let a browser keep a sign-in, where no page's own code can read it."""
    age = IDLE // 1000
    response.set_cookie(COOKIE, token, age, httponly=True, samesite="strict", secure=desk.secure, path="/")
    return response


async def read(request: Request, kind: type[T]) -> T:
    """The body of a request, as what it has to be."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refused("bad-message", why=str(error)) from None


def reading(decode: Callable[[bytes], T], data: bytes) -> T:
    """The same for a message that has its own way to be read."""
    try:
        return decode(data)
    except BadMessage as error:
        raise Refused("bad-message", why=str(error)) from None


def answered(content: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(encoder.encode(content), status, media_type="application/json")
