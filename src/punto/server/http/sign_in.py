"""Signing in and out."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request

from punto.server.access.identity import Person, SignInRefused
from punto.server.gateway import Gateway
from punto.server.http.people import Name, PersonShown, shown
from punto.server.routing.answers import Json, NoContent
from punto.server.routing.guard import throttle
from punto.server.routing.routes import Routes
from punto.server.routing.sessions import delete_cookie, session_of, set_cookie, token_of
from punto.server.running.metrics import METRICS
from punto.server.running.server_log import log

Password = Annotated[str, Meta(max_length=200)]


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password."""

    name: Name
    password: Password


class UseLink(Struct, frozen=True, forbid_unknown_fields=True):
    """A sign-in link, which works once."""

    link: Annotated[str, Meta(max_length=100)]


class SignedIn(Struct, frozen=True):
    """A new sign-in: its token, for programs, and the person."""

    token: str
    person: PersonShown


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """The password to sign in with from now on."""

    password: Password


routes = Routes("/api", "signing in")


async def let_in(gateway: Gateway, signing_in: Awaitable[str], by_link: bool) -> Json[SignedIn]:
    """Sign a person in: answer with their token, and have the browser keep it."""
    try:
        token = await signing_in
    except SignInRefused:
        METRICS.sign_ins["refused"] += 1
        log.info("sign-in refused")
        raise
    session = await gateway.people.session(token)
    assert session is not None
    await gateway.people.note_sign_in(session.person, by_link)
    log.info("signed in", person=session.person.id, duty=session.person.duty.value)
    METRICS.sign_ins["done"] += 1
    response = Json(SignedIn(token, shown(session.person)))
    set_cookie(gateway, response, token)
    return response


@routes.post("/sign-in", while_closed=True)
async def sign_in(gateway: Gateway, request: Request, body: SignIn) -> Json[SignedIn]:
    """Sign in by name and password. Five failures in a row lock a name for 15 minutes."""
    throttle(gateway.sign_ins, request)
    return await let_in(gateway, gateway.people.sign_in(body.name, body.password), by_link=False)


@routes.post("/links", while_closed=True)
async def use_link(gateway: Gateway, request: Request, body: UseLink) -> Json[SignedIn]:
    """Sign in by a link, which works once."""
    throttle(gateway.sign_ins, request)
    return await let_in(gateway, gateway.people.use_link(body.link), by_link=True)


@routes.post("/sign-out", while_closed=True)
async def sign_out(gateway: Gateway, request: Request) -> NoContent:
    """Sign out: end the session of the caller's token."""
    session = await session_of(gateway, request)
    if session and (token := token_of(request)):
        await gateway.people.sign_out(token)
        await gateway.check_sockets(session.person.id)
    response = NoContent()
    delete_cookie(response)
    return response


@routes.get("/me")
async def me(person: Person) -> PersonShown:
    """Return the person who is signed in."""
    return shown(person)


@routes.post("/me/password")
async def set_password(gateway: Gateway, request: Request, person: Person, body: NewPassword) -> None:
    """Choose a password. All other sessions of the caller end."""
    throttle(gateway.sign_ins, request)
    await gateway.people.set_password(person.id, body.password, keep=token_of(request))
    await gateway.check_sockets(person.id)
