"""The rows of a log: how far it is sealed, and which of its leaves are which events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import astuple

from punto.store.protocol import Reader, Store
from punto.store.records import Change, Unchanged

ROWS_AT_ONCE = 200
PAGE = 1_000
_MAKE = "insert into log_head values ($1, $2, $3, 0, $4, '') on conflict (epoch) do nothing"
_GROW = """
    update log_head set size = $1, edge = $2, note = $3 where epoch = $4 and size = $5 and origin = $6 returning epoch
"""


class LogHead(Struct, frozen=True):
    """A log as it was last sealed."""

    epoch: int
    origin: str
    secret: bytes
    size: int
    edge: bytes
    note: str


class LogRange(Struct, frozen=True):
    """Consecutive leaves: events of one stream, then the receipts of the last of these events."""

    first: int
    stream: str
    number: int
    events: int
    receipts: int

    @property
    def leaves(self) -> int:
        return self.events + self.receipts

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self.number + self.events - 1


async def log_head(store: Reader, epoch: int | None = None) -> LogHead | None:
    """Return the log of an epoch, by default the newest; None where nothing was ever sealed."""
    which = "" if epoch is None else f" where epoch = {epoch:d}"
    rows = await store.look_up(f"select * from log_head{which} order by epoch desc limit 1")
    return LogHead(*rows[0]) if rows else None


async def make_log(store: Store, epoch: int, origin: str, secret: bytes) -> LogHead:
    """Return the log of an epoch; it is empty if nothing was sealed in it."""
    await store.ask(_MAKE, epoch, origin, secret, b"")
    head = await log_head(store, epoch)
    assert head
    return head


async def sealed_positions(store: Reader, epoch: int) -> dict[str, int]:
    """Return by stream the number of the last event that is sealed."""
    query = "select stream, max(number + events - 1) from log_range where epoch = $1 group by stream"
    return {stream: int(last) for stream, last in await store.look_up(query, epoch)}


async def ranges_from(store: Reader, epoch: int, leaf: int, size: int) -> AsyncIterator[LogRange]:
    """Yield the ranges of a log from the one with a leaf to the one before a size."""
    query = """
        select first, stream, number, events, receipts from log_range
        where epoch = $1 and first + events + receipts > $2 and first >= $3 and first < $4 order by first limit $5
    """
    begin = 0
    if leaf:
        found = await store.look_up(
            "select first from log_range where epoch = $1 and first <= $2 order by first desc limit 1", epoch, leaf
        )
        begin = found[0][0] if found else 0
    while True:
        rows = await store.look_up(query, epoch, leaf, begin, size, PAGE)
        for row in rows:
            yield LogRange(*row)
        if len(rows) < PAGE:
            return
        begin = rows[-1][0] + 1


async def range_of(store: Reader, epoch: int, stream: str, number: int) -> LogRange | None:
    """Return the range that an event is in; None if it is not sealed."""
    query = """
        select first, stream, number, events, receipts from log_range
        where epoch = $1 and stream = $2 and number <= $3 order by number desc limit 1
    """
    rows = await store.look_up(query, epoch, stream, number)
    found = LogRange(*rows[0]) if rows else None
    return found if found and number <= found.last else None


async def receipts_begin(store: Reader, epoch: int) -> int | None:
    """Return the first leaf of a log that is a receipt; None if there is none."""
    rows = await store.look_up("select min(first + events) from log_range where epoch = $1 and receipts > 0", epoch)
    return None if rows[0][0] is None else int(rows[0][0])


async def grow(store: Store, base: int, after: LogHead, ranges: Sequence[LogRange]) -> bool:
    """Keep a log that has grown from a size, in one transaction.

    Returns False if the log has another size by now, since another process has sealed; then nothing is kept.
    """
    values = (after.size, after.edge, after.note, after.epoch, base, after.origin)
    changes = [Change(_GROW, values)]
    for begin in range(0, len(ranges), ROWS_AT_ONCE):
        rows = [(after.epoch, *astuple(each)) for each in ranges[begin : begin + ROWS_AT_ONCE]]
        places = ", ".join(f"({', '.join(f'${6 * at + place}' for place in range(1, 7))})" for at in range(len(rows)))
        added = f"insert into log_range values {places} returning first"
        changes.append(Change(added, tuple(chain.from_iterable(rows))))
    try:
        await store.append([], changes=changes)
    except Unchanged:
        return False
    return True
