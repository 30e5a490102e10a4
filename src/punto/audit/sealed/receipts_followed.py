"""The receipts of a table made again from its events, with separate code: the cards as the auditor follows them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from punto.audit.dealt_cards import CardsDealt
from punto.store.codec import UnknownEvent
from punto.store.protocol import Reader
from punto.store.receipts.wager_receipt import RECEIPT_FORMAT, WagerReceipt, receipt_bytes
from punto.store.records import EventRecord
from punto.store.round_events import every_event
from punto.table.event import Event, Settled
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.irregularities.void import RoundVoided
from punto.table.play.settlement import RoundSettled
from punto.table.play.shoes import ShoeLoaded
from punto.table.play.wagers import BetsOpened

_FOLLOWED = frozenset(name for name in vars(CardsDealt) if name[0].isupper())
"""The names of the events that say where cards are."""
_ENDS = {"RoundSettled", "RoundVoided", "RoundCorrected", "OverlookedWagerSettled"}
_ODD = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What following raises on events that no play could have brought about; the audit finds these by other means."""
_NO_CARDS = ((), ())


@dataclass
class _Round:
    """A settled round: its cards, and by wager the event that settled it last."""

    shoe: int
    cards: tuple[tuple[str, ...], tuple[str, ...]]
    settled_by: dict[tuple[str, int, str], int] = field(default_factory=dict)


class ReceiptsFollowed:
    """The receipts of one table, event by event."""

    def __init__(self, store: Reader, stream: str) -> None:
        self._store, self._stream = store, stream
        self._number, self._shoe = 0, 0
        self._cards = CardsDealt(lambda *_, **__: None)
        self._rounds: dict[int, _Round] = {}
        """Of the shoe in use and the one before: no other can be corrected."""
        self._course: list[EventRecord] = []
        """The events since a round was opened."""
        self.courses: dict[int, list[EventRecord]] = {}
        """Of what was asked for last: by the event that ended a round all its events."""

    async def between(self, first: int, last: int) -> dict[int, list[bytes]]:
        """Return by event the receipts that belong to it, as far as there are any; events are asked for in order."""
        found, self.courses = {}, {}
        async for recorded in every_event(self._store, self._stream, self._number, last):
            self._number = recorded.number
            self._follow_course(recorded, recorded.number >= first)
            if recorded.name in _FOLLOWED or recorded.name in _ENDS:
                receipts = self._take_in(recorded)
                if receipts and recorded.number >= first:
                    found[recorded.number] = receipts
        return found

    def _follow_course(self, recorded: EventRecord, is_wanted: bool) -> None:
        if recorded.name == BetsOpened.__name__:
            self._course = []
        self._course.append(recorded)
        if recorded.name in ("RoundSettled", "RoundVoided") and is_wanted:
            self.courses[recorded.number] = list(self._course)

    def _take_in(self, recorded: EventRecord) -> list[bytes]:
        try:
            event = recorded.event
        except UnknownEvent:
            return []
        if isinstance(event, ShoeLoaded):
            self._shoe += 1
            self._rounds = {at: each for at, each in self._rounds.items() if each.shoe >= self._shoe - 1}
        if isinstance(event, RoundSettled):
            cards = (tuple(filter(None, self._cards.player)), tuple(filter(None, self._cards.banker)))
            self._rounds[event.round] = _Round(self._shoe, cards)
        with suppress(*_ODD):
            if recorded.name in _FOLLOWED:
                getattr(self._cards, recorded.name)(event)
        return [receipt_bytes(each) for each in self._made(recorded, event)]

    def _made(self, recorded: EventRecord, event: Event) -> Iterator[WagerReceipt]:
        match event:
            case RoundSettled():
                here = self._rounds[event.round]
                for each in event.wagers:
                    here.settled_by[each.area] = recorded.number
                    yield _of(recorded, event.round, each, here.cards, None)
            case RoundVoided():
                for wager in event.wagers:
                    yield _blank(recorded, event.round, wager.patron, wager.position, wager.wager, wager.amount,
                                 event.clause)  # fmt: skip
            case RoundCorrected() | OverlookedWagerSettled():
                here = self._rounds.setdefault(event.round, _Round(self._shoe, _NO_CARDS))
                cards = here.cards
                if isinstance(event, RoundCorrected):
                    coup = event.coup
                    cards = (tuple(map(str, coup.player)), tuple(map(str, coup.banker))) if coup else _NO_CARDS
                    here.cards = cards if coup else here.cards
                for change in event.corrections:
                    area = change.after.area
                    earlier = here.settled_by.get(area) if change.before.stake else None
                    yield _of(recorded, event.round, change.after, cards, earlier)
                here.settled_by |= {change.after.area: recorded.number for change in event.corrections}


def _of(
    recorded: EventRecord,
    round_: int,
    each: Settled,
    cards: tuple[tuple[str, ...], tuple[str, ...]],
    replaces: int | None,
) -> WagerReceipt:
    player, banker = cards
    return WagerReceipt(
        format=RECEIPT_FORMAT, table=recorded.stream, event=recorded.number, at=recorded.at, kind=recorded.name,
        round=round_, patron=each.patron, position=each.position, wager=each.wager, stake=each.stake,
        settled=each.settled, result=None if each.result is None else str(each.result), outcome=each.outcome,
        pays=":".join(map(str, each.pays.as_integer_ratio())), winnings=each.winnings, commission=each.commission,
        returned=each.returned, clause=each.clause, limit_clause=each.limit_clause, player=player, banker=banker,
        replaces=replaces, capped=each.capped,
    )  # fmt: skip


def _blank(
    recorded: EventRecord, round_: int, patron: str, position: int, wager: str, stake: int, clause: str | None
) -> WagerReceipt:
    """Return the receipt of a wager handed back with a void round."""
    return WagerReceipt(
        format=RECEIPT_FORMAT, table=recorded.stream, event=recorded.number, at=recorded.at, kind=recorded.name,
        round=round_, patron=patron, position=position, wager=wager, stake=stake, settled=0, result="void",
        outcome="void", pays="0:1", winnings=0, commission=0, returned=stake, clause=clause, limit_clause=None,
        player=(), banker=(),
    )  # fmt: skip
