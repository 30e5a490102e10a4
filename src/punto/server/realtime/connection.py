"""WebSocket connections: a client sends commands and follows tables on one connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Protocol

from starlette.websockets import WebSocket

from punto.server.access.identity import Duty, Session, token_digest
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.realtime.feed import MOST_MISSED, Subscription
from punto.server.realtime.frame_protocol import EXTENSION, TOO_MUCH, frame
from punto.server.realtime.messages import (
    NOT_COMMANDS,
    BadMessage,
    ClientMessage,
    Message,
    PongMessage,
    ShowSqueeze,
    SqueezedMessage,
    Subscribe,
    Unsubscribe,
    encode,
    read_message,
    refused,
)
from punto.server.refused import Refused
from punto.server.routing.sessions import (
    is_from_here,
    sender_of,
    session_by,
    session_or_lock,
    token_of,
    unfinished_of,
)
from punto.server.running.metrics import METRICS
from punto.server.running.rate_limit import TokenBucket
from punto.server.running.server_log import log
from punto.server.tables.served_table import ServedTable
from punto.store.records import EventRecord, StoreError
from punto.table.refusal import refuse
from punto.table.visibility import Audience

MOST_UNREAD = 262_144
"""Bytes: a client with more than that unread is sent nothing more until it has read on."""
MOST_UNANSWERED = 4 * MOST_UNREAD
"""Bytes: a client that asks on with more than that unread is disconnected."""
MOST_ON_THE_WAY = 64
"""Commands of one client that wait for their answers."""
SLOWED_FOR = 0.1
"""Seconds a client that sends too much is not read."""
MOST_TOO_MANY = 100
"""Messages beyond the rate limit, after which a connection is closed."""
LONGEST_BEHIND = 30.0
"""Seconds: a client that does not read for so long is disconnected."""
MOST_TABLES = 200
SESSION_OVER, TOO_SLOW, SESSION_LOCKED = 4401, 4408, 4423
TRY_LATER = 1013


_NOT_COMMANDS = frozenset(NOT_COMMANDS)
LITTLE_UNREAD = 4_096
"""Bytes: a client with more than that unread is not shown how cards are squeezed."""


class FrameChannel(Protocol):
    """Carries frames to one client, and its messages from it."""

    def hear_with(self, hear: Callable[[bytes], None]) -> None: ...
    def write_frames(self, frames: bytes) -> None: ...
    def unread(self) -> int: ...
    def pause(self, paused: bool) -> None: ...
    def close_with(self, code: int, at_once: bool = False) -> None: ...


class Connection:
    """The server's side of one client's connection."""

    def __init__(
        self,
        gateway: Gateway,
        channel: FrameChannel,
        session: Session | None,
        token: str | None,
        shared: TokenBucket | None = None,
        without: str = "not-signed-in",
    ) -> None:
        """``without`` is the code by which commands are refused where nobody is signed in."""
        self._gateway, self._channel, self._token = gateway, channel, token
        self.session = token_digest(token) if token else None
        self.is_device = session is not None and session.person.duty is Duty.DEVICE
        self._person = session.person if session else None
        self.active_at = session.active_at if session and session.locks else None
        self._without = without
        self._subscriptions: dict[str, Subscription] = {}
        self._behind_since = 0.0
        self._bucket = TokenBucket(burst=200, refill=100)
        self._shared = shared or self._bucket
        """The bucket of all connections of this person, or of this address."""
        self._on_the_way = 0
        self._too_many = 0
        self._catching_up: set[asyncio.Task[None]] = set()

    # --- sending ---------------------------------------------------------------------------------------------------

    def tell(self, data: bytes) -> bool:
        """Send frames, unless the client has too much unread; return whether they were sent."""
        if self._channel.unread() > MOST_UNREAD:
            self._note_behind()
            return False
        self._behind_since = 0.0
        self._channel.write_frames(data)
        return True

    def glimpse(self, data: bytes) -> None:
        """Send frames that are soon out of date, unless the client has something unread: they never wait."""
        if self._channel.unread() <= LITTLE_UNREAD:
            self._channel.write_frames(data)

    def _note_behind(self) -> None:
        if not self._behind_since:
            self._behind_since = monotonic()
            METRICS.behind += 1
        elif monotonic() - self._behind_since > LONGEST_BEHIND:
            self._channel.close_with(TOO_SLOW, at_once=True)

    def _answer(self, message: Message) -> None:
        """Send an answer; a client that goes on asking and reads no answers is disconnected."""
        if self._channel.unread() > MOST_UNANSWERED:
            self._channel.close_with(TOO_SLOW, at_once=True)
            return
        self._channel.write_frames(frame(encode(message)))

    # --- receiving -------------------------------------------------------------------------------------------------

    def hear(self, text: bytes) -> None:
        """Handle one message; it is answered now or later."""
        now = monotonic()
        if not (self._bucket.take(now) and (self._shared is self._bucket or self._shared.take(now))):
            self._slow_down()
            return
        try:
            message = read_message(text)
        except BadMessage as error:
            self._answer(refused(refuse("bad-message", detail=str(error))))
            return
        try:
            if type(message) in _NOT_COMMANDS:
                self._do(message)
            elif self._person is None:
                raise Refused(self._without)
            else:
                if self.active_at is not None:
                    self._note_input(self.active_at)
                served = self._gateway.table(message.table)
                self._count_submitted()
                self._gateway.submit(self._reply, self._person, served, message)
        except Refused as error:
            self._answer(refused(error.refusal, id_=message.id))

    def _note_input(self, active_at: int) -> None:
        """Note that a member of staff gives something; refuse it if the session is locked."""
        idle, token = self._gateway.people.idle, self.session or ""
        if idle.is_locked(token, active_at):
            raise Refused("session-locked")
        idle.note(token)

    def _slow_down(self) -> None:
        """Pause a client that sends too much, and close its connection if that does not help."""
        self._too_many += 1
        if self._too_many > MOST_TOO_MANY:
            self._channel.close_with(TOO_MUCH)
            return
        self._answer(refused(refuse("too-many")))
        self._channel.pause(True)
        asyncio.get_running_loop().call_later(SLOWED_FOR, self._channel.pause, False)

    def _count_submitted(self) -> None:
        """Pause reading while too many commands of the client wait for their answers."""
        self._on_the_way += 1
        if self._on_the_way == MOST_ON_THE_WAY:
            self._channel.pause(True)

    def _reply(self, message: Message) -> None:
        if self._on_the_way == MOST_ON_THE_WAY:
            self._channel.pause(False)
        self._on_the_way -= 1
        self._answer(message)

    def _do(self, message: ClientMessage) -> None:
        if isinstance(message, Subscribe):
            self._subscribe(self._gateway.table(message.table), message)
        elif isinstance(message, Unsubscribe):
            self._unsubscribe(self._gateway.table(message.table).name)
        elif isinstance(message, ShowSqueeze):
            self._show_squeeze(self._gateway.table(message.table), message)
        else:
            self._answer(PongMessage(message.id, self._gateway.clock()))

    def _show_squeeze(self, served: ServedTable, message: ShowSqueeze) -> None:
        """Pass on how a card lies; one that was just turned, or is another's, is nothing to answer."""
        patron = self._person.id if self._person else None
        if patron and served.table.round.has_face_down(message.hand, message.place, patron):
            shown = SqueezedMessage(served.name, message.hand, message.place, message.held, message.to)
            served.feed.show_glimpse(shown, self, monotonic())

    def _subscribe(self, served: ServedTable, message: Subscribe) -> None:
        if len(self._subscriptions) >= MOST_TABLES:
            raise Refused("too-many")
        name, person = served.name, self._person
        self._unsubscribe(name)
        sees_all = person is not None and Permission.SEE_EVERYTHING.is_given_to(person.duty)
        audience = Audience.STAFF if sees_all else Audience.PUBLIC
        patron = person.id if person and person.duty is Duty.PATRON else None
        subscription = self._subscriptions[name] = Subscription(self, served.feed, audience, patron)
        if not served.is_behind and (message.after is None or message.after < 0):
            served.feed.subscribe(subscription, None)
            return
        task = asyncio.create_task(self._tell_missed(served, subscription, message))
        self._catching_up.add(task)
        task.add_done_callback(self._catching_up.discard)

    async def _tell_missed(self, served: ServedTable, subscription: Subscription, message: Subscribe) -> None:
        """Tell what the client missed; the whole table if that is too much, not for them, or cannot be read now.

        First the table takes in what other processes have stored while nobody watched it here.
        """
        try:
            await self._gateway.refreshed(served.name)
            missed = await self._missed(served, message.after) if await self._may_read(served, subscription) else None
        except Refused as closed:
            self._unsubscribe(served.name)
            self._answer(refused(closed.refusal, id_=message.id))
            return
        except Exception as error:  # the database is away, say: the client is shown the table as it is
            log.error("missed events not read", table=served.name, error=type(error).__name__)
            missed = None
        if self._subscriptions.get(served.name) is subscription:  # it may have unsubscribed meanwhile
            served.feed.subscribe(subscription, missed)
            self._gateway.floor.others.take_in(served)  # from now on it is followed

    async def _may_read(self, served: ServedTable, subscription: Subscription) -> bool:
        """Tell whether the log may be told; what the public sees of it is for everyone."""
        if self._person is None or subscription.audience is Audience.PUBLIC:
            return True
        return await self._gateway.reads_log(self._person, served.name)

    async def _missed(self, served: ServedTable, after: int | None) -> list[EventRecord] | None:
        """Return the events after a number, up to what the feed has sent; None if they are too many or not there."""
        if after is None or after < 0:
            return None
        missed: list[EventRecord] = []
        floor = self._gateway.floor
        served.feed.flush()
        while 0 <= served.feed.number - after <= MOST_MISSED and after + len(missed) < served.feed.number:
            page = await floor.store.read(served.name, after + len(missed), MOST_MISSED)
            if not page:
                return None
            missed += page
            await floor.words.look_up(floor.store, *(record.body for record in missed))
            served.feed.flush()
        known = 0 <= (more := served.feed.number - after) <= MOST_MISSED
        return missed[:more] if known else None

    def _unsubscribe(self, name: str) -> None:
        if subscription := self._subscriptions.pop(name, None):
            subscription.feed.unsubscribe(subscription)

    def leave(self) -> None:
        """End all subscriptions."""
        for task in self._catching_up:
            task.cancel()
        for name in list(self._subscriptions):
            self._unsubscribe(name)

    def end(self) -> None:
        """Close the connection, since its session has ended."""
        self._channel.close_with(SESSION_OVER)

    def lock(self) -> None:
        """Close the connection, since its session is locked; without it the client is shown what the public sees."""
        self._channel.close_with(SESSION_LOCKED)

    async def extend(self) -> bool:
        """Extend the session, which is in use; return whether it is still valid, if only to be unlocked."""
        if self._token is None:
            return False
        people = self._gateway.people
        return bool(await session_by(self._gateway, self._token) or await people.locked(self._token))


