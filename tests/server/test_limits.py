"""Limits of HTTP: how much a client may send, how long it may take, how many connections it may have."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest
import uvicorn
from starlette.requests import Request
from support.waiting import until_async
from uvicorn.server import ServerState

from punto.server.realtime.bounded_http import BoundedHttp
from punto.server.realtime.frame_protocol import FrameProtocol
from punto.server.running.connections import USUAL_LIMITS, ClientLimits, ClientLine, ClientLines
from punto.server.running.proxies import NO_PROXIES, Proxies, sender

QUICK = replace(USUAL_LIMITS, head_time=0.2, body_time=0.2, handshake_time=0.2, answer_time=0.2, closing_time=0.2)
PATIENCE = 20
HELLO = b"GET / HTTP/1.1\r\nhost: here\r\n"
UPGRADE = (
    b"GET /socket HTTP/1.1\r\nhost: here\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the length of the body, or with as much as the path asks for; open no socket."""
    if scope["type"] == "websocket":
        await asyncio.sleep(PATIENCE)
        return
    request = Request(scope, receive)
    given = len(await request.body())
    size = int(scope["path"].removeprefix("/") or 0)
    content = bytes(size) if size else str(given).encode()
    length = str(len(content)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
    await send({"type": "http.response.body", "body": content})


class Bounded:
    """A server of this application within limits."""

    def __init__(self, lines: ClientLines, address: tuple[str, int]) -> None:
        self.lines, self.address = lines, address

    async def connect(self, first: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(*self.address)
        writer.write(first)
        return reader, writer

    async def answer(self, *pieces: bytes) -> bytes:
        """Send pieces, and return all that is answered until the server closes."""
        reader, writer = await self.connect()
        try:
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
        except ConnectionError:
            pass
        try:
            return await asyncio.wait_for(_all_of(reader), PATIENCE)
        finally:
            writer.close()


async def _all_of(reader: asyncio.StreamReader) -> bytes:
    told = b""
    try:
        while more := await reader.read(65_536):
            told += more
    except ConnectionError:
        pass
    return told


@asynccontextmanager
async def bounded(limits: ClientLimits = QUICK, proxies: Proxies = NO_PROXIES) -> AsyncIterator[Bounded]:
    lines = ClientLines(limits, proxies)
    config = uvicorn.Config(
        app, ws=FrameProtocol, http=cast(Any, partial(BoundedHttp, lines)), lifespan="off", log_config=None
    )
    config.load()
    make = partial(BoundedHttp, lines, config=config, server_state=ServerState(), app_state={})
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    watch = asyncio.create_task(lines.watch())
    try:
        yield Bounded(lines, server.sockets[0].getsockname())
    finally:
        watch.cancel()
        server.close()


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.server.running.connections.CHECKED_EACH", 0.02)


# --- size -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (HELLO + b"x: " + b"y" * 40_000 + b"\r\n\r\n", 431),
        (HELLO + b"x: " + b"y" * 40_000, 431),
        (HELLO + b"x: y\r\n" * 100 + b"\r\n", 431),
        (b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /" + b"a" * 9_000, 414),
        (b"A" * 40_000, 400),
        (b"\r\n" * 20_000, 431),
    ],
)
async def test_a_head_beyond_the_limits_is_refused(request_: bytes, status: int) -> None:
    async with bounded(USUAL_LIMITS) as server:
        assert (await server.answer(request_)).startswith(b"HTTP/1.1 %d " % status)
        assert (await server.answer(HELLO + b"connection: close\r\n\r\n")).startswith(b"HTTP/1.1 200 ")


async def sent_until_cut_off(writer: asyncio.StreamWriter, piece: bytes, pause: float = 0) -> int:
    """Send a piece again and again until the connection is lost; return how many bytes were sent."""
    sent = 0
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                writer.write(piece)
                await writer.drain()
            except ConnectionError:
                return sent
            sent += len(piece)
            await asyncio.sleep(pause)


async def test_of_a_head_without_end_no_more_is_read_than_the_limit() -> None:
    async with bounded(USUAL_LIMITS) as server:
        _, writer = await server.connect(HELLO + b"x: ")
        # What the buffers of the system take, not what the client offers.
        assert await sent_until_cut_off(writer, b"y" * 65_536) < 64 << 20
        await until_async(lambda: not server.lines.open)


async def test_requests_one_after_the_other_may_be_long_together() -> None:
    head = HELLO + b"x: " + b"y" * 20_000 + b"\r\n"
    async with bounded(USUAL_LIMITS) as server:
        told = await server.answer(head + b"\r\n", head + b"\r\n", head + b"connection: close\r\n\r\n")
        assert told.count(b"HTTP/1.1 200 ") == 3


async def test_requests_that_do_not_wait_for_answers_are_cut_off() -> None:
    async with bounded(USUAL_LIMITS) as server:
        few = await server.answer((HELLO + b"\r\n") * 10 + HELLO + b"connection: close\r\n\r\n")
        assert few.count(b"HTTP/1.1 200 ") == 11
        many = await server.answer((HELLO + b"\r\n") * 10_000)
        assert many.count(b"HTTP/1.1 ") <= 1, "none of those that waited was kept"
        assert not server.lines.open


async def test_a_body_that_does_not_end_is_cut_off() -> None:
    post = b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n"
    async with bounded(USUAL_LIMITS) as server:
        told = await server.answer(post, *[b"4000\r\n" + bytes(0x4000) + b"\r\n"] * 20)
        assert told.startswith(b"HTTP/1.1 413 ")
        assert told.count(b"HTTP/1.1") == 1


# --- time -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        (b"", b""),
        (b"GET / HT", b"HTTP/1.1 408 "),
        (HELLO + b"x: ", b"HTTP/1.1 408 "),
        (b"\r\n", b"HTTP/1.1 408 "),
        (b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 10\r\n\r\n12345", b"HTTP/1.1 408 "),
        (HELLO + b"\r\n" + HELLO, b"HTTP/1.1 200 "),
        (UPGRADE, b""),
    ],
)
async def test_half_a_request_does_not_stay_open(sent: bytes, answered: bytes) -> None:
    async with bounded() as server:
        told = await server.answer(sent)
        assert told.startswith(answered)
        assert bool(told) == bool(answered)
        await until_async(lambda: not server.lines.open)
        assert not server.lines.by_address


