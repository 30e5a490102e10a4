"""Chaos: servers killed under load, again and again, and everything checked that may not depend on it.

    python -m chaos --database sqlite|postgresql|postgresql://... --kills 100 --seed 0 [--json]

People play at six tables while servers are killed with SIGKILL, at random moments and at named points. A person who
was not answered asks again. Between the kills the writer or the database is killed, the disk full, the log unread, the
clock set. In the end every acknowledged command is in the log, once, by whom and as it was answered;
no person was told anything else than the log says; every card is the shoe's; the books balance.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from chaos.checks import Checks, Seen, fault_of, points_met
from chaos.people import Cashier, Dealer, Patron, PitManager
from chaos.processes import Process
from chaos.server_process import Point
from chaos.town import Person, Town
from chaos.troubles import EXPECTED, HOUR_MS, Trouble
from support.live import PUNTO, Live, new_patrons, open_table, staff_of
from support.postgresql_server import kill_and_restart, new_database, running_postgresql

from punto import load
from punto.server.access.identity import Duty
from punto.store.address import is_postgresql, open_reader
from punto.table.guidance.dealer_automation import Step

RANDOM = "random"
STANDS_STILL = 15.0
"""Seconds in which something has to happen at every table."""
GO_ON = 20
"""Commands that have to be answered in that time, whatever the trouble."""
POINT_WITHIN = 8.0
"""Seconds in which an armed server has to come to its point; after that it is killed wherever it is."""

_TIME = ', "timestamp"'

AUTOMATIC = {
    "auto-baccarat": "baccarat",
    "auto-dragon": "dragon-tiger",
    "auto-fabulous": "fabulous-4",
    "auto-tiger": "tiger-no-commission",
}
DEALT = {"dealt-sealed": "tiger", "dealt-keyed": "baccarat"}
GAMES = AUTOMATIC | DEALT


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of it there is."""

    database: str
    kills: int
    seed: int
    folder: Path
    patrons: int = 9
    pause: tuple[float, float] = (0.3, 1.4)
    """Seconds between a recovery and the next kill."""
    quiet: bool = False
    server: str | None = None
    """The folder of a PostgreSQL server of our own, which may be killed too."""

    @property
    def troubles(self) -> list[Trouble]:
        """What else may happen, between the kills."""
        if is_postgresql(self.database):
            return [Trouble.LOG, Trouble.CLOCK, *([Trouble.DATABASE] if self.server else [])]
        return [Trouble.WRITER, Trouble.FULL, Trouble.LOG, Trouble.CLOCK]

    @property
    def processes(self) -> int:
        return 2 if is_postgresql(self.database) else 1


@dataclass(slots=True)
class Tally:
    """What is counted."""

    kinds: Counter[str] = field(default_factory=Counter)
    troubles: Counter[str] = field(default_factory=Counter)
    both: int = 0
    recoveries: list[float] = field(default_factory=list)
    silences: list[float] = field(default_factory=list)
    """Seconds from a kill to the next command that was acknowledged."""
    in_play: int = 0
    """Tables that were in the middle of a round when a server was killed."""
    face_down: int = 0
    """Of those, the ones with a card drawn and not exposed."""


