"""The store on PostgreSQL: any number of processes on one database.

Within a process appends wait in a queue while a commit is under way. Across processes the number of an event is the
lock: two that write the same number cannot both commit, and the later one gets a ``Conflict``. The rest of its batch is
committed all the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import wraps
from pathlib import Path
from secrets import token_hex
from typing import Any, ParamSpec, TypeVar

import asyncpg

from punto.store.batch import Answers, Heads, Transaction, accept, answer_row, event_row, words_rows
from punto.store.group_commit import GroupCommit
from punto.store.people import LIVE_SESSIONS, RIGHTS, LiveSession, PersonRow
from punto.store.protocol import ODD_ANSWERS, StreamListener, refused
from punto.store.records import (
    FIRST_HASH,
    Answer,
    Append,
    Change,
    EventRecord,
    HouseBehind,
    Snapshot,
    StoreError,
    Unchanged,
)
from punto.store.trust.mark import Marking
from punto.store.trust.verified_points import VerifiedPoint
from punto.store.words import KeptWords, name_kept

MIGRATIONS = Path(__file__).with_name("migrations") / "postgresql"
CHANNEL = "punto_events"
MOST_NEWS = 7_000
"""Bytes in a notice; PostgreSQL takes up to 8,000."""
MOST_TRIES = 50
"""How often a batch is tried while other processes append to its streams; each time those streams leave the batch."""

_READ = """
    select r.place, e.number, e.name, e.version, e.body, e.at, e.by, e.position, e.hash
    from unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as r(stream, after, most, place),
    lateral (select * from event where stream = r.stream and number > r.after order by number limit r.most) as e
    order by r.place, e.number
"""
"""Reads on in several streams."""
_LAST_NAMED = """
    select name, version, body, at, by, position, stream, number, hash from event
    where stream = $1 and name = $2 order by number desc limit $3
"""
_WITH_LATER = """
    select s.stream from unnest($1::text[], $2::bigint[]) as s(stream, number) where exists (
        select from event e where e.stream = s.stream and e.number > s.number and e.name = $3)
"""
_HEADS = """
    select s.stream, e.number, e.hash from unnest($1::text[]) as s(stream),
    lateral (select number, hash from event where stream = s.stream order by number desc limit 1) as e
"""
_KNOWN = f"""
    {_HEADS.strip().replace("e.hash", "e.hash, null::text, null::text, null::bigint")}
    union all
    select stream, first, digest, actor, key, last from answer
    where (actor, key) in (select * from unnest($2::text[], $3::text[]))
"""
"""The ends of streams and, in rows that name an actor, the answers to keys that have been used."""
_STORE = """
    with stored as (insert into event select * from unnest(
        $1::text[], $2::bigint[], $3::text[], $4::int[], $5::bigint[],
        $6::text[], $7::text[], $8::bytea[], $9::bytea[])),
    answered as (insert into answer select * from unnest(
        $10::text[], $11::text[], $12::bytea[], $13::text[], $14::bigint[], $15::bigint[])),
    kept as (insert into words select * from unnest($16::text[], $17::bytea[], $18::text[]))
    select pg_notify($19, news) from unnest($20::text[]) as news
"""
"""Stores a whole batch in one statement, which is a transaction: it costs one round trip."""
_EVENT, _ANSWER, _WORDS = 9, 6, 3
"""Columns."""
_AWAIT_ANSWER = "insert into answer values ($1, $2, '', '', 0, 0) on conflict do nothing"
"""Waits for a process that is storing an answer with this key; it is rolled back in any case."""
_KEEP = """
    insert into snapshot values ($1, $2, $3, $4, $5, $6, $7) on conflict (stream)
    do update set number = excluded.number, hash = excluded.hash, code = excluded.code, body = excluded.body,
    game = excluded.game, signature = excluded.signature
"""
_STREAMS = """
    with recursive found (stream) as (
        select min(stream) from event
        union all
        select (select min(stream) from event where event.stream > found.stream) from found where stream is not null
    ) select stream from found where stream is not null order by stream
"""
"""Goes from one stream to the next in the index, and does not look at every event."""
_NOT_READ = "nothing was read"
_LEAD = "select what from unnest($1::text[]) what where pg_try_advisory_lock(hashtextextended('punto ' || what, 0))"
_LOST = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
_AWAY = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection that was cut in the middle of an answer
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
)
_OVERTAKEN = (asyncpg.UniqueViolationError, asyncpg.DeadlockDetectedError, asyncpg.SerializationError)


P = ParamSpec("P")
T = TypeVar("T")


def _answering(ask: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Have a method raise ``StoreError`` while the database does not answer, whatever the driver makes of that."""

    @wraps(ask)
    async def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await ask(*args, **kwargs)
        except _AWAY as error:
            raise StoreError(f"the database does not answer ({type(error).__name__})") from None

    return asked


