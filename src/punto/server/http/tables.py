"""Requests about tables: what there is, commands, the log, shoes, and cards a dealing device reads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

import msgspec
from fastapi import APIRouter, Request, Response
from msgspec import Meta, Struct

from punto.cards import Card, CardError
from punto.server.gateway import Desk, Refused
from punto.server.http.answers import AtDesk, answered, read, reading, refusal_answer
from punto.server.http.openapi import gives, takes
from punto.server.http.sessions import session_of, signed_in
from punto.server.permissions import Permission
from punto.server.realtime.feed import told
from punto.server.realtime.messages import DoneMessage, RefusedMessage, Told, read_command
from punto.server.server_log import log
from punto.server.tables.floor import ServedTable
from punto.server.tables.shoe_keeper import NotInOrder, ShoeKeeper
from punto.shoe.cut import Contribution, Cut, Pledge
from punto.shoe.encoding import ShoeError
from punto.table.guidance.dealer_automation import Step
from punto.table.round import Phase
from punto.table.settings import Device
from punto.table.views import PrivateView, PublicView, private, public, staff

MOST_EVENTS = 1_000
MOST_SHOES = 20
Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class TableListed(Struct, frozen=True):
    """A table as the lobby shows it."""

    table: str
    game: str
    phase: Phase
    round: int
    hold: str | None
    patrons: int
    automatic: tuple[Step, ...]
    number: int


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table the house shall have; it is opened by a command."""

    table: Annotated[str, Meta(min_length=1, max_length=40, pattern="^[A-Za-z0-9-]+$")]
    game: Annotated[str, Meta(max_length=64)]
    automatic: tuple[Step, ...] = ()


class Automation(Struct, frozen=True, forbid_unknown_fields=True):
    """What of the Dealer's work is done by itself."""

    steps: tuple[Step, ...]


class TableShown(Struct, frozen=True):
    """A table after an event; to its staff with more than to others."""

    table: str
    number: int
    view: PublicView


class PledgeShown(Struct, frozen=True):
    """A patron in the list of a cut: his commitment, and once revealed his contribution; in hexadecimal digits."""

    patron: str
    commitment: str
    words: str | None
    nonce: str | None


class ShoeShown(Struct, frozen=True):
    """A sealed shoe: what the house committed itself to, and how far its cut has come."""

    shoe: str
    decks: int
    commitment: str
    anchor: str
    """What a contribution is committed to."""
    list_closed: bool
    closed_list: str | None
    pledged: tuple[str, ...]
    pledges: tuple[PledgeShown, ...]
    """The same in full: all of it but the secret is public, so that everybody can check the list and the cut."""
    missing: tuple[str, ...]
    """Who has committed himself and not revealed."""
    left_out: tuple[str, ...]
    """Who did not reveal in an earlier cut of this shoe."""
    cut: str | None
    """The value of the whole cut, once everybody in the list has revealed."""
    deadline: int | None
    """When the step that the cut waits for is over, where the house has set a time."""
    ready: bool
    published: bool


class Pledged(Struct, frozen=True, forbid_unknown_fields=True):
    """A patron's commitment to his contribution, in hexadecimal digits."""

    commitment: Hex32


class Revealed(Struct, frozen=True, forbid_unknown_fields=True):
    """A patron's contribution, in hexadecimal digits."""

    words: Annotated[str, Meta(max_length=128, pattern="^([0-9a-f]{2})*$")]
    nonce: Hex32


class CardTold(Struct, frozen=True, forbid_unknown_fields=True):
    """A card that the dealing device has read as it left the shoe; the first of a shoe has the number 0."""

    shoe: Annotated[str, Meta(max_length=500)]
    sequence: Annotated[int, Meta(ge=0, lt=10_000)]
    card: Annotated[str, Meta(max_length=8)]


class CardTaken(Struct, frozen=True):
    """The card is taken in; whether it had been told before."""

    sequence: int
    repeated: bool


tables = APIRouter(prefix="/api", tags=["tables"])
"""What there is to see and to do at tables."""


@tables.get("/tables", responses=gives(TableListed, many=True))
async def list_tables(desk: AtDesk) -> Response:
    """The tables that are served, and how each stands."""
    return answered([_listed(each) for each in desk.floor.tables.values()])


@tables.post("/tables", openapi_extra=takes(NewTable), responses=gives(TableListed))
async def create(desk: AtDesk, request: Request) -> Response:
    """Make a table for a game; it is opened by a command."""
    person = await signed_in(desk, request, Permission.CREATE_TABLES)
    asked = await read(request, NewTable)
    book = desk.floor.games.get(asked.game)
    if book is None:
        raise Refused("not-found")
    if asked.table in desk.floor.tables:
        raise Refused("cannot-be", why=f"there is a table {asked.table} already")
    try:
        await desk.floor.create_table(asked.table, book, asked.automatic)
    except ValueError as error:
        raise Refused("cannot-be", why=str(error)) from None
    log.info("table created", table=asked.table, game=asked.game, by=person.id)
    return answered(_listed(desk.table(asked.table)))


