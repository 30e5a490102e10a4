"""A long history by real play, for ``punto bench history`` and tests: days of rounds at some tables, in a store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

from punto.cards import DECK, Card
from punto.rules import load
from punto.rules.coup import Coup, Unlawful
from punto.rules.table_of_play import Hand, next_card
from punto.store.house import House
from punto.store.records import Append, EventRecord
from punto.table.command import Command
from punto.table.decide import decide
from punto.table.evolve import evolve
from punto.table.irregularities.correction import CorrectRound
from punto.table.irregularities.void import ConfirmVoid, ReportVoid
from punto.table.play.chips import BuyIn, CashOut
from punto.table.play.dealing import AnnounceOutcome, DrawCard, ExposeCard
from punto.table.play.settlement import SettleRound
from punto.table.play.shoes import EndShoe, LoadShoe
from punto.table.play.table_management import CloseTable, OpenTable, TableOpened
from punto.table.play.wagers import CloseBets, OpenBets, PlaceWager
from punto.table.refusal import Refusal
from punto.table.roles import Actor, Role
from punto.table.settings import Device, Limits, Setting
from punto.table.table import Table

DAY = 86_400_000
EVENTS_A_DAY = 10_000
"""Of a table: then it is closed, and opened again on the next day."""
BEGAN = 1_700_000_000_000 // DAY * DAY
"""When the first day begins, in milliseconds since 1970; UTC."""
_DEALER, _CONFIRMS = Actor("Sam", Role.DEALER), Actor("Pat", Role.GAMING_SHIFT_MANAGER)
_PLACES = ((Hand.PLAYER, 0), (Hand.BANKER, 0), (Hand.PLAYER, 1), (Hand.BANKER, 1))
_PATRONS = tuple(Actor(f"patron{position}", Role.PATRON) for position in range(1, 10))
_AT_ONCE = 2_000
_SPARE_CARDS = 30
_LONGEST_ROUND = 100
"""Events, with those of closing the table."""


class PlayedTable:
    """A table of nine patrons played day after day by chance that repeats: some rounds are void, some corrected."""

    def __init__(self, seed: int, events_a_day: int = EVENTS_A_DAY) -> None:
        self.table = Table(load("baccarat"))
        self._random = Random(seed)
        self._shoe: list[Card] = []
        self._log: list[EventRecord] = []
        self._events = self._day = 0
        self._events_a_day = events_a_day
        self._wagers = tuple(wager.name for wager in self.table.book.wagers)

    def records(self) -> Iterator[EventRecord]:
        """Yield the events of one day after the other, without an end."""
        while True:
            self._open()
            while self._events < self._events_a_day - _LONGEST_ROUND:
                self._round()
                yield from self._log
                self._log.clear()
            self._close()
            self._day, self._events = self._day + 1, 0

    def _give(self, command: Command) -> None:
        answer = decide(self.table, command)
        assert not isinstance(answer, Refusal), answer
        for event in answer:
            self.table = evolve(self.table, event)
            at = BEGAN + self._day * DAY + self._events * (DAY // self._events_a_day // 2)
            self._log.append(EventRecord.of(event, at, command.by.id, command.by.role.value))
            self._events += 1

    def _open(self) -> None:
        limits = {wager: Limits(100, 1_000_000) for wager in self._wagers}
        setting = Setting("Appendix B", 9, limits, 100, 10, Device.MANUAL, "B")
        self._give(OpenTable(_CONFIRMS, setting, 10**12))
        for patron in _PATRONS:
            self._give(BuyIn(_DEALER, patron.id, 10**9))

    def _close(self) -> None:
        self._give(EndShoe(_CONFIRMS))
        for patron in _PATRONS:
            self._give(CashOut(_DEALER, patron.id, self.table.chips[patron.id]))
        self._give(CloseTable(_CONFIRMS, self.table.float_ + self.table.commission))

    def _round(self) -> None:
        if len(self._shoe) < _SPARE_CARDS or self.table.shoe is None:
            self._change_shoe()
        self._give(OpenBets(_DEALER))
        for position, patron in enumerate(_PATRONS, 1):
            for wager in self._random.sample(self._wagers, self._random.randint(1, 4)):
                self._give(PlaceWager(patron, patron.id, position, wager, 100 * self._random.randint(1, 50)))
        self._give(CloseBets(_DEALER))
        if self._random.random() < 0.01:
            self._give(ReportVoid(_DEALER, "order-altered"))
            self._give(ConfirmVoid(_CONFIRMS))
            return
        self._deal()
        self._give(AnnounceOutcome(_DEALER))
        self._give(SettleRound(_DEALER))
        if self._random.random() < 0.01:
            self._correct()

    def _deal(self) -> None:
        for _ in _PLACES:
            self._give(DrawCard(_DEALER))
        for hand, place in _PLACES:
            self._give(ExposeCard(_DEALER, hand, place, self._shoe.pop()))
        while due := next_card(self.table.round.values(Hand.PLAYER), self.table.round.values(Hand.BANKER)):
            self._give(DrawCard(_DEALER))
            self._give(ExposeCard(_DEALER, due, 2, self._shoe.pop()))

    def _correct(self) -> None:
        """Have a round settled again as if the hands had been exchanged, if that is lawful."""
        number = self._random.choice(list(self.table.history))
        settled = self.table.history[number]
        if len(settled.player) != len(settled.banker):
            return
        with suppress(Unlawful):
            coup = Coup(settled.banker, settled.player)
            self._give(CorrectRound(_CONFIRMS, number, coup.player, coup.banker))

    def _change_shoe(self) -> None:
        if self.table.shoe:
            self._give(EndShoe(_CONFIRMS))
        self._give(LoadShoe(_DEALER, f"shoe {self.table.shoes + 1} of day {self._day + 1}"))
        self._shoe = self._random.sample(list(DECK) * 10, 52 * 10)


async def make_history(house: House, events: int, tables: int = 1, events_a_day: int = EVENTS_A_DAY) -> list[str]:
    """Play until every table has its share of this many events, and note heads; return the tables.

    Each history ends as long after the opening of its table, so that what was played last is the same for all.
    """
    names = [f"table-{number}" for number in range(1, tables + 1)]
    for number, name in enumerate(names, 1):
        play = PlayedTable(number, events_a_day)
        await house.create_table(name, play.table.book, BEGAN)
        stored, today, waiting = 0, 0, list[EventRecord]()
        for record in play.records():
            waiting.append(record)
            today = 1 if record.name == TableOpened.__name__ else today + 1
            is_over = stored + len(waiting) >= events // tables and today == events_a_day // 20
            if len(waiting) == _AT_ONCE or is_over:
                await house.store.append([Append(name, stored, waiting)])
                stored, waiting = stored + len(waiting), []
                await house.note_heads([name], record.at)
            if is_over:
                break
    return names
