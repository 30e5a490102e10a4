"""The counts of a shoe so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from punto.roads.big_road import BigRoad, Win
from punto.roads.round_marks import RoundMark
from punto.rules.coup import Winner


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive wins of one hand. Ties between them neither count nor break the run."""

    winner: Winner
    length: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of the shoe. Pairs and naturals are counted in every round, ties included."""

    rounds: int
    banker: int
    player: int
    tie: int
    banker_pair: int
    player_pair: int
    natural: int
    longest_run: Run | None
    """The first of its length; None before the first win."""
    current_run: Run | None


def statistics(marks: Sequence[RoundMark], road: BigRoad) -> Statistics:
    """Return the counts of these rounds, whose big road is ``road``."""
    won = Counter(mark.winner for mark in marks)
    return Statistics(
        rounds=len(marks),
        banker=won[Winner.BANKER],
        player=won[Winner.PLAYER],
        tie=won[Winner.TIE],
        banker_pair=sum(mark.banker_pair for mark in marks),
        player_pair=sum(mark.player_pair for mark in marks),
        natural=sum(mark.natural for mark in marks),
        longest_run=_run(max(road.columns, key=len)) if road.columns else None,
        current_run=_run(road.columns[-1]) if road.columns else None,
    )


def _run(column: Sequence[Win]) -> Run:
    return Run(column[0].mark.winner, len(column))
