"""Place the entries of a road on its six rows. One drawing serves the big road and the roads derived from it.

Each logical column begins in the top row, at the first free cell to the right of where the column before it began, and
goes down. At row six, or above a taken cell, it turns right and becomes a dragon tail. A tail keeps its row to the end:
it does not go down again where the cells below are free. It never meets a taken cell either: whatever an earlier tail
holds further right, it also holds in the grid column where the later one came down, and so lies below it.

Where a tail runs along the top row, the next column begins beyond its end. Two runs of one colour may lie side by side;
they stay two, because nothing is ever derived from the drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from punto.notebook import Markup

ROWS = 6
"""The number of rows of every road."""

T = TypeVar("T")
Entry_co = TypeVar("Entry_co", covariant=True)


class Cell(NamedTuple, Generic[Entry_co]):
    """An entry and its place: row 1 is the top, column 1 the left."""

    row: int
    column: int
    entry: Entry_co


@dataclass(frozen=True, slots=True)
class Grid(Generic[Entry_co]):
    """A drawn road. Cells are in order of entry, so the last is the newest."""

    cells: tuple[Cell[Entry_co], ...]

    @property
    def width(self) -> int:
        """The number of columns of the drawing, tails included."""
        return max((cell.column for cell in self.cells), default=0)

    def __repr__(self) -> str:
        return f"<Grid: {len(self.cells)} cells in {self.width} columns>"

    def _repr_svg_(self) -> Markup:
        from punto.roads.svg import draw_svg

        return draw_svg(self)  # type: ignore[arg-type]


def draw(columns: Iterable[Sequence[T]]) -> Grid[T]:
    """Draw logical columns, turning right at row six or above a taken cell."""
    cells: list[Cell[T]] = []
    start = 0
    tails: dict[int, int] = {}  # grid column -> row of the highest tail in it; only tails can lie where a column begins
    for entries in columns:
        start += 1
        while tails.get(start) == 1:
            start += 1
        depth = tails.get(start, ROWS + 1) - 1
        for number, entry in enumerate(entries, 1):
            if number <= depth:
                cells.append(Cell(number, start, entry))
            else:
                column = start + number - depth
                cells.append(Cell(depth, column, entry))
                tails[column] = depth
    return Grid(tuple(cells))


def fill(entries: Iterable[T]) -> Grid[T]:
    """Draw every entry in turn, down six rows and then right, as on a bead plate."""
    return Grid(tuple(Cell(number % ROWS + 1, number // ROWS + 1, entry) for number, entry in enumerate(entries)))
