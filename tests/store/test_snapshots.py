"""Snapshots: the state of a table in whatever situation comes back as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest
from properties.random_play import RandomPlay

from punto import APPROVED, load
from punto.store.records import StoreError
from punto.store.snapshots import from_snapshot, take_snapshot
from punto.table.table import Table


@pytest.mark.parametrize("game", APPROVED)
def test_any_state_comes_back_as_it_was(game: str) -> None:
    held = set()
    for seed in range(3):
        play = RandomPlay(game, 30 + seed)
        for number in range(2_500):
            play.step()
            if play.table.hold or number % 10 == 0:
                snapshot = take_snapshot("t1", number, b"hash", play.table)
                assert from_snapshot(snapshot, play.book) == play.table
                held.add(type(play.table.hold).__name__)
    assert len(held) >= (3 if game == "fabulous-4" else 6)


def test_an_empty_table_comes_back_too() -> None:
    book = load("tiger")
    assert from_snapshot(take_snapshot("t1", 0, b"", Table(book)), book) == Table(book)


def test_other_code_does_not_use_it_and_a_broken_one_is_told() -> None:
    book = load("tiger")
    snapshot = take_snapshot("t1", 0, b"", Table(book))
    assert from_snapshot(replace(snapshot, code="older"), book) is None
    for body in (b"", b"nonsense", snapshot.body[:-3]):
        with pytest.raises(StoreError, match="the snapshot of t1 cannot be read"):
            from_snapshot(replace(snapshot, body=body), book)
