"""Sockets: people at the tables send commands and are told what happens, on one connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Protocol

from starlette.websockets import WebSocket

from punto.server.gateway import Desk
from punto.server.identity import Duty, Session
from punto.server.metrics import FIGURES
from punto.server.permissions import Permission
from punto.server.rate_limit import Allowance
from punto.server.realtime.feed import MOST_MISSED, Subscription
from punto.server.realtime.frame_protocol import EXTENSION, frame
from punto.server.realtime.messages import (
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
from punto.server.refused import Refused
from punto.server.routing.sessions import is_from_here, session_of, token_of
from punto.server.server_log import log
from punto.server.tables.floor import ServedTable
from punto.store.records import Recorded, StoreError
from punto.table.refusal import refuse

MOST_UNREAD = 262_144
"""Bytes: somebody with more than that unread is told no more until he has read it."""
MOST_ON_THE_WAY = 64
"""Commands of one client that wait to be answered."""
SLOWED_FOR = 0.1
"""Seconds."""
MOST_TOO_MANY = 100
"""Messages beyond the allowance of a connection."""
LONGEST_BEHIND = 30.0
"""Seconds: somebody who does not read for so long is sent away."""
MOST_TABLES = 200
CHECKED_EACH = 10.0
"""Seconds: how often one looks whether a session has ended."""
SESSION_OVER, TOO_SLOW, TOO_MUCH = 4401, 4408, 4429


_WISHES = {Subscribe, Unsubscribe, Ping}


class Line(Protocol):
    """What carries messages to one client and from him."""

    def hear_with(self, hear: Callable[[bytes], None]) -> None: ...
    def write_frames(self, frames: bytes) -> None: ...
    def unread(self) -> int: ...
    def pause(self, paused: bool) -> None: ...
    def close_with(self, code: int, at_once: bool = False) -> None: ...


class Socket:
    """One connection."""

    def __init__(self, desk: Desk, line: Line, session: Session | None, token: str | None) -> None:
        self._desk, self._line, self._token = desk, line, token
        self._person = session.person if session else None
        self._subscriptions: dict[str, Subscription] = {}
        self._behind_since = 0.0
        self._allowance = Allowance(at_once=200, a_second=100)
        self._on_the_way = 0
        self._too_many = 0
        self._wishes: set[asyncio.Task[None]] = set()

    # --- what is sent ----------------------------------------------------------------------------------------------

    def tell(self, data: bytes) -> bool:
        """Send frames, unless so much is unread that it has to wait."""
        if self._line.unread() > MOST_UNREAD:
            self._note_behind()
            return False
        self._behind_since = 0.0
        self._line.write_frames(data)
        return True

    def _note_behind(self) -> None:
        if not self._behind_since:
            self._behind_since = monotonic()
            FIGURES.behind += 1
        elif monotonic() - self._behind_since > LONGEST_BEHIND:
            self._line.close_with(TOO_SLOW, at_once=True)

    def _answer(self, message: Message) -> None:
        self._line.write_frames(frame(encode(message)))

    # --- what comes ------------------------------------------------------------------------------------------------

    def hear(self, text: bytes) -> None:
        """Take in one message, and see to it that it is answered."""
        if not self._allowance.take(monotonic()):
            self._slow_down()
            return
        try:
            order = read_message(text)
        except BadMessage as error:
            self._answer(refused(refuse("bad-message", detail=str(error))))
            return
        try:
            if type(order) in _WISHES:
                self._do(order)
            elif self._person is None:
                raise Refused("not-signed-in")
            else:
                served = self._desk.table(order.table)
                self._begin_one()
                self._desk.post(self._person, served, order, self._give_answer)
        except Refused as error:
            self._answer(refused(error.refusal, id_=order.id))

    def _slow_down(self) -> None:
        """Whoever goes on all the same is not read for a moment, and is sent away if that is not enough."""
        self._too_many += 1
        if self._too_many > MOST_TOO_MANY:
            self._line.close_with(TOO_MUCH)
            return
        self._answer(refused(refuse("too-many")))
        self._line.pause(True)
        asyncio.get_running_loop().call_later(SLOWED_FOR, self._line.pause, False)

    def _begin_one(self) -> None:
        """So many commands of one client may be on the way; with more he waits to be read."""
        self._on_the_way += 1
        if self._on_the_way == MOST_ON_THE_WAY:
            self._line.pause(True)

    def _give_answer(self, message: Message) -> None:
        if self._on_the_way == MOST_ON_THE_WAY:
            self._line.pause(False)
        self._on_the_way -= 1
        self._answer(message)

    def _do(self, wish: Order) -> None:
        if isinstance(wish, Subscribe):
            self._subscribe(self._desk.table(wish.table), wish)
        elif isinstance(wish, Unsubscribe):
            self._unsubscribe(self._desk.table(wish.table).name)
        else:
            self._answer(PongMessage(wish.id, self._desk.clock()))

    def _subscribe(self, served: ServedTable, wish: Subscribe) -> None:
        if len(self._subscriptions) >= MOST_TABLES:
            raise Refused("too-many")
        name, person, after = served.name, self._person, wish.after
        self._unsubscribe(name)
        is_staff = person is not None and Permission.SEE_EVERYTHING.is_given_to(person.duty)
        patron = person.id if person and person.duty is Duty.PATRON else None
        subscription = self._subscriptions[name] = Subscription(self, served.feed, is_staff, patron)
        if after is None or after < 0:
            served.feed.subscribe(subscription, None)
            return
        task = asyncio.create_task(self._tell_missed(served, subscription, after))
        self._wishes.add(task)
        task.add_done_callback(self._wishes.discard)

    async def _tell_missed(self, served: ServedTable, subscription: Subscription, after: int) -> None:
        """Read what was missed, and what happens meanwhile, until that is all; or nothing of it, if it is too much."""
        missed: list[Recorded] = []
        served.feed.flush()
        while 0 <= served.feed.number - after <= MOST_MISSED and after + len(missed) < served.feed.number:
            missed += await self._desk.floor.store.read(served.name, after + len(missed), MOST_MISSED)
            served.feed.flush()
        if self._subscriptions.get(served.name) is subscription:  # he may have changed his mind
            known = 0 <= (more := served.feed.number - after) <= MOST_MISSED
            served.feed.subscribe(subscription, [(each, each.event) for each in missed[:more]] if known else None)

    def _unsubscribe(self, name: str) -> None:
        if subscription := self._subscriptions.pop(name, None):
            subscription.feed.unsubscribe(subscription)

    def leave(self) -> None:
        """Be told of nothing any more."""
        for task in self._wishes:
            task.cancel()
        for name in list(self._subscriptions):
            self._unsubscribe(name)

    def belongs_to(self, person: str) -> bool:
        """Whether it is his who is signed in on it."""
        return self._person is not None and self._person.id == person

    async def check(self) -> None:
        """See whether the session has ended meanwhile."""
        if self._token and await self._desk.people.session(self._token) is None:
            self._line.close_with(SESSION_OVER)


async def serve_socket(desk: Desk, websocket: WebSocket) -> None:
    """One connection from its beginning to its end."""
    if not is_from_here(desk, websocket):
        await websocket.close(4403)
        return
    token = token_of(websocket)
    session = await session_of(desk, websocket)
    await websocket.accept()
    line: Line = websocket.scope["extensions"][EXTENSION]
    socket = Socket(desk, line, session, token if session else None)
    if token and session is None:
        await websocket.close(SESSION_OVER)
        return
    watch = asyncio.create_task(_watch(socket))
    desk.sockets.add(socket)
    try:
        line.hear_with(socket.hear)
        while (message := await websocket.receive())["type"] != "websocket.disconnect":
            text = message.get("text")  # one that came before the line was taken over
            socket.hear(text.encode() if text is not None else message["bytes"])
    finally:
        desk.sockets.discard(socket)
        watch.cancel()
        socket.leave()


async def _watch(socket: Socket) -> None:
    """Close the connection when its session ends, also if that happened at another process."""
    while True:
        await asyncio.sleep(CHECKED_EACH)
        try:
            await socket.check()
        except StoreError:
            log.error("session not checked")  # next time
