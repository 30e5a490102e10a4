"""The desk of the cage: people by name, transfers between account and table, statements, and cash that is flagged."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from punto.books.shift_totals import Span
from punto.report.paper.statement import PatronStatement, statement, statement_pdf
from punto.server.access.identity import Duty, Person
from punto.server.access.permissions import Permission
from punto.server.cash.cash_book import CashFlag
from punto.server.gateway import Gateway
from punto.server.http.money.cage import CageOrder
from punto.server.http.money.shift_reports import Milliseconds
from punto.server.realtime.messages import IdempotencyKey
from punto.server.refused import Refused
from punto.server.routing.answers import Pdf, offer_as_file
from punto.server.routing.routes import Routes
from punto.server.tables.blind_count import check_shown
from punto.store.events.cage_events import CashDirection, CashFlagSeen
from punto.table.guards import MOST
from punto.table.money import Cents
from punto.table.refusal import Refusal
from punto.texts import Language

MOST_FOUND = 50


class ChipsAt(Struct, frozen=True):
    """Chips that a patron has at a table."""

    table: str
    chips: Cents


class PatronAtCage(Struct, frozen=True):
    """A patron as the cage knows them: their account, what they owe, and chips at tables."""

    patron: str
    name: str
    guest: bool
    holds: Cents
    owes: Cents
    tables: tuple[ChipsAt, ...]


class Transfer(CageOrder, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An amount in cents that goes between a patron's account and a table."""

    table: str
    to_table: bool = True
    """False from chips at the table to the account."""


class CashFlagShown(Struct, frozen=True):
    """A patron whose cash of one gaming day came to the threshold."""

    flag: CashFlag
    name: str | None
    seen_by: str | None
    """Name of the person who saw it last."""


class FlagSeen(Struct, frozen=True, forbid_unknown_fields=True):
    """Which flag the caller has seen, and what it had come to."""

    patron: str
    direction: CashDirection
    day_began: Milliseconds
    amount: Annotated[Cents, Meta(gt=0, lt=MOST)]


routes = Routes("/api/cage", "the cage")


@routes.get("/patrons", permission=Permission.SEE_ACCOUNTS)
async def find_at_cage(gateway: Gateway, name: Annotated[str, Meta(min_length=1, max_length=64)]) -> list[PatronAtCage]:
    """Find patrons by a part of their names, with their accounts, debts and chips."""
    await gateway.floor.cage.catch_up()
    return [await _at_cage(gateway, each) for each in await gateway.people.search(name, MOST_FOUND)]


@routes.get("/patrons/{patron}", permission=Permission.SEE_ACCOUNTS)
async def show_at_cage(gateway: Gateway, patron: str) -> PatronAtCage:
    """Return one patron with their account, debts and chips."""
    await gateway.floor.cage.catch_up()
    return await _at_cage(gateway, await _patron(gateway, patron))


@routes.post("/transfers", permission=Permission.KEEP_ACCOUNTS)
async def transfer(gateway: Gateway, person: Person, body: Transfer) -> PatronAtCage:
    """Move money between a patron's account and chips at a table, as the patron asks at the cage."""
    patron, served = await _patron(gateway, body.patron), await gateway.refreshed(body.table)
    digest = sha256(msgspec.json.encode((body.table, body.to_table, body.patron, body.amount))).digest()
    key = IdempotencyKey(body.key, digest) if body.key else None
    giver = person.id, person.duty.value
    answer = await gateway.floor.transfer(served, patron.id, body.amount, body.to_table, giver, key)
    if isinstance(answer, Refusal):
        raise Refused(answer)
    return await _at_cage(gateway, patron)


@routes.get("/statements/{patron}", permission=Permission.SEE_ACCOUNTS)
async def show_statement(
    gateway: Gateway, person: Person, patron: str, from_: Milliseconds = 0, to: Milliseconds | None = None
) -> PatronStatement:
    """Return what moved for a patron from one time up to another, or up to now."""
    return await _statement(gateway, person, patron, from_, to)


@routes.get("/statements/{patron}/pdf", permission=Permission.SEE_ACCOUNTS)
async def print_statement(
    gateway: Gateway,
    person: Person,
    patron: str,
    from_: Milliseconds = 0,
    to: Milliseconds | None = None,
    language: Language = Language.ENGLISH,
) -> Pdf:
    """Return a patron's statement to print."""
    told = await _statement(gateway, person, patron, from_, to)
    response = Pdf(await asyncio.to_thread(statement_pdf, told, gateway.floor.settings, language))
    offer_as_file(response, f"punto-statement-{patron}.pdf")
    return response


@routes.get("/cash-flags", permission=Permission.SEE_ACCOUNTS)
async def list_cash_flags(gateway: Gateway, seen: bool = False) -> list[CashFlagShown]:
    """List cash that came to the threshold: what no one has seen yet or, with ``seen``, all of it."""
    await gateway.floor.cage.catch_up()
    flags = gateway.floor.cage.cash_book.flags(gateway.floor.settings)
    wanted = [each for each in flags if seen or not each.seen]
    people = {each.patron for each in wanted} | {each.seen_by for each in wanted if each.seen_by}
    names = await gateway.people.names(people)
    return [CashFlagShown(each, names.get(each.patron), names.get(each.seen_by or "")) for each in wanted]


@routes.post("/cash-flags/seen", permission=Permission.SEE_ACCOUNTS)
async def see_cash_flag(gateway: Gateway, person: Person, body: FlagSeen) -> list[CashFlagShown]:
    """Record that the caller has seen a flag; return those that remain."""
    cage = gateway.floor.cage
    await cage.catch_up()
    flagged = cage.cash_book.flags(gateway.floor.settings)
    seen = (body.patron, body.direction, body.day_began, body.amount)
    if seen not in {(each.patron, each.direction, each.day_began, each.amount) for each in flagged}:
        raise Refused("cannot-be", case="no-such-flag")
    await cage.see_flag(CashFlagSeen(*seen), (person.id, person.duty.value))
    return await list_cash_flags(gateway)


async def _statement(gateway: Gateway, reader: Person, patron: str, start: int, end: int | None) -> PatronStatement:
    person, until = await _patron(gateway, patron), gateway.clock() if end is None else end
    if start >= until:
        raise Refused("bad-message", case="span")
    told = await statement(gateway.floor.store, person.id, person.name, Span(start, until))
    for table in {each.table for each in told.entries if each.table}:
        await check_shown(gateway.floor, reader, table)
    if not start and told.entries:  # from the first move on, not from 1970
        told = msgspec.structs.replace(told, start=told.entries[0].at)
    return told


async def _patron(gateway: Gateway, patron: str) -> Person:
    person = await gateway.people.find(patron)
    if person is None or person.duty is not Duty.PATRON:
        raise Refused("unknown-patron", patron=patron)
    return person


async def _at_cage(gateway: Gateway, person: Person) -> PatronAtCage:
    floor, patron = gateway.floor, person.id
    await floor.others.refresh_all()
    owes = sum(floor.cage.debts_of(patron).values())
    tables = [
        ChipsAt(name, chips) for name, served in floor.tables.items() if (chips := served.table.chips.get(patron, 0))
    ]
    return PatronAtCage(patron, person.name, person.guest, floor.cage.accounts.get(patron, 0), owes, tuple(tables))
