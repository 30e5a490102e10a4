"""The speed of the environments, beside a bare loop that deals and settles as many rounds without them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from punto.gym.game_tables import GameTables, tables_for
from punto.gym.single_environment import Baccarat
from punto.gym.vector_environment import BaccaratVector
from punto.rules.game_library import load
from punto.rules.outcome_classes import classes_for
from punto.simulate.lookup_tables import Tables
from punto.simulate.shoe_makeup import Shoes

Array = Any

_BANKROLL = 10**9
_FEWEST_STEPS = 200


@dataclass(frozen=True, slots=True)
class StepRates:
    """Rounds a second of one thread, with a unit on every wager."""

    game: str
    environments: int
    wagers: int
    vector_steps_per_second: float
    bare_rounds_per_second: float
    """Recorded and settled in whole blocks, without an environment."""
    recorded_rounds_per_second: float
    """Recorded, and not settled."""
    vector_to_bare: float
    """The median of the turns."""
    single_steps_per_second: float


def measure(game: str = "tiger", num_envs: int = 1024, steps: int = 830, times: int = 7) -> StepRates:
    """Return the speed of ``num_envs`` environments in a vector, and of a bare loop that records as many rounds with
    the kernel of the simulation and looks up what every wager returns in each. They take turns.
    """
    book = load(game)
    tables = tables_for(book, Shoes.of(book))
    env, bare = BaccaratVector(num_envs, book, stakes=(0, 1), bankroll=_BANKROLL), BareLoop(tables)
    env.reset(seed=0)
    shoes = num_envs * max(steps, _FEWEST_STEPS) // bare.record(64, settle=True)[0] * 64
    _step(env, 2)  # compiles
    rates = [
        (_step(env, steps), *(_rate(*bare.record(shoes, settle)) for settle in (True, False))) for _ in range(times)
    ]
    stepped, settled, recorded = (max(column) for column in zip(*rates, strict=True))
    ratio = median(turn[0] / turn[1] for turn in rates)
    single = max(_step_single(game, steps) for _ in range(times))
    return StepRates(book.key, num_envs, len(book.wagers), stepped, settled, recorded, ratio, single)


class BareLoop:
    """Rounds of whole shoes from the kernel, and the net gain of a unit on every wager in each."""

    def __init__(self, tables: GameTables) -> None:
        classes = replace(classes_for(tables.book.wagers), joint=False)
        self.tables, self.classes = Tables(classes, tables.shoes), len(classes.examples)
        self.unit, self.paid = tables.pays.unit, [column.copy() for column in tables.pays.gains.T]

    def record(self, shoes: int, settle: bool) -> tuple[int, float]:
        """Return the number of rounds recorded, and settled if asked for, and the seconds it took."""
        rounds, start = 0, process_time()
        for rows, _ in self.tables.record(0, 0, shoes):
            rounds += len(rows)
            if settle:
                self.gains(rows)
        return rounds, process_time() - start

    def gains(self, rows: Array) -> Array:
        """Return the gain of each round in units, with one on every wager."""
        settled = rows[:, 2] * self.classes + rows[:, 3]
        return sum(paid[settled] for paid in self.paid) / self.unit


def _rate(rounds: int, seconds: float) -> float:
    return rounds / seconds


def _step(env: BaccaratVector, steps: int) -> float:
    """Return the rounds played a second; an environment that is reset in a step plays none."""
    actions = np.ones((env.num_envs, len(env.book.wagers)), np.int64)
    played, start = 0, process_time()
    for _ in range(steps):
        *_, infos = env.step(actions)
        played += int(np.count_nonzero(infos["_outcomes"]))
    return played / (process_time() - start)


def _step_single(game: str, steps: int) -> float:
    env = Baccarat(game, stakes=(0, 1), bankroll=_BANKROLL)
    env.reset(seed=0)
    action, start = np.ones(len(env.book.wagers), np.int64), process_time()
    for _ in range(steps):
        *_, truncated, _ = env.step(action)
        if truncated:
            env.reset()
    return steps / (process_time() - start)
