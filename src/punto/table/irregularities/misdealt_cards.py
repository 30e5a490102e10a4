"""Cards dealt to the wrong hand, or in a wrong number."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from punto.rules.table_of_play import INITIAL_DEAL, Hand, next_card
from punto.table.command import Report
from punto.table.event import Event, Irregularity
from punto.table.guards import Decision, by, has_rule, in_phase, is_open, not_held, real_cards
from punto.table.guidance.next_step import NextStep, step
from punto.table.hold import Hold
from punto.table.irregularities.referral import Referred, matter
from punto.table.irregularities.void import ask_void, reason
from punto.table.irregularities.withdrawn_report import takes_out, too_many
from punto.table.play.dealing import CardDrawn, draw_to_place
from punto.table.refusal import Refusal, refuse
from punto.table.registry import decides, evolves, resolves, undoes
from punto.table.roles import Role
from punto.table.round import Phase
from punto.table.table import Table
from punto.table.visibility import Public


class ReportMisplaced(Report, frozen=True):
    """The next card was dealt to the wrong hand, or to one while none was due."""

    hand: Hand


class ReconstructCards(Report, frozen=True):
    """Put cards dealt in a wrong order where they belong."""


class ReportWrongNumber(Report, frozen=True):
    """A hand has a wrong number of cards, which cannot be reconstructed."""


class CardMisplaced(Irregularity, frozen=True):
    """A card was dealt to the wrong hand."""

    index: Public[int]
    hand: Public[Hand]
    clause: Public[str | None]
    """None where the game has no such rule, but what can be reconstructed is all the same (reading R22)."""


class CardTooMany(Irregularity, frozen=True):
    """A card was dealt to a hand while none was due: it lies outside the shoe, face down and in no hand."""

    index: Public[int]
    hand: Public[Hand]
    clause: Public[str | None]


class CardsReconstructed(Irregularity, frozen=True):
    """The cards lie where they belong: card numbers of the Player and of the Banker hand."""

    player: Public[tuple[int, ...]]
    banker: Public[tuple[int, ...]]
    clause: Public[str | None]


class MisplacedHold(Hold, frozen=True):
    """Cards lie in the wrong places and have to be reconstructed."""


_WRONG_NUMBER = reason("wrong-number", "a wrong number of cards")
NOT_NEEDED = reason("card-not-needed", "a card was drawn that the round does not need")
matter(NOT_NEEDED, "a card was drawn that the round does not need")


@decides(ReportMisplaced)
def report_misplaced(table: Table, command: ReportMisplaced) -> Decision:
    """Record that the next card went to the wrong hand: play waits until the cards are reconstructed.

    If no card is due it is one too many, whichever hand it went to.
    """
    provision, laid_wrongly = "wrong-delivery", isinstance(table.hold, MisplacedHold)
    too_many = _none_due(table) and not laid_wrongly
    refusal = (
        is_open(table)
        or reconstructs(table)
        or in_phase(table, Phase.CLOSED, Phase.DEALING, Phase.OUTCOME)
        or (None if laid_wrongly else not_held(table))
        or by(table, command, Role.DEALER, provision=provision)
        or (real_cards(table, provision) if too_many else _due_elsewhere(table, command.hand))
        or (None if table.cards_left else refuse("no-card-due", "insufficient-cards", case="shoe-empty"))
    )
    if too_many and refusal is None:
        return _one_too_many(table, command.hand)
    return refusal or (CardMisplaced(table.next_index, command.hand, table.book.clause_of(provision)),)


def reconstructs(table: Table) -> Refusal | None:
    """Refuse unless the game has a rule for it, or one on what cannot be reconstructed, so that the rest is (R22)."""
    return None if table.book.clauses_of("wrong-number-of-cards") else has_rule(table, "wrong-delivery")


def _none_due(table: Table) -> bool:
    """Return whether no hand is to have a card: the deal is over, or waits until the cards are exposed."""
    round_ = table.round
    return round_.initial_deal_done and (round_.deal_over or not round_.all_exposed)


def _one_too_many(table: Table, hand: Hand) -> tuple[Event, ...]:
    """Return what follows a card that no hand was due (reading R27)."""
    clause_of = table.book.clause_of
    clause = clause_of("wrong-number-of-cards") or clause_of("referral")
    # One that had left the shoe with others lies outside it as before.
    left: tuple[Event, ...] = () if table.out else (CardTooMany(table.next_index, hand, clause),)
    return (*left, not_needed(table))


def _due_elsewhere(table: Table, hand: Hand) -> Refusal | None:
    """Refuse a third card where the Table of Play does not call for the other hand; at first any hand can be wrong."""
    if table.round.drawn < len(INITIAL_DEAL):
        return None
    due = table.round.next_hand if table.round.all_exposed else None
    return None if due is hand.other else refuse("no-card-due", "table-of-play", case="other-hand")


@decides(ReconstructCards)
def reconstruct_cards(table: Table, command: ReconstructCards) -> Decision:
    """Put each card in the place that its turn in the dealing gives it."""
    provision = "wrong-delivery"
    refusal = (
        is_open(table)
        or (None if isinstance(table.hold, MisplacedHold) else refuse("not-held"))
        or by(table, command, Role.DEALER, provision=provision)
    )
    if refusal:
        return refusal
    cards = {place.index: place.card for places in table.round.hands.values() for place in places}
    hands: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    values: dict[Hand, list[int]] = {Hand.PLAYER: [], Hand.BANKER: []}
    for number in table.round.dealt:
        hand = next_card(values[Hand.PLAYER], values[Hand.BANKER])
        assert hand is not None
        hands[hand].append(number)
        # Of a card still face down the value does not matter: nothing has followed from it yet.
        values[hand].append(card.point_value if (card := cards[number]) else 0)
    clause = table.book.clause_of(provision)
    return (CardsReconstructed(tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER]), clause),)


@decides(ReportWrongNumber)
def report_wrong_number(table: Table, command: ReportWrongNumber) -> Decision:
    """Ask for a void for a wrong number of cards that cannot be put right, until the next round (Fabulous 4)."""
    provision = "wrong-number-of-cards"
    between = table.phase is Phase.IDLE and table.round_number in table.history
    refusal = (
        is_open(table)
        or has_rule(table, provision)
        or (None if between else in_phase(table, Phase.DEALING, Phase.OUTCOME, provision=provision))
        or not_held(table)
        or by(table, command, Role.DEALER, provision=provision)
        or real_cards(table, provision)
    )
    return refusal or (ask_void(table, provision, _WRONG_NUMBER),)


def not_needed(table: Table) -> Event:
    """Return what follows a card that the round does not need."""
    if table.book.clauses_of("wrong-number-of-cards"):
        return ask_void(table, "wrong-number-of-cards", NOT_NEEDED)
    return Referred("", table.book.clause_of("referral"), case=NOT_NEEDED)


@evolves(CardMisplaced)
def _card_misplaced(table: Table, event: CardMisplaced) -> Table:
    place = len(table.round.hands[event.hand])
    drawn = draw_to_place(table, CardDrawn(event.index, event.hand, place))
    holds = table.holds[:-1] if isinstance(table.hold, MisplacedHold) else table.holds
    return drawn.changed(holds=(*holds, MisplacedHold("wrong-delivery")))


@evolves(CardTooMany)
def _card_too_many(table: Table, event: CardTooMany) -> Table:
    assert table.shoe is not None
    shoe = replace(table.shoe, drawn=table.shoe.drawn + 1)
    return table.changed(shoe=shoe, round=table.round.changed(together=(event.index,)))


@evolves(CardsReconstructed)
def _cards_reconstructed(table: Table, event: CardsReconstructed) -> Table:
    by_index = {place.index: place for places in table.round.hands.values() for place in places}
    hands = {
        Hand.PLAYER: tuple(by_index[index] for index in event.player),
        Hand.BANKER: tuple(by_index[index] for index in event.banker),
    }
    return table.changed(round=table.round.changed(hands=hands), holds=table.holds[:-1])


takes_out("wrong-number-of-cards")(too_many)


@undoes(MisplacedHold)
def _not_misplaced(table: Table, hold: MisplacedHold) -> Table | Refusal:
    """Return the table with the last card reported to lie wrongly where it was before; an older one is still held."""
    assert table.shoe is not None
    *dealt, last = table.round.dealt
    hand = next(hand for hand, places in table.round.hands.items() if places and places[-1].index == last)
    if table.round.hands[hand][-1].card:
        return refuse("already-followed", hold.provision, case="exposed")
    left = {hand: tuple(each for each in places if each.index != last) for hand, places in table.round.hands.items()}
    in_the_shoe = not table.out and last == table.shoe.drawn - 1
    before = Phase.DEALING if dealt else Phase.CLOSED
    phase = table.phase if table.phase is Phase.BETTING else before  # after a reset bets stay open
    round_ = table.round.changed(hands=left, dealt=tuple(dealt), phase=phase)
    wrong = any(at not in {each.index for each in left[due]} for at, due in zip(dealt, INITIAL_DEAL, strict=False))
    return table.changed(
        round=round_,
        out=table.out if in_the_shoe else (last, *table.out),
        shoe=replace(table.shoe, drawn=last) if in_the_shoe else table.shoe,
        holds=(*table.holds, hold) if wrong else table.holds,
    )


@resolves(MisplacedHold)
def _misplaced(table: Table, hold: MisplacedHold) -> Iterator[NextStep]:
    yield step(table, "ReconstructCards", provision=hold.provision)
