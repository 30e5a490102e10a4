"""What has to hold at the end of a chaos run, whatever was killed when: each check adds a sentence to the findings."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import msgspec
from chaos.people import keyed_card
from chaos.server_process import Point
from chaos.town import Given, Person, Town, digest

from punto.cards import Card
from punto.rules.rulebook import Rulebook
from punto.server.realtime.feed import told
from punto.shoe import Record, read_record, recomputed_order, verify
from punto.store.codec import encoder
from punto.store.events.cage_events import CAGE, Deposited, MovedFromTable, MovedToTable, PaidOut
from punto.store.protocol import Reader
from punto.store.records import Answer, EventRecord
from punto.store.round_events import every_event
from punto.table.evolve import evolve
from punto.table.play.dealing import CardExposed
from punto.table.settings import Device
from punto.table.table import Table
from punto.table.views import public, staff
from punto.table.visibility import Audience

EFFECTS = {
    "PlaceWager": "WagerPlaced",
    "TakeBackWager": "WagerTakenBack",
    "BuyIn": "BoughtIn",
    "CashOut": "CashedOut",
    "LoadShoe": "ShoeLoaded",
    "OpenBets": "BetsOpened",
    "CloseBets": "BetsClosed",
    "DrawCard": "CardDrawn",
    "ShowCuttingCard": "CuttingCardShown",
    "ExposeCard": "CardExposed",
    "AnnounceOutcome": "OutcomeAnnounced",
    "SettleRound": "RoundSettled",
    "EndShoe": "ShoeEnded",
}
"""The first event each command brings about."""


@dataclass(slots=True)
class Seen:
    """What the servers said at the end, to be held against the log."""

    accounts: dict[str, int] = field(default_factory=dict)
    chips: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and patron."""
    records: dict[str, str] = field(default_factory=dict)
    """By sealed shoe its published record."""
    commitments: dict[str, str] = field(default_factory=dict)
    """By sealed shoe what was noted of it while it was in use."""


