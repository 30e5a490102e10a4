"""The heading of a script: how the table is set up. Whatever it omits gets the plainest value."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from punto.notation.actions import AMOUNT, CHIPS, WAGER, cents, chips
from punto.notation.script import NotationError, Script
from punto.rules.rulebook import Rulebook
from punto.table.money import Pieces
from punto.table.roles import STAFF, Role
from punto.table.settings import AreaLimit, Burn, Device, Limits, PayoutCap, SensitiveAct, Setting

BY_FIRST_CARD, FIRST_EXPOSED = "first-card", ", first exposed"


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(text)
    return int(text)


def _flag(text: str) -> bool:
    if text:
        raise ValueError(text)
    return True


NOBODY = "nobody"
"""After ``sign on``: no Dealer is on duty at first. Otherwise the script's Dealer is."""


def _sign_on(text: str) -> bool:
    return _flag("" if text == NOBODY else text)


def _acts(text: str) -> tuple[SensitiveAct, ...]:
    return tuple(map(SensitiveAct, text.split(", ")))


def dealer_signed_on(script: Script) -> bool:
    """Return whether the script's Dealer is on duty from the start, at a table where Dealers sign on."""
    return any(key == "sign on" and value != NOBODY for _, key, value in script.heading)


def _staff(text: str) -> Role:
    role = Role(text)
    if role not in STAFF:
        raise ValueError(text)
    return role


def _burn(text: str) -> Burn:
    if text == BY_FIRST_CARD:
        return Burn(None)
    number = text.removesuffix(FIRST_EXPOSED)
    return Burn(_number(number), first_exposed=number != text)


def _float(text: str) -> tuple[int, tuple[Pieces, ...]]:
    counted = re.fullmatch(CHIPS, text)
    if not counted:
        raise ValueError(text)
    return chips(*counted.groups())


_READERS: dict[str, tuple[str, Callable[[str], object], str]] = {
    "layout": ("layout", str, "the name of a layout"),
    "positions": ("positions", _number, "a number of positions"),
    "decks": ("decks", _number, "a number of decks"),
    "device": ("device", Device, f"one of {', '.join(device.value for device in Device)}"),
    "method": ("method", str, "A, B or C"),
    "hlga": ("hlga", _flag, "nothing after hlga"),
    "differential": ("differential", cents, "an amount"),
    "step": ("stake_step", cents, "an amount"),
    "float": ("float", _float, "an amount, or one such as 300 as 2 of 100, 20 of 5"),
    "wagers per area": ("area_capacity", _number, "a number of wagers"),
    "confirms": ("confirms", _staff, f"one of {', '.join(role.value for role in Role if role in STAFF)}"),
    "managers interchangeable": ("managers_interchangeable", _flag, "nothing after managers interchangeable"),
    "betting seconds": ("betting_seconds", _number, "a number of seconds"),
    "answer seconds": ("answer_seconds", _number, "a number of seconds"),
    "squeeze seconds": ("squeeze_seconds", _number, "a number of seconds"),
    "room": ("room", str, "the name of a room of the HLGA"),
    "sign on": ("sign_on", _sign_on, f"nothing after sign on, or {NOBODY}"),
    "second person": ("second_person", _acts, f"some of {', '.join(SensitiveAct)}"),
    "second person above": ("second_person_above", cents, "an amount"),
    "second person seconds": ("second_person_seconds", _number, "a number of seconds"),
    "reasons required": ("reasons_required", _flag, "nothing after reasons required"),
    "burn": ("burn", _burn, "a number of cards, such as 3 or 3, first exposed, or first-card"),
}
"""For each key the field of the setting, how its value is read, and what is expected of it."""


def setting(script: Script, book: Rulebook) -> tuple[Setting, int, tuple[Pieces, ...]]:
    """Return the setting of the table, its float, and the chips of that where they were counted."""
    if not book.layouts:
        raise NotationError(f"{book.title} has no layout to play on: give its file one")
    limits = {wager.name: Limits(100, 1_000_000) for wager in book.wagers}
    said: dict[str, Any] = {"restricted": ()}
    for line, key, value in script.heading:
        if key == "limits":
            limits |= _limits(line, value, list(limits))
            continue
        if key == "pays at most":
            said["payout_caps"] = (*said.get("payout_caps", ()), _payout_cap(line, value))
            continue
        if area := re.fullmatch(rf"([0-9]{{1,9}}) for {WAGER} at ([0-9]{{1,9}})", value):
            said["restricted"] += (AreaLimit(int(area[3]), area[2], int(area[1])),)
            continue
        field, read, expected = _READERS[key]
        try:
            said[field] = read(value)
        except ValueError:
            raise NotationError(f"line {line}: {key}: expected {expected}, found {value!r}") from None
    layout = next((each for each in book.layouts if each.name == said.get("layout")), book.layouts[0])
    plainest: dict[str, Any] = {
        "layout": layout.name,
        "positions": layout.positions.most if layout.positions else 7,
        "stake_step": 100,
        "decks": 8,
        "device": Device.MANUAL,
        "method": "B" if book.methods else None,
    }
    float_, pieces = said.pop("float", (10_000_000, ()))
    return Setting(limits=limits, **plainest | said), float_, pieces


def _payout_cap(line: int, text: str) -> PayoutCap:
    match = re.fullmatch(rf"{AMOUNT} on ({WAGER}(?:, {WAGER})*)".replace(WAGER, WAGER.replace("(", "(?:", 1)), text)
    if not match:
        raise NotationError(f"line {line}: pays at most: expected such as 5000 on Tie, Player Pair, found {text!r}")
    return PayoutCap(tuple(match[2].split(", ")), cents(match[1]))


def _limits(line: int, text: str, wagers: list[str]) -> dict[str, Limits]:
    match = re.fullmatch(rf"(?:{WAGER} )?{AMOUNT}-{AMOUNT}", text)
    if not match:
        raise NotationError(f"line {line}: limits: expected such as 5-1000, or Tie 5-500, found {text!r}")
    limits = Limits(cents(match[2]), cents(match[3]))
    return dict.fromkeys([match[1]] if match[1] else wagers, limits)
