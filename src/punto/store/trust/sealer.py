"""The sealer: appends what was stored in the streams to the house's log, and publishes it.

It goes in three steps, so that a crash between any two of them leaves one log:

1. ``gather`` reads what the streams have beyond the log, and says what the log will be.
2. The server signs that, and keeps it in the database in one transaction, on condition that the log is still as it was.
3. ``publish`` writes tiles and checkpoint to the folder. After a crash before it, the next start does so.

A checkpoint is shown to nobody before it is in the database, and the database keeps one for each size.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from msgspec import Struct

from punto.store.codec import UnknownEvent
from punto.store.protocol import Reader
from punto.store.receipts.settled_wagers import SETTLING
from punto.store.trust.log_folder import LogFolder, LogForked
from punto.store.trust.log_leaves import (
    EVENT,
    EventLeaf,
    contents_of,
    event_leaves,
    leaf_hashes,
    settled_contents,
)
from punto.store.trust.log_rows import LogHead, LogRange, log_head, ranges_from, sealed_positions
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import BadNote, Note, Verifier
from punto.tlog.tiles import BadTile, TileWriter, hashes_in
from punto.tlog.tree import Edge

MOST_AT_ONCE = 10_000
"""Events that are sealed together."""


def origin_of(house: bytes, epoch: int) -> str:
    """Return the name of a house's log. After a house was resumed behind what was acknowledged, it begins another."""
    return f"punto/{house.hex()[:32]}/{epoch}"


def log_key(origin: str, public_key: str) -> Verifier:
    """Return the key that checks the checkpoints of a house's log."""
    return Verifier(origin, bytes.fromhex(public_key))


class Gathered(Struct, array_like=True):
    """What the log will be with what was gathered."""

    base: int
    """The size of the log that it was gathered for."""
    size: int
    root: bytes
    edge: bytes
    ranges: list[LogRange]
    has_more: bool = False
    """Whether there was more than is sealed at once."""


