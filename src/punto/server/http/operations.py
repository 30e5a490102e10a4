"""Health and figures, for the people and programs that keep the server running."""

from __future__ import annotations

from ipaddress import ip_address
from typing import ClassVar

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from punto import __version__
from punto.server.gateway import Gateway
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.server.running.health import Trouble
from punto.server.running.metrics import exposition
from punto.server.tables.floor import Floor


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
    troubles: tuple[Trouble, ...] = ()
    """All of them; ``why`` is the first."""


class Alive(Struct, frozen=True):
    """The process runs and answers."""

    ok: bool


routes = Routes("", "operations")


@routes.get("/healthz")
async def show_health(gateway: Gateway) -> Healthy | NotHealthy:
    """Tell whether commands can be stored now: the server has just stored something."""
    return await _health(gateway, readiness=False)


@routes.get("/readyz")
async def show_readiness(gateway: Gateway) -> Healthy | NotHealthy:
    """Tell whether to send clients here: commands can be stored, and every table is open."""
    return await _health(gateway, readiness=True)


@routes.get("/livez")
async def show_liveness() -> Alive:
    """Tell that the process answers at all; if it does not, restart it."""
    return Alive(True)


async def _health(gateway: Gateway, readiness: bool) -> Healthy | NotHealthy:
    if troubles := await gateway.health.troubles(readiness):
        return NotHealthy(False, troubles[0], troubles)
    floor = gateway.floor
    return Healthy(True, __version__, len(floor.tables), closed_streams(floor), len(floor.opener.opening))


@routes.get("/metrics")
async def show_metrics(gateway: Gateway, request: Request) -> PlainTextResponse:
    """Return figures for Prometheus, to callers on the same machine only."""
    host = request.client.host if request.client else ""
    if "x-forwarded-for" in request.headers or not _is_loopback(host):
        raise Refused("not-found")
    served = gateway.floor.tables.values()
    held = sum(1 for each in served if each.table.hold and not each.is_behind)  # another process counts the others
    content, kind = exposition(len(gateway.sockets), len(served), held)
    return PlainTextResponse(content, media_type=kind)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
