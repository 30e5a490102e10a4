"""``punto bench sealing``: what keeping the sealed log costs a server, beside the same server that keeps none.

Both servers run all the time, and take the same wagers in turns. Processor time is told for each process, since that
depends less than wagers a second on what else the machine does.
"""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
from collections import defaultdict
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from punto.cli.bench.bench_house import furnish, run_measurement, sit
from punto.cli.bench.figures import Figures
from punto.cli.bench.measured_servers import MeasuredServer, processor_seconds, punto_server
from punto.server.load_client import Answers

TABLES, SEATS = 100, 9
WARM_UP, SECONDS, TURNS = 0.5, 3.0, 8
CATCHES_UP = 4.0
"""Seconds after each turn in which its wagers are sealed; the other server's turns have them too."""
BEGINS = 4.0
_NAMES = ("server", "writer", "sealer")


@dataclass(slots=True)
class _Served:
    """A server with its clients, and what its turns have shown."""

    server: MeasuredServer
    answers: Answers
    rates: list[float] = field(default_factory=list)
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By process the microseconds a wager, for each turn."""

    async def turn(self) -> None:
        before, answered = _processor_seconds(self.server.pid), self.answers.answered
        self.rates.append(await self.answers.run(WARM_UP, SECONDS))
        await asyncio.sleep(CATCHES_UP)
        after, wagers = _processor_seconds(self.server.pid), self.answers.answered - answered
        for name in _NAMES:
            self.took[name].append(1e6 * (after[name] - before[name]) / wagers)


def _processor_seconds(server: int) -> dict[str, float]:
    """Return the processor time of a server and of the processes it has started, by what they are."""
    told = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(server)], capture_output=True, text=True, check=False
    )
    children = [line.split(maxsplit=1) for line in told.stdout.splitlines()]
    sealers = [int(pid) for pid, what in children if "sealer_process" in what]
    others = [int(pid) for pid, what in children if "sealer_process" not in what]
    processes = ([server], others, sealers)
    return {name: processor_seconds(each) for name, each in zip(_NAMES, processes, strict=True)}


def measure() -> Figures:
    """Run the measurement."""
    with tempfile.TemporaryDirectory(prefix="punto-bench-") as folder:
        return run_measurement(_measure(Path(folder)))


async def _measure(folder: Path) -> Figures:
    async with AsyncExitStack() as servers:
        plain = await _serve(servers, folder / "plain")
        sealed = await _serve(servers, folder / "sealed", "--log", str(folder / "published"))
        await asyncio.sleep(BEGINS)
        for turn in range(TURNS):
            for each in (plain, sealed) if turn % 2 else (sealed, plain):
                await each.turn()
        for each in (plain, sealed):
            assert not each.answers.refused, each.answers.refused[0]
    ratios = [with_log / without for with_log, without in zip(sealed.rates, plain.rates, strict=True)]
    return {
        "work": f"{TABLES} tables with {SEATS} patrons each, each with one wager on its way, at a server that seals a "
        "log and at one that keeps none, in turns; microseconds of processor time for each wager, by process",
        "wagers_per_second": median(sealed.rates),
        "wagers_per_second_without": median(plain.rates),
        "sealed_to_unsealed": median(ratios),
        "ratios": sorted(ratios),
        **{f"{name}_cpu_us": median(sealed.took[name]) for name in _NAMES},
        **{f"{name}_cpu_us_without": median(plain.took[name]) for name in _NAMES[:2]},
    }


async def _serve(servers: AsyncExitStack, folder: Path, *options: str) -> _Served:
    """Start a server of a house of its own, and connect its patrons."""
    folder.mkdir()
    seats = await furnish(str(folder / "bench.db"), folder, TABLES, SEATS)
    server = await servers.enter_async_context(punto_server(folder, "bench.db", *options))
    answers = Answers(b'{"type":"done"')
    for seat in seats:
        await sit(server.address, seat, answers, "seat")
    return _Served(server, answers)
