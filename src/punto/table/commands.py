"""Everything that can be asked of a table. Each command says who gives it; amounts are in cents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

from punto.cards import Card
from punto.rules.table_of_play import Hand
from punto.table.quick import quick
from punto.table.roles import Actor, Role
from punto.table.setting import Limits, Setting


@dataclass(frozen=True, slots=True)
class Command:
    """What all commands have: who gives it, and where that matters when, for which round and in which window."""

    by: Actor
    _: KW_ONLY
    at: int | None = None
    """When it was given, in milliseconds, where somebody keeps a clock: deadlines are set and measured by it."""
    in_round: int | None = None
    """The round it is meant for; outside it the command is refused."""
    in_window: int | None = None
    """The window it is meant for, by its number; once that is over the command is refused."""


@dataclass(frozen=True, slots=True)
class Report(Command):
    """A command about something that went wrong."""

    _: KW_ONLY
    noticed_by: str = ""
    """Who noticed it, if not the one who gives the command."""
    note: str = ""
    """Anything else worth keeping, such as a reference to what surveillance recorded."""


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
class LimitLoss(Command):
    """A patron limits what he may lose at this table; None: he wants no limit any more."""

    limit: int | None


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
    """Have a person act in a position: until further notice, or until a time."""

    person: str
    role: Role
    until: int | None = None


@dataclass(frozen=True, slots=True)
class EndActing(Command):
    """Have a person act in a position no longer."""

    person: str
    role: Role


@dataclass(frozen=True, slots=True)
class LoadShoe(Command):
    """Put a full shoe on the table."""

    shoe: str


@dataclass(frozen=True, slots=True)
class EndShoe(Report):
    """Take the shoe off the table between rounds, because the house so decides."""


# --- wagers ----------------------------------------------------------------------------------------------------------


@quick
@dataclass(frozen=True, slots=True)
class OpenBets(Command):
    """Open the round: place your bets, please."""


@quick
@dataclass(frozen=True, slots=True)
class PlaceWager(Command):
    """Place a wager, or add to one; by the patron, or by staff at his request."""

    patron: str
    position: int
    wager: str
    amount: int


@quick
@dataclass(frozen=True, slots=True)
class TakeBackWager(Command):
    """Take back a wager, or part of it."""

    patron: str
    position: int
    wager: str
    amount: int


@quick
@dataclass(frozen=True, slots=True)
class CloseBets(Command):
    """Close the betting: no more bets."""


@dataclass(frozen=True, slots=True)
class WindowElapsed(Command):
    """The deadline of a window has passed: betting is closed, or no more answers are taken."""


@dataclass(frozen=True, slots=True)
class RecordWager(Report):
    """Record a wager found on the layout after bets closed that was there in time."""

    patron: str
    position: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True)
class RefuseLateWager(Report):
    """Give back chips put down after bets closed, or the part by which a wager was increased."""

    patron: str
    position: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True)
class NoteLateWithdrawal(Report):
    """Note that a patron picked up a wager after bets closed; it is settled all the same."""

    patron: str
    position: int
    wager: str


@dataclass(frozen=True, slots=True)
class RemoveWager(Report):
    """Take a wager, or part of it, off the layout because the table differential is exceeded."""

    patron: str
    position: int
    wager: str
    amount: int


# --- dealing ---------------------------------------------------------------------------------------------------------


@quick
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
class TakeBackDevice(Report):
    """Take the dealing device back from a patron who is not there any more (Method C)."""


@quick
@dataclass(frozen=True, slots=True)
class ExposeCard(Command):
    """Turn a card face up: which place, and what it is, unless the dealing device tells that."""

    hand: Hand
    place: int
    card: Card | None = None
    turned_by: str | None = None
    """The patron who turned it at the table, where the Dealer keys what he turned."""


@quick
@dataclass(frozen=True, slots=True)
class AnnounceOutcome(Command):
    """Call the outcome of the round."""


@quick
@dataclass(frozen=True, slots=True)
class SettleRound(Command):
    """Collect losing wagers and pay winning ones."""


# --- irregularities --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReportVoid(Report):
    """Report something for which the rules void the round, by its provision."""

    provision: str


@dataclass(frozen=True, slots=True)
class ConfirmVoid(Report):
    """Confirm that the round is void."""


@dataclass(frozen=True, slots=True)
class DismissVoid(Report):
    """Find that the round is not void after all, such as when a card was keyed wrongly."""


@dataclass(frozen=True, slots=True)
class Attest(Report):
    """Confirm a fact that software cannot see, by its provision."""

    provision: str


@dataclass(frozen=True, slots=True)
class PermitSqueeze(Report):
    """Let a patron, or whom he names, squeeze the cards of a hand."""

    hand: Hand
    patron: str


@dataclass(frozen=True, slots=True)
class OfferWithdrawal(Report):
    """Let patrons take back wagers because the round's first card was the cutting card."""


