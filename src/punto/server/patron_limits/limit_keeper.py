"""Keeps the limits of patrons: sets them, and reserves for a table what a patron may lose and stake there.

A reservation is stored in the patron's stream in one transaction with the table's event, so two tables, or two
processes, never hold the same part of a limit. A limit that is lowered reaches every table in its own transaction.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from punto.server.access.identity import Recording
from punto.server.cash.cage import Cage
from punto.server.cash.debt_book import KnownTable
from punto.server.patron_limits.limit_state import EASED_AFTER, RENEWED_EACH, LimitState
from punto.server.refused import Refused
from punto.server.tables.pending_command import Companion, Prepared
from punto.server.tables.stream_follower import Clock, StreamClosed, StreamFollower
from punto.store.events.cage_events import LimitsBegun
from punto.store.events.house_events import HOUSE
from punto.store.events.limit_events import (
    LIMITS,
    AllowanceReserved,
    ExclusionKind,
    ExclusionLifted,
    LimitKind,
    PatronExcluded,
    PatronLimitSet,
    Period,
)
from punto.store.house import SYSTEM
from punto.store.protocol import Store
from punto.store.records import Append, Change, Conflict, EventRecord
from punto.store.trust.chain import Chain
from punto.store.words import KeptWords, put_all_aside
from punto.table.command import Command
from punto.table.event import Event
from punto.table.evolve import evolve
from punto.table.play.chips import BuyIn, CashOut
from punto.table.play.loss_limits import NEVER, AllowanceSet
from punto.table.refusal import Refusal, refuse
from punto.table.table import Table

Giver = tuple[str, str]
MOST_FOLLOWED = 1_000
"""Patrons whose streams are kept in memory."""


class PatronStream(StreamFollower[LimitState]):
    """The stream of one patron's limits."""

    state_kind = LimitState

    def __init__(self, store: Store, patron: str, clock: Clock) -> None:
        super().__init__(store, f"{patron}{LIMITS}", clock)
        self.limits = LimitState()

    def state(self) -> LimitState:
        """Return what the events have led to."""
        return self.limits

    def begin(self, state: LimitState, chain: Chain) -> None:
        """Begin with a state and the place in the chain that belongs to it."""
        self.limits, self.chain = state, chain

    def now(self) -> int:
        """Return the time, which never goes back in a stream."""
        return max(self._clock(), self.chain.at)

    def _take_in(self, recorded: EventRecord) -> None:
        self.limits.take_in(recorded)


async def _finds_none() -> None:
    """Find no table: a store that only one process writes to."""


