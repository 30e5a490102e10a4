"""Count the orders in which the next six cards can leave the shoe, by what is known of some of them.

Positions are numbered in the order in which cards leave the shoe: 1 and 3 are Player's first two cards, 2 and 4
Banker's, 5 and 6 the cards after them, whichever hand they go to, if any. For every observation, a class of cards at
each known position, and for every wager the counts are summed, each multiplied by what the wager pays. All sums are
whole numbers.

At every position cards are told apart only as far as the wagers or the observer can tell them. Types of cards at
different positions form a chain from fine to coarse: so the number of orders is a product, position by position, of
the cards of a type less those already taken out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import perm, prod
from typing import Any

import numpy as np

from punto.cards import DECK, Card, Composition
from punto.lab.card_partition import CardPartition
from punto.lab.wagers_on_cards import gains_on_cards, refuse_positions
from punto.rules.conditions import Sees
from punto.rules.coup import FirstTwo, OutcomeClass
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.ending_counts import NO_CARD, Ending, ending_of
from punto.rules.hands.hand_states import asks_cards
from punto.rules.rulebook import Wager
from punto.rules.settlement import settle
from punto.rules.table_of_play import banker_draws, player_draws

Array = Any
POSITIONS = tuple(range(1, LONGEST_COUP + 1))
PLAYER_FIRST_TWO, BANKER_FIRST_TWO, THIRDS = (1, 3), (2, 4), (5, 6)

MOST_ORDERS = 10**9
"""The most orders of types that are counted; more would take minutes."""
_BLOCK = 1 << 21
"""The most orders of types held in memory at a time."""
_MOST_INTEGER = 2**63 - 1


class TooManyOrders(ValueError):
    """A question whose answer would take too long to count."""


@dataclass(frozen=True, slots=True)
class PositionCounts:
    """Sums over all orders of the next six cards. Arrays have one axis per known position, in their order."""

    deals: int
    """The number of orders of six cards."""
    classes: tuple[str, ...]
    """The classes that the shoe has cards of, in the order of every axis."""
    ways: Array
    """How many of them show each observation."""
    gains: Mapping[str, Array]
    """For each wager, what one unit gains in all of these orders together, in parts of a unit."""
    parts: Mapping[str, int]
    """For each wager, how many parts make a unit."""


def count_positions(
    wagers: Sequence[Wager], shoe: Composition, positions: Sequence[int], partition: CardPartition
) -> PositionCounts:
    """Count, for cards known at these positions by their class; raise ``TooManyOrders`` if that would take too long."""
    asking = [wager for wager in wagers if asks_cards(wager)]
    for wager in asking:
        refuse_positions(wager, positions)
    cards = _Cards(shoe, partition)
    deals = perm(len(shoe), LONGEST_COUP)
    alike: dict[Sees, list[Wager]] = {}
    for wager in (each for each in wagers if each not in asking):
        alike.setdefault(wager.sees, []).append(wager)
    groups = [_Reading(sees, group, cards) for sees, group in alike.items()]
    plans = [(group, _plan(group, cards, positions)) for group in groups]
    for group, plan in plans:
        if plan.orders > MOST_ORDERS:
            raise TooManyOrders(
                f"{group.wagers[0].name}, with {len(positions)} cards known by {partition.name}: "
                f"{plan.orders:,} orders to count, more than {MOST_ORDERS:,}; "
                "know fewer cards, or tell fewer classes apart"
            )
    gains: dict[str, Array] = {}
    for group, plan in plans:
        gains |= _gains(group, plan, cards, positions)
    classes = dict(zip(cards.kinds, map(int, cards.seen), strict=True))
    for wager in asking:
        gains[wager.name] = gains_on_cards(wager, shoe, positions, classes, len(cards.classes))
    return PositionCounts(
        deals,
        cards.classes,
        _ways(cards, positions),
        {wager.name: gains[wager.name] for wager in wagers},
        {wager.name: wager.parts for wager in wagers},
    )


class _Cards:
    """The kinds of card in a shoe, with labels that tell them apart as far as needed."""

    def __init__(self, shoe: Composition, partition: CardPartition) -> None:
        held = [(number, card) for number, card in enumerate(DECK) if shoe.count(card)]
        self.kinds: list[Card] = [card for _, card in held]
        self.counts = np.array([shoe.count(card) for card in self.kinds], np.int64)
        self.size = int(self.counts.sum())
        self.alike = np.zeros(len(held), np.int64)
        """The labels that tell nothing apart."""
        self.values = np.array([card.point_value for card in self.kinds], np.int64)
        # Classes that the shoe has no card of get no number.
        present, self.seen = np.unique([partition.numbers[number] for number, _ in held], return_inverse=True)
        self.classes = tuple(partition.classes[number] for number in present)

    def count(self, labels: Array) -> Array:
        """Return how many cards there are of each type."""
        found = np.zeros(int(labels.max()) + 1, np.int64)
        np.add.at(found, labels, self.counts)
        return found


def _join(one: Array, other: Array) -> Array:
    """Return labels that tell apart what either tells apart; types alike in ``one`` have consecutive numbers."""
    return np.unique(np.stack((one, other), axis=1), axis=0, return_inverse=True)[1].reshape(-1)


def _types(labels: Array) -> int:
    """Return the number of types that labels tell apart."""
    return int(labels.max()) + 1


def _refines(fine: Array, coarse: Array) -> bool:
    return _types(_join(fine, coarse)) == _types(fine)


def _examples(labels: Array) -> Array:
    """Return, for each type, the number of a kind of card of that type."""
    return np.unique(labels, return_index=True)[1]


@cache
def _endings() -> tuple[tuple[Ending, ...], Array]:
    """Return all endings, and the number of the ending by two-card totals and the values of the next two cards."""
    endings: dict[Ending, int] = {}
    numbers = np.zeros((10, 10, 10, 10), np.int64)
    for player, banker, fifth, sixth in product(range(10), repeat=4):
        draws = player_draws(player, banker)
        third, following = (fifth, sixth) if draws else (NO_CARD, fifth)
        drawn = banker_draws(player, banker, third if draws else None)
        ending = ending_of(player, banker, third, following if drawn else NO_CARD)
        numbers[player, banker, fifth, sixth] = endings.setdefault(ending, len(endings))
    return tuple(endings), numbers


class _Hand:
    """What the first two cards of a hand can be to the wagers of a group: their kind, and types of card that decide
    it.
    """

    def __init__(self, cards: Sequence[Card], ranks: bool, suits: bool) -> None:
        kinds: dict[FirstTwo, int] = {}
        numbers = np.zeros((len(cards), len(cards)), np.int64)
        for (one, first), (two, second) in product(enumerate(cards), repeat=2):
            both = FirstTwo.of(first, second)
            kind = FirstTwo(both.pair if ranks else None, both.suit if suits else None)
            numbers[one, two] = kinds.setdefault(kind, len(kinds))
        self.kinds = tuple(kinds)
        self.numbers = numbers

    def merge(self, alike: Array) -> None:
        """Give kinds that settle alike one number."""
        self.numbers = alike[self.numbers]

    def labels(self) -> Array:
        """Return labels that tell cards apart only if some second card makes another kind with them."""
        return np.unique(self.numbers, axis=0, return_inverse=True)[1].reshape(-1)


class _Reading:
    """A group of wagers that read the same parts of a coup: what they pay, and what they tell apart where."""

    def __init__(self, sees: Sees, wagers: Sequence[Wager], cards: _Cards) -> None:
        self.wagers = wagers
        self.totals = bool(sees & Sees.TOTALS)
        self.player = _Hand(cards.kinds, bool(sees & Sees.PLAYER_RANKS), bool(sees & Sees.PLAYER_SUITS))
        self.banker = _Hand(cards.kinds, bool(sees & Sees.BANKER_RANKS), bool(sees & Sees.BANKER_SUITS))
        endings = _endings()[0] if self.totals else ((0, 0, 2, 2),)
        classes = product(endings, self.player.kinds, self.banker.kinds)
        shape = (len(endings), len(self.player.kinds), len(self.banker.kinds), len(wagers))
        self.pays = self._pays([OutcomeClass(*ending, one, other) for ending, one, other in classes]).reshape(shape)
        self._merge(self.player, 1)
        self._merge(self.banker, 2)
        self.labels = self._labels(cards)

    def _pays(self, classes: Sequence[OutcomeClass]) -> Array:
        paid = [{line: int(line.pays * each.parts) for line in each.outcomes} for each in self.wagers]
        rows = [[by[settle(each, one)] for each, by in zip(self.wagers, paid, strict=True)] for one in classes]
        small = max(abs(pays) for row in rows for pays in row) <= _MOST_INTEGER
        return np.array(rows, np.int64 if small else object)

    def _merge(self, hand: _Hand, axis: int) -> None:
        """Merge the kinds of first two cards that no wager of the group settles differently."""
        kinds = np.moveaxis(self.pays, axis, 0).reshape(len(hand.kinds), -1)
        first: dict[tuple[int, ...], int] = {}
        numbers = [first.setdefault(tuple(row.tolist()), len(first)) for row in kinds]
        hand.merge(np.array(numbers, np.int64))
        self.pays = self.pays.take([numbers.index(number) for number in range(len(first))], axis=axis)

    def _labels(self, cards: _Cards) -> dict[int, Array]:
        """Return, for each position, labels that tell cards apart as far as the wagers do: from fine to coarse."""
        totals = _join(cards.values, cards.alike) if self.totals else cards.alike
        player, banker = (_join(totals, hand.labels()) for hand in (self.player, self.banker))
        if not _refines(player, banker) and not _refines(banker, player):
            player = banker = _join(player, banker)
        hands = {PLAYER_FIRST_TWO: player, BANKER_FIRST_TWO: banker, THIRDS: totals}
        return {position: labels for places, labels in hands.items() for position in places}

    def figures(self, kinds: Mapping[int, Array], values: Array) -> Iterator[Array]:
        """Yield what each wager pays, from arrays of kinds of card at the positions that matter."""
        code: Array = 0
        if self.totals:
            one, two, three, four, five, six = (values[kinds[position]] for position in POSITIONS)
            code = _endings()[1][(one + three) % 10, (two + four) % 10, five, six]
        for axis, hand, places in ((1, self.player, PLAYER_FIRST_TWO), (2, self.banker, BANKER_FIRST_TWO)):
            number = self.pays.shape[axis]
            if number > 1:
                code = code * number + hand.numbers[kinds[places[0]], kinds[places[1]]]
        pays = self.pays.reshape(-1, len(self.wagers))
        for column in range(len(self.wagers)):
            yield np.take(pays[:, column], code)


@dataclass(frozen=True, slots=True)
class _Axis:
    """One position as it is enumerated: its types, and the classes in which sums over them are kept."""

    position: int
    labels: Array
    counts: Array
    classes: Array
    """The class of each type; types of one class have consecutive numbers."""
    weighted: bool = True
    """Whether the number of cards of a type counts; if not, sums are those given the types."""

    @property
    def size(self) -> int:
        return len(self.counts)

    @property
    def starts(self) -> Array:
        return np.flatnonzero(np.r_[True, np.diff(self.classes) > 0])


def _axis(cards: _Cards, position: int, labels: Array, keep: Array | None, weighted: bool = True) -> _Axis:
    """Return an axis on which the classes ``keep`` are kept apart; all types are summed if there are none."""
    kept = cards.alike if keep is None else keep
    joined = _join(kept, labels)
    return _Axis(position, joined, cards.count(joined), kept[_examples(joined)], weighted)


@dataclass(frozen=True, slots=True)
class _Plan:
    """How to count: the axes to enumerate, and for sums given the types of known cards those cards' own axes."""

    axes: tuple[_Axis, ...]
    known: tuple[_Axis, ...] = ()

    @property
    def orders(self) -> int:
        """The number of orders of types to enumerate."""
        return prod(axis.size for axis in self.axes) + prod(axis.size for axis in self.known)


