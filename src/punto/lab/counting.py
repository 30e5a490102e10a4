"""Card counting on one wager: how often a count calls for a wager, what it wins, and whether a house need worry.

Every card has a tag. The true count is the sum of the tags of all cards exposed since the shoe began, divided by the
decks that are left. One unit is wagered in every round before which the true count has reached the trigger.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from punto.cards import DECK, Card
from punto.formatting import decimal, percent
from punto.notebook import Markup, table
from punto.rules.rulebook import Rulebook
from punto.simulate.round_sequences import Rounds, rounds
from punto.simulate.shoe_makeup import Shoes

Array = Any
MOST_TAG = 10**9


@dataclass(frozen=True, slots=True)
class Counting:
    """The outcome of a count; gains in units, one unit per wager."""

    book: Rulebook
    wager: str
    trigger: Fraction
    shoes: int
    rounds: int
    wagered: int
    """The number of rounds in which the count called for a wager."""
    gain: Fraction
    """The total net gain."""
    squares_of_wagers: Fraction
    """The sum of the squared gains of all wagers."""
    squares_of_rounds: Fraction
    """The sum of the squared gains of a unit on the wager in every round."""
    squares_of_shoes: Fraction
    """The sum of the squared gains of all shoes."""
    by_true_count: Mapping[int, tuple[int, Fraction]]
    """For each true count, rounded down: the rounds, and the gain of a unit in each of them."""

    @property
    def frequency(self) -> Fraction:
        """The share of rounds with a wager."""
        return Fraction(self.wagered, self.rounds) if self.rounds else Fraction(0)

    @property
    def return_per_wager(self) -> Fraction:
        """The average net gain per wager."""
        return self.gain / self.wagered if self.wagered else Fraction(0)

    @property
    def standard_error(self) -> float:
        """The standard error of the return per wager."""
        if not self.wagered:
            return math.nan
        return math.sqrt((self.squares_of_wagers / self.wagered - self.return_per_wager**2) / self.wagered)

    @property
    def gain_per_shoe(self) -> Fraction:
        """The average gain per shoe."""
        return self.gain / self.shoes

    @property
    def deviation_per_shoe(self) -> float:
        """The standard deviation of the gain per shoe."""
        return math.sqrt(self.squares_of_shoes / self.shoes - self.gain_per_shoe**2)

    @property
    def desirability(self) -> float:
        """A thousand times the average gain per shoe over its standard deviation; the higher, the more tempting."""
        deviation = self.deviation_per_shoe
        return 1000 * float(self.gain_per_shoe) / deviation if deviation else 0.0

    @property
    def deviation_per_round(self) -> float:
        """The standard deviation of the gain of a unit on the wager, whatever the count."""
        won = sum((won for _, won in self.by_true_count.values()), Fraction(0))
        return math.sqrt(self.squares_of_rounds / self.rounds - (won / self.rounds) ** 2) if self.rounds else 0.0

    @property
    def shoes_to_one_deviation(self) -> float | None:
        """The number of shoes after which the expected gain equals its standard deviation; None if there is no gain."""
        return (1000 / self.desirability) ** 2 if self.desirability > 0 else None

    def __repr__(self) -> str:
        made = f"{self.wagered} wagers in {self.rounds} rounds"
        return f"<Counting on {self.wager!r} of {self.book.key!r}: {made}, {percent(self.return_per_wager)} each>"

    def _repr_html_(self) -> Markup:
        caption = f"{self.book.title}, {self.wager}: counting, wagers from {decimal(self.trigger)} on"
        figures = ("Rounds", "Return of a unit")
        rows = [(str(each), f"{n:,}", percent(won / n)) for each, (n, won) in self.by_true_count.items()]
        total = ("wagered", f"{self.wagered:,}", percent(self.return_per_wager))
        return table(caption, ("True count", *figures), [*rows, total], figures)


def counting(
    book: Rulebook,
    wager: str,
    tags: Mapping[Card, int],
    trigger: Fraction | int,
    shoes: int,
    seed: int = 0,
    dealt: Shoes | None = None,
    progress: Callable[[int, int], None] | None = None,
    scale: int = 1,
) -> Counting:
    """Count through ``shoes`` shoes. Tags are whole numbers, of which ``scale`` make one in the true count."""
    import numpy as np

    if shoes < 1:
        raise ValueError(f"expected a number of shoes above zero, not {shoes}")
    if any(abs(tag) > MOST_TAG for tag in tags.values()):
        raise ValueError(f"expected tags of at most {MOST_TAG:,}")
    dealt, found, needed = dealt or Shoes.of(book), book.wager(wager), Fraction(trigger)
    tag = np.array([tags.get(card, 0) for card in DECK], np.int64)
    parts, decks = 1, len(DECK)
    enough = _enough(needed * scale, len(dealt.cards))
    total = wagered = gain = squares = squares_of_rounds = squares_of_shoes = 0
    by_count: dict[int, list[int]] = {}
    for block in rounds(book, shoes, seed, dealt):
        running, left = _running(block, tag), len(dealt.cards) - block.place.astype(np.int64)
        gains, parts = block.returns(found)
        called = running * decks >= enough[left]
        won = np.where(called, gains, 0)
        total, wagered, gain = total + len(block), wagered + int(called.sum()), gain + int(won.sum())
        squares, squares_of_rounds = squares + int((won**2).sum()), squares_of_rounds + int((gains**2).sum())
        by_shoe = np.bincount(block.shoe - block.shoe[0], weights=won).astype(np.int64)
        squares_of_shoes += int((by_shoe**2).sum())
        _add_by_count(by_count, running * decks // (left * scale), gains)
        if progress:
            progress(int(block.shoe[-1]) + 1, total)
    return Counting(
        book=book,
        wager=found.name,
        trigger=needed,
        shoes=shoes,
        rounds=total,
        wagered=wagered,
        gain=Fraction(gain, parts),
        squares_of_wagers=Fraction(squares, parts**2),
        squares_of_rounds=Fraction(squares_of_rounds, parts**2),
        squares_of_shoes=Fraction(squares_of_shoes, parts**2),
        by_true_count={each: (n, Fraction(won, parts)) for each, (n, won) in sorted(by_count.items())},
    )


def _running(block: Rounds, tag: Array) -> Array:
    """Return the running count before each round: the tags of the cards of earlier rounds in the same shoe."""
    import numpy as np

    taken = np.arange(block.cards.shape[1]) < block.taken[:, None]
    seen = np.where(taken, tag[block.cards], 0).sum(axis=1)
    before = np.cumsum(seen) - seen
    first = block.number == 1
    return before - np.repeat(before[first], np.diff(np.r_[np.flatnonzero(first), len(block)]))


def _enough(needed: Fraction, size: int) -> Array:
    """Return, by cards left, the running count times the cards of a deck from which a wager is called for."""
    import numpy as np

    most = 2**62
    return np.array([max(-most, min(most, math.ceil(needed * left))) for left in range(size + 1)], np.int64)


def _add_by_count(by_count: dict[int, list[int]], counts: Array, gains: Array) -> None:
    import numpy as np

    found, which = np.unique(counts, return_inverse=True)
    numbers, won = np.bincount(which), np.bincount(which, weights=gains).astype(np.int64)
    for count, number, gain in zip(found.tolist(), numbers.tolist(), won.tolist(), strict=True):
        entry = by_count.setdefault(count, [0, 0])
        entry[0] += number
        entry[1] += gain
