"""A card found face up in the dealing device."""

from __future__ import annotations

from punto.cards import Card
from punto.table.command import Report
from punto.table.event import Irregularity
from punto.table.guards import Decision, procedure, real_cards
from punto.table.irregularities.referral import Referred, matter
from punto.table.irregularities.void import cards_seen_in_device
from punto.table.registry import decides, evolves
from punto.table.roles import Role
from punto.table.round import IN_ROUND
from punto.table.table import Table
from punto.table.visibility import Public


class ReportFaceUp(Report, frozen=True):
    """A card lies face up in the device."""

    card: Card | None = None
    """Which it is, if anyone can name it."""


class FaceUpCardFound(Irregularity, frozen=True):
    """A card lay face up in the device; after the round's first card it is played as if it had not."""

    index: Public[int]
    clause: Public[str | None]
    card: Card | None = None
    """Which it was, if anyone could name it."""


_FIRST_CARD = matter("first-card-face-up", "the first card of a round lies face up")


@decides(ReportFaceUp)
def report_face_up(table: Table, command: ReportFaceUp) -> Decision:
    """Play it as if face down after the round's first card; refer the first card itself (reading R24)."""
    provision = "card-face-up"
    refusal = procedure(table, command, provision, Role.DEALER, *IN_ROUND) or real_cards(table, provision)
    if refusal:
        return refusal
    if wrong := cards_seen_in_device(table, (command.card,) if command.card else ()):
        return wrong
    if table.round.drawn == 0 or table.round.deal_over:
        referred = Referred("", table.book.clause_of("referral"), case=_FIRST_CARD)
        return (FaceUpCardFound(table.next_index, None, command.card), referred)
    return (FaceUpCardFound(table.next_index, table.book.clause_of(provision), command.card),)


@evolves(FaceUpCardFound)
def _face_up_card_found(table: Table, event: FaceUpCardFound) -> Table:
    # Without a clause it is the first card of a round, of this one or of the next.
    next_seen = event.clause is None and table.round.drawn > 0
    return table.changed(round=table.round.changed(any_seen=True), next_card_seen=next_seen)
