"""The application: everything that is asked of a server, and what goes with every answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from ipaddress import ip_address
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse
from starlette.exceptions import HTTPException

from punto import __version__
from punto.server.gateway import MOST_BYTES, Desk, Refused
from punto.server.http import audit, games, house, lobby, pit, school, tables
from punto.server.http.answers import AtDesk, answered, refusal_answer
from punto.server.http.openapi import describe, gives
from punto.server.http.pages import nowhere, pages
from punto.server.http.sessions import is_from_here
from punto.server.metrics import exposition
from punto.server.realtime.connection import serve_socket
from punto.server.server_log import log
from punto.server.tables.stream_follower import StreamClosed
from punto.store.events.house_events import HOUSE
from punto.store.records import StoreError

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

HEADERS = {
    b"content-security-policy": b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
    b"cache-control": b"no-store",
}
"""What goes with every answer; a page of its own may say otherwise about keeping it."""
SAFE = {"GET", "HEAD", "OPTIONS"}


class Guard:
    """Stands before the application: limits, where a request comes from, and the headers of every answer."""

    def __init__(self, app: Any, desk: Desk) -> None:
        self._app, self._desk = app, desk

    def described(self) -> dict[str, Any]:
        """Everything that can be asked, as OpenAPI."""
        description: dict[str, Any] = self._app.openapi()
        return description

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_on(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                named = {name.lower() for name, _ in message["headers"]}
                message["headers"] += [each for each in HEADERS.items() if each[0] not in named]
            await send(message)

        request = Request(scope, receive)
        if refused := self._refused(request):
            await refusal_answer(refused.message)(scope, receive, send_on)
            return
        await self._app(scope, _Bounded(receive), send_on)

    def _refused(self, request: Request) -> Refused | None:
        length = request.headers.get("content-length", "0")
        if length.isascii() and length.isdigit() and int(length) > MOST_BYTES:
            return Refused("too-large", most=MOST_BYTES)
        sender = request.client.host if request.client else ""
        if not self._desk.requests.take(sender, self._desk.clock() / 1000):
            return Refused("too-many")
        if request.method not in SAFE and not is_from_here(self._desk, request):
            return Refused("wrong-origin")
        return None


class _Bounded:
    """What comes in, up to a limit, whatever the sender said of its length."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._seen = receive, 0

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > MOST_BYTES:
            raise Refused("too-large", most=MOST_BYTES)
        return message


def create_app(desk: Desk) -> Any:
    """The application over a desk."""
    app = FastAPI(title="Punto", version=__version__, redoc_url=None, docs_url=None)
    app.state.desk = desk
    app.state.school = school.Schoolroom()
    for routes in (
        house.signing_in,
        house.people,
        house.cage,
        games.games,
        tables.tables,
        tables.shoes,
        lobby.for_pages,
        pit.pit,
        audit.audit,
        school.school,
        watching,
        pages,
    ):
        app.include_router(routes)
    app.add_api_websocket_route("/api/socket", _socket(desk))
    _answer_errors(app)
    described: list[dict[str, Any]] = []

    def openapi() -> dict[str, Any]:
        if not described:
            described.append(describe(app))
        return described[0]

    app.openapi = openapi  # type: ignore[method-assign]
    return Guard(app, desk)


def _socket(desk: Desk) -> Callable[[WebSocket], Awaitable[None]]:
    async def socket(websocket: WebSocket) -> None:
        await serve_socket(desk, websocket)

    return socket


watching = APIRouter(tags=["operations"])
"""For whoever keeps the server running."""


@watching.get("/healthz", responses={503: {"description": "It does not serve, and why."}})
async def healthz(desk: AtDesk) -> Response:
    """Whether the server serves, and its database answers."""
    if desk.floor.stopping:
        return answered({"ok": False, "why": "stopping"}, 503)
    try:
        await desk.floor.store.head(HOUSE)
    except Exception as error:
        log.error("not healthy", why=type(error).__name__)
        return answered({"ok": False, "why": "the database does not answer"}, 503)
    closed = [{"stream": stream, "event": event} for stream, event in desk.floor.closed.items()]
    return answered({"ok": True, "version": __version__, "tables": len(desk.floor.tables), "closed": closed})


@watching.get("/metrics", response_class=PlainTextResponse, responses=gives(None))
async def figures(desk: AtDesk, request: Request) -> Response:
    """Figures for Prometheus, to somebody on the same machine."""
    host = request.client.host if request.client else ""
    if "x-forwarded-for" in request.headers or not _is_near(host):
        raise Refused("not-found")
    served = desk.floor.tables.values()
    content, kind = exposition(len(desk.sockets), len(served), sum(1 for each in served if each.table.hold))
    return Response(content, media_type=kind)


def _is_near(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _answer_errors(app: FastAPI) -> None:
    """Whatever goes wrong is answered with a sentence."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        return refusal_answer(error.message)

    @app.exception_handler(RequestValidationError)
    async def not_understood(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        why = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        told = Refused("bad-message", why=why)
        return refusal_answer(told.message)

    @app.exception_handler(HTTPException)
    async def not_found(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
            return nowhere()
        told = Refused("not-found")
        return answered(told.message, error.status_code)

    @app.exception_handler(StreamClosed)
    async def closed(_: Request, error: StreamClosed) -> Response:
        return refusal_answer(Refused(error.refusal).message)

    @app.exception_handler(StoreError)
    async def not_stored(_: Request, error: StoreError) -> Response:
        log.error("not stored", why=str(error))
        told = Refused("not-known")
        return refusal_answer(told.message)
