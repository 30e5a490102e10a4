"""``punto serve`` as an operator starts it: what is wrong is told in one line, and nothing is left half made."""

from __future__ import annotations

import logging
import os
import pty
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep

import apsw
import pytest
import structlog
from support.command import refused as refused_command
from support.live import PUNTO, any_port, serving
from support.long import others_long
from support.playing import House, asked

from punto.cli.house.serve import address
from punto.rules.game_library import APPROVED, game_file
from punto.server.http import pages
from punto.store.house import House as Founded
from punto.store.postgresql import PostgresStore
from punto.store.protocol import Store
from punto.store.sqlite.sqlite_store import SqliteStore
from punto.store.trust.keys import ENVIRONMENT, Keys, make_keys

DOCUMENTS = Path(__file__).parents[2] / "docs"
OTHER_KEY = f"punto-key-1 {'7f' * 32}\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In a folder of one's own, without a key in the environment; what a server sets for its process is set back."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    root = logging.getLogger()
    handlers, level, lines = root.handlers[:], root.level, structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**lines)


def refused(*arguments: str) -> str:
    """The one line that a server prints which does not start."""
    return refused_command("serve", *any_port(*arguments))


def refused_as_a_process(*arguments: str) -> str:
    """The same in a process of its own, with nothing between it and the operator."""
    command = [str(PUNTO), "serve", *any_port(*arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (2, ""), ended.stderr
    assert ended.stderr.startswith("punto: ")
    assert ended.stderr.count("\n") == 1, ended.stderr
    return ended.stderr


def test_a_checkout_without_its_pages_is_told_how_to_build_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "BUILT", tmp_path / "static")
    assert "the pages are not built: in a checkout `make setup` builds them" in refused()
    assert names(tmp_path) == set()


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://localhost:8000"),
        ("::", "http://localhost:8000"),
        ("::1", "http://[::1]:8000"),
    ],
)
def test_the_address_told_is_one_a_browser_opens(host: str, told: str) -> None:
    assert address(host, 8000) == told


def names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


async def _found(store: Store, keys: Keys) -> None:
    await Founded.open(store, keys, 1_700_000_000_000)
    await store.close()


@pytest.fixture
async def made(tmp_path: Path) -> Path:
    """A folder with a house on SQLite and its key."""

    await _found(SqliteStore(tmp_path / "punto.db"), make_keys(tmp_path / "punto.db.key"))
    return tmp_path


@pytest.fixture
async def database(postgresql: str, tmp_path: Path) -> str:
    """A house on PostgreSQL, whose key is in the folder."""

    await _found(await PostgresStore.open(postgresql), make_keys(tmp_path / "punto.key"))
    return postgresql


# --- keys ------------------------------------------------------------------------------------------------------------


def test_another_key_opens_no_house(made: Path) -> None:
    key = made / "punto.db.key"
    key.write_text(OTHER_KEY)
    assert "this is not the key the database was made with" in refused_as_a_process()
    assert key.read_text() == OTHER_KEY


def test_a_house_without_its_key_is_not_given_a_new_one(made: Path) -> None:
    (made / "punto.db.key").unlink()
    assert "there is no key" in refused()
    assert "there is no key" in refused("--key", "elsewhere.key")
    assert names(made) & {"punto.db.key", "elsewhere.key"} == set()


def test_a_key_that_others_can_read_is_refused(made: Path) -> None:
    (made / "punto.db.key").chmod(0o644)
    assert "others can read the key" in refused()


@pytest.mark.parametrize("content", ["", "punto-key-1 1234", "\x00\xff", "punto-key-2 " + "00" * 32])
def test_what_is_no_key_is_refused_and_not_quoted(made: Path, content: str) -> None:
    (made / "punto.db.key").write_bytes(content.encode("latin-1"))
    told = refused()
    assert "this is no key" in told
    assert "1234" not in told


