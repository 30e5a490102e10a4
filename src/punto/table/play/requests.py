"""What patrons ask for: a wager that staff place on their behalf, and who is to squeeze the cards of a hand."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import asdict

from punto.rules.table_of_play import Hand
from punto.table.command import PatronAct, patron_of, recorder_of
from punto.table.event import Event, Returned
from punto.table.guards import (
    Decision,
    above_zero,
    can_be_a_patron,
    is_open,
    is_patron,
    not_held,
    records,
)
from punto.table.guidance.next_step import NextStep, Value, next_face_down, step
from punto.table.money import Cents
from punto.table.play.card_handling import initial_deal_done, squeezing_time
from punto.table.play.layout import names_an_area, stake_of
from punto.table.play.wagers import PlaceWager, betting_is_open, could_be_placed
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Actor, Role
from punto.table.table import Table, with_entry
from punto.table.visibility import Public


class RequestWager(PatronAct, frozen=True):
    """Ask staff to place a wager; it is the patron's to see that it is placed as asked."""

    position: int
    wager: str
    amount: Cents


class NameSqueezer(PatronAct, frozen=True):
    """Name the person who is to squeeze the cards of a hand: the Pit Manager may then permit it."""

    hand: Hand
    person: str


class WagerRequested(Event, frozen=True):
    """A patron asked staff to place a wager."""

    in_packets = True
    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[Cents]
    clause: Public[str | None]
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class SqueezerNamed(Event, frozen=True):
    """A patron named the person who is to squeeze the cards of a hand."""

    in_packets = True
    hand: Public[Hand]
    patron: Public[str]
    person: Public[str]
    clause: Public[str | None]
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


@decides(RequestWager)
def request_wager(table: Table, command: RequestWager) -> Decision:
    provision, patron = "wager-on-behalf", patron_of(command)
    if patron is None:
        return is_open(table) or refuse("not-your-chips")
    refusal = (
        betting_is_open(table, "late-wager")
        or not_held(table)
        or records(table, command, provision)
        or is_patron(table, patron)
        or names_an_area(table, PlaceWager(command.by, patron, command.position, command.wager, command.amount))
        or above_zero(command.amount)
    )
    area = (command.position, command.wager, command.amount)
    return refusal or (WagerRequested(patron, *area, table.book.clause_of(provision), recorder_of(command)),)


@decides(NameSqueezer)
def name_squeezer(table: Table, command: NameSqueezer) -> Decision:
    provision, patron = "squeeze-permission", patron_of(command)
    refusal = (
        squeezing_time(table)
        or records(table, command, provision)
        or _may_name(table, command.hand, patron)
        or can_be_a_patron(command.person)
        or initial_deal_done(table)
        or (refuse("no-such-card", case="all-exposed") if next_face_down(table, command.hand) is None else None)
    )
    about = (patron or "", command.person, table.book.clause_of(provision))
    return refusal or (SqueezerNamed(command.hand, *about, recorder_of(command)),)


def _may_name(table: Table, hand: Hand, patron: str | None) -> Refusal | None:
    """Refuse one who neither has the hand, nor the dealing device, nor a wager in the round."""
    concerned = {table.round.handlers.get(hand), table.device, *(who for who, _, _ in table.round.stakes)}
    return None if patron and patron in concerned else refuse("not-your-cards", hand=hand.value)


@evolves(WagerRequested)
def _wager_requested(table: Table, event: WagerRequested) -> Table:
    asked = Returned(event.patron, event.position, event.wager, event.amount)
    return table.round_changed(requests=(*table.round.requests, asked))


@evolves(SqueezerNamed)
def _squeezer_named(table: Table, event: SqueezerNamed) -> Table:
    return table.round_changed(squeezers=with_entry(table.round.squeezers, event.hand, event.person))


def requested_steps(table: Table) -> Iterator[NextStep]:
    """Yield the wagers that patrons asked staff to place, as long as they can be placed."""
    for each in table.round.requests:
        wager = PlaceWager(Actor("", Role.DEALER), each.patron, each.position, each.wager, each.amount)
        if not could_be_placed(table, wager, stake_of(table, wager) + each.amount):  # no refusal
            asked: dict[str, Value] = asdict(each)
            yield step(table, "PlaceWager", provision="wager-on-behalf", values=asked, patron=each.patron, must=False)


def named_steps(table: Table) -> Iterator[NextStep]:
    """Yield that the Pit Manager may let the person squeeze whom a patron has named."""
    for hand, person in table.round.squeezers.items():
        if next_face_down(table, hand) is not None and table.round.handlers.get(hand) != person:
            asked = {"hand": hand, "patron": person}
            role, provision = Role.PIT_MANAGER, "squeeze-permission"
            yield step(table, "PermitSqueeze", role, provision, asked, hand=hand, patron=person, must=False)
