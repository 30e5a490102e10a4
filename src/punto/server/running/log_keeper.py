"""Seals the house's log in the background, in one process of the house."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

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

SEALED_EACH = 1.0
"""Seconds between looks at what was stored: a checkpoint follows an event within 5."""


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
        while not self.forked:
            await asyncio.sleep(SEALED_EACH)
            try:
                if not self._store.closed and await self._store.lead("log"):
                    await self.seal()
            except LogForked as error:
                self.forked = True
                log.error("the log is not continued", reason=str(error))
            except self._store.away as error:
                await self._drop()
                log.warning("the log waits for the database", error=type(error).__name__)
            except Exception:
                await self._drop()
                log.exception("not sealed")

    async def seal(self) -> None:
        """Seal everything that is stored; begin with what the database has, if another process has sealed."""
        async with self._alone:
            sealer = self._sealer or await self._begun()
            while gathered := await sealer.gather():
                before = self._head
                assert before
                text = LogCheckpoint(before.origin, gathered.size, gathered.root).text
                key = log_key(before.origin, self._keys.public_key)
                note = str(sign_note(text, [(key, lambda message: bytes.fromhex(self._keys.sign(message)))]))
                after = LogHead(before.epoch, before.origin, before.secret, gathered.size, gathered.edge, note)
                if not await grow(self._store, gathered.base, after, gathered.ranges):
                    await self._drop()
                    return
                await sealer.publish(after, gathered.ranges)
                self._head = after

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
