"""Big eye boy, small road and cockroach pig: how regular the big road is, in red and blue.

Each reads the logical columns of the big road, never its drawing, and compares a column with the one ``back`` columns
before it: 1 for big eye boy, 2 for the small road, 3 for cockroach pig.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from punto.notebook import Markup
from punto.roads.big_road import BigRoad
from punto.roads.grid import Grid, draw
from punto.rules.coup import Winner


class Colour(StrEnum):
    """Red: the big road repeats itself. Blue: it does not. Neither has to do with Banker or Player."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class AskRoad:
    """The ask road: what the next round would add if Banker won it, and if Player did; None if nothing.

    Either both or neither are given, and they differ: each depends on whether the last column is as long as the one it
    is compared with; if so, a win that continues the column is blue and one that ends it is red.
    """

    banker: Colour | None = None
    player: Colour | None = None


@dataclass(frozen=True, slots=True)
class DerivedRoad:
    """A derived road: its entries in order, in logical columns of one colour each, and drawn."""

    entries: tuple[Colour, ...]
    columns: tuple[tuple[Colour, ...], ...]
    grid: Grid[Colour]
    ask: AskRoad

    def __repr__(self) -> str:
        return f"<DerivedRoad: {' '.join(self.entries)}>"

    def _repr_svg_(self) -> Markup:
        return self.grid._repr_svg_()


def derived_road(road: BigRoad, back: int) -> DerivedRoad:
    """Return the road that compares columns of the big road with those ``back`` columns before them."""
    lengths = road.lengths
    colours = (
        _colour(lengths, back, column, row) for column, length in enumerate(lengths) for row in range(1, length + 1)
    )
    entries = tuple(colour for colour in colours if colour)
    columns = tuple(tuple(run) for _, run in groupby(entries))
    return DerivedRoad(entries, columns, draw(columns), _ask(road, back))


def _colour(lengths: Sequence[int], back: int, column: int, row: int) -> Colour | None:
    """Return what a win in this row (from 1) of this column (from 0) adds, if there is a column to compare with."""
    if row == 1:
        last = column - 1  # a new column judges the one it ended: whether it came out even
        if last < back:
            return None
        return Colour.RED if lengths[last] == lengths[last - back] else Colour.BLUE
    if column < back:
        return None
    return Colour.BLUE if row == lengths[column - back] + 1 else Colour.RED


def _ask(road: BigRoad, back: int) -> AskRoad:
    lengths = road.lengths
    if not lengths:
        return AskRoad()
    same = _colour(lengths, back, len(lengths) - 1, lengths[-1] + 1)
    change = _colour(lengths, back, len(lengths), 1)
    return (
        AskRoad(banker=same, player=change)
        if road.last_winner is Winner.BANKER
        else AskRoad(banker=change, player=same)
    )
