"""Whether a database may be served: what its house says of its epoch, compared with the marks outside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from punto.shoe.encoding import pack
from punto.store.events.house_events import HOUSE, ClosedWhy, HouseClosed, HouseResumed, LostTail, MarkBegun
from punto.store.protocol import Store
from punto.store.records import EventRecord
from punto.store.trust.keys import Keys, is_signed
from punto.store.trust.mark import MarkRead, read_marks

FIRST_EPOCH = 1
_AT_ONCE = 100
_KINDS = tuple(kind.__name__ for kind in (MarkBegun, HouseClosed, HouseResumed))
_TOLD = "select number from event where stream = $1 and name in ($2, $3, $4) order by number"


@dataclass(frozen=True, slots=True)
class Custody:
    """What the house's stream says: the epoch, whether marks are kept in it, and whether the house is closed."""

    house: bytes
    """The hash of the house's first event, by which its marks are known."""
    epoch: int = FIRST_EPOCH
    marked: bool = False
    closed: EventRecord | None = None


async def custody_of(store: Store, keys: Keys) -> Custody | None:
    """Return what the house says; None if it is not made yet."""
    made = await store.read(HOUSE, most=1)
    if not made:
        return None
    house, epoch, marked, closed = made[0].hash, FIRST_EPOCH, False, None
    for (number,) in await store.ask(_TOLD, HOUSE, *_KINDS):
        (recorded,) = await store.read(HOUSE, number - 1, 1)
        match recorded.event:
            case MarkBegun():
                marked = True
            case HouseClosed():
                closed = recorded
            case HouseResumed() as resumed if is_resumed(keys.public_key, house, resumed):
                epoch, marked, closed = resumed.epoch, False, None
    return Custody(house, epoch, marked, closed)


def resumption(house: bytes, epoch: int) -> bytes:
    """Return the bytes that are signed when a house is resumed."""
    return pack("punto-resumed-1", house.hex(), str(epoch))


def is_resumed(public_key: str, house: bytes, event: HouseResumed) -> bool:
    """Whether the owner of the house's key has resumed the house."""
    return is_signed(public_key, resumption(house, event.epoch), event.signature)


async def doubt(store: Store, keys: Keys, place: Path, custody: Custody, alone: bool) -> HouseClosed | None:
    """Return why the database must not be served, if the marks of this machine give a reason.

    ``alone`` says that no other process serves the house: then a mark has to be here, if one was ever kept.
    """
    marks = [each for each in read_marks(place, keys, custody.house) if _counts(each, custody)]
    if any(each.positions is None for each in marks):
        return HouseClosed(custody.epoch, ClosedWhy.MARK_UNREADABLE)
    if not marks and custody.marked and alone:
        return HouseClosed(custody.epoch, ClosedWhy.MARK_MISSING)
    lost = await lost_tails(store, [each.positions for each in marks if each.positions])
    if lost or any(each.epoch > custody.epoch for each in marks):
        return HouseClosed(custody.epoch, ClosedWhy.BEHIND, lost)
    return None


def _counts(marked: MarkRead, custody: Custody) -> bool:
    """Whether a mark speaks of this epoch; one of an earlier epoch was accepted as lost."""
    return marked.positions is None or marked.epoch >= custody.epoch


async def lost_tails(store: Store, marks: Sequence[Mapping[str, tuple[int, bytes]]]) -> tuple[LostTail, ...]:
    """Return the streams in which the database does not have what was acknowledged."""
    wanted = sorted({(stream, *position) for each in marks for stream, position in each.items()})
    lost: dict[str, LostTail] = {}
    for begin in range(0, len(wanted), _AT_ONCE):
        some = wanted[begin : begin + _AT_ONCE]
        found = await _hashes(store, [(stream, number) for stream, number, _ in some])
        for stream, number, hash_ in some:
            if found.get((stream, number)) != hash_:
                lost[stream] = LostTail(stream, number, (await store.head(stream))[0])
    return tuple(lost.values())


async def _hashes(store: Store, wanted: Sequence[tuple[str, int]]) -> dict[tuple[str, int], bytes]:
    """Return the hashes of events by stream and number, as far as they are there."""
    places = ", ".join(f"(${2 * at + 1}, cast(${2 * at + 2} as bigint))" for at in range(len(wanted)))
    values = [each for pair in wanted for each in pair]
    query = f"select stream, number, hash from event where (stream, number) in (values {places})"
    return {(stream, number): bytes(hash_) for stream, number, hash_ in await store.ask(query, *values)}
