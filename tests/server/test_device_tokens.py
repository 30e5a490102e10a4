"""Tokens of devices: they age, are replaced by showing them, and one that is used after that shuts the device out."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path

import pytest
from support.stores import Open

from punto import load
from punto.server.access.devices import FAULTS_BEFORE_SILENCE, OVERLAP, SILENCE, TOKEN_LASTS, Devices
from punto.server.access.identity import BadPerson, Duty, People
from punto.server.refused import Refused
from punto.server.tables.floor import Floor
from punto.store.events.house_events import (
    HOUSE,
    DeviceBound,
    DeviceFault,
    DeviceRefused,
    DeviceRevoked,
    DeviceTokenMade,
    DeviceWork,
)
from punto.store.protocol import Store
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.sqlite.writer import MIGRATIONS
from punto.store.trust.keys import Keys
from punto.table.event import Event

pytestmark = pytest.mark.anyio
BOOK = load("baccarat")
JO = ("jo", "Gaming Shift Manager")
READER = DeviceWork.CARD_READER


class Desk:
    """A house with two tables, and clocks that are moved by hand."""

    def __init__(self, store: Store) -> None:
        self.store, self.now, self.passed = store, 1_700_000_000_000, 0.0
        self.floor = Floor(store, Keys(bytes(32)), lambda: self.now, {BOOK.key: BOOK})
        self.people = People(store, lambda: self.now)
        self.devices = Devices(self.floor, self.people, lambda: self.now, lambda: self.passed)

    async def events(self) -> list[tuple[str, Event]]:
        """What the house says of devices, and by whom."""
        kinds = (DeviceBound, DeviceTokenMade, DeviceRevoked, DeviceRefused)
        return [(each.by, each.event) for each in await self.store.read(HOUSE) if isinstance(each.event, kinds)]


@asynccontextmanager
async def desk_of(store: Store) -> AsyncIterator[Desk]:
    desk = Desk(store)
    await desk.floor.start()
    for table in ("t1", "t2"):
        if table not in desk.floor.created:
            await desk.floor.create_table(table, BOOK, (), JO)
    yield desk
    await desk.floor.stop()


@pytest.fixture
async def desk(opened: Open) -> AsyncIterator[Desk]:
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(opened())
        yield await stack.enter_async_context(desk_of(store))


async def refused(asked: Awaitable[object]) -> str | None:
    with pytest.raises(Refused) as error:
        await asked
    return error.value.refusal.case or error.value.refusal.code


async def test_a_token_ages(desk: Desk) -> None:
    device, made = await desk.devices.make("reader", "t1", READER, JO)
    assert made.expires_at == desk.now + TOKEN_LASTS
    desk.now += TOKEN_LASTS - 1
    session = await desk.devices.session(made.token)
    assert session
    assert (session.person.id, session.expires_at) == (device.id, made.expires_at)
    desk.now += 1
    assert await desk.devices.session(made.token) is None
    assert not [event for _, event in await desk.events() if isinstance(event, DeviceRefused | DeviceRevoked)]


async def test_a_replaced_token_holds_for_a_moment_and_then_shuts_the_device_out(desk: Desk) -> None:
    device, first = await desk.devices.make("reader", "t1", READER, JO)
    second = await desk.devices.rotate(device)
    desk.now += OVERLAP - 1
    assert await desk.devices.session(first.token)
    assert await desk.devices.session(second.token)
    desk.now += 1
    told = await asyncio.gather(*(desk.devices.session(first.token) for _ in range(5)))
    assert told == [None] * 5
    assert await desk.devices.session(second.token) is None, "two parties have had it: nobody knows which is the device"
    assert (await desk.events())[-3:] == [
        (device.id, DeviceTokenMade(device.id, second.expires_at, rotated=True)),
        ("punto", DeviceRefused(device.id, DeviceFault.OLD_TOKEN, "t1")),
        ("punto", DeviceRevoked(device.id)),
    ]
    again = await desk.devices.new_token(device, JO)
    assert await desk.devices.session(again.token)
    assert await desk.devices.session(first.token) is None
    assert await desk.devices.session(again.token), "what was ended by a person is forgotten, and shuts nobody out"


async def test_a_stolen_token_that_is_replaced_is_noticed_when_the_device_replaces_its_own(desk: Desk) -> None:
    device, first = await desk.devices.make("reader", "t1", READER, JO)
    thief = await desk.devices.rotate(device)
    honest = await desk.devices.rotate(device)  # with the first one, within the overlap
    desk.now += OVERLAP
    assert await desk.devices.session(honest.token)
    assert await desk.devices.session(thief.token) is None
    assert await desk.devices.session(honest.token) is None
    assert first.token not in str(await desk.events())


async def test_of_many_tokens_from_people_one_is_valid(desk: Desk) -> None:
    device, _ = await desk.devices.make("reader", "t1", READER, JO)
    made = await asyncio.gather(*(desk.devices.new_token(device, JO) for _ in range(10)))
    valid = await desk.store.ask("select count(*) from device_token where expires_at > $1", desk.now)
    assert valid == [(1,)]
    newest = await desk.devices.lifetimes()
    assert newest == {device.id: (desk.now, made[0].expires_at)}


async def test_a_device_that_is_not_active_has_no_token(desk: Desk) -> None:
    device, made = await desk.devices.make("reader", "t1", READER, JO)
    await desk.people.set_active(device.id, False, JO)
    assert await desk.devices.session(made.token) is None
    with pytest.raises(BadPerson):
        await desk.devices.new_token(device, JO)
    await desk.people.set_active(device.id, True, JO)
    assert await desk.devices.session(made.token) is None
    dealer = await desk.people.add("Ann", Duty.DEALER, JO)
    with pytest.raises(BadPerson):
        await desk.devices.new_token(dealer, JO)


async def test_a_silenced_device_is_heard_again_after_a_while(desk: Desk) -> None:
    device, _ = await desk.devices.make("reader", "t1", READER, JO)
    ask: Callable[[str], Awaitable[None]] = lambda table: desk.devices.check_place(device, table, READER)  # noqa: E731
    for _ in range(FAULTS_BEFORE_SILENCE):
        assert await refused(ask("t2")) == "device-elsewhere"
    assert await refused(ask("t2")) == await refused(ask("t1")) == "too-many"
    desk.now += 10 * TOKEN_LASTS  # a clock that jumps moves no limit
    assert await refused(ask("t1")) == "too-many"
    desk.passed += SILENCE
    await ask("t1")
    faults = [event for _, event in await desk.events() if isinstance(event, DeviceRefused)]
    assert len(faults) == FAULTS_BEFORE_SILENCE


async def test_tokens_are_not_stored_in_the_clear(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "punto.db")
    async with desk_of(store) as desk:
        device, first = await desk.devices.make("reader", "t1", READER, JO)
        second = await desk.devices.rotate(device)
    await store.close()
    files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert device.id.encode() in files
    for made in (first, second):
        assert made.token.encode() not in files
        assert made.token not in repr(made)


async def test_a_device_of_an_older_database_is_bound_before_it_is_accepted(tmp_path: Path) -> None:
    """There its token stood among the sessions, did not end, and was accepted at every table."""
    device = "pangeleyeab"
    _make_old(tmp_path / "punto.db", device)
    store = SqliteStore(tmp_path / "punto.db")
    async with desk_of(store) as desk:
        session = await desk.devices.session("token of old")
        assert session
        for table in ("t1", "t2", "nowhere"):
            assert await refused(desk.devices.check_place(session.person, table, READER)) == "device-unbound"
        await desk.devices.bind(session.person, "t2", READER, JO)
        await desk.devices.check_place(session.person, "t2", READER)
        assert await refused(desk.devices.check_place(session.person, "t1", READER)) == "device-elsewhere"
        assert (await desk.events())[3] == (JO[0], DeviceBound(device, "t2", READER))
        renewed = await desk.devices.rotate(session.person)
        assert await desk.devices.session(renewed.token)
    await store.close()


def _make_old(file: Path, device: str) -> None:
    """Make a database as it was before devices had tokens of their own."""
    scripts = sorted(MIGRATIONS.glob("*.sql"))
    older = [each for each in scripts if each.name < next(MIGRATIONS.glob("*_devices.sql")).name]
    with closing(sqlite3.connect(file)) as database, database:
        for each in older:
            database.executescript(each.read_text("utf-8"))
        database.execute(f"pragma user_version = {len(older)}")
        person = (device, "Angel Eye 3", "angel eye 3", "Device", 0)
        database.execute("insert into person (id, name, compared, duty, made_at) values (?,?,?,?,?)", person)
        session = (hashlib.sha256(b"token of old").hexdigest(), device, 0, 1_700_000_000_000, 1_700_000_000_000)
        database.execute(
            "insert into session (token, person, generation, made_at, last_seen) values (?,?,?,?,?)", session
        )
