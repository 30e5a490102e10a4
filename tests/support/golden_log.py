"""The golden log: events as they were stored, and the facts that followed from each.

Under ``golden/log`` lie recordings, each a whole database: ``house.jsonl``, ``cage.jsonl``, ``shoes.jsonl``, what
people wrote in ``words.json``, and for each game ``GAME.jsonl`` with the streams of its tables. A line is an event
exactly as it was stored. Beside a game's log, ``GAME.facts.jsonl`` has a line for each event: the facts it changed (see
``table_facts``), digests of the views, and every so often the views themselves.

A recording is never changed and never made again: it is how older databases look. If a test on it fails, the code can
no longer read what houses have stored, or reads it as something else. Only when there is a new kind of event, or a new
version of one, ``PYTHONPATH=tests python -m support.golden_log`` adds another recording, with streams for what
the others do not have.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct
from support.table_facts import Facts, digest, facts_of, views_of

from punto import load
from punto.store.codec import decode, encoder, version_of
from punto.store.records import EventRecord
from punto.store.trust.keys import Keys
from punto.store.words import KeptWords
from punto.table.evolve import evolve
from punto.table.table import Table

WORDS = "words.json"
LOG = Path(__file__).parents[1] / "golden" / "log"
KEYS = Keys(bytes(range(32)))
"""The key of the recorded houses: no secret."""
APART = ("house", "cage", "shoes")
"""The files whose streams are no table's."""
UNRECORDED = frozenset(
    {
        "AlertAcknowledged",
        "SessionUnlocked",
        "CallAnswered",
        "CountBegun",
        "CountDropped",
        "AnswerCorrected",
        "CardTooMany",
        "CardsRelaid",
        "DecreasesAsked",
        "HandNotPassed",
        "CutDeclined",
        "DeviceBound",
        "DeviceRefused",
        "DeviceRevoked",
        "DeviceTokenMade",
        "ClockSet",
        "ProgramChecked",
        "ProgramInstalled",
        "LessonGraded",
        "MarkBegun",
        "HouseClosed",
        "HouseResumed",
        "LinkMade",
        "PasswordSet",
        "PeopleTakenOver",
        "PersonChangeAsked",
        "PersonSignedOut",
        "RecoveryCodeUsed",
        "SecondFactorRemoved",
        "SecondFactorSet",
        "SignInsRefused",
        "NoteAdded",
        "PersonAllowed",
        "PersonSignedIn",
        "PersonErased",
        "PersonNamed",
        "PitCalled",
        "WordsErased",
        "SettingsChanged",
        "SqueezeEnded",
        "SqueezeTimed",
        "SlipAsked",
        "SlipConfirmed",
        "SlipCancelled",
        "CashFlagSeen",
        "PayoutCorrected",
        "PayoutStands",
        "OverlookedWagerSettled",
        "CardsVoided",
        "AllowanceReserved",
        "AllowanceSet",
        "ExclusionLifted",
        "GameSaved",
        "GamingResumed",
        "GamingStopped",
        "LimitsBegun",
        "PatronExcluded",
        "PatronLimitSet",
    }
)
"""Kinds of events that no release has stored yet. They are recorded before one does."""
VIEWS_EACH = 100
"""Every so many events of a stream the views are recorded in full."""


class Line(Struct, frozen=True):
    """An event as it was stored."""

    stream: str
    number: int
    name: str
    version: int
    at: int
    by: str
    position: str
    hash: str
    body: Raw

    @classmethod
    def of(cls, recorded: EventRecord) -> Line:
        it = recorded
        about = (it.name, it.version, it.at, it.by, it.position)
        return cls(recorded.stream, recorded.number, *about, recorded.hash.hex(), Raw(it.body))

    @property
    def recorded(self) -> EventRecord:
        written = EventRecord(self.name, self.version, bytes(self.body), self.at, self.by, self.position)
        return written.stored(self.stream, self.number, bytes.fromhex(self.hash))


class After(Struct, frozen=True, array_like=True):
    """What an event led to. The lines of a log and of its facts go together one by one."""

    number: int
    facts: Facts
    """The facts that are new or have changed."""
    gone: list[str]
    """The facts that are no more."""
    digests: str
    """Of the views: public, staff, private, next."""
    views: dict[str, Any] | None = None
    """The views themselves, now and then."""
    upcast: tuple[int, Raw] | None = None
    """Of an older version: the version it was brought up to when it was recorded, and its body in that."""


def recordings() -> list[Path]:
    """Return the folders of all recordings, oldest first."""
    return sorted((folder for folder in LOG.iterdir() if folder.is_dir()), key=lambda folder: int(folder.name))


def files() -> list[Path]:
    """Return the files with stored events, of all recordings."""
    return [file for each in recordings() for file in sorted(each.glob("*.jsonl")) if ".facts" not in file.name]


def streams(file: Path) -> dict[str, list[EventRecord]]:
    """Return the events of a file by stream, in order."""
    found: dict[str, list[EventRecord]] = {}
    decoder = msgspec.json.Decoder(Line)
    for line in file.read_bytes().splitlines():
        recorded = decoder.decode(line).recorded
        found.setdefault(recorded.stream, []).append(recorded)
    return found


def words_of(folder: Path) -> list[KeptWords]:
    """Return the words that stood beside a recorded log; older recordings have them in the events."""
    file = folder / WORDS
    return msgspec.json.decode(file.read_bytes(), type=list[KeptWords]) if file.exists() else []


def aftermath(file: Path) -> list[After]:
    """Return what each event in a game's log led to when it was recorded."""
    decoder = msgspec.json.Decoder(After)
    return [decoder.decode(line) for line in facts_file(file).read_bytes().splitlines()]


def facts_file(file: Path) -> Path:
    return file.with_suffix(".facts.jsonl")


def folded(game: str, stream: Iterable[EventRecord]) -> Iterator[After]:
    """Fold a table's stream, and say what each event leads to."""
    table, before = Table(load(game)), dict[str, Any]()
    for recorded in stream:
        table = evolve(table, recorded.event)
        after, views = facts_of(table), views_of(table)
        yield After(
            number=recorded.number,
            facts={name: value for name, value in after.items() if name not in before or before[name] != value},
            gone=sorted(before.keys() - after.keys()),
            digests=" ".join(map(digest, views.values())),
            views=views if recorded.number % VIEWS_EACH == 0 else None,
            upcast=_upcast(recorded),
        )
        before = after


def _upcast(written: EventRecord) -> tuple[int, Raw] | None:
    newest = version_of(written.name)
    if written.version == newest:
        return None
    return newest, Raw(encoder.encode(decode(written.name, written.version, written.body)))


def contains(now: Any, recorded: Any) -> bool:
    """Whether every key recorded is still there with its value; more keys may have come."""
    if isinstance(recorded, dict):
        return isinstance(now, dict) and all(key in now and contains(now[key], recorded[key]) for key in recorded)
    if isinstance(recorded, list):
        return isinstance(now, list) and len(now) == len(recorded) and all(map(contains, now, recorded))
    return type(now) is type(recorded) and bool(now == recorded)


def same_body(now: bytes, recorded: bytes) -> bool:
    """Whether an event that was read and is written again has all it was stored with."""
    return contains(json.loads(now), json.loads(recorded))


if __name__ == "__main__":
    from support.golden_log_recorder import record

    record()
