"""Postings: what each event moves between accounts, in cents. The postings of an event sum to zero."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from punto.table.event import Event
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.differential import WagerRemoved
from punto.table.irregularities.late_wagers import LateWagerRefused, OverlookedWagerSettled, WagerFound
from punto.table.irregularities.measures import WagerReturned
from punto.table.irregularities.void import RoundVoided
from punto.table.irregularities.withdrawal import AnswerCorrected, WithdrawalAnswered
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.debts import DebtCollected, DebtPaid
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableClosed, TableOpened
from punto.table.play.wagers import WagerPlaced, WagerTakenBack
from punto.table.play.wrong_payout import PayoutCorrected, PayoutStands


class AccountKind(StrEnum):
    """What an account holds."""

    CAGE = "cage"
    FLOAT = "float"
    COMMISSION = "commission"
    DROP = "drop box"
    CASH = "patrons' cash"
    LAYOUT = "layout"
    COUNT_DIFFERENCE = "count difference"
    CLAIMS = "claims of the house"
    CHIPS = "chips"
    """A patron's chips at the table."""
    OWED = "owed"
    """What a patron owes after a correction."""


class LedgerAccount(NamedTuple):
    """An account of the books: the house's, or one of a patron."""

    kind: AccountKind
    patron: str | None = None

    def __str__(self) -> str:
        if self.patron is None:
            return self.kind.value
        return f"{'owed by' if self.kind is AccountKind.OWED else 'chips of'} {self.patron}"


CAGE = LedgerAccount(AccountKind.CAGE)
FLOAT = LedgerAccount(AccountKind.FLOAT)
COMMISSION = LedgerAccount(AccountKind.COMMISSION)
DROP = LedgerAccount(AccountKind.DROP)
CASH = LedgerAccount(AccountKind.CASH)
LAYOUT = LedgerAccount(AccountKind.LAYOUT)
COUNT_DIFFERENCE = LedgerAccount(AccountKind.COUNT_DIFFERENCE)
CLAIMS = LedgerAccount(AccountKind.CLAIMS)


def owed_by(patron: str) -> LedgerAccount:
    """Return the account of what a patron owes after a correction."""
    return LedgerAccount(AccountKind.OWED, patron)


def chips(patron: str) -> LedgerAccount:
    """Return the account of a patron's chips at the table."""
    return LedgerAccount(AccountKind.CHIPS, patron)


@dataclass(frozen=True, slots=True)
class Posting:
    """An amount added to an account, or taken from it if it is negative."""

    account: LedgerAccount
    amount: int


def postings(event: Event) -> tuple[Posting, ...]:
    """Return what an event moves; nothing for an event that is not about money."""
    read = _POSTINGS.get(type(event))
    return tuple(Posting(account, amount) for account, amount in read(event).items() if amount) if read else ()


class Ledger:
    """The balance of every account, from the events posted so far."""

    def __init__(self, log: Iterable[Event] = ()) -> None:
        self.balances: Counter[LedgerAccount] = Counter()
        self.total = 0
        """Of all balances; other than zero only if postings do not balance."""
        for event in log:
            self.post(event)

    def post(self, event: Event) -> None:
        """Post one more event."""
        read = _POSTINGS.get(type(event))
        if read is None:
            return
        moved = read(event)
        self.total += sum(moved.values())
        assert self.total == 0, f"{type(event).__name__} does not balance"
        for account, amount in moved.items():
            if amount:
                self.balances[account] += amount


def _opened(event: TableOpened) -> dict[LedgerAccount, int]:
    return {FLOAT: event.float_, CAGE: -event.float_}


def _closed(event: TableClosed) -> dict[LedgerAccount, int]:
    counted = {CAGE: event.counted, COUNT_DIFFERENCE: -event.difference}
    return counted | {FLOAT: -event.float_, COMMISSION: -event.commission}


def _filled(event: Filled) -> dict[LedgerAccount, int]:
    return {FLOAT: event.amount, CAGE: -event.amount}


def _credited(event: Credited) -> dict[LedgerAccount, int]:
    return {FLOAT: -event.amount, CAGE: event.amount}


def _bought_in(event: BoughtIn) -> dict[LedgerAccount, int]:
    cash = {DROP: event.amount, CASH: -event.amount}
    return cash | {FLOAT: -event.amount, chips(event.patron): event.amount}


def _cashed_out(event: CashedOut) -> dict[LedgerAccount, int]:
    return {chips(event.patron): -event.amount, CAGE: event.amount}


