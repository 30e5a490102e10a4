"""Waits of tests for something that a server, or another task, brings about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

from support.live import PATIENCE

_EACH = 0.01


def until(holds: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait until something holds, and return what it was then."""
    ends = monotonic() + seconds
    while not (found := holds()):
        assert monotonic() < ends, "it does not come to hold"
        sleep(_EACH)
    return found


async def until_async(holds: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Like ``until``, while the event loop goes on."""
    async with asyncio.timeout(seconds):
        while not (found := holds()):
            await asyncio.sleep(_EACH)
    return found