def _plan(group: _Reading, cards: _Cards, positions: Sequence[int]) -> _Plan:
    """Return the plan with fewer orders of two.

    Either all positions are enumerated at once, by what the wagers and the observer tell apart; or first the sums over
    unknown cards are made for each type of the known ones, as the wagers tell them apart, and then the known cards are
    enumerated by what the observer tells apart too.
    """
    read = {at: labels for at, labels in group.labels.items() if group.totals or _types(labels) > 1}
    unknown = {at: labels for at, labels in read.items() if at not in positions}
    at_once = [_axis(cards, at, group.labels[at], cards.seen) for at in positions]
    at_once += [_axis(cards, at, _join(cards.seen, labels), None) for at, labels in unknown.items()]
    finest = max(unknown.values(), key=_types, default=cards.alike)
    given = {at: _join(finest, group.labels[at]) for at in positions}
    sums = [_axis(cards, at, labels, labels, weighted=False) for at, labels in given.items()]
    rest = [_axis(cards, at, labels, None) for at, labels in unknown.items()]
    shown = [_axis(cards, at, labels, cards.seen) for at, labels in given.items()]
    plans = _Plan(_from_fine(at_once)), _Plan((*_from_fine(sums), *_from_fine(rest)), _from_fine(shown))
    return min(plans, key=lambda plan: plan.orders)


