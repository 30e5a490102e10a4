"""Trouble that leaves the server alive: its writer or its database dies, its disk is full, its log is not read, the
machine's clock is set.

What acts inside the server is asked for by a line on its standard input, as a trap is.
"""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Mapping
from enum import StrEnum
from threading import Timer
from typing import Any

HARDLY_ANYTHING = 4096
"""Bytes: the longest file that can be written to a full disk."""
HOUR_MS = 3_600_000


class Trouble(StrEnum):
    """What may go wrong around a server."""

    WRITER = "writer killed"
    """The process that writes to the SQLite file."""
    DATABASE = "database killed"
    """PostgreSQL, which starts again at once."""
    FULL = "disk full"
    """For the writer of the SQLite file."""
    LOG = "log unread"
    CLOCK = "clock set"


EXPECTED = (
    "not carried out",
    "not stored",
    "automatic dealer failed",
    "sessions not checked",
    "not caught up",
    "shoes not caught up",
    "no snapshot",
    "the machine's clock was set",
    "the set clock is not recorded yet",
)
"""What a server may log as an error in such trouble."""


# --- inside the server -----------------------------------------------------------------------------------------------


class Inside:
    """Makes trouble in a server's own process."""

    def __init__(self) -> None:
        self.writer = 0
        """The process id of the newest writer."""
        self._ahead = 0

    def time_ns(self) -> int:
        """Return the time of the machine's clock, which can be set here."""
        return time.time_ns() + self._ahead

    def make(self, told: Mapping[str, Any]) -> None:
        match Trouble(told["trouble"]):
            case Trouble.WRITER:
                os.kill(self.writer, signal.SIGKILL)
            case Trouble.FULL:
                self._limit(self.writer, HARDLY_ANYTHING)
                Timer(told["seconds"], self._limit, (self.writer, resource.RLIM_INFINITY)).start()
            case Trouble.CLOCK:
                self._ahead += told["by"] * 1_000_000

    def _limit(self, process: int, most: int) -> None:
        """Limit the files of a process; one that has ended has none."""
        try:
            resource.prlimit(process, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
        except ProcessLookupError:
            return
