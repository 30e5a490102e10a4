"""Seven rounds of Baccarat at the first table, dealt by hand under Method A, and what goes wrong in them."""

from __future__ import annotations

import sys
from time import monotonic

from browser.shift.floor import GUESTS, DealerPage, Shift
from browser.test_dealer import tap
from browser.test_dealer_at_work import NATURAL, PRESSES
from support.pdf_text import pdf_text
from support.playing import until


def bets(dealer: DealerPage, *wagers: tuple[int, str, str]) -> None:
    """Open the betting, lay wagers by seat, name and amount, and close it."""
    dealer.press_step("OpenBets")
    for each in wagers:
        dealer.lay(*each)
    dealer.press_step("CloseBets")


def first_round(shift: Shift) -> None:
    """Round 1: three wagers at each of nine seats, and a natural; how fast and by how many keys is measured."""
    dealer, page = shift.first, shift.first.page
    page.evaluate(PRESSES)
    dealer.enter("OpenBets")
    tap(dealer.member, 9, "Player")
    page.select_option(".entry select[name=patron]", label="Ms. Lee")
    took = lay_27(dealer)
    dealer.member.picture("07-wagers")
    page.keyboard.press("Escape")
    page.evaluate("presses.keys = 1")  # to open the betting; keys for wagers are not counted
    dealer.enter("CloseBets")
    dealer.enter("DrawCard")
    until(lambda: dealer.drawn() == 4)
    dealer.enter("PassHand", 2)
    dealer.waits_for("ChooseFirstHand")
    page.keyboard.press("p")
    dealer.key(*NATURAL)
    dealer.enter("AnnounceOutcome")
    dealer.member.picture("08-pay")
    dealer.enter("SettleRound")
    dealer.waits_for("OpenBets")
    keys = page.evaluate("presses.keys")
    sys.stdout.write(f"27 wagers in {took:.1f} seconds; a round of four cards under Method A: {keys} keys\n")
    assert (took < 25, keys) == (True, 16)
    shift.first_books.settled(dict.fromkeys((*GUESTS, "Ms. Lee"), 25_00))
    shift.first_books.agree(dealer)


def lay_27(dealer: DealerPage) -> float:
    """Key a wager on Player, Banker and Tie at every seat; return how many seconds it took."""
    begun = monotonic()
    for position in range(1, 10):
        tap(dealer.member, position, "Player")
        for amount in ("100", "50", "25"):
            dealer.page.keyboard.type(amount)
            dealer.page.keyboard.press("Enter")
    until(lambda: len(dealer.view["wagers"]) == 27)
    return monotonic() - begun


def late_wager(shift: Shift) -> None:
    """Round 2: a wager comes too late, a patron declines the cards, and Banker wins."""
    dealer = shift.first
    bets(dealer, (1, "Player", "200"), (2, "Banker", "300"))
    dealer.draw()
    dealer.told("late-wager", patron="Bob", position="4", wager="Tie", amount="50", recorded="no")
    dealer.press_step("PassHand")
    dealer.page.wait_for_selector(".answers [data-command=DeclineHand]")
    dealer.member.picture("10-passed")
    dealer.click(".answers [data-command=DeclineHand]")
    dealer.play("2h", "3h", "4s", "2c", "5d")
    dealer.settle()
    shift.first_books.settled({"Mr. Tan": -200_00, "王女士": 285_00}, commission=15_00)
    shift.first_books.agree(dealer)


def drawn_together(shift: Shift) -> None:
    """Round 3: two cards come at once; Ann, who has no device, takes one of two wagers back, and Bob stands."""
    dealer = shift.first
    bets(dealer, (3, "Player", "100"), (3, "Tie", "50"), (4, "Banker", "100"))
    for _ in range(2):
        dealer.click("[data-do=one-card]")
    dealer.told("drawn-together", count="2", order_known="yes")
    dealer.page.wait_for_selector(".answers [data-answer=some]")
    dealer.member.picture("11-drawn-together")
    dealer.take_some_back("Ann", "Tie")
    dealer.answer("Bob", "stands")
    dealer.play("9h", "Ks", "2c", "3d")
    dealer.settle()
    shift.first_books.settled({"Ann": 100_00, "Bob": -100_00})
    shift.first_books.agree(dealer)


