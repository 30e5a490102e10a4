"""Enter pressed ten times a second, and held down, at every moment of a round: nothing is closed, settled or placed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from browser.test_dealer import AtTheTable, tap
from browser.test_dealer_at_work import NATURAL, at_work, hammer
from support.page_watch import Patron
from support.playing import House, until

pytestmark = pytest.mark.long
QUIET = 600
"""Milliseconds after which a press is no longer counted with the one before."""
HARMLESS = {"BetsOpened", "CardDrawn", "TotalsAnnounced", "OutcomeAnnounced"}
"""Steps of play that move nothing: the first of many presses may take one of them."""


class Hammered:
    """The Dealer's page under Enter: on the page, on the largest button, and behind what is open there."""

    def __init__(self, sams: Patron, dealer: AtTheTable, house: House) -> None:
        self.page, self.sams, self.dealer, self.house = sams.page, sams, dealer, house

    @property
    def events(self) -> list[str]:
        told = self.house.dealer.get(f"/api/tables/{self.dealer.table}/events")
        return [each["name"] for each in told]

    @contextmanager
    def unmoved(self, *also: str) -> Iterator[None]:
        """Nothing is closed, settled, placed or reported."""
        before = self.events
        yield
        hammer(self.sams)
        came = self.events[len(before) :]
        assert set(came) <= HARMLESS | set(also)

    def take(self, command: str) -> None:
        """Take a step, unless the first Enter has taken it."""
        self.page.wait_for_timeout(QUIET)
        if self.page.locator(f".now [data-command={command}]").count():
            self.dealer.click(f".now [data-command={command}]")

    def hammer(self) -> None:
        with self.unmoved():
            self.page.wait_for_timeout(2_100)
        if self.page.locator(".now .big").count():
            with self.unmoved():
                self.page.focus(".now .big")
            self.page.evaluate("document.activeElement.blur()")


def test_enter_hammered_through_a_round(chromium: Any, staffed: House) -> None:
    with at_work(chromium, staffed, guests=1) as (sams, dealer):
        at = Hammered(sams, dealer, staffed)
        with at.unmoved():
            pass
        at.take("OpenBets")
        at.hammer()
        tap(sams, 1, "Tie")
        sams.page.keyboard.type("50")
        with at.unmoved():
            pass
        sams.page.keyboard.press("Escape")
        until(lambda: len(dealer.view["wagers"]) == 1)
        dealer.click(".now [data-command=CloseBets]")
        at.hammer()
        dealer.key(*NATURAL[:2])
        at.hammer()
        dealer.key(*NATURAL[2:])
        at.hammer()
        at.take("AnnounceOutcome")
        dealer.waits_for("SettleRound")
        at.hammer()
        dealer.click(".now [data-command=SettleRound]")
        at.hammer()


def test_enter_hammered_behind_forms_dialogs_and_holds(chromium: Any, staffed: House) -> None:
    with at_work(chromium, staffed, guests=1) as (sams, dealer):
        at, page = Hammered(sams, dealer, staffed), sams.page
        dealer.click(".now [data-command=OpenBets]")
        tap(sams, 1, "Player")
        page.keyboard.type("50")
        page.click(".entry [data-do=next]")
        until(lambda: len(dealer.view["wagers"]) == 1)
        page.keyboard.press("Escape")
        with at.unmoved("PitCalled"):
            page.click(".call-pit")
            page.fill(".calling input", "the power failed")
        for name, value in (("patron", "丁女士"), ("amount", "500")):
            page.fill(f"punto-patrons input[name={name}]", value)
        with at.unmoved():  # a new name is asked about once
            page.focus("punto-patrons input[name=amount]")
        dealer.click(".now [data-command=CloseBets]")
        page.click("button.trouble")
        page.click("[data-procedure=drawn-together]")
        with at.unmoved():  # its questions have no answers
            page.wait_for_selector("punto-irregular punto-ask")
        page.locator("punto-irregular button.clause").first.click()
        page.wait_for_selector("dialog[open]")
        with at.unmoved():
            pass
        page.keyboard.press("Escape")
        staffed.manager.done(dealer.table, "ReportPowerFailure")
        page.wait_for_selector(".answers tr[data-patron]")
        at.hammer()
