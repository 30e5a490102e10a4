"""Opening and closing a table, its limits, its method, its playing areas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from punto.table.command import Command
from punto.table.event import Event
from punto.table.guards import Decision, adds_up, by, has_rule, in_phase, is_open, not_held
from punto.table.money import Cents, Pieces
from punto.table.play.appointments import AppointActing, EndActing
from punto.table.play.debts import SettleDebt
from punto.table.play.duty import AnswerCall, CallPit, SignOff, SignOn
from punto.table.play.loss_limits import at_closing
from punto.table.play.shoes import ShoeEnded
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.setting_checks import as_opened, capacity_fits, caps_reach, chosen_by, fits, limits_fit, method_fits
from punto.table.settings import AreaLimit, Limits, Setting
from punto.table.table import Table
from punto.table.visibility import Public


class OpenTable(Command, frozen=True):
    """Open the table with this setting and this float."""

    setting: Setting
    float_: Cents
    pieces: tuple[Pieces, ...] = ()
    """The chips of the float by denomination, where they were counted so."""


class CloseTable(Command, frozen=True):
    """Close the table; ``counted`` is what its float was counted to hold."""

    counted: Cents
    pieces: tuple[Pieces, ...] = ()
    """The chips by denomination, where they were counted so."""


class BeginCount(Command, frozen=True):
    """Begin the count that closes the table: until it is entered, staff are not shown what the books expect."""


class DropCount(Command, frozen=True):
    """Drop the count that was begun: the table stays open."""


class ChangeLimits(Command, frozen=True):
    """Change the limits of some wagers, between rounds."""

    limits: Mapping[str, Limits]


class ChangeMethod(Command, frozen=True):
    """Deal by another method from the next round on."""

    method: str


class RestrictArea(Command, frozen=True):
    """Let playing areas take fewer wagers than the rules allow: all of them, or a wager at a position."""

    capacity: int
    wager: str | None = None
    position: int | None = None


class TableOpened(Event, frozen=True):
    """The table was opened, with which game, which text of its rules, and which setting."""

    game: Public[str]
    digest: Public[str]
    setting: Public[Setting]
    float_: Cents
    pieces: tuple[Pieces, ...] = ()


class TableClosed(Event, frozen=True):
    """The table was closed and its chips counted."""

    announced: ClassVar[bool] = True
    counted: Cents
    float_: Cents
    commission: Cents
    difference: Cents
    """What the count found above what the books say is there; below, if negative."""
    pieces: tuple[Pieces, ...] = ()
    """The chips by denomination, where they were counted so."""


class CountBegun(Event, frozen=True):
    """The chips of the table are being counted."""

    counted_by: str


class CountDropped(Event, frozen=True):
    """The count was dropped, and the table stays open."""


class LimitsChanged(Event, frozen=True):
    """Some wagers have other limits from now on."""

    limits: Public[Mapping[str, Limits]]
    before: Mapping[str, Limits] | None = None
    """Of the same wagers until then; older events do not say it."""


class MethodChanged(Event, frozen=True):
    """The next rounds are dealt by another method."""

    method: Public[str]
    clause: Public[str | None]
    before: str | None = None
    """The method until then; older events do not say it."""


class AreaRestricted(Event, frozen=True):
    """Playing areas take fewer wagers from now on: all of them, or one."""

    capacity: Public[int]
    clause: Public[str | None]
    wager: Public[str | None] = None
    position: Public[int | None] = None
    before: int | None = None
    """How many there were until then; older events do not say it."""


@decides(OpenTable)
def open_table(table: Table, command: OpenTable) -> Decision:
    refusal = (
        (None if table.phase is Phase.SHUT else refuse("table-open"))
        or by(table, command, Role.PIT_MANAGER)
        or (None if command.float_ >= 0 else refuse("bad-amount", amount=command.float_))
        or adds_up(command.pieces, command.float_)
        or fits(table.book, command.setting)
        or by(table, command, chosen_by(table.book, command.setting.method), provision="method-choice")
    )
    if refusal:
        return refusal
    setting = as_opened(table.book, command.setting)
    return (TableOpened(table.book.key, table.book.digest, setting, command.float_, command.pieces),)


@decides(CloseTable)
def close_table(table: Table, command: CloseTable) -> Decision:
    refusal = (
        _can_be_counted(table, command)
        or (None if command.counted >= 0 else refuse("bad-amount", amount=command.counted))
        or adds_up(command.pieces, command.counted)
    )
    if refusal:
        return refusal
    there = table.float_ + table.commission
    closed = TableClosed(command.counted, table.float_, table.commission, command.counted - there, command.pieces)
    return (ShoeEnded(table.shoe.name, "closing"), closed) if table.shoe else (closed,)


def _can_be_counted(table: Table, command: Command) -> Refusal | None:
    return (
        in_phase(table, Phase.IDLE)
        or not_held(table)
        or by(table, command, Role.PIT_MANAGER)
        or (refuse("chips-outstanding") if any(table.chips.values()) else None)
    )


@decides(BeginCount)
def begin_count(table: Table, command: BeginCount) -> Decision:
    return _can_be_counted(table, command) or (CountBegun(command.by.id),)


@decides(DropCount)
def drop_count(table: Table, command: DropCount) -> Decision:
    """Let any Pit Manager go back to play, not only the one who counts."""
    refusal = is_open(table) or by(table, command, Role.PIT_MANAGER) or (None if table.counting else refuse("no-count"))
    return refusal or (CountDropped(),)


_DURING_A_COUNT = (CloseTable, DropCount, AppointActing, EndActing, CallPit, AnswerCall, SignOn, SignOff, SettleDebt)
"""What moves no chips of the table, or ends the count."""


def no_count(table: Table, command: Command) -> Refusal | None:
    """Refuse, while the chips of a table are counted, what could move them or tell of them."""
    free = table.counting is None or isinstance(command, _DURING_A_COUNT)
    return None if free else refuse("count-under-way")


@decides(ChangeLimits)
def change_limits(table: Table, command: ChangeLimits) -> Decision:
    refusal = (
        in_phase(table, Phase.IDLE)
        or by(table, command, Role.PIT_MANAGER)
        or limits_fit(table.book, table.set_up, command.limits, whole=False)
        or caps_reach(table.book, table.set_up.payout_caps, command.limits)
    )
    if refusal:
        return refusal
    before = {wager: table.set_up.limits[wager] for wager in command.limits}
    return (LimitsChanged(dict(command.limits), before),)


@decides(ChangeMethod)
def change_method(table: Table, command: ChangeMethod) -> Decision:
    """Change the method between rounds: A and B are the Pit Manager's to choose, C an Assistant Casino Manager's."""
    needed = chosen_by(table.book, command.method)
    refusal = (
        is_open(table)
        or has_rule(table, "method-choice")
        or in_phase(table, Phase.IDLE, provision="method-choice")
        or by(table, command, needed, provision="method-choice")
        or method_fits(table.book, table.set_up, command.method)
    )
    if refusal:
        return refusal
    return (MethodChanged(command.method, table.book.clause_of("method-choice"), table.set_up.method),)


@decides(RestrictArea)
def restrict_area(table: Table, command: RestrictArea) -> Decision:
    """Restrict playing areas between rounds (reading R55); without a rule about them the house does as it likes."""
    provision = "area-capacity-lowered"
    refusal = (
        in_phase(table, Phase.IDLE)
        or by(table, command, Role.PIT_MANAGER, provision=provision)
        or _is_an_area(table, command)
        or capacity_fits(table.book, command.capacity)
    )
    if refusal:
        return refusal
    clause, setting = table.book.clause_of(provision), table.set_up
    wager, position = command.wager, command.position
    one = wager is not None and position is not None
    before = setting.capacity_at(position or 0, wager or "") if one else setting.area_capacity
    return (AreaRestricted(command.capacity, clause, wager, position, before),)


def _is_an_area(table: Table, command: RestrictArea) -> Refusal | None:
    """Refuse the name of half an area, or of one that is not on the layout."""
    wager, position = command.wager, command.position
    if wager is None and position is None:
        return None
    if wager is None or wager not in table.set_up.limits:
        return refuse("unknown-wager", "available-wagers", wager=wager or "")
    if position is None or not 1 <= position <= table.set_up.positions:
        return refuse("unknown-position", position=position or 0, positions=table.set_up.positions)
    return None


@evolves(TableOpened)
def _opened(table: Table, event: TableOpened) -> Table:
    kept = _closed(table, event)
    return kept.changed(setting=event.setting, float_=event.float_)


@evolves(TableClosed)
def _closed(table: Table, _: Event) -> Table:
    owed = {patron: amount for patron, amount in table.owed.items() if amount}
    return Table(
        table.book,
        round_number=table.round_number,
        owed=owed,
        own_limits=table.own_limits,
        allowances=at_closing(table),
        labels=table.labels,
    )


@evolves(CountBegun)
def _count_begun(table: Table, event: CountBegun) -> Table:
    return table.changed(counting=event.counted_by)


@evolves(CountDropped)
def _count_dropped(table: Table, _: CountDropped) -> Table:
    return table.changed(counting=None)


@evolves(LimitsChanged)
def _limits_changed(table: Table, event: LimitsChanged) -> Table:
    return table.set_to(limits={**table.set_up.limits, **event.limits})


@evolves(MethodChanged)
def _method_changed(table: Table, event: MethodChanged) -> Table:
    return table.changed(setting=replace(table.set_up, method=event.method), device=None, device_accepted=False)


@evolves(AreaRestricted)
def _area_restricted(table: Table, event: AreaRestricted) -> Table:
    """An order for all areas replaces those for single ones."""
    if event.wager is None or event.position is None:
        return table.set_to(area_capacity=event.capacity, restricted=())
    area = event.position, event.wager
    others = (each for each in table.set_up.restricted if (each.position, each.wager) != area)
    return table.set_to(restricted=(*others, AreaLimit(*area, event.capacity)))
