"""Opening and closing a table, its float, patrons' chips, limits, method, people acting in a position, the shoe."""

from __future__ import annotations

from collections.abc import Mapping

from punto.rules.rulebook import Rulebook
from punto.table.commands import (
    AppointActing,
    BuyIn,
    CashOut,
    ChangeLimits,
    ChangeMethod,
    CloseTable,
    Credit,
    EndActing,
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
    ShoeLoaded,
    TableClosed,
    TableOpened,
)
from punto.table.guards import (
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
)
from punto.table.refusals import Refusal, refuse
from punto.table.roles import Role
from punto.table.setting import Limits, Setting
from punto.table.state import Phase, Table

MOST_WAGERS_IN_AN_AREA = 3


def open_table(table: Table, command: OpenTable) -> Decision:
    refusal = (
        (None if table.phase is Phase.SHUT else refuse("table-open"))
        or by(table, command, Role.PIT_MANAGER)
        or (None if command.float_ >= 0 else refuse("bad-amount", amount=command.float_))
        or _fits(table.book, command.setting)
    )
    return refusal or (TableOpened(table.book.key, table.book.digest, command.setting, command.float_),)


def _fits(book: Rulebook, setting: Setting) -> Refusal | None:
    """The setting asks for nothing that the game, its layout or exact payment forbid."""
    layout = next((layout for layout in book.layouts if layout.name == setting.layout), None)
    if layout is None:
        return refuse("bad-setting", "layouts", why=f"there is no layout {setting.layout}")
    allowed = layout.positions
    if setting.positions < 1 or (allowed and not allowed.fewest <= setting.positions <= allowed.most):
        return refuse(
            "bad-setting", "layouts", why=f"{layout.name} is not available with {setting.positions} positions"
        )
    if not book.decks.fewest <= setting.decks <= book.decks.most:
        return refuse("bad-setting", "decks", why=f"{setting.decks} decks")
    if setting.stake_step < 1 or not _pays_exactly(book, setting.stake_step):
        return refuse("bad-setting", why=f"stakes in steps of {setting.stake_step} do not pay out in whole cents")
    if setting.hlga and not book.hlga:
        return refuse("bad-setting", why="the game's rules have no HLGA")
    if setting.differential is not None and (book.differential is None or setting.differential < 0):
        return refuse("bad-setting", why="there can be no such table differential")
    if not 1 <= setting.area_capacity <= MOST_WAGERS_IN_AN_AREA:
        return refuse("bad-setting", "area-capacity", why=f"{setting.area_capacity} wagers in a playing area")
    return _limits_fit(book, setting, setting.limits, whole=True) or _method_fits(book, setting, setting.method)


def _pays_exactly(book: Rulebook, step: int) -> bool:
    """Whether every line pays whole cents on every stake in these steps (reading R16)."""
    lines = (line for wager in book.wagers for line in wager.lines)
    return all((step * part).denominator == 1 for line in lines for part in (line.pays, line.commission))


def _limits_fit(book: Rulebook, setting: Setting, limits: Mapping[str, Limits], whole: bool) -> Refusal | None:
    names = {wager.name for wager in book.wagers}
    if unknown := set(limits) - names:
        return refuse("bad-limits", "available-wagers", why=f"the game has no wager {min(unknown)}")
    if whole and (missing := names - set(limits)):
        return refuse("bad-limits", "limits", why=f"{min(missing)} has none")
    for name, limit in limits.items():
        if not 0 < limit.minimum <= limit.maximum:
            return refuse("bad-limits", "limits", why=f"{name} from {limit.minimum} to {limit.maximum}")
        if limit.minimum % setting.stake_step or limit.maximum % setting.stake_step:
            return refuse("bad-limits", why=f"{name} is not in steps of {setting.stake_step}")
    return None


def _method_fits(book: Rulebook, setting: Setting, name: str | None) -> Refusal | None:
    if not book.methods and name is None:
        return None
    method = next((method for method in book.methods if method.name == name), None)
    if method is None:
        return refuse("method-not-allowed", "methods", method=name, why="the game's rules do not have it")
    if method.hlga_only and not setting.hlga:
        return refuse("method-not-allowed", "method-choice", method=name, why="it is for the HLGA only")
    if method.device and method.device != setting.device:
        return refuse("method-not-allowed", "method-c-draw", method=name, why=f"it needs a {method.device} device")
    return None


def close_table(table: Table, command: CloseTable) -> Decision:
    refusal = (
        in_phase(table, Phase.IDLE)
        or by(table, command, Role.PIT_MANAGER)
        or (refuse("chips-outstanding") if any(table.chips.values()) else None)
        or (None if command.counted >= 0 else refuse("bad-amount", amount=command.counted))
    )
    there = table.float_ + table.commission
    return refusal or (TableClosed(command.counted, table.float_, table.commission, command.counted - there),)


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
        or _limits_fit(table.book, table.set_up, command.limits, whole=False)
    )
    return refusal or (LimitsChanged(command.limits),)


def change_method(table: Table, command: ChangeMethod) -> Decision:
    """Methods A and B are the Pit Manager's to choose, between rounds; Method C an Assistant Casino Manager's."""
    chosen = next((method for method in table.book.methods if method.name == command.method), None)
    needed = Role(chosen.chosen_by) if chosen else Role.PIT_MANAGER
    refusal = (
        is_open(table)
        or has_rule(table, "method-choice")
        or in_phase(table, Phase.IDLE)
        or by(table, command, needed, provision="method-choice")
        or _method_fits(table.book, table.set_up, command.method)
    )
    return refusal or (MethodChanged(command.method, table.book.cited("method-choice")),)


def restrict_area(table: Table, command: RestrictArea) -> Decision:
    refusal = (
        is_open(table)
        or has_rule(table, "area-capacity-lowered")
        or in_phase(table, Phase.IDLE)
        or by(table, command, Role.PIT_MANAGER, provision="area-capacity-lowered")
        or _lower(command.capacity)
    )
    return refusal or (AreaRestricted(command.capacity, table.book.cited("area-capacity-lowered")),)


def _lower(capacity: int) -> Refusal | None:
    if 1 <= capacity <= MOST_WAGERS_IN_AN_AREA:
        return None
    return refuse("bad-capacity", "area-capacity-lowered", capacity=capacity)


def appoint_acting(table: Table, command: AppointActing) -> Decision:
    """Someone who could do the work himself appoints another to act in the position."""
    timed, now = command.until is not None, command.at
    refusal = (
        is_open(table)
        or by(table, command, command.role, provision="acting-up")
        or (refuse("no-clock") if timed and now is None else None)
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
        or by(table, command, Role.DEALER)
        or (refuse("shoe-in-use") if table.shoe else None)
    )
    return refusal or (ShoeLoaded(command.shoe, table.set_up.decks),)
