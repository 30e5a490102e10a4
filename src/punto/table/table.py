"""The state of a table: frozen values, replaced and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from punto.cards import Card, Composition
from punto.roads import RoundMark
from punto.rules.rulebook import Rulebook
from punto.table.event import Settled
from punto.table.hold import Hold
from punto.table.money import Cents
from punto.table.roles import Role
from punto.table.round import Area, Phase, Round, Window
from punto.table.settings import SensitiveAct, Setting


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
    """Whether it was settled a second time, by other cards."""
    paid_right: frozenset[Area] = frozenset()
    """The wagers whose wrong payout was put right."""
    left_shoe: tuple[Card, ...] = ()
    """The cards dealt in it, where a decision has settled it by more or fewer than those."""

    def wager_on(self, area: Area) -> Settled | None:
        """Return what was settled on an area, if anything was."""
        return next((each for each in self.wagers if each.area == area), None)

    def wagers_with(self, settled: Settled) -> tuple[Settled, ...]:
        """Return the wagers with one as it is settled now, in the place where it was, or last."""
        if self.wager_on(settled.area) is None:
            return (*self.wagers, settled)
        return tuple(settled if each.area == settled.area else each for each in self.wagers)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of both hands."""
        return (*self.player, *self.banker)

    @property
    def gone(self) -> tuple[Card, ...]:
        """The cards that have left the shoe by it."""
        return self.left_shoe or self.cards


class OwnLimit(Struct, frozen=True):
    """The most a patron will lose at this table, as the patron has said."""

    limit: Cents
    brought: Cents
    """What the patron had here when setting it, with what was brought since and without what was taken away."""
    eased_to: Cents | None = None
    """What it will be later, once ``eased_from`` is there: a higher one, or none."""
    eased_from: int | None = None

    def in_force(self, now: int | None) -> int | None:
        """Return the limit at a time; without a clock it never becomes easier."""
        later = self.eased_from is not None and now is not None and now >= self.eased_from
        return self.eased_to if later else self.limit


class Allowance(Struct, frozen=True):
    """What is left here of a patron's limits over the whole house: the table holds it, and wagers count against it."""

    loss: Cents | None
    """The most that may be lost by it; None without a limit."""
    stake: Cents | None
    """The most that may be staked by it."""
    until: int | None
    """From then on it has to be renewed."""
    brought: Cents
    """What losses are counted from: what the patron had here, plus what was brought since, less what was taken."""
    staked: Cents = 0
    """What was staked in rounds that have been settled since."""
    stopped_in: int | None = None
    """The last round that had begun when the house stopped the patron's wagers here; None while it takes some."""


class PendingAct(Struct, frozen=True):
    """A sensitive act that waits for a second person."""

    number: int
    acts: tuple[SensitiveAct, ...]
    command: str
    values: Mapping[str, Any]
    """What the command says, as JSON holds it."""
    proposed_by: str
    position: Role
    needed: Role
    """The position that the second person has to hold."""
    reason: str
    until_round: int
    """It lapses at the end of this round."""
    deadline: int | None = None


class PitCall(Struct, frozen=True):
    """A call to the pit that has not been answered."""

    called_by: str
    note: str


class Shoe(Struct, frozen=True):
    """The shoe in use: how many cards have left it, and which have been seen."""

    name: str
    unexposed: Composition
    size: int
    drawn: int = 0
    cutting_card_shown: bool = False


