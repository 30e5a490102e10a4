"""Requests about the house: signing in, its people, its accounts."""

from __future__ import annotations

from collections.abc import Awaitable
from hashlib import sha256
from typing import Annotated

import msgspec
from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct

from punto.server.cage import CageRefuses
from punto.server.gateway import Desk, Refused
from punto.server.http.answers import AtDesk, answered, read
from punto.server.http.openapi import gives, takes
from punto.server.http.sessions import check_permission, delete_cookie, session_of, set_cookie, signed_in, token_of
from punto.server.identity import BadPerson, Duty, Person, SignInRefused
from punto.server.metrics import FIGURES
from punto.server.permissions import MANAGERS, Permission
from punto.server.rate_limit import Allowances
from punto.server.realtime.messages import Word
from punto.server.server_log import log
from punto.store.records import Repeated
from punto.table.guards import MOST

LINK_LASTS = 24 * 60 * 60_000
Amount = Annotated[int, Meta(gt=0, lt=MOST)]
"""In cents."""
Name = Annotated[str, Meta(min_length=1, max_length=64)]
PersonId = Annotated[str, Meta(min_length=1, max_length=64)]


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody signs in by his name."""

    name: Name
    password: Annotated[str, Meta(max_length=200)]


class UseLink(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody signs in by a link he was given, which works once."""

    link: Annotated[str, Meta(max_length=100)]


class SignedIn(Struct, frozen=True):
    """Somebody is signed in: his token, for programs, and who he is."""

    token: str
    person: PersonShown


class PersonShown(Struct, frozen=True):
    """A person."""

    id: str
    name: str
    duty: Duty
    active: bool = True


class NewPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who shall be known here."""

    name: Name
    duty: Duty


class AddedPerson(Struct, frozen=True):
    """Somebody who is known here from now on, and how he signs in first: a link, or for a device its token."""

    person: PersonShown
    link: str | None = None
    token: str | None = None


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody will sign in with from now on; his other sessions end."""

    password: Annotated[str, Meta(max_length=200)]


