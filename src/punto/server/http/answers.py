"""Answers to requests: JSON, and the status that goes with a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from punto.server.gateway import Desk, Refused
from punto.server.realtime.messages import BadMessage, RefusedMessage
from punto.store.codec import encoder

STATUS = {
    "not-signed-in": 401,
    "not-permitted": 403,
    "no-position": 403,
    "wrong-origin": 403,
    "unknown-table": 404,
    "not-found": 404,
    "too-large": 413,
    "bad-message": 422,
    "too-many": 429,
    "stopping": 503,
    "not-known": 503,
}
"""The status of each refusal; any other is a conflict with the state of a table, a person or an account."""

T = TypeVar("T")


def answered(content: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(encoder.encode(content), status, media_type="application/json")


def refusal_answer(message: RefusedMessage) -> Response:
    """Return a refusal as an answer, with the status of its code."""
    return answered(message, STATUS.get(message.code, 409))


def _desk_of(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


AtDesk = Annotated[Desk, Depends(_desk_of)]
"""For a route: the desk it is asked at."""


async def read(request: Request, kind: type[T]) -> T:
    """The body of a request, as what it has to be."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refused("bad-message", why=str(error)) from None


def reading(decode: Callable[[bytes], T], data: bytes) -> T:
    """The same for a message that has its own way to be read."""
    try:
        return decode(data)
    except BadMessage as error:
        raise Refused("bad-message", why=str(error)) from None
