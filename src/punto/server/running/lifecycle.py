"""A server from start to stop: the database, the key, the first people, the tables, and the listening socket."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, cast
from urllib.parse import quote, urlsplit

import uvicorn

from punto.audit.table_recomputed import games_by_digest
from punto.rules.game_library import APPROVED, load
from punto.rules.rulebook import Rulebook
from punto.rules.toml_section import GameFileError
from punto.server.access.identity import HOUR, Duty, People
from punto.server.gateway import MOST_BYTES, Gateway
from punto.server.http.app import create_app
from punto.server.realtime.bounded_http import BoundedHttp
from punto.server.realtime.frame_protocol import FrameProtocol
from punto.server.running.background import BackgroundJobs
from punto.server.running.checkpoint_keeper import CheckpointKeeper
from punto.server.running.connections import USUAL_LIMITS, ClientLimits, ClientLines, raise_descriptor_limit
from punto.server.running.house_clock import HouseClock, watch_clock
from punto.server.running.house_watch import HouseWatch, check_no_mark
from punto.server.running.log_keeper import LogKeeper
from punto.server.running.practice_house import furnish
from punto.server.running.program_check import DAY, ProgramCheck
from punto.server.running.proxies import NO_PROXIES, Proxies
from punto.server.running.stopping import CLOSE_WITHIN, FINISH_WITHIN, REQUESTS_WITHIN, end_now, end_within, within
from punto.server.tables.auto_dealer import USUAL_PACE, AutoDealer, Pace
from punto.server.tables.floor import Floor
from punto.store.address import is_postgresql, open_store
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE, ClockSet
from punto.store.events.people_events import PeopleTakenOver, PersonKept, stored_digest
from punto.store.events.program_events import GameServed
from punto.store.house import SYSTEM, is_unmade, record
from punto.store.protocol import Store
from punto.store.records import Damaged, StoreError
from punto.store.trust.keys import ENVIRONMENT, Keys, load_keys, make_keys
from punto.store.trust.program_files import PACKAGE
from punto.table.default_settings import practice_setting as practice_setting

LINKS_LAST = 24 * HOUR
TAKEN_OVER_AT_ONCE = 500
"""People that one event takes over from an older database."""


def clock() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Options:
    """How a server is started."""

    database: str
    key_file: Path | None = None
    mark_file: Path | None = None
    log_folder: Path | None = None
    """Where the log is published; without it nothing is sealed."""
    host: str = "127.0.0.1"
    port: int = 8000
    practice: bool = False
    """Whether a new house starts with an automatic table of each game, and a patron with practice money."""
    origins: frozenset[str] = frozenset()
    proxies: Proxies = NO_PROXIES
    limits: ClientLimits = USUAL_LIMITS
    secure: bool = False
    pace: Pace = USUAL_PACE
    games: tuple[str, ...] = APPROVED
    program: Path = PACKAGE
    """The folder of the program, whose files are checked."""
    program_checked_each: float = DAY
    """Seconds between checks of the program's files."""

    @property
    def where_the_key_is(self) -> Path:
        if self.key_file is not None:
            return self.key_file
        return Path("punto.key") if is_postgresql(self.database) else Path(f"{self.database}.key")

    @property
    def where_the_mark_is(self) -> Path:
        """Beside the key and named after the database: another copy of the database has another mark."""
        if self.mark_file is not None:
            return self.mark_file
        if is_postgresql(self.database):
            name = urlsplit(self.database).path.strip("/") or "punto"
            return self.where_the_key_is.with_name(f"{quote(name, safe='')}.mark")
        file = Path(self.database).resolve()
        return (self.key_file or file).with_name(f"{file.name}.mark")


@dataclass(slots=True)
class Serving:
    """The parts of a server."""

    store: Store
    floor: Floor
    people: People
    gateway: Gateway
    links: list[tuple[Duty, str]]
    """For the first people to sign in; made with the house."""
    sealed: LogKeeper | None = None

    async def close(self) -> None:
        """Finish the commands that were accepted, seal them, then close the database."""
        await self.floor.stop()
        if self.sealed:
            await self.sealed.stop()
        await self.store.close()


