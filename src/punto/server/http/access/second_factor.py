"""The caller's second factor: showing it to complete a sign-in, setting it up, and asking to have it removed."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request

from punto.server.access.identity import BadPerson, Person, Session
from punto.server.access.person_requests import PersonRequest, RequestKind
from punto.server.gateway import Gateway
from punto.server.http.access.people import PersonShown, shown
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.server.routing.sessions import sender_of, session_of, token_of, unfinished_of
from punto.server.running.metrics import METRICS
from punto.server.running.server_log import log

Code = Annotated[str, Meta(min_length=6, max_length=40)]


class ShownCode(Struct, frozen=True, forbid_unknown_fields=True):
    """The code that the caller's app shows now, or a recovery code."""

    code: Code


class NewFactor(Struct, frozen=True, forbid_unknown_fields=True):
    """An offered second factor, with the first code made with it."""

    sealed: Annotated[str, Meta(max_length=200)]
    code: Code


class FactorOffered(Struct, frozen=True):
    """A secret for an app that makes codes (TOTP): as text, and as an address that apps open."""

    key: str
    address: str
    sealed: str
    """To be sent back with the first code."""


class RecoveryCodes(Struct, frozen=True):
    """Codes that stand in for a lost phone, once each. They are shown here only."""

    codes: tuple[str, ...]


class FactorState(Struct, frozen=True):
    """The caller's second factor."""

    is_set: bool
    required: bool
    recovery_left: int


routes = Routes("/api/me/second-factor", "signing in")


@routes.get("")
async def second_factor(gateway: Gateway, request: Request) -> FactorState:
    """Tell whether the caller has a second factor, and whether the house asks for it."""
    _, session = await _signing_in(gateway, request)
    left = await gateway.second_factors.recovery_left(session.person)
    return FactorState(session.person.has_factor, gateway.people.requires_factor(session.person.duty), left)


@routes.post("/show", while_closed=True)
async def show_second_factor(gateway: Gateway, request: Request, body: ShownCode) -> PersonShown:
    """Complete a sign-in by the code of the second factor, or by a recovery code. Each works once."""
    token, session = await _signing_in(gateway, request)
    if not session.person.has_factor or session.passed:
        raise BadPerson("no-code-asked")
    try:
        await gateway.second_factors.show(token, session, body.code, sender_of(request))
    except Refused:
        METRICS.sign_ins["refused"] += 1
        gateway.refused_sign_ins.count(session.person.id, sender_of(request))
        log.info("second factor refused", person=session.person.id, address=sender_of(request))
        raise
    return _completed(session.person)


@routes.post("/offer", while_closed=True)
async def offer_second_factor(gateway: Gateway, request: Request) -> FactorOffered:
    """Offer a secret to set up a second factor with. Nothing is stored until a code made with it is shown."""
    _, session = await _signing_in(gateway, request)
    if session.person.has_factor:
        raise BadPerson("second-factor-set")
    offer = gateway.second_factors.offer(session.person)
    return FactorOffered(offer.key, offer.address, offer.sealed)


@routes.post("/set", while_closed=True)
async def set_second_factor(gateway: Gateway, request: Request, body: NewFactor) -> RecoveryCodes:
    """Set up the offered second factor. The answer has the recovery codes. Other sessions need the code from now on."""
    token, session = await _signing_in(gateway, request)
    codes = await gateway.second_factors.set_up(token, session, body.sealed, body.code)
    await gateway.watch.check()
    _completed(session.person)
    return RecoveryCodes(codes)


@routes.post("/remove")
async def ask_to_remove_own(gateway: Gateway, person: Person) -> PersonRequest:
    """Ask to have one's own second factor removed, such as for a new phone; a manager confirms it."""
    return await gateway.requests_about.ask(RequestKind.SECOND_FACTOR, person, (person.id, person.duty.value))


def _completed(person: Person) -> PersonShown:
    METRICS.sign_ins["done"] += 1
    log.info("signed in", person=person.id, duty=person.duty.value, second_factor=True)
    return shown(person)


async def _signing_in(gateway: Gateway, request: Request) -> tuple[str, Session]:
    """Return the caller's session, also one that lacks only the second factor."""
    token = token_of(request)
    session = await session_of(gateway, request) or await unfinished_of(gateway, request)
    if token is None or session is None:
        raise Refused("not-signed-in")
    return token, session