class Chaos:
    """One run."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.town, self.tally = plan, Town(), Tally()
        self.dice = Random(f"chaos {plan.seed}")
        self.marks = plan.folder / "points"
        self.processes = [Process(self._arguments(), plan.folder) for _ in range(plan.processes)]
        self.patrons: list[Patron] = []
        self.watchers: list[Person] = []
        self.seen = Seen()
        self._tasks: list[asyncio.Task[None]] = []
        self._listening: list[asyncio.Task[None]] = []

    def _arguments(self) -> list[str]:
        key = str(self.plan.folder / "key")
        return ["--db", self.plan.database, "--key", key, "--port", "0", "--json", "--pace", "25"]

    async def run(self) -> dict[str, Any]:
        """All of it; what is to be told in the end."""
        began = monotonic()
        try:
            await self._open()
            for number in range(self.plan.kills):
                await self._trouble(number)
                await self._kill(number)
            await self._close()
        finally:
            for task in [*self._tasks, *self._listening]:
                task.cancel()
            await asyncio.gather(*self._tasks, *self._listening, return_exceptions=True)
            for process in self.processes:
                process.end()
            for person in self._people:
                await person.close()
        audit = await self._check()
        return self._summary(audit, monotonic() - began)

    # --- the people ------------------------------------------------------------------------------------------------

    async def _open(self) -> None:
        """Make a house with its tables and people, and let everyone begin."""
        live = Live(*await self.processes[0].start())
        self.town.open_door(0, live.address)
        tokens = await asyncio.to_thread(self._founded, live)
        for slot, process in enumerate(self.processes[1:], start=1):
            self.town.open_door(slot, (await process.start())[1]["address"])
        seed, town = self.plan.seed, self.town
        for number, (token, id_) in enumerate(tokens["patrons"]):
            self.patrons.append(Patron(town, f"patron{number}", seed, token, id_))
            self.patrons[-1].seat = number
        self.dealer = Dealer(town, "dealer", seed, *tokens["dealer"])
        self.pit = PitManager(town, "pit", seed, *tokens["pit"])
        self.cashier = Cashier(town, "cashier", seed, *tokens["cashier"])
        for slot in range(self.plan.processes):
            self.watchers.append(Person(town, f"watcher{slot}", seed))
            self.watchers[-1].slot = slot
        self._begin()

    def _founded(self, live: Live) -> dict[str, Any]:
        staff = staff_of(live)
        manager = staff[Duty.PIT_MANAGER]
        for table, game in GAMES.items():
            steps = [step.value for step in Step] if table in AUTOMATIC else []
            device = "manual" if table == "dealt-keyed" else "sealed"
            method = "B" if load(game).methods else None
            seconds = {"betting_seconds": 1} if steps else {}
            open_table(manager, table, game, device, method, steps, **seconds)
        people = new_patrons(live, staff[Duty.CASHIER], self.plan.patrons)
        tokens: dict[str, Any] = {"patrons": [(each.token, each.id) for each in people]}
        for name, duty in (("dealer", Duty.PIT_SUPERVISOR), ("pit", Duty.PIT_MANAGER), ("cashier", Duty.CASHIER)):
            tokens[name] = (staff[duty].token, staff[duty].id)
        for each in (*people, *staff.values()):
            each.http.close()
        return tokens

    @property
    def _people(self) -> list[Person]:
        staff = [self.dealer, self.pit, self.cashier] if self.watchers else []
        return [*self.patrons, *staff, *self.watchers]

    def _begin(self) -> None:
        names = list(GAMES)
        for table, game in GAMES.items():
            self.dealer.take_on(table, load(game))
        self.dealer.cutter = self.patrons[0]
        for watcher in (*self.watchers, self.dealer):
            self._listen(watcher, names)
        self._listen(self.pit, [*AUTOMATIC, "dealt-sealed"])
        for number, patron in enumerate(self.patrons):
            chosen = [names[number % len(names)], names[(number + 1 + number // len(names)) % len(names)]]
            self._listen(patron, chosen)
            self._spawn(patron.play(chosen))
        for table in DEALT:
            self._spawn(self.dealer.deal(table))
        self._spawn(self.pit.work())
        self._spawn(self.cashier.work([patron.id for patron in self.patrons]))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(work))

    def _listen(self, person: Person, tables: Sequence[str]) -> None:
        self._listening.append(asyncio.create_task(person.listen(tables)))

    # --- the kills -------------------------------------------------------------------------------------------------

    async def _kill(self, number: int) -> None:
        """Kill one process, or both, and have them back."""
        kinds = [RANDOM, *Point]
        if not number % len(kinds):
            self.order = self.dice.sample(kinds, len(kinds))
        kind, slot = self.order[number % len(kinds)], self.dice.randrange(len(self.processes))
        await asyncio.sleep(self.dice.uniform(*self.plan.pause))
        self._note_in_play()
        kind = await self._brought_down(slot, kind)
        down, died = [slot], monotonic()
        del self.town.doors[slot]
        if len(self.processes) > 1 and number % 6 == 4:
            self.tally.both += 1
            self.processes[1 - slot].kill()
            del self.town.doors[1 - slot]
            down.append(1 - slot)
        self.tally.kinds[kind] += 1
        answered = self.town.answered_at
        await asyncio.gather(*map(self._back, down))
        self.tally.recoveries.append(monotonic() - died)
        while self.town.answered_at in (answered, 0.0) and monotonic() < died + STANDS_STILL:
            await asyncio.sleep(0.01)
        self.tally.silences.append(max(0.0, self.town.answered_at - died) if len(down) == len(self.processes) else 0.0)
        await self._light_checks()
        self._tell(number, kind, down)

    async def _brought_down(self, slot: int, kind: str) -> str:
        process = self.processes[slot]
        if kind != RANDOM:
            keyed = kind == Point.AFTER_ANSWER or self.dice.random() < 0.7
            process.tell(point=kind, count=self.dice.randint(1, 40), keyed=keyed, marks=str(self.marks))
            if await process.ended(POINT_WITHIN):
                return kind
        process.kill()
        return RANDOM

    async def _back(self, slot: int) -> None:
        _, told, _ = await self.processes[slot].start()
        self.town.open_door(slot, told["address"])

    def _note_in_play(self) -> None:
        for about in self.watchers[0].heard.values():
            hands = about.view.get("hands", {})
            self.tally.in_play += about.view.get("phase") in ("closed", "dealing", "outcome")
            self.tally.face_down += any(card is None for hand in hands.values() for card in hand)

    async def _light_checks(self) -> None:
        """The newest commands are stored as they were answered, every table goes on, and what was sealed stays so."""
        for table in GAMES:
            still = monotonic() - self.town.moved_at.get(table, 0.0)
            if still > STANDS_STILL:
                self.town.find(f"nothing has happened at {table} for a long time")
        store = await open_reader(self.plan.database)
        try:
            for given in self.town.given[-30:]:
                if fault := fault_of(given, await store.answer(given.actor, given.key)):
                    self.town.find(fault)
        finally:
            await store.close()
        for table in (*AUTOMATIC, "dealt-sealed"):
            for shoe in (await self.watchers[0].ask("GET", f"/api/tables/{table}/shoes")).json():
                if self.seen.commitments.setdefault(shoe["shoe"], shoe["commitment"]) != shoe["commitment"]:
                    self.town.find(f"shoe {shoe['shoe']} has another commitment than before")

    def _tell(self, number: int, kind: str, down: Sequence[int]) -> None:
        if self.plan.quiet:
            return
        database = "postgresql" if is_postgresql(self.plan.database) else "sqlite"
        done = sum(given.refused is None for given in self.town.given)
        which = " and ".join(str(slot + 1) for slot in sorted(down))
        recovered = f"back after {self.tally.recoveries[-1]:.2f} s"
        found = f", {len(self.town.findings)} FINDINGS" if self.town.findings else ""
        line = (
            f"{number + 1:4} {database}: process {which} killed, {kind}; {done} acknowledged so far, {recovered}{found}"
        )
        print(line, flush=True)  # noqa: T201

    # --- other trouble ---------------------------------------------------------------------------------------------

    async def _trouble(self, number: int) -> None:
        """Make one kind of trouble after the other, that of a server which goes on."""
        kinds = self.plan.troubles
        kind, process = kinds[number % len(kinds)], self.dice.choice(self.processes)
        self.tally.troubles[kind] += 1
        before = len(self.town.given)
        match kind:
            case Trouble.DATABASE:
                assert self.plan.server is not None
                await asyncio.to_thread(kill_and_restart, self.plan.server)
            case Trouble.LOG:
                process.log_is_read.clear()
            case Trouble.CLOCK:
                process.tell(trouble=kind, by=self.dice.choice((-HOUR_MS, HOUR_MS)))
            case _:
                process.tell(trouble=kind, seconds=self.dice.uniform(0.2, 1.0))
        until = monotonic() + STANDS_STILL
        while len(self.town.given) < before + GO_ON and monotonic() < until:
            await asyncio.sleep(0.02)
        if len(self.town.given) < before + GO_ON:
            self.town.find(f"{kind}: hardly anything is answered any more")
        process.log_is_read.set()

    # --- the end ---------------------------------------------------------------------------------------------------

    async def _close(self) -> None:
        """Everyone finishes what they began; rounds are played out, shoes ended and published, some chips cashed."""
        self.town.closing = True
        await self._in_time(asyncio.gather(*self._tasks), "people finish")
        for table in AUTOMATIC:
            await self.pit.ask("POST", f"/api/tables/{table}/automation", steps=[])
        for table in GAMES:
            await self._in_time(self.dealer.finish(table), f"the round at {table} is played out")
        for table in (*AUTOMATIC, "dealt-sealed"):
            await self.pit.end_shoe(table)
            await self._in_time(self._published(table), f"the shoes of {table} are published")
        await self._look_at_money()
        await self._in_time(self._all_told(), "everyone is told everything")
        for code in await asyncio.gather(*(process.stop() for process in self.processes)):
            if code:
                self.town.find(f"a server that was told to stop ended with {code}")

    async def _look_at_money(self) -> None:
        for patron in self.patrons[::2]:
            for table in patron.heard:
                await patron.leave(table)
        for patron in self.patrons:
            self.seen.accounts[patron.id] = (await patron.ask("GET", "/api/cage/mine")).json()["holds"]
            for table in patron.heard:
                mine = (await patron.ask("GET", f"/api/tables/{table}/mine")).json()
                self.seen.chips[table, patron.id] = mine["chips"]

    async def _in_time(self, work: Any, what: str) -> None:
        try:
            await asyncio.wait_for(work, 60)
        except TimeoutError:
            self.town.find(f"not within a minute: {what}")

    async def _published(self, table: str) -> None:
        path = f"/api/tables/{table}/shoes"
        while True:
            shoes = (await self.pit.ask("GET", path)).json()
            used = [each["shoe"] for each in shoes if each["list_closed"] and not each["ready"] and not each["missing"]]
            if used and all(each["published"] for each in shoes if each["shoe"] in used):
                break
            await asyncio.sleep(0.05)
        for shoe in used:
            self.seen.records[shoe] = (await self.pit.ask("GET", f"{path}/{shoe}/record")).text

    async def _all_told(self) -> None:
        for person in self._people:
            for table, heard in person.heard.items():
                while heard.last < (await person.ask("GET", f"/api/tables/{table}")).json()["number"]:
                    await asyncio.sleep(0.02)

    async def _check(self) -> dict[str, Any]:
        for log in sorted(self.plan.folder.glob("server-*.log")):
            for line in log.read_text("utf-8").splitlines():
                if _is_fault(line):
                    self.town.find(f"{log.name}: {line.split(_TIME)[0][:3000]}")
        command = [str(PUNTO), "audit", self.plan.database, "--json"]
        auditing = asyncio.create_task(
            asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
        )
        store = await open_reader(self.plan.database)
        try:
            books = {table: load(game) for table, game in GAMES.items()}
            checks = Checks(self.town, store, books, self._people)
            await checks.run(self.seen, frozenset({self.dealer.id, self.pit.id}))
        finally:
            await store.close()
        done = await auditing
        audit: dict[str, Any] = json.loads(done.stdout) if done.stdout else {"findings": [done.stderr]}
        for each in audit["findings"]:
            self.town.find(f"punto audit: {each}")
        return audit

    def _summary(self, audit: dict[str, Any], seconds: float) -> dict[str, Any]:
        town, tally = self.town, self.tally
        marks = self.marks.read_text("utf-8").splitlines() if self.marks.exists() else []
        met = points_met(marks, town.given, town)
        done = [given for given in town.given if given.refused is None]
        return {
            "database": "postgresql" if is_postgresql(self.plan.database) else "sqlite",
            "processes": self.plan.processes,
            "seed": self.plan.seed,
            "kills": sum(tally.kinds.values()) + tally.both,
            "kills_by_kind": {kind: tally.kinds[kind] for kind in (RANDOM, *Point)},
            "both_killed": tally.both,
            "other_trouble": dict(tally.troubles),
            "points_shown_by_answers": met,
            "tables_in_play_when_killed": tally.in_play,
            "with_cards_face_down": tally.face_down,
            "commands_acknowledged": len(done) + len(town.cage_orders),
            "commands_refused": len(town.given) - len(done),
            "commands_sent_again": sum(given.sent > 1 for given in town.given),
            "retries": town.retries,
            "repeated_answers": sum(given.repeated for given in done),
            "resyncs": town.resyncs,
            "rounds": audit.get("rounds"),
            "events": audit.get("events"),
            "shoes_verified": len(self.seen.records),
            "slowest_recovery_s": round(max(tally.recoveries, default=0.0), 2),
            "longest_silence_s": round(max(tally.silences, default=0.0), 2),
            "seconds": round(seconds, 1),
            "findings": town.findings,
        }


def _is_fault(line: str) -> bool:
    """Whether a line of a log tells what no trouble excuses."""
    if line.startswith(("Traceback", "Fatal")):
        return True
    return '"level": "error"' in line and json.loads(line)["event"] not in EXPECTED


def run(plan: Plan) -> dict[str, Any]:
    """A run from its beginning to its end."""
    return asyncio.run(Chaos(plan).run())


def main() -> None:
    parser = ArgumentParser(prog="chaos", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql, or the address of an empty database")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print the summary only")
    asked = parser.parse_args()
    folder, right = Path(tempfile.mkdtemp(prefix="punto-chaos-")), False
    try:
        with ExitStack() as opened:
            database, server = asked.database, None
            if database == "sqlite":
                database = str(folder / "punto.db")
            elif database == "postgresql":
                server = opened.enter_context(running_postgresql(folder / "postgresql"))
                database = new_database(server)
            summary = run(Plan(database, asked.kills, asked.seed, folder, quiet=asked.json, server=server))
        print(json.dumps(summary, indent=2))  # noqa: T201
        right = not summary["findings"]
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)  # noqa: T201
    finally:
        if right:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print(f"the database and the servers' logs are kept in {folder}", file=sys.stderr)  # noqa: T201
    sys.exit(not right)


if __name__ == "__main__":
    main()
