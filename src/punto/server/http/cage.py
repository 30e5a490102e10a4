"""Patrons' accounts at the cage. Between an account and a table money moves by the commands BuyIn and CashOut."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from punto.server.gateway import Gateway
from punto.server.identity import Duty, Person
from punto.server.permissions import Permission
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


class Account(Struct, frozen=True):
    """A patron's account and its balance in cents."""

    patron: str
    holds: int
    name: str | None = None
    """Of the patron, for staff; empty once it is erased."""


routes = Routes("/api/cage", "the cage")


@routes.get("/mine")
async def my_account(gateway: Gateway, person: Person) -> Account:
    """Return the caller's own account."""
    await gateway.floor.cage.catch_up()
    return Account(person.id, gateway.floor.cage.accounts.get(person.id, 0))


@routes.get("/accounts", permission=Permission.SEE_ACCOUNTS)
async def list_accounts(gateway: Gateway) -> list[Account]:
    """List every account."""
    await gateway.floor.cage.catch_up()
    accounts = gateway.floor.cage.accounts
    names = await gateway.people.names(accounts.keys())
    return [Account(patron, holds, names.get(patron)) for patron, holds in sorted(accounts.items())]


@routes.post("/deposits", permission=Permission.KEEP_ACCOUNTS)
async def deposit(gateway: Gateway, person: Person, body: CageOrder) -> Account:
    """Take money in for a patron."""
    return await _carry_out(gateway, person, body, paid_in=True)


@routes.post("/payments", permission=Permission.KEEP_ACCOUNTS)
async def pay_out(gateway: Gateway, person: Person, body: CageOrder) -> Account:
    """Pay a patron from their account."""
    return await _carry_out(gateway, person, body, paid_in=False)


async def _carry_out(gateway: Gateway, cashier: Person, order: CageOrder, paid_in: bool) -> Account:
    patron = await gateway.people.find(order.patron)
    if patron is None or patron.duty is not Duty.PATRON:
        raise Refused("unknown-patron", patron=order.patron)
    body = msgspec.json.encode((paid_in, order.patron, order.amount))
    key = (order.key, sha256(body).digest()) if order.key else None
    work = gateway.floor.cage.deposit if paid_in else gateway.floor.cage.pay_out
    try:
        holds = await work(order.patron, order.amount, (cashier.id, cashier.duty.value), key)
    except Repeated as before:
        if key is None or before.answer.digest != key[1]:
            raise Refused("key-used") from None
        holds = gateway.floor.cage.accounts[order.patron]
    return Account(order.patron, holds, patron.name)
