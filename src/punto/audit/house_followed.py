"""The house followed by its events: what an audit keeps of them, which does not grow with every sign-in."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from punto.audit.people_recorded import PeopleRecorded
from punto.store.events.house_events import (
    HeadNoted,
    PersonErased,
    PersonNamed,
    StoreMade,
    TableCreated,
    WordsErased,
)
from punto.table.event import Event


class NotedHead(NamedTuple):
    """A head that the house noted, with its hash and signature packed."""

    stream: str
    number: int
    hash: bytes | str
    signature: bytes | str


class HouseFollowed:
    """What the house's stream says: its key, tables, heads, names, and what was erased."""

    def __init__(self) -> None:
        self._events = 0
        self.public_key: str | None = None
        self.created: set[str] = set()
        self.heads: list[NotedHead] = []
        self.numbers_noted: defaultdict[str, set[int]] = defaultdict(set)
        """By stream the events that heads are of."""
        self.named: dict[str, str] = {}
        """By person the digest of the name that the house recorded last."""
        self.erased_words: set[str] = set()
        """References to words."""
        self.erased_people: set[str] = set()
        self.people = PeopleRecorded()
        """What people may do."""

    def take_in(self, event: Event) -> None:
        """Follow the event that comes next."""
        self._events += 1
        self.people.look_at(event)
        match event:
            case StoreMade(public_key=public_key) if self._events == 1:
                self.public_key = public_key
            case TableCreated(table=table):
                self.created.add(table)
            case HeadNoted():
                self.heads.append(NotedHead(event.table, event.number, _packed(event.hash), _packed(event.signature)))
                self.numbers_noted[event.table].add(event.number)
            case PersonNamed(person=person, name=name):
                self.named[person] = name
            case WordsErased(words=words):
                self.erased_words |= set(words)
            case PersonErased(person=person):
                self.erased_people.add(person)


def _packed(digits: str) -> bytes | str:
    """Return hexadecimal digits in half the room; anything else stays what it is, to be found wrong later."""
    try:
        packed = bytes.fromhex(digits)
    except ValueError:
        return digits
    return packed if packed.hex() == digits else digits


def unpacked(kept: bytes | str) -> str:
    """Return the digits again."""
    return kept.hex() if isinstance(kept, bytes) else kept
