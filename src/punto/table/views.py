"""Views: what the public, the staff and one patron may see of a table. A card that is face down is in none of them.

The state of a table knows no card that is not exposed, so a view cannot give one away. The one exception is a patron
who looks at cards they were passed: they alone are told them, by the code that knows the shoe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from punto.cards import Card
from punto.roads import RoundMark
from punto.rules.coup import OutcomeClass, Winner
from punto.rules.rulebook import Result
from punto.rules.settlement import settle
from punto.rules.table_of_play import Hand, point_total
from punto.table.event import Returned
from punto.table.guidance.next_step import NextStep
from punto.table.guidance.next_steps import ToSettle, next_steps, to_settle
from punto.table.irregularities.differential import Differential, differential
from punto.table.irregularities.withdrawal import WithdrawalHold
from punto.table.money import Cents
from punto.table.play.dealing import outcome_of
from punto.table.play.second_person import standing_acts
from punto.table.roles import Role
from punto.table.round import NO_CARDS, Phase
from punto.table.settings import Setting
from punto.table.table import PendingAct, PitCall, Table
from punto.table.visibility import Public


class Offer(Struct, frozen=True):
    """Patrons may take back wagers: by which rule, all of theirs or none, which, and until when."""

    provision: str
    clause: str | None
    whole: bool
    wagers: tuple[Returned, ...]
    deadline: int | None


class CardWith(Struct, frozen=True):
    """A single card that a person has to squeeze."""

    hand: Hand
    place: int
    person: str


class PublicView(Struct, frozen=True):
    """What the public may see."""

    game: Public[str]
    phase: Public[Phase]
    setting: Public[Setting | None]
    round: Public[int]
    hold: Public[str | None]
    """What play is held for, by its provision."""
    asked: Public[tuple[str, ...]]
    """The patrons who have not answered an offer yet."""
    window: Public[int | None]
    deadline: Public[int | None]
    shoe: Public[str | None]
    cards_drawn: Public[int]
    cutting_card_shown: Public[bool]
    hands: Public[Mapping[Hand, tuple[Card | None, ...]]]
    """Each hand's cards; None is one face down."""
    totals: Public[Mapping[Hand, int | None]]
    """The point total of each hand's exposed cards; None while it has none."""
    handlers: Public[Mapping[Hand, str]]
    device: Public[str | None]
    """The patron who has the dealing device."""
    device_accepted: Public[bool]
    """Whether that patron has accepted it."""
    wagers: Public[tuple[Returned, ...]]
    marks: Public[tuple[RoundMark | None, ...]]
    offer: Public[Offer | None]
    """What patrons are asked, while they are."""
    corrected: Public[bool]
    """Whether the last round that was settled has been corrected since."""
    single_cards: Public[tuple[CardWith, ...]]
    """Who has a single card to squeeze."""
    winning: Public[tuple[str, ...]]
    """The wagers that win by the outcome announced."""
    announced: Public[Winner | None]
    """Which hand won, or that it is a tie, once that is announced."""
    hand_in_turn: Public[Hand | None]
    """The hand whose cards are turned now, where the Dealer has said which goes first."""


class Acting(Struct, frozen=True):
    """A person who acts in a position, and until when."""

    person: str
    role: Role
    until: int | None


class StaffView(PublicView, frozen=True):
    """What the staff at the table may see: also money, people, and what is open in the round."""

    float_: Cents | None
    """None, as the commission, while the chips are counted: the count is blind."""
    commission: Cents | None
    chips: Mapping[str, Cents]
    owed: Mapping[str, Cents]
    acting: tuple[Acting, ...]
    attested: tuple[str, ...]
    together: tuple[int, ...]
    """The numbers of cards that left the device at once, whose order is not fixed."""
    first_hand: Hand | None
    change_cards: bool
    next: tuple[NextStep, ...]
    """What comes next, first what play waits for."""
    to_settle: ToSettle | None
    """The settlement that is about to be made."""
    differential: Differential | None
    """How far apart the wagers on the two hands lie, in a game that limits it."""
    on_duty: str | None = None
    """The Dealer who has signed on."""
    proposed: tuple[PendingAct, ...] = ()
    """Sensitive acts that wait for a second person."""
    calls: tuple[PitCall, ...] = ()
    """Calls to the pit that have not been answered."""
    counting: str | None = None
    """Who counts the chips of the table, which is about to be closed."""


class OwnLimitShown(Struct, frozen=True):
    """The most that a patron will lose here, as they have said, and what they have lost since; below zero, won."""

    limit: Cents
    lost: Cents
    eased_to: Cents | None
    """What it will be from ``eased_from`` on: a higher one, or none."""
    eased_from: int | None


class PrivateView(Struct, frozen=True):
    """What only one patron may see."""

    patron: str
    chips: Cents
    owes: Cents
    cards: Mapping[Hand, tuple[Card | None, ...]]
    """The cards the patron was passed and has looked at, face down for all others; None where no device tells them."""
    own_limit: OwnLimitShown | None = None


