"""All roads of a shoe together, built from its rounds.

There is no appending to roads: a table builds them anew after each round, which takes a fraction of a millisecond, and
so a correction of an earlier round needs nothing of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from punto.roads.big_road import BigRoad, big_road
from punto.roads.derived import DerivedRoad, derived_road
from punto.roads.drawing import Grid, fill
from punto.roads.marks import RoundMark
from punto.roads.statistics import Statistics, statistics


@dataclass(frozen=True, slots=True)
class Roads:
    """What the display at the table shows of a shoe."""

    bead_plate: Grid[RoundMark]
    big_road: BigRoad
    big_eye_boy: DerivedRoad
    small_road: DerivedRoad
    cockroach_pig: DerivedRoad
    statistics: Statistics


def roads(marks: Sequence[RoundMark]) -> Roads:
    """The roads of one shoe from its settled rounds, oldest first; void rounds are not among them."""
    big = big_road(marks)
    return Roads(
        bead_plate=fill(marks),
        big_road=big,
        big_eye_boy=derived_road(big, back=1),
        small_road=derived_road(big, back=2),
        cockroach_pig=derived_road(big, back=3),
        statistics=statistics(marks, big),
    )
