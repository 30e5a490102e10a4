"""Exact counts of deals for wagers that ask the cards themselves, in closed form over the classes that they tell apart.

As in ``punto.rules.ending_counts``, third cards are set aside first; then the first two cards of both hands are counted
apart, and the deals in which both hands hold the same physical card are taken off. Let A(g) be the ordered pairs of the
cards left that make state g, and R(g, c) the pairs that one card of class c makes with the others, at either place.
With n(c) cards of class c, both hands make states g and h in

    A(g) A(h) - (sum over c of n(c) R(g, c) R(h, c)) + T(g, h)

ways, where T counts the pairs of cards that make g and h, in the same order and turned round. Where first or second
cards are exposed, the same holds with fewer places; T is zero unless all four are to come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import perm
from typing import Any

import numpy as np

from punto.cards import DECK, Card, Composition
from punto.odds.return_kernel import MOST_CARDS
from punto.rules.coup import Coup, OutcomeClass
from punto.rules.deal_counts import LONGEST_COUP, CardsSeen, Deals
from punto.rules.hands.hand_states import BothHands, HandStates, cards_apart, hands_of
from punto.rules.hands.reachable import short_deals
from punto.rules.rulebook import Wager
from punto.rules.settlement import settle
from punto.rules.table_of_play import banker_draws, player_draws

Array = Any
_SPARSE = 16
"""From so many places for each number on, adding one by one is faster than counting all places."""
_NUMBER = {card: number for number, card in enumerate(DECK)}


@dataclass(frozen=True, slots=True)
class HandCounts:
    """How many ordered deals end in each pair of final hands."""

    hands: BothHands
    ways: dict[tuple[int, int], int]

    def by_outcome(self, wager: Wager) -> list[int]:
        """Return the deals of each outcome of a wager."""
        found = [0] * len(wager.outcomes)
        settled: dict[int, tuple[int, ...]] = {}
        for (player, banker), ways in self.ways.items():
            if player not in settled:
                settled[player] = self.hands.settled(wager, player)
            found[next(at for at, bits in enumerate(settled[player]) if bits >> banker & 1)] += ways
        return found


@lru_cache(maxsize=64)
def deals_by_hands(wagers: tuple[Wager, ...], seen: CardsSeen, unexposed: Composition) -> Deals:
    """Return the deals by outcome class, with an example of each, as far as these wagers tell deals apart."""
    if len(unexposed) < LONGEST_COUP - len(seen.cards):
        return _short(seen, unexposed)
    hands = hands_of(wagers)
    ways = _Counting(hands, seen, unexposed).ways()
    classes: dict[OutcomeClass, int] = {hands.outcome(*pair): counted for pair, counted in ways.items()}
    return Deals(classes, 0)


@lru_cache(maxsize=64)
def outcomes_by_hands(wager: Wager, seen: CardsSeen, unexposed: Composition) -> tuple[tuple[int, ...], int]:
    """Return the deals of each outcome of a wager, in their order, and the deals that run out of cards."""
    if len(unexposed) < LONGEST_COUP - len(seen.cards):
        return _short_outcomes(wager, seen, unexposed)
    hands = hands_of((wager,))
    counted = HandCounts(hands, _Counting(hands, seen, unexposed).ways())
    return tuple(counted.by_outcome(wager)), 0


def _short_outcomes(wager: Wager, seen: CardsSeen, unexposed: Composition) -> tuple[tuple[int, ...], int]:
    deals = _short(seen, unexposed)
    found = dict.fromkeys(wager.outcomes, 0)
    for outcome, counted in deals.classes.items():
        found[settle(wager, outcome)] += counted
    return tuple(found.values()), deals.void


def _short(seen: CardsSeen, unexposed: Composition) -> Deals:
    """Count a few cards order by order."""
    classes: Counter[OutcomeClass] = Counter()
    void = 0
    for dealt in short_deals(seen, unexposed):
        if dealt is None:
            void += 1
        else:
            classes[Coup(*dealt).outcome_class] += 1
    return Deals(dict(classes), void)


class _Hand:
    """The first two cards of one hand: which are exposed, and what the others make."""

    def __init__(self, states: HandStates, cards: Sequence[Card | None], kinds: list[int], number: Any) -> None:
        self.states, self.number = states, number
        shown = [_NUMBER[each] if each else None for each in (*cards, None, None, None)[:3]]
        self.third = shown[2]
        firsts, seconds = ([each] if each is not None else kinds for each in shown[:2])
        kinds_of = states.pair_class
        at = [[states.state_at[kinds_of[one]][kinds_of[other]] for other in seconds] for one in firsts]
        used, places = np.unique(np.array(at), return_inverse=True)
        self.at: Array = places.reshape(len(firsts), len(seconds))
        """By first and second card: the state, numbered among those that are possible."""
        self.used: list[int] = used.tolist()
        self.unseen = (shown[0] is None) + (shown[1] is None)
        self.totals = np.array([states.totals[each] for each in self.used])
        self.two = np.array([states.two[each] for each in self.used])
        self.kinds = kinds
        self._made = [self._partners(each) for each in range(len(kinds))] if self.unseen == 2 else []

    def three(self, card: int) -> Array:
        """Return by state the final hand with a third card; -1 for states that never draw."""
        kind = self.states.third_class[card]
        return np.array([self.states.three[each][kind] if self.states.three[each] else -1 for each in self.used])

    def _partners(self, kind: int) -> Array:
        """Return by state and card in how many places a card of this kind makes the state with it."""
        found = np.zeros((len(self.used), len(self.kinds)), self.number)
        cards = np.arange(len(self.kinds))
        np.add.at(found, (self.at[cards, kind], cards), 1)
        np.add.at(found, (self.at[kind, cards], cards), 1)
        return found

    def count(self, supply: Array) -> None:
        """Count the partners of all cards; a card is no partner of its own."""
        if self.unseen == 2:
            self._all = sum(made * count for made, count in zip(self._made, supply, strict=True))
            for kind, made in enumerate(self._made):
                self._all[:, kind] -= made[:, kind]

    def pairs(self, left: Array, gone: Sequence[int]) -> tuple[Array, Array]:
        """Return A and R for the cards left, when these kinds are gone, one card of each."""
        if self.unseen == 0:
            return np.ones(1, self.number), np.zeros((1, len(left)), self.number)
        if self.unseen == 1:
            completed: Array = np.zeros((len(self.used), len(left)), self.number)
            completed[self.at.reshape(-1), np.arange(len(left))] = 1
            return completed @ left, completed
        made = self._all
        for kind in gone:
            made = made - self._made[kind]
        return (made @ left) // 2, made


class _Counting:
    """The count of all deals for some hands, exposed cards and cards left."""

    def __init__(self, hands: BothHands, seen: CardsSeen, unexposed: Composition) -> None:
        apart = cards_apart(hands)
        supply: Counter[int] = Counter()
        examples: dict[int, int] = {}
        for card, count in unexposed.items():
            supply[apart[_NUMBER[card]]] += count
            examples.setdefault(apart[_NUMBER[card]], _NUMBER[card])
        self.kinds = list(examples.values())
        self.cards, self.seen = len(unexposed), len(seen.cards)
        # Beyond this many cards products of six counts need more than 64 bits.
        self.number: Any = np.float64 if self.cards <= MOST_CARDS else object
        self.supply = np.array([supply[each] for each in examples], self.number)
        self.player = _Hand(hands.player, seen.player, self.kinds, self.number)
        self.banker = _Hand(hands.banker, seen.banker, self.kinds, self.number)
        self.hands = hands
        for hand in (self.player, self.banker):
            hand.count(self.supply)
        # The pairs of cards that make a state of each hand, in the same order and turned round.
        width = len(self.banker.used)
        self._both = [(self.player.at * width + at).reshape(-1) for at in self._orders]

    @property
    def _orders(self) -> list[Array]:
        four_to_come = self.player.unseen == 2 and self.banker.unseen == 2
        return [self.banker.at, self.banker.at.T] if four_to_come else []

    def ways(self) -> dict[tuple[int, int], int]:
        """Return the deals by the final hands of Player and Banker."""
        rows, columns = len(self.hands.player.examples), len(self.hands.banker.examples)
        found: Array = np.zeros(rows * columns, self.number)
        if self._settled_by_first_cards:
            drawn = self.player.unseen + self.banker.unseen
            ways = self._first_twos(self.supply, ()) * perm(self.cards - drawn, LONGEST_COUP - self.seen - drawn)
            _add(found, self.player.two[:, None] * columns + self.banker.two[None, :], ways)
            return {divmod(at, columns): int(found[at]) for at in np.flatnonzero(found).tolist()}
        for third, last in self._third_cards():
            allowed = self._allowed(third, last)
            if not allowed.any():
                continue
            weight, left, gone = self._set_aside(third, last)
            if not weight:
                continue
            drawn = self.player.unseen + self.banker.unseen + len(gone)
            ways = self._first_twos(left, gone)[allowed]
            one = self.player.two if third is None else self.player.three(third)
            other = self.banker.two if last is None else self.banker.three(last)
            at = (one[:, None] * columns + other[None, :])[allowed]
            rest = perm(self.cards - drawn, LONGEST_COUP - self.seen - drawn)
            _add(found, at, ways * (weight * rest))
        return {divmod(at, columns): int(found[at]) for at in np.flatnonzero(found).tolist()}

    def _third_cards(self) -> Iterator[tuple[int | None, int | None]]:
        """Yield the third cards of Player and Banker, each by its number in the deck; None for none."""
        for third in [None, *self.kinds] if self.player.third is None else [self.player.third]:
            for last in [None, *self.kinds] if self.banker.third is None else [self.banker.third]:
                yield third, last

    def _allowed(self, third: int | None, last: int | None) -> Array:
        """Return for both states whether the Table of Play asks for just these third cards."""
        value = None if third is None else DECK[third].point_value
        return _follows(value, last is not None)[self.player.totals[:, None], self.banker.totals[None, :]]

    @property
    def _settled_by_first_cards(self) -> bool:
        """Whether third cards change nothing, because nobody asks for them and none is exposed."""
        asked = any(leaf.question.third for leaf in self.hands.leaves)
        return not asked and self.player.third is None and self.banker.third is None

    def _set_aside(self, third: int | None, last: int | None) -> tuple[int, Array, list[int]]:
        """Return in how many ways the third cards are drawn, the cards left, and the kinds of those drawn."""
        left, weight = self.supply.copy(), 1
        gone = []
        for hand, card in ((self.player, third), (self.banker, last)):
            if card is not None and hand.third is None:
                at = self.kinds.index(card)
                weight *= int(left[at])
                left[at] -= 1
                gone.append(at)
        return weight, left, gone

    def _first_twos(self, left: Array, gone: Sequence[int]) -> Array:
        """Return in how many ways the first two cards make each pair of states."""
        (one, partners), (other, others) = self.player.pairs(left, gone), self.banker.pairs(left, gone)
        ways = one[:, None] * other[None, :] - (partners * left) @ others.T
        if self._both:
            pairs = (left[:, None] * left[None, :] - np.diag(left)).reshape(-1)
            flat = ways.reshape(-1)
            for at in self._both:
                _add(flat, at, pairs)
        return ways


def _add(to: Array, at: Array, numbers: Array) -> None:
    """Add numbers to the places of an array; a place may come more than once."""
    if to.dtype == object or len(to) > _SPARSE * at.size:
        np.add.at(to, at.reshape(-1), numbers.reshape(-1))
    else:
        to += np.bincount(at.reshape(-1), numbers.reshape(-1), len(to))


@lru_cache(maxsize=32)
def _follows(third: int | None, draws: bool) -> Array:
    """Return by two-card totals whether Player's third card is of this value, or none, and Banker draws or not."""
    return np.array(
        [
            [
                player_draws(held, other) is (third is not None) and banker_draws(held, other, third) is draws
                for other in range(10)
            ]
            for held in range(10)
        ]
    )
