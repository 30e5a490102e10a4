"""Several wagers of one round together: their covariances, and what a combination of stakes returns.

Everything follows from the joint distribution of the wagers, counted deal by deal; nothing is rounded or sampled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import isqrt
from typing import TYPE_CHECKING, Any

from punto.cards import Composition
from punto.data_frames import data_frame, exact, provenance
from punto.formatting import decimal, percent
from punto.given_values import as_fraction
from punto.notebook import Markup, table
from punto.odds.exact import NOTHING_SEEN, joint_deals, wager_odds
from punto.rules.caller_input import Game, Shoe, game_of, seen_of, stakes_of, unexposed_cards
from punto.rules.conditions import Sees
from punto.rules.deal_counts import CardsSeen
from punto.rules.rulebook import Rulebook, Wager
from punto.rules.settlement import settle

if TYPE_CHECKING:
    import polars

Array = Any
_ROOT_PLACES = 10**15


@dataclass(frozen=True, slots=True)
class CovarianceMatrix(Mapping[tuple[str, str], Fraction]):
    """The covariances of all wagers of a round, per unit staked on each: a mapping of pairs of their names."""

    book: Rulebook
    cards: int
    """The number of unexposed cards."""
    names: tuple[str, ...]
    rows: tuple[tuple[Fraction, ...], ...]
    """The covariances of each wager with every wager, in the order of ``names``."""

    def __getitem__(self, pair: tuple[str, str]) -> Fraction:
        """Return the covariance of two wagers by their names."""
        given: object = pair
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise TypeError(f"expected the names of two wagers, such as 'Player', 'Tie', found {given!r}")
        one, other = (self.names.index(self.book.wager(name).name) for name in pair)
        return self.rows[one][other]

    def __contains__(self, pair: object) -> bool:
        known = {name.casefold() for name in self.names}
        return (
            isinstance(pair, tuple) and len(pair) == 2 and all(str(each).strip().casefold() in known for each in pair)
        )

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((one, other) for one in self.names for other in self.names)

    def __len__(self) -> int:
        return len(self.names) ** 2

    def to_dict(self) -> dict[str, object]:
        """Return all covariances ready for JSON: fractions as text, each with a rounded number beside it."""
        rows = [{"wager": one, "other": other, **exact(covariance=value)} for (one, other), value in self.items()]
        return provenance(self.book) | {"cards": self.cards, "covariances": rows}

    def correlation(self, one: str, other: str) -> Fraction:
        """Return the correlation of two wagers, rounded towards zero at 15 places; 0 if one of them never varies."""
        found = self[one, other]
        square = self[one, one] * self[other, other]
        if not square:
            return Fraction(0)
        return (1 if found > 0 else -1) * _root(found**2 / square)

    def to_numpy(self) -> Array:
        """Return the matrix as an array of floating-point numbers."""
        import numpy as np

        return np.array([[value.numerator / value.denominator for value in row] for row in self.rows], np.float64)

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each pair of wagers: exact figures as texts, and rounded ones as numbers."""
        return data_frame(
            [
                {"game": self.book.key, "cards": self.cards, "wager": one, "other": other, **exact(covariance=value)}
                for (one, other), value in self.items()
            ]
        )

    def __repr__(self) -> str:
        return f"<CovarianceMatrix of {self.book.key!r}: {len(self.names)} wagers, {self.cards} cards>"

    def _repr_html_(self) -> Markup:
        caption = f"{self.book.title}, {self.cards:,} cards not exposed: covariances per unit staked"
        rows = [(name, *(decimal(value, 4) for value in row)) for name, row in zip(self.names, self.rows, strict=True)]
        return table(caption, ("Wager", *self.names), rows, self.names)


