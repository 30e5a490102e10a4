"""What can have happened at a table when something went wrong."""

from __future__ import annotations

from dataclasses import dataclass

from punto.cards import Card
from punto.roads import RoundMark
from punto.rules.coup import Coup
from punto.rules.table_of_play import Hand
from punto.table.events import Irregularity, Returned, Settled
from punto.table.roles import Role


@dataclass(frozen=True, slots=True)
class Attested(Irregularity):
    """A named person confirmed a fact that software cannot see."""

    provision: str
    clause: str | None
    person: str


@dataclass(frozen=True, slots=True)
class SqueezePermitted(Irregularity):
    """A patron, or whom he named, has the cards of a hand to squeeze."""

    hand: Hand
    patron: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class WithdrawalOffered(Irregularity):
    """Patrons may take back wagers: all of theirs or none, or each for itself."""

    provision: str
    clause: str | None
    whole: bool
    patrons: tuple[str, ...]
    wagers: tuple[Returned, ...]
    """What they may take back: their wagers that are not decided."""
    deadline: int | None = None


@dataclass(frozen=True, slots=True)
class WithdrawalAnswered(Irregularity):
    """A patron said what he takes back."""

    patron: str
    withdrawn: tuple[Returned, ...]


@dataclass(frozen=True, slots=True)
class WithdrawalEnded(Irregularity):
    """No more answers are taken; wagers not taken back stand."""

    provision: str


@dataclass(frozen=True, slots=True)
class PowerFailed(Irregularity):
    """The power failed, with or without a wager of the game already decided."""

    decided: tuple[str, ...]
    clause: str | None


@dataclass(frozen=True, slots=True)
class VoidDismissed(Irregularity):
    """What was to void the round has turned out not to, and the round goes on."""

    provision: str
    clause: str | None
    deadline: int | None = None
    """When the betting closes, or answers are no longer taken, if it was held meanwhile: patrons have time again."""


@dataclass(frozen=True, slots=True)
class Referred(Irregularity):
    """Something no rule covers waits for a decision."""

    matter: str
    clause: str | None
    """None where the game has no rule for that either, and the house decides."""


@dataclass(frozen=True, slots=True)
class ReferralDecided(Irregularity):
    """What was referred has been decided, and the round goes on."""

    decision: str
    clause: str | None
    decided_by: Role
    deadline: int | None = None


@dataclass(frozen=True, slots=True)
class CardsDrawnTogether(Irregularity):
    """Cards left the device at once."""

    indices: tuple[int, ...]
    order_known: bool
    clause: str | None
    to_be_fixed: bool
    """Whether their order is the Pit Manager's to fix."""


@dataclass(frozen=True, slots=True)
class CardsOrdered(Irregularity):
    """The order of cards drawn together is established, and they are dealt in it."""

    order: tuple[int, ...]
    clause: str | None


@dataclass(frozen=True, slots=True)
class FaceUpCardFound(Irregularity):
    """A card lay face up in the device; after the round's first card it is played as if it had not."""

    index: int
    clause: str | None


@dataclass(frozen=True, slots=True)
class HandlerAbsent(Irregularity):
    """The patron with a hand was not there, and the Dealer exposes it."""

    hand: Hand
    patron: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class DeviceMoved(Irregularity):
    """Moving the device exposed cards, which are played as if it had not."""

    clause: str | None


@dataclass(frozen=True, slots=True)
class HandWronglyPassed(Irregularity):
    """A hand went to the wrong patron."""

    hand: Hand
    patron: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class HandRetrieved(Irregularity):
    """A hand was taken back from the wrong patron."""

    hand: Hand
    patron: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class CardMisplaced(Irregularity):
    """A card was dealt to the wrong hand."""

    index: int
    hand: Hand
    clause: str | None
    """None where the game has no such rule, but what can be reconstructed is all the same (reading R22)."""


@dataclass(frozen=True, slots=True)
class CardsReconstructed(Irregularity):
    """The cards lie where they belong: card numbers of the Player and of the Banker hand."""

    player: tuple[int, ...]
    banker: tuple[int, ...]
    clause: str | None


@dataclass(frozen=True, slots=True)
class ExposedInError(Irregularity):
    """A card was exposed by mistake; the outcome stands."""

    clause: str | None


@dataclass(frozen=True, slots=True)
class DeviceReset(Irregularity):
    """The dealing device has to be reset."""

    cards_seen: bool
    """Whether any card of the round is exposed, or a patron has looked at it."""
    clause: str | None


@dataclass(frozen=True, slots=True)
class BetsReopened(Irregularity):
    """Patrons may wager again until the Dealer closes the betting once more."""

    clause: str | None
    deadline: int | None = None


@dataclass(frozen=True, slots=True)
class CardsTaken(Irregularity):
    """A patron left with the cards of a hand."""

    hand: Hand
    patron: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class CardsTakenStep(Irregularity):
    """A step towards replacing them was confirmed."""

    provision: str
    clause: str | None
    person: str


@dataclass(frozen=True, slots=True)
class MissingDetermined(Irregularity):
    """The cards taken are known by counting; the two cards set aside are not recorded."""

    cards: tuple[Card, ...]
    clause: str | None


@dataclass(frozen=True, slots=True)
class Correction:
    """A wager as it was settled and as it should have been; what the patron can no longer pay back is owed.

    Below zero, what he gets back goes against what he owed.
    """

    before: Settled
    after: Settled
    owed: int


@dataclass(frozen=True, slots=True)
class RoundCorrected(Irregularity):
    """A settled round was reversed and settled anew, or is void after all."""

    round: int
    provision: str
    clause: str | None
    coup: Coup | None
    """The cards really dealt; None if the round is void."""
    mark: RoundMark | None
    corrections: tuple[Correction, ...]


@dataclass(frozen=True, slots=True)
class CardCorrected(Irregularity):
    """A card that was keyed wrongly is recorded as what it is; an outcome already called is called anew."""

    hand: Hand
    place: int
    before: Card
    card: Card
    person: str