def _from_fine(axes: Sequence[_Axis]) -> tuple[_Axis, ...]:
    return tuple(sorted(axes, key=lambda axis: -axis.size))


Figures = Callable[[Mapping[int, Array]], Iterator[Array]]
"""Takes the types at each position as arrays that fit together, and yields the figures to be summed."""


def _gains(group: _Reading, plan: _Plan, cards: _Cards, positions: Sequence[int]) -> dict[str, Array]:
    """Return what one unit on each wager gains in all orders of six cards that show each observation."""
    kinds = {axis.position: _examples(axis.labels) for axis in plan.axes}
    number, integer = len(group.wagers), _integer(int(np.abs(group.pays).max()) * perm(cards.size, LONGEST_COUP))

    def paid(types: Mapping[int, Array]) -> Iterator[Array]:
        return group.figures({at: kinds[at][each] for at, each in types.items()}, cards.values)

    sums = _sums(plan.axes, number, paid, integer, positions)
    if plan.known:
        given = {axis.position: axis.labels for axis in plan.axes}
        coarse = {axis.position: given[axis.position][_examples(axis.labels)] for axis in plan.known}
        by_type = sums

        def known(types: Mapping[int, Array]) -> Iterator[Array]:
            at = tuple(coarse[position][types[position]] for position in positions)
            return (each[at] for each in by_type)

        sums = _sums(plan.known, number, known, integer, positions)
    placed = len(plan.axes)
    rest = perm(cards.size - placed, LONGEST_COUP - placed)
    return {wager.name: gains * rest for wager, gains in zip(group.wagers, sums, strict=True)}


