"""A game as environments play it: its shoes, what an action may stake, what is observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces

from punto.cards import DECK
from punto.gym import step_kernel
from punto.gym.expected_returns import expected_returns
from punto.gym.game_tables import GameTables, tables_for
from punto.gym.shoe_batch import ShoeBatch, Stakes
from punto.rules.caller_input import Game, game_of
from punto.rules.coup import Coup, Unlawful
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.rulebook import VOID, Rulebook
from punto.simulate.shoe_makeup import Shoes

Array = Any
_COLUMNS = {"cards": len(DECK), "values": 10}


RENDER_MODES = ("ansi",)


def render_mode_of(given: str | None) -> str | None:
    """Return the way a round is shown; refuse one that there is not."""
    if given is not None and given not in RENDER_MODES:
        raise ValueError(f"expected None or {' or '.join(RENDER_MODES)} as the render_mode, not {given!r}")
    return given


@dataclass(frozen=True, eq=False)
class ShoeGame:
    """What a single environment and a vector of them have in common."""

    tables: GameTables
    stakes: Stakes
    bankroll: int
    observed: str

    @classmethod
    def of(
        cls,
        game: Game,
        decks: int | None,
        stakes: Sequence[int],
        amounts: int | None,
        bankroll: int,
        cut: int,
        burn: int | str,
        rounds_after: int,
        observe: str,
    ) -> ShoeGame:
        """Return a game by its key, file or rulebook, as the arguments of an environment describe it."""
        book = game_of(game)
        if observe not in tuple(_COLUMNS):
            raise ValueError(f"expected to observe cards or values, not {observe!r}")
        shoes = Shoes(book.shoe(book.usual_decks if decks is None else decks), cut, burn, rounds_after)
        return cls(tables_for(book, shoes), Stakes(stakes, amounts), bankroll, observe)

    @property
    def book(self) -> Rulebook:
        return self.tables.book

    def batch(self, size: int, ahead: int = 1) -> ShoeBatch:
        """Return shoes to be played side by side; ``ahead`` is for how many random words are drawn at a time."""
        return ShoeBatch(self.tables, self.stakes, self.bankroll, size, ahead)

    def action_space(self) -> spaces.Space[Any]:
        """Return the actions of one environment: an index into the stakes for every wager, or an amount."""
        wagers = len(self.book.wagers)
        if self.stakes.listed:
            return spaces.MultiDiscrete([len(self.stakes.listed)] * wagers)
        return spaces.Box(0, self.stakes.largest, (wagers,), np.int64)

    def observation_space(self) -> spaces.Dict:
        """Return what one environment observes."""
        cards, columns = len(self.tables.shoes.cards), _COLUMNS[self.observed]
        most = self.tables.full if self.observed == "cards" else self._by_value(self.tables.full[None])[0]
        return spaces.Dict(
            {
                "unexposed": spaces.Box(0, int(most.max()), (columns,), np.int16),
                "bankroll": spaces.Box(0, np.inf, (1,), np.float64),
                "round": spaces.Discrete(cards),
            }
        )

    def observe(self, batch: ShoeBatch) -> dict[str, Array]:
        """Return the observations of all environments, a row each, in arrays that do not change later."""
        unexposed = batch.state.unexposed
        return {
            "unexposed": unexposed.copy() if self.observed == "cards" else self._by_value(unexposed),
            "bankroll": batch.units[:, None],
            "round": batch.state.rounds.copy(),
        }

    @staticmethod
    def observation(observed: dict[str, Array], row: int) -> dict[str, Any]:
        """Return the observation of one environment, from those of all."""
        one = {key: rows[row] for key, rows in observed.items()}
        return one | {"round": int(one["round"])}

    def _by_value(self, unexposed: Array) -> Array:
        found = np.zeros((len(unexposed), _COLUMNS["values"]), np.int16)
        step_kernel.count_values(unexposed, self.tables.deal.value, found)
        return found

    def expected(self, batch: ShoeBatch) -> tuple[Array, Array]:
        """Return the exact expected return of every wager in each environment's next round, and where it is known.

        It is not where no round follows, nor where the cards may run out while it is not known which were burnt.
        """
        left = len(self.tables.shoes.cards) - batch.state.places.astype(np.int64)
        burnt = batch.state.unexposed.sum(axis=1) - left
        known = ~batch.over & ((left >= LONGEST_COUP) | (burnt == 0))
        returns = np.full((len(batch), len(self.book.wagers)), np.nan)
        if known.any():
            returns[known] = expected_returns(self.book, batch.state.unexposed[known])
        return returns, known

    def tell(self, batch: ShoeBatch, row: int, dealt: Sequence[int]) -> str:
        """Return a line about the last round of an environment, and its bankroll."""
        units = f"{float(batch.units[row]):g} units"
        if not batch.state.rounds[row]:
            return f"{self.book.title}: nothing dealt yet, {units}"
        coup = self.coup(dealt)
        if coup is None:
            return f"{VOID}: the cards ran out; {units}"
        player, banker = (" ".join(map(str, hand)) for hand in (coup.player, coup.banker))
        return f"Player {player}, Banker {banker}: {coup.winner.value}; {units}"

    @staticmethod
    def coup(dealt: Sequence[int]) -> Coup | None:
        """Return the coup of some cards, each by its number in the deck; None if they are too few for one."""
        cards = [DECK[number] for number in dealt if number >= 0]
        try:
            return Coup.deal(cards)
        except Unlawful:
            return None
