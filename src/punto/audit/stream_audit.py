"""The audit of one stream: its chain, then its rounds and books recomputed. It needs nothing of the other streams.

What it found is small and plain, however long the stream is, so that another process can do it and report.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from punto.audit.cage_followed import CageFollowed, SlipSum
from punto.audit.finding import Finding, finding
from punto.audit.house_followed import HouseFollowed
from punto.audit.recomputation import Auditor, recompute
from punto.audit.shoes_followed import CardsTurned, Published, ShoesFollowed
from punto.books.ledger import Ledger
from punto.rules.game_library import by_digest, game_file, load
from punto.rules.rulebook import Rulebook
from punto.store.codec import UnknownEvent
from punto.store.events.cage_events import CAGE, SlipKind
from punto.store.events.house_events import HOUSE
from punto.store.events.shoe_events import SHOES
from punto.store.protocol import PAGE, Reader
from punto.store.records import FIRST_HASH, Damaged, EventRecord, hash_of
from punto.store.words import MARK, digests_in
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.burn_cards import CardsBurned
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.dealing import CardExposed
from punto.table.play.debts import DebtPaid
from punto.table.play.shoes import ShoeLoaded
from punto.table.play.table_management import TableOpened
from punto.table.play.wrong_payout import PayoutCorrected
from punto.table.table import Table

LEADS_NOWHERE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What evolving raises on events that no command could have caused: they were written by hand."""
_MOVES_CHIPS = {BoughtIn, CashedOut, Filled, Credited}
_TURNS_CARDS = {CardExposed, CardsBurned, ShoeLoaded}
_CHANGES_DEBTS = {RoundCorrected, OverlookedWagerSettled, PayoutCorrected, DebtPaid}
_COMPARED = _MOVES_CHIPS | _TURNS_CARDS | _CHANGES_DEBTS
"""Events that are compared with those of other streams."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game the tables may play: its rulebook and the text of its file."""

    book: Rulebook
    file: bytes


def games_by_digest(games: Iterable[str]) -> dict[str, Game]:
    """Return games that tables may have been opened with, by their digests; each is named by its key or its file.

    A former edition of a game stands for the game as it is now.
    """
    known = {game.book: game for game in (Game(load(name), game_file(name)) for name in games)}
    return {digest: known[book] for digest, book in by_digest(known).items()}


@dataclass(frozen=True, slots=True)
class StreamTask:
    """A stream to audit: how far, the events whose hashes are wanted, and the references to words that were erased."""

    stream: str
    end: int
    wanted: frozenset[int] = frozenset()
    erased: frozenset[str] = frozenset()


@dataclass
class StreamFound:
    """What the audit of one stream has found, and what is compared with other streams."""

    stream: str
    findings: list[Finding] = field(default_factory=list)
    events: int = 0
    rounds: int = 0
    length: int = 0
    """How many events are in order."""
    last_hash: bytes = b""
    """Of the last event that is in order."""
    hashes: dict[int, str] = field(default_factory=dict)
    """Of the events that are wanted."""
    words: dict[str, int] = field(default_factory=dict)
    """Digests of words that are not there as they were written, or that were erased, with an event that has them."""
    at_tables: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and patron: buy-ins less cash-outs."""
    at_cage: dict[tuple[str, str], int] = field(default_factory=dict)
    """The same, as the cage noted it."""
    owed_at_tables: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and patron: what corrections left owing, less what was paid."""
    owed_at_cage: dict[tuple[str, str], int] = field(default_factory=dict)
    """The same, as the cage booked it."""
    slips_at_tables: dict[int, SlipSum] = field(default_factory=dict)
    slips_at_cage: dict[int, SlipSum] = field(default_factory=dict)

    cards_turned: dict[str, str] | None = None
    """By sealed shoe a digest of the cards turned at the table; None if the table could not be followed."""
    published: dict[str, Published] = field(default_factory=dict)
    """By shoe what was published of it."""

    def find(self, number: int | None, code: str, **values: object) -> None:
        self.findings.append(finding(self.stream, number, code, **values))


