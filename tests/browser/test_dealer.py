"""Rounds conducted at the Dealer's page, with patrons at their own: a browser for each of them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.live import Someone
from support.long import others_long
from support.page_watch import Patron, browsing, open_bets, sit_down
from support.playing import House, chips, number_of, until

from punto import APPROVED
from punto.server.access.identity import Duty

FIRST_FOUR = ("2h", "3h", "4s", "2c")
"""Player has 5 and draws, Banker has 6."""


class AtTheTable:
    """Somebody of the staff at the Dealer's page of a table."""

    def __init__(self, somebody: Patron, someone: Someone, table: str) -> None:
        self.page, self._pause, self._someone, self.table = somebody.page, somebody.pause, someone, table
        somebody.open(f"/dealer/{table}")
        self.page.wait_for_selector(".now")

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self._someone.get(f"/api/tables/{self.table}")["view"]
        return view

    def waits_for(self, command: str) -> None:
        """The page suggests this step and would take it."""
        self.page.wait_for_selector(f".now :is(.big, .keying button)[data-command={command}]:not([disabled])")

    def enter(self, command: str, times: int = 1) -> None:
        """Take the step the page suggests, by the keyboard, as calmly as it asks for."""
        for _ in range(times):
            self.waits_for(command)
            self._pause(2_050 if command in ("CloseBets", "SettleRound") else 550)
            self._done(lambda: self.page.keyboard.press("Enter"))

    def key(self, *cards: str) -> None:
        """Key cards as they are turned, by the keyboard; those not drawn yet are drawn with them."""
        self.page.wait_for_selector(".now punto-card-pad")
        exposed = self._exposed() + len(cards)
        for card in cards:
            self.page.keyboard.type(card)
        until(lambda: self._exposed() == exposed)

    def _exposed(self) -> int:
        return sum(card is not None for hand in self.view["hands"].values() for card in hand)

    def click(self, selector: str) -> None:
        self._done(lambda: self.page.click(selector))

    def _done(self, act: Any) -> None:
        before = number_of(self._someone, self.table)
        act()
        until(lambda: number_of(self._someone, self.table) > before)

    def report(self, procedure: str) -> None:
        """Choose what happened, in the one place for it."""
        self.page.click("button.trouble")
        self.page.click(f"punto-irregular [data-procedure={procedure}]")
        self.page.wait_for_selector("punto-irregular punto-ask")

    def bring_sealed_shoe(self) -> None:
        for step in ("seal", "list"):
            self.page.click(f"punto-shoe-desk [data-do={step}]")
        self.click("punto-shoe-desk [data-do=load]")

    def deal_four(self) -> None:
        """Close the betting and draw the initial cards: by one press where they are drawn face down."""
        self.enter("CloseBets")
        self.waits_for("DrawCard")
        self.enter("DrawCard", times=1 if self.page.locator("[data-do=one-card]").count() else 4)
        until(lambda: sum(map(len, self.view["hands"].values())) == 4)


