"""The receipts of what an event settles, made from the table's events. The auditor makes them with code of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct, field

from punto.books.cards_followed import CARD_EVENTS, CardsFollowed
from punto.cards import Card
from punto.rules.rulebook import VOID
from punto.rules.table_of_play import Hand
from punto.store.protocol import Reader
from punto.store.receipts.wager_receipt import RECEIPT_FORMAT, WagerReceipt, ratio
from punto.store.records import EventRecord
from punto.table.event import Event, Returned, Settled
from punto.table.irregularities.correction import Correction, RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.void import RoundVoided
from punto.table.play.settlement import RoundSettled
from punto.table.play.wagers import BetsOpened

SETTLING = frozenset(kind.__name__ for kind in (RoundSettled, RoundVoided, RoundCorrected, OverlookedWagerSettled))
"""The names of the events that have receipts."""
_OPENED = "select number from event where stream = $1 and name = $2 and number < $3 order by number desc limit 1"
_SETTLED = f"""
    select number from event where stream = $1 and number < $2
    and name in ({", ".join(f"'{name}'" for name in sorted(SETTLING))}) order by number desc limit 20
"""
Cards = tuple[tuple[str, ...], tuple[str, ...]]
"""The cards of Player's hand and of Banker's."""
NO_CARDS: Cards = ((), ())


class _Before(Struct):
    """A round as it was settled before it was corrected."""

    cards: Cards | None = None
    events: dict[tuple[str, int, str], int] = field(default_factory=dict)
    """By wager the event that settled it last."""


async def receipts_of(
    store: Reader, stream: str, number: int, course: Sequence[EventRecord] | None = None
) -> list[WagerReceipt]:
    """Return the receipts of all wagers that an event settles, returns with a void round, or corrects.

    The course of the round that it ends saves reading that again.
    """
    (recorded,) = course[-1:] if course else await store.read(stream, number - 1, 1)
    event = recorded.event
    match event:
        case RoundSettled():
            cards = _cards_in(course) if course else await _cards_of(store, recorded)
            return [_settled(recorded, event.round, each, cards) for each in event.wagers]
        case RoundVoided():
            return [_returned(recorded, event, each) for each in event.wagers]
        case RoundCorrected() | OverlookedWagerSettled():
            before = await _before(store, recorded, event.round)
            cards = _corrected_cards(event) or before.cards or NO_CARDS
            if isinstance(event, RoundCorrected) and event.coup is None:
                cards = NO_CARDS
            return [_corrected(recorded, event.round, each, cards, before) for each in event.corrections]
    return []


def _about(recorded: EventRecord, round_: int) -> dict[str, Any]:
    of_event = {"table": recorded.stream, "event": recorded.number, "at": recorded.at, "kind": recorded.name}
    return {"format": RECEIPT_FORMAT, **of_event, "round": round_}


def _settled(
    recorded: EventRecord, round_: int, each: Settled, cards: Cards, replaces: int | None = None
) -> WagerReceipt:
    return WagerReceipt(
        **_about(recorded, round_),
        patron=each.patron,
        position=each.position,
        wager=each.wager,
        stake=each.stake,
        settled=each.settled,
        result=each.result.value if each.result else None,
        outcome=each.outcome,
        pays=ratio(each.pays),
        winnings=each.winnings,
        commission=each.commission,
        returned=each.returned,
        clause=each.clause,
        limit_clause=each.limit_clause,
        player=cards[0],
        banker=cards[1],
        replaces=replaces,
        capped=each.capped,
    )


def _returned(recorded: EventRecord, event: RoundVoided, each: Returned) -> WagerReceipt:
    """Return the receipt of a wager that a void round hands back."""
    return WagerReceipt(
        **_about(recorded, event.round),
        patron=each.patron,
        position=each.position,
        wager=each.wager,
        stake=each.amount,
        settled=0,
        result=VOID,
        outcome=VOID,
        pays=ratio(Fraction(0)),
        winnings=0,
        commission=0,
        returned=each.amount,
        clause=event.clause,
        limit_clause=None,
        player=(),
        banker=(),
    )


def _corrected(recorded: EventRecord, round_: int, each: Correction, cards: Cards, before: _Before) -> WagerReceipt:
    replaces = before.events.get(each.after.area) if each.before.stake else None
    return _settled(recorded, round_, each.after, cards, replaces)


async def _before(store: Reader, corrected: EventRecord, round_: int) -> _Before:
    """Return a round as it stood before an event corrected it, found from there backwards."""
    found, below = _Before(), corrected.number
    while rows := await store.look_up(_SETTLED, corrected.stream, below):
        for (below,) in rows:
            (recorded,) = await store.read(corrected.stream, below - 1, 1)
            event = recorded.event
            if getattr(event, "round", None) != round_:
                continue
            for area in _areas(event):
                found.events.setdefault(area, below)
            found.cards = found.cards or _corrected_cards(event)
            if isinstance(event, RoundSettled):
                found.cards = found.cards or await _cards_of(store, recorded)
                return found
    return found


def _areas(event: Event) -> Iterator[tuple[str, int, str]]:
    if isinstance(event, RoundSettled):
        yield from (each.area for each in event.wagers)
    elif isinstance(event, RoundCorrected | OverlookedWagerSettled):
        yield from (each.after.area for each in event.corrections)


async def course_events(store: Reader, stream: str, last: int) -> list[EventRecord]:
    """Return the events of the round that an event ends, from the one that opened it."""
    rows = await store.look_up(_OPENED, stream, BetsOpened.__name__, last)
    first = int(rows[0][0]) if rows else 1
    return await store.read(stream, first - 1, last - first + 1)


async def _cards_of(store: Reader, settled: EventRecord) -> Cards:
    """Return the cards of the round that an event settles."""
    return _cards_in(await course_events(store, settled.stream, settled.number))


def _cards_in(course: Sequence[EventRecord]) -> Cards:
    followed = CardsFollowed()
    for recorded in course[:-1]:
        if recorded.name in CARD_EVENTS:
            followed.take_in(recorded.event)
    return _written(followed.hand(Hand.PLAYER)), _written(followed.hand(Hand.BANKER))


def _corrected_cards(event: Event) -> Cards | None:
    coup = event.coup if isinstance(event, RoundCorrected) else None
    return (_written(coup.player), _written(coup.banker)) if coup else None


def _written(hand: Sequence[Card | None]) -> tuple[str, ...]:
    return tuple(str(card) for card in hand if card)
