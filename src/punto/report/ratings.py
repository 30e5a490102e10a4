"""Ratings of patrons: how long they were at a table, what they wagered on average, what the odds say they lose.

A patron is at a table while they have chips there or a wager on its layout.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from io import StringIO

from msgspec import Struct
from msgspec.structs import replace

from punto.audit.table_followed import NO_BOOKS, summary_of
from punto.books.ledger import AccountKind, postings
from punto.books.round_log import ends_round
from punto.books.shift_totals import Play, Span
from punto.report.paper.letterhead import Letterhead
from punto.report.rendering import money
from punto.report.shift.shift_csv import plain
from punto.report.shift.theoretical_win import expected_win
from punto.rules.game_library import by_digest
from punto.rules.rulebook import Rulebook
from punto.store.house_settings import HouseSettings
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.round_events import every_event, time_of
from punto.store.trust.checkpoints import Checkpoint, Checkpoints
from punto.table.event import Event, Settled
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.settlement import RoundSettled
from punto.table.play.table_management import TableClosed, TableOpened
from punto.table.play.wagers import WagerPlaced
from punto.texts import Language

COLUMNS = (
    *("patron", "name", "table", "first_utc", "last_utc", "minutes", "rounds", "average_wager", "turnover"),
    *("theoretical_loss", "actual_loss"),
    *("time_zone", "first_local", "last_local"),
)


class Rating(Struct, frozen=True):
    """The play of one patron at one table in a span of time. Amounts are in cents."""

    patron: str
    name: str | None
    table: str
    first: int
    """When they came to the table in this span."""
    last: int
    """When they were last there."""
    seconds: int
    rounds: int
    """In which a wager of theirs was settled."""
    average: int
    """Wagered in a round, on average."""
    turnover: int
    theoretical: int
    """What they were to lose by the exact odds of a full shoe, rounded."""
    lost: int
    """What they really lost; below zero, won."""


class _Patron:
    def __init__(self) -> None:
        self.since: int | None = None
        self.first: int | None = None
        self.last = self.milliseconds = self.rounds = self.lost = 0
        self.theoretical = Fraction()
        self.turnover = 0


class _Table:
    """One table followed from its last checkpoint before the span, or from its first event."""

    def __init__(self, books: Mapping[str, Rulebook], span: Span, before: Checkpoint | None) -> None:
        self._books, self._span = books, span
        known = summary_of(before).books if before else NO_BOOKS
        self._book = books.get(before.game) if before else None
        self._decks = known.decks or 8
        self._chips = Counter(known.chips)
        self._laid: set[str] = set()
        self._in_round: defaultdict[int, set[str]] = defaultdict(set)
        self.patrons: defaultdict[str, _Patron] = defaultdict(_Patron)
        for patron, chips in known.chips.items():
            self._attend(patron, before.latest if before else 0, chips > 0)

    def take_in(self, recorded: EventRecord) -> None:
        event, at = recorded.event, recorded.at
        if isinstance(event, TableOpened):
            self._book, self._decks = self._books.get(event.digest), event.setting.decks
        if self._span.start <= at < self._span.end:
            self._count(event)
        moved = [each for each in postings(event) if each.account.kind is AccountKind.CHIPS]
        for each in moved:
            self._chips[each.account.patron or ""] += each.amount
        touched = {each.account.patron or "" for each in moved}
        if isinstance(event, WagerPlaced):
            self._laid.add(event.patron)
        elif ends_round(event) or isinstance(event, TableClosed):
            touched |= self._laid
            self._laid = set()
        for patron in touched:
            self._attend(patron, at, self._chips[patron] > 0 or patron in self._laid)

    def _attend(self, patron: str, at: int, there: bool) -> None:
        rated = self.patrons[patron]
        if there and rated.since is None:
            rated.since = at
        elif not there and rated.since is not None:
            self._leave(rated, at)

    def _leave(self, rated: _Patron, at: int) -> None:
        """Count the time in the span since they came."""
        assert rated.since is not None
        begin, end = max(rated.since, self._span.start), min(at, self._span.end)
        rated.since = None
        if end > begin:
            rated.first = begin if rated.first is None else rated.first
            rated.last = end
            rated.milliseconds += end - begin

    def end(self, now: int) -> None:
        """Count the time of those who are still there."""
        for rated in self.patrons.values():
            if rated.since is not None:
                self._leave(rated, now)

    def _count(self, event: Event) -> None:
        if isinstance(event, RoundSettled):
            self._took_part(event.round, event.wagers)
            for each in event.wagers:
                self._add(each.patron, each.wager, each.settled, each.stake - each.returned)
        elif isinstance(event, RoundCorrected | OverlookedWagerSettled):
            if isinstance(event, OverlookedWagerSettled):
                self._took_part(event.round, (event.correction.after,))
            for change in event.corrections:
                before, after = change.before, change.after
                self._add(after.patron, after.wager, after.settled - before.settled, -change.change)

    def _took_part(self, number: int, wagers: Iterable[Settled]) -> None:
        """Count a round for everyone with a wager settled in it, once."""
        for patron in {each.patron for each in wagers if each.settled} - self._in_round[number]:
            self._in_round[number].add(patron)
            self.patrons[patron].rounds += 1

    def _add(self, patron: str, wager: str, settled: int, lost: int) -> None:
        rated, play = self.patrons[patron], Play()
        play.turnover[wager] += settled
        rated.turnover += settled
        rated.lost += lost
        rated.theoretical += sum(expected_win(self._book, self._decks, play).values(), Fraction())


async def ratings(
    store: Reader, books: Iterable[Rulebook], span: Span, tables: Iterable[str], only: str | None = None
) -> list[Rating]:
    """Return the ratings of all patrons in a span, at all tables or one; who lost most by the odds first."""
    known, found = by_digest(books), list[Rating]()
    for table in tables:
        if only in (None, table):
            before = await (await Checkpoints.of(store, table)).before_time(span.start)
            followed = _Table(known, span, before)
            async for recorded in every_event(store, table, before.number if before else 0):
                if recorded.at >= span.end:
                    break
                followed.take_in(recorded)
            followed.end(span.end)
            found += [_rating(patron, table, each) for patron, each in followed.patrons.items() if _played(each)]
    names = await store.names({each.patron for each in found})
    named = [replace(each, name=names[each.patron].words) if each.patron in names else each for each in found]
    return sorted(named, key=lambda each: (-each.theoretical, each.patron, each.table))


def _played(rated: _Patron) -> bool:
    return rated.first is not None or rated.rounds > 0


def _rating(patron: str, table: str, rated: _Patron) -> Rating:
    return Rating(
        patron=patron,
        name=None,
        table=table,
        first=rated.first or 0,
        last=rated.last,
        seconds=rated.milliseconds // 1000,
        rounds=rated.rounds,
        average=round(Fraction(rated.turnover, rated.rounds)) if rated.rounds else 0,
        turnover=rated.turnover,
        theoretical=round(rated.theoretical),
        lost=rated.lost,
    )


def ratings_csv(rated: Iterable[Rating], settings: HouseSettings) -> str:
    """Return ratings as CSV, with a line of names first; amounts have two places.

    Times are UTC and, in the last columns, as the clocks of the house show them.
    """
    paper = Letterhead(settings, Language.ENGLISH)
    made = StringIO()
    lines = csv.writer(made, lineterminator="\r\n")
    lines.writerow(COLUMNS)
    for each in rated:
        local = (settings.time_zone, paper.time(each.first), paper.time(each.last))
        lines.writerow(map(plain, [*_line(each), *local]))
    return made.getvalue()


def _line(each: Rating) -> list[object]:
    return [
        *(each.patron, each.name or "", each.table, time_of(each.first), time_of(each.last)),
        *(each.seconds // 60, each.rounds, money(each.average), money(each.turnover)),
        *(money(each.theoretical), money(each.lost)),
    ]
