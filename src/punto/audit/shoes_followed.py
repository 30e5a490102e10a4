"""The shoes of a table followed by their events: sealed, cut, opened and published in this order, and every card.

A record that was published must hold by itself and have the cards that were turned at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256

from punto.cards import Card
from punto.shoe import Record, ShoeError, read_record, verify
from punto.shoe.cut import Contribution, Cut
from punto.shoe.seal import Seal
from punto.store.events.shoe_events import (
    EVENTS,
    CutListClosed,
    CutPledged,
    CutRevealed,
    CutSpoiled,
    ShoeOpened,
    ShoePublished,
    ShoeSealed,
)
from punto.table.event import Event
from punto.table.play.burn_cards import CardsBurned
from punto.table.play.dealing import CardExposed
from punto.table.play.shoes import ShoeLoaded
from punto.table.table import Table

Published = tuple[int, str]
"""The event that published a shoe, and a digest of the cards that it says were dealt."""


def cards_digest(dealt: Iterable[tuple[int, Card]]) -> str:
    """Return a digest of cards with their places in the shoe; it takes the room of one card."""
    return sha256(repr(sorted({(place, str(card)) for place, card in dealt})).encode()).hexdigest()


class CardsTurned:
    """The cards that were turned at a table from each sealed shoe, by the table's own events."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}
        self._shoe, self._dealt = "", set[tuple[int, Card]]()

    def look_at(self, event: Event, table: Table) -> None:
        """Follow an event; ``table`` is as the event leaves it."""
        if isinstance(event, ShoeLoaded):
            self._keep()
            self._shoe = event.shoe
        elif isinstance(event, CardExposed):
            self._dealt.add((table.round.hands[event.hand][event.place].index, event.card))
        elif isinstance(event, CardsBurned) and event.first:
            self._dealt.add((0, event.first))

    def _keep(self) -> None:
        if self._shoe:
            self._digests[self._shoe] = cards_digest(self._dealt)
        self._dealt = set()

    def digests(self) -> dict[str, str]:
        """Return a digest of the cards of each shoe."""
        self._keep()
        return self._digests


NO_CARDS = cards_digest(())


class ShoesFollowed:
    """Follows the stream of a table's shoes and reports to ``find`` what does not agree."""

    def __init__(self, find: Callable[..., None]) -> None:
        self._find = find
        self._cuts: dict[str, Cut] = {}
        """Shoes that are sealed and not published, each with its cut."""
        self._lists: dict[str, list[bytes]] = {}
        self._opened: set[str] = set()
        self.published: dict[str, Published] = {}

    def look_at(self, number: int, event: Event) -> None:
        """Follow the event that comes next."""
        try:
            self._follow(number, event)
        except (ShoeError, ValueError, LookupError):
            self._find(number, "shoe-out-of-order", shoe=getattr(event, "shoe", ""))

    def _follow(self, number: int, event: Event) -> None:
        match event:
            case ShoeSealed(shoe=shoe, decks=decks, commitment=commitment, format=version):
                if shoe in self._cuts or shoe in self.published:
                    raise ValueError("sealed twice")
                self._cuts[shoe] = Cut(Seal(shoe, decks, bytes.fromhex(commitment), version))
                self._lists[shoe] = []
            case ShoeOpened(shoe=shoe) if shoe in self._cuts or shoe in self.published:
                if shoe in self._opened or not self._cuts[shoe].complete:
                    raise ValueError("opened twice, or before it was cut")
                self._opened.add(shoe)
            case ShoePublished(shoe=shoe, record=record):
                cut = self._cuts.pop(shoe)
                self._check_record(number, cut, record)
                self._opened.discard(shoe)
            case CutPledged() | CutListClosed() | CutRevealed() | CutSpoiled():
                self._cuts[event.shoe] = self._cut_on(self._cuts[event.shoe], event)
            case _ if type(event).__name__ not in EVENTS:
                self._find(number, "not-of-shoes")

    def _cut_on(self, cut: Cut, event: CutPledged | CutListClosed | CutRevealed | CutSpoiled) -> Cut:
        match event:
            case CutPledged(patron=patron, commitment=commitment):
                return cut.commit(patron, bytes.fromhex(commitment))
            case CutRevealed(patron=patron, words=words, nonce=nonce):
                return cut.reveal(patron, Contribution(bytes.fromhex(words), bytes.fromhex(nonce)))
            case CutSpoiled(missing=missing):
                if set(missing) != set(cut.missing):
                    raise ValueError("spoiled by others")
                return cut.again()
            case CutListClosed(closed_list=announced):
                closed = cut.close_list()
                if bytes.fromhex(announced) != closed.closed_list:
                    raise ValueError("another list")
                self._lists[event.shoe].append(closed.closed_list)
                return closed

    def _check_record(self, number: int, cut: Cut, text: str) -> None:
        """Check a record by itself, and against what was announced while the shoe was in use."""
        shoe = cut.seal.shoe
        noted = [cut.seal.commitment, *self._lists.pop(shoe)]
        try:
            record = read_record(text)
        except ShoeError:
            record = None
        if not isinstance(record, Record) or (record.shoe, record.version) != (shoe, cut.seal.version):
            self._find(number, "shoe-record-wrong", shoe=shoe, check="record")
            return
        self.published[shoe] = number, cards_digest(record.dealt)
        for check in verify(record, noted):
            if not check.ok:
                self._find(number, "shoe-record-wrong", shoe=shoe, check=check.name)
                return
