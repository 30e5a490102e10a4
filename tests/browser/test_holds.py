"""Every kind of hold is resolved from the pit page alone: play goes on, and the books balance to the cent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.held_tables import HeldTable, Reached, patrons_of, reached
from support.page_watch import DESKTOP, Patron, browsing, staffed_house
from support.playing import House, until

from punto.server.access.identity import Duty
from punto.table.hold import Hold
from punto.table.irregularities.cards_taken import CardsTakenHold
from punto.table.irregularities.device_reset import ResetHold
from punto.table.irregularities.differential import DifferentialHold
from punto.table.irregularities.drawn_together import OrderHold
from punto.table.irregularities.misdealt_cards import MisplacedHold
from punto.table.irregularities.referral import ReferralHold
from punto.table.irregularities.void import VoidHold
from punto.table.irregularities.withdrawal import WithdrawalHold
from punto.table.play.unread_card import UnreadHold
from punto.table.registry import HOLD_STEPS
from punto.table.table import Table

SMALL = {"width": 1024, "height": 768}
REASON = "摄像机 12，UPS log 17:26 [see; note]"
"""Reasons and notes take any text."""


class Pit:
    """A person of the pit at one held table: what they press, and what they type."""

    def __init__(self, person: Patron, held: HeldTable) -> None:
        self.page, self.held = person.page, held
        self.panel = person.page.locator(f'punto-decision[data-table="{held.name}"] section')

    @property
    def table(self) -> Table:
        return self.held.table

    def choose(self, command: str, at: int = 0) -> None:
        self.panel.locator(f"button[data-command={command}]").nth(at).click()

    def try_out(self, **answers: str) -> None:
        """Fill in a form, and have what it would do shown."""
        for name, typed in answers.items():
            self.panel.locator(f"punto-ask [name={name}]").fill(typed)
        self.panel.locator("punto-ask button.main").click()

    def confirm(self, reason: str = "") -> None:
        """Confirm what is shown, and wait until it has happened."""
        number = len(self.held.events)
        button = self.panel.locator("button.confirm")
        button.wait_for()
        if reason:
            self.panel.locator("input[name=reason]").fill(reason)
        button.click()
        until(lambda: len(self.held.events) > number)

    def do(self, command: str, reason: str = "", **answers: str) -> None:
        self.choose(command)
        if answers:
            self.try_out(**answers)
        self.confirm(reason)


def void(pit: Pit) -> None:
    """The Pit Manager confirms that the round is void: every wager goes back."""
    pit.do("ConfirmVoid", REASON)


def answers(pit: Pit) -> None:
    """The first patron takes everything back, the others let theirs stand."""
    asked = sorted(pit.table.hold.pending)  # type: ignore[union-attr]
    for number, _ in enumerate(asked):
        pit.choose("AnswerWithdrawal")
        pit.panel.locator(".row button").nth(1 if number else 0).click()
        pit.confirm()


def decided(pit: Pit) -> None:
    pit.do("DecideReferral", REASON, uncovered="没有一条规则谈到这件事")


def answers_then_decided(pit: Pit) -> None:
    """An offer that a Gaming Shift Manager ordered: what was referred is decided after it."""
    answers(pit)
    decided(pit)


def put_right(pit: Pit) -> None:
    pit.do("ReconstructCards")


def stands(pit: Pit) -> None:
    """The exposed cards stand; patrons may then take their wagers back."""
    pit.do("DecideReset", REASON)
    answers(pit)


def ordered(pit: Pit) -> None:
    pit.choose("FixOrder")
    for card in ("B", "A"):
        pit.panel.locator("punto-ask .choices button", has_text=card).click()
    pit.try_out()
    pit.confirm()
    answers(pit)


def taken_off(pit: Pit) -> None:
    """Nobody lowers a wager when asked; what exceeds the differential is taken off."""
    pit.do("AskForDecreases")
    pit.panel.locator(".laid button:enabled").first.click()
    pit.confirm(REASON)


def named(pit: Pit) -> None:
    pit.do("ConfirmCard", REASON)


def cards_found(pit: Pit) -> None:
    """5.11: two cards are kept, the other hand is turned, the decks sorted, what they lack computed and replaced."""
    pit.do("AttestCardsTaken")
    for card in ("8d", "Kc"):
        pit.do("ExposeCard", card=card)
    pit.do("AttestCardsTaken")
    pit.do("DetermineMissing", lacking="2s 9c 4c", set_aside="9c 4c")
    pit.do("AttestCardsTaken")


WAYS: dict[tuple[type[Hold], str], Callable[[Pit], None]] = {
    (CardsTakenHold, "cards-taken"): cards_found,
    (DifferentialHold, "differential-exceeded"): taken_off,
    (MisplacedHold, "wrong-delivery"): put_right,
    (OrderHold, "drawn-together-unknown-later"): ordered,
    (ReferralHold, "referral"): decided,
    (ResetHold, "device-reset"): stands,
    (UnreadHold, "unread-card"): named,
    (VoidHold, "device-moved-altered"): void,
    (VoidHold, "drawn-together-unknown-initial"): void,
    (VoidHold, "foreign-cards"): void,
    (VoidHold, "insufficient-cards"): void,
    (VoidHold, "order-altered"): void,
    (VoidHold, "wrong-cards"): void,
    (VoidHold, "wrong-number-of-cards"): void,
    (WithdrawalHold, "cutting-card-first"): answers,
    (WithdrawalHold, "device-reset"): answers,
    (WithdrawalHold, "drawn-together-unknown-later"): answers,
    (WithdrawalHold, "drawn-together-withdrawal"): answers,
    (WithdrawalHold, "power-failure-open"): answers,
    (WithdrawalHold, "referral"): answers_then_decided,
}
"""How each kind of hold is resolved where the report was right."""
NOT_WITHDRAWN = {DifferentialHold, ReferralHold}
"""Kinds that the table itself found, in the states reached here: there is no report that could be a mistake."""
MANAGERS = {CardsTakenHold, ReferralHold, ResetHold}
"""Kinds that a Gaming Shift Manager decides."""


def name(kind: tuple[type[Hold], str]) -> str:
    return f"{kind[0].__name__}-{kind[1]}"


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with staffed_house(tmp_path_factory.mktemp("holds")) as made:
        yield made


@pytest.fixture(scope="module")
def patrons(staffed: House) -> dict[str, Any]:
    return patrons_of(staffed)


def test_the_list_has_every_kind_of_hold() -> None:
    assert set(WAYS) == set(reached())
    assert {kind for kind, _ in WAYS} == set(HOLD_STEPS)


def decider(staffed: House, each: Reached) -> Any:
    is_managers = {type(hold) for hold in each.table.holds} & MANAGERS
    return staffed.manager if is_managers else staffed[Duty.PIT_MANAGER]


def resolved(
    chromium: Any, staffed: House, patrons: dict[str, Any], each: Reached, way: Callable[[Pit], None], **how: Any
) -> HeldTable:
    held = HeldTable(staffed, each, patrons)
    worth = money(held.table)
    with browsing(chromium, staffed.live, decider(staffed, each), **how) as person:
        person.open("/pit")
        pit = Pit(person, held)
        pit.panel.locator(".matter").wait_for()
        way(pit)
        pit.panel.wait_for(state="detached")
    assert not held.table.holds
    assert money(held.table) == worth
    return held


def money(table: Table) -> int:
    """Return what lies at the table, whoever's it is."""
    return table.float_ + sum(table.chips.values()) + sum(each.amount for each in table.round.stakes.values())


