"""Settings of the house: read by staff, changed by its managers, every change kept with who made it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from zoneinfo import available_timezones

from msgspec import Struct

from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.server.running.server_log import log
from punto.store.events.house_events import SettingsChanged
from punto.store.house_settings import HouseSettings


class NewSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings as they are from now on, and as the caller saw them before."""

    settings: HouseSettings
    seen: HouseSettings


class SettingsChange(Struct, frozen=True):
    """One change of the settings: when, by whom, and what they were before and after it."""

    number: int
    """Of the event in the house's stream."""
    at: int
    by: str
    name: str | None
    position: str
    before: HouseSettings
    after: HouseSettings


routes = Routes("/api/house", "the house")


@routes.get("/settings", permission=Permission.SEE_SETTINGS)
async def show_settings(gateway: Gateway) -> HouseSettings:
    """Return the settings of the house."""
    return gateway.floor.settings


@routes.post("/settings", permission=Permission.KEEP_SETTINGS)
async def change_settings(gateway: Gateway, person: Person, body: NewSettings) -> HouseSettings:
    """Change the settings of the house; refused if another person has changed them meanwhile."""
    check_settings(body.settings)
    if not await gateway.floor.change_settings(body.settings, body.seen, (person.id, person.duty.value)):
        raise Refused("cannot-be", case="settings-changed")
    log.info("settings changed", by=person.id)
    return gateway.floor.settings


@routes.get("/settings/changes", permission=Permission.SEE_SETTINGS)
async def list_changes(gateway: Gateway) -> list[SettingsChange]:
    """List every change of the settings, the newest first."""
    stored = (await gateway.floor.read_journal()).settings_changes
    names = await gateway.people.names({each.by for each in stored})
    changes, before = list[SettingsChange](), HouseSettings()
    for each in stored:
        assert isinstance(each.event, SettingsChanged)
        after = each.event.settings
        changes.append(SettingsChange(each.number, each.at, each.by, names.get(each.by), each.position, before, after))
        before = after
    return changes[::-1]


def check_settings(settings: HouseSettings) -> None:
    """Raise ``Refused`` for settings that cannot be."""
    name, chips = settings.property_name, settings.denominations
    if name != " ".join(name.split()) or not name.isprintable():
        raise Refused("cannot-be", case="property-name")
    if settings.time_zone not in _zones():
        raise Refused("cannot-be", case="time-zone")
    if not chips or any(low >= high for low, high in pairwise(chips)):
        raise Refused("cannot-be", case="denominations")


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
