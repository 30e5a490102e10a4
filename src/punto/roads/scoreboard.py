"""All roads of a shoe together, built from its rounds.

Roads are never appended to: a table rebuilds them after each round, which takes a fraction of a millisecond, and so a
correction of an earlier round needs no special case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from punto.notebook import Markup, gallery
from punto.roads.big_road import BigRoad, big_road
from punto.roads.derived_roads import DerivedRoad, derived_road
from punto.roads.grid import Grid, fill
from punto.roads.round_marks import RoundMark
from punto.roads.statistics import Statistics, statistics
from punto.roads.svg import Entry, Sign, draw_svg


@dataclass(frozen=True, slots=True)
class Roads:
    """What the display at the table shows of a shoe."""

    bead_plate: Grid[RoundMark]
    big_road: BigRoad
    big_eye_boy: DerivedRoad
    small_road: DerivedRoad
    cockroach_pig: DerivedRoad
    statistics: Statistics

    def __repr__(self) -> str:
        return f"<Roads: {self._counts()}>"

    def _repr_html_(self) -> Markup:
        shown: dict[str, tuple[Grid[Entry], Sign]] = {
            "Bead plate": (self.bead_plate, Sign.RING),
            "Big road": (self.big_road.grid, Sign.RING),
            "Big eye boy": (self.big_eye_boy.grid, Sign.RING),
            "Small road": (self.small_road.grid, Sign.DOT),
            "Cockroach pig": (self.cockroach_pig.grid, Sign.STROKE),
        }
        return gallery(self._counts(), {name: draw_svg(grid, name, sign) for name, (grid, sign) in shown.items()})

    def _counts(self) -> str:
        found = self.statistics
        rounds = "1 round" if found.rounds == 1 else f"{found.rounds} rounds"
        return f"{rounds}, Banker {found.banker}, Player {found.player}, Tie {found.tie}"


def roads(marks: Sequence[RoundMark]) -> Roads:
    """Return the roads of one shoe from its settled rounds, oldest first, without void rounds.

    >>> from punto import Coup
    >>> dealt = ("9s 2c Kd 3c", "Ks 9h Qd Kc", "9s 9h Kd Kc", "Ks 8h Qd Kc")
    >>> shoe = roads([RoundMark.of(Coup.deal(cards)) for cards in dealt])
    >>> shoe
    <Roads: 4 rounds, Banker 2, Player 1, Tie 1>
    >>> shoe.big_road
    <BigRoad: columns of [1, 2]>
    """
    big = big_road(marks)
    return Roads(
        bead_plate=fill(marks),
        big_road=big,
        big_eye_boy=derived_road(big, back=1),
        small_road=derived_road(big, back=2),
        cockroach_pig=derived_road(big, back=3),
        statistics=statistics(marks, big),
    )
