"""Everything that can be asked of a table. Each command says who gives it; amounts are in cents."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from punto.cards import Card
from punto.rules.table_of_play import Hand
from punto.table.roles import Actor, Role
from punto.table.settings import Limits, Setting


class Meant(Struct, kw_only=True, frozen=True):
    """When a command is given, and for which round and which window it is meant, where that matters."""

    at: int | None = None
    """When it was given, in milliseconds, where somebody keeps a clock: deadlines are set and measured by it."""
    in_round: int | None = None
    """The round it is meant for; outside it the command is refused."""
    in_window: int | None = None
    """The window it is meant for, by its number; once that is over the command is refused."""


class Command(Meant, frozen=True):
    """What all commands have besides: who gives it."""

    by: Actor


class Report(Command, kw_only=True, frozen=True):
    """A command about something that went wrong."""

    noticed_by: str = ""
    """Who noticed it, if not the one who gives the command."""
    note: str = ""
    """Anything else worth keeping, such as a reference to what surveillance recorded."""


# --- opening, closing, money -----------------------------------------------------------------------------------------


class OpenTable(Command, frozen=True):
    """Open the table with this setting and so much in its float."""

    setting: Setting
    float_: int


class CloseTable(Command, frozen=True):
    """Close the table; ``counted`` is what its float was counted to hold."""

    counted: int


class Fill(Command, frozen=True):
    """Bring chips from the cage to the float."""

    amount: int


class Credit(Command, frozen=True):
    """Take chips from the float back to the cage."""

    amount: int


class BuyIn(Command, frozen=True):
    """A patron's money goes into the drop box, and he is given chips."""

    patron: str
    amount: int


class CashOut(Command, frozen=True):
    """A patron takes chips away from the table."""

    patron: str
    amount: int


class LimitLoss(Command, frozen=True):
    """A patron limits what he may lose at this table; None: he wants no limit any more."""

    limit: int | None


class ChangeLimits(Command, frozen=True):
    """Change the limits of some wagers, between rounds."""

    limits: Mapping[str, Limits]


class ChangeMethod(Command, frozen=True):
    """Deal by another method from the next round on."""

    method: str


class RestrictArea(Command, frozen=True):
    """Let a playing area take fewer wagers than the rules allow."""

    capacity: int


class AppointActing(Command, frozen=True):
    """Have a person act in a position: until further notice, or until a time."""

    person: str
    role: Role
    until: int | None = None


class EndActing(Command, frozen=True):
    """Have a person act in a position no longer."""

    person: str
    role: Role


class LoadShoe(Command, frozen=True):
    """Put a full shoe on the table."""

    shoe: str


class EndShoe(Report, frozen=True):
    """Take the shoe off the table between rounds, because the house so decides."""


# --- wagers ----------------------------------------------------------------------------------------------------------


class OpenBets(Command, frozen=True):
    """Open the round: place your bets, please."""


class PlaceWager(Command, frozen=True):
    """Place a wager, or add to one; by the patron, or by staff at his request."""

    patron: str
    position: int
    wager: str
    amount: int


class TakeBackWager(Command, frozen=True):
    """Take back a wager, or part of it."""

    patron: str
    position: int
    wager: str
    amount: int


class CloseBets(Command, frozen=True):
    """Close the betting: no more bets."""


class WindowElapsed(Command, frozen=True):
    """The deadline of a window has passed: betting is closed, or no more answers are taken."""


class RecordWager(Report, frozen=True):
    """Record a wager found on the layout after bets closed that was there in time."""

    patron: str
    position: int
    wager: str
    amount: int


class RefuseLateWager(Report, frozen=True):
    """Give back chips put down after bets closed, or the part by which a wager was increased."""

    patron: str
    position: int
    wager: str
    amount: int


class NoteLateWithdrawal(Report, frozen=True):
    """Note that a patron picked up a wager after bets closed; it is settled all the same."""

    patron: str
    position: int
    wager: str


class RemoveWager(Report, frozen=True):
    """Take a wager, or part of it, off the layout because the table differential is exceeded."""

    patron: str
    position: int
    wager: str
    amount: int


# --- dealing ---------------------------------------------------------------------------------------------------------


class DrawCard(Command, frozen=True):
    """Draw the next card, face down, to the place the Table of Play gives it."""


class ShowCuttingCard(Command, frozen=True):
    """The cutting card came out instead of a card, and is set aside."""


class ChooseFirstHand(Command, frozen=True):
    """Say which hand is exposed first (Method A)."""

    hand: Hand


class PassHand(Command, frozen=True):
    """Pass a hand face down to the patron entitled to it (Method A), or whom the drawing patron lets expose it (C)."""

    hand: Hand
    patron: str


class DeclineHand(Command, frozen=True):
    """Decline the cards one was passed."""

    hand: Hand


