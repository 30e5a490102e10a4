"""The big road: a new column each time the winner changes between Banker and Player. Ties neither start nor end one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from punto.notebook import Markup
from punto.roads.grid import Grid, draw
from punto.roads.round_marks import RoundMark
from punto.rules.coup import Winner


@dataclass(frozen=True, slots=True)
class Win:
    """A round that Banker or Player won. Pairs dealt in the ties it counts are on the bead plate, not here."""

    mark: RoundMark
    ties: int = 0
    """Ties that followed before the next win; on the first win of a shoe also those that came before it."""


@dataclass(frozen=True, slots=True)
class BigRoad:
    """The road as logical columns, from which all else is derived, and as drawn."""

    columns: tuple[tuple[Win, ...], ...]
    grid: Grid[Win]
    waiting_ties: int
    """Ties of a shoe that has no win yet; the first win will show them."""

    @property
    def lengths(self) -> list[int]:
        """The number of wins in each column."""
        return [len(column) for column in self.columns]

    @property
    def last_winner(self) -> Winner | None:
        """The hand of the last column, ties aside; None before the first win."""
        return self.columns[-1][0].mark.winner if self.columns else None

    def __repr__(self) -> str:
        return f"<BigRoad: columns of {self.lengths}>"

    def _repr_svg_(self) -> Markup:
        return self.grid._repr_svg_()


def big_road(marks: Iterable[RoundMark]) -> BigRoad:
    """Return the big road of these rounds, oldest first."""
    wins: list[RoundMark] = []
    ties = [0]  # one count per win; the first exists before its win
    for mark in marks:
        if mark.winner is Winner.TIE:
            ties[-1] += 1
            continue
        if wins:
            ties.append(0)
        wins.append(mark)
    entries = [Win(mark, count) for mark, count in zip(wins, ties, strict=False)]
    columns = tuple(tuple(run) for _, run in groupby(entries, key=lambda win: win.mark.winner))
    return BigRoad(columns, draw(columns), waiting_ties=0 if wins else ties[0])