def differential(shift: Shift) -> None:
    """Round 4: Player and Banker lie too far apart; one patron lowers, another raises, and the hands tie."""
    dealer = shift.first
    bets(dealer, (5, "Player", "2000"), (6, "Banker", "500"), (7, "Tie", "100"))
    dealer.page.wait_for_selector(".now.held [data-command=AskForDecreases]")
    dealer.click(".now [data-command=AskForDecreases]")
    dealer.member.picture("12-differential")
    dealer.answer("Cat", "lowers", "300")
    dealer.answer("Dan", "raises", "250")
    until(lambda: dealer.view["hold"] is None)
    dealer.play("6h", "Ks", "6d", "Qc")
    dealer.settle()
    shift.first_books.settled({"Eve": 800_00})
    shift.first_books.agree(dealer)


def rotate(shift: Shift) -> None:
    """The Pit Manager has Raj relieve Mei, who only watches from then on."""
    shift.helen.relieve("ba-1", "Raj")
    shift.helen.member.picture("13-rotation")
    shift.first.page.wait_for_selector(".watching")
    assert shift.first.page.locator(".now .big, .trouble").count() == 0
    until(lambda: "Raj" in shift.first.member.text(".at-hand"))
    shift.first.member.picture("14-relieved")
    shift.first = DealerPage(shift.raj, "ba-1")


def wrong_order(shift: Shift) -> None:
    """Round 5: after the outcome it is noticed that the cards were laid in a wrong order; Player wins instead."""
    dealer = shift.first
    bets(dealer, (3, "Player", "100"), (4, "Banker", "200"))
    dealer.play("2h", "3h", "4s", "2c", "5d")
    dealer.press_step("AnnounceOutcome")
    dealer.told("wrong-order", order="2h 4s 2c 3h 5d")
    dealer.member.picture("15-relaid")
    dealer.play()
    dealer.settle()
    shift.first_books.settled({"Ann": 100_00, "Bob": -200_00})
    shift.first_books.agree(dealer)


def wrong_payout(shift: Shift) -> None:
    """Round 6: the payout of the round before was wrong by 50.00, and is put right while bets are open."""
    dealer = shift.first
    dealer.press_step("OpenBets")
    dealer.told("wrong-payout", round="5", patron="Ann", position="3", wager="Player", amount="250")
    dealer.lay(9, "Banker", "500")
    dealer.lay(8, "Player Pair", "20")
    dealer.press_step("CloseBets")
    dealer.play("8h", "8s", "3d", "4c")
    dealer.settle()
    shift.first_books.settled({"Ms. Lee": 475_00, "Fay": 220_00}, commission=25_00)
    shift.first_books.agree(dealer)


def corrected_round(shift: Shift) -> None:
    """Round 7: keyed wrongly, corrected by two managers; Eve has left with 1,000.00 too much, and pays at the cage."""
    dealer, books = shift.first, shift.first_books
    bets(dealer, (7, "Player", "1000"), (6, "Banker", "400"))
    dealer.play("9d", "Kh", "2s", "3s")
    dealer.settle()
    books.settled({"Eve": 1_000_00, "Dan": -400_00})
    books.agree(dealer)
    dealer.cash_out("Eve", "6825")
    books.chips["Eve"] = 0
    books.agree(dealer)
    dealer.page.click(".call-pit")
    dealer.page.fill(".calling input", "round 7: Banker's second card was the 7 of spades [camera 3; 21:40]")
    dealer.click(".calling [data-command=CallPit]")
    shift.chief.correct("ba-1", 7, banker="2s 7s", reason="seen on camera 3")
    waiting = shift.chief.page.locator("punto-rounds .line").first
    until(lambda: "seen on camera 3" in waiting.inner_text() and "…" not in waiting.inner_text())
    assert waiting.locator("button").count() == 0, "nobody is their own second person"
    shift.chief.member.picture("16-proposed")
    shift.ines.member.picture("16-proposed-to-another")
    shift.ines.second("ba-1")
    shift.ines.member.picture("17-corrected")
    receipt = pdf_text(shift.ines.member.download("punto-rounds a[download]", "receipt.pdf"))
    assert all(
        each in receipt for each in ("Lotus House", "Ines", "seen on camera 3", "Eve", "1,000.00", "Dan", "400.00")
    )
    books.settled({"Dan": 400_00})
    books.agree(dealer)
