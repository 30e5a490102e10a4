"""``punto resume``: what it asks for, what it refuses, and what it tells."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

import pytest
from support.command import refused, run, run_json
from support.past import deal, make_table, opened, options_of

from punto.store.sqlite.backup import back_up

WHO = ("--by", "Gaming Shift Manager")
WHY = ("--reason", "the disk failed")


async def _went_back(folder: Path) -> None:
    options, file = options_of(folder), folder / "punto.db"
    async with opened(options) as serving:
        await make_table(serving)
        await deal(serving, 10)
        back_up(file, folder / "copy.db")
        await deal(serving, 10)
    for ending in ("-wal", "-shm"):
        file.with_name(file.name + ending).unlink(missing_ok=True)
    shutil.copyfile(folder / "copy.db", file)


@pytest.fixture
def database(tmp_path: Path) -> list[str]:
    asyncio.run(_went_back(tmp_path))
    return [str(tmp_path / "punto.db"), "--key", str(tmp_path / "house.key")]


def test_it_tells_what_is_lost_what_is_void_and_what_is_published(database: list[str]) -> None:
    told = run("resume", *database, *WHO, *WHY)
    assert re.search(r"^t1: 1\d events are missing after 1\d$", told, re.MULTILINE)
    assert "t1: round 1 is void" in told
    assert "t1: ended and published: t1 1" in told
    assert "epoch 2" in told
    assert "is not closed" in refused("resume", *database, *WHO, *WHY)


def test_it_takes_a_gaming_shift_manager_and_a_reason(database: list[str], tmp_path: Path) -> None:
    assert "--reason" in refused("resume", *database, *WHO)
    assert "--by" in refused("resume", *database, *WHY)
    assert refused("resume", *database, "--by", "Pit Manager", *WHY)
    assert "there is no person" in refused("resume", *database, "--by", "Nobody", *WHY)
    assert refused("resume", *database, *WHO, "--reason", " ")
    assert "there is no key" in refused("resume", database[0], *WHO, *WHY)
    assert "no such database" in refused("resume", str(tmp_path / "none.db"), *WHO, *WHY)
    told = run_json("resume", *database, *WHO, *WHY)
    assert told["rounds_void"] == {"t1": 1}
    assert told["shoes_published"] == {"t1": ["t1 1"]}
    missing = {each["stream"]: each["acknowledged"] - each["found"] for each in told["lost"]}
    assert missing["t1"] >= 10
