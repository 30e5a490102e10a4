"""Limits on every request, where it may come from, and the headers of every answer."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from time import monotonic
from typing import Any

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from punto.server.gateway import MOST_BYTES, Gateway
from punto.server.realtime.messages import refused
from punto.server.refused import Refused
from punto.server.routing.answers import refusal_answer
from punto.server.routing.sessions import is_from_here, sender_of
from punto.server.running.rate_limit import TokenBuckets
from punto.table.refusal import refuse

POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
    b"cache-control": b"no-store",
}
"""Headers of every answer that does not set them itself."""
TOO_MANY, HELD_FOR = 429, 0.25
"""An answer that someone asks too often waits for so many seconds: who guesses on a connection gets no further, and
to answer them costs little."""
SAFE = {"GET", "HEAD", "OPTIONS"}


def throttle(allowances: TokenBuckets, request: Request) -> None:
    """Raise ``Refused`` if the address a request comes from has used up its allowance."""
    if not allowances.take(sender_of(request), monotonic()):
        raise Refused("too-many")


class Guard:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp, gateway: Gateway) -> None:
        self._app, self._gateway = app, gateway

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope = self._gateway.proxies.scope(scope)
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        begun = False

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                if message["status"] == TOO_MANY:
                    await asyncio.sleep(HELD_FOR)
                begun = True
                named = {name.lower() for name, _ in message["headers"]}
                message["headers"] += [each for each in HEADERS.items() if each[0] not in named]
            await send(message)

        try:
            self._check(Request(scope))
        except Refused as error:
            await refusal_answer(refused(error.refusal))(scope, receive, send_with_headers)
            return
        try:
            await self._app(scope, Bounded(receive), send_with_headers)
        except asyncio.CancelledError:  # the server stops and waits no longer
            if begun or not self._gateway.floor.stopping:
                raise
            await refusal_answer(refused(refuse("not-known")))(scope, receive, send_with_headers)

    def _check(self, request: Request) -> None:
        length = request.headers.get("content-length", "0")
        if length.isascii() and length.isdigit() and int(length) > MOST_BYTES:
            raise Refused("too-large", most=MOST_BYTES)
        throttle(self._gateway.requests, request)
        if request.method not in SAFE and not is_from_here(self._gateway, request):
            raise Refused("wrong-origin")


class Bounded:
    """A request's body up to a limit, whatever its sender said of its length."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._seen = receive, 0

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > MOST_BYTES:
            raise Refused("too-large", most=MOST_BYTES)
        return message
