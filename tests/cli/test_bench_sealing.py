"""``punto bench sealing`` in short: it measures the server that seals, and the one that does not."""

from __future__ import annotations

import asyncio
import json

import pytest
from support.bench_in_short import few

from punto.cli.main import main


@pytest.mark.long
async def test_it_measures_both_servers(capsys: pytest.CaptureFixture[str]) -> None:
    def measure() -> None:
        with few("sealing"):
            main(["bench", "sealing", "--json"])

    await asyncio.to_thread(measure)
    told = json.loads(capsys.readouterr().out)
    assert len(told["ratios"]) == 2
    assert told["wagers_per_second"] > 0
    assert told["wagers_per_second_without"] > 0
    assert told["sealer_cpu_us"] > 0
    assert "sealer_cpu_us_without" not in told
