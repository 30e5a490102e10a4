"""A house: a store with its keys, its tables, and signed heads of their logs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from punto.rules.rulebook import Rulebook
from punto.store.codec import UnknownEvent
from punto.store.events.house_events import HOUSE, AutomationSet, HeadNoted, StoreMade, TableCreated
from punto.store.protocol import Reader, Store
from punto.store.records import FIRST_HASH, Append, Change, Conflict, Damaged, EventRecord, Unchanged, hash_of
from punto.store.trust.keys import BadKey, Keys
from punto.store.trust.signed_heads import Head, head_message
from punto.store.words import put_all_aside
from punto.table.event import Event
from punto.table.guidance.dealer_automation import Step

SYSTEM = ("punto", "system")
"""The actor of events that no person brings about."""


class House:
    """A store with the keys it was made with."""

    def __init__(self, store: Store, keys: Keys) -> None:
        self.store, self.keys = store, keys
        self.is_new = False
        """Whether this process has just made it."""
        self.practice = False
        """Whether it was made for practice."""

    @classmethod
    async def open(cls, store: Store, keys: Keys, at: int, practice: bool = False) -> House:
        """Open the house of a store, or make one if the store is empty; ``practice`` is of one that is made.

        Raises ``BadKey`` if it was made with another key, and ``UnknownEvent`` if it does not say with which.
        """
        house = cls(store, keys)
        if await is_unmade(store):
            made = EventRecord.of(StoreMade(keys.public_key, practice), at, *SYSTEM)
            try:
                await store.append([Append(HOUSE, 0, [made])])
                house.is_new = True
            except Conflict:
                pass  # another process that was started at the same moment has made it
        house.practice = (await check_key(store, keys)).practice
        return house

    async def create_table(
        self, name: str, book: Rulebook, at: int, after: int | None = None, giver: tuple[str, str] = SYSTEM
    ) -> None:
        """Record a new table and its creator; raise ``Conflict`` if the house has not ``after`` events."""
        if name == HOUSE or not name.replace("-", "").isalnum():
            raise ValueError(f"a table's name has letters, digits and hyphens, and is not {HOUSE}: {name!r}")
        created = TableCreated(name, book.key, book.digest)
        if after is None:
            await record(self.store, [created], at, giver)
        else:
            await self.store.append([Append(HOUSE, after, [EventRecord.of(created, at, *giver)])])

    async def automate(
        self,
        table: str,
        steps: Collection[Step],
        at: int,
        before: Collection[Step] = (),
        giver: tuple[str, str] = SYSTEM,
    ) -> None:
        """Record which of the Dealer's steps are automatic at a table, which were before, and who set it."""
        now, until_then = (tuple(sorted(step.value for step in each)) for each in (steps, before))
        await record(self.store, [AutomationSet(table, now, until_then)], at, giver)

    async def note_heads(self, tables: Sequence[str], at: int) -> None:
        """Record signed heads of these streams."""
        heads = [await signed_head(self.store, self.keys, table) for table in tables]
        noted = [HeadNoted(head.stream, head.number, head.hash, head.signature) for head in heads]
        await record(self.store, noted, at)


async def record(
    store: Store, events: Sequence[Event], at: int, giver: tuple[str, str] = SYSTEM, changes: Sequence[Change] = ()
) -> None:
    """Append events to the house's stream, with who brought them about, and make the changes they tell of with them.

    A house that is not made yet has no events. Raises ``Unchanged`` if a change finds nothing to change.
    """
    put, words = put_all_aside(events, giver[0])
    written = [EventRecord.of(event, at, *giver) for event in put]
    while number := (await store.head(HOUSE))[0]:
        try:
            await store.append([Append(HOUSE, number, written)], words=words, changes=changes)
        except Conflict:
            continue  # another process appended first
        return
    for change in changes:
        if not await store.ask(change.text, *change.values):
            raise Unchanged(change.text)


async def is_unmade(store: Reader) -> bool:
    """Whether there is no house yet; a store with other streams has lost the house's."""
    try:
        return not (await store.head(HOUSE))[0] and not await store.streams()
    except Damaged:
        return False


async def check_key(store: Reader, keys: Keys) -> StoreMade:
    """Return how the store was made.

    Raises ``BadKey`` if it was made with other keys, and ``UnknownEvent`` if it does not say with which.
    """
    first = await store.read(HOUSE, most=1)
    made = first[0].event if first and first[0].hash == hash_of(FIRST_HASH, HOUSE, 1, first[0]) else None
    if not isinstance(made, StoreMade):
        raise UnknownEvent("the first event of the house does not say with which key the database was made")
    if made.public_key != keys.public_key:
        raise BadKey("this is not the key the database was made with")
    return made


async def signed_head(store: Reader, keys: Keys, stream: str) -> Head:
    """Return the signed head of a stream."""
    number, hash_ = await store.head(stream)
    signature = keys.sign(head_message(stream, number, hash_.hex()))
    return Head(stream, number, hash_.hex(), signature, keys.public_key)