class PlainConnection(asyncpg.Connection):  # type: ignore[misc]
    """A connection of the pool: none keeps anything from one query to the next, so there is nothing to reset."""

    def get_reset_query(self) -> str:
        return ""


@dataclass(slots=True, eq=False)
class Read:
    """Events to read after a number, and then what was found."""

    stream: str
    after: int
    most: int
    records: list[EventRecord] = field(default_factory=list)
    error: Exception | None = None


class PostgresStore(Marking):
    """A store that several processes may serve."""

    shared = True
    away: tuple[type[Exception], ...] = (StoreError, *_AWAY)

    def __init__(self, pool: Any, address: str = "") -> None:
        self._pool, self._address = pool, address
        self._id = token_hex(8)
        """Tells this process's own notices from those of others."""
        self._listening: asyncio.Task[None] | None = None
        self._leading: Any = None
        self._led: set[str] = set()
        self._wanted: set[str] = set()
        """What callers ask to lead, until one query asks for all of them."""
        self._leading_alone = asyncio.Lock()
        self._group = GroupCommit(self._commit_batch)
        self._reads = GroupCommit(self._read_batch, in_doubt=_NOT_READ, not_begun=_NOT_READ)

    @classmethod
    async def open(cls, address: str) -> PostgresStore:
        try:
            pool = await asyncpg.create_pool(address, min_size=1, max_size=8, connection_class=PlainConnection)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
            raise StoreError(f"the database cannot be opened: {error}") from None
        try:
            async with pool.acquire() as connection:
                await _migrate(connection)
        except BaseException:
            await pool.close()
            raise
        return cls(pool, address)

    # --- writing ---------------------------------------------------------------------------------------------------

    async def append(
        self,
        appends: Sequence[Append],
        answer: Answer | None = None,
        words: Sequence[KeptWords] = (),
        changes: Sequence[Change] = (),
    ) -> list[EventRecord]:
        await self.append_all([transaction := Transaction(appends, answer, words, changes)])
        return transaction.result()

    def append_all(self, transactions: Sequence[Transaction]) -> Awaitable[None]:
        return self._group.begin(() if self._refuses(transactions) else transactions)

    async def _commit_batch(self, transactions: Sequence[Transaction]) -> None:
        await self._try_batch(transactions)
        self._note(transactions)

    async def _try_batch(self, transactions: Sequence[Transaction]) -> None:
        broken: set[str] = set()
        for each in [each for each in transactions if each.changes]:
            await self._try([each], broken)
        if together := [each for each in transactions if not each.changes]:
            await self._try(together, set())

    async def _try(self, transactions: Sequence[Transaction], broken: set[str]) -> None:
        """Commit transactions together. Those that another process was quicker than get a ``Conflict``, and no others.

        When a number is taken, nothing of the batch is stored. The end of that stream has moved then, so the next try
        refuses what was decided before it did, and goes on with the rest.
        """
        error: Exception = StoreError("other processes append to the same streams all the time")
        for _ in range(MOST_TRIES):
            for each in transactions:
                each.records, each.error = (), None
            refused = broken.copy()
            try:
                await self._commit(transactions, refused)
                broken |= refused
                return
            except _OVERTAKEN as overtaken:
                error = overtaken
            except Exception as failed:
                error = failed
                break
        for each in transactions:
            each.error = _not_stored(error)
            broken.update(append.stream for append in each.appends)

    async def _commit(self, transactions: Sequence[Transaction], broken: set[str]) -> None:
        async with self._pool.acquire() as connection:
            if any(each.changes for each in transactions):
                async with connection.transaction():
                    await self._store(connection, transactions, broken)
            else:
                await self._store(connection, transactions, broken)

    async def _store(self, connection: Any, transactions: Sequence[Transaction], broken: set[str]) -> None:
        heads, answers = await _known(connection, transactions)
        self._check_heads(transactions, heads, broken)
        accepted = accept(transactions, heads, answers, broken)
        if not accepted:
            return
        # In one order everywhere, so that two processes wait for each other and never deadlock.
        rows = sorted(event_row(each) for transaction in accepted for each in transaction.records)
        answered = [answer_row(transaction.answer) for transaction in accepted if transaction.answer]
        columns = (*_columns(rows, _EVENT), *_columns(answered, _ANSWER), *_columns(words_rows(accepted), _WORDS))
        await connection.execute(_STORE, *columns, CHANNEL, self._news({row[0]: row[1] for row in rows}))
        for change in [each for transaction in accepted for each in transaction.changes]:
            if not await connection.fetch(change.text, *change.values):
                raise Unchanged(f"nothing was stored: {' '.join(change.text.split())}")

    def _news(self, ends: Mapping[str, int]) -> list[str]:
        """Return notices of who has stored something, in which streams and up to which number; none is too long."""
        news, size = [[self._id]], 0
        for stream, end in ends.items():
            word = f"{stream} {end}"
            size += len(word.encode()) + 1
            if size > MOST_NEWS:
                news.append([self._id])
                size = len(word.encode()) + 1
            news[-1].append(word)
        return [" ".join(words) for words in news]

    @_answering
    async def keep(self, snapshot: Snapshot) -> None:
        await self._pool.execute(_KEEP, *astuple(snapshot))

    async def ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return [tuple(row) for row in await self._pool.fetch(statement, *values)]
        except Exception as error:
            raise refused(statement, error) from None

    @_answering
    async def scrub(self) -> None:
        await self._pool.execute("vacuum words, person, answer")

    # --- other processes -------------------------------------------------------------------------------------------

    def listen(self, listener: StreamListener) -> None:
        self._listening = asyncio.create_task(self._listen(listener))

    async def _listen(self, listener: StreamListener) -> None:
        """Listen on a separate connection, and open another when it is lost."""

        def receive(_connection: Any, _process: int, _channel: str, news: str) -> None:
            sender, *words = news.split(" ")
            if sender != self._id:
                listener(dict(zip(words[::2], map(int, words[1::2]), strict=True)))

        while True:
            lost = asyncio.Event()
            try:
                connection = await self._connect()
                try:
                    connection.add_termination_listener(lambda _connection, lost=lost: lost.set())
                    await connection.add_listener(CHANNEL, receive)
                    listener({})  # what was stored before this is not told
                    await lost.wait()
                finally:
                    self.losses += 1
                    await connection.close()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(1)

    async def _connect(self) -> Any:
        """Return a connection; a caller who is cancelled meanwhile leaves none open."""
        connecting = asyncio.create_task(asyncpg.connect(self._address))
        try:
            return await asyncio.shield(connecting)
        except asyncio.CancelledError:
            await (await connecting).close()
            raise

    async def lead(self, what: str) -> bool:
        # The caller may be cancelled; the query is finished all the same, or the next would meet its remains.
        return await asyncio.shield(asyncio.create_task(self._lead(what)))

    async def _lead(self, what: str) -> bool:
        """Ask in one query for everything that callers want to lead: with many tables many ask at about one time."""
        self._wanted.add(what)
        async with self._leading_alone:
            try:
                if self._leading is None or self._leading.is_closed():
                    self._led.clear()
                    self._leading = await asyncpg.connect(self._address)
                wanted, self._wanted = self._wanted - self._led, set()
                if wanted:
                    self._led |= {row["what"] for row in await self._leading.fetch(_LEAD, list(wanted))}
            except _LOST:
                # The connection is gone, and its locks with it.
                self._led.clear()
                if self._leading:
                    self._leading.terminate()
                self._leading = None
            return what in self._led

    # --- reading ---------------------------------------------------------------------------------------------------

    async def read(self, stream: str, after: int = 0, most: int = 1000) -> list[EventRecord]:
        """Read on in a stream, together with everyone who asks while a query is under way.

        One query at a time is enough: the more callers wait, the more the next one answers, and other connections stay
        free for commits.
        """
        await self._reads.carry_out([read := Read(stream, after, most)])
        if read.error:
            raise read.error
        return read.records

    async def _read_batch(self, reads: Sequence[Read]) -> None:
        try:
            await self._read_all(reads)
        except Exception as error:
            for each in reads:
                each.error = error

    @_answering
    async def _read_all(self, reads: Sequence[Read]) -> None:
        asked = zip(*((each.stream, each.after, each.most) for each in reads), strict=True)
        for place, number, name, version, body, at, by, position, hash_ in await self._pool.fetch(_READ, *asked):
            read = reads[place - 1]
            read.records.append(EventRecord(name, version, body, at, by, position, read.stream, number, hash_))

    @_answering
    async def last_named(self, stream: str, name: str, most: int) -> list[EventRecord]:
        rows = await self._pool.fetch(_LAST_NAMED, stream, name, most)
        return [EventRecord(*row) for row in rows]

    @_answering
    async def with_later(self, name: str, known: Mapping[str, int]) -> list[str]:
        rows = await self._pool.fetch(_WITH_LATER, list(known), list(known.values()), name)
        return [row["stream"] for row in rows]

    @_answering
    async def head(self, stream: str) -> tuple[int, bytes]:
        found = await self._pool.fetchrow(_HEADS, [stream])
        return (found["number"], found["hash"]) if found else (0, FIRST_HASH)

    @_answering
    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        rows = await self._pool.fetch(_HEADS, list(streams))
        return dict.fromkeys(streams, 0) | {row["stream"]: row["number"] for row in rows}

    @_answering
    async def streams(self) -> list[str]:
        return [row["stream"] for row in await self._pool.fetch(_STREAMS)]

    @_answering
    async def answer(self, actor: str, key: str) -> Answer | None:
        """Return the answer; waits for one that a process which has died may still be committing."""
        async with self._pool.acquire() as connection:
            if self._address:
                waiting = connection.transaction()
                await waiting.start()
                try:
                    await connection.execute(_AWAIT_ANSWER, actor, key)
                finally:
                    await waiting.rollback()
            row = await connection.fetchrow("select * from answer where actor = $1 and key = $2", actor, key)
        return Answer(*row) if row else None

    @_answering
    async def snapshot(self, stream: str) -> Snapshot | None:
        row = await self._pool.fetchrow("select * from snapshot where stream = $1", stream)
        return Snapshot(*row) if row else None

    @_answering
    async def odd_answers(self) -> list[Answer]:
        return [Answer(*row) for row in await self._pool.fetch(ODD_ANSWERS)]

    async def faults(self) -> list[str]:
        """Return nothing: PostgreSQL checks pages as they are read, where the cluster has checksums."""
        return []

    @_answering
    async def points(self) -> list[VerifiedPoint]:
        query = "select stream, number, hash, signature from verified_point"
        try:
            return [VerifiedPoint(*row) for row in await self._pool.fetch(query)]
        except asyncpg.UndefinedTableError:
            return []  # a database from before there were any

    @_answering
    async def words(self, digests: Collection[str]) -> dict[str, KeptWords]:
        query = "select digest, salt, words from words where digest = any($1::text[])"
        return {row["digest"]: KeptWords(*row) for row in await self._look_up(query, digests)}

    @_answering
    async def names(self, people: Collection[str]) -> dict[str, KeptWords]:
        query = "select id, salt, nullif(name, '') as name from person where id = any($1::text[])"
        return {row["id"]: name_kept(row["salt"], row["name"]) for row in await self._look_up(query, people)}

    async def people(self) -> list[PersonRow]:
        try:
            return [PersonRow(*row) for row in await self._pool.fetch(RIGHTS)]
        except (asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError):
            return []

    @_answering
    async def live_sessions(self, tokens: Collection[str], now: int) -> list[LiveSession]:
        query = LIVE_SESSIONS.format(now="$1", among="= any($2::text[])")
        return [LiveSession(*row) for row in await self._pool.fetch(query, now, list(tokens))]

    @_answering
    async def look_up(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return [tuple(row) for row in await self._pool.fetch(query, *values)]
        except (asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError):
            return []

    async def _look_up(self, query: str, wanted: Collection[str]) -> list[Any]:
        """Ask for rows by their keys; a database from before the columns were added has none of them."""
        try:
            rows: list[Any] = await self._pool.fetch(query, sorted(wanted)) if wanted else []
        except (asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError):
            rows = []
        return rows

    async def close(self) -> None:
        await self._group.finish()
        await self._reads.finish()
        if self._listening:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        async with self._leading_alone:
            if self._leading:
                await self._leading.close()
        await self._pool.close()
        if self.mark:
            self.mark.close()


def _not_stored(error: Exception) -> StoreError:
    return error if isinstance(error, HouseBehind | Unchanged) else StoreError(f"nothing was stored: {error}")


async def _known(connection: Any, transactions: Sequence[Transaction]) -> tuple[Heads, Answers]:
    """Return the ends of the streams, and the answers to the keys that have been used."""
    streams = sorted({append.stream for transaction in transactions for append in transaction.appends})
    keys = sorted(
        {(transaction.answer.actor, transaction.answer.key) for transaction in transactions if transaction.answer}
    )
    heads: Heads = dict.fromkeys(streams, (0, FIRST_HASH))
    answers: Answers = {}
    for stream, number, hash_, actor, key, last in await connection.fetch(_KNOWN, streams, *_columns(keys, 2)):
        if actor is None:
            heads[stream] = number, hash_
        else:
            answers[actor, key] = Answer(actor, key, hash_, stream, number, last)
    return heads, answers


def _columns(rows: Sequence[Sequence[Any]], width: int) -> Iterator[Sequence[Any]]:
    """Return the columns of rows, each as a list, also of no rows."""
    return map(list, zip(*rows, strict=True)) if rows else iter([[]] * width)


async def _migrate(connection: Any) -> None:
    """Run the migrations that are missing, in order; one process at a time."""
    scripts = sorted(MIGRATIONS.glob("*.sql"))
    async with connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(hashtext('punto migrations'))")
        await connection.execute("create table if not exists migration (number integer primary key)")
        done = await connection.fetchval("select coalesce(max(number), 0) from migration")
        if done > len(scripts):
            raise StoreError(f"the database is of a later version ({done}) than this program knows ({len(scripts)})")
        for number, script in enumerate(scripts[done:], start=done + 1):
            await connection.execute(script.read_text("utf-8"))
            await connection.execute("insert into migration values ($1)", number)