class LimitKeeper:
    """The limits of all patrons of a house."""

    def __init__(self, store: Store, cage: Cage, clock: Clock) -> None:
        self._store, self._cage, self._clock = store, cage, clock
        self.tables: Mapping[str, KnownTable] = {}
        self.changed: Callable[[Collection[str]], None] = lambda _: None
        """Is told at which tables a change was stored."""
        self.find_tables: Callable[[], Awaitable[None]] = _finds_none
        """Opens tables that another process has made."""
        self._streams: OrderedDict[str, PatronStream] = OrderedDict()

    def _stream(self, patron: str) -> PatronStream:
        stream = self._streams.pop(patron, None) or PatronStream(self._store, patron, self._clock)
        self._streams[patron] = stream
        if len(self._streams) > MOST_FOLLOWED:
            self._streams.popitem(last=False)
        return stream

    async def of(self, patron: str) -> tuple[LimitState, int]:
        """Return a patron's limits as they are stored now, and the time by which they count."""
        stream = self._stream(patron)
        await stream.catch_up()
        return stream.limits, stream.now()

    async def deposit_refused(self, patron: str) -> Refusal | None:
        """Return why a patron may bring no money, if they may not; the cage has been followed before."""
        if patron not in self._cage.limited:
            return None
        limits, now = await self.of(patron)
        return limits.refusal(now)

    # --- at a table ------------------------------------------------------------------------------------------------

    async def side_of(
        self, table: str, state: Table, command: BuyIn | CashOut, giver: Giver
    ) -> Prepared | Refusal | None:
        """Return what goes with chips that a patron brings or takes away; the cage has been followed before."""
        patron = command.patron
        if patron not in self._cage.limited:
            return None
        stream = self._stream(patron)
        await stream.catch_up()
        brings = isinstance(command, BuyIn)
        if brings and (refusal := stream.limits.refusal(stream.now())):
            return refusal
        return await self._reserve(stream, table, state, patron, giver, command.amount if brings else -command.amount)

    async def renew(self, table: str, state: Table, patron: str, giver: Giver) -> Prepared | Refusal:
        """Return what a table reserves for a patron who has used up what it held; refuse if they may not play."""
        stream = self._stream(patron)
        await stream.catch_up()
        return stream.limits.refusal(stream.now()) or await self._reserve(stream, table, state, patron, giver)

    async def _reserve(
        self, stream: PatronStream, table: str, state: Table, patron: str, giver: Giver, brought: int = 0
    ) -> Prepared:
        """Report what was used at a table, and reserve as much as the patron has there and their limits leave.

        If they do not leave enough, what other tables hold comes back first: only what lies on a layout stays held.
        """
        now = stream.now()
        freed = await self._unreported(stream, table, patron)
        events, others = await self._free(stream, freed, patron, giver)
        reserved, refusal = _reservation(_after(stream, events), table, state, patron, now, brought)
        if refusal and (holding := [each for each in self._elsewhere(stream, table) if each not in freed]):
            given_back, besides = await self._free(stream, holding, patron, giver)
            events, others = [*events, *given_back], [*others, *besides]
            reserved, refusal = _reservation(_after(stream, events), table, state, patron, now, brought)
        events.append(reserved)
        allowed = AllowanceSet(patron, reserved.loss, reserved.stake, reserved.until)
        return Prepared(allowed, (stream.append_all_of(events, giver), *others), refusal)

    def _elsewhere(self, stream: PatronStream, table: str) -> list[str]:
        held = stream.limits.tables.items()
        return [name for name, each in held if name != table and (each.loss or each.stake) and name in self.tables]

    async def _unreported(self, stream: PatronStream, table: str, patron: str) -> list[str]:
        """Return the other tables where the patron won or lost what those do not hold.

        A round was corrected there, or a wager settled that was overlooked.
        """
        found = []
        for name, held in stream.limits.tables.items():
            if name != table and name in self.tables and (held.loss is not None or held.stake is not None):
                lost, staked = _use((await self._newest(name))[0], patron)
                is_more = (held.loss is not None and lost > held.loss) or (
                    held.stake is not None and staked > held.stake
                )
                if is_more or (not held.loss and not held.stake and (lost or staked)):
                    found.append(name)
        return found

    async def _free(
        self, stream: PatronStream, tables: Iterable[str], patron: str, giver: Giver
    ) -> tuple[list[Event], list[Append]]:
        """Return what leaves tables only what lies on their layouts, and what notes it in the patron's stream."""
        noted, others = list[Event](), list[Append]()
        for table in tables:
            state, number, at = await self._newest(table)
            (lost, staked), risk = _use(state, patron), state.round.staked_by(patron)
            noted.append(AllowanceReserved(table, lost, staked, risk, risk, NEVER))
            allowed = AllowanceSet(patron, risk, risk, NEVER)
            others.append(Append(table, number, [EventRecord.of(allowed, max(stream.now(), at), *giver)]))
        return noted, others

    async def _newest(self, table: str) -> tuple[Table, int, int]:
        """Return a table as it is stored now, the number of its last event, and when that was, if it was read here.

        It is read and not locked. If it has moved on by the commit, the transaction conflicts and is made again.
        """
        known = self.tables[table]
        state, number, at = known.table, known.number, 0
        while page := await self._store.read(table, number):
            for record in page:
                state, number, at = evolve(state, record.event), record.number, record.at
        return state, number, at

    async def take_over(self, table: str) -> None:
        """Leave a table only what lies on its layout: limits may have changed while it was not served.

        It is among ``tables`` before and takes no command yet.
        """
        await self._cage.catch_up()
        unreadable = None
        for patron in sorted(self._cage.limited & self.tables[table].table.chips.keys()):
            try:
                await self._take_over(table, self._stream(patron), patron)
            except StreamClosed as closed:
                unreadable = closed  # the others' limits hold all the same
        if unreadable:
            raise unreadable

    async def _take_over(self, table: str, stream: PatronStream, patron: str) -> None:
        while True:
            await stream.catch_up()
            held = (await self._newest(table))[0].allowances.get(patron)
            if (held and held.until == NEVER) or not stream.limits.holds_any(stream.now()):
                return
            noted, others = await self._free(stream, [table], patron, SYSTEM)
            try:
                await self._store.append([stream.append_all_of(noted, SYSTEM), *others])
            except Conflict:
                continue  # the patron has changed a limit, or another process has opened the table too
            await stream.catch_up()
            return

    # --- what patrons and the house set ----------------------------------------------------------------------------

    async def set_limit(self, patron: str, kind: LimitKind, period: Period, limit: int | None, giver: Giver) -> None:
        """Set a limit over the house, or lift it: lower at once, higher or none a day later."""

        def decide(limits: LimitState, now: int) -> PatronLimitSet:
            before = limits.in_force(kind, period, now)
            if before is None and limit is None:
                raise Refused("no-own-limit")
            lower = before is None or (limit is not None and limit <= before)
            return PatronLimitSet(kind, period, limit, now if lower else now + EASED_AFTER, before)

        await self._change(patron, decide, giver)

    async def exclude(self, patron: str, kind: ExclusionKind, days: int | None, reason: str, giver: Giver) -> None:
        """Exclude a patron for some days, or for good; what holds longer already is not shortened."""

        def decide(limits: LimitState, now: int) -> PatronExcluded:
            until, holds = None if days is None else now + days * 24 * 3_600_000, limits.excluded.get(kind, 0)
            if holds is None or (until is not None and until < holds):
                raise Refused("excluded-longer")
            return PatronExcluded(kind, until, reason)

        await self._change(patron, decide, giver)

    async def lift(self, patron: str, reason: str, giver: Giver, kind: ExclusionKind = ExclusionKind.HOUSE) -> None:
        """Lift what the house ordered; what the patron chose holds on."""

        def decide(limits: LimitState, _: int) -> ExclusionLifted:
            if kind not in limits.excluded:
                raise Refused("not-excluded")
            return ExclusionLifted(reason, kind)

        await self._change(patron, decide, giver)

    def recording(self, patron: str, active: bool) -> Recording:
        """Return what records that a patron may no longer play, or may again, together with what stops their wagers.

        It is one transaction: there is no moment in which they are deactivated and staff place wagers for them.
        """
        return partial(self._record_active, patron, active)

    async def _record_active(
        self, patron: str, active: bool, told: Sequence[Event], at: int, giver: Giver, changes: Sequence[Change]
    ) -> None:
        def decide(limits: LimitState, _: int) -> Event | None:
            if active is (ExclusionKind.INACTIVE not in limits.excluded):
                return None
            kind = ExclusionKind.INACTIVE
            return ExclusionLifted("", kind) if active else PatronExcluded(kind, None)

        put, words = put_all_aside(told, giver[0])
        records = [EventRecord.of(event, at, *giver) for event in put]
        await self._change(patron, decide, giver, HouseSide(records, words, changes))

    async def _change(
        self,
        patron: str,
        decide: Callable[[LimitState, int], Event | None],
        giver: Giver,
        house: HouseSide | None = None,
    ) -> None:
        """Store a change, and with it what every table may still take from the patron."""
        stream = self._stream(patron)
        while True:
            house_side = [Append(HOUSE, (await self._store.head(HOUSE))[0], house.records)] if house else []
            await self._cage.catch_up()
            await self.find_tables()  # after the cage, so that every table where the patron sat by then is known
            await stream.catch_up()
            known, number, decided = {*self.tables}, stream.chain.number, decide(stream.limits, stream.now())
            put, words = put_all_aside([decided] if decided else [], giver[0])
            appends = await self._change_at_tables(stream, patron, put, giver) if put else []
            if stream.chain.number != number:
                continue  # another task has followed the stream since: what was decided is older
            kept, changes = ([*words, *house.words], house.changes) if house else (words, ())
            try:
                await self._store.append([*appends, *house_side], words=kept, changes=changes)
            except Conflict:
                continue  # a table or another process was first: decide by what it left
            await stream.catch_up()
            await self._cage.catch_up()
            self.changed([each.stream for each in appends if each.stream in self.tables])
            for table in self.tables.keys() - known:  # opened meanwhile, with the limits as they were
                await self.take_over(table)
            return

    async def _change_at_tables(
        self, stream: PatronStream, patron: str, events: Sequence[Event], giver: Giver
    ) -> list[Append]:
        """Return what stores a change in the patron's stream, at their tables, and at the cage if need be.

        The cage is told of the first change, and of each exclusion: a deposit at the same moment conflicts with it.
        """
        told = patron not in self._cage.limited or any(isinstance(each, PatronExcluded) for each in events)
        begun = [self._cage.append_of(LimitsBegun(patron), giver)] if told else []
        noted, others = await self._free(stream, await self._seats(stream, patron), patron, giver)
        return [stream.append_all_of([*events, *noted], giver), *begun, *others]

    async def _seats(self, stream: PatronStream, patron: str) -> list[str]:
        """Return the tables where a patron has chips or wagers; those of other tables need no word of it.

        A patron without a stream of limits may have sat down anywhere; one with a stream is in it wherever they did.
        """
        if patron in self._cage.limited:
            return [table for table in stream.limits.tables if table in self.tables]
        found = []
        for table in self.tables:
            state, _, _ = await self._newest(table)
            if patron in state.chips:
                found.append(table)
        return found