async def serve_socket(gateway: Gateway, websocket: WebSocket) -> None:
    """Serve one connection from its start to its end."""
    if not is_from_here(gateway, websocket):
        await websocket.close(4403)
        return
    token = token_of(websocket)
    try:
        session, locked = await session_or_lock(gateway, websocket)
        if locked or (session is None and await unfinished_of(gateway, websocket)):
            token = None  # until it is unlocked, or the second factor is shown, they watch as a guest does
    except StoreError:
        await websocket.accept()
        await websocket.close(TRY_LATER)
        return
    await websocket.accept()
    channel: FrameChannel = websocket.scope["extensions"][EXTENSION]
    shared = gateway.messages.of(session.person.id if session else sender_of(websocket))
    without = "session-locked" if locked else "not-signed-in"
    connection = Connection(gateway, channel, session, token if session else None, shared, without)
    if token and session is None:
        await websocket.close(SESSION_OVER)
        return
    gateway.sockets.add(connection)
    try:
        if session:
            await gateway.watch.check(connection)  # it may have ended before it was watched
        channel.hear_with(connection.hear)
        while (message := await websocket.receive())["type"] != "websocket.disconnect":
            text = message.get("text")  # one that came before the channel was taken over
            connection.hear(text.encode() if text is not None else message["bytes"])
    finally:
        gateway.sockets.discard(connection)
        connection.leave()
