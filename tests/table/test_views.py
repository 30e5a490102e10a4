"""What has changed between two views: nothing that is equal is sent again."""

from __future__ import annotations

from msgspec.structs import replace

from punto import Hand, load
from punto.notation import parse
from punto.notation.script_player import Player
from punto.table.table import Table
from punto.table.views import CardWith, changes, public

VIEW = public(Table(load("baccarat")))


def test_a_view_is_all_new_to_a_reader_who_has_none() -> None:
    assert changes(None, VIEW).keys() == set(VIEW.__struct_fields__)


def test_only_what_differs_is_sent() -> None:
    assert changes(VIEW, replace(VIEW, round=7)) == {"round": 7}


def test_an_equal_value_made_a_second_time_is_not_sent() -> None:
    again = replace(VIEW, hands=dict(VIEW.hands), totals=dict(VIEW.totals))
    assert again.hands is not VIEW.hands
    assert changes(VIEW, again) == {}


ROUND = """
for {game}
Dealer: load shoe one
Dealer: place your bets
Dealer: no more bets
Dealer: draw (4 times)
Dealer: expose player 1 {player[0]}
Dealer: expose player 2 {player[1]}
Dealer: expose banker 1 {banker[0]}
Dealer: expose banker 2 {banker[1]}
"""


def dealt(game: str, player: tuple[str, str], banker: tuple[str, str], more: str) -> Table:
    script = parse(ROUND.format(game=game, player=player, banker=banker) + more)
    played = Player(script, script.runs[0])
    assert played.play() == []
    return played.table


def test_what_wins_is_told_once_the_outcome_is_announced_and_not_before() -> None:
    cards = ("9s", "Ks"), ("9h", "9d")
    assert public(dealt("baccarat", *cards, "")).winning == ()
    after = dealt("baccarat", *cards, "Dealer: outcome\n")
    assert public(after).winning == ("Player", "Banker Pair")


def test_a_wager_that_is_pushed_does_not_win() -> None:
    more = "Dealer: draw\nDealer: expose player 3 Ks\nDealer: outcome\n"
    table = dealt("fabulous-4", ("Kh", "2s"), ("2h", "2d"), more)
    assert public(table).winning == ("Banker Fabulous 4", "Banker Precious Pair")


ONE_CARD_SQUEEZED = """
for baccarat
method A
patron Ann 1000
patron Bob 1000
Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Dealer: no more bets
Dealer: draw (4 times)
Dealer: player first
Dealer: pass player to Ann
"""
TO_BOB = "Pit Manager: permit Bob to squeeze player 2\n"


def test_who_has_a_single_card_to_squeeze_is_told_until_it_is_turned() -> None:
    def told(script: str) -> tuple[CardWith, ...]:
        read = parse(script)
        played = Player(read, read.runs[0])
        assert played.play() == []
        return public(played.table).single_cards

    assert told(ONE_CARD_SQUEEZED) == ()
    assert told(ONE_CARD_SQUEEZED + TO_BOB) == (CardWith(Hand.PLAYER, 1, "Bob"),)
    assert told(ONE_CARD_SQUEEZED + TO_BOB + "Bob: look at player\nBob: expose player 2 Ks\n") == ()