def _debt_paid(event: DebtPaid) -> dict[LedgerAccount, int]:
    """Drop the claim; chips paid here go to the float, and what is paid elsewhere is booked there."""
    claim = {owed_by(event.patron): -event.amount, CLAIMS: event.amount}
    return claim if event.paid_at else claim | {chips(event.patron): -event.amount, FLOAT: event.amount}


def _debt_collected(event: DebtCollected) -> dict[LedgerAccount, int]:
    return {chips(event.patron): -event.amount, FLOAT: event.amount}


def _wagered(event: WagerPlaced | WagerFound) -> dict[LedgerAccount, int]:
    return {chips(event.patron): -event.amount, LAYOUT: event.amount}


def _taken_off(event: WagerTakenBack | WagerRemoved | WagerReturned) -> dict[LedgerAccount, int]:
    return {chips(event.patron): event.amount, LAYOUT: -event.amount}


def _late_taken_off(event: LateWagerRefused) -> dict[LedgerAccount, int]:
    return {chips(event.patron): event.taken_off, LAYOUT: -event.taken_off}


def _settled(event: RoundSettled) -> Counter[LedgerAccount]:
    """Pay a win whole out of the float, then put the commission aside."""
    moved: Counter[LedgerAccount] = Counter()
    for each in event.wagers:
        moved[LAYOUT] -= each.stake
        moved[chips(each.patron)] += each.returned
        moved[COMMISSION] += each.commission
        moved[FLOAT] += each.stake - each.returned - each.commission
    return moved


def _handed_back(event: RoundVoided | WithdrawalAnswered) -> Counter[LedgerAccount]:
    moved: Counter[LedgerAccount] = Counter()
    for each in event.wagers if isinstance(event, RoundVoided) else event.withdrawn:
        moved[LAYOUT] -= each.amount
        moved[chips(each.patron)] += each.amount
    return moved


def _answer_corrected(event: AnswerCorrected) -> Counter[LedgerAccount]:
    moved: Counter[LedgerAccount] = Counter()
    for sign, wagers in ((1, event.put_back), (-1, event.withdrawn)):
        for each in wagers:
            moved[LAYOUT] += sign * each.amount
            moved[chips(each.patron)] -= sign * each.amount
    return moved


def _corrected(event: RoundCorrected | OverlookedWagerSettled) -> Counter[LedgerAccount]:
    """Move back what was moved wrongly; book as owed what a patron cannot pay back."""
    moved: Counter[LedgerAccount] = Counter()
    for each in event.corrections:
        back = each.change + each.owed
        moved[chips(each.after.patron)] += back
        moved[COMMISSION] += each.withheld
        moved[FLOAT] -= back + each.withheld
        moved[owed_by(each.after.patron)] += each.owed
        moved[CLAIMS] -= each.owed
    return moved


def _payout_corrected(event: PayoutCorrected) -> dict[LedgerAccount, int]:
    """Book what a patron keeps of too much as owed; the rest was made up."""
    kept = {chips(event.patron): event.owed, FLOAT: -event.owed}
    return kept | {owed_by(event.patron): event.owed, CLAIMS: -event.owed}


def _payout_stands(event: PayoutStands) -> dict[LedgerAccount, int]:
    more = event.amount - event.due
    return {chips(event.patron): more, FLOAT: -more}


_POSTINGS: dict[type[Event], Callable[[Any], dict[LedgerAccount, int]]] = {
    TableOpened: _opened,
    TableClosed: _closed,
    Filled: _filled,
    Credited: _credited,
    BoughtIn: _bought_in,
    CashedOut: _cashed_out,
    DebtPaid: _debt_paid,
    DebtCollected: _debt_collected,
    WagerPlaced: _wagered,
    WagerFound: _wagered,
    WagerTakenBack: _taken_off,
    WagerRemoved: _taken_off,
    LateWagerRefused: _late_taken_off,
    WagerReturned: _taken_off,
    PayoutCorrected: _payout_corrected,
    PayoutStands: _payout_stands,
    RoundSettled: _settled,
    RoundCorrected: _corrected,
    OverlookedWagerSettled: _corrected,
    RoundVoided: _handed_back,
    WithdrawalAnswered: _handed_back,
    AnswerCorrected: _answer_corrected,
}

MOVES_MONEY = frozenset(_POSTINGS)
"""The kinds of event that move money."""
