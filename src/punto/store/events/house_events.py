"""Events of the house's stream: its tables, signed heads, people, what was erased, settings, alerts.

With them an auditor finds a table that was dropped or cut off and, with an exported head, a log that was rewritten.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from punto.store.events.design_events import GameSaved
from punto.store.events.people_events import KINDS as ABOUT_PEOPLE
from punto.store.events.program_events import KINDS as ABOUT_THE_PROGRAM
from punto.store.house_settings import HouseSettings
from punto.table.event import Event, FreeWords

HOUSE = "house"
"""The name of the stream."""


class StoreMade(Event, frozen=True):
    """The store was made, with the public key by which its heads are checked."""

    public_key: str
    practice: bool = False
    """Whether the house was made for practice: its money is worth nothing."""


class TableCreated(Event, frozen=True):
    """A table has a stream from now on."""

    table: str
    game: str
    digest: str
    """Of the game's file."""


class HeadNoted(Event, frozen=True):
    """The head of a table's stream, signed with a key that is not in the database."""

    table: str
    number: int
    hash: str
    signature: str


class AutomationSet(Event, frozen=True):
    """Which of the Dealer's steps are automatic at a table from now on, by name."""

    table: str
    steps: tuple[str, ...]
    before: tuple[str, ...] | None = None
    """Which were automatic until then; older events do not say it."""


class PersonNamed(Event, frozen=True):
    """A person was added, or is called something else from now on."""

    person: str
    duty: str
    name: str
    """The salted digest of the name, which stands beside the log, where it can be erased."""
    before: str = ""
    """The same of the name before; empty if the person was added."""


class PersonErased(Event, frozen=True):
    """A person's name and address were erased, and they cannot sign in any more."""

    person: str
    reason: FreeWords


class WordsErased(Event, frozen=True):
    """What someone had written in an event was erased; its digests stay."""

    stream: str
    number: int
    words: tuple[str, ...]
    """The references to what was erased."""
    reason: FreeWords


class PersonSignedIn(Event, frozen=True):
    """A member of the house signed in."""

    person: str
    by_link: bool = False
    second_factor: bool = False
    """Whether a second factor was shown too."""


class PersonAllowed(Event, frozen=True):
    """A person may sign in again, or may no longer."""

    person: str
    active: bool
    before: bool | None = None
    """Whether they might before; None in older logs."""


class NoteAdded(Event, frozen=True):
    """A person wrote a note on a round or an event of a table, such as where a camera shows it."""

    table: str
    note: FreeWords
    round: int | None = None
    number: int | None = None
    """Of the event it is about."""


class LessonGraded(Event, frozen=True):
    """A member of the house finished a lesson of the school, and the server graded it."""

    person: str
    game: str | None
    """None where all games took turns."""
    drill: str | None
    seed: int
    asked: int
    right: int
    """At the first try."""
    passed: bool
    clauses: tuple[str, ...] = ()
    """That were asked about, each as game and number."""


class SettingsChanged(Event, frozen=True):
    """A person set these settings of the house, all of which hold from now on."""

    settings: HouseSettings
    before: HouseSettings | None = None
    """What held until then; older events do not say it, and the event before them does."""


class AlertAcknowledged(Event, frozen=True):
    """A person acknowledged an alert, which is known by its table, its kind and the event that raised it."""

    table: str
    kind: str
    number: int
    note: FreeWords = ""


class ClosedWhy(StrEnum):
    """Why a house was closed to every command."""

    BEHIND = "behind"
    """The database lacks events that were acknowledged, or has others in their place."""
    MARK_MISSING = "mark-missing"
    """The mark is gone that says how far the house was."""
    MARK_UNREADABLE = "mark-unreadable"
    """The mark was damaged, or written by someone without the house's key."""


class LostTail(Struct, frozen=True):
    """A stream that is not as far, or not the same, as when the house last acknowledged something in it."""

    stream: str
    acknowledged: int
    """The last event known to have been acknowledged."""
    found: int
    """How many events the database has."""

    @property
    def missing(self) -> int:
        """The number of events known to be missing; 0 where others stand in their place."""
        return max(0, self.acknowledged - self.found)


class MarkBegun(Event, frozen=True):
    """A process keeps a mark of the house outside the database from now on."""

    epoch: int


class HouseClosed(Event, frozen=True):
    """The house takes no more commands until a person accepts what its database is: it seems to have gone back."""

    epoch: int
    why: ClosedWhy
    lost: tuple[LostTail, ...] = ()
    """The streams concerned, as far as the mark tells."""


