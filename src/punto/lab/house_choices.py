"""Choices of a house that need no simulation: the number of decks, and the limit that bounds what an attacker wins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING

from punto.formatting import fraction, money, percent
from punto.given_values import any_number, as_whole
from punto.notebook import Markup, table
from punto.odds.exact import Odds, odds
from punto.rules.caller_input import Game, game_of
from punto.rules.rulebook import Rulebook

if TYPE_CHECKING:
    import polars

Number = Fraction | int | float
"""A figure of a study: exact, or sampled and rounded."""


@dataclass(frozen=True, slots=True)
class DecksStudy:
    """The exact odds of every wager of a game from full shoes of several sizes."""

    book: Rulebook
    shoes: tuple[tuple[int, Odds], ...]
    """The numbers of decks, each with its odds."""

    def __iter__(self) -> Iterator[tuple[int, Odds]]:
        return iter(self.shoes)

    def house_edges(self, wager: str) -> dict[int, Fraction]:
        """Return the house edge of a wager by number of decks."""
        return {decks: found[wager].house_edge for decks, found in self.shoes}

    def to_dict(self) -> dict[str, object]:
        """Return all edges as JSON can hold them: fractions as text, and rounded beside them."""
        return {"game": self.book.key, "digest": self.book.digest, "edges": self._rows()}

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each wager and number of decks."""
        import polars

        game = {"game": self.book.key, "digest": self.book.digest}
        return polars.DataFrame([game | row for row in self._rows()])

    def _rows(self) -> list[dict[str, object]]:
        return [
            {
                "wager": each.wager.name,
                "decks": decks,
                "house_edge": fraction(each.house_edge),
                "house_edge_rounded": float(each.house_edge),
            }
            for decks, found in self.shoes
            for each in found.wagers
        ]

    def __repr__(self) -> str:
        listed = ", ".join(str(decks) for decks, _ in self.shoes)
        return f"<DecksStudy of {self.book.key!r}: {listed} decks>"

    def _repr_html_(self) -> Markup:
        figures = tuple(f"{decks} decks" for decks, _ in self.shoes)
        rows = [
            (wager.name, *(percent(edge) for edge in self.house_edges(wager.name).values()))
            for wager in self.book.wagers
        ]
        return table(f"{self.book.title}: house edge by number of decks", ("Wager", *figures), rows, figures)


def compare_decks(game: Game, decks: Iterable[int] | None = None) -> DecksStudy:
    """Return the exact odds of every wager by number of decks; all that the game allows by default.

    >>> from punto import load
    >>> [percent(edge) for edge in compare_decks(load("tiger"), (4, 8)).house_edges("Small Tiger").values()]
    ['14.3994%', '14.3325%']
    """
    book = game_of(game)
    given: object = decks
    if decks is not None and (isinstance(given, str | bytes) or not isinstance(given, Iterable)):
        raise TypeError(f"expected numbers of decks, such as (6, 8), found {given!r}")
    every = range(book.decks.fewest, book.decks.most + 1)
    chosen = every if decks is None else sorted({_decks(each) for each in decks})
    if not chosen:
        raise ValueError("expected at least one number of decks")
    return DecksStudy(book, tuple((each, odds(book, each)) for each in chosen))


def _decks(given: object) -> int:
    found = as_whole(given)
    if found is None:
        raise TypeError(f"expected a whole number of decks, found {given!r}")
    return found


@dataclass(frozen=True, slots=True)
class StakeLimit:
    """A limit on a wager, and what an attacker is expected to win in a shoe at that limit. Amounts are whole cents."""

    limit: int | None
    """The highest limit that keeps the loss within bounds; None if no limit is needed."""
    most_loss: int
    gain_per_shoe: Fraction
    """What the attacker wins in a shoe, in units of the limit."""
    bound_per_shoe: Fraction
    """The upper confidence bound of that gain."""
    confidence: float
    """The probability with which the true gain lies below the bound."""

    @property
    def expected_loss(self) -> Fraction | None:
        """What the house is expected to lose in a shoe at the limit; None without one."""
        return None if self.limit is None else self.limit * self.gain_per_shoe

    @property
    def bound_of_loss(self) -> Fraction | None:
        """What the house loses on average at the limit if the gain is as high as its bound; None without one."""
        return None if self.limit is None else self.limit * self.bound_per_shoe

    def __repr__(self) -> str:
        limit = "no limit needed" if self.limit is None else f"at most {money(self.limit, grouped=True)}"
        return f"<StakeLimit: {limit}, to lose at most {money(self.most_loss, grouped=True)} a shoe on average>"

    def to_dict(self) -> dict[str, object]:
        """Return the question and the answer as JSON can hold them."""
        return {
            "gain_per_shoe": fraction(self.gain_per_shoe),
            "bound_per_shoe": fraction(self.bound_per_shoe),
            "confidence": self.confidence,
            "most_loss": self.most_loss,
            "limit": self.limit,
            "expected_loss": None if self.expected_loss is None else fraction(self.expected_loss),
            "bound_of_loss": None if self.bound_of_loss is None else fraction(self.bound_of_loss),
        }


def limit_for(gain_per_shoe: Number, most_loss: int, error: Number = 0, confidence: float = 0.975) -> StakeLimit:
    """Return the highest limit at which an attacker's expected win per shoe is at most ``most_loss`` cents.

    ``gain_per_shoe`` is what the attacker wins in a shoe per unit of the limit, as a study of counting or of perfect
    play gives it, and ``error`` its standard error: the limit holds for the upper confidence bound of the gain. It is
    for one attacker; several share the amount. The loss is an average over shoes: a single shoe may cost more.

    >>> limit_for(Fraction(1, 4), most_loss=500_00)
    <StakeLimit: at most 2,000.00, to lose at most 500.00 a shoe on average>
    >>> limit_for(0.25, most_loss=500_00, error=0.05).limit
    143678
    """
    most_loss = cents_above_zero(most_loss, "the most the house may lose")
    gain, spread = any_number(gain_per_shoe, "a gain per shoe"), any_number(error, "a standard error")
    confidence = float(any_number(confidence, "a confidence"))
    if spread < 0:
        raise ValueError(f"a standard error cannot be below zero: {error}")
    if not 0.5 <= confidence < 1:
        raise ValueError(f"expected a confidence from 0.5 to below 1, not {confidence!r}")
    bound = gain + spread * Fraction(NormalDist().inv_cdf(confidence)) if spread else gain
    limit = most_loss // bound if bound > 0 else None
    return StakeLimit(limit, most_loss, gain, bound, confidence)


def cents_above_zero(given: object, what: str) -> int:
    """Return an amount in whole cents; raise ``ValueError`` for anything else."""
    found = as_whole(given)
    if found is None or found < 1:
        raise ValueError(f"expected {what} in whole cents above zero, found {given!r}")
    return found
