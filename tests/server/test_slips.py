"""Fills and credits by slip: two people, numbers without gaps, money to the cent, and paper."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace
from support.playing import House, audited
from support.stores import Open

from punto import load
from punto.audit.log_audit import StoreAudit
from punto.audit.table_recomputed import games_by_digest
from punto.report.paper.slip_sheet import slip_pdf, slip_sheet
from punto.server.access.identity import Duty
from punto.server.cash.cage import CageRefuses
from punto.server.realtime.messages import DoneMessage
from punto.server.running.lifecycle import clock
from punto.server.tables.floor import Floor
from punto.server.tables.table_actor import outcome
from punto.store.events.cage_events import CAGE, SlipAsked, SlipConfirmed, SlipKind
from punto.store.house_settings import HouseSettings
from punto.store.records import Append, EventRecord
from punto.store.slip_book import Signed, Slip, SlipState
from punto.store.trust.keys import Keys
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.default_settings import dealt_by_hand
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.money import Pieces
from punto.table.play.chips import Credit, Fill, Filled
from punto.table.play.table_management import CloseTable, OpenTable, TableClosed
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.table import Table
from punto.texts import Language

BOOK = load("baccarat")
PAT = Actor("pat", Role.PIT_MANAGER)
KIM = ("kim", "Cashier")
CHIPS = (Pieces(10_000, 3), Pieces(500, 7))
"""335.00"""
AMOUNT = 33_500


@asynccontextmanager
async def floor_on(opened: Open) -> AsyncIterator[Floor]:
    async with opened() as store:
        floor = Floor(store, Keys(bytes(range(32))), clock, {BOOK.key: BOOK})
        await floor.start()
        for table in ("t1", "t2"):
            await floor.create_table(table, BOOK)
            opening = OpenTable(PAT, dealt_by_hand(BOOK), 1_000_000)
            assert isinstance(await outcome(floor.submit, floor.tables[table], opening), DoneMessage)
        try:
            yield floor
        finally:
            await floor.stop()


async def ask(floor: Floor, table: str, command: Fill | Credit) -> Slip:
    return await floor.cage.ask_for_chips(table, floor.tables[table].table, command)


async def findings(floor: Floor) -> list[str]:
    audit = StoreAudit(floor.store, games_by_digest(["baccarat"]))
    await audit.run()
    return [each.code for each in audit.findings]


@pytest.mark.anyio
async def test_chips_move_once_when_another_person_confirms(opened: Open) -> None:
    async with floor_on(opened) as floor:
        slip = await ask(floor, "t1", Fill(PAT, AMOUNT, CHIPS))
        assert floor.tables["t1"].table.float_ == 1_000_000
        assert isinstance(refusal := await floor.confirm_slip(slip, ("pat", "Pit Manager")), Refusal)
        assert refusal.code == "same-person"
        answers = await asyncio.gather(*(floor.confirm_slip(slip, KIM) for _ in range(3)))
        assert sorted(each.code if each else "" for each in answers) == ["", "slip-ended", "slip-ended"]
        assert floor.tables["t1"].table.float_ == 1_000_000 + AMOUNT
        (filled,) = [each async for each in _events(floor, "t1") if isinstance(each.event, Filled)]
        assert (filled.by, filled.event) == ("kim", Filled(AMOUNT, CHIPS, 1, "pat"))
        assert await findings(floor) == []


async def _events(floor: Floor, stream: str) -> AsyncIterator[EventRecord]:
    for each in await floor.store.read(stream, most=1_000):
        yield each


@pytest.mark.anyio
async def test_numbers_have_no_gaps_whatever_becomes_of_a_slip(opened: Open) -> None:
    async with floor_on(opened) as floor:
        asked = await asyncio.gather(*(ask(floor, f"t{1 + n % 2}", Fill(PAT, AMOUNT, CHIPS)) for n in range(6)))
        await floor.cage.cancel_slip(2, "asked twice", KIM)
        with pytest.raises(CageRefuses):
            await ask(floor, "t1", Credit(PAT, 99_999_999))  # more than the float holds: no number is used
        assert await floor.confirm_slip(floor.cage.slip_book.slips[2], KIM) is not None
        credit = await ask(floor, "t2", Credit(PAT, AMOUNT, CHIPS))
        for plain in (Fill(PAT, 5_000, slip=4), Credit(PAT, 5_000)):  # two names are the rule of a house
            refused = await outcome(floor.submit, floor.tables["t1"], plain)
            assert isinstance(refused, Refusal)
            assert refused.code == "slip-needed"
        assert await floor.change_settings(replace(floor.settings, slips_by_two=False), floor.settings, KIM)
        direct = await outcome(floor.submit, floor.tables["t1"], Fill(PAT, 5_000, slip=4))
        assert isinstance(direct, DoneMessage)
        await floor.cage.catch_up()
        assert sorted(each.number for each in asked) == [1, 2, 3, 4, 5, 6]
        book = floor.cage.slip_book.slips
        assert (credit.number, list(book)) == (7, [1, 2, 3, 4, 5, 6, 7, 8])
        assert book[4].state is SlipState.ASKED  # a command cannot name a slip: it gets one of its own
        assert (book[8].amount, book[8].asked.by, book[8].state) == (5_000, "pat", SlipState.CONFIRMED)
        assert floor.tables["t1"].table.float_ == 1_005_000
        assert await findings(floor) == []


@pytest.mark.anyio
async def test_an_audit_finds_a_slip_that_is_not_as_the_table_says(opened: Open) -> None:
    async with floor_on(opened) as floor:
        slip = await ask(floor, "t1", Fill(PAT, AMOUNT, CHIPS))
        number, _ = await floor.store.head("t1")
        filled = EventRecord.of(Filled(AMOUNT + 100, (), slip.number, "pat"), clock(), "kim", "Cashier")
        await floor.store.append([Append("t1", number, [filled])])
        assert await findings(floor) == ["slip-differs"]


@pytest.mark.anyio
async def test_an_audit_finds_a_number_left_out(opened: Open) -> None:
    async with floor_on(opened) as floor:
        number, _ = await floor.store.head(CAGE)
        events = [SlipAsked(2, SlipKind.FILL, "t1", 100), SlipConfirmed(3)]
        await floor.store.append([Append(CAGE, number, [EventRecord.of(each, clock(), *KIM) for each in events])])
        assert "slip-number" in await findings(floor)


# --- at the table ----------------------------------------------------------------------------------------------------


def opened_table() -> Table:
    (event,) = _decided(Table(BOOK), OpenTable(PAT, dealt_by_hand(BOOK), 1_000_000))
    return evolve(Table(BOOK), event)


def _decided(table: Table, command: Command) -> tuple[Event, ...]:
    decision = decide(table, command)
    assert not isinstance(decision, Refusal), decision
    return decision


@pytest.mark.parametrize(
    ("pieces", "code"),
    [
        ((Pieces(10_000, 3),), "pieces-differ"),
        ((Pieces(10_000, 3), Pieces(10_000, 1), Pieces(500, -13)), "bad-pieces"),
        ((Pieces(0, 1), Pieces(AMOUNT, 1)), "bad-pieces"),
        ((Pieces(10_000, 4), Pieces(500, -13)), "bad-number"),
    ],
)
def test_chips_that_do_not_add_up_are_refused(pieces: tuple[Pieces, ...], code: str) -> None:
    for command in (Fill(PAT, AMOUNT, pieces), Credit(PAT, AMOUNT, pieces), CloseTable(PAT, AMOUNT, pieces)):
        decision = decide(opened_table(), command)
        assert isinstance(decision, Refusal)
        assert decision.code == code


def test_a_count_at_closing_is_kept_by_denomination() -> None:
    counted = (Pieces(100_000, 9), Pieces(500, 199))
    (closed,) = _decided(opened_table(), CloseTable(PAT, 999_500, counted))
    assert closed == TableClosed(999_500, 1_000_000, 0, -500, counted)


# --- over HTTP, and on paper -----------------------------------------------------------------------------------------


def test_a_pit_manager_asks_and_the_cage_confirms(served: House) -> None:
    table, pit, cashier = served.table(), served[Duty.PIT_MANAGER], served.cashier
    pieces = [{"value": 10_000, "number": 3}, {"value": 500, "number": 7}]
    asked = [pit.post("/api/slips", kind="fill", table=table, pieces=pieces, key=f"{table}-fill") for _ in range(2)]
    assert asked[0] == asked[1]
    slip = asked[0]
    assert (slip["amount"], slip["state"], slip["mine"]) == (AMOUNT, "asked", True)
    path = f"/api/slips/{slip['number']}"
    assert pit.http.post(f"{path}/confirm").json()["code"] == "same-person"
    done = cashier.post(f"{path}/confirm")
    assert (done["state"], done["asked"]["by"], done["ended"]["by"]) == ("confirmed", pit.id, cashier.id)
    assert cashier.http.post(f"{path}/confirm").json()["code"] == "slip-ended"
    other = pit.post("/api/slips", kind="credit", table=table, pieces=pieces)
    assert other["number"] == slip["number"] + 1
    gone = cashier.post(f"/api/slips/{other['number']}/cancel", reason="not needed: asked twice")
    assert (gone["state"], gone["reason"]) == ("cancelled", "not needed: asked twice")
    assert [each["number"] for each in pit.get("/api/slips", table=table)] == [other["number"], slip["number"]]
    assert pit.get(f"/api/pit/{table}")["money"]["fills"] == AMOUNT
    paper = cashier.http.get(f"{path}/pdf", params={"language": "zh"})
    assert (paper.headers["content-type"], paper.content[:5]) == ("application/pdf", b"%PDF-")
    assert cashier.http.get("/api/slips/999999/pdf").json()["code"] == "no-such-slip"
    assert served.dealer.http.get("/api/slips").status_code == 403
    assert cashier.http.post("/api/slips", json={"kind": "fill", "table": table, "pieces": pieces}).status_code == 403
    assert audited(served.database) == []


def test_a_slip_says_all_in_both_languages() -> None:
    settings = HouseSettings("Lotus 荷花", "Asia/Macau", currency="MOP")
    asked, ended = Signed("pabc", "Pit Manager", 1_800_000_000_000), Signed("pxyz", "Cashier", 1_800_000_060_000)
    slip = Slip(12, SlipKind.FILL, "t1", AMOUNT, CHIPS, SlipState.CONFIRMED, asked, ended)
    sheet = slip_sheet(slip, settings, {"pabc": "Pat", "pxyz": "陈先生"}, Language.ENGLISH)
    assert (sheet["property"], sheet["currency"], sheet["number"]) == ("Lotus 荷花", "MOP", "000012")
    assert sheet["time"] == "2027-01-15 16:01 Asia/Macau (UTC+08:00)"
    assert sheet["pieces"] == [["100.00", "3", "300.00"], ["5.00", "7", "35.00"]]
    assert sheet["total"] == "335.00"
    assert [each[:2] for each in sheet["people"]] == [["Requested by", "Pat"], ["Confirmed by", "陈先生"]]
    for language in Language:
        assert slip_pdf(slip, settings, {}, language).startswith(b"%PDF-")
