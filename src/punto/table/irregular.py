"""What can have happened at a table when something went wrong."""

from __future__ import annotations

from msgspec import Struct

from punto.cards import Card
from punto.roads import RoundMark
from punto.rules.coup import Coup
from punto.rules.table_of_play import Hand
from punto.table.events import Irregularity, Returned, Settled
from punto.table.roles import Role
from punto.table.visibility import Public


class Attested(Irregularity, frozen=True):
    """A named person confirmed a fact that software cannot see."""

    provision: Public[str]
    clause: Public[str | None]
    person: Public[str]


class SqueezePermitted(Irregularity, frozen=True):
    """A patron, or whom he named, has the cards of a hand to squeeze."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


class WithdrawalOffered(Irregularity, frozen=True):
    """Patrons may take back wagers: all of theirs or none, or each for itself."""

    provision: Public[str]
    clause: Public[str | None]
    whole: Public[bool]
    patrons: Public[tuple[str, ...]]
    wagers: Public[tuple[Returned, ...]]
    """What they may take back: their wagers that are not decided."""
    deadline: Public[int | None] = None


class WithdrawalAnswered(Irregularity, frozen=True):
    """A patron said what he takes back."""

    patron: Public[str]
    withdrawn: Public[tuple[Returned, ...]]


class WithdrawalEnded(Irregularity, frozen=True):
    """No more answers are taken; wagers not taken back stand."""

    provision: Public[str]


class PowerFailed(Irregularity, frozen=True):
    """The power failed, with or without a wager of the game already decided."""

    decided: Public[tuple[str, ...]]
    clause: Public[str | None]


class VoidDismissed(Irregularity, frozen=True):
    """What was to void the round has turned out not to, and the round goes on."""

    provision: Public[str]
    clause: Public[str | None]
    deadline: Public[int | None] = None
    """When the betting closes, or answers are no longer taken, if it was held meanwhile: patrons have time again."""


class Referred(Irregularity, frozen=True):
    """Something no rule covers waits for a decision."""

    matter: Public[str]
    clause: Public[str | None]
    """None where the game has no rule for that either, and the house decides."""


class ReferralDecided(Irregularity, frozen=True):
    """What was referred has been decided, and the round goes on."""

    decision: Public[str]
    clause: Public[str | None]
    decided_by: Public[Role]
    deadline: Public[int | None] = None


class CardsDrawnTogether(Irregularity, frozen=True):
    """Cards left the device at once."""

    indices: Public[tuple[int, ...]]
    order_known: Public[bool]
    clause: Public[str | None]
    to_be_fixed: Public[bool]
    """Whether their order is the Pit Manager's to fix."""


class CardsOrdered(Irregularity, frozen=True):
    """The order of cards drawn together is established, and they are dealt in it."""

    order: Public[tuple[int, ...]]
    clause: Public[str | None]


class FaceUpCardFound(Irregularity, frozen=True):
    """A card lay face up in the device; after the round's first card it is played as if it had not."""

    index: Public[int]
    clause: Public[str | None]


class HandlerAbsent(Irregularity, frozen=True):
    """The patron with a hand was not there, and the Dealer exposes it."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


class DeviceMoved(Irregularity, frozen=True):
    """Moving the device exposed cards, which are played as if it had not."""

    clause: Public[str | None]


class HandWronglyPassed(Irregularity, frozen=True):
    """A hand went to the wrong patron."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


class HandRetrieved(Irregularity, frozen=True):
    """A hand was taken back from the wrong patron."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


class CardMisplaced(Irregularity, frozen=True):
    """A card was dealt to the wrong hand."""

    index: Public[int]
    hand: Public[Hand]
    clause: Public[str | None]
    """None where the game has no such rule, but what can be reconstructed is all the same (reading R22)."""


class CardsReconstructed(Irregularity, frozen=True):
    """The cards lie where they belong: card numbers of the Player and of the Banker hand."""

    player: Public[tuple[int, ...]]
    banker: Public[tuple[int, ...]]
    clause: Public[str | None]


class ExposedInError(Irregularity, frozen=True):
    """A card was exposed by mistake; the outcome stands."""

    clause: Public[str | None]


class DeviceReset(Irregularity, frozen=True):
    """The dealing device has to be reset."""

    cards_seen: Public[bool]
    """Whether any card of the round is exposed, or a patron has looked at it."""
    clause: Public[str | None]


class BetsReopened(Irregularity, frozen=True):
    """Patrons may wager again until the Dealer closes the betting once more."""

    clause: Public[str | None]
    deadline: Public[int | None] = None


class CardsTaken(Irregularity, frozen=True):
    """A patron left with the cards of a hand."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


class CardsTakenStep(Irregularity, frozen=True):
    """A step towards replacing them was confirmed."""

    provision: Public[str]
    clause: Public[str | None]
    person: Public[str]


class MissingDetermined(Irregularity, frozen=True):
    """The cards taken are known by counting; the two cards set aside are not recorded."""

    cards: tuple[Card, ...]
    clause: Public[str | None]


class Correction(Struct, frozen=True):
    """A wager as it was settled and as it should have been; what the patron can no longer pay back is owed.

    Below zero, what he gets back goes against what he owed.
    """

    before: Settled
    after: Settled
    owed: int


class RoundCorrected(Irregularity, frozen=True):
    """A settled round was reversed and settled anew, or is void after all."""

    round: Public[int]
    provision: Public[str]
    clause: Public[str | None]
    coup: Public[Coup | None]
    """The cards really dealt; None if the round is void."""
    mark: Public[RoundMark | None]
    corrections: tuple[Correction, ...]


class CardCorrected(Irregularity, frozen=True):
    """A card that was keyed wrongly is recorded as what it is; an outcome already called is called anew."""

    hand: Public[Hand]
    place: Public[int]
    before: Public[Card]
    card: Public[Card]
    person: Public[str]
