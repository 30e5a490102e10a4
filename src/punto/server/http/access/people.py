"""The house's people and its patrons: their names, how they sign in, and how their names are erased."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from punto.server.access.erasure import proper_reason
from punto.server.access.identity import MINUTE, BadPerson, Duty, Person, Recording
from punto.server.access.permissions import Permission
from punto.server.access.person_name import LONGEST_LINE
from punto.server.access.person_requests import PersonRequest, RequestKind
from punto.server.gateway import Gateway
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.server.routing.sessions import check_permission
from punto.server.running.server_log import log
from punto.store.events.house_events import DeviceWork

LINK_LASTS = 60 * MINUTE
Name = Annotated[str, Meta(min_length=1, max_length=64)]
Line = Annotated[str, Meta(min_length=1, max_length=LONGEST_LINE)]
MOST_FOUND = 100


class PersonShown(Struct, frozen=True):
    """A person."""

    id: str
    name: str
    """Empty once it is erased."""
    duty: Duty
    active: bool = True
    guest: bool = False
    """A patron of whom the house knows a name only."""
    erased: bool = False
    sign_in: str | None = None
    """What they sign in with, told to those who keep people: the name or, where another person does, the id."""
    address: str | None = None
    """Told to those who keep people."""
    second_factor: bool | None = None
    """Whether they have a second factor, told to those who keep people."""


class PatronFound(Struct, frozen=True):
    """A patron whose name fits a search; several may have the same name."""

    id: str
    name: str
    guest: bool


class NewPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """A person to add."""

    name: Name
    duty: Duty
    sign_in: Name | None = None
    """What they sign in with, if not their name."""
    address: Line | None = None
    table: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    """Of a device, which has to have one: the table that it is bound to, as the one that reads its cards."""


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person is called from now on."""

    name: Name
    sign_in: Name | None = None


class NewAddress(Struct, frozen=True, forbid_unknown_fields=True):
    """The address of a person; None removes it."""

    address: Line | None


class Erasure(Struct, frozen=True, forbid_unknown_fields=True):
    """Why something is erased for good."""

    reason: Line


class RequestShown(Struct, frozen=True):
    """What one person asks about another, and a second person has yet to confirm."""

    id: str
    what: RequestKind
    person: str
    name: str
    asked_by: str
    asked_by_name: str
    asked_at: int
    expires_at: int
    yours: bool
    """Whether the caller can confirm it."""


class AddedPerson(Struct, frozen=True):
    """A person and the way to sign in first: a link, or for a device its token."""

    person: PersonShown
    link: str | None = None
    token: str | None = None
    request: RequestShown | None = None
    """Where a link takes a second person: what they have to confirm first."""


