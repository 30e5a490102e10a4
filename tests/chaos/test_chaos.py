"""Chaos in short: a few kills on each database, all named points among them. ``make chaos`` is the long form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chaos.campaign import Plan, run
from chaos.server_process import Point

KILLS = 5


def played(database: str, folder: Path) -> dict[str, Any]:
    return run(Plan(database, KILLS, seed=7, folder=folder, patrons=6, pause=(0.1, 0.5), quiet=True))


def checked(told: dict[str, Any]) -> None:
    assert told["findings"] == []
    assert all(told["kills_by_kind"][point] for point in Point), told
    assert sum(told["points_shown_by_answers"].values()) >= 1, told
    assert told["commands_acknowledged"] > 100, told
    assert told["rounds"] > 10, told
    assert told["shoes_verified"] >= 5, told


@pytest.mark.long
def test_a_killed_server_loses_nothing_and_does_nothing_twice(tmp_path: Path) -> None:
    checked(played(str(tmp_path / "punto.db"), tmp_path))


@pytest.mark.long
def test_of_two_servers_any_may_be_killed(postgresql: str, tmp_path: Path) -> None:
    told = played(postgresql, tmp_path)
    checked(told)
    assert told["both_killed"] == 1