@pytest.mark.usefixtures("made")
def test_a_key_from_the_environment_goes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, OTHER_KEY)
    assert "not the key the database was made with" in refused()
    monkeypatch.setenv(ENVIRONMENT, "a secret that is no key")
    told = refused()
    assert "PUNTO_KEY: this is no key" in told
    assert "a secret" not in told


def test_on_postgresql_too_the_key_has_to_be_the_right_one(database: str, tmp_path: Path) -> None:
    key = tmp_path / "punto.key"
    kept = key.read_text()
    key.write_text(OTHER_KEY)
    assert "this is not the key the database was made with" in refused("--db", database)
    key.unlink()
    assert "there is no key" in refused("--db", database)
    assert "there is no key" in refused("--db", database, "--key", "another.key")
    assert not names(tmp_path) & {"punto.key", "another.key"}
    with serving(database, tmp_path, environment={"PUNTO_KEY": kept}) as live:
        assert live.stop() == 0


# --- databases -------------------------------------------------------------------------------------------------------


def test_a_database_of_a_later_version_is_left_alone(made: Path) -> None:
    with closing(apsw.Connection(str(made / "punto.db"))) as connection:
        connection.execute("pragma user_version = 99")
    assert "the database is of a later version (99)" in refused()


def test_a_postgresql_database_of_a_later_version_is_left_alone(database: str) -> None:
    asked(database, "insert into migration values (99)")
    assert "the database is of a later version (99)" in refused("--db", database)


def test_what_is_no_database_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "punto.db").write_text("the holiday photographs\n" * 100)
    assert "punto.db: cannot be opened" in refused()
    assert (tmp_path / "punto.db").read_text().startswith("the holiday")
    assert not (tmp_path / "punto.db.key").exists()
    assert "cannot be opened" in refused("--db", "no/such/folder/punto.db")
    assert "cannot be opened" in refused("--db", str(tmp_path))


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("postgresql://punto:secret1@127.0.0.1:1/punto", "no server answers at that address"),
        ("postgresql://punto:secret1@[127/punto", "expected an address"),
        ("postgresql://punto:secret1@127.0.0.1:port/punto", "expected an address"),
    ],
)
def test_a_database_that_is_not_there_is_told_without_its_password(tmp_path: Path, address: str, why: str) -> None:
    told = refused("--db", address)
    assert why in told
    assert "secret1" not in told
    assert names(tmp_path) == set()


def test_a_name_the_server_does_not_know_is_told(postgresql: str) -> None:
    address = re.sub(r"/test_\d+\?", "/no_such_database?", postgresql)
    assert "no database of that name" in refused("--db", address)


@pytest.mark.long
def test_a_second_server_on_one_file_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    with serving(str(tmp_path / "punto.db"), tmp_path) as live:
        assert "punto.db: another process serves it" in refused()
        assert House(live, str(tmp_path / "punto.db")).manager.get("/healthz")["ok"]
        assert live.stop() == 0
    with serving(str(tmp_path / "punto.db"), tmp_path) as again:
        assert again.links == {}  # they are shown once, when the house is made
        assert again.stop() == 0


# --- where it listens ------------------------------------------------------------------------------------------------