@tables.post("/tables/{table}/automation", openapi_extra=takes(Automation), responses=gives(TableListed))
async def automate(desk: AtDesk, request: Request, table: str) -> Response:
    """Set which of the Dealer's steps are done by themselves."""
    await signed_in(desk, request, Permission.CREATE_TABLES)
    asked, served = await read(request, Automation), desk.table(table)
    await desk.floor.automate(served.name, asked.steps)
    return answered(_listed(served))


@tables.get("/tables/{table}", responses=gives(TableShown))
async def show(desk: AtDesk, request: Request, table: str) -> Response:
    """A table as whoever asks may see it, and the number of its last event."""
    served, view = desk.table(table), staff if await _sees_everything(desk, request) else public
    return answered(TableShown(table, served.service.number, view(served.table)))


async def _sees_everything(desk: Desk, request: Request) -> bool:
    """Whether whoever asks may see what is not for everybody."""
    session = await session_of(desk, request)
    return session is not None and Permission.SEE_EVERYTHING.is_given_to(session.person.duty)


@tables.get("/tables/{table}/mine", responses=gives(PrivateView))
async def mine(desk: AtDesk, request: Request, table: str) -> Response:
    """What is a patron's own at a table: chips, debts, and cards he has looked at."""
    person, served = await signed_in(desk, request), desk.table(table)
    return answered(private(served.table, person.id, served.keeper.card_if_known))


@tables.get("/tables/{table}/events", responses=gives(Told, many=True))
async def events(desk: AtDesk, request: Request, table: str, after: int = 0, most: int = MOST_EVENTS) -> Response:
    """The log of a table, from an event on; to those who may not see everything without what is not for them."""
    served, everything = desk.table(table), await _sees_everything(desk, request)
    if not 0 <= after < 2**62 or not 0 < most <= MOST_EVENTS:
        raise Refused("bad-message", why=f"after is not below 0, and most is 1 to {MOST_EVENTS}")
    stored = await desk.floor.store.read(served.name, after, most)
    return answered([told(each, each.event, everything) for each in stored])


@tables.post("/tables/{table}/commands", openapi_extra=takes(command=True), responses=gives(DoneMessage))
async def give(desk: AtDesk, request: Request, table: str) -> Response:
    """Give a command. It is stored when this answers, and with the same key it is done once however often sent."""
    person = await signed_in(desk, request)
    order, served = reading(read_command, await request.body()), desk.table(table)
    if order.table not in (None, table):
        raise Refused("bad-message", why="it names another table than the address")
    answer = await desk.give(person, served, order)
    return refusal_answer(answer) if isinstance(answer, RefusedMessage) else answered(answer)


@tables.post("/tables/{table}/cards", openapi_extra=takes(CardTold), responses=gives(CardTaken))
async def tell_card(desk: AtDesk, request: Request, table: str) -> Response:
    """For a card-reading dealing device. What it tells is encrypted until the card is exposed."""
    await signed_in(desk, request, Permission.TELL_CARDS)
    asked = await read(request, CardTold)
    served = await _newest(desk, table)
    state = served.table
    if state.setting is None or state.set_up.device is not Device.CARD_READING:
        raise Refused("cannot-be", why="the table has no dealing device that reads cards")
    if state.shoe is None or state.shoe.name != asked.shoe:
        raise Refused("cannot-be", why="that shoe is not on the table")
    if asked.sequence >= state.shoe.size:
        raise Refused("cannot-be", why="the shoe has not so many cards")
    try:
        new = await served.keeper.read(asked.shoe, asked.sequence, Card.parse(asked.card))
    except CardError:
        raise Refused("bad-message", why="that is no card") from None
    except NotInOrder as error:
        raise Refused(error.refusal) from None
    return answered(CardTaken(asked.sequence, not new))


async def _newest(desk: Desk, table: str) -> ServedTable:
    """A table with what other processes have just stored, where what is asked would be refused without it."""
    served = desk.table(table)
    if desk.floor.store.shared:
        await served.service.catch_up()
    return served


def _listed(served: ServedTable) -> TableListed:
    table = served.table
    patrons = sum(1 for chips in table.chips.values() if chips)
    hold = table.hold.provision if table.hold else None
    automatic = tuple(sorted(served.steps))
    return TableListed(
        served.name, table.book.key, table.phase, table.round_number, hold, patrons, automatic, served.service.number
    )


shoes = APIRouter(prefix="/api/tables/{table}/shoes", tags=["shoes"])
"""Sealed shoes: sealed by the house, cut by patrons, published at their end."""


async def _keeper(desk: Desk, table: str) -> ShoeKeeper:
    keeper = desk.table(table).keeper
    await keeper.catch_up()
    return keeper


