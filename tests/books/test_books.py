"""The books: what a table made from opening to closing, and an auditor that finds what does not add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

import punto
from punto.audit.recomputation import recompute
from punto.books.ledger import COMMISSION, FLOAT, Ledger, chips, owed_by, postings
from punto.books.shift_totals import Play
from punto.books.table_results import results
from punto.notation import parse
from punto.notation.actions import actor
from punto.notation.script_player import Player
from punto.table.event import Event
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.chips import BuyIn, CashOut
from punto.table.play.dealing import OutcomeAnnounced
from punto.table.play.debts import PayDebt
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import CloseTable, OpenTable, TableOpened
from punto.table.play.wagers import WagerPlaced
from punto.table.refusal import Refusal

GAMES = Path(punto.__file__).parent / "rules" / "games"

SHIFT = """
for baccarat
limits 5-1000
float 10000
patron Ann 1000
patron Bob 500

Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Bob: wager Banker 200 at 2
Dealer: no more bets
Dealer: draw (4 times)
Dealer: expose player 1 2s
Dealer: expose player 2 4d
Dealer: expose banker 1 9h
Dealer: expose banker 2 Kd
Dealer: outcome
Dealer: settle
Pit Manager: fill 500
Pit Manager: credit 200
Dealer: cash out Ann 900
Dealer: cash out Bob 690
Pit Manager: close table counting 8715
"""


def _played(text: str) -> list[Event]:
    script = parse(text)
    player = Player(script, script.runs[0])
    assert player.play() == []
    return player.log


def test_win_is_closer_and_drop_and_credits_less_opener_and_fills() -> None:
    found = results(_played(SHIFT))
    assert (found.opening, found.fills, found.credits) == (10_000_00, 500_00, 200_00)
    assert (found.drop, found.taken_away, found.closing) == (1_500_00, 1_590_00, 8_715_00)
    assert found.commission == 10_00
    # Ann lost 100, Bob won 200 less 5 percent, and the count was 5 above the books.
    assert found.win == 8_715_00 + 1_500_00 + 200_00 - 10_000_00 - 500_00 == -85_00
    assert found.hold == Fraction(-85, 1500)
    assert results([]).hold is None


def test_every_event_balances_and_commission_is_kept_apart() -> None:
    log = _played(SHIFT)
    assert all(sum(each.amount for each in postings(event)) == 0 for event in log)
    before_closing = Ledger(log[:-1]).balances
    assert before_closing[COMMISSION] == 10_00
    assert before_closing[FLOAT] == 8_700_00
    assert before_closing[chips("Ann")] == 0
    closed = Ledger(log).balances
    assert closed[FLOAT] == closed[COMMISSION] == 0


def test_what_a_patron_cannot_pay_back_is_owed() -> None:
    script = parse((Path(__file__).parents[1] / "scripts" / "correction-owed.round").read_text("utf-8"))
    player = Player(script, script.runs[0])
    assert player.play() == []
    assert Ledger(player.log).balances[owed_by("Ann")] == player.table.owed["Ann"] == 150_00
    assert player.table.has("Ann") == player.table.chips["Ann"] - 150_00


CORRECTED = """
for baccarat
float 1000
patron Ann 100
patron Bob 100

Dealer: load shoe one
Dealer: place your bets
Ann: wager Player 100 at 1
Bob: wager Banker 100 at 2
Dealer: no more bets
Dealer: draw (4 times)
Dealer: expose player 1 9s
Dealer: expose player 2 Ks
Dealer: expose banker 1 8h
Dealer: expose banker 2 Kh
Dealer: outcome
Dealer: settle
Dealer: cash out Ann 150
Pit Manager: credit 650
Gaming Shift Manager: correct round 1 to player 6s Ks, banker 8h Kh
"""


def test_the_float_covers_a_correction_with_what_a_patron_still_owes() -> None:
    """Bob is paid 200, commission included, and of Ann's 200 only 50 are there: the float needs 150."""
    balances = Ledger(_played(CORRECTED)).balances
    assert (balances[FLOAT], balances[owed_by("Ann")]) == (0, 150_00)
    _played(CORRECTED.replace("credit 650", "credit 651") + "  expect refused not-enough-float\n")


def test_an_account_is_named_after_its_patron() -> None:
    assert [str(each) for each in (FLOAT, chips("Ann"), owed_by("Ann"))] == ["float", "chips of Ann", "owed by Ann"]


def test_the_float_may_be_spent_to_the_last_chip() -> None:
    credited = SHIFT.replace("credit 200", "credit 8900")
    assert Ledger(_played(credited.partition("Dealer: cash out")[0])).balances[FLOAT] == 0