class Checks:
    """The log of a run, and everything it is held against."""

    def __init__(self, town: Town, store: Reader, books: Mapping[str, Rulebook], people: Sequence[Person]) -> None:
        self.town, self.store, self.books, self.people = town, store, books, people
        self.logs: dict[str, list[EventRecord]] = {}
        self.tables: dict[str, Table] = {}

    async def run(self, seen: Seen, staff_ids: frozenset[str]) -> None:
        for stream in [*self.books, CAGE]:
            self.logs[stream] = [recorded async for recorded in every_event(self.store, stream)]
        await self._acknowledged()
        self._each_once()
        await self._cage()
        for table, book in self.books.items():
            self._replayed(table, book, seen, staff_ids)
        self._money(seen)

    def _find(self, sentence: str) -> None:
        self.town.find(sentence)

    # --- commands --------------------------------------------------------------------------------------------------

    async def _acknowledged(self) -> None:
        """What was answered as done is stored so; what was refused is not stored."""
        for given in self.town.given:
            stored = await self.store.answer(given.actor, given.key)
            if fault := fault_of(given, stored):
                self._find(fault)
            elif given.refused is None:
                self._effect(given)

    def _effect(self, given: Given) -> None:
        events = self.logs[given.table][given.first - 1 : given.last]
        if [each.number for each in events] != [*range(given.first, given.last + 1)]:
            self._find(
                f"key {given.key}: answered as {given.table} {given.first} to {given.last}, which is not all there"
            )
            return
        # The Dealer's announcement of the totals comes with the command before which it is due.
        effect = next((each for each in events if each.name != "TotalsAnnounced"), events[0])
        body = msgspec.json.decode(effect.body)
        same = all(body[name] == given.body[name] for name in ("patron", "wager", "amount") if name in given.body)
        if effect.name != EFFECTS[given.body["command"]] or not same:
            self._find(f"key {given.key}: {given.body['command']} is stored as {effect.name} {body}")
        if {each.by for each in events} != {given.actor}:
            self._find(f"key {given.key}: stored as another person's")

    def _each_once(self) -> None:
        """The events of every person are those of their commands, each of them once."""
        actors = {person.id for person in self.people if person.id}
        ranges: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for given in self.town.given:
            if given.refused is None:
                ranges[given.table].append((given.first, given.last, given.key))
        for table, found in ranges.items():
            for (_, last, key), (first, _, other) in pairwise(sorted(found)):
                if first <= last:
                    self._find(f"{table}: the events of the keys {key} and {other} overlap at {first}")
            covered = {number for first, last, _ in found for number in range(first, last + 1)}
            for each in self.logs[table]:
                if each.by in actors and each.number not in covered and each.name != "TableOpened":
                    self._find(f"{table} {each.number}: {each.name}, and nobody was answered so")

    async def _cage(self) -> None:
        """The cashier's orders and the patrons' moves are in the cage's log, each once."""
        found = Counter(each.name for each in self.logs[CAGE])
        for key, patron, name, amount in self.town.cage_orders:
            cashier = next(person.id for person in self.people if key.startswith(f"{person.name}-"))
            stored = await self.store.answer(cashier, key)
            event = self.logs[CAGE][stored.first - 1] if stored else None
            body = msgspec.json.decode(event.body) if event else None
            if event is None or event.name != name or body != {"patron": patron, "amount": amount}:
                self._find(f"key {key}: {name} {patron} {amount} is not in the cage's log")
        by_cashier = Counter(name for _, _, name, _ in self.town.cage_orders)
        at_first = len({each.event.patron for each in self.logs[CAGE] if isinstance(each.event, Deposited)})
        wanted = {"Deposited": by_cashier["Deposited"] + at_first, "PaidOut": by_cashier["PaidOut"]}
        for command, name in (("BuyIn", "MovedToTable"), ("CashOut", "MovedFromTable")):
            done = (each for each in self.town.given if each.refused is None)
            wanted[name] = sum(each.body["command"] == command for each in done)
        for name, number in wanted.items():
            if found[name] != number:
                self._find(f"the cage has {found[name]} events {name}, and {number} were acknowledged")

    # --- tables ----------------------------------------------------------------------------------------------------

    def _replayed(self, name: str, book: Rulebook, seen: Seen, staff_ids: frozenset[str]) -> None:
        """Go through a table's log: what people were told of it is what it says, and every card is the shoe's."""
        views = self._views(name, staff_ids)
        table, exposed = Table(book), defaultdict[str, list[tuple[int, Card]]](list)
        events: dict[Audience, dict[int, bytes]] = {audience: {} for audience in Audience}
        for recorded in self.logs[name]:
            event = recorded.event
            table = evolve(table, event)
            for audience, digests in events.items():
                if (shown := told(recorded, audience)) is not None:
                    digests[recorded.number] = _plain_digest(shown)
            if isinstance(event, CardExposed) and table.shoe:
                exposed[table.shoe.name].append((table.round.hands[event.hand][event.place].index, event.card))
            self._shown(name, table, recorded.number, views)
        self.tables[name] = table
        for person in self.people:
            if name in person.heard:
                self._told(person, name, events[Audience.STAFF if person.id in staff_ids else Audience.PUBLIC])
        for shoe, cards in exposed.items():
            self._shoe(shoe, cards, table.set_up.device is Device.SEALED, seen)

    def _views(self, name: str, staff_ids: frozenset[str]) -> dict[int, set[tuple[bool, bytes, str]]]:
        """By number what was shown of a table after that event: whether to staff, what, and to whom."""
        views: dict[int, set[tuple[bool, bytes, str]]] = defaultdict(set)
        for person in self.people:
            for number, shown in person.heard[name].views if name in person.heard else ():
                views[number].add((person.id in staff_ids, shown, person.name))
        return views

    def _shown(self, name: str, table: Table, number: int, views: dict[int, set[tuple[bool, bytes, str]]]) -> None:
        for is_staff, shown, who in views.pop(number, ()):
            if shown != _plain_digest((staff if is_staff else public)(table)):
                self._find(f"{who} was shown another {name} after event {number} than the log gives")

    def _told(self, person: Person, name: str, events: Mapping[int, bytes]) -> None:
        heard = person.heard[name]
        if heard.last != len(self.logs[name]) or heard.events.keys() != events.keys():
            there = f"{len(heard.events)} up to {heard.last}"
            self._find(f"{person.name} was told {there} of the {len(events)} events of {name} that they may see")
        wrong = [n for n, known in heard.events.items() if events.get(n) != known]
        if wrong:
            self._find(f"{person.name} was told {name} {wrong[0]} otherwise than the log has it")

    def _shoe(self, shoe: str, exposed: Sequence[tuple[int, Card]], sealed: bool, seen: Seen) -> None:
        """Every card that was exposed is the shoe's card of that number, before and after every kill."""
        if len({index for index, _ in exposed}) < len(exposed):
            self._find(f"shoe {shoe}: a card was exposed twice")
        if sealed and shoe in seen.records:
            self._sealed_shoe(shoe, exposed, seen)
        elif sealed:
            self._find(f"shoe {shoe} was dealt and is not published")
        elif wrong := [index for index, card in exposed if card != keyed_card(shoe, index)]:
            self._find(f"shoe {shoe}: card {wrong[0]} is not the one that was keyed")

    def _sealed_shoe(self, shoe: str, exposed: Sequence[tuple[int, Card]], seen: Seen) -> None:
        record = read_record(seen.records[shoe])
        noted = [bytes.fromhex(seen.commitments[shoe])] if shoe in seen.commitments else []
        for check in verify(record, noted):
            if not check.ok:
                self._find(f"shoe {shoe}: {check.name}: {check.sentence()}")
        order = recomputed_order(record)
        if wrong := [index for index, card in exposed if order[index] != card]:
            self._find(f"shoe {shoe}: card {wrong[0]} was exposed as another than the shoe has there")
        if isinstance(record, Record) and tuple(sorted(exposed, key=lambda each: each[0])) != record.dealt:
            self._find(f"shoe {shoe}: its record has other cards dealt than the log")

    # --- money -----------------------------------------------------------------------------------------------------

    def _money(self, seen: Seen) -> None:
        """What every patron has by the servers is what the log gives, and nothing came from nowhere."""
        accounts: Counter[str] = Counter()
        for each in self.logs[CAGE]:
            match each.event:
                case Deposited(patron=patron, amount=amount) | MovedFromTable(patron=patron, amount=amount):
                    accounts[patron] += amount
                case PaidOut(patron=patron, amount=amount) | MovedToTable(patron=patron, amount=amount):
                    accounts[patron] -= amount
        for patron, holds in seen.accounts.items():
            if accounts[patron] != holds:
                self._find(f"{patron} has {holds} in their account, and {accounts[patron]} by the log")
        for (name, patron), chips in seen.chips.items():
            if self.tables[name].chips.get(patron, 0) != chips:
                self._find(f"{patron} has {chips} at {name}, and {self.tables[name].chips.get(patron, 0)} by the log")


