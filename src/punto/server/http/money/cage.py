"""Patrons' accounts and debts at the cage. Between account and table money moves by BuyIn and CashOut."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from punto.server.access.identity import Duty, Person
from punto.server.access.permissions import Permission
from punto.server.gateway import Gateway
from punto.server.realtime.messages import Word
from punto.server.refused import Refused
from punto.server.routing.routes import Routes
from punto.store.records import Repeated
from punto.table.guards import MOST


class CageOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """An amount in cents that a patron pays in, or is paid out."""

    patron: Annotated[str, Meta(min_length=1, max_length=64)]
    amount: Annotated[int, Meta(gt=0, lt=MOST)]
    key: Word | None = None
    """Idempotency key: the same key again is a retry."""


class DebtPayment(CageOrder, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An amount in cents that a patron pays of what they owe the house."""

    from_account: bool = False
    """Whether it is taken from their account; else they pay in cash or chips."""


class Account(Struct, frozen=True):
    """A patron's account and its balance in cents."""

    patron: str
    holds: int
    name: str | None = None
    """Of the patron, for staff; empty once it is erased."""
    owes: int = 0
    """What the patron owes the house after corrections, from all tables."""


class Debt(Struct, frozen=True):
    """What a patron owes the house, in cents, and the table at which it arose."""

    patron: str
    table: str
    owed: int
    name: str | None = None
    """Of the patron; empty once it is erased."""


routes = Routes("/api/cage", "the cage")


@routes.get("/mine")
async def my_account(gateway: Gateway, person: Person) -> Account:
    """Return the caller's own account."""
    await gateway.floor.cage.catch_up()
    return _account(gateway, person.id)


@routes.get("/accounts", permission=Permission.SEE_ACCOUNTS)
async def list_accounts(gateway: Gateway) -> list[Account]:
    """List every account."""
    await gateway.floor.cage.catch_up()
    accounts = gateway.floor.cage.accounts
    names = await gateway.people.names(accounts.keys())
    return [_account(gateway, patron, names.get(patron)) for patron in sorted(accounts)]


@routes.get("/debts", permission=Permission.SEE_ACCOUNTS)
async def list_debts(gateway: Gateway) -> list[Debt]:
    """List what patrons owe the house."""
    await gateway.floor.cage.catch_up()
    debts = sorted(gateway.floor.cage.debts.items())
    names = await gateway.people.names({patron for (patron, _), _ in debts})
    return [Debt(patron, table, owed, names.get(patron)) for (patron, table), owed in debts]


@routes.post("/debts/payments", permission=Permission.KEEP_ACCOUNTS)
async def pay_debt(gateway: Gateway, person: Person, body: DebtPayment) -> Account:
    """Take a patron's payment of what they owe, at the cage."""
    order = ("debt", body.patron, body.amount, body.from_account)
    key = (body.key, sha256(msgspec.json.encode(order)).digest()) if body.key else None
    giver = (person.id, person.duty.value)
    try:
        paid = await gateway.floor.debts.pay_at_cage(body.patron, body.amount, body.from_account, giver, key)
        gateway.floor.follow(paid)
    except Repeated as before:
        if key is None or before.answer.digest != key[1]:
            raise Refused("key-used") from None
    names = await gateway.people.names([body.patron])
    return _account(gateway, body.patron, names.get(body.patron))


@routes.post("/deposits", permission=Permission.KEEP_ACCOUNTS)
async def deposit(gateway: Gateway, person: Person, body: CageOrder) -> Account:
    """Take money in for a patron."""
    return await _carry_out(gateway, person, body, paid_in=True)


@routes.post("/payments", permission=Permission.KEEP_ACCOUNTS)
async def pay_out(gateway: Gateway, person: Person, body: CageOrder) -> Account:
    """Pay a patron from their account."""
    return await _carry_out(gateway, person, body, paid_in=False)


def _account(gateway: Gateway, patron: str, name: str | None = None) -> Account:
    cage = gateway.floor.cage
    return Account(patron, cage.accounts.get(patron, 0), name, sum(cage.debts_of(patron).values()))


async def _carry_out(gateway: Gateway, cashier: Person, order: CageOrder, paid_in: bool) -> Account:
    patron = await gateway.people.find(order.patron)
    if patron is None or patron.duty is not Duty.PATRON:
        raise Refused("unknown-patron", patron=order.patron)
    body = msgspec.json.encode((paid_in, order.patron, order.amount))
    key = (order.key, sha256(body).digest()) if order.key else None
    giver = cashier.giver
    cage, limits = gateway.floor.cage, gateway.floor.limits
    work = partial(cage.deposit, refused=limits.deposit_refused) if paid_in else cage.pay_out
    try:
        await work(order.patron, order.amount, giver, key)
    except Repeated as before:
        if key is None or before.answer.digest != key[1]:
            raise Refused("key-used") from None
    return _account(gateway, order.patron, patron.name)
