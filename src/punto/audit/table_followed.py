"""A table followed event by event by what checks it: the chain, the rules, the books. It makes the checkpoints.

A reader goes on from a checkpoint in the same way, and an audit makes each of them again and compares.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

import punto
from punto.audit.auditor_state import restored, same_state, state_of
from punto.audit.table_recomputed import Game, StreamFound, TableRecomputed
from punto.books.ledger import AccountKind, Ledger, LedgerAccount
from punto.books.round_log import RoundFound, RoundLog, ShoeFound
from punto.rules.rulebook import Rulebook
from punto.store.codec import UnknownEvent
from punto.store.records import FIRST_HASH, EventRecord, Snapshot, hash_of
from punto.store.trust.checkpoints import (
    Amendment,
    Checkpoint,
    Checkpoints,
    MadeCheckpoint,
    marks_of,
)
from punto.store.trust.snapshots import code_version, from_snapshot, take_snapshot
from punto.table.event import Event
from punto.table.play.shoes import ShoeEnded
from punto.table.play.table_management import TableClosed, TableOpened
from punto.table.table import Table

PACKAGE = Path(punto.__file__).parent
_STATE_LEVEL, _SUMMARY_LEVEL = zlib.Z_BEST_SPEED, zlib.Z_DEFAULT_COMPRESSION
"""The state is compressed quickly, since only the code that made it can use it; the summary well, as all code can."""


class Books(Struct, frozen=True):
    """The books of a table after an event, and what a shift report asks of the time before it."""

    balances: tuple[tuple[AccountKind, str | None, int], ...]
    """Of all accounts that are not empty."""
    open: bool
    decks: int
    opener: str | None
    """The person who last opened the table."""
    dealer: str | None
    """The Dealer on duty."""
    owed: dict[str, int]

    def ledger(self) -> Ledger:
        """Return a ledger to be posted to from here."""
        made = Ledger()
        made.balances.update({LedgerAccount(kind, patron): amount for kind, patron, amount in self.balances})
        return made

    @property
    def chips(self) -> dict[str, int]:
        """What patrons have at the table."""
        return {patron: amount for kind, patron, amount in self.balances if kind is AccountKind.CHIPS and patron}

    @property
    def people(self) -> set[str]:
        """Those who are named in a report that begins here."""
        return {*self.owed, *(each for each in (self.opener, self.dealer) if each)}


NO_BOOKS = Books((), False, 0, None, None, {})
"""Of a table before its first event."""


class Summary(Struct, frozen=True):
    """What any code reads of a checkpoint: the books, and the rounds and shoes since the checkpoint before."""

    books: Books
    rounds: tuple[RoundFound, ...]
    shoes: tuple[ShoeFound, ...]
    amended: dict[int, tuple[int, ...]]
    """By round of an earlier checkpoint the events that tell more about it."""


_summary = msgspec.json.Decoder(Summary)


def summary_of(checkpoint: Checkpoint) -> Summary:
    """Return what a checkpoint tells; it must have been checked, since only the house's own can be read for sure."""
    return _summary.decode(zlib.decompress(checkpoint.summary))


class TableFollowed:
    """A table from its first event, or from a checkpoint, on."""

    after: tuple[type[Event], ...] = (ShoeEnded, TableClosed)
    """The events after which a checkpoint is due."""

    def __init__(self, stream: str, games: Mapping[str, Game]) -> None:
        self.stream, self._games = stream, games
        self.found = StreamFound(stream)
        self.recomputed = TableRecomputed(self.found, games)
        self.log = RoundLog()
        self.number, self.hash = 0, FIRST_HASH
        self._earliest: int | None = None
        self._latest = 0
        self._opener: str | None = None
        self._decks = 0

    @classmethod
    def at(cls, checkpoint: Checkpoint, games: Mapping[str, Game]) -> TableFollowed | None:
        """Return the table at a checkpoint; None if other code made it, or the game is not known here."""
        game = games.get(checkpoint.game)
        table = table_at(checkpoint, game.book) if game else None
        if table is None or game is None:
            return None
        made = cls(checkpoint.stream, games)
        summary = summary_of(checkpoint)
        books, made.log = summary.books, RoundLog(summary.shoes)
        made.recomputed.go_on(table, restored(_states(checkpoint)[1], game.file, checkpoint.stream))
        made.recomputed.ledger = books.ledger()
        made.number, made.hash, made._latest = checkpoint.number, checkpoint.hash, checkpoint.latest
        made._opener, made._decks = books.opener, books.decks
        return made

    def take_in(self, recorded: EventRecord) -> MadeCheckpoint | None:
        """Follow the event that comes next; return the checkpoint that is due after it. Faults are in ``found``."""
        if self.found.findings:
            return None
        number = self.number + 1
        if recorded.number != number:
            self.found.find(number, "missing", next=recorded.number)
            return None
        if recorded.hash != hash_of(self.hash, self.stream, number, recorded):
            self.found.find(number, "altered")
            return None
        try:
            event = recorded.event
        except UnknownEvent as error:
            self.found.find(number, "unreadable", reason=str(error))
            return None
        return self.checkpoint() if self.follow(recorded, event) and not self.found.findings else None

    def follow(self, recorded: EventRecord, event: Event) -> bool:
        """Follow an event whose hash was checked; return whether a checkpoint is due after it."""
        self.number, self.hash, at = recorded.number, recorded.hash, recorded.at
        if self._earliest is None or at < self._earliest:
            self._earliest = at
        if at > self._latest:
            self._latest = at
        self.recomputed.look_at(recorded.number, event)
        self.log.take_in(recorded.number, at, event)
        if isinstance(event, TableOpened):
            self._opener, self._decks = recorded.by, event.setting.decks
        return type(event) in self.after and not self.log.in_round

    def begin_next(self) -> tuple[RoundLog, int]:
        """Begin the next checkpoint; return the rounds of the one that is due, and its earliest time."""
        log, earliest = self.log, self._earliest or 0
        self.log, self._earliest = RoundLog(log.shoes), None
        return log, earliest

    def checkpoint(self, compressed: bool = True) -> MadeCheckpoint | None:
        """Return the checkpoint that is due; None where the table is not known.

        One that is only compared with another need not be compressed.
        """
        log, earliest = self.begin_next()
        table, auditor = self.recomputed.table, self.recomputed.auditor
        if table is None or auditor is None:
            return None
        snapshot = take_snapshot(self.stream, self.number, self.hash, table)
        amended = {round_: tuple(number for number, _ in events) for round_, events in log.amended.items()}
        summary = Summary(self._books(table), tuple(log.rounds.values()), tuple(log.shoes), amended)
        state_level, summary_level = (_STATE_LEVEL, _SUMMARY_LEVEL) if compressed else (0, 0)
        state = zlib.compress(msgspec.msgpack.encode((snapshot.body, state_of(auditor))), state_level)
        checkpoint = Checkpoint(
            stream=self.stream,
            number=self.number,
            earliest=earliest,
            latest=self._latest,
            round=table.round_number,
            marks=_marks(log.rounds.values()),
            hash=self.hash,
            code=checkpoint_code(),
            game=table.book.digest,
            summary=zlib.compress(msgspec.json.encode(summary), summary_level),
            state_digest=sha256(state).digest(),
            state=state,
        )
        patrons = frozenset(patron for each in log.rounds.values() for patron in each.patrons)
        amends = {round_: _amendment(round_, events) for round_, events in log.amended.items()}
        return MadeCheckpoint(checkpoint, patrons, amends)

    def _books(self, table: Table) -> Books:
        balances = self.recomputed.ledger.balances.items()
        kept = ((account.kind, account.patron, amount) for account, amount in balances if amount)
        return Books(
            balances=tuple(sorted(kept, key=_by_name)),  # in an order that does not depend on where reading began
            open=table.setting is not None,
            decks=self._decks,
            opener=self._opener,
            dealer=table.on_duty,
            owed={patron: amount for patron, amount in table.owed.items() if amount},
        )


