"""Squeezing without staff: the automaton passes the cards, gives them their time, and exposes what is left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from support.live import PATIENCE

from punto import load
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import Hand
from punto.server.realtime.messages import DoneMessage
from punto.server.running.lifecycle import clock
from punto.server.tables.auto_dealer import AutoDealer, Pace
from punto.server.tables.floor import Floor
from punto.server.tables.table_actor import outcome
from punto.store.address import open_store
from punto.store.trust.keys import Keys
from punto.table.command import Command
from punto.table.default_settings import squeeze_setting
from punto.table.guidance.dealer_automation import EVERYTHING
from punto.table.play.card_handling import DeclineHand, LookAtCards
from punto.table.play.chips import BuyIn
from punto.table.play.dealing import ExposeCard
from punto.table.play.table_management import OpenTable
from punto.table.play.wagers import CloseBets, PlaceWager
from punto.table.roles import Actor, Role
from punto.table.round import Phase
from punto.table.table import Table

GAMES = ("baccarat", "tiger", "tiger-no-commission", "dragon-tiger")
"""Those that have Method A."""
ANN, BOB = Actor("ann", Role.PATRON), Actor("bob", Role.PATRON)
DEALER, PIT_MANAGER = Actor("sam", Role.DEALER), Actor("pat", Role.PIT_MANAGER)
AT_ONCE, LONG = 0, 600


class Squeezing:
    """One automatic table under Method A, as its patrons have it."""

    def __init__(self, floor: Floor) -> None:
        self.floor, self.served = floor, floor.tables["t1"]

    @property
    def table(self) -> Table:
        return self.served.table

    async def give(self, command: Command) -> None:
        answer = await outcome(self.served.actor.submit, command)
        assert isinstance(answer, DoneMessage), answer

    async def until(self, holds: Callable[[Table], Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not holds(self.table):
                await asyncio.sleep(0.002)
                await self.floor.others.refresh(self.served)  # as a page does where nobody watches

    async def wager(self, **wagers: tuple[Actor, int]) -> int:
        """Let patrons place wagers, by name, and close the betting; the number of the round."""
        await self.until(lambda table: table.phase is Phase.BETTING)
        for wager, (patron, amount) in wagers.items():
            await self.give(PlaceWager(patron, patron.id, 1, wager, amount))
        number = self.table.round_number
        await self.give(CloseBets(DEALER))
        return number

    async def passed(self) -> tuple[Hand, Actor]:
        """Wait until a patron has cards and their time runs."""
        await self.until(lambda table: table.round.squeezing)
        time = self.table.round.squeezing
        assert time is not None
        return time.hand, Actor(time.patron, Role.PATRON)

    async def over(self, number: int) -> None:
        await self.until(lambda table: table.round_number > number)

    async def told(self) -> list[tuple[str, Any]]:
        """Every event of the table's log by name."""
        return [(each.name, each.event) for each in await self.floor.store.read("t1", 0, 100_000)]

    async def names(self) -> set[str]:
        return {name for name, _ in await self.told()}


async def floor_on(address: str, book: Rulebook) -> Floor:
    floor = Floor(await open_store(address), Keys(bytes(range(32))), clock, {book.key: book})
    floor.automatic = AutoDealer(floor, Pace(0, 0, 0, 0.01)).drive
    floor.time_to_cut = 10
    await floor.start()
    return floor


@asynccontextmanager
async def squeezing(address: str, game: str = "baccarat", seconds: int = LONG) -> AsyncIterator[Squeezing]:
    """Ann and Bob have bought in at an automatic table of this game."""
    book = load(game)
    setting = squeeze_setting(book)
    assert setting is not None
    floor = await floor_on(address, book)
    await floor.create_table("t1", book, EVERYTHING)
    at = Squeezing(floor)
    await at.give(OpenTable(PIT_MANAGER, replace(setting, squeeze_seconds=seconds, betting_seconds=None), 10_000_000))
    for patron in (ANN, BOB):
        await at.give(BuyIn(DEALER, patron.id, 1_000_000))
    try:
        yield at
    finally:
        await close(floor)


async def close(floor: Floor) -> None:
    await floor.stop()
    await floor.store.close()


def face_down(table: Table, hand: Hand) -> int:
    return next(place for place, each in enumerate(table.round.hands[hand]) if each.card is None)


@pytest.mark.parametrize("game", GAMES)
async def test_the_patron_entitled_turns_every_card_a_third_too(tmp_path: Path, game: str) -> None:
    async with squeezing(str(tmp_path / "db"), game) as at:
        thirds = 0
        while not thirds:
            number = await at.wager(Player=(ANN, 20_000), Banker=(BOB, 10_000))
            while at.table.round_number == number and at.table.phase in (Phase.CLOSED, Phase.DEALING):
                if not at.table.round.squeezing:
                    await asyncio.sleep(0.002)
                    continue
                hand, patron = await at.passed()
                assert patron == (ANN if hand is Hand.PLAYER else BOB)
                place = face_down(at.table, hand)
                thirds += place == 2
                if at.table.round.hands[hand][place].index not in at.table.round.looked:
                    await at.give(LookAtCards(patron, hand))
                await at.give(ExposeCard(patron, hand, place))
            await at.over(number)
        exposed = [event for name, event in await at.told() if name == "CardExposed"]
        assert {each.by_patron for each in exposed if each.hand is Hand.PLAYER} == {"ann"}
        assert {each.by_patron for each in exposed if each.hand is Hand.BANKER} == {"bob"}
        assert not {"SqueezeEnded", "HandNotPassed", "HandlerAbsent"} & await at.names()


