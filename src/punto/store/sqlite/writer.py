"""Writes to a SQLite file: one commit at a time, each on disk before the next.

Everything here blocks until the disk has answered; callers run it outside the event loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import apsw

from punto.store.batch import Answers, Transaction, accept, answer_row, event_row, words_rows
from punto.store.protocol import refused
from punto.store.records import FIRST_HASH, Answer, Conflict, StoreError, Unchanged
from punto.store.sqlite.file_identity import OpenedFiles
from punto.store.sqlite.file_lock import locked, locked_itself
from punto.store.sqlite.private_files import keep_private, make_private

MIGRATIONS = Path(__file__).parents[1] / "migrations" / "sqlite"
ROWS_AT_ONCE = 250
CACHE_KIB = 65_536
CHECKPOINT_PAGES = 8_000
"""Pages the journal may reach before a checkpoint. With every table at work each commit touches hundreds of pages,
mostly the same ones, so that rare checkpoints save most of the work."""

SCRUB = "pragma wal_checkpoint(truncate)"
"""Statement that empties the journal, in which erased rows would stand for a while. It is run after a commit."""


@dataclass(slots=True)
class Statement:
    """A statement about rows that are no events, and its result."""

    text: str
    values: Sequence[object] = field(repr=False)
    rows: list[tuple[Any, ...]] = field(default_factory=list, repr=False)
    error: Exception | None = None


Work = Sequence[Transaction | Statement]


class Writer:
    """The one writer of a file, on behalf of the server with this process id."""

    def __init__(self, file: Path, server: int) -> None:
        with ExitStack() as opened:
            opened.enter_context(locked(file, server))
            make_private(file.resolve())
            opened.enter_context(locked_itself(file.resolve()))
            self._writing = connected(file)
            opened.callback(_close, self._writing)
            keep_private(file.resolve())
            _migrate(self._writing)
            _make_durable(self._writing, file)
            self._files = OpenedFiles(file)
            self._opened = opened.pop_all()
        self._heads: dict[str, tuple[int, bytes]] = {}

    def commit(self, together: Work) -> None:
        """Commit all of this at once, and put the result or the error on each; what has changes is committed alone.

        Nothing is committed to files that are no longer where they were: it would be gone with the process.
        """
        try:
            self._files.check()
        except StoreError as error:
            for each in together:
                each.error = StoreError(f"nothing was stored: {error}")
            return
        apart = [each for each in together if isinstance(each, Transaction) and each.changes]
        self._commit_together([each for each in together if each not in apart] if apart else together)
        for each in apart:
            self._commit_with_changes(each)

    def _commit_together(self, together: Work) -> None:
        transactions = [each for each in together if isinstance(each, Transaction)]
        others = [each for each in together if isinstance(each, Statement)]
        try:
            try:
                self._write_all(self._accepted(transactions), others)
            except apsw.ConstraintError:
                # One of the keys has been used. That is rare, so keys are looked up only now.
                self._roll_back()
                self._write_all(self._accept(transactions, self._known_answers(transactions)), others)
        except Exception as error:
            self._roll_back()
            for each in together:
                each.error = each.error or StoreError(f"nothing was stored: {error}")
        for each in others:
            if each.text == SCRUB and each.error is None:
                self._scrub(each)

    def _commit_with_changes(self, transaction: Transaction) -> None:
        try:
            if self._accept([transaction], {}):
                self._writing.execute("begin immediate")
                self._write([transaction])
                for change in transaction.changes:
                    if not list(self._writing.execute(change.text, tuple(change.values))):
                        raise Unchanged(f"nothing was stored: {' '.join(change.text.split())}")
                self._writing.execute("commit")
        except Exception as error:
            self._roll_back()
            transaction.records = ()
            transaction.error = error if isinstance(error, Unchanged) else StoreError(f"nothing was stored: {error}")

    def _accepted(self, transactions: Sequence[Transaction]) -> list[Transaction]:
        """Return those that can be stored. One that is late may be a retry of what was stored and never answered."""
        accepted = self._accept(transactions, {})
        if any(transaction.answer and isinstance(transaction.error, Conflict) for transaction in transactions):
            self._heads.clear()
            accepted = self._accept(transactions, self._known_answers(transactions))
        return accepted

    def _accept(self, transactions: Sequence[Transaction], known: Answers) -> list[Transaction]:
        streams = {append.stream for each in transactions for append in each.appends}
        for stream in streams - self._heads.keys():
            self._heads[stream] = head(self._writing, stream)
        for transaction in transactions:
            transaction.records, transaction.error = [], None
        return accept(transactions, self._heads, known)

    def _write_all(self, accepted: Sequence[Transaction], others: Sequence[Statement]) -> None:
        self._writing.execute("begin immediate")
        self._write(accepted)
        for each in others:
            if each.text != SCRUB:
                self._execute(each)
        self._writing.execute("commit")

    def _write(self, accepted: Sequence[Transaction]) -> None:
        self._insert("event", [event_row(each) for transaction in accepted for each in transaction.records])
        self._insert("words", words_rows(accepted))
        self._insert("answer", [answer_row(transaction.answer) for transaction in accepted if transaction.answer])

    def _insert(self, into: str, rows: Sequence[tuple[Any, ...]]) -> None:
        for begin in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[begin : begin + ROWS_AT_ONCE]
            self._writing.execute(_inserting(into, len(some), len(some[0])), tuple(chain.from_iterable(some)))

    def _roll_back(self) -> None:
        self._heads.clear()
        if self._writing.in_transaction:
            self._writing.execute("rollback")

    def _known_answers(self, transactions: Sequence[Transaction]) -> Answers:
        keys = {(each.answer.actor, each.answer.key) for each in transactions if each.answer}
        return {key: found for key in keys if (found := kept_answer(self._writing, *key))}

    def _execute(self, statement: Statement) -> None:
        """Execute a statement; one that fails is rolled back alone, and the rest of the commit goes on."""
        try:
            with self._writing:
                statement.rows = list(self._writing.execute(statement.text, tuple(statement.values)))
        except Exception as error:
            if not self._writing.in_transaction:  # the disk is full, say: SQLite has rolled everything back
                raise
            statement.error = refused(statement.text, error)

    def _scrub(self, statement: Statement) -> None:
        try:
            statement.rows = list(self._writing.execute(SCRUB))
        except apsw.Error as error:
            statement.error = refused(SCRUB, error)

    def close(self) -> None:
        self._opened.close()


@cache
def _inserting(into: str, rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return f"insert into {into} values {', '.join([row] * rows)}"


# --- the file --------------------------------------------------------------------------------------------------------


def connected(file: Path, reading: bool = False) -> apsw.Connection:
    """Open a connection to the file."""
    try:
        flags = apsw.SQLITE_OPEN_READONLY if reading else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        connection = apsw.Connection(str(file), flags=flags)
        connection.set_busy_timeout(10_000)
        if reading:
            list(connection.execute("select 1 from event limit 1"))
        else:
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = full")
            connection.execute("pragma secure_delete = on")  # what is erased is overwritten, not only unlinked
            connection.execute(f"pragma cache_size = -{CACHE_KIB}")
            connection.wal_autocheckpoint(CHECKPOINT_PAGES)
    except apsw.Error as error:
        raise StoreError(f"{file}: cannot be opened: {error}") from None
    return connection


def _close(connection: apsw.Connection) -> None:
    """Close a connection, also where the disk fails: what is not in the file yet stays in the journal."""
    with suppress(apsw.Error):
        connection.close()


def _make_durable(connection: apsw.Connection, file: Path) -> None:
    """Copy everything that the journal holds into the file, and sync that.

    The journal may hold commits whose sync failed before an earlier process ended: the system then takes their pages
    for written and never writes them again, so that what is committed after them would be lost with them.
    """
    try:
        connection.execute(SCRUB)
    except apsw.Error as error:
        raise StoreError(f"{file}: cannot be written: {error}") from None


def _migrate(connection: apsw.Connection) -> None:
    """Run the migrations that are missing, in order; all of them, or none."""
    scripts = sorted(MIGRATIONS.glob("*.sql"))
    ((done,),) = connection.execute("pragma user_version")
    if done > len(scripts):
        raise StoreError(f"the database is of a later version ({done}) than this program knows ({len(scripts)})")
    if missing := scripts[done:]:
        with connection:
            for script in missing:
                connection.execute(script.read_text("utf-8"))
            connection.execute(f"pragma user_version = {len(scripts)}")


def head(connection: apsw.Connection, stream: str) -> tuple[int, bytes]:
    """Return how many events a stream has, and the hash of the last."""
    query = "select number, hash from event where stream = ? order by number desc limit 1"
    for number, hash_ in connection.execute(query, (stream,)):
        return number, hash_
    return 0, FIRST_HASH


def kept_answer(connection: apsw.Connection, actor: str, key: str) -> Answer | None:
    """Return the answer to an actor's command with this key, if it was carried out."""
    for row in connection.execute("select * from answer where actor = ? and key = ?", (actor, key)):
        return Answer(*row)
    return None