@pytest.mark.long
@pytest.mark.parametrize("kind", WAYS, ids=name)
def test_a_hold_is_resolved_from_the_pit_page(
    chromium: Any, staffed: House, patrons: dict[str, Any], kind: tuple[type[Hold], str]
) -> None:
    held = resolved(chromium, staffed, patrons, reached()[kind], WAYS[kind], language="en", screen=DESKTOP)
    if kind[0] is VoidHold:
        assert not held.table.round.stakes
    held.play_on()


@pytest.mark.long
@pytest.mark.parametrize("kind", [each for each in WAYS if each[0] not in NOT_WITHDRAWN], ids=name)
def test_a_mistaken_report_is_withdrawn_from_the_pit_page(
    chromium: Any, staffed: House, patrons: dict[str, Any], kind: tuple[type[Hold], str]
) -> None:
    """In Chinese, on the smaller screen: the round goes on as if nothing had been reported."""

    def withdraw(pit: Pit) -> None:
        pit.do("WithdrawReport", REASON)
        if pit.table.holds:  # a Gaming Shift Manager has ordered something: that matter has to be decided
            decided(pit)

    each = reached()[kind]
    held = resolved(chromium, staffed, patrons, each, withdraw, language="zh", screen=SMALL)
    assert held.table.round.stakes.keys() == each_stakes(held, each)
    held.play_on()


def each_stakes(held: HeldTable, each: Reached) -> Any:
    return {(held.patrons[patron].id, *area) for patron, *area in each.table.round.stakes}
