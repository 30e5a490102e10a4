"""A Gymnasium environment: one shoe of any game, a stake on every wager in every round. Needs the extra ``gym``.

>>> import gymnasium
>>> import punto.gym
>>> env = gymnasium.make("punto/Baccarat-v0", game="tiger")
>>> observation, info = env.reset(seed=1)
>>> observation["unexposed"].sum().item()
416
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from punto.cards import DECK, Card
from punto.rules.coup import Coup
from punto.rules.deal_counts import CUT_FROM_THE_END, LONGEST_COUP
from punto.rules.game_library import load
from punto.rules.settlement import settle
from punto.rules.table_of_play import Hand, next_card

Observation = dict[str, Any]
_MOST = 10**12


class Baccarat(gymnasium.Env[Observation, Any]):
    """A patron with a bankroll, from the first card of a shoe to the round in which the cutting card shows.

    An action is a stake for every wager of the game, as an index into ``stakes``. Stakes that the bankroll does not
    cover are not placed and are listed in ``info``. The reward is the round's net gain, in units. An observation holds
    the number of unexposed cards of each kind and the bankroll; the order of the cards stays hidden.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: str = "baccarat",
        decks: int | None = None,
        stakes: Sequence[int] = (0, 1, 5, 25),
        bankroll: int = 1000,
        render_mode: str | None = None,
    ) -> None:
        self.book = load(game)
        self.decks = self.book.usual_decks if decks is None else decks
        self.full = self.book.shoe(self.decks)
        self.stakes, self.start, self.render_mode = tuple(map(index, stakes)), index(bankroll), render_mode
        if not 1 <= self.start <= _MOST or not self.stakes or not 0 <= min(self.stakes) <= max(self.stakes) <= _MOST:
            raise ValueError("expected a bankroll above zero, and stakes of zero or more")
        most = max(self.full.counts().values())
        self.action_space = spaces.MultiDiscrete([len(self.stakes)] * len(self.book.wagers))
        self.observation_space = spaces.Dict(
            {
                "unexposed": spaces.Box(0, most, (len(DECK),), np.int32),
                "bankroll": spaces.Box(0, np.inf, (1,), np.float64),
                "round": spaces.Discrete(len(self.full)),
            }
        )
        self._cards: list[Card] = []
        self._coup: Coup | None = None
        self._over = True
        self.bankroll = Fraction(self.start)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Any]:
        """Start a new shoe with the initial bankroll."""
        super().reset(seed=seed, options=options)
        whole = [card for card, count in self.full.counts().items() for _ in range(count)]
        self._cards = [whole[at] for at in self.np_random.permutation(len(whole))]
        self._dealt, self._rounds, self._coup, self.bankroll = 0, 0, None, Fraction(self.start)
        self._over = False
        self._unexposed = np.array([self.full.count(card) for card in DECK], np.int32)
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Place the stakes, deal a round and settle it."""
        if self._over:
            raise ValueError("the shoe is over, or was not begun: reset first")
        if not self.action_space.contains(np.asarray(action)):
            raise ValueError(f"expected an action of {self.action_space}, not {action!r}")
        placed, refused = self._place(action)
        coup = self._coup = self._deal()
        lines = {wager.name: settle(wager, coup) for wager in self.book.wagers}
        gain = sum((stake * lines[name].pays for name, stake in placed.items()), Fraction(0))
        self.bankroll += gain
        self._over = self._dealt > len(self._cards) - CUT_FROM_THE_END or self.bankroll <= 0
        told = {name: line.outcome for name, line in lines.items()}
        return self._observation(), float(gain), self._over, False, {"outcomes": told, "refused": refused}

    def _place(self, action: Any) -> tuple[dict[str, int], list[str]]:
        """Return the stakes in the order of the wagers as far as the bankroll covers them, and the wagers it does
        not.
        """
        left, placed, refused = self.bankroll, {}, []
        for wager, number in zip(self.book.wagers, action, strict=True):
            stake = self.stakes[int(number)]
            if stake > left:
                refused.append(wager.name)
                continue
            left -= stake
            placed[wager.name] = stake
        return placed, refused

    def _deal(self) -> Coup:
        values: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
        cards: list[Card] = []
        while hand := next_card(values[Hand.PLAYER], values[Hand.BANKER]):
            card = self._cards[self._dealt + len(cards)]
            cards.append(card)
            values[hand].append(card.point_value)
        assert len(cards) <= LONGEST_COUP
        self._dealt += len(cards)
        self._rounds += 1
        for card in cards:
            self._unexposed[DECK.index(card)] -= 1
        return Coup.deal(cards)

    def _observation(self) -> Observation:
        return {
            "unexposed": self._unexposed.copy(),
            "bankroll": np.array([self.bankroll], np.float64),
            "round": self._rounds,
        }

    def render(self) -> str | None:
        """Return the last round as one line."""
        if self.render_mode != "ansi":
            return None
        if self._coup is None:
            return f"{self.book.title}: nothing dealt yet, {float(self.bankroll):g} units"
        player, banker = (" ".join(map(str, hand)) for hand in (self._coup.player, self._coup.banker))
        return f"Player {player}, Banker {banker}: {self._coup.winner.value}; {float(self.bankroll):g} units"


gymnasium.register(id="punto/Baccarat-v0", entry_point="punto.gym:Baccarat")