class HouseResumed(Event, frozen=True):
    """A person accepted the database as it is. Every shoe that was in use or prepared has been ended before."""

    epoch: int
    """The epoch that begins; marks of earlier ones count no more."""
    reason: FreeWords
    signature: str
    """Made with the house's key, so that nobody without it resumes a house."""
    lost: tuple[LostTail, ...] = ()


class DeviceWork(StrEnum):
    """What a device is for. Each does one thing."""

    CARD_READER = "card-reader"
    """Tells the cards of a table as they leave the shoe."""
    DISPLAY = "display"
    """Shows a table, and tells nothing."""


class DeviceFault(StrEnum):
    """Why something that a device asked for was refused, where the pit has to know of it."""

    AGAIN = "again"
    """It told a card that it had told before."""
    ORDER = "order"
    """It told a card that was not the next."""
    ELSEWHERE = "elsewhere"
    """It is bound to another table."""
    OTHER_WORK = "other-work"
    """It is there for something else."""
    UNBOUND = "unbound"
    """It is bound to no table."""
    KEY = "key"
    """It told a card with the idempotency key of another."""
    OLD_TOKEN = "old-token"
    """A token was used that had been replaced: two parties have had it."""


class DeviceBound(Event, frozen=True):
    """A device was bound to a table, where it does one thing, and to no other."""

    device: str
    table: str
    work: DeviceWork
    before_table: str | None = None
    before_work: DeviceWork | None = None


class DeviceTokenMade(Event, frozen=True):
    """A device has a new token: from a person or, where it rotated its own, from itself."""

    device: str
    expires_at: int
    rotated: bool = False


class DeviceRevoked(Event, frozen=True):
    """All tokens of a device were ended; it is let in again with a new one, which a person makes."""

    device: str


class DeviceRefused(Event, frozen=True):
    """A device asked for what it may not, and the pit is alerted. What it said of a card is not recorded."""

    device: str
    why: DeviceFault
    table: str = ""
    """That it is bound to or, if it is to none, that it asked about; empty if there is no such table."""
    asked: str = ""
    """The table that it asked about, where that is another."""
    sequence: int | None = None
    """Which card it told."""


class ClockSet(Event, frozen=True):
    """The machine's clock was set; the house went on by its own, and no deadline moved."""

    milliseconds: int
    """Forward, or back if negative."""
    seconds: int
    """The same for people, rounded towards zero."""


class StopScope(StrEnum):
    """What a stop of gaming is about."""

    ALL = "all"
    GAME = "game"
    TABLE = "table"


class GamingStopped(Event, frozen=True):
    """A person stopped all gaming, a game or a table: rounds in play are concluded, and no wager is taken."""

    scope: StopScope
    subject: str
    """The game's key or the table's name; empty for all gaming."""
    reason: FreeWords


class GamingResumed(Event, frozen=True):
    """A person lifted a stop. Another one about the same table still holds."""

    scope: StopScope
    subject: str
    reason: FreeWords


_KINDS: tuple[type[Event], ...] = (
    StoreMade,
    TableCreated,
    HeadNoted,
    AutomationSet,
    PersonNamed,
    PersonErased,
    WordsErased,
    SettingsChanged,
    AlertAcknowledged,
    PersonSignedIn,
    PersonAllowed,
    NoteAdded,
    LessonGraded,
    MarkBegun,
    HouseClosed,
    HouseResumed,
    DeviceBound,
    DeviceTokenMade,
    DeviceRevoked,
    DeviceRefused,
    ClockSet,
    GamingStopped,
    GamingResumed,
    GameSaved,
    *ABOUT_PEOPLE,
    *ABOUT_THE_PROGRAM,
)
EVENTS: dict[str, type[Event]] = {kind.__name__: kind for kind in _KINDS}
ONLY_RECORDED: tuple[type[Event], ...] = (
    AlertAcknowledged,
    ClockSet,
    DeviceBound,
    DeviceRefused,
    DeviceRevoked,
    DeviceTokenMade,
    GamingResumed,
    GamingStopped,
    HeadNoted,
    HouseClosed,
    HouseResumed,
    LessonGraded,
    MarkBegun,
    NoteAdded,
    PersonAllowed,
    PersonErased,
    PersonNamed,
    PersonSignedIn,
    SettingsChanged,
    *ABOUT_PEOPLE,
    *ABOUT_THE_PROGRAM,
)
"""Events of the house from which nothing follows at its tables."""
