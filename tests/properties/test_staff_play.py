"""Tables at which no patron has a device: staff record what patrons say and do, and everything stays in order."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest
from properties.staff_play import StaffPlay
from properties.way_out import way_out
from support.long import others_long

from punto import APPROVED
from punto.table.evolve import EVENTS
from punto.table.round import IN_ROUND

SEED = int(os.environ.get("PUNTO_SEED", "1"))
OF_THE_HOUSE = ("appointments", "chips", "debts", "duty", "loss_limits", "second_person", "table_management", "windows")
"""The subjects that no chapter on play or irregularities is about; the time for a squeeze is the house's (R85)."""
CHAPTERS_3_AND_5 = {name for name, kind in EVENTS.items() if kind.__module__.rpartition(".")[2] not in OF_THE_HOUSE}


@pytest.mark.parametrize("game", APPROVED)
@pytest.mark.parametrize("run", others_long(range(2)))
def test_staff_conduct_every_game_without_a_patrons_device(game: str, run: int) -> None:
    """10,000 commands a run, 100,000 in all with the long ones.

    Books balance, the auditor agrees, replay gives the same state, and what stood as decided is settled so.
    """
    print(f"PUNTO_SEED={SEED}, game {game}, run {run}")  # noqa: T201 - shown when the test fails
    rounds = kept = 0
    for seed in (4 * SEED + 2 * run, 4 * SEED + 2 * run + 1):
        play = StaffPlay(game, seed)
        play.play(5_000)
        rounds += play.table.round_number
        kept += play.kept
    assert rounds > 100
    assert kept > 20


@pytest.mark.long
def test_every_kind_of_event_of_chapters_3_and_5_happens() -> None:
    """Played until all have happened: random play that never reaches a procedure would show nothing about it."""
    seen: Counter[str] = Counter()
    for seed in range(60):
        for game in APPROVED:
            play = StaffPlay(game, 1_000 + seed)
            play.play(1_000)
            seen += play.kinds
        if seen.keys() >= CHAPTERS_3_AND_5:
            return
    assert CHAPTERS_3_AND_5 - seen.keys() == set()


def _ends_truthfully(game: str, seed: int, states: int) -> None:
    """From every state reached in a round, some sequence of lawful and truthful commands ends the round."""
    play, found = StaffPlay(game, seed), 0
    while found < states:
        play.step()
        if play.table.phase in IN_ROUND and play.random.random() < 0.2:
            out = way_out(play.table, Random(f"{game} {seed} {found}"))
            assert out is not None, (game, seed, found, play.table.holds, play.table.round)
            found += 1


@pytest.mark.parametrize("game", APPROVED)
def test_every_state_has_a_true_way_out(game: str) -> None:
    for seed in range(4):
        _ends_truthfully(game, 10 * SEED + seed, 50)


@pytest.mark.long
@pytest.mark.parametrize("game", APPROVED)
@pytest.mark.parametrize("seed", range(10))
def test_every_state_has_a_true_way_out_in_ten_thousand(game: str, seed: int) -> None:
    """200 states a run, 10,000 in all."""
    for part in range(4):
        _ends_truthfully(game, 1_000 * SEED + 10 * seed + part, 50)
