"""Method C: a patron with the dealing device, and the facts that the Dealer confirms."""

from __future__ import annotations

from punto.rules.table_of_play import INITIAL_DEAL
from punto.table.command import Command, PatronAct, Report, patron_of, recorder_of
from punto.table.event import Event, Irregularity
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, is_patron, records
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Table, with_entry, without_entry
from punto.table.visibility import Public


class PermitDrawing(Command, frozen=True):
    """Let a patron draw without a valid wager (Method C)."""

    patron: str


class GiveDevice(Command, frozen=True):
    """Give a patron the dealing device (Method C)."""

    patron: str


class AcceptDevice(PatronAct, frozen=True):
    """Accept the dealing device that the Dealer offers (Method C)."""


class GiveUpDevice(PatronAct, frozen=True):
    """Give up the dealing device (Method C)."""


class TakeBackDevice(Report, frozen=True):
    """Take the dealing device back from a patron who is not there any more (Method C)."""


class Attest(Report, frozen=True):
    """Confirm a fact that software cannot see, by its provision."""

    provision: str


class DrawingPermitted(Event, frozen=True):
    """A patron may draw without a wager."""

    in_packets = True
    patron: Public[str]
    clause: Public[str | None]


class DeviceGiven(Event, frozen=True):
    """A patron was given the dealing device."""

    in_packets = True
    patron: Public[str]
    clause: Public[str | None]


class DeviceAccepted(Event, frozen=True):
    """A patron accepted the dealing device: in words, or by drawing the first card."""

    in_packets = True
    patron: Public[str]
    clause: Public[str | None]
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class DeviceReturned(Event, frozen=True):
    """The dealing device went back to the Dealer."""

    in_packets = True
    patron: Public[str]
    clause: Public[str | None]
    recorded_by: str | None = None
    """The member of staff who recorded it on behalf of the patron; None if the patron gave it."""


class Attested(Irregularity, frozen=True):
    """A named person confirmed a fact that software cannot see."""

    in_packets = False
    provision: Public[str]
    clause: Public[str | None]
    person: Public[str]


@decides(PermitDrawing)
def permit_drawing(table: Table, command: PermitDrawing) -> Decision:
    provision = "method-c-no-wager"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or _under_method_c(table)
        or by(table, command, Role.ASSISTANT_CASINO_MANAGER, provision=provision)
        or is_patron(table, command.patron)
    )
    return refusal or (DrawingPermitted(command.patron, table.book.clause_of(provision)),)


@decides(GiveDevice)
def give_device(table: Table, command: GiveDevice) -> Decision:
    provision = "method-c-draw"
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or in_phase(table, Phase.IDLE, Phase.BETTING, Phase.CLOSED, Phase.DEALING)
        or _under_method_c(table)
        or by(table, command, Role.DEALER, provision=provision)
        or is_patron(table, command.patron)
        or (_device_elsewhere(table) if table.device else None)
    )
    return refusal or (DeviceGiven(command.patron, table.book.clause_of(provision)),)


def _under_method_c(table: Table) -> Refusal | None:
    """Refuse under Methods A and B, by which the Dealer keeps the device."""
    return None if table.set_up.method == "C" else refuse("no-handling", "device-with-dealer")


@decides(AcceptDevice)
def accept_device(table: Table, command: AcceptDevice) -> Decision:
    provision, patron = "method-c-keeps-device", patron_of(command)
    offered = patron is not None and table.device == patron
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or records(table, command, provision)
        or (None if offered else _device_elsewhere(table))
        or (refuse("already-said", provision, case="device", patron=table.device) if table.device_accepted else None)
    )
    return refusal or (accepted(table, recorder_of(command)),)


def accepted(table: Table, recorder: str | None) -> DeviceAccepted:
    """Return that the patron who was given the device accepted it."""
    assert table.device is not None
    return DeviceAccepted(table.device, table.book.clause_of("method-c-keeps-device"), recorder)


