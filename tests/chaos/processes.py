"""The servers of a chaos run, as processes: started, armed, killed, ended."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

from support.live import told_by

SERVER = Path(__file__).with_name("server_process.py")
STARTS_WITHIN = 30.0
F_SETPIPE_SZ, PIPE_BYTES = 1031, 4096


class Process:
    """A server in a place of its own; whenever it has ended it can be started again."""

    _numbers = count(1)

    def __init__(self, arguments: Sequence[str], folder: Path) -> None:
        self._command = [sys.executable, str(SERVER), *arguments]
        self._folder = folder
        self._running: subprocess.Popen[bytes] | None = None
        self._log: Thread | None = None
        self.log_is_read = Event()
        """Cleared while nothing reads what the server logs."""

    async def start(self) -> tuple[subprocess.Popen[bytes], dict[str, Any], Path]:
        """Start it and wait until it serves: the process, what it tells, and where its log is."""
        self.end()
        log = self._folder / f"server-{next(self._numbers):03}.log"
        self._running = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": str(SERVER.parents[1])},
        )
        self.log_is_read.set()
        self._log = Thread(target=self._read_log, args=(self._running, log), daemon=True)
        self._log.start()
        told = await asyncio.wait_for(asyncio.to_thread(told_by, self._running), STARTS_WITHIN)
        if told is None:
            raise RuntimeError(f"a server did not start: {log.read_text()}")
        return self._running, told, log

    def _read_log(self, process: subprocess.Popen[bytes], log: Path) -> None:
        """Keep what a server logs, from a pipe that holds little."""
        assert process.stderr is not None
        with suppress(OSError):
            fcntl.fcntl(process.stderr, F_SETPIPE_SZ, PIPE_BYTES)
        with log.open("wb", buffering=0) as kept, process.stderr as pipe:
            while data := os.read(pipe.fileno(), PIPE_BYTES):
                kept.write(data)
                self.log_is_read.wait()

    def tell(self, **line: Any) -> None:
        """Have it kill itself at a point, or make other trouble."""
        process = self._process
        assert process.stdin is not None
        process.stdin.write(json.dumps(line).encode() + b"\n")
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
        self.log_is_read.set()
        if self._log:
            self._log.join()
        self._running = None

    @property
    def _process(self) -> subprocess.Popen[bytes]:
        assert self._running is not None
        return self._running
