"""A round of every game of the library at a table in a browser: a wager on every area, six cards, settled and told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.live import new_patrons, serving, staff_of
from support.page_watch import browsing, open_bets, sit_down
from support.playing import deal, over_http, until

from punto import load
from punto.rules.game_library import LIBRARY, game_file
from punto.server.access.identity import Duty
from punto.server.running.lifecycle import practice_setting
from punto.store.codec import encoder

SIX_CARDS = "2h 3s 3h 2c 5d Kc"


@pytest.mark.long
def test_a_round_of_every_known_game_is_played_on_the_page(chromium: Any, tmp_path: Path) -> None:
    arguments = []
    for game in LIBRARY:
        file = tmp_path / f"{game}.toml"
        file.write_bytes(game_file(game))
        arguments += ["--game", str(file)]
    with serving(str(tmp_path / "punto.db"), tmp_path, *arguments) as live:
        staff = staff_of(live)
        manager, dealer = staff[Duty.GAMING_SHIFT_MANAGER], staff[Duty.DEALER]
        patrons = new_patrons(live, staff[Duty.CASHIER], len(LIBRARY))
        for game, ann in zip(LIBRARY, patrons, strict=True):
            book = load(game)
            manager.post("/api/tables", table=game, game=book.key, automatic=[])
            usual = json.loads(encoder.encode(practice_setting(book, betting_seconds=None)))
            manager.done(game, "OpenTable", setting=usual | {"device": "manual", "answer_seconds": None}, float_=10**9)
            manager.done(game, "LoadShoe", shoe="one")
            give = over_http(dealer, game)
            with browsing(chromium, live, ann) as patron:
                sit_down(game, patron)
                open_bets(give, patron)
                areas = patron.page.locator("punto-areas button")
                assert areas.count() == len(book.wagers), game
                for area in areas.all():
                    area.click()
                patron.page.wait_for_selector("punto-areas .waiting", state="detached")
                give("CloseBets")
                deal(give, SIX_CARDS)
                until(lambda: patron.page.locator("punto-hands punto-card").count() == 6)
                give("AnnounceOutcome")
                give("SettleRound")
                patron.page.wait_for_selector("details.mine")
