"""The journal of a house: what its stream says of its tables, its settings, notes, lessons and devices.

Sign-ins and signed heads fill the same stream, so the journal is kept and read on, not read again for each question.
"""

from __future__ import annotations

from collections import deque

from punto.store.events.house_events import (
    HOUSE,
    DeviceBound,
    DeviceRefused,
    LessonGraded,
    NoteAdded,
    SettingsChanged,
    TableCreated,
)
from punto.store.events.people_events import PeopleTakenOver
from punto.store.house_settings import HouseSettings
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.round_events import every_event

MOST_FAULTS = 1_000


class HouseJournal:
    """What the house's stream has said up to an event."""

    def __init__(self) -> None:
        self.number = 0
        """The last event it has taken in."""
        self.tables: dict[str, TableCreated] = {}
        self.settings = HouseSettings()
        """What the house has set last."""
        self.settings_changes: list[EventRecord] = []
        self.notes: dict[str, list[EventRecord]] = {}
        """By the table they are about."""
        self.lessons: dict[str, list[EventRecord]] = {}
        """By the person who took them."""
        self.bindings: dict[str, DeviceBound] = {}
        """By device: its table, and what it does there."""
        self.device_faults: deque[EventRecord] = deque(maxlen=MOST_FAULTS)
        """The last of what was refused to devices."""
        self.people_recorded = False
        """Whether every change to people is recorded, with those who were there before."""

    def take_in(self, recorded: EventRecord) -> None:
        """Follow the event that comes next."""
        self.number = recorded.number
        match recorded.event:
            case TableCreated() as created:
                self.tables[created.table] = created
            case SettingsChanged(settings=settings):
                self.settings = settings
                self.settings_changes.append(recorded)
            case PeopleTakenOver():
                self.people_recorded = True
            case NoteAdded(table=table):
                self.notes.setdefault(table, []).append(recorded)
            case LessonGraded(person=person):
                self.lessons.setdefault(person, []).append(recorded)
            case DeviceBound() as bound:
                self.bindings[bound.device] = bound
            case DeviceRefused():
                self.device_faults.append(recorded)


async def journal_of(store: Reader) -> HouseJournal:
    """Return the journal of a store, read from its first event."""
    journal = HouseJournal()
    async for recorded in every_event(store, HOUSE):
        journal.take_in(recorded)
    return journal
