"""The simulation of faults in short; ``make faults SEEDS=10000`` is the long form."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from faults.disk import Disk, DiskFile
from faults.planted import PLANTED
from faults.simulation import COMMANDS, Simulation
from support.long import others_long, some_long

TESTS = Path(__file__).parents[1]
MOST_SEEDS = 1_000
"""Within which a planted bug has to be found."""


def found_at(planted: str | None = None, lying: bool = False) -> int:
    """The first seed that finds something."""
    for seed in range(MOST_SEEDS):
        if Simulation(seed, planted, lying).run().findings:
            return seed
    pytest.fail(f"not found within {MOST_SEEDS} seeds")


@pytest.mark.parametrize("seed", some_long(range(4), {2, 3}))
def test_nothing_is_lost_or_done_twice_whatever_fails(seed: int) -> None:
    ran = Simulation(seed).run()
    assert ran.findings == [], ran.last_steps
    assert ran.commands >= COMMANDS
    assert ran.troubles


@pytest.mark.long
@pytest.mark.parametrize("first", range(100, 500, 50))
def test_many_seeds_find_nothing(first: int) -> None:
    for seed in range(first, first + 50):
        ran = Simulation(seed).run()
        assert ran.findings == [], (seed, ran.last_steps)


@pytest.mark.long
def test_a_seed_replays_exactly() -> None:
    once, again = Simulation(4).run(), Simulation(4).run()
    assert once.digest == again.digest
    assert once.digest != Simulation(5).run().digest


@pytest.mark.long
def test_a_seed_replays_exactly_in_another_process() -> None:
    program = "from faults.simulation import Simulation; print(Simulation(11).run().digest)"
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", program]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()
    assert told == Simulation(11).run().digest


@pytest.mark.parametrize("planted", others_long(name for name in PLANTED if name))
def test_a_planted_bug_is_found(planted: str) -> None:
    found_at(planted)


def test_a_disk_whose_sync_lies_is_found() -> None:
    found_at(lying=True)


def test_the_disk_keeps_what_was_synced_and_may_lose_the_rest() -> None:
    left = set()
    for seed in range(50):
        disk = Disk(Random(seed), {"file": DiskFile()})
        file = disk.files["file"]
        disk.write(file, 0, b"synced")
        disk.sync(file)
        disk.write(file, 6, b"late")
        assert bytes(disk.after_kill().files["file"].content) == b"syncedlate"
        left.add(bytes(disk.after_power_cut().files["file"].content))
    assert all(each.startswith(b"synced") for each in left)
    assert {b"synced", b"syncedlate"} < left  # and torn ones
