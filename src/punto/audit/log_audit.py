"""The audit of a store: every event unchanged, none missing, and rounds and books as recomputed.

Hashes show an event that was changed, removed or moved; the heads in the house's stream show a table that was cut off
or dropped; exported heads show a log that was rewritten. Then every table is recomputed.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from punto.audit.beside_log import SignedPlace, check_place, signed_places, wrong_answers
from punto.audit.finding import Finding, finding
from punto.audit.house_followed import HouseFollowed, unpacked
from punto.audit.sealed.sealed_log import Witness, check_log
from punto.audit.shoes_followed import NO_CARDS, Published
from punto.audit.stream_audit import StreamAudit, StreamTask
from punto.audit.table_recomputed import Game, StreamFound
from punto.store.codec import UnknownEvent
from punto.store.events.cage_events import CAGE
from punto.store.events.house_events import HOUSE
from punto.store.events.limit_events import LIMITS
from punto.store.events.shoe_events import SHOES
from punto.store.protocol import Reader
from punto.store.round_events import every_event
from punto.store.trust.signed_heads import Head
from punto.store.words import MARK

Elsewhere = Callable[[StreamTask], Awaitable[StreamFound]]
"""Audits a stream in another process."""


def streams_about(table: str) -> frozenset[str]:
    """Return the streams about a table: its own, its shoes', the house's and the cage's."""
    return frozenset({HOUSE, CAGE, table, f"{table}{SHOES}"})


