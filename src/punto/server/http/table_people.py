"""People at a table: guests who buy in by name, the names of all who are there, and what was written about them."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from punto.server.access.erasure import erase_words
from punto.server.access.identity import Duty, Person
from punto.server.access.permissions import Permission
from punto.server.access.person_name import proper_name
from punto.server.gateway import Gateway
from punto.server.http.access.people import Erasure, Name, PatronFound
from punto.server.realtime.messages import COMMAND_MESSAGES, DoneMessage, RefusedMessage, Word, refused
from punto.server.refused import Refused
from punto.server.routing.event_numbers import EventNumber
from punto.server.routing.routes import Routes
from punto.server.running.server_log import log
from punto.server.tables.served_table import ServedTable
from punto.server.tables.table_actor import outcome
from punto.store.codec import encoder
from punto.store.words import people_in
from punto.table.decide import decide
from punto.table.guards import MOST
from punto.table.play.chips import BoughtIn, BuyIn
from punto.table.refusal import Refusal
from punto.table.roles import Actor
from punto.table.views import staff


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    """A patron of whom the house knows a name only, and the cash they buy in for, in cents."""

    name: Name
    amount: Annotated[int, Meta(gt=0, lt=MOST)]
    key: Word | None = None
    """Idempotency key: the same key again is a retry."""


class GuestSeated(Struct, frozen=True):
    """A guest with the id that the house has given them, and the events of their buy-in."""

    patron: PatronFound
    first: int
    last: int
    repeated: bool = False


class WordsErasedAt(Struct, frozen=True):
    """An event whose words were erased, and their digests, which stay."""

    table: str
    number: int
    digests: tuple[str, ...]


class SeatTaken(Struct, frozen=True):
    """A position and the patron who last had a wager there."""

    position: int
    patron: str


routes = Routes("/api/tables", "people at tables")


@routes.get("/{table}/names", permission=Permission.SEE_EVERYTHING)
async def list_names(gateway: Gateway, table: str) -> dict[str, str]:
    """Return the names of everyone at a table by their ids; a name that was erased is empty."""
    return await names_at(gateway, await gateway.refreshed(table))


@routes.get("/{table}/seats", permission=Permission.SEE_EVERYTHING)
async def list_seats(gateway: Gateway, table: str) -> list[SeatTaken]:
    """List who last had a wager at each position during this shoe and still has chips at the table."""
    at = (await gateway.refreshed(table)).table
    settled = ((each.position, each.patron) for round_ in at.history.values() for each in round_.wagers)
    lying = ((position, patron) for patron, position, _ in at.round.stakes)
    seats = dict((*settled, *lying))
    return [SeatTaken(position, seats[position]) for position in sorted(seats) if at.chips.get(seats[position])]


async def names_at(gateway: Gateway, served: ServedTable, *others: str) -> dict[str, str]:
    """Return the names of everyone whom staff see at a table, by their ids, and of others."""
    return await gateway.people.names(people_in(encoder.encode(staff(served.table))) | set(others))


@routes.post("/{table}/guests", permission=Permission.SEAT_GUESTS)
async def seat_guest(gateway: Gateway, person: Person, table: str, body: NewGuest) -> GuestSeated | RefusedMessage:
    """Buy in a patron who is not registered: the house gives them an id, and staff know them by their name."""
    served = await gateway.refreshed(table)
    if body.key and (before := await _seated_before(gateway, person, served, body)):
        return before
    assert person.duty.role is not None  # the permission is given to positions at a table
    by = Actor(person.id, person.duty.role)
    decision = decide(served.table, BuyIn(by, "guest", body.amount, at=gateway.clock()))
    if isinstance(decision, Refusal):
        return refused(decision, served.book)
    guest = await gateway.people.add(body.name, Duty.PATRON, (person.id, person.duty.value), guest=True)
    message: Any = COMMAND_MESSAGES["BuyIn"](patron=guest.id, amount=body.amount, key=body.key)
    answer: DoneMessage | RefusedMessage = await outcome(gateway.submit, person, served, message)
    if isinstance(answer, RefusedMessage):
        return answer
    log.info("guest seated", table=table, person=guest.id, by=person.id)
    return GuestSeated(PatronFound(guest.id, guest.name, guest=True), answer.first, answer.last)


async def _seated_before(gateway: Gateway, person: Person, served: ServedTable, body: NewGuest) -> GuestSeated | None:
    """Return the answer to an earlier request with the same key; raise ``Refused`` if it asked for something else."""
    answer = await gateway.floor.store.answer(person.id, body.key or "")
    if answer is None:
        return None
    asked = proper_name(body.name), body.amount
    read = await gateway.floor.store.read(served.name, answer.first - 1, 1) if answer.stream == served.name else []
    event = read[0].event if read else None
    guest = await gateway.people.find(event.patron) if isinstance(event, BoughtIn) else None
    if guest is None or not isinstance(event, BoughtIn) or (guest.name, event.amount) != asked:
        raise Refused("key-used")
    return GuestSeated(PatronFound(guest.id, guest.name, guest.guest), answer.first, answer.last, repeated=True)


@routes.post("/{table}/events/{number}/erase", permission=Permission.ERASE)
async def erase_words_at(
    gateway: Gateway, person: Person, table: str, number: EventNumber, body: Erasure
) -> WordsErasedAt:
    """Erase for good what people wrote in an event, such as a note. The event stays, and the log still verifies."""
    served, by = await gateway.refreshed(table), (person.id, person.duty.value)
    floor = gateway.floor
    digests = await erase_words(floor.store, served.name, number, body.reason, gateway.clock(), by)
    floor.words.forget(digests)
    log.info("words erased", table=table, number=number, by=person.id)
    return WordsErasedAt(served.name, number, digests)
