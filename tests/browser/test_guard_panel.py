"""The pit's card protection, in a real browser: closed at first, then edges and patrons, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.page_watch import Patron, browsing, staffed_house
from support.playing import House, deal, over_http, until

from punto import load, odds
from punto.cards import parse_cards
from punto.formatting import percent
from punto.server.access.identity import Duty

CARDS = "2h 4s 3h 2c 5d"


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with staffed_house(tmp_path_factory.mktemp("guard")) as made:
        yield made


def opened(somebody: Patron, table: str) -> None:
    somebody.open("/pit")
    somebody.page.click(f'tr[data-table="{table}"] button.name')


@pytest.mark.parametrize(("language", "advice"), [("en", "Nothing to do"), ("zh", "无需处理")])
def test_the_pit_opens_the_guard_of_a_table(chromium: Any, staffed: House, language: str, advice: str) -> None:
    table, (ann,) = staffed.table("tiger"), staffed.patrons(1)
    dealer = over_http(staffed.dealer, table)
    ann.done(table, "BuyIn", patron=ann.id, amount=1_000_000)
    dealer("OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Tiger", amount=10_000)
    dealer("CloseBets")
    deal(dealer, CARDS)
    dealer("AnnounceOutcome")
    dealer("SettleRound")
    book = load("tiger")
    unseen = book.shoe(8).without(parse_cards(CARDS))
    with browsing(chromium, staffed.live, staffed[Duty.PIT_SUPERVISOR], language) as pit:
        opened(pit, table)
        pit.page.wait_for_selector("punto-guard summary")
        assert not pit.page.is_visible("punto-guard table.edges")
        pit.page.click("punto-guard summary")
        row = 'punto-guard tr[data-wager="Small Tiger"]'
        until(lambda: percent(odds(book, unseen)["Small Tiger"].house_edge) in pit.text(row))
        until(lambda: advice in pit.text(f'punto-guard tr[data-patron="{ann.id}"]'))
        assert pit.page.locator("punto-guard .for-patron").count() == 0


def test_an_auditor_sees_the_pit_without_the_guard(chromium: Any, staffed: House) -> None:
    table = staffed.table("tiger")
    with browsing(chromium, staffed.live, staffed[Duty.AUDITOR]) as auditor:
        opened(auditor, table)
        auditor.page.wait_for_selector("punto-pit-detail h3")
        assert auditor.page.locator("punto-guard").count() == 0
