"""What a simulation counts: endings of coups and classes of initial deals, laid out in tables made from the rules.

Every wager is a function of how a coup ends (totals, numbers of cards) and of what its lines ask about the first two
cards of each hand. So these two are counted, and wagers are settled from the counts. Two initial deals are of one class
if every question of every line has the same answer for both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TypeVar

from punto.cards import DECK
from punto.rules.conditions import Is, Sees
from punto.rules.coup import FirstTwo, OutcomeClass
from punto.rules.ending_counts import NO_CARD, Ending, ending_of
from punto.rules.rulebook import Wager
from punto.rules.table_of_play import banker_draws, player_draws

T = TypeVar("T")
FirstTwos = tuple[FirstTwo, FirstTwo]
"""Player's first two cards and Banker's."""

_PLAYER = Sees.PLAYER_RANKS | Sees.PLAYER_SUITS
_BANKER = Sees.BANKER_RANKS | Sees.BANKER_SUITS
_ANY_ENDING: Ending = (0, 0, 2, 2)


@dataclass(frozen=True, slots=True)
class Classes:
    """The endings and the classes of initial deals that settle some wagers."""

    joint: bool
    """Whether some wager mixes totals with first two cards, so that both have to be counted together."""
    endings: tuple[Ending, ...]
    ending_at: tuple[int, ...]
    """By Player's and Banker's two-card totals and the values of the next two cards, as four digits."""
    kind_at: tuple[int, ...]
    """By the two cards of a hand, each by its number in the deck: the kind of first two cards."""
    kinds: int
    class_at: tuple[int, ...]
    """By the kinds of Player's and of Banker's first two cards: the class of the initial deal."""
    examples: tuple[FirstTwos, ...]
    """An example of each class of initial deals."""
    on_cards: tuple[Wager, ...] = ()
    """The wagers that ask the cards themselves: neither endings nor initial deals settle them."""

    def outcome(self, ending: int, initial: int) -> OutcomeClass:
        """Return the outcome class of coups with this ending and this class of initial deal."""
        return OutcomeClass(*self.endings[ending], *self.examples[initial])


def classes_for(wagers: Iterable[Wager]) -> Classes:
    """Return the classes that settle these wagers, of one game or of several."""
    all_wagers = tuple(wagers)
    wagers = tuple(wager for wager in all_wagers if not wager.sees & Sees.CARDS)
    asked = dict.fromkeys(leaf for wager in wagers for line in wager.lines for leaf in line.when.leaves())
    questions = [leaf for leaf in asked if isinstance(leaf, Is) and leaf.sees is not Sees.TOTALS]
    of_both = [leaf for leaf in questions if leaf.sees & _PLAYER and leaf.sees & _BANKER]
    of_one = [leaf for leaf in questions if leaf not in of_both]
    ranks_compared = any(leaf.sees & Sees.PLAYER_RANKS for leaf in of_both)
    suits_compared = any(leaf.sees & Sees.PLAYER_SUITS for leaf in of_both)

    @cache
    def all_that_matters(hand: FirstTwo) -> object:
        compared = hand.pair if ranks_compared else None, hand.suit if suits_compared else None
        return _answers(of_one, (hand, hand)), compared

    ending_at, endings = _numbered(_every_ending(), key=lambda ending: ending)
    kind_at, kinds = _numbered((FirstTwo.of(*two) for two in product(DECK, repeat=2)), key=all_that_matters)
    class_at, examples = _numbered(product(kinds, kinds), key=lambda both: _answers(questions, both))
    return Classes(
        joint=any(wager.sees & Sees.TOTALS and wager.sees & ~Sees.TOTALS for wager in wagers),
        endings=endings,
        ending_at=ending_at,
        kind_at=kind_at,
        kinds=len(kinds),
        class_at=class_at,
        examples=examples,
        on_cards=tuple(wager for wager in all_wagers if wager.sees & Sees.CARDS),
    )


def _numbered(things: Iterable[T], key: Callable[[T], object]) -> tuple[tuple[int, ...], tuple[T, ...]]:
    """Number things so that those with equal keys share a number; return the numbers and the first thing of each."""
    numbers: dict[object, int] = {}
    firsts: list[T] = []
    found = []
    for thing in things:
        of_key = key(thing)
        if of_key not in numbers:
            numbers[of_key] = len(firsts)
            firsts.append(thing)
        found.append(numbers[of_key])
    return tuple(found), tuple(firsts)


def _answers(questions: Iterable[Is], both: FirstTwos) -> tuple[bool, ...]:
    outcome = OutcomeClass(*_ANY_ENDING, *both)
    return tuple(leaf.holds(outcome) for leaf in questions)


def _every_ending() -> Iterator[Ending]:
    """Yield how a coup ends, for every pair of two-card totals and of values of the next two cards."""
    for player, banker, fifth, sixth in product(range(10), repeat=4):
        third = fifth if player_draws(player, banker) else None
        last = fifth if third is None else sixth
        draws = banker_draws(player, banker, third)
        yield ending_of(player, banker, NO_CARD if third is None else third, last if draws else NO_CARD)
