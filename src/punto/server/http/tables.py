"""Tables: which there are, how they stand, commands, the log, and cards that a dealing device reads."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from punto.cards import Card, CardError
from punto.server.access.identity import Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.http.audit import reads_log
from punto.server.http.pit import OpeningDigests
from punto.server.realtime.feed import read_told
from punto.server.realtime.messages import COMMAND_MESSAGES, ClientMessage, DoneMessage, RefusedMessage, Told, Word
from punto.server.refused import Refused
from punto.server.routing.answers import Json
from punto.server.routing.event_numbers import LastKnownEvent
from punto.server.routing.routes import Routes, Tagged
from punto.server.running.server_log import log
from punto.server.tables.served_table import ServedTable
from punto.server.tables.shoe_keeper import NotInOrder
from punto.server.tables.table_actor import outcome
from punto.store.events.house_events import DeviceRefused, DeviceWork
from punto.table.guidance.dealer_automation import Step
from punto.table.procedures import can_happen, of_game
from punto.table.round import Phase
from punto.table.settings import Device
from punto.table.views import PrivateView, PublicView, private, public, staff
from punto.table.visibility import Audience

MOST_EVENTS = 1_000


class TableListed(Struct, frozen=True):
    """A table as a list shows it."""

    table: str
    game: str
    phase: Phase
    round: int
    hold: str | None
    patrons: int
    automatic: tuple[Step, ...]
    number: int


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to create. A command opens it."""

    table: Annotated[str, Meta(min_length=1, max_length=40, pattern="^[A-Za-z0-9-]+$")]
    game: Annotated[str, Meta(max_length=64)]
    automatic: tuple[Step, ...] = ()


class Automation(Struct, frozen=True, forbid_unknown_fields=True):
    """The Dealer's steps that the server takes."""

    steps: tuple[Step, ...]


class TableShown(Struct, frozen=True):
    """A table after an event; staff see more of it than others."""

    table: str
    number: int
    view: PublicView


class CardTold(Struct, frozen=True, forbid_unknown_fields=True):
    """A card that the dealing device read as it left the shoe; the first of a shoe has the number 0."""

    shoe: Annotated[str, Meta(max_length=500)]
    sequence: Annotated[int, Meta(ge=0, lt=10_000)]
    card: Annotated[str, Meta(max_length=8)]
    key: Word | None = None
    """Idempotency key: a retry has the same one, and gets the same answer."""


class CardTaken(Struct, frozen=True):
    """A card that the server has stored; whether this was a retry by its idempotency key."""

    sequence: int
    repeated: bool


routes = Routes("/api", "tables")


@routes.get("/tables")
async def list_tables(gateway: Gateway) -> list[TableListed]:
    """List the tables that are served, and how each stands."""
    await gateway.floor.others.refresh_all()
    return [_listed(each) for each in gateway.floor.tables.values()]


@routes.post("/tables", permission=Permission.CREATE_TABLES)
async def create_table(gateway: Gateway, person: Person, body: NewTable) -> TableListed:
    """Create a table for a game. A command opens it."""
    book = gateway.floor.games.get(body.game)
    if book is None:
        raise Refused("not-found")
    try:
        await gateway.floor.create_table(body.table, book, body.automatic, person.giver)
    except ValueError:
        raise Refused("cannot-be", case="table-exists", table=body.table) from None
    log.info("table created", table=body.table, game=body.game, by=person.id)
    return _listed(await gateway.refreshed(body.table))


@routes.post("/tables/{table}/automation", permission=Permission.CREATE_TABLES)
async def automate(gateway: Gateway, person: Person, table: str, body: Automation) -> TableListed:
    """Set which of the Dealer's steps the server takes."""
    served = await gateway.refreshed(table)
    await gateway.floor.automate(served.name, body.steps, person.giver)
    return _listed(served)


@routes.get("/tables/{table}")
async def show_table(gateway: Gateway, person: Person | None, table: str) -> Json[TableShown]:
    """Return a table as the caller may see it, and the number of its last event."""
    served, view = await gateway.refreshed(table), staff if _sees_everything(person) else public
    return Json(TableShown(table, served.actor.number, view(served.table)), words=gateway.floor.words)