@dataclass(frozen=True, slots=True)
class AnswerWithdrawal(Report):
    """Say which wagers one takes back, as position and name: None is all that may be, and () leaves all standing."""

    wagers: tuple[tuple[int, str], ...] | None


@dataclass(frozen=True, slots=True)
class EndWithdrawal(Report):
    """Take no more answers: the wagers of those who gave none stand."""


@dataclass(frozen=True, slots=True)
class ReportPowerFailure(Report):
    """The power failed."""


@dataclass(frozen=True, slots=True)
class Refer(Report):
    """Refer something that no rule covers."""

    matter: str


@dataclass(frozen=True, slots=True)
class DecideReferral(Report):
    """Decide what was referred: the round goes on, or is void."""

    void: bool


@dataclass(frozen=True, slots=True)
class ReportDrawnTogether(Report):
    """So many cards left the device at once; whether their order can be told."""

    count: int
    order_known: bool


@dataclass(frozen=True, slots=True)
class FixOrder(Report):
    """Fix the order of cards drawn together: their numbers, first to last."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReportFaceUp(Report):
    """A card lies face up in the device."""


@dataclass(frozen=True, slots=True)
class ReportAbsent(Report):
    """The patron who has the cards of a hand is not there to expose them or to take the next one."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class ReportDeviceMoved(Report):
    """Moving the dealing device exposed cards, or altered their order beyond repair."""

    altered: bool


@dataclass(frozen=True, slots=True)
class ReplaceCards(Report):
    """Bring new cards after a void round."""


@dataclass(frozen=True, slots=True)
class ReportWrongPass(Report):
    """A hand was passed to the wrong patron."""

    hand: Hand
    patron: str


@dataclass(frozen=True, slots=True)
class RetrieveHand(Report):
    """Take back a hand passed to the wrong patron."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class ReportMisplaced(Report):
    """The next card was dealt to the wrong hand."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class ReconstructCards(Report):
    """Put cards dealt in a wrong order where they belong."""


@dataclass(frozen=True, slots=True)
class ExposeInError(Report):
    """A card was dealt face up, or exposed, by mistake."""

    hand: Hand
    place: int
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class ReportReset(Report):
    """The electronic dealing device has to be reset because of a Dealer's error."""


@dataclass(frozen=True, slots=True)
class DecideReset(Report):
    """Decide what becomes of cards already exposed when the device is reset: they stand, or the round is void."""

    void: bool


@dataclass(frozen=True, slots=True)
class ReportWrongNumber(Report):
    """A hand has a wrong number of cards, which cannot be reconstructed."""


@dataclass(frozen=True, slots=True)
class ReportCardsTaken(Report):
    """A patron has left with the cards of a hand, whose value nobody can tell."""

    hand: Hand


@dataclass(frozen=True, slots=True)
class AttestCardsTaken(Report):
    """Confirm a step of that procedure, by its provision."""

    provision: str


@dataclass(frozen=True, slots=True)
class DetermineMissing(Report):
    """Say what the sorted decks and the cards in play lack, and which two of it are the cards set aside."""

    lacking: tuple[Card, ...]
    set_aside: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CorrectRound(Report):
    """Have a settled round settled anew by the cards that were really dealt."""

    round: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CorrectCard(Report):
    """Correct a card that was keyed wrongly, before the round is settled."""

    hand: Hand
    place: int
    card: Card
