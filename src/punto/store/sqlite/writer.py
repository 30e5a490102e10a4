"""Writing to a SQLite file: one transaction at a time, and each on disk before the next.

Everything here is plain and waits for the disk; who calls it sees to it that nobody else has to wait as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import apsw

from punto.store.batch import Answers, Job, answer_row, event_row, take_in
from punto.store.protocol import refused
from punto.store.records import FIRST_HASH, Answer, Conflict, StoreError
from punto.store.sqlite.file_lock import locked

MIGRATIONS = Path(__file__).parents[1] / "migrations" / "sqlite"
ROWS_AT_ONCE = 250
CACHE_KIB = 65_536
CHECKPOINT_PAGES = 8_000
"""How long the journal grows until it is taken into the file: with every table at work each commit touches hundreds of
pages, the same ones again and again, so that taking them in seldom saves most of the work."""


@dataclass(slots=True)
class Statement:
    """A statement about what is not an event, and what came of it."""

    text: str
    values: Sequence[object] = field(repr=False)
    rows: list[tuple[Any, ...]] = field(default_factory=list, repr=False)
    error: Exception | None = None


Work = Sequence[Job | Statement]


class Writer:
    """The one who writes to a file, for a server with this process id."""

    def __init__(self, file: Path, server: int) -> None:
        with ExitStack() as opened:
            opened.enter_context(locked(file, server))
            self._writing = connected(file)
            opened.callback(self._writing.close)
            _migrate(self._writing)
            self._opened = opened.pop_all()
        self._heads: dict[str, tuple[int, bytes]] = {}

    def commit(self, together: Work) -> None:
        """Carry out all of this in one transaction; each then has what came of it, or its error."""
        jobs = [each for each in together if isinstance(each, Job)]
        others = [each for each in together if isinstance(each, Statement)]
        try:
            try:
                self._on_disk(self._taken(jobs), others)
            except apsw.ConstraintError:
                # One of the keys has been used. That is rare, so that one looks for it only now.
                self._roll_back()
                self._on_disk(self._take_in(jobs, self._known_answers(jobs)), others)
        except Exception as error:
            self._roll_back()
            for each in together:
                each.error = each.error or StoreError(f"nothing was stored: {error}")

    def _taken(self, jobs: Sequence[Job]) -> list[Job]:
        """Which can be stored. One that comes too late may be a retry of what was stored without being answered."""
        taken = self._take_in(jobs, {})
        if any(job.answer and isinstance(job.error, Conflict) for job in jobs):
            self._heads.clear()
            taken = self._take_in(jobs, self._known_answers(jobs))
        return taken

    def _take_in(self, jobs: Sequence[Job], known: Answers) -> list[Job]:
        for stream in {append.stream for job in jobs for append in job.appends} - self._heads.keys():
            self._heads[stream] = head(self._writing, stream)
        for job in jobs:
            job.recorded, job.error = [], None
        return take_in(jobs, self._heads, known)

    def _on_disk(self, taken: Sequence[Job], others: Sequence[Statement]) -> None:
        self._writing.execute("begin immediate")
        self._write(taken)
        for each in others:
            self._carry_out(each)
        self._writing.execute("commit")

    def _write(self, taken: Sequence[Job]) -> None:
        self._insert("event", [event_row(each) for job in taken for each in job.recorded])
        self._insert("answer", [answer_row(job.answer) for job in taken if job.answer])

    def _insert(self, into: str, rows: Sequence[tuple[Any, ...]]) -> None:
        for begin in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[begin : begin + ROWS_AT_ONCE]
            self._writing.execute(_inserting(into, len(some), len(some[0])), tuple(chain.from_iterable(some)))

    def _roll_back(self) -> None:
        self._heads.clear()
        if self._writing.in_transaction:
            self._writing.execute("rollback")

    def _known_answers(self, jobs: Sequence[Job]) -> Answers:
        keys = {(job.answer.actor, job.answer.key) for job in jobs if job.answer}
        return {key: found for key in keys if (found := kept_answer(self._writing, *key))}

    def _carry_out(self, statement: Statement) -> None:
        """One that fails is taken back alone, and the rest of the commit goes on."""
        try:
            with self._writing:
                statement.rows = list(self._writing.execute(statement.text, tuple(statement.values)))
        except Exception as error:
            if not self._writing.in_transaction:  # the disk is full, say: SQLite has taken everything back
                raise
            statement.error = refused(statement.text, error)

    def close(self) -> None:
        self._opened.close()


@cache
def _inserting(into: str, rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return f"insert into {into} values {', '.join([row] * rows)}"


# --- the file --------------------------------------------------------------------------------------------------------


def connected(file: Path, reading: bool = False) -> apsw.Connection:
    """A connection to the file."""
    try:
        flags = apsw.SQLITE_OPEN_READONLY if reading else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        connection = apsw.Connection(str(file), flags=flags)
        connection.set_busy_timeout(10_000)
        if reading:
            list(connection.execute("select 1 from event limit 1"))
        else:
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = full")
            connection.execute(f"pragma cache_size = -{CACHE_KIB}")
            connection.wal_autocheckpoint(CHECKPOINT_PAGES)
    except apsw.Error as error:
        raise StoreError(f"{file}: cannot be opened: {error}") from None
    return connection


def _migrate(connection: apsw.Connection) -> None:
    """Bring the file up to date, one numbered step after the other."""
    scripts = sorted(MIGRATIONS.glob("*.sql"))
    ((done,),) = connection.execute("pragma user_version")
    if done > len(scripts):
        raise StoreError(f"the database is of a later version ({done}) than this program knows ({len(scripts)})")
    for number, script in enumerate(scripts[done:], start=done + 1):
        with connection:
            connection.execute(script.read_text("utf-8"))
            connection.execute(f"pragma user_version = {number}")


def head(connection: apsw.Connection, stream: str) -> tuple[int, bytes]:
    """How many events a stream has, and the hash of the last."""
    query = "select number, hash from event where stream = ? order by number desc limit 1"
    for number, hash_ in connection.execute(query, (stream,)):
        return number, hash_
    return 0, FIRST_HASH


def kept_answer(connection: apsw.Connection, actor: str, key: str) -> Answer | None:
    """What a command of this actor with this key was answered with."""
    for row in connection.execute("select * from answer where actor = ? and key = ?", (actor, key)):
        return Answer(*row)
    return None
