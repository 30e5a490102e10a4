"""The audit of a store: every event unchanged, none missing, and rounds and books as recomputed.

Hashes show an event that was changed, removed or moved; the heads in the house's stream show a table that was cut off
or dropped; exported heads show a log that was rewritten. Then every table is recomputed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from punto.audit.cage_followed import CageFollowed, SlipSum
from punto.audit.finding import Finding, finding
from punto.audit.recomputation import Auditor, recompute
from punto.books.ledger import Ledger
from punto.rules.game_library import by_digest, game_file, load
from punto.rules.rulebook import Rulebook
from punto.store.codec import UnknownEvent
from punto.store.events.cage_events import CAGE, SlipKind
from punto.store.events.house_events import (
    HOUSE,
    HeadNoted,
    PersonErased,
    PersonNamed,
    StoreMade,
    TableCreated,
    WordsErased,
)
from punto.store.events.shoe_events import SHOES
from punto.store.protocol import PAGE, Reader
from punto.store.records import FIRST_HASH, EventRecord, hash_of
from punto.store.trust.signed_heads import Head
from punto.store.words import MARK, digests_in
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.irregularities.correction import RoundCorrected
from punto.table.irregularities.late_wagers import OverlookedWagerSettled
from punto.table.play.chips import BoughtIn, CashedOut, Credited, Filled
from punto.table.play.debts import DebtPaid
from punto.table.play.table_management import TableOpened
from punto.table.play.wrong_payout import PayoutCorrected
from punto.table.table import Table

LEADS_NOWHERE = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What evolving raises on events that no command could have caused: they were written by hand."""


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


def streams_about(table: str) -> frozenset[str]:
    """Return the streams about a table: its own, its shoes', the house's and the cage's."""
    return frozenset({HOUSE, CAGE, table, f"{table}{SHOES}"})


