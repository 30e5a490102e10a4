"""The server's log: one line of JSON for each thing worth knowing, on standard error.

It never holds what clients send: a command may hold secrets. It is never in a request's way either: lines wait in a
queue of limited size for a thread that writes them. If nothing reads them, or the disk is full, lines are dropped and
counted.
"""

from __future__ import annotations

import atexit
import io
import json
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TextIO, cast

import structlog

MOST_WAITING = 4 << 20
"""Bytes of lines that wait to be written."""
LAST_LINES = 1.0
"""Seconds that a server which stops waits for its last lines to be written."""

log = structlog.get_logger("punto")


class LogQueue(io.TextIOBase):
    """A stream that never blocks: what is written to it goes to a file descriptor when that takes it."""

    def __init__(self, descriptor: int | None, most: int = MOST_WAITING) -> None:
        self._descriptor, self._most = descriptor, most
        self._waiting: SimpleQueue[bytes] = SimpleQueue()
        self._alone = Lock()
        self._put = self._taken = 0
        """Bytes put into the queue, and bytes taken out of it."""
        self._dropped_here = self._dropped_there = self._told = 0
        """Lines dropped before the queue and after it, and how many of them the log itself tells."""
        self._idle = Event()
        if descriptor is not None:
            Thread(target=self._write_on, name="punto-log", daemon=True).start()

    @property
    def dropped(self) -> int:
        """The number of lines that were never written."""
        return self._dropped_here + self._dropped_there

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        """Have a text written; drop it if too much waits already."""
        data = text.encode("utf-8", "backslashreplace")
        with self._alone:
            if self._descriptor is None or self._put - self._taken + len(data) > self._most:
                self._dropped_here += data.count(b"\n")
            else:
                self._put += len(data)
                self._idle.clear()
                self._waiting.put(data)
        return len(text)

    def flush(self) -> None:
        """Do nothing: nobody waits for the log."""

    def finish(self, seconds: float = LAST_LINES) -> None:
        """Wait until everything is written, but no longer than this."""
        if self._put != self._taken:
            self._idle.wait(seconds)

    def _write_on(self) -> None:
        while True:
            data = self._waiting.get()
            missing = self.dropped - self._told
            note = _missing(missing) if missing else b""
            if self._written(note + data):
                self._told += missing
            else:
                self._dropped_there += data.count(b"\n")
            with self._alone:
                self._taken += len(data)
                if self._taken == self._put:
                    self._idle.set()

    def _written(self, data: bytes) -> bool:
        assert self._descriptor is not None
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:  # nothing reads it any more, or the disk is full
            return False
        return True


def _missing(lines: int) -> bytes:
    line = {
        "event": f"{lines} lines were dropped",
        "dropped": lines,
        "level": "warning",
        "timestamp": datetime.now(UTC).isoformat().replace("+00:00", "Z"),
    }
    return json.dumps(line).encode() + b"\n"


_QUEUES: list[LogQueue] = []


def lines_dropped() -> int:
    """Return how many lines of the log were dropped since the server started."""
    return sum(each.dropped for each in _QUEUES)


def finish_log(seconds: float = LAST_LINES) -> None:
    """Wait for the last lines to be written, but no longer than this."""
    for each in _QUEUES:
        each.finish(seconds)


@contextmanager
def server_log(level: int = logging.INFO) -> Iterator[None]:
    """Write lines of JSON, those of libraries and of Python itself included, until the server has stopped."""
    errors, queue = sys.stderr, LogQueue(_descriptor())
    _QUEUES.append(queue)
    sys.stderr = queue  # warnings, and errors that nothing handles
    atexit.register(queue.finish)
    try:
        set_up_log(queue, level)
        yield
    finally:
        queue.finish()
        sys.stderr = errors


def _descriptor() -> int | None:
    """Return where standard error goes; None if it was closed."""
    try:
        return sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return None


def set_up_log(stream: LogQueue, level: int = logging.INFO) -> None:
    """Send everything that is logged to this stream."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, stream)),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(level, logging.WARNING), force=True)
    logging.captureWarnings(True)
    logging.raiseExceptions = False  # a line that cannot be written is no reason to print another
