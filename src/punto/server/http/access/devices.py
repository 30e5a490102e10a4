"""Devices of the house: where each one is, and its tokens. A device replaces its token; a manager ends it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from punto.server.access.devices import DeviceToken
from punto.server.access.identity import Duty, Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.http.access.people import AddedPerson, Name, shown
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.store.events.house_events import DeviceBound, DeviceWork

TableName = Annotated[str, Meta(min_length=1, max_length=40)]


class NewDevice(Struct, frozen=True, forbid_unknown_fields=True):
    """A device to add: the table it is bound to, and what it does there."""

    name: Name
    table: TableName
    work: DeviceWork = DeviceWork.CARD_READER


class Binding(Struct, frozen=True, forbid_unknown_fields=True):
    """The table that a device is bound to from now on, and what it does there."""

    table: TableName
    work: DeviceWork = DeviceWork.CARD_READER


class DeviceShown(Struct, frozen=True):
    """A device: where it is, and how old its token is."""

    id: str
    name: str
    active: bool
    table: str | None
    """None for a device that is bound to no table, and so is accepted at none."""
    work: DeviceWork | None
    token_made: int | None
    """None for a device that has no token: it is let in with a new one."""
    token_expires: int | None


class NewToken(Struct, frozen=True):
    """A new token of a device, which is told once, and the time until which it is valid."""

    token: str
    expires_at: int


routes = Routes("/api/devices", "devices")


@routes.get("", permission=Permission.SEE_PIT)
async def list_devices(gateway: Gateway) -> list[DeviceShown]:
    """List the devices of the house, those that are bound to no table too."""
    devices = [each for each in await gateway.people.not_patrons() if each.duty is Duty.DEVICE]
    bindings, tokens = await gateway.devices.bindings(), await gateway.devices.lifetimes()
    return [_shown(each, bindings.get(each.id), tokens.get(each.id)) for each in devices]


@routes.post("", permission=Permission.KEEP_DEVICES)
async def add_device(gateway: Gateway, person: Person, body: NewDevice) -> AddedPerson:
    """Add a device that is bound to a table. The answer has its token, which is told once."""
    device, made = await gateway.devices.make(body.name, body.table, body.work, person.giver)
    return AddedPerson(shown(device), token=made.token)


@routes.post("/own/token", permission=Permission.TELL_CARDS)
async def replace_token(gateway: Gateway, person: Person) -> NewToken:
    """Replace the token that the calling device shows. The old one is valid for two minutes more.

    A token that is used after that ends the device's access, and the pit is alerted.
    """
    return _told(await gateway.devices.rotate(person))


@routes.post("/{device}/binding", permission=Permission.KEEP_DEVICES)
async def bind_device(gateway: Gateway, person: Person, device: str, body: Binding) -> DeviceShown:
    """Bind a device to a table and a kind of work, instead of those before. A device is accepted nowhere else."""
    found = await _find(gateway, device)
    bound = await gateway.devices.bind(found, body.table, body.work, person.giver)
    return _shown(found, bound, (await gateway.devices.lifetimes()).get(found.id))


@routes.post("/{device}/token", permission=Permission.KEEP_DEVICES)
async def give_token(gateway: Gateway, person: Person, device: str) -> NewToken:
    """Make a token for a device. Every token that it had ends at once."""
    return _told(await gateway.devices.new_token(await _find(gateway, device), person.giver))


@routes.post("/{device}/revoke", permission=Permission.KEEP_DEVICES)
async def revoke_device(gateway: Gateway, person: Person, device: str) -> DeviceShown:
    """End every token of a device. It is let in again with a new one."""
    found = await _find(gateway, device)
    await gateway.devices.revoke(found, person.giver)
    await gateway.watch.check()
    return _shown(found, (await gateway.devices.bindings()).get(found.id), None)


async def _find(gateway: Gateway, device: str) -> Person:
    found = await gateway.people.find(device)
    if found is None or found.duty is not Duty.DEVICE:
        raise Refused("not-found")
    return found


def _told(made: DeviceToken) -> NewToken:
    return NewToken(made.token, made.expires_at)


def _shown(device: Person, bound: DeviceBound | None, token: tuple[int, int] | None) -> DeviceShown:
    table, work = (bound.table, bound.work) if bound else (None, None)
    made, expires = token or (None, None)
    return DeviceShown(device.id, device.name, device.active, table, work, made, expires)
