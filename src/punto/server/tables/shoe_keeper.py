"""The shoes of a table whose cards the house knows, or comes to know, before they are exposed.

A sealed shoe is sealed by the house, cut by patrons, dealt card by card, and published at its end. A card-reading
device reports each card as it leaves the shoe. Cards that are not exposed stand in this process's memory while the shoe
is in use, and nowhere else unencrypted.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from punto.audit.table_followed import table_at
from punto.cards import Card
from punto.server.refused import Refused
from punto.server.running.server_log import log
from punto.server.tables.cut_times import TIME_TO_CUT, CutTimes, CutTimesState
from punto.server.tables.shoe_readings import Readings
from punto.server.tables.stream_follower import Clock, StreamClosed, StreamFollower
from punto.shoe import HiddenShoe, OutOfWords, new_secret, sealed_shoe
from punto.shoe.cut import Contribution, Cut
from punto.shoe.encoding import ShoeError, pack
from punto.shoe.record import as_json, publish
from punto.shoe.seal import Seal, seal
from punto.shoe.secret import Secret
from punto.store.events.house_events import DeviceFault
from punto.store.events.shoe_events import (
    SHOES,
    CardNamed,
    CardRead,
    CutDeclined,
    CutListClosed,
    CutPledged,
    CutRevealed,
    CutSpoiled,
    ShoeOpened,
    ShoePublished,
    ShoeSealed,
)
from punto.store.house import SYSTEM
from punto.store.protocol import Store
from punto.store.records import Append, EventRecord, Repeated
from punto.store.trust.chain import Chain, ChainBroken, verified_page
from punto.store.trust.checkpoints import Checkpoints
from punto.store.trust.keys import Keys
from punto.table.command import Command
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.irregularities.cards_taken import COUNT, DetermineMissing
from punto.table.play.burn_cards import CardsBurned
from punto.table.play.dealing import CardExposed
from punto.table.play.shoes import LoadShoe, ShoeLoaded
from punto.table.play.unread_card import UnreadHold
from punto.table.refusal import Refusal, refuse
from punto.table.roles import Role
from punto.table.settings import Device
from punto.table.table import Table

MOST_MISCOUNTS = 3
_LAST_SHOES = 3
"""A table is not read far back for a shoe that was loaded before its last few."""
Giver = tuple[str, str]
"""The id and the position of the person who does something to a shoe."""
Dealt = list[tuple[int, Card]]
"""The exposed cards of a shoe, each with its index in the shoe."""


class SealedShoe(Struct, frozen=True, array_like=True):
    """The state of a sealed shoe."""

    cut: Cut
    cipher: bytes
    """The secret, encrypted; empty once it is published."""
    until: int | None = None
    """When the step of the cut that is under way ends: committing or, with the list closed, revealing."""
    opened: bool = False
    published: int | None = None
    """The number of the event that has its record."""


class ShoesState(Struct, array_like=True):
    """What the stream of a table's shoes has led to. Of a shoe that has ended, little is kept."""

    shoes: dict[str, SealedShoe] = field(default_factory=dict)
    readings: dict[str, Readings] = field(default_factory=dict)
    times: CutTimesState = field(default_factory=CutTimesState)


class NotInOrder(Refused):
    """Raised if a card that the device reports is not the next."""

    def __init__(self, refusal: Refusal, why: DeviceFault) -> None:
        super().__init__(refusal)
        self.why = why


