"""Postings: what each event moves from where to where, in cents. At every event they sum to zero."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from punto.table.event import Event
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.differential import WagerRemoved
from punto.table.irregularities.late_wagers import WagerFound
from punto.table.irregularities.void import RoundVoided
from punto.table.irregularities.withdrawal import WithdrawalAnswered
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableClosed, TableOpened
from punto.table.play.wagers import WagerPlaced, WagerTakenBack

CAGE = "cage"
FLOAT = "float"
COMMISSION = "commission"
DROP = "drop box"
CASH = "patrons' cash"
LAYOUT = "layout"
COUNT_DIFFERENCE = "count difference"
CLAIMS = "claims of the house"


def owed_by(patron: str) -> str:
    """The account of what a patron owes after a correction."""
    return f"owed by {patron}"


def chips(patron: str) -> str:
    """The account of a patron's chips at the table."""
    return f"chips of {patron}"


@dataclass(frozen=True, slots=True)
class Posting:
    """So much more, or less, in an account."""

    account: str
    amount: int


def postings(event: Event) -> tuple[Posting, ...]:
    """What an event moves; nothing for one that is not about money."""
    read = _POSTINGS.get(type(event))
    moved: Counter[str] = Counter(read(event)) if read else Counter()
    return tuple(Posting(account, amount) for account, amount in moved.items() if amount)


class Ledger:
    """The balance of every account, from the events posted so far."""

    def __init__(self, happened: Iterable[Event] = ()) -> None:
        self.balances: Counter[str] = Counter()
        for event in happened:
            self.post(event)

    def post(self, event: Event) -> None:
        """Take in one more event."""
        entries = postings(event)
        assert sum(entry.amount for entry in entries) == 0, f"{type(event).__name__} does not balance"
        for entry in entries:
            self.balances[entry.account] += entry.amount


def _opened(event: TableOpened) -> dict[str, int]:
    return {FLOAT: event.float_, CAGE: -event.float_}


def _closed(event: TableClosed) -> dict[str, int]:
    counted = {CAGE: event.counted, COUNT_DIFFERENCE: -event.difference}
    return counted | {FLOAT: -event.float_, COMMISSION: -event.commission}


def _filled(event: Filled) -> dict[str, int]:
    return {FLOAT: event.amount, CAGE: -event.amount}


def _credited(event: Credited) -> dict[str, int]:
    return {FLOAT: -event.amount, CAGE: event.amount}


def _bought_in(event: BoughtIn) -> dict[str, int]:
    cash = {DROP: event.amount, CASH: -event.amount}
    return cash | {FLOAT: -event.amount, chips(event.patron): event.amount}


def _cashed_out(event: CashedOut) -> dict[str, int]:
    return {chips(event.patron): -event.amount, CAGE: event.amount}


def _wagered(event: WagerPlaced | WagerFound) -> dict[str, int]:
    return {chips(event.patron): -event.amount, LAYOUT: event.amount}


def _taken_off(event: WagerTakenBack | WagerRemoved) -> dict[str, int]:
    return {chips(event.patron): event.amount, LAYOUT: -event.amount}


def _settled(event: RoundSettled) -> Counter[str]:
    """A win is paid whole out of the float, and the commission then put aside."""
    moved: Counter[str] = Counter()
    for each in event.wagers:
        moved[LAYOUT] -= each.stake
        moved[chips(each.patron)] += each.returned
        moved[COMMISSION] += each.commission
        moved[FLOAT] += each.stake - each.returned - each.commission
    return moved


def _handed_back(event: RoundVoided | WithdrawalAnswered) -> Counter[str]:
    moved: Counter[str] = Counter()
    for each in event.wagers if isinstance(event, RoundVoided) else event.withdrawn:
        moved[LAYOUT] -= each.amount
        moved[chips(each.patron)] += each.amount
    return moved


def _corrected(event: RoundCorrected) -> Counter[str]:
    """What was moved wrongly is moved back; what a patron cannot pay back is booked as owed."""
    moved: Counter[str] = Counter()
    for each in event.corrections:
        back = each.after.returned - each.before.returned + each.owed
        withheld = each.after.commission - each.before.commission
        moved[chips(each.after.patron)] += back
        moved[COMMISSION] += withheld
        moved[FLOAT] -= back + withheld
        moved[owed_by(each.after.patron)] += each.owed
        moved[CLAIMS] -= each.owed
    return moved


_POSTINGS: dict[type[Event], Callable[[Any], dict[str, int]]] = {
    TableOpened: _opened,
    TableClosed: _closed,
    Filled: _filled,
    Credited: _credited,
    BoughtIn: _bought_in,
    CashedOut: _cashed_out,
    WagerPlaced: _wagered,
    WagerFound: _wagered,
    WagerTakenBack: _taken_off,
    WagerRemoved: _taken_off,
    RoundSettled: _settled,
    RoundCorrected: _corrected,
    RoundVoided: _handed_back,
    WithdrawalAnswered: _handed_back,
}

MOVES_MONEY = frozenset(_POSTINGS)
"""The kinds of event that move money."""
