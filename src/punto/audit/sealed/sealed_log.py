"""The house's log, recomputed from the streams and compared with its checkpoint and with a witness's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from punto.audit.finding import Finding, finding
from punto.audit.sealed.course_again import course_again
from punto.audit.sealed.published_leaves import PublishedLeaves
from punto.audit.sealed.receipts_followed import ReceiptsFollowed
from punto.store.codec import UnknownEvent
from punto.store.events.house_events import HOUSE, HouseResumed
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.trust.custody import FIRST_EPOCH, is_resumed
from punto.store.trust.log_leaves import COURSE, EVENT, RECEIPT, event_leaves, leaf_hashes
from punto.store.trust.log_rows import LogHead, LogRange, log_head, ranges_from, sealed_positions
from punto.store.trust.sealer import log_key
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import BadNote, Note
from punto.tlog.tree import EMPTY_ROOT, Edge

CATCHES_UP = 6
"""Looks, a second apart, at a log that a server may still be sealing."""
Witness = Callable[[str], Note | None]
"""Returns what a witness has cosigned last of the log with an origin, its cosignature checked; None if nothing."""


async def check_log(
    store: Reader,
    public_key: str | None,
    ends: Mapping[str, int],
    witness: Witness | None,
    folder: Path | None = None,
) -> list[Finding]:
    """Return what is wrong with the log; nothing of a database from before there was one, unless a witness is asked.

    ``ends`` is how far the streams went when the audit began: with a witness all of that has to be sealed. With the
    folder in which the log is published, each leaf is compared with the one there.
    """
    found = await _found(store, public_key, ends, witness, folder)
    for _ in range(CATCHES_UP):
        if not found or not {each.code for each in found} <= {"log-not-sealed", "log-not-witnessed"}:
            break
        await asyncio.sleep(1)
        found = await _found(store, public_key, ends, witness, folder)
    return found


async def _found(
    store: Reader,
    public_key: str | None,
    ends: Mapping[str, int],
    witness: Witness | None,
    folder: Path | None,
) -> list[Finding]:
    published = PublishedLeaves.read(folder, public_key) if folder and public_key else None  # before it can grow
    if public_key is None:
        return [finding(HOUSE, None, "log-gone")] if witness or folder else []
    head, is_newest = await _log_of_house(store, public_key)
    if head is None:
        return [finding(HOUSE, None, "log-gone")] if witness or folder else []
    note = witness(head.origin) if witness else None
    if witness and (note is None or not _is_of(note, head, public_key)):
        return [finding(HOUSE, None, "log-other-key")]
    seen = LogCheckpoint.read(note.text) if note else None
    found = list(_wrong_checkpoint(head, public_key, is_newest))
    if seen and seen.size > head.size:
        return [*found, finding(HOUSE, None, "log-behind-witness", leaves=head.size, witnessed=seen.size)]
    if folder and (published is None or published.origin != head.origin):
        return [*found, finding(HOUSE, None, "log-not-published")]
    if published and (largest := max(each.size for each in published.checkpoints)) > head.size:
        return [*found, finding(HOUSE, None, "log-behind-published", leaves=head.size, published=largest)]
    found += await _wrong_leaves(store, head, seen, published)
    if seen and not found:
        found += await _not_covered(store, head, ends, seen.size)
    return found


async def _log_of_house(store: Reader, public_key: str) -> tuple[LogHead | None, bool]:
    """Return the log of the epoch that the house is in, and whether the database has no newer one.

    A house that went back in time and was not sealed since has the log of the epoch before.
    """
    newest = await log_head(store)
    first = await store.read(HOUSE, most=1)
    if newest is None or not first:
        return newest, True
    epoch, query = FIRST_EPOCH, "select number from event where stream = $1 and name = $2 order by number"
    for (number,) in await store.look_up(query, HOUSE, HouseResumed.__name__):
        (recorded,) = await store.read(HOUSE, number - 1, 1)
        with suppress(UnknownEvent):
            event = recorded.event
            if isinstance(event, HouseResumed) and is_resumed(public_key, first[0].hash, event):
                epoch = event.epoch
    older = [await log_head(store, each) for each in range(epoch, 0, -1)] if newest.epoch > epoch else [newest]
    return next(filter(None, older), newest), newest.epoch <= epoch


def _is_of(note: Note, head: LogHead, public_key: str) -> bool:
    """Whether a checkpoint is one of this log, signed with the house's key."""
    try:
        return note.is_signed_by(log_key(head.origin, public_key)) and (
            LogCheckpoint.read(note.text).origin == head.origin
        )
    except BadNote:
        return False


def _wrong_checkpoint(head: LogHead, public_key: str, is_newest: bool) -> Iterator[Finding]:
    """Check that the house has signed the log as large as it is, and that there is none of an epoch to come."""
    if is_newest and not head.size and not head.note:
        return
    try:
        note = Note.read(head.note)
        if not is_newest or not _is_of(note, head, public_key) or LogCheckpoint.read(note.text).size != head.size:
            raise BadNote
    except BadNote:
        yield finding(HOUSE, None, "log-not-signed")


@dataclass
class _Has:
    """What the log has had so far: a log of an earlier version has fewer kinds of leaves."""

    receipts: bool = False
    courses: bool = False

    def learn(self, each: LogRange, made: Mapping[int, list[bytes]], courses: Mapping[int, object]) -> None:
        self.receipts = self.receipts or each.receipts > 0
        self.courses = self.courses or (each.last in courses and each.receipts > len(made.get(each.last, [])))


