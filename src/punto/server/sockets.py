"""Sockets: people at the tables send commands and are told what happens, on one connection."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

from starlette.websockets import WebSocket

from punto.server import metrics
from punto.server.desk import PERMITTED, Desk, Refused, token_of
from punto.server.feed import MOST_MISSED, Subscription
from punto.server.frames import EXTENSION, Write, frame
from punto.server.limits import Allowance
from punto.server.people import Duty, Session
from punto.server.wire import (
    BadMessage,
    Message,
    Order,
    Ping,
    PongMessage,
    Subscribe,
    Unsubscribe,
    encode,
    read_message,
    refused,
)
from punto.table.refusals import refuse

MOST_WAITING = 262_144
"""Bytes: somebody with more than that unread is told no more until he has read it."""
LONGEST_BEHIND = 30.0
"""Seconds: somebody who does not read for so long is sent away."""
MOST_TABLES = 200
CHECKED_EACH = 20.0
"""Seconds: how often one looks whether a session has ended."""
SESSION_OVER, TOO_SLOW, TOO_MUCH = 4401, 4408, 4429


class Socket:
    """One connection."""

    def __init__(self, desk: Desk, write: Write, session: Session | None, token: str | None) -> None:
        self._desk, self._write, self._token = desk, write, token
        self._person = session.person if session else None
        self._subscriptions: dict[str, Subscription] = {}
        self._waiting, self._behind_since = 0, 0.0
        self._allowance = Allowance(at_once=200, a_second=100)
        self.closes: int | None = None
        """With which code the connection has to be closed."""

    # --- what is sent ----------------------------------------------------------------------------------------------

    def tell(self, data: bytes) -> bool:
        """Send frames, unless so much is unread that it has to wait."""
        if self._waiting > MOST_WAITING:
            self._waiting = self._write(b"")
            if self._waiting > MOST_WAITING:
                self._note_behind()
                return False
        self._behind_since = 0.0
        self._waiting = self._write(data)
        return self._waiting >= 0

    def _note_behind(self) -> None:
        if not self._behind_since:
            self._behind_since = monotonic()
            metrics.BEHIND.inc()
        elif monotonic() - self._behind_since > LONGEST_BEHIND:
            self.closes = TOO_SLOW

    def _answer(self, message: Message) -> None:
        self._waiting = self._write(frame(encode(message)))

    # --- what comes ------------------------------------------------------------------------------------------------

    async def hear(self, text: str | bytes) -> None:
        """Take in one message and answer it."""
        if not self._allowance.take(monotonic()):
            self._answer(refused(refuse("too-many")))
            await asyncio.sleep(0.1)  # whoever goes on all the same is read no faster than this
            return
        try:
            order = read_message(text)
        except BadMessage as error:
            self._answer(refused(refuse("bad-message", why=str(error))))
            return
        try:
            await self._do(order)
        except Refused as error:
            self._answer(refused(error.refusal, error.book, order.id))

    async def _do(self, order: Order) -> None:
        match order:
            case Subscribe(after=after):
                await self._subscribe(self._named(order), after)
            case Unsubscribe():
                self._unsubscribe(self._named(order))
            case Ping():
                self._answer(PongMessage(order.id, self._desk.clock()))
            case _:
                await self._give(order)

    def _named(self, order: Order) -> str:
        if order.table is None:
            raise Refused("bad-message", why="it has to say which table")
        return self._desk.table(order.table).name

    async def _give(self, order: Order) -> None:
        if self._person is None:
            raise Refused("not-signed-in")
        served = self._desk.table(self._named(order))
        self._answer(await self._desk.give(self._person, served, order))

    async def _subscribe(self, name: str, after: int | None) -> None:
        if len(self._subscriptions) >= MOST_TABLES:
            raise Refused("too-many")
        self._unsubscribe(name)
        served, person = self._desk.table(name), self._person
        is_staff = person is not None and person.duty in PERMITTED["see everything"]
        patron = person.id if person and person.duty is Duty.PATRON else None
        subscription = self._subscriptions[name] = Subscription(self, is_staff, patron)
        served.feed.flush()
        missed = None
        if after is not None and 0 <= served.feed.number - after <= MOST_MISSED:
            stored = await self._desk.floor.store.read(name, after, MOST_MISSED)
            served.feed.flush()
            more = served.feed.number - after
            missed = [(each, each.event) for each in stored[:more]] if len(stored) >= more else None
        served.feed.subscribe(subscription, missed)

    def _unsubscribe(self, name: str) -> None:
        if subscription := self._subscriptions.pop(name, None):
            self._desk.floor.tables[name].feed.unsubscribe(subscription)

    def leave(self) -> None:
        """Be told of nothing any more."""
        for name in list(self._subscriptions):
            self._unsubscribe(name)

    async def check(self) -> None:
        """See whether the session has ended meanwhile."""
        if self._token and await self._desk.people.session(self._token) is None:
            self.closes = SESSION_OVER


async def serve_socket(desk: Desk, websocket: WebSocket) -> None:
    """One connection from its beginning to its end."""
    if not desk.is_from_here(websocket):
        await websocket.close(4403)
        return
    token = token_of(websocket)
    session = await desk.session(websocket)
    await websocket.accept()
    write: Write = websocket.scope["extensions"][EXTENSION]
    socket = Socket(desk, write, session, token if session else None)
    if token and session is None:
        await websocket.close(SESSION_OVER)
        return
    watch = asyncio.create_task(_watch(socket, websocket))
    metrics.SOCKETS.inc()
    try:
        while True:
            message: dict[str, Any] = dict(await websocket.receive())
            if message["type"] == "websocket.disconnect":
                break
            await socket.hear(message.get("text") or message.get("bytes") or b"")
    finally:
        metrics.SOCKETS.dec()
        watch.cancel()
        socket.leave()


async def _watch(socket: Socket, websocket: WebSocket) -> None:
    """Close the connection when its session ends, or when nobody reads what it is told."""
    while socket.closes is None:
        await asyncio.sleep(CHECKED_EACH)
        await socket.check()
    await websocket.close(socket.closes)
