"""Attacks in short: one client does its worst, and another is served as before. ``make attack`` prints the figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos.attack import attack_all
from chaos.attacker import KINDS

TRIES = 3
"""A busy machine may spoil a measurement; an attack that works spoils all of them."""


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_one_client_does_not_harm_another(tmp_path: Path, kind: str) -> None:
    seen = []
    for number in range(TRIES):
        folder = tmp_path / str(number)
        folder.mkdir()
        (measured,) = attack_all(folder, 4.0, (kind,))
        assert measured.server_mb < 400, measured
        if measured.ratio < 2 and measured.longest < 1000:
            return
        seen.append(measured)
    pytest.fail(f"{seen}")
