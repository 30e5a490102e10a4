"""Health and figures, for the people and programs that keep the server running."""

from __future__ import annotations

from enum import StrEnum
from ipaddress import ip_address
from typing import ClassVar

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from punto import __version__
from punto.server.gateway import Gateway
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.server.running.metrics import exposition
from punto.server.running.server_log import log
from punto.server.tables.floor import Floor
from punto.store.events.house_events import HOUSE


class Trouble(StrEnum):
    """Why a server does not serve."""

    STOPPING = "stopping"
    DATABASE = "database"
    """It does not answer."""
    HOUSE_BEHIND = "house-behind"
    """It went back in time, and nobody has accepted that yet."""


class ClosedStream(Struct, frozen=True):
    """A stream that cannot be followed from an event on; what depends on it is not served."""

    stream: str
    event: int
    reason: str
    """The code of the finding that an audit reports."""


def closed_streams(floor: Floor) -> tuple[ClosedStream, ...]:
    """Return the streams that cannot be followed, for staff and for health."""
    return tuple(ClosedStream(stream, event, floor.reasons[stream]) for stream, event in floor.closed.items())


class Healthy(Struct, frozen=True):
    """The server serves, apart from what depends on closed streams."""

    ok: bool
    version: str
    tables: int
    closed: tuple[ClosedStream, ...]
    opening: int
    """Tables that are still being read, and open in a while."""


class NotHealthy(Struct, frozen=True):
    """The server does not serve."""

    http_status: ClassVar[int] = 503

    ok: bool
    why: Trouble


routes = Routes("", "operations")


@routes.get("/healthz")
async def show_health(gateway: Gateway) -> Healthy | NotHealthy:
    """Tell whether the server serves and its database answers."""
    if gateway.floor.stopping:
        return NotHealthy(False, Trouble.STOPPING)
    try:
        await gateway.floor.store.head(HOUSE)
    except Exception as error:
        log.error("not healthy", why=type(error).__name__)
        return NotHealthy(False, Trouble.DATABASE)
    if gateway.floor.store.closed:
        return NotHealthy(False, Trouble.HOUSE_BEHIND)
    floor = gateway.floor
    return Healthy(True, __version__, len(floor.tables), closed_streams(floor), len(floor.opener.opening))


@routes.get("/metrics")
async def show_metrics(gateway: Gateway, request: Request) -> PlainTextResponse:
    """Return figures for Prometheus, to callers on the same machine only."""
    host = request.client.host if request.client else ""
    if "x-forwarded-for" in request.headers or not _is_loopback(host):
        raise Refused("not-found")
    served = gateway.floor.tables.values()
    content, kind = exposition(len(gateway.sockets), len(served), sum(1 for each in served if each.table.hold))
    return PlainTextResponse(content, media_type=kind)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
