"""Attacks in short: one client does its worst, and another is served. ``make attack`` measures how quickly."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos.attack import attack_all
from chaos.attacker import KINDS

LONGEST = 3_000
"""Milliseconds that a command may wait on a busy machine; ``make attack`` asks for less on a quiet one."""


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_one_client_does_not_keep_another_from_being_served(tmp_path: Path, kind: str) -> None:
    (measured,) = attack_all(tmp_path, 4.0, (kind,))
    assert sum(measured.done.values()) > 0, "there was an attack"
    assert measured.commands > 10
    assert measured.longest < LONGEST, measured
    assert measured.server_mb < 400, measured
