"""Sessions of staff lock when nothing is given in them for some minutes; a password or a code opens them again."""

from __future__ import annotations

from base64 import b32decode
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from msgspec.structs import replace
from support.fake_channel import FakeChannel

from punto import load
from punto.server.access.identity import Duty, People, Session
from punto.server.access.passwords import PasswordCheck
from punto.server.http.app import create_app
from punto.server.realtime.connection import SESSION_LOCKED, Connection
from punto.server.refused import Refused
from punto.server.running.lifecycle import Options, Serving, open_serving
from punto.store.events.house_events import HOUSE
from punto.store.house import SYSTEM

MINUTE = 60_000
PASSWORD = "seven red lanterns"


class House:
    """A house in this process whose clock a test moves."""

    def __init__(self, serving: Serving) -> None:
        self.serving, self.people, self.gateway = serving, serving.people, serving.gateway
        self.now = serving.gateway.clock()
        self.people._clock = self.people.idle._clock = self.gateway.clock = lambda: self.now
        self.gateway.second_factors._clock = self.gateway.watch._clock = self.gateway.clock
        self.app = create_app(serving.gateway)
        self.token = ""

    async def enter(self, duty: Duty, password: str = PASSWORD) -> httpx.AsyncClient:
        """The first person of a duty, signed in by a link, with a password."""
        person = await self.people.find_by_name(duty.value) or await self.people.add("Ann", duty)
        token = self.token = await self.people.use_link(await self.people.make_link(person.id, MINUTE))
        if password:
            await self.people.set_password(person.id, password, keep=token)
        transport = httpx.ASGITransport(self.app, client=("10.0.0.1", 1234))
        headers = {"authorization": f"Bearer {token}"}
        return httpx.AsyncClient(transport=transport, base_url="http://here", headers=headers)

    def wait(self, minutes: float) -> None:
        self.now += round(minutes * MINUTE)

    async def set_minutes(self, minutes: int) -> None:
        settings = self.serving.floor.settings
        changed = replace(settings, staff_idle_minutes=minutes)
        assert await self.serving.floor.change_settings(changed, settings, SYSTEM)

    async def connect(self, token: str) -> tuple[Connection, FakeChannel]:
        session = await self.people.session(token)
        assert session
        channel = FakeChannel()
        connection = Connection(self.gateway, channel, session, token)
        self.gateway.sockets.add(connection)
        return connection, channel


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    serving = await open_serving(Options(str(tmp_path / "punto.db")))
    serving.people._passwords = PasswordCheck(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    yield House(serving)
    await serving.close()


async def code(client: httpx.AsyncClient, path: str = "/api/me") -> str:
    """What a request is refused with; ``open`` if it is answered."""
    answer = await client.get(path)
    return "open" if answer.status_code == 200 else str(answer.json()["code"])


async def test_five_minutes_without_input_lock_and_what_a_page_reads_is_no_input(house: House) -> None:
    manager = await house.enter(Duty.PIT_MANAGER)
    for _ in range(9):
        house.wait(0.5)
        assert await code(manager, "/api/pit") == "open"
    house.wait(0.49)
    assert await code(manager) == "open"
    house.wait(0.01)
    assert await code(manager) == await code(manager, "/api/pit") == "session-locked"
    answer = await manager.post("/api/limits/stops", json={"scope": "all", "reason": "no"})
    assert (answer.status_code, answer.json()["code"]) == (423, "session-locked")
    assert not house.serving.floor.journal.stops


async def test_input_keeps_a_session_open_and_opens_no_locked_one(house: House) -> None:
    manager = await house.enter(Duty.PIT_MANAGER)
    for _ in range(4):
        house.wait(4)
        assert (await manager.post("/api/me/active")).status_code == 204
    house.wait(5)
    assert (await manager.post("/api/me/active")).status_code == 423
    assert await code(manager) == "session-locked"
    house.wait(60)
    assert await code(manager) == "session-locked"


async def test_a_password_opens_it_and_a_wrong_one_does_not(house: House) -> None:
    manager = await house.enter(Duty.PIT_MANAGER)
    house.wait(5)
    for wrong in ({"password": "another"}, {"password": ""}, {}, {"code": "123456"}):
        answer = await manager.post("/api/me/unlock", json=wrong)
        assert answer.json()["case"] == "unlock-password", wrong
    assert await code(manager) == "session-locked"
    assert (await manager.post("/api/me/unlock", json={"password": PASSWORD})).status_code == 200
    assert await code(manager) == "open"
    told = [each for each in await house.serving.store.read(HOUSE) if each.name == "SessionUnlocked"]
    assert [(each.by, each.position) for each in told] == [(told[0].by, "Pit Manager")]


async def test_a_request_that_meets_the_unlocking_is_not_told_that_nobody_is_signed_in(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = await house.enter(Duty.PIT_MANAGER)
    house.wait(5)
    locked = house.people.locked

    async def unlocked_meanwhile(token: str) -> Session | None:
        if session := await locked(token):
            await house.people.unlock(session)
        return await locked(token)

    monkeypatch.setattr(house.people, "locked", unlocked_meanwhile)
    assert await code(manager) == "open"


async def test_a_second_factor_opens_it(house: House) -> None:
    manager = await house.enter(Duty.PIT_MANAGER, password="")
    offer = (await manager.post("/api/me/second-factor/offer")).json()
    totp = TOTP(b32decode(offer["key"]), 6, SHA1(), 30)
    first = totp.generate(house.now // 1000).decode()
    assert (await manager.post("/api/me/second-factor/set", json=offer_of(offer, first))).status_code == 200
    house.wait(6)
    assert (await manager.post("/api/me/unlock", json={"code": first})).json()["case"] == "wrong-code"
    right = totp.generate(house.now // 1000).decode()
    assert (await manager.post("/api/me/unlock", json={"code": right})).status_code == 200
    assert await code(manager) == "open"


def offer_of(offer: dict[str, str], typed: str) -> dict[str, str]:
    return {"sealed": offer["sealed"], "code": typed}


async def test_patrons_and_devices_are_not_locked(house: House) -> None:
    patron = await house.enter(Duty.PATRON)
    house.wait(60)
    assert await code(patron) == "open"
    device = Session(await house.people.add("Reader", Duty.DEVICE), 0, 0, None)
    assert not device.locks


@pytest.mark.parametrize("duty", sorted(set(Duty) - {Duty.PATRON, Duty.DEVICE}))
async def test_everyone_else_is(house: House, duty: Duty) -> None:
    client = await house.enter(duty, password="")
    house.wait(5)
    assert await code(client) == "session-locked"


async def test_the_house_sets_the_minutes_and_a_practice_house_locks_none(house: House) -> None:
    manager = await house.enter(Duty.PIT_MANAGER)
    await house.set_minutes(10)
    house.wait(9)
    assert await code(manager) == "open"
    house.wait(1)
    assert await code(manager) == "session-locked"
    await house.set_minutes(0)
    assert await code(manager) == "open"
    await house.set_minutes(5)
    house.gateway.practice = True
    assert await code(manager) == "open"


async def test_a_socket_of_a_locked_session_is_closed_and_takes_no_command(house: House) -> None:
    book = load("baccarat")
    await house.serving.floor.create_table("t1", book)
    manager = await house.enter(Duty.PIT_MANAGER)
    token, command = house.token, b'{"command": "BeginCount", "table": "t1", "id": "1"}'
    connection, channel = await house.connect(token)
    connection.hear(command)
    house.wait(4)
    connection.hear(command)
    house.wait(4)
    await house.gateway.watch.look()
    assert channel.closed == 0, "commands are input"
    assert await code(manager) == "open"
    house.wait(1)
    connection.hear(command)
    assert channel.told[-1]["code"] == "session-locked"
    await house.gateway.watch.look()
    assert channel.closed == SESSION_LOCKED
    assert await house.people.session(token) is None
    assert await house.people.locked(token)


async def test_a_socket_that_was_idle_for_hours_is_locked_and_not_signed_out(house: House) -> None:
    """A page reloads when its session is over, and what was entered is gone; one that is locked keeps it."""
    manager = await house.enter(Duty.PIT_MANAGER)
    _, channel = await house.connect(house.token)
    house.wait(61)
    await house.gateway.watch.look()
    assert channel.closed == SESSION_LOCKED
    assert (await manager.post("/api/me/unlock", json={"password": PASSWORD})).status_code == 200
    _, again = await house.connect(house.token)
    await house.gateway.watch.look()
    assert again.closed == 0


async def test_another_process_knows_of_input_once_it_is_stored(house: House) -> None:
    manager, token = await house.enter(Duty.PIT_MANAGER), house.token
    other = People(house.serving.store, lambda: house.now)
    other.idle.minutes = lambda: 5
    house.wait(4)
    await manager.post("/api/me/active")
    await house.people.idle.store_noted()
    house.wait(4)
    assert await other.session(token)
    house.wait(1)
    assert await other.session(token) is None
    assert await other.locked(token)


async def test_a_locked_session_ends_by_signing_out_and_asks_no_password_for_another(house: House) -> None:
    manager = await house.enter(Duty.PIT_MANAGER)
    house.wait(5)
    assert (await manager.post("/api/sign-out")).status_code == 204
    assert await code(manager) == "not-signed-in"
    with pytest.raises(Refused):
        await house.people.sign_in("Pit Manager", "another")
    assert await house.people.sign_in("Pit Manager", PASSWORD)
