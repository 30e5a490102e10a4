"""The cage: patrons' accounts and debts, slips, and cash. What moves to or from a table is stored with its event."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from msgspec import Struct, field

from punto.server.cash.cash_book import CashBook, CashMove, Seen
from punto.server.cash.slips import KeepsSlips
from punto.server.refused import Refused
from punto.server.tables.stream_follower import Clock
from punto.store import people as sql
from punto.store.events.cage_events import (
    CAGE,
    CashFlagSeen,
    CashTaken,
    ChipsCarried,
    DebtBooked,
    DebtReduced,
    DebtSettled,
    Deposited,
    LimitsBegun,
    MovedFromTable,
    MovedToTable,
    PaidOut,
    SlipAsked,
    SlipCancelled,
    SlipKind,
    SlipMove,
)
from punto.store.protocol import Store
from punto.store.records import Append, EventRecord
from punto.store.slip_book import Slip, SlipBook
from punto.store.trust.chain import Chain
from punto.table.command import Command
from punto.table.decide import decide as decide_at_table
from punto.table.event import Event
from punto.table.guards import above_zero, can_be_a_patron
from punto.table.play.chips import BuyIn, CashOut, Credit, Fill
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Role
from punto.table.table import Table

Giver = tuple[str, str]
Key = tuple[str, bytes]
"""Idempotency key: a word, and a digest of what it was used for."""


class CageRefuses(Refused):
    """Raised for what the cage does not do; the refusal says why."""


class CageState(Struct, array_like=True):
    """What the cage's stream has led to."""

    accounts: dict[str, int] = field(default_factory=dict)
    debts: dict[tuple[str, str], int] = field(default_factory=dict)
    slips: dict[int, Slip] = field(default_factory=dict)
    cash: list[CashMove] = field(default_factory=list)
    cash_seen: Seen = field(default_factory=dict)
    limited: set[str] = field(default_factory=set)


