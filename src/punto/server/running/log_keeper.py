"""Seals the house's log in the background, in one process of the house."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from time import monotonic

from punto.server.running.server_log import log
from punto.store.protocol import Store
from punto.store.trust.custody import custody_of
from punto.store.trust.keys import Keys
from punto.store.trust.log_folder import LogForked
from punto.store.trust.log_rows import LogHead, grow, log_head, make_log
from punto.store.trust.sealer import Sealer, log_key, origin_of
from punto.store.trust.sealer_process import SealerProcess
from punto.tlog.checkpoint import LogCheckpoint
from punto.tlog.note import sign_note

SEALED_EACH, SEALED_EACH_BUSY = 1.0, 3.0
"""Seconds between looks at what was stored: a checkpoint follows an event within 5."""
BUSY = 500
"""Leaves in a look, from which on the next waits longer: a checkpoint costs as much for few as for many."""


class LogKeeper:
    """The log of a house."""

    def __init__(self, store: Store, keys: Keys, folder: Path, address: str | None = None) -> None:
        """Seal a store; with its address in a process apart, as a busy server does."""
        self._store, self._keys, self._folder, self._address = store, keys, folder, address
        self._sealer: Sealer | SealerProcess | None = None
        self._head: LogHead | None = None
        self.forked = False
        """Whether the database does not continue what was published; then nothing is sealed."""
        self._alone = asyncio.Lock()

    async def keep_up(self) -> None:
        """Seal what was stored, again and again as long as the server runs."""
        sealed, took = 0, 0.0
        while not self.forked:
            await asyncio.sleep(max(SEALED_EACH, SEALED_EACH_BUSY - took) if sealed >= BUSY else SEALED_EACH)
            sealed, begun = 0, monotonic()
            try:
                if not self._store.closed and await self._store.lead("log"):
                    # A server that stops lets it end: a reply that is not read would be taken for the next one's.
                    sealed = await asyncio.shield(self.seal())
            except LogForked as error:
                self.forked = True
                log.error("the log is not continued", reason=str(error))
            except self._store.away as error:
                await self._drop()
                log.warning("the log waits for the database", error=type(error).__name__)
            except Exception:
                await self._drop()
                log.exception("not sealed")
            took = monotonic() - begun

    async def seal(self) -> int:
        """Seal everything that is stored, and return how many leaves that made.

        Begins with what the database has the next time, if another process has sealed.
        """
        async with self._alone:
            sealer, made = self._sealer or await self._begun(), 0
            while gathered := await sealer.gather():
                before = self._head
                assert before
                text = LogCheckpoint(before.origin, gathered.size, gathered.root).text
                key = log_key(before.origin, self._keys.public_key)
                note = str(sign_note(text, [(key, lambda message: bytes.fromhex(self._keys.sign(message)))]))
                after = LogHead(before.epoch, before.origin, before.secret, gathered.size, gathered.edge, note)
                if not await grow(self._store, gathered.base, after, gathered.ranges):
                    await self._drop()
                    return made
                await sealer.publish(after, gathered.ranges)
                self._head = after
                made += gathered.size - gathered.base
                if not gathered.has_more:
                    break
            return made

    async def _begun(self) -> Sealer | SealerProcess:
        custody = await custody_of(self._store, self._keys)
        assert custody
        origin = origin_of(custody.house, custody.epoch)
        await make_log(self._store, custody.epoch, origin, self._keys.log_secret(origin))
        place = self._folder, log_key(origin, self._keys.public_key), custody.epoch
        self._sealer = SealerProcess(self._address, *place) if self._address else Sealer(self._store, *place)
        await self._sealer.begin()
        self._head = await log_head(self._store, custody.epoch)
        return self._sealer

    async def _drop(self) -> None:
        """Begin with what the database has the next time."""
        if self._sealer:
            await self._sealer.close()
        self._sealer = None

    async def stop(self) -> None:
        """Seal what was stored last, before the database is closed."""
        if not self.forked and not self._store.closed and self._sealer:
            with suppress(Exception):
                await self.seal()
        await self._drop()