def test_a_port_that_is_taken_is_told_and_nothing_is_made(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = refused_as_a_process("--port", str(port))
    assert f"127.0.0.1, port {port}: cannot listen there: Address already in use" in told
    assert names(tmp_path) == set()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--host", "203.0.113.7"), "cannot listen there"),
        (("--host", "no-such-host.invalid"), "cannot listen there"),
        (("--port", "65536"), "--port: expected 0 to 65535"),
        (("--port", "-1"), "--port: expected 0 to 65535"),
        (("--port", "eighty"), "expected a whole number"),
        (("--pace", "0"), "--pace: expected 1 to 1000"),
        (("--pace", "2"), "--pace: a round takes at least five seconds"),
        (("--origin", "tables.example"), "--origin: expected an address"),
        (("--nonsense",), "--nonsense"),
    ],
)
def test_what_makes_no_sense_is_told_and_nothing_is_made(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    assert why in refused(*arguments)
    assert names(tmp_path) == set()


@pytest.mark.usefixtures("made")
def test_a_house_for_money_deals_no_faster_because_it_is_called_practice() -> None:
    assert "--pace: a round takes at least five seconds" in refused("--practice", "--pace", "2")


# --- games -----------------------------------------------------------------------------------------------------------


def own_game() -> bytes:
    return game_file("baccarat").replace(b'key = "baccarat"', b'key = "mine"', 1)


def test_a_game_that_cannot_be_played_is_told_before_anything_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "broken.toml").write_text("title = ")
    (folder / "empty.toml").write_text("")
    (folder / "approved.toml").write_bytes(game_file("baccarat"))
    for name in ("one", "other"):
        (folder / f"{name}.toml").write_bytes(own_game())
    assert "nowhere.toml" in refused("--game", "games/nowhere.toml")
    for name in ("broken", "empty", "approved"):
        assert f"{name}.toml" in refused("--game", f"games/{name}.toml")
    twice = refused("--game", "games/one.toml", "--game", "games/other.toml")
    assert "other.toml: there is another game with the key 'mine'" in twice
    assert names(tmp_path) == {"games"}


# --- a practice house ------------------------------------------------------------------------------------------------


def test_a_game_without_a_layout_has_no_table_in_a_practice_house(tmp_path: Path) -> None:
    game = (DOCUMENTS / "examples" / "lantern.toml").read_text("utf-8")
    (tmp_path / "lantern.toml").write_text(re.sub(r"^layout = .*\n", "", game, flags=re.MULTILINE), "utf-8")
    told = refused("--practice", "--game", "lantern.toml")
    assert told == "punto: Lantern Baccarat has no layout to play on: give its file one\n"
    assert names(tmp_path) == {"lantern.toml"}


def test_a_practice_house_has_a_table_of_each_game_and_a_patron_with_money(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(own_game())
    arguments = ("--practice", "--pace", "1000", "--game", "mine.toml")
    with serving(str(tmp_path / "punto.db"), tmp_path, *arguments) as live:
        patron = live.by_link(live.links["patron"].rsplit("#", 1)[1])
        assert patron.get("/api/cage/mine")["holds"] == 1_000_000
        listed = patron.get("/api/tables")
        assert [each["table"] for each in listed] == ["squeeze-baccarat", *APPROVED, "mine"]
        squeezing = [each["table"] for each in patron.get("/api/lobby") if each["squeezing"]]
        assert squeezing == ["squeeze-baccarat"]
        assert sorted(live.tables) == sorted(each["table"] for each in listed)
        assert all(each["automatic"] for each in listed)
        assert live.stop() == 0
    assert (tmp_path / "punto.db.key").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("screen", "opened"), others_long([("", False), (":0", True)]))
def test_a_practice_house_opens_the_page_where_there_is_a_screen(tmp_path: Path, screen: str, opened: bool) -> None:
    browser, told = tmp_path / "browser", tmp_path / "told"
    browser.write_text(f"#!/bin/sh\necho $1 > {told}.new\nmv {told}.new {told}\n")
    browser.chmod(0o755)
    ours, terminal = pty.openpty()
    environment = {**os.environ, "DISPLAY": screen, "WAYLAND_DISPLAY": "", "BROWSER": str(browser)}
    command = [str(PUNTO), "serve", "--practice", "--port", "0"]
    with subprocess.Popen(command, stdout=terminal, stderr=subprocess.DEVNULL, env=environment) as server:
        os.close(terminal)
        printed = b""
        while b"\n" not in printed.partition(b"Punto serves 6 tables at")[2]:
            printed += os.read(ours, 4096)
        until = monotonic() + (20 if opened else 0.5)
        while not told.exists() and monotonic() < until:
            sleep(0.02)
        server.terminate()
    os.close(ours)
    found = told.read_text().strip() if told.exists() else None
    assert found == (re.search(r"http://\S+", printed.decode())[0] if opened else None)  # type: ignore[index]
