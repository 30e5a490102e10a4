"""WebSocket frames as RFC 6455 has them: cases like those of the Autobahn test suite, over a real socket."""

from __future__ import annotations

import asyncio
import importlib
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from punto.server.realtime import frame_protocol
from punto.server.realtime.frame_protocol import EXTENSION, FrameProtocol, frame

MOST = 20_000
CONT, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
PROTOCOL_ERROR, INVALID_TEXT, TOO_LARGE, NORMAL = 1002, 1007, 1009, 1000
HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
Frame = tuple[int, bytes]


def sent(
    opcode: int, data: bytes = b"", fin: bool = True, reserved: int = 0, mask: bytes | None = b"\x01\x02\x03\x04"
) -> bytes:
    """A frame as a client sends it, or should not."""
    length, masked = len(data), 0 if mask is None else 0x80
    head = bytes([(fin << 7) | (reserved << 4) | opcode])
    if length < 126:
        head += bytes([masked | length])
    elif length < 1 << 16:
        head += bytes([masked | 126]) + struct.pack(">H", length)
    else:
        head += bytes([masked | 127]) + struct.pack(">Q", length)
    if mask is None:
        return head + data
    return head + mask + bytes(each ^ mask[at % 4] for at, each in enumerate(data))


def closing(code: int, reason: bytes = b"") -> bytes:
    return sent(CLOSE, struct.pack(">H", code) + reason)


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that sends every message back."""
    await receive()
    await send({"type": "websocket.accept"})
    channel = scope["extensions"][EXTENSION]
    channel.hear_with(lambda text: channel.write_frames(frame(text)))
    while (await receive())["type"] != "websocket.disconnect":
        pass


class Client:
    """A client that sends bytes and reads frames."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def send(self, data: bytes) -> None:
        self._writer.write(data)

    async def receive(self) -> Frame | None:
        """The next frame; None once the connection is closed."""
        try:
            first, length = await self._reader.readexactly(2)
            if length == 126:
                (length,) = struct.unpack(">H", await self._reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", await self._reader.readexactly(8))
            assert first & 0xF0 == 0x80  # a whole frame without extensions
            return first & 0x0F, await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None


@asynccontextmanager
async def connected() -> AsyncIterator[Client]:
    config = uvicorn.Config(echo, ws_max_size=MOST, ws_per_message_deflate=False, lifespan="off", log_config=None)
    config.load()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: FrameProtocol(config, ServerState(), {}), "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        try:
            writer.write(HANDSHAKE)
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101")
            await asyncio.sleep(0.01)  # until the application has taken the channel over
            yield Client(reader, writer)
        finally:
            writer.close()


HELLO = "Hellö 你好 🂡".encode()
GOOD: dict[str, tuple[bytes, list[Frame]]] = {
    "a text": (sent(TEXT, b"hello"), [(TEXT, b"hello")]),
    "a text that is not ASCII": (sent(TEXT, HELLO), [(TEXT, HELLO)]),
    "an empty text": (sent(TEXT), [(TEXT, b"")]),
    "a text of 125 bytes": (sent(TEXT, b"x" * 125), [(TEXT, b"x" * 125)]),
    "a text of 126 bytes": (sent(TEXT, b"x" * 126), [(TEXT, b"x" * 126)]),
    "a text of 10,000 bytes": (sent(TEXT, b"x" * 10_000), [(TEXT, b"x" * 10_000)]),
    "a mask of zeros": (sent(TEXT, b"hello", mask=bytes(4)), [(TEXT, b"hello")]),
    "several texts at once": (sent(TEXT, b"a") + sent(TEXT, HELLO), [(TEXT, b"a"), (TEXT, HELLO)]),
    "a fragmented text": (
        sent(TEXT, b"he", fin=False) + sent(CONT, b"l", fin=False) + sent(CONT, b"lo"), [(TEXT, b"hello")],
    ),
    "a letter cut by fragments": (sent(TEXT, HELLO[:5], fin=False) + sent(CONT, HELLO[5:]), [(TEXT, HELLO)]),
    "empty fragments": (sent(TEXT, fin=False) + sent(CONT, fin=False) + sent(CONT, b"x"), [(TEXT, b"x")]),
    "a ping": (sent(PING, b"p"), [(PONG, b"p")]),
    "a ping of 125 bytes": (sent(PING, b"p" * 125), [(PONG, b"p" * 125)]),
    "a pong nobody asked for": (sent(PONG, b"p") + sent(TEXT, b"x"), [(TEXT, b"x")]),
    "a ping between fragments": (
        sent(TEXT, b"he", fin=False) + sent(PING, b"p") + sent(CONT, b"llo"), [(PONG, b"p"), (TEXT, b"hello")],
    ),
    "a text after a fragmented one": (
        sent(TEXT, b"a", fin=False) + sent(CONT, b"b") + sent(TEXT, b"c"), [(TEXT, b"ab"), (TEXT, b"c")],
    ),
}  # fmt: skip

BAD: dict[str, tuple[bytes, int]] = {
    "a text inside a fragmented message": (sent(TEXT, b"a", fin=False) + sent(TEXT, b"b"), PROTOCOL_ERROR),
    "a binary frame inside a fragmented message": (sent(TEXT, b"a", fin=False) + sent(BINARY, b"b"), PROTOCOL_ERROR),
    "a continuation of nothing": (sent(CONT, b"a"), PROTOCOL_ERROR),
    "a continuation after a whole text": (sent(TEXT, b"a") + sent(CONT, b"b"), PROTOCOL_ERROR),
    "a text that is not masked": (sent(TEXT, b"a", mask=None), PROTOCOL_ERROR),
    "a ping that is not masked": (sent(PING, b"a", mask=None), PROTOCOL_ERROR),
    **{f"reserved bits {bits:03b}": (sent(TEXT, b"a", reserved=bits), PROTOCOL_ERROR) for bits in range(1, 8)},
    "a reserved bit of a ping": (sent(PING, b"a", reserved=4), PROTOCOL_ERROR),
    **{f"opcode {code:#x}": (sent(code, b"a"), PROTOCOL_ERROR) for code in (3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF)},
    "a fragmented ping": (sent(PING, b"a", fin=False), PROTOCOL_ERROR),
    "a fragmented close": (sent(CLOSE, b"\x03\xe8", fin=False), PROTOCOL_ERROR),
    "a ping of 126 bytes": (sent(PING, b"a" * 126), PROTOCOL_ERROR),
    "a close of 126 bytes": (closing(NORMAL, b"a" * 124), PROTOCOL_ERROR),
    "a close of one byte": (sent(CLOSE, b"a"), PROTOCOL_ERROR),
    **{
        f"close code {code}": (closing(code), PROTOCOL_ERROR)
        for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535)
    },
    "a close reason that is no text": (closing(NORMAL, b"\xff"), INVALID_TEXT),
    "a text that is no UTF-8": (sent(TEXT, b"caf\xe9"), INVALID_TEXT),
    "a text with half a letter": (sent(TEXT, HELLO[:5]), INVALID_TEXT),
    "a text with a surrogate": (sent(TEXT, b"\xed\xa0\x80"), INVALID_TEXT),
    "a fragmented text that is no UTF-8": (sent(TEXT, b"a", fin=False) + sent(CONT, b"\xff"), INVALID_TEXT),
    "a message that is too long": (sent(TEXT, b"x" * (MOST + 1)), TOO_LARGE),
    "fragments that are too long together": (
        sent(TEXT, b"x" * MOST, fin=False) + sent(CONT, b"x"), TOO_LARGE,
    ),
}  # fmt: skip


