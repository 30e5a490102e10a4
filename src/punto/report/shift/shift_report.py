"""Shift reports: what every table of a house made in a span of time, what went wrong there, and who decided about it.

All figures come from the stored events by way of the books. Amounts are in cents, times in milliseconds since 1970.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import starmap

from msgspec import Struct

from punto import __version__
from punto.audit.table_followed import NO_BOOKS, summary_of
from punto.books.ledger import MOVES_MONEY
from punto.books.shift_totals import Opening, Play, Span, TableShift
from punto.books.table_results import together
from punto.report.dispute.packet import cited
from punto.report.legend import Legend
from punto.report.shift.decisions import DECISIONS, DecisionTold, SlipTold, decision_told, kind_of, slips_told
from punto.report.shift.duties_and_debts import LEAVES_DEBTS, DebtsFollowed, DebtTold, DutiesFollowed, DutyTold
from punto.report.shift.made import Made, OpeningShown, TableMade, figures, made_of, results_of
from punto.report.shift.theoretical_win import Expected, expected_win, summed
from punto.rules.clause_texts import clause_text
from punto.rules.game_library import by_digest
from punto.rules.rulebook import Rulebook
from punto.store.house_journal import HouseJournal, journal_of
from punto.store.house_settings import HouseSettings
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.trust.checkpoints import Checkpoint, Checkpoints
from punto.table.event import Irregularity
from punto.table.evolve import EVENTS
from punto.table.play.duty import DealerSignedOff, DealerSignedOn
from punto.table.play.table_management import TableClosed, TableOpened
from punto.texts import Language

FORMAT = "punto-shift-1"
READ_AT_ONCE = 1_000
"""Events: little is read that is after the span."""
_BEFORE = {kind.__name__ for kind in MOVES_MONEY | {DealerSignedOn, DealerSignedOff, TableOpened}}
"""Before the span only these matter: they give what a table held when it began, and who was on duty."""
_IRREGULAR = {name for name, kind in EVENTS.items() if issubclass(kind, Irregularity)}
_PEOPLE = {kind.__name__ for kind in (DealerSignedOn, *LEAVES_DEBTS, TableOpened, TableClosed)}
"""Of these also those before the span are told: a Dealer may still be on duty in it, and a debt not be paid."""
_NAMED = _IRREGULAR | _PEOPLE | DECISIONS
"""In the span the people in all of these are told by name."""
_TOLD = _BEFORE | _IRREGULAR | DECISIONS
"""In the span also these. All other events, which are most, need not be read."""


class IrregularityTold(Struct, frozen=True):
    """Something that went wrong, or was decided about it: where, what, and who authorised it in which position."""

    table: str
    number: int
    at: int
    round: int | None
    event: str
    told: str
    noticed_by: str
    authorised_by: str
    name: str | None
    """Name of the person who authorised it, where it is known."""
    position: str
    acting_in: tuple[str, ...]
    note: str
    reason: str = ""
    second_person: str = ""
    """Who confirmed it, where the house asks for a second person."""


class ByClause(Struct, frozen=True):
    """All irregularities that rest on one clause of one game; the clause is None where no rule is cited."""

    game: str
    title: str
    clause: str | None
    text: str
    irregularities: tuple[IrregularityTold, ...]


class TableIdle(Struct, frozen=True):
    """A table that was not open in the span."""

    table: str
    title: str


class ShiftReport(Struct, frozen=True):
    """A span of time at all tables."""

    report: str
    software: str
    start: int
    end: int
    tables: tuple[TableMade, ...]
    """Those that were open in it."""
    total: Made
    irregularities: tuple[ByClause, ...]
    duties: tuple[DutyTold, ...] = ()
    """Which Dealers were on duty, where they sign on."""
    debts: tuple[DebtTold, ...] = ()
    """What patrons were left owing or paid in it, or still owed at its end."""
    decisions: tuple[DecisionTold, ...] = ()
    """Voids, corrections, changed limits and overrides, in the order of time."""
    slips: tuple[SlipTold, ...] = ()
    """Fills and credits that were confirmed or cancelled in it."""
    house: HouseSettings = HouseSettings()
    """The settings of the house when the report was made."""
    day: str | None = None
    """The date of the gaming day that it is about, if it is about one."""
    activity: bool = True
    """Whether any table was open in it."""
    idle: tuple[TableIdle, ...] = ()
    """Tables of the house without any activity in it."""
    being_counted: tuple[str, ...] = ()
    """Tables that are left out because their chips are being counted, which is done blind."""
    made_at: int | None = None
    """When it was made, where the caller says so."""


Found = tuple[Rulebook, str | None, IrregularityTold]


async def shift_report(
    store: Reader,
    books: Collection[Rulebook],
    span: Span,
    names: Mapping[str, str] | None = None,
    language: Language = Language.ENGLISH,
    day: date | None = None,
    being_counted: Collection[str] = (),
    journal: HouseJournal | None = None,
) -> ShiftReport:
    """Return the report of a span; ``names`` adds names by id to those that the store holds.

    A span from time 0 begins with the first event at any table. ``day`` is the gaming day that the span is.
    Nothing is told of tables that are ``being_counted``. The ``journal`` of the house is read where it is not given.
    """
    known, legend, journal = by_digest(books), Legend(language, names), journal or await journal_of(store)
    span = span if span.start else Span(await first_event(store, journal.tables, span.end), span.end)
    tables: list[TableMade] = []
    played: list[Play] = []
    found: list[Found] = []
    duties, debts, decisions = list[DutyTold](), list[DebtTold](), list[DecisionTold]()
    expected: list[Expected] = []
    idle: list[TableIdle] = []
    for table, digest in ((each.table, each.digest) for each in journal.tables.values()):
        if table in being_counted:
            continue
        before = await (await Checkpoints.of(store, table)).before_time(span.start)
        followed = _Followed(table, known.get(digest), known, span, legend, before)
        await followed.read(store)
        if followed.shift.openings:
            tables.append(followed.made())
            played.append(followed.shift.play)
            expected.append(followed.expected())
        else:
            idle.append(TableIdle(table, known[digest].title if digest in known else ""))
        decisions += followed.decisions
        found += followed.found
        duties += followed.duties.told
        debts += followed.debts.told()
    results = [opening.figures for each in tables for opening in each.openings]
    total = made_of(together(map(results_of, results)), played, summed(expected))
    return ShiftReport(
        report=FORMAT,
        software=f"Punto {__version__}",
        start=span.start,
        end=span.end,
        tables=tuple(tables),
        total=total,
        irregularities=_by_clause(found, language),
        duties=tuple(duties),
        debts=tuple(debts),
        decisions=tuple(sorted(decisions, key=lambda each: (each.at, each.table, each.number))),
        slips=tuple(each for each in await slips_told(store, span, legend) if each.table not in being_counted),
        house=journal.settings,
        day=day.isoformat() if day else None,
        activity=bool(tables),
        idle=tuple(idle),
        being_counted=tuple(sorted(being_counted)),
    )


def day_span(settings: HouseSettings, day: date, now: int) -> Span:
    """Return the span of a gaming day, up to now if it is not over; raise ``OverflowError`` off the calendar."""
    return Span(settings.day_start(day), min(settings.day_start(day + timedelta(days=1)), now))


async def first_event(store: Reader, tables: Iterable[str], most: int) -> int:
    """Return the time of the first event at any of these tables; ``most`` if it is later, or there is none."""
    firsts = [recorded.at for table in tables for recorded in await store.read(table, 0, 1)]
    return min([*firsts, most])


async def last_event(store: Reader, tables: Iterable[str]) -> int:
    """Return the time of the last event at any of these tables; 0 if there is none."""
    last = 0
    for table in tables:
        number, _ = await store.head(table)
        for recorded in await store.read(table, number - 1, 1) if number else ():
            last = max(last, recorded.at)
    return last


class _Followed:
    """One table followed to the end of the span, from the last checkpoint before it or from its first event on."""

    def __init__(
        self,
        table: str,
        book: Rulebook | None,
        books: Mapping[str, Rulebook],
        span: Span,
        legend: Legend,
        before: Checkpoint | None,
    ) -> None:
        self._table, self._book, self._books, self._span, self._legend = table, book, books, span, legend
        self._after = before.number if before else 0
        known = self._known = summary_of(before).books if before else NO_BOOKS
        self._book = books.get(before.game) if before else book
        self.shift = TableShift(span, known.ledger(), known.open, known.decks)
        self.duties = DutiesFollowed(table, span, legend.names, known.dealer)
        self.debts = DebtsFollowed(table, span, legend.names, known.owed)
        self.found: list[Found] = []
        self.decisions: list[DecisionTold] = []
        self._opener = known.opener
        self._signers: list[tuple[str | None, str | None]] = []
        """Who opened and who closed each of the openings."""

    async def read(self, store: Reader) -> None:
        await self._legend.look_up_people(store, self._known.people)
        while page := await store.read(self._table, self._after, READ_AT_ONCE):
            told = [
                each
                for each in page
                if each.name in (_IRREGULAR | _PEOPLE | DECISIONS if each.at >= self._span.start else _PEOPLE)
            ]
            await self._legend.look_up(store, told)
            # In a thread, so that a long log does not hold up the tables that are served meanwhile.
            if not await asyncio.to_thread(self._take_in_page, page):
                break
            self._after = page[-1].number
        self.shift.finish()
        self._sign(None)
        self.duties.finish()

    def _take_in_page(self, page: Sequence[EventRecord]) -> bool:
        """Follow some events; return False once the span is over."""
        for recorded in page:
            at = recorded.at
            if at >= self._span.end:
                return False
            if recorded.name in (_TOLD if at >= self._span.start else _BEFORE):
                self._take_in(recorded)
        return True

    def _take_in(self, recorded: EventRecord) -> None:
        event, at = recorded.event, recorded.at
        if isinstance(event, TableOpened):
            self._book = self._books.get(event.digest)
            self._opener = recorded.by
        self.shift.take_in(at, event)
        self._sign(recorded.by)
        self.duties.take_in(at, event)
        self.debts.take_in(at, event)
        if at >= self._span.start and isinstance(event, Irregularity) and self._book:
            clause = next(iter(cited(event, self._book)), None)
            self.found.append((self._book, clause, self._told(recorded, event)))
        if at >= self._span.start and (kind := kind_of(event)):
            self.decisions.append(decision_told(kind, self._table, recorded, self._legend))

    def _sign(self, closer: str | None) -> None:
        """Note who opened and closed an opening that has just ended."""
        if len(self.shift.openings) > len(self._signers):
            self._signers.append((self._opener, closer))

    def expected(self) -> Expected:
        """Return what the house was to win at the table by exact odds."""
        return summed(expected_win(self._book, each.decks, each.play) for each in self.shift.openings)

    def _told(self, recorded: EventRecord, event: Irregularity) -> IrregularityTold:
        written, known = recorded, event.circumstances
        by, legend = known.authorised_by if known else written.by, self._legend
        return IrregularityTold(
            table=self._table,
            number=recorded.number,
            at=written.at,
            round=known.round if known else None,
            event=written.name,
            told=legend.event(event),
            noticed_by=legend.in_text(known.noticed_by) if known else "",
            authorised_by=by,
            name=legend.names.get(by),
            position=known.position.value if known else written.position,
            acting_in=tuple(role.value for role in known.acting_in) if known else (),
            note=legend.in_text(known.note) if known else "",
            reason=legend.in_text(known.reason) if known else "",
            second_person=legend.name(known.second_person) if known else "",
        )

    def made(self) -> TableMade:
        openings, book = self.shift.openings, self._book
        return TableMade(
            table=self._table,
            game=book.key if book else "",
            title=book.title if book else "",
            open=openings[-1].closed is None,
            openings=tuple(starmap(self._opening, zip(openings, self._signers, strict=True))),
            made=made_of(together(each.results for each in openings), [self.shift.play], self.expected()),
        )

    def _opening(self, opening: Opening, signers: tuple[str | None, str | None]) -> OpeningShown:
        opener, closer = (each and self._legend.name(each) for each in signers)
        expected = expected_win(self._book, opening.decks, opening.play)
        return OpeningShown(
            opened=opening.opened,
            closed=opening.closed,
            figures=figures(opening.results),
            opened_by=opener,
            closed_by=closer,
            made=made_of(opening.results, [opening.play], expected),
            pieces=opening.pieces,
            opening_pieces=opening.opening_pieces,
        )


def _by_clause(found: Sequence[Found], language: Language) -> tuple[ByClause, ...]:
    """Return irregularities in the order of the documents; those without a clause come last in their game."""
    books: dict[str, Rulebook] = {}
    groups: dict[tuple[str, str | None], list[IrregularityTold]] = {}
    for book, clause, told in found:
        books[book.key] = book
        groups.setdefault((book.key, clause), []).append(told)
    shown = []
    for key, book in sorted(books.items()):
        for clause in [*book.clauses, None]:
            if of_clause := groups.get((key, clause)):
                text = clause_text(book.clauses[clause], language) if clause else ""
                shown.append(ByClause(key, book.title, clause, text, tuple(of_clause)))
    return tuple(shown)