class StreamAudit:
    """The audit of one stream, and how far it is."""

    def __init__(
        self, store: Reader, games: Mapping[str, Game], task: StreamTask, house: HouseFollowed | None = None
    ) -> None:
        self._store, self._task, self._house = store, task, house
        self.found = StreamFound(task.stream)
        self._table = TableRecomputed(self.found, games)
        self._cage = CageFollowed(self.found)
        self._shoes = ShoesFollowed(self.found.find) if task.stream.endswith(SHOES) else None

    async def run(self) -> StreamFound:
        """Audit the stream up to the end it had."""
        try:
            await self._read()
        except Damaged as error:
            self.found.find(self.found.length + 1, "damaged", reason=str(error))
        return self.found

    async def _read(self) -> None:
        found, stream = self.found, self._task.stream
        async for page in self._chained():
            for recorded in page:
                try:
                    event = recorded.event
                except UnknownEvent as error:
                    found.find(recorded.number, "unreadable", reason=str(error))
                    return
                found.events += 1
                found.length, found.last_hash = recorded.number, recorded.hash
                if stream == HOUSE and self._house:
                    self._house.take_in(event)
                elif stream == CAGE:
                    self._cage.look_at(recorded.number, event)
                elif self._shoes:
                    self._shoes.look_at(recorded.number, event)
                else:
                    self._table.look_at(recorded.number, event)
                if recorded.number in self._task.wanted:
                    found.hashes[recorded.number] = recorded.hash.hex()
            await self._look_up_words(page)
        found.rounds, found.cards_turned = self._table.rounds, self._table.cards_turned
        found.published = self._shoes.published if self._shoes else {}

    async def _chained(self) -> AsyncIterator[Sequence[EventRecord]]:
        """Yield events while each follows from the one before; the first that does not is a finding."""
        number, before, stream = 0, FIRST_HASH, self._task.stream
        while page := await self._store.read(stream, number, PAGE):
            for place, recorded in enumerate(page):
                number += 1
                if recorded.number > self._task.end:
                    yield page[:place]
                    return
                if recorded.number != number:
                    yield page[:place]
                    self.found.find(number, "missing", next=recorded.number)
                    return
                if recorded.hash != hash_of(before, stream, number, recorded):
                    yield page[:place]
                    self.found.find(number, "altered")
                    return
                before = recorded.hash
            yield page

    async def _look_up_words(self, page: Sequence[EventRecord]) -> None:
        """Remember the words that are not there as they were written, or that the house has erased."""
        there = {digest: each.number for each in page for digest in digests_in(each.body)}
        kept = await self._store.words(there) if there else {}
        for digest, number in there.items():
            words = kept.get(digest)
            if words is None or words.is_erased or not words.agrees or f"{MARK}{digest}" in self._task.erased:
                self.found.words[digest] = number


class TableRecomputed:
    """One table, recomputed from its events: its state, its books, its rounds."""

    def __init__(self, found: StreamFound, games: Mapping[str, Game]) -> None:
        self._found, self._games = found, games
        self._table: Table | None = None
        self._auditor: Auditor | None = None
        self._ledger = Ledger()
        self._turned = CardsTurned()

    @property
    def cards_turned(self) -> dict[str, str] | None:
        return self._turned.digests() if self._table else None

    @property
    def rounds(self) -> int:
        return self._table.round_number if self._table else 0

    def look_at(self, number: int, event: Event) -> None:
        if self._table is None:
            self._begin(number, event)
        if self._table is None or self._auditor is None:
            return
        auditor = self._auditor
        known, kind = len(auditor.findings), type(event)
        try:
            self._table = evolve(self._table, event)
            self._ledger.post(event)
        except LEADS_NOWHERE:
            self._found.find(number, "does-not-follow")
            self._table = self._auditor = None
            return
        if kind in _COMPARED:
            self._follow_compared(event, self._table)
        auditor.look_at(event)
        if len(auditor.findings) > known:
            self._found.findings += (replace(each, number=number) for each in auditor.findings[known:])
        if self._ledger.total:
            self._found.find(number, "unbalanced")

    def _follow_compared(self, event: Event, table: Table) -> None:
        kind = type(event)
        if kind in _TURNS_CARDS:
            self._turned.look_at(event, table)
        elif kind in _MOVES_CHIPS:
            self._follow_chips(event)
        else:
            self._follow_debts(event)

    def _follow_chips(self, event: Event) -> None:
        stream = self._found.stream
        if isinstance(event, BoughtIn | CashedOut):
            place, there = (stream, event.patron), event.amount if isinstance(event, BoughtIn) else -event.amount
            self._found.at_tables[place] = self._found.at_tables.get(place, 0) + there
        elif isinstance(event, Filled | Credited) and event.slip:
            kind = SlipKind.FILL if isinstance(event, Filled) else SlipKind.CREDIT
            self._found.slips_at_tables[event.slip] = stream, kind, event.amount

    def _follow_debts(self, event: Event) -> None:
        changes: list[tuple[str, int]] = []
        if isinstance(event, RoundCorrected | OverlookedWagerSettled):
            changes = [(each.after.patron, each.owed) for each in event.corrections]
        elif isinstance(event, PayoutCorrected):
            changes = [(event.patron, event.owed)]
        elif isinstance(event, DebtPaid):
            changes = [(event.patron, -event.amount)]
        for patron, change in changes:
            debt = (self._found.stream, patron)
            self._found.owed_at_tables[debt] = self._found.owed_at_tables.get(debt, 0) + change

    def _begin(self, number: int, event: Event) -> None:
        game = self._games.get(event.digest) if isinstance(event, TableOpened) else None
        if game:
            self._table, self._auditor = Table(game.book), recompute([], game.file, self._found.stream)
        elif number == 1:
            self._found.find(number, "unknown-game")
