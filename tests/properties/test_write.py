"""Whatever happened at a table can be written down in the notation, and plays back to the same events."""

from __future__ import annotations

import pytest
from properties.random_play import RandomPlay
from properties.staff_play import StaffPlay
from support.long import others_long

from punto import APPROVED
from punto.notation import parse, write
from punto.notation.command_words import WORDS
from punto.notation.script_player import Player
from punto.table.command import Command
from punto.table.play.table_management import CloseTable, OpenTable
from punto.table.registry import DECISIONS

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
