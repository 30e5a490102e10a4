"""Only their owner may read a house's files, and a file is served once, by whatever name it is opened."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.past import make_table, opened, options_of

from punto.server.running.lifecycle import Options
from punto.store.records import StoreError
from punto.store.sqlite import file_lock
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


async def test_a_writer_that_hangs_keeps_its_file_after_its_server_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_lock, "LET_GO_WITHIN", 0.05)
    with subprocess.Popen([sys.executable, "-c", ""]) as server:
        server.wait()
    with file_lock.locked(tmp_path / "punto.db", server.pid), pytest.raises(StoreError, match="another process"):
        SqliteStore(tmp_path / "punto.db")
    await SqliteStore(tmp_path / "punto.db").close()


@pytest.mark.skipif(sys.platform != "linux", reason="only there the file itself is locked")
async def test_a_file_that_was_renamed_starts_no_second_server(tmp_path: Path) -> None:
    """It is the same file, whatever it is called: two servers would decide by what each remembers."""
    async with opened(options_of(tmp_path)):
        for ending in ("", "-wal", "-shm"):
            (tmp_path / f"punto.db{ending}").rename(tmp_path / f"moved.db{ending}")
        with pytest.raises(StoreError, match="another process serves it"):
            SqliteStore(tmp_path / "moved.db")
