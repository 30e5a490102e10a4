"""The plan of a table layout in millimetres: where each playing area and each hand lies, and how large it is.

The rules say which areas a layout has and how many playing positions; they say nothing of sizes. So the plan gives each
area room for the wagers that may lie on it side by side, and each hand room for three cards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from punto.rules.rulebook import Layout, Rulebook
from punto.table.setting_checks import MOST_WAGERS_IN_AN_AREA

CHIP = 40
"""The diameter of a chip."""
CARD_WIDTH, CARD_HEIGHT = 63, 88
"""A card of the size that is called poker size."""
AREA_WIDTH = MOST_WAGERS_IN_AN_AREA * (CHIP + 4)
"""The width of a playing area at its narrow edge: a chip with some air for each wager it takes."""
AREA_DEPTH = CHIP + 12
HAND_WIDTH, HAND_HEIGHT = 3 * CARD_WIDTH + 36, CARD_HEIGHT + 22
POSITIONS_LEFT_TO_THE_HOUSE = 9
"""How many positions are drawn where the rules leave their number to the house."""

_BETWEEN = 6
_NUMBERS, _RAIL = 64, 86
_DEALER_SIDE = 150
_HANDS_FROM_EDGE = 110
_LEAST_RADIUS = 430
_LEAST_HALF_WIDTH = 340
_FEW_POSITIONS, _FEW_SPAN, _MANY_SPAN = 9, math.radians(160), math.radians(176)


@dataclass(frozen=True, slots=True)
class AreaPlan:
    """A playing area: the sector between two radii and two angles. Angles go counter-clockwise from straight down."""

    position: int
    wager: str
    inner: float
    outer: float
    start: float
    end: float

    @property
    def width(self) -> float:
        """The width at the narrow edge."""
        return self.inner * (self.end - self.start)


@dataclass(frozen=True, slots=True)
class LayoutPlan:
    """A table layout seen from above. The origin is the middle of the arc; y grows towards the patrons."""

    layout: Layout
    positions: int
    areas: tuple[AreaPlan, ...]
    numbers: float
    """The radius at which the positions are numbered."""
    edge: float
    """The radius of the table's rounded edge."""
    reach: float
    """The angle, to either side of straight down, at which the rounded edge begins."""
    dealer_side: float
    """How far the Dealer's straight edge is from the origin."""
    half_width: float

    @property
    def width(self) -> float:
        """How wide the table is."""
        return 2 * self.half_width

    @property
    def depth(self) -> float:
        """How deep the table is, from the Dealer's edge to the patrons'."""
        return self.dealer_side + self.edge

    @property
    def hands(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The upper left corners of the areas of Player's and of Banker's hand, as the Dealer's patrons see them."""
        top = _HANDS_FROM_EDGE - self.dealer_side
        return (-HAND_WIDTH - _BETWEEN, top), (_BETWEEN, top)


def plan_of(book: Rulebook, layout: Layout) -> LayoutPlan:
    """Return the plan of a layout with the most positions it may have."""
    positions = layout.positions.most if layout.positions else POSITIONS_LEFT_TO_THE_HOUSE
    names = [wager.name for wager in book.wagers]
    span = _FEW_SPAN if positions <= _FEW_POSITIONS else _MANY_SPAN
    inner = max(_LEAST_RADIUS, math.ceil(positions * (AREA_WIDTH + _BETWEEN) / span / 5) * 5)
    step, gap = (AREA_WIDTH + _BETWEEN) / inner, _BETWEEN / inner
    first = -step * positions / 2
    outer = inner + AREA_DEPTH * len(names)
    areas = tuple(
        AreaPlan(
            position=at + 1,
            wager=name,
            inner=outer - AREA_DEPTH * (band + 1),
            outer=outer - AREA_DEPTH * band,
            start=first + at * step + gap / 2,
            end=first + (at + 1) * step - gap / 2,
        )
        for at in range(positions)
        for band, name in enumerate(names)
    )
    edge = outer + _NUMBERS + _RAIL
    reach = min(math.pi / 2, -first + _RAIL / edge)
    return LayoutPlan(
        layout=layout,
        positions=positions,
        areas=areas,
        numbers=outer + _NUMBERS / 2,
        edge=edge,
        reach=reach,
        dealer_side=_DEALER_SIDE,
        half_width=max(_LEAST_HALF_WIDTH, edge * math.sin(reach)),
    )
