"""Debts at a house: booked at the cage with the table's event, paid once, and paid before anything is paid out."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from time import sleep
from typing import Any

import pytest
from support.playing import PLACES, House
from support.stores import Open

from punto import load
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import games_by_digest
from punto.cards import parse_cards
from punto.rules.table_of_play import Hand
from punto.server.cash.cage import CageRefuses
from punto.server.cash.debt_book import DebtBook
from punto.server.realtime.messages import DoneMessage
from punto.server.running.lifecycle import clock
from punto.server.tables.floor import Floor
from punto.server.tables.table_actor import outcome
from punto.store.address import open_store
from punto.store.events.cage_events import CAGE, DebtBooked, DebtReduced, DebtSettled, MovedToTable
from punto.store.people import ADD
from punto.store.protocol import Store
from punto.store.records import Append, EventRecord, Repeated, StoreError
from punto.store.trust.keys import Keys
from punto.table.command import Command
from punto.table.default_settings import dealt_by_hand
from punto.table.event import Event
from punto.table.irregularities.correction import CorrectRound
from punto.table.irregularities.late_wagers import SettleOverlookedWager
from punto.table.play.chips import BuyIn, CashOut
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard
from punto.table.play.debts import DebtCollected, DebtPaid, PayDebt, SettleDebt
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import LoadShoe
from punto.table.play.table_management import CloseTable, OpenTable
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager
from punto.table.play.wrong_payout import ReportPayout
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role

BOOK = load("baccarat")
ANN = Actor("ann", Role.PATRON)
DEALER, PIT_MANAGER = Actor("sam", Role.DEALER), Actor("pat", Role.PIT_MANAGER)
SHIFT = Actor("jo", Role.GAMING_SHIFT_MANAGER)
CASHIER = ("kim", "Cashier")
DEALT = parse_cards("9s Ks 8h Kh")
"""Player's two cards as they were keyed, and Banker's."""
WRONG = CorrectRound(SHIFT, 1, parse_cards("6s Ks"), parse_cards("8h Kh"), reason="a 6 was keyed as a 9")
RIGHT = CorrectRound(SHIFT, 1, parse_cards("9s Ks"), parse_cards("8h Kh"), reason="it was a 9 after all")


@asynccontextmanager
async def floor_on(opened: Open) -> AsyncIterator[Floor]:
    async with opened() as store:
        floor = Floor(store, Keys(bytes(range(32))), clock, {BOOK.key: BOOK})
        await floor.start()
        try:
            yield floor
        finally:
            await floor.stop()


async def give(floor: Floor, table: str, command: Command) -> DoneMessage | Refusal:
    answer = await outcome(floor.submit, floor.tables[table], command)
    for served in floor.tables.values():
        await served.actor.catch_up()
    assert not isinstance(answer, Exception)
    return answer


async def done(floor: Floor, table: str, *commands: Command) -> None:
    for command in commands:
        answer = await give(floor, table, command)
        assert isinstance(answer, DoneMessage), (command, answer)


async def code(floor: Floor, table: str, command: Command) -> str:
    answer = await give(floor, table, command)
    assert isinstance(answer, Refusal), command
    return answer.code


async def open_table(floor: Floor, table: str) -> None:
    await floor.create_table(table, BOOK)
    await done(floor, table, OpenTable(PIT_MANAGER, dealt_by_hand(BOOK), 1_000_000))


async def paid_too_much(floor: Floor, table: str) -> None:
    """Ann wins 100 on a card keyed wrongly, and takes 150 of her 200 away."""
    await open_table(floor, table)
    await floor.store.ask(ADD, "ann", "Ann", "ann", None, "ann", Role.PATRON.value, None, False, clock())
    placed = PlaceWager(ANN, "ann", 1, "Player", 10_000)
    await done(floor, table, BuyIn(DEALER, "ann", 10_000), LoadShoe(DEALER, "one"), OpenBets(DEALER), placed)
    await done(floor, table, CloseBets(DEALER), *[DrawCard(DEALER)] * 4)
    places = [(Hand.PLAYER, 0), (Hand.PLAYER, 1), (Hand.BANKER, 0), (Hand.BANKER, 1)]
    exposed = [ExposeCard(DEALER, *place, card) for place, card in zip(places, DEALT, strict=True)]
    await done(floor, table, *exposed, AnnounceOutcome(DEALER), SettleRound(DEALER), CashOut(DEALER, "ann", 15_000))


async def stored(store: Store, stream: str) -> list[Event]:
    return [each.event for each in await store.read(stream, most=1_000)]


async def audited(floor: Floor) -> list[str]:
    found = await StoreAudit(floor.store, games_by_digest(["baccarat"])).run()
    return [each.code for each in found]


async def test_a_debt_is_booked_at_the_cage_with_the_correction_and_outlasts_the_closing(opened: Open) -> None:
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        await done(floor, "t1", WRONG)
        assert floor.cage.debts == {}  # not followed yet
        await floor.cage.catch_up()
        assert floor.cage.debts == {("ann", "t1"): 15_000}
        assert (await stored(floor.store, CAGE))[-1] == DebtBooked("ann", "t1", 15_000)
        await done(floor, "t1", CloseTable(PIT_MANAGER, 1_000_000))
        assert await audited(floor) == []
    async with floor_on(opened) as floor:
        assert floor.tables["t1"].table.owed == {"ann": 15_000}
        assert floor.cage.debts == {("ann", "t1"): 15_000}


async def test_what_is_kept_of_a_wrong_payout_is_booked_at_the_cage_too(opened: Open) -> None:
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        await done(floor, "t1", ReportPayout(PIT_MANAGER, 1, "ann", 1, "Player", 25_000, 2_000))
        await floor.cage.catch_up()
        assert floor.cage.debts == {("ann", "t1"): 2_000}
        assert await code(floor, "t1", CashOut(DEALER, "ann", 1_000)) == "owes-the-house"
        assert await audited(floor) == []


async def test_what_cannot_be_paid_for_an_overlooked_wager_is_booked_at_the_cage_and_reduced_there(
    opened: Open,
) -> None:
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        chips = floor.tables["t1"].table.chips["ann"]
        await done(floor, "t1", SettleOverlookedWager(PIT_MANAGER, 1, "ann", 1, "Tie", chips + 2_000, reason="seen"))
        await floor.cage.catch_up()
        assert floor.cage.debts == {("ann", "t1"): 2_000}
        await done(floor, "t1", SettleOverlookedWager(PIT_MANAGER, 1, "ann", 1, "Player", 1_000, reason="seen"))
        await floor.cage.catch_up()
        assert floor.cage.debts == {("ann", "t1"): 1_000}
        assert await audited(floor) == []


async def test_a_correction_in_favour_goes_against_the_debt_at_both_places(opened: Open) -> None:
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        await done(floor, "t1", WRONG, RIGHT)
        await floor.cage.catch_up()
        assert floor.cage.debts == {}
        assert (await stored(floor.store, CAGE))[-1] == DebtReduced("ann", "t1", 15_000)
        assert await audited(floor) == []


async def test_a_debt_is_paid_once_at_its_table_at_another_or_at_the_cage(opened: Open) -> None:
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        await done(floor, "t1", WRONG)
        await open_table(floor, "t2")
        await done(floor, "t1", BuyIn(DEALER, "ann", 4_000), PayDebt(DEALER, "ann", 4_000))
        await done(floor, "t2", BuyIn(DEALER, "ann", 9_000))
        assert await code(floor, "t2", PayDebt(DEALER, "ann", 1_000)) == "no-debt"
        assert await code(floor, "t2", PayDebt(DEALER, "ann", 1_000, "t3")) == "unknown-table"
        assert await code(floor, "t2", CashOut(DEALER, "ann", 1_000)) == "owes-the-house"
        await done(floor, "t2", PayDebt(DEALER, "ann", 5_000, "t1"))
        assert floor.tables["t1"].table.owed == {"ann": 6_000}
        assert floor.tables["t2"].table.chips == {"ann": 4_000}
        # The last of it at the cage, in cash; then the chips may go.
        assert await code(floor, "t1", SettleDebt(DEALER, "ann", 6_000, "cage")) == "not-the-cage"
        assert await floor.debts.pay_at_cage("ann", 6_000, False, CASHIER) == ("t1",)
        with pytest.raises(CageRefuses, match="owes nothing"):
            await floor.debts.pay_at_cage("ann", 6_000, False, CASHIER)
        await done(floor, "t2", CashOut(DEALER, "ann", 4_000))
        assert floor.tables["t1"].table.owed == {}
        assert [each for each in await stored(floor.store, CAGE) if isinstance(each, DebtSettled)] == [
            DebtSettled("ann", "t1", 4_000, "t1"),
            DebtSettled("ann", "t1", 5_000, "t2"),
            DebtSettled("ann", "t1", 6_000, "cage"),
        ]
        assert (await stored(floor.store, "t1"))[-1] == DebtPaid("ann", 6_000, "cage")
        assert any(isinstance(each, DebtCollected) for each in await stored(floor.store, "t2"))
        assert await audited(floor) == []


async def test_an_account_that_is_used_meanwhile_pays_no_debt_with_what_it_no_longer_has(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann moves money to a table between the check of her account and the payment from it."""
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        await done(floor, "t1", WRONG)
        await floor.cage.deposit("ann", 15_000, CASHIER)
        settle, moved = DebtBook._settle, list[Event]()

        async def interrupted(*values: Any) -> Append | Refusal:
            if not moved:
                moved.append(MovedToTable("ann", "t2", 10_000))
                await floor.store.append([floor.cage.append_of(moved[0], CASHIER)])
                await floor.cage.catch_up()
            return await settle(*values)

        monkeypatch.setattr(DebtBook, "_settle", interrupted)
        with pytest.raises(CageRefuses, match="holds"):
            await floor.debts.pay_at_cage("ann", 15_000, True, CASHIER)
        assert (floor.cage.accounts, floor.cage.debts) == ({"ann": 5_000}, {("ann", "t1"): 15_000})


