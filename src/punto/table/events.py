"""Everything that can have happened at a table. Events are never changed; their names are stable."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from msgspec import Struct

from punto.cards import Card
from punto.rules.rulebook import Result
from punto.rules.table_of_play import Hand
from punto.table.roles import Role
from punto.table.settings import Limits, Setting
from punto.table.visibility import Public

AMOUNTS = frozenset({"allowed", "amount", "brought", "commission", "counted", "difference", "float_", "limit", "total"})
"""The fields of events that are amounts of money: kept in cents, and told as people write them."""


class Event(Struct, frozen=True):
    """Something that has happened. A field is for staff alone unless it is ``Public``."""

    announced: ClassVar[bool] = False
    """Whether the public learns that it happened, even where no field of it is public."""


class Returned(Struct, frozen=True):
    """A wager handed back whole, or one that lies on the layout."""

    patron: str
    position: int
    wager: str
    amount: int


class Circumstances(Struct, frozen=True):
    """What is kept about every irregularity: where in play it was, who saw it, who dealt with it, what it did."""

    round: int
    shoe: str | None
    card: int | None
    """The number of the card that was next."""
    noticed_by: str
    authorised_by: str
    position: Role
    acting_in: tuple[Role, ...]
    """The positions he was appointed to act in."""
    wagers_before: tuple[Returned, ...]
    wagers_after: tuple[Returned, ...]
    note: str


class Irregularity(Event, kw_only=True, frozen=True):
    """Something that went wrong, or was decided because of it."""

    circumstances: Circumstances | None = None


class TableOpened(Event, frozen=True):
    """The table was opened, with which game, which text of its rules, and which setting."""

    game: Public[str]
    digest: Public[str]
    setting: Public[Setting]
    float_: int


class TableClosed(Event, frozen=True):
    """The table was closed and its chips counted."""

    announced: ClassVar[bool] = True
    counted: int
    float_: int
    commission: int
    difference: int
    """What the count found above what the books say is there; below, if negative."""


class Filled(Event, frozen=True):
    """Chips came from the cage."""

    amount: int


class Credited(Event, frozen=True):
    """Chips went back to the cage."""

    amount: int


class BoughtIn(Event, frozen=True):
    """A patron's money went into the drop box, and he was given chips."""

    patron: str
    amount: int


class CashedOut(Event, frozen=True):
    """A patron took chips away."""

    patron: str
    amount: int


class LossLimited(Event, frozen=True):
    """A patron may lose so much at this table, and no more."""

    patron: str
    limit: int
    brought: int
    """What it is counted from: what he had here, with what he has brought since and without what he took away."""


class LossLimitEased(Event, frozen=True):
    """A patron wants a higher limit, or none: from that time on it counts, and not before."""

    patron: str
    limit: int | None
    counts_from: int


class LimitsChanged(Event, frozen=True):
    """Some wagers have other limits from now on."""

    limits: Public[Mapping[str, Limits]]


class MethodChanged(Event, frozen=True):
    """The next rounds are dealt by another method."""

    method: Public[str]
    clause: Public[str | None]


class AreaRestricted(Event, frozen=True):
    """A playing area takes fewer wagers from now on."""

    capacity: Public[int]
    clause: Public[str | None]


class ActingAppointed(Event, frozen=True):
    """A person acts in a position from now on: until further notice, or until a time."""

    person: str
    role: Public[Role]
    appointed_by: str
    since: Public[int | None]
    until: Public[int | None]


class ActingEnded(Event, frozen=True):
    """A person no longer acts in a position."""

    person: str
    role: Public[Role]


class ShoeLoaded(Event, frozen=True):
    """A full shoe was put on the table."""

    shoe: Public[str]
    decks: Public[int]


class BetsOpened(Event, frozen=True):
    """The Dealer opened the round."""

    round: Public[int]
    announcement: Public[str]
    deadline: Public[int | None] = None
    """When the betting closes, if the house has set a time."""


class WagerPlaced(Event, frozen=True):
    """A wager was placed or added to."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[int]
    """What was added."""
    total: Public[int]
    on_behalf_by: Public[Role | None]
    """Who placed it at the patron's request; None if he did himself."""


