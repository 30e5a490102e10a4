"""Whether a setting fits the game: its layout, decks, limits, method, and payment in whole cents."""

from __future__ import annotations

from collections.abc import Mapping

from punto.formatting import money
from punto.rules.rulebook import Rulebook
from punto.table.guards import MOST
from punto.table.refusal import Refusal, refuse
from punto.table.roles import STAFF, Role
from punto.table.settings import Device, Limits, Setting

MOST_WAGERS_IN_AN_AREA = 3
MOST_POSITIONS = 100
"""Where the layout leaves their number to the house."""


def fits(book: Rulebook, setting: Setting) -> Refusal | None:
    """The setting asks for nothing that the game, its layout or exact payment forbid."""
    return (
        _is_sound(setting)
        or _layout_fits(book, setting)
        or _house_fits(book, setting)
        or limits_fit(book, setting, setting.limits, whole=True)
        or method_fits(book, setting, setting.method)
    )


def _is_sound(setting: Setting) -> Refusal | None:
    """Its numbers are whole and of sensible size, and what it names exists."""
    limits = (number for limit in setting.limits.values() for number in (limit.minimum, limit.maximum))
    optional = (setting.differential, setting.betting_seconds, setting.answer_seconds)
    numbers = (setting.positions, setting.stake_step, setting.decks, setting.area_capacity, *limits)
    given = (*numbers, *(number for number in optional if number is not None))
    if not all(type(number) is int and 0 <= number < MOST for number in given):
        return refuse("bad-setting", why="its numbers must be whole, and none below zero or beyond all measure")
    if setting.confirms not in STAFF or not isinstance(setting.device, Device):
        return refuse("bad-setting", why="there is no such position or dealing device")
    return None


def _layout_fits(book: Rulebook, setting: Setting) -> Refusal | None:
    layout = next((layout for layout in book.layouts if layout.name == setting.layout), None)
    if layout is None:
        return refuse("bad-setting", "layouts", why=f"there is no layout {setting.layout}")
    fewest, most = (layout.positions.fewest, layout.positions.most) if layout.positions else (1, MOST_POSITIONS)
    if fewest <= setting.positions <= most:
        return None
    return refuse("bad-setting", "layouts", why=f"{layout.name} is not available with {setting.positions} positions")


def _house_fits(book: Rulebook, setting: Setting) -> Refusal | None:
    """What the house chooses keeps within the rules."""
    fewest, most = book.decks.fewest, book.decks.most
    if not fewest <= setting.decks <= most:
        return refuse("bad-setting", "decks", why=f"{setting.decks} decks, where there may be {fewest} to {most}")
    if setting.stake_step < 1 or not _pays_exactly(book, setting.stake_step):
        return refuse("bad-setting", why=f"stakes in steps of {setting.stake_step} cents do not pay out in whole cents")
    if setting.hlga and not book.hlga:
        return refuse("bad-setting", why="the game's rules have no HLGA")
    if setting.differential is not None and book.differential is None:
        return refuse("bad-setting", why="there can be no such table differential")
    if not 1 <= setting.area_capacity <= MOST_WAGERS_IN_AN_AREA:
        return refuse("bad-setting", "area-capacity", why=f"{setting.area_capacity} wagers in a playing area")
    return None


def _pays_exactly(book: Rulebook, step: int) -> bool:
    """Whether every line pays whole cents on every stake in these steps (reading R16)."""
    lines = (line for wager in book.wagers for line in wager.lines)
    return all((step * part).denominator == 1 for line in lines for part in (line.pays, line.commission))


def limits_fit(book: Rulebook, setting: Setting, limits: Mapping[str, Limits], whole: bool) -> Refusal | None:
    if not limits:
        return refuse("bad-limits", "limits", why="there are none")
    names = {wager.name for wager in book.wagers}
    if unknown := set(limits) - names:
        return refuse("bad-limits", "available-wagers", why=f"the game has no wager {min(unknown)}")
    if whole and (missing := names - set(limits)):
        return refuse("bad-limits", "limits", why=f"{min(missing)} has none")
    for name, limit in limits.items():
        if not 0 < limit.minimum <= limit.maximum < MOST:
            return refuse("bad-limits", "limits", why=f"{name} from {money(limit.minimum)} to {money(limit.maximum)}")
        if limit.minimum % setting.stake_step or limit.maximum % setting.stake_step:
            return refuse("bad-limits", why=f"{name} is not in steps of {money(setting.stake_step)}")
    return None


def method_fits(book: Rulebook, setting: Setting, name: str | None) -> Refusal | None:
    if not book.methods and name is None:
        return None
    method = book.method(name)
    if method is None:
        return refuse("method-not-allowed", "methods", method=name, why="the game's rules do not have it")
    if method.hlga_only and not setting.hlga:
        return refuse("method-not-allowed", "method-choice", method=name, why="it is for the HLGA only")
    if method.device and method.device != setting.device:
        return refuse("method-not-allowed", "method-c-draw", method=name, why=f"it needs a {method.device} device")
    return None


def chosen_by(book: Rulebook, method: str | None) -> Role:
    """Whose choice a method is."""
    chosen = book.method(method)
    return Role(chosen.chosen_by) if chosen else Role.PIT_MANAGER


def capacity_fits(capacity: int) -> Refusal | None:
    if 1 <= capacity <= MOST_WAGERS_IN_AN_AREA:
        return None
    return refuse("bad-capacity", "area-capacity-lowered", capacity=capacity)