class Cage(KeepsSlips[CageState]):
    """The accounts of all patrons, what they owe, the slips and the cash of the house."""

    state_kind = CageState

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, CAGE, clock)
        self._accounts: dict[str, int] = {}
        self._debts: dict[tuple[str, str], int] = {}
        """By patron and the table at which it arose."""
        self.slip_book = SlipBook()
        self.cash_book = CashBook()
        self.limited: set[str] = set()
        """Patrons who have a stream of limits."""

    def state(self) -> CageState:
        """Return what the events have led to."""
        return CageState(
            self._accounts, self._debts, self.slip_book.slips, self.cash_book.moves, self.cash_book.seen,
            self.limited,
        )  # fmt: skip

    def begin(self, state: CageState, chain: Chain) -> None:
        """Begin with a state and the place in the chain that belongs to it."""
        self._accounts, self._debts, self.chain = state.accounts, state.debts, chain
        self.slip_book = SlipBook()
        self.slip_book.slips = state.slips
        self.cash_book = CashBook(state.cash, state.cash_seen)
        self.limited = state.limited

    @property
    def accounts(self) -> Mapping[str, int]:
        """The balance of each patron's account, in cents."""
        return self._accounts

    @property
    def debts(self) -> Mapping[tuple[str, str], int]:
        """What patrons owe the house, in cents, by patron and the table at which it arose."""
        return self._debts

    def debts_of(self, patron: str) -> dict[str, int]:
        """Return what a patron owes, by table."""
        return {table: owed for (who, table), owed in self._debts.items() if who == patron}

    def debts_at(self, table: str) -> dict[str, int]:
        """Return what is owed from a table, by patron."""
        return {patron: owed for (patron, where), owed in self._debts.items() if where == table}

    async def deposit(
        self,
        patron: str,
        amount: int,
        giver: Giver,
        key: tuple[str, bytes] | None = None,
        refused: Callable[[str], Awaitable[Refusal | None]] | None = None,
    ) -> int:
        """Take a patron's deposit, unless it is refused by what is no matter of the cage; return the new balance.

        Every exclusion is noted in the cage's stream, so none comes between that answer and the deposit.
        """

        async def check() -> None:
            _check(await refused(patron) if refused else None)

        def decide() -> tuple[Event, None]:
            _check(can_be_a_patron(patron) or above_zero(amount))
            return Deposited(patron, amount), None

        await self._decide_and_append(decide, giver, key, check)
        return self._accounts[patron]

    async def pay_out(self, patron: str, amount: int, giver: Giver, key: tuple[str, bytes] | None = None) -> int:
        """Pay a patron out; return the new balance."""

        def decide() -> tuple[Event, None]:
            _check(above_zero(amount) or self.owes_nothing(patron) or self.shortfall(patron, amount))
            return PaidOut(patron, amount), None

        await self._decide_and_append(decide, giver, key)
        return self._accounts[patron]

    async def ask_for_chips(self, table: str, state: Table, command: Fill | Credit, key: Key | None = None) -> Slip:
        """Ask for chips to a table or from it by a slip of the next number, if the table would take them now."""
        kind = SlipKind.FILL if isinstance(command, Fill) else SlipKind.CREDIT

        def decide() -> tuple[Event, int]:
            decision = decide_at_table(state, command)
            _check(decision if isinstance(decision, Refusal) else None)
            number = self.slip_book.next_number
            return SlipAsked(number, kind, table, command.amount, command.pieces), number

        number = await self._decide_and_append(decide, (command.by.id, command.by.role.value), key)
        return self.slip_book.slips[number]

    async def cancel_slip(self, number: int, reason: str, giver: Giver) -> Slip:
        """Cancel a slip that waits; its number stays used."""

        def decide() -> tuple[Event, None]:
            slip = self.slip_book.open_slip(number)
            _check(slip if isinstance(slip, Refusal) else None)
            return SlipCancelled(number, reason), None

        await self._decide_and_append(decide, giver)
        return self.slip_book.slips[number]

    async def see_flag(self, seen: CashFlagSeen, giver: Giver) -> None:
        """Record that a person has seen how much cash a patron moved."""
        await self._decide_and_append(lambda: (seen, None), giver)

    def concerns(self, patron: str) -> bool:
        """Tell whether a patron has money in an account, or owes any."""
        owes = any(owed for (debtor, _), owed in self.debts.items() if debtor == patron)
        return owes or bool(self._accounts.get(patron))

    async def knows(self, patron: str) -> bool:
        """Tell whether the house has an active patron with this id, registered or a guest."""
        return bool(await self._store.ask(sql.IS_PATRON, patron, Role.PATRON.value))

    def owes_nothing(self, patron: str) -> Refusal | None:
        """Return a refusal if a patron owes the house anything, from whichever table."""
        owed = sum(self.debts_of(patron).values())
        return refuse("owes-the-house", patron=patron, owed=owed) if owed else None

    def overpaid(self, patron: str, amount: int) -> Refusal | None:
        """Return a refusal if a patron owes less than this."""
        owed = sum(self.debts_of(patron).values())
        if not owed:
            return refuse("no-debt", patron=patron)
        return None if amount <= owed else refuse("more-than-owed", patron=patron, owed=owed, amount=amount)

    def shortfall(self, patron: str, amount: int) -> Refusal | None:
        """Return a refusal if an account holds less than this."""
        holds = self._accounts.get(patron, 0)
        return None if holds >= amount else refuse("account-short", chips=holds, amount=amount)

    def _take_in(self, recorded: EventRecord) -> None:
        if isinstance(recorded.event, SlipMove):
            self.slip_book.take_in(recorded)
            return
        if isinstance(recorded.event, LimitsBegun):
            self.limited.add(recorded.event.patron)
        elif not isinstance(recorded.event, CashFlagSeen):
            self._apply(recorded.event)
        self.cash_book.take_in(recorded)

    def _apply(self, event: Event) -> None:
        """Change the accounts; raise ``ValueError`` for what cannot have happened at the cage."""
        match event:
            case Deposited(patron=patron, amount=amount) | MovedFromTable(patron=patron, amount=amount) if amount > 0:
                self._accounts[patron] = self._accounts.get(patron, 0) + amount
            case PaidOut(patron=patron, amount=amount) | MovedToTable(patron=patron, amount=amount) if amount > 0:
                self._take(patron, amount)
            case CashTaken(amount=amount) | ChipsCarried(amount=amount) if amount > 0:
                pass  # over the table: no account changes
            case DebtBooked(patron=patron, table=table, amount=amount) if amount > 0:
                self._owe(patron, table, amount)
            case DebtReduced(patron=patron, table=table, amount=amount) if amount > 0:
                self._owe(patron, table, -amount)
            case DebtSettled(patron=patron, table=table, amount=amount, from_account=from_account) if amount > 0:
                self._owe(patron, table, -amount)
                if from_account:
                    self._take(patron, amount)
            case _:
                raise ValueError("is nothing that happens at the cage")

    def _take(self, patron: str, amount: int) -> None:
        if self._accounts.get(patron, 0) < amount:
            raise ValueError("an account is overdrawn")
        self._accounts[patron] -= amount

    def _owe(self, patron: str, table: str, change: int) -> None:
        left = self._debts.pop((patron, table), 0) + change
        if left < 0:
            raise ValueError("more is paid than was owed")
        if left:
            self._debts[patron, table] = left


def _check(refusal: Refusal | None) -> None:
    if refusal:
        raise CageRefuses(refusal)


@dataclass(frozen=True, slots=True)
class CageCompanion:
    """The cage's side of a buy-in or a cash-out at a table."""

    cage: Cage
    table: str
    giver: Giver
    from_account: bool
    """Whether it moves money of the patron's account, not cash or chips over the table."""
    of_house: bool = False
    """Whether a patron has to be a person that the house knows."""

    async def prepare(self, command: Command, _: Table) -> Append | Refusal:
        """Return the cage's event, or a refusal: an account is short, a patron unknown, or one who cashes out owes."""
        assert isinstance(command, BuyIn | CashOut)
        about = (command.patron, self.table, command.amount)
        await self.cage.catch_up()
        if isinstance(command, CashOut):
            moved = MovedFromTable(*about) if self.from_account else ChipsCarried(*about)
            return self.cage.owes_nothing(command.patron) or self.cage.append_of(moved, self.giver)
        if not self.from_account:
            if self.of_house and not await self.cage.knows(command.patron):
                return refuse("unknown-patron", patron=command.patron)
            return self.cage.append_of(CashTaken(*about), self.giver)
        short = self.cage.shortfall(command.patron, command.amount)
        return short or self.cage.append_of(MovedToTable(*about), self.giver)
