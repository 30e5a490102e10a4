"""Limits on connections: how many there are, from whom, and how long each may take for what it does.

Every connection is checked once a second on the event loop's own clock, which no one can set. That costs less than a
timer for each request, and finds also what no timer was set for: a client that reads nothing, or never lets go.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Protocol

from punto.server.running.metrics import METRICS
from punto.server.running.proxies import NO_PROXIES, Proxies, sender
from punto.server.running.server_log import log

CHECKED_EACH = 1.0
"""Seconds between checks of all connections."""
KEPT_FREE = 100
"""File descriptors kept for the database, pages and the log."""
MOST_DESCRIPTORS = 65_536


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """What one client may ask of the server; sizes are in bytes, times in seconds."""

    target: int = 8_192
    """Path and query of a request."""
    head: int = 32_768
    """Request line and headers."""
    headers: int = 100
    body: int = 65_536
    connections: int = 10_000
    """In all, sockets included."""
    per_address: int = 2_000
    """From one IPv4 address or one IPv6 network of 64 bits."""
    head_time: float = 10.0
    body_time: float = 20.0
    handshake_time: float = 10.0
    """From the request for a socket until it is open."""
    unread: int = 262_144
    """What may wait for a socket's client to read it."""
    unread_in_all: int = 67_108_864
    """What may wait for all connections of one address; the last of them are ended."""
    unread_time: float = 30.0
    """For a socket with more than that."""
    answer_time: float = 60.0
    """For a client to take an answer that waits for it."""
    closing_time: float = 10.0
    """For a client to take the last bytes of a connection that the server has closed."""

    def within(self, descriptors: int) -> ClientLimits:
        """Return limits that leave room among the process's file descriptors, and half of it for other addresses."""
        connections = max(2, min(self.connections, descriptors - KEPT_FREE))
        per_address = min(self.per_address, connections // 2)
        return replace(self, connections=connections, per_address=per_address)


USUAL_LIMITS = ClientLimits()


class Checked(Protocol):
    """A protocol that knows how long it may go on as it does."""

    def overdue(self, now: float) -> bool:
        """Whether the client takes too long."""
        ...

    def end_overdue(self) -> None:
        """Tell the client, if it can be told, and end the connection."""
        ...


@dataclass(slots=True, eq=False)
class ClientLine:
    """One connection, counted from when it is made until it is lost, whichever protocol serves it."""

    lines: ClientLines
    transport: asyncio.Transport
    protocol: Checked
    address: str
    closing_since: float = 0.0

    def take_address(self, host: str) -> bool:
        """Count the connection for another address, one that a proxy named; return whether that may have it."""
        address = sender(host)
        if address != self.address:
            counted = self.lines.by_address
            if counted[address] >= self.lines.limits.per_address:
                return False
            self.lines.release_address(self.address)
            self.address = address
            counted[address] += 1
        return True

    def check(self, now: float) -> None:
        """End the connection if the client takes too long."""
        if not self.transport.is_closing():
            self.closing_since = 0.0
            if self.protocol.overdue(now):
                METRICS.connections_ended["overdue"] += 1
                self.protocol.end_overdue()
        elif not self.closing_since:
            self.closing_since = now
        elif now - self.closing_since > self.lines.limits.closing_time:
            self.transport.abort()

    def release(self) -> None:
        """Count the connection no more: it is lost."""
        if self in self.lines.open:
            self.lines.open.discard(self)
            self.lines.release_address(self.address)


@dataclass(slots=True, eq=False)
class ClientLines:
    """All connections of a server."""

    limits: ClientLimits = USUAL_LIMITS
    proxies: Proxies = NO_PROXIES
    open: set[ClientLine] = field(default_factory=set)
    by_address: Counter[str] = field(default_factory=Counter)

    def admit(self, transport: asyncio.Transport, protocol: Checked, host: str) -> ClientLine | None:
        """Count a new connection; None if there are too many, of this address or in all."""
        address, is_proxy = sender(host), self.proxies.trusts(host)
        if len(self.open) >= self.limits.connections:
            METRICS.connections_ended["too-many"] += 1
            return None
        if self.by_address[address] >= self.limits.per_address and not is_proxy:
            METRICS.connections_ended["too-many-of-one-address"] += 1
            return None
        line = ClientLine(self, transport, protocol, address)
        self.open.add(line)
        self.by_address[address] += 1
        return line

    def release_address(self, address: str) -> None:
        """Count one connection of an address less."""
        self.by_address[address] -= 1
        if self.by_address[address] <= 0:
            del self.by_address[address]

    async def watch(self) -> None:
        """Check all connections for as long as the server runs."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(CHECKED_EACH)
            now = loop.time()
            self._bound_unread()
            for line in list(self.open):
                try:
                    line.check(now)
                except Exception:
                    log.exception("connection not checked")
                    line.transport.abort()

    def _bound_unread(self) -> None:
        """End connections of an address that has too much waiting for it altogether."""
        waiting: Counter[str] = Counter()
        for line in list(self.open):
            if size := line.transport.get_write_buffer_size():
                waiting[line.address] += size
                if waiting[line.address] > self.limits.unread_in_all:
                    METRICS.connections_ended["unread"] += 1
                    line.transport.abort()


def raise_descriptor_limit() -> int:
    """Let the process open as many files as it may, and return how many that is."""
    try:
        import resource
    except ImportError:  # there is no such limit here
        return MOST_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft >= most:
        return soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
