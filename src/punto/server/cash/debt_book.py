"""Debts of patrons across tables: booked at the cage in the same transaction as at the table where they arose.

The table's stream is where a debt arises and ends; the cage's has the same amounts, so that one place lists what a
patron owes the whole house. Neither can change without the other, and an audit compares them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

from punto.server.cash.cage import Cage, CageRefuses, Giver
from punto.server.tables.stream_follower import Clock
from punto.store.events.cage_events import CAGE, DebtBooked, DebtReduced, DebtSettled
from punto.store.protocol import Store
from punto.store.records import Answer, Append, Conflict, EventRecord, Repeated
from punto.table.decide import decide
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.guards import above_zero
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.debts import DebtCollected, DebtPaid, SettleDebt
from punto.table.play.wrong_payout import PayoutCorrected
from punto.table.refusal import Refusal, refuse
from punto.table.roles import CAGE as CAGE_ACTOR
from punto.table.table import Table


class KnownTable(Protocol):
    """A table in service, as far as its own process has followed it."""

    table: Table

    @property
    def number(self) -> int: ...

    async def catch_up(self) -> bool: ...


class DebtBook:
    """Books debts of all tables at the cage."""

    def __init__(self, store: Store, cage: Cage, clock: Clock) -> None:
        self._store, self._cage, self._clock = store, cage, clock
        self.tables: dict[str, KnownTable] = {}

    async def book(self, table: str, events: Sequence[Event], giver: Giver) -> list[Append] | Refusal:
        """Return what is stored together with a table's events: the cage's side, and another table's if it is paid."""
        await self._cage.catch_up()
        booked, others = list[Event](), list[Append]()
        for event in events:
            match event:
                case RoundCorrected() | OverlookedWagerSettled():
                    booked += _corrected(table, event)
                case PayoutCorrected(patron=patron, owed=owed) if owed:
                    booked.append(DebtBooked(patron, table, owed))
                case DebtPaid(patron=patron, amount=amount, paid_at=""):
                    booked.append(DebtSettled(patron, table, amount, table))
                case DebtCollected(patron=patron, amount=amount, owed_at=owed_at):
                    settled = await self._settle(owed_at, patron, amount, table, giver)
                    if isinstance(settled, Refusal):
                        return settled
                    booked.append(DebtSettled(patron, owed_at, amount, table))
                    others.append(settled)
        return [self._cage.append_all_of(booked, giver), *others] if booked else []

    async def _settle(self, table: str, patron: str, amount: int, paid_at: str, giver: Giver) -> Append | Refusal:
        """Return what notes at the table where a debt arose that it was paid elsewhere.

        The table is read from the store and not locked: two tables may collect each other's debts at once. If it has
        moved on by the commit, the transaction conflicts and is made again.
        """
        known = self.tables.get(table)
        if known is None:
            return refuse("unknown-table", table=table)
        state, number = known.table, known.number
        while page := await self._store.read(table, number):
            for record in page:
                state, number = evolve(state, record.event), record.number
        decision = decide(state, SettleDebt(CAGE_ACTOR, patron, amount, paid_at, at=self._clock()))
        if isinstance(decision, Refusal):
            return decision
        return Append(table, number, [EventRecord.of(event, self._clock(), *giver) for event in decision])

    async def pay_at_cage(
        self, patron: str, amount: int, from_account: bool, giver: Giver, key: tuple[str, bytes] | None = None
    ) -> tuple[str, ...]:
        """Take a patron's payment at the cage, in cash or from their account; return the tables whose debts it paid.

        Raises ``CageRefuses`` if it is more than the patron owes, and ``Repeated`` for a retry with the same key.
        """
        while True:
            await self._cage.catch_up()
            if key and (before := await self._store.answer(giver[0], key[0])):
                raise Repeated(before)
            number = self._cage.chain.number
            appends = await self._payment(patron, amount, from_account, giver)
            if self._cage.chain.number != number:
                continue  # another task has followed the cage since: what was checked is older
            first, last = appends[0].expected + 1, appends[0].expected + len(appends[0].events)
            answer = Answer(giver[0], *key, CAGE, first, last) if key else None
            try:
                await self._store.append(appends, answer)
            except Conflict:
                continue  # another process, or a table, was first: decide by what it left
            await self._cage.catch_up()
            return tuple(each.stream for each in appends[1:])

    async def _payment(self, patron: str, amount: int, from_account: bool, giver: Giver) -> list[Append]:
        _check(above_zero(amount) or self._cage.overpaid(patron, amount))
        _check(self._cage.shortfall(patron, amount) if from_account else None)
        booked, others, left = list[Event](), list[Append](), amount
        for table, owed in sorted(self._cage.debts_of(patron).items()):
            part = min(owed, left)
            if not part:
                break
            settled = await self._settle(table, patron, part, CAGE, giver)
            if isinstance(settled, Refusal):
                raise CageRefuses(settled)
            booked.append(DebtSettled(patron, table, part, CAGE, from_account))
            others.append(settled)
            left -= part
        return [self._cage.append_all_of(booked, giver), *others]

    async def take_over(self, name: str, table: KnownTable) -> None:
        """Book debts that a table has and the cage does not know: they arose before the cage booked any."""
        while True:
            # The cage first: a debt that moves meanwhile moves the cage's stream too, and the append conflicts.
            await self._cage.catch_up()
            await table.catch_up()
            missing = _missing(table.table.owed, self._cage.debts_at(name))
            if not missing:
                return
            booked = [DebtBooked(patron, name, amount) for patron, amount in sorted(missing.items())]
            try:
                await self._store.append([self._cage.append_all_of(booked)])
            except Conflict:
                continue
            await self._cage.catch_up()
            return


def _check(refusal: Refusal | None) -> None:
    if refusal:
        raise CageRefuses(refusal)


def _missing(at_table: Mapping[str, int], at_cage: Mapping[str, int]) -> dict[str, int]:
    short = {patron: owed - at_cage.get(patron, 0) for patron, owed in at_table.items()}
    return {patron: amount for patron, amount in short.items() if amount > 0}


def _corrected(table: str, event: RoundCorrected | OverlookedWagerSettled) -> list[Event]:
    """Return what a correction leaves its patrons owing, or takes off what they owed."""
    owed: Counter[str] = Counter()
    for each in event.corrections:
        owed[each.after.patron] += each.owed
    more = [DebtBooked(patron, table, amount) for patron, amount in owed.items() if amount > 0]
    return [*more, *(DebtReduced(patron, table, -amount) for patron, amount in owed.items() if amount < 0)]
