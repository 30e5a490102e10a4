"""A round as one patron played it: the cards, what became of their wagers, and step by step what they had.

Everything is read from the events of the round, of which only what the public saw and what is the patron's own is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from punto.books.cards_followed import CardsFollowed
from punto.books.ledger import chips, postings
from punto.cards import Card
from punto.rules.coup import Coup, OutcomeClass, hand_total
from punto.rules.table_of_play import Hand
from punto.server.http.rounds import HandShown
from punto.store.play_rows import PlayLine
from punto.store.records import EventRecord
from punto.table.event import Event, Irregularity, Settled
from punto.table.irregularities.correction import Correction, RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.void import RoundVoided
from punto.table.play.dealing import CardExposed, OutcomeAnnounced
from punto.table.play.settlement import RoundSettled
from punto.table.play.wagers import BetsClosed, BetsOpened, WagerPlaced, WagerTakenBack
from punto.table.visibility import Audience, visible_fields


class StepKind(StrEnum):
    """What a step of a round shows."""

    OPENED = "opened"
    PLACED = "placed"
    TAKEN_BACK = "taken-back"
    CLOSED = "closed"
    CARD = "card"
    OUTCOME = "outcome"
    SETTLED = "settled"
    VOID = "void"
    IRREGULAR = "irregular"


class StepPlayed(Struct, frozen=True):
    """A step of a round, and the table after it as the patron saw it."""

    at: int
    kind: StepKind
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    """None is a card face down."""
    chips: int
    """The patron's, without what lies on the layout."""
    player_total: int | None = None
    """Of the exposed cards; None while there is none."""
    banker_total: int | None = None
    wager: str | None = None
    amount: int | None = None
    hand: Hand | None = None
    card: Card | None = None
    winner: str | None = None
    provision: str | None = None
    clause: str | None = None


class LinePlayed(Struct, frozen=True):
    """A round of a patron's, or money they brought or took away, with what they had at the table before and after."""

    number: int
    at: int
    kind: str
    round: int
    """0 where it is about none."""
    staked: int
    net: int
    before: int
    balance: int
    player: HandShown | None = None
    banker: HandShown | None = None
    winner: str | None = None
    clause: str | None = None
    """By which the round was void, or corrected."""
    wagers: tuple[Settled, ...] = ()
    corrections: tuple[Correction, ...] = ()


class RoundPlayed(Struct, frozen=True):
    """A round step by step."""

    table: str
    line: LinePlayed
    steps: tuple[StepPlayed, ...]


def told_line(line: PlayLine, events: Sequence[EventRecord]) -> LinePlayed:
    """Return a line with the cards and wagers of its round; ``events`` end with the line's own."""
    followed = CardsFollowed()
    for recorded in events[:-1]:
        followed.take_in(recorded.event)
    last = events[-1].event
    hands = _of_coup(last.coup) if isinstance(last, RoundCorrected) else _dealt(followed, last)
    return LinePlayed(
        number=line.number,
        at=line.at,
        kind=line.kind,
        round=line.round,
        staked=line.staked,
        net=line.net,
        before=line.balance - line.change,
        balance=line.balance,
        player=hands[0] if hands else None,
        banker=hands[1] if hands else None,
        winner=_winner(*hands) if hands else None,
        clause=getattr(last, "clause", None),
        wagers=_wagers(line.patron, last),
        corrections=_corrections(line.patron, last),
    )


def _dealt(followed: CardsFollowed, last: Event) -> tuple[HandShown, HandShown] | None:
    if not isinstance(last, RoundSettled):
        return None  # a void round has no outcome
    player, banker = (_shown(followed.hand(hand)) for hand in Hand)
    return player, banker


def _of_coup(coup: Coup | None) -> tuple[HandShown, HandShown] | None:
    return (_shown(coup.player), _shown(coup.banker)) if coup else None


def _shown(cards: Iterable[Card | None]) -> HandShown:
    exposed = tuple(card for card in cards if card)
    return HandShown(exposed, hand_total(exposed))


def _winner(player: HandShown, banker: HandShown) -> str:
    return OutcomeClass(player.total, banker.total, len(player.cards), len(banker.cards)).winner.value


def _wagers(patron: str, event: Event) -> tuple[Settled, ...]:
    return tuple(each for each in event.wagers if each.patron == patron) if isinstance(event, RoundSettled) else ()


def _corrections(patron: str, event: Event) -> tuple[Correction, ...]:
    if not isinstance(event, RoundCorrected | OverlookedWagerSettled):
        return ()
    return tuple(each for each in event.corrections if each.after.patron == patron)


def told_steps(line: PlayLine, events: Sequence[EventRecord]) -> tuple[StepPlayed, ...]:
    """Return a round step by step, from the event that opened it to the one that ended it."""
    moved = [_moved(line.patron, recorded.event) for recorded in events]
    has = line.balance - sum(moved)
    followed, steps = CardsFollowed(), list[StepPlayed]()
    for recorded, change in zip(events, moved, strict=True):
        event, has = recorded.event, has + change
        followed.take_in(event)
        if about := _about(line.patron, event, bool(change)):
            kind, values = about
            player, banker = (followed.hand(hand) for hand in Hand)
            totals = _exposed_total(player), _exposed_total(banker)
            steps.append(StepPlayed(recorded.at, kind, player, banker, has, *totals, **values))
    return tuple(steps)


def _exposed_total(cards: Iterable[Card | None]) -> int | None:
    exposed = _shown(cards)
    return exposed.total if exposed.cards else None


def _moved(patron: str, event: Event) -> int:
    return sum(each.amount for each in postings(event) if each.account == chips(patron))


def _about(patron: str, event: Event, is_own: bool) -> tuple[StepKind, dict[str, Any]] | None:
    """Return what a step tells of an event; None for one that the patron need not see."""
    if isinstance(event, WagerPlaced | WagerTakenBack) and event.patron != patron:
        return None
    if type(event) in _STEPS:
        kind, names = _STEPS[type(event)]
        return kind, {name: getattr(event, name) for name in names}
    if not isinstance(event, Irregularity):
        return None
    shown = {"provision", "clause"} & {*visible_fields(type(event), Audience.PUBLIC)}
    return (StepKind.IRREGULAR, {name: getattr(event, name) for name in shown}) if is_own or shown else None


_STEPS: dict[type[Event], tuple[StepKind, tuple[str, ...]]] = {
    BetsOpened: (StepKind.OPENED, ()),
    WagerPlaced: (StepKind.PLACED, ("wager", "amount")),
    WagerTakenBack: (StepKind.TAKEN_BACK, ("wager", "amount")),
    BetsClosed: (StepKind.CLOSED, ()),
    CardExposed: (StepKind.CARD, ("hand", "card")),
    OutcomeAnnounced: (StepKind.OUTCOME, ("winner",)),
    RoundSettled: (StepKind.SETTLED, ()),
    RoundVoided: (StepKind.VOID, ("clause",)),
}