class ShoeKeeper(StreamFollower[ShoesState]):
    """The shoes of one table: sealed ones, and those its dealing device reads."""

    state_kind = ShoesState

    def __init__(self, store: Store, keys: Keys, table: str, clock: Clock, time_to_cut: int = TIME_TO_CUT) -> None:
        super().__init__(store, f"{table}{SHOES}", clock)
        self.times = CutTimes(time_to_cut)
        self._keys, self._table = keys, table
        self._shoes: dict[str, SealedShoe] = {}
        self._dealing: dict[str, HiddenShoe] = {}
        self._readings: dict[str, Readings] = {}
        self._miscounts: Counter[str] = Counter()
        """By shoe, how often a count differed from what the device has read."""

    def state(self) -> ShoesState:
        """Return what the events have led to."""
        return ShoesState(self._shoes, self._readings, self.times.state)

    def begin(self, state: ShoesState, chain: Chain) -> None:
        """Begin with a state and the place in the chain that belongs to it."""
        self._shoes, self._readings, self.times.state, self.chain = state.shoes, state.readings, state.times, chain
        self._dealing.clear()

    # --- what house and patrons do ---------------------------------------------------------------------------------

    def _seal(self, decks: int, until: int | None) -> tuple[Event, Seal]:
        """Seal the next shoe: its name holds the table and a number, so that a missing one is noticed."""
        secret, name = new_secret(decks), f"{self._table} {len(self._shoes) + 1}"
        made = seal(secret, name, decks)
        cipher = self._keys.encrypt(secret.disclose(), self._about(name))
        return ShoeSealed(name, decks, made.commitment.hex(), cipher.hex(), until, made.version), made

    async def pledge(self, shoe: str, patron: str, commitment: bytes) -> Cut:
        """Record a patron's commitment to a contribution."""
        told = CutPledged(shoe, patron, commitment.hex())
        return await self._decide_and_append(
            lambda: (told, self._cut(shoe).commit(patron, commitment)), (patron, Role.PATRON.value)
        )

    async def decline(self, shoe: str, patron: str) -> Cut:
        """Record that a patron does not want to cut the shoe, so that its list need not wait for them."""

        def decide() -> tuple[Event | None, Cut]:
            cut = self._cut(shoe)
            if cut.list_closed or patron in self.times.declined(shoe) or any(e.patron == patron for e in cut.pledges):
                return None, cut
            return CutDeclined(shoe, patron), cut

        return await self._decide_and_append(decide, (patron, Role.PATRON.value))

    async def close_list(
        self, shoe: str, until: int | None = None, giver: Giver = SYSTEM, seated: Collection[str] = ()
    ) -> Cut:
        """Take no more commitments; not before all who are seated have answered, or the time to is over."""

        def decide() -> tuple[Event, Cut]:
            cut = self._cut(shoe)
            closed, absent = cut.close_list(), self.times.absent(shoe, cut, seated)
            if absent:
                self.times.check_due(shoe, self._clock())
            return CutListClosed(shoe, closed.closed_list.hex(), until, self.times.due(shoe), absent), closed

        return await self._decide_and_append(decide, giver)

    async def reveal(self, shoe: str, patron: str, contribution: Contribution) -> Cut:
        """Record the contribution that a patron committed to."""
        told = CutRevealed(shoe, patron, contribution.words.hex(), contribution.nonce.hex())
        return await self._decide_and_append(
            lambda: (told, self._cut(shoe).reveal(patron, contribution)), (patron, Role.PATRON.value)
        )

    async def cut_again(self, shoe: str, until: int | None = None, giver: Giver = SYSTEM) -> Cut:
        """Start the cut again without those who did not reveal; not before the time to is over."""

        def decide() -> tuple[Event, Cut]:
            cut = self._cut(shoe)
            again = cut.again()
            self.times.check_due(shoe, self._clock())
            return CutSpoiled(shoe, cut.missing, until, self.times.due(shoe)), again

        return await self._decide_and_append(decide, giver)

    async def publish(self, shoe: str, dealt: Dealt, giver: Giver = SYSTEM) -> None:
        """Publish the secret of a shoe that has ended, with the cards it dealt; idempotent."""

        def decide() -> tuple[Event | None, None]:
            if self.is_published(shoe):
                return None, None
            record = publish(self._secret(shoe), self._cut(shoe), dealt, self.times.conducts[shoe])
            return ShoePublished(shoe, json.dumps(as_json(record))), None

        await self._decide_and_append(decide, giver)

    # --- what the dealing device tells -----------------------------------------------------------------------------

    async def read(self, shoe: str, index: int, card: Card, giver: Giver = SYSTEM, key: str | None = None) -> bool:
        """Record a card as it leaves the shoe; False if this is a retry by its idempotency key. Cards come in order.

        A card is never compared with the one that was read in that place: the answer, and the time it takes, would
        tell a guess that is right from one that is wrong. Nor is the digest that is kept with a key one of the card.
        """

        def decide() -> tuple[Event | None, bool]:
            readings = self._readings.get(shoe, Readings())
            if index < readings.expected or not readings.may_come_next(index):
                refusal = refuse("card-read-gap", index=index, expected=readings.expected)
                raise NotInOrder(refusal, DeviceFault.AGAIN if index < readings.expected else DeviceFault.ORDER)
            cipher = self._keys.encrypt(str(card).encode(), self._about_card(shoe, index))
            return CardRead(shoe, index, cipher.hex()), True

        known = (key, hashlib.sha256(self._about_card(shoe, index)).digest()) if key else None
        try:
            return await self._decide_and_append(decide, giver, known)
        except Repeated as repeated:
            if known is None or (repeated.answer.stream, repeated.answer.digest) != (self._stream, known[1]):
                raise NotInOrder(refuse("key-used"), DeviceFault.KEY) from None
            return False

    def _decrypted(self, cipher: bytes | None, about: bytes) -> Card | None:
        return Card.parse(self._keys.decrypt(cipher, about).decode()) if cipher else None

    def _card_told(self, shoe: str, number: int) -> Card | None:
        """Return a card that people named, else one that the device read."""
        readings = self._readings.get(shoe, Readings())
        if number in readings.named:
            return self._decrypted(readings.named[number], self._about_named(shoe, number))
        sequence = readings.sequence_of(number)
        return self._decrypted(readings.read.get(sequence), self._about_card(shoe, sequence))

    def _named(self, shoe: str, number: int, card: Card | None, missed: bool = False) -> CardNamed:
        cipher = self._keys.encrypt(str(card).encode(), self._about_named(shoe, number)) if card else b""
        return CardNamed(shoe, number, cipher.hex(), missed)

    # --- dealing ---------------------------------------------------------------------------------------------------

    async def prepare(self, command: Command, table: Table) -> Append | Refusal | None:
        """Return what happens to the shoe, stored together with the table's events: it is opened, or cards are told."""
        await self.catch_up()
        if isinstance(command, LoadShoe):
            spoiled = await self._publish_spoiled(command.shoe)
            return refuse("shoe-spoiled", shoe=command.shoe) if spoiled else self._load(command, table)
        assert table.shoe is not None
        if isinstance(command, DetermineMissing):
            cards = dict(zip(table.out, command.set_aside, strict=True))
            return self._set_aside(table.shoe.name, cards, _giver(command))
        hold = table.hold
        assert isinstance(hold, UnreadHold)
        named = self._named(table.shoe.name, hold.number, hold.card, missed=not hold.misread)
        return self.append_of(named, _giver(command))

    def _set_aside(self, shoe: str, cards: Mapping[int, Card], giver: Giver) -> Append | Refusal | None:
        """Return the cards set aside, encrypted; none that a device has read may be said to be another.

        After a few counts that differ every other is refused alike, so that nobody finds a card by counting on.
        """
        differs = any(self._card_told(shoe, number) not in (None, card) for number, card in cards.items())
        if differs or self._miscounts[shoe] >= MOST_MISCOUNTS:
            self._miscounts[shoe] += 1
            log.warning("count differs", table=self._table, shoe=shoe, by=giver[0], times=self._miscounts[shoe])
            return refuse("does-not-add-up", COUNT)
        return self.append_all_of([self._named(shoe, *each) for each in cards.items()], giver) if cards else None

    async def _publish_spoiled(self, shoe: str) -> bool:
        """Publish a shoe whose words do not suffice for an order, before a card is dealt; return whether it was one."""
        if shoe not in self._shoes or not self.is_ready(shoe):
            return False
        try:
            sealed_shoe(self._secret(shoe), self._cut(shoe))
        except OutOfWords:
            log.warning("shoe out of words", table=self._table, shoe=shoe)
            await self.publish(shoe, [])
            return True
        return False

    def _load(self, command: LoadShoe, table: Table) -> Append | Refusal:
        """Return that a shoe was put on the table; a sealed one must be ready."""
        sealed = table.set_up.device is Device.SEALED
        if sealed and not (self.is_ready(command.shoe) and self._cut(command.shoe).seal.decks == table.set_up.decks):
            return refuse("shoe-not-ready", shoe=command.shoe)
        if command.shoe in self._readings or (command.shoe in self._shoes and not sealed):
            return refuse("cannot-be", case="shoe-name-used")
        return self.append_of(ShoeOpened(command.shoe), _giver(command))

    def card_at(self, shoe: str, number: int) -> Card | None:
        """Return a card of a shoe in use, if it is known; called only when the card is exposed or looked at."""
        if shoe not in self._shoes:
            return self._card_told(shoe, number)
        if shoe not in self._dealing:
            if self.is_published(shoe):
                raise ShoeError(f"shoe {shoe!r} has ended")
            self._dealing[shoe] = sealed_shoe(self._secret(shoe), self._cut(shoe))
        return self._dealing[shoe].card_at(number)

    def card_if_known(self, shoe: str, number: int) -> Card | None:
        """Like ``card_at``, but None for a shoe whose cut this process does not know yet, or that has ended."""
        if shoe in self._shoes and (not self.knows(shoe) or self.is_published(shoe)):
            return None
        return self.card_at(shoe, number)

    def knows(self, shoe: str) -> bool:
        """Whether this is a sealed shoe whose cut is complete, so that every card is known."""
        kept = self._shoes.get(shoe)
        return kept is not None and kept.cut.complete

    def is_ready(self, shoe: str) -> bool:
        """Whether the shoe is cut and has not been used."""
        kept = self._shoes.get(shoe)
        return kept is not None and kept.cut.complete and not kept.opened and kept.published is None

    def until(self, shoe: str) -> int | None:
        """When the step of the cut that is under way ends, where the house has set a time."""
        return self._known(shoe).until

    @property
    def shoes(self) -> dict[str, Cut]:
        """All sealed shoes in order, each with its cut."""
        return {name: kept.cut for name, kept in self._shoes.items()}

    def waiting(self, decks: int) -> str | None:
        """Return the sealed shoe of this many decks that has not been put on the table yet."""
        return next((name for name, kept in self._unused() if kept.cut.seal.decks == decks), None)

    def latest(self, most: int) -> dict[str, Cut]:
        """Return the last few sealed shoes, newest first."""
        return {name: self._shoes[name].cut for name in list(self._shoes)[: -most - 1 : -1]}

    def of_other_decks(self, decks: int) -> list[str]:
        """Return sealed shoes that cannot be used, because the table has another number of decks now."""
        return [name for name, kept in self._unused() if kept.cut.seal.decks != decks]

    def _unused(self) -> list[tuple[str, SealedShoe]]:
        return [(name, kept) for name, kept in self._shoes.items() if not kept.opened and kept.published is None]

    async def next_shoe(self, decks: int, until: int | None = None, giver: Giver = SYSTEM) -> str | None:
        """Seal a shoe unless one waits; return its name. One that cannot be used is published, as every shoe is."""
        for shoe in self.of_other_decks(decks):
            await self.publish(shoe, [], giver)

        def decide() -> tuple[Event | None, str | None]:
            if self.waiting(decks):
                return None, None
            event, made = self._seal(decks, until)
            return event, made.shoe

        return await self._decide_and_append(decide, giver)

    def unpublished(self, in_use: str | None) -> list[str]:
        """Return the sealed shoes that have ended and are not published yet."""
        return [name for name, kept in self._shoes.items() if kept.opened and not kept.published and name != in_use]

    def unused(self) -> list[str]:
        """Return the sealed shoes that were not put on the table and are not published."""
        return [name for name, _ in self._unused()]

    def is_published(self, shoe: str) -> bool:
        """Whether the shoe has ended and its record is public."""
        return self._known(shoe).published is not None

    async def record(self, shoe: str) -> str | None:
        """Return the public record of a shoe that has ended, from the log: it is long, and seldom asked for."""
        number = self._known(shoe).published
        if number is None:
            return None
        try:
            (stored,) = await verified_page(self._store, self._stream, number - 1, 1)
        except ChainBroken as broken:
            raise StreamClosed.by(broken, self._stream, number) from None
        assert isinstance(stored.event, ShoePublished)
        return stored.event.record

    # --- what is kept ----------------------------------------------------------------------------------------------

    def _known(self, shoe: str) -> SealedShoe:
        if shoe not in self._shoes:
            raise ShoeError(f"table {self._table!r} has no shoe {shoe!r}")
        return self._shoes[shoe]

    def _cut(self, shoe: str) -> Cut:
        return self._known(shoe).cut

    def _secret(self, shoe: str) -> Secret:
        return Secret(self._keys.decrypt(self._known(shoe).cipher, self._about(shoe)))

    def _about(self, shoe: str) -> bytes:
        return pack("punto-shoe-secret-1", self._table, shoe)

    def _about_card(self, shoe: str, index: int) -> bytes:
        return pack("punto-card-read-1", self._table, shoe, str(index))

    def _about_named(self, shoe: str, number: int) -> bytes:
        return pack("punto-card-named-1", self._table, shoe, str(number))

    def _take_in(self, recorded: EventRecord) -> None:
        match recorded.event:
            case ShoePublished(shoe=shoe):
                self._shoes[shoe] = replace(self._shoes[shoe], published=recorded.number, cipher=b"")
                self._dealing.pop(shoe, None)
            case event:
                self._apply(event)
        self.times.take_in(recorded)

    def _apply(self, event: Event) -> None:
        match event:
            case ShoeSealed(shoe=shoe, decks=decks, commitment=commitment, cipher=cipher, until=until):
                sealed = Seal(shoe, decks, bytes.fromhex(commitment), event.format)
                self._shoes[shoe] = SealedShoe(Cut(sealed), bytes.fromhex(cipher), until)
            case ShoeOpened(shoe=shoe):
                self._open(shoe)
            case CardRead(shoe=shoe, index=index, cipher=cipher):
                self._readings.setdefault(shoe, Readings()).read[index] = bytes.fromhex(cipher)
            case CardNamed(shoe=shoe, index=index, cipher=cipher, missed=missed):
                self._readings.setdefault(shoe, Readings()).name(index, bytes.fromhex(cipher), missed)
            case _:
                self._apply_cut(event)

    def _open(self, shoe: str) -> None:
        """Take in that a shoe was put on the table, sealed or brought by hand: those before it have ended."""
        if shoe in self._shoes:
            self._shoes[shoe] = replace(self._shoes[shoe], opened=True)
        for name, readings in self._readings.items():
            if name != shoe:
                readings.forget_cards()

    def _apply_cut(self, event: Event) -> None:
        match event:
            case CutPledged(shoe=shoe, patron=patron, commitment=commitment):
                self._advance(shoe, lambda cut: cut.commit(patron, bytes.fromhex(commitment)))
            case CutListClosed(shoe=shoe, until=until):
                self._advance(shoe, lambda cut: cut.close_list(), until)
            case CutRevealed(shoe=shoe, patron=patron, words=words, nonce=nonce):
                told = Contribution(bytes.fromhex(words), bytes.fromhex(nonce))
                self._advance(shoe, lambda cut: cut.reveal(patron, told))
            case CutSpoiled(shoe=shoe, until=until):
                self._advance(shoe, lambda cut: cut.again(), until)
            case _ if not isinstance(event, CutDeclined):
                raise ValueError("is nothing that happens to a shoe")

    def _advance(self, shoe: str, step: Callable[[Cut], Cut], *until: int | None) -> None:
        """Advance the cut; a step that starts another brings the time the other ends."""
        kept = self._shoes[shoe]
        self._shoes[shoe] = replace(kept, cut=step(kept.cut), until=until[0] if until else kept.until)


