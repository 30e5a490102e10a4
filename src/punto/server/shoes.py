"""Sealed shoes in service: the house seals one, patrons cut it, it is dealt card by card, and published at its end.

The order of a shoe is in this process's memory while the shoe is in use, and nowhere else in the clear.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from punto.cards import Card
from punto.shoe import Shoe, new_secret, sealed_shoe
from punto.shoe.cut import Contribution, Cut
from punto.shoe.encoding import ShoeError, pack
from punto.shoe.record import as_json, publish
from punto.shoe.seal import Seal, seal
from punto.shoe.secret import Secret
from punto.store.contract import Store
from punto.store.founding import SYSTEM
from punto.store.keys import Keys
from punto.store.records import Append, Conflict, Written
from punto.store.shoe_events import (
    SHOES,
    CutListClosed,
    CutPledged,
    CutRevealed,
    CutSpoiled,
    ShoePublished,
    ShoeSealed,
)
from punto.table.events import CardExposed, Event, ShoeLoaded
from punto.table.evolve import evolve
from punto.table.state import Table

T = TypeVar("T")
Clock = Callable[[], int]
Dealt = list[tuple[int, Card]]
"""The cards of a shoe that were exposed, each with its number."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """A shoe as its events tell it."""

    cut: Cut
    cipher: bytes
    record: str | None = None


class ShoeKeeper:
    """The sealed shoes of one table."""

    def __init__(self, store: Store, keys: Keys, table: str, clock: Clock) -> None:
        self._store, self._keys, self._table, self._clock = store, keys, table, clock
        self._stream, self._number = f"{table}{SHOES}", 0
        self._shoes: dict[str, _Kept] = {}
        self._opened: dict[str, Shoe] = {}
        self._mailbox = asyncio.Lock()

    async def catch_up(self) -> None:
        """Take in what has been stored."""
        while page := await self._store.read(self._stream, self._number):
            for recorded in page:
                self._take_in(recorded.event)
                self._number = recorded.number

    # --- what house and patrons do ---------------------------------------------------------------------------------

    async def seal(self, decks: int) -> Seal:
        """Seal the next shoe: its name tells the table and its number, so that a missing one is noticed."""

        def decide() -> tuple[Event, Seal]:
            secret, name = new_secret(), f"{self._table} {len(self._shoes) + 1}"
            made = seal(secret, name, decks)
            cipher = self._keys.encrypt(secret.disclose(), self._about(name))
            return ShoeSealed(name, decks, made.commitment.hex(), cipher.hex()), made

        return await self._carried_out(decide)

    async def pledge(self, shoe: str, patron: str, commitment: bytes) -> Cut:
        """A patron commits himself."""
        told = CutPledged(shoe, patron, commitment.hex())
        return await self._carried_out(lambda: (told, self._cut(shoe).commit(patron, commitment)))

    async def close_list(self, shoe: str) -> Cut:
        """Take no more commitments."""

        def decide() -> tuple[Event, Cut]:
            closed = self._cut(shoe).close_list()
            return CutListClosed(shoe, closed.closed_list.hex()), closed

        return await self._carried_out(decide)

    async def reveal(self, shoe: str, patron: str, contribution: Contribution) -> Cut:
        """A patron reveals what he committed himself to."""
        told = CutRevealed(shoe, patron, contribution.words.hex(), contribution.nonce.hex())
        return await self._carried_out(lambda: (told, self._cut(shoe).reveal(patron, contribution)))

    async def cut_again(self, shoe: str) -> Cut:
        """Somebody did not reveal: without him, once more."""

        def decide() -> tuple[Event, Cut]:
            cut = self._cut(shoe)
            return CutSpoiled(shoe, cut.missing), cut.again()

        return await self._carried_out(decide)

    async def publish(self, shoe: str, dealt: Dealt) -> str:
        """Publish the secret of a shoe that has ended, with the cards it dealt; a second time gives the same record."""
        await self.catch_up()
        if (known := self._known(shoe)).record is not None:
            return known.record

        def decide() -> tuple[Event, str]:
            record = json.dumps(as_json(publish(self._secret(shoe), self._cut(shoe), dealt)))
            return ShoePublished(shoe, record), record

        return await self._carried_out(decide)

    async def _carried_out(self, decide: Callable[[], tuple[Event, T]]) -> T:
        """Decide by the newest state, store, take in."""
        async with self._mailbox:
            while True:
                await self.catch_up()
                event, result = decide()
                written = [Written.of(event, self._clock(), *SYSTEM)]
                try:
                    await self._store.append([Append(self._stream, self._number, written)])
                except Conflict:
                    continue
                await self.catch_up()
                return result

    # --- dealing ---------------------------------------------------------------------------------------------------

    def card_at(self, shoe: str, number: int) -> Card:
        """A card of a shoe in use: to be asked for when it is exposed, or by whoever looks at it, and not before."""
        if shoe not in self._opened:
            if self._known(shoe).record is not None:
                raise ShoeError(f"shoe {shoe!r} has ended")
            self._opened[shoe] = sealed_shoe(self._secret(shoe), self._cut(shoe))
        return self._opened[shoe].card_at(number)

    def is_ready(self, shoe: str) -> bool:
        """Whether the shoe is cut and can be dealt."""
        kept = self._shoes.get(shoe)
        return kept is not None and kept.cut.complete and kept.record is None

    # --- what is kept ----------------------------------------------------------------------------------------------

    def _known(self, shoe: str) -> _Kept:
        if shoe not in self._shoes:
            raise ShoeError(f"table {self._table!r} has no shoe {shoe!r}")
        return self._shoes[shoe]

    def _cut(self, shoe: str) -> Cut:
        return self._known(shoe).cut

    def _secret(self, shoe: str) -> Secret:
        return Secret(self._keys.decrypt(self._known(shoe).cipher, self._about(shoe)))

    def _about(self, shoe: str) -> bytes:
        return pack("punto-shoe-secret-1", self._table, shoe)

    def _take_in(self, event: Event) -> None:
        match event:
            case ShoeSealed(shoe=shoe, decks=decks, commitment=commitment, cipher=cipher):
                self._shoes[shoe] = _Kept(Cut(Seal(shoe, decks, bytes.fromhex(commitment))), bytes.fromhex(cipher))
            case CutPledged(shoe=shoe, patron=patron, commitment=commitment):
                self._go_on(shoe, lambda cut: cut.commit(patron, bytes.fromhex(commitment)))
            case CutListClosed(shoe=shoe):
                self._go_on(shoe, lambda cut: cut.close_list())
            case CutRevealed(shoe=shoe, patron=patron, words=words, nonce=nonce):
                told = Contribution(bytes.fromhex(words), bytes.fromhex(nonce))
                self._go_on(shoe, lambda cut: cut.reveal(patron, told))
            case CutSpoiled(shoe=shoe):
                self._go_on(shoe, lambda cut: cut.again())
            case ShoePublished(shoe=shoe, record=record):
                self._shoes[shoe] = replace(self._shoes[shoe], record=record)
                self._opened.pop(shoe, None)

    def _go_on(self, shoe: str, step: Callable[[Cut], Cut]) -> None:
        kept = self._shoes[shoe]
        self._shoes[shoe] = replace(kept, cut=step(kept.cut))


async def cards_dealt(store: Store, name: str, table: Table, shoe: str) -> Dealt:
    """The cards of a shoe that were exposed at a table, by their numbers; ``table`` is one without events."""
    dealt: Dealt = []
    number = 0
    while page := await store.read(name, number):
        for recorded in page:
            event = recorded.event
            inside = table.shoe is not None and table.shoe.name == shoe
            if inside and isinstance(event, CardExposed):
                dealt.append((table.hands[event.hand][event.place].index, event.card))
            if isinstance(event, ShoeLoaded) and event.shoe == shoe:
                dealt = []
            table = evolve(table, event)
        number = page[-1].number
    return dealt
