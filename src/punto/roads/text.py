"""Roads in plain text, for terminals and tests.

A round is B, P or T. The pair marks stand where displays put them: ``'B`` has a Banker pair, ``B.`` a Player pair. On
the big road a number counts the ties: ``'B.2``. Derived roads have R for red and B for blue. An empty cell is ``-``.
"""

from __future__ import annotations

from punto.roads.big_road import Win
from punto.roads.derived_roads import Colour
from punto.roads.grid import ROWS, Grid
from punto.roads.round_marks import RoundMark

EMPTY = "-"


def render(grid: Grid[RoundMark | Win | Colour]) -> str:
    """Return the drawing as six lines of text with aligned columns.

    >>> from punto.roads.grid import draw
    >>> print(render(draw([[Colour.RED, Colour.RED], [Colour.BLUE]])))
    R B
    R -
    - -
    - -
    - -
    - -
    """
    symbols = {(cell.row, cell.column): symbol(cell.entry) for cell in grid.cells}
    widest = max(map(len, symbols.values()), default=0)
    columns = range(1, grid.width + 1)
    rows = [[symbols.get((row, column), EMPTY).ljust(widest) for column in columns] for row in range(1, ROWS + 1)]
    return "\n".join(" ".join(row).rstrip() for row in rows)


def symbol(entry: RoundMark | Win | Colour) -> str:
    """Return one entry, without the spaces around it."""
    if isinstance(entry, Colour):
        return entry.value[0].upper()
    if isinstance(entry, Win):
        return symbol(entry.mark) + (str(entry.ties) if entry.ties else "")
    return ("'" if entry.banker_pair else "") + entry.winner.value[0].upper() + ("." if entry.player_pair else "")
