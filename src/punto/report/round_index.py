"""The rounds and shoes of a table: which there are, where each stands in the log, and how the table was in between.

A log may be long, so it is read from its last checkpoint on, and followed from there. Rounds before that are looked up
in the checkpoints, and any moment is recomputed from the checkpoint before it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import AsyncIterator, Collection, Iterable, Mapping

from msgspec import Struct

from punto.audit.table_followed import summary_of, table_at
from punto.audit.table_recomputed import LEADS_NOWHERE, Game
from punto.books.round_log import RoundFound, RoundLog, ShoeFound
from punto.store.codec import UnknownEvent
from punto.store.protocol import PAGE, Reader
from punto.store.records import FIRST_HASH, EventRecord, hash_of
from punto.store.round_events import every_event
from punto.store.trust.checkpoints import (
    EVERY_MARK,
    WITH_ROUND,
    Checkpoint,
    Checkpoints,
    marks_of,
    public_key_of,
)
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.play.table_management import TableOpened
from punto.table.play.wagers import BetsOpened
from punto.table.table import Table

KEPT_EACH = 2_000
MOST_KEPT = 200
"""Most tables kept; beyond that every other one is dropped."""

SHOES_AT_ONCE = 4
"""Checkpoints read at a time where rounds are looked for."""


class Sought(Struct, frozen=True):
    """Which rounds are looked for; what is None or false is not asked."""

    first: int | None = None
    """The lowest number of a round."""
    last: int | None = None
    since: int | None = None
    """Opened at this time or later, in milliseconds since 1970."""
    until: int | None = None
    patron: str | None = None
    outcome: str | None = None
    irregular: bool = False
    void: bool = False
    corrected: bool = False

    @property
    def marks(self) -> int:
        """What kind of rounds is asked for."""
        return marks_of(self.irregular, self.void, self.corrected)

    def condition(self, before: int | None, also: Collection[int]) -> tuple[str, tuple[object, ...]]:
        """Return which checkpoints may have such a round, as a condition on their columns with its values.

        Those with the numbers ``also`` may have one whatever their columns say: more is known of their rounds now.
        """
        marks = self.marks
        last = [each for each in (self.last, before) if each is not None]
        asked = (
            ("round >= {}", self.first),
            ("latest >= {}", self.since),
            ("earliest <= {}", self.until),
            ("number in (select number from checkpoint_patron where stream = $1 and patron = {})", self.patron),
            (f"number <= coalesce(({WITH_ROUND.format('{}')}), {2**62})", min(last, default=None)),
        )
        given = [(text, value) for text, value in asked if value is not None]
        texts = [text.format(f"${place}") for place, (text, _) in enumerate(given, 2)]
        if marks:
            texts.append(
                f"((marks & {marks}) <> 0 or number in "
                f"(select about from checkpoint_amends where stream = $1 and (marks & {marks}) <> 0))"
            )
        if not texts:
            return "", ()
        listed = ", ".join(map(str, sorted(also)))
        or_listed = f" or number in ({listed})" if also else ""
        return f" and (({' and '.join(texts)}){or_listed})", tuple(value for _, value in given)

    def fits(self, each: RoundFound) -> bool:
        if self.patron is not None and self.patron not in each.patrons:
            return False
        if self.outcome is not None and self.outcome != each.winner:
            return False
        wanted = ((self.irregular, each.irregular), (self.void, each.void), (self.corrected, each.corrected))
        if any(asked and not has for asked, has in wanted):
            return False
        return _within(self.first, each.round, self.last) and _within(self.since, each.opened, self.until)


def _within(least: int | None, value: int, most: int | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


class Moment(Struct, frozen=True):
    """An event, None if it cannot be read, with the table before it and after it."""

    recorded: EventRecord
    event: Event | None
    before: Table | None
    after: Table | None


class _Following:
    """A table followed event by event; None while its state is unknown."""

    def __init__(self, games: Mapping[str, Game], number: int = 0, hash_: bytes = FIRST_HASH) -> None:
        self._games, self.number, self.hash = games, number, hash_
        self.table: Table | None = None
        self.played = 0
        self.unknown: UnknownEvent | None = None
        """Why an event could not be read."""

    def copy(self) -> _Following:
        """Return the table as it is now, to be followed from here."""
        made = _Following(self._games, self.number, self.hash)
        made.table, made.played = self.table, self.played
        return made

    @classmethod
    def at(cls, checkpoint: Checkpoint, games: Mapping[str, Game]) -> _Following | None:
        """Return the table at a checkpoint, if that can be read here."""
        game = games.get(checkpoint.game)
        table = table_at(checkpoint, game.book) if game else None
        if table is None:
            return None
        made = cls(games, checkpoint.number, checkpoint.hash)
        made.table, made.played = table, checkpoint.round
        return made

    def take_in(self, recorded: EventRecord) -> tuple[Event | None, bool]:
        """Follow one more event; return it if it can be read, and whether what happened before leads to it."""
        fits = recorded.hash == hash_of(self.hash, recorded.stream, self.number + 1, recorded)
        self.number, self.hash = recorded.number, recorded.hash
        try:
            event = recorded.event
        except UnknownEvent as error:
            self.table, self.unknown = None, error
            return None, False
        if not fits:
            self.table = None
        return event, self._evolve(event) and fits

    def _evolve(self, event: Event) -> bool:
        if isinstance(event, TableOpened):
            self._begin(event)
        if isinstance(event, BetsOpened):
            self.played = event.round
        if self.table is not None:
            try:
                self.table = evolve(self.table, event)
            except LEADS_NOWHERE:
                self.table = None
                return False
        return True

    def _begin(self, event: TableOpened) -> None:
        """Begin an opening, perhaps with a changed game file; round numbers continue."""
        game = self._games.get(event.digest)
        if game is None:
            self.table = None
        elif self.table is None or self.table.book is not game.book:
            self.table = Table(game.book).changed(round=self.played)


class Chronicle:
    """A table's rounds, and the table as it was: followed as the log grows, and asked in between."""

    def __init__(self, stream: str, games: Mapping[str, Game]) -> None:
        self.stream, self._games = stream, games
        self.unreadable: int | None = None
        """The first event that cannot be read, or that what happened before does not lead to."""
        self._log = RoundLog()
        """Of what is not in a checkpoint."""
        self._following: _Following | None = None
        self._kept: list[_Following] = []
        """The table after some events."""
        self._each = KEPT_EACH
        self._public_key: str | None = None
        """By which checkpoints are checked."""

    async def _checkpoints(self, store: Reader) -> Checkpoints:
        self._public_key = self._public_key or await public_key_of(store)
        return Checkpoints(store, self.stream, self._public_key)

    @property
    def number(self) -> int:
        """The number of the last event that was taken in."""
        return self._following.number if self._following else 0

    @property
    def kept(self) -> int:
        """How many events it keeps the rounds of."""
        return self.number - self._begun

    async def follow(self, store: Reader, most: int) -> bool:
        """Read at most ``most`` new events; return whether the end of the log was reached."""
        following = self._following = self._following or await self._begin(store)
        up_to = following.number + most
        async for recorded in every_event(store, self.stream, following.number, up_to):
            self._take_in(following, recorded)
        return following.number < up_to

    def check_readable(self) -> None:
        """Raise ``UnknownEvent`` if an event could not be read."""
        if self._following and self._following.unknown:
            raise self._following.unknown

    async def _begin(self, store: Reader) -> _Following:
        """Begin at the last checkpoint, or else before the first event."""
        last = await (await self._checkpoints(store)).last()
        following = _Following.at(last, self._games) if last else None
        if last and following:
            self._log = RoundLog(summary_of(last).shoes)
        return following or _Following(self._games)

    def _take_in(self, following: _Following, recorded: EventRecord) -> None:
        self._keep(following)
        event, follows = following.take_in(recorded)
        if not follows:
            self.unreadable = self.unreadable or recorded.number  # up to the next opening the table is not known
        if event is not None:
            self._log.take_in(recorded.number, recorded.at, event)

    def _keep(self, following: _Following) -> None:
        if self._kept and following.number - self._kept[-1].number < self._each:
            return
        self._kept.append(following.copy())
        if len(self._kept) > MOST_KEPT:
            self._kept = self._kept[::2]
            self._each *= 2

    # --- rounds ----------------------------------------------------------------------------------------------------

    async def round(self, store: Reader, number: int) -> RoundFound | None:
        """Return a round by its number."""
        if number in self._log.rounds:
            return self._log.rounds[number]
        told = await (await self._checkpoints(store)).with_round(number)
        rounds = summary_of(told[0]).rounds if told and told[0].number <= self._begun else ()
        found = next((each for each in rounds if each.round == number), None)
        return await self._amended(store, found, told[1:]) if found else None

    async def _amended(self, store: Reader, found: RoundFound, more: Iterable[Checkpoint]) -> RoundFound:
        """Return a round of a checkpoint with what later ones, and the events since, tell about it."""
        numbers = [number for each in more for number in summary_of(each).amended.get(found.round, ())]
        for number in sorted({*numbers} - {*found.later}):
            for recorded in await store.read(self.stream, number - 1, 1) if number <= self._begun else ():
                self._log.amend(found, recorded.number, recorded.event)
        for number, event in self._log.amended.get(found.round, ()):
            self._log.amend(found, number, event)
        return found

    @property
    def _begun(self) -> int:
        """The number of the event up to which checkpoints tell everything."""
        return self._kept[0].number if self._kept else self.number

    async def find(self, store: Reader, sought: Sought, before: int | None, most: int) -> list[RoundFound]:
        """Return the last rounds that fit, the newest first; of those before a round, if one is named."""
        found: list[RoundFound] = []
        async for each in self._rounds(store, sought, before):
            if len(found) == most:
                break
            if (before is None or each.round < before) and sought.fits(each):
                found.append(each)
        return found

    async def _rounds(self, store: Reader, sought: Sought, before: int | None) -> AsyncIterator[RoundFound]:
        """Yield the rounds that may fit, the newest first: by checkpoints that may have any."""
        for each in reversed(self._log.rounds.values()):
            yield each
        checkpoints, below = await self._checkpoints(store), self._begun + 1
        also = {number for round_ in self._log.amended if (number := await checkpoints.number_with(round_))}
        condition, values = sought.condition(before, also)
        while some := await checkpoints.newest_first(condition, values, below, SHOES_AT_ONCE):
            amended = await checkpoints.amended(some) | dict.fromkeys(self._log.amended, EVERY_MARK)
            for checkpoint in some:
                for each in reversed(summary_of(checkpoint).rounds):
                    own, told = marks_of(each.irregular, each.void, each.corrected), amended.get(each.round)
                    may_fit = told is not None and not sought.marks & ~(own | told)
                    yield (await self.round(store, each.round) or each) if may_fit else each
            below = some[-1].number

    async def shoes(self, store: Reader) -> list[ShoeFound]:
        """Return all shoes that were put on the table, in order."""
        checkpoints, below, found = await self._checkpoints(store), self._begun + 1, list[ShoeFound]()
        while some := await checkpoints.newest_first("", (), below, 100):
            for checkpoint in some:
                found += reversed(summary_of(checkpoint).shoes)
            below = some[-1].number
        # One that was in use at a checkpoint is in the next one too.
        return list({each.first: each for each in (*reversed(found), *self._log.shoes)}.values())

    async def events_of(self, store: Reader, found: RoundFound) -> list[EventRecord]:
        """Return the events of a round from its opening to its end, and those that later name it."""
        last = self.number if found.ended is None else found.last
        events = [each async for each in every_event(store, self.stream, found.first - 1, last)]
        for number in found.later:
            events += await store.read(self.stream, number - 1, 1) if number > last else ()
        return events

    # --- the table as it was ---------------------------------------------------------------------------------------

    async def moments(self, store: Reader, first: int, last: int) -> AsyncIterator[Moment]:
        """Yield every event from one number to another, with the table before it and after it, where that is known."""
        following = await self._before(store, first)
        async for recorded in every_event(store, self.stream, following.number, last):
            before = following.table
            event, _ = following.take_in(recorded)
            if recorded.number >= first:
                yield Moment(recorded, event, before, following.table)

    async def _before(self, store: Reader, number: int) -> _Following:
        """Return the table at the last point before an event from which it can be followed."""
        at = bisect_right(self._kept, number - 1, key=lambda each: each.number)
        if at:
            return self._kept[at - 1].copy()
        checkpoint = await (await self._checkpoints(store)).before_event(number)
        return (_Following.at(checkpoint, self._games) if checkpoint else None) or _Following(self._games)


async def events_of_round(store: Reader, games: Mapping[str, Game], table: str, round_: int) -> list[EventRecord]:
    """Return the events of a round from its opening to its end, and those that later name it; none if it is unknown.

    Raises ``UnknownEvent`` if the log since the last checkpoint cannot be read.
    """
    chronicle = Chronicle(table, games)
    while not await chronicle.follow(store, PAGE):
        pass
    chronicle.check_readable()
    found = await chronicle.round(store, round_)
    return await chronicle.events_of(store, found) if found else []