def public(table: Table) -> PublicView:
    """Return what the public may see of the table."""
    hold, window, shoe = table.hold, table.window, table.shoe
    outcome = outcome_of(table) if table.phase is Phase.OUTCOME and table.round.all_exposed else None
    return PublicView(
        game=table.book.key,
        phase=table.phase,
        setting=table.setting,
        round=table.round_number,
        hold=hold.provision if hold else None,
        asked=tuple(sorted(hold.pending)) if isinstance(hold, WithdrawalHold) else (),
        window=window.number if window else None,
        deadline=window.deadline if window else None,
        shoe=shoe.name if shoe else None,
        cards_drawn=shoe.drawn if shoe else 0,
        cutting_card_shown=bool(shoe and shoe.cutting_card_shown),
        hands=_NO_HANDS
        if table.round.hands is NO_CARDS
        else {hand: tuple(place.card for place in places) for hand, places in table.round.hands.items()},
        totals=_NO_TOTALS
        if table.round.hands is NO_CARDS
        else {hand: _total(table, hand) for hand in table.round.hands},
        handlers=dict(table.round.handlers),
        device=table.device,
        device_accepted=table.device_accepted,
        wagers=table.round.layout,
        marks=table.marks,
        offer=_offer(hold) if isinstance(hold, WithdrawalHold) else None,
        corrected=_last_corrected(table),
        single_cards=_single_cards(table),
        winning=_winning(table, outcome) if outcome else (),
        announced=outcome.winner if outcome else None,
        hand_in_turn=table.round.hand_in_turn,
    )


_NO_HANDS: Mapping[Hand, tuple[Card | None, ...]] = {Hand.PLAYER: (), Hand.BANKER: ()}
_NO_TOTALS: Mapping[Hand, int | None] = {Hand.PLAYER: None, Hand.BANKER: None}


def _total(table: Table, hand: Hand) -> int | None:
    values = table.round.values(hand)
    return point_total(values) if values else None


def _offer(hold: WithdrawalHold) -> Offer:
    return Offer(hold.provision, hold.clause, hold.whole, hold.wagers, hold.window.deadline)


def _winning(table: Table, outcome: OutcomeClass) -> tuple[str, ...]:
    return tuple(wager.name for wager in table.book.wagers if settle(wager, outcome).result is Result.WIN)


def _single_cards(table: Table) -> tuple[CardWith, ...]:
    singles = table.round.single_cards
    if not singles:
        return ()
    return tuple(
        CardWith(hand, place, singles[each.index])
        for hand, places in table.round.hands.items()
        for place, each in enumerate(places)
        if each.index in singles and each.card is None
    )


def _last_corrected(table: Table) -> bool:
    last = table.history.get(table.round_number) or table.history.get(table.round_number - 1)
    return last is not None and last.corrected


def staff(table: Table) -> StaffView:
    """Return what the staff at the table may see of it."""
    seen = public(table)
    return StaffView(
        **{name: getattr(seen, name) for name in seen.__struct_fields__},
        float_=None if table.counting else table.float_,
        commission=None if table.counting else table.commission,
        chips=dict(table.chips),
        owed=dict(table.owed),
        acting=tuple(Acting(person, role, until) for (person, role), until in table.acting.items()),
        attested=tuple(sorted(table.round.attested)),
        together=table.round.order_asked,
        first_hand=table.round.first_hand,
        change_cards=table.change_cards,
        next=next_steps(table),
        to_settle=to_settle(table),
        differential=differential(table),
        on_duty=table.on_duty,
        proposed=standing_acts(table),
        calls=table.calls,
        counting=table.counting,
    )


CardAt = Callable[[str, int], Card | None]
"""The card of a shoe, by its number, if it is known: asked for only when it is exposed or looked at."""


def private(table: Table, patron: str, card_at: CardAt) -> PrivateView:
    """Return what a patron alone may see; ``card_at`` is asked only for cards the patron has looked at."""
    looked = table.round.looked
    held = [hand for hand in table.round.hands if table.round.held_by(hand, patron) & looked] if looked else []
    cards = {hand: _looked_at(table, hand, patron, card_at) for hand in held}
    return PrivateView(patron, table.chips.get(patron, 0), table.owed.get(patron, 0), cards, own_limit(table, patron))


def _looked_at(table: Table, hand: Hand, patron: str, card_at: CardAt) -> tuple[Card | None, ...]:
    assert table.shoe is not None
    known = table.round.held_by(hand, patron) & table.round.looked
    looked = [each.index for each in table.round.hands[hand] if not each.card and each.index in known]
    return tuple(card_at(table.shoe.name, index) for index in looked)


def own_limit(table: Table, patron: str) -> OwnLimitShown | None:
    """Return a patron's own loss limit and what has been lost of it; None without one."""
    own = table.own_limits.get(patron)
    if own is None:
        return None
    return OwnLimitShown(own.limit, own.brought - table.has(patron), own.eased_to, own.eased_from)


def changes(before: PublicView | None, after: PublicView) -> dict[str, Any]:
    """Return the parts of a view that differ from the one before; all of it if there was none."""
    names = after.__struct_fields__
    if before is None:
        return dict(zip(names, astuple(after), strict=True))
    both = zip(names, astuple(after), astuple(before), strict=True)
    return {name: value for name, value, known in both if value is not known and value != known}
