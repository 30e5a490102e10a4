"""The house's people and its patrons."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from punto.server.gateway import Gateway
from punto.server.identity import Duty, Person
from punto.server.permissions import Permission
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.server.routing.sessions import check_permission
from punto.server.server_log import log

LINK_LASTS = 24 * 60 * 60_000
"""Milliseconds."""
Name = Annotated[str, Meta(min_length=1, max_length=64)]


class PersonShown(Struct, frozen=True):
    """A person."""

    id: str
    name: str
    duty: Duty
    active: bool = True


class NewPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """A person to add."""

    name: Name
    duty: Duty


class AddedPerson(Struct, frozen=True):
    """A person and the way to sign in first: a link, or for a device its token."""

    person: PersonShown
    link: str | None = None
    token: str | None = None


class SetActive(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a person may sign in."""

    active: bool


def shown(person: Person) -> PersonShown:
    """Return a person as callers see them."""
    return PersonShown(person.id, person.name, person.duty, person.active)


routes = Routes("/api/people", "people")


@routes.get("", permission=Permission.REGISTER_PATRONS)
async def list_people(gateway: Gateway, person: Person) -> list[PersonShown]:
    """List people: all of them to the two managers, patrons to the Cashier."""
    known = await gateway.people.everybody()
    return [shown(each) for each in known if _may_keep(person, each.duty)]


@routes.post("", permission=Permission.REGISTER_PATRONS)
async def add_person(gateway: Gateway, person: Person, body: NewPerson) -> AddedPerson:
    """Add a person with one duty. The answer has a link to sign in by, or the token of a device."""
    _check_keeps(person, body.duty)
    added = await gateway.people.add(body.name, body.duty)
    log.info("person added", person=added.id, duty=added.duty.value, by=person.id)
    return await _way_in(gateway, added)


@routes.post("/{person}/link", permission=Permission.REGISTER_PATRONS)
async def new_link(gateway: Gateway, caller: Person, person: str) -> AddedPerson:
    """Make another sign-in link or, for a device, a token that replaces the one it has."""
    return await _way_in(gateway, await _find(gateway, caller, person))


@routes.post("/{person}/active", permission=Permission.REGISTER_PATRONS)
async def set_active(gateway: Gateway, caller: Person, person: str, body: SetActive) -> PersonShown:
    """Let a person sign in again, or no more. Their sessions and links end in either case."""
    found = await _find(gateway, caller, person)
    changed = await gateway.people.set_active(found.id, body.active)
    await gateway.check_sockets(found.id)
    log.info("person set active" if body.active else "person set inactive", person=found.id)
    return shown(changed)


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


async def _way_in(gateway: Gateway, person: Person) -> AddedPerson:
    if person.duty is Duty.DEVICE:
        return AddedPerson(shown(person), token=await gateway.people.device_token(person.id))
    return AddedPerson(shown(person), link=await gateway.people.make_link(person.id, LINK_LASTS))
