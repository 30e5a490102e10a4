"""Snapshots: the state of a table in whatever situation comes back as it was."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from properties.random_play import RandomPlay
from support.long import others_long

import punto
from punto import APPROVED, load
from punto.store.records import StoreError
from punto.store.trust import snapshots
from punto.store.trust.snapshots import STATE_CODE, code_version, from_snapshot, take_snapshot
from punto.table.table import Table


@pytest.mark.parametrize("seed", others_long([30, 31, 32]))
@pytest.mark.parametrize("game", APPROVED)
def test_any_state_comes_back_as_it_was(game: str, seed: int) -> None:
    held, wanted = set[str](), 3 if game == "fabulous-4" else 6
    play = RandomPlay(game, seed)
    play.trouble = 0.15
    for number in range(20_000):
        if number >= 2_500 and len(held) >= wanted:
            break
        play.step()
        if play.table.hold or number % 10 == 0:
            snapshot = take_snapshot("t1", number, b"hash", play.table)
            assert from_snapshot(snapshot, play.book) == play.table
            held.add(type(play.table.hold).__name__)
    assert len(held) >= wanted


def test_an_empty_table_comes_back_too() -> None:
    book = load("tiger")
    assert from_snapshot(take_snapshot("t1", 0, b"", Table(book)), book) == Table(book)


def test_other_code_does_not_use_it_and_a_broken_one_is_told() -> None:
    book = load("tiger")
    snapshot = take_snapshot("t1", 0, b"", Table(book))
    assert from_snapshot(replace(snapshot, code="older"), book) is None
    deep = b"\x91" * 100_000  # lists in lists, deeper than anything reads
    for body in (b"", b"nonsense", snapshot.body[:-3], b"\x90", b"\x81\xa4hold\x01", deep):
        with pytest.raises(StoreError, match="the snapshot of t1 cannot be read"):
            from_snapshot(replace(snapshot, body=body), book)


def _modules_of(hint: Any, seen: set[Any]) -> set[str]:
    """The modules of all types of ours that a value of this type may hold."""
    modules = set().union(*(_modules_of(each, seen) for each in get_args(hint)))
    if not isinstance(hint, type) or hint in seen or not hint.__module__.startswith("punto"):
        return modules
    seen.add(hint)
    held = [*get_type_hints(hint).values(), *hint.__subclasses__()]
    return modules.union({hint.__module__}, *(_modules_of(each, seen) for each in held))


def test_the_code_that_makes_up_a_state_is_all_in_its_digest() -> None:
    """A snapshot made by other cards, roads or rules is other code's, too."""
    covered = tuple("punto." + part.removesuffix(".py").replace("/", ".") for part in STATE_CODE)
    modules = _modules_of(Table, set())
    assert {module.split(".")[1] for module in modules} == {"cards", "roads", "rules", "table"}
    assert not [module for module in modules if not (f"{module}.").startswith(tuple(f"{each}." for each in covered))]


def test_the_digest_of_the_code_changes_with_every_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "punto"
    shutil.copytree(Path(punto.__file__).parent, package, ignore=shutil.ignore_patterns("static", "__pycache__"))
    monkeypatch.setattr(snapshots, "_PACKAGE", package)
    known = {code_version.__wrapped__()}
    for part in ("cards.py", "rules/coup.py", "roads/__init__.py", "table/evolve.py", "store/trust/snapshots.py"):
        with (package / part).open("a") as file:
            file.write("# changed\n")
        known.add(code_version.__wrapped__())
    assert len(known) == 6
