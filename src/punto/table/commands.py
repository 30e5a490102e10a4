"""Everything that can be asked of a table. Each command says who gives it; amounts are in cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from punto.cards import Card
from punto.rules.table_of_play import Hand
from punto.table.roles import Actor, Role
from punto.table.setting import Limits, Setting


@dataclass(frozen=True, slots=True)
class Command:
    """What all commands have: who gives it."""

    by: Actor


# --- opening, closing, money -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenTable(Command):
    """Open the table with this setting and so much in its float."""

    setting: Setting
    float_: int


@dataclass(frozen=True, slots=True)
class CloseTable(Command):
    """Close the table; ``counted`` is what its float was counted to hold."""

    counted: int


@dataclass(frozen=True, slots=True)
class Fill(Command):
    """Bring chips from the cage to the float."""

    amount: int


@dataclass(frozen=True, slots=True)
class Credit(Command):
    """Take chips from the float back to the cage."""

    amount: int


@dataclass(frozen=True, slots=True)
class BuyIn(Command):
    """A patron's money goes into the drop box, and he is given chips."""

    patron: str
    amount: int


@dataclass(frozen=True, slots=True)
class CashOut(Command):
    """A patron takes chips away from the table."""

    patron: str
    amount: int


@dataclass(frozen=True, slots=True)
class ChangeLimits(Command):
    """Change the limits of some wagers, between rounds."""

    limits: Mapping[str, Limits]


@dataclass(frozen=True, slots=True)
class ChangeMethod(Command):
    """Deal by another method from the next round on."""

    method: str


@dataclass(frozen=True, slots=True)
class RestrictArea(Command):
    """Let a playing area take fewer wagers than the rules allow."""

    capacity: int


@dataclass(frozen=True, slots=True)
class AppointActing(Command):
    """Have a person act in a position until further notice."""

    person: str
    role: Role


@dataclass(frozen=True, slots=True)
class EndActing(Command):
    """Have a person act in a position no longer."""

    person: str
    role: Role


@dataclass(frozen=True, slots=True)
class LoadShoe(Command):
    """Put a full shoe on the table."""

    shoe: str


# --- wagers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpenBets(Command):
    """Open the round: place your bets, please."""


@dataclass(frozen=True, slots=True)
class PlaceWager(Command):
    """Place a wager, or add to one; by the patron, or by staff at his request."""

    patron: str
    position: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True)
class TakeBackWager(Command):
    """Take back a wager, or part of it."""

    patron: str
    position: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True)
class CloseBets(Command):
    """Close the betting: no more bets."""


@dataclass(frozen=True, slots=True)
class RecordWager(Command):
    """Record a wager found on the layout after bets closed that was there in time."""

    patron: str
    position: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True)
class RefuseLateWager(Command):
    """Give back chips put down after bets closed, or the part by which a wager was increased."""

    patron: str
    position: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True)
class NoteLateWithdrawal(Command):
    """Note that a patron picked up a wager after bets closed; it is settled all the same."""

    patron: str
    position: int
    wager: str


@dataclass(frozen=True, slots=True)
class RemoveWager(Command):
    """Take a wager, or part of it, off the layout because the table differential is exceeded."""

    patron: str
    position: int
    wager: str
    amount: int


# --- dealing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DrawCard(Command):
    """Draw the next card, face down, to the place the Table of Play gives it."""


@dataclass(frozen=True, slots=True)
class ShowCuttingCard(Command):
    """The cutting card came out instead of a card, and is set aside."""


@dataclass(frozen=True, slots=True)
class ChooseFirstHand(Command):
    """Say which hand is exposed first (Method A)."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class PassHand(Command):
    """Pass a hand face down to the patron entitled to it (Method A), or whom the drawing patron lets expose it (C)."""

    hand: Hand
    patron: str


@dataclass(frozen=True, slots=True)
class DeclineHand(Command):
    """Decline the cards one was passed."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class LookAtCards(Command):
    """Look at the cards one was passed: squeeze them."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class PermitDrawing(Command):
    """Let a patron draw without a valid wager (Method C)."""

    patron: str


@dataclass(frozen=True, slots=True)
class GiveDevice(Command):
    """Give a patron the dealing device (Method C)."""

    patron: str


@dataclass(frozen=True, slots=True)
class GiveUpDevice(Command):
    """Give up the dealing device (Method C)."""


@dataclass(frozen=True, slots=True)
class ExposeCard(Command):
    """Turn a card face up: which place, and what it is."""

    hand: Hand
    place: int
    card: Card


@dataclass(frozen=True, slots=True)
class AnnounceOutcome(Command):
    """Call the outcome of the round."""


@dataclass(frozen=True, slots=True)
class SettleRound(Command):
    """Collect losing wagers and pay winning ones."""


# --- irregularities --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReportVoid(Command):
    """Report something for which the rules void the round, by its provision."""

    provision: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ConfirmVoid(Command):
    """Confirm that the round is void."""
