"""Servers that benches measure, each in its own process: Punto, and bare ones to compare it with."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from punto.cli.main import BadInput

_LISTENING = """
class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print('{"address": "http://127.0.0.1:%d"\\n}' % self.servers[0].sockets[0].getsockname()[1], flush=True)
"""
_BARE = f"""
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
{_LISTENING}
watchers = set()

async def echo(socket: WebSocket) -> None:
    await socket.accept()
    try:
        while True:
            await socket.send_text(await socket.receive_text())
    except WebSocketDisconnect:
        pass

async def fan_out(socket: WebSocket) -> None:
    await socket.accept()
    watchers.add(socket)
    try:
        while True:
            text = await socket.receive_text()
            for watcher in watchers:
                await watcher.send_text(text)
    except WebSocketDisconnect:
        watchers.discard(socket)

app = Starlette(routes=[WebSocketRoute("/echo", echo), WebSocketRoute("/fan-out", fan_out)])
Server(uvicorn.Config(app, port=0, ws="websockets-sansio", ws_per_message_deflate=False, log_level="error")).run()
"""
_FRAMES = f"""
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from punto.server.realtime.frame_protocol import EXTENSION, FrameProtocol, frame
{_LISTENING}
async def echo(socket: WebSocket) -> None:
    await socket.accept()
    channel = socket.scope["extensions"][EXTENSION]
    channel.hear_with(lambda text: channel.write_frames(frame(text)))
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass

app = Starlette(routes=[WebSocketRoute("/echo", echo)])
Server(uvicorn.Config(app, port=0, ws=FrameProtocol, ws_per_message_deflate=False, log_level="error")).run()
"""
_PUNTO = "from punto.cli.main import main; main()"
KEY = "bench.key"
_USER, _SYSTEM = 11, 12
"""Where the ticks of processor time stand in /proc/PID/stat, counted after the name."""


@dataclass(frozen=True, slots=True)
class MeasuredServer:
    """A server in its own process, that listens."""

    address: str
    pid: int

    def processor_seconds(self) -> float:
        """Return the processor time that it has used so far."""
        return processor_seconds([self.pid])

    def writer_seconds(self) -> float:
        """Return the processor time of the processes it has started: Punto's writer."""
        started = subprocess.run(["pgrep", "-P", str(self.pid)], capture_output=True, text=True, check=False)
        return processor_seconds(map(int, started.stdout.split()))


def processor_seconds(processes: Iterable[int]) -> float:
    """Return the processor time that processes of this machine have used; one that has ended counts nothing."""
    return sum(map(_seconds_of, processes))


def _seconds_of(pid: int) -> float:
    """Return the processor time of a process and all its threads, on Linux or macOS."""
    if sys.platform == "linux":
        try:
            ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(ticks[_USER]) + int(ticks[_SYSTEM])) / os.sysconf("SC_CLK_TCK")
    time = subprocess.run(["ps", "-o", "time=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    seconds = 0.0
    for part in time.strip().replace("-", ":").split(":") if time.strip() else ():
        seconds = 60 * seconds + float(part)
    return seconds


def megabytes(pid: int) -> float:
    """Return the memory that a process of this machine holds."""
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True).stdout
    return int(told) * 1024 / 1e6


@asynccontextmanager
async def _server(folder: Path, *command: str) -> AsyncIterator[MeasuredServer]:
    with (folder / "log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdout=subprocess.PIPE, stderr=log, cwd=folder
        )
        assert process.stdout is not None
        try:
            told = b""
            async for line in process.stdout:
                told += line
                if line.rstrip() == b"}":
                    break
            else:
                raise BadInput(f"the server does not start: {(folder / 'log').read_text()[-500:]}")
            yield MeasuredServer(json.loads(told)["address"], process.pid)
        finally:
            if process.returncode is None:
                process.terminate()
            await asyncio.wait_for(process.wait(), 30)


def bare_server(folder: Path) -> AbstractAsyncContextManager[MeasuredServer]:
    """Run the same web server with an application that only echoes or forwards."""
    return _server(folder, "-c", _BARE)


def frames_server(folder: Path) -> AbstractAsyncContextManager[MeasuredServer]:
    """Run an echo by Punto's own frame protocol, past the web framework as commands go."""
    return _server(folder, "-c", _FRAMES)


def punto_server(folder: Path, database: str, *options: str) -> AbstractAsyncContextManager[MeasuredServer]:
    """Serve a house whose key is in the folder."""
    return _server(folder, "-c", _PUNTO, "serve", database, "--key", KEY, "--port", "0", "--json", *options)
