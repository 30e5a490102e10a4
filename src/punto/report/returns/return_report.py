"""Actual return against theoretical return, from the log: of each wager at each table, and of each game over all."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from io import StringIO
from math import exp

from msgspec import Struct

from punto.books.shift_totals import Span
from punto.odds import odds
from punto.report.rendering import money
from punto.report.returns.return_bounds import ReturnWatch, WagerTheory, log_alarm
from punto.rules.rulebook import Rulebook
from punto.store.house_journal import HouseJournal
from punto.store.protocol import Reader
from punto.store.round_events import CLOCK_MARGIN, every_event, number_at
from punto.table.event import Event
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableOpened

USUAL_DEVIATIONS = 4
"""Where the house raises no alert."""
_READ = {kind.__name__ for kind in (TableOpened, RoundSettled, RoundCorrected, OverlookedWagerSettled)}


class WagerReturn(Struct, frozen=True):
    """What the house won on a wager, beside what it was to win, and the bounds of what chance allows."""

    table: str | None
    """None is all tables of the game together."""
    game: str
    decks: int
    wager: str
    rounds: int
    """With the wager."""
    turnover: int
    won: int
    expected: int
    actual_percent: float
    """Of the turnover, as are the other two."""
    theoretical_percent: float
    deviation_percent: float
    """The standard deviation of the actual one, if all stakes had been alike."""
    low: int
    high: int
    outside: bool


class ReturnReport(Struct, frozen=True):
    """The returns of all wagers; ``false_alarm`` bounds the chance that any of a table's, or a game's, is outside."""

    start: int
    end: int
    deviations: int
    false_alarm: float
    returns: tuple[WagerReturn, ...]
    unknown: tuple[str, ...] = ()
    """Tables whose game is not known."""


class _Followed:
    """The returns of one game's wagers, at a table or over all."""

    def __init__(self, table: str | None, book: Rulebook, decks: int) -> None:
        self.table, self.book, self.decks = table, book, decks
        self.theories = {each.wager.name: WagerTheory(each) for each in odds(book, decks).wagers}
        self._watches = {wager: ReturnWatch(theory) for wager, theory in self.theories.items()}

    def take_in(self, event: Event) -> None:
        """Take in what was settled, or settled again."""
        if isinstance(event, RoundSettled):
            staked, won = Counter[str](), Counter[str]()
            for each in event.wagers:
                staked[each.wager] += each.settled
                won[each.wager] += each.stake - each.returned
            for wager, stake in staked.items():
                self._watches[wager].take_in(stake, won[wager])
        elif isinstance(event, RoundCorrected | OverlookedWagerSettled):
            for change in event.corrections:
                self._watches[change.after.wager].correct(-change.change)

    def rows(self, deviations: int) -> list[WagerReturn]:
        """Return a row for each wager that was settled."""
        alarm = log_alarm(deviations, len(self.theories))
        return [self._row(wager, each, alarm) for wager, each in self._watches.items() if each.turnover]

    def _row(self, wager: str, watch: ReturnWatch, alarm: float) -> WagerReturn:
        theory, (low, high) = self.theories[wager], watch.bounds(alarm)
        spread = 100 * (float(theory.variance) / watch.rounds) ** 0.5
        return WagerReturn(
            table=self.table,
            game=self.book.key,
            decks=self.decks,
            wager=wager,
            rounds=watch.rounds,
            turnover=watch.turnover,
            won=watch.won,
            expected=round(watch.expected),
            actual_percent=round(100 * watch.won / watch.turnover, 4),
            theoretical_percent=round(100 * float(theory.edge), 4),
            deviation_percent=round(spread, 4),
            low=low,
            high=high,
            outside=watch.is_outside(alarm),
        )


async def return_report(
    store: Reader, journal: HouseJournal, books: Mapping[str, Rulebook], span: Span, only: str | None = None
) -> ReturnReport:
    """Return the report of a span; ``books`` has the games by the digests of their files, ``only`` names one table."""
    at_tables, of_games = dict[tuple[str, int], _Followed](), dict[tuple[str, int], _Followed]()
    named = {table: each for table, each in journal.tables.items() if only in (None, table)}
    for table, created in named.items():
        await _follow(store, table, books.get(created.digest), span, at_tables, of_games)
    unknown = tuple(table for table, each in named.items() if each.digest not in books)
    deviations = journal.settings.alert_deviations or USUAL_DEVIATIONS
    shown = [*at_tables.values(), *(() if only else of_games.values())]
    rows = tuple(row for each in shown for row in each.rows(deviations))
    return ReturnReport(span.start, span.end, deviations, exp(-log_alarm(deviations, 1)), rows, unknown)


async def _follow(
    store: Reader,
    table: str,
    book: Rulebook | None,
    span: Span,
    at_tables: dict[tuple[str, int], _Followed],
    of_games: dict[tuple[str, int], _Followed],
) -> None:
    """Take in what a table settled in the span."""
    decks, last = 0, await number_at(store, table, span.end + CLOCK_MARGIN)
    async for recorded in every_event(store, table, 0, last):
        if book is None or recorded.name not in _READ or recorded.at >= span.end:
            continue
        event = recorded.event
        if isinstance(event, TableOpened):
            decks = event.setting.decks
        elif recorded.at >= span.start:
            for followed, key, name in ((at_tables, table, table), (of_games, book.key, None)):
                if (key, decks) not in followed:
                    followed[key, decks] = _Followed(name, book, decks)
                followed[key, decks].take_in(event)


def returns_csv(report: ReturnReport) -> str:
    """Return the report as CSV, with a line of names first; amounts have two places."""
    made, names = StringIO(), WagerReturn.__struct_fields__
    lines = csv.writer(made, lineterminator="\r\n")
    lines.writerow(names)
    amounts = {"turnover", "won", "expected", "low", "high"}
    for each in report.returns:
        values = ((name, getattr(each, name)) for name in names)
        lines.writerow([money(value) if name in amounts else "" if value is None else value for name, value in values])
    return made.getvalue()