async def test_an_account_pays_a_debt_before_it_is_paid_out(opened: Open) -> None:
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        await done(floor, "t1", WRONG)
        await floor.cage.deposit("ann", 20_000, CASHIER)
        with pytest.raises(CageRefuses, match="pays it before"):
            await floor.cage.pay_out("ann", 1_000, CASHIER)
        with pytest.raises(CageRefuses, match=r"owes 150\.00, not 150\.01"):
            await floor.debts.pay_at_cage("ann", 15_001, True, CASHIER)
        key = ("k", bytes(32))
        await floor.debts.pay_at_cage("ann", 15_000, True, CASHIER, key)
        with pytest.raises(Repeated):
            await floor.debts.pay_at_cage("ann", 15_000, True, CASHIER, key)
        assert floor.cage.accounts == {"ann": 5_000}
        assert await floor.cage.pay_out("ann", 5_000, CASHIER) == 0
        assert await audited(floor) == []


async def test_two_processes_never_pay_a_debt_twice(opened: Open) -> None:
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        await done(floor, "t1", WRONG, BuyIn(DEALER, "ann", 15_000))
        at_cage = floor.debts.pay_at_cage("ann", 15_000, False, CASHIER)
        at_table = give(floor, "t1", PayDebt(DEALER, "ann", 15_000))
        answers = await asyncio.gather(at_cage, at_table, return_exceptions=True)
        assert sum(isinstance(each, CageRefuses | Refusal) for each in answers) == 1
        assert sum(isinstance(each, DebtPaid) for each in await stored(floor.store, "t1")) == 1
        assert await audited(floor) == []