async def _keys(store: Store, options: Options) -> Keys:
    """Return the key the house was made with; a new one for a house that is made now."""
    file, is_new = options.where_the_key_is, await is_unmade(store)
    if is_new:
        check_no_mark(options.where_the_mark_is)
    if is_new and ENVIRONMENT not in os.environ and not file.exists():
        return make_keys(file)
    return load_keys(file)


async def _clock(store: Store) -> HouseClock:
    """Return a clock that is not behind what the house has last recorded."""
    clock = HouseClock()
    for stream in (HOUSE, CAGE):
        with suppress(Damaged):  # what depends on the stream is closed when it is read
            number, _ = await store.head(stream)
            for last in await store.read(stream, number - 1, 1) if number else ():
                clock.not_before(last.at)
    return clock


def _games(options: Options) -> dict[str, Rulebook]:
    """Load the games that are served, by key; each key once."""
    games: dict[str, Rulebook] = {}
    for name in options.games:
        book = load(name)
        if book.key in games:
            raise GameFileError(f"{name}: there is another game with the key {book.key!r}")
        if options.practice:
            practice_setting(book)  # raises if it cannot be played at a table
        games[book.key] = book
    return games


async def open_serving(options: Options, busy: bool = False) -> Serving:
    """Open the house, or make it; ``busy`` if it will have much to do."""
    games = _games(options)  # before anything is written
    store = await open_store(options.database, busy=busy)
    try:
        keys, clock = await _keys(store, options), await _clock(store)
        floor, people = Floor(store, keys, clock, games), People(store, clock)
        floor.watch = HouseWatch(store, keys, clock, options.where_the_mark_is)
        floor.automatic, floor.pause = AutoDealer(floor, options.pace).drive, options.pace.look
        floor.time_to_cut = round(3_000 * options.pace.cut)
        own = [GameServed(book.key, book.digest) for book in games.values() if book.key not in APPROVED]
        program = ProgramCheck(store, keys, clock, own, options.program, options.program_checked_each)
        found = await program.begin()
        await floor.start(options.practice)
        if HOUSE not in floor.closed:
            if options.practice:
                check_pace(options.pace, floor.house.practice)  # it may have been made for money
            await program.record_start(found, floor.journal.program)
            await floor.follow_house()
        program.when_closed = floor.stand_still
        floor.spawn(program.keep_up())
        audited = games_by_digest(dict.fromkeys((*APPROVED, *options.games))) | floor.saved.files
        floor.saved.on_saved = lambda game: audited.update({game.book.digest: game})
        gateway = Gateway(floor, people, clock, options.origins, options.secure, audited, options.proxies)
        gateway.practice = options.practice and floor.house.practice
        keeper = CheckpointKeeper(store, keys, audited, BackgroundJobs(store))
        for kept in (gateway.history, keeper):
            floor.spawn(kept.keep_up(lambda: [each for each in floor.created if each not in floor.closed]))
        floor.spawn(watch_clock(clock, lambda by: floor.record(ClockSet(by, int(by / 1000)), SYSTEM)))
        floor.spawn(gateway.watch.watch())
        floor.spawn(gateway.refused_sign_ins.keep_up())
        await take_over_people(store, floor)
        serving = Serving(store, floor, people, gateway, [])
        if options.log_folder:
            gateway.log_folder = options.log_folder
            serving.sealed = LogKeeper(store, keys, options.log_folder, options.database if busy else None)
            floor.spawn(serving.sealed.keep_up())
        if floor.house.is_new:
            serving.links = await _first_people(people, options)
        if (
            gateway.practice and not store.closed and (floor.house.is_new or not store.shared)
        ):  # where it is shared, another may be at it
            await furnish(floor, people)
    except BaseException:
        await store.close()
        raise
    return serving


