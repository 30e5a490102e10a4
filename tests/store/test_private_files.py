"""Only their owner may read a house's files, and a file is served once, by whatever name it is opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.past import make_table, opened, options_of

from punto.server.running.lifecycle import Options
from punto.store.records import StoreError
from punto.store.sqlite.backup import back_up
from punto.store.sqlite.sqlite_store import SqliteStore


def modes(folder: Path) -> dict[str, int]:
    return {each.name: each.stat().st_mode & 0o777 for each in folder.iterdir()}


@pytest.fixture
def wide_umask() -> object:
    before = os.umask(0o000)
    yield
    os.umask(before)


@pytest.mark.usefixtures("wide_umask")
async def test_everything_a_server_makes_is_its_owners_alone(tmp_path: Path) -> None:
    async with opened(Options(str(tmp_path / "punto.db"))) as serving:
        await make_table(serving)
        back_up(tmp_path / "punto.db", tmp_path / "copy.db")
        found = modes(tmp_path)
    endings = ("", "-wal", "-shm", ".lock", ".key", ".mark")
    assert found == dict.fromkeys((*(f"punto.db{each}" for each in endings), "copy.db"), 0o600)


async def test_files_from_before_are_taken_from_others_and_the_folder_is_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    file = tmp_path / "punto.db"
    await SqliteStore(file).close()
    for each in tmp_path.iterdir():
        each.chmod(0o644)
    store = SqliteStore(file)
    assert set(modes(tmp_path).values()) == {0o600}
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    await store.close()


async def test_a_link_to_a_served_file_starts_no_second_server(tmp_path: Path) -> None:
    file, folder = tmp_path / "punto.db", tmp_path / "elsewhere"
    folder.mkdir()
    async with opened(options_of(tmp_path)):
        (folder / "linked.db").symlink_to(file)
        with pytest.raises(StoreError, match="another process serves it"):
            SqliteStore(folder / "linked.db")
        (folder / "hard.db").hardlink_to(file)
        with pytest.raises(StoreError, match="several names"):
            SqliteStore(folder / "hard.db")
    (folder / "hard.db").unlink()
    store = SqliteStore(folder / "linked.db")
    with pytest.raises(StoreError, match="another process serves it"):
        SqliteStore(file)
    await store.close()
