"""Chips: the float, fills and credits, and what patrons buy in for and cash out."""

from __future__ import annotations

from msgspec.structs import replace

from punto.table.command import Command
from punto.table.event import Event
from punto.table.guards import (
    Decision,
    above_zero,
    adds_up,
    by,
    can_be_a_patron,
    has_chips,
    in_float,
    is_open,
    is_patron,
    owes_nothing,
)
from punto.table.money import Cents, Pieces
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.table import Table, with_entry


class Fill(Command, frozen=True):
    """Bring chips from the cage to the float."""

    amount: Cents
    pieces: tuple[Pieces, ...] = ()
    """The chips by denomination, where they were counted so."""
    slip: int = 0
    """The number of the slip they go with; the house fills it in."""


class Credit(Command, frozen=True):
    """Take chips from the float back to the cage."""

    amount: Cents
    pieces: tuple[Pieces, ...] = ()
    slip: int = 0


class BuyIn(Command, frozen=True):
    """A patron's money goes into the drop box, and the patron is given chips."""

    patron: str
    amount: Cents


class CashOut(Command, frozen=True):
    """A patron takes chips away from the table."""

    patron: str
    amount: Cents


class Filled(Event, frozen=True):
    """Chips came from the cage."""

    amount: Cents
    pieces: tuple[Pieces, ...] = ()
    slip: int = 0
    """The number of its slip; 0 where it was not asked for by one."""
    asked_by: str = ""
    """Who asked for it, where another person confirmed it."""


class Credited(Event, frozen=True):
    """Chips went back to the cage."""

    amount: Cents
    pieces: tuple[Pieces, ...] = ()
    slip: int = 0
    asked_by: str = ""


class BoughtIn(Event, frozen=True):
    """A patron's money went into the drop box, and the patron was given chips."""

    patron: str
    amount: Cents


class CashedOut(Event, frozen=True):
    """A patron took chips away."""

    patron: str
    amount: Cents


@decides(Fill)
def fill(table: Table, command: Fill) -> Decision:
    refusal = (
        is_open(table)
        or by(table, command, Role.PIT_MANAGER)
        or above_zero(command.amount)
        or adds_up(command.pieces, command.amount)
    )
    return refusal or (Filled(command.amount, command.pieces, command.slip, _asked_by(command)),)


@decides(Credit)
def credit(table: Table, command: Credit) -> Decision:
    refusal = (
        is_open(table)
        or by(table, command, Role.PIT_MANAGER)
        or above_zero(command.amount)
        or adds_up(command.pieces, command.amount)
        or in_float(table, command.amount)
    )
    return refusal or (Credited(command.amount, command.pieces, command.slip, _asked_by(command)),)


def _asked_by(command: Fill | Credit) -> str:
    """Return who asked for chips by a slip: the person who confirms it brings the event about."""
    return command.by.id if command.slip else ""


@decides(BuyIn)
def buy_in(table: Table, command: BuyIn) -> Decision:
    refusal = (
        is_open(table)
        or by(table, command, Role.DEALER)
        or can_be_a_patron(command.patron)
        or above_zero(command.amount)
        or in_float(table, command.amount)
    )
    return refusal or (BoughtIn(command.patron, command.amount),)


@decides(CashOut)
def cash_out(table: Table, command: CashOut) -> Decision:
    """Let a patron take chips away who owes the house nothing: a debt is paid first, by an act of its own (R63)."""
    refusal = (
        is_open(table)
        or by(table, command, Role.DEALER)
        or is_patron(table, command.patron)
        or above_zero(command.amount)
        or owes_nothing(table, command.patron)
        or has_chips(table, command.patron, command.amount)
    )
    return refusal or (CashedOut(command.patron, command.amount),)


@evolves(Filled)
def _filled(table: Table, event: Filled) -> Table:
    return table.changed(float_=table.float_ + event.amount)


@evolves(Credited)
def _credited(table: Table, event: Credited) -> Table:
    return table.changed(float_=table.float_ - event.amount)


@evolves(BoughtIn)
def _bought_in(table: Table, event: BoughtIn) -> Table:
    chips = table.chips_after(event.patron, event.amount)
    return brought(table, event.patron, event.amount).changed(float_=table.float_ - event.amount, chips=chips)


@evolves(CashedOut)
def _cashed_out(table: Table, event: CashedOut) -> Table:
    chips = table.chips_after(event.patron, -event.amount)
    return brought(table, event.patron, -event.amount).changed(chips=chips)


def brought(table: Table, patron: str, amount: int) -> Table:
    """Return the table with an amount that a patron brought, or took away, left out of their losses."""
    if allowance := table.allowances.get(patron):
        counted = replace(allowance, brought=allowance.brought + amount)
        table = table.changed(allowances=with_entry(table.allowances, patron, counted))
    own = table.own_limits.get(patron)
    if own is None:
        return table
    return table.changed(own_limits=with_entry(table.own_limits, patron, replace(own, brought=own.brought + amount)))
