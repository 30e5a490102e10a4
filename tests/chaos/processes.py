"""The servers of a chaos run, as processes: started, armed, killed, ended."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from support.live import told_by

SERVER = Path(__file__).with_name("server_process.py")
STARTS_WITHIN = 30.0


class Process:
    """A server in a place of its own; whenever it has ended it can be started again."""

    _numbers = count(1)

    def __init__(self, arguments: Sequence[str], folder: Path) -> None:
        self._command = [sys.executable, str(SERVER), *arguments]
        self._folder = folder
        self._running: subprocess.Popen[bytes] | None = None

    async def start(self) -> tuple[subprocess.Popen[bytes], dict[str, Any], Path]:
        """Start it and wait until it serves: the process, what it tells, and where its log is."""
        self.end()
        log = self._folder / f"server-{next(self._numbers):03}.log"
        with log.open("wb") as errors:
            self._running = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=self._folder
            )
        told = await asyncio.wait_for(asyncio.to_thread(told_by, self._running), STARTS_WITHIN)
        if told is None:
            raise RuntimeError(f"a server did not start: {log.read_text()}")
        return self._running, told, log

    def arm(self, **trap: Any) -> None:
        """Have it kill itself at a point."""
        process = self._process
        assert process.stdin is not None
        process.stdin.write(json.dumps(trap).encode() + b"\n")
        process.stdin.flush()

    async def ended(self, seconds: float) -> bool:
        """Whether it ends by itself within a time."""
        try:
            await asyncio.to_thread(self._process.wait, seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    async def stop(self) -> int:
        """Ask it to stop, as an operator does; its exit code."""
        self._process.terminate()
        if not await self.ended(15):
            return -1
        return self._process.returncode

    def end(self) -> None:
        """Leave nothing of it."""
        if self._running is None:
            return
        if self._running.poll() is None:
            self.kill()
        for pipe in (self._running.stdin, self._running.stdout):
            if pipe:
                pipe.close()
        self._running = None

    @property
    def _process(self) -> subprocess.Popen[bytes]:
        assert self._running is not None
        return self._running
