"""Everything that can have happened at a table. Events are never changed; their names are stable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from punto.cards import Card
from punto.rules.rulebook import Result
from punto.rules.table_of_play import Hand
from punto.table.roles import Role
from punto.table.setting import Limits, Setting


@dataclass(frozen=True, slots=True)
class Event:
    """Something that has happened."""


@dataclass(frozen=True, slots=True)
class TableOpened(Event):
    game: str
    digest: str
    setting: Setting
    float_: int


@dataclass(frozen=True, slots=True)
class TableClosed(Event):
    counted: int
    float_: int
    commission: int
    difference: int
    """What the count found above what the books say is there; below, if negative."""


@dataclass(frozen=True, slots=True)
class Filled(Event):
    amount: int


@dataclass(frozen=True, slots=True)
class Credited(Event):
    amount: int


@dataclass(frozen=True, slots=True)
class BoughtIn(Event):
    patron: str
    amount: int


@dataclass(frozen=True, slots=True)
class CashedOut(Event):
    patron: str
    amount: int


@dataclass(frozen=True, slots=True)
class LimitsChanged(Event):
    limits: Mapping[str, Limits]


@dataclass(frozen=True, slots=True)
class MethodChanged(Event):
    method: str
    clause: str


@dataclass(frozen=True, slots=True)
class AreaRestricted(Event):
    capacity: int
    clause: str


@dataclass(frozen=True, slots=True)
class ActingAppointed(Event):
    person: str
    role: Role


@dataclass(frozen=True, slots=True)
class ActingEnded(Event):
    person: str
    role: Role


@dataclass(frozen=True, slots=True)
class ShoeLoaded(Event):
    shoe: str
    decks: int


@dataclass(frozen=True, slots=True)
class BetsOpened(Event):
    round: int
    announcement: str


@dataclass(frozen=True, slots=True)
class WagerPlaced(Event):
    patron: str
    position: int
    wager: str
    amount: int
    """What was added."""
    total: int
    on_behalf_by: Role | None
    """Who placed it at the patron's request; None if he did himself."""


@dataclass(frozen=True, slots=True)
class WagerTakenBack(Event):
    patron: str
    position: int
    wager: str
    amount: int
    """What was taken off."""
    total: int


@dataclass(frozen=True, slots=True)
class WagerFound(Event):
    """A wager found on the layout after bets closed, within the limits or not, recorded by the Dealer."""

    patron: str
    position: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True)
class LateWagerRefused(Event):
    """Chips put down after bets closed, given back; the wager that stood there before stands as it was."""

    patron: str
    position: int
    wager: str
    amount: int
    clause: str


@dataclass(frozen=True, slots=True)
class LateWithdrawalNoted(Event):
    """A wager picked up after bets closed, which is settled all the same."""

    patron: str
    position: int
    wager: str
    clause: str


@dataclass(frozen=True, slots=True)
class BetsClosed(Event):
    announcement: str


@dataclass(frozen=True, slots=True)
class DifferentialExceeded(Event):
    higher: str
    lower: str
    difference: int
    allowed: int
    clause: str


@dataclass(frozen=True, slots=True)
class DifferentialMet(Event):
    difference: int


@dataclass(frozen=True, slots=True)
class WagerRemoved(Event):
    patron: str
    position: int
    wager: str
    amount: int
    total: int
    clause: str


@dataclass(frozen=True, slots=True)
class CardDrawn(Event):
    """A card left the shoe, unseen: which one by number, and the place it was given."""

    index: int
    hand: Hand
    place: int


@dataclass(frozen=True, slots=True)
class CuttingCardShown(Event):
    first_of_round: bool
    clause: str | None


@dataclass(frozen=True, slots=True)
class FirstHandChosen(Event):
    hand: Hand
    clause: str


@dataclass(frozen=True, slots=True)
class HandPassed(Event):
    """The cards of a hand, face down, to the patron who may turn them."""

    hand: Hand
    patron: str
    clause: str


@dataclass(frozen=True, slots=True)
class HandDeclined(Event):
    hand: Hand
    patron: str


@dataclass(frozen=True, slots=True)
class CardsLookedAt(Event):
    """That a patron looked at the cards he was passed; what he saw is not recorded."""

    hand: Hand
    patron: str


@dataclass(frozen=True, slots=True)
class DeviceGiven(Event):
    patron: str
    clause: str


@dataclass(frozen=True, slots=True)
class DeviceReturned(Event):
    patron: str
    clause: str


@dataclass(frozen=True, slots=True)
class DrawingPermitted(Event):
    patron: str
    clause: str


@dataclass(frozen=True, slots=True)
class CardExposed(Event):
    hand: Hand
    place: int
    card: Card
    by_patron: str | None


@dataclass(frozen=True, slots=True)
class OutcomeAnnounced(Event):
    player_total: int
    banker_total: int
    winner: str
    player_pair: bool
    banker_pair: bool
    natural: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of one wager."""

    patron: str
    position: int
    wager: str
    stake: int
    """All that lay there."""
    settled: int
    """The part of it that was won, lost or pushed; the rest was over the maximum, or all of it under the minimum."""
    result: Result | None
    """None if the whole wager was handed back unsettled."""
    outcome: str
    pays: Fraction
    winnings: int
    commission: int
    returned: int
    clause: str
    limit_clause: str | None
    """The rule on limits that was applied, if any."""


@dataclass(frozen=True, slots=True)
class RoundSettled(Event):
    round: int
    wagers: tuple[Settled, ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """A wager handed back whole."""

    patron: str
    position: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True)
class VoidAsked(Event):
    """Something happened that voids the round, and waits for the person who confirms it."""

    provision: str
    clause: str
    noticed_by: str
    note: str


@dataclass(frozen=True, slots=True)
class RoundVoided(Event):
    round: int
    provision: str
    clause: str
    confirmed_by: Role
    wagers: tuple[Returned, ...]


@dataclass(frozen=True, slots=True)
class ShoeEnded(Event):
    shoe: str
    reason: str
