"""What a table holds of a patron's limits over the house: a wager may use it up, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from punto import Rulebook
from punto.notation import parse
from punto.notation.script_player import Player
from punto.table.decide import decide
from punto.table.evolve import evolve
from punto.table.play.loss_limits import ALLOWANCE_OVER, AllowanceSet
from punto.table.play.wagers import PlaceWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.table import Table

ANN = Actor("Ann", Role.PATRON)
OPEN = """
for {game}
patron Ann 1000
Dealer: load shoe one
Dealer: place your bets
"""


def _open(book: Rulebook, **allowance: Any) -> Table:
    """Return a table that takes bets, where Ann has 1,000.00 and an allowance that holds for ever."""
    script = parse(OPEN.format(game=book.key))
    player = Player(script, script.runs[0])
    assert player.play() == []
    return evolve(player.table, AllowanceSet("Ann", **allowance))


def _after(table: Table, amount: int) -> Table | str:
    """Return the table after a wager of Ann on Player, or the code of the refusal."""
    decided = decide(table, PlaceWager(ANN, "Ann", 1, "Player", amount, at=1))
    if isinstance(decided, Refusal):
        return decided.code
    for event in decided:
        table = evolve(table, event)
    return table


@pytest.mark.parametrize("kind", ["loss", "stake"])
def test_wagers_together_may_use_up_an_allowance_and_no_more(book: Rulebook, kind: str) -> None:
    table = _open(book, **{kind: 300_00})
    assert _after(table, 305_00) == ALLOWANCE_OVER
    for amount in (100_00, 200_00):
        after = _after(table, amount)
        assert isinstance(after, Table), after
        table = after
    assert _after(table, 5_00) == ALLOWANCE_OVER


def test_an_allowance_of_all_chips_lets_all_be_wagered(book: Rulebook) -> None:
    assert isinstance(_after(_open(book, loss=1_000_00), 1_000_00), Table)


def test_an_allowance_has_to_be_renewed_in_time(book: Rulebook) -> None:
    assert isinstance(_after(_open(book, loss=300_00, until=2), 100_00), Table)
    assert _after(_open(book, loss=300_00, until=1), 100_00) == ALLOWANCE_OVER
