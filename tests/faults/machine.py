"""The machine with the server: the project's own server, on a disk, a clock and wires that are made up."""

from __future__ import annotations

import asyncio
import logging
import random
import sys
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from contextvars import Context
from functools import cache, partial
from hashlib import sha256
from random import Random
from typing import Any, TypeVar, cast
from unittest.mock import patch

import apsw
import structlog
import uvicorn
from faults.disk import Disk, DiskPath, DiskSystem, SqliteDisk
from faults.virtual_loop import PROCESS, Process, VirtualLoop
from faults.wires import Line
from starlette.websockets import WebSocket
from uvicorn.server import ServerState

from punto.rules.rulebook import Rulebook
from punto.server.http.audit import reads_log
from punto.server.http.pit import OpeningDigests
from punto.server.realtime import frame_protocol
from punto.server.realtime.connection import serve_socket
from punto.server.realtime.frame_protocol import FrameProtocol
from punto.server.running import lifecycle
from punto.server.running.background import BackgroundJob, BackgroundJobs
from punto.server.running.house_clock import HouseClock
from punto.server.running.lifecycle import Options, Serving
from punto.server.tables import table_actor
from punto.server.tables.auto_dealer import Pace
from punto.store.records import StoreError
from punto.store.sqlite import sqlite_store, writer
from punto.store.sqlite.sqlite_store import SqliteReader, SqliteStore
from punto.store.trust import mark
from punto.store.trust.keys import Keys

DATABASE, MARK = "punto.db", "punto.db.mark"
BEGAN = 1_790_000_000_000
"""When a run begins, in milliseconds since 1970."""
GAMES = ("baccarat", "tiger")
PACE = Pace(step=0.1, look=0.4, cut=0.3, idle=0.5)
SNAPSHOT_EACH = 40
T = TypeVar("T")
KEYS = Keys(sha256(b"faults").digest())
LOUD = ("stream closed", "the house is closed", "not published", "not answered", "work on the floor failed")
"""What a server never logs, whatever its disk does."""
QUIET = ("snapshot dropped",)
"""What is no fault in itself."""


class Machine:
    """A machine on which one server runs at a time, until it is killed or the power fails."""

    def __init__(self, loop: VirtualLoop, dice: Random, disk: Disk, find: Callable[[str], None]) -> None:
        self.loop, self.dice, self.disk, self.find = loop, dice, disk, find
        self.process, self.serving = Process("none", alive=False), cast(Serving | None, None)
        self.came_up = asyncio.Event()
        self.lines: set[Line] = set()
        self.connections: list[apsw.Connection] = []
        self._disks: list[SqliteDisk] = []
        self.unsafe = False
        """Whether SQLite is told not to sync: a bug that has to be found."""
        self.starts = 0
        self.jumped = 0
        """Milliseconds that the clock of the machine is off."""

    def steady_ns(self) -> int:
        return round(self.loop.time() * 1_000_000_000)

    def time_ns(self) -> int:
        return (BEGAN + self.jumped) * 1_000_000 + self.steady_ns()

    # --- the server ------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start a server on what the disk holds; if it cannot start, it is started again a little later."""
        while True:
            self.starts += 1
            frame_protocol._OUTGOING.clear()  # what a process before it held outside its objects
            self.process = process = Process(f"server {self.starts}")
            self.disk.power_fails = lambda: self.die(power=True)
            opening = self.loop.create_task(self._open(process), context=process.context())
            opening.add_done_callback(lambda task: task.cancelled() or task.exception())  # of one that died: nobody's
            while process.alive and not opening.done():
                await asyncio.sleep(0.05)
            if opening.done() and process.alive:
                if (error := opening.exception()) is None:
                    self.serving = opening.result()
                    self.came_up.set()
                    return
                if not self.disk.touched or not isinstance(error, StoreError | OSError):
                    self.find(f"the server does not start: {type(error).__name__}: {error}")
                    raise error
                process.alive = False
                self.disk = self.disk.after_kill()
            await asyncio.sleep(1)

    async def _open(self, process: Process) -> Serving:
        place = cast(Any, DiskPath(self.disk, MARK))
        serving = await lifecycle.open_serving(Options(DATABASE, mark_file=place, pace=PACE, games=GAMES))
        gateway = serving.gateway
        gateway.reads_log = partial(reads_log, gateway, OpeningDigests(gateway.floor.store))  # as the application does
        self._config = _config(serving)
        self._context = process.context()
        return serving

    def die(self, power: bool) -> None:
        """Kill the server, or take the power from the machine, at this very moment."""
        if not self.process.alive:
            return
        self.process.alive, self.serving = False, None
        self.came_up.clear()
        self.disk = self.disk.after_power_cut() if power else self.disk.after_kill()
        for line in self.lines:
            line.server_died(power)
        self.lines.clear()

    async def stop(self) -> None:
        """Stop the server in order."""
        assert self.serving is not None
        task = self.loop.create_task(self.serving.close(), context=self._context)
        await task
        self.serving, self.process.alive = None, False

    def accept(self, client: Context, received: Callable[[bytes], None], lost: Callable[[], None]) -> Line:
        """Connect a client; raise ``ConnectionRefusedError`` if no server runs."""
        if self.serving is None:
            raise ConnectionRefusedError
        line = Line(self.loop, Random(self.dice.random()), (self._context, client), received, lost)
        self.lines.add(line)
        line.protocol = self._context.run(FrameProtocol, self._config, ServerState(), {}, self.loop)
        self._context.run(line.protocol.connection_made, cast(Any, line))
        return line

    # --- what stands in for the real thing -------------------------------------------------------------------------

    async def open_store(self, *_: Any, **__: Any) -> SqliteStore:
        return SqliteStore(cast(Any, DiskPath(self.disk, DATABASE)))

    def connect(self, file: Any, reading: bool = False) -> Any:
        """Open the database on the disk of now; reads use the writer's connection, as there is no shared memory."""
        if reading:
            return _Shared(self.connections[-1])
        self._disks.append(SqliteDisk(file.disk))
        try:
            connection = apsw.Connection(file.name, vfs=self._disks[-1].name)
            self.connections.append(connection)
            connection.execute("pragma locking_mode = exclusive")
            connection.execute("pragma journal_mode = wal")
            connection.execute(f"pragma synchronous = {'off' if self.unsafe else 'full'}")
            connection.execute("pragma secure_delete = on")
            connection.wal_autocheckpoint(self.dice.choice((10, 50, 400)))
        except apsw.Error as error:
            raise StoreError(f"cannot be opened: {error}") from None
        return connection

    def rot(self) -> None:
        """Change a bit of a snapshot, as a bad disk would, or a person who should not."""
        connection = self.connect(DiskPath(self.disk, DATABASE))
        for stream, body in list(connection.execute("select stream, body from snapshot order by stream")):
            at = self.dice.randrange(len(body))
            rotten = body[:at] + bytes((body[at] ^ 1 << self.dice.randrange(8),)) + body[at + 1 :]
            connection.execute("update snapshot set body = ? where stream = ?", (rotten, stream))
        connection.close()

    async def reader(self) -> SqliteReader:
        """Open what the disk holds, to read it."""
        return SqliteReader(self.connect(DiskPath(self.disk, DATABASE)))

    def close(self) -> None:
        """Let go of everything, also of what dead servers have left."""
        self.find = lambda _: None
        self.process.alive = False
        self.loop.bury()
        for connection in self.connections:
            with suppress(apsw.Error):
                connection.close(True)
        for disk in self._disks:
            disk.unregister()

    def note_log(self, _: Any, level: str, event: MutableMapping[str, Any]) -> Any:
        """Make a finding of what a healthy server would not log."""
        of = PROCESS.get()
        if level in ("error", "critical", "exception") and (of is None or of.alive):
            about = {name: value for name, value in event.items() if name != "exc_info"}
            if event["event"] in LOUD or not (self.disk.touched or event["event"] in QUIET):
                self.find(f"logged: {about} {event.get('exc_info') or sys.exc_info()[1] or ''!r}")
        raise structlog.DropEvent