def test_a_payout_that_stands_is_what_the_house_won_and_lost() -> None:
    """Ann was paid 3200 for 1600 and keeps it, Bob lost 1400 whole; what was put right counts as it was due."""
    play = Play()
    for event in _played((Path(__file__).parents[1] / "scripts" / "payout-outside-limits.round").read_text("utf-8")):
        play.take_in(event)
    assert play.won["Banker"] == 1_400_00
    assert play.won["Player"] == (1_600_00 - 3_200_00) + (500_00 - 1_000_00) + (1_600_00 - 2_600_00)


def test_a_round_voided_after_it_was_settled_counts_as_void_and_not_as_corrected() -> None:
    script = parse((Path(__file__).parents[1] / "scripts" / "fabulous-4-wrong-number-later.round").read_text("utf-8"))
    player = Player(script, script.runs[0])
    assert player.play() == []
    play = Play()
    for event in player.log:
        play.take_in(event)
    voided = [event for event in player.log if isinstance(event, RoundCorrected)]
    assert [event.coup for event in voided] == [None]
    assert (play.void, play.corrected) == (1, 0)


@pytest.mark.parametrize("name", ["overlooked", "correction-owed"])
def test_a_wager_counts_once_also_when_it_was_overlooked_or_corrected(name: str) -> None:
    script = parse((Path(__file__).parents[1] / "scripts" / f"{name}.round").read_text("utf-8"))
    player = Player(script, script.runs[0])
    assert player.play() == []
    play, wagers = Play(), Counter[str]()
    for event in player.log:
        play.take_in(event)
        for each in event.wagers if isinstance(event, RoundSettled) else ():
            wagers[each.wager] += 1
        if isinstance(event, OverlookedWagerSettled):
            wagers[event.wager] += not event.correction.before.stake
    assert wagers
    assert play.wagers == wagers


def test_a_debt_outlasts_closing_and_opening_and_is_paid_with_new_chips() -> None:
    script = parse((Path(__file__).parents[1] / "scripts" / "correction-owed.round").read_text("utf-8"))
    player = Player(script, script.runs[0])
    assert player.play() == []
    opened = player.log[0]
    assert isinstance(opened, TableOpened)
    there, dealer, manager = player.table.float_ + player.table.commission, actor("Dealer"), actor("Pit Manager")
    again = [
        CloseTable(manager, there),
        OpenTable(manager, opened.setting, there),
        BuyIn(dealer, "Ann", 200_00),
        PayDebt(dealer, "Ann", 150_00),
        CashOut(dealer, "Ann", 50_00),
    ]
    for command in again:
        assert not isinstance(player._give(command), Refusal), command
    assert not any(player.table.owed.values())
    balances = Ledger(player.log).balances
    assert balances[owed_by("Ann")] == 0
    assert balances[FLOAT] == there - 200_00 + 150_00
    assert recompute(player.log, (GAMES / f"{script.runs[0].game}.toml").read_bytes()).findings == []


def _altered(log: list[Event], kind: type[Event], **changes: object) -> list[Event]:
    return [replace(event, **changes) if isinstance(event, kind) else event for event in log]


def _paid_more(event: Event) -> Event:
    if not isinstance(event, RoundSettled):
        return event
    first, *rest = event.wagers
    return replace(event, wagers=(replace(first, returned=first.returned + 1), *rest))


@pytest.mark.parametrize(
    ("alter", "finding"),
    [
        (lambda log: _altered(log, OutcomeAnnounced, winner="player"), "the winner is recorded as player"),
        (
            lambda log: _altered(log, OutcomeAnnounced, banker_total=8),
            "Banker's total is recorded as 8",
        ),
        (lambda log: _altered(log, WagerPlaced, total=1), "the wager is recorded as 0.01"),
        (lambda log: [_paid_more(event) for event in log], "is handed back is recorded as 0.01, but comes to 0.00"),
        (lambda log: _altered(log, RoundSettled, wagers=()), "the set of wagers settled is recorded as none"),
        (lambda log: log[:1] + log[3:], "below zero"),
    ],
)
def test_the_auditor_finds_what_was_altered(alter: Callable[[list[Event]], list[Event]], finding: str) -> None:
    log = _played(SHIFT)
    game = (GAMES / "baccarat.toml").read_bytes()
    assert recompute(log, game).findings == []
    findings = recompute(alter(log), game).findings
    assert any(finding in each.sentence() for each in findings), findings