class Table(Struct, frozen=True):
    """All there is to know about a table: what outlives a round, the round in play, and what play is held for."""

    book: Rulebook
    round: Round = Round()
    holds: tuple[Hold, ...] = ()
    """What play waits for, the newest last: it is dealt with first."""
    setting: Setting | None = None
    """None while the table is shut."""
    steps: int = 0
    """How many events have happened: it dates stakes."""
    round_number: int = 0
    """The number of the round in play, or of the last one."""
    # --- money
    float_: Cents = 0
    """The chips the table holds for the house, by the books, commission apart."""
    commission: Cents = 0
    """What has been withheld from winning wagers since the table was opened."""
    chips: Mapping[str, Cents] = field(default_factory=dict)
    """The chips of each patron that are not on the layout."""
    owed: Mapping[str, Cents] = field(default_factory=dict)
    """What patrons owe the house after a correction here that they could not pay back. It outlasts the closing."""
    own_limits: Mapping[str, OwnLimit] = field(default_factory=dict)
    """What patrons allow themselves to lose. It outlasts the closing of the table."""
    allowances: Mapping[str, Allowance] = field(default_factory=dict)
    """What patrons with limits over the house, or who are excluded, may still lose and stake here."""
    under_minimum: frozenset[str] = frozenset()
    """Patrons whose one wager under the minimum has been settled."""
    # --- the shoe and its rounds
    shoe: Shoe | None = None
    shoes: int = 0
    """How many shoes have been loaded since the table was opened."""
    labels: Mapping[str, str | None] = field(default_factory=dict)
    """The shoes used here, and by which provision the cards of each were replaced for good; None if they were not."""
    out: tuple[int, ...] = ()
    """The numbers of cards that have left the shoe in a known order and are still to be dealt."""
    next_card_seen: bool = False
    """Whether anyone has seen the first card of the next round in the device."""
    change_cards: bool = False
    """Whether the cards have to be changed before the next round."""
    new_cards_ordered: bool = False
    """Whether a decision has them changed."""
    last_was_void: bool = False
    """Whether the round before was void, so that its cards may be replaced."""
    history: Mapping[int, SettledRound] = field(default_factory=dict)
    """The settled rounds of this shoe and the one before, which can still be corrected (reading R34)."""
    former_settings: Mapping[int, Setting] = field(default_factory=dict)
    """The settings that were changed since, by the last of those rounds that was played with each."""
    marks: tuple[RoundMark | None, ...] = ()
    """What the rounds of this shoe leave on the roads; nothing, or None, for a void one."""
    # --- people
    device: str | None = None
    """The patron who has the dealing device; None while the Dealer has it."""
    device_accepted: bool = False
    """Whether that patron has accepted it, in words or by drawing."""
    device_ended: Mapping[str, str | None] = field(default_factory=dict)
    """The patrons who had it before, and by which clause each of them had it no longer."""
    may_draw: frozenset[str] = frozenset()
    """Patrons permitted to draw without a wager."""
    acting: Mapping[tuple[str, Role], int | None] = field(default_factory=dict)
    """People acting in a position, and until when."""
    on_duty: str | None = None
    """The Dealer who has signed on."""
    proposed: tuple[PendingAct, ...] = ()
    """Sensitive acts that wait for a second person, the newest last; some may have lapsed."""
    calls: tuple[PitCall, ...] = ()
    """Calls to the pit that have not been answered."""
    counting: str | None = None
    """Who counts the chips of the table, which is about to be closed."""

    def changed(self, **fields: Any) -> Table:
        """Return the table with some fields replaced."""
        return replace(self, **fields)

    def round_changed(self, **fields: Any) -> Table:
        """Return the table with some fields of its round replaced."""
        return replace(self, round=replace(self.round, **fields))

    @property
    def set_up(self) -> Setting:
        """The setting of a table that is open."""
        assert self.setting is not None
        return self.setting

    def setting_in(self, number: int) -> Setting:
        """Return the setting with which a settled round was played."""
        later = [last for last in self.former_settings if last >= number]
        return self.former_settings[min(later)] if later else self.set_up

    def set_to(self, **fields: Any) -> Table:
        """Return the table with another setting from the next round on."""
        former = {self.round_number: self.set_up, **self.former_settings}
        return replace(self, setting=replace(self.set_up, **fields), former_settings=former)

    @property
    def phase(self) -> Phase:
        """Where in its day and in its round the table is."""
        return self.round.phase if self.setting else Phase.SHUT

    @property
    def hold(self) -> Hold | None:
        """What play is held for now."""
        return self.holds[-1] if self.holds else None

    @property
    def window(self) -> Window | None:
        """The window that is open now: for answers, for wagers, or to squeeze cards."""
        if self.holds:
            return self.holds[-1].open_window
        if self.phase is Phase.BETTING:
            return self.round.betting_window
        squeezing = self.round.squeezing if self.round.squeeze_time else None
        return squeezing.window if squeezing else None

    @property
    def why_cards_change(self) -> str | None:
        """The provision for which the cards are changed once the round is over, if they are."""
        if self.change_cards:
            return "cards-taken-changed"
        return "referral" if self.new_cards_ordered else None

    @property
    def next_index(self) -> int:
        """The number of the next card: one already out of the shoe, or the next in it."""
        assert self.shoe is not None
        return self.out[0] if self.out else self.shoe.drawn

    @property
    def cards_left(self) -> int:
        """How many cards can still be dealt: those in the shoe, and those already out of it."""
        assert self.shoe is not None
        return self.shoe.size - self.shoe.drawn + len(self.out) + len(self.round.together)

    def released(self, deadline: int | None) -> Table:
        """Return the table without its newest hold; what it interrupted has its time again."""
        window, older = Window(self.steps, deadline), self.holds[:-1]
        if older:
            return self.changed(holds=(*older[:-1], older[-1].renewed(window)))
        if self.phase is Phase.BETTING:
            return self.changed(holds=(), round=self.round.changed(betting_window=window))
        if self.round.squeeze_time:  # it went on during the hold: the patron is given time again
            return self.changed(holds=(), round=self.round.changed(squeeze_time=None))
        return self.changed(holds=())

    def followed(self) -> Table:
        """Return the table after something was ordered because of what it is held for."""
        return self.changed(holds=(*self.holds[:-1], self.holds[-1].followed()))

    def chips_after(self, patron: str, change: int) -> dict[str, int]:
        """Return the chips of all patrons with a change to those of one."""
        return with_entry(self.chips, patron, self.chips.get(patron, 0) + change)

    def has(self, patron: str) -> int:
        """Return what a patron has here: chips, and what lies on the layout, less what the patron owes."""
        return self.chips.get(patron, 0) + self.round.staked_by(patron) - self.owed.get(patron, 0)


K = TypeVar("K")
V = TypeVar("V")


def with_entry(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    """Return a mapping with one entry added or replaced."""
    return {**mapping, key: value}


def without_entry(mapping: Mapping[K, V], key: K) -> dict[K, V]:
    """Return a mapping without one of its entries."""
    return {each: value for each, value in mapping.items() if each != key}
