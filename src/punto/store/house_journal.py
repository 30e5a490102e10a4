"""The journal of a house: what its stream says of its tables, its settings, notes, lessons and devices.

Sign-ins and signed heads fill the same stream, so the journal is kept and read on, not read again for each question.
It is also what a snapshot of the house's stream holds.
"""

from __future__ import annotations

from msgspec import Struct, field

from punto.store.events.design_events import GameSaved
from punto.store.events.house_events import (
    HOUSE,
    AlertAcknowledged,
    AutomationSet,
    DeviceBound,
    DeviceRefused,
    GamingResumed,
    GamingStopped,
    HeadNoted,
    LessonGraded,
    NoteAdded,
    SettingsChanged,
    TableCreated,
)
from punto.store.events.people_events import PeopleTakenOver
from punto.store.events.program_events import ProgramChecked
from punto.store.house_settings import HouseSettings
from punto.store.protocol import Reader
from punto.store.records import EventRecord
from punto.store.round_events import every_event
from punto.store.trust.checkpoints import public_key_of
from punto.store.trust.stream_states import state_of

MOST_FAULTS = 1_000


class HouseJournal(Struct):
    """What the house's stream has said up to an event."""

    number: int = 0
    """The last event it has taken in."""
    tables: dict[str, TableCreated] = field(default_factory=dict)
    automation: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By table the Dealer's steps that the house has made automatic."""
    settings_since: list[tuple[int, HouseSettings]] = field(default_factory=lambda: [(0, HouseSettings())])
    """All settings, each with the time from which on they held."""
    settings_changes: list[EventRecord] = field(default_factory=list)
    acknowledged: dict[tuple[str, str, int], EventRecord] = field(default_factory=dict)
    """The acknowledgement of each alert, by its table, its kind and the event that raised it."""
    heads: dict[str, HeadNoted] = field(default_factory=dict)
    """By stream its last signed head."""
    notes: dict[str, list[EventRecord]] = field(default_factory=dict)
    """By the table they are about."""
    lessons: dict[str, list[EventRecord]] = field(default_factory=dict)
    """By the person who took them."""
    bindings: dict[str, DeviceBound] = field(default_factory=dict)
    """By device: its table, and what it does there."""
    device_faults: list[EventRecord] = field(default_factory=list)
    """The last of what was refused to devices."""
    program: ProgramChecked | None = None
    """The last check of the program's files."""
    stops: dict[tuple[str, str], EventRecord] = field(default_factory=dict)
    """The stops of gaming that hold, by what they are about."""
    saved_games: list[EventRecord] = field(default_factory=list)
    """Every version of a game that was designed in the house."""
    people_recorded: bool = False
    """Whether every change to people is recorded, with those who were there before."""

    @property
    def settings(self) -> HouseSettings:
        """What the house has set last."""
        return self.settings_since[-1][1]

    @property
    def versions(self) -> list[GameSaved]:
        """Every version of a game of the house, in the order they were saved."""
        return [event for each in self.saved_games if isinstance(event := each.event, GameSaved)]

    @property
    def games(self) -> dict[str, GameSaved]:
        """By key the version of each game of the house that was saved last."""
        return {each.game: each for each in self.versions}

    def take_in(self, recorded: EventRecord) -> None:
        """Follow the event that comes next."""
        self.number = recorded.number
        match recorded.event:
            case HeadNoted() as head:
                self.heads[head.table] = head
            case TableCreated() as created:
                self.tables[created.table] = created
            case AutomationSet(table=table, steps=steps):
                self.automation[table] = steps
            case SettingsChanged(settings=settings):
                self.settings_since.append((recorded.at, settings))
                self.settings_changes.append(recorded)
            case GamingStopped(scope=scope, subject=subject):
                self.stops[scope.value, subject] = recorded
            case GamingResumed(scope=scope, subject=subject):
                self.stops.pop((scope.value, subject), None)
            case PeopleTakenOver():
                self.people_recorded = True
            case _:
                self._take_in_for_staff(recorded)

    def _take_in_for_staff(self, recorded: EventRecord) -> None:
        """Follow what the pages of staff and the school ask for."""
        match recorded.event:
            case AlertAcknowledged(table=table, kind=kind, number=number):
                self.acknowledged.setdefault((table, kind, number), recorded)
            case NoteAdded(table=table):
                self.notes.setdefault(table, []).append(recorded)
            case LessonGraded(person=person):
                self.lessons.setdefault(person, []).append(recorded)
            case GameSaved():
                self.saved_games.append(recorded)
            case DeviceBound() as bound:
                self.bindings[bound.device] = bound
            case ProgramChecked() as program:
                self.program = program
            case DeviceRefused():
                self.device_faults = [*self.device_faults[1 - MOST_FAULTS :], recorded]


async def journal_of(store: Reader) -> HouseJournal:
    """Return the journal of a store, read on from the snapshot that the house has signed, or from its first event."""
    public_key = await public_key_of(store)
    known = await state_of(store, HOUSE, HouseJournal, public_key) if public_key else None
    journal = known or HouseJournal()
    async for recorded in every_event(store, HOUSE, journal.number):
        journal.take_in(recorded)
    return journal