@pytest.mark.parametrize("game", GAMES)
async def test_when_the_time_is_over_the_automaton_exposes_the_cards(tmp_path: Path, game: str) -> None:
    """It is not the rule on absent patrons, no irregularity, and nobody else is passed them."""
    async with squeezing(str(tmp_path / "db"), game, AT_ONCE) as at:
        number = await at.wager(Player=(ANN, 20_000), Banker=(BOB, 10_000))
        await at.over(number)
        told = await at.told()
        passed = [(event.hand, event.patron) for name, event in told if name == "HandPassed"]
        assert passed == [(Hand.PLAYER, "ann"), (Hand.BANKER, "bob")]
        assert [event.hand for name, event in told if name == "SqueezeEnded"] == [Hand.PLAYER, Hand.BANKER]
        assert {event.by_patron for name, event in told if name == "CardExposed"} == {None}
        assert not {"HandNotPassed", "HandlerAbsent"} & await at.names()


def _squeezed_or_over(number: int, table: Table) -> bool:
    return bool(table.round.squeezing) or table.round_number > number


async def test_a_third_card_has_a_time_of_its_own(tmp_path: Path) -> None:
    async with squeezing(str(tmp_path / "db")) as at:
        number = await at.wager(Player=(ANN, 20_000))
        while True:
            hand, patron = await at.passed()
            first = at.table.round.squeezing
            for place in (0, 1):
                await at.give(ExposeCard(patron, hand, place))
            await at.until(partial(_squeezed_or_over, number))
            if third := at.table.round.squeezing:
                break
            number = await at.wager(Player=(ANN, 20_000))
        assert first is not None
        assert (first.cards, third.cards) == (2, 3)
        assert third.window.number > first.window.number
        assert (third.window.deadline or 0) >= (first.window.deadline or 0)


async def test_cards_declined_go_to_the_next_patron_and_then_to_the_automaton(tmp_path: Path) -> None:
    async with squeezing(str(tmp_path / "db")) as at:
        await at.until(lambda table: table.phase is Phase.BETTING)
        await at.give(PlaceWager(BOB, "bob", 2, "Player", 10_000))
        number = await at.wager(Player=(ANN, 20_000))
        hand, patron = await at.passed()
        assert (hand, patron) == (Hand.PLAYER, ANN)
        await at.give(DeclineHand(ANN, hand))
        await at.until(lambda table: table.round.squeezing and table.round.squeezing.patron == "bob")
        await at.give(DeclineHand(BOB, hand))
        await at.over(number)
        told = await at.told()
        assert [event.patron for name, event in told if name == "HandPassed"] == ["ann", "bob"]
        assert {event.by_patron for name, event in told if name == "CardExposed"} == {None}
        assert "SqueezeEnded" not in await at.names()


async def test_where_nobody_is_entitled_the_cards_are_exposed_at_once(tmp_path: Path) -> None:
    async with squeezing(str(tmp_path / "db")) as at:
        number = await at.wager(Tie=(ANN, 10_000))
        await at.over(number)
        number = await at.wager()
        await at.over(number)
        assert not {"HandPassed", "SqueezeTimed", "HandNotPassed"} & await at.names()


async def test_a_server_that_starts_again_in_the_middle_goes_on(tmp_path: Path) -> None:
    address = str(tmp_path / "db")
    async with squeezing(address, seconds=1) as at:
        number = await at.wager(Player=(ANN, 20_000))
        await at.passed()
        deadline = at.table.window.deadline if at.table.window else None
    floor = await floor_on(address, load("baccarat"))
    try:
        at = Squeezing(floor)
        assert at.table.window is None or at.table.window.deadline == deadline, "the time that was set goes on"
        await at.over(number)
        assert [event.patron for name, event in await at.told() if name == "SqueezeEnded"] == ["ann"]
    finally:
        await close(floor)


async def test_of_two_processes_one_passes_and_one_ends_the_time(postgresql: str) -> None:
    async with squeezing(postgresql, seconds=1) as at:
        other = await floor_on(postgresql, load("baccarat"))
        try:
            number = await at.wager(Player=(ANN, 20_000))
            await Squeezing(other).passed()
            await at.over(number)
            await Squeezing(other).over(number)
            told = [name for name, _ in await at.told()]
            assert [told.count(name) for name in ("HandPassed", "SqueezeTimed", "SqueezeEnded")] == [1, 1, 1]
        finally:
            await close(other)
