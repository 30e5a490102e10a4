"""What wagers return under a cap on what a table pays in winnings in one round (reading R86), exactly.

A cap is reached by all stakes of a round together, so a return holds for given stakes: each on a wager, of all patrons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from punto.data_frames import exact
from punto.given_values import as_whole
from punto.odds.exact import NOTHING_SEEN, joint_deals
from punto.rules.caller_input import Game, Shoe, game_of, seen_of, stakes_of, unexposed_cards
from punto.rules.coup import Unlawful
from punto.rules.deal_counts import CardsSeen
from punto.rules.rulebook import Result, Rulebook, Wager
from punto.rules.settlement import pay, settle, shares


@dataclass(frozen=True, slots=True)
class CappedWager:
    """What a wager returns under a cap."""

    wager: Wager
    stake: int
    """What lies on it in the round, of all patrons, in cents."""
    uncapped_return: Fraction
    """The average net gain of a unit staked, without the cap."""
    expected_return: Fraction
    """The average net gain of a unit staked, under it."""
    capped: Fraction
    """How often the cap keeps back some of what the wager's line pays."""

    @property
    def house_edge(self) -> Fraction:
        """The average share of a unit staked that the house keeps, under the cap."""
        return -self.expected_return

    def to_dict(self) -> dict[str, object]:
        """Return all figures ready for JSON."""
        return {
            "wager": self.wager.name,
            "stake": self.stake,
            **exact(
                uncapped_return=self.uncapped_return,
                expected_return=self.expected_return,
                house_edge=self.house_edge,
                capped=self.capped,
            ),
        }


def alone_under_cap(
    game: Game, cap: int, stake: int, shoe: Shoe = 8, seen: CardsSeen = NOTHING_SEEN
) -> tuple[CappedWager, ...]:
    """Return what each wager that can be capped returns if the stake lies on it and on nothing else under the cap."""
    book = game_of(game)
    named = [wager.name for wager in book.wagers if not any(line.commission for line in wager.lines)]
    return tuple(one for name in named for one in under_cap(book, cap, {name: stake}, shoe, seen))


def under_cap(
    game: Game, cap: int, stakes: Mapping[str, int], shoe: Shoe = 8, seen: CardsSeen = NOTHING_SEEN
) -> tuple[CappedWager, ...]:
    """Return what wagers return that share a cap, each with so many cents on it; ``shoe`` and ``seen`` as for ``odds``.

    Where several win together they share the cap as at a table, each as one wager.

    >>> [tie] = under_cap("baccarat", 500_00, {"Tie": 100_00})
    >>> str(tie.house_edge - (1 - 6 * tie.capped)), tie.capped < Fraction(1, 10)
    ('0', True)
    """
    book, seen = game_of(game), seen_of(seen)
    cap, wagers = _cents(cap), _checked(book, stakes)
    deals = joint_deals(tuple(wagers), seen, unexposed_cards(book, shoe, seen))
    ways: Counter[tuple[tuple[int, int], ...]] = Counter()
    for outcome, counted in deals.classes.items():
        lines = [settle(wager, outcome) for wager in wagers]
        due = [
            pay(stake, line).winnings if line.result is Result.WIN else 0
            for stake, line in zip(wagers.values(), lines, strict=True)
        ]
        lost = [stake if line.result is Result.LOSE else 0 for stake, line in zip(wagers.values(), lines, strict=True)]
        paid = shares(cap, due)
        ways[tuple((due[at] - lost[at], paid[at] - lost[at]) for at in range(len(due)))] += counted
    return tuple(_returns(wager, stake, at, ways, deals.total) for at, (wager, stake) in enumerate(wagers.items()))


def _returns(wager: Wager, stake: int, at: int, ways: Counter[tuple[tuple[int, int], ...]], total: int) -> CappedWager:
    whole = sum(gains[at][0] * counted for gains, counted in ways.items())
    under = sum(gains[at][1] * counted for gains, counted in ways.items())
    capped = sum(counted for gains, counted in ways.items() if gains[at][0] > gains[at][1])
    return CappedWager(
        wager, stake, Fraction(whole, total * stake), Fraction(under, total * stake), Fraction(capped, total)
    )


def _cents(amount: object) -> int:
    found = as_whole(amount)
    if found is None:
        raise TypeError(f"expected a whole number of cents, not {amount!r}")
    if found <= 0:
        raise ValueError(f"expected an amount above zero, not {found} cents")
    return found


def _checked(book: Rulebook, stakes: Mapping[str, int]) -> dict[Wager, int]:
    """Return the stakes by wager; raise for amounts that are none, and for a wager that cannot be capped."""
    wagers = {book.wager(name): _cents(stake) for name, stake in stakes_of(stakes).items()}
    if len(wagers) < len(stakes) or not wagers:
        raise ValueError("expected at least one wager, and each named once")
    for wager in wagers:
        if any(line.commission for line in wager.lines):
            raise Unlawful(f"{wager.name} cannot be capped: commission is kept of what it wins", "commission")
    return wagers
