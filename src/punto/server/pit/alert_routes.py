"""Alerts of all tables, and who acknowledged them."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import Meta, Struct

from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.http.log_digest import LogDigests
from punto.server.pit.alerts import Alert, AlertKind, TableWatch, every_alert, theory_of
from punto.server.pit.device_alerts import device_alerts
from punto.server.refused import Refused
from punto.server.routing.answers import Json
from punto.server.routing.event_numbers import EventNumber
from punto.server.routing.routes import Routes
from punto.server.running.server_log import log
from punto.server.tables.blind_count import hidden_tables
from punto.server.tables.floor import Floor
from punto.server.tables.served_table import ServedTable
from punto.store.codec import encoder
from punto.store.events.house_events import AlertAcknowledged
from punto.store.records import EventRecord
from punto.store.words import people_in

MOST_SHOWN = 200
KEPT_FOR = 24 * 60 * 60_000
"""Milliseconds for which an acknowledged alert is still shown."""


_OF_MONEY = frozenset({AlertKind.COUNT, AlertKind.WIN, AlertKind.DEVIATION})
"""Alerts that tell what a table made or held."""


class Acknowledged(Struct, frozen=True):
    """Who acknowledged an alert, when, and what they wrote."""

    by: str
    at: int
    note: str = ""


class AlertShown(Struct, frozen=True):
    """An alert at a table, and who acknowledged it, if anyone has."""

    table: str
    kind: AlertKind
    number: int
    at: int
    values: dict[str, str | int]
    acknowledged: Acknowledged | None = None


class Alerts(Struct, frozen=True):
    """Alerts that wait to be acknowledged, the newest first, and those acknowledged within a day."""

    waiting: tuple[AlertShown, ...]
    acknowledged: tuple[AlertShown, ...]
    names: dict[str, str]
    """Of the people in them, by id."""


class Acknowledgement(Struct, frozen=True, forbid_unknown_fields=True):
    """Which alert is acknowledged, with anything worth keeping."""

    table: str
    kind: AlertKind
    number: EventNumber
    note: Annotated[str, Meta(max_length=500)] = ""


class TableWatches(LogDigests[TableWatch]):
    """What each table's log says that the pit has to know of."""

    def __init__(self, floor: Floor) -> None:
        super().__init__(floor.store, lambda served: TableWatch(served.book, floor.settings_at))

    async def of(self, served: ServedTable) -> TableWatch:
        """Return what the log of a table says, up to the last event that this process knows of."""
        await asyncio.to_thread(theory_of, served.book)
        return await super().of(served)


routes = Routes("/api/alerts", "alerts")


@routes.get("", permission=Permission.SEE_PIT)
async def list_alerts(gateway: Gateway, watches: TableWatches, person: Person) -> Json[Alerts]:
    """List the alerts that wait to be acknowledged, and those of the last day that were."""
    all_ = await all_alerts(gateway, watches, person)
    waiting = [each for each in all_ if each.acknowledged is None][:MOST_SHOWN]
    since = gateway.clock() - KEPT_FOR
    done = [each for each in all_ if each.acknowledged and each.acknowledged.at >= since][:MOST_SHOWN]
    names = await gateway.people.names(people_in(encoder.encode([waiting, done])))
    words = gateway.floor.words
    await words.look_up(gateway.floor.store, encoder.encode([waiting, done]))
    return Json(Alerts(tuple(waiting), tuple(done), names), words=words)


@routes.post("/acknowledge", permission=Permission.ACKNOWLEDGE_ALERTS)
async def acknowledge_alert(
    gateway: Gateway, watches: TableWatches, person: Person, body: Acknowledgement
) -> Json[AlertShown]:
    """Acknowledge an alert by name. It is stored with the person; a second acknowledgement changes nothing."""
    if body.kind is not AlertKind.DEVICE:  # which may be bound to no table
        await gateway.refreshed(body.table)
    if not _is_there(body, await all_alerts(gateway, watches, person)):
        raise Refused("not-found")
    if (body.table, body.kind.value, body.number) not in gateway.floor.journal.acknowledged:
        alert = AlertAcknowledged(body.table, body.kind.value, body.number, " ".join(body.note.split()))
        await gateway.floor.record(alert, (person.id, person.duty.value))
        log.info("alert acknowledged", table=body.table, kind=body.kind.value, by=person.id)
    shown = next(each for each in await all_alerts(gateway, watches, person) if _is_there(body, [each]))
    words = gateway.floor.words
    await words.look_up(gateway.floor.store, encoder.encode(shown))
    return Json(shown, words=words)


def _is_there(body: Acknowledgement, alerts: list[AlertShown]) -> bool:
    return any((each.table, each.kind, each.number) == (body.table, body.kind, body.number) for each in alerts)


async def all_alerts(gateway: Gateway, watches: TableWatches, person: Person) -> list[AlertShown]:
    """Return every alert that a person may see, the newest first."""
    floor, now = gateway.floor, gateway.clock()
    of = {name: await watches.of(served) for name, served in list(floor.tables.items())}
    found = [*every_alert(of, floor.settings_at, now)]
    found += device_alerts(await floor.read_journal())
    hidden = await hidden_tables(floor, person)
    told = [(table, alert) for table, alert in found if table not in hidden or alert.kind not in _OF_MONEY]
    shown = [_shown(floor, table, alert, of.get(table)) for table, alert in told]
    return sorted(shown, key=lambda each: (-each.at, each.table, -each.number, each.kind))


def _shown(floor: Floor, table: str, alert: Alert, watch: TableWatch | None) -> AlertShown:
    by = floor.journal.acknowledged.get((table, alert.kind.value, alert.number))
    if by is None and watch and alert.kind is AlertKind.CALL:
        by = watch.answered.get(alert.number)
    return AlertShown(table, alert.kind, alert.number, alert.at, alert.values, _acknowledged(by) if by else None)


def _acknowledged(recorded: EventRecord) -> Acknowledged:
    return Acknowledged(recorded.by, recorded.at, getattr(recorded.event, "note", ""))