class SetActive(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a person may sign in."""

    active: bool


def shown(person: Person) -> PersonShown:
    """Return a person as callers see them."""
    return PersonShown(person.id, person.name, person.duty, person.active, person.guest, person.erased)


def _kept(person: Person) -> PersonShown:
    """Return a person as those see them who keep people."""
    return replace(shown(person), sign_in=person.sign_in, address=person.address, second_factor=person.has_factor)


routes = Routes("/api/people", "people")


@routes.get("", permission=Permission.REGISTER_PATRONS)
async def list_people(gateway: Gateway, person: Person) -> list[PersonShown]:
    """List people: all of them to the two managers, patrons to the Cashier."""
    known = await gateway.people.everybody()
    return [_kept(each) for each in known if _may_keep(person, each.duty)]


@routes.get("/patrons", permission=Permission.FIND_PATRONS)
async def find_patrons(
    gateway: Gateway,
    name: Annotated[str, Meta(min_length=1, max_length=64)],
    most: Annotated[int, Meta(ge=1, le=MOST_FOUND)] = 20,
) -> list[PatronFound]:
    """Find patrons by a part of their names, in any script and without regard to capitals."""
    return [PatronFound(each.id, each.name, each.guest) for each in await gateway.people.search(name, most)]


@routes.post("", permission=Permission.REGISTER_PATRONS)
async def add_person(gateway: Gateway, person: Person, body: NewPerson) -> AddedPerson:
    """Add a person with one duty. The answer has a link to sign in by, or the token of a device."""
    _check_keeps(person, body.duty)
    if body.duty is Duty.DEVICE:
        return await _add_device(gateway, person, body)
    by = person.id, person.duty.value
    added = await gateway.people.add(body.name, body.duty, by, body.sign_in, body.address)
    log.info("person added", person=added.id, duty=added.duty.value, by=person.id)
    return await _way_in(gateway, person, added)


@routes.post("/{person}/link", permission=Permission.REGISTER_PATRONS)
async def new_link(gateway: Gateway, caller: Person, person: str) -> AddedPerson:
    """Make another sign-in link or, for a device, a token that replaces the one it has.

    For a manager, an auditor or a cashier, and for a patron who has a password, a second person confirms it first.
    """
    found = await _find(gateway, caller, person)
    if found.duty is Duty.DEVICE:
        return AddedPerson(shown(found), token=(await gateway.devices.new_token(found, caller.giver)).token)
    return await _way_in(gateway, caller, found)


@routes.get("/requests", permission=Permission.REGISTER_PATRONS)
async def list_requests(gateway: Gateway, person: Person) -> list[RequestShown]:
    """List what waits for a second person, as far as it is about people the caller keeps."""
    about = [(each, await gateway.people.find(each.person)) for each in await gateway.requests_about.waiting()]
    kept = [each for each, found in about if found and _may_keep(person, found.duty)]
    return await _requests_shown(gateway, person, kept)


@routes.post("/requests/{request}/confirm", permission=Permission.REGISTER_PATRONS)
async def confirm_request(gateway: Gateway, caller: Person, request: str) -> AddedPerson:
    """Confirm as the second person what another person asked. The answer has the link, where it is about one."""
    waiting = next((each for each in await gateway.requests_about.waiting() if each.id == request), None)
    if waiting is None:
        raise Refused("cannot-be", case="request-over")
    found, by = await _find(gateway, caller, waiting.person), (caller.id, caller.duty.value)
    log.info("second person", what=waiting.what.value, person=found.id, asked_by=waiting.asked_by, by=caller.id)
    if waiting.what is RequestKind.SECOND_FACTOR:
        check_permission(caller, Permission.KEEP_PEOPLE)
        await gateway.requests_about.remove_factor(waiting, by)
        await gateway.watch.check()
        return AddedPerson(shown(found))
    link = await gateway.requests_about.make_link(waiting, LINK_LASTS, by)
    return AddedPerson(shown(await gateway.people.register(found)), link=link)


@routes.post("/{person}/second-factor/remove", permission=Permission.KEEP_PEOPLE)
async def ask_to_remove_factor(gateway: Gateway, caller: Person, person: str) -> RequestShown:
    """Ask to have a person's second factor removed, such as when their phone is lost; a second person confirms it."""
    found = await _find(gateway, caller, person)
    request = await gateway.requests_about.ask(RequestKind.SECOND_FACTOR, found, (caller.id, caller.duty.value))
    return (await _requests_shown(gateway, caller, [request]))[0]


async def _requests_shown(gateway: Gateway, caller: Person, requests: Sequence[PersonRequest]) -> list[RequestShown]:
    names = await gateway.people.names({each for one in requests for each in (one.person, one.asked_by)})
    return [
        RequestShown(
            each.id,
            each.what,
            each.person,
            names.get(each.person, ""),
            each.asked_by,
            names.get(each.asked_by, ""),
            each.asked_at,
            each.expires_at,
            caller.id not in (each.person, each.asked_by)
            and (each.what is RequestKind.LINK or Permission.KEEP_PEOPLE.is_given_to(caller.duty)),
        )
        for each in requests
    ]


@routes.post("/{person}/active", permission=Permission.REGISTER_PATRONS)
async def set_active(gateway: Gateway, caller: Person, person: str, body: SetActive) -> PersonShown:
    """Let a person sign in again, or no more. Their sessions and links end in either case."""
    found = await _find(gateway, caller, person)
    recording = _recording(gateway, found, body.active)
    changed = await gateway.people.set_active(found.id, body.active, caller.giver, recording)
    await gateway.watch.check()
    log.info("person set active" if body.active else "person set inactive", person=found.id, by=caller.id)
    return shown(changed)


@routes.post("/{person}/name", permission=Permission.REGISTER_PATRONS)
async def rename(gateway: Gateway, caller: Person, person: str, body: NewName) -> PersonShown:
    """Give a person another name. The one before is not kept."""
    found = await _find(gateway, caller, person)
    changed = await gateway.people.rename(found.id, body.name, (caller.id, caller.duty.value), body.sign_in)
    log.info("person renamed", person=found.id, by=caller.id)
    return _kept(changed)


@routes.post("/{person}/address", permission=Permission.REGISTER_PATRONS)
async def set_address(gateway: Gateway, caller: Person, person: str, body: NewAddress) -> PersonShown:
    """Replace the address of a person, or remove it."""
    found = await _find(gateway, caller, person)
    return _kept(await gateway.people.set_address(found.id, body.address))


@routes.post("/{person}/erase", permission=Permission.ERASE)
async def erase_person(gateway: Gateway, caller: Person, person: str, body: Erasure) -> PersonShown:
    """Erase a person's name and address for good. They cannot sign in any more; the log keeps their id.

    Refused while the person has money here, and for the caller's own name.
    """
    found = await _find(gateway, caller, person)
    if found.id == caller.id:
        raise Refused("cannot-be", case="erase-oneself")
    if await _has_money(gateway, found.id):
        raise Refused("cannot-be", case="person-has-money")
    recording = _recording(gateway, found, active=False)
    erased = await gateway.people.erase(found.id, proper_reason(body.reason), caller.giver, recording)
    await gateway.watch.check()
    log.info("person erased", person=found.id, by=caller.id)
    return _kept(erased)


def _recording(gateway: Gateway, person: Person, active: bool) -> Recording | None:
    """Return what records whether a patron may play, and has every table follow it in the same transaction."""
    return gateway.floor.limits.recording(person.id, active) if person.duty is Duty.PATRON else None


async def _has_money(gateway: Gateway, person: str) -> bool:
    """Tell whether a person has an account, chips or a debt, for which they have to be known."""
    floor = gateway.floor
    await floor.cage.catch_up()
    await floor.others.refresh_all(lasts=0)
    at_tables = (each.table for each in floor.tables.values())
    return floor.cage.concerns(person) or any(
        table.chips.get(person) or table.owed.get(person) or table.round.staked_by(person) for table in at_tables
    )


async def _find(gateway: Gateway, caller: Person, person: str) -> Person:
    """Return the person that a request is about."""
    found = await gateway.people.find(person)
    if found is None:
        raise Refused("not-found")
    _check_keeps(caller, found.duty)
    return found


def _may_keep(caller: Person, duty: Duty) -> bool:
    """Tell whether people of a duty are the caller's to keep: patrons are the Cashier's too, staff the managers'."""
    return duty is Duty.PATRON or Permission.KEEP_PEOPLE.is_given_to(caller.duty)


def _check_keeps(caller: Person, duty: Duty) -> None:
    if duty is not Duty.PATRON:
        check_permission(caller, Permission.KEEP_PEOPLE)


async def _add_device(gateway: Gateway, caller: Person, body: NewPerson) -> AddedPerson:
    if body.table is None:
        raise Refused("cannot-be", case="device-without-table")
    device, made = await gateway.devices.make(body.name, body.table, DeviceWork.CARD_READER, caller.giver)
    return AddedPerson(shown(device), token=made.token)


async def _way_in(gateway: Gateway, caller: Person, person: Person) -> AddedPerson:
    by = caller.id, caller.duty.value
    if not person.active:
        raise BadPerson("person-not-active")
    if await gateway.requests_about.link_takes_two(person):
        request = await gateway.requests_about.ask(RequestKind.LINK, person, by)
        return AddedPerson(shown(person), request=(await _requests_shown(gateway, caller, [request]))[0])
    log.info("link made", person=person.id, by=caller.id)
    link = await gateway.people.make_link(person.id, LINK_LASTS, by)
    return AddedPerson(shown(await gateway.people.register(person)), link=link)
