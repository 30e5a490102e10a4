"""Requests of the pit: every table with its money and what waits to be decided there, the staff, the shift report."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from msgspec import Struct

from punto.books.shift_totals import Span
from punto.books.table_results import Tally
from punto.report.dispute.packet import cited
from punto.report.event_text import event_text
from punto.report.shift.report import Figures, ShiftReport, figures, shift_report
from punto.report.shift.sheet import shift_pdf
from punto.server.gateway import Desk, Refused
from punto.server.http.answers import AtDesk, answered
from punto.server.http.house import PersonShown, shown
from punto.server.http.lobby import ShoeProgress, read_on, shoe_progress
from punto.server.http.openapi import gives
from punto.server.http.sessions import signed_in
from punto.server.identity import Duty, Person
from punto.server.permissions import Permission
from punto.server.tables.available_commands import Offered, management, offered, waiting
from punto.server.tables.floor import ServedTable
from punto.store.records import Recorded
from punto.table.default_settings import dealt_by_hand, practice_setting
from punto.table.event import Event
from punto.table.guards import MOST
from punto.table.guidance.dealer_automation import Step
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.differential import Differential, differential
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableClosed, TableOpened
from punto.table.roles import STAFF, Actor, Role
from punto.table.settings import Device, Setting
from punto.texts import Language

MOST_TOLD = 200
PDF = "application/pdf"
_COUNTED = {
    kind.__name__
    for kind in (TableOpened, TableClosed, Filled, Credited, BoughtIn, CashedOut, RoundSettled, RoundCorrected)
}
"""The events from which the money of an opening is known."""


class DealerShown(Struct, frozen=True):
    """Who last acted as Dealer at a table; no name is told of a table that runs by itself."""

    person: str
    name: str | None
    at: int


class PitTable(Struct, frozen=True):
    """A table as the pit sees it, for the person who asks."""

    table: str
    game: str
    title: str
    number: int
    automatic: tuple[Step, ...]
    shoe: ShoeProgress | None
    dealer: DealerShown | None
    money: Figures | None
    """Since the table was opened; the closing float is what its tray holds now."""
    rounds: int
    """Settled since then."""
    differential: Differential | None
    waiting: tuple[Offered, ...]
    """What has to be decided before play goes on."""
    management: tuple[Offered, ...]
    """What the house may do with the table."""
    suggested: Setting | None
    """For a table that is shut: what it was opened with last, or what suits its game."""


class Pit(Struct, frozen=True):
    """All tables, and what there is to choose from when one is opened."""

    devices: tuple[Device, ...]
    positions: tuple[Role, ...]
    """Of staff."""
    steps: tuple[Step, ...]
    games: tuple[tuple[str, str], ...]
    """Key and title."""
    duties: tuple[Duty, ...]
    tables: tuple[PitTable, ...]


class EventTold(Struct, frozen=True):
    """Something that happened, in words."""

    number: int
    at: int
    by: str
    name: str | None
    position: str
    told: str
    clauses: tuple[str, ...]


pit = APIRouter(prefix="/api", tags=["the pit"])
"""For whoever runs the pit."""


@pit.get("/pit", responses=gives(Pit))
async def show_pit(desk: AtDesk, request: Request) -> Response:
    """Every table with its money, what waits for whom, and what may be done."""
    person = await signed_in(desk, request, Permission.SEE_PIT)
    names = await _staff_names(desk)
    tables = [await _pit_table(desk, request, each, person, names) for each in desk.floor.tables.values()]
    positions = tuple(role for role in Role if role in STAFF)
    games = tuple((key, book.title) for key, book in desk.floor.games.items())
    return answered(Pit(tuple(Device), positions, tuple(Step), games, tuple(Duty), tuple(tables)))


@pit.get("/pit/{table}", responses=gives(PitTable))
async def show_pit_table(desk: AtDesk, request: Request, table: str) -> Response:
    """The same of one table."""
    person, served = await signed_in(desk, request, Permission.SEE_PIT), desk.table(table)
    return answered(await _pit_table(desk, request, served, person, await _staff_names(desk)))


@pit.get("/pit/{table}/events", responses=gives(EventTold, many=True))
async def tell_events(
    desk: AtDesk, request: Request, table: str, most: int = 40, language: str = Language.ENGLISH.value
) -> Response:
    """What happened last at a table, in words, the newest first."""
    await signed_in(desk, request, Permission.SEE_PIT)
    served = desk.table(table)
    told_in = _language(language)
    if not 0 < most <= MOST_TOLD:
        raise Refused("bad-message", why=f"most is 1 to {MOST_TOLD}")
    stored = await desk.floor.store.read(served.name, max(0, served.service.number - most), most)
    names = await _staff_names(desk)
    return answered([_told(each, served, names, told_in) for each in reversed(stored)])


@pit.get("/staff", responses=gives(PersonShown, many=True))
async def staff(desk: AtDesk, request: Request) -> Response:
    """Everybody who holds a position, so that somebody can be appointed to act in another."""
    await signed_in(desk, request, Permission.SEE_PIT)
    return answered([shown(each) for each in await _staff(desk)])


_REPORTED: dict[int | str, dict[str, Any]] = gives(ShiftReport)
_REPORTED[200]["content"][PDF] = {"schema": {"type": "string", "format": "binary"}}


@pit.get("/shift-report", responses=_REPORTED)
async def report_shift(
    desk: AtDesk,
    request: Request,
    start: Annotated[int, Query(alias="from")] = 0,
    end: Annotated[int | None, Query(alias="to")] = None,
    format: str = "json",  # noqa: A002 - so it is called in the address
    language: str = Language.ENGLISH.value,
) -> Response:
    """What every table made from one time up to another, in milliseconds since 1970; up to now if no end is told."""
    await signed_in(desk, request, Permission.REPORT_SHIFTS)
    told_in = _language(language)
    until = desk.clock() if end is None else end
    if format not in ("json", "pdf"):
        raise Refused("bad-message", why="format is json or pdf")
    if not 0 <= start < until < MOST:
        raise Refused("bad-message", why="a span begins at or after 0, and before it ends")
    games, names = list(desk.floor.games.values()), await _staff_names(desk)
    made = await shift_report(desk.floor.store, games, Span(start, until), names, told_in)
    if format == "json":
        return answered(made)
    paper = await asyncio.to_thread(shift_pdf, made, told_in)
    name = f'attachment; filename="punto-shift-{start}-{until}.pdf"'
    return Response(paper, media_type=PDF, headers={"content-disposition": name})


def _language(asked: str) -> Language:
    if asked not in list(Language):
        raise Refused("bad-message", why=f"language is {' or '.join(Language)}")
    return Language(asked)


# --- people ----------------------------------------------------------------------------------------------------------


async def _staff(desk: Desk) -> list[Person]:
    return [each for each in await desk.people.not_patrons() if each.duty.role in STAFF]


async def _staff_names(desk: Desk) -> dict[str, str]:
    """Names of those who are no patrons: patrons are told by their ids only."""
    return {each.id: each.name for each in await desk.people.not_patrons()}


# --- one table -------------------------------------------------------------------------------------------------------


async def _pit_table(
    desk: Desk, request: Request, served: ServedTable, person: Person, names: Mapping[str, str]
) -> PitTable:
    table, known = served.table, await _opening(request, desk, served)
    role, now = person.duty.role, desk.clock()
    by = Actor(person.id, role) if role else None
    suggested = None if table.setting else _suggested(served, known.setting)
    return PitTable(
        table=served.name,
        game=table.book.key,
        title=table.book.title,
        number=served.service.number,
        automatic=tuple(sorted(served.steps)),
        shoe=shoe_progress(table),
        dealer=_dealer(known, names),
        money=figures(known.tally.results(table.float_ + table.commission)) if table.setting else None,
        rounds=known.rounds,
        differential=differential(table),
        waiting=offered(table, waiting(table), by, now),
        management=offered(table, management(table, suggested), by, now),
        suggested=suggested,
    )


def _suggested(served: ServedTable, last: Setting | None) -> Setting:
    return last or (practice_setting if served.steps else dealt_by_hand)(served.book)


def _dealer(known: Opening, names: Mapping[str, str]) -> DealerShown | None:
    if known.dealer is None:
        return None
    person, at = known.dealer
    return DealerShown(person, names.get(person), at)


def _told(recorded: Recorded, served: ServedTable, names: Mapping[str, str], language: Language) -> EventTold:
    written, event = recorded.written, recorded.event
    clauses = tuple(cited(event, served.book))
    sentence = event_text(event, language)
    return EventTold(
        recorded.number, written.at, written.by, names.get(written.by), written.position, sentence, clauses
    )


class Opening:
    """The present opening of a table, read off the log as it grows: its money, its rounds, who deals."""

    def __init__(self) -> None:
        self.number = self.rounds = 0
        self.tally = Tally()
        self.setting: Setting | None = None
        """With which the table was opened last."""
        self.dealer: tuple[str, int] | None = None

    def take_in(self, events: Iterable[Recorded]) -> None:
        for recorded in events:
            self.number, written = recorded.number, recorded.written
            if written.position == Role.DEALER.value and written.by != "cage":
                self.dealer = written.by, written.at
            if written.name in _COUNTED:
                self._count(recorded.event)

    def _count(self, event: Event) -> None:
        if isinstance(event, TableOpened):
            self.tally, self.rounds, self.setting = Tally(), 0, event.setting
        self.rounds += isinstance(event, RoundSettled)
        self.tally.take_in(event)


async def _opening(request: Request, desk: Desk, served: ServedTable) -> Opening:
    if not hasattr(request.app.state, "openings"):
        request.app.state.openings = {}
    openings: dict[str, Opening] = request.app.state.openings
    known = openings.setdefault(served.name, Opening())
    await read_on(desk, served, known)
    return known
