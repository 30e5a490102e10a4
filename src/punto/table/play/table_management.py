"""Opening and closing a table, its float, patrons' chips, limits, method, people acting in a position, the shoe."""

from __future__ import annotations

from msgspec.structs import replace

from punto.table.commands import (
    AppointActing,
    BuyIn,
    CashOut,
    ChangeLimits,
    ChangeMethod,
    CloseTable,
    Credit,
    EndActing,
    EndShoe,
    Fill,
    LoadShoe,
    OpenTable,
    RestrictArea,
)
from punto.table.events import (
    ActingAppointed,
    ActingEnded,
    AreaRestricted,
    BoughtIn,
    CashedOut,
    Credited,
    Filled,
    LimitsChanged,
    MethodChanged,
    ShoeEnded,
    ShoeLoaded,
    TableClosed,
    TableOpened,
)
from punto.table.guards import (
    MOST,
    Decision,
    above_zero,
    by,
    can_be_a_patron,
    has_chips,
    has_rule,
    in_float,
    in_phase,
    is_open,
    is_patron,
    not_held,
)
from punto.table.refusal import refuse
from punto.table.roles import Role
from punto.table.setting_checks import capacity_fits, chosen_by, fits, limits_fit, method_fits
from punto.table.state import Phase, Table


def open_table(table: Table, command: OpenTable) -> Decision:
    refusal = (
        (None if table.phase is Phase.SHUT else refuse("table-open"))
        or by(table, command, Role.PIT_MANAGER)
        or (None if command.float_ >= 0 else refuse("bad-amount", amount=command.float_))
        or fits(table.book, command.setting)
        or by(table, command, chosen_by(table.book, command.setting.method), provision="method-choice")
    )
    if refusal:
        return refusal
    setting = replace(command.setting, limits=dict(command.setting.limits))
    return (TableOpened(table.book.key, table.book.digest, setting, command.float_),)


def close_table(table: Table, command: CloseTable) -> Decision:
    refusal = (
        in_phase(table, Phase.IDLE)
        or not_held(table)
        or by(table, command, Role.PIT_MANAGER)
        or (refuse("chips-outstanding") if any(table.chips.values()) else None)
        or (None if command.counted >= 0 else refuse("bad-amount", amount=command.counted))
    )
    if refusal:
        return refusal
    there = table.float_ + table.commission
    closed = TableClosed(command.counted, table.float_, table.commission, command.counted - there)
    return (ShoeEnded(table.shoe.name, "closing"), closed) if table.shoe else (closed,)


def fill(table: Table, command: Fill) -> Decision:
    refusal = is_open(table) or by(table, command, Role.PIT_MANAGER) or above_zero(command.amount)
    return refusal or (Filled(command.amount),)


def credit(table: Table, command: Credit) -> Decision:
    refusal = (
        is_open(table)
        or by(table, command, Role.PIT_MANAGER)
        or above_zero(command.amount)
        or in_float(table, command.amount)
    )
    return refusal or (Credited(command.amount),)


def buy_in(table: Table, command: BuyIn) -> Decision:
    refusal = (
        is_open(table)
        or by(table, command, Role.DEALER)
        or can_be_a_patron(command.patron)
        or above_zero(command.amount)
        or in_float(table, command.amount)
    )
    return refusal or (BoughtIn(command.patron, command.amount),)


def cash_out(table: Table, command: CashOut) -> Decision:
    refusal = (
        is_open(table)
        or by(table, command, Role.DEALER)
        or is_patron(table, command.patron)
        or above_zero(command.amount)
        or has_chips(table, command.patron, command.amount)
    )
    return refusal or (CashedOut(command.patron, command.amount),)


def change_limits(table: Table, command: ChangeLimits) -> Decision:
    refusal = (
        in_phase(table, Phase.IDLE)
        or by(table, command, Role.PIT_MANAGER)
        or limits_fit(table.book, table.set_up, command.limits, whole=False)
    )
    return refusal or (LimitsChanged(dict(command.limits)),)


def change_method(table: Table, command: ChangeMethod) -> Decision:
    """Methods A and B are the Pit Manager's to choose, between rounds; Method C an Assistant Casino Manager's."""
    needed = chosen_by(table.book, command.method)
    refusal = (
        is_open(table)
        or has_rule(table, "method-choice")
        or in_phase(table, Phase.IDLE)
        or by(table, command, needed, provision="method-choice")
        or method_fits(table.book, table.set_up, command.method)
    )
    return refusal or (MethodChanged(command.method, table.book.clause_of("method-choice")),)


def restrict_area(table: Table, command: RestrictArea) -> Decision:
    refusal = (
        is_open(table)
        or has_rule(table, "area-capacity-lowered")
        or in_phase(table, Phase.IDLE)
        or by(table, command, Role.PIT_MANAGER, provision="area-capacity-lowered")
        or capacity_fits(command.capacity)
    )
    return refusal or (AreaRestricted(command.capacity, table.book.clause_of("area-capacity-lowered")),)


def appoint_acting(table: Table, command: AppointActing) -> Decision:
    """Someone who could do the work himself appoints another to act in the position."""
    timed, now = command.until is not None, command.at
    refusal = (
        is_open(table)
        or by(table, command, command.role, provision="acting-up")
        or (refuse("not-staff") if command.person in table.chips or command.role is Role.PATRON else None)
        or (refuse("no-clock") if timed and now is None else None)
        or (refuse("already-over") if now is not None and (command.until or MOST) <= now else None)
    )
    return refusal or (ActingAppointed(command.person, command.role, command.by.id, now, command.until),)


def end_acting(table: Table, command: EndActing) -> Decision:
    acting = (command.person, command.role) in table.acting
    refusal = (
        is_open(table)
        or by(table, command, command.role, provision="acting-up")
        or (None if acting else refuse("not-acting", person=command.person, role=command.role.value))
    )
    return refusal or (ActingEnded(command.person, command.role),)


def load_shoe(table: Table, command: LoadShoe) -> Decision:
    refusal = (
        in_phase(table, Phase.IDLE)
        or not_held(table)
        or by(table, command, Role.DEALER)
        or (refuse("shoe-in-use") if table.shoe else None)
    )
    return refusal or (ShoeLoaded(command.shoe, table.set_up.decks),)


def end_shoe(table: Table, command: EndShoe) -> Decision:
    """When shoes are changed is the house's to say (reading R17)."""
    refusal = (
        in_phase(table, Phase.IDLE)
        or not_held(table)
        or by(table, command, table.set_up.confirms)
        or (None if table.shoe else refuse("no-shoe"))
    )
    if refusal:
        return refusal
    assert table.shoe is not None
    return (ShoeEnded(table.shoe.name, "house"),)