@dataclass(frozen=True, slots=True)
class Portfolio:
    """Stakes on several wagers of one round, and the exact distribution of what they gain together."""

    book: Rulebook
    cards: int
    """The number of unexposed cards."""
    stakes: tuple[tuple[str, Fraction], ...]
    """The units on each wager, by its name."""
    outcomes: tuple[tuple[Fraction, Fraction], ...]
    """Every possible net gain in units with its probability, the lowest first."""

    @property
    def staked(self) -> Fraction:
        """The units staked on all wagers together."""
        return sum((stake for _, stake in self.stakes), Fraction(0))

    @property
    def expected_gain(self) -> Fraction:
        """The average net gain of a round, in units."""
        return sum((gain * chance for gain, chance in self.outcomes), Fraction(0))

    @property
    def expected_return(self) -> Fraction:
        """The average net gain of a unit staked."""
        return self.expected_gain / self.staked

    @property
    def house_edge(self) -> Fraction:
        """The average share of a unit staked that the house keeps."""
        return -self.expected_return

    @property
    def variance(self) -> Fraction:
        """The variance of the net gain of a round, in units squared."""
        return sum((gain**2 * chance for gain, chance in self.outcomes), Fraction(0)) - self.expected_gain**2

    @property
    def deviation(self) -> Fraction:
        """The standard deviation of the net gain of a round, rounded down at 15 places: few roots are fractions."""
        return _root(self.variance)

    @property
    def chance_of_a_win(self) -> Fraction:
        """How often the round gains anything altogether."""
        return sum((chance for gain, chance in self.outcomes if gain > 0), Fraction(0))

    @property
    def chance_of_a_loss(self) -> Fraction:
        """How often the round loses anything altogether."""
        return sum((chance for gain, chance in self.outcomes if gain < 0), Fraction(0))

    def to_dict(self) -> dict[str, object]:
        """Return stakes, figures and outcomes ready for JSON: fractions as text, each with a rounded number beside."""
        figures = exact(
            staked=self.staked,
            expected_gain=self.expected_gain,
            expected_return=self.expected_return,
            house_edge=self.house_edge,
            variance=self.variance,
            chance_of_a_win=self.chance_of_a_win,
            chance_of_a_loss=self.chance_of_a_loss,
        )
        return (
            provenance(self.book)
            | {"cards": self.cards, "stakes": [{"wager": name, **exact(units=units)} for name, units in self.stakes]}
            | figures
            | {"outcomes": [exact(gain=gain, probability=chance) for gain, chance in self.outcomes]}
        )

    def to_frame(self) -> polars.DataFrame:
        """Return one row for each possible net gain, the lowest first."""
        about = {"game": self.book.key, "cards": self.cards}
        return data_frame([{**about, **exact(gain=gain, probability=chance)} for gain, chance in self.outcomes])

    def __repr__(self) -> str:
        stakes = ", ".join(f"{stake} on {name}" for name, stake in self.stakes)
        return f"<Portfolio in {self.book.key!r}: {stakes}; house edge {percent(self.house_edge)}>"

    def _repr_html_(self) -> Markup:
        stakes = ", ".join(f"{stake} on {name}" for name, stake in self.stakes)
        rows = [(decimal(gain), percent(chance)) for gain, chance in self.outcomes]
        return table(f"{self.book.title}: {stakes}", ("Gain in units", "Chance"), rows, ("Chance",))


