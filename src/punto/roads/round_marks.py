"""A round of play as the roads see it: who won, which hands began with a pair, whether a natural ended the deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from punto.rules.coup import Coup, OutcomeClass, Winner
from punto.rules.table_of_play import NATURALS


@dataclass(frozen=True, slots=True)
class RoundMark:
    """One settled round of the shoe. A void round leaves no mark; a corrected round is marked as corrected."""

    winner: Winner
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False
    """Either hand had a natural, whichever won."""

    @classmethod
    def of(cls, coup: Coup | OutcomeClass) -> Self:
        """Return the mark that a coup, or any of its class, leaves."""
        outcome = coup.outcome_class if isinstance(coup, Coup) else coup
        return cls(
            winner=outcome.winner,
            player_pair=outcome.player_first_two.pair is not None,
            banker_pair=outcome.banker_first_two.pair is not None,
            natural=(outcome.player_cards == 2 and outcome.player_total in NATURALS)
            or (outcome.banker_cards == 2 and outcome.banker_total in NATURALS),
        )
