"""Limits over the house: tried from many sides, and got round from none."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from fractions import Fraction
from pathlib import Path

import pytest

from punto import load
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import games_by_digest
from punto.rules.rulebook import Result
from punto.server.access.identity import People
from punto.server.patron_limits.limit_state import DAY, RENEWED_EACH
from punto.server.realtime.messages import DoneMessage
from punto.server.refused import Refused
from punto.server.running.lifecycle import practice_setting
from punto.server.tables.floor import Floor
from punto.server.tables.table_actor import outcome
from punto.store.address import open_store
from punto.store.events.house_events import HOUSE, GamingResumed, GamingStopped, StopScope
from punto.store.events.limit_events import LIMITS, ExclusionKind, LimitKind, Period
from punto.store.people import ADD
from punto.store.records import Append, EventRecord, StoreError
from punto.store.trust.keys import Keys
from punto.table.command import Command
from punto.table.event import Settled
from punto.table.irregularities.late_wagers import RecordWager
from punto.table.play.chips import BuyIn, CashOut
from punto.table.play.settlement import RoundSettled
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import CloseTable, OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager, TakeBackWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role

BOOK = load("baccarat")
ANN = Actor("ann", Role.PATRON)
DEALER, MANAGER = Actor("sam", Role.DEALER), Actor("pat", Role.PIT_MANAGER)
GIVER, MANAGES = ("ann", Role.PATRON.value), ("pat", Role.PIT_MANAGER.value)
LOSS, STAKE, TIME = LimitKind.LOSS, LimitKind.STAKE, LimitKind.TIME


class Time:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000_000_000

    def __call__(self) -> int:
        return self.now


class House:
    """A floor with two tables, and a patron with chips at both."""

    def __init__(self, floor: Floor, time: Time) -> None:
        self.floor, self.time = floor, time

    async def give(self, command: Command, table: str = "t1") -> str:
        """Return ``done``, or the code of the refusal."""
        answer = await outcome(self.floor.submit, self.floor.tables[table], command)
        if isinstance(answer, Refusal):
            assert answer.sentence()
            return answer.text_key
        assert isinstance(answer, DoneMessage)
        return "done"

    async def wager(self, amount: int, table: str = "t1", by: Actor = ANN) -> str:
        return await self.give(PlaceWager(by, "ann", 1, "Player", amount * 100), table)

    async def buy_in(self, amount: int, table: str = "t1") -> str:
        return await self.give(BuyIn(DEALER, "ann", amount * 100), table)

    async def cash_out(self, amount: int, table: str = "t1") -> str:
        return await self.give(CashOut(DEALER, "ann", amount * 100), table)

    async def limit(self, amount: int | None, kind: LimitKind = LOSS, period: Period = Period.DAY) -> None:
        unit = 60_000 if kind is TIME else 100
        await self.floor.limits.set_limit("ann", kind, period, None if amount is None else amount * unit, GIVER)

    async def deposit(self, amount: int) -> str:
        cage, limits = self.floor.cage, self.floor.limits
        try:
            await cage.deposit("ann", amount * 100, ("cas", "Cashier"), refused=limits.deposit_refused)
        except Refused as refused:
            return refused.refusal.text_key
        return "done"

    async def set_active(self, active: bool) -> None:
        people, recording = People(self.floor.store, self.time), self.floor.limits.recording("ann", active)
        await people.set_active("ann", active, MANAGES, recording)

    async def lose(self, table: str = "t1") -> None:
        """Let the wagers of a table be lost: they are written off the layout as a settlement would."""
        await lose(self, table)


async def lose(house: House, table: str, reopens: bool = True) -> None:
    served = house.floor.tables[table]
    state = served.table
    wagers = tuple(
        Settled(
            *area, stake=stake.amount, settled=stake.amount, result=Result.LOSE, outcome="lost", pays=Fraction(0),
            winnings=0, commission=0, returned=0, clause="3.13", limit_clause=None,
        )
        for area, stake in state.round.stakes.items()
    )  # fmt: skip
    settled = EventRecord.of(RoundSettled(state.round_number, wagers), house.time(), "sam", "Dealer")
    await house.floor.store.append([Append(table, served.actor.number, [settled])])
    await served.actor.catch_up()
    assert not reopens or await house.give(OpenBets(DEALER), table) == "done"


async def open_floor(address: str, time: Time) -> Floor:
    floor = Floor(await open_store(address), Keys(bytes(range(32))), time, {BOOK.key: BOOK})
    await floor.start()
    return floor


async def open_house(address: str) -> House:
    time = Time()
    floor = await open_floor(address, time)
    house = House(floor, time)
    await floor.store.ask(ADD, "ann", "Ann", "ann", None, "ann", Role.PATRON.value, None, False, time())
    for table in ("t1", "t2"):
        await floor.create_table(table, BOOK)
        assert await house.give(OpenTable(MANAGER, practice_setting(BOOK, None), 100_000_000), table) == "done"
        await bring_shoe(house, table)
        assert await house.give(OpenBets(DEALER), table) == "done"
    return house


async def bring_shoe(house: House, table: str) -> None:
    keeper = house.floor.tables[table].keeper
    shoe = await keeper.next_shoe(8)
    assert shoe
    await keeper.close_list(shoe)
    assert await house.give(LoadShoe(DEALER, shoe), table) == "done"


Play = Callable[[House], Awaitable[None]]


def played(address: str, play: Play, audited: bool = False) -> None:
    async def run() -> None:
        house = await open_house(address)
        try:
            await play(house)
            if audited:
                assert not await StoreAudit(house.floor.store, games_by_digest(["baccarat"])).run()
        finally:
            await house.floor.stop()
            await house.floor.store.close()

    asyncio.run(run())


@pytest.fixture
def address(tmp_path: Path) -> str:
    return str(tmp_path / "house.db")


def test_a_limit_holds_over_two_tables(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(100) == await house.buy_in(100, "t2") == "done"
        assert await house.wager(60) == "done"
        assert await house.wager(50, "t2") == "limit-reached.loss"
        assert await house.wager(40, "t2") == "done"
        assert await house.wager(10) == "limit-reached.loss"

    played(address, play, audited=True)


def test_what_one_table_holds_in_vain_is_free_for_another(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(100) == await house.buy_in(100, "t2") == "done"
        assert await house.wager(100, "t2") == "done"
        assert await house.wager(10) == "limit-reached.loss"

    played(address, play)


def test_losses_count_at_the_other_table_and_wins_do_not_vanish(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(200) == await house.buy_in(200, "t2") == "done"
        assert await house.wager(70) == "done"
        await house.lose()
        assert await house.wager(40, "t2") == "limit-reached.loss"
        assert await house.wager(30, "t2") == "done"

    played(address, play)


def test_cashing_out_and_back_in_renews_nothing(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(200) == "done"
        assert await house.wager(100) == "done"
        await house.lose()
        assert await house.cash_out(100) == "done"
        assert await house.buy_in(500) == "done"
        assert await house.wager(10) == "limit-reached.loss"

    played(address, play)


def test_raising_a_wager_is_a_wager(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(300) == "done"
        assert await house.wager(100) == "done"
        assert await house.wager(5) == "limit-reached.loss"
        assert await house.give(TakeBackWager(ANN, "ann", 1, "Player", 5_000)) == "done"
        assert await house.wager(50) == "done"

    played(address, play)


def test_staff_place_no_more_than_the_patron_could(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(300) == "done"
        assert await house.wager(110, by=DEALER) == "limit-reached.loss"
        assert await house.wager(100, by=DEALER) == "done"
        assert await house.give(CloseBets(DEALER)) == "done"
        assert await house.give(RecordWager(MANAGER, "ann", 2, "Player", 5_000)) == "limit-reached.loss"

    played(address, play)


def test_a_limit_lowered_in_play_is_in_force_at_once(address: str) -> None:
    """Also for a patron who sat down before they had any limit; what lies on the layout is played for."""

    async def play(house: House) -> None:
        assert await house.buy_in(500) == "done"
        assert await house.wager(50) == "done"
        await house.limit(60)
        assert await house.wager(20) == "limit-reached.loss"
        assert await house.wager(10) == "done"
        await house.limit(10)
        assert await house.wager(5) == "limit-reached.loss"
        await house.lose()
        assert await house.wager(5) == "limit-reached.loss"

    played(address, play)


def test_a_limit_raised_waits_a_day_and_a_clock_set_back_or_on_changes_nothing(address: str) -> None:
    async def play(house: House) -> None:
        assert await house.buy_in(1_000) == "done"
        await house.limit(100, period=Period.MONTH)
        await house.limit(500, period=Period.MONTH)
        house.time.now -= 5 * DAY
        assert await house.wager(200) == "limit-reached.loss"
        house.time.now += 5 * DAY + DAY - 1
        assert await house.wager(200) == "limit-reached.loss"
        house.time.now += 1
        assert await house.wager(200) == "done"
        await house.limit(None, period=Period.MONTH)
        assert await house.wager(400) == "limit-reached.loss"
        house.time.now += DAY
        assert await house.wager(400) == "done"

    played(address, play)


def test_the_lowest_of_three_periods_applies_and_each_runs_out(address: str) -> None:
    async def play(house: House) -> None:
        assert await house.buy_in(2_000) == "done"
        await house.limit(100)
        await house.limit(150, period=Period.WEEK)
        await house.limit(160, period=Period.MONTH)
        assert await house.wager(100) == "done"
        await house.lose()
        assert await house.wager(5) == "limit-reached.loss"
        house.time.now += DAY + RENEWED_EACH - 1
        assert await house.wager(5) == "limit-reached.loss"
        house.time.now += 1
        assert await house.wager(55) == "limit-reached.loss"
        assert await house.wager(50) == "done"
        await house.lose()
        house.time.now += 7 * DAY + RENEWED_EACH
        assert await house.wager(15) == "limit-reached.loss"
        assert await house.wager(10) == "done"

    played(address, play)


def test_stakes_are_counted_when_settled_and_not_when_taken_back_or_void(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100, STAKE)
        assert await house.buy_in(1_000) == "done"
        assert await house.wager(60) == "done"
        assert await house.give(TakeBackWager(ANN, "ann", 1, "Player", 6_000)) == "done"
        assert await house.wager(80) == "done"
        await house.lose()
        assert await house.wager(30) == "limit-reached.stake"
        assert await house.wager(20) == "done"

    played(address, play)


def test_time_at_two_tables_counts_once_and_runs_out_at_both(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(20, TIME)
        assert await house.buy_in(1_000) == await house.buy_in(1_000, "t2") == "done"
        for minute in range(19):
            assert await house.wager(5) == await house.wager(5, "t2") == "done", minute
            house.time.now += 60_000
        house.time.now += 60_000
        assert await house.wager(5) == "limit-reached.time"
        assert await house.wager(5, "t2") == "limit-reached.time"
        house.time.now += DAY
        assert await house.wager(5) == "done"

    played(address, play)


@pytest.mark.parametrize("kind", [ExclusionKind.COOL_OFF, ExclusionKind.SELF, ExclusionKind.HOUSE])
def test_who_is_excluded_places_no_wager_and_takes_their_money_away(address: str, kind: ExclusionKind) -> None:
    async def play(house: House) -> None:
        assert await house.buy_in(300) == "done"
        assert await house.wager(50) == "done"
        await house.floor.limits.exclude("ann", kind, 7, "asked for", GIVER)
        code = "excluded.cool-off" if kind is ExclusionKind.COOL_OFF else f"excluded.{kind.value}-until"
        assert await house.wager(5) == await house.wager(5, by=DEALER) == code
        assert await house.buy_in(10) == await house.buy_in(10, "t2") == code
        assert await house.deposit(10) == code
        assert await house.cash_out(250) == "done"
        with pytest.raises(Refused, match="not shortened"):
            await house.floor.limits.exclude("ann", kind, 1, "", GIVER)
        house.time.now += 7 * DAY
        assert await house.buy_in(10) == await house.wager(5) == "done"

    played(address, play)


def test_who_is_deactivated_places_no_wager_until_they_are_active_again(address: str) -> None:
    async def play(house: House) -> None:
        assert await house.buy_in(300) == "done"
        await house.set_active(False)
        assert await house.wager(5, by=DEALER) == "excluded.inactive"
        assert await house.buy_in(5) == "unknown-patron"
        assert await house.cash_out(100) == "done"
        await house.set_active(True)
        assert await house.wager(5) == "done"

    played(address, play, audited=True)


@pytest.mark.parametrize("erases", [False, True])
def test_who_leaves_the_house_and_their_wagers_stop_in_one_transaction(address: str, erases: bool) -> None:
    """A process that ends at any moment leaves both or neither."""

    async def play(house: House) -> None:
        assert await house.buy_in(300) == "done"
        store, people = house.floor.store, People(house.floor.store, house.time)

        async def leave() -> None:
            recording = house.floor.limits.recording("ann", False)
            if erases:
                await people.erase("ann", "asked for", MANAGES, recording)
            else:
                await people.set_active("ann", False, MANAGES, recording)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(store, "append", _ends)
            with pytest.raises(StoreError):
                await leave()
        there = await people.find("ann")
        assert there
        assert (there.active, await house.wager(5, by=DEALER)) == (True, "done")
        before = await store.heads([HOUSE, f"ann{LIMITS}"])
        await leave()
        gone = await people.find("ann")
        assert gone
        assert (gone.active, gone.erased) == (False, erases)
        assert await house.wager(5, by=DEALER) == "excluded.inactive"
        after = await store.heads([HOUSE, f"ann{LIMITS}"])
        assert (after[HOUSE] - before[HOUSE], before[f"ann{LIMITS}"]) == (1, 0)
        assert await house.cash_out(100) == "done"

    played(address, play, audited=True)


async def _ends(*_: object, **__: object) -> None:
    raise StoreError("the process ends here")


def test_the_house_lifts_what_it_ordered_and_no_limit_becomes_weaker(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(300) == "done"
        await house.floor.limits.exclude("ann", ExclusionKind.HOUSE, None, "for good", ("pat", "Pit Manager"))
        assert await house.wager(5) == "excluded.house"
        await house.floor.limits.lift("ann", "heard", ("pat", "Pit Manager"))
        assert await house.wager(105) == "limit-reached.loss"
        assert await house.wager(100) == "done"

    played(address, play)


@pytest.mark.parametrize("kind", [ExclusionKind.SELF, ExclusionKind.COOL_OFF])
def test_a_lift_by_the_house_ends_nothing_that_the_patron_chose(address: str, kind: ExclusionKind) -> None:
    async def play(house: House) -> None:
        limits = house.floor.limits
        assert await house.buy_in(300) == "done"
        await limits.exclude("ann", kind, 7, "", GIVER)
        with pytest.raises(Refused):
            await limits.lift("ann", "they asked for it", MANAGES)
        assert (await house.wager(50)).startswith(f"excluded.{kind.value}")
        await limits.exclude("ann", ExclusionKind.HOUSE, None, "seen on the list", MANAGES)
        await limits.lift("ann", "a mistake", MANAGES)
        for refused in (await house.wager(50), await house.deposit(5)):
            assert refused.startswith(f"excluded.{kind.value}")
        house.time.now += 7 * DAY
        assert await house.wager(50) == "done"

    played(address, play)


def test_closing_a_table_loses_nothing_of_what_was_lost_there(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(300) == await house.buy_in(300, "t2") == "done"
        assert await house.wager(80) == "done"
        await lose(house, "t1", reopens=False)
        assert await house.cash_out(220) == "done"
        state = house.floor.tables["t1"].table
        assert await house.give(CloseTable(MANAGER, state.float_)) == "done"
        assert await house.wager(25, "t2") == "limit-reached.loss"
        assert await house.wager(20, "t2") == "done"

    played(address, play)


@pytest.mark.parametrize(("scope", "subject"), [("all", ""), ("game", BOOK.key), ("table", "t1")])
def test_stopped_gaming_concludes_the_round_and_takes_no_wager(address: str, scope: str, subject: str) -> None:
    async def play(house: House) -> None:
        assert await house.buy_in(300) == "done"
        assert await house.wager(50) == "done"
        about = StopScope(scope), subject
        await house.floor.record(GamingStopped(*about, "a fault"), ("pat", "Pit Manager"))
        assert await house.wager(50) == f"play-stopped.{scope}"
        assert await house.give(TakeBackWager(ANN, "ann", 1, "Player", 1_000)) == "done"
        assert await house.give(CloseBets(DEALER)) == "done"
        assert await house.cash_out(10) == "done"
        await house.floor.record(GamingResumed(*about, "put right"), ("pat", "Pit Manager"))
        assert not house.floor.journal.stops

    played(address, play)


def test_chips_carried_to_another_table_bring_no_new_limit(address: str) -> None:
    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(300) == "done"
        assert await house.wager(90) == "done"
        await house.lose()
        assert await house.cash_out(210) == "done"
        assert await house.buy_in(210, "t2") == "done"
        assert await house.wager(15, "t2") == "limit-reached.loss"
        assert await house.wager(10, "t2") == "done"

    played(address, play)


def test_wagers_at_one_moment_at_two_tables_stay_within(address: str) -> None:
    """Also while the limit is lowered and then raised: what is on the layouts is never more than it allowed."""

    async def play(house: House) -> None:
        await house.limit(100)
        assert await house.buy_in(300) == await house.buy_in(300, "t2") == "done"
        wagers = [house.wager(10, table) for _ in range(8) for table in ("t1", "t2")]
        answers = await asyncio.gather(*wagers)
        assert answers.count("done") == 10, answers
        await asyncio.gather(house.limit(50), house.limit(500))
        answers = await asyncio.gather(*(house.wager(5, table) for _ in range(4) for table in ("t1", "t2")))
        assert "done" not in answers

    played(address, play)


def test_a_server_that_starts_again_knows_what_was_used(address: str) -> None:
    async def run() -> None:
        house = await open_house(address)
        await house.limit(100)
        assert await house.buy_in(500) == "done"
        assert await house.wager(80) == "done"
        await house.lose()
        await close_both(house)
        again = House(await open_floor(address, house.time), house.time)
        assert await again.wager(25) == "limit-reached.loss"
        assert await again.buy_in(100, "t2") == "done"
        assert await again.wager(25, "t2") == "limit-reached.loss"
        assert await again.wager(20) == "done"
        await close_both(again)

    asyncio.run(run())


def test_no_round_begins_where_gaming_is_stopped(address: str) -> None:
    async def play(house: House) -> None:
        assert await house.buy_in(300) == await house.wager(50) == "done"
        await house.floor.record(GamingStopped(StopScope.ALL, "", "a fault"), MANAGES)
        await lose(house, "t1", reopens=False)
        assert await house.give(OpenBets(DEALER)) == "play-stopped.all"
        await house.floor.record(GamingResumed(StopScope.ALL, "", "put right"), MANAGES)
        assert await house.give(OpenBets(DEALER)) == "done"

    played(address, play)


def test_who_has_no_limits_leaves_no_trace(address: str) -> None:
    async def play(house: House) -> None:
        assert await house.buy_in(300) == await house.wager(50) == "done"
        assert f"ann{LIMITS}" not in await house.floor.store.streams()
        assert not house.floor.tables["t1"].table.allowances

    played(address, play)


async def test_two_processes_at_once_hold_no_more_than_the_limit(postgresql: str) -> None:
    """Each places at a table of its own, many times at once; what is on both layouts stays within the limit."""
    house = await open_house(postgresql)
    second = House(await open_floor(postgresql, house.time), house.time)
    await house.limit(100)
    assert await house.buy_in(300) == await second.buy_in(300, "t2") == "done"
    answers = await asyncio.gather(
        *(each for _ in range(12) for each in (house.wager(10), second.wager(10, "t2")))
    )  # fmt: skip
    assert answers.count("done") == 10, answers
    await house.limit(40)
    assert await second.wager(5, "t2") == "limit-reached.loss"
    await second.floor.limits.exclude("ann", ExclusionKind.SELF, None, "", GIVER)
    assert await house.wager(5) == await second.wager(5, "t2") == "excluded.self"
    assert await house.cash_out(100) == "done"
    await close_both(house, second)


@pytest.mark.parametrize(("has_limits", "followed"), [(False, False), (True, False), (True, True)])
async def test_no_deposit_is_taken_after_an_exclusion_in_another_process(
    postgresql: str, has_limits: bool, followed: bool
) -> None:
    """The exclusion is stored between what the deposit looks up and its commit, which conflicts and looks again."""
    house = await open_house(postgresql)
    second = House(await open_floor(postgresql, house.time), house.time)
    if has_limits:
        await house.limit(100)
    looked_up = list[Refusal | None]()
    look_up = house.floor.limits.deposit_refused

    async def then_excluded(patron: str) -> Refusal | None:
        looked_up.append(await look_up(patron))
        if len(looked_up) == 1:
            await second.floor.limits.exclude("ann", ExclusionKind.SELF, None, "", GIVER)
            if followed:  # as another task of this process may at any moment
                await house.floor.cage.catch_up()
        return looked_up[-1]

    with pytest.raises(Refused, match="excluded"):
        await house.floor.cage.deposit("ann", 1_000, ("cas", "Cashier"), refused=then_excluded)
    assert looked_up[0] is None
    assert len(looked_up) == 2
    assert "ann" not in house.floor.cage.accounts
    assert await second.deposit(10) == "excluded.self"
    await close_both(house, second)


async def close_both(*houses: House) -> None:
    for each in houses:
        await each.floor.stop()
        await each.floor.store.close()
