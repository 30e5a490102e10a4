"""Checks of the program's own files: when the server starts, once a day, and on demand.

A difference closes the house in this process: nothing more is stored at tables, health and pages say why, and all can
still be read. It stays closed until the approved build is installed and the server started again.

Compiled copies take longer to compare than a start may, so another Python compares them soon after it and once a day.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from punto.server.running.server_log import log
from punto.store.codec import UnknownEvent
from punto.store.events.program_events import CheckedWhen, GameServed, ProgramChecked, ProgramInstalled, ProgramState
from punto.store.house import SYSTEM, is_unmade, record
from punto.store.protocol import Store
from punto.store.records import ClosedBy, Damaged, StoreError
from punto.store.trust import program_files
from punto.store.trust.installed_build import Build, checked, expected_build, installation, look_at
from punto.store.trust.keys import Keys
from punto.store.trust.program_files import PACKAGE

DAY = 24 * 60 * 60.0
"""Seconds between checks, on the event loop's clock, which cannot be set."""
RETRIED_EACH = 60.0
"""Seconds until a check is repeated that could not be recorded."""


class ProgramCheck:
    """Compares the program that serves a house with the build that the house has signed."""

    def __init__(
        self,
        store: Store,
        keys: Keys,
        clock: Callable[[], int],
        games: Sequence[GameServed] = (),
        folder: Path = PACKAGE,
        each: float = DAY,
    ) -> None:
        self._store, self._keys, self._clock, self._games = store, keys, clock, games
        self._folder, self._each = folder, each
        self._build, self._signed = Build(None), None
        self.when_closed: Callable[[], None] = lambda: None
        """Is called when a check closes the house."""

    _build: Build
    _signed: ProgramInstalled | None
    _unread: Exception | None = None
    """Why it is not known which build the house has signed."""

    async def begin(self) -> ProgramChecked:
        """Compare the files before a table is opened, and close the house if they differ."""
        self._build = await asyncio.to_thread(look_at, self._folder)
        try:
            if not await is_unmade(self._store):
                self._signed = await expected_build(self._store, self._keys, self._build)
        except (StoreError, UnknownEvent, Damaged) as error:
            self._unread = error  # to follow the house's stream closes it
        return self._act_on(checked(self._build, self._signed, CheckedWhen.START, self._games))

    async def record_start(self, found: ProgramChecked, last: ProgramChecked | None) -> None:
        """Record what was found at the start; sign a build that the house has not seen. A checkout is told of once."""
        if self._unread:
            raise self._unread
        if found.state is ProgramState.DEVELOPMENT and last and last.state is found.state and last.games == found.games:
            return
        events: list[ProgramInstalled | ProgramChecked] = [found]
        if found.state is ProgramState.INTACT and (self._signed is None or self._signed.manifest != found.manifest):
            self._signed = await installation(self._store, self._keys, self._build, self._signed)
            events.insert(0, self._signed)
        await record(self._store, events, self._clock())

    async def check(self, when: CheckedWhen, giver: tuple[str, str] = SYSTEM) -> ProgramChecked:
        """Compare every file and every compiled copy now, record what is found, and close the house if they differ."""
        build = await asyncio.to_thread(look_at, self._folder)
        if build.manifest and (forged := await self._forged()):
            build = build.with_changed(forged)
        found = self._act_on(checked(build, self._signed, when, self._games))
        await record(self._store, [found], self._clock(), giver)
        return found

    async def _forged(self) -> list[str]:
        """Have a Python that loads nothing of the program compare the compiled copies."""
        script = (sys.executable, "-I", "-S", program_files.__file__, str(self._folder))
        process = await asyncio.create_subprocess_exec(*script, stdout=asyncio.subprocess.PIPE)
        try:
            told, _ = await process.communicate()
        finally:
            if process.returncode is None:  # the server stops
                process.kill()
                await process.wait()
        if process.returncode:
            raise RuntimeError("the compiled copies could not be compared")
        return told.decode().splitlines()

    def _act_on(self, found: ProgramChecked) -> ProgramChecked:
        if not found.state.may_play:
            names = [*found.changed, *found.missing, *found.added]
            log.error("the program is not as approved", state=found.state.value, files=names, of=found.differences)
            if not self._store.closed:
                self._store.closed, self._store.closed_by = True, ClosedBy.PROGRAM
                self.when_closed()
        return found

    async def keep_up(self) -> None:
        """Check soon after the start, when compiled copies are compared too, and then once a day."""
        if self._build.manifest is None and self._signed is None:
            return  # a checkout has nothing to compare
        wait = min(1.0, self._each)
        while True:
            await asyncio.sleep(wait)
            try:
                await self.check(CheckedWhen.DAILY)
            except Exception as error:
                log.error("the program could not be checked", error=type(error).__name__)
                wait = min(RETRIED_EACH, self._each)
            else:
                wait = self._each
