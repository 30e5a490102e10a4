"""``punto bench processes`` on a real PostgreSQL, in short: it makes its own house, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import json

import asyncpg
import pytest
from support.bench_in_short import few

from punto.cli.main import main


async def _databases(address: str) -> set[str]:
    connection = await asyncpg.connect(address)
    try:
        return {row["datname"] for row in await connection.fetch("select datname from pg_database")}
    finally:
        await connection.close()


@pytest.mark.long
async def test_it_measures_each_process_and_drops_its_database(
    postgresql: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = await _databases(postgresql)

    def measure() -> None:
        with few("processes"):
            main(["bench", "processes", "--database", postgresql, "--json"])

    await asyncio.to_thread(measure)
    told = json.loads(capsys.readouterr().out)
    assert len(told["1_process"]["serving_nobody_us"]) == 2
    assert len(told["2_processes"]["server_us"]) == 2
    assert all(told[load]["wagers"] > 0 for load in ("1_process", "2_processes", "shared_tables", "one_shared_table"))
    assert told["watchers"]["messages"] > 0
    assert await _databases(postgresql) == before
