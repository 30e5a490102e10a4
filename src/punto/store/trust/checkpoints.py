"""Checkpoints: a table as it was after an event, with its books and the rounds since the checkpoint before.

A checkpoint is a cache. The house signs it with its place in the chain; one that it has not signed, or whose event is
not in the log, is not used. A report then begins at the checkpoint before, and at last with the first event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import chain, count
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import astuple, replace

from punto.shoe.encoding import pack
from punto.store.codec import UnknownEvent
from punto.store.events.house_events import HOUSE, StoreMade
from punto.store.protocol import Reader, Store
from punto.store.trust.keys import Keys, is_signed

IRREGULAR, VOID, CORRECTED = 1, 2, 4
"""Marks: what kinds of rounds are in a checkpoint."""
ROWS_AT_ONCE = 200


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


class MadeCheckpoint(NamedTuple):
    """A checkpoint, and what it is found by: the patrons in it, and the earlier rounds that it tells more about."""

    checkpoint: Checkpoint
    patrons: frozenset[str] = frozenset()
    amends: Mapping[int, frozenset[str]] = MappingProxyType({})
    """By round the patrons who turn out to have been in it."""


_COLUMNS = ", ".join(Checkpoint.__struct_fields__[:-1])
_OF_STREAM = f"select {_COLUMNS} from checkpoint where stream = $1"
_WITH_STATE = f"select {_COLUMNS}, state from checkpoint where stream = $1"
_FOUND_BY = (
    "select patron from checkpoint_patron where stream = $1 and number = $2",
    "select round from checkpoint_amends where stream = $1 and number = $2",
)
_AMENDED = "select round from checkpoint_amends where stream = $1 and about = $2"
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
        return [each for each in (Checkpoint(*row) for row in (*rows, *more)) if await self._fits(each)]

    async def after_event(self, number: int) -> Checkpoint | None:
        """Return the first after an event as it is stored, whether it fits or not; an audit looks at each."""
        paging = "and number > $2 order by number limit 1"
        rows = await self._store.look_up(f"{_WITH_STATE} {paging}", self._stream, number)
        return Checkpoint(*rows[0]) if rows else None

    async def found_by(self, number: int) -> tuple[set[str], set[int]]:
        """Return what finds a checkpoint: the patrons in it, and the earlier rounds that it tells more about."""
        place = (self._stream, number)
        patrons, rounds = [await self._store.look_up(query, *place) for query in _FOUND_BY]
        return {each for (each,) in patrons}, {each for (each,) in rounds}

    async def amended(self, number: int) -> set[int]:
        """Return the rounds of a checkpoint about which later ones tell more."""
        return {round_ for (round_,) in await self._store.look_up(_AMENDED, self._stream, number)}

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
            found += [each for each in (Checkpoint(*row) for row in rows) if await self._fits(each)]
            passed += len(rows)
            if len(rows) < most:
                break
        return found[:most]

    def is_signed(self, each: Checkpoint) -> bool:
        """Whether the house has signed it."""
        return self._public_key is not None and each.is_signed_with(self._public_key)

    async def _fits(self, each: Checkpoint) -> bool:
        """Whether the house has signed it, and its event is in the log as it was then."""
        if not self.is_signed(each):
            return False
        if each.state and sha256(each.state).digest() != each.state_digest:
            return False
        there = await self._store.read(self._stream, each.number - 1, 1)
        return bool(there) and (there[0].number, there[0].hash) == (each.number, each.hash)


async def keep(store: Store, made: MadeCheckpoint) -> None:
    """Keep a checkpoint; made again, it replaces the one that was there. What finds it is kept first."""
    stream, number = made.checkpoint.stream, made.checkpoint.number
    patrons, amends = [(stream, each, number) for each in made.patrons], list[tuple[object, ...]]()
    for round_, found in made.amends.items():
        about = await Checkpoints(store, stream, None).number_with(round_)
        if about is not None and about < number:
            amends.append((stream, round_, number, about))
            patrons += ((stream, each, about) for each in found)
    await _insert(store, "checkpoint_patron", patrons)
    await _insert(store, "checkpoint_amends", amends)
    places = ", ".join(f"${place}" for place in range(1, len(Checkpoint.__struct_fields__) + 1))
    changes = ", ".join(f"{name} = excluded.{name}" for name in Checkpoint.__struct_fields__[2:])
    await store.ask(
        f"insert into checkpoint values ({places}) on conflict (stream, number) do update set {changes}",
        *astuple(made.checkpoint),
    )


async def _insert(store: Store, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        some, places = rows[begin : begin + ROWS_AT_ONCE], count(1)
        values = ", ".join(f"({', '.join(f'${next(places)}' for _ in row)})" for row in some)
        await store.ask(f"insert into {table} values {values} on conflict do nothing", *chain.from_iterable(some))