def _use(state: Table, patron: str) -> tuple[int, int]:
    """Return what a patron lost and staked at a table since the last reservation there."""
    allowance = state.allowances.get(patron)
    return (allowance.brought - state.has(patron), allowance.staked) if allowance else (0, 0)


def _after(stream: PatronStream, events: Iterable[Event]) -> LimitState:
    """Return the limits after events that are about to be stored."""
    if not events:
        return stream.limits
    copied = stream.limits.copied()
    for event in events:
        copied.take_in(EventRecord.of(event, stream.now(), *SYSTEM))
    return copied


def _reservation(
    limits: LimitState, table: str, state: Table, patron: str, now: int, brought: int
) -> tuple[AllowanceReserved, Refusal | None]:
    """Return what a table reserves, as much as the patron has there, and why it is less, if it is."""
    lost, staked = _use(state, patron)
    if not limits.limits and not limits.exclusion(now):
        return AllowanceReserved(table, lost, staked), None
    reported = limits.copied()
    reported.take_in(EventRecord.of(AllowanceReserved(table, lost, staked, until=now), now, *SYSTEM))
    has, risk = state.has(patron) + brought, state.round.staked_by(patron)
    refusal = None
    amounts = dict[LimitKind, int | None]()
    for kind in (LimitKind.LOSS, LimitKind.STAKE):
        left = reported.left(kind, now, table)
        amounts[kind] = None if left is None else max(risk, min(left[0], has))
        if left and left[0] < has:
            limit = reported.in_force(kind, left[1], now)
            refusal = refusal or refuse(
                "limit-reached",
                case={LimitKind.LOSS: "loss", LimitKind.STAKE: "stake"}[kind],
                period=left[1].value,
                limit=limit,
            )
    time = reported.left(LimitKind.TIME, now)
    until = now + RENEWED_EACH
    if time is not None and now + time[0] < until:
        until = now + time[0] if time[0] > 0 else NEVER
        limit = reported.in_force(LimitKind.TIME, time[1], now) or 0
        refusal = refuse("limit-reached", case="time", period=time[1].value, limit=limit // 60_000)
    if limits.exclusion(now):
        return AllowanceReserved(table, lost, staked, risk, risk, NEVER), refusal
    return AllowanceReserved(table, lost, staked, amounts[LimitKind.LOSS], amounts[LimitKind.STAKE], until), refusal


@dataclass(frozen=True, slots=True)
class HouseSide:
    """Events of the house's stream, and what they tell of, that are stored with a change of limits."""

    records: Sequence[EventRecord]
    words: Sequence[KeptWords]
    changes: Sequence[Change]


@dataclass(frozen=True, slots=True)
class LimitedCompanion:
    """The sides of a buy-in or a cash-out: the cage's, and that of the patron's limits."""

    cage_side: Companion
    keeper: LimitKeeper
    table: str
    giver: Giver

    async def prepare(self, command: Command, state: Table) -> Append | Prepared | Refusal | None:
        """Return what has to be stored with the command, or why it cannot be."""
        assert isinstance(command, BuyIn | CashOut)
        append = await self.cage_side.prepare(command, state)
        if not isinstance(append, Append):
            return append
        prepared = await self.keeper.side_of(self.table, state, command, self.giver)
        if prepared is None or isinstance(prepared, Refusal):
            return prepared or append
        return Prepared(prepared.event, (append, *prepared.appends))