class StoreAudit:
    """An audit: what it has read, and what it has found."""

    def __init__(
        self,
        store: Reader,
        games: Mapping[str, Game],
        exported: Sequence[Head] = (),
    ) -> None:
        self.store, self.games, self.exported = store, games, exported
        self.elsewhere: Sequence[Elsewhere] = ()
        """What audits streams beside this process, each one at a time."""
        self.witness: Witness | None = None
        """What a witness has cosigned, asked for when the streams are read."""
        self.log_folder: Path | None = None
        """Where the log is published, if every leaf is to be compared with the one there."""
        self.findings: list[Finding] = []
        self.rounds = 0
        self.lengths: dict[str, int] = {}
        """By stream how many events are in order."""
        self.last_hashes: dict[str, str] = {}
        """By stream the hash of the last event that is in order."""
        self.heads: Counter[str] = Counter()
        """By stream how many signed heads it agrees with."""
        self.ends: dict[str, int] = {}
        """How far each stream went when the audit began: a server may append meanwhile."""
        self._house, self._house_read = HouseFollowed(), 0
        self._all = StreamFound("")
        """What the streams say of each other, together."""
        self._hashes: dict[str, dict[int, str]] = {}
        """By stream the hashes of the events that some head is about."""
        self._words: dict[str, tuple[str, int]] = {}
        """By digest of words that are not there, or were erased, an event that refers to them."""
        self._places: list[SignedPlace] = []
        """Events that points and snapshots name."""
        self._turned: dict[str, dict[str, str]] = {}
        """By table the digests of the cards turned from each sealed shoe."""
        self._published: dict[str, dict[str, Published]] = {}
        """By stream of shoes what was published of each."""
        self._only: frozenset[str] | None = None
        """The streams that are looked at, if not all."""
        self._now: StreamFound | None = None

    @property
    def events(self) -> int:
        """How many events have been read."""
        return self._all.events + (self._now.events if self._now else 0)

    async def run(self, table: str | None = None) -> list[Finding]:
        """Check every stream, or those about one table, then compare them with every head."""
        streams = await self.store.streams()
        if table is not None:
            self._only = streams_about(table)
            streams = [stream for stream in streams if stream in self._only]
        self._places = await signed_places(self.store, self._only or {*streams, HOUSE, CAGE})
        self.ends = await self.store.heads(streams)
        if HOUSE in streams:  # first, since it says which hashes of the others are needed
            await self._look_at_here(StreamTask(HOUSE, self.ends[HOUSE], self._numbers_with_heads(HOUSE)))
        await self._look_at_all([self._task(stream) for stream in streams if stream != HOUSE])
        self._check_house()
        self._check_cage()
        self._check_debts()
        self._check_slips()
        self._check_limits()
        self._check_shoes()
        if self._only is None:
            self.findings += await wrong_answers(self.store)
            key, ends = self._house.public_key, self.ends
            self.findings += await check_log(self.store, key, ends, self.witness, self.log_folder)
        if not self._is_faulty(HOUSE):  # which says what was erased
            await self._check_words()
            await self._check_names()
            await self._check_people()
        for head in self.exported:
            if head.public_key == self._house.public_key:
                self._check_head(head)
            else:
                self._find(head.stream, None, "head-other-key")
        return self.findings

    def _find(self, stream: str, number: int | None, code: str, **values: object) -> None:
        self.findings.append(finding(stream, number, code, **values))

    # --- streams ---------------------------------------------------------------------------------------------------

    def _task(self, stream: str) -> StreamTask:
        wanted, erased = self._numbers_with_heads(stream), frozenset(self._house.erased_words)
        return StreamTask(stream, self.ends[stream], wanted, erased)

    async def _look_at_all(self, tasks: Sequence[StreamTask]) -> None:
        """Audit streams; their findings come in the order of the streams, whichever was done first."""
        if not self.elsewhere or len(tasks) < 2:
            for task in tasks:
                await self._look_at_here(task)
            return
        waiting = deque(sorted(tasks, key=lambda each: each.end, reverse=True))  # the last to end is then a short one
        done: dict[str, StreamFound] = {}

        async def work(look_at: Elsewhere) -> None:
            while waiting:
                task = waiting.popleft()
                done[task.stream] = await look_at(task)

        await asyncio.gather(*map(work, (*self.elsewhere, self._looked_at)))
        for task in tasks:
            self._take_in(done[task.stream])

    async def _look_at_here(self, task: StreamTask) -> None:
        self._take_in(await self._looked_at(task))

    async def _looked_at(self, task: StreamTask) -> StreamFound:
        audit = StreamAudit(self.store, self.games, task, self._house)
        self._now = audit.found
        await audit.run()
        self._now = None
        return audit.found

    def _take_in(self, found: StreamFound) -> None:
        """Add what one stream has shown to what is known of the others."""
        stream, together = found.stream, self._all
        self.findings += found.findings
        self.rounds += found.rounds
        self.lengths[stream], self._hashes[stream] = found.length, found.hashes
        if found.length:
            self.last_hashes[stream] = found.last_hash.hex()
        self._published[stream] = found.published
        if found.cards_turned is not None:
            self._turned[stream] = found.cards_turned
        self._words |= {digest: (stream, number) for digest, number in found.words.items()}
        together.events += found.events
        together.at_tables |= found.at_tables
        together.at_cage |= found.at_cage
        together.owed_at_tables |= found.owed_at_tables
        together.owed_at_cage |= found.owed_at_cage
        together.slips_at_tables |= found.slips_at_tables
        together.slips_at_cage |= found.slips_at_cage
        together.allowances |= found.allowances
        together.reserved |= found.reserved
        if stream == CAGE:
            together.limited = found.limited

    def _numbers_with_heads(self, stream: str) -> frozenset[int]:
        places = {place.number for place in self._places if place.stream == stream}
        exported = {head.number for head in self.exported if head.stream == stream}
        return frozenset(places | exported | self._house.numbers_noted[stream])

    # --- heads -----------------------------------------------------------------------------------------------------

    def _check_house(self) -> None:
        """Check that the house created every table, and that each reaches as far as was noted."""
        public_key = self._house.public_key
        if public_key is None:
            self._find(HOUSE, 1, "no-key")
            return
        patrons = {stream for stream in self.lengths if stream.endswith(LIMITS)}  # the cage names them
        for stream in sorted(set(self.lengths) - {HOUSE, CAGE} - patrons):
            if stream.removesuffix(SHOES) not in self._house.created:
                self._find(stream, None, "unknown-table")
        for stream, number, hash_, signature in self._house.heads:
            if self._only is None or stream in self._only:
                self._check_head(Head(stream, number, unpacked(hash_), unpacked(signature), public_key))
        for place in self._places:
            if not self._is_faulty(place.stream):
                found = check_place(
                    place, public_key, self.lengths.get(place.stream, 0), self._hashes.get(place.stream, {})
                )
                self.findings += [found] if found else []

    def _check_shoes(self) -> None:
        """Check that what was published of a shoe are the cards that were turned at its table."""
        for table, turned in self._turned.items():
            stream = f"{table}{SHOES}"
            if self._is_faulty(table) or self._is_faulty(stream):
                continue
            for shoe, (number, digest) in self._published.get(stream, {}).items():
                if turned.get(shoe, NO_CARDS) != digest:
                    self._find(stream, number, "shoe-record-differs", shoe=shoe)

    def _check_cage(self) -> None:
        """Check that cage and table record the same amounts moved between them."""
        if CAGE not in self.lengths or self.findings:
            return  # only the first fault of a stream is reported
        for table, patron in sorted({*self._all.at_tables, *self._all.at_cage}):
            if self._only is not None and table not in self._only:
                continue
            found, noted = self._all.at_tables.get((table, patron), 0), self._all.at_cage.get((table, patron), 0)
            if found != noted:
                self._find(CAGE, None, "cage-differs", patron=patron, table=table, at_cage=noted, at_table=found)

    # --- words and names -------------------------------------------------------------------------------------------

    async def _check_words(self) -> None:
        """Check that what people wrote is still what they wrote, or was erased by someone who is known."""
        wanted = {digest: place for digest, place in self._words.items() if not self._is_faulty(place[0])}
        kept = await self.store.words(wanted)
        await self._read_house_on()
        erased = self._house.erased_words
        for digest, (stream, number) in wanted.items():
            words, known = kept.get(digest), f"{MARK}{digest}" in erased
            if words is None or words.is_erased:
                if not known:
                    self._find(stream, number, "words-missing")
            elif known:
                self._find(stream, number, "words-not-erased")
            elif not words.agrees:
                self._find(stream, number, "words-altered")

    async def _check_names(self) -> None:
        """Check that people are called what the house recorded last, unless their names were erased."""
        if self._only is not None:
            return
        first = await self._wrong_names()
        # Looked at twice, since a server may change a name in between.
        self.findings += [each for each in await self._wrong_names() if each in first] if first else []

    async def _wrong_names(self) -> list[Finding]:
        await self._read_house_on()
        named = dict(self._house.named)
        kept = await self.store.names(named)
        await self._read_house_on()
        erased, wrong = self._house.erased_people, list[Finding]()
        for person, digest in named.items():
            name = kept.get(person)
            if name is None or name.is_erased:
                wrong += [] if person in erased else [finding(HOUSE, None, "name-missing", person=person)]
            elif person in erased:
                wrong.append(finding(HOUSE, None, "name-not-erased", person=person))
            elif name.digest != digest:
                wrong.append(finding(HOUSE, None, "name-altered", person=person))
        return wrong

    async def _check_people(self) -> None:
        """Check that the database lets people do what the house recorded, and nobody else."""
        if self._only is None and (first := await self._wrong_people()):
            # Looked at twice, since a server may change a person in between.
            self.findings += [each for each in await self._wrong_people() if each in first]

    async def _wrong_people(self) -> list[Finding]:
        rows = await self.store.people()
        await self._read_house_on()
        return self._house.people.compare(rows)

    async def _read_house_on(self) -> None:
        """Follow what a server has appended to the house's stream since the audit began."""
        self._house_read = max(self._house_read, self.lengths.get(HOUSE, 0))
        async for recorded in every_event(self.store, HOUSE, self._house_read):
            self._house_read = recorded.number
            with suppress(UnknownEvent):  # the next audit says so
                self._house.take_in(recorded.event)

    def _is_faulty(self, stream: str) -> bool:
        """Tell whether the stream has a fault: only the first of each is reported."""
        return any(finding.stream == stream for finding in self.findings)

    def _check_debts(self) -> None:
        """Check that cage and table record the same debts, as far as the cage has taken them over."""
        if self.findings:
            return  # only the first fault of a stream is reported
        for table, patron in sorted(self._all.owed_at_cage):
            if self._only is None or table in self._only:
                found, noted = self._all.owed_at_tables.get((table, patron), 0), self._all.owed_at_cage[table, patron]
                if found != noted:
                    self._find(CAGE, None, "debt-differs", patron=patron, table=table, at_cage=noted, at_table=found)

    def _check_slips(self) -> None:
        """Check that chips moved at tables by a slip are those of the slip."""
        if self.findings:
            return  # only the first fault of a stream is reported
        for number, moved in sorted(self._all.slips_at_tables.items()):
            if self._all.slips_at_cage.get(number) != moved:
                self._find(CAGE, None, "slip-differs", slip=number, table=moved[0], amount=moved[2])

    def _check_limits(self) -> None:
        """Check that each patron with limits is known to the cage, and that tables hold what was reserved for them."""
        if self.findings or self._only is not None:
            return  # only the first fault of a stream is reported
        streams = {stream.removesuffix(LIMITS) for stream in self.lengths if stream.endswith(LIMITS)}
        for patron in sorted(streams ^ self._all.limited):
            self._find(f"{patron}{LIMITS}", None, "limits-differ", patron=patron, table=CAGE)
        for table, patron in sorted({*self._all.allowances, *self._all.reserved}):
            if self._all.allowances.get((table, patron)) != self._all.reserved.get((table, patron)):
                self._find(f"{patron}{LIMITS}", None, "limits-differ", patron=patron, table=table)

    def _check_head(self, head: Head) -> None:
        """Check that the stream still has the event of the head, unchanged."""
        if self._is_faulty(head.stream):
            return
        if not head.is_signed:
            self._find(head.stream, head.number, "head-not-signed")
        elif head.number > self.lengths.get(head.stream, 0):
            there = self.lengths.get(head.stream, 0)
            self._find(head.stream, there + 1, "gone-up-to" if there else "gone", last=head.number)
        elif head.number and self._hashes[head.stream][head.number] != head.hash:
            self._find(head.stream, head.number, "rewritten")
        else:
            self.heads[head.stream] += 1
