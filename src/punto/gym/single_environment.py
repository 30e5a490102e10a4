"""One shoe of a game as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np

from punto.given_values import flag
from punto.gym.shoe_game import ShoeGame, render_mode_of
from punto.rules.caller_input import Game
from punto.rules.coup import Coup
from punto.rules.deal_counts import CUT_FROM_THE_END
from punto.rules.rulebook import Rulebook

Observation = dict[str, Any]


class Baccarat(gymnasium.Env[Observation, Any]):
    """A patron with a bankroll, from the first card of a shoe to the round in which the cutting card shows.

    An action is a stake for every wager of the game, as an index into ``stakes``; with ``amounts``, a whole amount up
    to that many units. Stakes that the bankroll does not cover are not placed and are listed in ``info``. The reward is
    the round's net gain, in units. An episode is truncated at the end of the shoe, and terminated when the bankroll is
    gone.

    An observation holds the bankroll, the rounds played, and ``unexposed``: the number of unexposed cards of each kind,
    in the order spades, hearts, clubs, diamonds, each from ace to king; with ``observe="values"``, of each point value,
    from 0 to 9. The order of the cards stays hidden, and burnt cards count as unexposed, except the one that says how
    many are burnt (``burn="first-card"``). ``cut`` cards lie behind the cutting card, and ``rounds_after`` more rounds
    follow the one in which it shows.

    ``info`` names the outcome of each wager; ``expected=True`` adds the exact expected return of each wager in the next
    round, NaN if none follows.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: Game = "baccarat",
        decks: int | None = None,
        stakes: Sequence[int] = (0, 1, 5, 25),
        bankroll: int = 1000,
        render_mode: str | None = None,
        *,
        cut: int = CUT_FROM_THE_END,
        burn: int | str = 0,
        rounds_after: int = 0,
        amounts: int | None = None,
        observe: str = "cards",
        expected: bool = False,
    ) -> None:
        self.game = ShoeGame.of(game, decks, stakes, amounts, bankroll, cut, burn, rounds_after, observe)
        self.render_mode, self.expected = render_mode_of(render_mode), flag(expected, "expected")
        self.action_space, self.observation_space = self.game.action_space(), self.game.observation_space()
        self._batch = self.game.batch(1)
        self._names = [wager.name for wager in self.book.wagers]
        self._dealt: list[int] = []

    @property
    def book(self) -> Rulebook:
        """The rulebook of the game."""
        return self.game.book

    @property
    def bankroll(self) -> Fraction:
        """The bankroll in units, exactly."""
        return Fraction(int(self._batch.state.bankroll[0]), self.game.tables.pays.unit)

    @property
    def coup(self) -> Coup | None:
        """The cards of the last round; None before the first, and if the cards ran out."""
        return self.game.coup(self._dealt)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Any]:
        """Start a new shoe with the initial bankroll."""
        super().reset(seed=seed, options=options)
        self._batch.begin(np.ones(1, np.bool_), [self.np_random])
        self._dealt = []
        return self._observation(), self._expectation()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Place the stakes, deal a round and settle it."""
        batch = self._batch
        if batch.over[0]:
            raise ValueError("the shoe is over, or was not begun: reset first")
        chosen = batch.choose(np.asarray(action)[None])
        if chosen is None:
            raise ValueError(f"expected an action of {self.action_space}, not {action!r}")
        result = batch.play(chosen, batch.over)
        self._dealt = result.cards[0].tolist()
        lines, refused = result.outcomes[0].tolist(), result.refused[0].tolist()
        outcomes = self.game.tables.outcomes
        info = {
            "outcomes": {name: outcomes[at][lines[at]] for at, name in enumerate(self._names)},
            "refused": [name for at, name in enumerate(self._names) if refused[at]],
            **self._expectation(),
        }
        gain, terminated, truncated = (each[0].item() for each in result[:3])
        return self._observation(), gain, terminated, truncated, info

    def _observation(self) -> Observation:
        return self.game.observation(self.game.observe(self._batch), 0)

    def _expectation(self) -> dict[str, Any]:
        if not self.expected:
            return {}
        returns, _ = self.game.expected(self._batch)
        return {"expected": dict(zip(self._names, returns[0].tolist(), strict=True))}

    def render(self) -> str | None:
        """Return the last round as one line."""
        return self.game.tell(self._batch, 0, self._dealt) if self.render_mode == "ansi" else None
