"""Every game of the library is playable at once: a table of it deals a round with a wager on everything, in order."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.live import PATIENCE

from punto import load
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import games_by_digest
from punto.rules.game_library import APPROVED, LIBRARY, game_file
from punto.server.designer.design_routes import known_game, known_games
from punto.server.realtime.messages import DoneMessage
from punto.server.running.lifecycle import clock
from punto.server.tables.auto_dealer import AutoDealer, Pace
from punto.server.tables.floor import Floor
from punto.server.tables.table_actor import outcome
from punto.store.address import open_store
from punto.store.trust.keys import Keys
from punto.table.command import Command
from punto.table.default_settings import practice_setting
from punto.table.guidance.dealer_automation import EVERYTHING
from punto.table.play.chips import BuyIn
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, PlaceWager
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.settings import PayoutCap

ANN, BOB = Actor("ann", Role.PATRON), Actor("bob", Role.PATRON)
DEALER, PIT_MANAGER = Actor("sam", Role.DEALER), Actor("pat", Role.PIT_MANAGER)
STAKE, CAP = 5_00, 10_000_00


@pytest.mark.parametrize("game", LIBRARY)
async def test_a_round_is_played_with_a_wager_on_everything(game: str, tmp_path: Path) -> None:
    book = load(game)
    free = tuple(each.name for each in book.wagers if not any(line.commission for line in each.lines))
    floor = Floor(await open_store(str(tmp_path / "punto.db")), Keys(bytes(range(32))), clock, {book.key: book})
    floor.automatic = AutoDealer(floor, Pace(0, 0, 0, 0.01)).drive
    await floor.start()
    await floor.create_table("t1", book, EVERYTHING)
    served = floor.tables["t1"]

    async def give(command: Command) -> None:
        answer = await outcome(served.actor.submit, command)
        assert isinstance(answer, DoneMessage), answer

    async def until(phase: Phase, round_number: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while served.table.phase is not phase or served.table.round_number < round_number:
                await asyncio.sleep(0.002)
                await floor.others.refresh(served)

    try:
        setting = practice_setting(book, betting_seconds=None)
        await give(OpenTable(PIT_MANAGER, replace(setting, payout_caps=(PayoutCap(free, CAP),)), 100_000_000))
        await until(Phase.BETTING, 1)  # with nobody seated, the shoe waits for no cut
        for patron in (ANN, BOB):
            await give(BuyIn(DEALER, patron.id, 1_000_000))
        number = served.table.round_number
        for position, patron in enumerate((ANN, BOB), start=1):
            for wager in book.wagers:
                await give(PlaceWager(patron, patron.id, position, wager.name, STAKE))
        await give(CloseBets(DEALER))
        await until(Phase.BETTING, number + 1)
        log = [each.event for each in await floor.store.read("t1", 0, 100_000)]
        settled = next(each for each in log if isinstance(each, RoundSettled) and each.wagers)
        assert {each.wager for each in settled.wagers} == {each.name for each in book.wagers}
        assert sum(each.winnings for each in settled.wagers if each.wager in free) <= CAP
        games = games_by_digest(APPROVED, [game_file(game)])
        assert await StoreAudit(floor.store, games).run() == []
    finally:
        await floor.stop()
        await floor.store.close()


def test_every_game_of_the_library_is_among_the_files_to_begin_with() -> None:
    listed = known_games()
    assert [each.game for each in listed] == list(LIBRARY)
    for each in listed:
        found = known_game(each.digest)
        assert found
        assert load(each.game).digest == each.digest
        assert f'key = "{each.game}"' in found.text
    assert known_game("0" * 64) is None
