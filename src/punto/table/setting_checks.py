"""Whether a setting fits the game: its layout, decks, limits, method, and payment in whole cents."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from punto.cards import DECK
from punto.rules.deal_counts import LONGEST_COUP
from punto.rules.rulebook import Rulebook
from punto.rules.settlement import pay
from punto.table.guards import MOST
from punto.table.refusal import Refusal, refuse
from punto.table.roles import STAFF, Role
from punto.table.settings import Device, Limits, PayoutCap, Setting

MOST_WAGERS_IN_AN_AREA = 3
MOST_POSITIONS = 100
MOST_SQUEEZING = 600
"""Seconds: cards that a patron does not turn hold up the table no longer."""
"""Where the layout leaves their number to the house."""


def as_opened(book: Rulebook, setting: Setting) -> Setting:
    """Return a setting with what follows from the game and from other choices filled in."""
    capacity = setting.area_capacity
    if capacity is None and book.clauses_of("area-capacity"):
        capacity = MOST_WAGERS_IN_AN_AREA
    hlga = setting.hlga or setting.room is not None
    return replace(setting, limits=dict(setting.limits), area_capacity=capacity, hlga=hlga)


def fits(book: Rulebook, setting: Setting) -> Refusal | None:
    """Refuse what the game, its layout or exact payment forbid."""
    return (
        _is_sound(setting)
        or _layout_fits(book, setting)
        or _house_fits(book, setting)
        or limits_fit(book, setting, setting.limits, whole=True)
        or caps_reach(book, setting.payout_caps, setting.limits)
        or method_fits(book, setting, setting.method)
    )


def _is_sound(setting: Setting) -> Refusal | None:
    """Refuse numbers that are not whole or not of sensible size, and names of nothing."""
    limits = (number for limit in setting.limits.values() for number in (limit.minimum, limit.maximum))
    burnt = setting.burn.cards if setting.burn else None
    seconds = (setting.betting_seconds, setting.answer_seconds, setting.second_person_seconds, setting.squeeze_seconds)
    caps = tuple(cap.amount for cap in setting.payout_caps)
    optional = (setting.differential, setting.area_capacity, setting.second_person_above, burnt, *seconds, *caps)
    areas = (number for area in setting.restricted for number in (area.position, area.capacity))
    numbers = (setting.positions, setting.stake_step, setting.decks, *areas, *limits)
    given = (*numbers, *(number for number in optional if number is not None))
    if not all(type(number) is int and 0 <= number < MOST for number in given):
        return refuse("bad-setting", case="numbers")
    if setting.squeeze_seconds > MOST_SQUEEZING:
        return refuse("bad-setting", case="squeeze-time", most=MOST_SQUEEZING)
    if setting.confirms not in STAFF or not isinstance(setting.device, Device):
        return refuse("bad-setting", case="position-or-device")
    return None


def _layout_fits(book: Rulebook, setting: Setting) -> Refusal | None:
    layout = next((layout for layout in book.layouts if layout.name == setting.layout), None)
    if layout is None:
        return refuse("bad-setting", "layouts", case="layout", layout=setting.layout)
    fewest, most = (layout.positions.fewest, layout.positions.most) if layout.positions else (1, MOST_POSITIONS)
    if fewest <= setting.positions <= most:
        return None
    return refuse("bad-setting", "layouts", case="positions", layout=layout.name, positions=setting.positions)


def _house_fits(book: Rulebook, setting: Setting) -> Refusal | None:
    """Refuse choices of the house that the rules do not leave to it."""
    fewest, most = book.decks.fewest, book.decks.most
    if not fewest <= setting.decks <= most:
        return refuse("bad-setting", "decks", case="decks", decks=setting.decks, fewest=fewest, most=most)
    if setting.stake_step < 1 or not _pays_exactly(book, setting.stake_step):
        return refuse("bad-setting", case="step", step=setting.stake_step)
    if setting.hlga and not book.hlga:
        return refuse("bad-setting", case="hlga")
    if setting.room is not None and setting.room not in book.hlga:
        return refuse("bad-setting", "hlga", case="room", room=setting.room)
    if setting.differential is not None and book.differential is None:
        return refuse("bad-setting", case="differential")
    return _burn_fits(setting) or _areas_fit(book, setting) or _caps_fit(book, setting)


def _burn_fits(setting: Setting) -> Refusal | None:
    """Refuse to burn no card, or so many that no round could be dealt."""
    number = setting.burn.cards if setting.burn else None
    if number is None or 1 <= number <= len(DECK) * setting.decks - LONGEST_COUP:
        return None
    return refuse("bad-setting", case="burn", cards=number)


def _areas_fit(book: Rulebook, setting: Setting) -> Refusal | None:
    """Refuse more wagers in an area than the rules allow, and a restriction of an area that is not there."""
    capacity = setting.area_capacity
    if capacity is not None and not 1 <= capacity <= most_in_an_area(book):
        return refuse("bad-setting", "area-capacity", case="area-capacity", capacity=capacity)
    for area in setting.restricted:
        there = 1 <= area.position <= setting.positions and area.wager in setting.limits
        if not there or not 1 <= area.capacity <= most_in_an_area(book):
            return refuse("bad-setting", "area-capacity-lowered", case="area-capacity", capacity=area.capacity)
    return None


def _caps_fit(book: Rulebook, setting: Setting) -> Refusal | None:
    """Refuse a cap on no wager of the game, a second one on a wager, and one on a wager with commission (R86)."""
    wagers = {wager.name: wager for wager in book.wagers}
    capped: set[str] = set()
    for cap in setting.payout_caps:
        if not cap.wagers:
            return refuse("bad-setting", case="cap-nothing")
        for name in cap.wagers:
            if name not in wagers:
                return refuse("bad-setting", "available-wagers", case="cap-unknown", wager=name)
            if name in capped:
                return refuse("bad-setting", case="cap-twice", wager=name)
            if any(line.commission for line in wagers[name].lines):
                return refuse("bad-setting", case="cap-commission", wager=name)
            capped.add(name)
    return None


def caps_reach(book: Rulebook, caps: tuple[PayoutCap, ...], limits: Mapping[str, Limits]) -> Refusal | None:
    """Refuse a cap that one wager at its minimum would reach: then no wager would be paid what the layout says."""
    for cap in caps:
        for name in cap.wagers:
            limit, lines = limits.get(name), book.wager(name).lines
            if limit is None or not lines:
                continue
            won = max(pay(limit.minimum, line).winnings for line in lines)
            if won > cap.amount:
                return refuse("bad-setting", case="cap-minimum", wager=name, amount=cap.amount, won=won)
    return None


def most_in_an_area(book: Rulebook) -> int:
    """Return the most wagers an area may be set to take: three by the rules, any number where they say nothing."""
    return MOST_WAGERS_IN_AN_AREA if book.clauses_of("area-capacity") else MOST - 1


def _pays_exactly(book: Rulebook, step: int) -> bool:
    """Return whether every line pays whole cents on every stake in these steps (reading R16)."""
    lines = (line for wager in book.wagers for line in wager.lines)
    return all((step * part).denominator == 1 for line in lines for part in (line.pays, line.commission))


def limits_fit(book: Rulebook, setting: Setting, limits: Mapping[str, Limits], whole: bool) -> Refusal | None:
    if not limits:
        return refuse("bad-limits", "limits", case="none")
    names = {wager.name for wager in book.wagers}
    if unknown := set(limits) - names:
        return refuse("bad-limits", "available-wagers", case="unknown-wager", wager=min(unknown))
    if whole and (missing := names - set(limits)):
        return refuse("bad-limits", "limits", case="missing", wager=min(missing))
    for name, limit in limits.items():
        if not 0 < limit.minimum <= limit.maximum < MOST:
            range_ = {"minimum": limit.minimum, "maximum": limit.maximum}
            return refuse("bad-limits", "limits", case="range", wager=name, **range_)
        if limit.minimum % setting.stake_step or limit.maximum % setting.stake_step:
            return refuse("bad-limits", case="step", wager=name, step=setting.stake_step)
    return None


def method_fits(book: Rulebook, setting: Setting, name: str | None) -> Refusal | None:
    if not book.methods and name is None:
        return None
    method = book.method(name)
    if method is None:
        return refuse("method-not-allowed", "methods", case="no-such-method", method=name)
    if method.hlga_only and not (setting.hlga or setting.room):
        return refuse("method-not-allowed", "method-choice", case="hlga-only", method=name)
    if method.device and method.device != setting.device:
        return refuse("method-not-allowed", "method-c-draw", case="device", method=name, device=method.device)
    return None


def chosen_by(book: Rulebook, method: str | None) -> Role:
    """Return the position that chooses a method."""
    chosen = book.method(method)
    return Role(chosen.chosen_by) if chosen else Role.PIT_MANAGER


def capacity_fits(book: Rulebook, capacity: int) -> Refusal | None:
    if 1 <= capacity <= most_in_an_area(book):
        return None
    return refuse("bad-capacity", "area-capacity-lowered", capacity=capacity)
