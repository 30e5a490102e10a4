"""Answers to requests: JSON and documents, and the status that goes with a refusal."""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Generic, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from punto.server.realtime.messages import RefusedMessage
from punto.store.codec import encoder
from punto.store.words import KnownWords

STATUS = {
    "not-signed-in": 401,
    "not-permitted": 403,
    "no-position": 403,
    "wrong-origin": 403,
    "unknown-table": 404,
    "not-found": 404,
    "too-large": 413,
    "session-locked": 423,
    "bad-message": 422,
    "too-many": 429,
    "failed": 500,
    "stopping": 503,
    "table-opening": 503,
    "not-known": 503,
    "house-behind": 503,
    "program-altered": 503,
}
"""The status of each refusal; any other is a conflict with the state of a table, a person or an account."""

T = TypeVar("T")


class Json(Response, Generic[T]):
    """JSON made by the route itself, for an answer that needs more than its content, such as a cookie."""

    media_type = "application/json"

    def __init__(self, content: T, status: int = 200, words: KnownWords | None = None) -> None:
        """Encode the content, with what people wrote in place of references to it, where ``words`` are given."""
        encoded = encoder.encode(content)
        super().__init__(words.in_json(encoded) if words else encoded, status)


def packed(request: Request, answer: Json[T]) -> Json[T]:
    """Compress an answer for clients that take it.

    Only for what is the same for everyone: the length of a compressed secret tells of it.
    """
    answer.headers["vary"] = "accept-encoding"
    if "gzip" in request.headers.get("accept-encoding", ""):
        answer.body = _pack(bytes(answer.body))
        answer.headers["content-encoding"] = "gzip"
        answer.headers["content-length"] = str(len(answer.body))
    return answer


@lru_cache(maxsize=32)
def _pack(content: bytes) -> bytes:
    return gzip.compress(content)


class Pdf(Response):
    """A document to print."""

    media_type = "application/pdf"


class Csv(Response):
    """A table for other programs."""

    media_type = "text/csv"


class NoContent(Response):
    """The answer to a request that was carried out and has nothing to tell."""

    def __init__(self) -> None:
        super().__init__(status_code=204)


def refusal_answer(message: RefusedMessage, status: int | None = None) -> Response:
    """Return a refusal as an answer, with the status of its code unless another is given."""
    return Json(message, status or STATUS.get(message.code, 409))


def offer_as_file(response: Response, name: str) -> None:
    """Have a browser save an answer as a file of this name."""
    response.headers["content-disposition"] = f'attachment; filename="{name}"'