def _shown(keeper: ShoeKeeper, name: str, cut: Cut) -> ShoeShown:
    closed = cut.closed_list.hex() if cut.list_closed else None
    return ShoeShown(
        shoe=name,
        decks=cut.seal.decks,
        commitment=cut.seal.commitment.hex(),
        anchor=cut.anchor.hex(),
        list_closed=cut.list_closed,
        closed_list=closed,
        pledged=tuple(each.patron for each in cut.pledges),
        pledges=tuple(_pledge(each) for each in cut.pledges),
        missing=cut.missing if cut.list_closed else (),
        left_out=tuple(sorted(cut.left_out)),
        cut=cut.value.hex() if cut.complete else None,
        deadline=None if cut.complete else keeper.until(name),
        ready=keeper.is_ready(name),
        published=keeper.record(name) is not None,
    )


def _pledge(pledge: Pledge) -> PledgeShown:
    told = pledge.revealed
    words, nonce = (told.words.hex(), told.nonce.hex()) if told else (None, None)
    return PledgeShown(pledge.patron, pledge.commitment.hex(), words, nonce)


async def _known(desk: Desk, table: str, shoe: str) -> ShoeKeeper:
    keeper = await _keeper(desk, table)
    if shoe not in keeper.shoes:
        raise Refused("not-found")
    return keeper


async def _step(desk: Desk, table: str, shoe: str, work: Callable[[ShoeKeeper], Awaitable[Cut]]) -> Response:
    keeper = await _known(desk, table, shoe)
    try:
        cut = await work(keeper)
    except ShoeError as error:
        raise Refused("cannot-be", why=str(error)) from None
    return answered(_shown(keeper, shoe, cut))


@shoes.get("", responses=gives(ShoeShown, many=True))
async def list_shoes(desk: AtDesk, table: str, most: int | None = None) -> Response:
    """The sealed shoes of a table in their order or, if it is said how many, the last of them, the newest first."""
    if most is not None and not 0 < most <= MOST_SHOES:
        raise Refused("bad-message", why=f"most is 1 to {MOST_SHOES}")
    keeper = await _keeper(desk, table)
    listed = keeper.shoes if most is None else keeper.latest(most)
    return answered([_shown(keeper, *each) for each in listed.items()])


@shoes.post("", responses=gives(ShoeShown))
async def seal(desk: AtDesk, request: Request, table: str) -> Response:
    """Seal the next shoe of a table; one at a time waits to be used."""
    await signed_in(desk, request, Permission.BRING_SHOES)
    served, keeper = await _newest(desk, table), await _keeper(desk, table)
    if served.table.setting is None or served.table.set_up.device is not Device.SEALED:
        raise Refused("cannot-be", why="the table is not dealt from sealed shoes")
    decks = served.table.set_up.decks
    sealed = await keeper.next_shoe(decks)
    if sealed is None:
        raise Refused("cannot-be", why=f"{keeper.waiting(decks)} is sealed and waits to be used")
    return answered(_shown(keeper, sealed, keeper.shoes[sealed]))


@shoes.post("/{shoe}/pledges", openapi_extra=takes(Pledged), responses=gives(ShoeShown))
async def pledge(desk: AtDesk, request: Request, table: str, shoe: str) -> Response:
    """A patron commits himself to a contribution, before anybody reveals his."""
    person, asked = await signed_in(desk, request, Permission.CUT_SHOES), await read(request, Pledged)
    return await _step(
        desk, table, shoe, lambda keeper: keeper.pledge(shoe, person.id, bytes.fromhex(asked.commitment))
    )


@shoes.post("/{shoe}/list", responses=gives(ShoeShown))
async def close_list(desk: AtDesk, request: Request, table: str, shoe: str) -> Response:
    """Take no more commitments; from now on contributions are revealed."""
    await signed_in(desk, request, Permission.BRING_SHOES)
    return await _step(desk, table, shoe, lambda keeper: keeper.close_list(shoe))


@shoes.post("/{shoe}/contributions", openapi_extra=takes(Revealed), responses=gives(ShoeShown))
async def reveal(desk: AtDesk, request: Request, table: str, shoe: str) -> Response:
    """A patron reveals what he committed himself to."""
    person, asked = await signed_in(desk, request, Permission.CUT_SHOES), await read(request, Revealed)
    told = Contribution(bytes.fromhex(asked.words), bytes.fromhex(asked.nonce))
    return await _step(desk, table, shoe, lambda keeper: keeper.reveal(shoe, person.id, told))


@shoes.post("/{shoe}/again", responses=gives(ShoeShown))
async def again(desk: AtDesk, request: Request, table: str, shoe: str) -> Response:
    """Somebody did not reveal: without him, once more."""
    await signed_in(desk, request, Permission.BRING_SHOES)
    return await _step(desk, table, shoe, lambda keeper: keeper.cut_again(shoe))


@shoes.get("/{shoe}/record", responses=gives(None))
async def record(desk: AtDesk, table: str, shoe: str) -> Response:
    """The record of a shoe that has ended, by which anybody can check every card of it."""
    keeper = await _known(desk, table, shoe)
    published = keeper.record(shoe)
    if published is None:
        raise Refused("cannot-be", why="the shoe has not ended")
    return answered(msgspec.Raw(published.encode()))
