"""Settle wagers that ask the cards themselves from the cards of recorded rounds, by the states of both hands."""

from __future__ import annotations

from typing import Any

import numpy as np

from punto.cards import DECK
from punto.rules.hands.hand_states import HandStates, hands_of
from punto.rules.rulebook import Wager

Array = Any


class CardSettlement:
    """The tables that lead from the cards of a round to the outcome of one wager."""

    def __init__(self, wager: Wager) -> None:
        self.outcomes = len(wager.outcomes)
        self._wager, self._hands = wager, hands_of((wager,))
        self._player, self._banker = _Finals(self._hands.player), _Finals(self._hands.banker)
        self._settled: dict[int, Array] = {}

    def outcomes_of(self, cards: Array, player_cards: Array, banker_cards: Array) -> Array:
        """Return the outcome of each round, by its place among the wager's, from six cards and how many each hand
        took.
        """
        drew, draws = player_cards == 3, banker_cards == 3
        one = self._player.of(cards[:, 0], cards[:, 2], cards[:, 4], drew)
        last = np.where(drew, cards[:, 5], cards[:, 4])
        other = self._banker.of(cards[:, 1], cards[:, 3], last, draws)
        found: Array = np.empty(len(cards), np.int64)
        for player in np.unique(one).tolist():
            rows = one == player
            found[rows] = self._beside(player)[other[rows]]
        return found

    def _beside(self, player: int) -> Array:
        """Return the outcomes beside a final hand of Player, by final hand of Banker."""
        if player not in self._settled:
            found: Array = np.zeros(len(self._hands.banker.examples), np.int64)
            for at, bits in enumerate(self._hands.settled(self._wager, player)):
                found[[number for number in range(len(found)) if bits >> number & 1]] = at
            self._settled[player] = found
        return self._settled[player]


class _Finals:
    """The final hand by cards."""

    def __init__(self, states: HandStates) -> None:
        pairs = np.array(states.pair_class)
        self._state = np.array(states.state_at)[pairs[:, None], pairs[None, :]]
        self._two = np.array(states.two)
        thirds = np.array(states.third_class)
        never = [-1] * (max(states.third_class) + 1)
        self._three = np.array([each or never for each in states.three])[:, thirds]

    def of(self, first: Array, second: Array, third: Array, drew: Array) -> Array:
        state = self._state[first, second]
        return np.where(drew, self._three[state, np.minimum(third, len(DECK) - 1)], self._two[state])