@pytest.mark.long
def test_method_a_with_a_squeeze_conducted_from_the_dealers_page(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat", method="A", device="sealed")
    ann, bob = staffed.patrons(2)
    with (
        browsing(chromium, staffed.live, staffed.dealer) as sams,
        browsing(chromium, staffed.live, ann) as anns,
        browsing(chromium, staffed.live, bob) as bobs,
    ):
        dealer = AtTheTable(sams, staffed.dealer, table)
        dealer.bring_sealed_shoe()
        sit_down(table, anns, bobs)
        open_bets(dealer.enter, anns, bobs)
        anns.lay("Player")
        bobs.lay("Banker")
        dealer.deal_four()
        dealer.enter("PassHand", times=2)
        assert dealer.view["handlers"] == {"player": ann.id, "banker": bob.id}
        dealer.waits_for("ChooseFirstHand")
        dealer.page.keyboard.press("p")
        sams.page.wait_for_selector(".now .waiting")
        anns.peek()
        seen = ann.get(f"/api/tables/{table}/mine")["cards"]["player"]
        for told in (json.dumps(card, separators=(",", ":")) for card in seen):
            assert any(told in frame for frame in anns.heard)
            assert not any(told in frame for others in (sams, bobs) for frame in others.heard), "it is face down"
        anns.squeeze(anns.page.locator("punto-squeeze svg").first.bounding_box(), 0.97)
        until(lambda: dealer.view["hands"]["player"] == [seen[0], None])
        while not patron_turns(dealer, {ann.id: anns, bob.id: bobs}):
            continue
        dealer.enter("AnnounceOutcome")
        due = dealer.view["to_settle"]
        paid = {each["patron"]: each["returned"] for each in due["wagers"]}
        dealer.enter("SettleRound")
        for patron, browser in ((ann, anns), (bob, bobs)):
            assert chips(patron, table) == 90_000 + paid[patron.id]
            has_chips(browser, 90_000 + paid[patron.id])


def has_chips(browser: Patron, cents: int) -> None:
    until(lambda: browser.chips() == cents)


def patron_turns(dealer: AtTheTable, browsers: dict[str, Patron]) -> bool:
    """The next thing on the way to the outcome: a patron turns a card, or the Dealer draws one. Whether it is there."""
    step = dealer.view["next"][0]
    if step["command"] == "AnnounceOutcome":
        return True
    if step["command"] == "DrawCard":
        dealer.enter("DrawCard")
        return False
    page, before = browsers[step["patron"]].page, number_of(dealer._someone, dealer.table)
    page.locator("punto-my-cards button.main").first.click()
    until(lambda: number_of(dealer._someone, dealer.table) > before)
    return False


@pytest.mark.long
def test_a_double_draw_reported_fixed_by_the_pit_manager_and_played_to_the_end(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat")
    ann, bob = staffed.patrons(2)
    with (
        browsing(chromium, staffed.live, staffed.dealer) as sams,
        browsing(chromium, staffed.live, ann) as anns,
        browsing(chromium, staffed.live, bob, "zh") as bobs,
    ):
        dealer = AtTheTable(sams, staffed.dealer, table)
        sit_down(table, anns, bobs)
        open_bets(dealer.enter, anns, bobs)
        anns.lay("Player")
        bobs.lay("Banker")
        dealer.enter("CloseBets")
        dealer.key(*FIRST_FOUR)
        dealer.waits_for("DrawCard")
        assert "draws" in sams.text(".reasons")
        dealer.report("drawn-together")
        sams.page.fill("punto-irregular input[name=count]", "2")
        sams.page.locator("punto-irregular .choices label").nth(1).click()
        dealer.click("punto-irregular punto-ask button.main")
        until(lambda: "Pit Manager" in sams.text(".now .waiting"))
        assert sams.page.locator(".walk .current").count() == 1
        with browsing(chromium, staffed.live, staffed[Duty.PIT_MANAGER]) as pats:
            manager = AtTheTable(pats, staffed[Duty.PIT_MANAGER], table)
            for card in (1, 0):
                pats.page.locator(".now punto-ask .choices button").nth(card).click()
            manager.click(".now punto-ask button.main")
        sams.page.wait_for_selector(".answers")
        anns.page.locator("punto-withdrawal button", has_text="Take back all").click()
        until(lambda: "took back 100.00" in sams.text(f'.answers tr[data-patron="{ann.id}"]'))
        assert "not answered" in sams.text(f'.answers tr[data-patron="{bob.id}"]')
        bobs.page.reload()  # whoever comes late is asked the same: all of his wagers or none
        bobs.page.wait_for_selector("punto-withdrawal")
        assert bobs.page.locator("punto-withdrawal li").count() == 1
        assert bobs.page.locator("punto-withdrawal input[type=checkbox]").count() == 0
        assert "5.8.2.2" in bobs.text("punto-withdrawal #what")
        bobs.page.locator("punto-withdrawal button.main").click()
        dealer.key("5d")
        dealer.enter("AnnounceOutcome")
        sams.page.wait_for_selector(".pay tbody tr")
        assert sams.page.locator(".pay tbody tr").count() == 1
        dealer.enter("SettleRound")
        until(lambda: (anns.chips(), bobs.chips()) == (100_000, 109_500))
        assert (chips(ann, table), chips(bob, table)) == (100_000, 109_500)


@pytest.mark.long
def test_a_void_round_confirmed_by_somebody_acting_as_pit_manager(chromium: Any, staffed: House) -> None:
    table = staffed.table("tiger")
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, staffed.dealer) as sams, browsing(chromium, staffed.live, ann) as anns:
        dealer = AtTheTable(sams, staffed.dealer, table)
        sit_down(table, anns)
        open_bets(dealer.enter, anns)
        anns.lay("Tiger")
        dealer.enter("CloseBets")
        dealer.enter("DrawCard")
        dealer.report("wrong-cards")
        dealer.click("punto-irregular punto-ask button.main")
        sams.page.wait_for_selector(".now .waiting")
        assert sams.page.locator("[data-command=ConfirmVoid]").count() == 0
        staffed[Duty.PIT_MANAGER].done(table, "AppointActing", person=staffed.dealer.id, role="Pit Manager")
        sams.page.click(".now [data-command=ConfirmVoid]")  # it asks once
        dealer.click(".now .sure[data-command=ConfirmVoid]")
        until(lambda: anns.chips() == 100_000)
        until(lambda: "void" in sams.text(".felt .outcome"))
        dealer.waits_for("OpenBets")


def tap(somebody: Patron, position: int, wager: str) -> None:
    """Tap an area of the felt."""
    somebody.page.click(f'punto-felt path[data-position="{position}"][data-wager="{wager}"]')


@pytest.mark.long
def test_what_is_refused_is_a_sentence_and_loses_nothing(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat")
    with browsing(chromium, staffed.live, staffed.dealer) as sams:
        dealer = AtTheTable(sams, staffed.dealer, table)
        sams.page.click("#tab-patrons")
        for name, value in (("patron", "Ann"), ("amount", "500")):
            sams.page.fill(f"punto-patrons input[name={name}]", value)
        sams.page.click("punto-patrons button.main")  # a slip of the pen would make another person of him
        until(lambda: "Nobody called Ann has chips here" in sams.text("punto-patrons form"))
        assert dealer.view["chips"] == {}
        dealer.click("punto-patrons button.main")
        until(lambda: sams.page.input_value("punto-patrons input[name=patron]") == "")  # the form is empty again
        until(lambda: "Ann" in sams.text("punto-patrons tbody"))
        (ann,) = dealer.view["chips"]
        assert ann != "Ann", "the house gives a guest an id"
        sams.page.fill("punto-patrons input[name=patron]", "Ann")
        sams.page.fill("punto-patrons input[name=amount]", "900")
        sams.page.locator("punto-patrons button", has_text="Cash out").click()
        until(lambda: "900.00" in sams.text(".now .refused"))
        assert sams.page.input_value("punto-patrons input[name=amount]") == "900"
        dealer.enter("OpenBets")
        tap(sams, 3, "Tie")
        sams.page.keyboard.type("1")
        tap(sams, 3, "Player")
        until(lambda: "Who is at seat 3" in sams.text(".entry .refused"))
        sams.page.select_option(".entry select[name=patron]", "Ann")
        tap(sams, 3, "Player")
        until(lambda: "Minimum bet" in sams.text(".entry .refused"))
        tap(sams, 3, "Tie")
        sams.page.keyboard.type("50")
        dealer.click(".entry [data-do=next]")
        assert dealer.view["wagers"] == [{"patron": ann, "position": 3, "wager": "Tie", "amount": 5_000}]
        sams.page.keyboard.press("Escape")
        dealer.enter("CloseBets")
        dealer.report("drawn-together")
        sams.page.fill("punto-irregular input[name=count]", "1")
        sams.page.locator("punto-irregular .choices label").first.click()
        sams.page.click("punto-irregular punto-ask button.main")
        sams.page.wait_for_selector("punto-irregular .refused")
        assert sams.page.input_value("punto-irregular input[name=count]") == "1"


@pytest.mark.parametrize("game", others_long(APPROVED))
def test_a_whole_round_by_the_keyboard_alone(chromium: Any, staffed: House, game: str) -> None:
    table = staffed.table(game)
    (ann,) = staffed.patrons(1)
    ann.done(table, "BuyIn", patron=ann.id, amount=100_000)
    with browsing(chromium, staffed.live, staffed.dealer) as sams:
        dealer = AtTheTable(sams, staffed.dealer, table)
        dealer.enter("OpenBets")
        ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=10_000)
        ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Banker", amount=10_000)
        dealer.deal_four()
        sams.page.keyboard.type("k")
        dealer.key(*FIRST_FOUR)
        dealer.key("td")
        dealer.enter("AnnounceOutcome")
        collected = sams.text(".sums .lost")
        dealer.enter("SettleRound")
        dealer.waits_for("OpenBets")
        (settled,) = ann.get(f"/api/tables/{table}/rounds")
        assert settled["player"]["cards"] == [["2", "h"], ["3", "h"], ["T", "d"]]
        assert settled["banker"]["total"] == 6
        assert collected == "100.00"


def test_a_patron_is_told_that_the_page_is_not_for_him(chromium: Any, staffed: House) -> None:
    table = staffed.table("baccarat")
    (ann,) = staffed.patrons(1)
    with browsing(chromium, staffed.live, ann) as anns:
        anns.open(f"/dealer/{table}")
        anns.page.wait_for_selector(".stranger")
        assert anns.page.locator(".now").count() == 0
        assert not any('"next"' in frame for frame in anns.heard)
