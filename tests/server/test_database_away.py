"""While the database does not answer, every route says so properly: 503 and a code, never a bare 500."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import apsw
import asyncpg
import httpx
import pytest
from starlette.websockets import WebSocket
from support.past import deal, make_table, opened, options_of

from punto.server.access.identity import Duty, Session
from punto.server.http.app import ENDPOINTS, create_app
from punto.server.realtime.connection import TRY_LATER, serve_socket
from punto.server.realtime.messages import read_message
from punto.server.running.lifecycle import Serving
from punto.store.codec import encoder
from punto.store.records import StoreError
from punto.store.sqlite.writer_process import WriterProcess
from punto.table.roles import Role

ERRORS: tuple[Callable[[], Exception], ...] = (
    ConnectionRefusedError,
    TimeoutError,
    lambda: asyncpg.InterfaceError("the connection is closed"),
    lambda: asyncpg.InternalClientError("got an unexpected message"),
    lambda: asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
    lambda: asyncpg.CannotConnectNowError("the database system is starting up"),
    lambda: asyncpg.AdminShutdownError("terminating connection due to administrator command"),
)
IN_PATH = {"table": "t1", "number": "1", "shoe": "t1 1", "round": "1", "slip": "1", "game": "baccarat", "clause": "1.1"}
BODIES: dict[str, dict[str, Any]] = {
    "/api/tables": {"table": "t9", "game": "baccarat"},
    "/api/people": {"name": "Eve", "duty": "patron"},
    "/api/cage/deposits": {"patron": "ann", "amount": 500},
    "/api/sign-in": {"name": "Dealer", "password": "a password of some length"},
    "/api/links": {"link": "abc"},
    "/api/tables/{table}/commands": {"command": "OpenBets"},
}
AFTER = (0, 1, 2, 4)
"""How many questions the database still answers before it is away."""


class Countdown:
    """Lets some questions through, and fails every one after them."""

    def __init__(self, after: int, error: Callable[[], Exception]) -> None:
        self.left, self._error = after, error

    def take(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise self._error()


class AwayPool:
    """A pool of connections to a database that goes away."""

    def __init__(self, pool: Any, countdown: Countdown) -> None:
        self._pool, self._countdown = pool, countdown

    def acquire(self) -> Any:
        self._countdown.take()
        return self._pool.acquire()

    def __getattr__(self, name: str) -> Any:
        async def ask(*values: object) -> Any:
            self._countdown.take()
            return await getattr(self._pool, name)(*values)

        return ask


class Unlimited:
    """An allowance that is never used up."""

    def take(self, *_: object) -> bool:
        return True


@asynccontextmanager
async def client_for(serving: Serving, patch: pytest.MonkeyPatch, duty: Duty) -> AsyncIterator[httpx.AsyncClient]:
    """A client whose session is known without the database, so that what comes after it is reached."""
    person = await serving.people.find_by_name(duty.value)
    assert person
    link = await serving.people.make_link(person.id, 60_000)
    token = await serving.people.use_link(link)
    session = await serving.people.session(token)

    async def known(_token: str) -> Session | None:
        return session

    patch.setattr(serving.people, "session", known)
    unlimited: Any = Unlimited()
    serving.gateway.requests = serving.gateway.sign_ins = serving.gateway.practice_seats = unlimited
    transport = httpx.ASGITransport(create_app(serving.gateway), raise_app_exceptions=False)
    headers = {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(transport=transport, base_url="http://here", headers=headers) as client:
        yield client


async def every_answer(
    client: httpx.AsyncClient, begin: Callable[[], None] = lambda: None
) -> list[tuple[str, str, int, str]]:
    """Ask every route, and return what is neither done, refused properly, nor said to be unavailable."""
    wrong = []
    for each in ENDPOINTS:
        path = each.path.replace(":path}", "}").format_map(_Filled())
        begin()
        async with asyncio.timeout(20):
            answer = await client.request(each.method, path, json=BODIES.get(each.path, {}) if each.body else None)
        coded = answer.status_code != 503 or {"code", "why"} & answer.json().keys()
        if answer.status_code >= 500 and not (answer.status_code == 503 and coded):
            wrong.append((each.method, each.path, answer.status_code, answer.text[:80]))
    return wrong


class _Filled(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return IN_PATH.get(key, "x")


@pytest.mark.parametrize(
    "duty", [Duty.GAMING_SHIFT_MANAGER, pytest.param(Duty.CASHIER, marks=pytest.mark.long)], ids=str
)
@pytest.mark.long
async def test_postgresql_away_is_answered_with_503_by_every_route(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, duty: Duty
) -> None:
    async with opened(options_of(tmp_path, postgresql)) as serving:
        await make_table(serving)
        await deal(serving, 14)
        async with client_for(serving, monkeypatch, duty) as client:
            store: Any = serving.store
            pool = store._pool
            for at, error in enumerate(ERRORS):
                countdown = Countdown(0, error)

                def begin(countdown: Countdown = countdown, after: int = AFTER[at % len(AFTER)]) -> None:
                    countdown.left = after

                store._pool = AwayPool(pool, countdown)
                try:
                    assert await every_answer(client, begin) == []
                finally:
                    store._pool = pool


async def test_a_dead_writer_is_answered_with_503_by_every_route(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punto.store.sqlite.sqlite_store.WriterThread", WriterProcess)
    async with opened(options_of(tmp_path)) as serving:
        await make_table(serving)
        async with client_for(serving, monkeypatch, Duty.GAMING_SHIFT_MANAGER) as client:
            monkeypatch.setattr(WriterProcess, "PROGRAM", ("-c", "raise SystemExit(1)"))
            store: Any = serving.store
            store.writing._process.kill()
            store.writing._process.wait()
            assert await every_answer(client) == []


class Unreadable:
    """A connection to a file on a disk that fails."""

    def __enter__(self) -> None:
        raise apsw.IOError("disk I/O error")

    def __exit__(self, *_: object) -> None: ...

    def execute(self, *_: object) -> None:
        raise apsw.IOError("disk I/O error")


async def test_a_file_that_cannot_be_read_is_answered_with_503(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(options_of(tmp_path)) as serving:
        await make_table(serving)
        async with client_for(serving, monkeypatch, Duty.GAMING_SHIFT_MANAGER) as client:
            store: Any = serving.store
            reading, store._reading = store._reading, Unreadable()
            try:
                assert await every_answer(client) == []
            finally:
                store._reading = reading


async def test_a_socket_that_is_opened_meanwhile_is_told_to_try_later(tmp_path: Path) -> None:
    async with opened(options_of(tmp_path)) as serving:
        store: Any = serving.store
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(message)

        async def fails(*_: object) -> None:
            raise StoreError("away")

        scope = {"type": "websocket", "path": "/api/socket", "headers": [(b"authorization", b"Bearer abc")]}
        ask, store.ask = store.ask, fails
        await serve_socket(serving.gateway, WebSocket(scope, receive, send))
        store.ask = ask
        assert [each.get("code") for each in sent] == [None, TRY_LATER]


async def test_a_command_about_a_person_who_cannot_be_looked_up_is_answered(tmp_path: Path) -> None:
    async with opened(options_of(tmp_path)) as serving:
        await make_table(serving)
        manager = await serving.people.find_by_name(Duty.GAMING_SHIFT_MANAGER.value)
        assert manager
        answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        async def fails(*_: object) -> None:
            raise StoreError("away")

        store: Any = serving.store
        ask, store.ask = store.ask, fails
        message = read_message(
            encoder.encode({"command": "AppointActing", "table": "t1", "person": "eve", "role": Role.PIT_MANAGER})
        )
        serving.gateway.submit(answered.set_result, manager, serving.floor.tables["t1"], message)
        async with asyncio.timeout(20):
            assert (await answered).code == "not-known"
        store.ask = ask