async def test_a_store_that_fails_leaves_neither_the_correction_nor_the_debt(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        before = {each: len(await stored(floor.store, each)) for each in ("t1", CAGE)}
        appended: list[tuple[str, ...]] = []

        async def fails(batch: list[object]) -> None:
            for each in batch:
                appended.append(tuple(append.stream for append in each.appends))  # type: ignore[attr-defined]
                each.error = StoreError("the disk is gone")  # type: ignore[attr-defined]

        with monkeypatch.context() as patched:
            patched.setattr(floor.store, "append_all", fails)
            with pytest.raises(StoreError):
                await give(floor, "t1", WRONG)
        assert appended == [("t1", CAGE)]
        assert {each: len(await stored(floor.store, each)) for each in ("t1", CAGE)} == before
        assert floor.tables["t1"].table.owed == {}


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_process_that_is_killed_leaves_both_or_neither(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Another process corrects a round back and forth until it is killed, wherever it is then."""
    address = request.getfixturevalue("postgresql") if kind == "postgresql" else str(tmp_path / "punto.db")
    for seconds in (0.05, 0.21, 0.33):
        program = [sys.executable, __file__, address]
        with Popen(program, stdout=PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}) as process:
            assert process.stdout
            assert process.stdout.readline() == b"correcting\n"
            sleep(seconds)
            process.kill()
        asyncio.run(_agree(address))


async def _agree(address: str) -> None:
    """The house's books agree as they were left, before anyone follows them."""
    store = await open_store(address)
    assert await StoreAudit(store, games_by_digest(["baccarat"])).run() == []
    floor = Floor(store, Keys(bytes(range(32))), clock, {BOOK.key: BOOK})
    await floor.start()
    owed = {patron: amount for patron, amount in floor.tables["t1"].table.owed.items() if amount}
    assert floor.cage.debts_at("t1") == owed
    await floor.stop()
    await store.close()


async def _correct_until_killed(address: str) -> None:
    store = await open_store(address)
    floor = Floor(store, Keys(bytes(range(32))), clock, {BOOK.key: BOOK})
    await floor.start()
    if "t1" not in floor.tables:
        await paid_too_much(floor, "t1")
    print("correcting", flush=True)  # noqa: T201
    while True:
        wrong_next = not floor.tables["t1"].table.owed.get("ann", 0)
        await done(floor, "t1", WRONG if wrong_next else RIGHT)


async def test_the_cage_takes_over_debts_that_it_does_not_know(opened: Open) -> None:
    """As in a house whose tables had debts before the cage booked any."""
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        actor = floor.tables["t1"].actor
        actor._debts = None
        await done(floor, "t1", WRONG)
        await floor.cage.catch_up()
        assert floor.cage.debts == {}
        assert await audited(floor) == []
    async with floor_on(opened) as floor:
        assert floor.cage.debts == {("ann", "t1"): 15_000}
        await floor.debts.take_over("t1", floor.tables["t1"].actor)
        assert sum(isinstance(each, DebtBooked) for each in await stored(floor.store, CAGE)) == 1
        await floor.debts.pay_at_cage("ann", 15_000, False, CASHIER)
        assert await audited(floor) == []


async def test_an_audit_finds_a_debt_that_the_cage_has_otherwise(opened: Open) -> None:
    async with floor_on(opened) as floor:
        await paid_too_much(floor, "t1")
        await done(floor, "t1", WRONG)
        number, _ = await floor.store.head(CAGE)
        forged = EventRecord.of(DebtSettled("ann", "t1", 5_000, "cage"), clock(), *CASHIER)
        await floor.store.append([Append(CAGE, number, [forged])])
        assert await audited(floor) == ["debt-differs"]


def test_the_cage_lists_a_debt_and_takes_its_payment_once(served: House) -> None:
    (ann,) = served.patrons(1)
    table, cashier = served.table(), served.cashier
    served.dealer.done(table, "BuyIn", patron=ann.id, amount=10_000)
    served.dealer.done(table, "OpenBets")
    ann.done(table, "PlaceWager", patron=ann.id, position=1, wager="Player", amount=10_000)
    served.dealer.done(table, "CloseBets")
    for _ in DEALT:
        served.dealer.done(table, "DrawCard")
    for (hand, place), (rank, suit) in zip(PLACES, DEALT, strict=True):
        served.dealer.done(table, "ExposeCard", hand=hand, place=place, card=[rank.value, suit.value])
    served.dealer.done(table, "AnnounceOutcome")
    served.dealer.done(table, "SettleRound")
    served.dealer.done(table, "CashOut", patron=ann.id, amount=20_000)
    player, banker = ([[rank.value, suit.value] for rank, suit in hand] for hand in (WRONG.player, WRONG.banker))
    correction = {"round": 1, "player": player, "banker": banker, "reason": "a 6 was keyed as a 9"}
    served.manager.done(table, "CorrectRound", **correction)
    owed = {"patron": ann.id, "table": table, "owed": 20_000}
    assert owed in [{name: each[name] for name in owed} for each in cashier.get("/api/cage/debts")]
    assert ann.get("/api/cage/mine")["owes"] == 20_000
    assert ann.http.get("/api/cage/debts").status_code == 403
    paying = {"patron": ann.id, "amount": 15_000, "key": f"debt-{table}"}
    assert served.dealer.http.post("/api/cage/debts/payments", json=paying).status_code == 403
    for _ in range(2):  # a retry
        assert cashier.post("/api/cage/debts/payments", **paying)["owes"] == 5_000
    other = cashier.http.post("/api/cage/debts/payments", json=paying | {"amount": 5_000})
    assert other.json()["code"] == "key-used"
    much = cashier.http.post("/api/cage/debts/payments", json={"patron": ann.id, "amount": 5_001})
    assert much.json()["code"] == "more-than-owed"
    assert cashier.post("/api/cage/debts/payments", patron=ann.id, amount=5_000)["owes"] == 0
    again = cashier.http.post("/api/cage/debts/payments", json={"patron": ann.id, "amount": 5_000})
    assert again.json()["code"] == "no-debt"
    assert owed["table"] not in [each["table"] for each in cashier.get("/api/cage/debts")]
    assert served.dealer.get(f"/api/tables/{table}")["view"]["owed"] == {}


if __name__ == "__main__":
    asyncio.run(_correct_until_killed(sys.argv[1]))
