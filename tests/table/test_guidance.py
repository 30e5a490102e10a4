"""Which steps are suggested, and on which clause they rest, at tables that a script has brought there."""

from __future__ import annotations

import pytest

from punto.notation import parse
from punto.notation.script_player import Player
from punto.rules.table_of_play import Hand
from punto.table.guidance.next_step import NextStep
from punto.table.guidance.next_steps import next_steps
from punto.table.table import Table

SETTLED = """
for baccarat
patron Ann 1000

Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Dealer: no more bets
Dealer: draw (4 times)
Dealer: expose player 1 2s
Dealer: expose player 2 4s
Dealer: expose banker 1 9h
Dealer: expose banker 2 Kh
Dealer: outcome
Dealer: settle
"""
NAMED = """
for baccarat
method A
patron Ann 1000
patron Bob 1000

Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Bob: wager Banker 100 at 2
Dealer: no more bets
Dealer: draw (4 times)
Ann: name Eve to squeeze player
"""


def _after(text: str) -> Table:
    script = parse(text)
    player = Player(script, script.runs[0])
    assert player.play() == []
    return player.table


def _suggested(text: str, command: str) -> list[NextStep]:
    return [each for each in next_steps(_after(text)) if each.command == command]


@pytest.mark.parametrize(
    ("matter", "void"),
    [
        ("Dealer: refer a wet layout", [False]),
        ("Dealer: refer a third card about round 1", [False, True]),
    ],
)
def test_a_round_may_be_declared_void_if_there_is_one(matter: str, void: list[bool]) -> None:
    suggested = _suggested(f"{SETTLED}{matter}\n", "DecideReferral")
    assert [each.values["void"] for each in suggested] == void


@pytest.mark.parametrize(("covered", "provision"), [("", "referral"), (" [covered by late-wager]", "late-wager")])
def test_a_decision_rests_on_the_rule_that_was_named(covered: str, provision: str) -> None:
    for each in _suggested(f"{SETTLED}Dealer: refer a chip that fell{covered}\n", "DecideReferral"):
        assert each.provision == provision


def test_a_squeeze_is_permitted_once_and_only_while_a_card_is_face_down() -> None:
    (permit,) = _suggested(NAMED, "PermitSqueeze")
    assert permit.values == {"hand": "player", "patron": "Eve"}
    assert not _suggested(f"{NAMED}Pit Manager: permit Eve to squeeze player\n", "PermitSqueeze")
    exposed = "Dealer: player first\nDealer: expose player 1 9s\nDealer: expose player 2 Ks\n"
    assert not _suggested(f"{NAMED}{exposed}", "PermitSqueeze")


PASSED = NAMED.replace("Ann: name Eve to squeeze player", "Dealer: pass player to Ann")
THIRD_CARD = """
Dealer: player first
Dealer: Ann turns player 1 2s
Dealer: Ann turns player 2 3s
Dealer: expose banker 1 2h
Dealer: expose banker 2 2d
Dealer: draw
"""


@pytest.mark.parametrize(
    ("then", "looks"),
    [
        ("", True),
        ("Ann: look at player\n", False),
        (f"Ann: look at player\n{THIRD_CARD}", True),
        (f"Ann: look at player\n{THIRD_CARD}Dealer: Ann looks at player\n", False),
    ],
)
def test_a_patron_may_look_as_long_as_a_card_passed_to_them_is_unseen(then: str, looks: bool) -> None:
    suggested = _suggested(f"{PASSED}{then}", "LookAtCards")
    assert [each.values["hand"] for each in suggested] == ["player"] * looks


DEALT = NAMED.replace("Ann: name Eve to squeeze player\n", "")


def _passing(text: str) -> dict[object, tuple[object, bool]]:
    """Return for each hand that is passed to whom, and whether that must be done."""
    return {each.values["hand"]: (each.values.get("patron"), each.must) for each in _suggested(text, "PassHand")}


def test_a_hand_must_be_passed_first_and_may_be_passed_after_the_dealer_began_to_turn_it() -> None:
    assert _passing(DEALT) == {"player": ("Ann", True), "banker": ("Bob", True)}
    turned = "Dealer: player first\nDealer: expose player 1 9s\n"
    assert _passing(f"{DEALT}{turned}") == {"player": ("Ann", False), "banker": ("Bob", True)}
    assert _passing(f"{DEALT}{turned}Dealer: expose player 2 Ks\n") == {"banker": ("Bob", True)}


def test_a_hand_that_the_patron_entitled_declines_is_passed_to_no_patron_once_it_is_turned() -> None:
    declined = f"{DEALT}Dealer: pass player to Ann\nAnn: decline player\n"
    assert _passing(declined) == {"player": (None, False), "banker": ("Bob", True)}
    assert _passing(f"{declined}Dealer: player first\nDealer: expose player 1 9s\n") == {"banker": ("Bob", True)}


def test_a_third_card_taken_back_must_go_to_the_patron_with_the_hand() -> None:
    astray = f"{PASSED}{THIRD_CARD}Dealer: passed player to Bob by mistake\nDealer: retrieve player\n"
    assert _passing(astray) == {"player": ("Ann", True)}


@pytest.mark.parametrize(
    ("asked", "then", "placed"),
    [
        ("Ann: ask for Tie 50 at 1", "", True),
        ("Ann: ask for Tie 5000 at 1", "", False),  # more than they have
        ("Ann: ask for Tie 50 at 1", "Dealer: for Ann wager Tie 50 at 1\n", False),
    ],
)
def test_a_wager_asked_for_is_suggested_while_it_can_be_placed(asked: str, then: str, placed: bool) -> None:
    opened = "\nfor baccarat\npatron Ann 1000\n\nDealer: load shoe one\nDealer: place your bets\n"
    suggested = [each for each in _suggested(f"{opened}{asked}\n{then}", "PlaceWager") if each.values]
    assert [each.values["wager"] for each in suggested] == ["Tie"] * placed


FOUR_EXPOSED = SETTLED.partition("Dealer: outcome")[0]


@pytest.mark.parametrize(("then", "called"), [("", True), ("Dealer: announce totals\n", False)])
def test_the_initial_totals_are_called_once(then: str, called: bool) -> None:
    assert len(_suggested(f"{FOUR_EXPOSED}{then}", "AnnounceTotals")) == called
    assert _suggested(f"{FOUR_EXPOSED}{then}", "AnnounceOutcome")


OFFERED = SETTLED.partition("Dealer: draw")[0].replace(
    "no more bets", "no more bets\nDealer: draw\nPit Manager: power failure"
)


@pytest.mark.parametrize(
    ("answer", "corrected"),
    [("", []), ("Dealer: Ann withdraws nothing\n", ["Ann"]), ("Ann: withdraw nothing\n", [])],
)
def test_an_answer_that_staff_recorded_can_be_corrected(answer: str, corrected: list[str]) -> None:
    assert [each.values["patron"] for each in _suggested(f"{OFFERED}{answer}", "CorrectAnswer")] == corrected


@pytest.mark.parametrize(("method", "turned"), [("A", None), ("B", (Hand.PLAYER, 0))])
def test_the_first_card_is_named_as_it_is_drawn_only_where_the_dealer_turns_it(
    method: str, turned: tuple[Hand, int] | None
) -> None:
    closed = f"for baccarat\nmethod {method}\npatron Ann 1000\n\nDealer: load shoe one\nDealer: place your bets\n"
    closed += "Ann: wager Player 100 at 1\nDealer: no more bets\n"
    (draw,) = _suggested(closed, "DrawCard")
    assert draw.face_up == turned
