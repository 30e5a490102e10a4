"""The exact probability of every outcome of every wager, and what follows from it: return, house edge, variance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from punto.cards import Composition
from punto.formatting import pays_or_push, percent
from punto.notebook import Markup, table
from punto.odds.compiled_counts import whole_coups
from punto.rules.conditions import Sees
from punto.rules.coup import Unlawful
from punto.rules.deal_counts import CardsSeen, Deals, count_deals
from punto.rules.rulebook import VOID, Result, Rulebook, Wager
from punto.rules.settlement import settle


@dataclass(frozen=True, slots=True)
class Chance:
    """One way a wager can end: what it pays, and how many of the equally likely deals lead to it."""

    outcome: str
    result: Result | None
    """None where the shoe runs out of cards and every wager is returned."""
    pays: Fraction
    clause: str | None
    deals: int
    probability: Fraction


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """The odds of one wager, per unit staked."""

    wager: Wager
    chances: tuple[Chance, ...]

    @property
    def expected_return(self) -> Fraction:
        """The average net gain of a unit staked; a void round counts as zero."""
        return self._mean(lambda chance: chance.pays)

    @property
    def house_edge(self) -> Fraction:
        """The average share of a unit staked that the house keeps."""
        return -self.expected_return

    @property
    def variance(self) -> Fraction:
        """The variance of the net gain of a unit staked."""
        return self._mean(lambda chance: chance.pays**2) - self.expected_return**2

    @property
    def hit_frequency(self) -> Fraction:
        """How often the wager wins anything."""
        return self._mean(lambda chance: chance.result is Result.WIN)

    @property
    def push_frequency(self) -> Fraction:
        """How often the wager is a push; a void round is not a push."""
        return self._mean(lambda chance: chance.result is Result.PUSH)

    def _mean(self, of: Callable[[Chance], Fraction | bool]) -> Fraction:
        return sum((chance.probability * of(chance) for chance in self.chances), Fraction(0))

    def __repr__(self) -> str:
        return f"<WagerOdds {self.wager.name!r}: house edge {percent(self.house_edge)}>"

    def _repr_html_(self) -> Markup:
        return _shown(self.wager.name, (self,))


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of all wagers of a game from one shoe."""

    book: Rulebook
    cards: int
    """The number of unexposed cards."""
    deals: int
    """The number of equally likely ordered deals that were counted."""
    wagers: tuple[WagerOdds, ...]

    def __getitem__(self, name: str) -> WagerOdds:
        wager = self.book.wager(name)
        return next(each for each in self.wagers if each.wager is wager)

    def __repr__(self) -> str:
        return f"<Odds of {self.book.key!r}: {len(self.wagers)} wagers, {self.cards} cards>"

    def _repr_html_(self) -> Markup:
        return _shown(f"{self.book.title}, {self.cards:,} cards not exposed", self.wagers)


def _shown(caption: str, wagers: tuple[WagerOdds, ...]) -> Markup:
    """Return a notebook table of odds, outcome by outcome."""
    figures = ("Pays", "Chance", "House edge", "Wins")
    rows = []
    for each in wagers:
        summary = (percent(each.house_edge), percent(each.hit_frequency))
        for one in each.chances:
            first = one is each.chances[0]
            pays = pays_or_push(one.pays) if one.result else "returned"
            name = each.wager.name if first else ""
            rows.append((name, one.outcome, pays, percent(one.probability), *(summary if first else ("", ""))))
    return table(caption, ("Wager", "Outcome", *figures), rows, figures)


NOTHING_DEALT = CardsSeen()


def odds(book: Rulebook, shoe: Composition | int = 8, dealt: CardsSeen = NOTHING_DEALT) -> Odds:
    """Return the exact odds of every wager of a game, as fractions.

    ``shoe`` is a number of decks, or the cards not yet exposed: those in the shoe and those face down. ``dealt`` are
    the exposed cards of the round; with a number of decks, only they are missing from the full shoe.

    >>> from punto import load
    >>> odds(load("tiger"), 8)["Banker"].house_edge
    Fraction(114753351728, 10847218479825)
    """
    unexposed = _unexposed(book, shoe, dealt)
    wagers = tuple(wager_odds(wager, unexposed, dealt) for wager in book.wagers)
    return Odds(book, len(unexposed), sum(chance.deals for chance in wagers[0].chances), wagers)


def wager_odds(wager: Wager, unexposed: Composition, dealt: CardsSeen = NOTHING_DEALT) -> WagerOdds:
    """Return the exact odds of one wager, from the unexposed cards.

    >>> from punto import load
    >>> wager_odds(load("baccarat").wager("Tie"), Composition.of_decks(6))
    <WagerOdds 'Tie': house edge 14.4382%>
    """
    deals = _count(wager.sees, dealt, unexposed)
    ways = dict.fromkeys(wager.outcomes, 0)
    for outcome, counted in deals.classes.items():
        ways[settle(wager, outcome)] += counted
    chances = [
        Chance(line.outcome, line.result, line.pays, line.clause, counted, Fraction(counted, deals.total))
        for line, counted in ways.items()
    ]
    if deals.void:
        chances.append(Chance(VOID, None, Fraction(0), None, deals.void, Fraction(deals.void, deals.total)))
    return WagerOdds(wager, tuple(chances))


def covariance(
    book: Rulebook, one: str, other: str, shoe: Composition | int = 8, dealt: CardsSeen = NOTHING_DEALT
) -> Fraction:
    """Return the covariance of two wagers of a round, per unit staked on each, from their joint distribution.

    >>> from punto import load
    >>> covariance(load("baccarat"), "Player", "Banker") < 0
    True
    """
    first, second = book.wager(one), book.wager(other)
    deals = _count(first.sees | second.sees, dealt, _unexposed(book, shoe, dealt))
    both = first_alone = second_alone = Fraction(0)
    for outcome, counted in deals.classes.items():
        first_pays, second_pays = settle(first, outcome).pays, settle(second, outcome).pays
        both += counted * first_pays * second_pays
        first_alone += counted * first_pays
        second_alone += counted * second_pays
    return both / deals.total - first_alone * second_alone / deals.total**2


def _unexposed(book: Rulebook, shoe: Composition | int, dealt: CardsSeen) -> Composition:
    if isinstance(shoe, int):
        return book.shoe(shoe).without(dealt.cards)
    if not isinstance(shoe, Composition):
        raise TypeError(f"expected a number of decks or the cards of a shoe, not {shoe!r}")
    return shoe


@lru_cache(maxsize=64)
def _count(sees: Sees, dealt: CardsSeen, unexposed: Composition) -> Deals:
    """Return the deals by outcome class, cached for all wagers and games that read the same parts of a coup."""
    deals = count_deals(sees, dealt, unexposed, whole_coups)
    if not deals.total:
        raise Unlawful("no lawful coup shows these cards", "table-of-play")
    return deals