class LookAtCards(Command, frozen=True):
    """Look at the cards one was passed: squeeze them."""

    hand: Hand


class PermitDrawing(Command, frozen=True):
    """Let a patron draw without a valid wager (Method C)."""

    patron: str


class GiveDevice(Command, frozen=True):
    """Give a patron the dealing device (Method C)."""

    patron: str


class GiveUpDevice(Command, frozen=True):
    """Give up the dealing device (Method C)."""


class TakeBackDevice(Report, frozen=True):
    """Take the dealing device back from a patron who is not there any more (Method C)."""


class ExposeCard(Command, frozen=True):
    """Turn a card face up: which place, and what it is, unless the dealing device tells that."""

    hand: Hand
    place: int
    card: Card | None = None
    turned_by: str | None = None
    """The patron who turned it at the table, where the Dealer keys what he turned."""


class AnnounceOutcome(Command, frozen=True):
    """Call the outcome of the round."""


class SettleRound(Command, frozen=True):
    """Collect losing wagers and pay winning ones."""


# --- irregularities --------------------------------------------------------------------------------------------------


class ReportVoid(Report, frozen=True):
    """Report something for which the rules void the round, by its provision."""

    provision: str


class ConfirmVoid(Report, frozen=True):
    """Confirm that the round is void."""


class DismissVoid(Report, frozen=True):
    """Find that the round is not void after all, such as when a card was keyed wrongly."""


class Attest(Report, frozen=True):
    """Confirm a fact that software cannot see, by its provision."""

    provision: str


class PermitSqueeze(Report, frozen=True):
    """Let a patron, or whom he names, squeeze the cards of a hand."""

    hand: Hand
    patron: str


class OfferWithdrawal(Report, frozen=True):
    """Let patrons take back wagers because the round's first card was the cutting card."""


class AnswerWithdrawal(Report, frozen=True):
    """Say which wagers one takes back, as position and name: None is all that may be, and () leaves all standing."""

    wagers: tuple[tuple[int, str], ...] | None


class EndWithdrawal(Report, frozen=True):
    """Take no more answers: the wagers of those who gave none stand."""


class ReportPowerFailure(Report, frozen=True):
    """The power failed."""


class Refer(Report, frozen=True):
    """Refer something that no rule covers."""

    matter: str


class DecideReferral(Report, frozen=True):
    """Decide what was referred: the round goes on, or is void."""

    void: bool


class ReportDrawnTogether(Report, frozen=True):
    """So many cards left the device at once; whether their order can be told."""

    count: int
    order_known: bool


class FixOrder(Report, frozen=True):
    """Fix the order of cards drawn together: their numbers, first to last."""

    order: tuple[int, ...]


class ReportFaceUp(Report, frozen=True):
    """A card lies face up in the device."""


class ReportAbsent(Report, frozen=True):
    """The patron who has the cards of a hand is not there to expose them or to take the next one."""

    hand: Hand


class ReportDeviceMoved(Report, frozen=True):
    """Moving the dealing device exposed cards, or altered their order beyond repair."""

    altered: bool


class ReplaceCards(Report, frozen=True):
    """Bring new cards after a void round."""


class ReportWrongPass(Report, frozen=True):
    """A hand was passed to the wrong patron."""

    hand: Hand
    patron: str


class RetrieveHand(Report, frozen=True):
    """Take back a hand passed to the wrong patron."""

    hand: Hand


class ReportMisplaced(Report, frozen=True):
    """The next card was dealt to the wrong hand."""

    hand: Hand


class ReconstructCards(Report, frozen=True):
    """Put cards dealt in a wrong order where they belong."""


class ExposeInError(Report, frozen=True):
    """A card was dealt face up, or exposed, by mistake."""

    hand: Hand
    place: int
    card: Card | None = None


class ReportReset(Report, frozen=True):
    """The electronic dealing device has to be reset because of a Dealer's error."""


class DecideReset(Report, frozen=True):
    """Decide what becomes of cards already exposed when the device is reset: they stand, or the round is void."""

    void: bool


class ReportWrongNumber(Report, frozen=True):
    """A hand has a wrong number of cards, which cannot be reconstructed."""


class ReportCardsTaken(Report, frozen=True):
    """A patron has left with the cards of a hand, whose value nobody can tell."""

    hand: Hand


class AttestCardsTaken(Report, frozen=True):
    """Confirm a step of that procedure, by its provision."""

    provision: str


class DetermineMissing(Report, frozen=True):
    """Say what the sorted decks and the cards in play lack, and which two of it are the cards set aside."""

    lacking: tuple[Card, ...]
    set_aside: tuple[Card, ...]


class CorrectRound(Report, frozen=True):
    """Have a settled round settled anew by the cards that were really dealt."""

    round: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]


class CorrectCard(Report, frozen=True):
    """Correct a card that was keyed wrongly, before the round is settled."""

    hand: Hand
    place: int
    card: Card
