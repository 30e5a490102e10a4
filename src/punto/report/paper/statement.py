"""A patron's statement: what moved at the cage in a span of time, with balances, as data and on paper."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct

from punto.books.shift_totals import Span
from punto.report.paper.letterhead import HERE, Letterhead, grouped, printed
from punto.report.rendering import breakable
from punto.store.events.cage_events import (
    CAGE,
    CashTaken,
    ChipsCarried,
    DebtBooked,
    DebtReduced,
    DebtSettled,
    Deposited,
    MovedFromTable,
    MovedToTable,
    PaidOut,
)
from punto.store.house_settings import HouseSettings
from punto.store.protocol import Reader
from punto.store.round_events import every_event
from punto.table.event import Event
from punto.texts import Language, name_of, texts_under


class EntryKind(StrEnum):
    """What moved."""

    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    TO_TABLE = "to-table"
    FROM_TABLE = "from-table"
    CASH_AT_TABLE = "cash-at-table"
    CHIPS_TAKEN = "chips-taken"
    DEBT = "debt"
    DEBT_REDUCED = "debt-reduced"
    DEBT_PAID = "debt-paid"
    DEBT_FROM_ACCOUNT = "debt-from-account"


class Entry(Struct, frozen=True):
    """One line of a statement; amounts in cents."""

    number: int
    """Of the event in the cage's stream."""
    at: int
    kind: EntryKind
    amount: int
    table: str | None
    balance: int
    """Of the account after it."""
    owed: int
    """What the patron owed after it."""


class PatronStatement(Struct, frozen=True):
    """What moved for one patron in a span, and what they had and owed before and after it."""

    patron: str
    name: str
    start: int
    end: int
    opening: int
    owed_before: int
    closing: int
    owed_after: int
    entries: tuple[Entry, ...]


class GamePlayed(Struct, frozen=True):
    """What a patron played of one game in a span; bought - cashed + net is what it left them at tables."""

    game: str
    title: str
    rounds: int
    staked: int
    net: int
    """Won, or lost if it is below zero."""
    bought: int
    cashed: int


class OwnStatement(Struct, frozen=True):
    """A patron's own statement: what moved, and what they played, by game."""

    account: PatronStatement
    play: tuple[GamePlayed, ...]


_KINDS: dict[type[Event], tuple[EntryKind, int, int]] = {
    Deposited: (EntryKind.DEPOSIT, 1, 0),
    PaidOut: (EntryKind.WITHDRAWAL, -1, 0),
    MovedToTable: (EntryKind.TO_TABLE, -1, 0),
    MovedFromTable: (EntryKind.FROM_TABLE, 1, 0),
    CashTaken: (EntryKind.CASH_AT_TABLE, 0, 0),
    ChipsCarried: (EntryKind.CHIPS_TAKEN, 0, 0),
    DebtBooked: (EntryKind.DEBT, 0, 1),
    DebtReduced: (EntryKind.DEBT_REDUCED, 0, -1),
    DebtSettled: (EntryKind.DEBT_PAID, 0, -1),
}
"""For each event what it is called, and which way it moves the account and what is owed."""


async def statement(store: Reader, patron: str, name: str, span: Span) -> PatronStatement:
    """Return a patron's statement; its end is not in the span."""
    balance = owed = opening = owed_before = 0
    entries: list[Entry] = []
    async for recorded in every_event(store, CAGE):
        if recorded.at >= span.end:
            break
        event: Any = recorded.event
        if type(event) not in _KINDS or event.patron != patron:
            continue
        kind, account, debt = _KINDS[type(event)]
        if isinstance(event, DebtSettled) and event.from_account:
            kind, account = EntryKind.DEBT_FROM_ACCOUNT, -1
        balance, owed = balance + account * event.amount, owed + debt * event.amount
        if recorded.at < span.start:
            opening, owed_before = balance, owed
        else:
            table = getattr(event, "table", None)
            entries.append(Entry(recorded.number, recorded.at, kind, event.amount, table, balance, owed))
    return PatronStatement(patron, name, span.start, span.end, opening, owed_before, balance, owed, tuple(entries))


def own_statement_pdf(told: OwnStatement, settings: HouseSettings, language: Language) -> bytes:
    """Return a patron's own statement as a PDF; nobody signs it."""
    play = [
        [
            name_of("game", each.title, language),
            f"{each.rounds:,}",
            *map(grouped, (each.staked, each.net, each.bought, each.cashed, each.bought - each.cashed + each.net)),
        ]
        for each in told.play
    ]
    sheet = statement_sheet(told.account, settings, language) | {"play": play, "signed": False}
    return printed(HERE / "statement.typ", sheet)


def statement_pdf(told: PatronStatement, settings: HouseSettings, language: Language) -> bytes:
    """Return a statement as a PDF."""
    return printed(HERE / "statement.typ", statement_sheet(told, settings, language))


def statement_sheet(told: PatronStatement, settings: HouseSettings, language: Language) -> dict[str, Any]:
    """Return all that a statement says, as texts."""
    texts, paper = texts_under("reports", "statement", language), Letterhead(settings, language)
    return paper.head() | {
        "texts": texts,
        "play": [],
        "signed": True,
        "patron": breakable(told.name or told.patron),
        "start": paper.with_zone(told.start),
        "end": paper.with_zone(told.end),
        "opening": [grouped(told.opening), grouped(told.owed_before)],
        "closing": [grouped(told.closing), grouped(told.owed_after)],
        "entries": [
            [
                paper.time(each.at),
                texts[each.kind.value],
                breakable(each.table or ""),
                *map(grouped, (each.amount, each.balance, each.owed)),
            ]
            for each in told.entries
        ],
    }
