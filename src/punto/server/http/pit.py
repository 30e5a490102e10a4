"""The pit: every table with its money and what waits to be decided there, the staff, the shift report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from punto.books.table_results import Tally
from punto.report.dispute.packet import cited
from punto.report.legend import Legend
from punto.report.shift.made import Figures, figures
from punto.server.access.identity import Duty, Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.http.access.people import PersonShown, shown
from punto.server.http.log_digest import LogDigests
from punto.server.http.operations import ClosedStream, closed_streams
from punto.server.http.roads import ShoeProgress, shoe_progress
from punto.server.http.table_people import names_at
from punto.server.routing.routes import Routes
from punto.server.tables.available_commands import Offered, management, offered, waiting
from punto.server.tables.blind_count import check_shown, is_hidden
from punto.server.tables.served_table import ServedTable
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.table.default_settings import dealt_by_hand, practice_setting
from punto.table.event import Event
from punto.table.guidance.dealer_automation import Step
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.differential import Differential, differential
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.duty import DealerSignedOff, DealerSignedOn
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import LimitsChanged, TableClosed, TableOpened
from punto.table.play.wrong_payout import PayoutCorrected, PayoutStands
from punto.table.roles import STAFF, Actor, Role
from punto.table.settings import Device, Setting
from punto.table.table import Table
from punto.texts import Language

MOST_TOLD = 200
_SIGNED = {DealerSignedOn.__name__, DealerSignedOff.__name__}
_COUNTED = {
    kind.__name__
    for kind in (
        TableOpened,
        TableClosed,
        Filled,
        Credited,
        BoughtIn,
        CashedOut,
        RoundSettled,
        RoundCorrected,
        OverlookedWagerSettled,
        PayoutCorrected,
        LimitsChanged,
        PayoutStands,
    )
}
"""The events that change the money of an opening, or its limits."""


class DealerShown(Struct, frozen=True):
    """The person who last acted as Dealer at a table; an automatic table has no name."""

    person: str
    name: str | None
    at: int


class LastClosing(Struct, frozen=True):
    """The count when a table was closed last, in cents, and who closed it."""

    counted: int
    expected: int
    """What the books said was there."""
    difference: int
    by: str
    name: str | None
    at: int


class PitTable(Struct, frozen=True):
    """A table as the pit sees it, for the caller."""

    table: str
    game: str
    title: str
    number: int
    automatic: tuple[Step, ...]
    shoe: ShoeProgress | None
    dealer: DealerShown | None
    money: Figures | None
    """Since the table was opened last; the closing float is what its tray holds, or held when it was closed.

    None while the chips are counted, which is done blind.
    """
    rounds: int
    """Settled since then."""
    differential: Differential | None
    waiting: tuple[Offered, ...]
    """What staff must decide before play goes on."""
    management: tuple[Offered, ...]
    """What the house may do with the table."""
    suggested: Setting | None
    """For a table that is shut: the setting and the limits it had last, or the default for its game."""
    names: dict[str, str] = {}
    """Of everyone at the table, by id; a name that was erased is empty."""
    closing: LastClosing | None = None
    """For a table that is shut: what the count found when it was closed last."""


class Pit(Struct, frozen=True):
    """All tables, and the choices when one is opened."""

    devices: tuple[Device, ...]
    positions: tuple[Role, ...]
    """Of staff."""
    steps: tuple[Step, ...]
    games: tuple[tuple[str, str], ...]
    """Key and title."""
    duties: tuple[Duty, ...]
    tables: tuple[PitTable, ...]
    closed: tuple[ClosedStream, ...] = ()
    """Streams that are not in order: what depends on them is not served."""


class EventTold(Struct, frozen=True):
    """An event, in words."""

    number: int
    at: int
    by: str
    name: str | None
    position: str
    told: str
    clauses: tuple[str, ...]


class CurrentOpening:
    """The present opening of a table: its money, its rounds, who deals."""

    def __init__(self) -> None:
        self.number = self.rounds = 0
        self.tally = Tally()
        self.setting: Setting | None = None
        """The setting that the table was opened with last, with the limits as they were changed since."""
        self.dealer: tuple[str, int] | None = None
        self.signed_on: dict[str, int] = {}
        """By Dealer, when they last signed on or off."""
        self.closed: EventRecord | None = None
        """The closing that came last."""

    def take_in(self, events: Iterable[EventRecord]) -> None:
        """Take in the events that come next."""
        for recorded in events:
            self.number, written = recorded.number, recorded
            if written.position == Role.DEALER.value and written.by != "cage":
                self.dealer = written.by, written.at
            if written.name == TableClosed.__name__:
                self.closed = recorded
            if written.name in _SIGNED:
                self._sign(recorded)
            if written.name in _COUNTED:
                self._count(recorded.event)

    def _sign(self, recorded: EventRecord) -> None:
        assert isinstance(recorded.event, DealerSignedOn | DealerSignedOff)
        self.signed_on[recorded.event.dealer] = recorded.at
        if isinstance(recorded.event, DealerSignedOn) and recorded.event.relieved:
            self.signed_on[recorded.event.relieved] = recorded.at

    def _count(self, event: Event) -> None:
        if isinstance(event, TableOpened):
            self.tally, self.rounds, self.setting = Tally(), 0, event.setting
        elif isinstance(event, LimitsChanged) and self.setting:
            self.setting = replace(self.setting, limits={**self.setting.limits, **event.limits})
        self.rounds += isinstance(event, RoundSettled)
        self.tally.take_in(event)


class OpeningDigests(LogDigests[CurrentOpening]):
    """The present opening of every table."""

    def __init__(self, store: Reader) -> None:
        super().__init__(store, lambda _: CurrentOpening())


routes = Routes("/api", "the pit")


@routes.get("/pit", permission=Permission.SEE_PIT)
async def show_pit(gateway: Gateway, digests: OpeningDigests, person: Person) -> Pit:
    """Return every table with its money, what waits for a decision, and what the caller may do."""
    await gateway.floor.others.refresh_all()
    tables = [await _pit_table(gateway, digests, each, person) for each in list(gateway.floor.tables.values())]
    positions = tuple(role for role in Role if role in STAFF)
    games = tuple((key, book.title) for key, book in gateway.floor.games.items())
    closed = closed_streams(gateway.floor)
    return Pit(tuple(Device), positions, tuple(Step), games, tuple(Duty), tuple(tables), closed)


@routes.get("/pit/{table}", permission=Permission.SEE_PIT)
async def show_pit_table(gateway: Gateway, digests: OpeningDigests, person: Person, table: str) -> PitTable:
    """Return one table as the pit sees it."""
    return await _pit_table(gateway, digests, await gateway.refreshed(table), person)


@routes.get("/pit/{table}/events", permission=Permission.SEE_PIT)
async def tell_events(
    gateway: Gateway,
    person: Person,
    table: str,
    most: Annotated[int, Meta(ge=1, le=MOST_TOLD)] = 40,
    language: Language = Language.ENGLISH,
) -> list[EventTold]:
    """Return the last events at a table in words, the newest first."""
    served = await gateway.refreshed(table)
    await check_shown(gateway.floor, person, table)
    stored = await gateway.floor.store.read(served.name, max(0, served.actor.number - most), most)
    legend = Legend(language)
    await legend.look_up(gateway.floor.store, stored)
    return [_told(each, served, legend) for each in reversed(stored)]


@routes.get("/staff", permission=Permission.SEE_PIT)
async def list_staff(gateway: Gateway) -> list[PersonShown]:
    """List the people who hold a position, for appointing one to act in another."""
    return [shown(each) for each in await _staff(gateway)]


# --- people ----------------------------------------------------------------------------------------------------------


async def _staff(gateway: Gateway) -> list[Person]:
    return [each for each in await gateway.people.not_patrons() if each.duty.role in STAFF]


# --- one table -------------------------------------------------------------------------------------------------------


async def _pit_table(gateway: Gateway, digests: OpeningDigests, served: ServedTable, person: Person) -> PitTable:
    table, known = served.table, await digests.of(served)
    names = await names_at(gateway, served, *([known.dealer[0]] if known.dealer else []))
    role, now = person.duty.role, gateway.clock()
    by = Actor(person.id, role) if role else None
    suggested = None if table.setting else _suggested(served, known.setting)
    return PitTable(
        table=served.name,
        game=table.book.key,
        title=table.book.title,
        number=served.actor.number,
        automatic=tuple(sorted(served.steps)),
        shoe=shoe_progress(table),
        dealer=_dealer(known, names),
        money=None if is_hidden(served, person) else _money(table, known),
        rounds=known.rounds,
        differential=differential(table),
        waiting=offered(table, waiting(table), by, now),
        management=offered(table, management(table, suggested), by, now),
        suggested=suggested,
        names=names,
        closing=None if table.setting else await _last_closing(gateway, known),
    )


def _money(table: Table, known: CurrentOpening) -> Figures | None:
    """Return what the present opening has made, or the last one of a table that is shut."""
    there = table.float_ + table.commission if table.setting else None
    return figures(known.tally.results(there)) if known.setting else None


async def _last_closing(gateway: Gateway, known: CurrentOpening) -> LastClosing | None:
    if known.closed is None:
        return None
    event, by, at = known.closed.event, known.closed.by, known.closed.at
    assert isinstance(event, TableClosed)
    name = (await gateway.people.names([by])).get(by)
    return LastClosing(event.counted, event.counted - event.difference, event.difference, by, name, at)


def _suggested(served: ServedTable, last: Setting | None) -> Setting:
    return last or (practice_setting if served.steps else dealt_by_hand)(served.book)


def _dealer(known: CurrentOpening, names: Mapping[str, str]) -> DealerShown | None:
    if known.dealer is None:
        return None
    person, at = known.dealer
    return DealerShown(person, names.get(person), at)


def _told(recorded: EventRecord, served: ServedTable, legend: Legend) -> EventTold:
    written, event = recorded, recorded.event
    clauses, name = tuple(cited(event, served.book)), legend.names.get(written.by)
    return EventTold(recorded.number, written.at, written.by, name, written.position, legend.event(event), clauses)