async def replies(client: Client, expected: int) -> list[Frame]:
    found = [await asyncio.wait_for(client.receive(), 5) for _ in range(expected)]
    return [each for each in found if each]


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "byte by byte"])
@pytest.mark.parametrize("case", GOOD)
async def test_what_is_allowed_is_understood(case: str, whole: bool) -> None:
    data, expected = GOOD[case]
    async with connected() as client:
        if whole or len(data) > 500:
            client.send(data)
        else:
            for at in range(len(data)):
                client.send(data[at : at + 1])
                await asyncio.sleep(0.001)
        assert await replies(client, len(expected)) == expected
        client.send(closing(NORMAL))
        assert await replies(client, 1) == [(CLOSE, struct.pack(">H", NORMAL))]
        assert await client.receive() is None


@pytest.mark.parametrize("before", [b"", sent(TEXT, b"fine"), sent(TEXT, b"fi", fin=False) + sent(CONT, b"ne")])
@pytest.mark.parametrize("case", BAD)
async def test_what_is_not_allowed_closes_the_connection(case: str, before: bytes) -> None:
    data, code = BAD[case]
    async with connected() as client:
        if before:
            client.send(before)
            assert await replies(client, 1) == [(TEXT, b"fine")]
        client.send(data)
        while (answer := await asyncio.wait_for(client.receive(), 5)) and answer[0] != CLOSE:
            assert answer[0] == TEXT
        assert answer is not None
        assert struct.unpack(">H", answer[1][:2]) == (code,)
        client.send(sent(TEXT, b"more"))
        assert await asyncio.wait_for(client.receive(), 5) is None


@pytest.mark.parametrize("opcode", [TEXT, BINARY])
async def test_a_message_inside_another_is_an_error_though_it_arrives_alone(opcode: int) -> None:
    """Each frame comes by itself, as a whole: the short way of reading must not take the second for a message."""
    async with connected() as client:
        client.send(sent(TEXT, b"a", fin=False))
        await asyncio.sleep(0.02)
        client.send(sent(opcode, b"b"))
        (answer,) = await replies(client, 1)
        assert (answer[0], answer[1][:2]) == (CLOSE, struct.pack(">H", PROTOCOL_ERROR))


@pytest.mark.parametrize("code", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999])
async def test_a_close_is_answered_with_its_code(code: int) -> None:
    async with connected() as client:
        client.send(closing(code, b"bye"))
        (answer,) = await replies(client, 1)
        assert (answer[0], answer[1][:2]) == (CLOSE, struct.pack(">H", code))


async def test_a_close_without_a_code_is_answered() -> None:
    async with connected() as client:
        client.send(sent(CLOSE))
        assert await replies(client, 1) == [(CLOSE, b"")]


def test_a_version_of_uvicorn_that_is_not_known_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(uvicorn, "__version__", "0.99.0")
        with pytest.raises(ImportError, match=r"not of 0\.99\.0"):
            importlib.reload(frame_protocol)


@pytest.mark.parametrize("flood", [(PING, b"p"), (PONG, b""), (CONT, b"")], ids=["pings", "pongs", "empty parts"])
async def test_frames_that_are_no_messages_do_not_come_without_end(flood: Frame) -> None:
    opcode, data = flood
    async with connected() as client:
        client.send(sent(TEXT, b"a", fin=False) + sent(opcode, data, fin=opcode != CONT) * 50_000)
        pongs = 0
        while (answer := await asyncio.wait_for(client.receive(), 20)) is not None:  # until the connection has ended
            pongs += answer[0] == PONG
        assert pongs < 1_000
