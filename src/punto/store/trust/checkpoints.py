"""Checkpoints: a table as it was after an event, with its books and the rounds since the checkpoint before.

A checkpoint is a cache. The house signs it with its place in the chain; one that it has not signed, or whose event is
not in the log, is not used. A report then begins at the checkpoint before, and at last with the first event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import chain, count
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple, replace

from punto.shoe.encoding import pack
from punto.store.codec import UnknownEvent
from punto.store.events.house_events import HOUSE, StoreMade
from punto.store.protocol import Reader, Store
from punto.store.trust.keys import Keys, is_signed

IRREGULAR, VOID, CORRECTED = 1, 2, 4
"""Marks: what kinds of rounds are in a checkpoint."""
EVERY_MARK = IRREGULAR | VOID | CORRECTED
ROWS_AT_ONCE = 200


def marks_of(irregular: bool, void: bool, corrected: bool) -> int:
    """Return the marks of a round that is of these kinds."""
    return irregular * IRREGULAR | void * VOID | corrected * CORRECTED


class Checkpoint(Struct, frozen=True):
    """A table after an event."""

    stream: str
    number: int
    earliest: int
    """The earliest time of any event since the checkpoint before."""
    latest: int
    """The latest time of any event up to it: clocks may go back."""
    round: int
    """The last round opened by then."""
    marks: int
    hash: bytes
    """Of the event, by which it fits into the chain."""
    code: str
    """A digest of the code that made the state; no other code uses that."""
    game: str
    summary: bytes
    """Books and rounds, which any code reads."""
    state_digest: bytes
    signature: str = ""
    state: bytes = b""
    """The table and its auditor; empty where it was not asked for."""

    def signed(self, keys: Keys) -> Checkpoint:
        """Return it with the signature of the house."""
        return replace(self, signature=keys.sign(self._message))

    def is_signed_with(self, public_key: str) -> bool:
        """Whether the house has signed it as it is."""
        return is_signed(public_key, self._message, self.signature)

    @property
    def _message(self) -> bytes:
        """The bytes that are signed; what is long stands there by its digest."""
        figures = (str(each) for each in (self.number, self.earliest, self.latest, self.round, self.marks))
        digests = sha256(self.summary).hexdigest(), self.state_digest.hex()
        return pack("punto-checkpoint-1", self.stream, *figures, self.hash.hex(), self.code, self.game, *digests)


class Amendment(NamedTuple):
    """What a checkpoint tells more about a round of an earlier one."""

    patrons: frozenset[str]
    """Who turn out to have been in it."""
    marks: int
    """What it turns out to be."""


class MadeCheckpoint(NamedTuple):
    """A checkpoint, and what it is found by: the patrons in it, and the earlier rounds that it tells more about."""

    checkpoint: Checkpoint
    patrons: frozenset[str] = frozenset()
    amends: Mapping[int, Amendment] = MappingProxyType({})


_COLUMNS = ", ".join(Checkpoint.__struct_fields__[:-1])
_OF_STREAM = f"select {_COLUMNS} from checkpoint where stream = $1"
_WITH_STATE = f"select {_COLUMNS}, state from checkpoint where stream = $1"
_FOUND_BY = (
    "select patron from checkpoint_patron where stream = $1 and number = $2",
    "select round, marks from checkpoint_amends where stream = $1 and number = $2",
)
_AMENDED_AGAIN = "(stream, round, number) do update set about = excluded.about, marks = excluded.marks"
WITH_ROUND = "select number from checkpoint where stream = $1 and round >= {} order by round, number limit 1"
"""The number of the checkpoint that has a round."""


async def public_key_of(store: Reader) -> str | None:
    """Return the key that the database was made with, by which its checkpoints are checked."""
    first = await store.read(HOUSE, most=1)
    try:
        made = first[0].event if first else None
    except UnknownEvent:
        return None
    return made.public_key if isinstance(made, StoreMade) else None


class Checkpoints:
    """The checkpoints of one stream, each used only if it fits the log."""

    def __init__(self, store: Reader, stream: str, public_key: str | None) -> None:
        self._store, self._stream, self._public_key = store, stream, public_key

    @classmethod
    async def of(cls, store: Reader, stream: str) -> Checkpoints:
        """Return those of a stream in a database, whose first event tells the key."""
        return cls(store, stream, await public_key_of(store))

    async def last(self) -> Checkpoint | None:
        """Return the newest with its state."""
        return await self._first("", (), _WITH_STATE)

    async def before_event(self, number: int) -> Checkpoint | None:
        """Return the last that is before an event, with its state."""
        return await self._first(" and number < $2", (number,), _WITH_STATE)

    async def before_time(self, at: int) -> Checkpoint | None:
        """Return the last before which every event is earlier than a time."""
        return await self._first(" and latest < $2", (at,), _OF_STREAM, "latest desc, number desc")

    async def with_round(self, round_: int) -> list[Checkpoint]:
        """Return the one with a round, then those that tell more about it, in order; none if there is no such one."""
        rows = await self._store.look_up(
            f"{_OF_STREAM} and round >= $2 order by round, number limit 1", self._stream, round_
        )
        more = await self._store.look_up(
            f"{_OF_STREAM} and number in (select number from checkpoint_amends where stream = $1 and round = $2) "
            "order by number",
            self._stream,
            round_,
        )
        return await self._fitting((*rows, *more))

    async def after_event(self, number: int) -> Checkpoint | None:
        """Return the first after an event as it is stored, whether it fits or not; an audit looks at each."""
        paging = "and number > $2 order by number limit 1"
        rows = await self._store.look_up(f"{_WITH_STATE} {paging}", self._stream, number)
        return Checkpoint(*rows[0]) if rows else None

    async def found_by(self, number: int) -> tuple[set[str], dict[int, int]]:
        """Return what finds a checkpoint: the patrons in it, and what it tells more about which earlier rounds."""
        place = (self._stream, number)
        patrons, rounds = [await self._store.look_up(query, *place) for query in _FOUND_BY]
        return {each for (each,) in patrons}, dict(rounds)

    async def amended(self, checkpoints: Iterable[Checkpoint]) -> dict[int, int]:
        """Return the rounds of checkpoints about which later ones tell more, each with the marks of what they tell."""
        listed = ", ".join(str(each.number) for each in checkpoints)
        query = f"select round, marks from checkpoint_amends where stream = $1 and about in ({listed})"
        found: dict[int, int] = {}
        for round_, marks in await self._store.look_up(query, self._stream):
            found[round_] = found.get(round_, 0) | marks
        return found

    async def number_with(self, round_: int) -> int | None:
        """Return the number of the checkpoint that has a round."""
        ((number,),) = await self._store.look_up(WITH_ROUND.format("$2"), self._stream, round_) or [(None,)]
        return int(number) if number is not None else None

    async def newest_first(
        self, condition: str, values: tuple[object, ...], before: int, most: int
    ) -> list[Checkpoint]:
        """Return some before an event that meet a condition on the columns, the newest first."""
        place = len(values) + 2
        return await self._newest(f"{condition} and number < ${place}", (*values, before), _OF_STREAM, most)

    async def _first(
        self, condition: str, values: tuple[object, ...], select: str, order: str = "number desc"
    ) -> Checkpoint | None:
        found = await self._newest(condition, values, select, 1, order)
        return found[0] if found else None

    async def _newest(
        self, condition: str, values: tuple[object, ...], select: str, most: int, order: str = "number desc"
    ) -> list[Checkpoint]:
        """Return the newest that meet a condition and fit; one that does not fit is passed over.

        The order is that of an index for the condition: times and rounds only ever rise with the number.
        """
        found: list[Checkpoint] = []
        passed = 0
        while len(found) < most:
            paging = f"order by {order} limit {most} offset {passed}"
            rows = await self._store.look_up(f"{select}{condition} {paging}", self._stream, *values)
            found += await self._fitting(rows)
            passed += len(rows)
            if len(rows) < most:
                break
        return found[:most]

    def is_signed(self, each: Checkpoint) -> bool:
        """Whether the house has signed it."""
        return self._public_key is not None and each.is_signed_with(self._public_key)

    async def _fitting(self, rows: Sequence[tuple[Any, ...]]) -> list[Checkpoint]:
        """Return those that the house has signed, and whose events are in the log as they were then."""
        signed = [each for each in (Checkpoint(*row) for row in rows) if self.is_signed(each) and _is_whole(each)]
        if not signed:
            return []
        listed = ", ".join(str(each.number) for each in signed)
        query = f"select number, hash from event where stream = $1 and number in ({listed})"
        there = dict(await self._store.look_up(query, self._stream))
        return [each for each in signed if there.get(each.number) == each.hash]


def _is_whole(each: Checkpoint) -> bool:
    """Whether the state, where it was asked for, is the one that was signed."""
    return not each.state or sha256(each.state).digest() == each.state_digest


async def keep(store: Store, made: MadeCheckpoint) -> None:
    """Keep a checkpoint; made again, it replaces the one that was there. What finds it is kept first."""
    stream, number = made.checkpoint.stream, made.checkpoint.number
    patrons, amends = [(stream, each, number) for each in made.patrons], list[tuple[object, ...]]()
    for round_, found in made.amends.items():
        about = await Checkpoints(store, stream, None).number_with(round_)
        if about is not None and about < number:
            amends.append((stream, round_, number, about, found.marks))
            patrons += ((stream, each, about) for each in found.patrons)
    await _insert(store, "checkpoint_patron", patrons, "do nothing")
    await _insert(store, "checkpoint_amends", amends, _AMENDED_AGAIN)
    places = ", ".join(f"${place}" for place in range(1, len(Checkpoint.__struct_fields__) + 1))
    changes = ", ".join(f"{name} = excluded.{name}" for name in Checkpoint.__struct_fields__[2:])
    await store.ask(
        f"insert into checkpoint values ({places}) on conflict (stream, number) do update set {changes}",
        *astuple(made.checkpoint),
    )


async def _insert(store: Store, table: str, rows: Sequence[tuple[object, ...]], again: str) -> None:
    """Insert rows; ``again`` says what is done about one that is there."""
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        some, places = rows[begin : begin + ROWS_AT_ONCE], count(1)
        values = ", ".join(f"({', '.join(f'${next(places)}' for _ in row)})" for row in some)
        statement = f"insert into {table} values {values} on conflict {again}"
        await store.ask(statement, *chain.from_iterable(some))
