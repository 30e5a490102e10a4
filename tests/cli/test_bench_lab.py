"""``punto bench lab`` in short: it counts what the yardstick counts, and says how long each took."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.bench_in_short import few
from support.command import punto
from support.needs import need_program

from punto.cli.bench import bench

YARDSTICK = Path(__file__).parents[1] / "reference" / "returns.c"


def test_the_lab_is_measured_beside_a_yardstick(monkeypatch: pytest.MonkeyPatch) -> None:
    need_program("cc", "a C compiler")
    monkeypatch.setattr(bench, "_STATES", 3)
    monkeypatch.setattr(bench, "_environment", dict)
    with few("lab"):
        code, out, _ = punto("bench", "lab", "--yardstick", str(YARDSTICK), "--json")
    told = json.loads(out)
    assert code == 0
    assert told["microseconds_per_state"] > 0 < told["yardstick_microseconds"]
    assert told["states_per_second"] == pytest.approx(1e6 / told["microseconds_per_state"])
    assert told["ratio_to_yardstick"] > 0