def _plain_digest(content: object) -> bytes:
    return digest(msgspec.json.decode(encoder.encode(content)))


def fault_of(given: Given, stored: Answer | None) -> str | None:
    """What is wrong with what is stored for a command, by what it was answered."""
    if given.refused is not None:
        return f"key {given.key}: refused ({given.refused}), and stored" if stored else None
    if stored is None:
        return f"key {given.key}: acknowledged as {given.table} {given.first} to {given.last}, and not stored"
    if (stored.stream, stored.first, stored.last) != (given.table, given.first, given.last):
        there = f"{stored.stream} {stored.first} to {stored.last}"
        return f"key {given.key}: acknowledged as {given.table} {given.first} to {given.last}, stored as {there}"
    return None


def points_met(marks: Iterable[str], given: Iterable[Given], town: Town) -> dict[str, int]:
    """How many kills at named points show by the answers that they were there.

    A command that was killed before its commit is stored by a retry or not at all; one that was killed after it is
    answered again, as what was stored then; one whose answer was sent is never asked for again.
    """
    known = {(each.actor, each.key): each for each in given}
    met: Counter[str] = Counter({point.value: 0 for point in Point})
    for line in marks:
        mark: dict[str, Any] = json.loads(line)
        about = known.get((mark["actor"], mark["key"]))
        if about is None:
            continue  # a step of the automaton, or of the cage
        same = (about.first, about.last) == (mark["first"], mark["last"])
        met[mark["point"]] += {
            Point.BEFORE_COMMIT: about.sent > 1 and not about.repeated,
            Point.AFTER_COMMIT: about.sent > 1 and about.repeated and same,
            Point.AFTER_ANSWER: same and not about.repeated,
        }[Point(mark["point"])]
        if mark["point"] != Point.BEFORE_COMMIT and not same:
            town.find(f"key {about.key}: stored as {mark['first']} to {mark['last']} when killed, answered otherwise")
    return dict(met)
