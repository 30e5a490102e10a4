"""Counting cards as a person would: shoe by shoe, card by card, in fractions, with code of its own.

The shoes are shuffled and dealt by ``slow_dealer``, wagers settled by ``second_settlement``. Every round becomes one
record; figures follow from lists of records and of shoes by textbook formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from reference import second_settlement, slow_dealer

from punto.cards import Card


@dataclass(frozen=True)
class SlowRound:
    """A round as a counter sees it: the counts before it, the stake, and what a unit on the wager gained."""

    shoe: int
    place: int
    running: tuple[Fraction, ...]
    unseen: int
    stake: int
    gain: Fraction

    def true(self, which: int = 0) -> Fraction:
        return self.running[which] / Fraction(self.unseen, 52)


@dataclass(frozen=True)
class SlowShoes:
    """How the shoes are dealt, and what is seen of their burn."""

    cards: list[Card]
    cut: int
    burn: int | str
    after: int
    burn_card_seen: bool = True


Counts = tuple[Callable[[Card], Fraction], ...]
"""The tags of the count, and of a co-count."""
Stake = Callable[[tuple[Fraction, ...], int], int]
"""From running counts and the number of unseen cards to the stake."""


def rounds(
    game: str, wager: str, dealt: SlowShoes, counts: Counts, begins: tuple[Fraction, ...], stake: Stake, **run: int
) -> Iterator[SlowRound]:
    """Every round of ``shoes`` shoes of a ``seed``, counted."""
    for number, shoe in enumerate(slow_dealer.shoes(run["seed"], run["shoes"], dealt.cards, dealt.cut, dealt.after)):
        seen: list[Card] = []
        place = int(dealt.burn) if dealt.burn != "first-card" else 1 + (shoe[0].point_value or 10)
        if dealt.burn == "first-card" and dealt.burn_card_seen:
            seen.append(shoe[0])
        for coup in slow_dealer.rounds(shoe, dealt.cut, dealt.burn, dealt.after):
            running = tuple(
                begin + sum((tag(card) for card in seen), Fraction(0))
                for tag, begin in zip(counts, begins, strict=True)
            )
            unseen = len(shoe) - len(seen)
            gain = Fraction(0)
            if coup:
                hands = ([str(card) for card in hand] for hand in (coup.player, coup.banker))
                gain = second_settlement.settle(game, *hands)[wager][1]
            yield SlowRound(number, place, running, unseen, stake(running, unseen), gain)
            if coup:
                place += len(coup.player) + len(coup.banker)
                seen += [*coup.player, *coup.banker]


def ratio_error(pairs: list[tuple[Fraction, Fraction]]) -> float:
    """The standard error of the ratio of two totals over shoes, by what each shoe leaves without its share."""
    above, below = (sum(each) for each in zip(*pairs, strict=True))
    left = [one - above / below * other for one, other in pairs]
    return math.sqrt(sum(each**2 for each in left) * Fraction(len(pairs), len(pairs) - 1)) / float(below)


def mean_error(values: list[Fraction]) -> float:
    """The standard error of a mean."""
    mean = sum(values) / Fraction(len(values))
    return math.sqrt(sum((each - mean) ** 2 for each in values) / ((len(values) - 1) * len(values)))


def left_out(found: list[SlowRound], shoes: int, figure: Callable[[list[SlowRound]], float]) -> float:
    """The standard error of any figure by the jackknife: how it changes when one shoe after the other is left out."""
    values = [figure([each for each in found if each.shoe != shoe]) for shoe in range(shoes)]
    mean = sum(values) / shoes
    return math.sqrt(sum((each - mean) ** 2 for each in values) * (shoes - 1) / shoes)
