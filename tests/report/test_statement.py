"""A statement of account: exactly what moved for one patron, and the balance and the debt after each."""

from __future__ import annotations

from pathlib import Path

from punto.books.shift_totals import Span
from punto.report.paper.statement import PatronStatement, statement
from punto.store.address import open_store
from punto.store.events.cage_events import CAGE, DebtBooked, DebtSettled, Deposited, PaidOut
from punto.store.records import Append, EventRecord
from punto.table.event import Event

MOVED: tuple[Event, ...] = (
    Deposited("bob", 7_000),
    Deposited("ann", 50_000),
    PaidOut("ann", 8_000),
    DebtBooked("ann", "t1", 5_000),
    DebtSettled("ann", "t1", 2_000, "cage"),
    DebtSettled("ann", "t1", 3_000, "cage", from_account=True),
    Deposited("bob", 900),
)


async def told(folder: Path, patron: str, start: int, end: int) -> PatronStatement:
    """The statement of a patron; the events happened one after the other, at 10, 20 and so on."""
    store = await open_store(str(folder / "punto.db"))
    try:
        records = [EventRecord.of(each, 10 * number, "kim", "Cashier") for number, each in enumerate(MOVED, 1)]
        await store.append([Append(CAGE, 0, records)])
        return await statement(store, patron, patron.title(), Span(start, end))
    finally:
        await store.close()


async def test_a_statement_has_ones_own_entries_and_no_others_with_balance_and_debt(tmp_path: Path) -> None:
    made = await told(tmp_path, "ann", 0, 1_000)
    assert [(each.number, each.at, each.kind.value, each.amount, each.balance, each.owed) for each in made.entries] == [
        (2, 20, "deposit", 50_000, 50_000, 0),
        (3, 30, "withdrawal", 8_000, 42_000, 0),
        (4, 40, "debt", 5_000, 42_000, 5_000),
        (5, 50, "debt-paid", 2_000, 42_000, 3_000),
        (6, 60, "debt-from-account", 3_000, 39_000, 0),
    ]
    assert (made.opening, made.closing, made.owed_before, made.owed_after) == (0, 39_000, 0, 0)


async def test_what_was_before_a_span_is_its_opening_and_what_came_after_is_not_in_it(tmp_path: Path) -> None:
    made = await told(tmp_path, "ann", 50, 60)
    assert [(each.number, each.balance, each.owed) for each in made.entries] == [(5, 42_000, 3_000)]
    assert (made.opening, made.closing, made.owed_before, made.owed_after) == (42_000, 42_000, 5_000, 3_000)
