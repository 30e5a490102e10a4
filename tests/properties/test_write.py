"""Whatever happened at a table can be written down in the notation, and plays back to the same events."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties.random_play import RandomPlay
from properties.staff_play import StaffPlay
from support.long import others_long

from punto import APPROVED, load
from punto.notation import parse, write
from punto.notation.command_words import WORDS
from punto.notation.script_player import Player
from punto.table.command import Command
from punto.table.default_settings import dealt_by_hand
from punto.table.money import Pieces
from punto.table.play.chips import Credit, Fill
from punto.table.play.table_management import CloseTable, OpenTable
from punto.table.registry import DECISIONS
from punto.table.roles import Actor, Role

PLAYS = [(StaffPlay, 0), *others_long([(RandomPlay, 0), (RandomPlay, 1), (RandomPlay, 2)])]


@pytest.mark.parametrize("game", APPROVED)
@pytest.mark.parametrize(("kind", "seed"), PLAYS)
def test_what_happened_is_written_down_and_plays_back_identically(game: str, kind: type[RandomPlay], seed: int) -> None:
    play = kind(game, 100 + seed)
    for _ in range(4_000):
        play.step()
        if play.carried_out and isinstance(play.carried_out[-1], CloseTable):
            break  # a script is about one opening of a table
    opening, *rest = play.carried_out
    assert isinstance(opening, OpenTable)
    script = parse(write(game, opening, rest))
    player = Player(script, script.runs[0])
    assert player.play() == []
    assert len(player.log) > 100
    assert player.log == play.log[: len(player.log)]


def test_every_command_can_be_written_down() -> None:
    assert set(WORDS) == set(DECISIONS) - {OpenTable}
    assert all(issubclass(each, Command) for each in WORDS)
    assert CloseTable in WORDS


AMOUNTS = st.integers(1, 10**9)
CHIPS = st.lists(st.builds(Pieces, AMOUNTS, st.integers(1, 10**4)), max_size=6, unique_by=lambda each: each.value)


@given(CHIPS, CHIPS, AMOUNTS, st.integers(0, 10**9))
def test_chips_are_written_down_by_denomination_and_slip(
    brought: list[Pieces], tray: list[Pieces], amount: int, slip: int
) -> None:
    """A count without denominations stays one; with them, each comes back."""
    pieces, there = tuple(brought), tuple(tray)
    moved = sum(each.amount for each in pieces) or amount
    manager = Actor("Pit Manager", Role.PIT_MANAGER)
    float_ = sum(each.amount for each in there)
    opening = OpenTable(manager, dealt_by_hand(load("baccarat")), float_, there)
    closing = CloseTable(manager, float_, there)
    carried_out = [Fill(manager, moved, pieces, slip), Credit(manager, moved, pieces, slip), closing]
    script = parse(write("baccarat", opening, carried_out))
    player = Player(script, script.runs[0])
    assert player.play() == []
    opened, filled, credited, closed = player.log
    assert (opened.pieces, closed.pieces, closed.difference) == (there, there, 0)  # type: ignore[attr-defined]
    for each in (filled, credited):
        assert (each.amount, each.pieces, each.slip) == (moved, pieces, slip)  # type: ignore[attr-defined]
