"""Random commands by random people: books balance, the auditor agrees to the cent, replay gives the same state."""

from __future__ import annotations

import os

import pytest
from properties.random_play import RandomPlay
from support.long import others_long

from punto import APPROVED

SEED = int(os.environ.get("PUNTO_SEED", "1"))


@pytest.mark.parametrize("game", APPROVED)
@pytest.mark.parametrize("run", others_long(range(2)))
def test_random_play_stays_in_order(game: str, run: int) -> None:
    """10,000 commands a run, 100,000 in all; another PUNTO_SEED plays others."""
    print(f"PUNTO_SEED={SEED}, game {game}, run {run}")  # noqa: T201 - shown when the test fails
    play = RandomPlay(game, 2 * SEED + run)
    play.play(10_000)
    assert play.table.round_number > 50
    assert play.refused > 1_000
