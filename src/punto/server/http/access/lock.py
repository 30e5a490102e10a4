"""The lock of a session of staff in which nothing was given for some minutes: input noted, and opening it again."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request

from punto.server.access.identity import BadPerson, Person, Session
from punto.server.gateway import Gateway
from punto.server.http.access.people import PersonShown, shown
from punto.server.http.access.sign_in import Password
from punto.server.refused import Refused
from punto.server.routing.guard import throttle
from punto.server.routing.routes import Routes
from punto.server.routing.sessions import locked_of, sender_of, session_of, token_of
from punto.server.running.metrics import METRICS
from punto.server.running.server_log import log


class Unlocking(Struct, frozen=True, forbid_unknown_fields=True):
    """The password of the person whose session is locked, or a code of their second factor."""

    password: Password | None = None
    code: Annotated[str, Meta(min_length=6, max_length=40)] | None = None


routes = Routes("/api/me", "signing in")


@routes.post("/active", while_closed=True)
async def note_input(person: Person) -> None:
    """Tell that the person at the page is giving something, such as a press of a key."""


@routes.post("/unlock", while_closed=True)
async def unlock(gateway: Gateway, request: Request, body: Unlocking) -> PersonShown:
    """Open the caller's session again, which was locked, by the password or by a code of the second factor."""
    throttle(gateway.sign_ins, request)
    session, token = await locked_of(gateway, request), token_of(request)
    if session is None or token is None:
        if (open_already := await session_of(gateway, request)) is None:
            raise Refused("not-signed-in")
        return shown(open_already.person)
    try:
        if body.code is not None and session.person.has_factor:
            await gateway.second_factors.show(token, session, body.code, sender_of(request))
        else:
            await _check_password(gateway, request, session, body.password or "")
            await gateway.people.unlock(session)
    except BadPerson:
        METRICS.sign_ins["refused"] += 1
        gateway.refused_sign_ins.count(session.person.id, sender_of(request))
        log.info("unlocking refused", person=session.person.id, address=sender_of(request))
        raise
    log.info("session unlocked", person=session.person.id, address=sender_of(request))
    return shown(session.person)


async def _check_password(gateway: Gateway, request: Request, session: Session, password: str) -> None:
    person, address = session.person.id, sender_of(request)
    with gateway.limits.trying(address, person, wrong=BadPerson):
        if not await gateway.people.is_password(person, password, address):
            raise BadPerson("unlock-password")