async def take_over_people(store: Store, floor: Floor) -> None:
    """Record the people of a database from before changes to them were recorded; in a new house there are none."""
    if floor.journal.people_recorded or HOUSE in floor.closed:
        return
    kept = [PersonKept(each.id, each.duty, each.active, stored_digest(each.password)) for each in await store.people()]
    some = [tuple(kept[at : at + TAKEN_OVER_AT_ONCE]) for at in range(0, len(kept), TAKEN_OVER_AT_ONCE)]
    await record(store, [PeopleTakenOver(each) for each in some or [()]], clock())


async def _first_people(people: People, options: Options) -> list[tuple[Duty, str]]:
    """Add one person for each duty and return a sign-in link for each; they choose their passwords later."""
    links: list[tuple[Duty, str]] = []
    for duty in Duty:
        if duty is Duty.DEVICE or (duty is Duty.PATRON and not options.practice):
            continue
        person = await people.add(duty.value, duty)
        links.append((duty, await people.make_link(person.id, LINKS_LAST)))
    return links


class Server(uvicorn.Server):
    """A uvicorn server that finishes the commands it has accepted before it stops, in bounded time."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[Server], None], floor: Floor) -> None:
        super().__init__(config)
        self._ready, self._floor = ready, floor
        self.abandoned = False
        """Whether something was left unfinished."""

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready(self)

    async def shutdown(self, sockets: Any = None) -> None:
        """Finish and answer what was accepted before any connection is closed."""
        if not await within(FINISH_WITHIN, self._floor.stop(), "commands"):
            self.abandoned = True
            self._floor.abandon()
        await asyncio.sleep(0.05)
        await super().shutdown(sockets)
        if self.server_state.tasks:
            self.abandoned = True
            await asyncio.sleep(0.05)  # they were cancelled: let them tell their clients

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop on the first signal, and end at once on the second."""
        if self.should_exit:
            end_now("told so twice")
        super().handle_exit(sig, frame)
        end_within()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal, and do not raise it again at the end as uvicorn does.

        The handlers stay: a second signal may come while the database is being closed.
        """
        loop = asyncio.get_running_loop()
        for each in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(each, self.handle_exit, each, None)
        yield

    @property
    def port(self) -> int:
        """The port it listens on."""
        port: int = self.servers[0].sockets[0].getsockname()[1]
        return port


def _place(options: Options) -> socket.socket:
    """Bind the listening socket: first, so that nothing is opened or made if the port is taken."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    return socket.create_server((options.host, options.port), family=family, backlog=2048)


def check_pace(pace: Pace, practice: bool) -> None:
    """Refuse a pace faster than the usual one where it is not for practice: a round for money takes five seconds."""
    if not practice and (pace.step < USUAL_PACE.step or pace.look < USUAL_PACE.look):
        raise StoreError("--pace: a round takes at least five seconds; more than 1 is for a house made with --practice")


async def serve(options: Options, ready: Callable[[Serving, Server], None]) -> None:
    """Serve until a signal says stop."""
    check_pace(options.pace, options.practice)
    place = _place(options)
    try:
        serving = await open_serving(options, busy=True)
    except BaseException:
        place.close()
        raise
    try:
        app = create_app(serving.gateway)
        lines = ClientLines(options.limits.within(raise_descriptor_limit()), options.proxies)
        serving.floor.spawn(lines.watch())
        config = uvicorn.Config(
            app,
            host=options.host,
            port=options.port,
            ws=FrameProtocol,
            ws_max_size=MOST_BYTES,
            ws_per_message_deflate=False,
            http=cast(Any, partial(BoundedHttp, lines)),
            proxy_headers=False,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=REQUESTS_WITHIN,
        )
        gc.freeze()  # what exists now stays for good: the collector need not look at it
        gc.set_threshold(100_000, 20, 50)
        server = Server(config, lambda server: ready(serving, server), serving.floor)
        await server.serve([place])
    finally:
        place.close()
        closed = await within(CLOSE_WITHIN, serving.close(), "database")
    if server.abandoned or not closed:
        end_now("something was left unfinished")


def run(options: Options, ready: Callable[[Serving, Server], None]) -> None:
    """Serve until a signal says stop, on uvloop where it is available."""
    if sys.platform == "win32":
        asyncio.run(serve(options, ready))
    else:
        import uvloop

        uvloop.run(serve(options, ready))