def _giver(command: Command) -> Giver:
    return command.by.id, command.by.role.value


async def cards_dealt(store: Store, name: str, table: Table, shoe: str) -> Dealt:
    """Return the cards of a shoe that were exposed at a table; ``table`` is one without events."""
    dealt: Dealt = []
    number, table = await _before_shoe(store, name, table, shoe)
    while page := await store.read(name, number):
        for recorded in page:
            event = recorded.event
            inside = table.shoe is not None and table.shoe.name == shoe
            if inside and isinstance(event, CardExposed):
                dealt.append((table.round.hands[event.hand][event.place].index, event.card))
            if inside and isinstance(event, CardsBurned) and event.first:
                dealt.append((0, event.first))
            if isinstance(event, ShoeLoaded) and event.shoe == shoe:
                dealt = []
            table = evolve(table, event)
        number = page[-1].number
    return dealt


async def _before_shoe(store: Store, name: str, table: Table, shoe: str) -> tuple[int, Table]:
    """Return an event before a shoe was put on the table, and the table after it: the first one, if there is doubt."""
    loaded = await store.last_named(name, ShoeLoaded.__name__, _LAST_SHOES)
    number = next((each.number for each in loaded if json.loads(each.body).get("shoe") == shoe), None)
    checkpoint = await (await Checkpoints.of(store, name)).before_event(number) if number else None
    known = table_at(checkpoint, table.book) if checkpoint else None
    return (checkpoint.number, known) if checkpoint and known else (0, table)