def covariance_matrix(game: Game, shoe: Shoe = 8, seen: CardsSeen = NOTHING_SEEN) -> CovarianceMatrix:
    """Return the exact covariances of all wagers of a game; ``shoe`` and ``seen`` as for ``odds``.

    >>> covariance_matrix("baccarat", 8)["Player", "Tie"] > 0
    True
    """
    book, seen = game_of(game), seen_of(seen)
    unexposed = unexposed_cards(book, shoe, seen)
    means = {wager.name: wager_odds(wager, unexposed, seen).expected_return for wager in book.wagers}
    pairs = list(combinations_with_replacement(book.wagers, 2))
    found: dict[tuple[str, str], Fraction] = {}
    by_sees: dict[object, list[tuple[Wager, Wager]]] = {}
    for one, other in pairs:
        # Wagers that ask the cards are joined two by two: each more tells deals apart more finely.
        sees = one.sees | other.sees
        by_sees.setdefault((one, other) if sees & Sees.CARDS else sees, []).append((one, other))
    for together in by_sees.values():
        needed = tuple(dict.fromkeys(wager for pair in together for wager in pair))
        joint = joint_gains(needed, unexposed, seen)
        at = {wager.name: place for place, wager in enumerate(needed)}
        for one, other in together:
            first, second = at[one.name], at[other.name]
            product = sum((gains[first] * gains[second] * chance for gains, chance in joint.items()), Fraction(0))
            value = product - means[one.name] * means[other.name]
            found[one.name, other.name] = found[other.name, one.name] = value
    names = tuple(means)
    rows = tuple(tuple(found[one, other] for other in names) for one in names)
    return CovarianceMatrix(book, len(unexposed), names, rows)


def portfolio(
    game: Game, stakes: Mapping[str, Fraction | int], shoe: Shoe = 8, seen: CardsSeen = NOTHING_SEEN
) -> Portfolio:
    """Return what stakes on several wagers of one round gain together, exactly; ``shoe`` and ``seen`` as for ``odds``.

    >>> both = portfolio("baccarat", {"Player": 1, "Tie": Fraction(1, 2)})
    >>> [str(gain) for gain, _ in both.outcomes]
    ['-3/2', '1/2', '4']
    >>> both.expected_return == both.expected_gain / Fraction(3, 2)
    True
    """
    book, seen = game_of(game), seen_of(seen)
    units = _checked(book, stakes)
    unexposed = unexposed_cards(book, shoe, seen)
    found: dict[Fraction, Fraction] = {}
    for gains, chance in joint_gains(tuple(units), unexposed, seen).items():
        gained = sum((gain * stake for gain, stake in zip(gains, units.values(), strict=True)), Fraction(0))
        found[gained] = found.get(gained, Fraction(0)) + chance
    named = tuple((wager.name, stake) for wager, stake in units.items())
    return Portfolio(book, len(unexposed), named, tuple(sorted(found.items())))


def joint_gains(
    wagers: tuple[Wager, ...], unexposed: Composition, seen: CardsSeen = NOTHING_SEEN
) -> dict[tuple[Fraction, ...], Fraction]:
    """Return the probability of every combination of gains of a unit on each wager; a void round gains nothing."""
    deals = joint_deals(wagers, seen, unexposed)
    ways: Counter[tuple[Fraction, ...]] = Counter()
    for outcome, counted in deals.classes.items():
        ways[tuple(settle(wager, outcome).pays for wager in wagers)] += counted
    if deals.void:
        ways[tuple(Fraction(0) for _ in wagers)] += deals.void
    return {gains: Fraction(counted, deals.total) for gains, counted in ways.items()}


def _checked(book: Rulebook, stakes: Mapping[str, Fraction | int]) -> dict[Wager, Fraction]:
    """Return the stakes by wager; raise ``TypeError`` or ``ValueError`` for what is no stake."""
    units: dict[Wager, Fraction] = {}
    for name, given in stakes_of(stakes).items():
        stake = as_fraction(given)
        if stake is None:
            raise TypeError(f"expected a whole number or a fraction of units on {name}, not {given!r}")
        if stake <= 0:
            raise ValueError(f"expected a stake above zero on {name}, not {stake}")
        wager = book.wager(name)
        if wager in units:
            raise ValueError(f"{wager.name} is named twice")
        units[wager] = stake
    if not units:
        raise ValueError("expected a stake on at least one wager")
    return units


def _root(value: Fraction) -> Fraction:
    """Return the square root, rounded down at 15 places."""
    return Fraction(isqrt(value.numerator * _ROOT_PLACES**2 // value.denominator), _ROOT_PLACES)
