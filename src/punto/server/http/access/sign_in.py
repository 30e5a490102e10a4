"""Signing in and out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request

from punto.server.access.identity import MINUTE, BadPerson, Person, SignInRefused
from punto.server.gateway import Gateway
from punto.server.http.access.people import Name, PersonShown, shown
from punto.server.routing.answers import Json, NoContent
from punto.server.routing.event_numbers import LastKnownEvent
from punto.server.routing.guard import throttle
from punto.server.routing.routes import Routes
from punto.server.routing.sessions import (
    delete_cookie,
    locked_of,
    sender_of,
    session_of,
    set_cookie,
    token_of,
    unfinished_of,
)
from punto.server.running.metrics import METRICS
from punto.server.running.server_log import log

LINK_STANDS_IN = 60 * MINUTE
"""Milliseconds after a sign-in by link in which a new password takes no old one."""
Password = Annotated[str, Meta(max_length=200)]


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password."""

    name: Name
    password: Password


class UseLink(Struct, frozen=True, forbid_unknown_fields=True):
    """A sign-in link, which works once."""

    link: Annotated[str, Meta(max_length=100)]


class SecondFactorNeeded(StrEnum):
    """What a sign-in still needs."""

    SHOW = "show"
    SET_UP = "set-up"


class SignedIn(Struct, frozen=True):
    """A new sign-in: its token, for programs, and the person."""

    token: str
    person: PersonShown
    second_factor: SecondFactorNeeded | None = None
    """What has to follow before the token signs in: the code of the second factor, or to set one up."""


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """The password to sign in with from now on."""

    password: Password
    old: Password | None = None
    """The password until now, if there is one; not asked for soon after a sign-in by link."""


class LinkNotice(Struct, frozen=True):
    """A sign-in link that was made for the caller."""

    at: int
    by: str
    name: str
    """Of who made or confirmed it; empty for one made at the command line."""
    asked_by: str | None = None
    """The name of who asked for it, where that took two people."""


class NoticesSeen(Struct, frozen=True, forbid_unknown_fields=True):
    """The newest link that the caller was told of."""

    up_to: LastKnownEvent


routes = Routes("/api", "signing in")


async def let_in(
    gateway: Gateway, request: Request, name: str | None, signing_in: Callable[[], Awaitable[str]]
) -> Json[SignedIn]:
    """Sign a person in: answer with their token, and have the browser keep it. Failures are counted and limited."""
    address = sender_of(request)
    try:
        with gateway.limits.trying(address, name, wrong=SignInRefused):
            token = await signing_in()
    except SignInRefused as error:
        METRICS.sign_ins["refused"] += 1
        gateway.refused_sign_ins.count(error.person, address)
        log.info("sign-in refused", address=address, person=error.person)
        raise
    response = Json(await _signed_in(gateway, token, address))
    set_cookie(gateway, response, token)
    return response


async def _signed_in(gateway: Gateway, token: str, address: str) -> SignedIn:
    session = await gateway.people.session(token)
    if session:
        METRICS.sign_ins["done"] += 1
        log.info("signed in", person=session.person.id, duty=session.person.duty.value, address=address)
        return SignedIn(token, shown(session.person))
    session = await gateway.people.unfinished(token)
    if session is None:  # it was ended meanwhile
        raise SignInRefused("wrong-password")
    log.info("second factor asked", person=session.person.id, address=address)
    needed = SecondFactorNeeded.SHOW if session.person.has_factor else SecondFactorNeeded.SET_UP
    return SignedIn(token, shown(session.person), needed)


@routes.post("/sign-in", while_closed=True)
async def sign_in(gateway: Gateway, request: Request, body: SignIn) -> Json[SignedIn]:
    """Sign in by name and password. After failures an address waits, longer each time; a name is never locked."""
    throttle(gateway.sign_ins, request)
    address, people = sender_of(request), gateway.people
    return await let_in(gateway, request, body.name, lambda: people.sign_in(body.name, body.password, address))


@routes.post("/links", while_closed=True)
async def use_link(gateway: Gateway, request: Request, body: UseLink) -> Json[SignedIn]:
    """Sign in by a link, which works once."""
    throttle(gateway.sign_ins, request)
    return await let_in(gateway, request, None, lambda: gateway.people.use_link(body.link))


@routes.post("/sign-out", while_closed=True)
async def sign_out(gateway: Gateway, request: Request) -> NoContent:
    """Sign out: end the session of the caller's token."""
    session = await session_of(gateway, request) or await unfinished_of(gateway, request)
    session = session or await locked_of(gateway, request)
    if session and (token := token_of(request)):
        await gateway.people.sign_out(token)
        await gateway.watch.check()
    response = NoContent()
    delete_cookie(response)
    return response


@routes.get("/me")
async def me(person: Person) -> PersonShown:
    """Return the person who is signed in."""
    return shown(person)


@routes.post("/me/password")
async def set_password(gateway: Gateway, request: Request, person: Person, body: NewPassword) -> None:
    """Choose a password. All other sessions of the caller end.

    Who has one already shows it, unless they have just signed in by a link: that is how a forgotten one is replaced.
    """
    throttle(gateway.sign_ins, request)
    await _check_old(gateway, request, person, body.old)
    await gateway.people.set_password(person.id, body.password, keep=token_of(request))
    await gateway.watch.check()


async def _check_old(gateway: Gateway, request: Request, person: Person, old: str | None) -> None:
    session, address = await session_of(gateway, request), sender_of(request)
    by_link = session is not None and session.by_link and gateway.clock() - session.made_at < LINK_STANDS_IN
    if by_link or not await gateway.people.has_password(person.id):
        return
    with gateway.limits.trying(address, person.id, wrong=BadPerson):
        if old is None or not await gateway.people.is_password(person.id, old, address):
            gateway.refused_sign_ins.count(person.id, address)
            raise BadPerson("old-password")


@routes.get("/me/links")
async def my_links(gateway: Gateway, person: Person) -> list[LinkNotice]:
    """List the sign-in links that others made for the caller since they last looked."""
    notices = await gateway.people.link_notices(person.id)
    names = await gateway.people.names({each for _, *people in notices for each in people if each})
    return [
        LinkNotice(at, by, names.get(by, ""), names.get(asked_by, "") if asked_by else None)
        for at, by, asked_by in notices
    ]


@routes.post("/me/links/seen")
async def links_seen(gateway: Gateway, person: Person, body: NoticesSeen) -> None:
    """Tell that the caller knows of these links."""
    await gateway.people.forget_notices(person.id, body.up_to)