class _Shared:
    """The writer's connection, for reads: closing it is the writer's business."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self.execute = connection.execute

    def close(self) -> None:
        pass

    def __enter__(self) -> None:
        self._connection.__enter__()

    def __exit__(self, *about: Any) -> None:
        self._connection.__exit__(*about)


def _config(serving: Serving) -> uvicorn.Config:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await serve_socket(serving.gateway, WebSocket(scope, receive, send))

    config = uvicorn.Config(
        app, interface="asgi3", ws_per_message_deflate=False, log_config=None, lifespan="off", proxy_headers=False
    )
    config.loaded, config.loaded_app = True, app
    return config


@cache
def _games() -> dict[str, Rulebook]:
    return lifecycle._games(Options(DATABASE, games=GAMES))


async def _keys(*_: Any) -> Keys:
    return KEYS


async def _run_job(jobs: BackgroundJobs, work: BackgroundJob[T]) -> T:
    """Run a background job in the loop: when a thread has its turn follows from no seed."""
    return await work(jobs._store)


@contextmanager
def standing_in(machine: Machine, chance: Random) -> Iterator[None]:
    """Let the server use this machine: its disk and clock, and random numbers from a seed."""
    system, games = DiskSystem(), _games()
    stand_ins: list[tuple[Any, str, Any]] = [
        (lifecycle, "open_store", machine.open_store),
        (lifecycle, "_keys", _keys),
        (lifecycle, "_games", lambda _: games),
        (lifecycle, "clock", lambda: machine.time_ns() // 1_000_000),
        (lifecycle, "HouseClock", partial(HouseClock, machine.time_ns, machine.steady_ns)),
        (sqlite_store, "connected", machine.connect),
        (writer, "connected", machine.connect),
        (writer, "locked", lambda *_: nullcontext()),
        (writer, "locked_itself", lambda *_: nullcontext()),
        (writer, "make_private", lambda _: None),
        (writer, "keep_private", lambda _: None),
        (mark, "os", system),
        (mark, "fcntl", system),
        (table_actor, "EVENTS_BETWEEN_SNAPSHOTS", SNAPSHOT_EACH),
        (BackgroundJobs, "run", _run_job),
        (random, "_urandom", chance.randbytes),
    ]
    for clock in ("monotonic", "process_time"):
        own = (module for name, module in list(sys.modules.items()) if name.startswith("punto."))
        stand_ins += [(module, clock, machine.loop.time) for module in own if hasattr(module, clock)]
    with ExitStack() as replaced:
        for where, name, what in stand_ins:
            replaced.enter_context(patch.object(where, name, what))
        before = structlog.get_config()
        structlog.configure(processors=[machine.note_log], cache_logger_on_first_use=False)
        replaced.callback(structlog.configure, **before)
        replaced.enter_context(patch.object(logging.getLogger("uvicorn.error"), "disabled", True))
        yield
