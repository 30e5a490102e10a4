"""Five rounds of Tiger Baccarat at the second table, whose device reads the cards, and what goes wrong in them."""

from __future__ import annotations

import sys

from browser.shift.first_table import bets
from browser.shift.floor import Books, DealerPage, Shift
from browser.test_dealer import tap
from browser.test_dealer_at_work import PRESSES
from support.playing import until


def reads(shift: Shift, *cards: str) -> None:
    """The device tells the cards it reads, as they leave the shoe."""
    for card in cards:
        shift.reader.post("/api/tables/tg-1/cards", shoe="red 1", sequence=shift.cards_read, card=card)
        shift.cards_read += 1


def first_round_read(shift: Shift) -> None:
    """Round 1: the device reads every card, and Banker wins with 6."""
    dealer = shift.second = DealerPage(shift.mei, "tg-1")
    dealer.sign_on()
    dealer.bring_shoe("red 1")
    dealer.buy_in("Gus", "1000", 2)
    shift.second_books = books = Books(50_000_00 - 2_000_00)
    books.bought(5_000_00, "陈先生")
    books.bought(1_000_00, "Gus")
    dealer.page.evaluate(PRESSES)
    dealer.enter("OpenBets")
    tap(dealer.member, 1, "Banker")
    dealer.choose(".entry select[name=patron]", "陈先生")
    dealer.page.keyboard.press("Escape")
    dealer.lay(1, "Banker", "300")
    dealer.lay(2, "Tiger", "10")
    dealer.page.evaluate("presses.keys = 1")  # keys for wagers are not counted
    dealer.enter("CloseBets")
    reads(shift, "2h", "4s", "3h", "2c", "5d")
    while (step := dealer.next_step()) != "AnnounceOutcome":
        dealer.enter(step)
        until(lambda: not 0 < dealer.drawn() < 4)
    dealer.enter("AnnounceOutcome")
    dealer.enter("SettleRound")
    dealer.waits_for("OpenBets")
    keys = dealer.page.evaluate("presses.keys")
    sys.stdout.write(f"a round of five cards that a device reads: {keys} keys\n")
    assert keys == 11
    books.settled({"陈先生": 285_00, "Gus": 120_00}, commission=15_00)
    books.agree(dealer)


def failed_read(shift: Shift) -> None:
    """Round 2: the device misses Player's second card; the Dealer names it, and the Pit Manager confirms it."""
    dealer = shift.second
    bets(dealer, (1, "Player", "200"), (2, "Tie", "20"))
    dealer.draw()
    reads(shift, "9s", "2d", "3c")
    dealer.press_step("ExposeCard")
    dealer.told("reader-missed", hand="player", place="2", card="Kd")
    dealer.member.picture("21-unread")
    shift.helen.tab("tables")
    until(lambda: "K♦" in shift.helen.member.text('punto-decision[data-table="tg-1"] .matter'))
    shift.helen.member.picture("22-unread-in-the-pit")
    shift.helen.decide("tg-1", "ConfirmCard")
    dealer.play()
    dealer.settle()
    shift.second_books.settled({"陈先生": 200_00, "Gus": -20_00})
    shift.second_books.agree(dealer)


def void_round(shift: Shift) -> None:
    """Round 3: the order of the cards was altered, and the round is void."""
    dealer = shift.second
    bets(dealer, (1, "Player", "500"), (2, "Banker", "100"))
    dealer.draw()
    reads(shift, "8s", "8d", "8c", "8h")
    dealer.told("order-altered")
    shift.helen.decide("tg-1", "ConfirmVoid")
    dealer.waits_for("OpenBets")
    shift.second_books.agree(dealer)


def report_withdrawn(shift: Shift) -> None:
    """Round 4: what was reported turns out to be a mistake."""
    dealer = shift.second
    bets(dealer, (2, "Player", "50"))
    dealer.draw()
    reads(shift, "7s", "6h", "Kd", "Kc")
    dealer.told("wrong-cards")
    shift.helen.decide("tg-1", "WithdrawReport", reason="the Dealer looked at the wrong shoe")
    dealer.play()
    dealer.settle()
    shift.second_books.settled({"Gus": 50_00})
    shift.second_books.agree(dealer)


def power_failure(shift: Shift) -> None:
    """Round 5: the power fails during the deal; one patron takes everything back, the other stands and wins."""
    dealer = shift.second
    bets(dealer, (1, "Player", "250"), (2, "Banker", "100"))
    dealer.draw()
    at_table = DealerPage(shift.helen.member, "tg-1")
    at_table.told("power-failure")
    dealer.answer("Gus", "all")  # which Gus did not say
    at_table.correct_answer("Gus", "misheard")
    at_table.member.picture("23-answer-corrected")
    dealer.answer("陈先生", "all")
    reads(shift, "2s", "7h", "3c", "Td", "Kh")
    dealer.play()
    dealer.settle()
    shift.second_books.settled({"Gus": 95_00}, commission=5_00)
    shift.second_books.agree(dealer)
