"""The application: every route, the socket, and how errors are answered."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from punto.server.designer import design_routes
from punto.server.designer.analysis import Analysis
from punto.server.gateway import Gateway
from punto.server.history import history_routes, own_statement, receipt_routes
from punto.server.http import (
    audit,
    event_search,
    games,
    lobby,
    operations,
    pages,
    pit,
    practice,
    roads,
    rounds,
    shoes,
    table_people,
    tables,
    verification,
)
from punto.server.http.access import devices, lock, people, second_factor, sign_in
from punto.server.http.money import cage, cage_desk, house, patron_limits, ratings, shift_reports, slips
from punto.server.http.school import house_cases, lessons, results
from punto.server.pit import alert_routes, guard_routes, matter_routes, significant_routes
from punto.server.realtime.connection import serve_socket
from punto.server.realtime.messages import refused
from punto.server.refused import Refused
from punto.server.routing.answers import Json, refusal_answer
from punto.server.routing.guard import Guard
from punto.server.routing.openapi import describe
from punto.server.routing.routes import Routes, starlette_routes
from punto.server.running.server_log import log
from punto.store.codec import UnknownEvent
from punto.store.records import HouseBehind, StoreError
from punto.table.refusal import refuse

AREAS = (
    sign_in,
    second_factor,
    lock,
    practice,
    people,
    devices,
    house,
    cage,
    cage_desk,
    patron_limits,
    slips,
    games,
    design_routes,
    tables,
    table_people,
    shoes,
    lobby,
    roads,
    rounds,
    history_routes,
    own_statement,
    receipt_routes,
    pit,
    ratings,
    shift_reports,
    matter_routes,
    alert_routes,
    guard_routes,
    significant_routes,
    audit,
    event_search,
    verification,
    lessons,
    results,
    operations,
    pages,
)
own = Routes()


@own.get("/openapi.json")
async def show_interface() -> Json[Any]:
    """Return the description of the interface."""
    return Json(interface())


ENDPOINTS = [endpoint for area in AREAS for endpoint in area.routes.endpoints] + own.endpoints


@cache
def interface() -> dict[str, Any]:
    """Return the description of the interface, as OpenAPI."""
    return describe(ENDPOINTS)


def create_app(gateway: Gateway) -> ASGIApp:
    """Return the application over a gateway."""

    async def socket(websocket: WebSocket) -> None:
        await serve_socket(gateway, websocket)

    app = Starlette(
        routes=[*starlette_routes(ENDPOINTS), WebSocketRoute("/api/socket", socket)],
        exception_handlers={
            Refused: _refused,
            HTTPException: _not_found,
            StoreError: _not_stored,
            UnknownEvent: _unreadable,
            ClientDisconnect: _gone,
            Exception: _failed,
        },
    )
    store = gateway.floor.store
    openings = pit.OpeningDigests(store)
    gateway.reads_log = partial(audit.reads_log, gateway, openings)
    parts = (
        gateway,
        Analysis(),
        lessons.Schoolroom(),
        house_cases.HouseCases(store),
        rounds.RoundDigests(store),
        openings,
        alert_routes.TableWatches(gateway.floor),
        guard_routes.TableGuards(gateway.floor),
    )
    app.state.parts = {type(each): each for each in parts}
    return Guard(app, gateway)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal_answer(refused(error.refusal))


async def _not_found(request: Request, error: Exception) -> Response:
    """Answer a request for a path that does not exist, or by a method that the path does not take."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return pages.nowhere()
    refusal = refuse("not-found", case="method" if error.status_code == 405 else None)
    response = refusal_answer(refused(refusal), error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _not_stored(_: Request, error: Exception) -> Response:
    log.error("not stored", why=str(error))
    return refusal_answer(refused(refuse(error.by.value if isinstance(error, HouseBehind) else "not-known")))


async def _unreadable(_: Request, error: Exception) -> Response:
    """Answer a request for what stands in the log and is not as it was stored, or cannot be read."""
    log.error("log not in order", why=str(error))
    return refusal_answer(refused(refuse("cannot-be", case="unreadable-log")))


async def _gone(_: Request, __: Exception) -> Response:
    """Answer a client that hung up before its request was whole: nobody reads it, and nothing is wrong."""
    return Response(status_code=400)


async def _failed(_: Request, __: Exception) -> Response:
    """Answer where the server itself made a mistake; the error goes on to the log."""
    return refusal_answer(refused(refuse("failed")))