class _Tree:
    """The tree made again, with its root at the size of each checkpoint that it is compared with."""

    def __init__(self, checkpoints: Sequence[LogCheckpoint]) -> None:
        self.edge, self._roots = Edge(), {0: EMPTY_ROOT}
        self._sizes = sorted({each.size for each in checkpoints})

    def append(self, leaves: Sequence[bytes]) -> None:
        for size in self._sizes:
            if self.edge.size < size <= self.edge.size + len(leaves):
                before = size - self.edge.size
                self.edge.append(leaves[:before])
                self._roots[size] = self.edge.root
                leaves = leaves[before:]
        self.edge.append(leaves)

    def begins_with(self, checkpoint: LogCheckpoint) -> bool:
        """Whether its first leaves are those of a checkpoint; true of one that is larger than the tree."""
        return self._roots.get(checkpoint.size, checkpoint.root) == checkpoint.root

    def is_of(self, head: LogHead) -> bool:
        """Whether it is the tree that was sealed, as far as the checkpoint can be read."""
        if (self.edge.size, b"".join(self.edge.subtrees)) != (head.size, head.edge):
            return False
        try:
            return LogCheckpoint.read(Note.read(head.note).text).root == self.edge.root
        except BadNote:
            return True


async def _wrong_leaves(
    store: Reader, head: LogHead, seen: LogCheckpoint | None, published: PublishedLeaves | None
) -> list[Finding]:
    """Recompute the tree; name the first event or receipt that is not as it was sealed, or say that the tree differs.

    Of receipts everything wrong is named, from the first that the log has on: before it kept none.
    """
    found, receipts, has, sealed = list[Finding](), dict[str, ReceiptsFollowed](), _Has(), dict[str, int]()
    tree = _Tree([*([seen] if seen else []), *(published.checkpoints if published else [])])
    async for each in ranges_from(store, head.epoch, 0, head.size):
        followed = receipts.setdefault(each.stream, ReceiptsFollowed(store, each.stream))
        made = await followed.between(each.number, each.last)
        has.learn(each, made, followed.courses)
        if has.receipts:
            found += _wrong_receipts(each, made, followed.courses, has.courses)
        hashes = await _hashes(store, head, each, made.get(each.last, []), followed.courses.get(each.last))
        due = sealed.get(each.stream, 0) + 1
        if each.number > due:
            return [*found, finding(each.stream, due, "log-left-out")]
        if hashes is None or (each.first, each.number) != (tree.edge.size, due):
            return [*found, finding(each.stream, each.number, "log-leaf-missing")]
        sealed[each.stream] = each.last
        if published and (other := published.first_other(each.first, hashes)) is not None:
            return [*found, _not_as_published(each, other)]
        tree.append(hashes)
    if seen and not tree.begins_with(seen):
        return [*found, finding(HOUSE, None, "log-not-as-witnessed", leaves=seen.size)]
    if not tree.is_of(head):
        return [*found, finding(HOUSE, None, "log-differs", leaves=head.size)]
    return [*found, *(_wrongly_published(published, tree) if published else [])]


def _wrongly_published(published: PublishedLeaves, tree: _Tree) -> Iterator[Finding]:
    """Check that each published checkpoint is of these leaves, and the tiles above them too."""
    for each in published.checkpoints:
        if not tree.begins_with(each):
            yield finding(HOUSE, None, "log-published-otherwise", leaves=each.size)
            return
    if tile := published.wrong_tile():
        yield finding(HOUSE, None, "log-tile-differs", tile=tile)


def _wrong_receipts(
    each: LogRange, made: Mapping[int, list[bytes]], courses: Mapping[int, object], has_courses: bool
) -> Iterator[Finding]:
    """Compare how many receipts a range has with how many its events need; the last alone can have any.

    The course of a round counts as one, from the first that the log has on.
    """
    for number in sorted({*made, *courses}):
        has = each.receipts if number == each.last else 0
        due = len(made.get(number, [])) + (has_courses and number in courses)
        if has < due:
            yield finding(each.stream, number, "receipt-missing", has=has, due=due)
    due = len(made.get(each.last, [])) + (each.last in courses)
    if each.receipts > due:
        yield finding(each.stream, each.last, "receipt-extra", has=each.receipts, due=due)


def _not_as_published(each: LogRange, other: int) -> Finding:
    """Return which event or receipt of a range is not the one that was published."""
    at = other - each.first
    if at < each.events:
        return finding(each.stream, each.number + at, "log-leaf-differs", leaf=other)
    return finding(each.stream, each.last, "receipt-wrong", leaf=other)


async def _hashes(
    store: Reader, head: LogHead, each: LogRange, receipts: list[bytes], course: Sequence[EventRecord] | None
) -> list[bytes] | None:
    """Return the hashes of the leaves of a range; None if its events are not all there."""
    try:
        events = await event_leaves(store, [(each.stream, each.number, each.last)])
    except (UnknownEvent, ValueError):
        return None
    contents = [EVENT + leaf.content for leaf in events]
    if each.receipts:
        contents += [RECEIPT + receipt for receipt in receipts]
        if course and each.receipts == len(receipts) + 1:
            contents.append(COURSE + course_again(head.secret, course))
    return leaf_hashes(head.secret, each.first, contents) if len(contents) == each.leaves else None


async def _not_covered(store: Reader, head: LogHead, ends: Mapping[str, int], size: int) -> list[Finding]:
    """Return the streams with events that are in no leaf, or in one that the witness has not seen."""
    sealed = await sealed_positions(store, head.epoch)
    first_unsealed = {stream: sealed.get(stream, 0) + 1 for stream, end in ends.items() if end > sealed.get(stream, 0)}
    found = [finding(stream, number, "log-not-sealed") for stream, number in sorted(first_unsealed.items())]
    async for each in ranges_from(store, head.epoch, size, head.size):
        if each.first >= size and each.number <= ends.get(each.stream, 0):
            return [*found, finding(each.stream, each.number, "log-not-witnessed")]
    return found
