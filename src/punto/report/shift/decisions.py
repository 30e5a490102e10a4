"""What staff decided in a span of time besides play: voids, corrections, limits, overrides, and slips."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from punto.books.round_log import round_of
from punto.books.shift_totals import Span
from punto.report.legend import Legend
from punto.store.events.cage_events import CAGE, SlipKind, SlipMove
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.round_events import CLOCK_MARGIN, every_event, number_at
from punto.store.slip_book import Signed, SlipBook, SlipState
from punto.table.event import Event, Irregularity
from punto.table.irregularities.correction import CardCorrected, RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.measures import CardsPutAside, NewCardsOrdered, WagerReturned
from punto.table.irregularities.void import RoundVoided
from punto.table.play.table_management import AreaRestricted, LimitsChanged, MethodChanged
from punto.table.play.unread_card import ReadingOverridden
from punto.table.play.wrong_payout import PayoutCorrected


class DecisionKind(StrEnum):
    """What kind of decision it was."""

    VOID = "void"
    CORRECTION = "correction"
    LIMITS = "limits"
    OVERRIDE = "override"


_KINDS: dict[type[Event], DecisionKind] = {
    RoundVoided: DecisionKind.VOID,
    RoundCorrected: DecisionKind.CORRECTION,
    OverlookedWagerSettled: DecisionKind.CORRECTION,
    CardCorrected: DecisionKind.CORRECTION,
    PayoutCorrected: DecisionKind.CORRECTION,
    LimitsChanged: DecisionKind.LIMITS,
    MethodChanged: DecisionKind.LIMITS,
    AreaRestricted: DecisionKind.LIMITS,
    ReadingOverridden: DecisionKind.OVERRIDE,
    CardsPutAside: DecisionKind.OVERRIDE,
    NewCardsOrdered: DecisionKind.OVERRIDE,
    WagerReturned: DecisionKind.OVERRIDE,
}
DECISIONS = {kind.__name__ for kind in _KINDS}
"""The names of the events that tell a decision."""


class DecisionTold(Struct, frozen=True):
    """A decision: what kind, where, when, and who made it."""

    kind: DecisionKind
    table: str
    number: int
    """Of the event."""
    at: int
    round: int | None
    told: str
    by: str
    name: str | None
    position: str
    reason: str = ""
    second_person: str = ""


class SlipTold(Struct, frozen=True):
    """A slip that was confirmed or cancelled, with both names."""

    number: int
    kind: SlipKind
    table: str
    amount: int
    state: SlipState
    at: int
    asked_by: str
    ended_by: str


def kind_of(event: Event) -> DecisionKind | None:
    """Return what kind of decision an event tells; None if it tells none."""
    if isinstance(event, RoundCorrected) and event.coup is None:
        return DecisionKind.VOID
    return _KINDS.get(type(event))


def decision_told(kind: DecisionKind, table: str, recorded: EventRecord, legend: Legend) -> DecisionTold:
    """Return a decision in words, with names."""
    event = recorded.event
    about = event.circumstances if isinstance(event, Irregularity) else None
    by = about.authorised_by if about else recorded.by
    return DecisionTold(
        kind=kind,
        table=table,
        number=recorded.number,
        at=recorded.at,
        round=round_of(event),
        told=legend.event(event),
        by=by,
        name=legend.names.get(by),
        position=about.position.value if about else recorded.position,
        reason=legend.in_text(about.reason) if about else "",
        second_person=legend.name(about.second_person) if about else "",
    )


async def _slips(store: Reader, span: Span, legend: Legend, after: int) -> tuple[SlipBook, set[int]]:
    """Return the slips from an event of the cage on, and which of them moved in the span.

    Raises ``KeyError`` if one was asked for before.
    """
    book, moved = SlipBook(from_any=after > 0), set[int]()
    async for recorded in every_event(store, CAGE, after):
        if recorded.at >= span.end:
            break
        if isinstance(event := recorded.event, SlipMove):
            await legend.look_up(store, [recorded])
            book.take_in(recorded)
            if recorded.at >= span.start:
                moved.add(event.slip)
    return book, moved


async def slips_told(store: Reader, span: Span, legend: Legend) -> tuple[SlipTold, ...]:
    """Return the slips that were confirmed or cancelled in a span.

    Most were asked for on the same day; only if one was not, all of the cage's events are read.
    """
    try:
        book, ended = await _slips(store, span, legend, await number_at(store, CAGE, span.start - CLOCK_MARGIN))
    except KeyError:
        book, ended = await _slips(store, span, legend, 0)

    def who(signed: Signed) -> str:
        return legend.name(signed.by)

    slips = [book.slips[number] for number in sorted(ended)]
    return tuple(
        SlipTold(
            each.number, each.kind, each.table, each.amount, each.state, each.ended.at, who(each.asked), who(each.ended)
        )
        for each in slips
        if each.ended
    )
