"""DesignFigures worked out in another process, in bounded time: the server's event loop never waits for them."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

import msgspec
from msgspec import Raw, Struct

from punto.server.designer.figures import (
    ChecksAsked,
    CoupAsked,
    FiguresAsked,
    GameAsked,
    PlayableAnswer,
    RatiosAsked,
)
from punto.server.refused import Refused
from punto.store.codec import encoder

MOST_SECONDS = 10.0
"""For one answer. A file of ordinary size takes a hundredth of it."""
MOST_WAITING = 8
"""Requests that wait for others, of all designers together."""
START_WITHIN = 60.0
IDLE_SECONDS = 600.0
"""After which the process ends and gives its memory back."""
LONGEST_ANSWER = 1 << 24
WORKER = (sys.executable, "-m", "punto.server.designer.worker")


class Analysis:
    """One process that works out figures: made with the first request, ended when an answer takes too long."""

    def __init__(self, most_seconds: float = MOST_SECONDS, program: tuple[str, ...] = WORKER) -> None:
        self.most_seconds, self._program = most_seconds, program
        self._process: Process | None = None
        self._alone = asyncio.Lock()
        self._waiting = 0
        self._idle: asyncio.TimerHandle | None = None

    async def figures(self, asked: FiguresAsked) -> Raw:
        """Return the figures of a file, as the JSON of ``DesignFigures``."""
        return await self._ask("figures", asked)

    async def checks(self, asked: ChecksAsked) -> Raw:
        """Return what is unusual about a file, as the JSON of ``ChecksAnswer``."""
        return await self._ask("checks", asked)

    async def coup(self, asked: CoupAsked) -> Raw:
        """Settle a coup by a file, as the JSON of ``CoupAnswer``."""
        return await self._ask("coup", asked)

    async def ratios(self, asked: RatiosAsked) -> Raw:
        """Return the pay tables nearest to a target, as the JSON of ``RatiosAnswer``."""
        return await self._ask("ratios", asked)

    async def playable(self, text: str) -> PlayableAnswer:
        """Check a file in every respect."""
        return msgspec.json.decode(await self._ask("playable", GameAsked(text)), type=PlayableAnswer)

    async def _ask(self, name: str, asked: Struct) -> Raw:
        if self._waiting >= MOST_WAITING:
            raise Refused("cannot-be", case="design-busy")
        self._waiting += 1
        try:
            async with self._alone:
                return Raw(await self._answered(name, encoder.encode(asked)))
        finally:
            self._waiting -= 1

    async def _answered(self, name: str, content: bytes) -> bytes:
        """Return the answer of the process; end it if that takes too long, or if the client does not wait for it."""
        if self._idle:
            self._idle.cancel()
        process = await self._running()
        try:
            async with asyncio.timeout(self.most_seconds):
                answer = await _talk(process, name, content)
        except (TimeoutError, OSError, EOFError, ValueError):
            self._end(process)
            await process.wait()
            raise Refused("cannot-be", case="design-too-much", seconds=round(self.most_seconds)) from None
        except asyncio.CancelledError:
            self._end(process)  # its answer would be taken for that of the next request
            await process.wait()
            raise
        self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end, process)
        return answer

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            process = await asyncio.create_subprocess_exec(
                *self._program, stdin=PIPE, stdout=PIPE, limit=LONGEST_ANSWER
            )
            self._process = process
            assert process.stdout
            async with asyncio.timeout(START_WITHIN):
                await process.stdout.readline()
        return self._process

    async def close(self) -> None:
        """End the process, if there is one."""
        if self._idle:
            self._idle.cancel()
        if process := self._process:
            self._end(process)
            await process.wait()

    def _end(self, process: Process) -> None:
        with suppress(ProcessLookupError):
            process.kill()
        if self._process is process:
            self._process = None


async def _talk(process: Process, name: str, content: bytes) -> bytes:
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"%s %d\n" % (name.encode(), len(content)))
    process.stdin.write(content)
    await process.stdin.drain()
    return await process.stdout.readexactly(int(await process.stdout.readline()))
