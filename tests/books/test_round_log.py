"""The rounds of a table as they are searched: which are void, which are irregular, and who won them."""

from __future__ import annotations

from pathlib import Path

import pytest

from punto.books.round_log import RoundFound, RoundLog
from punto.notation import parse
from punto.notation.script_player import Player

SCRIPTS = Path(__file__).parents[1] / "scripts"

BETTING = """
Dealer: place your bets
Ann: wager Player 100 at 1
Dealer: no more bets
"""
BANKER_WINS = """
Dealer: draw (4 times)
Dealer: expose player 1 2s
Dealer: expose player 2 4d
Dealer: expose banker 1 9h
Dealer: expose banker 2 Kd
Dealer: outcome
Dealer: settle
"""
SHIFT = f"""
for baccarat
patron Ann 1000
Dealer: load shoe one

{BETTING}
{BANKER_WINS}

{BETTING}
Dealer: draw (4 times)
Dealer: expose player 1 9s
Dealer: expose player 2 Ks
Dealer: expose banker 1 2h
Dealer: expose banker 2 Kh
Dealer: outcome
Dealer: report order-altered
Pit Manager: confirm void

{BETTING}
Dealer: refuse late Ann Player 50 at 1
{BANKER_WINS}

{BETTING}
{BANKER_WINS}
"""
"""Four rounds: as usual, void after its outcome was announced, with a late wager, and as usual."""


def _log(text: str) -> RoundLog:
    script = parse(text)
    player = Player(script, script.runs[0])
    assert player.play() == []
    log = RoundLog()
    for number, event in enumerate(player.log, 1):
        log.take_in(number, 0, event)
    return log


def _found(text: str) -> dict[int, RoundFound]:
    return _log(text).rounds


def test_a_round_belongs_to_the_shoe_that_was_in_use() -> None:
    played = f"{BETTING}\n{BANKER_WINS}"
    changed = "Pit Manager: end shoe\nDealer: load shoe two"
    log = _log(f"for baccarat\npatron Ann 1000\nDealer: load shoe one\n{played}\n{played}\n{changed}\n{played}")
    assert {number: each.shoe for number, each in log.rounds.items()} == {1: "one", 2: "one", 3: "two"}
    assert [(each.shoe, each.first_round, each.last_round) for each in log.shoes] == [("one", 1, 2), ("two", 3, 3)]


def test_only_the_round_that_was_voided_is_void_and_has_no_winner() -> None:
    """Player had won it when it was found void."""
    found = _found(SHIFT)
    assert [number for number, each in found.items() if each.void] == [2]
    assert {number: each.winner for number, each in found.items()} == {1: "banker", 2: None, 3: "banker", 4: "banker"}


def test_a_round_is_irregular_if_something_went_wrong_in_it() -> None:
    """A void in the second, a late wager in the third; nothing in those before and after them."""
    assert [number for number, each in _found(SHIFT).items() if each.irregular] == [2, 3]


def test_a_round_is_irregular_if_something_was_found_about_it_later() -> None:
    found = _found(SHIFT + "Gaming Shift Manager: correct round 1 to player 2s 4d, banker 6h Kd\n")
    assert [number for number, each in found.items() if each.irregular] == [1, 2, 3]
    assert (found[1].winner, found[1].corrected, found[1].void) == ("tie", True, False)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("method-c", id="what the Dealer confirms in every round of Method C"),
        pytest.param("squeeze-permission", id="a patron permitted to squeeze"),
    ],
)
def test_what_belongs_to_any_round_does_not_make_it_irregular(script: str) -> None:
    found = _found((SCRIPTS / f"{script}.round").read_text("utf-8"))
    assert found
    assert not any(each.irregular for each in found.values())