def _by_name(balance: tuple[AccountKind, str | None, int]) -> tuple[str, str]:
    kind, patron, _ = balance
    return kind, patron or ""


def _amendment(round_: int, events: Iterable[tuple[int, Event]]) -> Amendment:
    """Return what events tell about a round of an earlier checkpoint: who was in it too, and what it is by them."""
    found, log = RoundFound(round_, 0, 0, 0), RoundLog()
    for number, event in events:
        log.amend(found, number, event)
    return Amendment(frozenset(found.patrons), _marks([found]))


def _marks(rounds: Iterable[RoundFound]) -> int:
    marks = 0
    for each in rounds:
        marks |= marks_of(each.irregular, each.void, each.corrected)
    return marks


@cache
def _state_decoder() -> msgspec.msgpack.Decoder[tuple[bytes, bytes]]:
    return msgspec.msgpack.Decoder(tuple[bytes, bytes])


@cache
def checkpoint_code() -> str:
    """Return a digest of all code that makes up a checkpoint's state."""
    files = [file for room in ("audit", "books") for file in sorted((PACKAGE / room).rglob("*.py"))]
    return sha256(code_version().encode() + b"".join(file.read_bytes() for file in files)).hexdigest()


def _states(checkpoint: Checkpoint) -> tuple[bytes, bytes]:
    return _state_decoder().decode(zlib.decompress(checkpoint.state))


def table_at(checkpoint: Checkpoint, book: Rulebook) -> Table | None:
    """Return the table's state at a checkpoint; None if other code made it, or its game has another rulebook."""
    if checkpoint.game != book.digest or checkpoint.code != checkpoint_code():
        return None
    place = checkpoint.stream, checkpoint.number, checkpoint.hash, code_version()
    return from_snapshot(Snapshot(*place, _states(checkpoint)[0]), book)


async def compare_checkpoint(
    found: StreamFound,
    stored: Checkpoint,
    made: MadeCheckpoint | None,
    checkpoints: Checkpoints,
    games: Mapping[str, Game],
) -> None:
    """Find what is wrong with a stored checkpoint, by the same one made again. What other code made is not compared."""
    if not checkpoints.is_signed(stored):
        found.find(stored.number, "checkpoint-not-signed")
    elif stored.code == checkpoint_code():
        patrons, amends = await checkpoints.found_by(stored.number)
        named = made and made.patrons <= patrons and {each: told.marks for each, told in made.amends.items()} == amends
        if not made or not named or not _is_same(stored, made.checkpoint, games):
            found.find(stored.number, "checkpoint-differs")


def _is_same(stored: Checkpoint, made: Checkpoint, games: Mapping[str, Game]) -> bool:
    columns = ("stream", "number", "earliest", "latest", "round", "marks", "hash", "game")
    if any(getattr(stored, name) != getattr(made, name) for name in columns):
        return False
    if sha256(stored.state).digest() != stored.state_digest or summary_of(stored) != summary_of(made):
        return False
    if _states(stored) == _states(made):
        return True
    # Sets may have been written in another order.
    if not same_state(_states(stored)[1], _states(made)[1]):
        return False
    game = games.get(stored.game)
    return game is None or table_at(stored, game.book) == table_at(made, game.book)
