"""Requests that the pages make besides: drawn roads, the rounds of a shoe, and what the lobby shows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Protocol

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from punto.cards import Card
from punto.roads import DerivedRoad, Grid, RoundMark, Statistics, Win, roads
from punto.roads.big_road import big_road
from punto.rules.coup import OutcomeClass, hand_total
from punto.server.gateway import Desk, Refused
from punto.server.http.answers import AtDesk, answered
from punto.server.http.openapi import gives
from punto.server.http.sessions import session_of
from punto.server.tables.floor import ServedTable
from punto.store.records import Recorded
from punto.table.event import Settled
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.void import RoundVoided
from punto.table.round import Phase
from punto.table.settings import Limits
from punto.table.table import SettledRound, Table

MOST_ROUNDS = 200
LOOKED_BACK = 2_000
"""Events: how far one looks back for rounds that were void or corrected before anybody asked."""
READ_AT_ONCE = 1_000


class MarkShown(Struct, frozen=True, omit_defaults=True):
    """A round on a road, in its place; row and column count from 1."""

    row: int
    column: int
    winner: str
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False
    ties: int = 0
    """On the big road: ties that followed."""


class ColourShown(Struct, frozen=True):
    """An entry of a derived road, in its place."""

    row: int
    column: int
    colour: str


class AskShown(Struct, frozen=True):
    """What the next round would add if Banker won it, and if Player did; none if nothing."""

    banker: str | None
    player: str | None


class DerivedShown(Struct, frozen=True):
    """A derived road as it is drawn, and its ask road."""

    cells: tuple[ColourShown, ...]
    ask: AskShown


class ShoeProgress(Struct, frozen=True):
    """The shoe in use: how many of its cards are drawn."""

    shoe: str
    drawn: int
    size: int
    cutting_card_shown: bool


class DrawnRoads(Struct, frozen=True):
    """All roads of a shoe as they are drawn, and its counts."""

    bead_plate: tuple[MarkShown, ...]
    big_road: tuple[MarkShown, ...]
    waiting_ties: int
    """Ties of a shoe without a win yet, which the first win will show."""
    big_eye_boy: DerivedShown
    small_road: DerivedShown
    cockroach_pig: DerivedShown
    statistics: Statistics


class RoadsShown(Struct, frozen=True):
    """The roads at a table after an event."""

    table: str
    number: int
    shoe: ShoeProgress | None
    roads: DrawnRoads


class HandShown(Struct, frozen=True):
    """A hand of a round that is over, and its point total."""

    cards: tuple[Card, ...]
    total: int


class RoundShown(Struct, frozen=True):
    """A round that is over: its cards and outcome, and to a patron what became of his own wagers."""

    round: int
    player: HandShown | None
    banker: HandShown | None
    winner: str | None
    """None for a void round, as are its cards."""
    void: bool = False
    corrected: bool = False
    clause: str | None = None
    """By which it was void, or corrected."""
    mine: tuple[Settled, ...] = ()


class LobbyTable(Struct, frozen=True):
    """A table as the lobby shows it."""

    table: str
    game: str
    title: str
    number: int
    phase: Phase
    round: int
    hold: str | None
    deadline: int | None
    patrons: int
    """How many have chips there."""
    positions: int
    limits: Mapping[str, Limits]
    method: str | None
    hlga: bool
    shoe: ShoeProgress | None
    big_road: tuple[MarkShown, ...]
    rounds: int
    """Of this shoe."""


for_pages = APIRouter(prefix="/api", tags=["pages"])
"""What the pages show, worked out here: they have no rules and no roads of their own."""


@for_pages.get("/lobby", responses=gives(LobbyTable, many=True))
async def lobby(desk: AtDesk) -> Response:
    """Every table as the lobby shows it."""
    return answered([_in_lobby(each) for each in desk.floor.tables.values()])


@for_pages.get("/lobby/{table}", responses=gives(LobbyTable))
async def lobby_table(desk: AtDesk, table: str) -> Response:
    """One table as the lobby shows it."""
    return answered(_in_lobby(desk.table(table)))


@for_pages.get("/tables/{table}/roads", responses=gives(RoadsShown))
async def show_roads(desk: AtDesk, table: str) -> Response:
    """The roads of the shoe in use, drawn."""
    served = desk.table(table)
    state = served.table
    return answered(RoadsShown(table, served.service.number, shoe_progress(state), _drawn(_marks(state))))


@for_pages.get("/tables/{table}/rounds", responses=gives(RoundShown, many=True))
async def show_rounds(desk: AtDesk, request: Request, table: str, most: int = 20) -> Response:
    """The last rounds of this shoe and the one before, the newest first."""
    if not 0 < most <= MOST_ROUNDS:
        raise Refused("bad-message", why=f"most is 1 to {MOST_ROUNDS}")
    served, session = desk.table(table), await session_of(desk, request)
    irregular = await _irregular(request, desk, served)
    shown = _rounds(served.table, irregular, session.person.id if session else None)
    return answered(sorted(shown, key=lambda each: -each.round)[:most])


# --- lobby -----------------------------------------------------------------------------------------------------------


def _in_lobby(served: ServedTable) -> LobbyTable:
    table, marks = served.table, _marks(served.table)
    setting = table.setting
    return LobbyTable(
        table=served.name,
        game=table.book.key,
        title=table.book.title,
        number=served.service.number,
        phase=table.phase,
        round=table.round_number,
        hold=table.hold.provision if table.hold else None,
        deadline=table.window.deadline if table.window else None,
        patrons=sum(1 for chips in table.chips.values() if chips),
        positions=setting.positions if setting else 0,
        limits=setting.limits if setting else {},
        method=setting.method if setting else None,
        hlga=bool(setting and setting.hlga),
        shoe=shoe_progress(table),
        big_road=_big_road(marks),
        rounds=len(marks),
    )


def shoe_progress(table: Table) -> ShoeProgress | None:
    shoe = table.shoe
    return ShoeProgress(shoe.name, shoe.drawn, shoe.size, shoe.cutting_card_shown) if shoe else None


# --- roads -----------------------------------------------------------------------------------------------------------

Marks = tuple[RoundMark, ...]


def _marks(table: Table) -> Marks:
    return tuple(mark for mark in table.marks if mark)


@lru_cache(maxsize=512)
def _drawn(marks: Marks) -> DrawnRoads:
    """Drawn once for everybody who asks until the next round."""
    made = roads(marks)
    return DrawnRoads(
        bead_plate=tuple(_mark(row, column, mark) for row, column, mark in made.bead_plate.cells),
        big_road=_wins(made.big_road.grid),
        waiting_ties=made.big_road.waiting_ties,
        big_eye_boy=_derived(made.big_eye_boy),
        small_road=_derived(made.small_road),
        cockroach_pig=_derived(made.cockroach_pig),
        statistics=made.statistics,
    )


@lru_cache(maxsize=512)
def _big_road(marks: Marks) -> tuple[MarkShown, ...]:
    return _wins(big_road(marks).grid)


def _wins(grid: Grid[Win]) -> tuple[MarkShown, ...]:
    return tuple(_mark(row, column, win.mark, win.ties) for row, column, win in grid.cells)


def _mark(row: int, column: int, mark: RoundMark, ties: int = 0) -> MarkShown:
    return MarkShown(row, column, mark.winner.value, mark.player_pair, mark.banker_pair, mark.natural, ties)


def _derived(road: DerivedRoad) -> DerivedShown:
    cells = tuple(ColourShown(row, column, colour.value) for row, column, colour in road.grid.cells)
    return DerivedShown(cells, AskShown(road.ask.banker, road.ask.player))


# --- rounds ----------------------------------------------------------------------------------------------------------


class Irregular:
    """Which rounds of a table were void or corrected, by which clause: read off the log as it grows."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.void: dict[int, str | None] = {}
        self.corrected: dict[int, str | None] = {}

    def take_in(self, events: Iterable[Recorded]) -> None:
        for recorded in events:
            self.number, event = recorded.number, recorded.event
            if isinstance(event, RoundVoided):
                self.void[event.round] = event.clause
            elif isinstance(event, RoundCorrected):
                kept = self.corrected if event.coup else self.void
                kept[event.round] = event.clause
        for kept in (self.void, self.corrected):
            for old in sorted(kept)[:-MOST_ROUNDS]:
                del kept[old]


