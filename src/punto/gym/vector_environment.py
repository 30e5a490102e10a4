"""Many shoes of a game as a vectorised Gymnasium environment, played by compiled loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from punto.given_values import flag, whole_number
from punto.gym.shoe_game import ShoeGame, render_mode_of
from punto.gym.step_kernel import RoundResult
from punto.rules.caller_input import Game
from punto.rules.deal_counts import CUT_FROM_THE_END
from punto.rules.rulebook import Rulebook

Array = Any
Observations = dict[str, Array]
Seeds = int | Sequence[int | None] | Array | None
_AHEAD = 16
"""For how many shoes of an environment random words are drawn at a time: drawing few takes as long as drawing many."""


class BaccaratVector(VectorEnv[Observations, Array, Array]):
    """``num_envs`` patrons, each with a shoe and a bankroll; a step is a round of each.

    Arguments, actions, rewards and observations are those of ``Baccarat``, in arrays with a row for each environment.
    Seeded with ``seed``, environment ``i`` deals what ``Baccarat`` seeded with ``seed + i`` deals, whatever the others
    do; a list gives each its seed.

    ``info`` holds arrays with a row for each environment, and under ``_key`` which rows are set: ``outcomes``, for
    each wager the number of the line that settled it (its name is in ``outcome_names``), ``refused``, whether the
    bankroll did not cover the stake, and ``cards``, the round's cards by their place in the deck, -1 for none.
    ``expected=True`` adds ``expected``, the exact expected return of each wager in the next round.

    By default an environment that is over is reset in the next step (``AutoresetMode.NEXT_STEP``): its action is then
    ignored. With ``SAME_STEP`` it is reset at once, and ``final_obs`` and ``final_info`` tell how it ended; with
    ``DISABLED`` the caller resets it, with ``options={"reset_mask": rows}``.
    """

    metadata = {  # noqa: RUF012 - as Gymnasium has it
        "render_modes": ["ansi"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
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
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.game = ShoeGame.of(game, decks, stakes, amounts, bankroll, cut, burn, rounds_after, observe)
        self.num_envs = whole_number(num_envs, "num_envs")
        self.render_mode, self.expected = render_mode_of(render_mode), flag(expected, "expected")
        if self.num_envs < 1:
            raise ValueError(f"expected at least one environment, not {num_envs}")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_action_space = self.game.action_space()
        self.single_observation_space = self.game.observation_space()
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._batch = self.game.batch(self.num_envs, _AHEAD)
        self._generators: list[np.random.Generator] = []
        self._seeds: list[int] = []
        self._dealt: Array = np.full((self.num_envs, 1), -1)

    @property
    def book(self) -> Rulebook:
        """The rulebook of the game."""
        return self.game.book

    @property
    def outcome_names(self) -> dict[str, tuple[str, ...]]:
        """For each wager the names of its outcomes, by the numbers that ``info`` has."""
        return {wager.name: names for wager, names in zip(self.book.wagers, self.game.tables.outcomes, strict=True)}

    @property  # type: ignore[misc] # one for each environment, and only to be looked at
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The random generators of the environments, some shoes ahead of what was dealt."""
        return tuple(self._generators)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seed of each environment."""
        return tuple(self._seeds)

    def reset(self, *, seed: Seeds = None, options: dict[str, Any] | None = None) -> tuple[Observations, Any]:
        """Start a new shoe with the initial bankroll in every environment, or in those of ``reset_mask``."""
        rows = self._rows((options or {}).get("reset_mask"))
        self._seed(seed, rows)
        self._batch.begin(rows, self._generators)
        return self.game.observe(self._batch), self._expectation()

    def _rows(self, mask: Any) -> Array:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        rows = np.asarray(mask)
        if rows.dtype != np.bool_ or rows.shape != (self.num_envs,) or not rows.any():
            raise ValueError(f"expected a reset_mask of {self.num_envs} truth values, some of them true, not {mask!r}")
        return rows

    def _one_for_each(self, seed: Seeds) -> list[int | None]:
        if seed is None or not isinstance(seed, Sequence | np.ndarray):
            return [None if seed is None else whole_number(seed, "seed") + row for row in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"expected {self.num_envs} seeds, one for each environment, not {len(seed)}")
        return [None if each is None else whole_number(each, "seed") for each in seed]

    def _seed(self, seed: Seeds, rows: Array) -> None:
        """Give environments their random generators: new ones where there is a seed, or none was ever given."""
        seeds, first = self._one_for_each(seed), not self._generators
        renewed = [row for row in range(self.num_envs) if first or (rows[row] and seeds[row] is not None)]
        made = dict(enumerate(zip(self._generators, self._seeds, strict=True)))
        made |= {row: seeding.np_random(seeds[row]) for row in renewed}
        self._generators, self._seeds = [each for each, _ in made.values()], [each for _, each in made.values()]
        self._batch.forget_words(renewed)

    def step(self, actions: Any) -> tuple[Observations, Array, Array, Array, dict[str, Any]]:
        """Place the stakes, deal a round in every environment and settle it."""
        batch = self._batch
        chosen = batch.choose(actions)
        if chosen is None:
            rows = f"{self.num_envs} rows of {len(self.book.wagers)} whole numbers"
            raise ValueError(f"expected as actions {rows} from 0 to {self.game.stakes.choices - 1}")
        resting = self._resting()
        if resting.any():
            batch.begin(resting, self._generators)
        result = batch.play(chosen, resting)
        self._dealt, told = result.cards, _told(result, ~resting)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and batch.over.any():
            told = self._begin_at_once(result, ~resting)
        observed = self.game.observe(batch)
        return observed, result.gain, result.terminated, result.truncated, {**told, **self._expectation()}

    def _resting(self) -> Array:
        """Return which environments begin a shoe in this step instead of a round."""
        if not self._generators:
            raise ValueError("no shoe was begun: reset first")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._batch.over.any():
            rows = ", ".join(map(str, np.flatnonzero(self._batch.over)))
            raise ValueError(f"the shoe is over in environment {rows}: reset it first")
        return self._batch.over.copy()

    def _begin_at_once(self, result: RoundResult, played: Array) -> dict[str, Any]:
        """Begin shoes where they are over; return the information, with the final one of those."""
        over, last = self._batch.over.copy(), self.game.observe(self._batch)
        final = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(over).tolist():
            final[row] = self.game.observation(last, row)
        self._batch.begin(over, self._generators)
        ended = {"final_obs": final, "_final_obs": over, "final_info": _told(result, over), "_final_info": over}
        return {**_told(result, played & ~over), **ended}

    def _expectation(self) -> dict[str, Array]:
        if not self.expected:
            return {}
        returns, known = self.game.expected(self._batch)
        return {"expected": returns, "_expected": known}

    def render(self) -> tuple[str, ...] | None:
        """Return the last round of each environment as one line."""
        if self.render_mode != "ansi":
            return None
        return tuple(self.game.tell(self._batch, row, dealt) for row, dealt in enumerate(self._dealt.tolist()))


def _told(result: RoundResult, rows: Array) -> dict[str, Array]:
    """Return what rounds came to, and which rows it is set in."""
    told = {"outcomes": result.outcomes, "refused": result.refused, "cards": result.cards}
    return {**told, **{f"_{key}": rows for key in told}}