@routes.get("/tables/{table}/mine")
async def show_mine(gateway: Gateway, person: Person, table: str) -> PrivateView:
    """Return what is the caller's own at a table: chips, debts, and cards they have looked at."""
    served = await gateway.refreshed(table)
    return private(served.table, person.id, served.keeper.card_if_known)


@routes.get("/tables/{table}/events")
async def list_events(
    gateway: Gateway,
    digests: OpeningDigests,
    person: Person | None,
    table: str,
    after: LastKnownEvent = 0,
    most: Annotated[int, Meta(ge=1, le=MOST_EVENTS)] = MOST_EVENTS,
) -> list[Told]:
    """Return the log of a table after an event, without what the caller may not see.

    A Dealer sees that of another Dealer's table as the public does.
    """
    served = await gateway.refreshed(table)
    sees_all = person is not None and await reads_log(gateway, digests, person, table)
    audience = Audience.STAFF if sees_all else Audience.PUBLIC
    return await read_told(gateway.floor.store, served.name, after, most, audience, gateway.floor.words)


@routes.get("/tables/{table}/procedures", permission=Permission.SEE_EVERYTHING)
async def list_possible(gateway: Gateway, table: str) -> list[str]:
    """Return what can have gone wrong at a table as it stands, by the keys of the game's procedures."""
    state = (await gateway.refreshed(table)).table
    return [each.key for each in of_game(state.book) if not each.found_by_table and can_happen(each, state)]


@routes.post("/tables/{table}/commands")
async def give_command(
    gateway: Gateway,
    person: Person,
    table: str,
    body: Annotated[ClientMessage, Tagged("Command", tuple(COMMAND_MESSAGES.values()))],
) -> DoneMessage | RefusedMessage:
    """Give a command. It is stored before this answers; with an idempotency key a retry does nothing twice."""
    served = await gateway.refreshed(table)
    if body.table not in (None, table):
        raise Refused("bad-message", case="other-table", table=table)
    return await outcome(gateway.submit, person, served, body)


@routes.post("/tables/{table}/cards", permission=Permission.TELL_CARDS)
async def tell_card(gateway: Gateway, person: Person, table: str, body: CardTold) -> CardTaken:
    """Tell a card, as the card-reading device of this table does. It stays encrypted until the card is exposed.

    A card that was told before, or is not the next, is refused alike whichever it is, and the pit is alerted.
    """
    await gateway.devices.check_place(person, table, DeviceWork.CARD_READER)
    served = await newest(gateway, table)
    state = served.table
    if state.setting is None or state.set_up.device is not Device.CARD_READING:
        raise Refused("cannot-be", case="no-card-reader")
    if state.shoe is None or state.shoe.name != body.shoe:
        raise Refused("cannot-be", case="other-shoe", shoe=body.shoe)
    if body.sequence >= state.shoe.size:
        raise Refused("cannot-be", case="beyond-shoe", size=state.shoe.size)
    try:
        card = Card.parse(body.card)
    except CardError:
        raise Refused("bad-message", case="card", card=body.card) from None
    try:
        new = await served.keeper.read(body.shoe, body.sequence, card, person.giver, body.key)
    except NotInOrder as error:
        await gateway.devices.note(DeviceRefused(person.id, error.why, table, sequence=body.sequence))
        raise
    return CardTaken(body.sequence, not new)


async def newest(gateway: Gateway, table: str) -> ServedTable:
    """Return a table with what other processes have just stored, also if this one has not been told yet."""
    served = gateway.table(table)
    if gateway.floor.store.shared:
        await served.actor.catch_up()
    return served


def _sees_everything(person: Person | None) -> bool:
    return person is not None and Permission.SEE_EVERYTHING.is_given_to(person.duty)


def _listed(served: ServedTable) -> TableListed:
    table = served.table
    patrons = sum(1 for chips in table.chips.values() if chips)
    hold = table.hold.provision if table.hold else None
    automatic = tuple(sorted(served.steps))
    return TableListed(
        served.name, table.book.key, table.phase, table.round_number, hold, patrons, automatic, served.actor.number
    )
