"""The exact probability of every outcome of every wager, and what follows from it: return, house edge, variance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING

from punto.cards import Cards, Composition
from punto.data_frames import data_frame, exact, provenance
from punto.formatting import pays_or_push, percent
from punto.notebook import Markup, table
from punto.odds.compiled_counts import whole_coups
from punto.rules.caller_input import Game, Shoe, game_of, seen_of, unexposed_cards, wager_of
from punto.rules.conditions import Sees
from punto.rules.coup import Unlawful
from punto.rules.deal_counts import CardsSeen, Deals, count_deals
from punto.rules.hands.hand_states import asks_cards, counted_by_hands
from punto.rules.rulebook import VOID, Result, Rulebook, Wager
from punto.rules.settlement import settle
from punto.rules.wager_mapping import WagerMapping

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class OutcomeOdds:
    """One way a wager can end: what it pays, and how many of the equally likely deals lead to it."""

    outcome: str
    result: Result | None
    """None where the shoe runs out of cards and every wager is returned."""
    pays: Fraction
    clause: str | None
    deals: int
    probability: Fraction

    def to_dict(self) -> dict[str, object]:
        """Return all figures ready for JSON."""
        return {
            "outcome": self.outcome,
            "result": self.result.value if self.result else VOID,
            "clause": self.clause,
            "deals": self.deals,
            **exact(pays=self.pays, probability=self.probability),
        }


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """The odds of one wager, per unit staked."""

    wager: Wager
    outcomes: tuple[OutcomeOdds, ...]

    @property
    def expected_return(self) -> Fraction:
        """The average net gain of a unit staked; a void round counts as zero."""
        return self._mean(lambda each: each.pays)

    @property
    def house_edge(self) -> Fraction:
        """The average share of a unit staked that the house keeps."""
        return -self.expected_return

    @property
    def variance(self) -> Fraction:
        """The variance of the net gain of a unit staked."""
        return self._mean(lambda each: each.pays**2) - self.expected_return**2

    @property
    def hit_frequency(self) -> Fraction:
        """How often the wager wins anything."""
        return self._mean(lambda each: each.result is Result.WIN)

    @property
    def push_frequency(self) -> Fraction:
        """How often the wager is a push; a void round is not a push."""
        return self._mean(lambda each: each.result is Result.PUSH)

    def to_dict(self) -> dict[str, object]:
        """Return all figures ready for JSON: fractions as text, each with a rounded number beside it."""
        return {
            "wager": self.wager.name,
            "clause": self.wager.clause,
            "outcomes": [each.to_dict() for each in self.outcomes],
            **exact(
                expected_return=self.expected_return,
                house_edge=self.house_edge,
                variance=self.variance,
                hit_frequency=self.hit_frequency,
                push_frequency=self.push_frequency,
            ),
        }

    def _mean(self, of: Callable[[OutcomeOdds], Fraction | bool]) -> Fraction:
        return sum((each.probability * of(each) for each in self.outcomes), Fraction(0))

    def __repr__(self) -> str:
        return f"<WagerOdds {self.wager.name!r}: house edge {percent(self.house_edge)}>"

    def _repr_html_(self) -> Markup:
        return _shown(self.wager.name, (self,))


@dataclass(frozen=True, slots=True)
class Odds(WagerMapping[WagerOdds]):
    """The odds of all wagers of a game from one shoe: a mapping of their names, in the game's order.

    >>> {name: each.push_frequency > 0 for name, each in odds("baccarat", 8).items()}
    {'Player': True, 'Banker': True, 'Tie': False, 'Player Pair': False, 'Banker Pair': False}
    """

    book: Rulebook
    cards: int
    """The number of unexposed cards."""
    deals: int
    """The number of equally likely ordered deals that were counted."""
    wagers: tuple[WagerOdds, ...]

    def to_dict(self) -> dict[str, object]:
        """Return all figures ready for JSON: fractions as text, each with a rounded number beside it."""
        return {
            **provenance(self.book),
            "cards": self.cards,
            "deals": self.deals,
            "wagers": [each.to_dict() for each in self.wagers],
        }

    def to_frame(self) -> polars.DataFrame:
        """Return a data frame with one row for each outcome of each wager; number of deals as text."""
        return data_frame(
            [
                {
                    "game": self.book.key,
                    "cards": self.cards,
                    "wager": each.wager.name,
                    "outcome": one.outcome,
                    "result": one.result.value if one.result else VOID,
                    "clause": one.clause,
                    "deals": str(one.deals),  # more than 64 bits hold
                    **exact(pays=one.pays, probability=one.probability, expected_return=each.expected_return),
                }
                for each in self.wagers
                for one in each.outcomes
            ]
        )

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
        for one in each.outcomes:
            first = one is each.outcomes[0]
            pays = pays_or_push(one.pays) if one.result else "returned"
            name = each.wager.name if first else ""
            rows.append((name, one.outcome, pays, percent(one.probability), *(summary if first else ("", ""))))
    return table(caption, ("Wager", "Outcome", *figures), rows, figures)


NOTHING_SEEN = CardsSeen()


def odds(game: Game, shoe: Shoe = 8, seen: CardsSeen = NOTHING_SEEN) -> Odds:
    """Return the exact odds of every wager of a game, as fractions.

    ``shoe`` is a number of decks, or the cards not yet exposed: those in the shoe and those face down. ``seen`` are
    the exposed cards of the round; with a number of decks, only they are missing from the full shoe.

    >>> odds("tiger", 8)["Banker"].house_edge
    Fraction(114753351728, 10847218479825)
    """
    book, seen = game_of(game), seen_of(seen)
    unexposed = unexposed_cards(book, shoe, seen)
    wagers = tuple(_odds_of(wager, unexposed, seen) for wager in book.wagers)
    return Odds(book, len(unexposed), sum(each.deals for each in wagers[0].outcomes), wagers)


def wager_odds(wager: Wager, shoe: Cards, seen: CardsSeen = NOTHING_SEEN) -> WagerOdds:
    """Return the exact odds of one wager, from the cards not yet exposed.

    >>> from punto import load
    >>> wager_odds(load("baccarat").wager("Tie"), Composition.of_decks(6))
    <WagerOdds 'Tie': house edge 14.4382%>
    """
    cards = shoe if isinstance(shoe, Composition) else Composition(shoe)
    return _odds_of(wager_of(wager), cards, seen_of(seen))


def _odds_of(wager: Wager, unexposed: Composition, seen: CardsSeen) -> WagerOdds:
    ways, void = counted_outcomes(wager, seen, unexposed)
    deals = sum(ways) + void
    outcomes = [
        OutcomeOdds(line.outcome, line.result, line.pays, line.clause, counted, Fraction(counted, deals))
        for line, counted in zip(wager.outcomes, ways, strict=True)
    ]
    if void:
        outcomes.append(OutcomeOdds(VOID, None, Fraction(0), None, void, Fraction(void, deals)))
    return WagerOdds(wager, tuple(outcomes))


def counted_outcomes(wager: Wager, seen: CardsSeen, unexposed: Composition) -> tuple[list[int], int]:
    """Return the deals of each outcome of a wager, in their order, and those that run out of cards."""
    if counted_by_hands(wager):
        from punto.odds.hand_counts import outcomes_by_hands  # lazily: numpy takes longer than most answers

        counted_ways, void = outcomes_by_hands(wager, seen, unexposed)
        if not void and not any(counted_ways):
            raise Unlawful("no lawful coup shows these cards", "table-of-play")
        return list(counted_ways), void
    deals = counted_deals(wager.sees, seen, unexposed)
    ways = dict.fromkeys(wager.outcomes, 0)
    for outcome, counted in deals.classes.items():
        ways[settle(wager, outcome)] += counted
    return list(ways.values()), deals.void


def covariance(game: Game, one: str, other: str, shoe: Shoe = 8, seen: CardsSeen = NOTHING_SEEN) -> Fraction:
    """Return the covariance of two wagers of a round, per unit staked on each, from their joint distribution.

    >>> covariance("baccarat", "Player", "Banker") < 0
    True
    """
    book, seen = game_of(game), seen_of(seen)
    first, second = book.wager(one), book.wager(other)
    deals = joint_deals((first, second), seen, unexposed_cards(book, shoe, seen))
    both = first_alone = second_alone = Fraction(0)
    for outcome, counted in deals.classes.items():
        first_pays, second_pays = settle(first, outcome).pays, settle(second, outcome).pays
        both += counted * first_pays * second_pays
        first_alone += counted * first_pays
        second_alone += counted * second_pays
    return both / deals.total - first_alone * second_alone / deals.total**2


def joint_deals(wagers: tuple[Wager, ...], seen: CardsSeen, unexposed: Composition) -> Deals:
    """Return the deals by outcome class, as far as some wagers together tell deals apart."""
    if any(map(asks_cards, wagers)):
        from punto.odds.hand_counts import deals_by_hands

        deals = deals_by_hands(wagers, seen, unexposed)
        if not deals.total:
            raise Unlawful("no lawful coup shows these cards", "table-of-play")
        return deals
    return counted_deals(reduce(or_, (wager.sees for wager in wagers), Sees.NOTHING), seen, unexposed)


@lru_cache(maxsize=64)
def counted_deals(sees: Sees, seen: CardsSeen, unexposed: Composition) -> Deals:
    """Return the deals by outcome class, cached for all wagers and games that read the same parts of a coup."""
    deals = count_deals(sees, seen, unexposed, whole_coups)
    if not deals.total:
        raise Unlawful("no lawful coup shows these cards", "table-of-play")
    return deals