def _ways(cards: _Cards, positions: Sequence[int]) -> Array:
    """Return how many orders of six cards show each observation."""
    axes = [_axis(cards, at, cards.seen, cards.seen) for at in positions]
    integer = _integer(perm(cards.size, LONGEST_COUP))
    (found,) = _sums(axes, 1, lambda _: iter((np.ones((), np.int64),)), integer, positions)
    return found * perm(cards.size - len(axes), LONGEST_COUP - len(axes))


def _integer(most: int) -> type:
    """Return the type of array elements for whole numbers up to ``most``: unbounded ones take longer."""
    return np.int64 if most <= _MOST_INTEGER else object


def _sums(axes: Sequence[_Axis], number: int, figures: Figures, integer: type, positions: Sequence[int]) -> list[Array]:
    """Return figures times numbers of orders, summed by class, with an axis for each of the positions in turn.

    Axes are ordered from fine to coarse. The first of them are stepped through, the rest is held in memory.
    """
    stepped = next(at for at in range(len(axes) + 1) if prod(axis.size for axis in axes[at:]) <= _BLOCK)
    inside = axes[stepped:]
    within = _Within(axes)
    sums: list[Array] = [np.zeros([int(axis.classes[-1]) + 1 for axis in axes], integer) for _ in range(number)]
    mesh = dict(zip((axis.position for axis in inside), np.ix_(*(range(axis.size) for axis in inside)), strict=True))
    for chosen in product(*(range(axis.size) for axis in axes[:stepped])):
        weights = within.weights(chosen, integer)
        if not isinstance(weights, np.ndarray):
            continue
        types = mesh | {axis.position: np.array(each) for axis, each in zip(axes, chosen, strict=False)}
        at = tuple(axis.classes[each] for axis, each in zip(axes, chosen, strict=False))
        for total, figure in zip(sums, figures(types), strict=True):
            block = weights * figure
            for place, axis in enumerate(inside):
                if len(axis.starts) < axis.size:
                    block = np.add.reduceat(block, axis.starts, axis=place)
            total[at] += block
    order = [axis.position for axis in axes]
    kept = [order.index(position) for position in positions]
    summed = [place for place in range(len(axes)) if place not in kept]
    return [each.transpose(*kept, *summed).reshape([each.shape[place] for place in kept]) for each in sums]


class _Within:
    """The numbers of orders of types, from axes that are ordered from fine to coarse."""

    def __init__(self, axes: Sequence[_Axis]) -> None:
        self._axes = axes
        self._taken: dict[tuple[int, int], Array] = {}
        """For an axis and a later one: by their types, whether a card of the first is one of the second."""
        for (one, fine), (two, coarse) in product(enumerate(axes), repeat=2):
            if one < two:
                types = coarse.labels[_examples(fine.labels)]
                self._taken[one, two] = (types[:, None] == np.arange(coarse.size)).astype(np.int64)

    def weights(self, chosen: Sequence[int], integer: type) -> Array | None:
        """Return the number of orders by type, for chosen types on the first axes; None if there is no order."""
        weight = 1
        for at, kind in enumerate(chosen):
            if self._axes[at].weighted:
                weight *= int(self._left(at, chosen[:at])[kind])
        if not weight:
            return None
        found: Array = np.array(weight, integer)
        for at in range(len(chosen), len(self._axes)):
            inside = at - len(chosen)
            if not self._axes[at].weighted:
                found = np.broadcast_to(found[..., None], (*found.shape, self._axes[at].size))
                continue
            left = self._left(at, chosen).reshape(*[1] * inside, -1)
            for before in range(len(chosen), at):
                taken = self._taken[before, at]
                shape = [1] * (inside + 1)
                shape[before - len(chosen)], shape[-1] = taken.shape
                left = left - taken.reshape(shape)
            found = found[..., None] * left
        return found

    def _left(self, at: int, chosen: Sequence[int]) -> Array:
        """Return the cards of each type that are left on an axis after the chosen types of the first axes."""
        return self._axes[at].counts - sum(self._taken[before, at][kind] for before, kind in enumerate(chosen))