async def test_one_byte_at_a_time_gains_no_time() -> None:
    async with bounded() as server:
        _, writer = await server.connect()
        assert await sent_until_cut_off(writer, b"G", 0.02)


async def test_an_answer_that_is_not_read_does_not_stay() -> None:
    async with bounded() as server:
        reader, writer = await server.connect(b"GET /50000000 HTTP/1.1\r\nhost: here\r\n\r\n")
        await until_async(lambda: not server.lines.open)
        assert len(await _all_of(reader)) < 50_000_000
        writer.close()


# --- number -----------------------------------------------------------------------------------------------------------


async def test_one_address_has_so_many_connections_and_gets_them_back() -> None:
    async with bounded(replace(USUAL_LIMITS, per_address=2)) as server:
        first, second = await server.connect(), await server.connect()
        await until_async(lambda: len(server.lines.open) == 2)
        assert (await server.answer()).startswith(b"HTTP/1.1 503 ")
        first[1].close()
        await until_async(lambda: len(server.lines.open) == 1)
        assert (await server.answer(HELLO + b"connection: close\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        second[1].close()


async def test_there_are_so_many_connections_in_all() -> None:
    async with bounded(replace(USUAL_LIMITS, connections=2)) as server:
        held = [await server.connect() for _ in range(2)]
        await until_async(lambda: len(server.lines.open) == 2)
        assert (await server.answer()).startswith(b"HTTP/1.1 503 ")
        for _, writer in held:
            writer.close()


async def test_what_one_address_leaves_unread_is_bounded_in_all() -> None:
    async with bounded(replace(USUAL_LIMITS, unread_in_all=40_000_000)) as server:
        held = [await server.connect(b"GET /30000000 HTTP/1.1\r\nhost: here\r\n\r\n") for _ in range(2)]
        await until_async(lambda: len(server.lines.open) == 2)
        await until_async(lambda: len(server.lines.open) == 1)
        for _, writer in held:
            writer.close()


async def test_behind_a_proxy_each_client_has_its_own_connections() -> None:
    def asks(host: str) -> bytes:
        return HELLO + b"x-forwarded-for: " + host.encode() + b"\r\n\r\n"

    async with bounded(replace(USUAL_LIMITS, per_address=1), Proxies.of(["127.0.0.1"])) as server:
        one = await server.connect(asks("192.0.2.1"))
        assert (await one[0].readline()).startswith(b"HTTP/1.1 200 ")
        assert (await server.answer(asks("192.0.2.1"))).startswith(b"HTTP/1.1 503 ")
        other = await server.connect(asks("192.0.2.2"))
        assert (await other[0].readline()).startswith(b"HTTP/1.1 200 ")
        for _, writer in (one, other):
            writer.close()


def test_there_is_room_for_others_however_few_connections_there_may_be() -> None:
    few = USUAL_LIMITS.within(300)
    assert (few.connections, few.per_address) == (200, 100)
    assert USUAL_LIMITS.within(1 << 20) == USUAL_LIMITS
    assert USUAL_LIMITS.within(64).per_address >= 1


def test_a_connection_is_counted_once_and_released_once() -> None:
    lines = ClientLines()
    line = lines.admit(cast(Any, None), cast(Any, None), "192.0.2.1")
    assert isinstance(line, ClientLine)
    assert line.take_address("192.0.2.9")
    assert lines.by_address == {"192.0.2.9": 1}
    line.release()
    line.release()
    assert not lines.by_address


# --- whose ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.1", "192.0.2.1"),
        ("127.0.0.1", "6.6.6.6, 192.0.2.1", "192.0.2.1"),
        ("127.0.0.1", "6.6.6.6, 192.0.2.1, 10.1.2.3", "192.0.2.1"),
        ("127.0.0.1", "192.0.2.1, nonsense", "127.0.0.1"),
        ("127.0.0.1", "192.0.2.1, nonsense, 10.0.0.1", "10.0.0.1"),
        ("127.0.0.1", "192.0.2.1:4711", "192.0.2.1"),
        ("127.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("::ffff:127.0.0.1", "192.0.2.1", "192.0.2.1"),
        ("192.0.2.9", "192.0.2.1", "192.0.2.9"),
    ],
)
def test_only_a_trusted_proxy_says_where_a_client_is(peer: str, forwarded: str, client: str) -> None:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    assert Proxies.of(["127.0.0.1", "10.0.0.0/8"]).client(peer, headers) == client
    assert NO_PROXIES.client(peer, headers) == peer


def test_a_trusted_proxy_says_how_a_client_came() -> None:
    scope = {"client": ("127.0.0.1", 5), "scheme": "ws", "headers": [(b"x-forwarded-proto", b"https")]}
    assert Proxies.of(["127.0.0.1"]).scope(scope)["scheme"] == "wss"
    assert NO_PROXIES.scope(scope) is scope


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", ""),
    ],
)
def test_an_ipv6_network_counts_as_one_sender(host: str, counted: str) -> None:
    assert sender(host) == counted
