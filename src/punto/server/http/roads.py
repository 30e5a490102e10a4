"""Roads, drawn: the pages place marks and have no rules of their own."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from starlette.requests import Request

from punto.roads import DerivedRoad, Grid, RoundMark, Statistics, Win, roads
from punto.server.gateway import Gateway
from punto.server.routing.answers import Json, packed
from punto.server.routing.routes import Routes
from punto.table.table import Table

Marks = tuple[RoundMark, ...]


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
    """The shoe in use, and how many of its cards are drawn."""

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


routes = Routes("/api", "pages")


@routes.get("/tables/{table}/roads")
async def show_roads(gateway: Gateway, request: Request, table: str) -> Json[RoadsShown]:
    """Return the roads of the shoe in use, drawn."""
    served = await gateway.refreshed(table)
    state = served.table
    shown = RoadsShown(table, served.actor.number, shoe_progress(state), drawn_roads(marks_of(state)))
    return packed(request, Json(shown))


def shoe_progress(table: Table) -> ShoeProgress | None:
    """Return how far the shoe on a table is dealt."""
    shoe = table.shoe
    return ShoeProgress(shoe.name, shoe.drawn, shoe.size, shoe.cutting_card_shown) if shoe else None


def marks_of(table: Table) -> Marks:
    """Return the rounds of the shoe in use as the roads mark them."""
    return tuple(mark for mark in table.marks if mark)


@lru_cache(maxsize=512)
def drawn_roads(marks: Marks) -> DrawnRoads:
    """Return all roads as they are drawn."""
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


def _wins(grid: Grid[Win]) -> tuple[MarkShown, ...]:
    return tuple(_mark(row, column, win.mark, win.ties) for row, column, win in grid.cells)


def _mark(row: int, column: int, mark: RoundMark, ties: int = 0) -> MarkShown:
    return MarkShown(row, column, mark.winner.value, mark.player_pair, mark.banker_pair, mark.natural, ties)


def _derived(road: DerivedRoad) -> DerivedShown:
    cells = tuple(ColourShown(row, column, colour.value) for row, column, colour in road.grid.cells)
    return DerivedShown(cells, AskShown(road.ask.banker, road.ask.player))
