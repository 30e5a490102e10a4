"""What a table is opened with: layout, positions, limits, method, dealing device, and the house's own choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct

from punto.cards import Card
from punto.rules.rulebook import Result
from punto.rules.settlement import shares
from punto.table.event import Settled
from punto.table.money import Cents
from punto.table.roles import Role


class Device(StrEnum):
    """What the cards come from, and so who knows a card before it is exposed."""

    MANUAL = "manual"
    ELECTRONIC = "electronic"
    CARD_READING = "card-reading"
    SEALED = "sealed"


KNOWS_ITS_CARDS = (Device.CARD_READING, Device.SEALED)
"""Those that tell a card themselves; from the others the Dealer keys it."""


class SensitiveAct(StrEnum):
    """An act that takes a reason and, where the house says so, a second person."""

    CORRECTION = "correction"
    """A settled round is corrected."""
    REMOVAL = "removal"
    """A wager is taken off the layout, or returned, against what its patron said."""
    VOID = "void"
    """A round is voided."""
    WITHDRAWAL = "withdrawal"
    """Staff record that a patron withdraws wagers of more than a set amount."""


class Limits(Struct, frozen=True):
    """The least and the most that may be wagered, in cents."""

    minimum: Cents
    maximum: Cents


class Burn(Struct, frozen=True):
    """How many cards of a new shoe are burnt before its first round."""

    cards: int | None
    """None is the first card and as many more as its value, ten for a ten or a face card."""
    first_exposed: bool = False

    @property
    def exposes_first(self) -> bool:
        """Whether the first card is turned, because the house has it so or its value counts."""
        return self.first_exposed or self.cards is None

    def number(self, first: Card | None) -> int:
        """Return how many cards are burnt, given the first of them."""
        if self.cards is not None:
            return self.cards
        assert first is not None
        return 1 + (first.point_value or 10)


class AreaLimit(Struct, frozen=True):
    """One playing area, a wager at a position, that takes fewer wagers than the others."""

    position: int
    wager: str
    capacity: int


class PayoutCap(Struct, frozen=True):
    """The most that the table pays in winnings in one round on some wagers together, to all patrons (reading R86)."""

    wagers: tuple[str, ...]
    amount: Cents

    def shared(self, wagers: tuple[Settled, ...], keeps: Callable[[Settled], bool]) -> tuple[Settled, ...]:
        """Return settled wagers with those that win paid in proportion, where together they would be paid more.

        A wager that ``keeps`` what it has is not shared again, and what it won counts against the cap.
        """
        won = [each for each in wagers if each.wager in self.wagers and each.result is Result.WIN]
        sharing = sorted((each for each in won if not keeps(each)), key=lambda each: each.seat)
        left = self.amount - sum(each.winnings for each in won if keeps(each))
        paid = shares(max(0, left), [each.winnings for each in sharing])
        after = {one.area: one.paid_only(winnings) for one, winnings in zip(sharing, paid, strict=True)}
        return tuple([after.get(each.area, each) for each in wagers])


def within_caps(
    caps: tuple[PayoutCap, ...], wagers: tuple[Settled, ...], keeps: Callable[[Settled], bool] = lambda _: False
) -> tuple[Settled, ...]:
    """Return settled wagers with every cap on what the table pays applied; a wager is under one cap at most."""
    for cap in caps:
        wagers = cap.shared(wagers, keeps)
    return wagers


class Setting(Struct, frozen=True):
    """How a table is set up. Amounts are in cents."""

    layout: str
    positions: int
    limits: Mapping[str, Limits]
    """By the name of the wager; every wager of the game has limits."""
    stake_step: Cents
    """Stakes come in multiples of this, so that every payment comes out in whole cents (reading R16)."""
    decks: int
    device: Device
    method: str | None
    """A, B or C; None for a game whose rules have no methods: there the Dealer alone handles the cards."""
    hlga: bool = False
    differential: Cents | None = None
    area_capacity: int | None = None
    """How many wagers a playing area takes; None is what the rules say, or no limit where they say nothing."""
    confirms: Role = Role.PIT_MANAGER
    """Who confirms what the rules leave without a position, such as voiding a round."""
    managers_interchangeable: bool = False
    """Whether an Assistant Casino Manager and a Gaming Shift Manager stand in for each other (reading R5)."""
    betting_seconds: int | None = None
    """After how long the Dealer is reminded to close the betting; an automaton closes it then. None for no time."""
    answer_seconds: int | None = None
    """After how long the Dealer is reminded to take no more answers; an automaton then takes none. None for no time."""
    room: str | None = None
    """Which room of the HLGA the table stands in; None outside it, and where it was not recorded."""
    restricted: tuple[AreaLimit, ...] = ()
    """Single playing areas that take fewer wagers than the others."""
    sign_on: bool = False
    """Whether a Dealer signs on before they give the Dealer's commands."""
    second_person: tuple[SensitiveAct, ...] = ()
    """The sensitive acts that a second person confirms."""
    second_person_above: Cents = 0
    """Withdrawals recorded for a patron are sensitive if they come to more than this."""
    second_person_seconds: int | None = None
    """How long an act may wait for its second person; it always lapses at the end of the round."""
    reasons_required: bool = False
    """Whether every sensitive act takes a reason."""
    burn: Burn | None = None
    """Cards burnt from each new shoe; None where none are."""
    squeeze_seconds: int = 30
    """How long a patron has for cards they were passed, once a time is set for them (reading R85)."""
    payout_caps: tuple[PayoutCap, ...] = ()
    """What the table pays in winnings on some wagers together in one round at most; nothing caps the others."""

    def capacity_at(self, position: int, wager: str) -> int | None:
        """Return how many wagers a playing area takes; None without a limit."""
        for each in self.restricted:
            if each.position == position and each.wager == wager:
                return each.capacity
        return self.area_capacity
