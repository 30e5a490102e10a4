"""A server that stops does so in bounded time, whatever hangs: the database, a client, its own log."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable
from threading import Timer
from typing import NoReturn

from punto.server.running.server_log import finish_log, log

FINISH_WITHIN = 5.0
"""Seconds for commands that were accepted to be stored and answered; later their senders are told it is not known."""
REQUESTS_WITHIN = 3
"""Seconds for requests that are under way, and for clients to take what was sent to them."""
CLOSE_WITHIN = 6.0
"""Seconds for the database to be closed: what was written last is moved into its file, and synced."""
STOP_WITHIN = 15.0
"""Seconds from the signal to the end, even if the event loop hangs; all of the above fit into it."""
ABANDONED = 75
"""Exit code of a server that had to leave something unfinished."""


async def within(seconds: float, work: Awaitable[None], what: str) -> bool:
    """Do this; return False, and leave it to itself, if it takes longer."""
    task = asyncio.ensure_future(work)
    await asyncio.wait([task], timeout=seconds)
    if not task.done():
        log.error("abandoned", what=what, seconds=seconds)
        return False
    if not task.cancelled():
        task.result()
    return True


def end_within(seconds: float = STOP_WITHIN) -> None:
    """End the process after this time, unless it has ended by then."""
    timer = Timer(seconds, end_now, ["it did not stop in time"])
    timer.daemon = True
    timer.start()


def end_now(why: str) -> NoReturn:
    """End the process with what is unfinished left as it is: what was answered is stored."""
    log.error("ended", why=why, code=ABANDONED)
    finish_log()
    os._exit(ABANDONED)
