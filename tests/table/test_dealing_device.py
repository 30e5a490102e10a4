"""The dealing device: a refusal says where it is."""

from __future__ import annotations

import pytest

from punto.notation import parse
from punto.notation.script_player import Player
from punto.table.decide import decide
from punto.table.play.dealing_device import GiveUpDevice
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role

TABLE = """
for baccarat
method C
hlga
device card-reading
patron Ann 1000
patron Bob 1000

Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
"""


@pytest.mark.parametrize(
    ("step", "case", "holder"), [("", "with-dealer", None), ("Dealer: give device to Ann\n", None, "Ann")]
)
def test_a_device_that_a_patron_does_not_have_is_elsewhere(step: str, case: str | None, holder: str | None) -> None:
    script = parse(TABLE + step)
    player = Player(script, script.runs[0])
    assert player.play() == []
    refused = decide(player.table, GiveUpDevice(Actor("Bob", Role.PATRON)))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.case, refused.values.get("holder")) == ("device-not-held", case, holder)
