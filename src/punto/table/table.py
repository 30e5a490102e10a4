"""The state of a table: frozen values, replaced and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from punto.cards import Card, Composition
from punto.roads import RoundMark
from punto.rules.coup import FirstTwo
from punto.rules.rulebook import Rulebook
from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card
from punto.table.event import Returned, Settled
from punto.table.hold import Hold
from punto.table.roles import Role
from punto.table.round import NO_CARDS, Area, Place, Stake, Window
from punto.table.settings import Setting


class Phase(StrEnum):
    """Where in its day and in its round a table is."""

    SHUT = "shut"
    """Not open for play."""
    IDLE = "idle"
    """Open, between rounds."""
    BETTING = "betting"
    CLOSED = "closed"
    """Bets are closed and no card is drawn."""
    DEALING = "dealing"
    OUTCOME = "outcome"
    """The outcome is announced, and the wagers wait to be settled."""


IN_ROUND = (Phase.BETTING, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
AFTER_CLOSING = (Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)


class SettledRound(Struct, frozen=True):
    """A round that has been settled: its wagers, its cards, where its mark stands on the roads, and of which shoe."""

    wagers: tuple[Settled, ...]
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    mark: int
    shoe: int
    first_under: frozenset[str] = frozenset()
    """Patrons whose one wager under the minimum was settled in it."""
    corrected: bool = False
    """Whether it was settled anew, by other cards."""

    @property
    def cards(self) -> tuple[Card, ...]:
        return (*self.player, *self.banker)


class OwnLimit(Struct, frozen=True):
    """The most a patron will lose at this table, as he has said himself."""

    limit: int
    brought: int
    """What he had here when he set it, with what he has brought since and without what he took away."""
    eased_to: int | None = None
    """What it will be later, once ``eased_from`` is there: a higher one, or none."""
    eased_from: int | None = None

    def in_force(self, now: int | None) -> int | None:
        """The limit at a time; without a clock it never becomes easier."""
        later = self.eased_from is not None and now is not None and now >= self.eased_from
        return self.eased_to if later else self.limit


class Shoe(Struct, frozen=True):
    """The shoe in use: how many cards have left it, and which have been seen."""

    name: str
    unexposed: Composition
    size: int
    drawn: int = 0
    cutting_card_shown: bool = False


class Table(Struct, frozen=True):
    """All there is to know about a table."""

    book: Rulebook
    phase: Phase = Phase.SHUT
    setting: Setting | None = None
    float_: int = 0
    """The chips the table holds for the house, by the books, commission apart."""
    commission: int = 0
    """What has been withheld from winning wagers since the table was opened."""
    chips: Mapping[str, int] = field(default_factory=dict)
    """The chips of each patron that are not on the layout."""
    stakes: Mapping[Area, Stake] = field(default_factory=dict)
    steps: int = 0
    """How many events have happened: it dates stakes."""
    round: int = 0
    shoe: Shoe | None = None
    shoes: int = 0
    """How many shoes have been loaded since the table was opened."""
    hands: Mapping[Hand, tuple[Place, ...]] = field(default_factory=lambda: NO_CARDS)
    first_hand: Hand | None = None
    """Which hand is exposed first, once the Dealer has said so."""
    handlers: Mapping[Hand, str] = field(default_factory=dict)
    """Which patron has the cards of a hand."""
    declined: frozenset[tuple[Hand, str]] = frozenset()
    looked: frozenset[int] = frozenset()
    """The numbers of the cards that whoever has them has looked at."""
    any_seen: bool = False
    """Whether somebody has seen a card of the round, and be it in the device."""
    next_card_seen: bool = False
    """Whether somebody has seen the first card of the next round in the device."""
    wrongly_passed: frozenset[Hand] = frozenset()
    attested: frozenset[str] = frozenset()
    """Facts of this round confirmed by a person, by their provision."""
    dealt: tuple[int, ...] = ()
    """The numbers of the round's cards, in the order they were dealt."""
    together: tuple[int, ...] = ()
    """Cards drawn together, by number."""
    out: tuple[int, ...] = ()
    """Of those, the ones whose order is established and that are still to be dealt."""
    cutting_card_first: bool = False
    """The round's first card was the cutting card."""
    change_cards: bool = False
    """The cards have to be changed before the next round."""
    last_was_void: bool = False
    """The round before was void, so that its cards may be replaced."""
    device: str | None = None
    """The patron who has the dealing device; None while the Dealer has it."""
    may_draw: frozenset[str] = frozenset()
    """Patrons permitted to draw without a wager."""
    hold: Hold | None = None
    betting_window: Window | None = None
    """The window in which wagers were last taken."""
    acting: Mapping[tuple[str, Role], int | None] = field(default_factory=dict)
    """People acting in a position, and until when."""
    under_minimum: frozenset[str] = frozenset()
    """Patrons whose one wager under the minimum has been settled."""
    history: Mapping[int, SettledRound] = field(default_factory=dict)
    """The settled rounds of this shoe and the one before, which can still be corrected (reading R34)."""
    owed: Mapping[str, int] = field(default_factory=dict)
    """What patrons owe the house after a correction they could not pay back."""
    marks: tuple[RoundMark | None, ...] = ()
    """What the rounds of this shoe leave on the roads; nothing, or None, for a void one."""
    own_limits: Mapping[str, OwnLimit] = field(default_factory=dict)
    """What patrons allow themselves to lose; it outlasts the closing of the table."""

    @property
    def set_up(self) -> Setting:
        """The setting of a table that is open."""
        assert self.setting is not None
        return self.setting

    @property
    def hold_under(self) -> Hold | None:
        """What play is held for once the hold it is in has ended."""
        return getattr(self.hold, "under", None)

    @property
    def window(self) -> Window | None:
        """The window that is open now: for answers, or for wagers."""
        if self.hold:
            return self.hold.open_window
        return self.betting_window if self.phase is Phase.BETTING else None

    @property
    def next_index(self) -> int:
        """The number of the next card: one already out of the shoe, or the next in it."""
        assert self.shoe is not None
        return self.out[0] if self.out else self.shoe.drawn

    @property
    def cards_left(self) -> int:
        """How many cards can still be dealt: those in the shoe, and those already out of it."""
        assert self.shoe is not None
        return self.shoe.size - self.shoe.drawn + len(self.out) + len(self.together)

    def looked_at(self, hand: Hand) -> bool:
        """Whether a card of the hand has been looked at by the patron who has it."""
        return any(place.index in self.looked for place in self.hands[hand])

    def changed(self, **fields: Any) -> Table:
        """Return the table with some fields replaced."""
        return replace(self, **fields)

    def cleared(self) -> Table:
        """Return the table with its layout cleared for the next round.

        A card drawn in excess is the first of that round (reading R33).
        """
        return self.changed(
            phase=Phase.IDLE,
            betting_window=None,
            stakes={},
            hands=NO_CARDS,
            first_hand=None,
            handlers={},
            declined=frozenset(),
            looked=frozenset(),
            any_seen=False,
            wrongly_passed=frozenset(),
            attested=frozenset(),
            dealt=(),
            together=(),
            cutting_card_first=False,
        )

    def chips_after(self, patron: str, change: int) -> dict[str, int]:
        """Return everybody's chips with a change to those of one patron."""
        return with_entry(self.chips, patron, self.chips.get(patron, 0) + change)

    @property
    def next_hand(self) -> Hand | None:
        """The hand that the Table of Play gives the next card by the cards exposed; None when the deal is over."""
        return next_card(self.values(Hand.PLAYER), self.values(Hand.BANKER))

    @property
    def initial_deal_done(self) -> bool:
        """Whether each hand has been dealt two cards."""
        return self.drawn >= len(INITIAL_DEAL)

    @property
    def deal_over(self) -> bool:
        """Whether every card due is dealt and exposed."""
        return self.initial_deal_done and self.all_exposed and self.next_hand is None

    def values(self, hand: Hand) -> list[int]:
        """The point values of a hand whose cards are all exposed."""
        return [place.card.point_value for place in self.hands[hand] if place.card]

    @property
    def drawn(self) -> int:
        return len(self.hands[Hand.PLAYER]) + len(self.hands[Hand.BANKER])

    @property
    def all_exposed(self) -> bool:
        return all(place.card for places in self.hands.values() for place in places)

    def first_two(self, hand: Hand) -> FirstTwo:
        first, second, *_ = (place.card for place in self.hands[hand])
        assert first
        assert second
        return FirstTwo.of(first, second)

    @property
    def layout(self) -> tuple[Returned, ...]:
        """Every wager that lies on the layout."""
        return tuple([Returned(whose, at, wager, stake.amount) for (whose, at, wager), stake in self.stakes.items()])

    def has(self, patron: str) -> int:
        """What a patron has here: his chips, and what lies on the layout, less what he owes."""
        laid = sum(stake.amount for (whose, _, _), stake in self.stakes.items() if whose == patron)
        return self.chips.get(patron, 0) + laid - self.owed.get(patron, 0)

    def totals(self) -> dict[str, int]:
        """What lies on each wager, of all patrons together."""
        totals: dict[str, int] = {}
        for (_, _, wager), stake in self.stakes.items():
            totals[wager] = totals.get(wager, 0) + stake.amount
        return totals


K = TypeVar("K")


V = TypeVar("V")


def with_entry(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    """Return a mapping with one entry added or replaced."""
    return {**mapping, key: value}


def without_entry(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    """Return a mapping without one of its entries."""
    return {each: value for each, value in mapping.items() if each != key}