class StoreAudit:
    """An audit: what it has read, and what it has found."""

    def __init__(self, store: Reader, games: Mapping[str, Game], exported: Sequence[Head] = ()) -> None:
        self.store, self.games, self.exported = store, games, exported
        self.findings: list[Finding] = []
        self.events = self.rounds = 0
        self.lengths: dict[str, int] = {}
        """By stream how many events are in order."""
        self.at_tables: dict[tuple[str, str], int] = {}
        """By table and patron: buy-ins less cash-outs."""
        self.at_cage: dict[tuple[str, str], int] = {}
        """The same, as the cage noted it."""
        self.owed_at_tables: dict[tuple[str, str], int] = {}
        """By table and patron: what corrections left owing, less what was paid."""
        self.slips_at_tables: dict[int, SlipSum] = {}
        self.slips_at_cage: dict[int, SlipSum] = {}
        self.owed_at_cage: dict[tuple[str, str], int] = {}
        """The same, as the cage booked it."""
        self._house: list[Event] = []
        self._hashes: dict[tuple[str, int], str] = {}
        """Of the events that some head is about."""
        self.last_hashes: dict[str, str] = {}
        """By stream the hash of the last event that is in order."""
        self.heads: Counter[str] = Counter()
        """By stream how many signed heads it agrees with."""
        self._only: frozenset[str] | None = None
        """The streams that are looked at, if not all."""
        self._words: dict[str, tuple[str, int]] = {}
        """By digest of what people wrote the event that refers to it."""
        self.ends: dict[str, int] = {}
        """How far each stream went when the audit began: a server may append meanwhile."""

    async def run(self, table: str | None = None) -> list[Finding]:
        """Check every stream, or those about one table, then compare them with every head."""
        streams = await self.store.streams()
        if table is not None:
            self._only = streams_about(table)
            streams = [stream for stream in streams if stream in self._only]
        self.ends = await self.store.heads(streams)
        if HOUSE in streams:  # first, since it says which hashes of the others are needed
            streams = [HOUSE, *(stream for stream in streams if stream != HOUSE)]
        for stream in streams:
            await self._look_at_stream(stream)
        self._check_house()
        self._check_cage()
        self._check_debts()
        self._check_slips()
        if not self._is_faulty(HOUSE):  # which says what was erased
            await self._check_words()
            await self._check_names()
        for head in self.exported:
            if head.public_key == self._public_key:
                self._check_head(head)
            else:
                self._find(head.stream, None, "head-other-key")
        return self.findings

    def _find(self, stream: str, number: int | None, code: str, **values: object) -> None:
        self.findings.append(finding(stream, number, code, **values))

    # --- streams ---------------------------------------------------------------------------------------------------

    async def _look_at_stream(self, stream: str) -> None:
        table = _Recomputed(self, stream)
        accounts = CageFollowed(self)
        self.lengths[stream] = 0
        wanted = self._numbers_with_heads(stream)
        async for recorded in self._chained(stream):
            try:
                event = recorded.event
            except UnknownEvent as error:
                self._find(stream, recorded.number, "unreadable", reason=str(error))
                return
            self.events += 1
            self._words |= dict.fromkeys(digests_in(recorded.body), (stream, recorded.number))
            self.lengths[stream], self.last_hashes[stream] = recorded.number, recorded.hash.hex()
            if stream == HOUSE:
                self._house.append(event)
            elif stream == CAGE:
                accounts.look_at(recorded.number, event)
            elif not stream.endswith(SHOES):
                table.look_at(recorded.number, event)
            if recorded.number in wanted:
                self._hashes[stream, recorded.number] = recorded.hash.hex()
        self.rounds += table.rounds

    async def _chained(self, stream: str) -> AsyncIterator[EventRecord]:
        """Yield events while each follows from the one before; the first that does not is a finding."""
        number, before = 0, FIRST_HASH
        while page := await self.store.read(stream, number, PAGE):
            for recorded in page:
                number += 1
                if recorded.number > self.ends[stream]:
                    return
                if recorded.number != number:
                    self._find(stream, number, "missing", next=recorded.number)
                    return
                if recorded.hash != hash_of(before, stream, number, recorded):
                    self._find(stream, number, "altered")
                    return
                before = recorded.hash
                yield recorded

    def _numbers_with_heads(self, stream: str) -> set[int]:
        noted = (event for event in self._house if isinstance(event, HeadNoted))
        heads = {event.number for event in noted if event.table == stream}
        return heads | {head.number for head in self.exported if head.stream == stream}

    # --- heads -----------------------------------------------------------------------------------------------------

    @property
    def _public_key(self) -> str | None:
        made = self._house[0] if self._house else None
        return made.public_key if isinstance(made, StoreMade) else None

    def _check_house(self) -> None:
        """Check that the house created every table, and that each reaches as far as was noted."""
        if self._public_key is None:
            self._find(HOUSE, 1, "no-key")
            return
        created = {event.table for event in self._house if isinstance(event, TableCreated)}
        for stream in sorted(set(self.lengths) - {HOUSE, CAGE}):
            if stream.removesuffix(SHOES) not in created:
                self._find(stream, None, "unknown-table")
        for event in self._house:
            if isinstance(event, HeadNoted) and (self._only is None or event.table in self._only):
                self._check_head(Head(event.table, event.number, event.hash, event.signature, self._public_key))

    def _check_cage(self) -> None:
        """Check that cage and table record the same amounts moved between them."""
        if CAGE not in self.lengths or self.findings:
            return  # only the first fault of a stream is reported
        for table, patron in sorted({*self.at_tables, *self.at_cage}):
            if self._only is not None and table not in self._only:
                continue
            found, noted = self.at_tables.get((table, patron), 0), self.at_cage.get((table, patron), 0)
            if found != noted:
                self._find(CAGE, None, "cage-differs", patron=patron, table=table, at_cage=noted, at_table=found)

    # --- words and names -------------------------------------------------------------------------------------------

    async def _check_words(self) -> None:
        """Check that what people wrote is still what they wrote, or was erased by someone who is known."""
        wanted = {digest: place for digest, place in self._words.items() if not self._is_faulty(place[0])}
        kept, erased = await self.store.words(wanted), await self._erased(WordsErased)
        for digest, (stream, number) in wanted.items():
            words, known = kept.get(digest), f"{MARK}{digest}" in erased
            if words is None or words.is_erased:
                if not known:
                    self._find(stream, number, "words-missing")
            elif known:
                self._find(stream, number, "words-not-erased")
            elif not words.agrees:
                self._find(stream, number, "words-altered")

    async def _check_names(self) -> None:
        """Check that people are called what the house recorded last, unless their names were erased."""
        if self._only is not None:
            return
        first = await self._wrong_names()
        # Looked at twice, since a server may change a name in between.
        self.findings += [each for each in await self._wrong_names() if each in first] if first else []

    async def _wrong_names(self) -> list[Finding]:
        named = {event.person: event.name async for event in self._newest() if isinstance(event, PersonNamed)}
        kept, erased = await self.store.names(named), await self._erased(PersonErased)
        wrong: list[Finding] = []
        for person, digest in named.items():
            name = kept.get(person)
            if name is None or name.is_erased:
                wrong += [] if person in erased else [finding(HOUSE, None, "name-missing", person=person)]
            elif person in erased:
                wrong.append(finding(HOUSE, None, "name-not-erased", person=person))
            elif name.digest != digest:
                wrong.append(finding(HOUSE, None, "name-altered", person=person))
        return wrong

    async def _erased(self, kind: type[WordsErased] | type[PersonErased]) -> set[str]:
        """Return what was erased: the references to words, or the ids of people."""
        found = set[str]()
        async for event in self._newest():
            if isinstance(event, kind):
                found |= set(event.words) if isinstance(event, WordsErased) else {event.person}
        return found

    async def _newest(self) -> AsyncIterator[Event]:
        """Yield the events of the house, also those that a server has appended since the audit began."""
        for event in self._house:
            yield event
        after = self.lengths.get(HOUSE, 0)
        while page := await self.store.read(HOUSE, after, PAGE):
            for recorded in page:
                with suppress(UnknownEvent):  # the next audit says so
                    yield recorded.event
            after = page[-1].number

    def _is_faulty(self, stream: str) -> bool:
        """Tell whether the stream has a fault: only the first of each is reported."""
        return any(finding.stream == stream for finding in self.findings)

    def _check_debts(self) -> None:
        """Check that cage and table record the same debts, as far as the cage has taken them over."""
        if self.findings:
            return  # only the first fault of a stream is reported
        for table, patron in sorted(self.owed_at_cage):
            if self._only is None or table in self._only:
                found, noted = self.owed_at_tables.get((table, patron), 0), self.owed_at_cage[table, patron]
                if found != noted:
                    self._find(CAGE, None, "debt-differs", patron=patron, table=table, at_cage=noted, at_table=found)

    def _check_slips(self) -> None:
        """Check that chips moved at tables by a slip are those of the slip."""
        if self.findings:
            return  # only the first fault of a stream is reported
        for number, moved in sorted(self.slips_at_tables.items()):
            if self.slips_at_cage.get(number) != moved:
                self._find(CAGE, None, "slip-differs", slip=number, table=moved[0], amount=moved[2])

    def _check_head(self, head: Head) -> None:
        """Check that the stream still has the event of the head, unchanged."""
        if self._is_faulty(head.stream):
            return
        if not head.is_signed:
            self._find(head.stream, head.number, "head-not-signed")
        elif head.number > self.lengths.get(head.stream, 0):
            there = self.lengths.get(head.stream, 0)
            self._find(head.stream, there + 1, "gone-up-to" if there else "gone", last=head.number)
        elif head.number and self._hashes[head.stream, head.number] != head.hash:
            self._find(head.stream, head.number, "rewritten")
        else:
            self.heads[head.stream] += 1