class SetActive(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether somebody may sign in."""

    active: bool


class CageOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """Money that a patron pays in, or is paid out; in cents."""

    patron: PersonId
    amount: Amount
    key: Word | None = None


class Account(Struct, frozen=True):
    """What a patron's account holds, in cents."""

    patron: str
    holds: int


def shown(person: Person) -> PersonShown:
    return PersonShown(person.id, person.name, person.duty, person.active)


def slowly(allowances: Allowances, request: Request, desk: Desk) -> None:
    """Nobody asks often from one place: not for passwords, nor for what takes long to work out."""
    if not allowances.take(request.client.host if request.client else "", desk.clock() / 1000):
        raise Refused("too-many")


signing_in = APIRouter(prefix="/api", tags=["signing in"])
"""Signing in and out."""


async def _let_in(desk: Desk, signing_in: Awaitable[str]) -> Response:
    try:
        token = await signing_in
    except SignInRefused as error:
        FIGURES.sign_ins["refused"] += 1
        log.info("sign-in refused")
        raise Refused("cannot-be", why=str(error)) from None
    session = await desk.people.session(token)
    assert session is not None
    log.info("signed in", person=session.person.id, duty=session.person.duty.value)
    FIGURES.sign_ins["done"] += 1
    response = answered(SignedIn(token, shown(session.person)))
    set_cookie(desk, response, token)
    return response


@signing_in.post("/sign-in", openapi_extra=takes(SignIn), responses=gives(SignedIn))
async def sign_in(desk: AtDesk, request: Request) -> Response:
    """Sign in by name and password; five failures in a row lock a name for 15 minutes."""
    slowly(desk.sign_ins, request, desk)
    asked = await read(request, SignIn)
    return await _let_in(desk, desk.people.sign_in(asked.name, asked.password))


@signing_in.post("/links", openapi_extra=takes(UseLink), responses=gives(SignedIn))
async def use_link(desk: AtDesk, request: Request) -> Response:
    """Sign in by a link, which works once."""
    slowly(desk.sign_ins, request, desk)
    asked = await read(request, UseLink)
    return await _let_in(desk, desk.people.use_link(asked.link))


@signing_in.post("/sign-out", responses=gives(None, status=204), status_code=204)
async def sign_out(desk: AtDesk, request: Request) -> Response:
    """Sign out: the token is no longer good for anything."""
    session = await session_of(desk, request)
    if session and (token := token_of(request)):
        await desk.people.sign_out(token)
        await desk.check_sockets(session.person.id)
    response = Response(status_code=204)
    delete_cookie(response)
    return response


@signing_in.get("/me", responses=gives(PersonShown))
async def me(desk: AtDesk, request: Request) -> Response:
    """Who is signed in."""
    return answered(shown(await signed_in(desk, request)))


@signing_in.post("/me/password", openapi_extra=takes(NewPassword), responses=gives(None, status=204), status_code=204)
async def set_password(desk: AtDesk, request: Request) -> Response:
    """Choose a password; wherever else one is signed in, one is signed out."""
    person = await signed_in(desk, request)
    slowly(desk.sign_ins, request, desk)
    asked = await read(request, NewPassword)
    try:
        await desk.people.set_password(person.id, asked.password, keep=token_of(request))
    except BadPerson as error:
        raise Refused("cannot-be", why=str(error)) from None
    await desk.check_sockets(person.id)
    return Response(status_code=204)


people = APIRouter(prefix="/api/people", tags=["people"])
"""The house's people and its patrons."""


async def _about(desk: Desk, request: Request, person: str) -> Person:
    """The person it is about; patrons are the cashier's business, staff the managers'."""
    asker = await signed_in(desk, request, Permission.REGISTER_PATRONS)
    found = await desk.people.find(person)
    if found is None:
        raise Refused("not-found")
    _check_duty(asker, found.duty)
    return found


def _check_duty(asker: Person, duty: Duty) -> None:
    if duty is not Duty.PATRON:
        check_permission(asker, Permission.KEEP_PEOPLE)


@people.get("", responses=gives(PersonShown, many=True))
async def everybody(desk: AtDesk, request: Request) -> Response:
    """To the two managers everybody, to the Cashier the patrons."""
    asker = await signed_in(desk, request, Permission.REGISTER_PATRONS)
    known = await desk.people.everybody()
    return answered([shown(each) for each in known if each.duty is Duty.PATRON or asker.duty in MANAGERS])


@people.post("", openapi_extra=takes(NewPerson), responses=gives(AddedPerson))
async def add(desk: AtDesk, request: Request) -> Response:
    """Take somebody in, with one duty; the answer has a link to sign in by, or the token of a device."""
    asker = await signed_in(desk, request, Permission.REGISTER_PATRONS)
    asked = await read(request, NewPerson)
    _check_duty(asker, asked.duty)
    try:
        person = await desk.people.add(asked.name, asked.duty)
    except BadPerson as error:
        raise Refused("cannot-be", why=str(error)) from None
    log.info("person added", person=person.id, duty=person.duty.value, by=asker.id)
    return answered(await _way_in(desk, person))


async def _way_in(desk: Desk, person: Person) -> AddedPerson:
    try:
        if person.duty is Duty.DEVICE:
            return AddedPerson(shown(person), token=await desk.people.device_token(person.id))
        return AddedPerson(shown(person), link=await desk.people.make_link(person.id, LINK_LASTS))
    except BadPerson as error:
        raise Refused("cannot-be", why=str(error)) from None


@people.post("/{person}/link", responses=gives(AddedPerson))
async def new_link(desk: AtDesk, request: Request, person: str) -> Response:
    """Another link to sign in by or, for a device, another token in the place of the one it has."""
    return answered(await _way_in(desk, await _about(desk, request, person)))


@people.post("/{person}/active", openapi_extra=takes(SetActive), responses=gives(PersonShown))
async def set_active(desk: AtDesk, request: Request, person: str) -> Response:
    """Let somebody sign in no more, or again."""
    found = await _about(desk, request, person)
    asked = await read(request, SetActive)
    changed = await desk.people.set_active(found.id, asked.active)
    await desk.check_sockets(found.id)
    log.info("person set active" if asked.active else "person set inactive", person=found.id)
    return answered(shown(changed))


cage = APIRouter(prefix="/api/cage", tags=["the cage"])
"""Patrons' accounts. From and to a table money goes by the commands BuyIn and CashOut."""


@cage.get("/mine", responses=gives(Account))
async def mine(desk: AtDesk, request: Request) -> Response:
    """What is in one's own account."""
    person = await signed_in(desk, request)
    await desk.floor.cage.catch_up()
    return answered(Account(person.id, desk.floor.cage.accounts.get(person.id, 0)))


@cage.get("/accounts", responses=gives(Account, many=True))
async def accounts(desk: AtDesk, request: Request) -> Response:
    """What is in every account."""
    await signed_in(desk, request, Permission.SEE_ACCOUNTS)
    await desk.floor.cage.catch_up()
    return answered([Account(*each) for each in sorted(desk.floor.cage.accounts.items())])


async def _carried_out(desk: Desk, request: Request, paid_in: bool) -> Response:
    cashier = await signed_in(desk, request, Permission.KEEP_ACCOUNTS)
    asked = await read(request, CageOrder)
    patron = await desk.people.find(asked.patron)
    if patron is None or patron.duty is not Duty.PATRON:
        raise Refused("unknown-patron", patron=asked.patron)
    body = msgspec.json.encode((paid_in, asked.patron, asked.amount))
    key = (asked.key, sha256(body).digest()) if asked.key else None
    work = desk.floor.cage.deposit if paid_in else desk.floor.cage.pay_out
    try:
        holds = await work(asked.patron, asked.amount, (cashier.id, cashier.duty.value), key)
    except CageRefuses as error:
        raise Refused(error.refusal) from None
    except Repeated as before:
        if key is None or before.answer.digest != key[1]:
            raise Refused("key-used") from None
        holds = desk.floor.cage.accounts[asked.patron]
    return answered(Account(asked.patron, holds))


@cage.post("/deposits", openapi_extra=takes(CageOrder), responses=gives(Account))
async def deposit(desk: AtDesk, request: Request) -> Response:
    """Take money in for a patron."""
    return await _carried_out(desk, request, paid_in=True)


@cage.post("/payments", openapi_extra=takes(CageOrder), responses=gives(Account))
async def pay_out(desk: AtDesk, request: Request) -> Response:
    """Pay a patron from his account."""
    return await _carried_out(desk, request, paid_in=False)