@decides(GiveUpDevice)
def give_up_device(table: Table, command: GiveUpDevice) -> Decision:
    provision = "method-c-gives-up"
    patron = patron_of(command)
    has_it = patron is not None and table.device == patron
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or records(table, command, provision)
        or (None if has_it else _device_elsewhere(table))
    )
    return refusal or (DeviceReturned(table.device or "", table.book.clause_of(provision), recorder_of(command)),)


def _device_elsewhere(table: Table) -> Refusal:
    provision = "method-c-keeps-device"
    if table.device is None:
        return refuse("device-not-held", provision, case="with-dealer")
    return refuse("device-not-held", provision, holder=table.device)


def has_no_device(table: Table, patron: str) -> Refusal:
    """Refuse a patron who does not have the device, by the rule that ended their having it if there is one."""
    ended = table.device_ended.get(patron)
    endings = (each for each in ("method-c-wager-lost", "method-c-gives-up") if table.book.clause_of(each) == ended)
    return refuse("device-not-held", next(endings, "method-c-keeps-device"), case="with-dealer")


@decides(TakeBackDevice)
def take_back_device(table: Table, command: TakeBackDevice) -> Decision:
    """Take the device back from a patron who has left, which no other rule covers: for the Gaming Shift Manager."""
    refusal = (
        is_open(table)
        or has_rule(table, "method-c")
        or by(table, command, Role.GAMING_SHIFT_MANAGER, provision="referral")
        or (None if table.device else _device_elsewhere(table))
    )
    return refusal or (DeviceReturned(table.device or "", table.book.clause_of("referral")),)


def may_draw(table: Table, patron: str) -> Refusal | None:
    """Refuse a patron who has neither a wager nor permission to draw without one."""
    if patron in table.may_draw or any(who == patron for who, _, _ in table.round.stakes):
        return None
    return refuse("no-valid-wager", "method-c-no-wager", patron=patron)


ATTESTED_BY_DEALER = ("method-c-full-view", "method-c-initial-placed", "method-c-placed")
"""Facts of Method C that software cannot see, and that the Dealer confirms."""


@decides(Attest)
def attest(table: Table, command: Attest) -> Decision:
    provision = command.provision
    refusal = (
        is_open(table)
        or (None if provision in ATTESTED_BY_DEALER else refuse("not-attestable"))
        or has_rule(table, provision)
        or in_phase(table, Phase.CLOSED, Phase.DEALING)
        or by(table, command, Role.DEALER, provision=provision)
        or (None if provision == "method-c-full-view" else _all_exposed(table))
    )
    return refusal or (Attested(provision, table.book.clause_of(provision), command.by.id),)


def _all_exposed(table: Table) -> Refusal | None:
    """Refuse while a card is face down: cards are laid in their places once they are exposed."""
    exposed = table.round.drawn >= len(INITIAL_DEAL) and table.round.all_exposed
    return None if exposed else refuse("cards-outstanding", "table-of-play")


def attested(table: Table, provision: str) -> Refusal | None:
    """Refuse unless a person has confirmed this fact of Method C."""
    return None if provision in table.round.attested else refuse("not-attested", provision)


@evolves(DrawingPermitted)
def _drawing_permitted(table: Table, event: DrawingPermitted) -> Table:
    return table.changed(may_draw=table.may_draw | {event.patron})


@evolves(DeviceGiven)
def _device_given(table: Table, event: DeviceGiven) -> Table:
    ended = without_entry(table.device_ended, event.patron)
    return table.changed(device=event.patron, device_accepted=False, device_ended=ended)


@evolves(DeviceAccepted)
def _device_accepted(table: Table, _: DeviceAccepted) -> Table:
    return table.changed(device_accepted=True)


@evolves(DeviceReturned)
def _device_returned(table: Table, event: DeviceReturned) -> Table:
    ended = with_entry(table.device_ended, event.patron, event.clause)
    return table.changed(device=None, device_accepted=False, device_ended=ended)


@evolves(Attested)
def _attested(table: Table, event: Attested) -> Table:
    return table.round_changed(attested=table.round.attested | {event.provision})
