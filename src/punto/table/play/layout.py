"""Wagers on the layout: where they may lie, how much, and what changes when they do."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from msgspec.structs import replace

from punto.table.guards import above_zero
from punto.table.refusal import Refusal, refuse
from punto.table.round import Area, Stake
from punto.table.setting_checks import MOST_WAGERS_IN_AN_AREA
from punto.table.settings import Setting
from punto.table.table import Table, with_entry, without_entry


class OnArea(Protocol):
    """A command about one playing area of a patron."""

    @property
    def patron(self) -> str: ...
    @property
    def position(self) -> int: ...
    @property
    def wager(self) -> str: ...


class AmountOnArea(OnArea, Protocol):
    """A command, or an event, about an amount on one playing area of a patron."""

    @property
    def amount(self) -> int: ...


def stake_of(table: Table, command: OnArea) -> int:
    """Return what the patron has on that area."""
    stake = table.round.stakes.get((command.patron, command.position, command.wager))
    return stake.amount if stake else 0


def names_an_area(table: Table, command: OnArea) -> Refusal | None:
    setting = table.set_up
    if not 1 <= command.position <= setting.positions:
        return refuse("unknown-position", position=command.position, positions=setting.positions)
    if command.wager not in setting.limits:
        return refuse("unknown-wager", "available-wagers", wager=command.wager)
    return None


def in_steps(table: Table, amount: int) -> Refusal | None:
    step = table.set_up.stake_step
    return refuse("off-step", step=step, amount=amount) if amount % step else None


def room_in_area(table: Table, command: OnArea) -> Refusal | None:
    """Refuse more wagers of different patrons than an area takes (reading R6); adding to one is an increase (R25)."""
    return room_among(table.round.stakes, table.set_up, command)


def room_among(areas: Collection[Area], setting: Setting, command: OnArea) -> Refusal | None:
    """Refuse one more wager among those on these areas than an area takes by a setting."""
    place, name, own = command.position, command.wager, command.patron
    capacity = setting.capacity_at(place, name)
    if capacity is None or len(areas) < capacity:
        return None
    others = [patron for patron, at, wager in areas if at == place and wager == name and patron != own]
    if len(others) < capacity:
        return None
    lowered = len(others) < MOST_WAGERS_IN_AN_AREA
    provision = "area-capacity-lowered" if lowered else "area-capacity"
    return refuse("area-full", provision, wager=command.wager, position=command.position, capacity=capacity)


def within_limits(table: Table, wager: str, total: int) -> Refusal | None:
    limits = table.set_up.limits[wager]
    if total < limits.minimum:
        return refuse("under-minimum", "limits", wager=wager, minimum=limits.minimum, amount=total)
    if total > limits.maximum:
        return refuse("over-maximum", "limits", wager=wager, maximum=limits.maximum, amount=total)
    return None


def lies_there(table: Table, command: OnArea, amount: int) -> Refusal | None:
    lies = stake_of(table, command)
    if lies and lies >= amount:
        return None
    return refuse("no-such-stake", patron=command.patron, amount=lies, wager=command.wager, position=command.position)


def can_come_off(table: Table, command: AmountOnArea) -> Refusal | None:
    """Refuse unless this much lies there, and what is left is nothing or no less than could be placed.

    A wager found over the maximum may be lowered by what is needed: it does not come over it by that.
    """
    refusal = above_zero(command.amount) or lies_there(table, command, command.amount)
    left = stake_of(table, command) - command.amount
    if refusal or not left:
        return refusal
    return in_steps(table, left) or within_limits(table, command.wager, min(left, _maximum(table, command)))


def _maximum(table: Table, command: OnArea) -> int:
    return table.set_up.limits[command.wager].maximum


class LoweredTo(AmountOnArea, Protocol):
    """An event that left less on a playing area."""

    @property
    def total(self) -> int: ...


def lower(table: Table, event: LoweredTo) -> Table:
    """Take an amount off a playing area and give it back to its patron."""
    area: Area = (event.patron, event.position, event.wager)
    left = Stake(event.total, table.steps, min(event.total, table.round.stakes[area].found))
    stakes = with_entry(table.round.stakes, area, left) if event.total else without_entry(table.round.stakes, area)
    redate(stakes, event.patron, {event.wager}, table.steps)
    return table.changed(round=table.round.changed(stakes=stakes), chips=table.chips_after(event.patron, event.amount))


def redate(stakes: dict[Area, Stake], patron: str, wagers: set[str], step: int) -> None:
    """Date all that the patron has on these wagers to this step, wherever it lies (reading R19)."""
    for area in stakes:
        if area[0] == patron and area[2] in wagers:
            stakes[area] = replace(stakes[area], reached=step)
