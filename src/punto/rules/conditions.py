"""The closed set of conditions that a wager's line may test.

What follows from totals, numbers of cards, and pairs and suits of first cards is a feature of a coup's outcome class.
Everything else is asked of the cards themselves (``punto.rules.hands``), and costs more to count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Flag, auto
from functools import lru_cache, reduce
from operator import or_
from typing import Protocol, cast

from punto.cards import Rank, Suit
from punto.rules.coup import OutcomeClass, Winner
from punto.rules.hands.questions import QUESTIONS, CardQuestion, number_of
from punto.rules.table_of_play import NATURALS

Value = str | int | bool | None


class Sees(Flag):
    """The parts of a coup that a condition reads; odds and standings enumerate nothing beyond them."""

    NOTHING = 0
    TOTALS = auto()
    PLAYER_RANKS = auto()
    BANKER_RANKS = auto()
    PLAYER_SUITS = auto()
    BANKER_SUITS = auto()
    CARDS = auto()
    """What only the cards themselves tell."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature that a condition may test, its possible values, and the parts of a coup it reads."""

    of: Callable[[OutcomeClass], Value]
    values: tuple[str, ...] | tuple[int, ...] | tuple[bool, ...]
    sees: Sees


_WINNERS = tuple(winner.value for winner in Winner)
_TOTALS = tuple(range(10))
_YES_NO = (True, False)
_RANKS = tuple(rank.value for rank in Rank)
_SUITS = tuple(suit.value for suit in Suit)
_BOTH_RANKS = Sees.PLAYER_RANKS | Sees.BANKER_RANKS


def _letter(sign: Rank | Suit | None) -> str | None:
    return sign.value if sign else None


def _pairs(outcome: OutcomeClass) -> int:
    return (outcome.player_first_two.pair is not None) + (outcome.banker_first_two.pair is not None)


def _same_pair(outcome: OutcomeClass) -> bool:
    pair = outcome.player_first_two.pair
    return pair is not None and pair is outcome.banker_first_two.pair


def _player_natural(outcome: OutcomeClass) -> bool:
    """Return whether Player's first two cards made a natural: neither hand then draws."""
    return outcome.player_cards == 2 and outcome.player_total in NATURALS


def _banker_natural(outcome: OutcomeClass) -> bool:
    return outcome.banker_cards == 2 and outcome.banker_total in NATURALS


FEATURES: dict[str, Feature] = {
    "winner": Feature(lambda o: o.winner, _WINNERS, Sees.TOTALS),
    "player_total": Feature(lambda o: o.player_total, _TOTALS, Sees.TOTALS),
    "banker_total": Feature(lambda o: o.banker_total, _TOTALS, Sees.TOTALS),
    "margin": Feature(lambda o: abs(o.player_total - o.banker_total), _TOTALS, Sees.TOTALS),
    "sum": Feature(lambda o: o.player_total + o.banker_total, tuple(range(19)), Sees.TOTALS),
    "natural": Feature(lambda o: _player_natural(o) or _banker_natural(o), _YES_NO, Sees.TOTALS),
    "player_natural": Feature(_player_natural, _YES_NO, Sees.TOTALS),
    "banker_natural": Feature(_banker_natural, _YES_NO, Sees.TOTALS),
    "player_cards": Feature(lambda o: o.player_cards, (2, 3), Sees.TOTALS),
    "banker_cards": Feature(lambda o: o.banker_cards, (2, 3), Sees.TOTALS),
    "cards": Feature(lambda o: o.player_cards + o.banker_cards, (4, 5, 6), Sees.TOTALS),
    "player_pair": Feature(lambda o: o.player_first_two.pair is not None, _YES_NO, Sees.PLAYER_RANKS),
    "banker_pair": Feature(lambda o: o.banker_first_two.pair is not None, _YES_NO, Sees.BANKER_RANKS),
    "player_pair_rank": Feature(lambda o: _letter(o.player_first_two.pair), _RANKS, Sees.PLAYER_RANKS),
    "banker_pair_rank": Feature(lambda o: _letter(o.banker_first_two.pair), _RANKS, Sees.BANKER_RANKS),
    "pairs": Feature(_pairs, (0, 1, 2), _BOTH_RANKS),
    "same_pair": Feature(_same_pair, _YES_NO, _BOTH_RANKS),
    "player_suited": Feature(lambda o: o.player_first_two.suit is not None, _YES_NO, Sees.PLAYER_SUITS),
    "banker_suited": Feature(lambda o: o.banker_first_two.suit is not None, _YES_NO, Sees.BANKER_SUITS),
    "player_suit": Feature(lambda o: _letter(o.player_first_two.suit), _SUITS, Sees.PLAYER_SUITS),
    "banker_suit": Feature(lambda o: _letter(o.banker_first_two.suit), _SUITS, Sees.BANKER_SUITS),
    "player_suited_in": Feature(lambda o: _letter(o.player_first_two.suit), _SUITS, Sees.PLAYER_SUITS),
    "banker_suited_in": Feature(lambda o: _letter(o.banker_first_two.suit), _SUITS, Sees.BANKER_SUITS),
}
"""The keys of a ``when`` table that an outcome class answers. Pairs and suits are those of a hand's first two cards."""
ONE_VALUE = {"player_suit": "player", "banker_suit": "banker"}
"""Keys that take one value, with their hands: of a list it would not be clear whether it is about each card."""