async def _irregular(request: Request, desk: Desk, served: ServedTable) -> Irregular:
    if not hasattr(request.app.state, "irregular"):
        request.app.state.irregular = {}
    by_table: dict[str, Irregular] = request.app.state.irregular
    known = by_table.setdefault(served.name, Irregular(max(0, served.service.number - LOOKED_BACK)))
    await read_on(desk, served, known)
    return known


class Following(Protocol):
    """Something read off a table's log as it grows."""

    number: int
    """The last event that is in it."""

    def take_in(self, events: Iterable[Recorded]) -> None:
        """The events that come next."""
        ...


async def read_on(desk: Desk, served: ServedTable, known: Following) -> None:
    """Let it know the log as far as this process knows the table."""
    while known.number < served.service.number:
        after = known.number
        read = await desk.floor.store.read(served.name, after, READ_AT_ONCE)
        if known.number == after:  # somebody else who asked may have read the same meanwhile
            known.take_in(read)
        if not read:
            break


def _rounds(table: Table, irregular: Irregular, patron: str | None) -> Iterable[RoundShown]:
    for number, settled in table.history.items():
        yield _round(number, settled, number in irregular.corrected, irregular.corrected.get(number), patron)
    first = min(table.history, default=1)
    for number, clause in irregular.void.items():
        if number >= first and number not in table.history:
            yield RoundShown(number, None, None, None, void=True, clause=clause)


def _round(number: int, settled: SettledRound, corrected: bool, clause: str | None, patron: str | None) -> RoundShown:
    player, banker = (HandShown(cards, hand_total(cards)) for cards in (settled.player, settled.banker))
    winner = OutcomeClass(player.total, banker.total, len(player.cards), len(banker.cards)).winner.value
    mine = tuple(each for each in settled.wagers if each.patron == patron)
    return RoundShown(number, player, banker, winner, corrected=corrected, clause=clause, mine=mine)
