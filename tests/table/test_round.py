"""What a round says of cards that are out: who has one face down, and whether those left suffice."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from punto.notation import parse
from punto.notation.script_player import Player
from punto.rules.table_of_play import Hand
from punto.table.irregularities.void import cards_short
from punto.table.table import Table

DEALT = """
for tiger
method A
patron Ann 1000
Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Dealer: no more bets
"""
PASSED = f"""{DEALT}
Dealer: draw (4 times)
Dealer: pass player to Ann
Dealer: player first
"""
EXPOSED = f"""{DEALT}
Dealer: draw (4 times)
Dealer: player first
Dealer: expose player 1 2d
Dealer: expose player 2 2c
Dealer: expose banker 1 2h
Dealer: expose banker 2 2s
"""


def _played(text: str) -> Table:
    script = parse(text)
    player = Player(script, script.runs[0])
    assert player.play() == []
    return player.table


def test_a_patron_has_a_card_face_down_until_it_is_turned() -> None:
    round_ = _played(PASSED).round
    assert [round_.has_face_down(Hand.PLAYER, place, "Ann") for place in range(3)] == [True, True, False]
    assert not round_.has_face_down(Hand.PLAYER, 0, "Bob")
    assert not round_.has_face_down(Hand.BANKER, 0, "Ann")
    turned = _played(f"{PASSED}\nAnn: expose player 1 2d").round
    assert [turned.has_face_down(Hand.PLAYER, place, "Ann") for place in range(2)] == [False, True]


@pytest.mark.parametrize(
    ("text", "left", "short"),
    [
        (DEALT, 6, False),  # the longest round takes six cards, before one is dealt
        (DEALT, 5, True),
        (f"{DEALT}\nDealer: draw", 3, False),  # then those of the initial hands
        (f"{DEALT}\nDealer: draw", 2, True),
        (PASSED, 0, False),  # and no card is due before all are exposed
        (EXPOSED, 1, False),
        (EXPOSED, 0, True),
    ],
)
def test_cards_are_short_when_fewer_are_left_than_have_to_come(text: str, left: int, short: bool) -> None:
    table = _played(text)
    assert table.shoe is not None
    assert cards_short(table.changed(shoe=replace(table.shoe, drawn=table.shoe.size - left))) is short
