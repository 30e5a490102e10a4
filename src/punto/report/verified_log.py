"""A table's log read from a checkpoint to a round and its corrections, with an auditor's checks on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from punto.audit.finding import Finding, finding
from punto.audit.recomputation import Auditor, auditor_of
from punto.audit.table_followed import TableFollowed
from punto.audit.table_recomputed import LEADS_NOWHERE, Game
from punto.books.round_log import ends_round
from punto.rules.rulebook import Rulebook
from punto.store.house_journal import journal_of
from punto.store.protocol import Reader
from punto.store.records import FIRST_HASH, EventRecord, hash_of
from punto.store.round_events import every_event
from punto.store.trust.checkpoints import Checkpoints
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.play.table_management import TableOpened
from punto.table.play.wagers import BetsOpened
from punto.table.table import Table


class NoPacket(ValueError):
    """A packet that cannot be made; the sentence says why."""


async def no_such_round(store: Reader, table: str, round_: int) -> str:
    """Return why a round that was asked for is not there."""
    known = table in (await journal_of(store)).tables or (await store.head(table))[0]
    return f"{table} has no round {round_}" if known else f"there is no table {table}"


async def verified_log(
    store: Reader, games: Mapping[str, Game], table: str, events: Sequence[EventRecord]
) -> VerifiedLog:
    """Return a table's log, verified from the last checkpoint before a round to the last of the round's events."""
    checkpoint = await (await Checkpoints.of(store, table)).before_event(events[0].number)
    verified = VerifiedLog(table, games, events, TableFollowed.at(checkpoint, games) if checkpoint else None)
    async for recorded in every_event(store, table, verified.since, events[-1].number):
        verified.take_in(recorded)
    return verified


class VerifiedLog:
    """A table followed event by event: what it was when the round opened, and before it ended."""

    def __init__(
        self, stream: str, games: Mapping[str, Game], events: Sequence[EventRecord], at: TableFollowed | None = None
    ) -> None:
        """``at`` is the table at a checkpoint before the round; without it the first event comes first."""
        self._stream, self._games = stream, games
        self._table: Table | None = at.recomputed.table if at else None
        self._auditor: Auditor | None = at.recomputed.auditor if at else None
        self._number, self._before = (at.number, at.hash) if at else (0, FIRST_HASH)
        self._rounds = at.recomputed.rounds if at else 0
        self.since = self._number
        """The number of the event after which it is verified."""
        self._wanted = {each.number for each in events}
        self._opened: Table | None = None
        self._dealt: Table | None = None
        self._ended = False
        self._first = events[0].number
        self.end = self._first
        """The number of the last event of the round itself."""
        self.hashes_before: dict[int, bytes] = {}
        """Of the events that are wanted."""
        self.findings: list[Finding] = []

    @property
    def opened(self) -> Table:
        """The table when the round opened."""
        if self._opened is None and self._table is None:
            raise NoPacket(f"{self._stream} was opened by rules that are not known here: name the game with --game")
        if self._opened is None or self._opened.setting is None or self._opened.shoe is None:
            raise NoPacket(f"{self._stream}: the log does not show how the round was opened; punto audit says more")
        return self._opened

    @property
    def dealt(self) -> Table:
        """The table just before the round ended; as it is now, if the round is still in play."""
        assert self._dealt is not None
        return self._dealt

    @property
    def book(self) -> Rulebook:
        """The rules the round was played by."""
        return self.opened.book

    def take_in(self, recorded: EventRecord) -> None:
        """Follow one more event."""
        if recorded.number in self._wanted:
            self.hashes_before[recorded.number] = self._before
        self._check_hash(recorded)
        event = recorded.event
        if isinstance(event, TableOpened):
            self._begin(recorded.number, event)
        if isinstance(event, BetsOpened):
            self._rounds = event.round
        if self._table is None or self._auditor is None:
            return
        known = len(self._auditor.findings)
        self._auditor.look_at(event)
        self.findings += (replace(each, number=recorded.number) for each in self._auditor.findings[known:])
        try:
            after = evolve(self._table, event)
        except LEADS_NOWHERE:
            where = f"{self._stream}, event {recorded.number}"
            raise NoPacket(f"{where}: what happened before does not lead here; punto audit says more") from None
        self._keep(recorded.number, event, self._table, after)
        self._table = after

    def _check_hash(self, recorded: EventRecord) -> None:
        self._number += 1
        if recorded.number != self._number:
            self._find(self._number, "missing", next=recorded.number)
            self._number = recorded.number
        elif recorded.hash != hash_of(self._before, self._stream, recorded.number, recorded):
            self._find(recorded.number, "altered")
        self._before = recorded.hash

    def _begin(self, number: int, event: TableOpened) -> None:
        """Begin an opening, perhaps with a changed game file; round numbers continue."""
        game = self._games.get(event.digest)
        if game is None:
            self._find(number, "unknown-game")
            self._table = self._auditor = None
        elif self._table is None or self._table.book is not game.book:
            self._table = Table(game.book).changed(round=self._rounds)
            self._auditor = auditor_of(game.file, self._stream)
            self._auditor.round = self._rounds

    def _keep(self, number: int, event: Event, before: Table, after: Table) -> None:
        """Keep the states that the packet shows."""
        if number < self._first or self._ended:
            return
        if number == self._first and isinstance(event, BetsOpened):
            self._opened = after
        self.end = number
        self._ended = ends_round(event)
        self._dealt = before if self._ended else after

    def _find(self, number: int, code: str, **values: object) -> None:
        self.findings.append(finding(self._stream, number, code, **values))