class _Recomputed:
    """One table, recomputed from its events: its state, its books, its rounds."""

    def __init__(self, audit: StoreAudit, stream: str) -> None:
        self._audit, self._stream = audit, stream
        self._table: Table | None = None
        self._auditor: Auditor | None = None
        self._ledger = Ledger()

    @property
    def rounds(self) -> int:
        return self._table.round_number if self._table else 0

    def look_at(self, number: int, event: Event) -> None:
        if self._table is None:
            self._begin(number, event)
        if self._table is None or self._auditor is None:
            return
        known = len(self._auditor.findings)
        try:
            self._table = evolve(self._table, event)
            self._ledger.post(event)
        except LEADS_NOWHERE:
            self._audit._find(self._stream, number, "does-not-follow")
            self._table = self._auditor = None
            return
        if isinstance(event, BoughtIn | CashedOut):
            place = (self._stream, event.patron)
            there = event.amount if isinstance(event, BoughtIn) else -event.amount
            self._audit.at_tables[place] = self._audit.at_tables.get(place, 0) + there
        if isinstance(event, Filled | Credited) and event.slip:
            kind = SlipKind.FILL if isinstance(event, Filled) else SlipKind.CREDIT
            self._audit.slips_at_tables[event.slip] = self._stream, kind, event.amount
        self._follow_debts(event)
        self._auditor.look_at(event)
        self._audit.findings += (replace(each, number=number) for each in self._auditor.findings[known:])
        if sum(self._ledger.balances.values()):
            self._audit._find(self._stream, number, "unbalanced")

    def _follow_debts(self, event: Event) -> None:
        changes: list[tuple[str, int]] = []
        if isinstance(event, RoundCorrected | OverlookedWagerSettled):
            changes = [(each.after.patron, each.owed) for each in event.corrections]
        elif isinstance(event, PayoutCorrected):
            changes = [(event.patron, event.owed)]
        elif isinstance(event, DebtPaid):
            changes = [(event.patron, -event.amount)]
        for patron, change in changes:
            debt = (self._stream, patron)
            self._audit.owed_at_tables[debt] = self._audit.owed_at_tables.get(debt, 0) + change

    def _begin(self, number: int, event: Event) -> None:
        game = self._audit.games.get(event.digest) if isinstance(event, TableOpened) else None
        if game:
            self._table, self._auditor = Table(game.book), recompute([], game.file, self._stream)
        elif number == 1:
            self._audit._find(self._stream, number, "unknown-game")
