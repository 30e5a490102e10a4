"""What events change for each patron at a table: rounds won and lost, and money brought and taken away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from punto.table.event import Event
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.void import RoundVoided
from punto.table.play.chips import BoughtIn, CashedOut
from punto.table.play.debts import DebtCollected, DebtPaid
from punto.table.play.settlement import RoundSettled
from punto.table.play.wrong_payout import PayoutCorrected, PayoutStands


class PlayKind(StrEnum):
    """What happened to a patron's money."""

    ROUND = "round"
    VOID = "void"
    CORRECTION = "correction"
    PAYOUT = "payout"
    """A wrong payout that stands, or of which they keep some and owe it."""
    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"
    DEBT = "debt"


class PatronPlay(NamedTuple):
    """What one event changed for one patron. Amounts are in cents."""

    patron: str
    kind: PlayKind
    round: int = 0
    """The round it is about; 0 for money that is brought, taken away or owed."""
    staked: int = 0
    """Wagered and settled, or by how much a correction changed that."""
    net: int = 0
    """Won, or lost if it is below zero."""
    change: int = 0
    """Of what the patron has at the table, in chips and on the layout."""


def patron_play(event: Event) -> Iterator[PatronPlay]:
    """Yield what an event changes for each patron; nothing for an event that changes nothing of theirs.

    Wagers placed or taken back are not among them: what lies on the layout is the patron's until the round is settled.
    """
    read = _READ.get(type(event))
    return iter(read(event)) if read else iter(())


def _settled(event: RoundSettled) -> Iterable[PatronPlay]:
    by_patron: dict[str, list[int]] = {}
    for each in event.wagers:
        sums = by_patron.setdefault(each.patron, [0, 0])
        sums[0] += each.settled
        sums[1] += each.returned - each.stake
    return (
        PatronPlay(patron, PlayKind.ROUND, event.round, staked, net, net) for patron, (staked, net) in by_patron.items()
    )


def _void(event: RoundVoided) -> Iterable[PatronPlay]:
    patrons = dict.fromkeys(each.patron for each in event.wagers)
    return (PatronPlay(patron, PlayKind.VOID, event.round) for patron in patrons)


def _corrected(event: RoundCorrected | OverlookedWagerSettled) -> Iterable[PatronPlay]:
    """What a patron cannot pay back is lost too, but stays with them as a debt."""
    by_patron: dict[str, list[int]] = {}
    for each in event.corrections:
        sums = by_patron.setdefault(each.after.patron, [0, 0, 0])
        sums[0] += each.after.settled - each.before.settled
        sums[1] += each.change
        sums[2] += each.change + each.owed
    return (PatronPlay(patron, PlayKind.CORRECTION, event.round, *sums) for patron, sums in by_patron.items())


def _payout_corrected(event: PayoutCorrected) -> Iterable[PatronPlay]:
    return [PatronPlay(event.patron, PlayKind.PAYOUT, event.round, change=event.owed)] if event.owed else []


def _payout_stands(event: PayoutStands) -> Iterable[PatronPlay]:
    more = event.amount - event.due
    return [PatronPlay(event.patron, PlayKind.PAYOUT, event.round, net=more, change=more)] if more else []


def _debt_paid(event: DebtPaid) -> Iterable[PatronPlay]:
    return [] if event.paid_at else [PatronPlay(event.patron, PlayKind.DEBT, change=-event.amount)]


_READ: dict[type[Event], Callable[[Any], Iterable[PatronPlay]]] = {
    RoundSettled: _settled,
    RoundVoided: _void,
    RoundCorrected: _corrected,
    OverlookedWagerSettled: _corrected,
    PayoutCorrected: _payout_corrected,
    PayoutStands: _payout_stands,
    BoughtIn: lambda event: [PatronPlay(event.patron, PlayKind.BUY_IN, change=event.amount)],
    CashedOut: lambda event: [PatronPlay(event.patron, PlayKind.CASH_OUT, change=-event.amount)],
    DebtPaid: _debt_paid,
    DebtCollected: lambda event: [PatronPlay(event.patron, PlayKind.DEBT, change=-event.amount)],
}

PLAY_EVENTS = frozenset(kind.__name__ for kind in _READ)
"""The names of the kinds of event that change something for patrons."""
