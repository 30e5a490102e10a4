"""Sign-ins on a connection: the token it carries, the person behind it, and the cookie a browser keeps it in."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import Response

from punto.server.access.identity import IDLE, Person, Session
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.refused import Refused
from punto.server.running.proxies import sender
from punto.server.running.server_log import log

COOKIE = "punto"
_SCHEMES = {"http": "http", "ws": "http", "https": "https", "wss": "https"}
_PORTS = {"http": 80, "https": 443}


def sender_of(request: HTTPConnection) -> str:
    """Return whom a request's allowances belong to: its client's address, behind trusted proxies the one they name."""
    return sender(request.client.host if request.client else "")


def token_of(connection: HTTPConnection) -> str | None:
    """Return the token of a sign-in: from a program's header, or from a browser's cookie."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token:
        return token.strip()
    return connection.cookies.get(COOKIE)


async def session_of(gateway: Gateway, connection: HTTPConnection) -> Session | None:
    """Return the caller's session, if the caller is signed in."""
    token = token_of(connection)
    return await session_by(gateway, token) if token else None


async def session_by(gateway: Gateway, token: str) -> Session | None:
    """Return the session of a token, a person's or a device's, if it is valid."""
    return await gateway.people.session(token) or await gateway.devices.session(token)


async def locked_of(gateway: Gateway, connection: HTTPConnection) -> Session | None:
    """Return the caller's session if it is locked, since nothing was given in it for some minutes."""
    token = token_of(connection)
    return await gateway.people.locked(token) if token else None


async def unfinished_of(gateway: Gateway, connection: HTTPConnection) -> Session | None:
    """Return the caller's session if it lacks only the second factor."""
    token = token_of(connection)
    return await gateway.people.unfinished(token) if token else None


async def session_or_lock(gateway: Gateway, connection: HTTPConnection) -> tuple[Session | None, bool]:
    """Return the caller's session, and whether it is none because it is locked."""
    if session := await session_of(gateway, connection):
        return session, False
    locked = await locked_of(gateway, connection)
    session = await session_of(gateway, connection)  # it may have been unlocked between the two looks
    return session, session is None and locked is not None


async def required_session(gateway: Gateway, connection: HTTPConnection) -> Session:
    """Return the caller's session; raise ``Refused`` if it is locked, or there is none."""
    session, locked = await session_or_lock(gateway, connection)
    if session is None:
        raise Refused("session-locked" if locked else "not-signed-in")
    return session


def check_permission(person: Person, permission: Permission) -> None:
    """Raise ``Refused`` if a person's duty lacks a permission."""
    if not permission.is_given_to(person.duty):
        log.warning("not permitted", permission=permission.value, person=person.id, duty=person.duty.value)
        raise Refused("not-permitted", duty=person.duty.value)


def is_from_here(gateway: Gateway, connection: HTTPConnection) -> bool:
    """Tell whether a browser names one of this server's own pages as the origin; programs name none."""
    origin = connection.headers.get("origin")
    if origin is None or origin in gateway.origins:
        return True
    scheme = _SCHEMES[connection.url.scheme]
    try:
        return _place(origin) == _place(f"{scheme}://{connection.headers['host']}")
    except (KeyError, ValueError):
        return False  # it is no address at all


def _place(origin: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an origin, which has nothing else."""
    parts = urlsplit(origin)
    if parts.scheme not in _PORTS or not parts.hostname or origin != f"{parts.scheme}://{parts.netloc}":
        raise ValueError(origin)
    if parts.username is not None or parts.password is not None:
        raise ValueError(origin)
    return parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme]


def set_cookie(gateway: Gateway, response: Response, token: str) -> None:
    """Let the browser keep a sign-in where no page's own code can read it."""
    age = IDLE // 1000
    response.set_cookie(COOKIE, token, age, httponly=True, samesite="strict", secure=gateway.secure, path="/")


def delete_cookie(response: Response) -> None:
    """Have the browser forget its sign-in."""
    response.delete_cookie(COOKIE, path="/")