class Sealer:
    """A log that grows."""

    def __init__(self, store: Reader, folder: Path, key: Verifier, epoch: int) -> None:
        self._store, self._folder, self._key, self._epoch = store, LogFolder(folder / str(epoch)), key, epoch
        self._head: LogHead | None = None
        self._positions: dict[str, int] = {}
        self._tiles = TileWriter()
        self._leaves: list[bytes] = []
        """What was gathered and is not published."""

    async def begin(self) -> None:
        """Go on where the database says; complete the published files. Raises ``LogForked`` if they do not fit."""
        head = await log_head(self._store, self._epoch)
        if head is None or head.origin != self._key.name:
            raise LogForked("the database has no log of this house")
        self._head, self._leaves = head, []
        self._positions = await sealed_positions(self._store, self._epoch)
        published = self._published()
        if published and published.size > head.size:
            raise LogForked(f"the log was published with {published.size} leaves, and the database has {head.size}")
        edge = await self._completed(published)
        if b"".join(edge.subtrees) != head.edge:
            raise LogForked("the events of the database are not those that were sealed")
        if head.note:
            self._folder.publish(self._with_cosignatures(head.note))

    def _published(self) -> LogCheckpoint | None:
        try:
            return self._folder.checkpoint(self._key)
        except BadNote as error:
            raise LogForked(f"the published checkpoint is not the house's: {error}") from None

    def _with_cosignatures(self, note: str) -> str:
        """Return a checkpoint with what witnesses have signed of it so far."""
        before = self._folder.note()
        made = Note.read(note)
        return str(made.with_signatures(before.signatures)) if before and before.text == made.text else note

    async def _completed(self, published: LogCheckpoint | None) -> Edge:
        """Write the tiles that are missing, from the first leaf if those that are there cannot be used."""
        size = published.size if published else 0
        try:
            self._tiles = TileWriter(size, self._folder.partial(size))
            subtrees = self._folder.subtrees(size)
            edge = Edge(size, [subtrees(height, (size >> height) - 1) for height in _heights(size)])
            if published and edge.root != published.root:
                raise BadTile("the tiles are not those of the checkpoint")
        except BadTile:
            self._tiles, edge = TileWriter(), Edge()
        await self._read_leaves(edge)
        if published and edge.size >= published.size and not await self._continues(published):
            raise LogForked("the events of the database are not those that were published")
        return edge

    async def _read_leaves(self, edge: Edge) -> None:
        """Append the leaves that the database has beyond an edge, to the edge and to the tiles."""
        assert self._head
        begin = edge.size
        async for each in ranges_from(self._store, self._epoch, begin, self._head.size):
            hashes = leaf_hashes(self._head.secret, each.first, await contents_of(self._store, self._head.secret, each))
            if len(hashes) != each.leaves:
                raise LogForked("the events of the database are not those that were sealed")
            new = hashes[max(0, begin - each.first) :]
            edge.append(new)
            self._folder.write(self._tiles.append(new))

    async def _continues(self, published: LogCheckpoint) -> bool:
        """Whether the tree has the published one as its beginning."""
        if published.size == 0:
            return True
        subtrees, size = self._folder.subtrees(self._tiles.size), published.size
        return Edge(size, [subtrees(height, (size >> height) - 1) for height in _heights(size)]).root == published.root

    async def gather(self) -> Gathered | None:
        """Read what the streams have beyond the log; None if that is nothing."""
        assert self._head
        spans, has_more = await self._spans()
        if not spans:
            return None
        self._leaves, ranges, size = [], [], self._head.size
        for stream, events in groupby(await event_leaves(self._store, spans), attrgetter("stream")):
            for each, contents in await self._ranges(stream, list(events), size + len(self._leaves)):
                ranges.append(each)
                self._leaves += leaf_hashes(self._head.secret, each.first, contents)
        edge = Edge(size, hashes_in(self._head.edge))
        edge.append(self._leaves)
        return Gathered(size, edge.size, edge.root, b"".join(edge.subtrees), ranges, has_more)

    async def _spans(self) -> tuple[list[tuple[str, int, int]], bool]:
        """Return the events to be sealed next, by stream from which number to which, and whether there are more."""
        spans, left = list[tuple[str, int, int]](), MOST_AT_ONCE
        for stream, last in (await self._store.heads(await self._store.streams())).items():
            first = self._positions.get(stream, 0) + 1
            if first <= last:
                if not left:
                    return spans, True
                upto = min(last, first + left - 1)
                left -= upto - first + 1
                spans.append((stream, first, upto))
                if upto < last:
                    return spans, True
        return spans, False

    async def _ranges(
        self, stream: str, events: Sequence[EventLeaf], leaf: int
    ) -> Sequence[tuple[LogRange, list[bytes]]]:
        """Return the ranges for events of a stream with what their leaves cover; receipts end a range."""
        made: list[tuple[LogRange, list[bytes]]] = []
        waiting: list[bytes] = []
        begin, last = events[0].number, events[-1].number
        for each in events:
            waiting.append(EVENT + each.content)
            paid = await self._receipts(each) if each.name in SETTLING else []
            if paid or each.number == last:
                made.append((LogRange(leaf, stream, begin, len(waiting), len(paid)), [*waiting, *paid]))
                leaf, begin, waiting = leaf + len(waiting) + len(paid), each.number + 1, []
        return made

    async def _receipts(self, each: EventLeaf) -> list[bytes]:
        """Return the receipts of an event, and the course of the round it ended; none that cannot be read here."""
        assert self._head
        try:
            return await settled_contents(self._store, self._head.secret, each.stream, each.number, each.name)
        except UnknownEvent:
            return []

    async def publish(self, head: LogHead, ranges: Sequence[LogRange]) -> None:
        """Publish what was gathered, once the database has it."""
        self._folder.write(self._tiles.append(self._leaves))
        self._folder.publish(head.note)
        self._head, self._leaves = head, []
        self._positions |= {each.stream: each.last for each in ranges}

    async def close(self) -> None:
        """Do nothing: the store belongs to the caller."""


def _heights(size: int) -> list[int]:
    """Return the heights of the complete subtrees of a tree, the largest first."""
    return [height for height in reversed(range(size.bit_length())) if size >> height & 1]
