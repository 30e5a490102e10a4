"""Permissions: what the house, and not the rules of a game, allows people of each duty to do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from punto.server.access.identity import Duty


class Permission(StrEnum):
    """Something the house permits by duty. The codes go to the pages and into the interface's description."""

    KEEP_PEOPLE = "keep-people"
    REGISTER_PATRONS = "register-patrons"
    FIND_PATRONS = "find-patrons"
    SEAT_GUESTS = "seat-guests"
    ERASE = "erase"
    KEEP_ACCOUNTS = "keep-accounts"
    SEE_ACCOUNTS = "see-accounts"
    CREATE_TABLES = "create-tables"
    BRING_SHOES = "bring-shoes"
    CUT_SHOES = "cut-shoes"
    TELL_CARDS = "tell-cards"
    KEEP_DEVICES = "keep-devices"
    SEE_EVERYTHING = "see-everything"
    READ_LOG = "read-log"
    SEARCH_LOG = "search-log"
    WRITE_NOTES = "write-notes"
    SEE_TRAINING = "see-training"
    SEE_PEOPLE = "see-people"
    SEE_PIT = "see-pit"
    ACKNOWLEDGE_ALERTS = "acknowledge-alerts"
    GUARD_TABLES = "guard-tables"
    REPORT_SHIFTS = "report-shifts"
    SEE_SLIPS = "see-slips"
    KEEP_SLIPS = "keep-slips"
    SEE_SETTINGS = "see-settings"
    KEEP_SETTINGS = "keep-settings"
    STOP_GAMING = "stop-gaming"
    DESIGN_GAMES = "design-games"

    def is_given_to(self, duty: Duty) -> bool:
        """Tell whether the house permits this to people of a duty."""
        return duty in PERMITTED[self]


MANAGERS = frozenset({Duty.ASSISTANT_CASINO_MANAGER, Duty.GAMING_SHIFT_MANAGER})
FACTOR_REQUIRED_OF = MANAGERS | {Duty.CASHIER}
"""The duties that take a second factor in a house that asks for one."""
STAFF = frozenset(duty for duty in Duty if duty.role is not None and duty is not Duty.PATRON)
PERMITTED: Mapping[Permission, frozenset[Duty]] = {
    Permission.KEEP_PEOPLE: MANAGERS,
    Permission.REGISTER_PATRONS: MANAGERS | {Duty.CASHIER},
    Permission.FIND_PATRONS: STAFF | {Duty.CASHIER, Duty.AUDITOR},
    Permission.SEAT_GUESTS: STAFF,
    Permission.ERASE: MANAGERS,
    Permission.KEEP_ACCOUNTS: frozenset({Duty.CASHIER}),
    Permission.SEE_ACCOUNTS: MANAGERS | {Duty.CASHIER, Duty.AUDITOR},
    Permission.CREATE_TABLES: MANAGERS | {Duty.PIT_MANAGER},
    Permission.BRING_SHOES: STAFF,
    Permission.CUT_SHOES: frozenset({Duty.PATRON}),
    Permission.TELL_CARDS: frozenset({Duty.DEVICE}),
    Permission.KEEP_DEVICES: MANAGERS,
    Permission.SEE_EVERYTHING: STAFF | {Duty.AUDITOR},
    Permission.READ_LOG: STAFF | {Duty.AUDITOR},
    Permission.SEARCH_LOG: (STAFF - {Duty.DEALER}) | {Duty.AUDITOR},
    Permission.SEE_TRAINING: MANAGERS | {Duty.PIT_MANAGER, Duty.AUDITOR},
    Permission.SEE_PEOPLE: MANAGERS | {Duty.AUDITOR},
    Permission.WRITE_NOTES: (STAFF - {Duty.DEALER}) | {Duty.AUDITOR},
    Permission.SEE_PIT: MANAGERS | {Duty.PIT_SUPERVISOR, Duty.PIT_MANAGER, Duty.AUDITOR},
    Permission.ACKNOWLEDGE_ALERTS: MANAGERS | {Duty.PIT_SUPERVISOR, Duty.PIT_MANAGER},
    Permission.GUARD_TABLES: MANAGERS | {Duty.PIT_SUPERVISOR, Duty.PIT_MANAGER},
    Permission.REPORT_SHIFTS: MANAGERS | {Duty.PIT_MANAGER, Duty.AUDITOR},
    Permission.SEE_SLIPS: MANAGERS | {Duty.PIT_SUPERVISOR, Duty.PIT_MANAGER, Duty.CASHIER, Duty.AUDITOR},
    Permission.KEEP_SLIPS: MANAGERS | {Duty.PIT_SUPERVISOR, Duty.PIT_MANAGER, Duty.CASHIER},
    Permission.SEE_SETTINGS: STAFF | {Duty.CASHIER, Duty.AUDITOR},
    Permission.KEEP_SETTINGS: MANAGERS,
    Permission.STOP_GAMING: MANAGERS | {Duty.PIT_MANAGER},
    Permission.DESIGN_GAMES: MANAGERS | {Duty.DESIGNER},
}
"""The duties that hold each permission."""


def permissions_of(duty: Duty) -> tuple[Permission, ...]:
    """Return everything the house permits to people of a duty."""
    return tuple(each for each in Permission if each.is_given_to(duty))
