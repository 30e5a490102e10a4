"""A patron at a shoe, in plain Python: what an environment of ``punto.gym`` should do, by the second settlement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from reference import second_settlement, slow_dealer

from punto.cards import DECK


@dataclass
class Round:
    """What a round came to."""

    cards: list[str]
    gain: Fraction
    refused: list[bool]
    terminated: bool
    truncated: bool


class SlowPatron:
    """Stakes on the wagers of a game, shoe after shoe; ``begin`` takes the next shoe that a round can be dealt from."""

    def __init__(self, game: str, wagers: Sequence[str], seed: int, bankroll: int, shoe: tuple[int, int | str, int]):
        self.game, self.wagers, self.start = game, wagers, bankroll
        self.cut, self.burn, self.rounds_after = shoe
        self.chance = np.random.PCG64(np.random.SeedSequence(seed))
        self.begin()

    def begin(self) -> None:
        """Shuffle eight decks, burn, and turn the first card up if it says how many."""
        while True:
            cards = slow_dealer.in_order(dict.fromkeys(DECK, 8))
            upto = slow_dealer.how_far(len(cards), self.cut, self.rounds_after)
            slow_dealer.shuffle(cards, slow_dealer.words_from([int(self.chance.random_raw()) for _ in range(4)]), upto)
            self.cards = [str(card) for card in cards]
            first = second_settlement.value(self.cards[0]) or 10
            self.at = 1 + first if self.burn == "first-card" else int(self.burn)
            self.after = self.rounds_after
            if self._can_begin():
                break
        self.unexposed = Counter(self.cards)
        if self.burn == "first-card":
            self.unexposed[self.cards[0]] -= 1
        self.rounds, self.bankroll = 0, Fraction(self.start)

    def _can_begin(self) -> bool:
        return self.at < len(self.cards) and (self.at <= len(self.cards) - self.cut or self.after > 0)

    def play(self, stakes: Sequence[int]) -> Round:
        """Place the stakes as far as the bankroll covers them, deal and settle a round."""
        if self.at > len(self.cards) - self.cut:
            self.after -= 1
        left = self.cards[self.at : self.at + 6]
        try:
            player, banker, used = second_settlement.play(left)
            settled = {name: pays for name, (_, pays) in second_settlement.settle(self.game, player, banker).items()}
        except (StopIteration, RuntimeError):
            used, settled = left, dict.fromkeys(self.wagers, Fraction(0))
        held, gain, refused = self.bankroll, Fraction(0), []
        for name, stake in zip(self.wagers, stakes, strict=True):
            refused.append(stake > held)
            if stake <= held:
                held -= stake
                gain += stake * settled[name]
        self.at += len(used)
        self.rounds += 1
        self.bankroll += gain
        self.unexposed.subtract(used)
        gone = self.bankroll == 0
        return Round(used, gain, refused, gone, not gone and not self._can_begin())