class Condition(Protocol):
    """A predicate over outcome classes."""

    def holds(self, outcome: OutcomeClass) -> bool: ...

    @property
    def sees(self) -> Sees: ...

    def leaves(self) -> Iterator[Elementary]:
        """Yield the elementary conditions it is made of."""
        ...


@dataclass(frozen=True, slots=True)
class Is:
    """Holds if the named feature has one of the allowed values."""

    feature: str
    allowed: frozenset[Value]

    def holds(self, outcome: OutcomeClass) -> bool:
        return FEATURES[self.feature].of(outcome) in self.allowed

    def leaves(self) -> Iterator[Elementary]:
        yield self

    @property
    def sees(self) -> Sees:
        return FEATURES[self.feature].sees

    @property
    def question(self) -> CardQuestion:
        """What it asks of the cards."""
        return _question(self)


class _AsksCards:
    """Base of the elementary conditions that only the cards themselves answer."""

    __slots__ = ()

    def holds(self, outcome: OutcomeClass) -> bool:
        return self.question.holds(outcome.player, outcome.banker)

    def leaves(self) -> Iterator[Elementary]:
        yield cast("Elementary", self)

    @property
    def sees(self) -> Sees:
        return Sees.CARDS

    @property
    def question(self) -> CardQuestion:
        """What it asks of the cards."""
        return _question(cast("Elementary", self))


@dataclass(frozen=True, slots=True)
class OnCards(_AsksCards):
    """Holds if what a key asks of the cards is one of the allowed values."""

    feature: str
    allowed: frozenset[Value]


@dataclass(frozen=True, slots=True)
class NumberOf(_AsksCards):
    """Holds if the number of cards of some kind is one of those allowed."""

    hand: str
    """Whose cards are counted: ``player``, ``banker`` or ``both``."""
    look: str
    """By what they are counted: rank, suit, colour or value."""
    wanted: frozenset[Value]
    allowed: frozenset[Value]


Elementary = Is | OnCards | NumberOf


@lru_cache(maxsize=4096)
def _question(leaf: Elementary) -> CardQuestion:
    """Return what a condition asks of the cards; not kept in it, because functions cannot be pickled."""
    if isinstance(leaf, NumberOf):
        return number_of(leaf.hand, leaf.look, leaf.wanted, leaf.allowed)
    return QUESTIONS[leaf.feature].question(leaf.allowed)


@dataclass(frozen=True, slots=True)
class _Several:
    """Base of the conditions that combine others."""

    conditions: tuple[Condition, ...]

    def leaves(self) -> Iterator[Elementary]:
        return (leaf for condition in self.conditions for leaf in condition.leaves())

    @property
    def sees(self) -> Sees:
        return reduce(or_, (condition.sees for condition in self.conditions), Sees.NOTHING)


@dataclass(frozen=True, slots=True)
class AllOf(_Several):
    """Holds if every condition holds; an empty list always holds."""

    def holds(self, outcome: OutcomeClass) -> bool:
        return all(condition.holds(outcome) for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class AnyOf(_Several):
    """Holds if at least one condition holds."""

    def holds(self, outcome: OutcomeClass) -> bool:
        return any(condition.holds(outcome) for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class Not:
    """Holds if the condition does not."""

    condition: Condition

    def holds(self, outcome: OutcomeClass) -> bool:
        return not self.condition.holds(outcome)

    def leaves(self) -> Iterator[Elementary]:
        return self.condition.leaves()

    @property
    def sees(self) -> Sees:
        return self.condition.sees