class WagerTakenBack(Event, frozen=True):
    """A wager, or part of it, was taken back."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[int]
    """What was taken off."""
    total: Public[int]


class WagerFound(Irregularity, frozen=True):
    """A wager found on the layout after bets closed, within the limits or not, recorded by the Dealer."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[int]


class LateWagerRefused(Irregularity, frozen=True):
    """Chips put down after bets closed, given back; the wager that stood there before stands as it was."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[int]
    clause: Public[str | None]


class LateWithdrawalNoted(Irregularity, frozen=True):
    """A wager picked up after bets closed, which is settled all the same."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    clause: Public[str | None]


class BetsClosed(Event, frozen=True):
    """The Dealer closed the betting."""

    announcement: Public[str]


class DifferentialExceeded(Irregularity, frozen=True):
    """The wagers on the two hands lie further apart than the house allows."""

    higher: Public[str]
    lower: Public[str]
    difference: Public[int]
    allowed: Public[int]
    clause: Public[str | None]


class DifferentialMet(Irregularity, frozen=True):
    """They no longer do."""

    difference: Public[int]


class WagerRemoved(Irregularity, frozen=True):
    """The Pit Manager had a wager, or part of it, taken off the layout."""

    patron: Public[str]
    position: Public[int]
    wager: Public[str]
    amount: Public[int]
    total: Public[int]
    clause: Public[str | None]


class CardDrawn(Event, frozen=True):
    """A card left the shoe, unseen: which one by number, and the place it was given."""

    index: Public[int]
    hand: Public[Hand]
    place: Public[int]


class CuttingCardShown(Event, frozen=True):
    """The cutting card came out and was set aside."""

    first_of_round: Public[bool]
    clause: Public[str | None]


class FirstHandChosen(Event, frozen=True):
    """The Dealer said which hand is exposed first."""

    hand: Public[Hand]
    clause: Public[str | None]


class HandPassed(Event, frozen=True):
    """The cards of a hand, face down, to the patron who may turn them."""

    hand: Public[Hand]
    patron: Public[str]
    clause: Public[str | None]


class HandDeclined(Event, frozen=True):
    """A patron declined the cards he was passed."""

    hand: Public[Hand]
    patron: Public[str]


class CardsLookedAt(Event, frozen=True):
    """That a patron looked at the cards he was passed; what he saw is not recorded."""

    hand: Public[Hand]
    patron: Public[str]


class DeviceGiven(Event, frozen=True):
    """A patron was given the dealing device."""

    patron: Public[str]
    clause: Public[str | None]


class DeviceReturned(Event, frozen=True):
    """The dealing device went back to the Dealer."""

    patron: Public[str]
    clause: Public[str | None]


class DrawingPermitted(Event, frozen=True):
    """A patron may draw without a wager."""

    patron: Public[str]
    clause: Public[str | None]


class CardExposed(Event, frozen=True):
    """A card was turned face up."""

    hand: Public[Hand]
    place: Public[int]
    card: Public[Card]
    by_patron: Public[str | None]


class OutcomeAnnounced(Event, frozen=True):
    """The Dealer called the outcome."""

    player_total: Public[int]
    banker_total: Public[int]
    winner: Public[str]
    player_pair: Public[bool]
    banker_pair: Public[bool]
    natural: Public[bool]


class Settled(Struct, frozen=True):
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


class RoundSettled(Event, frozen=True):
    """Losing wagers were collected and winning ones paid."""

    round: Public[int]
    wagers: Public[tuple[Settled, ...]]


class VoidAsked(Irregularity, frozen=True):
    """Something happened that voids the round, and waits for the person who confirms it."""

    provision: Public[str]
    clause: Public[str | None]
    why: Public[str]


class RoundVoided(Irregularity, frozen=True):
    """The round is void, and every wager was handed back."""

    round: Public[int]
    provision: Public[str]
    clause: Public[str | None]
    confirmed_by: Public[Role]
    wagers: Public[tuple[Returned, ...]]


class ShoeEnded(Event, frozen=True):
    """The shoe is finished, and why."""

    shoe: Public[str]
    reason: Public[str]
