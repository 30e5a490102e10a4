"""The tables by which the compiled loops settle: which deals settle alike, and what each wager returns in them.

Endings that settle every wager alike form one class, as do initial deals; only classes are added up. Cards that no
wager tells apart in first two cards are of one type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import product
from math import perm
from typing import Any

import numpy as np

from punto.cards import DECK
from punto.odds.return_kernel import ROW
from punto.rules.conditions import Sees
from punto.rules.coup import OutcomeClass
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.ending_counts import Ending, third_card_plan
from punto.rules.hands.hand_states import mixes, what_mixes
from punto.rules.outcome_classes import Classes, classes_for
from punto.rules.rulebook import Wager
from punto.rules.settlement import settle
from punto.rules.table_of_play import banker_draws, player_draws

Array = Any


class MixedWager(ValueError):
    """A wager that these tables do not count: it asks for single cards, or reads totals and first cards together."""


def fits_64_bits(wager: Wager, cards: int) -> bool:
    """Return whether the gains of a wager over all deals of so many cards fit 64 bits, whatever the cards are."""
    return perm(cards, LONGEST_COUP) * most_parts(wager) < 2**63


def most_parts(wager: Wager) -> int:
    """Return the most parts of a unit that a wager pays or takes."""
    return int(wager.parts * max(abs(line.pays) for line in wager.outcomes))


class ReturnTables:
    """What the loops need to know about some wagers."""

    def __init__(self, wagers: Sequence[Wager]) -> None:
        if mixed := [wager for wager in wagers if mixes(wager)]:
            raise MixedWager(
                f"{mixed[0].name} {what_mixes(mixed[0])}, which perfect play and counts do not follow; "
                "its exact effects of removal are in punto odds --removal, and other wagers can be studied by name"
            )
        self.wagers = tuple(wagers)
        self.parts = np.array([wager.parts for wager in wagers], np.int64)
        """How many parts make a unit of each wager, so that all it pays are whole numbers of parts."""
        self._reached, self._begins, self.pays = self._ending_classes()
        self._initial, self._type_of, self.initial_pays = self._initial_classes()

    @cached_property
    def rules(self) -> tuple[Any, ...]:
        """The arrays, in the order in which the loops expect them."""
        values = np.array([card.point_value for card in DECK], np.uint64)
        ending_parts = self._reached, self._begins, self._initial
        return values, self._type_of, plan_of_play(), *ending_parts, self.pays, self.initial_pays

    def space(self) -> tuple[Any, ...]:
        """Return working space for one thread."""
        kinds_with, class_of = self._initial[1], self._initial[3]
        kinds = np.zeros(len(class_of), np.int64), np.zeros(kinds_with.shape, np.int64)
        classes, initials = np.zeros(self.pays.shape[1], np.int64), np.zeros(self.initial_pays.shape[1], np.int64)
        counting, found = counting_space()
        return np.zeros(10), np.zeros(len(kinds_with), np.int64), counting, found, kinds, classes, initials

    def _ending_classes(self) -> tuple[Array, Array, Array]:
        """Return the places of endings by class, where each class begins, and what wagers pay by class, in parts."""
        endings = third_card_plan().endings
        reading = [wager for wager in self.wagers if wager.sees & Sees.TOTALS]
        paid = {ending: self._paid(reading, OutcomeClass(*ending)) for ending in endings}
        alike: dict[tuple[int, ...], list[int]] = {}
        for ending in endings:
            alike.setdefault(paid[ending], []).append(place_of(ending))
        begins = np.cumsum([0, *map(len, alike.values())])
        reached = np.concatenate([*alike.values()])
        return reached.astype(np.uint64), begins.astype(np.uint64), self._columns(reading, list(alike))

    def _initial_classes(self) -> tuple[tuple[Array, ...], Array, Array]:
        """Return how first two cards fall into classes, the type of each card, and what wagers pay by class.

        Class 0 is that of most kinds of both hands, which is not counted but left over.
        """
        reading = [wager for wager in self.wagers if not wager.sees & Sees.TOTALS]
        classes = classes_for(reading)
        paid = [self._paid(reading, classes.outcome(0, number)) for number in range(len(classes.examples))]
        by_frequency = [each for each, _ in Counter(paid[number] for number in classes.class_at).most_common()]
        of_kinds = [by_frequency.index(paid[number]) for number in classes.class_at]
        class_of = np.array(of_kinds, np.int64).reshape(classes.kinds, classes.kinds)
        type_of, partners, kinds_with = _types(classes)
        counted = np.ascontiguousarray(np.argwhere(class_of))  # of one layout, so that loops are compiled once
        return (partners, kinds_with, counted, class_of), type_of, self._columns(reading, by_frequency)

    def _paid(self, wagers: Sequence[Wager], outcome: OutcomeClass) -> tuple[int, ...]:
        return tuple(int(settle(wager, outcome).pays * wager.parts) for wager in wagers)

    def _columns(self, wagers: Sequence[Wager], paid: Sequence[Any]) -> Array:
        """Return what every wager pays by class; those that do not read this part of a coup pay nothing by it."""
        by_wager = {wager.name: [each[at] for each in paid] for at, wager in enumerate(wagers)}
        nothing = [0] * len(paid)
        return np.array([by_wager.get(wager.name, nothing) for wager in self.wagers], np.int64).reshape(
            len(self.wagers), len(paid)
        )


@cache
def plan_of_play() -> tuple[Array, Array, Array]:
    """Return the Table of Play as the loops walk it.

    First the totals with which Player stands, whether Banker draws, and from where the deals are counted; then, by the
    value of Player's third card, where its part of the last list begins; there the same for totals with which Player
    draws.
    """
    totals = list(product(range(10), repeat=2))

    def begun(player: int, banker: int, third: int | None) -> tuple[int, int, bool, int]:
        draws = banker_draws(player, banker, third)
        ends_with = (player + (third or 0)) % 10
        return player, banker, draws, place_of((ends_with, banker, 2 + (third is not None), 2 + draws))

    standing = [begun(p, b, None) for p, b in totals if not player_draws(p, b)]
    drawing = [[begun(p, b, third) for p, b in totals if player_draws(p, b)] for third in range(10)]
    begins = np.cumsum([0, *map(len, drawing)])
    together = [each for part in drawing for each in part]
    return np.array(standing, np.uint64), begins.astype(np.uint64), np.array(together, np.uint64)


def place_of(ending: Ending) -> int:
    """Return where the loops count an ending: by who has a third card, and by the totals."""
    player, banker, player_cards, banker_cards = ending
    return ((2 * (player_cards == 3) + (banker_cards == 3)) * 10 + player) * ROW + banker


def counting_space() -> tuple[tuple[Array, ...], Array]:
    """Return the working space of the loops that count endings, and the places they count them in."""
    by_total = np.zeros(100), np.zeros(10 * ROW), np.zeros(10)
    counting = (*by_total, np.zeros(100), *(each.copy() for each in by_total), np.zeros(10))
    return counting, np.zeros(4 * 10 * ROW)


def _types(classes: Classes) -> tuple[Array, Array, Array]:
    """Return the type of each card, and which kinds of first two cards the types make.

    Cards are of one type if they make the same kind with every card. ``kinds_with`` lists the kinds that a type can be
    part of, that of most partners first, filled up with -1; ``partners`` has the other partners of each type, with the
    place in that list of the kind they make.
    """
    kinds = np.array(classes.kind_at).reshape(len(DECK), len(DECK))
    rows: dict[bytes, int] = {}
    type_of = np.array([rows.setdefault(row.tobytes(), len(rows)) for row in kinds], np.int64)
    first = [int(np.argmax(type_of == number)) for number in range(len(rows))]
    lists = [[kind for kind, _ in Counter(kinds[card].tolist()).most_common()] for card in first]
    kinds_with = np.full((len(rows), max(map(len, lists))), -1, np.int64)
    partners = []
    for one, found in enumerate(lists):
        kinds_with[one, : len(found)] = found
        slots = [found.index(kinds[first[one], other]) for other in first]
        partners += [(one, other, slot) for other, slot in enumerate(slots) if slot]
    return type_of, np.array(partners, np.int64).reshape(-1, 3), kinds_with
