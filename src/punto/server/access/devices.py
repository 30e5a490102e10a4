"""Devices: where each one is and what it does there, and the tokens they show.

A device is bound to one table and one kind of work, by an event with the person who bound it. Its token has an age and
is replaced by showing it; the old one is valid for a moment longer, so that an answer that was lost does no harm. A
token that is used after that was in two hands: the device is shut out, and the pit is alerted.

What a device asks for in vain is counted and recorded, a few times a minute. More than that is refused unheard.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from punto.server.access.identity import BadPerson, Duty, Giver, People, Person, Session
from punto.server.refused import Refused
from punto.server.running.metrics import METRICS
from punto.server.running.server_log import log
from punto.server.tables.floor import Floor
from punto.server.tables.stream_follower import Clock
from punto.store import device_tokens as sql
from punto.store.events.house_events import (
    DeviceBound,
    DeviceFault,
    DeviceRefused,
    DeviceRevoked,
    DeviceTokenMade,
    DeviceWork,
)
from punto.store.house import SYSTEM

DAY = 24 * 60 * 60_000
TOKEN_LASTS = 30 * DAY
OVERLAP = 2 * 60_000
"""Milliseconds for which a token is still valid after it was replaced."""
REMEMBERED = 90 * DAY
"""Milliseconds after which a token that was replaced is forgotten."""
TRIES = 20
"""To store a token while other requests store theirs."""
FAULTS_BEFORE_SILENCE = 5
SILENCE = 60.0
"""Seconds: as many faults within this time have a device refused unheard."""


@dataclass(frozen=True, slots=True)
class DeviceToken:
    """A new token, which is told once, and the time until which it is valid."""

    token: str = field(repr=False)
    expires_at: int


class Devices:
    """The devices of a house. Any number of processes may keep the same ones."""

    def __init__(self, floor: Floor, people: People, clock: Clock, elapsed: Callable[[], float] = monotonic) -> None:
        self._floor, self._people, self._clock, self._elapsed = floor, people, clock, elapsed
        self._faults: dict[str, deque[float]] = {}

    # --- where they are --------------------------------------------------------------------------------------------

    async def make(self, name: str, table: str, work: DeviceWork, giver: Giver) -> tuple[Person, DeviceToken]:
        """Add a device that is bound to a table, and return it with its first token."""
        self._check_table(table)
        device = await self._people.add(name, Duty.DEVICE, giver)
        await self.bind(device, table, work, giver)
        return device, await self.new_token(device, giver)

    async def bind(self, device: Person, table: str, work: DeviceWork, giver: Giver) -> DeviceBound:
        """Bind a device to a table, instead of the one it was bound to; its token stays."""
        self._check_table(table)
        before = (await self._bindings()).get(device.id)
        was = (before.table, before.work) if before else (None, None)
        bound = DeviceBound(device.id, table, work, *was)
        await self._floor.record(bound, giver)
        log.info("device bound", device=device.id, table=table, work=work.value, by=giver[0])
        return bound

    async def bindings(self) -> dict[str, DeviceBound]:
        """Return by id what each device is bound to."""
        return await self._bindings()

    async def check_place(self, device: Person, table: str, work: DeviceWork) -> None:
        """Raise ``Refused`` unless a device is bound to this table and this work; in the same words for all tables."""
        if self._is_silenced(device.id):
            raise Refused("too-many")
        bound = (await self._bindings()).get(device.id)
        if bound is None:
            known = table if table in self._floor.created else ""
            await self.note(DeviceRefused(device.id, DeviceFault.UNBOUND, known))
            raise Refused("not-permitted", case="device-unbound", duty=device.duty.value)
        if (bound.table, bound.work) != (table, work):
            why = DeviceFault.OTHER_WORK if bound.table == table else DeviceFault.ELSEWHERE
            await self.note(DeviceRefused(device.id, why, bound.table, table if table != bound.table else ""))
            raise Refused("not-permitted", case="device-elsewhere", duty=device.duty.value)

    def _check_table(self, table: str) -> None:
        if table not in self._floor.created:
            raise Refused("unknown-table", table=table)

    async def _bindings(self) -> dict[str, DeviceBound]:
        if self._floor.store.shared:  # another process may have bound it just now
            return (await self._floor.read_journal()).bindings
        return self._floor.journal.bindings

    # --- what they do wrong ----------------------------------------------------------------------------------------

    async def note(self, fault: DeviceRefused) -> None:
        """Count and log what a device asked for in vain, and record it for the pit unless it is silenced already."""
        METRICS.device_faults[fault.why.value] += 1
        log.warning("device refused", device=fault.device, why=fault.why.value, table=fault.table)
        if self._is_silenced(fault.device):
            return
        self._faults.setdefault(fault.device, deque()).append(self._elapsed())
        await self._floor.record(fault, (fault.device, Duty.DEVICE.value))

    def _is_silenced(self, device: str) -> bool:
        faults = self._faults.get(device)
        while faults and faults[0] <= self._elapsed() - SILENCE:
            faults.popleft()
        return faults is not None and len(faults) >= FAULTS_BEFORE_SILENCE

    # --- their tokens ----------------------------------------------------------------------------------------------

    async def new_token(self, device: Person, giver: Giver) -> DeviceToken:
        """Return a token for a device from a person; every token it had ends at once."""
        if device.duty is not Duty.DEVICE:
            raise BadPerson("token-for-device-only")
        await self._ask(sql.END, device.id)
        return await self._give(device.id, giver, 0)

    async def rotate(self, device: Person) -> DeviceToken:
        """Return a new token for a device that has shown a valid one; the newest it had is valid for a moment longer.

        Two parties who have one token thus replace each other's, and the first of them to use an old one is noticed.
        """
        await self._ask(sql.FORGET, device.id, self._clock() - REMEMBERED)
        return await self._give(device.id, device.giver, OVERLAP)

    async def revoke(self, device: Person, giver: Giver) -> None:
        """End every token of a device."""
        await self._ask(sql.END, device.id)
        await self._floor.record(DeviceRevoked(device.id), giver)
        log.info("device revoked", device=device.id, by=giver[0])

    async def session(self, token: str) -> Session | None:
        """Return the session of a device's token, if it is valid."""
        digest, now = _digest(token), self._clock()
        del token
        rows = await self._ask(sql.TOKEN, digest)
        if not rows:
            return None
        device, made_at, expires_at, replaced_at = rows[0]
        if now >= expires_at:
            if replaced_at is not None:
                await self._shut_out(device)
            return None
        person = await self._people.find(device)
        return Session(person, made_at, now, expires_at) if person else None

    async def lifetimes(self) -> dict[str, tuple[int, int]]:
        """Return by id when the newest token of each device was made, and until when it is valid."""
        return {device: (made_at, expires_at) for device, made_at, expires_at in await self._ask(sql.NEWEST)}

    async def _give(self, device: str, giver: Giver, overlap: int) -> DeviceToken:
        """Store a new token in place of the newest; again, if another request stores one first."""
        token, now = secrets.token_urlsafe(32), self._clock()
        expires_at, rotated = now + TOKEN_LASTS, overlap > 0
        for _ in range(TRIES):
            await self._ask(sql.REPLACE, now, now + overlap, device)
            if await self._ask(sql.ADD, _digest(token), now, expires_at, device):
                break
        else:
            raise BadPerson("device-not-active")
        await self._floor.record(DeviceTokenMade(device, expires_at, rotated), giver)
        log.info("device token made", device=device, rotated=rotated, by=giver[0])
        return DeviceToken(token, expires_at)

    async def _shut_out(self, device: str) -> None:
        """End every token of a device after a replaced one was used; once, even if several processes notice it."""
        if await self._ask(sql.END, device):
            bound = (await self._bindings()).get(device)
            fault = DeviceRefused(device, DeviceFault.OLD_TOKEN, bound.table if bound else "")
            log.warning("device shut out", device=device)
            METRICS.device_faults[fault.why.value] += 1
            for event in (fault, DeviceRevoked(device)):
                await self._floor.record(event, SYSTEM)

    async def _ask(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return await self._floor.store.ask(statement, *values)


def _digest(token: str) -> str:
    """Return what is stored of a token. With 256 random bits it cannot be found by trying."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
